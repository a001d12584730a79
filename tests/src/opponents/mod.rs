//! Opponents for the engine, written independently of it.

pub mod adjacency;
pub mod blokus;
pub mod dots;
