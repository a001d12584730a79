//! Dots and Boxes: who draws the fourth side of a box takes it and moves again.
//!
//! ```
//! use corvid_core::games::dots::{Dots, Size};
//! use corvid_core::{Budget, Game, Meter, Player, Solve};
//!
//! let mut game = Dots::new(Size::new(2, 2).unwrap());
//! assert_eq!(game.count_moves(), 12);
//! // Lines are written by the dots at their ends, row and column from 0.
//! for line in ["0,0-0,1", "0,0-1,0", "1,0-1,1"] {
//!     game.play(game.parse_move(line).unwrap());
//! }
//! let fourth = game.parse_move("0,1-1,1").unwrap();
//! assert_eq!((game.turn(), game.gain(fourth)), (Player::SECOND, 1));
//! game.play(fourth);
//! assert_eq!((game.turn(), game.owner(0, 0)), (Player::SECOND, Some(Player::SECOND)));
//!
//! // The rest exactly: of the three boxes left, the player to move gets one.
//! let solution = game.solve(&mut [0; 256], &mut Meter::new(Budget::UNLIMITED)).unwrap();
//! assert_eq!(solution.score, -1);
//! game.check(solution.best.unwrap()).unwrap();
//! ```

mod bots;
mod info;
mod text;
mod values;

pub use bots::Bot;
#[doc(inline)]
pub use corvid_games::games::dots::*;
pub use info::setup;
