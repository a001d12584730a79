//! The serial console beside the display: a line to type, and what the device sends.

use std::collections::VecDeque;

/// The length of the scrollback in lines.
const KEPT: usize = 1000;

/// The maximum length of a typed line; the device accepts no longer ones.
const TYPED: usize = 240;

/// What a terminal on the device's serial port shows.
#[derive(Debug, Default)]
pub(crate) struct Console {
    lines: VecDeque<String>,
    /// The incomplete last line.
    last: Vec<u8>,
    escape: Escape,
    typed: String,
    /// Lines that were sent, the newest last, and how far back the recalled one is.
    sent: Vec<String>,
    back: usize,
    /// How many lines up the view is.
    scrolled: usize,
}

/// How much of a control sequence has been received.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Escape {
    #[default]
    None,
    Begun,
    Inside,
}

impl Console {
    /// Takes what the device has sent.
    pub(crate) fn receive(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match (self.escape, byte) {
                (_, 0x1b) => self.escape = Escape::Begun,
                (Escape::Begun, b'[') => self.escape = Escape::Inside,
                (Escape::Begun, _) => self.escape = Escape::None,
                (Escape::Inside, b'@'..=b'~') => self.escape = Escape::None,
                (Escape::Inside, _) => {}
                (Escape::None, b'\n') => self.end_line(),
                (Escape::None, 0x08) => drop(self.last.pop()),
                (Escape::None, b' '..=b'~' | 0x80..) => self.last.push(byte),
                (Escape::None, _) => {}
            }
        }
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.last)).into_owned();
        // Every answer ends with an empty line; repeated ones are dropped.
        if !line.is_empty() || self.lines.back().is_some_and(|last| !last.is_empty()) {
            self.push(line);
        }
    }

    fn push(&mut self, line: String) {
        if self.lines.len() == KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
        if self.scrolled > 0 {
            self.scroll(1);
        }
    }

    /// Types a character.
    pub(crate) fn letter(&mut self, letter: char) {
        if letter.is_ascii() && !letter.is_ascii_control() && self.typed.len() < TYPED {
            self.typed.push(letter);
        }
    }

    /// Deletes the last character.
    pub(crate) fn backspace(&mut self) {
        self.typed.pop();
    }

    /// Ends the typed line, and returns the bytes to send.
    pub(crate) fn enter(&mut self) -> Vec<u8> {
        let line = std::mem::take(&mut self.typed);
        (self.back, self.scrolled) = (0, 0);
        self.push(format!("> {line}"));
        let bytes = format!("{line}\n").into_bytes();
        if !line.is_empty() && self.sent.last() != Some(&line) {
            self.sent.push(line);
        }
        bytes
    }

    /// Recalls an earlier line, or a later one.
    pub(crate) fn recall(&mut self, earlier: bool) {
        self.back = match earlier {
            true => (self.back + 1).min(self.sent.len()),
            false => self.back.saturating_sub(1),
        };
        let line = self.sent.len().checked_sub(self.back).and_then(|at| self.sent.get(at));
        self.typed = line.cloned().unwrap_or_default();
    }

    /// Moves the view up by some lines, or down.
    pub(crate) fn scroll(&mut self, up: isize) {
        let most = self.lines.len().saturating_sub(1);
        self.scrolled = self.scrolled.saturating_add_signed(up).min(most);
    }

    /// What is being typed.
    pub(crate) fn typed(&self) -> &str {
        &self.typed
    }

    /// The visible rows for a width and height; long lines take several.
    pub(crate) fn rows(&self, width: usize, height: usize) -> Vec<String> {
        let last = String::from_utf8_lossy(&self.last).into_owned();
        let last = (!last.is_empty() && self.scrolled == 0).then_some(last);
        let shown = self.lines.len() - self.scrolled;
        let mut rows = Vec::new();
        for line in self.lines.iter().take(shown).rev().take(height).rev().chain(&last) {
            let letters: Vec<char> = line.chars().collect();
            match letters.len() {
                0 => rows.push(String::new()),
                _ => rows.extend(letters.chunks(width.max(1)).map(|part| part.iter().collect())),
            }
        }
        rows.split_off(rows.len().saturating_sub(height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn console(received: &str) -> Console {
        let mut console = Console::default();
        console.receive(received.as_bytes());
        console
    }

    #[test]
    fn lines_are_shown_as_a_terminal_would() {
        let rows = |received| console(received).rows(8, 4);
        assert_eq!(rows("= Corvid\n\n\nand"), ["= Corvid", "", "and"]);
        assert_eq!(rows("\x1b[1;32mab\x1b[0m\x07\x1b[Kc\r\nxy\x08z\n"), ["abc", "xz"]);
        assert_eq!(rows("a long line that wraps\n"), ["a long l", "ine that", " wraps"]);
        assert_eq!(rows("1\n2\n3\n4\n5\n"), ["2", "3", "4", "5"]);
        assert_eq!(console("é\n").rows(0, 1), ["é"]);
    }

    #[test]
    fn the_view_scrolls_and_stays_where_it_is() {
        let mut console = console("1\n2\n3\n4\n5\n");
        console.scroll(2);
        assert_eq!(console.rows(8, 2), ["2", "3"]);
        console.receive(b"6\n");
        assert_eq!(console.rows(8, 2), ["2", "3"]);
        console.scroll(-9);
        assert_eq!(console.rows(8, 2), ["5", "6"]);
        console.scroll(99);
        assert_eq!(console.rows(8, 2), ["1"]);
    }

    #[test]
    fn lines_are_typed_sent_and_recalled() {
        let mut console = Console::default();
        "nameé\n!".chars().for_each(|letter| console.letter(letter));
        console.backspace();
        assert_eq!(console.typed(), "name");
        assert_eq!(console.enter(), b"name\n");
        assert_eq!(console.typed(), "");
        console.letter('x');
        assert_eq!(console.enter(), b"x\n");
        let mut recalled = |earlier| {
            console.recall(earlier);
            console.typed().to_owned()
        };
        assert_eq!(
            [true, true, true, false, false].map(&mut recalled),
            ["x", "name", "name", "x", ""]
        );
    }
}
