//! Guessing how a game will end.

use super::kernels::{count, moves};
use super::stable::stable;
use crate::bitboard::Bitboard;

/// Guesses what a player will be ahead by at the end.
pub trait Evaluate {
    /// The guess for `own`, to move, in hundredths of a disc: less than 6,400 either way. Only for
    /// positions where the game goes on.
    fn evaluate(&self, own: Bitboard, opponent: Bitboard) -> i16;
}

/// An evaluation by a dozen plain facts, with 192 bytes of weights.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts;

/// The most that a guess says, in hundredths of a disc.
const LIMIT: i32 = 6399;

const CORNERS: Bitboard = Bitboard::CORNERS;

/// The middle four squares of the edges.
const EDGES: Bitboard = Bitboard::from_bits(0x3c00_8181_8181_003c);

/// What a choice of so many moves is worth: the first ones most.
static CHOICE: [u8; 16] = [0, 10, 16, 20, 23, 26, 28, 30, 32, 33, 34, 35, 36, 37, 38, 39];

/// How many facts there are.
const FACTS: usize = 12;

/// What each fact of [`facts`] counts in hundredths of a disc, by the empty squares: up to 8, 15,
/// 23, 30, 38, 45, 53 and 60. Fitted to tournament games, except that the opening's are set by
/// hand: corners are hardly ever taken there.
static WEIGHTS: [[i16; FACTS]; 8] = [
    [380, 6, -140, 41, -4, -113, -52, 110, 175, 1, 151, 1],
    [322, 4, -87, 174, -126, -168, -40, 115, 251, -14, 115, -144],
    [213, 22, -20, 293, -210, -166, 9, 129, 226, -48, 115, -261],
    [121, 55, 21, 383, -265, -127, 33, 145, 245, -73, 118, -322],
    [85, 80, 45, 833, -335, -116, 46, 131, 202, -92, 115, -352],
    [38, 100, 78, 1066, -500, -100, 54, 150, 200, -100, 128, -372],
    [20, 84, 84, 1100, -700, -100, 30, 150, 200, -84, 150, -347],
    [20, 60, 60, 1100, -700, -100, 30, 150, 200, -40, 50, 0],
];

/// The squares beside these corners on the edges, and those diagonally beside them.
const fn beside(corners: Bitboard) -> (Bitboard, Bitboard) {
    const LEFT: u64 = 0x0100_0000_0000_0001;
    let corners = corners.bits();
    let wide = (corners & LEFT) << 1 | (corners & !LEFT) >> 1;
    let top = 0xff;
    let tall = (corners & top) << 8 | (corners & !top) >> 8;
    let diagonal = (wide & top) << 8 | (wide & !top) >> 8;
    (Bitboard::from_bits(wide | tall), Bitboard::from_bits(diagonal))
}

/// What is weighed, own less opponent's.
fn facts(own: Bitboard, opponent: Bitboard) -> [i32; FACTS] {
    let empty = !(own | opponent);
    let difference = |set: Bitboard| count(own & set) - count(opponent & set);
    let (own_moves, opponent_moves) = (moves(own, opponent), moves(opponent, own));
    let (own_count, opponent_count) = (count(own_moves), count(opponent_moves));
    let choice = |count: i32| i32::from(CHOICE[(count as usize).min(CHOICE.len() - 1)]);
    let (c_squares, x_squares) = beside(empty & CORNERS);
    [
        own_count - opponent_count,
        choice(own_count) - choice(opponent_count),
        // Where moves may arise: empty squares beside the other's discs.
        count(opponent.and_around() & empty) - count(own.and_around() & empty),
        difference(CORNERS),
        difference(x_squares),
        difference(c_squares),
        difference(EDGES),
        count(stable(own, opponent)) - count(stable(opponent, own)),
        count(own_moves & CORNERS) - count(opponent_moves & CORNERS),
        difference(Bitboard::ALL),
        // Who moves with an odd number of squares left will have the last move.
        2 * (count(empty) & 1) - 1,
        // Having to move.
        1,
    ]
}

impl Evaluate for Facts {
    fn evaluate(&self, own: Bitboard, opponent: Bitboard) -> i16 {
        let empty = (!(own | opponent)).bits().count_ones() as usize;
        let weights = &WEIGHTS[(empty.saturating_sub(1) * 2 / 15).min(7)];
        let weighed = facts(own, opponent).into_iter().zip(weights);
        let sum: i32 = weighed.map(|(fact, weight)| fact * i32::from(*weight)).sum();
        sum.clamp(-LIMIT, LIMIT) as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::Rng;

    #[test]
    fn the_squares_beside_a_corner() {
        let a1 = Bitboard::from_bits(1);
        let all = Bitboard::from_picture(
            ". c . . . . c .
             c x . . . . x c
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .
             c x . . . . x c
             . c . . . . c .",
        )
        .unwrap();
        let (c_squares, x_squares) = beside(CORNERS);
        assert_eq!(c_squares | x_squares, all);
        assert_eq!(x_squares, Bitboard::from_bits(0x0042_0000_0000_4200));
        assert_eq!(beside(a1), (c_squares & a1.and_around(), x_squares & a1.and_around()));
    }

    /// All facts but the last two change sides with the discs.
    #[test]
    fn facts_are_differences_and_guesses_are_in_range() {
        let mut rng = Rng::new(3);
        let mut word = move || u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32());
        let mut set = move || Bitboard::from_bits(word());
        for _ in 0..10_000 {
            let (discs, filled) = (set(), set() | set());
            let (own, opponent) = (discs & filled, !discs & filled);
            let (one, other) = (facts(own, opponent), facts(opponent, own));
            assert!((0..FACTS - 2).all(|at| one[at] == -other[at]));
            assert!(i32::from(Facts.evaluate(own, opponent)).abs() < 6400);
        }
    }

    #[test]
    fn a_corner_is_worth_discs() {
        let start = crate::games::othello::Othello::START;
        let taken = Facts.evaluate(start.own | Bitboard::from_bits(1), start.opponent);
        assert!(taken > Facts.evaluate(start.own, start.opponent) + 500);
    }
}
