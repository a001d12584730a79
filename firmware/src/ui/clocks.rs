//! The players' clocks on the screens of a game. The one that runs is dark on light.
use super::widgets::{Line, MENU, MENU_CHAR, TITLE};
use crate::{
    clock::write_time,
    frame::{CHAR, Frame, Ink, LINE, WIDTH},
    table::Table,
};
use corvid_core::player::Player;
use embassy_time::Instant;

/// Digits for where there is little room, three columns of six pixels, the lowest bit on top.
const DIGITS: [[u8; 3]; 10] = [
    [0b111111, 0b100001, 0b111111],
    [0b100010, 0b111111, 0b100000],
    [0b111001, 0b101001, 0b101111],
    [0b100001, 0b100101, 0b111111],
    [0b001111, 0b001000, 0b111111],
    [0b100111, 0b100101, 0b111101],
    [0b111111, 0b100101, 0b111101],
    [0b000001, 0b111001, 0b000111],
    [0b111111, 0b100101, 0b111111],
    [0b101111, 0b101001, 0b111111],
];
const COLON: [u8; 3] = [0b010010, 0, 0];
const POINT: [u8; 3] = [0b100000, 0, 0];

/// The width of the longest time in [`DIGITS`].
pub(super) const SMALL_WIDTH: i32 = 18;

/// Where the time begins in a title: behind the name of any game, or behind piece and round.
pub(super) const AFTER_GAME: i32 = 88;
pub(super) const AFTER_ROUND: i32 = 74;

/// Writes the time that a player has left.
fn time_of(table: &Table, player: Player) -> Line {
    let mut line = Line::new();
    // Writing to a line never fails.
    let _ = write_time(table.clock().left(table.game().seat_of(player), Instant::now()), &mut line);
    line
}

/// Whether a player's clock runs.
fn runs(table: &Table, player: Player) -> bool {
    table.game().turn() == player && table.clock().running().is_some()
}

/// Draws a player's clock from its upper left pixel.
pub(super) fn draw(frame: &mut Frame, table: &Table, player: Player, x: i32, y: i32) {
    let time = time_of(table, player);
    frame.text(x, y, time.as_str());
    if runs(table, player) {
        frame.fill(x - 1, y, time.as_str().len() as i32 * CHAR + 1, LINE, Ink::Flip);
    }
}

/// Draws a player's clock in small, up to its right edge.
pub(super) fn draw_small(frame: &mut Frame, table: &Table, player: Player, end: i32, y: i32) {
    let time = time_of(table, player);
    let mut x = end;
    for letter in time.as_str().chars().rev() {
        let (glyph, width) = match letter {
            ':' => (COLON, 2),
            '.' => (POINT, 2),
            _ => (letter.to_digit(10).map_or(POINT, |digit| DIGITS[digit as usize]), 4),
        };
        x -= width;
        frame.columns(x, y + 1, &glyph);
    }
    if runs(table, player) {
        frame.fill(x - 1, y, end - x + 1, LINE, Ink::Flip);
    }
}

/// Draws the clock that runs into a title, in place of what is there from `x` on.
pub(super) fn draw_in_title(frame: &mut Frame, table: &Table, x: i32) {
    if table.clock().running().is_some() {
        let time = time_of(table, table.game().turn());
        let end = WIDTH as i32;
        frame.fill(x, 0, end - x, TITLE, Ink::Off);
        let width = time.as_str().len() as i32 * MENU_CHAR;
        frame.text_in(MENU, end - 2 - width, 1, time.as_str());
        frame.fill(x, 0, end - x, TITLE, Ink::Flip);
    }
}
