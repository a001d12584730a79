//! Scenarios on emulated boards, from the same files as on the simulator.
use crate::{board::Board, screen::Screen};
use anyhow::{Error, Result};
pub use corvid::scenario::Scenario;
use corvid::scenario::{Stage, UPDATE_GOLDEN};
use corvid_firmware::{frame::Frame, keys::Key};
use std::{env, fs, path::Path, time::Duration};

/// The names of the scenarios in `tests/scenarios/`.
pub fn names() -> Result<Vec<String>> {
    let folder = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios"))?;
    let paths = folder.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths.iter().filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect())
}

/// Plays `tests/scenarios/<name>.txt` on a board.
pub fn play(board: &mut impl Board, name: &str) -> Result<()> {
    play_file(board, &format!("scenarios/{name}.txt"))
}

/// Plays the scenario that leads to every screen of the manual, and compares each with its picture.
pub fn play_screens(board: &mut impl Board) -> Result<()> {
    play_file(board, "../host-sim/src/sim/screens.txt")?;
    if board.profile()?.comforts {
        play_file(board, "../host-sim/src/sim/comforts.txt")?;
    }
    Ok(())
}

fn play_file(board: &mut impl Board, path: &str) -> Result<()> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))?;
    Ok(Scenario::parse(&text)?.run(&mut OnBoard(board))?)
}

/// A board as a stage.
struct OnBoard<'a, B>(&'a mut B);

impl<B: Board> Stage for OnBoard<'_, B> {
    type Error = Error;

    fn key(&mut self, key: Key, down: bool) -> Result<()> {
        if down { self.0.press(key) } else { self.0.release(key) }
    }

    async fn press(&mut self, key: Key, time: Duration, apart: Duration) -> Result<()> {
        self.0.press_for(key, time, apart)
    }

    async fn run_for(&mut self, time: Duration) -> Result<()> {
        self.0.run_for(time)
    }

    fn screen(&mut self) -> Result<Frame> {
        Ok(self.0.screen()?.frame())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.send(bytes)
    }

    fn received(&mut self) -> Result<Vec<u8>> {
        // Line by line, since a board's text is read up to a terminator.
        let mut text = String::new();
        while let Ok(line) = self.0.receive_until("\n", Duration::ZERO) {
            text.push_str(&line);
        }
        Ok(text.into_bytes())
    }

    async fn restart(&mut self, new: bool) -> Result<()> {
        self.0.restart(new)
    }

    fn compare(&mut self, name: &str, frame: &Frame) -> Result<Option<String>> {
        let screen = Screen::from_fn(|x, y| frame.is_lit(x, y));
        if env::var_os(UPDATE_GOLDEN).is_some() {
            return screen.save_golden(name).map(|()| None);
        }
        Ok(screen.check_golden(name).err().map(|difference| format!("{difference:#}")))
    }

    /// The picture must be the manual's, at once or soon.
    fn keep(&mut self, name: &str, _: &Frame) -> Result<()> {
        let board = self.0.name();
        self.0.expect(|screen| screen.check_manual(name, board))
    }
}
