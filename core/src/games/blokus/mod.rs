//! Blokus Duo, two players on 14x14, and Blokus Classic, four players on 20x20.
//!
//! A new piece touches one of the player's own at a corner and none along an edge.
//!
//! ```
//! use corvid_core::games::blokus::{Classic, Duo};
//! use corvid_core::{Budget, Game, Meter, Player, Rng};
//!
//! // A move is named by the squares that the piece covers.
//! let mut game = Duo::default();
//! for text in ["e10,e11,f11", "j5"] {
//!     let mv = game.parse_move(text).unwrap();
//!     game.check(mv).unwrap();
//!     game.play(mv);
//! }
//! assert_eq!(game.pieces_left(Player::FIRST).squares(), 89 - 3);
//! let beside = game.parse_move("d11,d12").unwrap();
//! assert_eq!(game.check(beside).unwrap_err().to_string(), "touches your own piece along an edge at d11");
//! let corner = game.parse_move("d12,d13").unwrap();
//! game.check(corner).unwrap();
//!
//! // The search's reply, from 100 simulations in 32 KB; the seed makes it repeatable.
//! let mut meter = Meter::new(Budget::nodes(100));
//! let reply = game.monte_carlo(&mut [0; 4096], &mut meter, &mut Rng::new(1), &mut |_| {});
//! game.check(reply.unwrap()).unwrap();
//!
//! assert_eq!(Classic::default().people(), 4);
//! assert_eq!(Classic::default().in_pairs().people(), 2);
//! ```

mod bots;
#[cfg(feature = "blokus-classic")]
mod classic;
#[cfg(feature = "blokus-duo")]
mod duo;
mod info;
mod text;
mod values;

pub use bots::Bot;
#[cfg(feature = "blokus-classic")]
pub use classic::{Seats, classic_setup};
#[doc(inline)]
pub use corvid_games::games::blokus::*;
#[cfg(feature = "blokus-duo")]
pub use duo::duo_setup;
