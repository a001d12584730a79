//! The clock that searches are timed with.

use std::sync::OnceLock;
use std::time::Instant;

/// Microseconds since the first call.
pub(crate) fn microseconds() -> u64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed().as_micros() as u64
}
