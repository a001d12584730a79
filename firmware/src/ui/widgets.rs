//! Widgets that several screens share.
pub(crate) use crate::font::MENU;
use crate::frame::{CHAR, Frame, Ink, WIDTH};
use core::fmt::{self, Write};
use corvid_core::cut;
use heapless::String;

/// Width of a character of [`MENU`].
pub(crate) const MENU_CHAR: i32 = MENU.width;

/// Characters of [`MENU`] in a line beside a scroll bar.
pub(crate) const MENU_COLUMNS: usize = 20;

/// Height of a row of a list.
pub(crate) const ROW: i32 = 10;

/// Rows of a list that fit below its title.
pub(crate) const ROWS: usize = 5;

/// Pixels between a label and its value.
const GAP: i32 = 3;

/// A value shorter than this has spaces beside its arrows.
const ROOMY: usize = 12;

/// Height of a title.
pub(crate) const TITLE: i32 = 11;

/// Where the first row is.
pub(crate) const TOP: i32 = 13;

/// A line of text, or a few short ones. What does not fit is truncated, as on the display.
#[derive(Debug, Default)]
pub(crate) struct Line(String<40>);

impl Line {
    pub(crate) const fn new() -> Self {
        Self(String::new())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Adds text.
    pub(crate) fn add(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            self.letter(letter);
        }
        self
    }

    /// Adds a letter, if there is room.
    pub(crate) fn letter(&mut self, letter: char) -> &mut Self {
        let _ = self.0.push(letter);
        self
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, number: i32) -> &mut Self {
        let _ = write!(self, "{number}");
        self
    }

    /// Adds minutes, none of which is off.
    pub(crate) fn minutes(&mut self, minutes: u8) -> &mut Self {
        match minutes {
            0 => self.add("off"),
            _ => self.number(minutes.into()).add(" min"),
        }
    }

    /// Makes the first letter a capital.
    fn capitalize(&mut self) {
        if let Some(first) = self.0.get_mut(..1) {
            first.make_ascii_uppercase();
        }
    }

    /// Adds a number with its sign, even if it is positive.
    pub(crate) fn signed(&mut self, number: i32) -> &mut Self {
        if number >= 0 {
            self.add("+");
        }
        self.number(number)
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text);
        Ok(())
    }
}

/// Draws a title: a bright bar on top. A long one is in the small font.
pub(crate) fn title(frame: &mut Frame, text: &str) {
    if 2 + text.len() as i32 * MENU_CHAR <= WIDTH as i32 {
        frame.text_in(MENU, 2, 1, text);
    } else {
        frame.text(2, 2, shortened(text, (WIDTH as i32 - 2) / CHAR).as_str());
    }
    frame.fill(0, 0, WIDTH as i32, TITLE, Ink::Flip);
}

/// A text of at most `room` characters: the end of the word before the last one is left out, since last
/// words tell names apart.
fn shortened(text: &str, room: i32) -> Line {
    let room = usize::try_from(room).unwrap_or(0);
    let mut line = Line::new();
    let (head, tail) = cut::at_last(text, b' ').unwrap_or((text, ""));
    let left = room.saturating_sub(tail.len() + 2);
    match head.get(..left) {
        _ if text.len() <= room => line.add(text),
        Some(start) if !tail.is_empty() && left > 0 => {
            line.add(start.trim_end_matches(' ')).add(". ").add(tail)
        }
        _ => line.add(text.get(..room).unwrap_or(text)),
    };
    line
}

/// Writes a label at the left and a value at the right of `x..end`, in [`MENU`]. What has no room is
/// drawn in the small font, the value first; then the longer of the two is shortened.
pub(crate) fn pair(frame: &mut Frame, x: i32, end: i32, y: i32, label: &str, value: &str) {
    let width = |text: &str, char: i32| text.len() as i32 * char;
    let space = end - x - if value.is_empty() { 0 } else { GAP };
    let label_width = width(label, MENU_CHAR);
    let small_value = label_width + width(value, MENU_CHAR) > space;
    if !small_value {
        frame.text_in(MENU, x, y, label);
        return frame.text_in(MENU, end - width(value, MENU_CHAR), y, value);
    }
    let longest = (space - width(label, CHAR)) / CHAR;
    let value = shortened(value, if value.len() > label.len() { longest } else { i32::MAX });
    let value_width = width(value.as_str(), CHAR);
    frame.text(end - value_width, y + 1, value.as_str());
    if label_width + value_width <= space {
        frame.text_in(MENU, x, y, label);
    } else {
        frame.text(x, y + 1, shortened(label, (space - value_width) / CHAR).as_str());
    }
}

/// Draws a list: `row` writes the label and the value of the row with an index, and says whether left
/// and right change it.
pub(crate) fn list(
    frame: &mut Frame,
    heading: &str,
    count: usize,
    at: usize,
    row: &mut dyn FnMut(usize, &mut Line, &mut Line) -> bool,
) {
    title(frame, heading);
    let first = at.saturating_sub(ROWS / 2).min(count.saturating_sub(ROWS));
    for (place, index) in (first..count.min(first + ROWS)).enumerate() {
        let y = TOP + place as i32 * ROW;
        let (mut label, mut value) = (Line::new(), Line::new());
        let changes = row(index, &mut label, &mut value);
        label.capitalize();
        let mut text = Line::new();
        match (changes && index == at, value.as_str().len()) {
            (false, _) => text.add(value.as_str()),
            (true, ..ROOMY) => text.add("< ").add(value.as_str()).add(" >"),
            (true, _) => text.add("<").add(value.as_str()).add(">"),
        };
        pair(frame, 2, WIDTH as i32 - 6, y, label.as_str(), text.as_str());
        if index == at {
            frame.fill(0, y, WIDTH as i32 - 4, ROW, Ink::Flip);
        }
    }
    scroll_bar(frame, count, first);
}

/// Draws a list of these rows: `write` writes the label and the value of one.
pub(crate) fn list_of<T: Copy>(
    frame: &mut Frame,
    heading: &str,
    rows: &[T],
    at: usize,
    write: &mut dyn FnMut(T, &mut Line, &mut Line) -> bool,
) {
    list(frame, heading, rows.len(), at, &mut |index, label, value| {
        rows.get(index).is_some_and(|row| write(*row, label, value))
    });
}

/// The selected row; the last one if the list has become shorter.
pub(crate) fn selected<T: Copy>(rows: &[T], at: usize) -> Option<T> {
    rows.get(at).or(rows.last()).copied()
}

/// Draws which part of `count` lines is visible.
pub(crate) fn scroll_bar(frame: &mut Frame, count: usize, first: usize) {
    if count <= ROWS {
        return;
    }
    let height = ROWS * ROW as usize;
    let place = |line: usize| TOP + (line * height / count.max(1)) as i32;
    let (top, bottom) = (place(first), place(first + ROWS));
    frame.fill(WIDTH as i32 - 2, top, 2, bottom - top, Ink::On);
}

/// Draws a text below a title, from one of its lines on. Lines end at line breaks and between
/// words.
pub(crate) fn page(frame: &mut Frame, heading: &str, text: &str, first: usize) {
    title(frame, heading);
    let count = count_lines(text);
    let first = first.min(count.saturating_sub(ROWS));
    for (place, line) in wrapped(text, MENU_COLUMNS).skip(first).take(ROWS).enumerate() {
        frame.text_in(MENU, 2, TOP + place as i32 * ROW, line);
    }
    scroll_bar(frame, count, first);
}

/// How many lines a [`page`] of this text has.
pub(crate) fn count_lines(text: &str) -> usize {
    wrapped(text, MENU_COLUMNS).count()
}

/// The lines of a text, none longer than `columns`.
pub(crate) fn wrapped(text: &str, columns: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, _) = cut::at_first(rest, b'\n');
        if line.len() <= columns {
            rest = rest.get(line.len() + 1..).unwrap_or("");
            return Some(line);
        }
        let fits = line.get(..columns + 1).unwrap_or(line);
        let (end, next) = match cut::at_last(fits, b' ') {
            Some((head, _)) => (head.len(), head.len() + 1),
            None => (columns, columns),
        };
        let line = rest.get(..end).unwrap_or(rest);
        rest = rest.get(next..).unwrap_or("");
        Some(line)
    })
}

/// Moves a selection among `count` rows, wrapping around the ends.
pub(crate) fn step(at: usize, count: usize, forward: bool) -> usize {
    match (forward, at) {
        (true, _) if at + 1 < count => at + 1,
        (true, _) => 0,
        (false, 0) => count.saturating_sub(1),
        (false, _) => at - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words() {
        let lines: Vec<&str> = wrapped("take turns\nto place a disc", 8).collect();
        assert_eq!(lines, ["take", "turns", "to place", "a disc"]);
        let long: Vec<&str> = wrapped("abcdefghij", 4).collect();
        assert_eq!(long, ["abcd", "efgh", "ij"]);
        let fits: Vec<&str> = wrapped("abc\n\nd", 4).collect();
        assert_eq!(fits, ["abc", "", "d"]);
    }

    #[test]
    fn the_choice_goes_round() {
        assert_eq!([step(0, 3, true), step(2, 3, true), step(0, 3, false)], [1, 0, 2]);
        assert_eq!([step(0, 0, true), step(0, 0, false)], [0, 0]);
    }
}
