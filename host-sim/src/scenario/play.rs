//! Plays a scenario, step by step.

use std::env;
use std::fmt::Display;
use std::time::Duration;

use corvid_firmware::frame::Frame;
use corvid_firmware::keys::Key;

use super::{Action, Fault, Stage, Step, UPDATE_GOLDEN};
use crate::reading::{art, shows};

/// How long a person presses a key, and the pause before the next press.
const PRESSED: Duration = Duration::from_millis(60);

/// The initial timeout of expectations.
const PATIENCE: Duration = Duration::from_secs(2);

/// The polling interval of the display and the serial port.
const LOOK: Duration = Duration::from_millis(20);

/// The maximum number of rounds of an `until`: no game takes as many.
const ROUNDS: u32 = 1000;

/// Plays steps in their order.
pub(super) async fn all<S: Stage>(steps: &[Step], stage: &mut S) -> Result<(), Fault> {
    Run { stage, patience: PATIENCE, heard: String::new() }.all(steps).await
}

/// A running scenario.
struct Run<'a, S> {
    stage: &'a mut S,
    patience: Duration,
    /// What the serial port has sent and was not expected yet.
    heard: String,
}

impl<S: Stage> Run<'_, S> {
    async fn all(&mut self, steps: &[Step]) -> Result<(), Fault> {
        for step in steps {
            let line = step.line;
            match &step.action {
                Action::Until(text, steps) => Box::pin(self.until(line, text, steps)).await?,
                Action::Repeat(times, steps) => {
                    for _ in 0..*times {
                        Box::pin(self.all(steps)).await?;
                    }
                }
                action => self.one(action).await.map_err(|cause| Fault { line, cause })?,
            }
        }
        Ok(())
    }

    async fn until(&mut self, line: usize, text: &str, steps: &[Step]) -> Result<(), Fault> {
        let fault = |cause| Fault { line, cause };
        for _ in 0..ROUNDS {
            if shows(&self.screen().map_err(fault)?, text) {
                return Ok(());
            }
            self.all(steps).await?;
        }
        let art = art(&self.screen().map_err(fault)?);
        Err(fault(format!("no '{text}' in {ROUNDS} rounds; the display shows\n{art}")))
    }

    async fn one(&mut self, action: &Action) -> Result<(), String> {
        match action {
            Action::Press(key, times) => {
                for _ in 0..*times {
                    self.press(*key, PRESSED).await?;
                }
                Ok(())
            }
            Action::Hold(key, time) => self.press(*key, *time).await,
            Action::Key(key, down) => self.stage.key(*key, *down).map_err(said),
            Action::Wait(time) => self.stage.run_for(*time).await.map_err(said),
            Action::Serial(line) => self.stage.send(format!("{line}\n").as_bytes()).map_err(said),
            Action::Within(time) => {
                self.patience = *time;
                Ok(())
            }
            Action::Expect(text) => {
                // An unchanged display need not be searched again.
                let mut last = None;
                let found = self
                    .patiently(|run| {
                        let screen = run.screen()?;
                        let found = last.as_ref() != Some(&screen) && shows(&screen, text);
                        last = Some(screen);
                        Ok((!found).then(String::new))
                    })
                    .await?;
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
                let heard = self
                    .patiently(|run| {
                        let bytes = run.stage.received().map_err(said)?;
                        run.heard.push_str(&String::from_utf8_lossy(&bytes));
                        let Some(at) = run.heard.find(text) else {
                            return Ok(Some(run.heard.clone()));
                        };
                        run.heard.drain(..at + text.len());
                        Ok(None)
                    })
                    .await?;
                let Some(heard) = heard else { return Ok(()) };
                let art = art(&self.screen()?);
                Err(format!(
                    "no '{text}' from the serial port, which sent {heard:?}; the display shows\n{art}"
                ))
            }
            Action::ExpectScreen(name) => {
                if env::var_os(UPDATE_GOLDEN).is_some() {
                    self.stage.run_for(self.patience).await.map_err(said)?;
                }
                let difference = self
                    .patiently(|run| {
                        let screen = run.screen()?;
                        run.stage.compare(name, &screen).map_err(said)
                    })
                    .await?;
                difference.map_or(Ok(()), Err)
            }
            Action::Screenshot(name) => {
                let screen = self.screen()?;
                self.stage.keep(name, &screen).map_err(said)
            }
            Action::Restart { new } => {
                self.heard.clear();
                self.stage.restart(*new).await.map_err(said)
            }
            Action::Until(..) | Action::Repeat(..) => Ok(()),
        }
    }

    async fn press(&mut self, key: Key, time: Duration) -> Result<(), String> {
        self.stage.press(key, time, PRESSED).await.map_err(said)
    }

    fn screen(&mut self) -> Result<Frame, String> {
        self.stage.screen().map_err(said)
    }

    /// Polls until nothing is amiss; returns what was amiss at the last poll.
    async fn patiently(
        &mut self,
        mut amiss: impl FnMut(&mut Self) -> Result<Option<String>, String>,
    ) -> Result<Option<String>, String> {
        let mut waited = Duration::ZERO;
        loop {
            let seen = amiss(self)?;
            if seen.is_none() || waited >= self.patience {
                return Ok(seen);
            }
            self.stage.run_for(LOOK).await.map_err(said)?;
            waited += LOOK;
        }
    }
}

fn said(error: impl Display) -> String {
    format!("{error:#}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    /// A device that shows how often select was pressed, answers lines, and logs the rest.
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

        async fn run_for(&mut self, time: Duration) -> Result<(), Self::Error> {
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

        async fn restart(&mut self, _: bool) -> Result<(), Self::Error> {
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
}
