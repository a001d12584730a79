//! `cargo bench -p corvid-benches --bench board`: what move sequences cost on the LM3S6965, in
//! instructions of its emulated Cortex-M3.

use std::time::Duration;

use anyhow::{Context, Result};
use corvid_benches::CASES;
use corvid_tests::board::Board;
use corvid_tests::qemu::Lm3s6965evb;

/// A board second is 62.5 million instructions, so a millisecond of its clock is this many.
const INSTRUCTIONS_PER_MS: u64 = 62_500;

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
        let begun = milliseconds(&mut board)?;
        let answer = board.ask(&format!("perft {}", case.board_depth), PATIENCE)?;
        let instructions = (milliseconds(&mut board)? - begun) * INSTRUCTIONS_PER_MS;
        let leaves: u64 =
            answer.split(' ').next_back().and_then(|n| n.parse().ok()).context(answer)?;
        println!(
            "{:<16} {:>5} {leaves:>12} {instructions:>14} {:>10}",
            case.kind,
            case.board_depth,
            instructions / leaves
        );
    }
    Ok(())
}

/// The board's clock.
fn milliseconds(board: &mut Lm3s6965evb) -> Result<u64> {
    let answer = board.ask("cputime", PATIENCE)?;
    let digits: String = answer.chars().filter(char::is_ascii_digit).collect();
    digits.parse().with_context(|| answer)
}
