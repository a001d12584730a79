//! An emulated board as a test sees it: keys, screen and serial port.
use crate::screen::Screen;
use anyhow::{Context, Result, bail};
pub use corvid_firmware::keys::{Key, Press};
use corvid_firmware::profile::Profile;
use std::time::Duration;

/// How long a quick person holds a key, and the pause before the next one.
const HELD: Duration = Duration::from_millis(45);
const APART: Duration = HELD;

/// How long a person holds the select key for the menu.
const HELD_LONG: Duration = Duration::from_millis(800);

/// The polling interval of the screen.
const LOOK: Duration = Duration::from_millis(20);

/// How long a screen may take to appear, and how long it gets to settle before it becomes a
/// golden picture.
const APPEARS: Duration = Duration::from_secs(2);

/// A running board. All times are the board's own, so that a loaded machine makes a test slower
/// but not different.
pub trait Board {
    /// The board's name, as `cargo xtask image` accepts it.
    fn name(&self) -> &'static str;

    /// The board's profile.
    fn profile(&self) -> Result<Profile> {
        Profile::named(self.name()).with_context(|| format!("{} has no profile", self.name()))
    }

    /// Switches the board off and on, or starts a new one, which has nothing saved.
    fn restart(&mut self, new: bool) -> Result<()>;

    /// The board's time since its start.
    fn time(&mut self) -> Result<Duration>;

    /// Presses a key down.
    fn press(&mut self, key: Key) -> Result<()>;

    /// Releases a key.
    fn release(&mut self, key: Key) -> Result<()>;

    /// What the display shows.
    fn screen(&mut self) -> Result<Screen>;

    /// Sends bytes to the board's serial port.
    fn send(&mut self, bytes: &[u8]) -> Result<()>;

    /// Lets the board run until its serial port has sent text that ends with `end`, and takes all
    /// the text up to there. Text after it stays for the next call. An error when that takes
    /// longer than `timeout`.
    fn receive_until(&mut self, end: &str, timeout: Duration) -> Result<String>;

    /// Lets the board run until its serial port has sent so many bytes, and takes them. An error
    /// when that takes longer than `timeout`.
    fn receive(&mut self, count: usize, timeout: Duration) -> Result<String>;

    /// Lets the board run for that long.
    fn run_for(&mut self, time: Duration) -> Result<()>;

    /// Holds a key down for that long.
    fn hold(&mut self, key: Key, time: Duration) -> Result<()> {
        self.press(key)?;
        self.run_for(time)?;
        self.release(key)
    }

    /// Holds a key down for that long, and then leaves the keys alone for a while.
    fn press_for(&mut self, key: Key, time: Duration, apart: Duration) -> Result<()> {
        self.hold(key, time)?;
        self.run_for(apart)
    }

    /// Presses and releases a key, as a person does.
    fn tap(&mut self, key: Key) -> Result<()> {
        self.press_for(key, HELD, APART)
    }

    /// Holds the select key until that means the menu.
    fn hold_select(&mut self) -> Result<()> {
        self.hold(Key::Select, HELD_LONG)?;
        self.run_for(APART)
    }

    /// Presses the key for this, briefly or long.
    fn enter(&mut self, press: Press) -> Result<()> {
        match press {
            Press::Up => self.tap(Key::Up),
            Press::Down => self.tap(Key::Down),
            Press::Left => self.tap(Key::Left),
            Press::Right => self.tap(Key::Right),
            Press::Select => self.tap(Key::Select),
            Press::Menu => self.hold_select(),
        }
    }

    /// Sends a GTP command and takes its answer, without the empty line at the end.
    fn ask(&mut self, command: &str, timeout: Duration) -> Result<String> {
        self.send(format!("{command}\n").as_bytes())?;
        let answer = self.receive_until("\n\n", timeout)?;
        // Unsolicited notices come between answers.
        let lines: Vec<_> =
            answer.trim_end().lines().skip_while(|line| line.starts_with("# ")).collect();
        Ok(lines.join("\n"))
    }

    /// Lets the board run until its screen equals `tests/golden/<picture>.png`, which is the same
    /// for every board. An error with the difference when it does not get there.
    fn expect_screen(&mut self, picture: &str) -> Result<()>
    where
        Self: Sized,
    {
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            self.run_for(APPEARS)?;
            return self.screen()?.save_golden(picture);
        }
        self.expect(|screen| screen.check_golden(picture))
    }

    /// Lets the board run until its screen is as it should be. An error says what is wrong with it
    /// when it does not get there.
    fn expect(&mut self, check: impl Fn(&Screen) -> Result<()>) -> Result<()>
    where
        Self: Sized,
    {
        let mut waited = Duration::ZERO;
        loop {
            match check(&self.screen()?) {
                Err(_) if waited < APPEARS => {}
                Err(difference) => bail!("{difference:#}"),
                Ok(()) => return Ok(()),
            }
            self.run_for(LOOK)?;
            waited += LOOK;
        }
    }
}
