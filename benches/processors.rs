//! What a second processor is worth: a search that has one against the same search without, with equal
//! time. A second thread of this computer stands for it, so a game is played at a time, and the computer
//! should have nothing else to do.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use corvid_core::bots::random;
use corvid_core::engine::Engine;
use corvid_core::games::adjacency::Adjacency;
use corvid_core::games::blokus::Duo;
use corvid_core::games::dots::Dots;
use corvid_core::games::othello::Othello;
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::search::helper::Helper;
use corvid_core::setup::Setup;
use corvid_firmware::profile::PICO2;

use super::Match;

/// For a move. A PC does in it about what a Pico 2 does in a second.
const TIME: Duration = Duration::from_millis(10);

/// Another thread, in place of another processor.
#[derive(Debug)]
struct Thread;

impl Helper for Thread {
    fn join(&self, theirs: &mut (dyn FnMut() + Send), own: &mut dyn FnMut()) {
        thread::scope(|scope| {
            scope.spawn(theirs);
            own();
        });
    }
}

/// Prints the table; `games` tells how many of a row's games are played.
pub(crate) fn section(games: impl Fn(u32) -> u32) -> Result<()> {
    println!(
        "## Two processors

A search with a second processor against the same search without, {} ms a move on a computer with two cores,
each in the Pico 2's {} KB. Openings are random, and every one is played once from each seat.

| game | score with two processors | Elo | lead |
|---|---|---|---|",
        TIME.as_millis(),
        PICO2.memory_kb
    );
    row::<Othello>(GameKind::Othello, 8, games(200))?;
    row::<Adjacency>(GameKind::Adjacency, 6, games(100))?;
    row::<Dots>(GameKind::Dots, 6, games(200))?;
    row::<Duo>(GameKind::BlokusDuo, 2, games(200))
}

fn row<G: Engine>(kind: GameKind, opening: usize, games: u32) -> Result<()> {
    let mut result = Match::default();
    for pair in 0..games / 2 {
        let [first, second] =
            [Player::FIRST, Player::SECOND].map(|seat| lead::<G>(kind, opening, pair, seat));
        result.add([first?, second?]);
    }
    println!("| {kind} | {result} |");
    Ok(())
}

/// What the player with two processors is ahead by at the end of a game.
fn lead<G: Engine>(kind: GameKind, opening: usize, pair: u32, seat: Player) -> Result<i16> {
    let mut game = G::start(Setup::usual(kind).options());
    let mut rng = Rng::new(1000 + u64::from(pair));
    for _ in 0..opening {
        game.play(random(&game, &mut rng).context("no move")?);
    }
    let mut memories = [0, 1].map(|_| vec![0; PICO2.slots()]);
    while !game.is_over() {
        let own = game.turn() == seat;
        let begun = Instant::now();
        let clock = || begun.elapsed().as_micros() as u64;
        let budget = Budget {
            time: Some((&clock, TIME.as_micros() as u64)),
            helper: if own { Some(&Thread) } else { None },
            ..Budget::UNLIMITED
        };
        let memory = &mut memories[usize::from(own)];
        let mv = game
            .best(memory, &mut Meter::new(budget), &mut rng, false, &mut |_| {})
            .context("no move")?;
        ensure!(game.check(mv).is_ok(), "an illegal move: {mv:?}");
        game.play(mv);
    }
    Ok(game.score(seat) - game.score(seat.other()))
}
