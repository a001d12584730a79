//! TI LM3S6965 Evaluation Board: Cortex-M3 at 50 MHz, 64 KB RAM, 256 KB flash, OLED, five keys,
//! UART. There is no HAL crate for it; its few drivers are beside this file.
//!
//! | part                           | signal          | pin | on the board       |
//! |--------------------------------|-----------------|-----|--------------------|
//! | OLED 128 x 64, SSD0323 on SSI0 | clock           | PA2 | built in           |
//! |                                | select          | PA3 | built in           |
//! |                                | data            | PA5 | built in           |
//! |                                | data or command | PC7 | built in           |
//! |                                | 15 V supply on  | PC6 | built in           |
//! | buttons                        | up              | PE0 | built in           |
//! |                                | down            | PE1 | built in           |
//! |                                | left            | PE2 | built in           |
//! |                                | right           | PE3 | built in           |
//! |                                | select          | PF1 | built in           |
//! | serial port, UART0, 115200 8N1 | RX              | PA0 | the debugger's USB |
//! |                                | TX              | PA1 | the debugger's USB |
//! | SD card on SSI0, not used      | select          | PD0 | built in           |
#![no_std]
#![no_main]

mod clock;
mod executors;
mod gpio;
mod memory;
mod mmio;
mod oled;
#[path = "../shared/mod.rs"]
mod shared;
mod ssi;
mod time;
mod uart;
mod vectors;
mod watchdog;

use corvid_firmware::{
    frame::HEIGHT,
    health::Cause,
    keys::Buttons,
    profile::{LM3S6965EVB, Profile},
    sound::NoBuzzer,
};
use gpio::{Input, Output, Port};
use oled::Ssd0323;
use shared::{Hardware, Parts};
use ssi::Ssi0;
use static_cell::ConstStaticCell;
use watchdog::Watchdog;

static SHOWN: ConstStaticCell<oled::Sums> = ConstStaticCell::new([0; HEIGHT]);

struct ThisBoard;

impl Hardware for ThisBoard {
    const PROFILE: Profile = LM3S6965EVB;
    /// An interrupt just before it is missed until the next one, at most a tick later.
    const IDLE: fn() = cortex_m::asm::wfi;

    type Pin = Input;
    type Display = Ssd0323;
    type Buzzer = NoBuzzer;
    type Port = (uart::Rx, uart::Tx);
    type Watchdog = Watchdog;
    /// The chip's flash can't be written in the emulator.
    type Keeper = ();

    fn start() -> (Cause, Parts<impl FnOnce() -> Self::Keeper>) {
        let cause = watchdog::cause();
        clock::start();
        let display = oled();
        let buttons = Buttons {
            up: Input::new(Port::E, 0),
            down: Input::new(Port::E, 1),
            left: Input::new(Port::E, 2),
            right: Input::new(Port::E, 3),
            select: Input::new(Port::F, 1),
        };
        let port = uart::start();
        let watchdog = Some(Watchdog::start());
        (cause, Parts { buttons, display, buzzer: None, port, watchdog, open_keeper: || () })
    }

    fn feed(watchdog: &mut Watchdog) {
        watchdog.feed();
    }
}

/// Sets up the display's pins.
fn oled() -> Ssd0323 {
    // The SD card shares the bus and must stay deselected.
    Output::new(Port::D, 0, true).keep();
    Output::new(Port::C, 6, true).keep();
    let select = Output::new(Port::A, 3, true);
    Ssd0323::new(Ssi0::start(), select, Output::new(Port::C, 7, false), SHOWN.take())
}
