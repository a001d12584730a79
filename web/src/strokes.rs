//! The presses that wait for a device.

use std::collections::VecDeque;

use corvid_firmware::keys::Key;

/// The least time between two halves of presses of a key, in microseconds of the device: a click may be
/// shorter than the three samples that debouncing takes.
const SHORT_MICROS: u64 = 30_000;

/// The duration of a long press, in microseconds of the device.
const LONG_MICROS: u64 = 800_000;

/// How many halves of presses wait; presses beyond that are dropped.
const WAITING: usize = 32;

/// Keys that are to be pressed and released in this order. A device that thinks and can't be
/// suspended hears of both halves of a press at the same time; it gets them one after the other.
#[derive(Debug, Default)]
pub(crate) struct Strokes {
    waiting: VecDeque<Stroke>,
    /// Which keys are down when all of them are done.
    down: [bool; Key::ALL.len()],
    /// When each key was last pressed or released, in the device's time.
    touched: [u64; Key::ALL.len()],
}

/// Half a press.
#[derive(Debug, Clone, Copy)]
struct Stroke {
    key: Key,
    down: bool,
    /// The least time since the key's last one.
    after: u64,
}

impl Strokes {
    /// Presses a key or releases it.
    pub(crate) fn push(&mut self, key: Key, down: bool) {
        self.add(Stroke { key, down, after: SHORT_MICROS });
    }

    /// A long press.
    pub(crate) fn hold(&mut self, key: Key) {
        self.push(key, true);
        self.add(Stroke { key, down: false, after: LONG_MICROS });
    }

    fn add(&mut self, stroke: Stroke) {
        let down = &mut self.down[stroke.key as usize];
        // A press that was dropped needs no release; any other one always gets it.
        if *down != stroke.down && (self.waiting.len() < WAITING || !stroke.down) {
            *down = stroke.down;
            self.waiting.push_back(stroke);
        }
    }

    /// Does what is due.
    pub(crate) fn act(&mut self, now: u64, mut set: impl FnMut(Key, bool)) {
        while let Some(&Stroke { key, down, after }) = self.waiting.front()
            && now >= self.touched[key as usize] + after
        {
            set(key, down);
            self.touched[key as usize] = now;
            self.waiting.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What happens in the first two seconds, in milliseconds of the device.
    fn history(mut strokes: Strokes) -> Vec<(u64, Key, bool)> {
        let mut history = Vec::new();
        for now in (0..2_000_000).step_by(5_000) {
            strokes.act(now, |key, down| history.push((now / 1000, key, down)));
        }
        history
    }

    #[test]
    fn the_halves_of_a_click_are_apart() {
        let mut strokes = Strokes::default();
        for down in [true, false, true, false] {
            strokes.push(Key::Up, down);
        }
        let expected = [(30, true), (60, false), (90, true), (120, false)];
        assert_eq!(history(strokes), expected.map(|(at, down)| (at, Key::Up, down)));
    }

    #[test]
    fn a_long_press_is_long_and_others_wait_for_it() {
        let mut strokes = Strokes::default();
        strokes.hold(Key::Select);
        strokes.push(Key::Down, true);
        let expected = [(30, Key::Select, true), (830, Key::Select, false), (830, Key::Down, true)];
        assert_eq!(history(strokes), expected);
    }

    #[test]
    fn impatience_leaves_no_key_down() {
        let mut strokes = Strokes::default();
        for _ in 0..100 {
            strokes.push(Key::Left, true);
            strokes.push(Key::Left, false);
        }
        let history = history(strokes);
        assert_eq!(history.len(), WAITING);
        assert!(history.last().is_some_and(|(_, _, down)| !down));
    }
}
