//! Five board games for microcontrollers.
#![no_std]
#![forbid(unsafe_code)]

pub mod gtp;
pub mod lines;
