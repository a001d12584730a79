//! The frame buffer: 128 x 64 pixels, black and white.
use embedded_graphics::{
    image::GetPixel,
    mono_font::{MonoFont, ascii::FONT_5X8},
    pixelcolor::BinaryColor,
    prelude::*,
    primitives::Rectangle,
};

/// Pixels in a row.
pub const WIDTH: usize = 128;

/// Rows.
pub const HEIGHT: usize = 64;

/// Rows that share a byte.
pub(crate) const PAGE_ROWS: usize = 8;

/// Size of the display in pixels.
pub const SIZE: Size = Size::new(WIDTH as u32, HEIGHT as u32);

/// The font of all small text.
pub const SMALL: &MonoFont<'_> = &FONT_5X8;

/// Width of a character of [`SMALL`].
pub const CHAR: i32 = 5;

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
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        let page = self.pages.get_mut(y / PAGE_ROWS);
        let Some(byte) = page.and_then(|page| page.get_mut(x)) else { return };
        let bit = 1 << (y % PAGE_ROWS);
        match ink {
            Ink::On => *byte |= bit,
            Ink::Off => *byte &= !bit,
            Ink::Flip => *byte ^= bit,
        }
    }

    /// Draws a filled rectangle from its upper left pixel.
    pub fn fill(&mut self, x: i32, y: i32, width: i32, height: i32, ink: Ink) {
        for row in y..y + height {
            for column in x..x + width {
                self.dot(column, row, ink);
            }
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

    /// Writes a line in a font, pixel by pixel: embedded-graphics' own text rendering, which has
    /// styles, would take 2 KB more.
    pub fn text_in(&mut self, font: &MonoFont<'_>, x: i32, y: i32, text: &str) {
        let Size { width, height } = font.character_size;
        let columns = font.image.size().width / width;
        let mut left = x;
        for character in text.chars() {
            let index = font.glyph_mapping.index(character) as u32;
            let corner =
                Point::new((index % columns * width) as i32, (index / columns * height) as i32);
            for at in Rectangle::new(Point::zero(), font.character_size).points() {
                if font.image.pixel(corner + at) == Some(BinaryColor::On) {
                    self.dot(left + at.x, y + at.y, Ink::On);
                }
            }
            left += width as i32;
        }
    }
}
