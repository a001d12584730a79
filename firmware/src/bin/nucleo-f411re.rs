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
    health::Cause,
    keys::Buttons,
    profile::{NUCLEO_F411RE, Profile},
    sound::NoBuzzer,
};
use embassy_stm32::{
    bind_interrupts,
    gpio::Input,
    peripherals::USART2,
    rcc,
    usart::{self, BufferedUart, BufferedUartRx, BufferedUartTx},
};
use shared::{
    Hardware, Parts, run_on, stm32f411,
    uart::{UART_RX, UART_TX},
};

bind_interrupts!(struct Interrupts {
    USART2 => usart::BufferedInterruptHandler<USART2>;
});

// The interrupts of peripherals that the board does not use.
run_on!(embassy_stm32, keys: SPI2 P5, rest: SPI3 P6);

struct ThisBoard;

impl Hardware for ThisBoard {
    const PROFILE: Profile = NUCLEO_F411RE;

    type Pin = Input<'static>;
    type Display = stm32f411::Display;
    type Buzzer = NoBuzzer;
    type Port = (BufferedUartRx<'static>, BufferedUartTx<'static>);
    type Watchdog = stm32f411::Watchdog;
    type Keeper = stm32f411::Keeper;

    fn start() -> (Cause, Parts<impl FnOnce() -> Self::Keeper>) {
        // 100 MHz, its maximum, from the internal 16 MHz oscillator.
        let pll = rcc::Pll {
            prediv: rcc::PllPreDiv::DIV8,
            mul: rcc::PllMul::MUL100,
            divp: None,
            divq: None,
            divr: None,
        };
        let p = embassy_stm32::init(stm32f411::clocks(rcc::PllSource::HSI, pll));
        let cause = stm32f411::cause();
        let watchdog = stm32f411::watchdog(p.IWDG);
        let buttons = Buttons {
            up: stm32f411::button(p.PA10.into()),
            down: stm32f411::button(p.PB5.into()),
            left: stm32f411::button(p.PB4.into()),
            right: stm32f411::button(p.PB10.into()),
            select: stm32f411::button(p.PC13.into()),
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
        let flash = p.FLASH;
        let parts = Parts {
            buttons,
            display: stm32f411::display(),
            buzzer: None,
            port: (rx, tx),
            watchdog: Some(watchdog),
            open_keeper: || stm32f411::open(flash),
        };
        (cause, parts)
    }

    fn feed(watchdog: &mut Self::Watchdog) {
        watchdog.pet();
    }
}
