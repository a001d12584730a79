//! Records of games as text: the project's own for every game, and those that other programs know.
//!
//! A format is a file below `record/`: which games it has, how it is read and how it is written.
//! Reading plays every move in a match, so what comes out is always a legal game; what is refused is
//! told with its move and line.

mod blokus;
mod othello;
mod text;

use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::session::Match;
use corvid_core::setup::Setup;
use wasm_bindgen::prelude::*;

use crate::catalog::parse_setup;
use crate::page_match::moves_of;

/// A longer word of a damaged record is cut when it is quoted.
const QUOTED: usize = 24;

/// A format of records.
struct Format {
    /// What it is called on the page.
    name: &'static str,
    /// Whether it has this game.
    has: fn(GameKind) -> bool,
    write: fn(&Match, &Header) -> String,
}

/// The formats, the one for every game first.
const FORMATS: [Format; 3] = [text::FORMAT, blokus::FORMAT, othello::FORMAT];

/// What a record tells beside the moves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Header {
    /// Who played, by seat; empty if it isn't told.
    names: Vec<String>,
    date: String,
    result: String,
}

/// A game that was read.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Record {
    game: Match,
    header: Header,
    notes: Vec<&'static str>,
}

#[wasm_bindgen]
impl Record {
    /// The game with its options: `dots 5x5`.
    #[wasm_bindgen(getter)]
    pub fn setup(&self) -> String {
        self.game.setup().to_string()
    }

    /// The moves, forced passes among them.
    #[wasm_bindgen(getter)]
    pub fn moves(&self) -> Vec<String> {
        moves_of(&self.game)
    }

    /// Who played, by seat; empty if it isn't told.
    #[wasm_bindgen(getter)]
    pub fn names(&self) -> Vec<String> {
        self.header.names.clone()
    }

    /// What the person should know about how it was read; empty if there is nothing.
    #[wasm_bindgen(getter)]
    pub fn note(&self) -> String {
        self.notes.join(" ")
    }
}

/// The formats in which a game with this setup can be written.
#[wasm_bindgen(js_name = recordFormats)]
pub fn formats(setup: &str) -> Vec<String> {
    let Ok(setup) = parse_setup(setup) else { return Vec::new() };
    let fitting = FORMATS.iter().filter(|format| (format.has)(setup.kind()));
    fitting.map(|format| format.name.into()).collect()
}

/// Reads a record in any of the formats. `hint` is the setup on the table: moves that stand alone are
/// taken to be of that game.
#[wasm_bindgen(js_name = readRecord)]
pub fn read_js(text: &str, hint: &str) -> Result<Record, JsError> {
    read(text, parse_setup(hint).ok()).map_err(|why| JsError::new(&why))
}

/// Writes a record. `names` are the players by seat and may be left out, like the date.
#[wasm_bindgen(js_name = writeRecord)]
pub fn write_js(
    setup: &str,
    moves: Vec<String>,
    format: &str,
    names: Vec<String>,
    date: &str,
) -> Result<String, JsError> {
    write(setup, &moves, format, names, date).map_err(|why| JsError::new(&why))
}

/// Writes a record.
#[doc(hidden)]
pub fn write(
    setup: &str,
    moves: &[String],
    format: &str,
    names: Vec<String>,
    date: &str,
) -> Result<String, String> {
    let setup = parse_setup(setup)?;
    let fits = |known: &&Format| known.name == format && (known.has)(setup.kind());
    let unknown = || format!("{} has no records in the format '{format}'", setup.kind());
    let format = FORMATS.iter().find(fits).ok_or_else(unknown)?;
    let moves: Vec<_> = moves.iter().map(|text| Written::new(text, 1)).collect();
    let game = replay(setup, &moves).map_err(|failure| failure.text)?;
    let names = names.iter().map(|name| one_line(name)).collect();
    let header = Header { names, date: one_line(date), result: String::new() };
    Ok((format.write)(&game, &header))
}

/// Reads a record.
#[doc(hidden)]
pub fn read(text: &str, hint: Option<Setup>) -> Result<Record, String> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('(') {
        blokus::read(text)
    } else if text::has_header(text) {
        text::read(text, None)
    } else if let Some(setup) = hint.filter(|setup| !(othello::FORMAT.has)(setup.kind())) {
        // Moves alone are of the game on the table, unless only another one could have them.
        let read = text::read(text, Some(setup));
        read.or_else(|why| othello::read(text).map_err(|_| why))
    } else {
        othello::read(text)
    }
}

/// A move as it stands in a record.
#[derive(Debug, Clone)]
struct Written {
    text: String,
    line: usize,
    /// Who makes it, where the record says so.
    player: Option<Player>,
}

impl Written {
    fn new(text: &str, line: usize) -> Self {
        Self { text: text.to_owned(), line, player: None }
    }
}

/// Why a record can't be replayed.
struct Failure {
    /// How many moves could be made.
    made: usize,
    text: String,
}

/// Plays the moves of a record.
fn replay(setup: Setup, moves: &[Written]) -> Result<Match, Failure> {
    let mut game = Match::new(setup);
    for (made, Written { text, line, player }) in moves.iter().enumerate() {
        let played = match player {
            Some(player) => game.play(*player, text),
            None => game.play_next(text),
        };
        played.map_err(|refusal| {
            let (number, why) = (made + 1, refusal.long());
            let text = if why.split([' ', ':', ',']).any(|word| word == text) {
                format!("move {number} (line {line}): {why}")
            } else {
                format!("move {number} (line {line}), {}: {why}", quoted(text))
            };
            Failure { made, text }
        })?;
    }
    Ok(game)
}

/// What a record has in a place, for an error.
fn quoted(text: &str) -> String {
    let mut quoted: String = text.chars().take(QUOTED).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    format!("'{quoted}'")
}

/// A name or a date in a single line.
fn one_line(text: &str) -> String {
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A word of a list of moves without the number before it: `12.`, `12.d3`. Nothing may be left.
fn without_number(word: &str) -> &str {
    match word.split_once(['.', ')']) {
        Some((number, rest)) if number.bytes().all(|digit| digit.is_ascii_digit()) => {
            rest.trim_start_matches('.')
        }
        _ => word,
    }
}

#[cfg(test)]
mod tests;
