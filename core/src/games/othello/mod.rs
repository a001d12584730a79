//! Othello on 8x8.
//!
//! ```
//! use corvid_core::games::othello::{Illegal, Move, Othello};
//! use corvid_core::{Bitboard, Budget, Game, Meter, Player, Square, Think};
//!
//! let mut game = Othello::START;
//! let legal = Bitboard::from_picture(
//!     ". . . . . . . .
//!      . . . . . . . .
//!      . . . X . . . .
//!      . . X . . . . .
//!      . . . . . X . .
//!      . . . . X . . .
//!      . . . . . . . .
//!      . . . . . . . .",
//! );
//! assert_eq!(Some(game.targets()), legal);
//!
//! let a1 = Square::parse("a1").unwrap();
//! assert_eq!(game.check(Move::Disc(a1)), Err(Illegal::FlipsNothing(a1)));
//! game.play(game.parse_move("d3").unwrap());
//! assert_eq!((game.score(Player::FIRST), game.score(Player::SECOND)), (4, 1));
//!
//! // The search's reply, from 1000 positions in 8 KB.
//! let mut meter = Meter::new(Budget::nodes(1000));
//! let mut depth = 0;
//! let reply = game.think(&mut [0; 1024], &mut meter, &mut |report| depth = report.depth);
//! game.check(reply.unwrap()).unwrap();
//! assert_eq!((meter.nodes(), depth), (1000, 6));
//! ```

mod bots;
mod info;
mod text;
mod values;

pub use bots::Bot;
#[doc(hidden)]
pub use bots::example_value;
#[doc(inline)]
pub use corvid_games::games::othello::*;
