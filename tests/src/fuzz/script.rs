//! Scenario scripts, read and played on a stage of paper.

use std::time::Duration;

use corvid::scenario::{Scenario, Stage};
use corvid_firmware::frame::Frame;
use corvid_firmware::keys::Key;

/// Steps that the stage takes part in before it gives up.
const STEPS: usize = 200;

/// A script that repeats more than this is read, but not played.
const ROUNDS: u64 = 1_000;

pub(super) const WORDS: &[&str] = &[
    "press up\n",
    "press select 3\n",
    "hold select\n",
    "hold down 100\n",
    "push left\n",
    "release left\n",
    "wait 100\n",
    "serial name\n",
    "within 50\n",
    "expect text\n",
    "expect-not text\n",
    "expect-serial Corvid\n",
    "expect-screen start\n",
    "screenshot a\n",
    "until text\n",
    "repeat 3\n",
    "end\n",
    "restart\n",
    "restart new\n",
    "# \n",
    "4294967295",
];

pub(super) fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let scenario = match Scenario::parse(text) {
        Ok(scenario) => scenario,
        Err(fault) => {
            let lines = text.lines().count();
            assert!((1..=lines).contains(&fault.line) && !fault.cause.is_empty(), "{fault}");
            return;
        }
    };
    let repeated = text.lines().filter_map(|line| line.trim().strip_prefix("repeat"));
    let rounds = repeated.map(|times| times.trim().parse().unwrap_or(1));
    let loops = text.lines().filter(|line| line.trim().starts_with("until")).count();
    if loops <= 1 && rounds.fold(1, u64::saturating_mul) <= ROUNDS {
        let _ = scenario.run(&mut Paper { steps: STEPS });
    }
}

/// A device that shows nothing and says its name.
struct Paper {
    steps: usize,
}

impl Paper {
    fn step(&mut self) -> Result<(), &'static str> {
        self.steps = self.steps.checked_sub(1).ok_or("enough")?;
        Ok(())
    }
}

impl Stage for Paper {
    type Error = &'static str;

    fn key(&mut self, _: Key, _: bool) -> Result<(), Self::Error> {
        self.step()
    }

    async fn run_for(&mut self, _: Duration) -> Result<(), Self::Error> {
        self.step()
    }

    fn screen(&mut self) -> Result<Frame, Self::Error> {
        self.step()?;
        Ok(Frame::DARK)
    }

    fn send(&mut self, _: &[u8]) -> Result<(), Self::Error> {
        self.step()
    }

    fn received(&mut self) -> Result<Vec<u8>, Self::Error> {
        self.step()?;
        Ok(b"= Corvid\n\n".to_vec())
    }

    async fn restart(&mut self, _: bool) -> Result<(), Self::Error> {
        self.step()
    }

    fn compare(&mut self, _: &str, _: &Frame) -> Result<Option<String>, Self::Error> {
        self.step()?;
        Ok(None)
    }

    fn keep(&mut self, _: &str, _: &Frame) -> Result<(), Self::Error> {
        self.step()
    }
}
