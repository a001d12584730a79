//! Adjacency at a terminal.

use core::fmt::{self, Write};

use super::Adjacency;
use crate::text::{Places, SQUARES, TextBoard, write_square};

impl TextBoard for Adjacency {
    fn notation(&self) -> &'static str {
        "Adjacency: mark any empty square; the other's marks beside it, not diagonally, become \
         yours. d3 is column d, row 3."
    }

    fn places(&self) -> Places {
        SQUARES
    }

    fn write_pointed(&self, places: &[(u8, u8)], out: &mut dyn Write) -> fmt::Result {
        write_square(places, out)
    }
}
