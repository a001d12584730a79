//! Random games, with attempts at illegal moves, taken back at the end.

use corvid_core::games::adjacency::{self, Rounds};
use corvid_core::games::blokus::{Classic, Duo, Seats, StartRule, classic_setup, duo_setup};
use corvid_core::games::dots;
use corvid_core::games::othello::Othello;
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::setup::Setup;
use corvid_tests::reference::blokus::Starts;
use corvid_tests::reference::{self, Dice};

use crate::compare::compare_random_game;
use crate::{adjacency_pair, dots_pair};

#[test]
fn othello_random_games() {
    let mut dice = Dice::new(1);
    for _ in 0..400 {
        let slow = reference::othello::Othello::start();
        compare_random_game(Setup::usual(GameKind::Othello), Othello::START, slow, &mut dice);
    }
}

#[test]
fn adjacency_random_games() {
    let mut dice = Dice::new(2);
    for rounds in (2..=28).cycle().take(270) {
        let first = *dice.choose(&[Player::FIRST, Player::SECOND]);
        let (game, slow) = adjacency_pair(rounds, first);
        let rounds = Rounds::new(rounds as u8).expect("2 to 28 rounds");
        compare_random_game(adjacency::setup(rounds, first), game, slow, &mut dice);
    }
}

#[test]
fn dots_random_games() {
    let mut dice = Dice::new(3);
    for rows in 1..=5 {
        for columns in 1..=5 {
            for _ in 0..12 {
                let (game, slow) = dots_pair(rows, columns);
                compare_random_game(dots::setup(game.size()), game, slow, &mut dice);
            }
        }
    }
    for (rows, columns) in [(9, 9), (10, 10), (10, 1), (1, 10), (7, 9)] {
        let (game, slow) = dots_pair(rows, columns);
        compare_random_game(dots::setup(game.size()), game, slow, &mut dice);
    }
}

#[test]
fn blokus_duo_random_games() {
    let mut dice = Dice::new(4);
    for (rule, starts) in [(StartRule::Own, Starts::Own), (StartRule::Any, Starts::Any)] {
        for _ in 0..20 {
            let slow = reference::blokus::Blokus::duo(starts);
            compare_random_game(duo_setup(rule), Duo::new(rule), slow, &mut dice);
        }
    }
}

#[test]
fn blokus_classic_random_games() {
    let mut dice = Dice::new(5);
    for _ in 0..16 {
        let slow = reference::blokus::Blokus::classic();
        let setup = classic_setup(Seats::Four);
        compare_random_game(setup, Classic::default(), slow, &mut dice);
    }
}
