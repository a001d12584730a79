//! A simulated board that runs the device's application.
//!
//! On a board, keys, screen and serial port run on interrupts above the thinking. Here they are
//! futures, and all of it runs in the caller's thread: the thinking calls back for the time it needs
//! (the firmware's brain takes a clock and something to do while it idles), and whenever that moves
//! the device's clock, the futures are polled and the [`World`] is called when its time has come. So
//! a run is the same every time, on every machine.

mod boot;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use corvid_core::engine::BOARD_SLOTS;
use corvid_firmware::health::Cause;

use crate::clock;
use crate::flash::Flash;
use crate::parts::Parts;

pub(crate) use boot::spend;
use boot::{Boot, End};

/// The boards that can be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Board {
    /// Raspberry Pi Pico: SSD1306 display, USB, games are saved.
    Pico,
    /// TI LM3S6965 evaluation board: grey display, UART, nothing is saved.
    Lm3s6965evb,
}

impl Board {
    /// What its maker calls it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Pico => "Raspberry Pi Pico",
            Self::Lm3s6965evb => "TI LM3S6965EVB",
        }
    }

    /// The name that it answers to on its serial port.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pico => "pico",
            Self::Lm3s6965evb => "lm3s6965evb",
        }
    }

    /// Whether it can write to its flash.
    pub const fn saves(self) -> bool {
        matches!(self, Self::Pico)
    }

    /// What a byte to its serial port takes: 10 bits at 115200 baud on a UART.
    const fn byte_micros(self) -> u64 {
        match self {
            Self::Pico => 0,
            Self::Lm3s6965evb => 87,
        }
    }
}

/// What a machine is made of.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The board.
    pub board: Board,
    /// The memory for thinking, in slots of 8 bytes.
    pub memory: usize,
    /// For the random choices of bots and levels. Without one they depend on when somebody did
    /// something.
    pub seed: Option<u64>,
    /// What the board saves to, if it can.
    pub flash: Flash,
}

impl Plan {
    /// A new board, with nothing saved.
    pub fn new(board: Board) -> Self {
        Self { board, memory: BOARD_SLOTS, seed: None, flash: Flash::new() }
    }
}

/// The world outside the device: whoever presses its keys, looks at its display and is on the other
/// end of its serial port.
pub trait World {
    /// Called when the power has come on, and from then on when the device's clock has reached the
    /// moment that was asked for. `now` is in microseconds.
    ///
    /// The device may be in the middle of a thought; its time stands still during the call.
    fn moment(&mut self, now: u64, parts: &Parts) -> Next;
}

/// What the world wants next.
#[derive(Debug)]
pub enum Next {
    /// To be called when the device's clock shows this, in microseconds. A moment that is not in the
    /// future means the next microsecond.
    At(u64),
    /// To switch the device off and on.
    Restart,
    /// The same with another flash.
    Replace(Flash),
    /// To switch the device off for good.
    Off,
}

/// A board and what is connected to it.
#[derive(Debug)]
pub struct Machine {
    plan: Plan,
    parts: Parts,
}

/// A board has some state in statics, the device's application too: one runs at a time.
static RUNNING: Mutex<()> = Mutex::new(());

impl Machine {
    /// A board without power.
    pub fn new(plan: Plan) -> Self {
        Self { plan, parts: Parts::default() }
    }

    /// Its keys, its display and its serial port. A clone is the same parts.
    pub const fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Switches it on and lets it run, from time 0, until the world switches it off; gives the world
    /// back. If a machine already runs in another thread, this waits for its end.
    ///
    /// Switched off in the middle of a thought, the device leaves it at its next look at the clock.
    pub fn run<W: World + 'static>(mut self, world: W) -> W {
        let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        clock::reset();
        let world = Rc::new(RefCell::new(world));
        let (mut cause, mut due) = (Cause::Power, 0);
        loop {
            let boot = Boot::start(&self.plan, &self.parts, world.clone(), due);
            let end;
            (end, due) = boot.live(&self.plan, cause);
            cause = Cause::Power;
            match end {
                End::Off => break,
                End::Restart => {}
                End::Replace(flash) => self.plan.flash = flash,
                End::Reboot => cause = Cause::Program,
            }
        }
        Rc::into_inner(world).expect("no boot is left").into_inner()
    }
}
