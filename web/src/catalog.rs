//! What the page knows about the games and boards.

use corvid_core::registry::{Bot, GameKind};
use corvid_core::setup::{Setup, Values};
use corvid_firmware::profile::PROFILES;
use wasm_bindgen::prelude::*;

/// The games' names, in the order of menus.
#[wasm_bindgen(js_name = gameNames)]
pub fn game_names() -> Vec<String> {
    GameKind::ALL.iter().map(ToString::to_string).collect()
}

/// The names of the boards whose memory and speed the engine can have.
#[wasm_bindgen(js_name = boardNames)]
pub fn board_names() -> Vec<String> {
    PROFILES.iter().map(|profile| profile.name.into()).collect()
}

/// The full names, in the same order.
#[wasm_bindgen(js_name = boardTitles)]
pub fn board_titles() -> Vec<String> {
    PROFILES.iter().map(|profile| profile.title.into()).collect()
}

/// What is told about a game.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GameFacts {
    kind: GameKind,
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).into()).collect()
}

#[wasm_bindgen]
impl GameFacts {
    /// The facts of the game of this name.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Self, JsError> {
        let kind = GameKind::from_name(name);
        Ok(Self { kind: kind.ok_or_else(|| JsError::new(&format!("no game '{name}'")))? })
    }

    /// The name for people.
    #[wasm_bindgen(getter)]
    pub fn title(&self) -> String {
        self.kind.title().into()
    }

    /// The same in at most nine letters.
    #[wasm_bindgen(getter, js_name = shortTitle)]
    pub fn short_title(&self) -> String {
        self.kind.info().short_title.into()
    }

    /// The rules in short.
    #[wasm_bindgen(getter)]
    pub fn rules(&self) -> String {
        self.kind.info().rules.into()
    }

    /// Where the game and its bots come from.
    #[wasm_bindgen(getter)]
    pub fn about(&self) -> String {
        self.kind.about().into()
    }

    /// The players' names in turn order.
    #[wasm_bindgen(getter)]
    pub fn colors(&self) -> Vec<String> {
        self.kind.info().colors.iter().map(|color| color.name.into()).collect()
    }

    /// The bots' names.
    #[wasm_bindgen(getter)]
    pub fn bots(&self) -> Vec<String> {
        owned(self.kind.info().bots)
    }

    /// How each of the bots plays.
    #[wasm_bindgen(getter, js_name = botDescriptions)]
    pub fn bot_descriptions(&self) -> Vec<String> {
        Bot::all(self.kind).map(|bot| bot.description().into()).collect()
    }

    /// What can be chosen before a match, a word each.
    #[wasm_bindgen(getter, js_name = optionLabels)]
    pub fn option_labels(&self) -> Vec<String> {
        self.kind.info().options.iter().map(|option| option.label.into()).collect()
    }

    /// What each option is about.
    #[wasm_bindgen(getter, js_name = optionHelp)]
    pub fn option_help(&self) -> Vec<String> {
        owned(self.kind.option_help())
    }

    /// The values of an option as they are written, the lowest first.
    #[wasm_bindgen(js_name = optionValues)]
    pub fn option_values(&self, option: usize) -> Vec<String> {
        let Some(option) = self.kind.info().options.get(option) else { return Vec::new() };
        let (first, last) = option.values.range();
        match option.values {
            Values::Words(words) => owned(words),
            _ => (first..=last).map(|value| value.to_string()).collect(),
        }
    }

    /// The place of the usual value among [`option_values`](Self::option_values).
    #[wasm_bindgen(js_name = usualValue)]
    pub fn usual_value(&self, option: usize) -> usize {
        let option = self.kind.info().options.get(option);
        option.map_or(0, |option| usize::from(option.usual - option.values.range().0))
    }

    /// The setup with these values, given by their places, as it is written: `dots 5x5`.
    pub fn setup(&self, places: &[u8]) -> Option<String> {
        let options = self.kind.info().options;
        let mut chosen = options.iter().zip(places).enumerate();
        let setup = chosen.try_fold(Setup::usual(self.kind), |setup, (index, (option, place))| {
            setup.with(index, option.values.range().0.checked_add(*place)?)
        });
        setup.map(|setup| setup.to_string())
    }

    /// How many people sit at the board with this setup.
    pub fn people(setup: &str) -> usize {
        parse_setup(setup).map_or(0, Setup::people)
    }
}

/// Reads a setup: `dots 5x5`.
pub(crate) fn parse_setup(text: &str) -> Result<Setup, String> {
    let mut words = text.split_ascii_whitespace();
    let name = words.next().unwrap_or("");
    let kind = GameKind::from_name(name).ok_or_else(|| format!("no game '{name}'"))?;
    words.try_fold(Setup::usual(kind), |setup, word| {
        setup.with_word(word).ok_or_else(|| format!("{kind} has no option '{word}'"))
    })
}
