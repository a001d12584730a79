//! The board of Dots and Boxes. The cursor stands on a line: in a grid of dots, lines and boxes, at
//! a place whose column and row add up to an odd number.
use super::{Hand, Pressed, Shown, View};
use crate::{
    frame::{Frame, HEIGHT, Ink},
    keys::Press,
    ui::glyphs::{BLOCK, BOX, glyph},
};
use corvid_core::{
    game::{Game, MoveCode},
    games::dots::{Dots, Line, Size},
    player::Player,
    registry::AnyPosition,
};

/// Pixels that the board may take.
const ROOM: i32 = HEIGHT as i32 - 3;

/// Pixels from dot to dot on small boards.
const LARGEST_PITCH: i32 = 15;

/// Dots and Boxes'.
pub(crate) const VIEW: DotsView = DotsView;

pub(crate) struct DotsView;

impl View for DotsView {
    fn draw(&self, frame: &mut Frame, position: &AnyPosition, shown: Shown) {
        let Ok(game) = <&Dots>::try_from(position) else { return };
        let last = shown.last.and_then(|mv| game.decode(mv));
        draw_board(frame, game, last, shown.marks, shown.hand.map(|hand| hand.cursor));
    }

    /// Black is dark, white is lit.
    fn mark(&self, frame: &mut Frame, player: Player, x: i32, y: i32) {
        glyph(frame, if player == Player::FIRST { BOX } else { BLOCK }, x, y);
    }

    fn home(&self) -> (u8, u8) {
        (1, 0)
    }

    fn fit(&self, position: &AnyPosition, cursor: (u8, u8)) -> (u8, u8) {
        let game = <&Dots>::try_from(position);
        let fits = game.is_ok_and(|game| line_at(game.size(), cursor).is_some());
        if fits { cursor } else { self.home() }
    }

    fn press(&self, position: &AnyPosition, hand: Hand, press: Press) -> Pressed {
        let Ok(game) = <&Dots>::try_from(position) else { return Pressed::Moved(hand) };
        if press == Press::Select {
            return Pressed::Play;
        }
        Pressed::Moved(Hand { cursor: moved(game.size(), hand.cursor, press), ..hand })
    }

    fn pointed(&self, position: &AnyPosition, hand: Hand) -> Option<MoveCode> {
        let game = <&Dots>::try_from(position).ok()?;
        line_at(game.size(), hand.cursor).map(Dots::encode)
    }

    fn show(&self, position: &AnyPosition, mv: MoveCode) -> Option<Hand> {
        let game = <&Dots>::try_from(position).ok()?;
        let cursor = cursor_on(game.size(), game.decode(mv)?);
        Some(Hand { cursor, ..Hand::default() })
    }
}

/// The line under a cursor.
const fn line_at(size: Size, (x, y): (u8, u8)) -> Option<Line> {
    match (x % 2, y % 2) {
        (1, 0) => size.line_between((y / 2, x / 2), (y / 2, x / 2 + 1)),
        (0, 1) => size.line_between((y / 2, x / 2), (y / 2 + 1, x / 2)),
        _ => None,
    }
}

/// Where the cursor is on a line.
const fn cursor_on(size: Size, line: Line) -> (u8, u8) {
    let (a, b) = size.dots(line);
    (a.1 + b.1, a.0 + b.0)
}

/// Moves the cursor to a neighbouring line in the direction of the key: up and down by half a box,
/// alternating between horizontal and vertical lines.
fn moved(size: Size, (x, y): (u8, u8), press: Press) -> (u8, u8) {
    let (right, bottom) = (2 * size.columns(), 2 * size.rows());
    let across = y.is_multiple_of(2);
    match press {
        Press::Left => (x.checked_sub(2).unwrap_or(x), y),
        Press::Right => (if x + 2 <= right { x + 2 } else { x }, y),
        Press::Up | Press::Down => {
            let next = if press == Press::Up { y.checked_sub(1) } else { Some(y + 1) };
            let Some(y) = next.filter(|y| *y <= bottom) else { return (x, y) };
            (if across { x - 1 } else { (x + 1).min(right - 1) }, y)
        }
        Press::Select | Press::Menu => (x, y),
    }
}

/// Draws the board.
fn draw_board(
    frame: &mut Frame,
    game: &Dots,
    last: Option<Line>,
    marks: bool,
    cursor: Option<(u8, u8)>,
) {
    let size = game.size();
    let pitch = (ROOM / i32::from(size.rows().max(size.columns()).max(1))).min(LARGEST_PITCH);
    let left = (HEIGHT as i32 - pitch * i32::from(size.columns())) / 2;
    let top = (HEIGHT as i32 - pitch * i32::from(size.rows())) / 2;
    let dot =
        |(row, column): (u8, u8)| (left + i32::from(column) * pitch, top + i32::from(row) * pitch);
    let under = cursor.and_then(|cursor| line_at(size, cursor));
    for line in (0..size.lines()).filter_map(|number| size.line(number)) {
        let (a, b) = size.dots(line);
        let ((x, y), flat) = (dot(a), a.0 == b.0);
        // A bar along the line, `thick` pixels to both sides of it.
        let mut bar = |thick: i32, from: i32, length: i32, ink| {
            let width = 2 * thick + 1;
            if flat {
                frame.fill(x + from, y - thick, length, width, ink);
            } else {
                frame.fill(x - thick, y + from, width, length, ink);
            }
        };
        let drawn = game.is_drawn(line);
        if under == Some(line) {
            // A frame around the line, so that the line itself stays visible.
            bar(2, 1, pitch - 1, Ink::On);
            bar(1, 2, pitch - 3, Ink::Off);
            if drawn {
                bar(0, 1, pitch - 1, Ink::On);
            }
        } else if last == Some(line) {
            bar(1, 1, pitch - 1, Ink::On);
        } else if drawn {
            bar(0, 1, pitch - 1, Ink::On);
        } else if marks {
            bar(0, pitch / 2, 1, Ink::On);
        }
    }
    for row in 0..=size.rows() {
        for column in 0..=size.columns() {
            let (x, y) = dot((row, column));
            let wide = i32::from(pitch >= 10);
            frame.fill(x - wide, y, 2 * wide + 1, 1, Ink::On);
            frame.fill(x, y - wide, 1, 2 * wide + 1, Ink::On);
        }
    }
    for row in 0..size.rows() {
        for column in 0..size.columns() {
            let Some(owner) = game.owner(row, column) else { continue };
            let ((x, y), side) =
                (dot((row, column)), pitch - 5 + pitch % 2 - i32::from(pitch > 8) * 2);
            let inset = (pitch - side + 1) / 2;
            match (owner, side) {
                // As their marks beside the board.
                (Player::FIRST, 5..) => frame.outline(x + inset, y + inset, side, side, Ink::On),
                (Player::FIRST, _) => frame.dot(x + pitch / 2, y + pitch / 2, Ink::On),
                // Where a hollow box would hardly look hollow, the other one is as full as can be.
                (_, ..5) => frame.fill(x + 2, y + 2, pitch - 3, pitch - 3, Ink::On),
                _ => frame.fill(x + inset, y + inset, side, side, Ink::On),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each player closes one box of two, on a board of any size.
    #[test]
    fn boxes_look_like_their_owners() {
        for side in 2..=10 {
            let size = Size::new(side, side).unwrap();
            let mut game = Dots::new(size);
            let corner = |row: u8, column: u8| {
                let dots =
                    [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)];
                [(0, 1), (2, 3), (0, 2), (1, 3)].map(|(a, b)| size.line_between(dots[a], dots[b]))
            };
            // After six lines the first player closes the upper left box and moves elsewhere, and the
            // second one closes the lower right box.
            let (first, second) = (corner(0, 0), corner(side - 1, side - 1));
            let elsewhere = size.line_between((0, side - 1), (0, side));
            let closing = [first[3], elsewhere, second[3]];
            for line in first[..3].iter().chain(&second[..3]).chain(&closing) {
                game.play(line.unwrap());
            }
            let owner = |at| game.owner(at, at).unwrap();
            assert_ne!(owner(0), owner(side - 1), "{side}");
            let lit = |left: i32, top: i32, right: i32| {
                let mut frame = Frame::DARK;
                draw_board(&mut frame, &game, None, false, None);
                let inside = (top..right).flat_map(|y| (left..right).map(move |x| (x, y)));
                inside.filter(|&(x, y)| frame.is_lit(x as usize, y as usize)).count()
            };
            let pitch = (ROOM / i32::from(side)).min(LARGEST_PITCH);
            let from = (HEIGHT as i32 - pitch * i32::from(side)) / 2;
            let inside = |at: u8| {
                let corner = from + i32::from(at) * pitch;
                lit(corner + 1, corner + 1, corner + pitch)
            };
            let (one, other) = (inside(0), inside(side - 1));
            let black = if owner(0) == Player::FIRST { one } else { other };
            assert_eq!(black, one.min(other), "{side}: {one} and {other} pixels");
            assert!(one.abs_diff(other) >= 4, "{side}: {one} and {other} pixels");
        }
    }

    #[test]
    fn every_line_can_be_reached_and_no_step_leaves_the_lines() {
        for (rows, columns) in [(1, 1), (2, 2), (1, 10), (10, 1), (5, 5), (10, 10)] {
            let size = Size::new(rows, columns).unwrap();
            let mut seen = vec![(1, 0)];
            let mut next = 0;
            while let Some(&at) = seen.get(next) {
                assert!(line_at(size, at).is_some(), "{at:?} on {size:?}");
                for press in [Press::Up, Press::Down, Press::Left, Press::Right] {
                    let to = moved(size, at, press);
                    if !seen.contains(&to) {
                        seen.push(to);
                    }
                }
                next += 1;
            }
            assert_eq!(seen.len(), usize::from(size.lines()), "{size:?}");
            for line in (0..size.lines()).filter_map(|number| size.line(number)) {
                assert_eq!(line_at(size, cursor_on(size, line)), Some(line));
            }
        }
    }
}
