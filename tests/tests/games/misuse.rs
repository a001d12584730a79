//! Invalid texts and moves: they are refused or give nonsense, but never cause a panic.

use corvid_core::game::{Game, Plain};
use corvid_core::games::adjacency::Adjacency;
use corvid_core::games::blokus::{Classic, Duo};
use corvid_core::games::dots::{Dots, Size};
use corvid_core::games::othello::Othello;
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::session::Match;
use corvid_core::setup::Setup;
use corvid_tests::reference::Dice;

use corvid_tests::compare::{position, written};

/// What moves and positions are made of, and what they are not.
#[rustfmt::skip]
const PARTS: [&str; 37] = [
    "a", "b", "e", "h", "j", "n", "t", "u", "z", "A", "0", "1", "4", "5", "8", "9", "10", "14",
    "20", "99", "255", "256", "4294967296", ",", "-", " ", "X", "O", "x", "pass", "0000", "0x",
    "é", "\u{1F426}", "\0", "\t", "\n",
];

/// A valid text with a part inserted, removed or duplicated, or only parts.
fn garbled(valid: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = valid.chars().collect();
    for _ in 0..=dice.throw(3) {
        let at = dice.throw(letters.len() + 1);
        match dice.throw(4) {
            0 => letters.truncate(at),
            1 => letters.splice(at..at, dice.choose(&PARTS).chars()).for_each(drop),
            2 if at < letters.len() => drop(letters.remove(at)),
            _ => letters.extend_from_within(at..),
        }
    }
    letters.into_iter().collect()
}

/// Reads garbled moves, and plays whatever could be read without asking whether it is legal.
fn misuse<G: Game>(start: &G, seed: u64) {
    let mut dice = Dice::new(seed);
    for _ in 0..200 {
        let mut game = start.clone();
        for _ in 0..60 {
            let mut legal = Vec::new();
            game.for_each_move(|mv| legal.push(written(|out| game.write_move(mv, out))));
            legal.push("pass".into());
            let valid: &String = dice.choose(&legal);
            let text = garbled(valid, &mut dice);
            if let Ok(mv) = game.parse_move(&text) {
                let verdict = game.check(mv);
                let listed = legal.contains(&written(|out| game.write_move(mv, out)));
                assert!(listed || verdict.is_err(), "{text:?} is legal, but not listed");
                game.play(mv);
                written(|out| game.draw(Some(mv), &mut Plain(out)));
            }
            for player in Player::all(G::COLORS.len()) {
                game.score(player);
            }
            game.hash();
            assert!(!game.is_over() || game.count_moves() == 0);
        }
    }
}

#[test]
fn garbled_and_illegal_moves() {
    misuse(&Othello::START, 11);
    misuse(&Adjacency::default(), 12);
    misuse(&Dots::new(Size::new(10, 10).expect("a size")), 13);
    misuse(&Dots::new(Size::new(1, 1).expect("a size")), 14);
    misuse(&Duo::default(), 15);
    misuse(&Classic::default(), 16);
}

#[test]
fn garbled_positions() {
    let mut dice = Dice::new(17);
    for kind in GameKind::ALL {
        let start = Match::new(Setup::usual(kind));
        let valid = match kind {
            GameKind::BlokusDuo => "e10,f10 j5 pass".into(),
            GameKind::BlokusClassic => "a20 t20 t1 a1,b1 pass".into(),
            _ => position(&start),
        };
        for _ in 0..5000 {
            let mut game = start.clone();
            let text = garbled(&valid, &mut dice);
            match game.set_position(&text) {
                Err(refusal) => {
                    assert!(!refusal.long().is_empty() && !refusal.short().is_empty());
                    assert_eq!(position(&game), position(&start), "{text:?} was refused");
                }
                Ok(()) => {
                    let read = position(&game);
                    let mut again = start.clone();
                    again.set_position(&read).expect("a position that was written");
                    assert_eq!(position(&again), read, "{text:?}");
                }
            }
        }
    }
}
