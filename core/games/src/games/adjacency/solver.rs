//! The exact end of a game that fills the board.
//!
//! What is left to win depends on the empty squares alone, and a move wins the squares that it
//! settles: those with no other empty square on or beside them. An empty square that shares none of
//! them with another is *isolated*. It is worth its 5, 4 or 3 squares to whoever moves there, at any
//! time, which takes most of the isolated ones out of the search ([`Tangle`]).
//!
//! For the same reason a position differs little from the one after a move: with `g` won by it,
//! `g - V(after) <= V <= 10 - g - V(after)`. Add an isolated square of 5 to see the second part: taking
//! it is best, so no other move is better.

use core::marker::PhantomData;

use heapless::Vec;

use super::engine::{at_least, count_around};
use crate::bitboard::Bitboard;
use crate::mix::mix;
use crate::search::ablation::{Everything, Uses};
use crate::search::budget::Meter;
use crate::search::pvs::MAX_PLY;
use crate::search::table::Table;
use crate::square::Square;

/// The most squares that a move can win.
const MOST: i8 = 5;

/// Squares off the edge.
const INNER: Bitboard = Bitboard::from_bits(0x007e_7e7e_7e7e_7e00);

/// Parts of the solver that can be left out: see `search/ablation.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Techniques {
    /// Isolated squares of 5 are taken without a search.
    fives: bool,
    /// Pairs of isolated squares cancel.
    pairs: bool,
    /// Entries keep both limits.
    two_limits: bool,
    /// Children in the table give limits.
    children: bool,
    /// A position is not much better than the one after a move is good.
    upper_limit: bool,
}

impl Techniques {
    const ALL: Self =
        Self { fives: true, pairs: true, two_limits: true, children: true, upper_limit: true };
}

impl Uses<Techniques> for Everything {
    const TECHNIQUES: Techniques = Techniques::ALL;
}

/// The empty squares that need a search.
///
/// Isolated squares of 5 are taken at once: no other move can win more, now or later, and none of
/// them becomes worse by waiting. Two isolated squares of the same worth cancel: whoever takes one
/// leaves the other. So there is at most one isolated square of 4 here and one of 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tangle {
    empty: Bitboard,
    /// Whether an odd number of fives is taken first, so that the other player moves here.
    five: bool,
}

impl Tangle {
    #[inline(never)]
    fn new<T: Uses<Techniques>>(mut empty: Bitboard) -> Self {
        let [_, two, _] = at_least(empty);
        let isolated = empty & !(two | two.neighbours());
        let mut fives = isolated & INNER;
        if !T::TECHNIQUES.fives {
            fives = Bitboard::EMPTY;
        }
        empty &= !fives;
        for kind in [Bitboard::CORNERS, !(INNER | Bitboard::CORNERS)] {
            let same = isolated & kind;
            if T::TECHNIQUES.pairs
                && let Some(one) = same.first()
            {
                empty &= !same;
                if same.len() % 2 == 1 {
                    empty.insert(one);
                }
            }
        }
        Self { empty, five: fives.len() % 2 == 1 }
    }

    /// What a value here is worth to the player who moves before the fives are taken.
    const fn before_fives(&self, value: i8) -> i8 {
        if self.five { MOST - value } else { value }
    }

    /// a8 is never empty: with it, a key is none of the other search's.
    #[inline(never)]
    fn hash(&self) -> u64 {
        mix(self.empty.bits() | 1 << 56)
    }
}

/// What the table remembers: limits of the value, and the move that reaches the lower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    low: i8,
    high: i8,
    best: u8,
    /// How many squares are empty.
    size: u8,
}

impl Entry {
    const NO_MOVE: u8 = 255;

    const fn pack(self) -> u32 {
        u32::from_le_bytes([self.low as u8, self.high as u8, self.best, self.size])
    }

    const fn unpack(data: u32) -> Self {
        let [low, high, best, size] = data.to_le_bytes();
        Self { low: low as i8, high: high as i8, best, size }
    }

    /// The limit that tells whether the value is at least `wanted`, if one does.
    const fn answer(&self, wanted: i8) -> Option<i8> {
        match () {
            () if self.low >= wanted => Some(self.low),
            () if self.high < wanted => Some(self.high),
            () => None,
        }
    }

    /// Takes in what is known about the position after a move.
    #[inline(never)]
    fn learn<T: Uses<Techniques>>(&mut self, square: Square, gain: i8, low: i8, high: i8) {
        if gain - high > self.low {
            self.low = gain - high;
            self.best = square.index();
        }
        if T::TECHNIQUES.upper_limit {
            self.high = self.high.min(2 * MOST - gain - low);
        }
    }

    /// Those with many empty squares are dear.
    const fn worth(data: u32) -> u32 {
        data >> 24
    }
}

/// The search was ended by its budget.
#[derive(Debug)]
struct Stopped;

/// A solver with its memory.
#[derive(Debug)]
pub(super) struct Solver<'a, 'b, T = Everything> {
    table: Table<'a, 32>,
    meter: &'a mut Meter<'b>,
    techniques: PhantomData<T>,
}

impl<'a, 'b> Solver<'a, 'b> {
    /// A solver on this memory. What an earlier one left there is of use.
    pub(super) fn new(memory: &'a mut [u64], meter: &'a mut Meter<'b>) -> Self {
        Self { table: Table::new(memory), meter, techniques: PhantomData }
    }
}

#[expect(private_bounds, reason = "only this file chooses techniques")]
impl<T: Uses<Techniques>> Solver<'_, '_, T> {
    /// What the player to move wins more than the other from here on, and a move that does it.
    /// `None` if the board is full or the budget or the stack does not suffice.
    pub(super) fn solve(&mut self, empty: Bitboard) -> Option<(i8, Square)> {
        let tangle = Tangle::new::<T>(empty);
        if tangle.empty.len() >= MAX_PLY as u32 {
            return None;
        }
        // Without anything to search the first of the largest is best, and any move if all lose the
        // same.
        let [one, two, _] = at_least(empty);
        let ones = one & !two;
        let mut best = empty.iter().max_by_key(|square| count_around(ones, *square))?;
        let [one, ..] = at_least(tangle.empty);
        let open = one.len() as i8;
        let (mut low, mut high) = (-open, open);
        // All values have the parity of what is left to win.
        let mut wanted = low & 1;
        while low < high {
            let (value, square) = self.node(&tangle, wanted).ok()?;
            if value >= wanted {
                (low, wanted) = (value, value + 2);
                // An isolated five comes before everything else.
                if !tangle.five {
                    best = Square::from_index(square.into()).unwrap_or(best);
                }
            } else {
                (high, wanted) = (value, value - ((value ^ open) & 1));
            }
        }
        Some((tangle.before_fives(low), best))
    }

    /// The value, or a limit of it that tells whether it is at least `wanted`; and a move that
    /// reaches it if it is.
    fn node(&mut self, tangle: &Tangle, mut wanted: i8) -> Result<(i8, u8), Stopped> {
        if !self.meter.tick() {
            return Err(Stopped);
        }
        let empty = tangle.empty;
        let [one, two, three] = at_least(empty);
        // All that can still be won.
        let open = one.len() as i8;
        // A square with one empty square around is settled by a move there; with two, a move offers
        // it to the other player.
        let (ones, twos) = (one & !two, two & !three);
        if empty.len() <= 2 {
            // The first of the last two takes what only it can settle, the second one the rest.
            let ranked =
                empty.iter().map(|square| (count_around(ones, square) as i8, square.index()));
            let (most, best) = ranked.max().unwrap_or((0, Entry::NO_MOVE));
            return Ok((2 * most - open, best));
        }
        wanted += (wanted ^ open) & 1;
        let hash = tangle.hash();
        let known = self.table.get(hash).map(Entry::unpack);
        let new = Entry { low: -open, high: open, best: Entry::NO_MOVE, size: empty.len() as u8 };
        let mut entry = known.unwrap_or(new);
        if let Some(value) = entry.answer(wanted) {
            return Ok((value, entry.best));
        }
        let mut moves: Vec<(Square, i8), MAX_PLY> = Vec::new();
        for square in empty {
            let gain = count_around(ones, square) as i8;
            let child = Tangle::new::<T>(empty.without(square));
            if T::TECHNIQUES.children
                && let Some(after) = self.table.get(child.hash()).map(Entry::unpack)
            {
                let (one, other) = (child.before_fives(after.low), child.before_fives(after.high));
                entry.learn::<T>(square, gain, one.min(other), one.max(other));
                if let Some(value) = entry.answer(wanted) {
                    return Ok((value, entry.best));
                }
            }
            let first = known.is_some_and(|known| known.best == square.index());
            let offered = count_around(twos, square) as i8;
            let five = if child.five { 3 } else { 0 };
            let rank = if first { i8::MAX } else { 2 * gain - offered + five };
            // There is room: the root has fewer empty squares.
            let _ = moves.push((square, rank));
        }
        let mut highest = -open;
        while let Some(square) = take_best(&mut moves) {
            let gain = count_around(ones, square) as i8;
            let child = Tangle::new::<T>(empty.without(square));
            let after = if child.five {
                MOST - self.node(&child, MOST - gain + wanted)?.0
            } else {
                self.node(&child, gain - wanted + 1)?.0
            };
            let value = gain - after;
            highest = highest.max(value);
            let rest = open - gain;
            if value >= wanted {
                entry.learn::<T>(square, gain, -rest, after);
            } else {
                entry.learn::<T>(square, gain, after, rest);
            }
            if entry.answer(wanted).is_some() {
                break;
            }
        }
        if moves.is_empty() && entry.low < wanted {
            entry.high = entry.high.min(highest);
        }
        if !T::TECHNIQUES.two_limits {
            entry = match entry.low >= wanted {
                true => Entry { high: open, ..entry },
                false => Entry { low: -open, ..entry },
            };
        }
        self.table.put(hash, entry.pack(), Entry::worth);
        Ok((if entry.low >= wanted { entry.low } else { entry.high }, entry.best))
    }
}

/// Takes the move with the highest rank out of a list.
#[inline(always)]
fn take_best(moves: &mut Vec<(Square, i8), MAX_PLY>) -> Option<Square> {
    let last = *moves.last()?;
    let best = moves.iter_mut().max_by_key(|(_, rank)| *rank)?;
    let (square, _) = core::mem::replace(best, last);
    moves.pop();
    Some(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::random;
    use crate::game::Game;
    use crate::games::adjacency::Adjacency;
    use crate::mix::Rng;
    use crate::search::ablation::without;
    use crate::search::budget::Budget;
    use std::collections::BTreeMap;
    use std::vec;

    without! {
        NoFives: fives;
        NoPairs: pairs;
        OneLimit: two_limits;
        NoChildren: children;
        NoUpperLimit: upper_limit;
    }

    /// The empty squares of a random game when this many are left.
    fn random_squares(squares: u32, rng: &mut Rng) -> Bitboard {
        let mut game = Adjacency::default();
        while game.empty().len() > squares {
            let mv = random(&game, rng).unwrap();
            game.play(mv);
        }
        game.empty()
    }

    fn open(empty: Bitboard) -> i8 {
        (empty | empty.neighbours()).len() as i8
    }

    /// Every order of moves, each set of squares once.
    fn minimax(empty: Bitboard, known: &mut BTreeMap<u64, i8>) -> i8 {
        if let Some(value) = known.get(&empty.bits()) {
            return *value;
        }
        let moves = empty.iter().map(|square| value_of(empty, square, known));
        let value = moves.max().unwrap_or(0);
        known.insert(empty.bits(), value);
        value
    }

    fn value_of(empty: Bitboard, square: Square, known: &mut BTreeMap<u64, i8>) -> i8 {
        let rest = empty.without(square);
        open(empty) - open(rest) - minimax(rest, known)
    }

    fn solve<T: Uses<Techniques>>(empty: Bitboard, slots: usize) -> (i8, Square, u64) {
        let mut meter = Meter::new(Budget::UNLIMITED);
        let mut memory = vec![0; slots];
        let table = Table::new(&mut memory);
        let mut solver = Solver::<T> { table, meter: &mut meter, techniques: PhantomData };
        let (value, best) = solver.solve(empty).unwrap();
        (value, best, meter.nodes())
    }

    #[test]
    fn values_and_moves_are_those_of_minimax_with_any_table() {
        let mut rng = Rng::new(1);
        for round in 0..240 {
            let empty = random_squares(1 + round % 12, &mut rng);
            let known = &mut BTreeMap::new();
            let value = minimax(empty, known);
            for slots in [0, 1, 2, 3, 100, 4096] {
                let (found, best, _) = solve::<Everything>(empty, slots);
                assert_eq!(found, value, "{empty:?}");
                assert_eq!(value_of(empty, best, known), value, "{empty:?} {best}");
                if empty.len() > 9 && slots < 100 {
                    break;
                }
            }
        }
    }

    #[test]
    fn no_technique_changes_a_value() {
        let mut rng = Rng::new(2);
        for _ in 0..60 {
            let empty = random_squares(11, &mut rng);
            let value = solve::<Everything>(empty, 512).0;
            for other in [
                solve::<NoFives>(empty, 512),
                solve::<NoPairs>(empty, 512),
                solve::<OneLimit>(empty, 512),
                solve::<NoChildren>(empty, 512),
                solve::<NoUpperLimit>(empty, 512),
            ] {
                assert_eq!(other.0, value, "{empty:?}");
            }
        }
    }

    /// `cargo test -p corvid-games --lib saves -- --nocapture` prints what docs/search.md tells.
    #[test]
    fn what_each_technique_saves() {
        fn mean<T: Uses<Techniques>>(name: &str) -> u64 {
            let mut rng = Rng::new(4);
            let nodes: u64 =
                (0..100).map(|_| solve::<T>(random_squares(14, &mut rng), 4096).2).sum();
            std::println!("adjacency, 14 empty, 32 KB, without {name}: {} nodes", nodes / 100);
            nodes / 100
        }
        let all = mean::<Everything>("nothing");
        for without in [
            mean::<NoFives>("taking fives"),
            mean::<NoPairs>("cancelling pairs"),
            mean::<OneLimit>("a second limit in an entry"),
            mean::<NoChildren>("children in the table"),
            mean::<NoUpperLimit>("the upper limit"),
        ] {
            assert!(without >= all);
        }
    }

    #[test]
    fn isolated_squares_need_no_search() {
        let squares = |text: &str| text.split(' ').filter_map(Square::parse).collect();
        for (empty, value, best) in [
            ("a1", 3, "a1"),
            ("a1 e1", 1, "e1"),
            ("a1 d5 e1", 4, "d5"),
            ("d5 g5", 0, "g5"),
            ("c3 f3 c6 f6", 0, "f6"),
        ] {
            let (found, square, nodes) = solve::<Everything>(squares(empty), 0);
            assert_eq!(found, value, "{empty}");
            assert_eq!(Some(square), Square::parse(best), "{empty}");
            assert!(nodes <= 2, "{empty}: {nodes} nodes");
        }
    }

    #[test]
    fn a_spent_budget_and_a_full_board_have_no_solution() {
        let empty = random_squares(16, &mut Rng::new(3));
        let mut meter = Meter::new(Budget::nodes(100));
        assert_eq!(Solver::new(&mut [0; 64], &mut meter).solve(empty), None);
        let mut meter = Meter::new(Budget::UNLIMITED);
        assert_eq!(Solver::new(&mut [], &mut meter).solve(Bitboard::EMPTY), None);
    }
}
