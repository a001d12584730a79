//! The protocol of the Blokus Duo contests (ICFPT 2013, HEART 2014, REC 2018-2020): the player and
//! the host, both as state machines that do no I/O themselves.
//!
//! Messages have no terminator: their first byte and the [`Dialect`] determine their length. `XYPR`
//! is a move in the contest's code, `S` a start square, `5` for (5,5) or `A` for (a,a).
//!
//! | 2014 | 2013 | the host says | the player answers |
//! |---|---|---|---|
//! | `0` | `0` | who are you | `1` and two characters |
//! | `2S` | `2S` | you begin (2013: place your first tile) and cover S | `XYPR` |
//! | `3SXYPR` | | the opponent began with XYPR, you cover S | `XYPR` |
//! | `4XYPR` | `3XYPR` | the opponent's move, `0000` for a pass | `XYPR` |
//! | | `4XYPRXYPR` | the opponent began with these two moves | `XYPR` |
//! | `9` | `9` | the game is over | nothing |

mod player;
mod referee;
#[cfg(test)]
mod tests;

pub use player::{ANSWER_MICROS, Event, Player};
pub use referee::{Action, Answer, Ending, MOVE_MICROS, Referee, Seat, Verdict};

use heapless::Vec;

/// Which year's messages are used: the two can't be told apart reliably.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// The second mover sees the first tile before it places its own.
    #[default]
    Y2014,
    /// Both place their first tiles unseen.
    Y2013,
}

impl Dialect {
    /// The one that is spoken unless another is asked for.
    pub(crate) const USUAL: Option<Self> = Some(Self::Y2014);

    /// The dialect of this year, `2014` or `2013`.
    pub fn from_name(text: &str) -> Option<Self> {
        [Self::Y2014, Self::Y2013].into_iter().find(|dialect| dialect.name() == text)
    }

    /// The year.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Y2014 => "2014",
            Self::Y2013 => "2013",
        }
    }

    /// The shape of the message that begins with this byte: a start square `S`, coordinates `X` and
    /// `Y`, a piece `P` and a rotation `R`.
    const fn shape(self, first: u8) -> Option<&'static [u8]> {
        Some(match (self, first) {
            (_, b'0') => b"0",
            (_, b'2') => b"2S",
            (Self::Y2014, b'3') => b"3SXYPR",
            (Self::Y2014, b'4') => b"4XYPR",
            (Self::Y2013, b'3') => b"3XYPR",
            (Self::Y2013, b'4') => b"4XYPRXYPR",
            (_, b'9') => b"9",
            _ => return None,
        })
    }
}

/// Whether a byte is valid at this place of a message. `0` is part of a pass.
const fn fits(byte: u8, place: u8) -> bool {
    match place {
        b'S' => matches!(byte, b'5' | b'A' | b'a'),
        b'X' | b'Y' => matches!(byte, b'0'..=b'9' | b'a'..=b'e' | b'A'..=b'E'),
        b'P' => matches!(byte, b'0' | b'a'..=b'u' | b'A'..=b'U'),
        b'R' => matches!(byte, b'0'..=b'7'),
        _ => byte == place,
    }
}

/// The bytes of a code.
const CODE: usize = 4;

/// The longest message.
const LONGEST: usize = 1 + 2 * CODE;

/// A message whose next byte is this late, in microseconds, is discarded: on the wire it takes less
/// than a millisecond, and a host that restarts repeats its `0` more slowly than this.
const STALE_MICROS: u64 = 300_000;

/// After an invalid byte all bytes are skipped until the line has been quiet for so many
/// microseconds: what follows is the rest of a corrupted message, and no answer is better than a
/// wrong one.
const QUIET_MICROS: u64 = 20_000;

/// Splits the bytes of a host into messages.
#[derive(Debug, Clone)]
struct Frame {
    dialect: Dialect,
    bytes: Vec<u8, LONGEST>,
    /// When the message began, and when the last byte was received.
    begun: u64,
    last: u64,
    skipping: bool,
}

impl Frame {
    const fn new(dialect: Dialect) -> Self {
        Self { dialect, bytes: Vec::new(), begun: 0, last: 0, skipping: false }
    }

    /// Processes a byte received at `now`; returns the message that it completes and when that
    /// began. Bytes that are not among the protocol's letters and digits are dropped.
    fn push(&mut self, byte: u8, now: u64) -> Option<(Vec<u8, LONGEST>, u64)> {
        let pause = now.saturating_sub(self.last);
        self.last = now;
        if pause >= STALE_MICROS {
            self.bytes.clear();
        }
        self.skipping &= pause < QUIET_MICROS;
        if self.skipping || !byte.is_ascii_alphanumeric() {
            return None;
        }
        let at = self.bytes.len();
        if at == 0 {
            self.begun = now;
        }
        let first = self.bytes.first().copied().unwrap_or(byte);
        let shape = self.dialect.shape(first).unwrap_or(b"");
        if !shape.get(at).is_some_and(|place| fits(byte, *place)) {
            self.bytes.clear();
            self.skipping = true;
            return None;
        }
        // No shape is longer than the buffer.
        let _ = self.bytes.push(byte);
        (self.bytes.len() == shape.len()).then(|| (core::mem::take(&mut self.bytes), self.begun))
    }
}
