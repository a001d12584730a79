//! Text to a stream of bytes.

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
