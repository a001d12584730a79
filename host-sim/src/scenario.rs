//! Scenarios: what is done with a device and what must happen, one step per line. The simulator
//! and the emulated boards run the same files.
//!
//! | line | what it does |
//! |---|---|
//! | `press KEY [TIMES]` | presses `up`, `down`, `left`, `right` or `select` for a moment |
//! | `hold KEY [MS]` | presses it for 800 ms or the time given |
//! | `push KEY`, `release KEY` | one half of a press |
//! | `wait MS` | lets time pass |
//! | `serial LINE` | sends a line to the serial port |
//! | `within MS` | how long the expectations that follow wait; 2000 at first |
//! | `expect TEXT` | waits until the display shows the text, in any of its fonts |
//! | `expect-not TEXT` | fails if the display shows the text now |
//! | `expect-serial TEXT` | waits until the serial port has sent the text, and drops all up to it |
//! | `expect-screen NAME` | waits until the display matches the golden picture `NAME.png` |
//! | `screenshot NAME` | keeps what the display shows |
//! | `until TEXT` ... `end` | repeats the lines between until the display shows the text |
//! | `repeat TIMES` ... `end` | repeats the lines between; at most 16 loops in each other |
//! | `restart` | switches the device off and on |
//! | `restart new` | starts a new device, which has nothing saved |
//! Empty lines and lines that begin with `#` are ignored. All times are the device's.

mod play;

use std::fmt::{self, Display};
use std::time::Duration;

use corvid_firmware::frame::Frame;
use corvid_firmware::keys::Key;
use embassy_futures::block_on;

/// How long a key is held when no time is given.
const HELD: Duration = Duration::from_millis(800);

/// How deep loops may be in each other: reading and playing them takes stack.
const NESTED: usize = 16;

/// When this variable is set, golden pictures are written instead of compared.
pub const UPDATE_GOLDEN: &str = "UPDATE_GOLDEN";

/// A device that a scenario is played on.
/// Whatever takes time is a future, so that a scenario can also be played on a device in the same
/// thread. The futures of a stage that blocks are always ready.
pub trait Stage {
    /// Why it can't continue.
    type Error: Display;

    /// Presses a key down or releases it.
    fn key(&mut self, key: Key, down: bool) -> Result<(), Self::Error>;
    /// Holds a key down for that long, and then leaves the keys alone for a while.
    fn press(
        &mut self,
        key: Key,
        time: Duration,
        apart: Duration,
    ) -> impl Future<Output = Result<(), Self::Error>> {
        async move {
            self.key(key, true)?;
            self.run_for(time).await?;
            self.key(key, false)?;
            self.run_for(apart).await
        }
    }
    /// Lets the device run for that long.
    fn run_for(&mut self, time: Duration) -> impl Future<Output = Result<(), Self::Error>>;
    /// What the display shows.
    fn screen(&mut self) -> Result<Frame, Self::Error>;
    /// Sends bytes to the serial port.
    fn send(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;
    /// What the serial port has sent since the last call.
    fn received(&mut self) -> Result<Vec<u8>, Self::Error>;
    /// Switches the device off and on, or starts a new one.
    fn restart(&mut self, new: bool) -> impl Future<Output = Result<(), Self::Error>>;
    /// Compares with a golden picture, and describes the difference if there is one. Writes it as
    /// the golden picture if [`UPDATE_GOLDEN`] is set.
    fn compare(&mut self, name: &str, screen: &Frame) -> Result<Option<String>, Self::Error>;
    /// Saves a picture.
    fn keep(&mut self, name: &str, screen: &Frame) -> Result<(), Self::Error>;
}

/// An error in a scenario, or a failed step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, counted from 1.
    pub line: usize,
    /// What was wrong there.
    pub cause: String,
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.cause)
    }
}

impl std::error::Error for Fault {}

/// A sequence of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Step {
    line: usize,
    action: Action,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Action {
    Press(Key, u32),
    Hold(Key, Duration),
    Key(Key, bool),
    Wait(Duration),
    Serial(String),
    Within(Duration),
    Expect(String),
    ExpectNot(String),
    ExpectSerial(String),
    ExpectScreen(String),
    Screenshot(String),
    Until(String, Vec<Step>),
    Repeat(u32, Vec<Step>),
    Restart { new: bool },
}

impl Scenario {
    /// Reads a scenario.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let mut lines = (1..).zip(text.lines());
        let steps = block(&mut lines, None, 0)?;
        Ok(Self { steps })
    }

    /// Plays it on a stage that blocks.
    pub fn run<S: Stage>(&self, stage: &mut S) -> Result<(), Fault> {
        block_on(self.play(stage))
    }

    /// Plays it on a stage.
    pub async fn play<S: Stage>(&self, stage: &mut S) -> Result<(), Fault> {
        play::all(&self.steps, stage).await
    }
}

/// Reads steps up to the `end` that belongs to a line, or to the end of the text.
fn block<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    begun: Option<usize>,
    depth: usize,
) -> Result<Vec<Step>, Fault> {
    let mut steps = Vec::new();
    while let Some((line, text)) = lines.next() {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let fault = |cause| Fault { line, cause };
        let action = match (word, begun) {
            ("", _) => continue,
            ("end", Some(_)) => return Ok(steps),
            ("end", None) => return Err(fault("there is nothing to end here".into())),
            ("until" | "repeat", _) if depth == NESTED => {
                return Err(fault(format!("no more than {NESTED} loops in each other")));
            }
            ("until", _) => {
                let text = filled(word, rest).map_err(fault)?;
                Action::Until(text, block(lines, Some(line), depth + 1)?)
            }
            ("repeat", _) => {
                let times = number(rest).map_err(fault)?;
                Action::Repeat(times, block(lines, Some(line), depth + 1)?)
            }
            _ if word.starts_with('#') => continue,
            _ => action(word, rest).map_err(fault)?,
        };
        steps.push(Step { line, action });
    }
    match begun {
        Some(line) => Err(Fault { line, cause: "the lines after this have no 'end'".into() }),
        None => Ok(steps),
    }
}

/// Reads a single-line step.
fn action(word: &str, rest: &str) -> Result<Action, String> {
    let mut words = rest.split_ascii_whitespace();
    let mut key_and_number = || -> Result<_, String> {
        let key = key(words.next())?;
        let number = words.next().map(number).transpose()?;
        match words.next() {
            Some(more) => Err(format!("'{more}' is one word too many")),
            None => Ok((key, number)),
        }
    };
    let half = |(key, number): (Key, Option<u32>)| match number {
        Some(number) => Err(format!("'{number}' is one word too many")),
        None => Ok(key),
    };
    let text = || filled(word, rest);
    let millis = |number: u32| Duration::from_millis(number.into());
    Ok(match word {
        "press" => {
            let (key, times) = key_and_number()?;
            Action::Press(key, times.unwrap_or(1))
        }
        "hold" => {
            let (key, time) = key_and_number()?;
            Action::Hold(key, time.map_or(HELD, millis))
        }
        "push" => Action::Key(key_and_number().and_then(half)?, true),
        "release" => Action::Key(key_and_number().and_then(half)?, false),
        "wait" => Action::Wait(millis(number(rest)?)),
        "within" => Action::Within(millis(number(rest)?)),
        "serial" => Action::Serial(rest.into()),
        "expect" => Action::Expect(text()?),
        "expect-not" => Action::ExpectNot(text()?),
        "expect-serial" => Action::ExpectSerial(text()?),
        "expect-screen" => Action::ExpectScreen(text()?),
        "screenshot" => Action::Screenshot(text()?),
        "restart" => match rest {
            "" => Action::Restart { new: false },
            "new" => Action::Restart { new: true },
            _ => return Err(format!("'{rest}' is not 'new'")),
        },
        _ => return Err(format!("there is no step '{word}'")),
    })
}

fn key(word: Option<&str>) -> Result<Key, String> {
    Key::ALL.into_iter().find(|key| Some(key.name()) == word).ok_or_else(|| {
        let names = Key::ALL.map(Key::name).join(", ");
        match word {
            Some(word) => format!("there is no key '{word}'; the keys are {names}"),
            None => format!("which key? there are {names}"),
        }
    })
}

fn number(word: &str) -> Result<u32, String> {
    word.parse().map_err(|_| format!("'{word}' is not a number"))
}

fn filled(word: &str, rest: &str) -> Result<String, String> {
    if rest.is_empty() { Err(format!("'{word}' needs a text")) } else { Ok(rest.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_name_their_line_and_the_cause() {
        for (text, fault) in [
            ("press", "line 1: which key? there are up, down, left, right, select"),
            ("wait 1\npress space", "line 2: there is no key 'space'; the keys are "),
            ("press up 1 2", "line 1: '2' is one word too many"),
            ("push up 1", "line 1: '1' is one word too many"),
            ("wait", "line 1: '' is not a number"),
            ("wait -3", "line 1: '-3' is not a number"),
            ("fly", "line 1: there is no step 'fly'"),
            ("expect ", "line 1: 'expect' needs a text"),
            ("end", "line 1: there is nothing to end here"),
            ("wait 1\nrepeat 2\nwait 1", "line 2: the lines after this have no 'end'"),
            ("restart now", "line 1: 'now' is not 'new'"),
        ] {
            let found = Scenario::parse(text).unwrap_err().to_string();
            assert!(found.starts_with(fault), "{text}: {found}");
        }
    }

    #[test]
    fn loops_without_end_are_refused_before_the_stack_is_full() {
        let nested = |count: usize| "repeat 1\n".repeat(count) + &"end\n".repeat(count);
        assert!(Scenario::parse(&nested(16)).is_ok());
        let found = Scenario::parse(&nested(1_000_000)).unwrap_err().to_string();
        assert_eq!(found, "line 17: no more than 16 loops in each other");
    }
}
