//! A simulated board that runs the device's application.
//! On a board, keys, screen and serial port run on interrupts above the search. Here they are
//! futures, and everything runs in the caller's thread: the search calls back to account for its
//! time (the firmware's brain takes a clock and an idle function), and whenever that advances
//! the device's clock, the futures are polled and the [`World`] is called when it is due. So a
//! run is deterministic on every machine.

mod boot;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use corvid_firmware::health::Cause;
use corvid_firmware::profile::{LM3S6965EVB, PICO, Profile};

use crate::clock;
use crate::flash::Flash;
use crate::parts::Parts;

pub(crate) use boot::spend;
pub use boot::{BOT_MICROS, look_micros};
use boot::{Boot, End};

/// The boards that can be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Board {
    /// Raspberry Pi Pico: an OLED module, USB, games are saved.
    Pico,
    /// TI LM3S6965 evaluation board: grey display, UART, nothing is saved.
    Lm3s6965evb,
}

impl Board {
    /// Its full name.
    pub const fn title(self) -> &'static str {
        self.profile().title
    }

    /// What it gives the engine.
    pub const fn profile(self) -> Profile {
        match self {
            Self::Pico => PICO,
            Self::Lm3s6965evb => LM3S6965EVB,
        }
    }

    /// Its name on the serial port.
    pub const fn name(self) -> &'static str {
        self.profile().name
    }

    /// Whether it can write to its flash.
    pub const fn saves(self) -> bool {
        matches!(self, Self::Pico)
    }

    /// Whether it has a pin for a piezo.
    pub const fn sounds(self) -> bool {
        matches!(self, Self::Pico)
    }

    /// The time a byte takes on its serial port: 10 bits at 115200 baud on a UART.
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
    /// The search memory, in slots of 8 bytes.
    pub memory: usize,
    /// For the random choices of bots and levels. Without one they depend on the timing of input.
    pub seed: Option<u64>,
    /// What the board saves to, if it can.
    pub flash: Flash,
}

impl Plan {
    /// A new board, with nothing saved.
    pub fn new(board: Board) -> Self {
        let memory = board.profile().slots();
        Self { board, memory, seed: None, flash: Flash::new() }
    }
}

/// The world outside the device: it presses the keys, reads the display and is the other end of the
/// serial port.
pub trait World {
    /// Called at power-on, and from then on whenever the device's clock reaches the requested time.
    /// `now` is in microseconds.
    /// The device may be in the middle of a search; its time stands still during the call.
    fn moment(&mut self, now: u64, parts: &Parts) -> Next;
}

/// What the world wants next.
#[derive(Debug)]
pub enum Next {
    /// To be called when the device's clock reaches this, in microseconds. A time that is not in
    /// the future means the next microsecond.
    At(u64),
    /// To switch the device off and on.
    Restart,
    /// The same with another flash.
    Replace(Flash),
    /// To switch the device off.
    Off,
}

/// A board and what is connected to it.
#[derive(Debug)]
pub struct Machine {
    plan: Plan,
    parts: Parts,
}

/// The firmware keeps some of its state in statics, so one machine runs at a time.
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

    /// Switches it on and runs it, from time 0, until the world switches it off; returns the world.
    /// If a machine runs in another thread, this waits for its end; a world must not run
    /// another machine.
    /// A device that is switched off in the middle of a search aborts it when it next polls the
    /// clock.
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
