//! Programs for the engine to play against, written without it.

pub mod adjacency;
pub mod blokus;
pub mod dots;
