//! What a person chose, and how the games went: what outlives the power.
use crate::{panel::Brightness, table::Seat};
use corvid_core::{
    engine::Level,
    player::MAX_PLAYERS,
    setup::{GameKind, Setup},
};

/// Seconds for a move that can be chosen.
pub const SECONDS: [u8; 6] = [1, 2, 5, 10, 20, 60];

/// What a person can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Whether legal moves are marked on the board.
    pub marks: bool,
    /// The most seconds for a computer's move.
    pub seconds: u8,
    /// How bright the display is.
    pub brightness: Brightness,
    /// The last choices for a new game.
    pub draft: Draft,
}

impl Settings {
    /// As a new device has them.
    pub const NEW: Self =
        Self { marks: true, seconds: 2, brightness: Brightness::MAX, draft: Draft::NEW };
}

/// A game that is about to be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draft {
    /// The game and its options.
    pub setup: Setup,
    /// Who plays, by seat; a game with fewer seats uses the first ones.
    pub seats: [Seat; MAX_PLAYERS],
}

impl Draft {
    /// As a new device has it: Othello, black against an easy opponent.
    pub const NEW: Self =
        Self { setup: Setup::usual(GameKind::Othello), seats: [Seat::Person, EASY, EASY, EASY] };
}

const EASY: Seat = match Level::new(3) {
    Some(level) => Seat::Level(level),
    None => Seat::Person,
};

/// How many games ended how, for the person at the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// First place, alone.
    pub won: u16,
    /// First place, shared.
    pub drawn: u16,
    /// Any other place.
    pub lost: u16,
}

/// How the games went that one person played against computers, by game in the order of
/// [`GameKind::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// One for each game.
    pub tallies: [Tally; GameKind::ALL.len()],
}

impl Statistics {
    /// No game was played.
    pub const NONE: Self =
        Self { tallies: [Tally { won: 0, drawn: 0, lost: 0 }; GameKind::ALL.len()] };
}
