//! Records of games: WTHOR archives, GGF texts, and what is pasted into the page.

use corvid::othello::{ggf, wthor};
use corvid_core::game::Game;
use corvid_core::games::othello::{Move, Othello};
use corvid_web::record;

use super::{setup, take};

pub(super) const WORDS: &[&str] = &[
    "(;GM[Othello]",
    "BO[8 ---------------------------O*------*O--------------------------- *]",
    "B[d3]",
    "W[c3//0.1]",
    "B[PA]",
    ";)",
    "(;GM[Blokus Duo]",
    "1[e10,f10]",
    "2[j5]",
    "f5d6c3d3c4",
    "1. d3 c3",
    "# Corvid",
    "game: ",
    "dots 5x5",
    "players: ",
    "result: ",
    "date: ",
    "\n",
    "\r\n",
    "pass",
    "\u{feff}",
];

pub(super) fn run(mut data: &[u8]) {
    let [mode] = take(&mut data);
    match (mode % 4, str::from_utf8(data)) {
        (0, _) => archive(data),
        (1, Ok(text)) => game_text(text),
        (_, Ok(_)) => {
            let hint = setup(take(&mut data));
            // The three bytes may have cut a character.
            if let Ok(text) = str::from_utf8(data) {
                page_text(text, hint);
            }
        }
        (_, Err(_)) => {}
    }
}

/// A WTHOR file.
fn archive(data: &[u8]) {
    let records = match wthor::records(data) {
        Ok(records) => records,
        Err(why) => return assert!(!why.to_string().is_empty()),
    };
    for record in records {
        let mut game = Othello::START;
        for &byte in record.moves() {
            let Some(square) = wthor::square(byte) else { break };
            if let Some(pass) = game.forced_pass() {
                game.play(pass);
            }
            if game.check(Move::Disc(square)).is_err() {
                break;
            }
            game.play(Move::Disc(square));
        }
    }
}

/// A game in GGF.
fn game_text(text: &str) {
    match ggf::parse(text) {
        Ok(record) => {
            let positions = record.positions();
            assert_eq!(positions.len(), record.plies() + 1);
            assert_eq!(positions.last(), Some(record.now()));
        }
        // It goes to a terminal.
        Err(why) => assert!(!why.is_empty() && !why.contains(char::is_control), "{why:?}"),
    }
}

/// A record in any format of the page: what it reads, it can write in every format of the game and
/// read again.
fn page_text(text: &str, hint: corvid_core::setup::Setup) {
    let read = match record::read(text, Some(hint)) {
        Ok(read) => read,
        Err(why) => return assert!(!why.is_empty()),
    };
    let (setup, moves) = (read.setup(), read.moves());
    // Other programs have no records of nothing.
    if moves.is_empty() {
        return;
    }
    for format in record::formats(&setup) {
        let written = record::write(&setup, &moves, &format, read.names(), "2026-11-18");
        let written = written.unwrap_or_else(|why| panic!("{format}: {why}"));
        let again = record::read(&written, Some(hint));
        let again = again.unwrap_or_else(|why| panic!("{format}: {why} in {written:?}"));
        assert_eq!(again.moves(), moves, "{format}: {written:?}");
    }
}
