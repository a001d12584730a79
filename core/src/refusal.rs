//! Why something was refused, as text.

use core::fmt::{self, Write};

use heapless::String;

use crate::game::{Reason, SHORT};

/// Why something was refused: a sentence, and a form for small screens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    long: String<120>,
    short: String<SHORT>,
}

impl Refusal {
    /// Nothing was refused.
    pub(crate) const NONE: Self = Self { long: String::new(), short: String::new() };

    /// The sentence.
    pub fn long(&self) -> &str {
        &self.long
    }

    /// At most [`SHORT`] characters.
    pub fn short(&self) -> &str {
        &self.short
    }

    /// Says that it is about a move of a list, counted from 1.
    #[inline(never)]
    pub fn tell_move(&mut self, number: usize) {
        let long = core::mem::take(&mut self.long);
        let _ = write!(self.long.as_mut_view(), "move {number}: {long}");
    }

    /// Not generic, so that it is in an image once.
    #[inline(never)]
    fn of(reason: &dyn Reason) -> Self {
        let mut refusal = Self::NONE;
        // As views, whose formatting is in an image once for all capacities.
        // A text that does not fit is cut; the tests hold every reason to its length.
        let _ = write!(refusal.long.as_mut_view(), "{reason}");
        let _ = reason.short(&mut refusal.short.as_mut_view());
        refusal
    }
}

impl<R: Reason> From<R> for Refusal {
    fn from(reason: R) -> Self {
        Self::of(&reason)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.long)
    }
}
