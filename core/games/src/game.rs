//! What every game can do.

use core::fmt::{self, Debug, Display, Write};

use crate::player::{Color, Player};
use crate::search::budget::Meter;

/// Characters in a line of the device's display: the short form of every message fits.
pub const DISPLAY_COLUMNS: usize = 21;

/// The most plies in any game, forced passes included: Dots and Boxes on 10x10 draws 220 lines.
/// (Othello has 60 moves and never two passes in a row, Blokus Classic 84 turns, since a player
/// who can't move never can again.)
pub const MAX_PLIES: usize = 220;

/// Why a move or a text is refused: [`Display`] is a sentence for people, the short form fits the
/// display.
pub trait Reason: Display + Debug {
    /// Writes the form of at most [`DISPLAY_COLUMNS`] characters.
    fn short(&self, out: &mut dyn Write) -> fmt::Result;
}

/// A position of a game: small, copied freely, the same on every machine.
///
/// A player who can't move while the game goes on has one legal move, the pass. Moves are listed
/// in an order that depends on the position alone, so that a seeded player is the same everywhere.
pub trait Game: Clone + PartialEq + Debug {
    /// A move, the forced pass included where the game has one.
    type Move: Copy + PartialEq + Debug;
    /// Why [`check`](Self::check) refuses a move.
    type Illegal: Reason;

    /// No position has more legal moves: a buffer of this many never overflows.
    const MAX_MOVES: usize;
    /// The players in turn order.
    const COLORS: &'static [Color];
    /// Whether a position is written as the moves that lead to it. Whoever keeps the game then
    /// reads and writes them, and the game has no position text of its own.
    const POSITION_IS_MOVES: bool = false;

    /// Whose turn it is.
    fn turn(&self) -> Player;
    /// The same position with another player to move.
    fn with_turn(&self, player: Player) -> Self;
    /// Calls `visit` for every legal move; for none when the game is over.
    fn for_each_move(&self, visit: impl FnMut(Self::Move));
    /// How many moves [`for_each_move`](Self::for_each_move) lists.
    fn count_moves(&self) -> u32 {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }
    /// The pass, when it is the only legal move.
    fn forced_pass(&self) -> Option<Self::Move>;
    /// Says why `mv` is not legal.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;
    /// Plays a legal move. An illegal one gives a position without meaning, but never a panic.
    fn play(&mut self, mv: Self::Move);
    /// Whether nobody can move any more.
    fn is_over(&self) -> bool;
    /// The player's points as they stand.
    fn score(&self, player: Player) -> i16;
    /// The points that a legal move brings its player at once, less what the others gain.
    fn gain(&self, mv: Self::Move) -> i16 {
        let mut after = self.clone();
        after.play(mv);
        let change = |player| after.score(player) - self.score(player);
        let own = self.turn();
        Player::all(Self::COLORS.len())
            .map(|player| if player == own { change(player) } else { -change(player) })
            .sum()
    }
    /// A well mixed number for tables; equal positions have equal ones.
    fn hash(&self) -> u64;

    /// Reads a move as people write it.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError>;
    /// Writes a move so that [`parse_move`](Self::parse_move) gives it back.
    fn write_move(&self, mv: Self::Move, out: &mut dyn Write) -> fmt::Result;
    /// Writes a move in a notation, where the game has it, else in its usual one.
    fn write_move_in(&self, mv: Self::Move, _: Notation, out: &mut dyn Write) -> fmt::Result {
        self.write_move(mv, out)
    }
    /// Reads a position of the same board size and options as `self`.
    fn parse_position(&self, _text: &str) -> Result<Self, PositionError> {
        Err(PositionError::Form("the moves that lead to it"))
    }
    /// Writes a position so that [`parse_position`](Self::parse_position) gives it back.
    fn write_position(&self, _out: &mut dyn Write) -> fmt::Result {
        Ok(())
    }
    /// Draws the board with its coordinates and the last move marked, a line of text per row.
    fn draw(&self, last: Option<Self::Move>, out: &mut dyn Write) -> fmt::Result;
}

/// How moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notation {
    /// As people write them.
    #[default]
    Plain,
    /// As the four characters of the contest, in Blokus Duo.
    Code,
}

/// Why a text is no move of the game at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseMoveError {
    /// The sentence.
    pub long: &'static str,
    /// The form for the display.
    pub short: &'static str,
}

impl Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.long)
    }
}

impl core::error::Error for ParseMoveError {}

impl Reason for ParseMoveError {
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str(self.short)
    }
}

/// Why a text is no position of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionError {
    /// It is not written in the game's form; this is the form.
    Form(&'static str),
    /// A character, counted from 1, that the form does not have there.
    Character(usize),
    /// It is well written, but no game leads there.
    Impossible(&'static str),
}

impl Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(form) => write!(f, "a position is {form}"),
            Self::Character(at) => write!(f, "unexpected character at {at}"),
            Self::Impossible(why) => write!(f, "impossible position: {why}"),
        }
    }
}

impl core::error::Error for PositionError {}

impl Reason for PositionError {
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        match self {
            Self::Form(_) => out.write_str("not a position"),
            Self::Character(at) => write!(out, "bad character at {at}"),
            Self::Impossible(_) => out.write_str("impossible position"),
        }
    }
}

/// Counts the move sequences of `depth` plies: a forced pass is a ply, a game that ends earlier is
/// one leaf.
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(game.count_moves().max(1)),
        _ => {
            let mut leaves = 0;
            game.for_each_move(|mv| {
                let mut next = game.clone();
                next.play(mv);
                leaves += perft(&next, depth - 1);
            });
            leaves.max(1)
        }
    }
}

/// The same within a budget, of which every position takes one whose moves are played or counted;
/// `None` when it is used up.
pub fn perft_within<G: Game>(game: &G, depth: u32, meter: &mut Meter<'_>) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if !meter.tick() {
        return None;
    }
    if depth == 1 {
        return Some(game.count_moves().max(1).into());
    }
    let mut leaves = Some(0);
    game.for_each_move(|mv| {
        // The moves that are left when the budget is used up are passed over.
        let Some(before) = leaves else { return };
        let mut next = game.clone();
        next.play(mv);
        leaves = perft_within(&next, depth - 1, meter).map(|below| before + below);
    });
    leaves.map(|leaves| leaves.max(1))
}
