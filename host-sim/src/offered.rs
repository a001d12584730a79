//! Values of the command line with the words for them that a shell can offer.

use std::ffi::OsStr;

use clap::Arg;
use clap::builder::{PossibleValue, TypedValueParser};
use corvid_core::registry::{Bot, GameKind};
use corvid_firmware::profile::{PROFILES, Profile};

use crate::args;

/// A value that a function reads. It may accept more than the words, and its errors are its own; so the
/// help, which has them in its own sentences, hides the list that clap would make of them.
#[derive(Clone)]
pub(crate) struct Offered<T> {
    read: fn(&str) -> Result<T, String>,
    words: fn() -> Vec<&'static str>,
}

/// A game.
pub(crate) const GAME: Offered<GameKind> =
    Offered { read: args::game, words: || GameKind::ALL.map(GameKind::name).to_vec() };

/// A game that has a solver.
pub(crate) const SOLVED: Offered<GameKind> =
    Offered { read: args::solved_game, words: || args::solved().collect() };

/// A board's profile.
pub(crate) const BOARD: Offered<Profile> =
    Offered { read: args::profile, words: || PROFILES.map(|profile| profile.name).to_vec() };

/// A bot of any game: whether it plays the one that was chosen is checked later.
pub(crate) const BOT: Offered<String> = Offered {
    read: |name| Ok(name.to_owned()),
    words: || {
        let bots = GameKind::ALL.into_iter().flat_map(Bot::all);
        let mut names: Vec<_> = bots.map(Bot::name).collect();
        names.sort_unstable();
        names.dedup();
        names
    },
};

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Offered<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        self.read.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter().map(PossibleValue::new)))
    }
}
