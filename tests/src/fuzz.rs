//! Fuzz targets: what comes from outside, as bytes, against the code that reads it.
//!
//! A target is a function that takes any bytes and panics when a promise is broken. `tests/fuzz` runs
//! them under libFuzzer, guided by coverage; `tests/tests/fuzz.rs` replays the committed inputs and
//! some thousand mutants of them in the ordinary test run.

mod arena;
mod console;
mod contest;
mod desk;
mod device;
mod gtp;
mod logs;
mod mutate;
mod nboard;
mod peer;
mod positions;
mod records;
pub mod rules;
mod save;
mod script;

pub use mutate::Mutator;

use corvid_core::{
    game::SHORT, refusal::Refusal, registry::GameKind, session::Match, setup::Setup,
};

/// A target.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name: of the folder of its inputs, and for `cargo xtask fuzz`.
    pub name: &'static str,
    /// Reads the bytes.
    pub run: fn(&[u8]),
    /// What its inputs are made of, beside what the committed ones have.
    pub words: &'static [&'static str],
}

/// All targets.
pub const TARGETS: [Target; 13] = [
    Target { name: "gtp", run: gtp::run, words: gtp::WORDS },
    Target { name: "nboard", run: nboard::run, words: nboard::WORDS },
    Target { name: "peer", run: peer::run, words: peer::WORDS },
    Target { name: "contest", run: contest::run, words: contest::WORDS },
    Target { name: "console", run: console::run, words: gtp::WORDS },
    Target { name: "device", run: device::run, words: gtp::WORDS },
    Target { name: "save", run: save::run, words: &[] },
    Target { name: "positions", run: positions::run, words: positions::WORDS },
    Target { name: "records", run: records::run, words: records::WORDS },
    Target { name: "arena", run: arena::run, words: arena::WORDS },
    Target { name: "logs", run: logs::run, words: logs::WORDS },
    Target { name: "script", run: script::run, words: script::WORDS },
    Target { name: "rules", run: rules::run, words: &[] },
];

/// The target with a name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}

/// Gives a target its input.
pub fn run(name: &str, data: &[u8]) {
    (target(name).expect("a target").run)(data);
}

/// A game with options from three bytes.
fn setup(bytes: [u8; 3]) -> Setup {
    let [kind, first, second] = bytes;
    let kind = GameKind::ALL[usize::from(kind) % GameKind::ALL.len()];
    let usual = Setup::usual(kind);
    let sized = usual.with(0, first).unwrap_or(usual);
    sized.with(1, second).unwrap_or(sized)
}

/// Takes the first bytes of an input; zeros where it is shorter.
fn take<const N: usize>(data: &mut &[u8]) -> [u8; N] {
    let (head, rest) = data.split_at(N.min(data.len()));
    *data = rest;
    let mut bytes = [0; N];
    bytes[..head.len()].copy_from_slice(head);
    bytes
}

/// What a person or a program is told when something is refused.
fn check_refusal(refusal: &Refusal) {
    let (long, short) = (refusal.long(), refusal.short());
    assert!(!long.is_empty() && !short.is_empty(), "no reason: {refusal:?}");
    assert!(short.chars().count() <= SHORT, "{short:?} does not fit a line of the display");
}

/// Whether a line is text that a terminal shows and doesn't obey.
fn is_harmless(line: &str) -> bool {
    !line.contains(|letter: char| {
        let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
            || matches!(letter, '\u{2066}'..='\u{2069}');
        letter.is_control() || turns
    })
}

fn position(game: &Match) -> String {
    let mut text = String::new();
    game.write_position(&mut text).expect("a string takes any text");
    text
}

/// Checks that a match is a legal one: its position can be written and read again, every listed move
/// is legal, and all moves can be taken back and made again.
fn check_match(game: &Match) {
    let now = position(game);
    // A contest lets a player pass who could move; no list of moves has that.
    let mut again = Match::new(game.setup());
    if again.set_position(&now).is_ok() {
        assert_eq!(position(&again), now, "a position reads as another one");
    } else {
        assert!(!game.now().has_text(), "{now} can't be read");
    }
    let mut moves = 0;
    game.now().for_each_move(&mut |mv| {
        moves += 1;
        assert!(game.now().check(mv).is_ok(), "{mv:?} is listed, but refused");
    });
    assert_eq!(moves, game.now().count_moves());
    assert_eq!(game.is_over(), moves == 0, "over means that there is no move");
    let mut back = game.clone();
    let plies = back.plies();
    while back.undo() {}
    assert_eq!(back.plies(), 0);
    assert_eq!(back.position(), game.start());
    while back.plies() < plies && back.redo() {}
    assert_eq!(back.plies(), plies, "what was taken back is made again");
    assert_eq!(back.position(), game.position());
}
