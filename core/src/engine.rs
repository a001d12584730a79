//! Who answers when a move is asked for: bots, levels, or the search with an exact budget.

use core::fmt;
use core::sync::atomic::AtomicBool;

use crate::bots::{self, Bot, Bots};
use crate::game::{Game, Reason};
use crate::games::adjacency::Adjacency;
use crate::games::blokus::{Classic, Duo};
use crate::games::dots::Dots;
use crate::games::othello::Othello;
use crate::mix::Rng;
use crate::search::budget::{Budget, Clock, Meter};
use crate::search::{Report, Solution, Solve, Think};

/// The memory for thinking on the LM3S6965, in 64-bit slots: 32 KB.
pub const BOARD_SLOTS: usize = 4096;

/// How strong the opponent is, 1 (for beginners) to 9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// The weakest.
    pub const MIN: Self = Self(1);
    /// The strongest: uses all the time it is given.
    pub const MAX: Self = Self(9);

    /// The level with this number, 1..=9.
    pub const fn new(level: u8) -> Option<Self> {
        if level >= Self::MIN.0 && level <= Self::MAX.0 { Some(Self(level)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// How much the search does for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Positions looked at: the same play on every machine.
    Nodes(u64),
    /// Milliseconds.
    Millis(u32),
    /// What a board does in so many thousandths of a board second.
    BoardMillis(u32),
}

/// Who answers when a move is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opponent {
    /// This bot.
    Bot(Bot),
    /// The search at one of nine strengths.
    Level(Level),
    /// The search with exactly this budget.
    Limit(Limit),
}

/// What makes a level: how far it looks, and how often it does not look at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skill {
    /// Positions for a move; without a limit the time decides.
    pub nodes: Option<u64>,
    /// Of a hundred moves, how many are random instead.
    pub slips: u8,
}

/// What thinking about a move takes.
pub struct Thinking<'a> {
    /// Memory for the search; what an earlier move of the same game left in it is of use.
    pub memory: &'a mut [u64],
    /// Random choices.
    pub rng: &'a mut Rng,
    /// The time.
    pub clock: &'a dyn Clock,
    /// The most microseconds for the move.
    pub micros: u64,
    /// Ends the search early.
    pub stop: Option<&'a AtomicBool>,
}

impl fmt::Debug for Thinking<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thinking").field("micros", &self.micros).finish_non_exhaustive()
    }
}

/// Why a position has no exact value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsolved {
    /// The game has no solver.
    NoSolver,
    /// The budget was too small.
    Budget,
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSolver => "this game has no exact solver",
            Self::Budget => "this position takes too long to solve",
        })
    }
}

impl Reason for Unsolved {
    fn short(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(match self {
            Self::NoSolver => "no exact solver",
            Self::Budget => "takes too long",
        })
    }
}

/// A game that has an engine.
pub trait Engine: Bots {
    /// The nine levels, weakest first.
    const SKILLS: [Skill; 9];
    /// What the search looks at in a board second: `cargo bench -p corvid-benches --bench board`
    /// measures it.
    const NODES_PER_BOARD_SECOND: u64;

    /// The search's move; `None` only when the game is over.
    fn best(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        rng: &mut Rng,
        report: &mut dyn FnMut(&Report<'_, Self::Move>),
    ) -> Option<Self::Move>;

    /// Works the position out, if the game has a solver and the budget reaches.
    fn solution(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
    ) -> Result<Solution<Self::Move>, Unsolved>;

    /// The opponent's move; `None` only when the game is over. A forced move comes at once.
    #[inline(never)]
    fn choose(
        &self,
        opponent: Opponent,
        thinking: &mut Thinking<'_>,
        report: &mut dyn FnMut(&Report<'_, Self::Move>),
    ) -> Option<Self::Move> {
        if self.count_moves() <= 1 {
            return bots::random(self, thinking.rng);
        }
        let (nodes, micros) = match opponent {
            Opponent::Bot(bot) => return self.bot_move(bot, thinking),
            Opponent::Level(level) => {
                let Skill { nodes, slips } = Self::SKILLS[usize::from(level.get()) - 1];
                if thinking.rng.below(100) < u32::from(slips) {
                    return bots::random(self, thinking.rng);
                }
                (nodes.unwrap_or(u64::MAX), Some(thinking.micros))
            }
            Opponent::Limit(Limit::Nodes(nodes)) => (nodes, None),
            Opponent::Limit(Limit::Millis(millis)) => (u64::MAX, Some(u64::from(millis) * 1000)),
            Opponent::Limit(Limit::BoardMillis(millis)) => {
                (u64::from(millis).saturating_mul(Self::NODES_PER_BOARD_SECOND) / 1000, None)
            }
        };
        let time = micros.map(|micros| (thinking.clock, micros));
        let mut meter = Meter::new(Budget { nodes, time, stop: thinking.stop });
        self.best(thinking.memory, &mut meter, thinking.rng, report)
    }
}

/// Nine levels of a search: nodes and slips for the first eight, time alone for the ninth.
const fn skills(levels: [(u64, u8); 8]) -> [Skill; 9] {
    let mut skills = [Skill { nodes: None, slips: 0 }; 9];
    let mut level = 0;
    while level < levels.len() {
        skills[level] = Skill { nodes: Some(levels[level].0), slips: levels[level].1 };
        level += 1;
    }
    skills
}

macro_rules! engine_by_search {
    ($game:ty, $solution:expr, $nodes_per_board_second:expr, $levels:expr) => {
        impl Engine for $game {
            const SKILLS: [Skill; 9] = skills($levels);
            const NODES_PER_BOARD_SECOND: u64 = $nodes_per_board_second;

            fn best(
                &self,
                memory: &mut [u64],
                meter: &mut Meter<'_>,
                _: &mut Rng,
                report: &mut dyn FnMut(&Report<'_, Self::Move>),
            ) -> Option<Self::Move> {
                self.think(memory, meter, report)
            }

            fn solution(
                &self,
                memory: &mut [u64],
                meter: &mut Meter<'_>,
            ) -> Result<Solution<Self::Move>, Unsolved> {
                $solution(self, memory, meter)
            }
        }
    };
}

fn solver<G: Solve>(
    game: &G,
    memory: &mut [u64],
    meter: &mut Meter<'_>,
) -> Result<Solution<G::Move>, Unsolved> {
    game.solve(memory, meter).ok_or(Unsolved::Budget)
}

fn no_solver<G: Game>(
    _: &G,
    _: &mut [u64],
    _: &mut Meter<'_>,
) -> Result<Solution<G::Move>, Unsolved> {
    Err(Unsolved::NoSolver)
}

// Each level's slips were chosen so that the level above wins about three games of four:
// `corvid reproduce levels` plays them.
engine_by_search!(
    Adjacency,
    solver,
    17_900,
    [(40, 100), (60, 93), (100, 80), (160, 67), (300, 52), (800, 36), (2_500, 23), (8_000, 11)]
);

engine_by_search!(
    Othello,
    solver,
    26_100,
    [(40, 100), (50, 75), (80, 42), (140, 21), (400, 7), (900, 4), (3_000, 2), (11_000, 1)]
);

engine_by_search!(
    Dots,
    solver,
    32_700,
    [(40, 74), (60, 59), (100, 46), (160, 33), (300, 23), (600, 14), (2_500, 6), (8_000, 1)]
);

macro_rules! engine_by_simulations {
    ($game:ty, $sims_per_board_second:expr, $levels:expr) => {
        impl Engine for $game {
            const SKILLS: [Skill; 9] = skills($levels);
            const NODES_PER_BOARD_SECOND: u64 = $sims_per_board_second;

            fn best(
                &self,
                memory: &mut [u64],
                meter: &mut Meter<'_>,
                rng: &mut Rng,
                report: &mut dyn FnMut(&Report<'_, Self::Move>),
            ) -> Option<Self::Move> {
                self.monte_carlo(memory, meter, rng, Self::OPTIONS, report)
            }

            fn solution(
                &self,
                memory: &mut [u64],
                meter: &mut Meter<'_>,
            ) -> Result<Solution<Self::Move>, Unsolved> {
                no_solver(self, memory, meter)
            }
        }
    };
}

// Nodes are simulations here; `cargo bench -p corvid-benches --bench strength -- board` counts those
// of a board second.
engine_by_simulations!(
    Duo,
    1000,
    [(1, 91), (1, 73), (1, 53), (1, 37), (2, 20), (6, 9), (24, 3), (120, 0)]
);

engine_by_simulations!(
    Classic,
    530,
    [(1, 91), (1, 64), (1, 44), (2, 29), (4, 14), (13, 6), (45, 1), (140, 0)]
);
