//! Moves and positions as text, of all games.

use corvid_core::game::{MoveCode, Notation, Plain};
use corvid_core::registry::AnyPosition;
use corvid_core::session::Match;

use super::{check_match, check_refusal, setup, take};

/// The words of an input that are read.
const WORDS_READ: usize = 60;

pub(super) const WORDS: &[&str] = &[
    "d3",
    "c5",
    "pass",
    "0000",
    "1,1-1,2",
    "0,0-0,1",
    "0,0-1,0",
    "e10,f10",
    "j5",
    "a20",
    "t1",
    "56u0",
    "99a0",
    "X",
    "O",
    "-",
    "x",
    "o",
    " ",
    ",",
    "\n",
    "7fff",
    "255",
    "256",
    "4294967296",
    "é",
    "---------------------------OX------XO--------------------------- X",
];

pub(super) fn run(mut data: &[u8]) {
    let setup = setup(take(&mut data));
    let Ok(text) = str::from_utf8(data) else { return };
    let (first, rest) = text.split_once('\n').unwrap_or(("", text));
    let mut game = Match::new(setup);
    let before = super::position(&game);
    // The first line is a position, and the words of the others are moves.
    if !first.is_empty() {
        match game.set_position(first) {
            Ok(()) => check_match(&game),
            Err(refusal) => {
                check_refusal(&refusal);
                assert_eq!(super::position(&game), before, "a refused text changes nothing");
            }
        }
    }
    for word in rest.split_ascii_whitespace().take(WORDS_READ) {
        read_move(&game, word);
        let (plies, before) = (game.plies(), super::position(&game));
        if let Err(refusal) = game.play_next(word) {
            check_refusal(&refusal);
            assert_eq!((game.plies(), super::position(&game)), (plies, before), "{word:?}");
        }
    }
    check_match(&game);
    let mut drawing = String::new();
    game.draw(&mut Plain(&mut drawing)).expect("a string takes any text");
    saved_again(&game);
}

/// A text that is a move is one that can be written, read and saved.
fn read_move(game: &Match, word: &str) {
    let now = game.now();
    let mv = match now.parse_move(word) {
        Ok(mv) => mv,
        Err(refusal) => return check_refusal(&refusal),
    };
    let mut legal = false;
    now.for_each_move(&mut |listed| legal |= listed == mv);
    let checked = now.check(mv);
    assert_eq!(checked.is_ok(), legal, "{word:?} is legal if it is listed");
    checked.as_ref().err().into_iter().for_each(check_refusal);
    for notation in [Notation::Plain, Notation::Code] {
        let mut text = String::new();
        now.write_move(mv, notation, &mut text).expect("a string takes any text");
        assert_eq!(now.parse_move(&text), Ok(mv), "{word:?} is written as {text:?}");
    }
    if mv != MoveCode::PASS {
        let packed = now.pack(mv).expect("every move can be saved");
        assert_eq!(now.unpack(packed), Some(mv), "{word:?} is saved as {packed:x}");
    }
}

/// The moves as a save has them lead to the same position.
fn saved_again(game: &Match) {
    let width = game.setup().kind().info().packed;
    let mut again = Match::new(game.setup());
    let start: &AnyPosition = game.start();
    let mut text = String::new();
    start.get().write_position(&mut text).expect("a string takes any text");
    if !text.is_empty() {
        again.set_position(&text).expect("a position that was written");
    }
    for index in 0..game.plies() {
        let packed = game.packed_ply(index).expect("every move can be saved").to_le_bytes();
        again.play_packed(&packed[..width]).expect("a saved move");
    }
    assert_eq!(again.position(), game.position());
}
