//! A random driver of commands, keys and garbage for the emulated boards, with what must hold after
//! every episode: `cargo run -p corvid-tests --bin soak -- --help`.
//!
//! Episodes are numbered, and everything in one is decided by the seed and its number. Each takes the
//! next few of all combinations of game, options and player, in an order that the seed shuffles. A
//! board is replaced by a new one every [`SESSION`] episodes, so that a failure is repeated by running
//! its session up to the episode that failed: exactly on the Pico, whose time only passes on request; on
//! the LM3S6965 with the same input in the same order, at instants that vary by milliseconds.
mod combinations;
mod driver;
mod link;
mod picture;

pub use combinations::{Combination, combinations};

use crate::{board::Board, qemu::Lm3s6965evb, rp2040::Pico};
use anyhow::{Context, Error, Result};
use corvid_core::{
    mix::{Rng, mix_in},
    registry::GameKind,
};
use driver::Driver;
use std::{
    collections::BTreeSet,
    fmt,
    time::{Duration, Instant},
};

/// Episodes on one board, from its power-on.
pub const SESSION: u64 = 10;

/// Combinations in an episode.
const TAKEN: u64 = 3;

/// Bytes that the LM3S6965's emulated UART accepts at once, and the time that they take at 115200
/// baud: left to itself it accepts all at once, and the board's ring has 256.
const PIECE: usize = 32;
const PIECE_TIME: Duration = Duration::from_millis(3);

/// Device time between two lines of progress.
const PROGRESS: Duration = Duration::from_secs(600);

/// A board that can be soaked.
pub trait Soaked: Board + Sized {
    /// A new one, switched on.
    fn new() -> Result<Self>;

    /// Sends bytes no faster than the line can: without flow control, more would be lost.
    fn send_paced(&mut self, bytes: &[u8]) -> Result<()> {
        self.send(bytes)
    }

    /// Sends a few bytes that arrive at this instant.
    fn send_now(&mut self, bytes: &[u8]) -> Result<()> {
        self.send(bytes)
    }

    /// The most bytes that the stack has taken, and its size, where they are known.
    fn stack_taken(&mut self) -> Result<Option<(u64, u64)>> {
        Ok(None)
    }

    /// Where the program is, a few times in a row: program counters and what they interrupt.
    fn whereabouts(&mut self) -> Result<String> {
        Ok(String::new())
    }

    /// The Pico, whose power can be cut, and more.
    fn pico(&mut self) -> Option<&mut Pico> {
        None
    }

    /// How often an episode thinks at length, of a hundred chances: an emulated second takes the host
    /// 20 times as long on the Pico as on the LM3S6965.
    const THOUGHTFUL: u32;
}

impl Soaked for Lm3s6965evb {
    const THOUGHTFUL: u32 = 85;

    fn new() -> Result<Self> {
        let mut board = Self::start()?;
        board.wait_for_host()?;
        Ok(board)
    }

    fn send_paced(&mut self, bytes: &[u8]) -> Result<()> {
        for (index, piece) in bytes.chunks(PIECE).enumerate() {
            if index > 0 {
                self.run_for(PIECE_TIME)?;
            }
            self.send(piece)?;
        }
        Ok(())
    }

    fn send_now(&mut self, bytes: &[u8]) -> Result<()> {
        self.send_stopped(bytes)
    }

    fn whereabouts(&mut self) -> Result<String> {
        self.program_counters()
    }

    fn stack_taken(&mut self) -> Result<Option<(u64, u64)>> {
        self.stack().map(Some)
    }
}

impl Soaked for Pico {
    const THOUGHTFUL: u32 = 10;

    fn new() -> Result<Self> {
        Self::start()
    }

    fn pico(&mut self) -> Option<&mut Pico> {
        Some(self)
    }
}

/// What to do.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Decides everything.
    pub seed: u64,
    /// The first episode.
    pub first: u64,
    /// The most episodes.
    pub episodes: u64,
    /// Device time after which no other episode begins.
    pub device: Duration,
    /// The host's time after which no other episode begins.
    pub host: Duration,
    /// The longest time for which the board is left alone after an episode.
    pub rest: Duration,
}

/// What was done.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    /// Device time.
    pub device: Duration,
    /// How much of it the board worked on commands, by its own account. Moves of computers at the keys
    /// are not in it.
    pub thinking: Duration,
    /// How long it was left alone.
    pub resting: Duration,
    /// Episodes without a violation.
    pub episodes: u64,
    /// Lines that the board had to answer.
    pub commands: u64,
    /// Commands that were ended by Ctrl-C or a key.
    pub stopped: u64,
    /// Key presses.
    pub keys: u64,
    /// Bytes that mean nothing.
    pub garbage: u64,
    /// Positions, pictures and answers that were compared with the host's.
    pub compared: u64,
    /// Power-ons after the first.
    pub restarts: u64,
    /// Those after the power was cut.
    pub cuts: u64,
    /// The most stack taken.
    pub stack: u64,
    /// Combinations of game, options and player that have moved.
    pub covered: BTreeSet<usize>,
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hours = self.device.as_secs_f64() / 3600.0;
        let share = 100.0 * self.thinking.as_secs_f64() / self.device.as_secs_f64().max(1.0);
        write!(f, "{hours:.2} device hours, {share:.0} % at work on commands")?;
        if !self.resting.is_zero() {
            let share = 100.0 * self.resting.as_secs_f64() / self.device.as_secs_f64().max(1.0);
            write!(f, ", {share:.0} % left alone")?;
        }
        write!(f, "; ")?;
        let Self { episodes, commands, stopped, keys, garbage, compared, .. } = self;
        write!(f, "{episodes} episodes, {commands} commands ({stopped} stopped), {keys} keys, ")?;
        write!(f, "{garbage} bytes of garbage, {compared} comparisons, ")?;
        write!(f, "{} restarts, {} power cuts, ", self.restarts, self.cuts)?;
        write!(f, "{} of {} combinations", self.covered.len(), combinations().len())?;
        if self.stack > 0 {
            write!(f, ", at most {} bytes of stack", self.stack)?;
        }
        Ok(())
    }
}

/// Runs a plan on one kind of board. The error of a violation says how to repeat it.
pub fn soak<B: Soaked>(plan: &Plan, mut tell: impl FnMut(&Totals)) -> Result<Totals> {
    let mut totals = Totals::default();
    let order = order(plan.seed);
    let (mut board, mut told, begun) = (None, PROGRESS, Instant::now());
    let last = plan.first.saturating_add(plan.episodes);
    for episode in plan.first..last {
        if totals.device >= plan.device || begun.elapsed() >= plan.host {
            break;
        }
        if episode % SESSION == 0 || board.is_none() {
            totals.restarts += u64::from(board.is_some());
            // The emulator of the one before ends first.
            drop(board.take());
            board = Some(B::new()?);
        }
        let board = board.as_mut().context("there is a board")?;
        let taken = (0..TAKEN).map(|index| {
            let place = (episode * TAKEN + index) as usize % order.len();
            (order[place], combinations()[order[place]])
        });
        let rng = Rng::new(mix_in(plan.seed, episode));
        let mut driver = Driver::new(board, rng, &mut totals);
        let done = driver.episode(&taken.collect::<Vec<_>>(), plan.rest);
        let before = driver.recent();
        if let Err(error) = done {
            tell(&totals);
            return Err(violation::<B>(plan, episode, &before, &error));
        }
        totals.episodes += 1;
        if totals.device >= told {
            tell(&totals);
            told = totals.device + PROGRESS;
        }
    }
    Ok(totals)
}

/// The order in which combinations are taken: the games in turn, each in an order of its own, until
/// none is left.
fn order(seed: u64) -> Vec<usize> {
    let mut rng = Rng::new(seed);
    let kind = |index: usize| combinations()[index].setup.kind();
    let mut places: Vec<(usize, usize)> = Vec::new();
    for game in GameKind::ALL {
        let mut own: Vec<_> = (0..combinations().len()).filter(|at| kind(*at) == game).collect();
        rng.shuffle(&mut own);
        places.extend(own.into_iter().enumerate());
    }
    // Stable: the games stay in their order.
    places.sort_by_key(|(turn, _)| *turn);
    places.into_iter().map(|(_, index)| index).collect()
}

/// What went wrong, after which input, and how to repeat it.
fn violation<B: Soaked>(plan: &Plan, episode: u64, before: &str, error: &Error) -> Error {
    let name = std::any::type_name::<B>();
    let board = if name.ends_with("Pico") { "pico" } else { "lm3s6965evb" };
    let first = (episode - episode % SESSION).max(plan.first);
    let count = episode - first + 1;
    anyhow::anyhow!(
        "violation in episode {episode} of seed {seed}: {error:#}\nthe last input:\n{before}\nto repeat it: \
         cargo run -p corvid-tests --bin soak -- --board {board} --seed {seed} --first {first} \
         --episodes {count}",
        seed = plan.seed
    )
}
