//! Text for a stream of bytes.

use std::borrow::Borrow;
use std::fmt;
use std::io::{self, Write};

/// Text to a stream; keeps the stream's error, which the text's own error type cannot carry.
pub(crate) struct Output<W> {
    out: W,
    failed: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, failed: None }
    }

    /// Sends what was written, or returns the error since the last call.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }
}

impl<W: Write> fmt::Write for Output<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.failed = Some(error);
            fmt::Error
        })
    }
}

/// Columns of a terminal that are used.
pub(crate) const WIDTH: usize = 79;

/// Names in a row: `a, b and c`.
pub(crate) fn listed<S: Borrow<str>>(names: &[S]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => {
            format!("{} and {}", others.join(", "), last.borrow())
        }
        _ => names.concat(),
    }
}

/// Text in lines of at most [`WIDTH`] characters.
pub(crate) fn wrapped(text: &str) -> String {
    wrapped_at(WIDTH, text)
}

/// Text in lines of at most so many characters, not counting what colours them.
pub(crate) fn wrapped_at(most: usize, text: &str) -> String {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        if width(paragraph) <= most {
            lines.push(paragraph.to_owned());
            continue;
        }
        for word in paragraph.split(' ') {
            if !line.is_empty() && width(&line) + 1 + width(word) > most {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += word;
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// The characters of a text without its escape sequences, each of which ends with an `m`.
fn width(text: &str) -> usize {
    let mut parts = text.split('\x1b');
    let first = parts.next().map_or(0, |part| part.chars().count());
    let rest = parts.map(|part| part.split_once('m').map_or(0, |(_, shown)| shown.chars().count()));
    first + rest.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_stands_behind_an_and() {
        let names = ["a", "b", "c"];
        let rows = [0, 1, 2, 3].map(|count| listed(&names[..count]));
        assert_eq!(rows, ["", "a", "a and b", "a, b and c"]);
    }

    #[test]
    fn colours_do_not_count_when_text_is_wrapped() {
        let plain = "a word ".repeat(30);
        let colored = plain.replace("word", "\x1b[1;31mword\x1b[0m");
        let expected = wrapped(&plain).replace("word", "\x1b[1;31mword\x1b[0m");
        assert_eq!(wrapped(&colored), expected);
        assert!(
            wrapped(&plain).lines().all(|line| (70..=79).contains(&line.len()) || line.len() < 60)
        );
        assert_eq!(wrapped("one\n  two"), "one\n  two");
    }
}
