//! Which game is played, with which options.

use core::fmt::{self, Write};

use crate::game::parse_number;
use crate::player::Color;
use crate::registry::GameKind;

/// The most options that a game has.
pub const MAX_OPTIONS: usize = 2;

/// The values of a game's options, in the order of its list. A game with fewer leaves the rest 0.
pub type Options = [u8; MAX_OPTIONS];

/// An option of a game: one entry serves text, screens, command line and saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opt {
    /// The word on a form: `rounds`.
    pub label: &'static str,
    /// The name on a command line, without the dashes: `rounds`. Joined options share one.
    pub flag: &'static str,
    /// What it can be.
    pub values: Values,
    /// What it is when nobody says.
    pub usual: u8,
    /// Whether its value is written right after the one before, with an `x` between: the columns
    /// of `5x5`.
    pub joined: bool,
}

/// What an option can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values {
    /// A number from the first to the second.
    Numbers(u8, u8),
    /// One of these words; the value is its place.
    Words(&'static [&'static str]),
}

impl Values {
    /// The lowest and the highest value.
    pub const fn range(self) -> (u8, u8) {
        match self {
            Self::Numbers(first, last) => (first, last),
            Self::Words(words) => (0, words.len() as u8 - 1),
        }
    }

    /// The value that a text means, in any letter case.
    fn parse(self, text: &str) -> Option<u8> {
        let value = match self {
            Self::Numbers(..) => parse_number(text)?,
            Self::Words(words) => {
                words.iter().position(|word| word.eq_ignore_ascii_case(text))? as u8
            }
        };
        let (first, last) = self.range();
        (first..=last).contains(&value).then_some(value)
    }

    /// Writes a value.
    pub fn write(self, value: u8, out: &mut dyn Write) -> fmt::Result {
        match self {
            Self::Numbers(..) => write!(out, "{value}"),
            Self::Words(words) => out.write_str(words.get(usize::from(value)).unwrap_or(&"?")),
        }
    }
}

/// What a game's solver tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// It has none.
    None,
    /// The difference at the end.
    Final,
    /// The difference that is still to be made.
    FromHere,
}

/// What is told about a game.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct GameInfo {
    /// The name on command lines: `blokus-duo`.
    pub name: &'static str,
    /// The name for people: `Blokus Duo`.
    pub title: &'static str,
    /// The same in at most nine letters.
    pub short_title: &'static str,
    /// Another name that is understood, or nothing.
    pub alias: &'static str,
    /// The rules, in short.
    pub rules: &'static str,
    /// The players in turn order.
    pub colors: &'static [Color],
    /// Other names for them, which a document about the game has; empty if there are none.
    pub document_colors: &'static [&'static str],
    /// What a colour is called, when something else was typed.
    pub color_names: &'static str,
    /// What can be chosen before a match.
    pub options: &'static [Opt],
    /// Squares along a side, if no option changes it.
    pub side: Option<u8>,
    /// How many people sit at the board with these options.
    pub people: fn(Options) -> usize,
    /// What its solver tells.
    pub solver: Solver,
    /// The bots' names.
    pub bots: &'static [&'static str],
    /// Matches that are offered by name.
    pub presets: &'static [Preset],
    /// Bytes of a move in a save.
    pub packed: usize,
}

/// A match with the usual options that is offered by name. Its players are seated by lot.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// What it is called, in at most 20 letters.
    pub label: &'static str,
    /// The players: bots by name, and nothing for a person.
    pub players: &'static [&'static str],
}

/// A game with its options, ready to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    kind: GameKind,
    options: Options,
}

impl Setup {
    /// The game with the options that most people want.
    pub const fn usual(kind: GameKind) -> Self {
        let list = kind.info().options;
        let mut options = [0; MAX_OPTIONS];
        let mut index = 0;
        while index < list.len() && index < MAX_OPTIONS {
            options[index] = list[index].usual;
            index += 1;
        }
        Self { kind, options }
    }

    /// The game with these options; `None` if one can't be.
    pub fn new(kind: GameKind, options: Options) -> Option<Self> {
        let list = kind.info().options;
        let fits = options.iter().enumerate().all(|(index, value)| {
            let (first, last) = list.get(index).map_or((0, 0), |option| option.values.range());
            (first..=last).contains(value)
        });
        fits.then_some(Self { kind, options })
    }

    /// Which game it is.
    pub const fn kind(self) -> GameKind {
        self.kind
    }

    /// The values of its options.
    pub const fn options(self) -> Options {
        self.options
    }

    /// How many people sit at the board.
    pub fn people(self) -> usize {
        (self.kind.info().people)(self.options)
    }

    /// The same with another value of an option; `None` if that can't be.
    pub fn with(self, option: usize, value: u8) -> Option<Self> {
        let mut options = self.options;
        *options.get_mut(option)? = value;
        Self::new(self.kind, options)
    }

    /// The same game, with options for this many people if it has them.
    pub fn with_people(self, people: usize) -> Option<Self> {
        let changed = self.kind.info().options.iter().enumerate().flat_map(|(index, option)| {
            let (first, last) = option.values.range();
            (first..=last).filter_map(move |value| self.with(index, value))
        });
        core::iter::once(self).chain(changed).find(|setup| setup.people() == people)
    }

    /// The same game with an option as [`Display`](fmt::Display) writes it, in any letter case.
    pub fn with_word(self, word: &str) -> Option<Self> {
        let list = self.kind.info().options;
        (0..list.len()).find_map(|index| self.with_word_at(index, word))
    }

    /// The same for one option, or two joined ones, from this place in the list on.
    pub fn with_word_at(self, index: usize, word: &str) -> Option<Self> {
        let list = self.kind.info().options;
        let option = list.get(index).filter(|option| !option.joined)?;
        let Some(next) = list.get(index + 1).filter(|next| next.joined) else {
            return self.with(index, option.values.parse(word)?);
        };
        let (first, second) = word.split_once(['x', 'X'])?;
        let first = option.values.parse(first)?;
        self.with(index, first)?.with(index + 1, next.values.parse(second)?)
    }
}

/// The game's name and its options: `dots 5x5`.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        for (option, value) in self.kind.info().options.iter().zip(self.options) {
            f.write_char(if option.joined { 'x' } else { ' ' })?;
            option.values.write(value, &mut Lower(f))?;
        }
        Ok(())
    }
}

/// Writes what the options can be: `2 to 28 rounds, x or o begins`.
pub fn write_choices(options: &[Opt], out: &mut dyn Write) -> fmt::Result {
    let mut options = options.iter().peekable();
    let mut separator = "";
    while let Some(option) = options.next() {
        out.write_str(separator)?;
        separator = ", ";
        let pair = options.next_if(|next| next.joined);
        match (option.values, pair.map(|next| next.values)) {
            (Values::Numbers(a, b), Some(Values::Numbers(c, d))) => {
                write!(out, "{a}x{c} to {b}x{d}")?;
            }
            (Values::Numbers(first, last), _) => {
                write!(out, "{first} to {last} {}", option.label)?;
            }
            (Values::Words(words), _) => {
                for (place, word) in words.iter().enumerate() {
                    let or = if place > 0 { " or " } else { "" };
                    write!(Lower(out), "{or}{word}")?;
                }
                write!(out, " {}", option.label)?;
            }
        }
    }
    Ok(())
}

/// Writes in lower case.
struct Lower<'a, W: Write + ?Sized>(&'a mut W);

impl<W: Write + ?Sized> Write for Lower<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|letter| self.0.write_char(letter.to_ascii_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::{String, ToString};

    #[test]
    fn every_setup_reads_back() {
        for kind in GameKind::ALL {
            let list = kind.info().options;
            for (index, option) in list.iter().enumerate() {
                let (first, last) = option.values.range();
                for value in first..=last {
                    let setup = Setup::usual(kind).with(index, value).unwrap();
                    let text = setup.to_string();
                    let words = text.split(' ').skip(1);
                    let read = words.fold(Setup::usual(kind), |s, w| s.with_word(w).unwrap());
                    assert_eq!(read, setup, "{text}");
                }
                assert_eq!(Setup::usual(kind).with(index, last + 1), None);
            }
            assert_eq!(Setup::usual(kind).with_word("purple"), None);
            assert_eq!(Setup::usual(kind).with(list.len(), 1), None);
        }
    }

    #[test]
    fn a_word_for_one_option_is_none_for_another() {
        let usual = Setup::usual(GameKind::Adjacency);
        assert_eq!(usual.with_word_at(0, "8"), usual.with(0, 8));
        assert_eq!(usual.with_word_at(1, "o"), usual.with(1, 1));
        assert_eq!(usual.with_word_at(0, "o"), None);
        assert_eq!(usual.with_word_at(1, "8"), None);
        assert_eq!(usual.with_word_at(2, "8"), None);
        let dots = Setup::usual(GameKind::Dots);
        assert_eq!(dots.with_word_at(0, "3X4"), dots.with(0, 3).unwrap().with(1, 4));
        for (index, word) in [(0, "3"), (1, "3"), (1, "3x4"), (0, "x"), (0, "0x3")] {
            assert_eq!(dots.with_word_at(index, word), None, "{word}");
        }
    }

    #[test]
    fn choices_are_told_in_words() {
        let told = |name: &str| {
            let mut text = String::new();
            let kind = GameKind::from_name(name).unwrap();
            write_choices(kind.info().options, &mut text).unwrap();
            text
        };
        assert_eq!(told("adjacency"), "2 to 28 rounds, x or o begins");
        assert_eq!(told("dots"), "1x1 to 10x10");
        assert_eq!(told("blokus-classic"), "4 or 2 seats");
        assert_eq!(told("othello"), "");
    }
}
