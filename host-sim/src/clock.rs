//! The clock of a simulated device: it stands still until it is advanced.
//! It is embassy-time's driver in every program linked with this library, so that the device's
//! timers and [`Instant`]s follow it. Every thread has a clock of its own.

use std::cell::RefCell;
use std::task::Waker;

use embassy_time::{Instant, TICK_HZ};
use embassy_time_driver::Driver;

struct DeviceClock;

struct State {
    now: u64,
    /// The pending wakers, and when they are due.
    alarms: Vec<(u64, Waker)>,
}

thread_local! {
    static STATE: RefCell<State> = const { RefCell::new(State { now: 0, alarms: Vec::new() }) };
}

impl Driver for DeviceClock {
    fn now(&self) -> u64 {
        STATE.with_borrow(|state| state.now)
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        STATE.with_borrow_mut(|state| {
            match state.alarms.iter_mut().find(|(_, other)| other.will_wake(waker)) {
                Some((earliest, _)) => *earliest = at.min(*earliest),
                None => state.alarms.push((at, waker.clone())),
            }
        });
    }
}

embassy_time_driver::time_driver_impl!(static CLOCK: DeviceClock = DeviceClock);

/// Microseconds since the clock was [`reset`].
pub fn micros() -> u64 {
    Instant::now().as_micros()
}

/// The time of the next alarm in microseconds; `u64::MAX` if there is none.
pub fn next_alarm() -> u64 {
    let next = STATE.with_borrow(|state| state.alarms.iter().map(|(at, _)| *at).min());
    next.map_or(u64::MAX, |ticks| Instant::from_ticks(ticks).as_micros())
}

/// Advances the clock to a time in microseconds, and wakes the alarms due by then. A time in the
/// past changes nothing.
pub fn advance_to(micros: u64) {
    let expired: Vec<Waker> = STATE.with_borrow_mut(|state| {
        state.now = state.now.max(micros * (TICK_HZ / 1_000_000));
        let now = state.now;
        state.alarms.extract_if(.., |(at, _)| *at <= now).map(|(_, waker)| waker).collect()
    });
    expired.into_iter().for_each(Waker::wake);
}

/// Sets the clock to 0 and drops its alarms.
pub fn reset() {
    STATE.set(State { now: 0, alarms: Vec::new() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use embassy_futures::poll_once;
    use embassy_time::Timer;
    use std::pin::pin;

    #[test]
    fn alarms_ring_when_the_clock_gets_there() {
        let mut early = pin!(Timer::at(Instant::from_micros(100)));
        assert!(poll_once(early.as_mut()).is_pending());
        assert_eq!(next_alarm(), 100);
        advance_to(99);
        assert!(poll_once(early.as_mut()).is_pending());
        advance_to(100);
        assert!(poll_once(early.as_mut()).is_ready());
        assert_eq!(next_alarm(), u64::MAX);
        advance_to(50);
        assert_eq!(micros(), 100, "time does not go back");
        reset();
        assert_eq!(micros(), 0);
    }
}
