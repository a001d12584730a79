//! What the boards with an STM32F411 share. It is the same chip in two packages: both images are compiled
//! for the larger one, and use pins that the smaller one has too.
use super::saves::{self, Saves};
use corvid_firmware::{
    bus::Renewed,
    health::{self, Cause},
    oled::OledModule,
};
use embassy_stm32::{
    Config, Peri, bind_interrupts, dma,
    flash::{self, Bank1Region1, Flash},
    gpio::{AnyPin, Input, Pull},
    i2c::{self, I2c},
    mode::Async,
    peripherals::{DMA1_CH0, DMA1_CH6, FLASH, I2C1, IWDG, PB8, PB9},
    rcc,
    time::Hertz,
    wdg::IndependentWatchdog,
};

pub(crate) type Display = OledModule<Renewed<Bus>>;
pub(crate) type Watchdog = IndependentWatchdog<'static, IWDG>;
/// In the four sectors of 16 KB.
pub(crate) type Keeper = Saves<Bank1Region1<'static, flash::Blocking>>;
type Bus = I2c<'static, Async, i2c::Master>;

bind_interrupts!(struct Interrupts {
    DMA1_STREAM0 => dma::InterruptHandler<DMA1_CH0>;
    DMA1_STREAM6 => dma::InterruptHandler<DMA1_CH6>;
    I2C1_ER => i2c::ErrorInterruptHandler<I2C1>;
    I2C1_EV => i2c::EventInterruptHandler<I2C1>;
});

/// The processor and its buses from the PLL, which takes this source to twice the processor's clock.
pub(crate) fn clocks(source: rcc::PllSource, pll: rcc::Pll) -> Config {
    let mut config = Config::default();
    config.rcc.pll_src = source;
    config.rcc.pll = Some(rcc::Pll { divp: Some(rcc::PllPDiv::DIV2), ..pll });
    config.rcc.ahb_pre = rcc::AHBPrescaler::DIV1;
    config.rcc.apb1_pre = rcc::APBPrescaler::DIV2;
    config.rcc.apb2_pre = rcc::APBPrescaler::DIV1;
    config.rcc.sys = rcc::Sysclk::PLL1_P;
    config
}

/// The line of a button to ground.
pub(crate) fn button(pin: Peri<'static, AnyPin>) -> Input<'static> {
    Input::new(pin, Pull::Up)
}

/// Starts the watchdog.
pub(crate) fn watchdog(peripheral: Peri<'static, IWDG>) -> Watchdog {
    let mut watchdog = IndependentWatchdog::new(peripheral, health::WATCHDOG.as_micros() as u32);
    watchdog.unleash();
    watchdog
}

/// The display on its bus.
pub(crate) fn display() -> Display {
    OledModule::new(Renewed::new(bus))
}

/// For [`Renewed`] alone.
fn bus() -> Bus {
    let mut config = i2c::Config::default();
    config.frequency = Hertz::khz(400);
    // Modules have pull-ups; with none connected, these keep the bus quiet.
    (config.sda_pullup, config.scl_pullup) = (true, true);
    // SAFETY: nothing else uses them, and only one such bus exists at a time.
    let (i2c, scl, sda) = unsafe { (I2C1::steal(), PB8::steal(), PB9::steal()) };
    // SAFETY: as before.
    let (tx, rx) = unsafe { (DMA1_CH6::steal(), DMA1_CH0::steal()) };
    I2c::new(i2c, scl, sda, tx, rx, Interrupts, config)
}

/// Opens the saved games.
pub(crate) fn open(peripheral: Peri<'static, FLASH>) -> Keeper {
    let flash = Flash::new_blocking(peripheral).into_blocking_regions().bank1_region1;
    saves::open(flash, flash::FLASH_BASE)
}

/// Reads the reset cause, and clears it for the next time.
pub(crate) fn cause() -> Cause {
    const RCC_CSR: *mut u32 = 0x4002_3874 as *mut u32;
    const CLEAR: u32 = 1 << 24;
    // SAFETY: a register of the chip; the driver is set up and does not change it now.
    let flags = unsafe {
        let flags = RCC_CSR.read_volatile();
        RCC_CSR.write_volatile(flags | CLEAR);
        flags
    };
    // Every reset also pulls the reset pin, so that comes last.
    match flags {
        _ if flags & (1 << 29 | 1 << 30) != 0 => Cause::Watchdog,
        _ if flags & 1 << 28 != 0 => Cause::Program,
        _ if flags & (1 << 25 | 1 << 27) != 0 => Cause::Power,
        _ if flags & 1 << 26 != 0 => Cause::Button,
        _ => Cause::Unknown,
    }
}
