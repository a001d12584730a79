//! Corvid for the page in `web/page`, as WebAssembly.
//!
//! The same module is loaded three times: by the page for the rules ([`page_match`], [`catalog`],
//! [`record`]), by one worker that thinks ([`engine`]), and by another that runs the simulated
//! device ([`device`]).
//!
//! Nothing here draws or talks to the network; texts go both ways as everywhere else in Corvid.

pub mod catalog;
pub mod device;
pub mod engine;
pub mod page_match;
mod pause;
pub mod record;
mod strokes;
mod time;
