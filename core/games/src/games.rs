//! The five games.

#[cfg(feature = "adjacency")]
pub mod adjacency;
#[cfg(any(feature = "blokus-duo", feature = "blokus-classic"))]
pub mod blokus;
#[cfg(feature = "dots")]
pub mod dots;
#[cfg(feature = "othello")]
pub mod othello;
