//! Searching games: what a search is given, and what it tells.
//!
//! Memory and budget come from the caller. A game that can be searched implements [`Think`]; one
//! whose endgames can be worked out exactly implements [`Solve`].

pub(crate) mod ablation;
pub mod budget;
pub mod helper;
pub mod pvs;
pub(crate) mod table;
mod variety;

pub use variety::Variety;

use crate::game::Game;
use budget::Meter;

/// What a search knows after an iteration.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a, M> {
    /// Plies looked ahead everywhere.
    pub depth: u8,
    /// For the player to move: points at the end if `exact`, else in hundredths of a point as the
    /// game's evaluation guesses them.
    pub score: i16,
    /// Whether the score is proven.
    pub exact: bool,
    /// Positions looked at so far.
    pub nodes: u64,
    /// How much of the budget is used, in hundredths.
    pub percent: u8,
    /// The moves that both sides are expected to play, the best move first.
    pub line: &'a [M],
}

/// The longest line that is told, in moves.
pub const LINE: usize = 8;

impl<M> Report<'_, M> {
    /// The same with the moves in another form.
    pub fn with_line<'b, N>(&self, line: &'b [N]) -> Report<'b, N> {
        let Self { depth, score, exact, nodes, percent, .. } = *self;
        Report { depth, score, exact, nodes, percent, line }
    }
}

/// A game that a search can play.
pub trait Think: Game {
    /// How much worse than the best, in hundredths of a point, a move may look in this position and
    /// still be chosen by play that varies. More in the first plies, where guesses are rough and
    /// games part; `cargo bench -p corvid-benches --bench strength -- variety` measures the cost.
    fn margin(&self) -> u16;

    /// A good move within the budget; `None` only when the game is over. Any memory will do, also
    /// none; more makes it stronger. Calls `report` after every iteration.
    fn think(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        report: &mut dyn FnMut(&Report<'_, Self::Move>),
    ) -> Option<Self::Move> {
        self.think_varied(memory, meter, Variety::NONE, report)
    }

    /// The same, by lot among moves of nearly equal value.
    fn think_varied(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        variety: Variety,
        report: &mut dyn FnMut(&Report<'_, Self::Move>),
    ) -> Option<Self::Move>;
}

/// What a solver found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solution<M> {
    /// What the player to move will be ahead by at the end, with right play of both. In Dots and
    /// Boxes only boxes that are still to be taken count.
    pub score: i16,
    /// A move that leads there; `None` when the game is over.
    pub best: Option<M>,
}

/// A game whose positions near the end can be worked out exactly.
pub trait Solve: Game {
    /// Whether a [`Solution`] leaves out the points that were made before.
    const FROM_HERE_ON: bool = false;

    /// Works the position out; `None` when the budget does not reach. Any memory will do, also
    /// none; more makes it faster.
    fn solve(&self, memory: &mut [u64], meter: &mut Meter<'_>) -> Option<Solution<Self::Move>>;

    /// What a legal move leads to, for the player who makes it.
    fn solve_move(&self, mv: Self::Move, memory: &mut [u64], meter: &mut Meter<'_>) -> Option<i16> {
        let mut child = self.clone();
        child.play(mv);
        let rest = child.solve(memory, meter)?.score;
        let own = self.turn();
        let made = if Self::FROM_HERE_ON { child.score(own) - self.score(own) } else { 0 };
        Some(if child.turn() == own { made + rest } else { made - rest })
    }
}
