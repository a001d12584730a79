//! Corvid's own records, for every game:
//!
//! ```text
//! corvid othello
//! black: Ada
//! white: level 5
//! date: 2026-01-31
//!
//! 1. d3 c3 c4 e3 f4 g4
//! ```
//!
//! The first line is the setup, lines `key: value` tell about the game, and the rest are moves. The
//! numbers, of the first move in their line, are for people; `#` begins a comment.

use std::fmt::Write;

use corvid_core::player::Player;
use corvid_core::session::Match;
use corvid_core::setup::Setup;

use super::{Format, Header, Record, Written, moves_of, replay, without_number};
use crate::catalog::parse_setup;

/// The word that begins a record.
const WORD: &str = "corvid";

/// Characters of moves in a line, where whole rounds fit.
const WIDTH: usize = 64;

pub(super) const FORMAT: Format = Format { name: "text", has: |_| true, write };

/// The lines with their numbers, without blank ones and comments.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(str::trim).enumerate().map(|(index, line)| (index + 1, line));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// A line `key: value`. A key is a word: a move with a stray colon is none.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim();
    let is_word = !key.is_empty() && key.chars().all(|c| c.is_alphabetic() || c == '-');
    is_word.then_some((key, value.trim()))
}

/// What follows the word that begins a record.
fn setup_in(line: &str) -> Option<&str> {
    let (word, setup) = line.split_at_checked(WORD.len())?;
    let is_header =
        word.eq_ignore_ascii_case(WORD) && !setup.starts_with(|c: char| !c.is_whitespace());
    is_header.then_some(setup.trim())
}

/// Whether the text says that it is one of Corvid's.
pub(super) fn has_header(text: &str) -> bool {
    lines(text).next().is_some_and(|(_, line)| setup_in(line).is_some())
}

/// Reads a record; without a first line it is of the game `setup`.
pub(super) fn read(text: &str, setup: Option<Setup>) -> Result<Record, String> {
    let mut lines = lines(text);
    let begun = setup;
    let setup = match begun {
        Some(setup) => setup,
        None => {
            let (number, line) = lines.next().unwrap_or((1, ""));
            let setup = setup_in(line).ok_or_else(|| {
                format!("line {number}: a record begins with '{WORD}' and the game")
            })?;
            parse_setup(setup).map_err(|why| format!("line {number}: {why}"))?
        }
    };
    let mut header = Header::default();
    let mut moves = Vec::new();
    for (number, line) in lines {
        match entry(line) {
            Some((key, value)) => header.take(setup, key, value),
            None => moves.extend(moves_in(line, number)),
        }
    }
    if moves.is_empty() && begun.is_some() {
        return Err("the record has no moves".into());
    }
    let game = replay(setup, &moves).map_err(|failure| failure.text)?;
    let mut notes = Vec::new();
    if !header.result.is_empty() && game.is_over() && header.result != result(&game) {
        notes.push("The moves lead to another result than the record tells.");
    } else if !header.result.is_empty() && !game.is_over() {
        notes.push("The record tells a result, but its moves don't end the game.");
    }
    Ok(Record { game, header, notes })
}

fn moves_in(line: &str, number: usize) -> impl Iterator<Item = Written> {
    let words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
    let moves = words.map(without_number).filter(|word| !word.is_empty());
    moves.map(move |word| Written::new(word, number))
}

impl Header {
    /// Notes a line `key: value`; one that nobody knows is passed over.
    fn take(&mut self, setup: Setup, key: &str, value: &str) {
        let colors = setup.kind().info().colors;
        if key.eq_ignore_ascii_case("date") {
            self.date = value.into();
        } else if key.eq_ignore_ascii_case("result") {
            self.result = value.into();
        } else if let Some(color) =
            colors.iter().position(|color| color.name.eq_ignore_ascii_case(key))
        {
            self.name(setup, color, value);
        }
    }

    /// Names the player of a colour; the first colour of a seat counts.
    pub(super) fn name(&mut self, setup: Setup, color: usize, value: &str) {
        let people = setup.people().max(1);
        self.names.resize(people, String::new());
        if let Some(name) = self.names.get_mut(color % people).filter(|name| name.is_empty()) {
            *name = super::one_line(value);
        }
    }
}

/// The points of a game that is over: `black 40, white 24`.
fn result(game: &Match) -> String {
    let colors = game.colors();
    let points = colors.iter().zip(Player::all(colors.len()));
    let points = points.map(|(color, player)| format!("{} {}", color.name, game.score(player)));
    points.collect::<Vec<_>>().join(", ")
}

fn write(game: &Match, header: &Header) -> String {
    let mut text = format!("{WORD} {}\n", game.setup());
    let mut line = |key: &str, value: &str| {
        if !value.is_empty() {
            // Writing to a String never fails.
            let _ = writeln!(text, "{key}: {value}");
        }
    };
    for (color, name) in game.colors().iter().zip(&header.names) {
        line(color.name, name);
    }
    line("date", &header.date);
    if game.is_over() {
        line("result", &result(game));
    }
    let moves = moves_of(game);
    if !moves.is_empty() {
        text.push('\n');
    }
    let round = game.colors().len();
    let longest = moves.iter().map(String::len).max().unwrap_or(0) + 1;
    let in_line = (WIDTH / longest / round).max(1) * round;
    let digits = moves.len().to_string().len();
    for (index, line) in moves.chunks(in_line).enumerate() {
        let _ = writeln!(text, "{:digits$}. {}", index * in_line + 1, line.join(" "));
    }
    text
}
