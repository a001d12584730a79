//! What the benchmarks share: what they count, and how they read a board's clock.

use corvid_core::setup::GameKind;

/// A game and how many plies are counted: on a PC, and on a board, which is a thousand times
/// slower.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The game, with its usual options.
    pub kind: GameKind,
    /// Plies on a PC.
    pub host_depth: u32,
    /// Plies on a board.
    pub board_depth: u32,
}

/// One case for each game.
pub const CASES: [Case; 5] = [
    Case { kind: GameKind::Othello, host_depth: 11, board_depth: 7 },
    Case { kind: GameKind::Adjacency, host_depth: 5, board_depth: 3 },
    Case { kind: GameKind::Dots, host_depth: 5, board_depth: 3 },
    Case { kind: GameKind::BlokusDuo, host_depth: 3, board_depth: 2 },
    Case { kind: GameKind::BlokusClassic, host_depth: 3, board_depth: 2 },
];

/// A board second is 62.5 million instructions, so a millisecond of its clock is this many.
pub const INSTRUCTIONS_PER_MS: u64 = 62_500;

/// The milliseconds in an answer to `cputime`, which is in seconds: `= 1.234`.
pub fn milliseconds(answer: &str) -> Option<u64> {
    answer.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok()
}
