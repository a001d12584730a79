//! Boards in text for people at a terminal: where a cursor can stand, and what it points at.

use core::fmt::{self, Write};

use crate::player::Player;

/// The places of a drawn board that a cursor can stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// How many beside each other.
    pub columns: u8,
    /// How many above each other.
    pub rows: u8,
    /// Characters from one to the next.
    pub across: usize,
    /// Lines from one to the next.
    pub down: usize,
    /// Whether the cursor itself belongs to a move beside the places that are marked.
    pub with_cursor: bool,
}

impl Places {
    /// The column and line of the text where a place is drawn.
    pub fn at(self, (x, y): (u8, u8)) -> (usize, usize) {
        (3 + self.across * usize::from(x), 1 + self.down * usize::from(y))
    }
}

/// A square of a piece as (column, row) from the piece's upper left.
pub type PieceSquare = (u8, u8);

/// A board as text.
pub trait TextBoard {
    /// How moves are written, in a sentence or two.
    fn notation(&self) -> &'static str;
    /// Where a cursor can stand.
    fn places(&self) -> Places;
    /// Writes the move that these places, as (column, row), stand for.
    fn write_pointed(&self, places: &[(u8, u8)], out: &mut dyn Write) -> fmt::Result;
    /// Visits the pieces that a player has yet to place, in a game that has pieces.
    fn for_each_in_hand(&self, _: Player, _visit: &mut dyn FnMut(&[PieceSquare])) {}
}

/// The squares of an 8x8 board.
pub(crate) const SQUARES: Places =
    Places { columns: 8, rows: 8, across: 2, down: 1, with_cursor: false };

/// Writes the last of some squares of an 8x8 board, whose rows are counted from the top.
pub(crate) fn write_square(places: &[(u8, u8)], out: &mut dyn Write) -> fmt::Result {
    places.last().map_or(Ok(()), |(x, y)| write!(out, "{}{}", char::from(b'a' + x), y + 1))
}
