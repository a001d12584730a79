//! Five board games for microcontrollers.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod game;
pub mod games;
pub mod gtp;
pub mod lines;
pub mod mix;
pub mod player;
pub mod square;
