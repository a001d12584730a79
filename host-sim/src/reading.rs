//! Reading a display: finding texts on it, and drawing it as text.

use std::collections::HashMap;

use corvid_firmware::font::{Font, MENU, SMALL};
use corvid_firmware::frame::{Frame, HEIGHT, WIDTH};

/// The fonts that a display's texts may be in.
const FONTS: [&Font; 2] = [SMALL, MENU];

/// Whether a picture contains a text, light on dark or dark on light.
pub fn shows(screen: &Frame, text: &str) -> bool {
    let screen = rows(screen);
    FONTS.iter().any(|font| shows_in(font, &screen, text))
}

fn shows_in(font: &Font, screen: &[u128; HEIGHT], text: &str) -> bool {
    if text.len() * font.width as usize > WIDTH {
        return false;
    }
    let mut drawn = Frame::DARK;
    drawn.text_in(font, 0, 0, text);
    let drawn = rows(&drawn);
    // Only the bounding box of the ink: what is around a text is not part of it.
    let ink = drawn.iter().fold(0, |ink, row| ink | row);
    let Some(top) = drawn.iter().position(|row| *row != 0) else { return false };
    let bottom = drawn.iter().rposition(|row| *row != 0).unwrap_or(top);
    let left = ink.trailing_zeros();
    let width = u128::BITS - ink.leading_zeros() - left;
    let mask = u128::MAX >> (u128::BITS - width);
    let pattern: Vec<u128> = drawn[top..=bottom].iter().map(|row| row >> left).collect();
    screen.windows(pattern.len()).any(|rows| {
        (0..=u128::BITS - width).any(|x| {
            let differs = |inverted: u128| {
                rows.iter().zip(&pattern).any(|(row, ink)| (row >> x ^ ink ^ inverted) & mask != 0)
            };
            !differs(0) || !differs(u128::MAX)
        })
    })
}

/// The rows of a picture from the top, a bit for each pixel, the lowest one on the left.
fn rows(frame: &Frame) -> [u128; HEIGHT] {
    std::array::from_fn(|y| (0..WIDTH).fold(0, |row, x| row | u128::from(frame.is_lit(x, y)) << x))
}

/// A line of text on a display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    /// Its words; a wider gap is two spaces.
    pub text: String,
    /// Whether it is dark on light: a title, or what is selected.
    pub inverted: bool,
    /// The row of its upper edge.
    pub y: usize,
}

/// The lines of text in a picture, from the top.
pub fn lines(screen: &Frame) -> Vec<TextLine> {
    let screen = rows(screen);
    let mut found: Vec<Run> = FONTS.iter().flat_map(|font| runs(font, &screen)).collect();
    // A long text is no accident; what is made of its pixels otherwise is one.
    found.sort_by_key(|run| std::cmp::Reverse(run.letters()));
    let mut runs: Vec<Run> = Vec::new();
    for run in found {
        if !runs.iter().any(|other| other.touches(&run)) {
            runs.push(run);
        }
    }
    runs.sort_by_key(|run| (run.y, run.x));
    let mut lines: Vec<TextLine> = Vec::new();
    for Run { text, inverted, y, .. } in runs {
        match lines.last_mut() {
            Some(line) if line.y == y && line.inverted == inverted => {
                line.text.push_str("  ");
                line.text.push_str(&text);
            }
            _ => lines.push(TextLine { text, inverted, y }),
        }
    }
    lines
}

/// Characters beside each other, and the rectangle that they take.
struct Run {
    text: String,
    inverted: bool,
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

impl Run {
    fn letters(&self) -> usize {
        self.text.bytes().filter(u8::is_ascii_alphanumeric).count()
    }

    fn touches(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

/// Whatever reads as a text in a font, wherever it starts.
fn runs(font: &Font, screen: &[u128; HEIGHT]) -> Vec<Run> {
    let (width, height) = cell(font);
    let glyphs: HashMap<u64, char> = (' '..='~').map(|name| (glyph(font, name), name)).collect();
    let mut runs = Vec::new();
    for inverted in [false, true] {
        let screen = if inverted { screen.map(|row| !row) } else { *screen };
        for y in 0..=HEIGHT - height {
            for phase in 0..width {
                let places = (phase..=WIDTH - width).step_by(width);
                let read = |x| glyphs.get(&pixels(&screen, x, y, width, height)).copied();
                let line: Vec<Option<char>> = places.map(read).collect();
                for (start, text) in words(&line) {
                    let x = phase + start * width;
                    let width = width * text.len();
                    runs.push(Run { text, inverted, x, y, width, height });
                }
            }
        }
    }
    // A lone letter may be a piece of a picture.
    runs.retain(|run| {
        run.letters() > 1 || run.text.contains(|letter: char| letter.is_ascii_digit())
    });
    runs
}

/// The texts in a line of characters, and where they start. Two spaces end one.
fn words(line: &[Option<char>]) -> Vec<(usize, String)> {
    let mut words: Vec<(usize, String)> = Vec::new();
    let mut gap = usize::MAX;
    for (place, character) in line.iter().enumerate() {
        match (character, words.last_mut()) {
            (None, _) => gap = usize::MAX,
            (Some(' '), _) => gap = gap.saturating_add(1),
            (Some(letter), Some((_, word))) if gap < 2 => {
                word.extend(std::iter::repeat_n(' ', gap));
                word.push(*letter);
                gap = 0;
            }
            (Some(letter), _) => {
                words.push((place, (*letter).into()));
                gap = 0;
            }
        }
    }
    words
}

/// The pixels that belong to a character, in columns and rows.
fn cell(font: &Font) -> (usize, usize) {
    let width = font.width as usize;
    (width, if width == SMALL.width as usize { 8 } else { 10 })
}

fn glyph(font: &Font, name: char) -> u64 {
    let (width, height) = cell(font);
    let mut drawn = Frame::DARK;
    drawn.text_in(font, 0, 0, name.encode_utf8(&mut [0; 4]));
    pixels(&rows(&drawn), 0, 0, width, height)
}

/// A rectangle of at most 64 pixels, row after row.
fn pixels(screen: &[u128; HEIGHT], x: usize, y: usize, width: usize, height: usize) -> u64 {
    let mask = u64::MAX >> (u64::BITS as usize - width);
    let row = |row: &u128| (row >> x) as u64 & mask;
    screen[y..y + height].iter().fold(0, |bits, pixels| bits << width | row(pixels))
}

/// A picture as text, two rows of pixels per line.
pub fn art(screen: &Frame) -> String {
    let mut art = String::new();
    for y in (0..HEIGHT).step_by(2) {
        let pair = |x| half_block(screen.is_lit(x, y), screen.is_lit(x, y + 1));
        let line: String = (0..WIDTH).map(pair).collect();
        art.push_str(line.trim_end());
        art.push('\n');
    }
    art
}

/// The character for two pixels, one above the other.
pub const fn half_block(upper: bool, lower: bool) -> char {
    match (upper, lower) {
        (false, false) => ' ',
        (true, false) => '▀',
        (false, true) => '▄',
        (true, true) => '█',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_firmware::frame::Ink;

    #[test]
    fn texts_are_found_in_any_font_light_or_dark() {
        let mut frame = Frame::DARK;
        frame.text(100, 50, "small");
        frame.text_in(MENU, 2, 3, "Corvid");
        frame.text_in(MENU, 10, 30, "Yes, qualify");
        frame.fill(0, 29, 128, 12, Ink::Flip);
        for text in ["small", "Corvid", "Yes, qualify", "qual"] {
            assert!(shows(&frame, text), "{text}");
        }
        for text in ["Small", "corvid", "Yes,qualify", "qualifi"] {
            assert!(!shows(&frame, text), "{text}");
        }
        assert!(!shows(&frame, &"long ".repeat(20)));
        assert!(!shows(&frame, " "));
    }

    #[test]
    fn what_is_on_a_display_is_read_out() {
        let mut frame = Frame::DARK;
        frame.text_in(MENU, 2, 1, "New game");
        frame.fill(0, 0, 128, 12, Ink::Flip);
        frame.text_in(MENU, 2, 14, "White");
        frame.text_in(MENU, 79, 14, "level 3");
        frame.text(3, 30, "Place a disc, d3.");
        frame.fill(60, 40, 20, 20, Ink::On);
        frame.text(100, 56, "7");
        frame.text(10, 50, "L");
        let line = |text: &str, inverted, y| TextLine { text: text.into(), inverted, y };
        assert_eq!(
            lines(&frame),
            [
                line("New game", true, 1),
                line("White  level 3", false, 14),
                line("Place a disc, d3.", false, 30),
                line("7", false, 56)
            ]
        );
        assert_eq!(lines(&Frame::DARK), []);
    }
}
