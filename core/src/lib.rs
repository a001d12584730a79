//! Five board games that fit in a microcontroller: rules on bitboards, players, and the text that
//! people and programs play them with.
//!
//! No `std`, no allocator, no floating point, no `unsafe`. Memory for thinking, time and random
//! numbers come from the caller; the same seed and the same number of positions give the same moves
//! on every machine.
//!
//! A [`Match`] is a game of any [`GameKind`] in progress, with moves as text and undo. A [`Thinker`]
//! finds replies to it:
//!
//! ```
//! use core::sync::atomic::AtomicBool;
//! use corvid_core::{
//!     AnyOpponent, Answer, GameKind, Level, Match, Notation, Question, Setup, Task, Thinker, Watch,
//! };
//!
//! let mut game = Match::new(Setup::usual(GameKind::Othello));
//! game.play_next("d3")?;
//! assert_eq!(game.play_next("a1").unwrap_err().long(), "a disc on a1 turns nothing over");
//!
//! let mut memory = [0; 4096]; // 32 KB
//! let mut thinker = Thinker::new(&mut memory);
//! let opponent = AnyOpponent::Level(Level::new(5).unwrap());
//! let question = Question::Move { opponent, micros: 1_000_000, deadline: u64::MAX };
//! let position = game.position().clone();
//! let task = Task { position, question, notation: Notation::Plain };
//! // A clock in microseconds, and a flag that ends the thinking from elsewhere.
//! let watch = Watch { clock: &|| 0, stop: &AtomicBool::new(false) };
//! if let Answer::Move(Some(reply)) = thinker.think(&task, watch, &mut |_| {})? {
//!     game.play_move(None, reply)?;
//! }
//! assert_eq!(game.plies(), 2);
//! # Ok::<(), corvid_core::Refusal>(())
//! ```
//!
//! Who wants one game alone, or its moves as types, uses its position through the trait [`Game`];
//! each of the [`games`] has an example.
//!
//! # Modules
//!
//! | | |
//! |---|---|
//! | [`game`], [`player`] | what every game can do |
//! | [`square`], [`bitboard`] | boards of 8x8 |
//! | [`games`] | the rules, search and bots of each |
//! | [`search`] | budgets, reports, principal-variation search, what a search implements |
//! | [`engine`], [`bots`] | levels and opponents |
//! | [`registry`], [`setup`], [`any`], [`text`] | the games by name, with their options; positions of any of them |
//! | [`session`] | a match in progress |
//! | [`thinker`] | one task at a time on a snapshot of a match |
//! | [`values`] | what each move of a position is worth |
//! | [`gtp`], [`icfpt`] | protocols as state machines: the Go Text Protocol, the contest's |
//! | [`desk`], [`console`], [`terminal`], [`lines`] | the two of them on one line, with an editor for people |
//! | [`refusal`] | why something is refused, in a sentence and in 21 characters |
//! | [`choice`], [`mix`] | plain players and random numbers |
//! | [`version`] | which build this is |
//!
//! # Features
//!
//! Every game has a feature: `othello`, `adjacency`, `dots`, `blokus-duo`, `blokus-classic`; `all-games` is
//! all of them. `large` is Othello's large table, for searches with 64 KB of memory or more. All are on by
//! default. A game's number in saves is the same whatever others are built; without `blokus-duo` there is
//! no module [`icfpt`].
//!
//! # Packages
//!
//! The rules and the search are in a package of their own, `corvid-games`, so that an image can be
//! built for speed there and for size elsewhere; all of it is here as well. Items that the
//! documentation does not show serve tuning and tests, and change without notice.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "all-games"),
    allow(
        dead_code,
        unreachable_code,
        unused_imports,
        unused_macros,
        reason = "what games share may serve none of those that are built"
    )
)]

#[cfg(test)]
extern crate std;

/// So that the examples of the readme are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[doc(inline)]
pub use corvid_games::{bitboard, choice, game, mix, player, search, square};

pub mod any;
pub mod bots;
pub mod console;
pub mod cut;
pub mod desk;
pub mod engine;
pub mod games;
pub mod gtp;
#[cfg(feature = "blokus-duo")]
pub mod icfpt;
#[cfg(not(feature = "blokus-duo"))]
#[path = "icfpt/absent.rs"]
mod icfpt;
pub mod lines;
pub mod list;
pub mod refusal;
pub mod registry;
pub mod session;
pub mod setup;
pub mod terminal;
pub mod text;
pub mod thinker;
pub mod values;
pub mod version;

#[doc(inline)]
pub use bitboard::Bitboard;
#[doc(inline)]
pub use engine::{Engine, Level, Limit, Opponent};
#[doc(inline)]
pub use game::{Game, MoveCode, Notation, Reason};
#[doc(inline)]
pub use mix::Rng;
#[doc(inline)]
pub use player::{Color, Player};
#[doc(inline)]
pub use refusal::Refusal;
#[doc(inline)]
pub use registry::{AnyOpponent, AnyPosition, Bot, GameKind};
#[doc(inline)]
pub use search::budget::{Budget, Clock, Meter};
#[doc(inline)]
pub use search::{Report, Solution, Solve, Think};
#[doc(inline)]
pub use session::{Match, Progress};
#[doc(inline)]
pub use setup::Setup;
#[doc(inline)]
pub use square::Square;
#[doc(inline)]
pub use thinker::{Answer, NoAnswer, Question, Task, Thinker, Watch};
