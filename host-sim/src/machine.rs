//! A simulated board that runs the device's application.
//! On a board, keys, screen and serial port run on interrupts above the search. Here they are
//! futures, and everything runs in the caller's thread: the search calls back to account for its
//! time (the firmware's brain takes a clock and an idle function), and whenever that advances
//! the device's clock, the futures are polled and the [`World`] is called when it is due. So a
//! run is deterministic on every machine.

mod boot;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use corvid_firmware::health::Cause;
use corvid_firmware::profile::{LM3S6965EVB, PICO, Profile};

use crate::clock;
use crate::flash::Flash;
use crate::parts::Parts;

pub(crate) use boot::spend;
pub use boot::{BOT_MICROS, look_micros};
use boot::{Boot, End, Life};

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
    pub fn run<W: World + 'static>(self, world: W) -> W {
        let mut running = self.start(world);
        while running.step() {}
        running.into_world()
    }

    /// The same in steps, for a caller that has other work to do in between. The device is switched
    /// on by the first one.
    pub fn start<W: World + 'static>(self, world: W) -> Running<W> {
        let alone = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        clock::reset();
        let Self { plan, parts } = self;
        let world = Rc::new(RefCell::new(world));
        let state = State::Starting(Cause::Power, 0);
        Running { plan, parts, world, state, _alone: alone }
    }
}

/// A machine that runs. As long as it exists no other one does.
pub struct Running<W> {
    plan: Plan,
    parts: Parts,
    world: Rc<RefCell<W>>,
    state: State,
    _alone: MutexGuard<'static, ()>,
}

enum State {
    /// To be started for this cause; the world is due at this time.
    Starting(Cause, u64),
    On(Life),
    Off,
}

impl<W: World + 'static> Running<W> {
    /// A start of the device, or a step of its brain and the wait after it: some milliseconds of
    /// the device's time, or a whole search. False when the world has switched it off.
    pub fn step(&mut self) -> bool {
        match std::mem::replace(&mut self.state, State::Off) {
            State::Starting(cause, due) => {
                let boot = Boot::start(&self.plan, &self.parts, self.world.clone(), due);
                self.state = State::On(Life::start(&self.plan, boot, cause));
            }
            State::On(mut life) => {
                self.state = if life.step() { State::On(life) } else { self.after(life) };
            }
            State::Off => {}
        }
        !matches!(self.state, State::Off)
    }

    /// What follows the end of a life.
    fn after(&mut self, life: Life) -> State {
        let (end, due) = life.end();
        match end {
            End::Off => return State::Off,
            End::Restart => {}
            End::Replace(flash) => self.plan.flash = flash,
            End::Reboot => return State::Starting(Cause::Program, due),
        }
        State::Starting(Cause::Power, due)
    }

    /// Switches it off if it is on, and returns the world.
    pub fn into_world(self) -> W {
        let Self { world, state, .. } = self;
        drop(state);
        Rc::into_inner(world).expect("no boot is left").into_inner()
    }
}

impl<W> fmt::Debug for Running<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plan, parts, .. } = self;
        f.debug_struct("Running").field("plan", plan).field("parts", parts).finish_non_exhaustive()
    }
}
