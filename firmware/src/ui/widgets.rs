//! What several screens are made of.
use crate::frame::{Frame, Ink, WIDTH};
use embedded_graphics::mono_font::{MonoFont, ascii::FONT_6X10};
use heapless::String;

/// The font of menus.
pub(crate) const MENU: &MonoFont<'_> = &FONT_6X10;

/// Width of a character of [`MENU`].
pub(crate) const MENU_CHAR: i32 = 6;

/// Height of a row of a list.
pub(crate) const ROW: i32 = 10;

/// Rows of a list that fit below its title.
pub(crate) const ROWS: usize = 5;

/// Where the first row is.
const TOP: i32 = 13;

/// A line of text: more than the display is wide.
pub(crate) type Line = String<32>;

/// Draws a title: a bright bar on top.
pub(crate) fn title(frame: &mut Frame, text: &str) {
    frame.text_in(MENU, 2, 1, text);
    frame.fill(0, 0, WIDTH as i32, 11, Ink::Flip);
}

/// Draws a list: `row` writes the label and the value of the row with a number.
pub(crate) fn list(
    frame: &mut Frame,
    heading: &str,
    count: usize,
    at: usize,
    row: &mut dyn FnMut(usize, &mut Line, &mut Line),
) {
    title(frame, heading);
    let first = first_row(count, at);
    for (place, index) in (first..count.min(first + ROWS)).enumerate() {
        let y = TOP + place as i32 * ROW;
        let (mut label, mut value) = (Line::new(), Line::new());
        row(index, &mut label, &mut value);
        frame.text_in(MENU, 2, y, &label);
        let width = value.len() as i32 * MENU_CHAR;
        frame.text_in(MENU, WIDTH as i32 - 6 - width, y, &value);
        if index == at {
            frame.fill(0, y - 1, WIDTH as i32 - 4, ROW, Ink::Flip);
        }
    }
    scroll_bar(frame, count, first);
}

/// The first row that a list shows so that the chosen one is in sight.
fn first_row(count: usize, at: usize) -> usize {
    at.saturating_sub(ROWS / 2).min(count.saturating_sub(ROWS))
}

/// Draws which part of `count` lines is in sight.
pub(crate) fn scroll_bar(frame: &mut Frame, count: usize, first: usize) {
    if count <= ROWS {
        return;
    }
    let height = ROWS as i32 * ROW;
    let place = |line: usize| TOP + line as i32 * height / count as i32;
    let (top, bottom) = (place(first), place(first + ROWS));
    frame.fill(WIDTH as i32 - 2, top, 2, bottom - top, Ink::On);
}

/// Moves a choice among `count` rows, round the ends.
pub(crate) fn step(at: usize, count: usize, forward: bool) -> usize {
    match (forward, at) {
        (true, _) if at + 1 < count => at + 1,
        (true, _) => 0,
        (false, 0) => count.saturating_sub(1),
        (false, _) => at - 1,
    }
}
