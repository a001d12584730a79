//! A board and the same application on the host, side by side: the same keys must give the same
//! screens.
use crate::{
    board::{Board, Press},
    device::{Desk, SEED},
};
use anyhow::{Context, Result, ensure};
use std::time::Duration;

/// Longer than a board takes to answer on its serial port after its start.
const START: Duration = Duration::from_secs(2);

/// A board, and what it should show.
#[derive(Debug)]
pub struct Twin<'a, B> {
    /// The board.
    pub board: &'a mut B,
    /// The host's.
    pub desk: Desk,
}

impl<'a, B: Board> Twin<'a, B> {
    /// A board that has just started, with its twin.
    pub fn new(board: &'a mut B) -> Result<Self> {
        let seeded = board.ask(&format!("set_random_seed {SEED}"), START)?;
        ensure!(seeded == "=", "{seeded}");
        let profile = board.profile()?;
        Ok(Self { board, desk: Desk::of(&profile) })
    }

    /// Presses keys on both, and compares the screens afterwards.
    pub fn press(&mut self, presses: &[Press]) -> Result<()> {
        self.desk.press(presses);
        self.follow(presses)
    }

    /// Presses keys on the board alone, and compares its screen then.
    fn follow(&mut self, presses: &[Press]) -> Result<()> {
        presses.iter().try_for_each(|press| self.board.enter(*press))?;
        self.check().with_context(|| format!("after {presses:?}"))
    }

    /// Plays a move on both by keys, lets both think, and compares the screens.
    pub fn play(&mut self, text: &str) -> Result<()> {
        let keys = self.desk.play(text)?;
        self.desk.settle();
        self.follow(&keys).with_context(|| format!("the move {text}"))
    }

    /// Lets the board run until its screen is the twin's.
    pub fn check(&mut self) -> Result<()> {
        let expected = self.desk.screen();
        self.board.expect(|screen| screen.check(&expected))
    }
}
