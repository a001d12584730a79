//! The five keys: from bouncing lines to key presses.
use crate::{app::Device, log};
use embassy_time::{Duration, Ticker};
use embedded_hal::digital::InputPin;

/// Time between two looks at the lines.
const POLL: Duration = Duration::from_millis(5);

/// Equal looks in a row that make a level: switches bounce for some milliseconds.
const STABLE_POLLS: u8 = 3;

/// A key of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
    /// Select, the key in the middle.
    Select,
}

impl Key {
    /// Every key, in the order of [`Buttons`].
    pub const ALL: [Self; 5] = [Self::Up, Self::Down, Self::Left, Self::Right, Self::Select];

    /// The key's name as the screen shows it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
            Self::Select => "select",
        }
    }
}

/// The lines of the five keys. A line is low while its key is down.
#[derive(Debug)]
pub struct Buttons<P> {
    /// Line of [`Key::Up`].
    pub up: P,
    /// Line of [`Key::Down`].
    pub down: P,
    /// Line of [`Key::Left`].
    pub left: P,
    /// Line of [`Key::Right`].
    pub right: P,
    /// Line of [`Key::Select`].
    pub select: P,
}

/// Watches the keys for ever and passes each press on to the screen, once.
pub async fn run<P: InputPin>(device: &Device, buttons: Buttons<P>) -> ! {
    let Buttons { up, down, left, right, select } = buttons;
    let mut lines = [up, down, left, right, select].map(|pin| (pin, Debounce::new()));
    let mut ticker = Ticker::every(POLL);
    loop {
        for ((pin, debounce), key) in lines.iter_mut().zip(Key::ALL) {
            // A line that can't be read counts as released.
            if debounce.poll(pin.is_low().unwrap_or(false)) {
                log::info!("key {=str}", key.name());
                if device.keys.try_send(key).is_err() {
                    log::warn!("key dropped: the screen is behind");
                }
            }
        }
        ticker.next().await;
    }
}

/// One line. A press counts only after the line was seen released, because a line may read low
/// from power-on until its key is first touched.
#[derive(Debug)]
struct Debounce {
    down: bool,
    /// Looks in a row that disagreed with `down`.
    differing: u8,
}

impl Debounce {
    const fn new() -> Self {
        Self { down: true, differing: 0 }
    }

    /// Takes one look at the line; true when the key has just gone down.
    fn poll(&mut self, low: bool) -> bool {
        if low == self.down {
            self.differing = 0;
            return false;
        }
        self.differing += 1;
        if self.differing < STABLE_POLLS {
            return false;
        }
        (self.down, self.differing) = (low, 0);
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds levels (`_` low, `'` high) and marks the looks at which a press was seen with `v`.
    fn presses(levels: &str) -> String {
        let mut line = Debounce::new();
        levels.chars().map(|level| if line.poll(level == '_') { 'v' } else { '.' }).collect()
    }

    #[test]
    fn a_press_counts_once_however_long_it_is_held() {
        assert_eq!(
            presses("'''''__________'''''____'"), //
            ".......v..............v..",
        );
    }

    #[test]
    fn bounces_are_one_press() {
        assert_eq!(
            presses("''''_'_'_____'_'__'_''''''___"), //
            "..........v.................v",
        );
    }

    #[test]
    fn a_line_low_from_power_on_is_no_press() {
        assert_eq!(
            presses("__________''''____"), //
            "................v.",
        );
    }

    #[test]
    fn short_spikes_are_no_press() {
        assert_eq!(presses("'''''__''''_'''__'''"), "....................");
    }
}
