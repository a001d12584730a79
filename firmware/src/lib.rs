//! The device application: the games on a display and five keys, and a serial console, generic over
//! the parts of a board.
//!
//! A board's binary owns a static [`Device`](app::Device), and runs on two interrupt executors
//!
//! - [`keys::run`] with its five buttons, above all other tasks,
//! - [`ui::run`] with its display,
//! - [`serial::run`] with its serial port,
//!
//! and in thread mode, below them, [`brain::Brain::run`], which does the search. So drawing never
//! delays polling the keys, and keys and bytes are handled during a search.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

mod log;
mod mark;
mod task;
#[cfg(test)]
mod test_time;

pub mod app;
pub mod brain;
pub mod bus;
pub mod clock;
pub mod console;
pub mod font;
pub mod frame;
pub mod health;
pub mod keys;
pub mod oled;
pub mod panel;
pub mod processor;
pub mod profile;
pub mod serial;
pub mod settings;
pub mod sound;
pub mod statistics;
pub mod store;
pub mod table;
pub mod ui;
