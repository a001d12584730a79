//! Patterns of discs: small sets of squares whose contents, taken together, say who stands better.
//!
//! The discs on a pattern's squares are the digits of a number in base 3: own 1, the opponent's -1,
//! empty 0. So a change of sides is a change of sign. The numbers are kept up move by move, as black
//! sees them, and each is the place of a weight.

use core::fmt::Debug;

use crate::bitboard::Bitboard;

/// A shape and its mirror images and turns, which share their weights.
pub type Shape = &'static [u8];

/// How many patterns of a shape are summed together. A shape with fewer, or a rest of them, is filled up
/// with patterns without squares, whose weight is that of no disc; such shapes have discs from the first
/// move on, so that weight is never learnt.
const GROUP: usize = 4;

/// A square's part in a pattern.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pattern: u8,
    /// What the square's digit counts: a power of 3.
    power: u16,
}

/// A choice of shapes.
pub trait Layout: Copy + 'static {
    /// A number for each pattern.
    type Numbers: Copy + Debug + AsRef<[i16]> + AsMut<[i16]>;
    /// The empty board.
    const NOTHING: Self::Numbers;
    /// The shapes, for the tool that fits their weights.
    const SHAPES: &'static [Shape];
    /// Where the weights of each group of patterns are, in the order of the numbers: the place of
    /// that of empty squares.
    fn centres() -> &'static [u16];
    /// The parts of a square.
    fn parts(square: u8) -> &'static [Part];
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

/// The weights that shapes have together.
pub(super) const fn entries(shapes: &[Shape]) -> usize {
    let (mut entries, mut shape) = (0, 0);
    while shape < shapes.len() {
        entries += 3usize.pow(shapes[shape].len() as u32);
        shape += 1;
    }
    entries
}

/// The tables of a layout.
struct Tables<const GROUPS: usize, const PARTS: usize> {
    centres: [u16; GROUPS],
    /// The parts of the squares, one square after the other.
    parts: [Part; PARTS],
    /// Where those of each square begin, and the end.
    begins: [u16; 65],
}

impl<const GROUPS: usize, const PARTS: usize> Tables<GROUPS, PARTS> {
    const fn new(shapes: &[Shape]) -> Self {
        let mut tables = Self {
            centres: [0; GROUPS],
            parts: [Part { pattern: 0, power: 0 }; PARTS],
            begins: [0; 65],
        };
        let (mut place, mut group, mut at) = (0, 0, 0);
        while at < shapes.len() {
            let entries = 3u16.pow(shapes[at].len() as u32);
            let mut patterns = images(shapes[at]);
            while patterns > 0 {
                tables.centres[group] = place + entries / 2;
                group += 1;
                patterns = patterns.saturating_sub(GROUP);
            }
            place += entries;
            at += 1;
        }
        assert!(group == GROUPS, "the groups are counted wrong");
        let (mut part, mut square) = (0, 0);
        while square < 64 {
            let (mut first, mut at) = (0, 0);
            while at < shapes.len() {
                let (mut pattern, mut symmetry) = (first, 0);
                while symmetry < 8 {
                    if is_new(shapes[at], symmetry) {
                        let mut digit = 0;
                        while digit < shapes[at].len() {
                            if image(shapes[at][digit], symmetry) == square {
                                let power = 3u16.pow(digit as u32);
                                tables.parts[part] = Part { pattern: pattern as u8, power };
                                part += 1;
                            }
                            digit += 1;
                        }
                        pattern += 1;
                    }
                    symmetry += 1;
                }
                first += images(shapes[at]).next_multiple_of(GROUP);
                at += 1;
            }
            square += 1;
            tables.begins[square as usize] = part as u16;
        }
        assert!(part == PARTS, "the parts are counted wrong");
        tables
    }

    #[inline(always)]
    fn parts(&self, square: u8) -> &[Part] {
        let square = usize::from(square % 64);
        let (begin, end) = (self.begins[square], self.begins[square + 1]);
        &self.parts[usize::from(begin)..usize::from(end)]
    }
}

/// Shapes of six squares, for the least flash.
#[derive(Debug, Clone, Copy)]
pub struct Small;

static SMALL: Tables<9, 216> = Tables::new(&SMALL_SHAPES);

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
    type Numbers = [i16; 36];
    const NOTHING: [i16; 36] = [0; 36];
    const SHAPES: &'static [Shape] = &SMALL_SHAPES;

    #[inline(always)]
    fn centres() -> &'static [u16] {
        &SMALL.centres
    }

    #[inline(always)]
    fn parts(square: u8) -> &'static [Part] {
        SMALL.parts(square)
    }
}

/// Whole edges, corners of 2x4, three blocks and the diagonals.
#[cfg(feature = "large")]
#[derive(Debug, Clone, Copy)]
pub struct Large;

#[cfg(feature = "large")]
static LARGE: Tables<13, 320> = Tables::new(&LARGE_SHAPES);

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
    type Numbers = [i16; 52];
    const NOTHING: [i16; 52] = [0; 52];
    const SHAPES: &'static [Shape] = &LARGE_SHAPES;

    #[inline(always)]
    fn centres() -> &'static [u16] {
        &LARGE.centres
    }

    #[inline(always)]
    fn parts(square: u8) -> &'static [Part] {
        LARGE.parts(square)
    }
}

/// Which player's discs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
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
    fn add(&mut self, square: u8, times: i16) {
        let numbers = self.0.as_mut();
        for part in L::parts(square) {
            numbers[usize::from(part.pattern)] += times * part.power as i16;
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
        match side {
            Side::Plus => self.sum_at(weights, |centre, number| centre + number),
            Side::Minus => self.sum_at(weights, |centre, number| centre - number),
        }
    }

    #[inline(always)]
    fn sum_at(&self, weights: &[i8], place: impl Fn(i32, i32) -> i32) -> i32 {
        let (groups, _) = self.0.as_ref().as_chunks::<GROUP>();
        let mut sum = 0;
        for (group, centre) in groups.iter().zip(L::centres()) {
            let weight = |number: i16| {
                i32::from(weights[place(i32::from(*centre), i32::from(number)) as usize])
            };
            let [first, second, third, fourth] = *group;
            sum += weight(first) + weight(second) + weight(third) + weight(fourth);
        }
        sum
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
        let weights = some_weights(entries(L::SHAPES));
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

    /// Patterns that fill up a group count what no disc is worth.
    #[test]
    fn filled_up_groups_have_discs_from_the_first_move_on() {
        fn check<L: Layout>() {
            let start = Othello::START.own | Othello::START.opponent;
            for shape in L::SHAPES.iter().filter(|shape| !images(shape).is_multiple_of(GROUP)) {
                for symmetry in 0..8 {
                    let squares = Bitboard::from_bits(covered(shape, symmetry));
                    assert!(!(squares & start).is_empty(), "{shape:?}");
                }
            }
        }
        check::<Small>();
        check::<Large>();
    }
}
