//! Boards of 8x8 squares, whatever is on them.
use super::{Hand, Pressed};
use crate::{
    frame::{Frame, Ink},
    keys::Press,
    ui::glyphs::MARK,
};
use corvid_core::{bitboard::Bitboard, square::Square};

/// Pixels from one square to the next.
const CELL: i32 = 8;

/// Where the cursor starts: beside the middle.
pub(crate) const HOME: (u8, u8) = (3, 3);

/// Where a square's upper left pixel is.
fn corner(square: Square) -> (i32, i32) {
    let index = i32::from(square.index());
    (index % 8 * CELL, index / 8 * CELL)
}

/// Draws the empty board, the last move and the cursor.
pub(crate) fn draw(frame: &mut Frame, last: Option<Square>, cursor: Option<(u8, u8)>) {
    for column in 0..=8 {
        for row in 0..8 {
            frame.dot(column * CELL, row * CELL, Ink::On);
        }
    }
    if let Some(square) = last {
        let (x, y) = corner(square);
        frame.fill(x + 1, y + MARK + 1, MARK, 1, Ink::On);
    }
    if let Some((column, row)) = cursor {
        let (x, y) = (i32::from(column) * CELL, i32::from(row) * CELL);
        frame.outline(x, y, CELL, CELL, Ink::On);
    }
}

/// Visits the upper left pixels of a set's squares.
pub(crate) fn each(set: Bitboard, mut visit: impl FnMut(i32, i32)) {
    for (x, y) in set.iter().map(corner) {
        visit(x, y);
    }
}

/// The pixel in the middle of the square that a hand points at.
pub(crate) fn center(hand: Hand) -> (i32, i32) {
    let (x, y) = hand.cursor;
    (i32::from(x) * CELL + CELL / 2, i32::from(y) * CELL + CELL / 2)
}

/// Draws a dot in the middle of a set's squares.
pub(crate) fn dots(frame: &mut Frame, set: Bitboard, size: i32) {
    each(set, |x, y| frame.fill(x + 3, y + 3, size, size, Ink::On));
}

/// Clamps a cursor to the board.
pub(crate) fn fit((x, y): (u8, u8)) -> (u8, u8) {
    (x.min(7), y.min(7))
}

/// Moves the cursor, wrapping around the edges; select plays.
pub(crate) fn press(hand: Hand, press: Press) -> Pressed {
    let (x, y) = hand.cursor;
    let cursor = match press {
        Press::Left => ((x + 7) % 8, y),
        Press::Right => ((x + 1) % 8, y),
        Press::Up => (x, (y + 7) % 8),
        Press::Down => (x, (y + 1) % 8),
        Press::Select => return Pressed::Play,
        Press::Menu => (x, y),
    };
    Pressed::Moved(Hand { cursor, ..hand })
}

/// The square under the cursor.
pub(crate) const fn pointed(hand: Hand) -> Option<Square> {
    Square::at(hand.cursor.0, hand.cursor.1)
}

/// The hand that points at a square.
pub(crate) fn hand_at(square: Square) -> Hand {
    Hand { cursor: (square.index() % 8, square.index() / 8), ..Hand::default() }
}
