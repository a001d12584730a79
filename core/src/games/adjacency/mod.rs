//! The Adjacency Strategy Game: a mark takes the opponent's marks beside it, along rows and columns.
//!
//! ```
//! use corvid_core::games::adjacency::{Adjacency, Rounds};
//! use corvid_core::{Budget, Game, Meter, Player, Solve, Square};
//!
//! // Two rounds, X first. X has a 2x2 block at the bottom left, O one at the top right.
//! let mut game = Adjacency::new(Rounds::new(2).unwrap(), Player::FIRST);
//! assert_eq!(game.count_moves(), 56);
//! let f1 = Square::parse("f1").unwrap();
//! game.play(f1);
//! assert_eq!((game.score(Player::FIRST), game.score(Player::SECOND)), (6, 3), "g1 is taken");
//! assert_eq!(game.check(f1).unwrap_err().to_string(), "f1 is occupied");
//!
//! // The rest exactly: what O, to move, will be ahead by at the end.
//! let solution = game.solve(&mut [0; 1024], &mut Meter::new(Budget::UNLIMITED)).unwrap();
//! game.play(solution.best.unwrap());
//! game.play(game.solve(&mut [], &mut Meter::new(Budget::UNLIMITED)).unwrap().best.unwrap());
//! game.play(game.solve(&mut [], &mut Meter::new(Budget::UNLIMITED)).unwrap().best.unwrap());
//! assert!(game.is_over());
//! assert_eq!(game.score(Player::SECOND) - game.score(Player::FIRST), solution.score);
//! ```

mod bots;
mod info;
mod text;
mod values;

pub use bots::Bot;
#[doc(inline)]
pub use corvid_games::games::adjacency::*;
pub use info::setup;
