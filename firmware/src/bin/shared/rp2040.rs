//! The two speeds of the RP2040: 200 MHz, the most that its maker supports, for which the core's voltage
//! is raised, and 125 MHz.
//!
//! A start leaves a note to the next one in a register that only switching off clears. A board that
//! never gets to the end of its start at full speed is reset by the watchdog, and starts at the lower
//! one then.
use corvid_firmware::{
    health::{self, Cause},
    processor::{Processor, Speed},
    profile::PICO,
};
use embassy_rp::{
    clocks::{ClockConfig, CoreVoltage, PllConfig},
    peripherals::WATCHDOG,
    watchdog::Watchdog,
};

/// Of the board's crystal.
const CRYSTAL_MHZ: u32 = 12;

/// 12 MHz x 100 / 6.
const FULL: PllConfig = PllConfig { refdiv: 1, fbdiv: 100, post_div1: 6, post_div2: 1 };
const FULL_MHZ: u32 =
    CRYSTAL_MHZ * FULL.fbdiv as u32 / (FULL.post_div1 as u32 * FULL.post_div2 as u32);

/// What embassy-rp makes of the crystal by itself.
const LOW_MHZ: u32 = 125;

const _: () = assert!(
    PICO.clock_mhz == FULL_MHZ && matches!(PICO.low_mhz, Some(LOW_MHZ)),
    "the board's profile has other clocks"
);

/// MHz of the oscillator that the chip starts with, at most: the watchdog is not too early by it.
const START_MHZ: u8 = 12;

/// The scratch register with the note: the boot ROM uses the last four.
const NOTE: usize = 0;

/// A note has this in its upper half; a register that was just switched on is 0.
const MARK: u32 = 0xc0f1_0000;

// What a note says in its lowest byte.
/// The start has not come to its end.
const TRYING: u32 = 1;
/// To run at the lower speed.
const LOW: u32 = 2;
/// That full speed has failed.
const FALLBACK: u32 = 3;

/// In the second byte: the cause of the start, plus one, if the next one repeats it at another speed.
const CAUSES: [Cause; 5] =
    [Cause::Power, Cause::Button, Cause::Watchdog, Cause::Program, Cause::Unknown];

/// Chooses the clocks, and says what the start's cause is if it repeats another one. From here on the
/// watchdog resets the board unless it is fed.
pub(crate) fn clocks(cause: Cause) -> (ClockConfig, Cause) {
    let mut clocks = ClockConfig::crystal(CRYSTAL_MHZ * 1_000_000);
    let (speed, first) = note();
    let cause = first.unwrap_or(cause);
    if speed == Speed::Full {
        clocks.core_voltage = CoreVoltage::V1_15;
        if let Some(crystal) = &mut clocks.xosc {
            crystal.sys_pll = Some(FULL);
        }
    }
    write(if speed == Speed::Full { TRYING } else { code(speed) }, Some(cause));
    let mut watchdog = watchdog();
    watchdog.enable_tick_generation(START_MHZ);
    watchdog.start(health::WATCHDOG);
    (clocks, cause)
}

/// How fast the processor runs, at the end of the start.
pub(crate) fn processor() -> Option<Processor> {
    let speed = match watchdog().get_scratch(NOTE) & 0xff {
        LOW => Speed::Low,
        FALLBACK => Speed::Fallback,
        _ => Speed::Full,
    };
    write(code(speed), None);
    Processor::of(&PICO, speed)
}

/// Restarts the board at this speed.
pub(crate) fn restart_at(speed: Speed) {
    write(code(speed), Some(health::cause()));
    <crate::ThisBoard as super::Hardware>::reset()
}

/// What the last start has left: the speed to run at, and the cause of that start if this one repeats it.
fn note() -> (Speed, Option<Cause>) {
    let note = watchdog().get_scratch(NOTE);
    if note & 0xffff_0000 != MARK {
        return (Speed::Full, None);
    }
    let speed = match note & 0xff {
        TRYING | FALLBACK => Speed::Fallback,
        LOW => Speed::Low,
        _ => Speed::Full,
    };
    let cause = (note >> 8 & 0xff).checked_sub(1);
    (speed, cause.and_then(|index| CAUSES.get(index as usize).copied()))
}

fn write(code: u32, cause: Option<Cause>) {
    let index = cause.and_then(|cause| CAUSES.iter().position(|other| *other == cause));
    let cause = index.map_or(0, |index| index as u32 + 1);
    watchdog().set_scratch(NOTE, MARK | cause << 8 | code);
}

const fn code(speed: Speed) -> u32 {
    match speed {
        Speed::Full => 0,
        Speed::Low => LOW,
        Speed::Fallback => FALLBACK,
    }
}

fn watchdog() -> Watchdog {
    // SAFETY: its driver has no state, and nobody else uses this register; the watchdog itself is
    // started here before its driver is.
    Watchdog::new(unsafe { WATCHDOG::steal() })
}
