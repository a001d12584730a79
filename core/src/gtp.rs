//! GTP 2 as a state machine: a line in, the answer out.
use core::fmt::{self, Write};

/// What the caller does after a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on with the next line.
    Continue,
    /// The peer said `quit`.
    Quit,
}

/// Microseconds since some start.
pub type Clock = fn() -> u64;

/// A GTP engine and the game it holds.
#[derive(Debug)]
pub struct Gtp {
    clock: Clock,
}

impl Gtp {
    /// An engine at the start of Othello.
    pub const fn new(clock: Clock) -> Self {
        Self { clock }
    }

    /// Answers one line.
    pub fn line(&mut self, line: &[u8], out: &mut dyn Write) -> Result<Flow, fmt::Error> {
        let _ = self.clock;
        match line {
            b"name" => out.write_str("= Corvid\n\n")?,
            _ => out.write_str("? unknown command\n\n")?,
        }
        Ok(Flow::Continue)
    }
}
