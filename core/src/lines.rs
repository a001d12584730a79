//! Splits the bytes of a serial port or a pipe into lines, with bounded memory.

use heapless::Vec;

/// The longest line accepted, in bytes. The longest useful one is a whole game of Blokus Classic as
/// a move list: 84 placements of at most 20 characters, 1,680 in all.
pub const LINE_CAPACITY: usize = 2048;

/// Collects bytes until a line is complete.
///
/// Control characters are dropped (so CR LF ends a line like LF) and tabs become spaces, as GTP
/// requires. Non-ASCII bytes become `?`.
#[derive(Debug, Default)]
pub struct LineReader {
    line: Vec<u8, LINE_CAPACITY>,
    overlong: bool,
    complete: bool,
}

/// A line that did not fit in [`LINE_CAPACITY`]; its bytes were dropped up to the line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlong;

impl LineReader {
    /// An empty reader.
    pub const fn new() -> Self {
        Self { line: Vec::new(), overlong: false, complete: false }
    }

    /// Processes one byte; returns the line, without its end, when the byte was a line feed.
    pub fn push(&mut self, byte: u8) -> Option<Result<&[u8], Overlong>> {
        if core::mem::take(&mut self.complete) {
            self.line.clear();
            self.overlong = false;
        }
        let byte = match byte {
            b'\n' => {
                self.complete = true;
                return Some(if self.overlong { Err(Overlong) } else { Ok(&self.line) });
            }
            b'\t' => b' ',
            _ if byte.is_ascii_control() => return None,
            _ if byte.is_ascii() => byte,
            _ => b'?',
        };
        self.overlong |= self.line.push(byte).is_err();
        None
    }

    /// The bytes of an unterminated last line, if there are any.
    pub fn finish(&mut self) -> Option<Result<&[u8], Overlong>> {
        let begun = !self.complete && !self.line.is_empty();
        if begun { self.push(b'\n') } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(
        reader: &mut LineReader,
        bytes: &[u8],
    ) -> std::vec::Vec<Result<std::string::String, Overlong>> {
        let text = |line: &[u8]| std::string::String::from_utf8(line.to_vec()).unwrap();
        bytes.iter().filter_map(|&byte| reader.push(byte).map(|line| line.map(text))).collect()
    }

    #[test]
    fn line_ends_of_all_kinds_and_noise() {
        let mut reader = LineReader::new();
        let lines = read(&mut reader, b"name\r\n\x00play\tb \xc3\xa9\x7f3\n\npart");
        assert_eq!(lines, [Ok("name".into()), Ok("play b ??3".into()), Ok("".into())]);
        assert_eq!(reader.finish(), Some(Ok(&b"part"[..])));
        assert_eq!(reader.finish(), None);
    }

    #[test]
    fn an_overlong_line_is_reported_once_and_the_next_one_is_read() {
        let mut reader = LineReader::new();
        assert_eq!(read(&mut reader, &[b'x'; 3 * LINE_CAPACITY]), []);
        assert_eq!(read(&mut reader, b"\nname\n"), [Err(Overlong), Ok("name".into())]);
        let mut exact = [b'y'; LINE_CAPACITY + 1];
        exact[LINE_CAPACITY] = b'\n';
        assert!(read(&mut reader, &exact)[0].is_ok());
    }
}
