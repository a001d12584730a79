//! What the boards with an nRF52 share. Their chips differ in memory, not in what is used here.
use super::{
    saves::Saves,
    uart::{UART_RX, UART_TX},
};
use corvid_firmware::{
    bus::Renewed,
    health::{self, Cause},
    oled::OledModule,
};
use embassy_nrf::{
    Peri, bind_interrupts,
    buffered_uarte::{self, BufferedUarte, BufferedUarteRx, BufferedUarteTx},
    gpio::{AnyPin, Input, Pull},
    nvmc::Nvmc,
    peripherals::{PPI_CH0, PPI_CH1, PPI_GROUP0, TIMER0, TWISPI0, UARTE0, WDT},
    twim::{self, Twim},
    uarte,
    wdt::{self, Watchdog, WatchdogHandle},
};

pub(crate) type Display = OledModule<Renewed<Twim<'static>>>;
pub(crate) type SerialPort = (BufferedUarteRx<'static>, BufferedUarteTx<'static>);
pub(crate) type Keeper = Saves<Nvmc<'static>>;

bind_interrupts!(struct Interrupts {
    TWISPI0 => twim::InterruptHandler<TWISPI0>;
    UARTE0 => buffered_uarte::InterruptHandler<UARTE0>;
});

/// The frequency of the low-frequency clock, which the watchdog counts.
const LOW_HZ: u32 = 32_768;

/// The line of a button to ground.
pub(crate) fn button(pin: Peri<'static, AnyPin>) -> Input<'static> {
    Input::new(pin, Pull::Up)
}

/// Starts the watchdog. One that already runs with other settings belongs to a boot loader, and stays.
pub(crate) fn watchdog(peripheral: Peri<'static, WDT>) -> Option<WatchdogHandle> {
    let mut config = wdt::Config::default();
    config.timeout_ticks = LOW_HZ * health::WATCHDOG.as_secs() as u32;
    config.action_during_debug_halt = wdt::HaltConfig::Pause;
    let watchdog = Watchdog::try_new::<_, 1>(peripheral, config).ok();
    watchdog.map(|(_, [handle])| handle)
}

/// The serial port on these pins.
pub(crate) fn serial_port(
    uarte: Peri<'static, UARTE0>,
    timer: Peri<'static, TIMER0>,
    channels: (Peri<'static, PPI_CH0>, Peri<'static, PPI_CH1>),
    group: Peri<'static, PPI_GROUP0>,
    rx: Peri<'static, AnyPin>,
    tx: Peri<'static, AnyPin>,
) -> SerialPort {
    let (first, second) = channels;
    let config = uarte::Config::default(); // 115200 8N1
    let (rx_buffer, tx_buffer) = (UART_RX.take(), UART_TX.take());
    BufferedUarte::new(
        uarte, timer, first, second, group, rx, tx, Interrupts, config, rx_buffer, tx_buffer,
    )
    .split()
}

/// The display's bus on these pins, for [`Renewed`] alone.
///
/// # Safety
/// Only one such bus may exist at a time.
pub(crate) unsafe fn bus(sda: Peri<'static, AnyPin>, scl: Peri<'static, AnyPin>) -> Twim<'static> {
    /// The DMA can only send from RAM; data in flash, the display's set-up, is copied here.
    static mut BUFFER: [u8; 32] = [0; 32];
    let mut config = twim::Config::default();
    config.frequency = twim::Frequency::K400;
    // Modules have pull-ups; with none connected, these keep the bus quiet.
    (config.sda_pullup, config.scl_pullup) = (true, true);
    let buffer = &raw mut BUFFER;
    // SAFETY: nothing else uses them, and the caller has no other bus.
    let (twim, buffer) = unsafe { (TWISPI0::steal(), &mut *buffer) };
    Twim::new(twim, Interrupts, sda, scl, config, buffer)
}

/// Reads the reset cause, and clears it for the next time.
pub(crate) fn cause() -> Cause {
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
