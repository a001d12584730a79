//! Another processor that does a part of a search.

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::budget::{Budget, Meter};

/// A second processor. Searches whose budget lends them one use it; their moves then depend on how fast
/// each processor is.
pub trait Helper: fmt::Debug {
    /// Runs both parts at the same time, `theirs` on the other processor, and returns when both have
    /// ended. A part has to end soon after the other one, so the one that decides tells the other.
    fn join(&self, theirs: &mut (dyn FnMut() + Send), own: &mut dyn FnMut());
}

/// Does `own` while another processor does `theirs`, whose meter is over soon after `own` has ended.
/// Returns what `own` does, and the nodes that the other processor has counted. `None` if the helper did
/// nothing.
pub(crate) fn helped<R>(
    helper: &dyn Helper,
    mut theirs: impl FnMut(&mut Meter<'_>) + Send,
    mut own: impl FnMut() -> R,
) -> Option<(R, u64)> {
    let is_over = AtomicBool::new(false);
    let (mut result, mut nodes) = (None, 0);
    helper.join(
        &mut || {
            let budget = Budget { stop: Some(&is_over), ..Budget::UNLIMITED };
            let mut meter = Meter::new(budget);
            theirs(&mut meter);
            nodes = meter.nodes();
        },
        &mut || {
            result = Some(own());
            is_over.store(true, Relaxed);
        },
    );
    result.map(|result| (result, nodes))
}

/// The same where both parts use one [`Table`](super::table::Table), if processors can share it.
#[cfg(all(feature = "helper", target_has_atomic = "32"))]
pub(crate) fn helped_by_table<R>(
    helper: &dyn Helper,
    theirs: impl FnMut(&mut Meter<'_>) + Send,
    own: impl FnMut() -> R,
) -> Option<(R, u64)> {
    helped(helper, theirs, own)
}

/// The same where processors can't share a [`Table`](super::table::Table): without help.
#[cfg(not(all(feature = "helper", target_has_atomic = "32")))]
pub(crate) fn helped_by_table<R>(
    _: &dyn Helper,
    _: impl FnMut(&mut Meter<'_>),
    mut own: impl FnMut() -> R,
) -> Option<(R, u64)> {
    Some((own(), 0))
}

#[cfg(test)]
#[cfg(feature = "helper")]
pub(crate) mod tests;
