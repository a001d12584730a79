//! Which game is played, with which options.

use core::fmt;

use crate::games::adjacency::Rounds;
use crate::games::blokus::StartRule;
use crate::games::dots::Size;
use crate::player::Player;

/// One of the five games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameKind {
    /// Othello on 8x8.
    Othello,
    /// The Adjacency Strategy Game.
    Adjacency,
    /// Dots and Boxes.
    Dots,
    /// Blokus for two on 14x14.
    BlokusDuo,
    /// Blokus for four on 20x20.
    BlokusClassic,
}

impl GameKind {
    /// All games.
    pub const ALL: [Self; 5] =
        [Self::Othello, Self::Adjacency, Self::Dots, Self::BlokusDuo, Self::BlokusClassic];

    /// The name on command lines: `blokus-duo`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Othello => "othello",
            Self::Adjacency => "adjacency",
            Self::Dots => "dots",
            Self::BlokusDuo => "blokus-duo",
            Self::BlokusClassic => "blokus-classic",
        }
    }

    /// The name for people: `Blokus Duo`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Othello => "Othello",
            Self::Adjacency => "Adjacency",
            Self::Dots => "Dots and Boxes",
            Self::BlokusDuo => "Blokus Duo",
            Self::BlokusClassic => "Blokus Classic",
        }
    }

    /// The game with this name or title in any letter case; `Blokus` alone is Classic.
    pub fn from_name(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("blokus") {
            return Some(Self::BlokusClassic);
        }
        let named = |kind: &Self| {
            kind.name().eq_ignore_ascii_case(text) || kind.title().eq_ignore_ascii_case(text)
        };
        Self::ALL.into_iter().find(named)
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Who holds the four colours of Blokus Classic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seats {
    /// Four people with a colour each.
    #[default]
    Four,
    /// Two people: the first has blue and red, the second yellow and green. The colours play in
    /// their usual order, so the two alternate, and a person's points are those of both colours.
    Two,
}

/// A game with its options, ready to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// Othello has no options.
    Othello,
    /// Adjacency: its length, and who begins.
    Adjacency {
        /// How long the game is.
        rounds: Rounds,
        /// X or O.
        first: Player,
    },
    /// Dots and Boxes on a board of this size.
    Dots(Size),
    /// Blokus Duo with one of the two rules for first pieces.
    BlokusDuo(StartRule),
    /// Blokus Classic for four people or two.
    BlokusClassic(Seats),
}

impl Setup {
    /// The game with the options that most people want.
    pub const fn usual(kind: GameKind) -> Self {
        match kind {
            GameKind::Othello => Self::Othello,
            GameKind::Adjacency => Self::Adjacency { rounds: Rounds::MAX, first: Player::FIRST },
            GameKind::Dots => Self::Dots(Size::DEFAULT),
            GameKind::BlokusDuo => Self::BlokusDuo(StartRule::Own),
            GameKind::BlokusClassic => Self::BlokusClassic(Seats::Four),
        }
    }

    /// Which game it is.
    pub const fn kind(self) -> GameKind {
        match self {
            Self::Othello => GameKind::Othello,
            Self::Adjacency { .. } => GameKind::Adjacency,
            Self::Dots(_) => GameKind::Dots,
            Self::BlokusDuo(_) => GameKind::BlokusDuo,
            Self::BlokusClassic(_) => GameKind::BlokusClassic,
        }
    }

    /// How many people sit at the board.
    pub const fn seats(self) -> usize {
        match self {
            Self::BlokusClassic(Seats::Four) => 4,
            _ => 2,
        }
    }

    /// Which person, counted from 0, moves for a colour.
    pub const fn seat_of(self, player: Player) -> usize {
        player.index() % self.seats()
    }

    /// The same game with an option as [`Display`](fmt::Display) writes it, in lower case.
    pub fn with_option(self, word: &str) -> Option<Self> {
        Some(match (self, word) {
            (Self::Othello, _) => return None,
            (Self::Adjacency { rounds, .. }, "x") => {
                Self::Adjacency { rounds, first: Player::FIRST }
            }
            (Self::Adjacency { rounds, .. }, "o") => {
                Self::Adjacency { rounds, first: Player::SECOND }
            }
            (Self::Adjacency { first, .. }, _) => {
                Self::Adjacency { rounds: Rounds::new(word.parse().ok()?)?, first }
            }
            (Self::Dots(_), _) => {
                let (rows, columns) = word.split_once('x')?;
                Self::Dots(Size::new(rows.parse().ok()?, columns.parse().ok()?)?)
            }
            (Self::BlokusDuo(_), "own") => Self::BlokusDuo(StartRule::Own),
            (Self::BlokusDuo(_), "any") => Self::BlokusDuo(StartRule::Any),
            (Self::BlokusClassic(_), "4") => Self::BlokusClassic(Seats::Four),
            (Self::BlokusClassic(_), "2") => Self::BlokusClassic(Seats::Two),
            (Self::BlokusDuo(_) | Self::BlokusClassic(_), _) => return None,
        })
    }
}

/// The game's name and its options: `dots 5x5`.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().name())?;
        match self {
            Self::Othello => Ok(()),
            Self::Adjacency { rounds, first } => {
                write!(f, " {} {}", rounds.get(), if *first == Player::FIRST { "x" } else { "o" })
            }
            Self::Dots(size) => write!(f, " {}x{}", size.rows(), size.columns()),
            Self::BlokusDuo(rule) => f.write_str(match rule {
                StartRule::Own => " own",
                StartRule::Any => " any",
            }),
            Self::BlokusClassic(seats) => f.write_str(match seats {
                Seats::Four => " 4",
                Seats::Two => " 2",
            }),
        }
    }
}
