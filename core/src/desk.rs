//! Where commands find the match that they work on, and the one who thinks.

use core::fmt::{self, Write};
use core::sync::atomic::AtomicBool;

use crate::refusal::Refusal;
use crate::search::budget::Clock;
use crate::session::{Match, Progress};
use crate::setup::Setup;
use crate::thinker::{Answer, NoAnswer, Task, Thinker, Watch};

/// Tells the time in microseconds since some moment.
pub type ClockFn = fn() -> u64;

/// A match and a thinker that are lent to a protocol: a program's own, or those of a device that
/// others use too. The match is lent for as long as a closure runs, so nobody writes slow answers
/// with it in hand.
pub trait Desk {
    /// Lends the match to look at.
    fn look(&mut self, look: &mut dyn FnMut(&Match));
    /// Lends the match to play on.
    fn change(&mut self, change: &mut dyn FnMut(&mut Match));
    /// Begins another match.
    fn begin(&mut self, setup: Setup) {
        self.change(&mut |game| game.begin(setup));
    }
    /// Thinks about a task. Refused if somebody stops it.
    fn think(&mut self, task: &Task, report: &mut dyn FnMut(&Progress))
    -> Result<Answer, NoAnswer>;
    /// Whether a task is being thought about now, so that [`think`](Self::think) has to wait.
    fn is_thinking(&self) -> bool {
        false
    }
    /// The time in microseconds.
    fn micros(&self) -> u64;
    /// Makes the random choices repeatable.
    fn seed(&mut self, seed: u64);
    /// The 64-bit words of memory for thinking.
    fn slots(&self) -> usize;

    /// The commands that this desk understands beside those of the protocol, a line each: the form,
    /// a bar, and what it does.
    fn extra_commands(&self) -> &'static str {
        ""
    }
    /// Does one of them; `Err` says why not. An empty text says that this is not decided yet: the line
    /// has no answer, and the console gives it again later.
    fn extra_command(
        &mut self,
        _name: &str,
        _arguments: &str,
        _out: &mut dyn Write,
    ) -> Result<fmt::Result, &'static str> {
        Err("unknown command")
    }
    /// What the desk stands on: the name of a board.
    fn name(&self) -> Option<&'static str> {
        None
    }
    /// Writes what the desk has, a word and its values a line.
    fn write_capabilities(&mut self, _out: &mut dyn Write) -> fmt::Result {
        Ok(())
    }
    /// Writes figures, a name and its values a line.
    fn write_stats(&mut self, _out: &mut dyn Write) -> fmt::Result {
        Ok(())
    }
}

/// What a closure that changes the match gives; refused if the desk does not lend it.
pub(crate) fn changed(
    desk: &mut dyn Desk,
    mut change: impl FnMut(&mut Match) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut done = None;
    desk.change(&mut |game| done = Some(change(game)));
    done.unwrap_or_else(|| Err(not_lent()))
}

/// What is said where a desk does not lend its match, as it promises to.
pub(crate) fn not_lent() -> Refusal {
    NoAnswer::Stopped.into()
}

/// A match and a thinker of one's own: a program that plays.
#[derive(Debug)]
pub struct OwnDesk<'m, C = ClockFn> {
    /// The match.
    pub game: Match,
    /// Who thinks.
    pub thinker: Thinker<'m>,
    clock: C,
    stop: AtomicBool,
}

impl<'m, C> OwnDesk<'m, C> {
    /// A desk with this match on it.
    pub const fn new(game: Match, thinker: Thinker<'m>, clock: C) -> Self {
        Self { game, thinker, clock, stop: AtomicBool::new(false) }
    }
}

impl<C: Clock> Desk for OwnDesk<'_, C> {
    fn look(&mut self, look: &mut dyn FnMut(&Match)) {
        look(&self.game);
    }

    fn change(&mut self, change: &mut dyn FnMut(&mut Match)) {
        change(&mut self.game);
    }

    fn think(
        &mut self,
        task: &Task,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Answer, NoAnswer> {
        let watch = Watch { clock: &self.clock, stop: &self.stop };
        self.thinker.think(task, watch, report)
    }

    fn micros(&self) -> u64 {
        self.clock.micros()
    }

    fn seed(&mut self, seed: u64) {
        self.thinker.seed(seed);
    }

    fn slots(&self) -> usize {
        self.thinker.slots()
    }
}
