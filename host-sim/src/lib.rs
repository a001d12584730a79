//! Corvid's device without a board: its application on simulated hardware, in simulated time.
//!
//! A [`Machine`](machine::Machine) is a board; a [`World`](machine::World) presses its keys, reads
//! its display and talks to its serial port. Nothing here starts a thread, needs a terminal or
//! reads the PC's clock, so it also runs in a browser; the command line `corvid` is one user.
//!
//! ```
//! use corvid::machine::{Board, Machine, Next, Plan, World};
//! use corvid::parts::Parts;
//!
//! /// Asks the device for its name, and switches it off a second later.
//! #[derive(Default)]
//! struct Visitor {
//!     heard: Vec<u8>,
//! }
//!
//! impl World for Visitor {
//!     fn moment(&mut self, now: u64, parts: &Parts) -> Next {
//!         if now == 0 {
//!             parts.cable.send(b"name\n");
//!             return Next::At(1_000_000);
//!         }
//!         self.heard = parts.cable.receive();
//!         Next::Off
//!     }
//! }
//!
//! let visitor = Machine::new(Plan::new(Board::Pico)).run(Visitor::default());
//! assert_eq!(visitor.heard, b"= Corvid\n\n");
//! ```
//!
//! A [`Scenario`](scenario::Scenario) is a world in a text file; [`script::run`] plays it:
//!
//! ```
//! use corvid::machine::{Board, Plan};
//! use corvid::scenario::Scenario;
//! use corvid::script::{self, Outputs};
//!
//! let scenario = Scenario::parse("expect five games\npress select\nexpect New game")?;
//! script::run(Plan::new(Board::Lm3s6965evb), scenario, Outputs::default())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answers;
#[cfg(feature = "arena")]
pub mod arena {
    //! What the command line's `arena` leaves behind.
    pub mod file;
}
pub mod clock;
pub mod flash;
pub mod heard;
pub mod machine;
#[cfg(feature = "memory")]
pub mod memory;
pub mod othello {
    //! Archives and protocols that only Othello has.
    pub mod ggf;
    mod look;
    pub mod nboard;
    pub mod wthor;
}
pub mod parts;
pub mod picture;
pub mod reading;
pub mod scenario;
pub mod script;
pub mod statistics;
pub mod tune {
    //! What the command line's `tune` is resumed from: the lines of its logs.
    pub mod blokus {
        //! Those of Blokus.
        pub mod lines;
    }
    pub mod othello {
        //! Those of Othello.
        pub mod lines;
    }
}
