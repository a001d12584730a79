//! The squares of an 8x8 board.

use core::fmt::{self, Write};

use crate::bitboard::Bitboard;

/// A square of an 8x8 board: number `8 * row + column`, row 0 at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in this column and row, both counted from 0 at the top left.
    pub const fn at(column: u8, row: u8) -> Option<Self> {
        if column < 8 && row < 8 { Some(Self(row * 8 + column)) } else { None }
    }

    /// The square with this number, 0..64 in reading order.
    pub const fn from_index(index: u16) -> Option<Self> {
        if index < 64 { Some(Self(index as u8)) } else { None }
    }

    /// The square of the lowest bit that is set.
    #[inline(always)]
    pub(crate) const fn lowest(bits: u64) -> Option<Self> {
        if bits == 0 { None } else { Some(Self(bits.trailing_zeros() as u8)) }
    }

    /// The number of the square, 0..64 in reading order.
    #[inline(always)]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The set of this square alone.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard::from_bits(1 << self.0)
    }

    /// Reads `a1`..`h8`, the row counted from the top.
    #[inline]
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
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(char::from(b'a' + self.0 % 8))?;
        f.write_char(char::from(b'1' + self.0 / 8))
    }
}
