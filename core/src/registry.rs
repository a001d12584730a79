//! The games, each named once.
//!
//! A game is built if its feature is on. Its number is the same whatever others are built.

use core::fmt;

use crate::any::AnyGame;
use crate::bots::{BotIndex, BotList};
use crate::engine::{Engine, Opponent};
use crate::game::perft;
use crate::games;
use crate::setup::{GameInfo, Setup};
use crate::text::TextBoard;
use crate::values::MoveValues;

/// Declares the games: the feature that each is built with, its number and its type. The numbers are
/// those of statistics and saves, and menus have the same order: new games come last.
macro_rules! games {
    ($($(#[doc = $doc:literal])* $feature:literal: $kind:ident = $number:literal, $game:ty;)*) => {
        #[cfg(not(any($(feature = $feature),*)))]
        compile_error!(concat!("turn on the feature of a game:" $(, " ", $feature)*));

        /// One of the games.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum GameKind {
            $(
                $(#[doc = $doc])*
                #[cfg(feature = $feature)]
                $kind = $number,
            )*
        }

        impl GameKind {
            /// All games that are built.
            pub const ALL: [Self; 0 $(+ cfg!(feature = $feature) as usize)*] =
                [$(#[cfg(feature = $feature)] Self::$kind),*];

            /// What is told about the game.
            pub const fn info(self) -> &'static GameInfo {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind => const { &<$game as Engine>::INFO },
                    )*
                }
            }

            /// What each of its options is about.
            pub const fn option_help(self) -> &'static [&'static str] {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind => <$game as Engine>::OPTION_HELP,
                    )*
                }
            }

            /// Where the game and its bots come from.
            pub const fn about(self) -> &'static str {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind => <$game as Engine>::ABOUT,
                    )*
                }
            }

            /// How each of its bots plays.
            const fn descriptions(self) -> &'static [&'static str] {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind => <$game as Engine>::Bot::DESCRIPTIONS,
                    )*
                }
            }

            /// What the search looks at in a board second.
            pub const fn nodes_per_board_second(self) -> u64 {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind => <$game as Engine>::NODES_PER_BOARD_SECOND,
                    )*
                }
            }
        }

        /// A position of one of the games, in place: no allocation, the size of the largest.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "in place of an allocation")]
        #[non_exhaustive]
        pub enum AnyPosition {
            $(
                $(#[doc = $doc])*
                #[cfg(feature = $feature)]
                $kind($game),
            )*
        }

        impl AnyPosition {
            /// The start of a match.
            #[inline(never)]
            pub fn start(setup: Setup) -> Self {
                match setup.kind() {
                    $(
                        #[cfg(feature = $feature)]
                        GameKind::$kind => Self::$kind(<$game>::start(setup.options())),
                    )*
                }
            }

            /// Which game it is.
            pub const fn kind(&self) -> GameKind {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(_) => GameKind::$kind,
                    )*
                }
            }

            /// The position, to look at.
            pub fn get(&self) -> &dyn AnyGame {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(game) => game,
                    )*
                }
            }

            /// The position as text, for a terminal.
            pub fn text(&self) -> &dyn TextBoard {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(game) => game,
                    )*
                }
            }

            /// The position, to compare its moves.
            pub fn values(&self) -> &dyn MoveValues {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(game) => game,
                    )*
                }
            }

            /// Counts the move sequences of `depth` plies from here, as fast as the game can.
            pub fn perft(&self, depth: u32) -> u64 {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(game) => perft(game, depth),
                    )*
                }
            }

            /// The position, to play.
            pub fn get_mut(&mut self) -> &mut dyn AnyGame {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        Self::$kind(game) => game,
                    )*
                }
            }
        }

        $(#[cfg(feature = $feature)]
        impl From<$game> for AnyPosition {
            fn from(game: $game) -> Self {
                Self::$kind(game)
            }
        })*

        $(#[cfg(feature = $feature)]
        impl<'a> TryFrom<&'a AnyPosition> for &'a $game {
            type Error = ();

            fn try_from(position: &'a AnyPosition) -> Result<Self, ()> {
                match position {
                    AnyPosition::$kind(game) => Ok(game),
                    #[allow(unreachable_patterns, reason = "it may be the only game")]
                    _ => Err(()),
                }
            }
        })*
    };
}

games! {
    /// Othello on 8x8.
    "othello": Othello = 0, games::othello::Othello;
    /// The Adjacency Strategy Game.
    "adjacency": Adjacency = 1, games::adjacency::Adjacency;
    /// Dots and Boxes.
    "dots": Dots = 2, games::dots::Dots;
    /// Blokus for two on 14x14.
    "blokus-duo": BlokusDuo = 3, games::blokus::Duo;
    /// Blokus for four on 20x20.
    "blokus-classic": BlokusClassic = 4, games::blokus::Classic;
}

impl GameKind {
    /// The game of the contests.
    #[cfg(feature = "blokus-duo")]
    pub const CONTEST: Self = Self::BlokusDuo;

    /// Its number, as in saves and statistics: the same whatever games are built. Where all are, it
    /// is the place among [`ALL`](Self::ALL).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The game with this number, if it is built.
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.index() == index)
    }

    /// The name on command lines: `blokus-duo`.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The name for people: `Blokus Duo`.
    pub const fn title(self) -> &'static str {
        self.info().title
    }

    /// The game with this name or title in any letter case; `Blokus` alone is Classic.
    pub fn from_name(text: &str) -> Option<Self> {
        let named = |kind: &Self| {
            let GameInfo { name, title, alias, .. } = kind.info();
            [name, title, alias].iter().any(|other| other.eq_ignore_ascii_case(text))
        };
        Self::ALL.into_iter().find(named).filter(|_| !text.is_empty())
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A bot and the game that it plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bot {
    kind: GameKind,
    index: BotIndex,
}

impl Bot {
    /// The bots that play a game, the plain ones before those of the documents.
    pub fn all(kind: GameKind) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        let count = kind.info().bots.len() as u8;
        (0..count).map(move |index| Self { kind, index: BotIndex(index) })
    }

    /// The bot of this name that plays this game.
    pub fn from_name(kind: GameKind, name: &str) -> Option<Self> {
        Self::all(kind).find(|bot| bot.name().eq_ignore_ascii_case(name))
    }

    /// A bot of one game, by its type.
    pub fn of<G: Engine>(kind: GameKind, bot: G::Bot) -> Option<Self> {
        let index = G::Bot::ALL.iter().position(|other| *other == bot)?;
        Self::all(kind).nth(index)
    }

    /// The game that it plays.
    pub const fn kind(self) -> GameKind {
        self.kind
    }

    /// Its place in its game's list.
    pub const fn index(self) -> usize {
        self.index.0 as usize
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        let (names, index) = (self.kind.info().bots, self.index());
        if index < names.len() { names[index] } else { "" }
    }

    /// How it plays, in a sentence.
    pub const fn description(self) -> &'static str {
        self.kind.descriptions()[self.index()]
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Who answers in a match of any game.
pub type AnyOpponent = Opponent<Bot>;

impl Opponent<Bot> {
    /// The same for a game; `None` if it is a bot of another one.
    pub fn playing(self, kind: GameKind) -> Option<Opponent<BotIndex>> {
        self.try_map(|bot| (bot.kind == kind).then_some(bot.index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_saves() {
        let numbered = ["othello", "adjacency", "dots", "blokus-duo", "blokus-classic"];
        for (index, name) in numbered.into_iter().enumerate() {
            let kind = GameKind::from_index(index).unwrap();
            assert_eq!((kind.name(), kind.index()), (name, index));
            assert_eq!(GameKind::ALL[index], kind);
        }
        assert_eq!(GameKind::from_index(numbered.len()), None);
    }

    #[test]
    fn names_are_found_again() {
        for kind in GameKind::ALL {
            assert_eq!(GameKind::from_name(kind.name()), Some(kind));
            assert_eq!(GameKind::from_name(kind.title()), Some(kind));
            assert!(kind.about().contains("bot"), "{kind}: {}", kind.about());
            for preset in kind.info().presets {
                assert_eq!(preset.players.len(), Setup::usual(kind).people(), "{}", preset.label);
                assert!(preset.label.len() <= 20);
                for name in preset.players.iter().filter(|name| !name.is_empty()) {
                    assert!(Bot::from_name(kind, name).is_some(), "{name}");
                }
            }
            for bot in Bot::all(kind) {
                assert_eq!(Bot::from_name(kind, bot.name()), Some(bot));
                assert!(bot.description().len() > 20, "{bot}");
            }
        }
        assert_eq!(GameKind::from_name("Blokus"), Some(GameKind::BlokusClassic));
        assert_eq!(GameKind::from_name(""), None);
        assert_eq!(Bot::from_name(GameKind::Othello, "leaky"), None);
        assert!(Bot::from_name(GameKind::BlokusDuo, "alpha-beta").is_some());
        assert_eq!(Bot::from_name(GameKind::BlokusClassic, "alpha-beta"), None);
    }

    #[test]
    fn a_bot_of_another_game_can_not_be_asked() {
        let leaky = Bot::from_name(GameKind::BlokusDuo, "leaky").unwrap();
        assert_eq!(Opponent::Bot(leaky).playing(GameKind::Othello), None);
        assert!(Opponent::Bot(leaky).playing(GameKind::BlokusDuo).is_some());
    }
}
