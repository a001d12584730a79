//! Dots and Boxes at a terminal.

use core::fmt::{self, Write};

use super::Dots;
use crate::text::{Places, TextBoard};

impl TextBoard for Dots {
    fn notation(&self) -> &'static str {
        "Dots and Boxes: join two dots, row,column-row,column: 0,0-0,1. Close a box, and it is \
         yours: move again."
    }

    /// The dots.
    fn places(&self) -> Places {
        let (columns, rows) = (self.size().columns() + 1, self.size().rows() + 1);
        Places { columns, rows, across: 4, down: 2, with_cursor: true }
    }

    /// In reading order.
    fn write_pointed(&self, places: &[(u8, u8)], out: &mut dyn Write) -> fmt::Result {
        let (columns, rows) = (self.size().columns(), self.size().rows());
        let dots = (0..=rows).flat_map(|y| (0..=columns).map(move |x| (x, y)));
        let marked = dots.filter(|dot| places.contains(dot));
        for (index, (x, y)) in marked.enumerate() {
            let separator = if index > 0 { "-" } else { "" };
            write!(out, "{separator}{y},{x}")?;
        }
        Ok(())
    }
}
