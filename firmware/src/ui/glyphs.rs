//! Small pictures: the marks of the players.
use crate::frame::Frame;

/// Width and height of a player's mark.
pub(crate) const MARK: i32 = 6;

/// A mark, a byte for each column, its lowest bit on top.
pub(crate) type Glyph = [u8; MARK as usize];

pub(crate) const DISC: Glyph = [0b011110, 0b111111, 0b111111, 0b111111, 0b111111, 0b011110];
pub(crate) const RING: Glyph = [0b011110, 0b100001, 0b100001, 0b100001, 0b100001, 0b011110];
pub(crate) const CROSS: Glyph = [0b110011, 0b011110, 0b001100, 0b001100, 0b011110, 0b110011];
pub(crate) const BLOCK: Glyph = [0b111111; MARK as usize];
pub(crate) const BOX: Glyph = [0b111111, 0b100001, 0b100001, 0b100001, 0b100001, 0b111111];

/// Draws a mark from its upper left pixel.
pub(crate) fn glyph(frame: &mut Frame, glyph: Glyph, x: i32, y: i32) {
    frame.columns(x, y, &glyph);
}
