//! Blokus games as Pentobi and other programs write them: trees in the manner of the Smart Game Format,
//! `(;GM[Blokus Duo];B[f9,e10,f10,g10,f11];W[...])`.
//!
//! The main line is read, and variations are left out. A property is the colour that moves: `B` and `W`
//! where there are two colours, `1` to `4` where there are four. In a game of two people with four
//! colours the players' names are those of `B` and `W`. Passes are left out.

use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::session::Match;
use corvid_core::setup::Setup;

use super::{Format, Header, Record, Written, moves_of, one_line, quoted, replay};

pub(super) const FORMAT: Format =
    Format { name: "blksgf", has: |kind| game_name(Setup::usual(kind)).is_some(), write };

/// The value of `GM`.
fn game_name(setup: Setup) -> Option<&'static str> {
    match (setup.kind(), setup.people()) {
        (GameKind::BlokusDuo, _) => Some("Blokus Duo"),
        (GameKind::BlokusClassic, 4) => Some("Blokus"),
        (GameKind::BlokusClassic, _) => Some("Blokus Two-Player"),
        _ => None,
    }
}

/// The setups that a value of `GM` may mean. Records don't tell where first pieces may lie.
fn setups(name: &str) -> Vec<Setup> {
    let setups = GameKind::ALL.into_iter().map(Setup::usual).flat_map(|usual| {
        let values = usual.kind().info().options.first().map(|option| option.values.range());
        let (first, last) = values.unwrap_or((0, 0));
        (first..=last).filter_map(move |value| usual.with(0, value))
    });
    setups.filter(|setup| game_name(*setup) == Some(name)).collect()
}

/// The properties that are moves, by player; the last ones are of old records.
const TWO: [(&str, usize); 2] = [("B", 0), ("W", 1)];
const FOUR: [(&str, usize); 8] =
    [("1", 0), ("2", 1), ("3", 2), ("4", 3), ("BLUE", 0), ("YELLOW", 1), ("RED", 2), ("GREEN", 3)];

/// The properties of moves in this game.
fn movers(setup: Setup) -> &'static [(&'static str, usize)] {
    if setup.kind().info().colors.len() == 2 { &TWO } else { &FOUR }
}

/// The properties of the players' names, by seat.
fn namers(setup: Setup) -> &'static [&'static str] {
    if setup.people() == 2 { &["PB", "PW"] } else { &["P1", "P2", "P3", "P4"] }
}

/// The properties that put pieces on the board or take them away, without a move.
const SETUP: [&str; 7] = ["AB", "AW", "AE", "A1", "A2", "A3", "A4"];

struct Property {
    name: String,
    values: Vec<String>,
    line: usize,
}

pub(super) fn read(text: &str) -> Result<Record, String> {
    let (properties, has_more) = main_line(text)?;
    let Some(game) = properties.iter().find(|property| property.name == "GM") else {
        return Err("the record doesn't say which game it is (GM)".into());
    };
    let (name, line) = (game.values.concat(), game.line);
    let setups = setups(name.trim());
    let Some(&setup) = setups.first() else {
        return Err(format!("line {line}: {} is a game that Corvid doesn't play", quoted(&name)));
    };
    let mut header = Header::default();
    let mut moves = Vec::new();
    for property in &properties {
        let Property { name, values, line } = property;
        let is_move = |(known, _): &&(&str, usize)| known == name;
        if let Some((_, player)) = movers(setup).iter().find(is_move) {
            let cells = values.iter().map(|value| value.trim()).collect::<Vec<_>>().join(",");
            let text = if cells.is_empty() { "pass".into() } else { cells.to_ascii_lowercase() };
            moves.push(Written { text, line: *line, player: Player::new(*player) });
        } else if TWO.iter().chain(&FOUR).any(|known| is_move(&known)) {
            return Err(format!("line {line}: this game has no moves of {name}"));
        } else if SETUP.contains(&name.as_str()) {
            return Err(format!(
                "line {line}: {name} sets up a position, and only games from the start can be read"
            ));
        } else if let Some(seat) = namers(setup).iter().position(|known| known == name) {
            header.name(setup, seat, &values.concat());
        } else if name == "DT" {
            header.date = one_line(&values.concat());
        } else if name == "RE" {
            header.result = one_line(&values.concat());
        }
    }
    let notes = if has_more { vec!["Variations were left out."] } else { Vec::new() };
    let mut furthest = None;
    for setup in setups {
        match replay(setup, &moves) {
            Ok(game) => return Ok(Record { game, header, notes }),
            Err(failure) => {
                if furthest.as_ref().is_none_or(|(made, _)| failure.made > *made) {
                    furthest = Some((failure.made, failure.text));
                }
            }
        }
    }
    Err(furthest.map_or_else(String::new, |(_, text)| text))
}

/// The properties of the main line in order, and whether there is more.
fn main_line(text: &str) -> Result<(Vec<Property>, bool), String> {
    let mut reader = Reader { letters: text.chars().peekable(), line: 1 };
    let mut properties = Vec::new();
    let mut in_node = false;
    loop {
        reader.skip_blanks();
        let line = reader.line;
        let Some(letter) = reader.next() else {
            return Err(format!("line {line}: the record breaks off, its ')' is missing"));
        };
        match letter {
            // The first branch is the main line, and its end is the end of all that matters.
            ')' if in_node => break,
            '(' => {}
            ';' => in_node = true,
            _ if in_node && letter.is_ascii_alphanumeric() => {
                properties.push(reader.property(letter, line)?);
            }
            _ => return Err(format!("line {line}: '{letter}' doesn't belong there")),
        }
    }
    let has_more = reader.letters.any(|letter| letter == ';');
    Ok((properties, has_more))
}

struct Reader<'a> {
    letters: Peekable<Chars<'a>>,
    line: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.letters.next()?;
        self.line += usize::from(letter == '\n');
        Some(letter)
    }

    fn skip_blanks(&mut self) {
        while self.letters.peek().is_some_and(|letter| letter.is_whitespace()) {
            self.next();
        }
    }

    /// A property with its values. Small letters in its name mean nothing.
    fn property(&mut self, first: char, line: usize) -> Result<Property, String> {
        let mut name = String::from(first);
        while let Some(letter) = self.letters.next_if(char::is_ascii_alphanumeric) {
            name.push(letter);
        }
        name.retain(|letter| !letter.is_ascii_lowercase());
        let mut values = Vec::new();
        loop {
            self.skip_blanks();
            if self.letters.next_if_eq(&'[').is_none() {
                break;
            }
            values.push(self.value(&name)?);
        }
        if values.is_empty() {
            return Err(format!("line {line}: {} has no value", quoted(&name)));
        }
        Ok(Property { name, values, line })
    }

    /// The rest of a value after its `[`, without escapes.
    fn value(&mut self, name: &str) -> Result<String, String> {
        let begun = self.line;
        let mut value = String::new();
        loop {
            let letter = match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => match self.next() {
                    // An escaped end of a line is none.
                    Some('\n' | '\r') => continue,
                    letter => letter,
                },
                letter => letter,
            };
            let Some(letter) = letter else {
                return Err(format!("line {begun}: the value of {} has no end", quoted(name)));
            };
            value.push(letter);
        }
    }
}

/// A text as a value: what would end it is escaped.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if matches!(letter, ']' | '\\') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// The squares of a move in the order in which Pentobi has them: row by row from below.
fn in_order(text: &str) -> String {
    let row = |cell: &&str| cell.get(1..).and_then(|row| row.parse::<u8>().ok());
    let mut cells: Vec<_> = text.split(',').collect();
    cells.sort_by_key(|cell| (row(cell), *cell));
    cells.join(",")
}

fn write(game: &Match, header: &Header) -> String {
    let setup = game.setup();
    // GM is first: programs look for it at the beginning.
    let mut text = format!("(;GM[{}]CA[UTF-8]AP[Corvid]", game_name(setup).unwrap_or_default());
    let mut property = |name: &str, value: &str| {
        if !value.is_empty() {
            // Writing to a String never fails.
            let _ = write!(text, "{name}[{}]", escaped(value));
        }
    };
    for (namer, name) in namers(setup).iter().zip(&header.names) {
        property(namer, name);
    }
    property("DT", &header.date);
    if game.is_over() {
        property("RE", &result(game));
    }
    text.push('\n');
    let mut trial = Match::new(setup);
    for mv in moves_of(game) {
        let mover = trial.turn().index();
        let name = movers(setup).iter().find(|(_, player)| *player == mover);
        if let Some((name, _)) = name.filter(|_| mv != "pass") {
            let _ = writeln!(text, ";{name}[{}]", in_order(&mv));
        }
        // The moves are legal: they come from a match.
        let _ = trial.play_next(&mv);
    }
    text + ")\n"
}

/// `B+4`, `W+4` or `0` between two people, else the points of each.
fn result(game: &Match) -> String {
    match *game.seat_scores() {
        [first, second] if first > second => format!("B+{}", first - second),
        [first, second] if first < second => format!("W+{}", second - first),
        [_, _] => "0".into(),
        ref scores => scores.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    }
}
