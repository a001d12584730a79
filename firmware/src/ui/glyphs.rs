//! Small pictures: the marks of the players.
use crate::frame::{Frame, Ink};

/// Width and height of a player's mark.
pub(crate) const MARK: i32 = 6;

/// A mark, a row a byte, its highest bit of six on the left.
pub(crate) type Glyph = [u8; MARK as usize];

pub(crate) const DISC: Glyph = [0b011110, 0b111111, 0b111111, 0b111111, 0b111111, 0b011110];
pub(crate) const RING: Glyph = [0b011110, 0b100001, 0b100001, 0b100001, 0b100001, 0b011110];
pub(crate) const CROSS: Glyph = [0b100001, 0b110011, 0b011110, 0b011110, 0b110011, 0b100001];
pub(crate) const BLOCK: Glyph = [0b111111; MARK as usize];
pub(crate) const BOX: Glyph = [0b111111, 0b100001, 0b100001, 0b100001, 0b100001, 0b111111];

/// Draws a mark from its upper left pixel.
pub(crate) fn glyph(frame: &mut Frame, glyph: Glyph, x: i32, y: i32) {
    for (row, bits) in (0..).zip(glyph) {
        for column in (0..MARK).filter(|column| bits >> (MARK - 1 - column) & 1 != 0) {
            frame.dot(x + column, y + row, Ink::On);
        }
    }
}
