//! How much stack an image can take: the frames of its functions, who calls whom, directly and
//! through pointers, and how often what recurses may do so.

mod dwarf;
mod graph;
mod rules;
mod thumb;

pub use graph::{Deepest, Recursion, Stack};
pub use rules::{LIMITS, Limit};
pub(crate) use thumb::branch;

/// The games in the order of the device's menu, and the most stack measured on the LM3S6965 while
/// level 9 played them and keys were pressed, rounded up. The test `limits` measures it, and fails
/// when it is more than this.
pub const SEEN: [(&str, u64); 5] = [
    ("Othello", 17 * 1024),
    ("Adjacency", 9 * 1024),
    ("Dots and Boxes", 20 * 1024),
    ("Blokus Duo", 20 * 1024),
    ("Blokus Classic", 20 * 1024),
];

/// What the stack has at least beyond what it may take by calculation, in bytes.
pub const SPARE: u64 = 1024;

/// What a search at its deepest leaves for interrupts and what runs in them, in bytes.
pub const INTERRUPTS: u64 = 4 * 1024;
