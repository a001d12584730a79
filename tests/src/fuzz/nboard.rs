//! Lines of a viewer that speaks the NBoard protocol.

use std::cell::Cell;

use corvid::othello::nboard::{Flow, Interrupt, Nboard, interrupts, read_line};
use corvid_core::game::Game;
use corvid_core::games::othello::Othello;
use corvid_core::registry::GameKind;
use corvid_core::session::Match;
use corvid_core::setup::Setup;

use super::{check_match, is_harmless};
use crate::compare::written;

/// The lines of an input that are read.
const LINES: usize = 12;

/// A look of more plies than this is interrupted as soon as it begins: it may take minutes.
const SHALLOW: u8 = 3;

/// The microseconds that pass with every look at the clock; an exact score is given up after an hour.
const TICK: u64 = 10_000_000;

/// The words that an answer begins with.
const ANSWERS: [&str; 8] =
    ["===", "analysis", "learned", "nodestats", "pong", "search", "set", "status"];

pub(super) const WORDS: &[&str] = &[
    "\n",
    "nboard 2\n",
    "set depth ",
    "set game ",
    "set contempt ",
    "move ",
    "go\n",
    "hint ",
    "analyze\n",
    "ping ",
    "learn\n",
    "quit\n",
    "(;GM[Othello]",
    "BO[8 ---------------------------O*------*O--------------------------- *]",
    "BO[8 -O************************************************************** O]",
    "B[d3]",
    "W[c3//0.1]",
    "W[PA]",
    ";)",
    "4294967296",
    "1e9",
    "nan",
    "f5/1.5/2",
    "PA",
    "\r",
    "\t",
    "\x1b",
    "\u{202e}",
];

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(0) };
}

fn clock() -> u64 {
    NOW.set(NOW.get() + TICK);
    NOW.get()
}

pub(super) fn run(mut data: &[u8]) {
    NOW.set(0);
    let interrupt = Interrupt::default();
    let mut memory = [0; 512];
    let mut nboard = Nboard::new(&mut memory, &interrupt, clock);
    nboard.line("set depth 1", &mut Vec::new()).expect("a vector takes everything");
    for _ in 0..LINES {
        let Some(line) = read_line(&mut data).expect("bytes can be read") else { break };
        let line = line.expect("an input is shorter than the longest line");
        if interrupts(&line) {
            interrupt.announce();
        }
        // A ping is served by its answer, a deep look by the ping that would follow it.
        let deep = nboard.depth() > SHALLOW;
        if deep {
            interrupt.announce();
        }
        let (mut answer, before) = (Vec::new(), nboard.game().clone());
        let flow = nboard.line(&line, &mut answer).expect("a vector takes everything");
        if deep {
            interrupt.serve();
        }
        let answer = String::from_utf8(answer).expect("text");
        assert!(answer.is_empty() || answer.ends_with('\n'), "{line:?} is answered {answer:?}");
        for said in answer.split_terminator('\n') {
            check(&before, said);
        }
        let changes = ["move", "set"].contains(&line.split_whitespace().next().unwrap_or(""));
        assert!(changes || *nboard.game() == before, "{line:?} changes the game");
        if flow == Flow::Quit {
            break;
        }
    }
    let now = nboard.game().now();
    let mut game = Match::new(Setup::usual(GameKind::Othello));
    game.set_position(&written(|out| now.write_position(out))).expect("a position");
    check_match(&game);
}

/// Checks a line that a viewer is told, in a game.
fn check(game: &corvid::othello::ggf::Record, said: &str) {
    assert!(is_harmless(said), "{said:?}");
    let mut words = said.split(' ');
    let word = words.next().unwrap_or("");
    assert!(ANSWERS.contains(&word), "{said:?}");
    let rest: Vec<&str> = words.collect();
    match (word, &rest[..]) {
        ("===", [told]) => {
            let mut parts = told.split('/');
            let mv = parts.next().unwrap_or("");
            check_line(game.now(), mv);
            parts.next().into_iter().for_each(check_value);
        }
        ("search", [line, value, "0", _]) => {
            check_line(game.now(), line);
            check_value(value);
        }
        ("analysis", [ply, value]) => {
            assert!(ply.parse::<usize>().is_ok_and(|ply| ply <= game.plies()), "{said:?}");
            check_value(value);
        }
        ("nodestats", [nodes, seconds]) => {
            assert!(nodes.parse::<u64>().is_ok() && seconds.parse::<f64>().is_ok(), "{said:?}");
        }
        ("===" | "search" | "analysis" | "nodestats", _) => panic!("{said:?}"),
        _ => {}
    }
}

/// Checks that moves in a row are legal one after the other.
fn check_line(start: &Othello, line: &str) {
    let mut game = *start;
    assert!(!line.is_empty() && line.len().is_multiple_of(2), "{line:?}");
    for at in (0..line.len()).step_by(2) {
        let word = line[at..at + 2].to_ascii_lowercase();
        let mv = game.parse_move(if word == "pa" { "pass" } else { &word }).expect("a move");
        assert!(game.check(mv).is_ok(), "{word} of {line} is illegal in {start:?}");
        game.play(mv);
    }
}

/// Checks that a lead in discs is possible.
fn check_value(text: &str) {
    assert!(text.parse::<f64>().is_ok_and(|discs| discs.abs() <= 64.0), "{text} discs");
}
