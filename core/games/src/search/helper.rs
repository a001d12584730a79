//! Another processor that does a part of a search.

use core::fmt;

/// A second processor. Searches whose budget lends them one use it; their moves then depend on how fast
/// each processor is.
pub trait Helper: fmt::Debug {
    /// Runs both parts at the same time, `theirs` on the other processor, and returns when both have
    /// ended. A part has to end soon after the other one, so the one that decides tells the other.
    fn join(&self, theirs: &mut (dyn FnMut() + Send), own: &mut dyn FnMut());
}
