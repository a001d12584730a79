//! The players' clocks: the time that each has left for the game.
//!
//! A seat has one clock, however many colours it plays. The first player's runs from the start of the
//! game. Who runs out of time has lost. A clock knows no time of its own: it is told the instant.
use crate::app::COMFORTS;
use core::fmt;
use corvid_core::{game::Reason, list::last_to_front, player::MAX_PLAYERS};
use embassy_time::{Duration, Instant};
use heapless::Vec;

/// The choices for the time of a side, in minutes; 0 is no clock.
pub const MINUTES: [u8; 7] = [0, 1, 2, 5, 10, 15, 30];

/// The choices for what is added after each move, in seconds.
pub const INCREMENTS: [u8; 6] = [0, 1, 2, 5, 10, 30];

/// The most bytes of a saved clock: minutes, increment, and the milliseconds left of each seat.
pub const BYTES: usize = 2 + 4 * MAX_PLAYERS;

/// The most time that can be left, the most that five characters show.
const MOST: Duration = Duration::from_secs(99 * 60 + 59);

/// From here on tenths of a second are shown.
const SHORT: Duration = Duration::from_secs(10);

/// What a computer keeps for moves that are made at once, which take time too: enough for a game of
/// any length.
const RESERVE: Duration = Duration::from_secs(3);

/// What a computer never uses, even of an increment.
const MARGIN: Duration = Duration::from_millis(300);

/// The least that a computer is given for a move.
const LEAST: Duration = Duration::from_millis(1);

/// The moves among which a computer divides its time.
const SHARES: u32 = 20;

/// How much time a game is played with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// Minutes for each side, one of [`MINUTES`].
    pub minutes: u8,
    /// Seconds added after each move, one of [`INCREMENTS`].
    pub increment: u8,
}

impl TimeControl {
    /// No clock.
    pub const NONE: Self = Self { minutes: 0, increment: 0 };

    /// Those choices, if they can be chosen.
    pub fn new(minutes: u8, increment: u8) -> Option<Self> {
        let valid = MINUTES.contains(&minutes) && INCREMENTS.contains(&increment);
        valid.then_some(Self { minutes, increment })
    }
}

/// Why a move came too late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeUp;

impl fmt::Display for TimeUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the time is up")
    }
}

impl Reason for TimeUp {
    fn short(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str("time is up")
    }
}

/// Whether the time of somebody has run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flag {
    Up,
    Fallen,
    /// The game went on all the same: nobody is timed any more.
    Ignored,
}

/// The clocks of a game.
#[derive(Debug, Clone)]
pub struct Clock {
    control: TimeControl,
    /// The time left, by seat; of the one whose clock runs, when it was started.
    left: [Duration; MAX_PLAYERS],
    /// The seat whose clock runs, and since when.
    running: Option<(usize, Instant)>,
    flag: Flag,
}

impl Clock {
    /// No clock.
    pub const NONE: Self = Self::new(TimeControl::NONE);

    /// Clocks that stand still.
    pub const fn new(control: TimeControl) -> Self {
        let left = Duration::from_secs(control.minutes as u64 * 60);
        Self { control, left: [left; MAX_PLAYERS], running: None, flag: Flag::Up }
    }

    /// How much time the game was begun with.
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// Whether the game is played with clocks.
    pub fn is_on(&self) -> bool {
        COMFORTS && self.control.minutes > 0 && self.flag != Flag::Ignored
    }

    /// Whether somebody has run out of time.
    pub fn is_flagged(&self) -> bool {
        self.is_on() && self.flag == Flag::Fallen
    }

    /// The seat whose clock runs.
    pub fn running(&self) -> Option<usize> {
        self.running.filter(|_| COMFORTS).map(|(seat, _)| seat)
    }

    /// The time that a seat has left.
    pub fn left(&self, seat: usize, now: Instant) -> Duration {
        let left = self.left.get(seat).copied().unwrap_or(Duration::MIN);
        let spent = match self.running {
            Some((running, since)) if running == seat => now.saturating_duration_since(since),
            _ => Duration::MIN,
        };
        Duration::from_ticks(left.as_ticks().saturating_sub(spent.as_ticks()))
    }

    /// Lets the clock of a seat run, and no other; none without a seat.
    pub fn run(&mut self, seat: Option<usize>, now: Instant) {
        let seat = seat.filter(|seat| self.is_on() && self.flag == Flag::Up && *seat < MAX_PLAYERS);
        if seat == self.running() {
            return;
        }
        if let Some(before) = self.running() {
            let time = self.left(before, now);
            if let Some(left) = self.left.get_mut(before) {
                *left = time;
            }
        }
        self.running = seat.map(|seat| (seat, now));
    }

    /// Adds the increment for a move.
    pub fn moved(&mut self, seat: usize) {
        if let Some(left) = self.left.get_mut(seat) {
            *left = (*left + Duration::from_secs(self.control.increment.into())).min(MOST);
        }
    }

    /// Moves the times of `count` seats on to the next one, as the players do.
    pub fn rotate(&mut self, count: usize, now: Instant) {
        self.run(None, now);
        last_to_front(self.left.get_mut(..count).unwrap_or_default());
    }

    /// Whether the time of the running clock is up; its flag falls then, and all clocks stop.
    pub fn check(&mut self, now: Instant) -> bool {
        let fallen = self.running().is_some_and(|seat| self.left(seat, now) == Duration::MIN);
        if fallen {
            self.run(None, now);
            self.flag = Flag::Fallen;
        }
        fallen
    }

    /// The game goes on after a flag has fallen: without clocks.
    pub fn ignore_flag(&mut self) {
        if self.flag == Flag::Fallen {
            self.flag = Flag::Ignored;
        }
    }

    /// When what is shown changes next, or the flag falls; `None` while no clock runs.
    pub fn due(&self, now: Instant) -> Option<Instant> {
        let left = self.left(self.running()?, now).as_ticks();
        let step = Duration::from_millis(if left > SHORT.as_ticks() { 1000 } else { 100 });
        // Times are rounded up.
        let next = left.saturating_sub(1) / step.as_ticks() * step.as_ticks();
        Some(now + Duration::from_ticks(left - next))
    }

    /// What a computer may use for a move.
    pub fn share(&self, seat: usize, now: Instant) -> Duration {
        let left = self.left(seat, now);
        let beyond = |kept: Duration| left.checked_sub(kept).unwrap_or(Duration::MIN);
        let increment = Duration::from_millis(u64::from(self.control.increment) * 750);
        (beyond(RESERVE) / SHARES + increment).min(beyond(MARGIN)).max(LEAST)
    }

    /// The clocks of so many seats, in bytes; none if there is nothing to go on with.
    pub fn to_bytes(&self, seats: usize, now: Instant) -> Vec<u8, BYTES> {
        let mut bytes = Vec::new();
        if self.is_on() && self.flag == Flag::Up {
            let TimeControl { minutes, increment } = self.control;
            let times = (0..seats.min(MAX_PLAYERS)).map(|seat| self.left(seat, now));
            let times = times.flat_map(|left| (left.as_millis() as u32).to_le_bytes());
            for byte in [minutes, increment].into_iter().chain(times) {
                // There is room for the times of all seats.
                let _ = bytes.push(byte);
            }
        }
        bytes
    }

    /// Clocks of so many seats that were saved, standing still; `None` if the bytes are invalid.
    pub fn from_bytes(bytes: &[u8], seats: usize) -> Option<Self> {
        let (&[minutes, increment], times) = bytes.split_first_chunk()?;
        let control = TimeControl::new(minutes, increment).filter(|control| control.minutes > 0)?;
        let (times, rest) = times.as_chunks();
        if times.len() != seats || !rest.is_empty() {
            return None;
        }
        let mut clock = Self::new(control);
        for (left, millis) in clock.left.iter_mut().zip(times) {
            *left = Duration::from_millis(u32::from_le_bytes(*millis).into()).min(MOST);
        }
        Some(clock)
    }
}

/// Writes a time as minutes and seconds, rounded up, and the last ten seconds with tenths.
pub fn write_time(left: Duration, out: &mut dyn fmt::Write) -> fmt::Result {
    let tenths = left.as_micros().div_ceil(100_000) as u32;
    if tenths < 100 {
        return write!(out, "{}.{}", tenths / 10, tenths % 10);
    }
    let seconds = tenths.div_ceil(10);
    write!(out, "{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLITZ: TimeControl = TimeControl { minutes: 1, increment: 2 };

    fn at(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    fn left(clock: &Clock, seat: usize, millis: u64) -> u64 {
        clock.left(seat, at(millis)).as_millis()
    }

    fn shown(millis: u64) -> String {
        let mut text = String::new();
        write_time(Duration::from_millis(millis), &mut text).unwrap();
        text
    }

    #[test]
    fn only_the_clock_of_the_player_to_move_runs() {
        let mut clock = Clock::new(BLITZ);
        assert_eq!(left(&clock, 0, 5_000), 60_000, "it stands still at first");
        clock.run(Some(0), at(5_000));
        assert_eq!(left(&clock, 0, 12_000), 53_000);
        clock.moved(0);
        clock.run(Some(1), at(12_000));
        assert_eq!((left(&clock, 0, 20_000), left(&clock, 1, 20_000)), (55_000, 52_000));
        clock.run(Some(1), at(15_000));
        assert_eq!(left(&clock, 1, 20_000), 52_000, "told again, it just goes on");
        clock.run(None, at(20_000));
        assert_eq!(left(&clock, 1, 90_000), 52_000);
    }

    #[test]
    fn the_flag_falls_at_the_instant_and_stops_all_clocks() {
        let mut clock = Clock::new(TimeControl { minutes: 1, increment: 0 });
        clock.run(Some(1), at(1_000));
        assert!(!clock.check(Instant::from_micros(60_999_999)));
        assert!(clock.check(at(61_000)));
        assert!(clock.is_flagged());
        assert!(!clock.check(at(61_001)), "it falls once");
        clock.run(Some(0), at(62_000));
        assert_eq!((clock.running(), left(&clock, 0, 90_000)), (None, 60_000));
        assert!(clock.to_bytes(2, at(62_000)).is_empty(), "nothing to go on with");
        clock.ignore_flag();
        assert!(!clock.is_on() && !clock.is_flagged());
        assert_eq!(clock.control().minutes, 1, "the next game has clocks again");
    }

    #[test]
    fn without_minutes_nothing_runs() {
        let mut clock = Clock::NONE;
        clock.run(Some(0), at(0));
        assert!(!clock.is_on() && !clock.check(at(1_000_000)));
        assert_eq!(clock.due(at(0)), None);
        assert!(clock.to_bytes(2, at(0)).is_empty());
    }

    #[test]
    fn times_are_rounded_up_and_end_with_tenths() {
        let texts = [1_800_000, 60_000, 59_999, 59_000, 10_001, 10_000, 9_999, 9_900, 9_899, 100];
        let expected =
            ["30:00", "1:00", "1:00", "0:59", "0:11", "0:10", "0:10", "9.9", "9.9", "0.1"];
        assert_eq!(texts.map(shown), expected);
        assert_eq!([shown(1), shown(0), shown(5_999_000)], ["0.1", "0.0", "99:59"]);
    }

    /// Woken when it is due, the screen shows every text there is, the flag included.
    #[test]
    fn it_is_due_whenever_the_text_changes() {
        let mut clock = Clock::new(TimeControl { minutes: 1, increment: 0 });
        let mut now = Instant::from_micros(123);
        clock.run(Some(0), now);
        let mut count = 0;
        while !clock.check(now) {
            let due = clock.due(now).unwrap();
            let text = |at| shown_at(&clock, at);
            assert_eq!(text(now), text(due - Duration::from_micros(1)));
            assert_ne!(text(now), text(due));
            now = due;
            count += 1;
        }
        assert_eq!(now, Instant::from_micros(60_000_123));
        assert_eq!(count, 50 + 100, "once a second, then ten times");
        assert_eq!(clock.due(now), None);
    }

    fn shown_at(clock: &Clock, now: Instant) -> String {
        let mut text = String::new();
        write_time(clock.left(0, now), &mut text).unwrap();
        text
    }

    /// A computer that always uses its share, and some time beyond, has some left after the longest
    /// game: 220 lines, all drawn by one side.
    #[test]
    fn a_computer_divides_its_time() {
        for minutes in &MINUTES[1..] {
            for increment in INCREMENTS {
                let mut clock = Clock::new(TimeControl { minutes: *minutes, increment });
                for _ in 0..220 {
                    let share = clock.share(0, at(0));
                    assert!(share + MARGIN <= clock.left[0] || share == LEAST);
                    clock.run(Some(0), at(0));
                    let now = Instant::MIN + share + Duration::from_millis(10);
                    assert!(!clock.check(now), "{minutes} min, {increment} s");
                    clock.moved(0);
                    clock.run(None, now);
                }
            }
        }
    }

    #[test]
    fn saved_clocks_come_back_standing_still() {
        let mut clock = Clock::new(BLITZ);
        clock.run(Some(1), at(0));
        let bytes = clock.to_bytes(2, at(1_500));
        assert_eq!(bytes.len(), 10);
        let read = Clock::from_bytes(&bytes, 2).unwrap();
        assert_eq!(read.control(), BLITZ);
        assert_eq!((read.running(), left(&read, 0, 0), left(&read, 1, 0)), (None, 60_000, 58_500));
        assert_eq!(Clock::new(BLITZ).to_bytes(MAX_PLAYERS, at(0)).len(), BYTES);
    }

    #[test]
    fn bytes_that_are_no_clock_are_refused() {
        let good = Clock::new(BLITZ).to_bytes(2, at(0));
        let with = |index: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[index] = byte;
            Clock::from_bytes(&bytes, 2)
        };
        assert!(with(0, 0).is_none() && with(0, 3).is_none() && with(1, 3).is_none());
        assert!(
            Clock::from_bytes(&good, 3).is_none() && Clock::from_bytes(&good[..9], 2).is_none()
        );
        assert!(Clock::from_bytes(&[], 0).is_none());
        assert_eq!(left(&with(5, 0xFF).unwrap(), 0, 0), MOST.as_millis());
    }

    #[test]
    fn times_move_on_with_the_players() {
        let mut clock = Clock::new(BLITZ);
        clock.run(Some(0), at(0));
        clock.rotate(2, at(10_000));
        assert_eq!((left(&clock, 0, 10_000), left(&clock, 1, 10_000)), (60_000, 50_000));
    }
}
