//! The rules of five board games on bitboards, and the search for their moves.
//!
//! A package of its own because a board spends its time here: it is built for speed where the rest
//! is built for size. Everybody else uses it through `corvid-core`.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "all-games"),
    allow(dead_code, reason = "what games share may serve none of those that are built")
)]

#[cfg(test)]
extern crate std;

/// So that the examples of the readme are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod bitboard;
pub mod choice;
mod diagram;
pub mod game;
pub mod games;
pub mod mix;
pub mod player;
pub mod search;
mod sort;
pub mod square;
