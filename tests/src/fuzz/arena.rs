//! The file that an arena is resumed from.

use corvid::arena::file::{self, Description};
use corvid_core::registry::GameKind;
use corvid_core::setup::Setup;

pub(super) const WORDS: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"game\":",
    "\"scores\":",
    "\"moves\":",
    "\"format\":",
    "\"corvid-arena 1\"",
    "\"match\":",
    "\"games\":",
    "\"b d3\"",
    "\"w c3\"",
    "32767",
    "-32768",
    "4294967295",
    "64",
    "0",
    "1e9",
    "null",
    "[[[[[[[[",
];

/// The match that the file has to be of.
fn description() -> Description {
    Description {
        game: "dots".into(),
        options: "usual".into(),
        players: vec!["random".into(), "level:1".into()],
        orders: "rotations".into(),
        openings: 2,
        seed: 1,
        memory_kb: 64,
        move_ms: 1000,
    }
}

pub(super) fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let setup = Setup::usual(GameKind::Dots).with_word("1x2").expect("a size");
    let of = description();
    // A list is of games, in a file that is right otherwise.
    let whole = file::write(&of, &[], Vec::new()).expect("it can be written");
    let text = match text.starts_with('[') {
        true => whole.replace("\"games\":[]", &format!("\"games\":{text}")),
        false => text.into(),
    };
    match file::read(&text, &of, setup, 100) {
        Ok(games) => {
            for pair in games.windows(2) {
                assert!(pair[0].game < pair[1].game, "in order");
            }
            assert!(games.iter().all(|game| game.game < 100 && game.scores.len() == 2));
            let points = games.iter().flat_map(|game| &game.scores);
            assert!(points.clone().all(|score| (-100..=100).contains(score)));
            let written = file::write(&of, &games, Vec::new()).expect("it can be written");
            assert_eq!(file::read(&written, &of, setup, 100).as_ref(), Ok(&games));
        }
        Err(why) => assert!(!why.to_string().is_empty()),
    }
}
