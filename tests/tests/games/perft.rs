//! The number of games.

use std::collections::HashMap;

use corvid_core::game::{Game, perft};
use corvid_core::games::blokus::{Classic, Duo, StartRule};
use corvid_core::games::dots::Dots;
use corvid_core::games::othello::Othello;
use corvid_core::player::Player;
use corvid_tests::reference::blokus::Starts;
use corvid_tests::reference::{self, Dice, Reference};

use crate::{adjacency_pair, dots_pair};
use corvid_tests::compare::{Compared, written};

/// Plays random moves until `ready` accepts the position, or to the end.
fn random_position<G: Compared>(
    mut game: G,
    mut reference: G::Reference,
    dice: &mut Dice,
    ready: impl Fn(&G) -> bool,
) -> (G, G::Reference) {
    while !reference.over() && !ready(&game) {
        let text = dice.choose(&reference.legal()).clone();
        game.play(game.parse_move(&text).expect("a legal move"));
        reference.play(&text).expect("a legal move");
    }
    (game, reference)
}

#[test]
fn othello_perft() {
    for depth in 0..=9 {
        let slow = reference::othello::Othello::start().perft(depth);
        assert_eq!(perft(&Othello::START, depth), slow, "depth {depth}");
    }
}

#[test]
fn othello_perft_to_the_end() {
    for seed in 0..40 {
        let start = reference::othello::Othello::start();
        let nearly_full =
            |game: &Othello| (game.discs(Player::FIRST) | game.discs(Player::SECOND)).len() >= 57;
        let mut dice = Dice::new(seed);
        let (game, slow) = random_position(Othello::START, start, &mut dice, nearly_full);
        // Seven empty squares, with passes between the moves.
        assert_eq!(perft(&game, 12), slow.perft(12), "{}", slow.position());
    }
}

#[test]
fn adjacency_perft() {
    for first in [Player::FIRST, Player::SECOND] {
        let (game, slow) = adjacency_pair(28, first);
        assert_eq!(perft(&game, 3), slow.perft(3));
    }
}

#[test]
fn adjacency_perft_to_the_end() {
    for seed in 0..20 {
        let (game, slow) = adjacency_pair(28, Player::FIRST);
        let mut dice = Dice::new(seed);
        let (game, slow) = random_position(game, slow, &mut dice, |game| game.plies_left() == 6);
        assert_eq!(perft(&game, 9), slow.perft(9), "{}", slow.position());
    }
}

#[test]
fn dots_perft() {
    for (rows, columns, depth) in [
        (1, 1, 5),
        (1, 2, 8),
        (2, 1, 7),
        (3, 1, 10),
        (1, 4, 7),
        (4, 2, 5),
        (2, 3, 5),
        (3, 3, 6),
        (9, 1, 4),
        (5, 5, 3),
        (9, 9, 2),
        (10, 10, 2),
    ] {
        let (game, slow) = dots_pair(rows, columns);
        assert_eq!(perft(&game, depth), slow.perft(depth), "{rows}x{columns}, depth {depth}");
    }
}

/// The same count as [`perft`], but each position, that is the lines drawn and the player to
/// move, is visited once.
fn dots_perft_once(game: &Dots, depth: u32, seen: &mut HashMap<(String, Player), u64>) -> u64 {
    if depth == 0 || game.is_over() {
        return 1;
    }
    let key = (written(|out| game.write_position(out)), game.turn());
    if let Some(&count) = seen.get(&key) {
        return count;
    }
    let mut count = 0;
    game.for_each_move(|line| {
        let mut next = *game;
        next.play(line);
        count += dots_perft_once(&next, depth - 1, seen);
    });
    seen.insert(key, count);
    count
}

#[test]
fn dots_perft_2x2_to_the_end() {
    let (game, slow) = dots_pair(2, 2);
    for depth in 0..=8 {
        assert_eq!(perft(&game, depth), slow.perft(depth), "depth {depth}");
    }
    for depth in 9..=13 {
        let count = dots_perft_once(&game, depth, &mut HashMap::new());
        assert_eq!(count, slow.perft(depth), "depth {depth}");
    }
}

#[test]
fn blokus_duo_perft() {
    let slow = reference::blokus::Blokus::duo(Starts::Own);
    assert_eq!(perft(&Duo::new(StartRule::Own), 2), slow.perft(2));
    let slow = reference::blokus::Blokus::duo(Starts::Any);
    assert_eq!(perft(&Duo::new(StartRule::Any), 2), slow.perft(2));
}

#[test]
fn blokus_classic_perft() {
    let slow = reference::blokus::Blokus::classic();
    assert_eq!(perft(&Classic::default(), 3), slow.perft(3));
}

#[test]
fn blokus_duo_perft_to_the_end() {
    for seed in 0..10 {
        let start = reference::blokus::Blokus::duo(Starts::Own);
        let few_moves = |game: &Duo| {
            let next = game.with_turn(game.turn().other());
            game.count_moves() + next.count_moves() <= 14
        };
        let mut dice = Dice::new(seed);
        let (game, slow) = random_position(Duo::default(), start, &mut dice, few_moves);
        assert_eq!(perft(&game, 4), slow.perft(4), "seed {seed}");
    }
}
