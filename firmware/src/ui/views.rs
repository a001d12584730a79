//! What a game looks like and how keys play it: one view for each game.
mod adjacency;
mod blokus;
mod dots;
mod othello;
mod squares;

use super::widgets::Line;
use crate::{frame::Frame, keys::Press};
use corvid_core::{
    game::{MoveCode, Notation},
    player::Player,
    registry::{AnyPosition, GameKind},
};

/// The cursor, and the piece in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hand {
    /// Column and row of the cursor.
    pub cursor: (u8, u8),
    /// A piece over the board, by the game's own number.
    pub piece: Option<u8>,
    /// Whether the keys rotate the piece rather than move it.
    pub turning: bool,
}

/// What a key on the board led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pressed {
    /// The hand is there now.
    Moved(Hand),
    /// The move in the hand is to be played.
    Play,
    /// The tray is to be opened.
    Tray,
}

/// What is drawn beside the position itself.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shown {
    /// The move that led here.
    pub(crate) last: Option<MoveCode>,
    /// Whether legal moves are marked.
    pub(crate) marks: bool,
    /// The hand, if a person is to move.
    pub(crate) hand: Option<Hand>,
}

/// The screen's side of a game. It expects positions of its own game; for another game's it draws
/// and does nothing.
pub(crate) trait View: Sync {
    /// Draws the board.
    fn draw(&self, frame: &mut Frame, position: &AnyPosition, shown: Shown);
    /// Draws a player's mark, six pixels wide and high.
    fn mark(&self, frame: &mut Frame, player: Player, x: i32, y: i32);
    /// Draws what is around the hand, enlarged, with the whole board beside it in small: for a board
    /// whose squares are too small to place something on. False if this one's are not, or the hand
    /// is empty.
    fn magnify(&self, _frame: &mut Frame, _position: &AnyPosition, _shown: Shown) -> bool {
        false
    }
    /// The pixel in the middle of where a move was made; `None` for the middle of what it has changed.
    fn center(&self, _position: &AnyPosition, _mv: MoveCode) -> Option<(i32, i32)> {
        None
    }
    /// Where the cursor starts: on a legal move if it plays at once.
    fn home(&self) -> (u8, u8);
    /// The nearest place for the cursor on this board.
    fn fit(&self, position: &AnyPosition, cursor: (u8, u8)) -> (u8, u8);
    /// What a key does on the board.
    fn press(&self, position: &AnyPosition, hand: Hand, press: Press) -> Pressed;
    /// The move in the hand.
    fn pointed(&self, position: &AnyPosition, hand: Hand) -> Option<MoveCode>;
    /// The hand that points at a move.
    fn show(&self, position: &AnyPosition, mv: MoveCode) -> Option<Hand>;
    /// The text beside the board, if it is more than the last move.
    fn help(&self, _position: &AnyPosition, _hand: Hand, _out: &mut Line) {}
    /// The points that a player begins with when what is placed counts, not what is left.
    fn head_start(&self) -> i16 {
        0
    }
    /// A line above it.
    fn status(&self, _position: &AnyPosition, _out: &mut Line) {}
    /// Writes a move in a few characters.
    fn write_short(&self, position: &AnyPosition, mv: MoveCode, out: &mut Line) {
        // Writing to a line never fails.
        let _ = position.get().write_move(mv, Notation::Plain, out);
    }
    /// The screens with the pieces, of a game that has some.
    fn pieces(&self) -> Option<&dyn Pieces> {
        None
    }
}

/// The screens of a game whose players have pieces.
pub(crate) trait Pieces {
    /// Draws the pieces of the player to move, one of them selected; a brief title leaves room for a
    /// clock.
    fn draw_tray(&self, frame: &mut Frame, position: &AnyPosition, chosen: usize, brief: bool);
    /// The piece selected first; `None` if there is none.
    fn first(&self, position: &AnyPosition, hand: Hand) -> Option<usize>;
    /// The piece that a key leads to.
    fn step(&self, position: &AnyPosition, chosen: usize, press: Press) -> usize;
    /// The hand with a piece taken from the tray, where it fits if it does anywhere.
    fn take(&self, position: &AnyPosition, hand: Hand, chosen: usize) -> Hand;
    /// Draws what a player of this name has left.
    fn draw_left(&self, frame: &mut Frame, position: &AnyPosition, player: Player, name: &str);
    /// The first piece that a player has left, as it lies at first, by the number that
    /// [`Hand::piece`] has.
    fn first_left(&self, position: &AnyPosition, player: Player) -> Option<u8>;
    /// What a key makes of a piece that is looked at: turned or flipped, or another of the player's.
    fn look(&self, position: &AnyPosition, player: Player, piece: u8, press: Press) -> u8;
    /// Draws a piece as large as fits.
    fn draw_piece(&self, frame: &mut Frame, piece: u8);
}

/// The view of a game.
pub(crate) const fn view(kind: GameKind) -> &'static dyn View {
    // In the order of the registry, whose length this has.
    const VIEWS: [&dyn View; GameKind::ALL.len()] =
        [&othello::VIEW, &adjacency::VIEW, &dots::VIEW, &blokus::DUO, &blokus::CLASSIC];
    VIEWS[kind.index()]
}

// These are not inlined, so that it is clear which of a caller's pointers leads to a view: `cargo xtask
// stack` follows them.

/// Writes a move in a few characters.
#[inline(never)]
pub(super) fn write_short(position: &AnyPosition, mv: MoveCode, out: &mut Line) {
    view(position.kind()).write_short(position, mv, out);
}

/// The points that a player begins with when what is placed counts.
#[inline(never)]
pub(super) fn head_start(kind: GameKind) -> i16 {
    view(kind).head_start()
}
