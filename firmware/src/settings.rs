//! Settings, which survive a power cut.
use crate::{
    clock::TimeControl,
    panel::{Brightness, Controller},
    table::Seat,
};
use corvid_core::{engine::Level, player::MAX_PLAYERS, registry::GameKind, setup::Setup};
use embassy_time::Duration;

/// The choices for the time per move, in seconds.
pub const SECONDS: [u8; 6] = [1, 2, 5, 10, 20, 60];

/// The choices for the screen saver, in minutes without a key; 0 is never.
pub const SAVER_MINUTES: [u8; 4] = [0, 2, 5, 15];

/// How long a computer's move is held back, so that people can follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Long enough to see what the last move did.
    Normal,
    /// Not at all.
    AtOnce,
    /// Long enough to think about it.
    Slow,
}

impl Pace {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Normal, Self::AtOnce, Self::Slow];

    /// The shortest time from a move to the reply, or to the next one if computers play each other.
    pub const fn pause(self, watched: bool) -> Duration {
        Duration::from_millis(match (self, watched) {
            (Self::AtOnce, _) => 0,
            (Self::Normal, false) => 500,
            (Self::Normal, true) => 700,
            (Self::Slow, false) => 1_000,
            (Self::Slow, true) => 2_000,
        })
    }
}

/// The user's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Whether legal moves are marked on the board.
    pub marks: bool,
    /// The time limit for a computer's move, in seconds.
    pub seconds: u8,
    /// How fast computers move.
    pub pace: Pace,
    /// Whether squares that are placed count, not those that are left, where pieces are placed.
    pub placed: bool,
    /// Whether bots that keep the bugs of a published program can be chosen.
    pub published: bool,
    /// Whether the colours have a document's names, where those are not the rules'.
    pub document_colors: bool,
    /// How bright the display is.
    pub brightness: Brightness,
    /// Whether moves are animated.
    pub animated: bool,
    /// Whether pieces are placed under a magnifier, on a board with small squares.
    pub magnified: bool,
    /// Minutes without a key until the screen saver, one of [`SAVER_MINUTES`].
    pub saver: u8,
    /// Whether the picture is upside down, for a display that is mounted so.
    pub upside_down: bool,
    /// The display's controller.
    pub controller: Controller,
    /// Whether moves and keys are heard, on a board with a piezo.
    pub sound: bool,
    /// Whether the processor runs at full speed, on a board that has the choice: from the next start on.
    pub full_speed: bool,
    /// The last choices for a new game.
    pub draft: Draft,
}

impl Settings {
    /// The defaults.
    pub const NEW: Self = Self {
        marks: true,
        seconds: 2,
        pace: Pace::Normal,
        placed: false,
        published: false,
        document_colors: false,
        brightness: Brightness::MAX,
        animated: true,
        magnified: true,
        saver: 5,
        upside_down: false,
        controller: Controller::Detected,
        sound: false,
        full_speed: true,
        draft: Draft::NEW,
    };
}

/// A game that is about to be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draft {
    /// The game and its options.
    pub setup: Setup,
    /// Who plays, by seat; a game with fewer seats uses the first ones.
    pub seats: [Seat; MAX_PLAYERS],
    /// How much time everybody has, on a device with comforts.
    pub time: TimeControl,
}

impl Draft {
    /// The default: the first game, against an easy opponent.
    pub const NEW: Self = Self {
        setup: Setup::usual(GameKind::ALL[0]),
        seats: [Seat::Person, EASY, EASY, EASY],
        time: TimeControl::NONE,
    };
}

/// An easy opponent.
pub(crate) const EASY: Seat = match Level::new(3) {
    Some(level) => Seat::Level(level),
    None => Seat::Person,
};
