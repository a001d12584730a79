//! The image for this board.
#![no_std]
#![no_main]
