//! Moves and flips for whole boards at once.
//!
//! Both fill along a direction with doubling steps: after steps of 1, 2 and 2 squares a run of up
//! to six discs is covered, the most that two other discs can enclose on a line of eight.

use crate::square::{Square, Squares};

/// All but the outer columns: a run of enclosed discs never wraps around the edge.
const INNER: Squares = 0x7e7e_7e7e_7e7e_7e7e;

/// The bit distances of the four lines through a square: row, column and the two diagonals.
const LINES: [u32; 4] = [1, 8, 7, 9];

/// The runs of `through` that begin beside `from`, towards higher bits.
const fn run_up(from: Squares, through: Squares, step: u32) -> Squares {
    let mut run = through & (from << step);
    run |= through & (run << step);
    let pairs = through & (through << step);
    run |= pairs & (run << (2 * step));
    run | pairs & (run << (2 * step))
}

/// The runs of `through` that begin beside `from`, towards lower bits.
const fn run_down(from: Squares, through: Squares, step: u32) -> Squares {
    let mut run = through & (from >> step);
    run |= through & (run >> step);
    let pairs = through & (through >> step);
    run |= pairs & (run >> (2 * step));
    run | pairs & (run >> (2 * step))
}

/// The opponent's discs that a run may consist of on a line with this step.
const fn enclosable(opponent: Squares, step: u32) -> Squares {
    if step == 8 { opponent } else { opponent & INNER }
}

/// The empty squares where `own` encloses at least one disc of `opponent`.
pub const fn moves(own: Squares, opponent: Squares) -> Squares {
    let mut ends = 0;
    let mut line = 0;
    while line < LINES.len() {
        let step = LINES[line];
        let through = enclosable(opponent, step);
        ends |= run_up(own, through, step) << step;
        ends |= run_down(own, through, step) >> step;
        line += 1;
    }
    ends & !(own | opponent)
}

/// The discs of `opponent` that a disc of `own` on `square` turns over.
pub const fn flips(square: Square, own: Squares, opponent: Squares) -> Squares {
    let from = square.bit();
    let mut flipped = 0;
    let mut line = 0;
    while line < LINES.len() {
        let step = LINES[line];
        let through = enclosable(opponent, step);
        let up = run_up(from, through, step);
        if own & (up << step) != 0 {
            flipped |= up;
        }
        let down = run_down(from, through, step);
        if own & (down >> step) != 0 {
            flipped |= down;
        }
        line += 1;
    }
    flipped
}
