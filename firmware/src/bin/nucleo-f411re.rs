//! The image for the ST Nucleo-F411RE (STM32F411RE, Cortex-M4F).
//!
//! | part                                             | signal | pin  | on the board       |
//! |--------------------------------------------------|--------|------|--------------------|
//! | OLED module 128 x 64, I2C (address 0x3C or 0x3D) | SDA    | PB9  | D14                |
//! |                                                  | SCL    | PB8  | D15                |
//! |                                                  | VCC    |      | 3V3                |
//! |                                                  | GND    |      | GND                |
//! | buttons, to ground                               | up     | PA10 | D2                 |
//! |                                                  | down   | PB5  | D4                 |
//! |                                                  | left   | PB4  | D5                 |
//! |                                                  | right  | PB10 | D6                 |
//! |                                                  | GND    |      | GND                |
//! |                                                  | select | PC13 | the blue button    |
//! | serial port, 115200 8N1                          | TX     | PA2  | the debugger's USB |
//! |                                                  | RX     | PA3  | the debugger's USB |
#![no_std]
#![no_main]

#[path = "shared/mod.rs"]
mod shared;

use corvid_firmware::{
    bus::Renewed,
    health::{self, Cause},
    keys::Buttons,
    oled::OledModule,
    profile::{NUCLEO_F411RE, Profile},
    sound::NoBuzzer,
};
use embassy_stm32::{
    Peri, bind_interrupts, dma,
    flash::{self, Bank1Region1, Flash},
    gpio::{AnyPin, Input, Pull},
    i2c::{self, I2c},
    mode::Async,
    peripherals::{DMA1_CH0, DMA1_CH6, I2C1, IWDG, PB8, PB9, USART2},
    rcc,
    time::Hertz,
    usart::{self, BufferedUart, BufferedUartRx, BufferedUartTx},
    wdg::IndependentWatchdog,
};
use shared::{
    Hardware, Parts, run_on,
    saves::{self, Saves},
    uart::{UART_RX, UART_TX},
};

/// The four sectors of 16 KB.
type SmallSectors = Bank1Region1<'static, flash::Blocking>;
type Bus = I2c<'static, Async, i2c::Master>;

bind_interrupts!(struct Interrupts {
    DMA1_STREAM0 => dma::InterruptHandler<DMA1_CH0>;
    DMA1_STREAM6 => dma::InterruptHandler<DMA1_CH6>;
    I2C1_ER => i2c::ErrorInterruptHandler<I2C1>;
    I2C1_EV => i2c::EventInterruptHandler<I2C1>;
    USART2 => usart::BufferedInterruptHandler<USART2>;
});

// The interrupts of peripherals that the board does not use.
run_on!(embassy_stm32, keys: SPI2 P5, rest: SPI3 P6);

struct ThisBoard;

impl Hardware for ThisBoard {
    const PROFILE: Profile = NUCLEO_F411RE;

    type Pin = Input<'static>;
    type Display = OledModule<Renewed<Bus>>;
    type Buzzer = NoBuzzer;
    type Port = (BufferedUartRx<'static>, BufferedUartTx<'static>);
    type Watchdog = IndependentWatchdog<'static, IWDG>;
    type Keeper = Saves<SmallSectors>;

    fn start() -> (Cause, Parts<impl FnOnce() -> Self::Keeper>) {
        let p = embassy_stm32::init(full_speed());
        let cause = cause();
        let mut watchdog = IndependentWatchdog::new(p.IWDG, health::WATCHDOG.as_micros() as u32);
        watchdog.unleash();
        let button = |pin: Peri<'static, AnyPin>| Input::new(pin, Pull::Up);
        let buttons = Buttons {
            up: button(p.PA10.into()),
            down: button(p.PB5.into()),
            left: button(p.PB4.into()),
            right: button(p.PB10.into()),
            select: button(p.PC13.into()),
        };
        let uart = BufferedUart::new(
            p.USART2,
            p.PA3,
            p.PA2,
            UART_TX.take(),
            UART_RX.take(),
            Interrupts,
            usart::Config::default(), // 115200 8N1
        );
        let (tx, rx) = uart.expect("115200 bits a second can be made from 50 MHz").split();
        let flash = Flash::new_blocking(p.FLASH).into_blocking_regions().bank1_region1;
        let parts = Parts {
            buttons,
            display: OledModule::new(Renewed::new(bus)),
            buzzer: None,
            port: (rx, tx),
            watchdog: Some(watchdog),
            open_keeper: || saves::open(flash, flash::FLASH_BASE),
        };
        (cause, parts)
    }

    fn feed(watchdog: &mut Self::Watchdog) {
        watchdog.pet();
    }
}

/// The display's bus, for [`Renewed`] alone.
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

/// 100 MHz, its maximum, from the internal 16 MHz oscillator.
fn full_speed() -> embassy_stm32::Config {
    let mut config = embassy_stm32::Config::default();
    config.rcc.hsi = true;
    config.rcc.pll_src = rcc::PllSource::HSI;
    config.rcc.pll = Some(rcc::Pll {
        prediv: rcc::PllPreDiv::DIV8,
        mul: rcc::PllMul::MUL100,
        divp: Some(rcc::PllPDiv::DIV2),
        divq: None,
        divr: None,
    });
    config.rcc.ahb_pre = rcc::AHBPrescaler::DIV1;
    config.rcc.apb1_pre = rcc::APBPrescaler::DIV2;
    config.rcc.apb2_pre = rcc::APBPrescaler::DIV1;
    config.rcc.sys = rcc::Sysclk::PLL1_P;
    config
}

/// Reads the reset cause, and clears it for the next time.
fn cause() -> Cause {
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
