//! Reading a display: finding texts on it, and drawing it as text.

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
}
