//! The image for the Raspberry Pi Pico (RP2040), the default board, and for the Pico 2 (RP2350), which
//! has the same pins.
//!
//! | part                                             | signal | pin  | on the board |
//! |--------------------------------------------------|--------|------|--------------|
//! | OLED module 128 x 64, I2C (address 0x3C or 0x3D) | SDA    | GP4  | 6            |
//! |                                                  | SCL    | GP5  | 7            |
//! |                                                  | VCC    |      | 36 (3V3 OUT) |
//! |                                                  | GND    |      | 38           |
//! | buttons, to ground                               | up     | GP10 | 14           |
//! |                                                  | down   | GP11 | 15           |
//! |                                                  | left   | GP12 | 16           |
//! |                                                  | right  | GP13 | 17           |
//! |                                                  | select | GP14 | 19           |
//! |                                                  | GND    |      | 18           |
//! | passive piezo, if wanted                         | signal | GP6  | 9            |
//! |                                                  | GND    |      | 8            |
//! | serial port                                      | USB    |      | USB socket   |
#![no_std]
#![no_main]

#[path = "shared/mod.rs"]
mod shared;

use core::ffi::CStr;
use corvid_firmware::{
    bus::Renewed,
    health::{self, Cause},
    keys::Buttons,
    oled::OledModule,
    processor::Second,
    profile::{PICO, PICO2, Profile},
    sound::Buzzer,
};
use embassy_rp::{
    Peri,
    binary_info::{
        self, EntryAddr,
        consts::{ID_RP_PROGRAM_VERSION_STRING, TAG_RASPBERRY_PI},
    },
    bind_interrupts, clocks,
    config::Config,
    flash::{self, Flash},
    gpio::{AnyPin, Input, Pull},
    i2c::{self, I2c},
    peripherals::{FLASH, I2C0, PIN_4, PIN_5, USB, WATCHDOG},
    pwm::{self, Pwm},
    usb,
    watchdog::{ResetReason, Watchdog},
};
use shared::{
    Hardware, Parts, run_on,
    saves::{self, Saves},
    second,
    usb::{Usb, UsbPort},
};

/// What picotool says about the program.
#[used]
#[unsafe(link_section = ".bi_entries")]
static ABOUT: [EntryAddr; 4] = [
    binary_info::rp_program_name!(c"Corvid"),
    binary_info::env!(TAG_RASPBERRY_PI, ID_RP_PROGRAM_VERSION_STRING, "CORVID_VERSION"),
    binary_info::rp_program_description!(c"Five board games and an opponent"),
    binary_info::rp_pico_board!(BOARD),
];

/// The board as Raspberry Pi's own tools name it.
const BOARD: &CStr = if cfg!(feature = "pico2") { c"pico2" } else { c"pico" };

/// Bytes of flash.
const FLASH_SIZE: usize = if cfg!(feature = "pico2") { 4 << 20 } else { 2 << 20 };

/// The register with the reset cause, and its bit for power-on.
const CHIP_RESET: (usize, u32) =
    if cfg!(feature = "pico2") { (0x4010_002c, 1 << 16) } else { (0x4006_4008, 1 << 8) };

#[cfg(feature = "pico")]
use corvid_firmware::processor::{Processor, Speed};
#[cfg(feature = "pico")]
use shared::rp2040;

type Storage = Flash<'static, FLASH, flash::Blocking, FLASH_SIZE>;
type Bus = I2c<'static, I2C0, i2c::Async>;

bind_interrupts!(struct Interrupts {
    I2C0_IRQ => i2c::InterruptHandler<I2C0>;
    USBCTRL_IRQ => usb::InterruptHandler<USB>;
});

run_on!(embassy_rp, keys: SWI_IRQ_0 P1, rest: SWI_IRQ_1 P2);

struct ThisBoard;

impl Hardware for ThisBoard {
    const PROFILE: Profile = if cfg!(feature = "pico2") { PICO2 } else { PICO };
    const BOOTSEL: Option<fn()> = Some(|| embassy_rp::rom_data::reset_to_usb_boot(0, 0));

    #[cfg(feature = "pico")]
    const RESTART_AT: Option<fn(Speed)> = Some(rp2040::restart_at);

    type Pin = Input<'static>;
    type Display = OledModule<Renewed<Bus>>;
    type Buzzer = Piezo;
    type Port = UsbPort<Peri<'static, USB>>;
    type Watchdog = Watchdog;
    type Keeper = Saves<Storage>;

    fn start() -> (Cause, Parts<impl FnOnce() -> Self::Keeper>) {
        let (configuration, cause) = configuration(cause());
        let p = embassy_rp::init(configuration);
        let mut watchdog = Watchdog::new(p.WATCHDOG);
        watchdog.start(health::WATCHDOG);
        let button = |pin: Peri<'static, AnyPin>| Input::new(pin, Pull::Up);
        let buttons = Buttons {
            up: button(p.PIN_10.into()),
            down: button(p.PIN_11.into()),
            left: button(p.PIN_12.into()),
            right: button(p.PIN_13.into()),
            select: button(p.PIN_14.into()),
        };
        let flash = p.FLASH;
        let parts = Parts {
            buttons,
            display: OledModule::new(Renewed::new(bus)),
            buzzer: Some(Piezo(Pwm::new_output_a(p.PWM_SLICE3, p.PIN_6, silence()))),
            port: UsbPort(p.USB),
            watchdog: Some(watchdog),
            open_keeper: || saves::open(Storage::new_blocking(flash), flash::FLASH_BASE as usize),
        };
        (cause, parts)
    }

    #[cfg(feature = "pico")]
    fn processor() -> Option<Processor> {
        rp2040::processor()
    }

    fn second() -> Second {
        second::start()
    }

    fn feed(watchdog: &mut Self::Watchdog) {
        watchdog.feed(health::WATCHDOG);
    }

    /// Resets the whole chip, not just the processor.
    fn reset() -> ! {
        // SAFETY: nothing else runs any more.
        Watchdog::new(unsafe { WATCHDOG::steal() }).trigger_reset();
        loop {
            cortex_m::asm::nop();
        }
    }
}

/// The clocks, and the cause of the start if it repeats another one.
fn configuration(cause: Cause) -> (Config, Cause) {
    #[cfg(feature = "pico")]
    {
        let (clocks, cause) = rp2040::clocks(cause);
        (Config::new(clocks), cause)
    }
    #[cfg(feature = "pico2")]
    (Config::default(), cause)
}

impl Usb for Peri<'static, USB> {
    type Driver<'d> = usb::Driver<'d, USB>;

    fn driver<'d>(self) -> usb::Driver<'d, USB> {
        usb::Driver::new(self, Interrupts)
    }
}

/// A piezo on a pin: a square wave is its tone.
struct Piezo(Pwm<'static>);

/// What the processor's clock is divided by to count the wave: 16 bits then count one of 40 Hz.
const DIVIDER: u8 = 64;

/// Counts of a wave that is silent. Another wave begins when the last one ends, so that is soon.
const SILENT: u16 = 1000;

impl Buzzer for Piezo {
    fn tone(&mut self, hz: Option<u16>) {
        let mut config = silence();
        if let Some(hz) = hz {
            let counts = clocks::clk_sys_freq() / u32::from(DIVIDER) / u32::from(hz.max(1));
            config.top = u16::try_from(counts).unwrap_or(u16::MAX);
            config.compare_a = config.top / 2;
        }
        self.0.set_config(&config);
    }
}

/// The pin low.
fn silence() -> pwm::Config {
    let mut config = pwm::Config::default();
    (config.divider, config.top, config.compare_a) = (DIVIDER.into(), SILENT, 0);
    config
}

/// The display's bus, for [`Renewed`] alone.
fn bus() -> Bus {
    let mut config = i2c::Config::default();
    config.frequency = 400_000;
    // SAFETY: nothing else uses them, and only one such bus exists at a time.
    let (i2c, scl, sda) = unsafe { (I2C0::steal(), PIN_5::steal(), PIN_4::steal()) };
    I2c::new_async(i2c, scl, sda, Interrupts, config)
}

fn cause() -> Cause {
    // SAFETY: only read, before its driver is used.
    let watchdog = Watchdog::new(unsafe { WATCHDOG::steal() });
    let (register, had_power_on) = CHIP_RESET;
    // SAFETY: reading this register changes nothing.
    let chip = unsafe { (register as *const u32).read_volatile() };
    match watchdog.reset_reason() {
        Some(ResetReason::Forced) => Cause::Program,
        Some(ResetReason::TimedOut) => Cause::Watchdog,
        None if chip & had_power_on != 0 => Cause::Power,
        None => Cause::Button,
    }
}
