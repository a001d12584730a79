//! The work whose instructions `cargo xtask measure baseline` counts, so that no change makes the games
//! slower unnoticed.
//!
//! All of it is done on positions of the same random games (`record.rs`), on every core. Who counts is the
//! caller's business: the program beside this counts on an emulated core.
#![no_std]
#![forbid(unsafe_code)]

mod evaluation;
mod exact;
mod record;
mod rules;
mod search;

use corvid_games::games::adjacency::{Adjacency, Rounds};
use corvid_games::games::blokus::{Classic, Duo};
use corvid_games::games::dots::{Dots, Size};
use corvid_games::games::othello::Othello;
use corvid_games::player::Player;

use record::Games;

/// How often rules are timed that take little, and those that take long.
const QUICK: u64 = 20;
const SLOW: u64 = 2;

/// Counts the instructions of some work.
pub trait Stopwatch {
    /// Does the work, and notes what it took as that of a game. The work tells how often it has done
    /// what `what` names.
    fn time(&mut self, game: &str, what: &str, work: &mut dyn FnMut() -> u64);
}

/// Measures everything, with as much memory to think in as the board has.
pub fn measure(memory: &mut [u64], watch: &mut dyn Stopwatch) {
    for game in [othello, adjacency, dots, blokus_duo, blokus_classic] {
        memory.fill(0);
        game(memory, watch);
    }
}

// A game's positions leave the stack with its function.

#[inline(never)]
fn othello(memory: &mut [u64], watch: &mut dyn Stopwatch) {
    const NAME: &str = "othello";
    let games = Games::of(&Othello::START);
    rules::time(NAME, &games, QUICK, watch);
    evaluation::time_othello(NAME, &games, watch);
    search::time(NAME, &games, memory, watch);
    let discs = |game: &Othello| Player::all(2).map(|player| game.discs(player).len()).sum::<u32>();
    const DEPTHS: [(&str, u8); 5] = [
        ("search of depth 02", 2),
        ("search of depth 04", 4),
        ("search of depth 06", 6),
        ("search of depth 08", 8),
        ("search of depth 10", 10),
    ];
    search::time_depths(NAME, &games, &DEPTHS, memory, watch);
    const ENDS: [(&str, u32); 7] = [
        ("solve, 08 empty", 8),
        ("solve, 09 empty", 9),
        ("solve, 10 empty", 10),
        ("solve, 11 empty", 11),
        ("solve, 12 empty", 12),
        ("solve, 13 empty", 13),
        ("solve, 14 empty", 14),
    ];
    for (what, empty) in ENDS {
        exact::time(NAME, what, games.first(|game| discs(game) == 64 - empty), memory, watch);
    }
}

#[inline(never)]
fn adjacency(memory: &mut [u64], watch: &mut dyn Stopwatch) {
    const NAME: &str = "adjacency";
    let games = Games::of(&Adjacency::default());
    rules::time(NAME, &games, QUICK, watch);
    evaluation::time_adjacency(NAME, &games, watch);
    search::time(NAME, &games, memory, watch);
    const DEPTHS: [(&str, u8); 5] = [
        ("search of depth 01", 1),
        ("search of depth 02", 2),
        ("search of depth 03", 3),
        ("search of depth 04", 4),
        ("search of depth 05", 5),
    ];
    search::time_depths(NAME, &games, &DEPTHS, memory, watch);
    const ENDS: [(&str, u32); 7] = [
        ("solve, 10 empty", 10),
        ("solve, 11 empty", 11),
        ("solve, 12 empty", 12),
        ("solve, 13 empty", 13),
        ("solve, 14 empty", 14),
        ("solve, 15 empty", 15),
        ("solve, 16 empty", 16),
    ];
    for (what, empty) in ENDS {
        exact::time(NAME, what, games.first(|game| game.empty().len() == empty), memory, watch);
    }
    // One that ends before the board is full is judged and searched in another way.
    const SHORT: &str = "adjacency (20 rounds)";
    if let Some(rounds) = Rounds::new(20) {
        let games = Games::of(&Adjacency::new(rounds, Player::FIRST));
        evaluation::time_adjacency(SHORT, &games, watch);
        search::time(SHORT, &games, memory, watch);
    }
}

#[inline(never)]
fn dots(memory: &mut [u64], watch: &mut dyn Stopwatch) {
    const NAME: &str = "dots";
    let games = Games::of(&Dots::new(Size::DEFAULT));
    rules::time(NAME, &games, QUICK, watch);
    evaluation::time_dots(NAME, &games, watch);
    search::time(NAME, &games, memory, watch);
    const SIZES: [(&str, u8); 4] =
        [("dots (3x3)", 3), ("dots (4x4)", 4), ("dots (7x7)", 7), ("dots (10x10)", 10)];
    for (name, side) in SIZES {
        if let Some(size) = Size::new(side, side) {
            search::time_size(name, size, memory, watch);
        }
    }
    const ENDS: [(&str, usize); 6] = [
        ("solve, 12 lines left", 12),
        ("solve, 14 lines left", 14),
        ("solve, 16 lines left", 16),
        ("solve, 18 lines left", 18),
        ("solve, 20 lines left", 20),
        ("solve, 22 lines left", 22),
    ];
    if let Some(size) = Size::new(3, 3) {
        let (games, lines) = (Games::of(&Dots::new(size)), usize::from(size.lines()));
        for (what, left) in ENDS {
            exact::time("dots (3x3)", what, games.after([lines - left]), memory, watch);
        }
    }
}

#[inline(never)]
fn blokus_duo(memory: &mut [u64], watch: &mut dyn Stopwatch) {
    const NAME: &str = "blokus-duo";
    let games = Games::of(&Duo::default());
    rules::time(NAME, &games, SLOW, watch);
    evaluation::time_blokus(NAME, &games, watch);
    search::time_simulations(NAME, &games, memory, watch);
    const ENDS: [(&str, u32); 4] = [
        ("solve, 08 placements left", 8),
        ("solve, 12 placements left", 12),
        ("solve, 16 placements left", 16),
        ("solve, 20 placements left", 20),
    ];
    for (what, placements) in ENDS {
        exact::time_duo(NAME, what, &games, placements, watch);
    }
}

#[inline(never)]
fn blokus_classic(memory: &mut [u64], watch: &mut dyn Stopwatch) {
    const NAME: &str = "blokus-classic";
    let games = Games::of(&Classic::default());
    rules::time(NAME, &games, SLOW, watch);
    evaluation::time_blokus(NAME, &games, watch);
    search::time_simulations(NAME, &games, memory, watch);
}
