//! Sets of squares of an 8x8 board.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::square::Square;

/// A set of [`Square`]s, one bit each: bit `8 * row + column`, row 0 at the top.
///
/// ```text
///      a  b  c  d  e  f  g  h
///  1   0  1  2  3  4  5  6  7
///  2   8  9 10 11 12 13 14 15
///  3  16 17 18 19 20 21 22 23
///  4  24 25 26 27 28 29 30 31
///  5  32 33 34 35 36 37 38 39
///  6  40 41 42 43 44 45 46 47
///  7  48 49 50 51 52 53 54 55
///  8  56 57 58 59 60 61 62 63
/// ```
///
/// `|` is the union of two sets, `&` their intersection, `^` what is in one of them only, and `!`
/// the squares that are not in the set.
///
/// ```
/// # use corvid_games as corvid_core;
/// use corvid_core::bitboard::Bitboard;
/// use corvid_core::square::Square;
///
/// let a1 = Square::parse("a1").unwrap();
/// let left = Bitboard::from_picture(
///     "X . . . . . . .
///      X . . . . . . .
///      X . . . . . . .
///      X . . . . . . .
///      X . . . . . . .
///      X . . . . . . .
///      X . . . . . . .
///      X . . . . . . .",
/// ).unwrap();
/// assert!(left.contains(a1) && left.right().contains(Square::parse("b8").unwrap()));
/// assert_eq!(left & Bitboard::CORNERS, "a1 a8".split(' ').filter_map(Square::parse).collect());
/// assert_eq!((left | Bitboard::CORNERS).len(), 10);
/// assert!(left.left().is_empty());
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(!0);
    /// a1, h1, a8 and h8.
    pub const CORNERS: Self = Self(0x8100_0000_0000_0081);

    const NOT_COLUMN_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_COLUMN_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

    /// The set with these bits.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits, `8 * row + column` of each square.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Reads a picture: a mark for each of the 64 squares row by row from the top, `.` or `-` where
    /// it is not in the set. White space is skipped.
    pub const fn from_picture(picture: &str) -> Option<Self> {
        let (mut bits, mut square, mut at) = (0, 0, 0);
        while at < picture.len() {
            let mark = picture.as_bytes()[at];
            at += 1;
            if mark.is_ascii_whitespace() {
                continue;
            }
            if square == 64 {
                return None;
            }
            if mark != b'.' && mark != b'-' {
                bits |= 1 << square;
            }
            square += 1;
        }
        if square == 64 { Some(Self(bits)) } else { None }
    }

    /// Whether there is no square in it.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares are in it.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        count(self.0)
    }

    /// Whether the square is in it.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bitboard().0 != 0
    }

    /// The set with this square.
    #[inline(always)]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | square.bitboard().0)
    }

    /// The set without this square.
    #[inline(always)]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !square.bitboard().0)
    }

    /// Adds a square.
    #[inline(always)]
    pub const fn insert(&mut self, square: Square) {
        *self = self.with(square);
    }

    /// Takes a square out.
    #[inline(always)]
    pub const fn remove(&mut self, square: Square) {
        *self = self.without(square);
    }

    /// The first square in reading order.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        Square::lowest(self.0)
    }

    /// The squares in reading order.
    #[inline(always)]
    pub const fn iter(self) -> Iter {
        Iter(self.0)
    }

    /// Every square's neighbour on the right; what leaves the board is lost.
    #[inline(always)]
    pub const fn right(self) -> Self {
        Self(self.0 << 1 & Self::NOT_COLUMN_A)
    }

    /// Every square's neighbour on the left; what leaves the board is lost.
    #[inline(always)]
    pub const fn left(self) -> Self {
        Self(self.0 >> 1 & Self::NOT_COLUMN_H)
    }

    /// Every square's neighbour below; what leaves the board is lost.
    #[inline(always)]
    pub const fn down(self) -> Self {
        Self(self.0 << 8)
    }

    /// Every square's neighbour above; what leaves the board is lost.
    #[inline(always)]
    pub const fn up(self) -> Self {
        Self(self.0 >> 8)
    }

    /// The squares beside the set along rows and columns; squares of the set itself too, if they
    /// are beside one another.
    #[inline(always)]
    pub const fn neighbours(self) -> Self {
        Self(self.right().0 | self.left().0 | self.down().0 | self.up().0)
    }

    /// The squares and all around them, diagonally too.
    #[inline(always)]
    pub const fn and_around(self) -> Self {
        let wide = self.0 | self.right().0 | self.left().0;
        Self(wide | wide << 8 | wide >> 8)
    }
}

/// Not inlined: it is long on a core that has no instruction for it.
#[inline(never)]
const fn count(bits: u64) -> u32 {
    bits.count_ones()
}

/// Implements an operator of sets by that of their bits, with its assigning form.
macro_rules! operators {
    ($($operator:ident $method:ident, $assigning:ident $assign:ident;)*) => {$(
        impl $operator for Bitboard {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }

        impl $assigning for Bitboard {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                self.0.$assign(other.0);
            }
        }
    )*};
}

operators! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

impl Not for Bitboard {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Iter;

    #[inline(always)]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

/// The squares of a [`Bitboard`] in reading order.
#[derive(Debug, Clone)]
pub struct Iter(u64);

impl Iterator for Iter {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.take_first::<{ cfg!(not(target_pointer_width = "64")) }>()
    }
}

impl Iter {
    /// With `HALVES` for a machine that works on half a set at a time.
    #[inline(always)]
    fn take_first<const HALVES: bool>(&mut self) -> Option<Square> {
        if !HALVES {
            let square = Square::lowest(self.0)?;
            self.0 &= self.0 - 1;
            return Some(square);
        }
        let (low, high) = (self.0 as u32, (self.0 >> 32) as u32);
        let (half, begin) = if low != 0 { (low, 0) } else { (high, 32) };
        if half == 0 {
            return None;
        }
        let rest = u64::from(half & (half - 1));
        self.0 = if low != 0 { u64::from(high) << 32 | rest } else { rest << 32 };
        Square::from_index(begin + half.trailing_zeros() as u16)
    }
}

impl FusedIterator for Iter {}

/// In short form the bits, in the long form (`{:#?}`) a picture.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write!(f, "Bitboard(\n{self})")
        } else {
            write!(f, "Bitboard({:#018x})", self.0)
        }
    }
}

/// The picture that [`Bitboard::from_picture`] reads.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::ALL.iter().try_for_each(|square| {
            let mark = if self.contains(square) { "X" } else { "." };
            f.write_str(mark)?;
            f.write_str(if square.index() % 8 == 7 { "\n" } else { " " })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn halves_have_the_same_squares() {
        for bits in [0, 1, 1 << 31, 1 << 32, 1 << 63, 0x8000_0001_8000_0001, !0] {
            let (mut whole, mut halves) = (Iter(bits), Iter(bits));
            for _ in 0..=bits.count_ones() {
                assert_eq!(whole.take_first::<false>(), halves.take_first::<true>(), "{bits:x}");
            }
        }
    }

    fn picture(picture: &str) -> Bitboard {
        Bitboard::from_picture(picture).unwrap()
    }

    fn square(text: &str) -> Square {
        Square::parse(text).unwrap()
    }

    #[test]
    fn a_step_leaves_the_board_at_its_edge_and_does_not_wrap() {
        let set = picture(
            ". . . . . . . X
             . . . . . . . .
             X . . . . . . .
             . . . . . . . .
             . . . X . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . X",
        );
        let right = picture(
            ". . . . . . . .
             . . . . . . . .
             . X . . . . . .
             . . . . . . . .
             . . . . X . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .",
        );
        let left = picture(
            ". . . . . . X .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .
             . . X . . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . X .",
        );
        let down = picture(
            ". . . . . . . .
             . . . . . . . X
             . . . . . . . .
             X . . . . . . .
             . . . . . . . .
             . . . X . . . .
             . . . . . . . .
             . . . . . . . .",
        );
        let up = picture(
            ". . . . . . . .
             X . . . . . . .
             . . . . . . . .
             . . . X . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . X
             . . . . . . . .",
        );
        assert_eq!([set.right(), set.left(), set.down(), set.up()], [right, left, down, up]);
    }

    #[test]
    fn around_are_the_steps_of_a_king() {
        let set = picture(
            "X . . . . . . .
             . . . . . . . .
             . . . . . . . X
             . . . . . . . .
             . . . . X . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .",
        );
        let around = picture(
            "X X . . . . . .
             X X . . . . X X
             . . . . . . X X
             . . . X X X X X
             . . . X X X . .
             . . . X X X . .
             . . . . . . . .
             . . . . . . . .",
        );
        assert_eq!(set.and_around(), around, "\n{}", set.and_around());
    }

    #[test]
    fn squares_go_in_and_out() {
        let mut set = Bitboard::EMPTY;
        set.insert(square("d3"));
        set.insert(square("h8"));
        assert_eq!(set, set.with(square("d3")));
        assert_eq!(set.bits(), 1 << 19 | 1 << 63);
        assert_eq!(set.iter().collect::<Vec<_>>(), [square("d3"), square("h8")]);
        assert_eq!((set.first(), set.len()), (Some(square("d3")), 2));
        set.remove(square("d3"));
        assert!(!set.contains(square("d3")) && set.contains(square("h8")));
        assert!(set.without(square("h8")).is_empty());
        assert_eq!(Bitboard::EMPTY.first(), None);
    }

    #[test]
    fn pictures_read_back_and_others_are_refused() {
        let set = Bitboard::CORNERS | square("e4").bitboard();
        assert_eq!(Bitboard::from_picture(&set.to_string()), Some(set));
        assert_eq!(Bitboard::from_picture(&"X".repeat(63)), None);
        assert_eq!(Bitboard::from_picture(&"X".repeat(64)), Some(Bitboard::ALL));
        assert_eq!(Bitboard::from_picture(&"X".repeat(65)), None);
        assert_eq!(format!("{:?}", Bitboard::CORNERS), "Bitboard(0x8100000000000081)");
    }
}
