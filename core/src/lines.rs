//! Bytes to lines: what a serial port or a pipe delivers, cut at line ends, with bounded memory.

/// The longest line that is understood, in bytes. The longest meaningful one is a Blokus Classic
/// game as a move list: 84 placements of at most 20 characters.
pub const LINE_CAPACITY: usize = 2048;

/// Collects bytes until a line is complete.
#[derive(Debug)]
pub struct LineReader {
    buffer: heapless::Vec<u8, LINE_CAPACITY>,
    overlong: bool,
}

/// A line that did not fit in [`LINE_CAPACITY`]; its bytes are dropped up to the line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlong;

impl LineReader {
    /// An empty reader.
    pub const fn new() -> Self {
        Self { buffer: heapless::Vec::new(), overlong: false }
    }

    /// Takes one byte; gives the line (without its end) when the byte was a line feed.
    pub fn push(&mut self, byte: u8) -> Option<Result<heapless::Vec<u8, LINE_CAPACITY>, Overlong>> {
        if byte != b'\n' {
            self.overlong |= self.buffer.push(byte).is_err();
            return None;
        }
        let overlong = core::mem::take(&mut self.overlong);
        let line = core::mem::take(&mut self.buffer);
        Some(if overlong { Err(Overlong) } else { Ok(line) })
    }
}
