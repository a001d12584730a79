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
    health::{self, Cause},
    keys::Buttons,
    oled::OledModule,
    profile::{NRF52840_DK, Profile},
    sound::NoBuzzer,
};
use embassy_nrf::{
    Peri, bind_interrupts,
    buffered_uarte::{self, BufferedUarte, BufferedUarteRx, BufferedUarteTx},
    config::{Config, HfclkSource, LfclkSource},
    gpio::{AnyPin, Input, Pull},
    nvmc::Nvmc,
    peripherals::{P0_26, P0_27, TWISPI0, UARTE0},
    twim::{self, Twim},
    uarte,
    wdt::{self, Watchdog, WatchdogHandle},
};
use shared::{
    Hardware, Parts, run_on,
    saves::{self, Saves},
    uart::{UART_RX, UART_TX},
};

bind_interrupts!(struct Interrupts {
    TWISPI0 => twim::InterruptHandler<TWISPI0>;
    UARTE0 => buffered_uarte::InterruptHandler<UARTE0>;
});

run_on!(embassy_nrf, keys: EGU0_SWI0 P5, rest: EGU1_SWI1 P6);

/// The frequency of the low-frequency crystal, which clocks the watchdog.
const LOW_HZ: u32 = 32_768;

struct ThisBoard;

impl Hardware for ThisBoard {
    const PROFILE: Profile = NRF52840_DK;

    type Pin = Input<'static>;
    type Display = OledModule<Renewed<Twim<'static>>>;
    type Buzzer = NoBuzzer;
    type Port = (BufferedUarteRx<'static>, BufferedUarteTx<'static>);
    type Watchdog = WatchdogHandle;
    type Keeper = Saves<Nvmc<'static>>;

    fn start() -> (Cause, Parts<impl FnOnce() -> Self::Keeper>) {
        // Both of the board's crystals, for an exact baud rate and time.
        let mut config = Config::default();
        config.hfclk_source = HfclkSource::ExternalXtal;
        config.lfclk_source = LfclkSource::ExternalXtal;
        let p = embassy_nrf::init(config);
        let mut config = wdt::Config::default();
        config.timeout_ticks = LOW_HZ * health::WATCHDOG.as_secs() as u32;
        config.action_during_debug_halt = wdt::HaltConfig::Pause;
        // A watchdog that already runs with other settings belongs to a boot loader, and stays.
        let watchdog = Watchdog::try_new::<_, 1>(p.WDT, config).ok();
        let button = |pin: Peri<'static, AnyPin>| Input::new(pin, Pull::Up);
        let buttons = Buttons {
            up: button(p.P0_11.into()),
            down: button(p.P0_12.into()),
            left: button(p.P0_24.into()),
            right: button(p.P0_25.into()),
            select: button(p.P1_03.into()),
        };
        let uart = BufferedUarte::new(
            p.UARTE0,
            p.TIMER0,
            p.PPI_CH0,
            p.PPI_CH1,
            p.PPI_GROUP0,
            p.P0_08,
            p.P0_06,
            Interrupts,
            uarte::Config::default(), // 115200 8N1
            UART_RX.take(),
            UART_TX.take(),
        );
        let flash = p.NVMC;
        let parts = Parts {
            buttons,
            display: OledModule::new(Renewed::new(bus)),
            buzzer: None,
            port: uart.split(),
            watchdog: watchdog.map(|(_, [handle])| handle),
            open_keeper: || saves::open(Nvmc::new(flash), 0),
        };
        (cause(), parts)
    }

    fn feed(watchdog: &mut Self::Watchdog) {
        watchdog.pet();
    }
}

/// The display's bus, for [`Renewed`] alone.
fn bus() -> Twim<'static> {
    /// The DMA can only send from RAM; data in flash, the display's set-up, is copied here.
    static mut BUFFER: [u8; 32] = [0; 32];
    let mut config = twim::Config::default();
    config.frequency = twim::Frequency::K400;
    // Modules have pull-ups; with none connected, these keep the bus quiet.
    (config.sda_pullup, config.scl_pullup) = (true, true);
    let buffer = &raw mut BUFFER;
    // SAFETY: nothing else uses them, and only one such bus exists at a time.
    let (twim, sda, scl, buffer) =
        unsafe { (TWISPI0::steal(), P0_26::steal(), P0_27::steal(), &mut *buffer) };
    Twim::new(twim, Interrupts, sda, scl, config, buffer)
}

/// Reads the reset cause, and clears it for the next time.
fn cause() -> Cause {
    const RESETREAS: *mut u32 = 0x4000_0400 as *mut u32;
    // SAFETY: a register of the chip that nothing else uses; writing ones clears them.
    let reasons = unsafe {
        let reasons = RESETREAS.read_volatile();
        RESETREAS.write_volatile(reasons);
        reasons
    };
    match reasons {
        0 => Cause::Power,
        _ if reasons & 1 << 1 != 0 => Cause::Watchdog,
        // A software reset, or a processor lock-up.
        _ if reasons & (1 << 2 | 1 << 3) != 0 => Cause::Program,
        _ if reasons & 1 != 0 => Cause::Button,
        _ => Cause::Unknown,
    }
}
