//! The figures of the search: what `cargo xtask measure` prints and docs/search.md shows.
//!
//! Nodes, instructions and games against an opponent without a clock are the same on every machine;
//! the test `figures` compares them with the page. Seconds, and games against an opponent with a
//! clock, depend on the machine and are only compared with their bars, by the command.

mod adjacency;
mod bars;
mod dots;
mod othello;

use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use corvid::memory::SearchMemory;
use corvid_core::search::Solve;
use corvid_core::search::budget::{Budget, Meter};

use crate::board::Board;
use crate::measure::{INSTRUCTIONS_PER_MS, cputime, processor_time};
use crate::qemu::Lm3s6965evb;

pub use bars::{Bar, Measured, Verdict, documented};

/// Bars that are measured together.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// The rows that it fills.
    pub bars: &'static [Bar],
    /// Takes minutes, so only the command measures it.
    pub is_long: bool,
    measure: fn() -> Result<Vec<Measured>>,
}

impl Figure {
    /// What its rows measure now, in their order.
    pub fn measure(&self) -> Result<Vec<Measured>> {
        let measured = (self.measure)()?;
        ensure!(measured.len() == self.bars.len(), "{}: rows are missing", self.bars[0].what);
        Ok(measured)
    }
}

/// All figures in the order of the page.
pub const FIGURES: [Figure; 12] = [
    dots::SOLVE_3X3,
    dots::SOLVE_3X3_ON_BOARD,
    dots::SOLVE_3X4,
    dots::SOLVE_4X4,
    dots::MATCH,
    adjacency::SOLVE,
    adjacency::MATCH,
    othello::SOLVE_12_ON_BOARD,
    othello::SOLVE_14_ON_BOARD,
    othello::FFORUM_1_19_ON_BOARD,
    othello::FFORUM_20_39,
    othello::FFO_40_44,
];

/// More board time than any position here takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// Nodes and seconds of processor time on this machine to solve a position, whose score is known.
fn solve<G: Solve>(game: &G, slots: usize, score: i16) -> Result<(u64, f64)> {
    let mut memory = SearchMemory::new(slots)?;
    // Memory that nobody has touched yet takes the operating system a while, not the search.
    black_box(&mut *memory).fill(0);
    let mut meter = Meter::new(Budget::UNLIMITED);
    let begun = processor_time();
    let solution = game.solve(&mut memory, &mut meter).context("not solved")?;
    ensure!(solution.score == score, "the score is {score}, not {}", solution.score);
    Ok((meter.nodes(), (processor_time() - begun).as_secs_f64()))
}

/// The LM3S6965 with a game set.
struct OnBoard(Lm3s6965evb);

impl OnBoard {
    fn start(game: &str) -> Result<Self> {
        let mut board = Self(Lm3s6965evb::start()?);
        board.ask(&format!("set_game {game}"))?;
        Ok(board)
    }

    fn ask(&mut self, command: &str) -> Result<String> {
        let answer = self.0.ask(command, PATIENCE)?;
        ensure!(answer.starts_with('='), "{command}: {answer}");
        Ok(answer)
    }

    /// The instructions that it takes to solve a position, whose score is known.
    fn solve(&mut self, position: &str, kilobytes: u32, score: i16) -> Result<u64> {
        self.ask(&format!("position {position}"))?;
        let begun = cputime(&mut self.0)?;
        let answer = self.ask(&format!("solve {kilobytes}"))?;
        let taken = cputime(&mut self.0)? - begun;
        ensure!(answer.starts_with(&format!("= solve score {score} ")), "{position}: {answer}");
        Ok(taken * INSTRUCTIONS_PER_MS)
    }
}

/// Plays a match on all cores: `play(opening, seat)` gives the engine's lead at the end of the game
/// in which it has this seat. The score of each opening, which is played from both seats.
fn play_pairs(pairs: u32, play: impl Fn(u32, usize) -> Result<i16> + Sync) -> Result<Vec<f64>> {
    let next = AtomicU32::new(0);
    let scores = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let worker = || -> Result<()> {
            loop {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if pair >= pairs {
                    return Ok(());
                }
                let points = |lead: i16| f64::from(lead.signum() + 1) / 2.0;
                let score = (points(play(pair, 0)?) + points(play(pair, 1)?)) / 2.0;
                scores.lock().map_err(|_| anyhow!("a game failed"))?.push(score);
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| anyhow!("a game failed"))?)
    })?;
    scores.into_inner().map_err(|_| anyhow!("a game failed"))
}
