//! The one who thinks: owns the memory for searches and the random numbers, and does one task at a
//! time on a copy of a position.

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicBool, Ordering};

use crate::engine::{Thinking, Unsolved};
use crate::game::{MoveCode, Notation, Reason};
use crate::mix::{Rng, mix_in};
use crate::registry::{AnyOpponent, AnyPosition};
use crate::search::Solution;
use crate::search::budget::{Budget, Clock, Meter};
use crate::search::helper::Helper;
use crate::session::{MoveText, Progress};

/// The deepest `perft` that is counted: its recursion has to fit a board's stack.
pub const MAX_PERFT_DEPTH: u32 = 12;

/// What there is to think about.
#[derive(Debug, Clone)]
pub struct Task {
    /// The position, with the player to move who is asked for.
    pub position: AnyPosition,
    /// What to find out.
    pub question: Question,
    /// How moves are written.
    pub notation: Notation,
}

/// What to find out about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question {
    /// The move that an opponent would play.
    Move {
        /// Who plays.
        opponent: AnyOpponent,
        /// Microseconds that a level may take.
        micros: u64,
        /// Microseconds after which anybody has to answer.
        deadline: u64,
    },
    /// What the position is worth with right play.
    Solve {
        /// The 64-bit words of memory to use, which are cleared first: the same nodes every time.
        slots: usize,
        /// Microseconds after which it takes too long.
        micros: u64,
    },
    /// How many move sequences of this many plies there are.
    Perft(u32),
}

/// What was found out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// A move; `None` when the game is over.
    Move(Option<MoveCode>),
    /// The value of the position.
    Solved {
        /// What the player to move will be ahead by.
        score: i16,
        /// A best move; `None` when the game is over.
        best: Option<MoveCode>,
        /// Positions looked at.
        nodes: u64,
    },
    /// A number of move sequences.
    Count(u64),
}

/// What a task is watched by: whoever waits for it can end it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Looked at every few milliseconds, whatever the task.
    pub clock: &'a dyn Clock,
    /// Ends the task soon after it is set.
    pub stop: &'a AtomicBool,
}

impl<'a> Watch<'a> {
    /// A budget of so many microseconds.
    fn meter(self, micros: u64) -> Meter<'a> {
        let time = Some((self.clock, micros));
        Meter::new(Budget { time, stop: Some(self.stop), ..Budget::UNLIMITED })
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("stop", self.stop).finish_non_exhaustive()
    }
}

/// Why a question has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoAnswer {
    /// The bot plays another game.
    OtherGame,
    /// Somebody ended it.
    Stopped,
    /// The position was not solved.
    Unsolved(Unsolved),
}

impl From<Unsolved> for NoAnswer {
    fn from(unsolved: Unsolved) -> Self {
        Self::Unsolved(unsolved)
    }
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherGame => "the chosen bot does not play this game",
            Self::Stopped => "stopped",
            Self::Unsolved(unsolved) => return unsolved.fmt(f),
        })
    }
}

impl Reason for NoAnswer {
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self {
            Self::OtherGame => "bot of another game",
            Self::Stopped => "stopped",
            Self::Unsolved(unsolved) => return unsolved.short(out),
        })
    }
}

/// Thinks about one task at a time.
#[derive(Debug)]
pub struct Thinker<'m> {
    memory: &'m mut [u64],
    rng: Rng,
    /// Whether somebody chose the random numbers.
    seeded: bool,
    helper: Option<&'m dyn Helper>,
}

impl<'m> Thinker<'m> {
    /// A thinker with this memory, which is all zeros.
    pub const fn new(memory: &'m mut [u64]) -> Self {
        Self { memory, rng: Rng::new(0), seeded: false, helper: None }
    }

    /// The same with a second processor, which helps to find moves within a time. What takes a number
    /// of nodes, and exact solutions, are the same without it.
    #[must_use]
    pub const fn with_helper(self, helper: Option<&'m dyn Helper>) -> Self {
        Self { helper, ..self }
    }

    /// The 64-bit words of its memory.
    pub const fn slots(&self) -> usize {
        self.memory.len()
    }

    /// Its memory, for a search outside a task; what it leaves there does the next task no harm.
    pub const fn memory(&mut self) -> &mut [u64] {
        self.memory
    }

    /// Makes the random choices from here on repeatable.
    pub const fn seed(&mut self, seed: u64) {
        (self.rng, self.seeded) = (Rng::new(seed), true);
    }

    /// Makes the random choices differ from those after another start, unless there is a seed.
    /// `noise` is what is never the same twice, as the time at which somebody does something.
    pub fn stir(&mut self, noise: u64) {
        if !self.seeded {
            self.rng = Rng::new(mix_in(u64::from(self.rng.next_u32()), noise));
        }
    }

    /// Does a task; `report` hears from a search after every iteration. A search that is stopped
    /// gives its best move so far: whoever stopped it knows whether that still counts.
    pub fn think(
        &mut self,
        task: &Task,
        watch: Watch<'_>,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Answer, NoAnswer> {
        let Task { position, question, notation } = task;
        let game = position.get();
        match *question {
            Question::Move { opponent, micros, deadline } => {
                let opponent = opponent.playing(position.kind()).ok_or(NoAnswer::OtherGame)?;
                let Watch { clock, stop } = watch;
                let (memory, rng) = (&mut *self.memory, &mut self.rng);
                let stop = Some(stop);
                let helper = self.helper;
                let mut thinking = Thinking { memory, rng, clock, micros, deadline, stop, helper };
                let mv = game.choose(opponent, &mut thinking, &mut |said| {
                    report(&Progress::new(game, *notation, said));
                });
                Ok(Answer::Move(mv))
            }
            Question::Solve { slots, micros } => {
                let slots = slots.min(self.memory.len());
                let memory = &mut self.memory[..slots];
                memory.fill(0);
                let mut meter = watch.meter(micros);
                let found = game.solve(memory, &mut meter);
                if found.is_err() && watch.stop.load(Ordering::Relaxed) {
                    return Err(NoAnswer::Stopped);
                }
                let Solution { score, best } = found?;
                Ok(Answer::Solved { score, best, nodes: meter.nodes() })
            }
            Question::Perft(depth) => {
                let mut meter = watch.meter(u64::MAX);
                let count = perft(position, depth.min(MAX_PERFT_DEPTH), &mut meter);
                Ok(Answer::Count(count.ok_or(NoAnswer::Stopped)?))
            }
        }
    }
}

/// Counts the move sequences of `depth` plies; `None` when it is stopped. For all games at once: the
/// fast way, [`AnyPosition::perft`], takes code for each.
fn perft(position: &AnyPosition, depth: u32, meter: &mut Meter<'_>) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if !meter.tick() {
        return None;
    }
    let game = position.get();
    if depth == 1 {
        return Some(game.count_moves().max(1).into());
    }
    let mut leaves = Some(0);
    game.for_each_move(&mut |mv| {
        if let Some(before) = leaves {
            let mut next = position.clone();
            next.get_mut().play(mv);
            leaves = perft(&next, depth - 1, meter).map(|more| before + more);
        }
    });
    leaves.map(|leaves| leaves.max(1))
}

impl Task {
    /// A move as the task has it written; `none` in place of no move.
    pub fn write_move(&self, mv: Option<MoveCode>, none: &str) -> MoveText {
        let mut text = MoveText::new();
        // Both fit: see the capacity of `MoveText`.
        let _ = match mv {
            Some(mv) => self.position.get().write_move(mv, self.notation, &mut text),
            None => text.push_str(none).map_err(|_| fmt::Error),
        };
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::GameKind;
    use crate::setup::Setup;

    fn task(question: Question) -> Task {
        let position = AnyPosition::start(Setup::usual(GameKind::Adjacency));
        Task { position, question, notation: Notation::Plain }
    }

    /// The first random number of a thinker that hears this noise.
    fn drawn(seed: Option<u64>, noise: u64) -> u32 {
        let mut thinker = Thinker::new(&mut []);
        if let Some(seed) = seed {
            thinker.seed(seed);
        }
        thinker.stir(noise);
        thinker.rng.next_u32()
    }

    #[test]
    fn noise_changes_the_random_numbers_unless_there_is_a_seed() {
        assert_ne!(drawn(None, 1), drawn(None, 2));
        assert_eq!(drawn(Some(7), 1), drawn(Some(7), 2));
        assert_ne!(drawn(Some(7), 1), drawn(Some(8), 1));
    }

    #[test]
    fn whoever_waits_can_end_a_task() {
        let mut memory = [0; 64];
        let mut thinker = Thinker::new(&mut memory);
        for question in [Question::Solve { slots: 64, micros: u64::MAX }, Question::Perft(12)] {
            let stop = AtomicBool::new(true);
            let watch = Watch { clock: &|| 0, stop: &stop };
            let answer = thinker.think(&task(question), watch, &mut |_| {});
            assert_eq!(answer, Err(NoAnswer::Stopped), "{question:?}");
        }
    }

    #[test]
    fn a_position_that_takes_too_long_is_not_solved() {
        let mut memory = [0; 64];
        let mut thinker = Thinker::new(&mut memory);
        let (stop, now) = (AtomicBool::new(false), core::cell::Cell::new(0));
        let clock = || {
            now.set(now.get() + 1_000);
            now.get()
        };
        let watch = Watch { clock: &clock, stop: &stop };
        let question = Question::Solve { slots: 64, micros: 10_000 };
        let answer = thinker.think(&task(question), watch, &mut |_| {});
        assert_eq!(answer, Err(NoAnswer::Unsolved(Unsolved::Budget)));
    }
}
