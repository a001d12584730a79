//! How Othello is searched before its endgame.

use super::endgame::{self, EndgameTable};
use super::eval::{Discs, Weighted, Weights, final_score, hash};
use super::kernels::{count, flips, moves};
use super::memory::{Stage, divide};
#[cfg(feature = "large")]
use super::patterns::Large;
use super::patterns::Small;
use super::stable::stable;
use super::{Move, Othello};
use crate::bitboard::Bitboard;
use crate::search::budget::Meter;
use crate::search::pvs::{Foretold, Found, INFINITE, POINT, Position, Search, Step, Techniques};
use crate::search::{Report, Think, Variety};

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

/// The squares that look at least so good, in ever larger sets.
const ORDER: [Bitboard; 5] = {
    const LEAST: [i16; 5] = [1000, 100, 20, 0, i16::MIN];
    let mut order = [Bitboard::EMPTY; 5];
    let mut place = 0;
    while place < order.len() {
        let (mut square, mut set) = (0, 0);
        while square < 64 {
            if LOOKS[square] >= LEAST[place] {
                set |= 1 << square;
            }
            square += 1;
        }
        order[place] = Bitboard::from_bits(set);
        place += 1;
    }
    order
};

/// From this depth on it pays to count the replies that a move leaves.
const COUNT_REPLIES: u8 = 3;

/// From this depth on it pays to guess what a move leads to.
const GUESS_REPLIES: u8 = 5;

/// The least depth that a shallow search may foretell.
const FORETOLD_FROM: u8 = 2;

/// How sure a shallow search must be to save the deep one, in hundredths of a standard deviation.
const CONFIDENCE: i32 = 100;

impl<L: Weighted> Position for Discs<'_, L> {
    type Move = Move;
    /// Selective search by shallow searches leaves nothing for it to gain.
    const REDUCES_LATE_MOVES: bool = false;
    const HAS_LAST_PLY: bool = true;

    fn for_each_move(&self, depth: u8, mut visit: impl FnMut(Move, i16)) {
        if self.targets.is_empty() && !moves(self.opponent, self.own).is_empty() {
            visit(Move::Pass, 0);
        }
        for square in self.targets {
            let mut looks = LOOKS[usize::from(square.index())];
            if depth >= GUESS_REPLIES {
                let mut child = self.clone();
                child.play(Move::Disc(square));
                looks = -child.value();
            } else if depth >= COUNT_REPLIES {
                let flipped = flips(square, self.own, self.opponent);
                let own = (self.own | flipped).with(square);
                looks -= 100 * count(moves(self.opponent & !flipped, own)) as i16;
            }
            visit(Move::Disc(square), looks);
        }
    }

    fn play(&mut self, mv: Move) -> Step {
        match mv {
            Move::Pass => self.pass(),
            Move::Disc(square) => {
                self.place(square.index(), flips(square, self.own, self.opponent));
            }
        }
        Step::TURN
    }

    fn plies_left(&self) -> u8 {
        self.empty
    }

    fn evaluate(&self) -> i16 {
        self.value()
    }

    fn evaluate_within(&self, alpha: i16, beta: i16) -> i16 {
        self.value_within(alpha, beta)
    }

    fn foretold(&self, depth: u8) -> Option<Foretold> {
        // Of the same parity, since guesses favour whoever moved last.
        const SHALLOW: [u8; 12] = [0, 1, 2, 1, 2, 3, 4, 3, 4, 5, 4, 5];
        let place = depth.checked_sub(FORETOLD_FROM)?;
        let shallow = *SHALLOW.get(usize::from(place)).unwrap_or(&6);
        let phase = match self.plies_left() {
            41.. => 75,
            31.. => 100,
            21.. => 120,
            _ => 145,
        };
        let deviation = phase * (150 + 55 * i32::from(depth - shallow)) / 100;
        Some(Foretold { depth: shallow, margin: (deviation * CONFIDENCE / 100) as i16 })
    }

    /// By discs that nobody can turn over any more. They are looked for only where there may be enough
    /// of them.
    fn bounds(&self, alpha: i16, beta: i16) -> (i16, i16) {
        let far = POINT * i16::from(2 * self.empty + 10);
        let stable = |own, opponent| POINT * (2 * count(stable(own, opponent)) - 64) as i16;
        if alpha >= far {
            (-INFINITE, -stable(self.opponent, self.own))
        } else if beta <= -far {
            (stable(self.own, self.opponent), INFINITE)
        } else {
            (-INFINITE, INFINITE)
        }
    }

    fn last_ply(
        &self,
        first: u8,
        alpha: i16,
        beta: i16,
        meter: &mut Meter<'_>,
    ) -> Option<(i16, u8)> {
        if !self.targets.is_empty() {
            return self.best_guess(first, alpha, beta, meter);
        }
        let pass = Self::index(Move::Pass);
        let mut next = self.clone();
        next.pass();
        if next.targets.is_empty() {
            return Some((self.final_value(), pass));
        }
        let (score, _) = next.best_guess(first, -beta, -alpha, meter)?;
        Some((-score, pass))
    }

    fn final_value(&self) -> i16 {
        final_score(self.own, self.opponent) as i16 * POINT
    }

    fn hash(&self) -> u64 {
        hash(self.own, self.opponent)
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

impl<L: Weighted> Discs<'_, L> {
    /// The best of the player's moves by the guesses for the positions after them: see
    /// [`Position::last_ply`]. There is a move.
    fn best_guess(
        &self,
        first: u8,
        mut alpha: i16,
        beta: i16,
        meter: &mut Meter<'_>,
    ) -> Option<(i16, u8)> {
        let first = Bitboard::from_bits(1u64.checked_shl(first.into()).unwrap_or(0));
        let mut best = (i16::MIN, 0);
        let mut rest = self.targets;
        for set in [first].into_iter().chain(ORDER) {
            for square in rest & set {
                if !meter.tick() {
                    return None;
                }
                let mut child = self.clone();
                child.play(Move::Disc(square));
                let score = -child.value_within(-beta, -alpha);
                if score > best.0 {
                    best = (score, square.index());
                    alpha = alpha.max(score);
                    if score >= beta {
                        return Some(best);
                    }
                }
            }
            rest &= !set;
        }
        Some(best)
    }
}

/// With fewer discs on the board play varies more: ten plies.
const OPENING_DISCS: u32 = 14;

/// About how many positions the endgame search looks at from so many empty squares: three thousand
/// from 12, and 1.9 times as many for every further one.
fn nodes_to_the_end(empty: u8) -> u64 {
    let mut nodes = 3_000;
    for _ in 12..empty {
        nodes = u64::saturating_mul(nodes, 19) / 10;
    }
    for _ in empty..12 {
        nodes = nodes * 10 / 19;
    }
    nodes
}

/// The share of the budget that is spent on guesses before the end is searched.
const FIRST_SHARE: u64 = 6;

/// With more empty squares it is first found out who wins, which is much faster than by how much.
const WIN_FIRST: u32 = 10;

/// How many plies ahead the positions are that a search guesses: weights are blended for them.
pub const AHEAD: u32 = 8;

impl Othello {
    /// Looks deeper and deeper; up to a share of the budget, if the end is within its rest.
    fn look<L: Weighted>(
        &self,
        weights: &[i8],
        table: &mut [u64],
        meter: &mut Meter<'_>,
        (techniques, variety): (Techniques, Variety),
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Found<Move>> {
        let discs = Discs::<L>::new(self.own, self.opponent, weights);
        let to_the_end = nodes_to_the_end(discs.plies_left());
        let all = meter.nodes_left();
        let mut plan = |last: u8, left: u64| {
            let is_enough = last > 0 && left <= all - all / FIRST_SHARE;
            if is_enough && to_the_end <= left { None } else { Some(last + 1) }
        };
        let mut search = Search::with_techniques(table, meter, techniques).varied(variety);
        search.go(&discs, &mut plan, report)
    }

    /// The move of a search with some of its techniques before the endgame.
    #[doc(hidden)]
    pub fn think_with(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        search: (Techniques, Variety),
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Move> {
        let empty = self.empty().len();
        let (weights, table) = divide(memory, Stage::Middle, empty.saturating_sub(AHEAD));
        let found = match weights {
            Weights::Small(weights) => self.look::<Small>(weights, table, meter, search, report),
            #[cfg(feature = "large")]
            Weights::Large(weights) => self.look::<Large>(weights, table, meter, search, report),
        }?;
        if found.exact || meter.is_over() || self.targets().is_empty() {
            return Some(found.best);
        }
        let (weights, table) = divide(memory, Stage::End, empty.saturating_sub(AHEAD));
        let table = EndgameTable::new(table);
        let mut best = found.best;
        let mut window = if empty > WIN_FIRST { (-1, 1) } else { (-64, 64) };
        loop {
            let (alpha, beta) = window;
            let Some((score, square)) =
                endgame::search_helped(self, alpha, beta, weights, table, meter)
            else {
                break;
            };
            let is_exact = (score > alpha || alpha == -64) && (score < beta || beta == 64);
            // Of a bound from above no move is known that reaches it.
            if (score > alpha || is_exact)
                && let Some(square) = square
            {
                best = Move::Disc(square);
            }
            if is_exact {
                report(&Report {
                    depth: empty as u8,
                    score,
                    exact: true,
                    nodes: meter.nodes(),
                    percent: meter.percent(),
                    line: &[best],
                });
                break;
            }
            window = if score > 0 { (0, 64) } else { (-64, 0) };
        }
        Some(best)
    }
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
        self.think_with(memory, meter, (Techniques::ALL, variety), report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::mix::Rng;
    use crate::player::Player;
    use crate::search::Solve;
    use crate::search::budget::Budget;
    use std::vec;
    use std::vec::Vec;

    fn moves_of(game: &Othello) -> Vec<Move> {
        let mut moves = Vec::new();
        game.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// Positions of random games that satisfy a condition, one a game.
    fn positions(count: usize, is_wanted: impl Fn(&Othello) -> bool) -> Vec<Othello> {
        let mut rng = Rng::new(7);
        let mut found = Vec::new();
        while found.len() < count {
            let mut game = Othello::START;
            while !game.is_over() && !is_wanted(&game) {
                let moves = moves_of(&game);
                game.play(moves[rng.below(moves.len() as u32) as usize]);
            }
            if !game.is_over() {
                found.push(game);
            }
        }
        found
    }

    fn after(game: &Othello, mv: Move) -> Othello {
        let mut next = *game;
        next.play(mv);
        next
    }

    fn think(game: &Othello, nodes: u64) -> (Move, u8) {
        let mut depth = 0;
        let mut meter = Meter::new(Budget::nodes(nodes));
        let mv = game.think(&mut vec![0; 4096], &mut meter, &mut |report| depth = report.depth);
        (mv.unwrap(), depth)
    }

    #[test]
    fn a_game_that_ends_at_once_is_counted() {
        let wipes_out = |game: &Othello, mv| {
            let next = after(game, mv);
            next.discs(next.turn()).is_empty()
        };
        let wanted = |game: &Othello| {
            let moves = moves_of(game);
            moves.len() < 10 && moves.iter().any(|mv| wipes_out(game, *mv))
        };
        for game in positions(40, wanted) {
            assert!(wipes_out(&game, think(&game, 10).0), "{game:?}");
        }
    }

    #[test]
    fn a_few_nodes_solve_the_last_squares() {
        for game in positions(50, |game| game.empty().len() == 5) {
            let mut meter = Meter::new(Budget::UNLIMITED);
            let best = game.solve(&mut [], &mut meter).unwrap().score;
            let next = after(&game, think(&game, 150).0);
            let rest = next.solve(&mut [], &mut meter).unwrap().score;
            let score = if next.turn() == game.turn() { rest } else { -rest };
            assert_eq!(score, best, "{game:?}");
        }
    }

    /// Where the end turns out to be too far, the move is that of a search as deep as usual.
    #[test]
    fn an_endgame_that_is_not_finished_leaves_a_good_move() {
        for game in positions(30, |game| game.empty().len() == 15) {
            let (_, depth) = think(&game, 20_000);
            assert!(depth >= 6, "{depth} {game:?}");
        }
    }

    #[test]
    fn a_move_comes_out_of_any_memory_and_budget() {
        let mut game = Othello::START;
        for slots in [0, 1, 2, 1000, 8192] {
            for nodes in [0, 1, 500] {
                let mut meter = Meter::new(Budget::nodes(nodes));
                let mv = game.think(&mut vec![0; slots], &mut meter, &mut |_| {}).unwrap();
                assert_eq!(game.check(mv), Ok(()));
                game.play(mv);
            }
        }
        assert_eq!(game.score(Player::FIRST) + game.score(Player::FIRST.other()), 19);
    }
}
