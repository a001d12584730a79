//! The squares of an 8x8 board, and sets of them.

use core::fmt;

/// A square of an 8x8 board: bit `8 * row + column`, row 0 at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// A set of squares, one bit each.
pub type Squares = u64;

/// How many squares a set has. Not inlined: it is long on a core that has no instruction for it.
#[inline(never)]
pub const fn count(set: Squares) -> u32 {
    set.count_ones()
}

impl Square {
    /// The square in this column and row, both counted from 0 at the top left.
    pub const fn at(column: u8, row: u8) -> Option<Self> {
        if column < 8 && row < 8 { Some(Self(row * 8 + column)) } else { None }
    }

    /// The first square of a set in reading order.
    #[inline(always)]
    pub const fn first_of(set: Squares) -> Option<Self> {
        if set == 0 { None } else { Some(Self(set.trailing_zeros() as u8)) }
    }

    /// The number of the square, 0..64 in reading order.
    #[inline(always)]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The set of this square alone.
    #[inline(always)]
    pub const fn bit(self) -> Squares {
        1 << self.0
    }

    /// Reads `a1`..`h8`, the row counted from the top.
    pub fn parse(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [column, row] => {
                let column = column.to_ascii_lowercase().checked_sub(b'a')?;
                Self::at(column, row.checked_sub(b'1')?)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 8), self.0 / 8 + 1)
    }
}

/// The squares of a set in reading order.
#[inline(always)]
pub fn squares(mut set: Squares) -> impl Iterator<Item = Square> {
    core::iter::from_fn(move || {
        let square = Square::first_of(set)?;
        set &= set - 1;
        Some(square)
    })
}

/// A set moved by one square to the right, left, down and up; what leaves the board is lost.
pub const fn moved(set: Squares) -> [Squares; 4] {
    const NOT_A: Squares = 0xfefe_fefe_fefe_fefe;
    const NOT_H: Squares = 0x7f7f_7f7f_7f7f_7f7f;
    [(set << 1) & NOT_A, (set >> 1) & NOT_H, set << 8, set >> 8]
}

/// Draws two sets as `X` and `O` on an 8x8 board; the last move stands in brackets.
pub(crate) fn draw(
    first: Squares,
    second: Squares,
    last: Option<Square>,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    const COLUMNS: &str = "   a b c d e f g h\n";
    out.write_str(COLUMNS)?;
    for row in 0..8u8 {
        write!(out, "{} ", row + 1)?;
        let mut bracket = ' ';
        for column in 0..8u8 {
            let square = Square(row * 8 + column);
            let mark = match square.bit() {
                bit if first & bit != 0 => 'X',
                bit if second & bit != 0 => 'O',
                _ => '.',
            };
            let before = if Some(square) == last { '[' } else { bracket };
            bracket = if Some(square) == last { ']' } else { ' ' };
            write!(out, "{before}{mark}")?;
        }
        writeln!(out, "{bracket}{}", row + 1)?;
    }
    out.write_str(COLUMNS)
}

/// Reads 64 characters `X`, `O`, `-` (or `.`) from the front of `text`: the two sets and the rest.
pub(crate) fn parse_sets(text: &str) -> Result<(Squares, Squares, &str), Option<usize>> {
    let (mut first, mut second) = (0, 0);
    for index in 0..64 {
        match text.as_bytes().get(index) {
            Some(b'X' | b'x' | b'*') => first |= 1u64 << index,
            Some(b'O' | b'o') => second |= 1u64 << index,
            Some(b'-' | b'.') => {}
            Some(_) => return Err(Some(index + 1)),
            None => return Err(None),
        }
    }
    Ok((first, second, text.get(64..).unwrap_or("")))
}

/// Writes the 64 characters that [`parse_sets`] reads.
pub(crate) fn write_sets(first: Squares, second: Squares, out: &mut dyn fmt::Write) -> fmt::Result {
    (0..64).try_for_each(|index| {
        let bit = 1u64 << index;
        let mark = if first & bit != 0 {
            'X'
        } else if second & bit != 0 {
            'O'
        } else {
            '-'
        };
        out.write_char(mark)
    })
}
