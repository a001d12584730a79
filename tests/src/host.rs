//! The engine on the machine that runs the tests, to compare boards and the page with.
use corvid_core::{desk::OwnDesk, gtp::Gtp, session::Match, thinker::Thinker};
use corvid_firmware::profile::Profile;

/// A GTP engine with a board's memory.
#[derive(Debug)]
pub struct Host {
    gtp: Gtp,
    desk: OwnDesk<'static>,
}

impl Host {
    /// One with the memory of a board.
    pub fn like(profile: &Profile) -> Self {
        let thinker = Thinker::new(vec![0; profile.slots()].leak());
        Self { gtp: Gtp::new(), desk: OwnDesk::new(Match::default(), thinker, || 0) }
    }

    /// The answer to a line.
    pub fn ask(&mut self, line: &str) -> String {
        let mut answer = String::new();
        self.gtp
            .line(&mut self.desk, line.as_bytes(), &mut answer)
            .expect("a string takes any text");
        answer.trim_end().to_owned()
    }

    /// The match so far.
    pub const fn game(&self) -> &Match {
        &self.desk.game
    }
}
