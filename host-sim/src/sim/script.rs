//! The simulator without a terminal: a scenario on a simulated device, in its own time.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use corvid::device_time;
use corvid::scenario::{Scenario, Stage, UPDATE_GOLDEN, art};
use corvid_firmware::frame::Frame;
use corvid_firmware::keys::Key;

use super::machine::{Machine, Plan};
use super::picture;
use crate::failure::Failure;

/// How often a moving picture is taken.
const SHUTTER_MICROS: u64 = 40_000;

/// What a run leaves behind.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    /// The last picture.
    pub(crate) screenshot: Option<PathBuf>,
    /// All of them.
    pub(crate) animation: Option<PathBuf>,
    /// Where pictures go that a script asks for.
    pub(crate) pictures: PathBuf,
    /// Where golden pictures are.
    pub(crate) golden: PathBuf,
}

/// Runs a scenario. What it is to leave behind is also left when it fails.
pub(crate) fn run(
    plan: Plan,
    scenario: &Scenario,
    name: &str,
    outputs: Outputs,
) -> Result<(), Failure> {
    let machine = Machine::start(plan);
    let mut stage = Simulated { machine, outputs, shown: Vec::new() };
    let played = scenario.run(&mut stage);
    stage.finish()?;
    played.map_err(|fault| Failure::Other(format!("{name}: {fault}")))
}

/// A simulated device as a stage.
struct Simulated {
    machine: Machine,
    outputs: Outputs,
    /// For the moving picture: what was shown, and from when on.
    shown: Vec<(Duration, Frame)>,
}

impl Simulated {
    fn time(&self) -> Duration {
        Duration::from_micros(device_time::micros())
    }

    /// Adds to the moving picture if something has changed.
    fn film(&mut self) {
        let frame = self.machine.glass.frame();
        if self.shown.last().is_none_or(|(_, last)| *last != *frame) {
            let picture = (self.time(), frame.clone());
            drop(frame);
            self.shown.push(picture);
        }
    }

    fn finish(mut self) -> Result<(), Failure> {
        if let Some(path) = &self.outputs.screenshot {
            picture::save(path, &self.machine.glass.frame())?;
        }
        if let Some(path) = self.outputs.animation.take() {
            self.film();
            picture::save_moving(&path, &self.shown, self.time() + Duration::from_secs(2))?;
        }
        Ok(())
    }
}

impl Stage for Simulated {
    type Error = String;

    fn key(&mut self, key: Key, down: bool) -> Result<(), String> {
        self.machine.keys.set(key, down);
        Ok(())
    }

    fn run_for(&mut self, time: Duration) -> Result<(), String> {
        let mut now = device_time::micros();
        let end = now + time.as_micros() as u64;
        while now < end {
            now =
                if self.outputs.animation.is_some() { end.min(now + SHUTTER_MICROS) } else { end };
            self.machine.run_until(now)?;
            if self.outputs.animation.is_some() {
                self.film();
            }
        }
        Ok(())
    }

    fn screen(&mut self) -> Result<Frame, String> {
        Ok(self.machine.glass.frame().clone())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.machine.cable.send(bytes);
        Ok(())
    }

    fn received(&mut self) -> Result<Vec<u8>, String> {
        Ok(self.machine.cable.receive())
    }

    fn restart(&mut self, new: bool) -> Result<(), String> {
        self.machine.restart(new);
        Ok(())
    }

    fn compare(&mut self, name: &str, screen: &Frame) -> Result<Option<String>, String> {
        let path = file(&self.outputs.golden, name)?;
        if env::var_os(UPDATE_GOLDEN).is_some() {
            return picture::save_golden(&path, screen)
                .map(|()| None)
                .map_err(|error| error.to_string());
        }
        let golden = picture::read_golden(&path)
            .map_err(|error| format!("{error}; {UPDATE_GOLDEN}=1 makes golden pictures"))?;
        let differs = golden != *screen;
        Ok(differs
            .then(|| format!("the display is not {}; it shows\n{}", path.display(), art(screen))))
    }

    fn keep(&mut self, name: &str, screen: &Frame) -> Result<(), String> {
        let path = file(&self.outputs.pictures, name)?;
        picture::save(&path, screen).map_err(|error| error.to_string())
    }
}

/// The file of a picture in a folder, which is made if need be.
fn file(folder: &Path, name: &str) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| format!("folder {}: {error}", folder.display()))?;
    Ok(folder.join(format!("{}.png", name.trim_end_matches(".png"))))
}
