//! Random games, with attempts at illegal moves, taken back at the end. `GAMES` plays so many times as
//! many.

use corvid_core::registry::GameKind;
use corvid_tests::compare::Window;
use corvid_tests::fuzz::rules::compare;
use corvid_tests::reference::Dice;

/// Plays so many games with random options and tells how many plies they had.
fn random_games(kind: GameKind, seed: u64, games: usize) {
    let times: usize = match std::env::var("GAMES") {
        Ok(text) => text.parse().expect("GAMES is a number"),
        Err(_) => 1,
    };
    let mut dice = Dice::new(seed);
    let mut plies = 0;
    for game in 0..games * times {
        // Every option comes, and every pair of them.
        let options = [game % 251, game / 10 + game].map(|option| option as u8);
        plies += compare(kind, options, &mut dice, Window::ALL);
    }
    println!("{kind}: {} games, {plies} plies, the same as by the reference", games * times);
}

#[test]
fn othello_random_games() {
    random_games(GameKind::Othello, 1, 400);
}

#[test]
fn adjacency_random_games() {
    random_games(GameKind::Adjacency, 2, 270);
}

#[test]
fn dots_random_games() {
    random_games(GameKind::Dots, 3, 200);
}

#[test]
fn blokus_duo_random_games() {
    random_games(GameKind::BlokusDuo, 4, 40);
}

#[test]
fn blokus_classic_random_games() {
    random_games(GameKind::BlokusClassic, 5, 16);
}
