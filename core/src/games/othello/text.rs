//! Othello at a terminal.

use core::fmt::{self, Write};

use super::Othello;
use crate::text::{Places, SQUARES, TextBoard, write_square};

impl TextBoard for Othello {
    fn notation(&self) -> &'static str {
        "Othello: enclose the other's discs with a new one; d3 is column d, row 3."
    }

    fn places(&self) -> Places {
        SQUARES
    }

    fn write_pointed(&self, places: &[(u8, u8)], out: &mut dyn Write) -> fmt::Result {
        write_square(places, out)
    }
}
