//! A scenario on a simulated device, in the device's own time.

use std::cell::RefCell;
use std::error::Error;
use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use std::{env, fmt, fs};

use corvid_firmware::frame::Frame;
use corvid_firmware::keys::Key;

use crate::clock;
use crate::flash::Flash;
use crate::machine::{Machine, Next, Plan, World};
use crate::parts::Parts;
use crate::picture::{self, PictureError};
use crate::reading::art;
use crate::scenario::{Fault, Scenario, Stage, UPDATE_GOLDEN};

/// The frame interval of an animation.
const SHUTTER_MICROS: u64 = 40_000;

/// The files that a run writes.
#[derive(Debug, Default)]
pub struct Outputs {
    /// The last picture.
    pub screenshot: Option<PathBuf>,
    /// All of them.
    pub animation: Option<PathBuf>,
    /// The folder for pictures that a script takes.
    pub pictures: PathBuf,
    /// Where golden pictures are.
    pub golden: PathBuf,
}

/// Why a run has failed.
#[derive(Debug)]
pub enum ScriptError {
    /// A step of the scenario.
    Fault(Fault),
    /// A file of the run can't be written.
    Picture(PictureError),
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Picture(error) => error.fmt(f),
        }
    }
}

impl Error for ScriptError {}

/// Runs a scenario on a new machine. Its files are written even if it fails.
pub fn run(plan: Plan, scenario: Scenario, outputs: Outputs) -> Result<(), ScriptError> {
    let machine = Machine::new(plan);
    let wish = Rc::new(RefCell::new(None));
    let parts = machine.parts().clone();
    let mut stage = Simulated { parts, wish: wish.clone(), outputs, shown: Vec::new() };
    let play = Box::pin(async move {
        let played = scenario.play(&mut stage).await;
        stage.finish().map_err(ScriptError::Picture)?;
        played.map_err(ScriptError::Fault)
    });
    machine.run(Script { play, wish, played: Ok(()) }).played
}

/// What a scenario waits for, from the stage to the world.
type Wish = Rc<RefCell<Option<Next>>>;

/// A scenario as a world: it continues whenever its wish has been fulfilled.
struct Script {
    play: Pin<Box<dyn Future<Output = Result<(), ScriptError>>>>,
    wish: Wish,
    played: Result<(), ScriptError>,
}

impl World for Script {
    fn moment(&mut self, _: u64, _: &Parts) -> Next {
        match self.play.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Pending => self.wish.take().unwrap_or(Next::Off),
            Poll::Ready(played) => {
                self.played = played;
                Next::Off
            }
        }
    }
}

/// A simulated device as a stage.
struct Simulated {
    parts: Parts,
    wish: Wish,
    outputs: Outputs,
    /// For the animation: what was shown, and from when on.
    shown: Vec<(Duration, Frame)>,
}

impl Simulated {
    /// Lets the device run until the world is called again.
    async fn until(&self, next: Next) {
        let mut next = Some(next);
        poll_fn(|_| match next.take() {
            Some(next) => {
                self.wish.replace(Some(next));
                Poll::Pending
            }
            None => Poll::Ready(()),
        })
        .await;
    }

    fn time(&self) -> Duration {
        Duration::from_micros(clock::micros())
    }

    /// Adds a frame to the animation if something has changed. It begins when the display lights up, since
    /// the first frame is all that some programs show.
    fn film(&mut self) {
        let frame = self.parts.glass.frame();
        let last = self.shown.last().map_or(&Frame::DARK, |(_, last)| last);
        if *last != *frame {
            let picture = (self.time(), frame.clone());
            drop(frame);
            self.shown.push(picture);
        }
    }

    fn finish(&mut self) -> Result<(), PictureError> {
        if let Some(path) = &self.outputs.screenshot {
            picture::save(path, &self.parts.glass.frame())?;
        }
        if let Some(path) = self.outputs.animation.take() {
            self.film();
            if self.shown.is_empty() {
                self.shown.push((self.time(), Frame::DARK));
            }
            picture::save_moving(&path, &self.shown, self.time() + Duration::from_secs(2))?;
        }
        Ok(())
    }
}

impl Stage for Simulated {
    type Error = String;

    fn key(&mut self, key: Key, down: bool) -> Result<(), String> {
        self.parts.keys.set(key, down);
        Ok(())
    }

    async fn run_for(&mut self, time: Duration) -> Result<(), String> {
        let mut now = clock::micros();
        let end = now + time.as_micros() as u64;
        while now < end {
            now =
                if self.outputs.animation.is_some() { end.min(now + SHUTTER_MICROS) } else { end };
            self.until(Next::At(now)).await;
            if self.outputs.animation.is_some() {
                self.film();
            }
        }
        Ok(())
    }

    fn screen(&mut self) -> Result<Frame, String> {
        Ok(self.parts.glass.frame().clone())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.parts.cable.send(bytes);
        Ok(())
    }

    fn received(&mut self) -> Result<Vec<u8>, String> {
        Ok(self.parts.cable.receive())
    }

    async fn restart(&mut self, new: bool) -> Result<(), String> {
        self.until(if new { Next::Replace(Flash::new()) } else { Next::Restart }).await;
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

/// The file of a picture in a folder, which is created if necessary.
fn file(folder: &Path, name: &str) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| format!("folder {}: {error}", folder.display()))?;
    Ok(folder.join(format!("{}.png", name.trim_end_matches(".png"))))
}
