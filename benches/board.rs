//! `cargo bench -p corvid-benches --bench board`: what move sequences and searches cost on the
//! LM3S6965, in instructions of its emulated Cortex-M3.

use std::time::Duration;

use anyhow::{Context, Result};
use corvid_benches::CASES;
use corvid_core::setup::GameKind;
use corvid_tests::board::Board;
use corvid_tests::measure::{INSTRUCTIONS_PER_MS, cputime};
use corvid_tests::qemu::Lm3s6965evb;

/// The games that are searched, with the nodes for a move.
const SEARCHES: [(GameKind, u64); 4] = [
    (GameKind::Othello, 10_000),
    (GameKind::Adjacency, 10_000),
    (GameKind::Dots, 4_000),
    (GameKind::BlokusDuo, 1_000),
];

/// Moves that are searched for.
const PLIES: u64 = 6;

/// Far more board time than any case takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    println!(
        "{:<16} {:>5} {:>12} {:>14} {:>10}",
        "game", "plies", "leaves", "instructions", "per leaf"
    );
    for case in CASES {
        board.ask(&format!("set_game {}", case.kind), PATIENCE)?;
        let begun = cputime(&mut board)?;
        let answer = board.ask(&format!("perft {}", case.board_depth), PATIENCE)?;
        let instructions = (cputime(&mut board)? - begun) * INSTRUCTIONS_PER_MS;
        let leaves: u64 =
            answer.split(' ').next_back().and_then(|n| n.parse().ok()).context(answer)?;
        println!(
            "{:<16} {:>5} {leaves:>12} {instructions:>14} {:>10}",
            case.kind,
            case.board_depth,
            instructions / leaves
        );
    }
    println!("\n{:<16} {:>12} {:>22}", "game", "nodes", "nodes a board second");
    for (kind, nodes) in SEARCHES {
        board.ask(&format!("set_game {kind}"), PATIENCE)?;
        board.ask(&format!("nodes {nodes}"), PATIENCE)?;
        let begun = cputime(&mut board)?;
        // A move each for the first plies of a game: enough to tell, not the same as all of it.
        for ply in 0..PLIES {
            board.ask(["genmove b", "genmove w"][ply as usize % 2], PATIENCE)?;
        }
        let taken = cputime(&mut board)? - begun;
        println!("{kind:<16} {:>12} {:>22}", nodes * PLIES, nodes * PLIES * 1000 / taken.max(1));
    }
    Ok(())
}
