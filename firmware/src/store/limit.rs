//! How often pages may be erased: what a person does stays far below, and what a program on the
//! serial port or a stuck key does can't wear out the flash within days.
use embassy_time::{Duration, Instant};

/// Pages that can be erased without a pause.
pub(super) const BURST: u64 = 20;

/// From then on, the time for each.
pub(super) const PERIOD: Duration = Duration::from_secs(5 * 60);

/// A token bucket that holds [`BURST`] erases and is refilled with one every [`PERIOD`].
#[derive(Debug)]
pub(super) struct Limit {
    /// When it is full again.
    full: Instant,
}

impl Limit {
    pub(super) const fn new() -> Self {
        Self { full: Instant::MIN }
    }

    /// Whether a page may be erased now.
    pub(super) fn is_open(&self, now: Instant) -> bool {
        self.full.saturating_duration_since(now).as_ticks() <= (BURST - 1) * PERIOD.as_ticks()
    }

    /// Whether a page may be erased now; if so, it is counted.
    pub(super) fn allows(&mut self, now: Instant) -> bool {
        let open = self.is_open(now);
        if open {
            self.full = self.full.max(now) + PERIOD;
        }
        open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_and_then_one_in_a_period() {
        let mut limit = Limit::new();
        let start = Instant::from_secs(7);
        let burst = (0..100).filter(|_| limit.allows(start)).count();
        assert_eq!(burst as u64, BURST);
        let almost = start + PERIOD - Duration::from_ticks(1);
        assert!(!limit.is_open(almost) && !limit.allows(almost));
        assert!(limit.is_open(start + PERIOD));
        assert!(limit.allows(start + PERIOD) && !limit.allows(start + PERIOD));
        // After a long pause, a burst again and no more.
        let later = start + PERIOD * 1000;
        assert_eq!((0..100).filter(|_| limit.allows(later)).count() as u64, BURST);
    }
}
