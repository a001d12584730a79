//! How much a search may do, and how much it has done.

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};

use super::helper::Helper;

/// Tells the time for searches that have to answer by then.
pub trait Clock {
    /// Microseconds since some moment.
    fn micros(&self) -> u64;
}

impl<F: Fn() -> u64> Clock for F {
    fn micros(&self) -> u64 {
        self()
    }
}

/// What ends a search, whichever comes first, and who helps with it.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The most positions that are looked at.
    pub nodes: u64,
    /// A clock and the most microseconds from now by it.
    pub time: Option<(&'a dyn Clock, u64)>,
    /// Ends the search soon after it is set, by whoever holds it.
    pub stop: Option<&'a AtomicBool>,
    /// A second processor, for which the package has to be built with the feature `helper`. Only for a
    /// search without a limit of nodes: with one, play has to be the same on every machine.
    pub helper: Option<&'a dyn Helper>,
}

impl Budget<'_> {
    /// No end but the answer.
    pub const UNLIMITED: Self = Self { nodes: u64::MAX, time: None, stop: None, helper: None };

    /// That many positions.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::UNLIMITED }
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.map(|(_, micros)| micros);
        f.debug_struct("Budget").field("nodes", &self.nodes).field("micros", &time).finish()
    }
}

/// Nodes between two looks at the clock and the stop flag. A node takes a board up to a millisecond
/// (in Blokus), and an answer must not come late.
const POLL_INTERVAL: u32 = 16;

/// Counts the positions of a search against its budget.
#[derive(Debug)]
pub struct Meter<'a> {
    budget: Budget<'a>,
    begun: u64,
    /// Nodes counted up to the next poll, which comes when `left` is 0.
    counted: u64,
    left: u32,
    over: bool,
}

impl<'a> Meter<'a> {
    /// Starts the clock.
    pub fn new(budget: Budget<'a>) -> Self {
        let begun = budget.time.map_or(0, |(clock, _)| clock.micros());
        let mut meter = Self { budget, begun, counted: 0, left: 0, over: false };
        meter.poll();
        meter
    }

    /// Counts a position. False when the search has to end; it stays so.
    #[inline]
    pub fn tick(&mut self) -> bool {
        if self.left == 0 {
            self.poll();
            if self.over {
                return false;
            }
        }
        self.left -= 1;
        true
    }

    /// The same for a position that takes long: it looks at the clock and the stop flag at once.
    pub fn tick_long(&mut self) -> bool {
        self.counted -= u64::from(self.left);
        self.left = 0;
        self.tick()
    }

    /// The second processor, if there is one that may help.
    pub fn helper(&self) -> Option<&'a dyn Helper> {
        let may_help = cfg!(feature = "helper") && self.budget.nodes == u64::MAX && !self.over;
        self.budget.helper.filter(|_| may_help)
    }

    /// Counts what another processor has looked at.
    pub(crate) const fn add(&mut self, nodes: u64) {
        self.counted += nodes;
    }

    /// Whether the search has to end.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// The positions counted so far.
    pub const fn nodes(&self) -> u64 {
        self.counted - self.left as u64
    }

    /// How much of the budget is used, in hundredths; of an unlimited one, nothing.
    pub fn percent(&self) -> u8 {
        let share = |used: u64, all: u64| match (used.saturating_mul(100)).checked_div(all) {
            Some(percent) => percent.min(100) as u8,
            None => 100,
        };
        let nodes =
            if self.budget.nodes == u64::MAX { 0 } else { share(self.nodes(), self.budget.nodes) };
        nodes.max(self.budget.time.map_or(0, |(_, micros)| share(self.elapsed(), micros)))
    }

    /// Whether one in so many parts of the budget is used, by positions or by time.
    pub fn has_used(&self, parts: u64) -> bool {
        self.nodes() >= self.budget.nodes / parts
            || self.budget.time.is_some_and(|(_, micros)| self.elapsed() >= micros / parts)
    }

    /// About how many more positions the budget allows, judged by the speed so far; before the first
    /// one a position is taken to need a millisecond.
    pub fn nodes_left(&self) -> u64 {
        let by_count = self.budget.nodes.saturating_sub(self.nodes());
        let by_time = self.budget.time.map_or(u64::MAX, |(_, micros)| {
            let elapsed = self.elapsed();
            let left = micros.saturating_sub(elapsed);
            match self.nodes() {
                0 => left / 1000,
                nodes => nodes.saturating_mul(left).checked_div(elapsed).unwrap_or(u64::MAX),
            }
        });
        if self.over { 0 } else { by_count.min(by_time) }
    }

    /// Microseconds since the start, without a clock 0.
    pub fn elapsed(&self) -> u64 {
        self.budget.time.map_or(0, |(clock, _)| clock.micros().saturating_sub(self.begun))
    }

    #[cold]
    fn poll(&mut self) {
        let stopped = self.budget.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let late = self.budget.time.is_some_and(|(_, micros)| self.elapsed() >= micros);
        let nodes_left = self.budget.nodes.saturating_sub(self.counted);
        self.over = stopped || late || nodes_left == 0;
        self.left = if self.over { 0 } else { nodes_left.min(POLL_INTERVAL.into()) as u32 };
        self.counted += u64::from(self.left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    #[test]
    fn nodes_are_counted_exactly() {
        for limit in [0, 1, 255, 256, 257, 1000] {
            let mut meter = Meter::new(Budget::nodes(limit));
            let mut ticks = 0;
            while meter.tick() {
                ticks += 1;
                assert_eq!(meter.nodes(), ticks);
            }
            assert_eq!((ticks, meter.nodes(), meter.percent()), (limit, limit, 100));
            assert!(!meter.tick());
        }
    }

    #[test]
    fn time_and_the_stop_flag_end_it() {
        let now = Cell::new(0);
        let clock = || now.get();
        let mut meter = Meter::new(Budget { time: Some((&clock, 50)), ..Budget::UNLIMITED });
        while meter.tick() {
            now.set(meter.nodes() / 100);
        }
        assert!((5000..6000).contains(&meter.nodes()), "{}", meter.nodes());
        now.set(0);
        let mut meter = Meter::new(Budget { time: Some((&clock, 50)), ..Budget::nodes(900) });
        (0..100).for_each(|_| assert!(meter.tick()));
        now.set(10);
        assert_eq!(meter.nodes_left(), 400, "four fifths of the time are left");
        assert!(meter.has_used(5) && !meter.has_used(4), "a fifth of the time");
        now.set(1);
        assert_eq!(meter.nodes_left(), 800, "the count is nearer");
        assert!(meter.has_used(9) && !meter.has_used(8), "a ninth of the nodes");
        let clock = || 7;
        let meter = Meter::new(Budget { time: Some((&clock, 50_000)), ..Budget::UNLIMITED });
        assert_eq!(meter.nodes_left(), 50, "nothing is known of the speed");
        let stop = AtomicBool::new(false);
        let mut meter = Meter::new(Budget { stop: Some(&stop), ..Budget::UNLIMITED });
        assert!(meter.tick() && meter.tick_long() && meter.tick());
        stop.store(true, Ordering::Relaxed);
        assert!(meter.tick(), "the flag is not looked at each time");
        assert!(!meter.tick_long(), "but before a long one");
        assert_eq!(meter.nodes(), 4);
        assert!(!Meter::new(Budget { stop: Some(&stop), ..Budget::UNLIMITED }).tick());
    }
}
