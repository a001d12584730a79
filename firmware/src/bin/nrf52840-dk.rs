//! The image for the Nordic nRF52840-DK (Cortex-M4F).
//!
//! | part                                             | signal | pin   | on the board       |
//! |--------------------------------------------------|--------|-------|--------------------|
//! | OLED module 128 x 64, I2C (address 0x3C or 0x3D) | SDA    | P0.26 | SDA                |
//! |                                                  | SCL    | P0.27 | SCL                |
//! |                                                  | VCC    |       | VDD                |
//! |                                                  | GND    |       | GND                |
//! | buttons                                          | up     | P0.11 | button 1           |
//! |                                                  | down   | P0.12 | button 2           |
//! |                                                  | left   | P0.24 | button 3           |
//! |                                                  | right  | P0.25 | button 4           |
//! |                                                  | select | P1.03 | D2                 |
//! |                                                  | GND    |       | GND                |
//! | serial port, 115200 8N1                          | TX     | P0.06 | the debugger's USB |
//! |                                                  | RX     | P0.08 | the debugger's USB |
#![no_std]
#![no_main]

#[path = "shared/mod.rs"]
mod shared;

use corvid_firmware::{
    bus::Renewed,
    health::Cause,
    keys::Buttons,
    oled::OledModule,
    profile::{NRF52840_DK, Profile},
    sound::NoBuzzer,
};
use embassy_nrf::{
    config::{Config, HfclkSource, LfclkSource},
    gpio::Input,
    nvmc::Nvmc,
    peripherals::{P0_26, P0_27},
    twim::Twim,
    wdt::WatchdogHandle,
};
use shared::{Hardware, Parts, nrf52, run_on, saves};

run_on!(embassy_nrf, keys: EGU0_SWI0 P5, rest: EGU1_SWI1 P6);

struct ThisBoard;

impl Hardware for ThisBoard {
    const PROFILE: Profile = NRF52840_DK;

    type Pin = Input<'static>;
    type Display = nrf52::Display;
    type Buzzer = NoBuzzer;
    type Port = nrf52::SerialPort;
    type Watchdog = WatchdogHandle;
    type Keeper = nrf52::Keeper;

    fn start() -> (Cause, Parts<impl FnOnce() -> Self::Keeper>) {
        // Both of the board's crystals, for an exact baud rate and time.
        let mut config = Config::default();
        config.hfclk_source = HfclkSource::ExternalXtal;
        config.lfclk_source = LfclkSource::ExternalXtal;
        let p = embassy_nrf::init(config);
        let watchdog = nrf52::watchdog(p.WDT);
        let buttons = Buttons {
            up: nrf52::button(p.P0_11.into()),
            down: nrf52::button(p.P0_12.into()),
            left: nrf52::button(p.P0_24.into()),
            right: nrf52::button(p.P0_25.into()),
            select: nrf52::button(p.P1_03.into()),
        };
        let channels = (p.PPI_CH0, p.PPI_CH1);
        let (rx, tx) = (p.P0_08.into(), p.P0_06.into());
        let flash = p.NVMC;
        let parts = Parts {
            buttons,
            display: OledModule::new(Renewed::new(bus)),
            buzzer: None,
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

/// The display's bus, for [`Renewed`] alone.
fn bus() -> Twim<'static> {
    // SAFETY: nothing else uses the pins, and only one such bus exists at a time.
    unsafe { nrf52::bus(P0_26::steal().into(), P0_27::steal().into()) }
}
