//! A line editor for people at a serial terminal that leaves programs alone: bytes in, complete
//! lines and terminal output out.
//!
//! A program sends a line at once and expects nothing but the answer; a person types byte by byte
//! and expects an echo. So a line is echoed once its sender pauses in the middle of it: see
//! [`Terminal::settle`].

use core::fmt::{self, Write};

use heapless::Vec;

use crate::lines::{LINE_CAPACITY, Overlong};
use crate::list::{first_to_back, last_to_front};

/// Bytes of history for the up and down keys.
pub const HISTORY_CAPACITY: usize = 256;

/// Which input is echoed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Echo {
    /// What seems to be typed by a person.
    Typed,
    /// Everything.
    On,
    /// Nothing; editing keys are dropped like other control characters.
    Off,
}

/// How much of a key's escape sequence has been received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    None,
    Begun,
    /// After `ESC [` or `ESC O`, with the number so far.
    Number(u8),
}

/// The line being edited, and the history.
#[derive(Debug)]
pub struct Terminal {
    line: Vec<u8, LINE_CAPACITY>,
    /// Where the next character goes.
    cursor: usize,
    overlong: bool,
    complete: bool,
    /// The last byte was a CR, so an LF belongs to it.
    after_cr: bool,
    echo: Echo,
    /// The terminal shows the line.
    live: bool,
    escape: Escape,
    /// Lines with their line ends, the newest last.
    history: Vec<u8, HISTORY_CAPACITY>,
    /// How many lines back the recalled line is, 0 for none.
    back: usize,
}

const UP: u8 = b'A';
const DOWN: u8 = b'B';
const RIGHT: u8 = b'C';
const LEFT: u8 = b'D';
const END: u8 = b'F';
const HOME: u8 = b'H';
const NUMBERED: u8 = b'~';

const BELL: &str = "\x07";
/// Clears from the cursor to the end of the line.
const CLEAR: &str = "\x1b[K";

impl Terminal {
    /// An empty line.
    pub const fn new() -> Self {
        Self {
            line: Vec::new(),
            cursor: 0,
            overlong: false,
            complete: false,
            after_cr: false,
            echo: Echo::Typed,
            live: false,
            escape: Escape::None,
            history: Vec::new(),
            back: 0,
        }
    }

    /// Changes which input is echoed.
    pub fn set_echo(&mut self, echo: Echo) {
        self.echo = echo;
    }

    /// The last complete line, until the next byte.
    pub fn line(&self) -> Result<&[u8], Overlong> {
        if self.overlong { Err(Overlong) } else { Ok(&self.line) }
    }

    /// Whether the terminal shows the line being edited.
    pub const fn is_live(&self) -> bool {
        self.live
    }

    /// Processes one byte; returns the line, without its end, when the byte ends it. Writes the
    /// terminal output.
    pub fn push(
        &mut self,
        byte: u8,
        out: &mut dyn Write,
    ) -> Result<Option<Result<&[u8], Overlong>>, fmt::Error> {
        if core::mem::take(&mut self.complete) {
            self.line.clear();
            (self.cursor, self.back, self.overlong) = (0, 0, false);
        }
        self.live |= self.echo == Echo::On;
        let after_cr = core::mem::replace(&mut self.after_cr, byte == b'\r');
        if matches!(byte, b'\r' | b'\n') {
            self.escape = Escape::None;
            if byte == b'\n' && after_cr {
                return Ok(None);
            }
            self.complete = true;
            if core::mem::take(&mut self.live) {
                out.write_str("\r\n")?;
                self.remember();
            }
            return Ok(Some(self.line()));
        }
        if self.echo == Echo::Off {
            if !byte.is_ascii_control() || byte == b'\t' {
                self.insert(byte, out)?;
            }
            return Ok(None);
        }
        match (self.escape, byte) {
            (_, 0x1b) => self.escape = Escape::Begun,
            (Escape::Begun, b'[' | b'O') => self.escape = Escape::Number(0),
            (Escape::Number(number), b'0'..=b'9') => {
                let number = number.saturating_mul(10).saturating_add(byte - b'0');
                self.escape = Escape::Number(number);
            }
            (Escape::Number(_), b';') => {}
            (Escape::Number(number), b'@'..=b'~') => {
                self.escape = Escape::None;
                self.key(byte, number, out)?;
            }
            _ => {
                // An incomplete sequence was noise.
                self.escape = Escape::None;
                self.control_or_insert(byte, out)?;
            }
        }
        Ok(None)
    }

    /// Whether [`settle`](Self::settle) has something to echo.
    pub fn wants_to_settle(&self) -> bool {
        let begun = !self.complete && !self.line.is_empty();
        begun && !self.live && self.echo == Echo::Typed
    }

    /// Echoes an incomplete line; to be called when its sender pauses.
    pub fn settle(&mut self, out: &mut dyn Write) -> fmt::Result {
        if self.wants_to_settle() {
            self.live = true;
            self.show_from(0, out)?;
        }
        Ok(())
    }

    /// Writes a line of text above the line being edited. It ends with CR LF, for a terminal.
    pub fn notice(&mut self, text: fmt::Arguments<'_>, out: &mut dyn Write) -> fmt::Result {
        if !self.live || self.complete {
            return writeln!(out, "# {text}\r");
        }
        write!(out, "\r{CLEAR}# {text}\r\n")?;
        self.show_from(0, out)
    }

    fn control_or_insert(&mut self, byte: u8, out: &mut dyn Write) -> fmt::Result {
        match byte {
            // Backspace and, on other terminals, the key above Enter.
            0x08 | 0x7f => self.erase_before(out),
            // Ctrl-A, -B, -E, -F, -N, -P: as the keys, for terminals without them.
            0x01 => self.key(HOME, 0, out),
            0x02 => self.key(LEFT, 0, out),
            0x05 => self.key(END, 0, out),
            0x06 => self.key(RIGHT, 0, out),
            0x0e => self.key(DOWN, 0, out),
            0x10 => self.key(UP, 0, out),
            // Ctrl-C and Ctrl-U discard the line.
            0x03 | 0x15 => self.replace(0..0, out),
            _ if byte.is_ascii_control() && byte != b'\t' => Ok(()),
            _ => self.insert(byte, out),
        }
    }

    fn insert(&mut self, byte: u8, out: &mut dyn Write) -> fmt::Result {
        let byte = match byte {
            b'\t' => b' ',
            _ if byte.is_ascii() => byte,
            _ => b'?',
        };
        if self.overlong || self.line.push(byte).is_err() {
            self.overlong = true;
            return if self.live { out.write_str(BELL) } else { Ok(()) };
        }
        last_to_front(self.line.get_mut(self.cursor..).unwrap_or_default());
        self.cursor += 1;
        self.refresh(self.cursor - 1, 0, out)
    }

    fn erase_before(&mut self, out: &mut dyn Write) -> fmt::Result {
        if self.cursor == 0 {
            return Ok(());
        }
        self.cursor -= 1;
        self.remove();
        self.refresh(self.cursor, 1, out)
    }

    /// Removes the character at the cursor.
    fn remove(&mut self) {
        first_to_back(self.line.get_mut(self.cursor..).unwrap_or_default());
        self.line.pop();
    }

    fn key(&mut self, key: u8, number: u8, out: &mut dyn Write) -> fmt::Result {
        let before = self.cursor;
        match (key, number) {
            (UP, _) => return self.recall(self.back + 1, out),
            (DOWN, _) if self.back > 0 => return self.recall(self.back - 1, out),
            (LEFT, _) => self.cursor = before.saturating_sub(1),
            (RIGHT, _) => self.cursor = (before + 1).min(self.line.len()),
            (HOME, _) | (NUMBERED, 1 | 7) => self.cursor = 0,
            (END, _) | (NUMBERED, 4 | 8) => self.cursor = self.line.len(),
            (NUMBERED, 3) if before < self.line.len() => {
                self.remove();
                return self.refresh(before, 0, out);
            }
            _ => {}
        }
        if !self.live {
            return Ok(());
        }
        match self.cursor.checked_sub(before) {
            Some(0) => Ok(()),
            Some(right) => write!(out, "\x1b[{right}C"),
            None => write!(out, "\x1b[{}D", before - self.cursor),
        }
    }

    /// Replaces the line by the one so many lines back.
    fn recall(&mut self, back: usize, out: &mut dyn Write) -> fmt::Result {
        let mut end = self.history.len();
        let mut start = end;
        for _ in 0..back {
            if start == 0 {
                return if self.live { out.write_str(BELL) } else { Ok(()) };
            }
            end = start - 1;
            let mut before = self.history.iter().take(end);
            start = before.rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        }
        self.back = back;
        self.replace(start..end, out)
    }

    /// Replaces the line by this part of the history.
    fn replace(&mut self, part: core::ops::Range<usize>, out: &mut dyn Write) -> fmt::Result {
        let shown = self.cursor;
        self.line.clear();
        // The history is shorter than a line may be.
        let _ = self.line.extend_from_slice(self.history.get(part).unwrap_or_default());
        self.overlong = false;
        self.cursor = self.line.len();
        if !self.live {
            return Ok(());
        }
        if shown > 0 {
            write!(out, "\x1b[{shown}D")?;
        }
        out.write_str(CLEAR)?;
        self.show_from(0, out)
    }

    /// Redraws the line from a position; the terminal's cursor is so many characters after it.
    fn refresh(&self, from: usize, after: usize, out: &mut dyn Write) -> fmt::Result {
        if !self.live {
            return Ok(());
        }
        (0..after).try_for_each(|_| out.write_char('\x08'))?;
        self.show_from(from, out)
    }

    fn show_from(&self, from: usize, out: &mut dyn Write) -> fmt::Result {
        // The line is ASCII.
        let shown = self.line.get(from..).unwrap_or_default();
        out.write_str(str::from_utf8(shown).unwrap_or(""))?;
        let back = self.line.len() - self.cursor;
        // Nothing to clear where a character was added at the end, which is most of the time.
        if back > 0 || self.cursor == from {
            out.write_str(CLEAR)?;
        }
        if back > 0 {
            write!(out, "\x1b[{back}D")?;
        }
        Ok(())
    }

    fn remember(&mut self) {
        let newest = self.history.split(|byte| *byte == b'\n').nth_back(1);
        let length = self.line.len() + 1;
        if self.line.is_empty() || length > HISTORY_CAPACITY || newest == Some(&self.line[..]) {
            return;
        }
        while self.history.len() + length > HISTORY_CAPACITY {
            let first = self.history.iter().position(|byte| *byte == b'\n');
            let rest = first.map_or(self.history.len(), |at| at + 1);
            self.history.copy_within(rest.., 0);
            self.history.truncate(self.history.len() - rest);
        }
        // There is room now.
        let _ = self.history.extend_from_slice(&self.line);
        let _ = self.history.push(b'\n');
    }
}

impl Default for Terminal {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::String;

    /// A terminal's screen with one line, which understands what the editor writes.
    #[derive(Default)]
    struct Screen {
        cells: std::vec::Vec<char>,
        column: usize,
        escape: String,
        lines: std::vec::Vec<String>,
    }

    impl Screen {
        fn line(&self) -> String {
            self.cells.iter().collect()
        }
    }

    impl Write for Screen {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for letter in text.chars() {
                if !self.escape.is_empty() {
                    self.escape.push(letter);
                    let number = self.escape.trim_matches(|c: char| !c.is_ascii_digit());
                    let count = number.parse().unwrap_or(1);
                    match letter {
                        'C' => self.column += count,
                        'D' => self.column -= count,
                        'K' => self.cells.truncate(self.column),
                        _ => continue,
                    }
                    self.escape.clear();
                    continue;
                }
                match letter {
                    '\x1b' => self.escape.push(letter),
                    '\r' => self.column = 0,
                    '\x08' => self.column -= 1,
                    '\x07' => {}
                    '\n' => {
                        self.lines.push(self.line());
                        self.cells.clear();
                    }
                    _ => {
                        self.cells.resize(self.cells.len().max(self.column + 1), ' ');
                        self.cells[self.column] = letter;
                        self.column += 1;
                    }
                }
            }
            Ok(())
        }
    }

    /// Types bytes with a pause after each; returns the complete lines.
    fn type_in(terminal: &mut Terminal, screen: &mut Screen, keys: &str) -> std::vec::Vec<String> {
        let mut lines = std::vec::Vec::new();
        for byte in keys.bytes() {
            if let Some(line) = terminal.push(byte, screen).unwrap() {
                lines.push(String::from_utf8(line.unwrap().to_vec()).unwrap());
            }
            terminal.settle(screen).unwrap();
            if !terminal.complete {
                assert_eq!(screen.line(), str::from_utf8(&terminal.line).unwrap(), "{keys:?}");
                assert_eq!(screen.column, terminal.cursor, "{keys:?}");
            }
        }
        lines
    }

    #[test]
    fn keys_edit_the_line() {
        for (keys, line) in [
            ("name\r", "name"),
            ("nane\x08\x08me\r", "name"),
            ("ame\x1b[Hn\r", "name"),
            ("xname\x01\x1b[3~\r", "name"),
            ("nae\x1b[Dm\x1b[C\x1b[C\r", "name"),
            ("nome\x1b[D\x1b[D\x7fa\x1b[F!\r", "name!"),
            ("garbage\x03name\r", "name"),
            ("\x1b[Aname\x1b[B\r", "name"),
            ("\x1bn\x1b[5~ame\x7f\x7f\x7f\x7f\x7fa\tb\r", "a b"),
        ] {
            let (mut terminal, mut screen) = (Terminal::new(), Screen::default());
            assert_eq!(type_in(&mut terminal, &mut screen, keys), [line], "{keys:?}");
            assert_eq!(screen.lines, [line], "{keys:?}");
        }
    }

    #[test]
    fn earlier_lines_come_back() {
        let (mut terminal, mut screen) = (Terminal::new(), Screen::default());
        type_in(&mut terminal, &mut screen, "one\rtwo\rtwo\rthree\r");
        let (up, down) = ("\x1b[A", "\x1bOB");
        let all = [up, up, up, up, "\r", up, up, down, "\r", up, down, "x\r"].concat();
        let lines = type_in(&mut terminal, &mut screen, &all);
        assert_eq!(lines, ["one", "one", "x"]);
        for number in 0..200 {
            type_in(&mut terminal, &mut screen, &std::format!("play b {number}\r"));
        }
        assert!(terminal.history.len() <= HISTORY_CAPACITY);
        assert_eq!(type_in(&mut terminal, &mut screen, "\x1b[A\x1b[A\r"), ["play b 198"]);
    }

    #[test]
    fn a_program_hears_nothing_but_answers() {
        let (mut terminal, mut out) = (Terminal::new(), String::new());
        let mut lines = 0;
        for byte in *b"name\r\nplay b d3\n\x00\x1b[A\x7f\xc3\n" {
            lines += usize::from(terminal.push(byte, &mut out).unwrap().is_some());
        }
        terminal.settle(&mut out).unwrap();
        assert_eq!((lines, out.as_str()), (3, ""));
        terminal.set_echo(Echo::Off);
        b"na".iter().for_each(|byte| assert_eq!(terminal.push(*byte, &mut out), Ok(None)));
        terminal.settle(&mut out).unwrap();
        assert_eq!(out, "", "not even when it pauses");
        terminal.set_echo(Echo::On);
        b"me\n".iter().for_each(|byte| assert!(terminal.push(*byte, &mut out).is_ok()));
        assert_eq!(out, "me\r\n");
    }

    #[test]
    fn a_notice_leaves_the_typed_line_whole() {
        let (mut terminal, mut screen) = (Terminal::new(), Screen::default());
        type_in(&mut terminal, &mut screen, "play b d\x1b[D");
        terminal.notice(format_args!("play w c3"), &mut screen).unwrap();
        assert_eq!((screen.line().as_str(), screen.column), ("play b d", 7));
        assert_eq!(screen.lines, ["# play w c3"]);
        assert_eq!(type_in(&mut terminal, &mut screen, "\x1b[C3\r"), ["play b d3"]);
    }

    #[test]
    fn an_overlong_line_is_refused_and_the_next_one_read() {
        for echo in [Echo::Typed, Echo::On, Echo::Off] {
            let (mut terminal, mut out) = (Terminal::new(), String::new());
            terminal.set_echo(echo);
            for _ in 0..3 * LINE_CAPACITY {
                assert_eq!(terminal.push(b'x', &mut out), Ok(None));
            }
            assert_eq!(terminal.push(b'\n', &mut out), Ok(Some(Err(Overlong))));
            b"name".iter().for_each(|byte| assert_eq!(terminal.push(*byte, &mut out), Ok(None)));
            assert_eq!(terminal.push(b'\r', &mut out), Ok(Some(Ok(&b"name"[..]))));
        }
    }
}
