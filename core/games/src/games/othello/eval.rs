//! Guessing how a game will end: learnt weights of patterns, of both players' choice of moves, and
//! of who has the last move.
//!
//! Weights are eighths of a disc. There are two of everything, for few and for many empty squares.
//! A search blends them once, for the positions that it will guess, into memory of its own: so a
//! guess looks at one table, and that lies in RAM.

use super::kernels::{count, moves};
#[cfg(feature = "large")]
use super::patterns::Large;
use super::patterns::{self, Layout, Numbers, Side, Small};
use crate::bitboard::Bitboard;
use crate::mix::mix;

/// Guesses what a player will be ahead by at the end.
pub trait Evaluate {
    /// The guess for `own`, to move, in hundredths of a disc: less than 6,400 either way. Only for
    /// positions where the game goes on.
    fn evaluate(&self, own: Bitboard, opponent: Bitboard) -> i16;
}

/// The most that a guess says, in hundredths of a disc.
const LIMIT: i32 = 6399;

/// The most that the opponent's choice is reckoned with, in eighths of a disc.
const CHOICE: i32 = 64;

/// From so many moves on a player's choice is worth the same.
pub const MOST_MOVES: usize = 31;

/// The weights that every layout has: for 0 to [`MOST_MOVES`] moves of the player to move, and of the
/// other; and for an even and an odd number of empty squares.
pub const OTHERS: usize = 2 * (MOST_MOVES + 1) + 2;

/// The empty squares at which the first of two weights counts alone, and the second.
pub const PHASES: [u32; 2] = [6, 54];

/// The weights of a layout by phase.
type Learnt<const SIZE: usize> = [[i8; SIZE]; 2];

/// Reads a file of weights: a line that says what they are for, then the weights of the first phase
/// and those of the second. Another layout's file is an error of the build.
const fn learnt<const SIZE: usize>(file: &[u8], layout: &str) -> Learnt<SIZE> {
    let layout = layout.as_bytes();
    let mut at = 0;
    while at < layout.len() {
        assert!(file[at] == layout[at], "these weights are of another layout");
        at += 1;
    }
    while file[at] != b'\n' {
        at += 1;
    }
    at += 1;
    assert!(file.len() == at + 2 * SIZE, "the weights of a layout must be as many as its entries");
    let mut learnt = [[0; SIZE]; 2];
    let mut phase = 0;
    while phase < 2 {
        let mut entry = 0;
        while entry < SIZE {
            learnt[phase][entry] = file[at] as i8;
            (entry, at) = (entry + 1, at + 1);
        }
        phase += 1;
    }
    learnt
}

/// A layout with weights.
pub trait Weighted: Layout {
    /// The weights of a phase.
    const SIZE: usize = patterns::entries(Self::SHAPES) + OTHERS;
    /// The memory that a search's blend of them takes.
    const BLENDED: usize = OTHERS + patterns::spread_entries(Self::SHAPES);
    /// The name in the file of weights.
    const NAME: &'static str;
    /// The weights by phase.
    fn learnt() -> [&'static [i8]; 2];
}

static SMALL: Learnt<{ Small::SIZE }> = learnt(include_bytes!("weights/small.bin"), Small::NAME);

impl Weighted for Small {
    const NAME: &'static str = "small";

    fn learnt() -> [&'static [i8]; 2] {
        [&SMALL[0], &SMALL[1]]
    }
}

#[cfg(feature = "large")]
static LARGE: Learnt<{ Large::SIZE }> = learnt(include_bytes!("weights/large.bin"), Large::NAME);

#[cfg(feature = "large")]
impl Weighted for Large {
    const NAME: &'static str = "large";

    fn learnt() -> [&'static [i8]; 2] {
        [&LARGE[0], &LARGE[1]]
    }
}

/// The weights for positions with about so many empty squares, blended into memory that is large
/// enough. Without it only those besides the patterns count, of the nearer phase.
pub(super) fn blend<L: Weighted>(empty: u32, memory: Option<&mut [i8]>) -> &[i8] {
    let [near, far] = L::learnt();
    let Some(blended) = memory else {
        let nearer = if 2 * empty < PHASES[0] + PHASES[1] { near } else { far };
        return nearer.get(const { patterns::entries(L::SHAPES) }..).unwrap_or(&[]);
    };
    blend_into::<L>(blended, [near, far], empty);
    blended
}

/// Blends the weights of both phases for positions with so many empty squares: first those besides the
/// patterns, then the patterns'.
pub fn blend_into<L: Weighted>(blended: &mut [i8], [near, far]: [&[i8]; 2], empty: u32) {
    let share = (empty.clamp(PHASES[0], PHASES[1]) - PHASES[0]) as i32;
    let mut weights = near
        .iter()
        .zip(far)
        .map(|(near, far)| mean((SPAN - share) * i32::from(*near) + share * i32::from(*far)));
    let Some((others, patterns)) = blended.split_at_mut_checked(OTHERS) else { return };
    patterns::spread::<L>(patterns, &mut weights);
    for (other, weight) in others.iter_mut().zip(weights) {
        *other = weight;
    }
}

/// The squares from one phase to the other.
const SPAN: i32 = (PHASES[1] - PHASES[0]) as i32;

/// A sum of [`SPAN`] weights divided by their number, rounded to the nearest. A product and a shift, since
/// a Cortex-M0+ has no instruction that divides, and there are thousands of weights.
fn mean(sum: i32) -> i8 {
    /// One more than the quotient of `1 << SHIFT`, which is exact enough for all sums: a test has them all.
    const INVERSE: u32 = (1 << SHIFT) / SPAN as u32 + 1;
    const SHIFT: u32 = 20;
    // No sum is below this one.
    let least = SPAN * i32::from(i8::MIN);
    let above = (sum + SPAN / 2 - least) as u32;
    (((above * INVERSE) >> SHIFT) as i32 + i32::from(i8::MIN)) as i8
}

/// The discs as the player to move sees them, with what a guess needs of them.
#[derive(Debug)]
pub(super) struct Discs<'w, L: Layout> {
    pub(super) own: Bitboard,
    pub(super) opponent: Bitboard,
    /// The moves of the player to move.
    pub(super) targets: Bitboard,
    /// How many squares are empty.
    pub(super) empty: u8,
    side: Side,
    numbers: Numbers<L>,
    weights: &'w [i8],
}

impl<L: Layout> Clone for Discs<'_, L> {
    /// Field by field: on a Cortex-M the whole would be copied by a call that takes four times as long.
    #[inline(never)]
    fn clone(&self) -> Self {
        Self { numbers: self.numbers, ..*self }
    }
}

impl<'w, L: Weighted> Discs<'w, L> {
    pub(super) fn new(own: Bitboard, opponent: Bitboard, weights: &'w [i8]) -> Self {
        let numbers = Numbers::new(own, opponent);
        let empty = (!(own | opponent)).len() as u8;
        let targets = moves(own, opponent);
        Self { own, opponent, targets, empty, side: Side::Plus, numbers, weights }
    }

    /// The other player's turn.
    pub(super) fn pass(&mut self) {
        (self.own, self.opponent) = (self.opponent, self.own);
        self.targets = moves(self.own, self.opponent);
        self.side = self.side.other();
    }

    /// A disc that turns these over.
    pub(super) fn place(&mut self, square: u8, flipped: Bitboard) {
        self.numbers.play(self.side, square, flipped);
        let disc = Bitboard::from_bits(1 << (square % 64));
        (self.own, self.opponent) = (self.opponent & !flipped, self.own | flipped | disc);
        self.targets = moves(self.own, self.opponent);
        self.empty = self.empty.saturating_sub(1);
        self.side = self.side.other();
    }

    /// The guess, or what the game ended with, in hundredths of a disc.
    pub(super) fn value(&self) -> i16 {
        self.value_within(-LIMIT as i16, LIMIT as i16)
    }

    /// The same as far as it lies between two bounds: what is far beyond them hardly depends on how
    /// many moves the opponent would have, and they are not counted.
    pub(super) fn value_within(&self, alpha: i16, beta: i16) -> i16 {
        if self.targets.is_empty() { self.value_of_pass() } else { self.guess(alpha, beta) }
    }

    /// The guess for a player who has a move.
    fn guess(&self, alpha: i16, beta: i16) -> i16 {
        let (others, patterns) = self.weights.split_at_checked(OTHERS).unwrap_or_default();
        let weight = |place: usize| others.get(place).map_or(0, |weight| i32::from(*weight));
        let choice = |set: Bitboard| (count(set) as usize).min(MOST_MOVES);
        let sum = self.numbers.sum(self.side, patterns)
            + weight(choice(self.targets))
            + weight(2 * (MOST_MOVES + 1) + usize::from(self.empty % 2));
        let hundredths = |sum: i32| sum * 25 / 2;
        let sure = |guess: i32| guess.clamp(-LIMIT, LIMIT) as i16;
        let (least, most) = (hundredths(sum - CHOICE), hundredths(sum + CHOICE));
        if least >= beta.into() {
            return sure(least);
        }
        if most <= alpha.into() {
            return sure(most);
        }
        sure(hundredths(sum + weight(MOST_MOVES + 1 + choice(moves(self.opponent, self.own)))))
    }

    /// The value for a player who has no move: what the other makes of it, if the game goes on.
    #[cold]
    fn value_of_pass(&self) -> i16 {
        let mut next = self.clone();
        next.pass();
        if next.targets.is_empty() {
            return 100 * final_score(self.own, self.opponent) as i16;
        }
        -next.guess(-LIMIT as i16, LIMIT as i16)
    }
}

/// A well mixed number of a position. A disc that changes sides must not change both words alike.
#[inline(always)]
pub(super) fn hash(own: Bitboard, opponent: Bitboard) -> u64 {
    mix(own.bits() ^ opponent.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

/// What the game ended with, for `own`: empty squares are the winner's.
pub(super) const fn final_score(own: Bitboard, opponent: Bitboard) -> i32 {
    let (own, opponent) = (count(own), count(opponent));
    let ahead = own - opponent;
    ahead + (64 - own - opponent) * ahead.signum()
}

/// Weights to guess with.
#[derive(Debug, Clone, Copy)]
pub enum Weights<'w> {
    /// Those of [`Small`].
    Small(&'w [i8]),
    /// Those of [`Large`].
    #[cfg(feature = "large")]
    Large(&'w [i8]),
}

impl Evaluate for Weights<'_> {
    fn evaluate(&self, own: Bitboard, opponent: Bitboard) -> i16 {
        match self {
            Self::Small(weights) => Discs::<Small>::new(own, opponent, weights).value(),
            #[cfg(feature = "large")]
            Self::Large(weights) => Discs::<Large>::new(own, opponent, weights).value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::othello::{Othello, flips};
    use crate::mix::Rng;
    use std::vec::Vec;

    /// Positions of random games, the last one over.
    fn positions(seed: u64) -> Vec<(Bitboard, Bitboard)> {
        let mut rng = Rng::new(seed);
        let (mut own, mut opponent) = (Othello::START.own, Othello::START.opponent);
        let mut positions = Vec::new();
        loop {
            positions.push((own, opponent));
            let targets = moves(own, opponent);
            let Some(square) = targets.iter().nth(rng.below(targets.len()) as usize) else {
                if moves(opponent, own).is_empty() {
                    return positions;
                }
                (own, opponent) = (opponent, own);
                continue;
            };
            let flipped = flips(square, own, opponent);
            (own, opponent) = (opponent & !flipped, (own | flipped).with(square));
        }
    }

    fn upside_down(set: Bitboard) -> Bitboard {
        Bitboard::from_bits(set.bits().swap_bytes())
    }

    fn mirrored(set: Bitboard) -> Bitboard {
        Bitboard::from_bits(set.bits().swap_bytes().reverse_bits())
    }

    fn turned(set: Bitboard) -> Bitboard {
        let turned = |square: u8| 8 * (square % 8) + 7 - square / 8;
        let squares = set.iter().map(|square| 1 << turned(square.index()));
        Bitboard::from_bits(squares.fold(0, |bits, bit: u64| bits | bit))
    }

    /// Calls `check` with the guess of either layout.
    fn with_weights(empty: u32, mut check: impl FnMut(Weights<'_>)) {
        check(Weights::Small(blend::<Small>(empty, Some(&mut [0; Small::BLENDED]))));
        check(Weights::Large(blend::<Large>(empty, Some(&mut [0; Large::BLENDED]))));
    }

    #[test]
    fn guesses_are_the_same_for_mirror_images() {
        with_weights(30, |weights| {
            for (own, opponent) in (0..5).flat_map(positions) {
                let guess = weights.evaluate(own, opponent);
                for image in [upside_down, mirrored, turned] {
                    assert_eq!(weights.evaluate(image(own), image(opponent)), guess);
                }
                assert!(guess.unsigned_abs() <= 6400);
            }
        });
    }

    #[test]
    fn discs_that_change_sides_change_the_hash() {
        for (own, opponent) in (0..5).flat_map(positions) {
            for square in own {
                let turned = hash(own.without(square), opponent.with(square));
                assert_ne!(turned, hash(own, opponent));
                for other in own.without(square) {
                    let both = square.bitboard() | other.bitboard();
                    assert_ne!(hash(own & !both, opponent | both), turned);
                }
            }
        }
    }

    #[test]
    fn a_finished_game_is_counted() {
        with_weights(0, |weights| {
            for seed in 0..20 {
                let (own, opponent) = positions(seed).pop().unwrap();
                let ahead = 100 * final_score(own, opponent) as i16;
                assert_eq!(weights.evaluate(own, opponent), ahead);
                assert_eq!(weights.evaluate(opponent, own), -ahead);
            }
        });
    }

    /// Where the opponent's choice counts no more than it is reckoned with, a bound is told alike.
    #[test]
    fn bounds_are_told_alike() {
        let mut memory = [0; Small::BLENDED];
        let weights = blend::<Small>(20, Some(&mut memory));
        let mut compared = 0;
        for (own, opponent) in (0..20).flat_map(positions) {
            let choice = (count(moves(opponent, own)) as usize).min(MOST_MOVES);
            if i32::from(weights[MOST_MOVES + 1 + choice]).abs() > CHOICE {
                continue;
            }
            let discs = Discs::<Small>::new(own, opponent, weights);
            let value = discs.value();
            for bound in [-3000, -500, 0, 500, 3000] {
                let within = discs.value_within(bound, bound + 1);
                assert_eq!(within > bound, value > bound, "{within} {value}");
                compared += u32::from(within != value);
            }
        }
        assert!(compared > 500, "{compared}");
    }

    #[test]
    fn blending_goes_from_one_phase_to_the_other() {
        let blended = |empty| {
            let mut memory = [0; Small::BLENDED];
            blend::<Small>(empty, Some(&mut memory));
            memory
        };
        let phase = |place: usize| {
            let mut memory = [0; Small::BLENDED];
            blend_into::<Small>(&mut memory, [Small::learnt()[place]; 2], 30);
            memory
        };
        let (near, far) = (blended(PHASES[0]), blended(PHASES[1]));
        assert_eq!((near, far), (phase(0), phase(1)));
        for ((middle, near), far) in blended(30).into_iter().zip(near).zip(far) {
            let mean = (i32::from(near) + i32::from(far)) as f32 / 2.0;
            assert!((f32::from(middle) - mean).abs() <= 0.5);
        }
    }

    #[test]
    fn a_mean_is_rounded_to_the_nearest() {
        for sum in SPAN * i32::from(i8::MIN)..=SPAN * i32::from(i8::MAX) {
            assert_eq!(i32::from(mean(sum)), (sum + SPAN / 2).div_euclid(SPAN), "{sum}");
        }
    }

    /// Too little memory for patterns leaves both players' choice of moves.
    #[test]
    fn more_moves_are_better_even_without_patterns() {
        let weights = Weights::Small(blend::<Small>(30, None));
        // The guesses for players with more moves than their opponents, and with fewer.
        let mut guesses = [Vec::new(), Vec::new()];
        for (own, opponent) in (0..20).flat_map(positions) {
            let ahead = count(moves(own, opponent)) - count(moves(opponent, own));
            if ahead.abs() >= 4 {
                guesses[usize::from(ahead < 0)].push(i32::from(weights.evaluate(own, opponent)));
            }
        }
        let [more, fewer] = guesses.map(|all| all.iter().sum::<i32>() / all.len() as i32);
        assert!(more > fewer + 300, "{more} {fewer}");
    }

    #[test]
    fn a_corner_is_worth_discs() {
        with_weights(36, |weights| {
            let (mut gain, mut count) = (0, 0);
            for (own, opponent) in (0..20).map(|seed| positions(seed)[24]) {
                for corner in Bitboard::CORNERS & !(own | opponent) {
                    let taken = weights.evaluate(own.with(corner), opponent);
                    gain += i32::from(taken) - i32::from(weights.evaluate(own, opponent));
                    count += 1;
                }
            }
            assert!(gain > 500 * count, "{gain} in {count}");
        });
    }
}
