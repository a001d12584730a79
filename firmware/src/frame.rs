//! The frame buffer: 128 x 64 pixels, black and white.
use crate::font::{Font, SMALL};
use embedded_graphics::geometry::Size;

/// Pixels in a row.
pub const WIDTH: usize = 128;

/// Rows.
pub const HEIGHT: usize = 64;

/// Rows that share a byte.
pub(crate) const PAGE_ROWS: usize = 8;

/// Size of the display in pixels.
pub const SIZE: Size = Size::new(WIDTH as u32, HEIGHT as u32);

/// Width of a character of [`SMALL`].
pub const CHAR: i32 = SMALL.width;

/// Height of a line of [`SMALL`].
pub const LINE: i32 = 8;

/// What drawing does with a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Lights it.
    On,
    /// Darkens it.
    Off,
    /// Inverts it.
    Flip,
}

/// A picture in memory. Drawing is clipped to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Eight rows per page, a byte for each column, its lowest bit on top: the SSD1306's layout.
    pages: [[u8; WIDTH]; HEIGHT / PAGE_ROWS],
}

impl Frame {
    /// A dark picture.
    pub const DARK: Self = Self { pages: [[0; WIDTH]; HEIGHT / PAGE_ROWS] };

    /// Eight rows each, from the top: a byte for each column, its lowest bit on top.
    pub const fn pages(&self) -> &[[u8; WIDTH]; HEIGHT / PAGE_ROWS] {
        &self.pages
    }

    /// Whether the pixel in this column and row is lit.
    pub fn is_lit(&self, x: usize, y: usize) -> bool {
        self.pages
            .get(y / PAGE_ROWS)
            .and_then(|page| page.get(x))
            .is_some_and(|byte| byte >> (y % PAGE_ROWS) & 1 != 0)
    }

    /// Darkens every pixel.
    pub fn clear_all(&mut self) {
        self.pages = Self::DARK.pages;
    }

    /// Draws one pixel.
    pub fn dot(&mut self, x: i32, y: i32, ink: Ink) {
        self.column(x, y, 1, ink);
    }

    /// Draws up to eight pixels of a column: those from row `y` down whose bit is set, from the
    /// lowest bit up.
    fn column(&mut self, x: i32, y: i32, bits: u8, ink: Ink) {
        let mut page = y.div_euclid(PAGE_ROWS as i32);
        let mut bits = u32::from(bits) << y.rem_euclid(PAGE_ROWS as i32);
        while bits != 0 {
            // A negative index is too large as an unsigned one.
            let place = self.pages.get_mut(page as usize).and_then(|page| page.get_mut(x as usize));
            if let Some(byte) = place {
                match ink {
                    Ink::On => *byte |= bits as u8,
                    Ink::Off => *byte &= !bits as u8,
                    Ink::Flip => *byte ^= bits as u8,
                }
            }
            bits >>= PAGE_ROWS;
            page += 1;
        }
    }

    /// Lights the pixels whose bits are set, a byte for each column, its lowest bit on top.
    pub(crate) fn columns(&mut self, x: i32, y: i32, columns: &[u8]) {
        for (column, bits) in (x..).zip(columns) {
            self.column(column, y, *bits, Ink::On);
        }
    }

    /// Draws a filled rectangle from its upper left pixel.
    pub fn fill(&mut self, x: i32, y: i32, width: i32, height: i32, ink: Ink) {
        let (mut y, mut rows) = (y, height);
        while rows > 0 {
            let bits = if rows < PAGE_ROWS as i32 { (1 << rows) - 1 } else { u8::MAX };
            for column in x..x + width {
                self.column(column, y, bits, ink);
            }
            y += PAGE_ROWS as i32;
            rows -= PAGE_ROWS as i32;
        }
    }

    /// Draws the outline of a rectangle from its upper left pixel.
    pub fn outline(&mut self, x: i32, y: i32, width: i32, height: i32, ink: Ink) {
        self.fill(x, y, width, 1, ink);
        self.fill(x, y + height - 1, width, 1, ink);
        self.fill(x, y + 1, 1, height - 2, ink);
        self.fill(x + width - 1, y + 1, 1, height - 2, ink);
    }

    /// Writes a line in [`SMALL`] from the upper left pixel of its first character.
    pub fn text(&mut self, x: i32, y: i32, text: &str) {
        self.text_in(SMALL, x, y, text);
    }

    /// Writes a line in a font.
    pub fn text_in(&mut self, font: &Font, x: i32, y: i32, text: &str) {
        let mut left = x;
        // Every character has one byte that doesn't continue another.
        for start in text.bytes().filter(|byte| byte >> 6 != 0b10) {
            let (top, columns) = font.glyph(start);
            self.columns(left, y + top, columns);
            left += font.width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::font::MENU;

    /// Whether exactly the pixels with this property are lit.
    fn shows(frame: &Frame, is_lit: impl Fn(i32, i32) -> bool) -> bool {
        let places = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
        places.into_iter().all(|(x, y)| frame.is_lit(x, y) == is_lit(x as i32, y as i32))
    }

    #[test]
    fn rectangles_are_filled_and_clipped() {
        let sizes = [(0, 5), (3, 0), (-1, 4), (4, -9), (1, 1), (5, 7), (3, 8), (9, 17), (150, 90)];
        for (x, y) in
            [(0, 0), (2, 3), (-2, -5), (-200, 9), (120, 8), (126, 60), (7, 63), (7, 64), (128, 1)]
        {
            for (width, height) in sizes {
                let inside = |at: i32, row: i32| {
                    (x..x + width).contains(&at) && (y..y + height).contains(&row)
                };
                let mut frame = Frame::DARK;
                frame.fill(x, y, width, height, Ink::On);
                assert!(shows(&frame, inside), "{width} x {height} at {x},{y}");
                frame.fill(4, 4, 9, 9, Ink::Flip);
                let flipped = |x: i32, y: i32| (4..13).contains(&x) && (4..13).contains(&y);
                assert!(shows(&frame, |x, y| inside(x, y) != flipped(x, y)));
                frame.fill(0, 0, 128, 64, Ink::On);
                frame.fill(x, y, width, height, Ink::Off);
                assert!(shows(&frame, |x, y| !inside(x, y)));
            }
        }
    }

    #[test]
    fn texts_are_clipped_at_every_edge() {
        let text = "(gjy|";
        for font in [SMALL, MENU] {
            let mut whole = Frame::DARK;
            whole.text_in(font, 40, 16, text);
            let ends = |size: i32, text: i32| (-text..=0).chain(size - text..=size);
            let columns = ends(WIDTH as i32, 30).step_by(3);
            for (x, y) in columns.flat_map(|x| ends(HEIGHT as i32, 11).map(move |y| (x, y))) {
                let mut frame = Frame::DARK;
                frame.text_in(font, x, y, text);
                let is_lit = |column: i32, row: i32| {
                    let place = (usize::try_from(column - x + 40), usize::try_from(row - y + 16));
                    matches!(place, (Ok(x), Ok(y)) if whole.is_lit(x, y))
                };
                assert!(shows(&frame, is_lit), "at {x},{y}");
            }
        }
    }
}
