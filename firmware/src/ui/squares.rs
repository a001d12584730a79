//! The 8x8 boards: Othello and Adjacency.
use super::glyphs::{MARK, mark};
use crate::frame::{Frame, Ink};
use corvid_core::{
    player::Player,
    setup::GameKind,
    square::{Square, Squares, squares},
};

/// Pixels from one square to the next.
const CELL: i32 = 8;

/// What is on an 8x8 board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) kind: GameKind,
    /// The squares of the two players.
    pub(crate) taken: [Squares; 2],
    /// Squares to mark as legal.
    pub(crate) legal: Squares,
    pub(crate) last: Option<Square>,
}

/// Where a square's upper left pixel is.
fn corner(square: Square) -> (i32, i32) {
    let index = i32::from(square.index());
    (index % 8 * CELL, index / 8 * CELL)
}

/// Draws the board.
pub(crate) fn draw(frame: &mut Frame, view: &View, cursor: Option<(u8, u8)>) {
    for column in 0..=8 {
        for row in 0..8 {
            frame.dot(column * CELL, row * CELL, Ink::On);
        }
    }
    for (player, taken) in [Player::FIRST, Player::SECOND].into_iter().zip(view.taken) {
        for square in squares(taken) {
            let (x, y) = corner(square);
            mark(frame, view.kind, player, x + 1, y + 1);
        }
    }
    // Where nearly every square is legal, a smaller mark is enough.
    let size = if view.kind == GameKind::Othello { 2 } else { 1 };
    for square in squares(view.legal) {
        let (x, y) = corner(square);
        frame.fill(x + 3, y + 3, size, size, Ink::On);
    }
    if let Some(square) = view.last {
        let (x, y) = corner(square);
        frame.fill(x + 1, y + MARK + 1, MARK, 1, Ink::On);
    }
    if let Some((column, row)) = cursor {
        let (x, y) = (i32::from(column) * CELL, i32::from(row) * CELL);
        frame.outline(x, y, CELL, CELL, Ink::On);
    }
}
