//! How Othello is searched before its endgame.

use super::endgame::{self, EndgameTable};
use super::eval::{Evaluate, Facts};
use super::kernels::{flips, moves};
use super::{Move, Othello};
use crate::bitboard::Bitboard;
use crate::mix::mix_in;
use crate::search::budget::Meter;
use crate::search::pvs::{POINT, Position, Search, Step};
use crate::search::{Report, Think, Variety};

/// The discs as the player to move sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Discs {
    own: Bitboard,
    opponent: Bitboard,
}

/// How good a square looks before anything is known: corners first, the squares beside an empty
/// corner last.
const LOOKS: [i16; 64] = {
    // A quarter of the board by (column, row) from its corner; the rest is mirrored.
    const QUARTER: [[i16; 4]; 4] =
        [[1000, -300, 100, 50], [-300, -500, -50, -50], [100, -50, 20, 0], [50, -50, 0, 0]];
    let mut looks = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (square % 8, square / 8);
        let column = if column < 4 { column } else { 7 - column };
        let row = if row < 4 { row } else { 7 - row };
        looks[square] = QUARTER[row][column];
        square += 1;
    }
    looks
};

/// From this depth on it pays to count the replies that a move leaves.
const COUNT_REPLIES: u8 = 3;

impl Position for Discs {
    type Move = Move;

    fn for_each_move(&self, depth: u8, mut visit: impl FnMut(Move, i16)) {
        let targets = moves(self.own, self.opponent);
        if targets.is_empty() && !moves(self.opponent, self.own).is_empty() {
            visit(Move::Pass, 0);
        }
        for square in targets {
            let mut looks = LOOKS[usize::from(square.index())];
            if depth >= COUNT_REPLIES {
                let mut child = *self;
                child.play(Move::Disc(square));
                let replies = moves(child.own, child.opponent).bits().count_ones() as i16;
                looks -= replies * 100;
            }
            visit(Move::Disc(square), looks);
        }
    }

    fn play(&mut self, mv: Move) -> Step {
        let Self { own, opponent } = *self;
        *self = match mv {
            Move::Pass => Self { own: opponent, opponent: own },
            Move::Disc(square) => {
                let flipped = flips(square, own, opponent);
                Self { own: opponent & !flipped, opponent: (own | flipped).with(square) }
            }
        };
        Step::TURN
    }

    fn plies_left(&self) -> u8 {
        (!(self.own | self.opponent)).len() as u8
    }

    fn evaluate(&self) -> i16 {
        Facts.evaluate(self.own, self.opponent)
    }

    fn final_value(&self) -> i16 {
        let (own, opponent) = (self.own.len() as i16, self.opponent.len() as i16);
        let empty = 64 - own - opponent;
        (own - opponent + empty * (own - opponent).signum()) * POINT
    }

    fn hash(&self) -> u64 {
        mix_in(self.own.bits(), self.opponent.bits())
    }

    fn index(mv: Move) -> u8 {
        match mv {
            Move::Pass => 64,
            Move::Disc(square) => square.index(),
        }
    }

    fn is_pass(mv: Move) -> bool {
        mv == Move::Pass
    }
}

/// With fewer discs on the board play varies more: ten plies.
const OPENING_DISCS: u32 = 14;

/// Looked at before the rest of the budget is judged.
const FIRST_DEPTHS: u8 = 4;

/// About how many positions the endgame search looks at from so many empty squares.
fn nodes_to_the_end(empty: u8) -> u64 {
    // Measured: some 3,000 from 12 and 10,000 from 14.
    (12..empty).fold(4_000, |nodes: u64, _| nodes.saturating_mul(2))
}

impl Think for Othello {
    fn margin(&self) -> u16 {
        if (self.own | self.opponent).len() < OPENING_DISCS { 300 } else { 50 }
    }

    fn think_varied(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        variety: Variety,
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Move> {
        let discs = Discs { own: self.own, opponent: self.opponent };
        let empty = discs.plies_left();
        let mut solvable = false;
        let mut plan = |last, nodes_left| {
            solvable = last >= FIRST_DEPTHS && nodes_to_the_end(empty) <= nodes_left;
            if solvable { None } else { Some(last + 1) }
        };
        let found = Search::new(memory, meter).varied(variety).go(&discs, &mut plan, report)?;
        if solvable && !found.exact {
            let mut table = EndgameTable::new(memory);
            if let Some((score, Some(square))) = endgame::search(self, -64, 64, &mut table, meter) {
                let best = Move::Disc(square);
                report(&Report {
                    depth: empty,
                    score,
                    exact: true,
                    nodes: meter.nodes(),
                    percent: meter.percent(),
                    line: &[best],
                });
                return Some(best);
            }
        }
        Some(found.best)
    }
}
