//! A match, a thinker and a clock that a fuzzed peer is given.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use corvid_core::desk::Desk;
use corvid_core::search::budget::Clock;
use corvid_core::session::{Match, Progress};
use corvid_core::thinker::{Answer, NoAnswer, Task, Thinker, Watch};

/// The microseconds that pass with every look at the clock.
const TICK: u64 = 2_000;

/// A task is stopped after so many looks at the clock: a peer may ask for years of thinking.
const PATIENCE: u32 = 20;

/// After that a task may look so many times more before it ends.
const STOPPED: u32 = 200;

/// A clock that advances by being looked at, and stops a task that takes long.
#[derive(Debug, Default)]
struct Ticking {
    now: Cell<u64>,
    looks: Cell<u32>,
    stop: AtomicBool,
}

impl Clock for Ticking {
    fn micros(&self) -> u64 {
        self.now.set(self.now.get() + TICK);
        self.looks.set(self.looks.get() + 1);
        if self.looks.get() > PATIENCE {
            self.stop.store(true, Ordering::Relaxed);
        }
        assert!(self.looks.get() < PATIENCE + STOPPED, "a task does not stop");
        self.now.get()
    }
}

/// A desk whose tasks end soon and whose answers are checked.
#[derive(Debug)]
pub(super) struct FuzzDesk<'m> {
    pub(super) game: Match,
    thinker: Thinker<'m>,
    clock: Ticking,
}

impl<'m> FuzzDesk<'m> {
    pub(super) fn new(memory: &'m mut [u64]) -> Self {
        let (game, thinker) = (Match::default(), Thinker::new(memory));
        Self { game, thinker, clock: Ticking::default() }
    }

    /// Lets time pass.
    pub(super) fn pass(&self, micros: u64) {
        self.clock.now.set(self.clock.now.get() + micros);
    }
}

impl Desk for FuzzDesk<'_> {
    fn look(&mut self, look: &mut dyn FnMut(&Match)) {
        look(&self.game);
    }

    fn change(&mut self, change: &mut dyn FnMut(&mut Match)) {
        change(&mut self.game);
    }

    fn think(
        &mut self,
        task: &Task,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Answer, NoAnswer> {
        self.clock.looks.set(0);
        self.clock.stop.store(false, Ordering::Relaxed);
        let watch = Watch { clock: &self.clock, stop: &self.clock.stop };
        let answer = self.thinker.think(task, watch, report);
        match &answer {
            Ok(Answer::Move(Some(mv)) | Answer::Solved { best: Some(mv), .. }) => {
                let legal = task.position.get().check(*mv);
                assert!(legal.is_ok(), "{mv:?} is no move of {:?}", task.position);
            }
            Ok(_) => {}
            Err(reason) => super::check_refusal(&(*reason).into()),
        }
        answer
    }

    fn micros(&self) -> u64 {
        self.clock.now.get()
    }

    fn seed(&mut self, seed: u64) {
        self.thinker.seed(seed);
    }

    fn slots(&self) -> usize {
        self.thinker.slots()
    }
}
