//! The games: rules and search from `corvid-games`, with the players and what is told about them.

pub mod adjacency;
pub mod blokus;
pub mod dots;
pub mod othello;
