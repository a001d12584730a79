//! The logs that `corvid tune` is resumed from.

use corvid::tune::blokus::lines::{parse_line, write_line};
use corvid::tune::othello::lines::{Known, game_line, head_line, labels_line, sealed};
use corvid_core::game::Game;
use corvid_core::games::blokus::{Blokus, Classic, Duo, Move, StartRule};

use super::take;

/// The run that the log has to be of.
const RUN: &str = "a run";

pub(super) const WORDS: &[&str] = &[
    "\n",
    "game 0 f5d6c3",
    "game 1 ",
    "labels 0 100 -6400",
    "labels 2 32767",
    " *0000000000000000",
    "0 0 ",
    "0:4:4:0",
    ",0:4:4:12",
    "90:9:9:4294967295",
    "4294967296",
    "-32769",
];

pub(super) fn run(mut data: &[u8]) {
    let [mode] = take(&mut data);
    match mode % 4 {
        0 => othello(data),
        1 => othello(&with_checksums(data)),
        2 => blokus(data, Duo::new(StartRule::Own)),
        _ => blokus(data, Classic::default()),
    }
}

/// The lines with checksums, which no mutation would hit, after the right first one.
fn with_checksums(data: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(data);
    let lines: String = text.split('\n').map(sealed).collect();
    (head_line(RUN) + &lines).into_bytes()
}

/// A log of Othello: what is read, written and read again is the same; what is cut off is less.
fn othello(data: &[u8]) {
    let (known, whole) = match Known::read(data, RUN) {
        Ok(read) => read,
        Err(why) => return assert!(!why.is_empty()),
    };
    assert!(whole <= data.len() && data[whole..].iter().all(|byte| *byte != b'\n'));
    let mut written = head_line(RUN);
    for (number, squares) in known.games.iter().enumerate() {
        written += &game_line(number as u32, squares);
    }
    written += &labels_line(0, &known.labels);
    let size = written.len();
    assert_eq!(Known::read(written.as_bytes(), RUN), Ok((known.clone(), size)));
    let (less, _) = Known::read(&written.as_bytes()[..size - 1], RUN).expect("half a line is cut");
    assert_eq!((less.games, less.labels.len()), (known.games, 0));
}

/// A line of a log of Blokus: a game that is read can be played and counted, and written again.
fn blokus<const P: usize, const W: usize>(data: &[u8], start: Blokus<P, W>) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Some(turns) = parse_line(text, 0, 0, start) else { return };
    let mut game = start;
    for turn in &turns {
        while let Some(pass) = game.forced_pass() {
            game.play(pass);
        }
        let mv = Move::Place(turn.played);
        assert!(game.check(mv).is_ok(), "{mv:?} of {text:?}");
        game.play(mv);
        assert!(u32::try_from(turn.visits.iter().map(|(_, n)| u64::from(*n)).sum::<u64>()).is_ok());
    }
    let written = write_line(0, 0, &turns);
    assert_eq!(parse_line(written.trim_end(), 0, 0, start), Some(turns));
}
