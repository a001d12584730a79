//! The five keys: debouncing, repeats and long presses.
use crate::{
    app::{Device, Permit},
    health::{self, Part},
    log,
};
use embassy_time::{Duration, Ticker};
use embedded_hal::digital::InputPin;

/// The polling interval.
const POLL: Duration = Duration::from_millis(5);

/// Equal samples in a row that make a level: switches bounce for some milliseconds.
const STABLE_POLLS: u8 = 3;

/// Polls after which a held direction repeats: 400 ms.
const REPEAT_AFTER: u16 = 80;

/// Polls between two repeats: 100 ms.
const REPEAT_EVERY: u16 = 20;

/// Polls after which a held direction is considered stuck and stops repeating: 10 s.
const STUCK_AFTER: u16 = 2000;

/// Polls after which a held select key means the menu: 600 ms.
const LONG_AFTER: u16 = 120;

/// Polls for which a question waits for a key: 10 s.
pub(crate) const QUESTION: u16 = 2000;

/// Polls in which nobody can have read it: 400 ms. A key was meant for something else.
const READING: u16 = 80;

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

    /// The key's name in logs and test scripts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
            Self::Select => "select",
        }
    }

    /// What pressing this key down means; the select key takes effect on release.
    const fn pushed(self) -> Option<Press> {
        match self {
            Self::Up => Some(Press::Up),
            Self::Down => Some(Press::Down),
            Self::Left => Some(Press::Left),
            Self::Right => Some(Press::Right),
            Self::Select => None,
        }
    }
}

/// What the keys mean. Held directions repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Press {
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
    /// A short press of the select key.
    Select,
    /// A long press of the select key.
    Menu,
}

impl Press {
    /// What pressing the key with this name means; `menu` is a long press of select.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "up" => Self::Up,
            "down" => Self::Down,
            "left" => Self::Left,
            "right" => Self::Right,
            "select" => Self::Select,
            "menu" => Self::Menu,
            _ => return None,
        })
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

/// Polls the keys forever and passes presses on to the [`ui`](crate::ui).
pub async fn run<P: InputPin>(device: &Device, buttons: Buttons<P>) -> ! {
    let Buttons { up, down, left, right, select } = buttons;
    let mut lines = [up, down, left, right, select];
    let mut keypad = Keypad::new();
    let mut ticker = Ticker::every(POLL);
    loop {
        health::beat(Part::Keys);
        // A line that can't be read counts as released.
        let low = lines.each_mut().map(|pin| pin.is_low().unwrap_or(false));
        if let Some(press) = keypad.press(low, device) {
            log::info!("key {=u8}", press as u8);
            if device.keys.try_send(press).is_err() {
                log::warn!("key dropped");
            }
        }
        ticker.next().await;
    }
}

/// The state of the keys. Of several that are down, the one pressed last counts, so that a
/// stuck key leaves the others usable.
#[derive(Debug)]
struct Keypad {
    lines: [Debounce; 5],
    /// The key that counts, and for how many polls it has been down.
    held: Option<(Key, u16)>,
    /// It has answered a question: that is all it does.
    spent: bool,
}

impl Keypad {
    const fn new() -> Self {
        Self { lines: [const { Debounce::new() }; 5], held: None, spent: false }
    }

    /// Takes one sample of the lines, as [`poll`](Self::poll). A key that goes down while a question is
    /// on the screen answers it, and means nothing else until it is let go.
    fn press(&mut self, low: [bool; 5], device: &Device) -> Option<Press> {
        let press = self.poll(low);
        let looks = self.held.map_or(0, |(_, looks)| looks);
        let permit = device.permit();
        if permit.is_asked() {
            let given = looks == 1 && permit.0 < QUESTION - READING;
            device.set_permit(if given { Permit::GIVEN } else { Permit(permit.0 - 1) });
            self.spent |= given;
        }
        let press = press.filter(|_| !self.spent);
        self.spent &= looks > 0;
        press
    }

    /// Takes one sample of the lines, in the order of [`Key::ALL`].
    fn poll(&mut self, low: [bool; 5]) -> Option<Press> {
        let mut press = None;
        for ((line, low), key) in self.lines.iter_mut().zip(low).zip(Key::ALL) {
            match line.poll(low) {
                Some(true) => {
                    self.held = Some((key, 0));
                    press = key.pushed();
                }
                Some(false) if self.held.is_some_and(|(held, _)| held == key) => {
                    let (_, looks) = self.held.take()?;
                    if key == Key::Select && looks < LONG_AFTER {
                        press = Some(Press::Select);
                    }
                }
                _ => {}
            }
        }
        let Some((key, looks)) = self.held.as_mut() else { return press };
        *looks = looks.saturating_add(1);
        let repeats = (REPEAT_AFTER..STUCK_AFTER).contains(looks)
            && (*looks - REPEAT_AFTER).is_multiple_of(REPEAT_EVERY);
        match key {
            Key::Select if *looks == LONG_AFTER => Some(Press::Menu),
            _ if repeats => key.pushed(),
            _ => press,
        }
    }
}

/// One debounced line. A press counts only after the line has been seen released, because a line
/// may read low from power-on until its key is first touched, and a key may be held down at the
/// start.
#[derive(Debug)]
struct Debounce {
    down: bool,
    /// Samples in a row that differed from `down`.
    differing: u8,
}

impl Debounce {
    const fn new() -> Self {
        Self { down: true, differing: 0 }
    }

    /// Takes one sample of the line; says whether the key has just gone down (true) or up.
    fn poll(&mut self, low: bool) -> Option<bool> {
        if low == self.down {
            self.differing = 0;
            return None;
        }
        self.differing += 1;
        if self.differing < STABLE_POLLS {
            return None;
        }
        (self.down, self.differing) = (low, 0);
        Some(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds levels of one line (`_` low, `'` high) and marks the samples at which it went down
    /// (`v`) or up (`^`).
    fn edges(levels: &str) -> String {
        let mut line = Debounce::new();
        let mark = |level| match line.poll(level == '_') {
            Some(true) => 'v',
            Some(false) => '^',
            None => '.',
        };
        levels.chars().map(mark).collect()
    }

    #[test]
    fn a_press_counts_once_however_long_it_is_held() {
        assert_eq!(
            edges("'''''__________'''''____'"), //
            "..^....v.........^....v..",
        );
    }

    #[test]
    fn bounces_are_one_press() {
        assert_eq!(
            edges("''''_'_'_____'_'__'_''''''___"), //
            "..^.......v...........^.....v",
        );
    }

    #[test]
    fn a_line_low_from_power_on_is_no_press() {
        assert_eq!(
            edges("__________''''____"), //
            "............^...v.",
        );
    }

    #[test]
    fn short_spikes_are_no_press() {
        assert_eq!(edges("'''''__''''_'''__'''"), "..^.................");
    }

    /// Holds sets of keys for that many polls each; returns the presses, and at which poll.
    fn presses(holds: &[(&[Key], u16)]) -> Vec<(u16, Press)> {
        let mut keypad = Keypad::new();
        let mut presses = Vec::new();
        let mut look = 0;
        let released: &[Key] = &[];
        for (keys, looks) in [(released, 10)].iter().chain(holds) {
            for _ in 0..*looks {
                let low = Key::ALL.map(|key| keys.contains(&key));
                presses.extend(keypad.poll(low).map(|press| (look, press)));
                look += 1;
            }
        }
        presses
    }

    fn meant(holds: &[(&[Key], u16)]) -> Vec<Press> {
        presses(holds).into_iter().map(|(_, press)| press).collect()
    }

    #[test]
    fn directions_come_at_once_and_repeat() {
        let presses = presses(&[(&[Key::Left], 125)]);
        assert_eq!(presses, [12, 91, 111, 131].map(|look| (look, Press::Left)));
    }

    #[test]
    fn select_counts_when_it_is_let_go_and_means_the_menu_when_held() {
        assert_eq!(meant(&[(&[Key::Select], 20), (&[], 20)]), [Press::Select]);
        assert_eq!(meant(&[(&[Key::Select], 20)]), []);
        assert_eq!(meant(&[(&[Key::Select], 2000), (&[], 20)]), [Press::Menu]);
    }

    #[test]
    fn a_stuck_key_stops_repeating_and_leaves_the_others_in_use() {
        let stuck = meant(&[(&[Key::Up], 30_000)]);
        assert_eq!(stuck.len(), 1 + usize::from((STUCK_AFTER - REPEAT_AFTER) / REPEAT_EVERY));
        let both: &[Key] = &[Key::Up, Key::Select];
        let used = meant(&[(&[Key::Up], 10), (both, 10), (&[Key::Up], 500), (both, 10), (&[], 9)]);
        assert_eq!(used, [Press::Up, Press::Select, Press::Select]);
    }

    #[test]
    fn keys_pushed_together_mean_the_last_one() {
        let all = &Key::ALL[..];
        assert_eq!(meant(&[(all, 20), (&[], 20)]).len(), 1);
        let slid = meant(&[(&[Key::Left], 10), (&[Key::Left, Key::Up], 200), (&[], 10)]);
        assert_eq!(slid[..2], [Press::Left, Press::Up]);
        assert!(slid[2..].iter().all(|press| *press == Press::Up), "{slid:?}");
        // Select, and then a direction: a slip means neither.
        let slipped = meant(&[(&[Key::Select], 10), (&[Key::Select, Key::Up], 10), (&[], 10)]);
        assert_eq!(slipped, [Press::Up]);
    }

    /// Holds sets of keys for that many polls each while a question is on the screen; returns what is
    /// passed on, and how the question stands in the end.
    fn answered(holds: &[(&[Key], u16)]) -> (Vec<Press>, Permit) {
        let device = Device::default();
        let mut keypad = Keypad::new();
        let mut presses = Vec::new();
        let low = |keys: &[Key]| Key::ALL.map(|key| keys.contains(&key));
        (0..10).for_each(|_| assert_eq!(keypad.poll(low(&[])), None));
        device.set_permit(Permit(QUESTION));
        for (keys, looks) in holds {
            for _ in 0..*looks {
                presses.extend(keypad.press(low(keys), &device));
            }
        }
        (presses, device.permit())
    }

    #[test]
    fn a_key_that_answers_a_question_does_nothing_else() {
        const UP: &[Key] = &[Key::Up];
        const SELECT: &[Key] = &[Key::Select];
        for key in [UP, SELECT] {
            // Held until it would repeat or mean the menu.
            let (presses, permit) = answered(&[(&[], 100), (key, 200), (&[], 10), (UP, 10)]);
            assert_eq!((presses, permit), (vec![Press::Up], Permit::GIVEN));
        }
        // It was down before.
        let (presses, permit) = answered(&[(UP, 1000)]);
        assert!(presses.len() > 10 && permit.is_asked());
        let (presses, permit) = answered(&[(SELECT, 20), (&[], 100)]);
        assert_eq!(presses, [Press::Select]);
        assert!(permit.is_asked(), "nobody reads so fast");
        let (presses, permit) = answered(&[(&[], QUESTION), (UP, 10)]);
        assert_eq!((presses, permit), (vec![Press::Up], Permit::REFUSED));
    }

    #[test]
    fn a_key_held_at_the_start_is_ignored_until_it_is_let_go() {
        let mut keypad = Keypad::new();
        let low = Key::ALL.map(|key| key == Key::Select);
        for _ in 0..500 {
            assert_eq!(keypad.poll(low), None);
        }
    }
}
