//! Screens without a game: start, menus, texts.
use super::widgets::{MENU, list};
use crate::{
    frame::{Frame, Ink, WIDTH},
    mark,
};
use core::fmt::Write;
use embedded_graphics::{
    image::{Image, ImageRaw},
    mono_font::ascii::FONT_10X20,
    pixelcolor::BinaryColor,
    prelude::*,
};

/// The row of the line on which the crow stands, above the bottom line of text.
const GROUND: i32 = 51;

/// Draws the start screen.
pub(crate) fn start(frame: &mut Frame) {
    let mark = ImageRaw::<BinaryColor>::new(&mark::CROW, mark::WIDTH);
    let Ok(()) = Image::new(&mark, Point::new(2, GROUND - mark::HEIGHT as i32)).draw(frame);
    frame.text_in(&FONT_10X20, 60, 6, "Corvid");
    frame.text_in(MENU, 61, 27, "five games");
    frame.text_in(MENU, 61, 38, concat!("v", env!("CARGO_PKG_VERSION")));
    frame.fill(0, GROUND, WIDTH as i32, 1, Ink::On);
    frame.text_in(MENU, 2, GROUND + 3, "press a key");
}

/// The rows of the main menu.
pub(crate) const MENU_ROWS: [&str; 7] =
    ["New game", "Resume", "Rules", "Watch", "Statistics", "Settings", "About"];

/// Draws the main menu.
pub(crate) fn menu(frame: &mut Frame, at: usize) {
    list(frame, "Corvid", MENU_ROWS.len(), at, &mut |index, label, _| {
        // Every row fits.
        let _ = label.write_str(MENU_ROWS[index]);
    });
}
