//! The image for the BBC micro:bit v2 (nRF52833, Cortex-M4F).
//!
//! | part                                             | signal | pin   | on the board       |
//! |--------------------------------------------------|--------|-------|--------------------|
//! | OLED module 128 x 64, I2C (address 0x3C or 0x3D) | SCL    | P0.26 | P19                |
//! |                                                  | SDA    | P1.00 | P20                |
//! |                                                  | VCC    |       | 3V                 |
//! |                                                  | GND    |       | GND                |
//! | buttons, to ground                               | up     | P0.02 | P0                 |
//! |                                                  | down   | P0.03 | P1                 |
//! |                                                  | select | P0.04 | P2                 |
//! |                                                  | GND    |       | GND                |
//! |                                                  | left   | P0.14 | button A           |
//! |                                                  | right  | P0.23 | button B           |
//! | speaker                                          |        | P0.00 | built in           |
//! | serial port, 115200 8N1                          | TX     | P0.06 | the debugger's USB |
//! |                                                  | RX     | P1.08 | the debugger's USB |
#![no_std]
#![no_main]

#[path = "shared/mod.rs"]
mod shared;

use corvid_firmware::{
    bus::Renewed,
    health::Cause,
    keys::Buttons,
    oled::OledModule,
    profile::{MICROBIT_V2, Profile},
    sound::Buzzer,
};
use embassy_nrf::{
    config::{Config, HfclkSource, LfclkSource},
    gpio::Input,
    nvmc::Nvmc,
    peripherals::{P0_26, P1_00},
    pwm::{DutyCycle, Prescaler, SimpleConfig, SimplePwm},
    twim::Twim,
    wdt::WatchdogHandle,
};
use shared::{Hardware, Parts, nrf52, run_on, saves};

run_on!(embassy_nrf, keys: EGU0_SWI0 P5, rest: EGU1_SWI1 P6);

struct ThisBoard;

impl Hardware for ThisBoard {
    const PROFILE: Profile = MICROBIT_V2;

    type Pin = Input<'static>;
    type Display = nrf52::Display;
    type Buzzer = Speaker;
    type Port = nrf52::SerialPort;
    type Watchdog = WatchdogHandle;
    type Keeper = nrf52::Keeper;

    fn start() -> (Cause, Parts<impl FnOnce() -> Self::Keeper>) {
        // The board's only crystal is the fast one; the slow clock is made from it.
        let mut config = Config::default();
        config.hfclk_source = HfclkSource::ExternalXtal;
        config.lfclk_source = LfclkSource::Synthesized;
        let p = embassy_nrf::init(config);
        let watchdog = nrf52::watchdog(p.WDT);
        let buttons = Buttons {
            up: nrf52::button(p.P0_02.into()),
            down: nrf52::button(p.P0_03.into()),
            left: nrf52::button(p.P0_14.into()),
            right: nrf52::button(p.P0_23.into()),
            select: nrf52::button(p.P0_04.into()),
        };
        let channels = (p.PPI_CH0, p.PPI_CH1);
        let (rx, tx) = (p.P1_08.into(), p.P0_06.into());
        let mut config = SimpleConfig::default();
        config.prescaler = PRESCALER;
        let speaker = Speaker(SimplePwm::new_1ch(p.PWM0, p.P0_00, &config));
        let flash = p.NVMC;
        let parts = Parts {
            buttons,
            display: OledModule::new(Renewed::new(bus)),
            buzzer: Some(speaker),
            port: nrf52::serial_port(p.UARTE0, p.TIMER0, channels, p.PPI_GROUP0, rx, tx),
            watchdog,
            open_keeper: || saves::open(Nvmc::new(flash), 0),
        };
        (nrf52::cause(), parts)
    }

    fn feed(watchdog: &mut Self::Watchdog) {
        watchdog.pet();
    }
}

/// The board's speaker: a square wave is its tone.
struct Speaker(SimplePwm<'static>);

/// What the 16 MHz of the wave's counter are divided by: its 15 bits then count one of 31 Hz.
const PRESCALER: Prescaler = Prescaler::Div16;
const COUNTS_PER_SECOND: u32 = 1_000_000;

impl Buzzer for Speaker {
    fn tone(&mut self, hz: Option<u16>) {
        let counts = match hz {
            Some(hz) => {
                let counts = (COUNTS_PER_SECOND / u32::from(hz.max(1))) as u16;
                self.0.set_max_duty(counts);
                counts
            }
            // Low, so that no current flows.
            None => 0,
        };
        // Returns when the wave before has ended: 6 ms at most, of the lowest tone.
        self.0.set_duty(0, DutyCycle::inverted(counts / 2));
    }
}

/// The display's bus, for [`Renewed`] alone.
fn bus() -> Twim<'static> {
    // SAFETY: nothing else uses the pins, and only one such bus exists at a time.
    unsafe { nrf52::bus(P1_00::steal().into(), P0_26::steal().into()) }
}
