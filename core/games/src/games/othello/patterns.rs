//! Patterns of discs: small sets of squares whose contents, taken together, say who stands better.
//!
//! The discs on a pattern's squares are the digits of a number in base 3: own 1, the opponent's -1,
//! empty 0. So a change of sides is a change of sign. The numbers are kept up move by move, as black
//! sees them, and each is the place of a weight.

use core::fmt::Debug;

use crate::bitboard::Bitboard;

/// A shape and its mirror images and turns, which share their weights.
pub type Shape = &'static [u8];

/// A choice of shapes.
pub trait Layout: Copy + 'static {
    /// The numbers of all patterns, [`PER_WORD`](Self::PER_WORD) in a word: a power of 2 of words.
    type Numbers: Copy + Debug + AsRef<[u32]> + AsMut<[u32]> + Sync;
    /// How many numbers a word has.
    const PER_WORD: usize;
    /// The numbers on an empty board.
    const NOTHING: Self::Numbers;
    /// The shapes.
    const SHAPES: &'static [Shape];
    /// A square's parts in patterns: their words, and what its digit counts there.
    fn parts(square: u8) -> impl Iterator<Item = (u8, u32)>;
    /// The sum of the patterns' weights, as a side sees them; `spread` puts them in place.
    fn sum(numbers: &Self::Numbers, side: Side, weights: &[i8]) -> i32;
}

/// Where a number is: its word, and how far up in it.
const fn place(number: usize, per_word: usize) -> (usize, usize) {
    (number / per_word, 32 / per_word * (number % per_word))
}

/// The entries of a shape's weights in memory: a power of 2, so that a number without its high bits
/// is a place among them. The weight of empty squares is in the middle.
const fn room(shape: Shape) -> usize {
    3usize.pow(shape.len() as u32).next_power_of_two()
}

/// The entries that all shapes' weights take in memory. Each has one more than its room: seen from the
/// other side, by the complement of the numbers, the middle is one further.
pub(super) const fn spread_entries(shapes: &[Shape]) -> usize {
    let (mut entries, mut shape) = (0, 0);
    while shape < shapes.len() {
        entries += room(shapes[shape]) + 1;
        shape += 1;
    }
    entries
}

/// Puts weights, one shape's after the other's, where [`Layout::sum`] looks for them.
pub(super) fn spread<L: Layout>(spread: &mut [i8], mut weights: impl Iterator<Item = i8>) {
    let mut begin = 0;
    for shape in L::SHAPES {
        let entries = 3usize.pow(shape.len() as u32);
        let place = begin + room(shape) / 2 - entries / 2;
        for (entry, weight) in spread.iter_mut().skip(place).take(entries).zip(&mut weights) {
            *entry = weight;
        }
        begin += room(shape) + 1;
    }
}

/// The square after a symmetry of the board.
pub const fn image(square: u8, symmetry: u8) -> u8 {
    let (mut row, mut column) = (square / 8, square % 8);
    if symmetry & 1 != 0 {
        column = 7 - column;
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    8 * row + column
}

/// The squares of a shape after a symmetry, as bits.
const fn covered(shape: Shape, symmetry: u8) -> u64 {
    let (mut set, mut digit) = (0, 0);
    while digit < shape.len() {
        set |= 1 << image(shape[digit], symmetry);
        digit += 1;
    }
    set
}

/// Whether a symmetry moves a shape to squares where no earlier one has it.
pub const fn is_new(shape: Shape, symmetry: u8) -> bool {
    let mut earlier = 0;
    while earlier < symmetry {
        if covered(shape, earlier) == covered(shape, symmetry) {
            return false;
        }
        earlier += 1;
    }
    true
}

/// How many patterns have this shape.
const fn images(shape: Shape) -> usize {
    let (mut images, mut symmetry) = (0, 0);
    while symmetry < 8 {
        images += is_new(shape, symmetry) as usize;
        symmetry += 1;
    }
    images
}

/// How many patterns have these shapes.
const fn patterns_of(shapes: &[Shape]) -> usize {
    let (mut patterns, mut shape) = (0, 0);
    while shape < shapes.len() {
        patterns += images(shapes[shape]);
        shape += 1;
    }
    patterns
}

/// The weights that shapes have together.
pub(super) const fn entries(shapes: &[Shape]) -> usize {
    let (mut entries, mut shape) = (0, 0);
    while shape < shapes.len() {
        entries += 3usize.pow(shapes[shape].len() as u32);
        shape += 1;
    }
    entries
}

/// The numbers of all patterns on an empty board.
const fn nothing<const WORDS: usize>(shapes: &[Shape], per_word: usize) -> [u32; WORDS] {
    assert!(WORDS.is_power_of_two(), "no number is looked for beyond the end");
    let mut numbers = [0; WORDS];
    let (mut number, mut shape) = (0, 0);
    while shape < shapes.len() {
        while number < patterns_of(shapes.split_at(shape + 1).0) {
            assert!(room(shapes[shape]) <= 1 << (32 / per_word), "a number has too few bits");
            let (word, up) = place(number, per_word);
            numbers[word] |= (room(shapes[shape]) as u32 / 2) << up;
            number += 1;
        }
        shape += 1;
    }
    numbers
}

/// The parts of all squares, one square's after the other's, and room up to a power of two.
struct Parts<const PARTS: usize> {
    words: [u8; PARTS],
    /// Powers of 3, shifted to where the pattern's number is.
    powers: [u32; PARTS],
    /// Where those of each square begin, and the end.
    begins: [u16; 65],
}

impl<const PARTS: usize> Parts<PARTS> {
    const fn new(shapes: &[Shape], per_word: usize) -> Self {
        let mut parts = Self { words: [0; PARTS], powers: [0; PARTS], begins: [0; 65] };
        let (mut part, mut square) = (0, 0);
        while square < 64 {
            let (mut number, mut shape) = (0, 0);
            while shape < shapes.len() {
                let mut symmetry = 0;
                while symmetry < 8 {
                    if is_new(shapes[shape], symmetry) {
                        let (word, up) = place(number, per_word);
                        let mut digit = 0;
                        while digit < shapes[shape].len() {
                            if image(shapes[shape][digit], symmetry) == square {
                                parts.words[part] = word as u8;
                                parts.powers[part] = 3u32.pow(digit as u32) << up;
                                part += 1;
                            }
                            digit += 1;
                        }
                        number += 1;
                    }
                    symmetry += 1;
                }
                shape += 1;
            }
            square += 1;
            parts.begins[square as usize] = part as u16;
        }
        assert!(PARTS.is_power_of_two(), "an index can be masked instead of checked");
        parts
    }

    #[inline(always)]
    fn of(&self, square: u8) -> impl Iterator<Item = (u8, u32)> {
        let square = usize::from(square % 64);
        (self.begins[square]..self.begins[square + 1]).map(|part| {
            let part = usize::from(part) % PARTS;
            (self.words[part], self.powers[part])
        })
    }
}

/// The sum over all images of all shapes, with code of its own for each: what a number can be is
/// known then, and nothing has to be checked.
macro_rules! sum_by_shape {
    ($layout:ty, $numbers:expr, $side:expr, $weights:expr, $($shape:literal: $($image:literal)*;)*) => {{
        const SHAPES: &[Shape] = <$layout>::SHAPES;
        // The other side sees the complement of the numbers, whose middle is one further.
        let (complement, further) = match $side {
            Side::Plus => (0, 0),
            Side::Minus => (!0, 1),
        };
        let weights = $weights.get(further..).unwrap_or_default();
        let weights: Option<&[i8; const { spread_entries(SHAPES) - 1 }]> = weights.first_chunk();
        let Some(weights) = weights else { return 0 };
        0 $(+ {
            const { assert!(images(SHAPES[$shape]) == [$($image),*].len(), "images are missing") };
            const FIRST: usize = patterns_of(SHAPES.split_at($shape).0);
            const BEGIN: usize = spread_entries(SHAPES.split_at($shape).0);
            const ROOM: usize = room(SHAPES[$shape]);
            let weights: &[i8] = &weights[BEGIN..BEGIN + ROOM];
            0 $(+ {
                const PLACE: (usize, usize) = place(FIRST + $image, <$layout>::PER_WORD);
                let number = ($numbers[PLACE.0] ^ complement) as usize >> PLACE.1;
                i32::from(weights[number % ROOM])
            })*
        })*
    }};
}

/// Shapes of six squares, for the least flash.
#[derive(Debug, Clone, Copy)]
pub struct Small;

static SMALL: Parts<256> = Parts::new(&SMALL_SHAPES, Small::PER_WORD);

const SMALL_SHAPES: [Shape; 5] = [
    // a1 b1 c1 d1 e1 b2: half an edge.
    &[0, 1, 2, 3, 4, 9],
    // a1 b1 c1 a2 b2 c2: a corner.
    &[0, 1, 2, 8, 9, 10],
    // c1 d1 e1 f1 d2 e2: the middle of an edge.
    &[2, 3, 4, 5, 11, 12],
    // b2 c2 d2 b3 c3 d3, and c3 d3 e3 c4 d4 e4: the inner board.
    &[9, 10, 11, 17, 18, 19],
    &[18, 19, 20, 26, 27, 28],
];

impl Layout for Small {
    type Numbers = [u32; 16];
    const PER_WORD: usize = 3;
    const NOTHING: [u32; 16] = nothing(&SMALL_SHAPES, Self::PER_WORD);
    const SHAPES: &'static [Shape] = &SMALL_SHAPES;

    #[inline(always)]
    fn parts(square: u8) -> impl Iterator<Item = (u8, u32)> {
        SMALL.of(square)
    }

    fn sum(numbers: &[u32; 16], side: Side, weights: &[i8]) -> i32 {
        sum_by_shape!(Small, numbers, side, weights,
            0: 0 1 2 3 4 5 6 7;
            1: 0 1 2 3 4 5 6 7;
            2: 0 1 2 3;
            3: 0 1 2 3 4 5 6 7;
            4: 0 1 2 3 4 5 6 7;
        )
    }
}

/// Whole edges, corners of 2x4, three blocks and the diagonals.
#[cfg(feature = "large")]
#[derive(Debug, Clone, Copy)]
pub struct Large;

#[cfg(feature = "large")]
static LARGE: Parts<512> = Parts::new(&LARGE_SHAPES, Large::PER_WORD);

#[cfg(feature = "large")]
const LARGE_SHAPES: [Shape; 10] = [
    // a1 to h1.
    &[0, 1, 2, 3, 4, 5, 6, 7],
    // a1 to d1, a2 to d2.
    &[0, 1, 2, 3, 8, 9, 10, 11],
    // c1 d1 e1 f1 d2 e2.
    &[2, 3, 4, 5, 11, 12],
    // b2 c2 d2 b3 c3 d3.
    &[9, 10, 11, 17, 18, 19],
    // c2 d2 e2 f2 c3 d3.
    &[10, 11, 12, 13, 18, 19],
    // The diagonals of 8, 7, 6, 5 and 4 squares.
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[8, 17, 26, 35, 44, 53, 62],
    &[16, 25, 34, 43, 52, 61],
    &[24, 33, 42, 51, 60],
    &[32, 41, 50, 59],
];

#[cfg(feature = "large")]
impl Layout for Large {
    type Numbers = [u32; 32];
    const PER_WORD: usize = 2;
    const NOTHING: [u32; 32] = nothing(&LARGE_SHAPES, Self::PER_WORD);
    const SHAPES: &'static [Shape] = &LARGE_SHAPES;

    #[inline(always)]
    fn parts(square: u8) -> impl Iterator<Item = (u8, u32)> {
        LARGE.of(square)
    }

    fn sum(numbers: &[u32; 32], side: Side, weights: &[i8]) -> i32 {
        sum_by_shape!(Large, numbers, side, weights,
            0: 0 1 2 3;
            1: 0 1 2 3 4 5 6 7;
            2: 0 1 2 3;
            3: 0 1 2 3 4 5 6 7;
            4: 0 1 2 3 4 5 6 7;
            5: 0 1;
            6: 0 1 2 3;
            7: 0 1 2 3;
            8: 0 1 2 3;
            9: 0 1 2 3;
        )
    }
}

/// Which player's discs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The one whose discs are the digit 1.
    Plus,
    Minus,
}

impl Side {
    /// The other one.
    #[inline(always)]
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Plus => Self::Minus,
            Self::Minus => Self::Plus,
        }
    }
}

/// The numbers of all patterns of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers<L: Layout>(L::Numbers);

impl<L: Layout> Numbers<L> {
    /// Those of a position, with `own` the discs of [`Side::Plus`].
    pub(super) fn new(own: Bitboard, opponent: Bitboard) -> Self {
        let mut numbers = Self(L::NOTHING);
        for square in own {
            numbers.add(square.index(), 1);
        }
        for square in opponent {
            numbers.add(square.index(), -1);
        }
        numbers
    }

    #[inline(always)]
    fn add(&mut self, square: u8, times: i32) {
        let numbers = self.0.as_mut();
        let mask = numbers.len() - 1;
        for (word, power) in L::parts(square) {
            let number = &mut numbers[usize::from(word) & mask];
            *number = number.wrapping_add(power.wrapping_mul(times as u32));
        }
    }

    /// A move of a side: its new disc, and those that it turns over.
    pub(super) fn play(&mut self, side: Side, disc: u8, flipped: Bitboard) {
        let times = if side == Side::Plus { 1 } else { -1 };
        self.add(disc, times);
        for square in flipped {
            self.add(square.index(), 2 * times);
        }
    }

    /// The sum of the patterns' weights, as a side sees them.
    pub(super) fn sum(&self, side: Side, weights: &[i8]) -> i32 {
        L::sum(&self.0, side, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::othello::{Othello, flips};
    use crate::mix::Rng;

    /// A weight for every place, none like another's nearby.
    fn some_weights(count: usize) -> std::vec::Vec<i8> {
        (0..count).map(|place| (place * 37 % 251) as u8 as i8).collect()
    }

    fn follows_a_game<L: Layout>(seed: u64) {
        let mut weights = some_weights(spread_entries(L::SHAPES));
        spread::<L>(&mut weights, some_weights(entries(L::SHAPES)).into_iter());
        let mut rng = Rng::new(seed);
        let (mut own, mut opponent) = (Othello::START.own, Othello::START.opponent);
        let mut numbers = Numbers::<L>::new(own, opponent);
        let mut side = Side::Plus;
        loop {
            let targets = crate::games::othello::moves(own, opponent);
            let Some(square) = targets.iter().nth(rng.below(targets.len()) as usize) else { break };
            let flipped = flips(square, own, opponent);
            numbers.play(side, square.index(), flipped);
            (own, opponent) = (opponent & !flipped, (own | flipped).with(square));
            side = side.other();
            let fresh = Numbers::<L>::new(own, opponent);
            assert_eq!(numbers.sum(side, &weights), fresh.sum(Side::Plus, &weights));
            let swapped = Numbers::<L>::new(opponent, own);
            assert_eq!(numbers.sum(side.other(), &weights), swapped.sum(Side::Plus, &weights));
        }
    }

    #[test]
    fn numbers_are_kept_up_and_change_sides() {
        for seed in 0..20 {
            follows_a_game::<Small>(seed);
            follows_a_game::<Large>(seed);
        }
    }

    #[test]
    fn a_shape_has_an_image_for_every_place() {
        // Half an edge has a left and a right half; a whole one reads the same from both ends.
        assert_eq!(images(Small::SHAPES[0]), 8);
        assert_eq!(images(Large::SHAPES[0]), 4);
        assert_eq!(images(Large::SHAPES[5]), 2, "two diagonals are long");
    }
}
