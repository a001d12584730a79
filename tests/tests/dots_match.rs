//! The engine on 5x5 against a strong heuristic player: 100,000 nodes per move and 32 KB,
//! alternating seats.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use corvid::statistics::wilson;
use corvid_core::game::Game;
use corvid_core::games::dots::{Dots, Size};
use corvid_core::player::Player;
use corvid_core::search::Think;
use corvid_core::search::budget::{Budget, Meter};
use corvid_tests::opponents::dots::Heuristic;

const NODES: u64 = 100_000;
const SLOTS: usize = 4096;

/// The engine's lead at the end of a game.
fn play(number: u64) -> i16 {
    let size = Size::new(5, 5).unwrap();
    let mut game = Dots::new(size);
    let mut opponent = Heuristic::new(5, 5, number);
    let mut memory = vec![0; SLOTS];
    while !game.is_over() {
        let line = if game.turn().index() as u64 == number % 2 {
            game.think(&mut memory, &mut Meter::new(Budget::nodes(NODES)), &mut |_| {}).unwrap()
        } else {
            let drawn = |number: &u8| game.is_drawn(size.line(*number).unwrap());
            let lines = (0..size.lines()).filter(drawn).map(|number| 1 << number).sum();
            size.line(opponent.choose(lines).unwrap() as u8).unwrap()
        };
        assert_eq!(game.check(line), Ok(()));
        game.play(line);
    }
    let engine = Player::all(2).nth(number as usize % 2).unwrap();
    game.score(engine) - game.score(engine.other())
}

/// The share of games won in per cent; prints it with its interval.
fn play_match(games: u32) -> f64 {
    let ahead: Vec<i16> = (0..games.into()).map(play).collect();
    let wins = ahead.iter().filter(|ahead| **ahead > 0).count();
    let score = wilson(wins as f64 / f64::from(games), games);
    let mean = ahead.iter().map(|ahead| f64::from(*ahead)).sum::<f64>() / f64::from(games);
    println!(
        "5x5, {NODES} positions a move: {wins} of {games} won, {score}, {mean:.1} boxes ahead"
    );
    100.0 * score.share
}

#[test]
fn the_engine_beats_the_heuristic_player() {
    assert!(play_match(200) >= 95.0);
}
