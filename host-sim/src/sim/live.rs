//! The device in real time.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use corvid::machine::{Machine, Next, Plan, World};
use corvid::parts::{Keys, Parts};
use corvid_firmware::keys::Key;
#[cfg(unix)]
use signal_hook::{consts::SIGQUIT, iterator::Signals};

use crate::failure::Failure;

/// The device runs in slices of so many microseconds; keys change between them.
const SLICE_MICROS: u64 = 5_000;

/// The longest time of the PC that the device runs at a stretch, so that the visitor is served in
/// between.
const AT_ONCE: Duration = Duration::from_millis(30);

/// A PC that was suspended for longer than this does not catch up.
const GAP: Duration = Duration::from_millis(200);

static QUIT: AtomicBool = AtomicBool::new(false);

/// The time that the program has to exit by itself after a signal.
const FAREWELL: Duration = Duration::from_secs(1);

/// Lets signals that end a program be seen by [`must_quit`] instead.
pub(crate) fn catch_signals() {
    // Without it, a signal ends the program at once: less tidy, but not wrong.
    let _ = ctrlc::set_handler(quit);
    #[cfg(unix)]
    if let Ok(mut signals) = Signals::new([SIGQUIT]) {
        thread::spawn(move || signals.forever().for_each(|_| quit()));
    }
}

/// Asks the program to end, on a thread of its own.
fn quit() {
    QUIT.store(true, Ordering::Relaxed);
    // A wait for a terminal that is gone never returns.
    thread::sleep(FAREWELL);
    ratatui::restore();
    std::process::exit(1);
}

/// Whether a signal asked the program to end.
pub(crate) fn must_quit() -> bool {
    QUIT.load(Ordering::Relaxed)
}

/// A user of the device.
pub(crate) trait Visitor {
    /// Reads the device and briefly waits for input; false to quit.
    fn visit(&mut self, parts: &Parts, finger: &mut Finger) -> Result<bool, Failure>;
}

/// Runs a device at `speed` times real time, until the visitor quits or a signal ends it.
pub(crate) fn run(plan: Plan, speed: f64, visitor: impl Visitor + 'static) -> Result<(), Failure> {
    let (pace, finger) = (Pace::new(speed), Finger::default());
    Machine::new(plan).run(Live { pace, finger, visitor, ended: Ok(()) }).ended
}

/// A visitor as a world.
struct Live<V> {
    pace: Pace,
    finger: Finger,
    visitor: V,
    ended: Result<(), Failure>,
}

impl<V: Visitor> World for Live<V> {
    fn moment(&mut self, now: u64, parts: &Parts) -> Next {
        loop {
            if let Some(next) = self.pace.next(now) {
                self.finger.act(next, &parts.keys);
                return Next::At(next);
            }
            match self.visitor.visit(parts, &mut self.finger) {
                Ok(true) if !must_quit() => self.pace.look(now),
                ended => {
                    self.ended = ended.map(|_| ());
                    return Next::Off;
                }
            }
        }
    }
}

/// Keeps the device's clock in step with the PC's.
#[derive(Debug)]
struct Pace {
    speed: f64,
    /// When the PC's clock was last read, and how far the device may run until the next time.
    last: Instant,
    end: u64,
}

impl Pace {
    /// `speed` seconds of the device per second.
    fn new(speed: f64) -> Self {
        Self { speed, last: Instant::now(), end: 0 }
    }

    /// How far the device may run; `None` if it is time to read the PC's clock again, because the
    /// device has got there or because the PC is too slow.
    fn next(&self, now: u64) -> Option<u64> {
        let goes_on = now < self.end && self.last.elapsed() < AT_ONCE;
        goes_on.then(|| self.end.min(now + SLICE_MICROS))
    }

    /// Gives the device the time that has passed since the last call.
    fn look(&mut self, now: u64) {
        let passed = self.last.elapsed();
        self.last += passed;
        self.end = now + (passed.min(GAP).as_secs_f64() * self.speed * 1e6) as u64;
    }
}

/// How long a key is down for a short press, and up before the next, in microseconds: enough for
/// the application's debouncing, which samples a level three times.
const SHORT_MICROS: u64 = 35_000;

/// How long it is down for a long press.
const LONG_MICROS: u64 = 800_000;

/// The maximum number of queued presses; a terminal that repeats a key faster than the device
/// handles it must not leave a backlog.
const WAITING: usize = 4;

/// The finger on the keys. A terminal reports when a key goes down but not when it is released, so
/// every press has a fixed duration.
#[derive(Debug, Default)]
pub(crate) struct Finger {
    waiting: VecDeque<(Key, u64)>,
    /// The key that is down, and until when.
    down: Option<(Key, u64)>,
    /// When the next press may begin.
    free: u64,
}

impl Finger {
    /// A short press.
    pub(crate) fn tap(&mut self, key: Key) {
        self.press(key, SHORT_MICROS);
    }

    /// A long press.
    pub(crate) fn hold(&mut self, key: Key) {
        self.press(key, LONG_MICROS);
    }

    fn press(&mut self, key: Key, micros: u64) {
        if self.waiting.len() < WAITING {
            self.waiting.push_back((key, micros));
        }
    }

    /// The key that is down.
    pub(crate) fn pressed(&self) -> Option<Key> {
        self.down.map(|(key, _)| key)
    }

    /// Does what is due.
    fn act(&mut self, now: u64, keys: &Keys) {
        if let Some((key, until)) = self.down {
            if now < until {
                return;
            }
            keys.set(key, false);
            (self.down, self.free) = (None, now + SHORT_MICROS);
        }
        if now >= self.free
            && let Some((key, micros)) = self.waiting.pop_front()
        {
            keys.set(key, true);
            self.down = Some((key, now + micros));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presses_come_one_after_the_other_with_a_gap() {
        let (mut finger, keys) = (Finger::default(), Keys::default());
        finger.tap(Key::Up);
        finger.hold(Key::Select);
        let mut changes = Vec::new();
        let mut last = None;
        for now in (0..1_000_000).step_by(5_000) {
            finger.act(now, &keys);
            if finger.pressed() != last {
                last = finger.pressed();
                changes.push((now / 1000, last));
            }
        }
        let up = (35, None);
        assert_eq!(changes, [(0, Some(Key::Up)), up, (70, Some(Key::Select)), (870, None)]);
    }

    #[test]
    fn a_key_that_repeats_leaves_no_tail() {
        let (mut finger, keys) = (Finger::default(), Keys::default());
        (0..50).for_each(|_| finger.tap(Key::Down));
        let mut presses = 0;
        for now in (0..10_000_000).step_by(5_000) {
            let before = finger.pressed();
            finger.act(now, &keys);
            presses += usize::from(before.is_none() && finger.pressed().is_some());
        }
        assert_eq!(presses, WAITING);
    }
}
