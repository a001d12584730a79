//! What another program or a device says, made safe to keep and to show: its lines have an end, and
//! nothing in them moves the terminal's cursor or writes to its clipboard.

/// The most bytes of a line that are kept: every legal move of a Blokus position fits.
pub const LINE: usize = 64 * 1024;

/// Behind a line that was longer.
const CUT: &str = "... (cut)";

/// Puts lines together from bytes as they come.
#[derive(Debug, Default)]
pub struct Lines {
    line: Vec<u8>,
    /// Bytes beyond [`LINE`] were dropped.
    cut: bool,
}

impl Lines {
    /// Adds bytes and calls `visit` with every line that they complete.
    pub fn add(&mut self, bytes: &[u8], mut visit: impl FnMut(String)) {
        for &byte in bytes {
            match byte {
                b'\n' => visit(self.take()),
                b'\r' => {}
                _ if self.line.len() < LINE => self.line.push(byte),
                _ => self.cut = true,
            }
        }
    }

    /// The line that was begun, if there is one: nothing follows it.
    pub fn end(&mut self) -> Option<String> {
        (!self.line.is_empty()).then(|| self.take())
    }

    fn take(&mut self) -> String {
        let mut text = harmless(&String::from_utf8_lossy(&self.line));
        if std::mem::take(&mut self.cut) {
            text += CUT;
        }
        self.line.clear();
        text
    }
}

/// The text with control characters, and those that turn the direction of writing, as escapes like
/// `\u{1b}`. A tab becomes a space, as in GTP.
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\t' => shown.push(' '),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                shown.extend(letter.escape_unicode());
            }
            _ if letter.is_control() => shown.extend(letter.escape_default()),
            _ => shown.push(letter),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(chunks: &[&[u8]]) -> Vec<String> {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        chunks.iter().for_each(|chunk| lines.add(chunk, |line| found.push(line)));
        found
    }

    #[test]
    fn lines_come_out_of_any_pieces() {
        assert_eq!(lines_of(&[b"= a", b"b\r", b"\n\nrest"]), ["= ab", ""]);
        let mut lines = Lines::default();
        lines.add(b"last words", |line| panic!("{line}"));
        assert_eq!((lines.end().as_deref(), lines.end()), (Some("last words"), None));
    }

    #[test]
    fn nothing_reaches_the_terminal_that_it_would_obey() {
        let evil = "\x1b]52;c;aGk=\x07 \x1b[2J \u{9b}31m \u{202e}txt\u{7f}\x08é\t.";
        let shown = harmless(evil);
        assert_eq!(
            shown,
            "\\u{1b}]52;c;aGk=\\u{7} \\u{1b}[2J \\u{9b}31m \\u{202e}txt\\u{7f}\\u{8}é ."
        );
        assert_eq!(lines_of(&[b"\x1b[2J\xff\n"]), ["\\u{1b}[2J\u{fffd}"]);
    }

    #[test]
    fn a_line_without_an_end_takes_no_more_memory() {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        for _ in 0..10 * LINE / 1024 {
            lines.add(&[b'x'; 1024], |line| found.push(line));
        }
        assert!(found.is_empty() && lines.line.capacity() <= 2 * LINE);
        lines.add(b"\nnext\n", |line| found.push(line));
        assert_eq!(found[0].len(), LINE + CUT.len());
        assert_eq!(found[1], "next");
    }
}
