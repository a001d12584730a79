//! Scenarios: what somebody does with a device and what must come of it, a step a line. The
//! simulator and the emulated boards run the same files.
//!
//! | line | what it does |
//! |---|---|
//! | `press KEY [TIMES]` | presses `up`, `down`, `left`, `right` or `select` for a moment |
//! | `hold KEY [MS]` | presses it for 800 ms or as long as it says |
//! | `push KEY`, `release KEY` | one half of a press |
//! | `wait MS` | lets time pass |
//! | `serial LINE` | sends a line to the serial port |
//! | `within MS` | how long the expectations that follow wait; 2000 at first |
//! | `expect TEXT` | waits until the display shows the text, in any of its fonts |
//! | `expect-not TEXT` | fails if the display shows the text now |
//! | `expect-serial TEXT` | waits until the serial port has sent the text, and forgets up to there |
//! | `expect-screen NAME` | waits until the display is the golden picture `NAME.png` |
//! | `screenshot NAME` | keeps what the display shows |
//! | `until TEXT` ... `end` | repeats the lines between until the display shows the text |
//! | `repeat TIMES` ... `end` | repeats the lines between |
//! | `restart` | switches the device off and on |
//! | `restart new` | takes a new device, which has nothing saved |
//!
//! Empty lines and lines that begin with `#` are passed over. All times are the device's.

use std::env;
use std::fmt::{self, Display};
use std::time::Duration;

use corvid_firmware::frame::{Frame, HEIGHT, WIDTH};
use corvid_firmware::keys::Key;
use embedded_graphics::mono_font::{MonoFont, ascii};

/// How long a person presses a key, and how long it takes to the next press.
const PRESSED: Duration = Duration::from_millis(60);

/// How long a key is held when no time is given.
const HELD: Duration = Duration::from_millis(800);

/// How long an expectation waits at first.
const PATIENCE: Duration = Duration::from_secs(2);

/// Between two looks at the display and the serial port.
const LOOK: Duration = Duration::from_millis(20);

/// The most rounds of an `until`: no game takes as many.
const ROUNDS: u32 = 1000;

/// When this is set, golden pictures are made instead of compared.
pub const UPDATE_GOLDEN: &str = "UPDATE_GOLDEN";

/// A device that a scenario is played on.
pub trait Stage {
    /// Why it can't go on.
    type Error: Display;

    /// Pushes a key down or lets it go.
    fn key(&mut self, key: Key, down: bool) -> Result<(), Self::Error>;
    /// Holds a key down for that long, and then leaves the keys alone for a while.
    fn press(&mut self, key: Key, time: Duration, apart: Duration) -> Result<(), Self::Error> {
        self.key(key, true)?;
        self.run_for(time)?;
        self.key(key, false)?;
        self.run_for(apart)
    }
    /// Lets the device run for that long.
    fn run_for(&mut self, time: Duration) -> Result<(), Self::Error>;
    /// What the display shows.
    fn screen(&mut self) -> Result<Frame, Self::Error>;
    /// Sends bytes to the serial port.
    fn send(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;
    /// What the serial port has sent since the last call.
    fn received(&mut self) -> Result<Vec<u8>, Self::Error>;
    /// Switches the device off and on, or takes a new one.
    fn restart(&mut self, new: bool) -> Result<(), Self::Error>;
    /// Compares with a golden picture, and tells the difference if there is one. Makes it the
    /// golden picture where [`UPDATE_GOLDEN`] is set.
    fn compare(&mut self, name: &str, screen: &Frame) -> Result<Option<String>, Self::Error>;
    /// Keeps a picture.
    fn keep(&mut self, name: &str, screen: &Frame) -> Result<(), Self::Error>;
}

/// What is wrong in a scenario, or went wrong.
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

/// Steps in their order.
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
        let steps = block(&mut lines, None)?;
        Ok(Self { steps })
    }

    /// Plays it on a device.
    pub fn run<S: Stage>(&self, stage: &mut S) -> Result<(), Fault> {
        Run { stage, patience: PATIENCE, heard: String::new() }.all(&self.steps)
    }
}

/// Reads steps up to the `end` that belongs to a line, or to the end of the text.
fn block<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    begun: Option<usize>,
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
            ("until", _) => {
                let text = filled(word, rest).map_err(fault)?;
                Action::Until(text, block(lines, Some(line))?)
            }
            ("repeat", _) => {
                let times = number(rest).map_err(fault)?;
                Action::Repeat(times, block(lines, Some(line))?)
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

/// Reads a line that stands alone.
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

/// A scenario that is being played.
struct Run<'a, S> {
    stage: &'a mut S,
    patience: Duration,
    /// What the serial port sent and nobody expected yet.
    heard: String,
}

impl<S: Stage> Run<'_, S> {
    fn all(&mut self, steps: &[Step]) -> Result<(), Fault> {
        steps.iter().try_for_each(|step| match &step.action {
            Action::Until(text, steps) => self.until(step.line, text, steps),
            Action::Repeat(times, steps) => (0..*times).try_for_each(|_| self.all(steps)),
            action => self.one(action).map_err(|cause| Fault { line: step.line, cause }),
        })
    }

    fn until(&mut self, line: usize, text: &str, steps: &[Step]) -> Result<(), Fault> {
        let fault = |cause| Fault { line, cause };
        for _ in 0..ROUNDS {
            if shows(&self.screen().map_err(fault)?, text) {
                return Ok(());
            }
            self.all(steps)?;
        }
        let art = art(&self.screen().map_err(fault)?);
        Err(fault(format!("no '{text}' in {ROUNDS} rounds; the display shows\n{art}")))
    }

    fn one(&mut self, action: &Action) -> Result<(), String> {
        match action {
            Action::Press(key, times) => {
                for _ in 0..*times {
                    self.press(*key, PRESSED)?;
                }
                Ok(())
            }
            Action::Hold(key, time) => self.press(*key, *time),
            Action::Key(key, down) => self.stage.key(*key, *down).map_err(said),
            Action::Wait(time) => self.stage.run_for(*time).map_err(said),
            Action::Serial(line) => self.stage.send(format!("{line}\n").as_bytes()).map_err(said),
            Action::Within(time) => {
                self.patience = *time;
                Ok(())
            }
            Action::Expect(text) => {
                // A display that has not changed need not be searched again.
                let mut last = None;
                let found = self.patiently(|run| {
                    let screen = run.screen()?;
                    let found = last.as_ref() != Some(&screen) && shows(&screen, text);
                    last = Some(screen);
                    Ok((!found).then(String::new))
                })?;
                let art = last.as_ref().map(art).unwrap_or_default();
                found.map_or(Ok(()), |_| Err(format!("no '{text}' on the display:\n{art}")))
            }
            Action::ExpectNot(text) => {
                let screen = self.screen()?;
                match shows(&screen, text) {
                    true => Err(format!("'{text}' is on the display:\n{}", art(&screen))),
                    false => Ok(()),
                }
            }
            Action::ExpectSerial(text) => {
                let heard = self.patiently(|run| {
                    let bytes = run.stage.received().map_err(said)?;
                    run.heard.push_str(&String::from_utf8_lossy(&bytes));
                    let Some(at) = run.heard.find(text) else {
                        return Ok(Some(run.heard.clone()));
                    };
                    run.heard.drain(..at + text.len());
                    Ok(None)
                })?;
                let Some(heard) = heard else { return Ok(()) };
                let art = art(&self.screen()?);
                Err(format!(
                    "no '{text}' from the serial port, which sent {heard:?}; the display shows\n{art}"
                ))
            }
            Action::ExpectScreen(name) => {
                if env::var_os(UPDATE_GOLDEN).is_some() {
                    self.stage.run_for(self.patience).map_err(said)?;
                }
                let difference = self.patiently(|run| {
                    let screen = run.screen()?;
                    run.stage.compare(name, &screen).map_err(said)
                })?;
                difference.map_or(Ok(()), Err)
            }
            Action::Screenshot(name) => {
                let screen = self.screen()?;
                self.stage.keep(name, &screen).map_err(said)
            }
            Action::Restart { new } => {
                self.heard.clear();
                self.stage.restart(*new).map_err(said)
            }
            Action::Until(..) | Action::Repeat(..) => Ok(()),
        }
    }

    fn press(&mut self, key: Key, time: Duration) -> Result<(), String> {
        self.stage.press(key, time, PRESSED).map_err(said)
    }

    fn screen(&mut self) -> Result<Frame, String> {
        self.stage.screen().map_err(said)
    }

    /// Looks until nothing is amiss; gives what was amiss at the last look.
    fn patiently(
        &mut self,
        mut amiss: impl FnMut(&mut Self) -> Result<Option<String>, String>,
    ) -> Result<Option<String>, String> {
        let mut waited = Duration::ZERO;
        loop {
            let seen = amiss(self)?;
            if seen.is_none() || waited >= self.patience {
                return Ok(seen);
            }
            self.stage.run_for(LOOK).map_err(said)?;
            waited += LOOK;
        }
    }
}

fn said(error: impl Display) -> String {
    format!("{error:#}")
}

/// The fonts that a display's texts may be in.
const FONTS: [&MonoFont<'_>; 9] = [
    &ascii::FONT_4X6,
    &ascii::FONT_5X7,
    &ascii::FONT_5X8,
    &ascii::FONT_6X9,
    &ascii::FONT_6X10,
    &ascii::FONT_6X12,
    &ascii::FONT_6X13,
    &ascii::FONT_7X13_BOLD,
    &ascii::FONT_10X20,
];

/// Whether a picture has a text on it, light on dark or dark on light.
pub fn shows(screen: &Frame, text: &str) -> bool {
    let screen = rows(screen);
    FONTS.iter().any(|font| shows_in(font, &screen, text))
}

fn shows_in(font: &MonoFont<'_>, screen: &[u128; HEIGHT], text: &str) -> bool {
    if text.len() * font.character_size.width as usize > WIDTH {
        return false;
    }
    let mut drawn = Frame::DARK;
    drawn.text_in(font, 0, 0, text);
    let drawn = rows(&drawn);
    // Only the rectangle that holds the ink: what is around a text belongs to others.
    let ink = drawn.iter().fold(0, |ink, row| ink | row);
    let Some(top) = drawn.iter().position(|row| *row != 0) else { return false };
    let bottom = drawn.iter().rposition(|row| *row != 0).unwrap_or(top);
    let left = ink.trailing_zeros();
    let width = u128::BITS - ink.leading_zeros() - left;
    let mask = u128::MAX >> (u128::BITS - width);
    let pattern: Vec<u128> = drawn[top..=bottom].iter().map(|row| row >> left).collect();
    screen.windows(pattern.len()).any(|rows| {
        (0..=u128::BITS - width).any(|x| {
            let differs = |inverted: u128| {
                rows.iter().zip(&pattern).any(|(row, ink)| (row >> x ^ ink ^ inverted) & mask != 0)
            };
            !differs(0) || !differs(u128::MAX)
        })
    })
}

/// The rows of a picture from the top, a bit for each pixel, the lowest one on the left.
fn rows(frame: &Frame) -> [u128; HEIGHT] {
    std::array::from_fn(|y| (0..WIDTH).fold(0, |row, x| row | u128::from(frame.is_lit(x, y)) << x))
}

/// A picture as text, two rows of pixels a line.
pub fn art(screen: &Frame) -> String {
    let mut art = String::new();
    for y in (0..HEIGHT).step_by(2) {
        let pair = |x| half_block(screen.is_lit(x, y), screen.is_lit(x, y + 1));
        let line: String = (0..WIDTH).map(pair).collect();
        art.push_str(line.trim_end());
        art.push('\n');
    }
    art
}

/// The character for two pixels, one above the other.
pub const fn half_block(upper: bool, lower: bool) -> char {
    match (upper, lower) {
        (false, false) => ' ',
        (true, false) => '▀',
        (false, true) => '▄',
        (true, true) => '█',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_firmware::frame::Ink;

    /// A device that shows how often select was pressed, answers lines, and writes down the rest.
    #[derive(Default)]
    struct Toy {
        now: u128,
        presses: usize,
        log: Vec<String>,
        sent: Vec<u8>,
    }

    impl Stage for Toy {
        type Error = &'static str;

        fn key(&mut self, key: Key, down: bool) -> Result<(), Self::Error> {
            self.presses += usize::from(key == Key::Select && down);
            self.log.push(format!("{} {} {down}", self.now, key.name()));
            Ok(())
        }

        fn run_for(&mut self, time: Duration) -> Result<(), Self::Error> {
            self.now += time.as_millis();
            Ok(())
        }

        fn screen(&mut self) -> Result<Frame, Self::Error> {
            let mut frame = Frame::DARK;
            frame.text(3, 7, &format!("pressed {}", self.presses));
            Ok(frame)
        }

        fn send(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
            self.sent.extend_from_slice(b"= ");
            self.sent.extend_from_slice(bytes);
            Ok(())
        }

        fn received(&mut self) -> Result<Vec<u8>, Self::Error> {
            Ok(std::mem::take(&mut self.sent))
        }

        fn restart(&mut self, _: bool) -> Result<(), Self::Error> {
            Err("the switch is stuck")
        }

        fn compare(&mut self, name: &str, _: &Frame) -> Result<Option<String>, Self::Error> {
            Ok((name != "right").then(|| format!("not like {name}")))
        }

        fn keep(&mut self, name: &str, _: &Frame) -> Result<(), Self::Error> {
            self.log.push(format!("{} keep {name}", self.now));
            Ok(())
        }
    }

    fn play(text: &str) -> Result<Toy, String> {
        let mut toy = Toy::default();
        let scenario = Scenario::parse(text).map_err(|fault| fault.to_string())?;
        scenario.run(&mut toy).map_err(|fault| fault.to_string())?;
        Ok(toy)
    }

    fn log(text: &str) -> Vec<String> {
        play(text).expect("it runs to its end").log
    }

    #[test]
    fn keys_are_pressed_and_held_for_their_time() {
        assert_eq!(
            log("press up\n# nothing\n\n  hold select 700\nwait 30\nscreenshot end"),
            ["0 up true", "60 up false", "120 select true", "820 select false", "910 keep end"]
        );
        assert_eq!(log("press left 2").len(), 4);
        assert_eq!(log("push down\nwait 5\nrelease down"), ["0 down true", "5 down false"]);
    }

    #[test]
    fn lines_are_repeated_a_number_of_times_or_until_a_text_shows() {
        assert_eq!(log("repeat 3\npress up\nrepeat 2\npress down\nend\nend").len(), 18);
        assert_eq!(play("until pressed 5\npress select\nend").map(|toy| toy.presses), Ok(5));
    }

    #[test]
    fn what_is_expected_must_be_there_in_time() {
        assert!(play("press select\nexpect pressed 1\nexpect-not pressed 2").is_ok());
        assert!(play("serial name\nserial x\nexpect-serial = name\nexpect-serial x").is_ok());
        assert!(play("expect-screen right").is_ok());

        let fault = play("\nwithin 100\nexpect pressed 1").err().unwrap();
        assert!(fault.starts_with("line 3: no 'pressed 1' on the display:\n"), "{fault}");
        assert!(fault.contains('█'), "{fault}");
        let fault = play("expect-not pressed 0").err().unwrap();
        assert!(fault.starts_with("line 1: 'pressed 0' is on the display"), "{fault}");
        let fault = play("serial a\nexpect-serial a\nexpect-serial a").err().unwrap();
        assert!(fault.starts_with("line 3: no 'a' from the serial port"), "{fault}");
        assert_eq!(play("expect-screen wrong").err().unwrap(), "line 1: not like wrong");
        assert_eq!(play("wait 1\nrestart").err().unwrap(), "line 2: the switch is stuck");
        let fault = play("repeat 2\nwait 1\nexpect nothing\nend").err().unwrap();
        assert!(fault.starts_with("line 3: "), "{fault}");
    }

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
    fn texts_are_found_in_any_font_light_or_dark() {
        let mut frame = Frame::DARK;
        frame.text(100, 50, "small");
        frame.text_in(&ascii::FONT_10X20, 2, 3, "Corvid");
        frame.text_in(&ascii::FONT_6X10, 10, 30, "Yes, qualify");
        frame.fill(0, 29, 128, 12, Ink::Flip);
        for text in ["small", "Corvid", "Yes, qualify", "qual"] {
            assert!(shows(&frame, text), "{text}");
        }
        for text in ["Small", "corvid", "Yes,qualify", "qualifi"] {
            assert!(!shows(&frame, text), "{text}");
        }
        assert!(!shows(&frame, &"long ".repeat(20)));
        assert!(!shows(&frame, " "));
    }
}
