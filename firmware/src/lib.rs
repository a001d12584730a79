//! The device application: keys, screen and serial console, generic over the parts of a board.
//!
//! A board's binary owns a static [`Device`](app::Device), and runs on an interrupt executor
//!
//! - [`keys::run`] with its five buttons,
//! - [`screen::run`] with its display,
//! - [`serial::run`] with its serial port,
//!
//! and in thread mode, below them, [`console::Console::run`], which does the thinking. So a key is
//! shown and a byte is taken while the board thinks.
#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

mod log;

pub mod app;
pub mod console;
pub mod keys;
pub mod mark;
pub mod screen;
pub mod serial;
pub mod ssd1306;
