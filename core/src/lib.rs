//! Five board games for microcontrollers: rules on bitboards, players, and the text that people
//! and programs play them with.
//!
//! No `std`, no allocator, no floating point, no `unsafe`. A position is a small value; its moves
//! are visited, checked and played through one trait, [`game::Game`]:
//!
//! ```
//! use corvid_core::game::{Game, perft};
//! use corvid_core::games::othello::Othello;
//!
//! let mut game = Othello::START;
//! let mv = game.parse_move("d3").unwrap();
//! game.check(mv).unwrap();
//! game.play(mv);
//! assert_eq!(game.count_moves(), 3);
//! assert_eq!(perft(&Othello::START, 5), 1396);
//! ```
//!
//! The rules and the search are in a package of their own, `corvid-games`, which boards build for
//! speed and the rest for size; its modules are here as well.
//!
//! Whole games of any kind, with undo and moves as text, are [`session`]s; [`gtp`] lets programs
//! play them.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub use corvid_games::{choice, game, games, mix, player, search, square};

pub mod bots;
pub mod console;
pub mod engine;
pub mod gtp;
pub mod icfpt;
pub mod lines;
pub mod session;
pub mod setup;
pub mod terminal;
