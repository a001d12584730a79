//! The five games.

pub mod adjacency;
pub mod blokus;
pub mod dots;
pub mod othello;
