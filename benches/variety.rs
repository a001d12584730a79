//! What it costs that levels choose at random among moves of nearly equal value.

use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use corvid::statistics::paired;
use corvid_benches::MEMORY;
use corvid_core::bots::random;
use corvid_core::engine::Engine;
use corvid_core::games::adjacency::Adjacency;
use corvid_core::games::blokus::tuning::Parameters;
use corvid_core::games::blokus::{Blokus, Classic, Duo};
use corvid_core::games::dots::Dots;
use corvid_core::games::othello::Othello;
use corvid_core::mix::{Rng, mix_in};
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::setup::Setup;

/// A game whose search can do without variety.
trait Steady: Engine {
    /// The search's move with no random choice at all.
    fn steady(&self, memory: &mut [u64], meter: &mut Meter<'_>) -> Option<Self::Move>;
}

macro_rules! steady {
    ($($game:ty)+) => {$(
        impl Steady for $game {
            fn steady(&self, memory: &mut [u64], meter: &mut Meter<'_>) -> Option<Self::Move> {
                self.best(memory, meter, &mut Rng::new(0), false, &mut |_| {})
            }
        }
    )+};
}

steady!(Othello Adjacency Dots);

impl<const PLAYERS: usize, const WORDS: usize> Steady for Blokus<PLAYERS, WORDS>
where
    Self: Engine<Move = corvid_core::games::blokus::Move>,
{
    /// Exact budgets vary the priors, too.
    fn steady(&self, memory: &mut [u64], meter: &mut Meter<'_>) -> Option<Self::Move> {
        let parameters = Parameters { variety: [0; 2], ..Self::PARAMETERS };
        self.monte_carlo_with(memory, meter, &mut Rng::new(0), parameters, &mut |_| {})
    }
}

/// Prints the section of docs/strength.md; `games` tells how many of a row's games are played.
pub(crate) fn section(games: impl Fn(u32) -> u32) -> Result<()> {
    println!(
        "## Variety

The cost of letting levels choose at random among moves of nearly equal value: a level's search, without the
level's random moves, against itself without any random choice, with the same nodes. Openings are two
random plies, in Blokus only one, since first pieces vary most; every opening is played once from each
seat, in Classic with two colours each, whose points are added. `-- variety [GAME]` plays it alone.

| game | level | nodes | score with variety | Elo |
|---|---|---|---|---|"
    );
    GameKind::ALL.iter().try_for_each(|kind| rows(kind.name(), &games))
}

/// Prints the rows of a game.
pub(crate) fn rows(game: &str, games: impl Fn(u32) -> u32) -> Result<()> {
    match GameKind::from_name(game).context("no such game")? {
        kind @ GameKind::Othello => row::<Othello>(kind, 7, 2, games(4000)),
        kind @ GameKind::Adjacency => row::<Adjacency>(kind, 7, 2, games(2000)),
        kind @ GameKind::Dots => {
            row::<Dots>(kind, 7, 2, games(4000))?;
            row::<Dots>(kind, 8, 2, games(4000))
        }
        kind @ GameKind::BlokusDuo => {
            row::<Duo>(kind, 7, 1, games(4000))?;
            row::<Duo>(kind, 8, 1, games(4000))
        }
        kind @ GameKind::BlokusClassic => row::<Classic>(kind, 8, 1, games(2000)),
        kind => bail!("no rows for {kind}"),
    }
}

/// Plays a match on all cores and prints it; the result does not depend on how many there are.
fn row<G: Steady>(kind: GameKind, level: usize, opening: u32, games: u32) -> Result<()> {
    let nodes = G::LEVELS[level - 1].nodes.context("a level by time")?;
    let threads = thread::available_parallelism()?.get();
    let scores = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let pairs = (first as u32..games / 2).step_by(threads);
                scope.spawn(move || {
                    pairs.map(|pair| play_pair::<G>(kind, nodes, opening, pair.into())).collect()
                })
            })
            .collect();
        let mut scores = Vec::new();
        for worker in workers {
            let part: Result<Vec<f64>> = worker.join().map_err(|_| anyhow!("a game failed"))?;
            scores.extend(part?);
        }
        anyhow::Ok(scores)
    })?;
    let score = paired(&scores);
    println!("| {kind} | {level} | {nodes} | {score} of {games} | {} |", score.elo_text());
    Ok(())
}

/// The score of variety in an opening, played from both seats.
fn play_pair<G: Steady>(kind: GameKind, nodes: u64, opening: u32, seed: u64) -> Result<f64> {
    let mut score = 0.0;
    for seat in 0..2 {
        let mut game = G::start(Setup::usual(kind).options());
        let mut rng = Rng::new(1000 + seed);
        for _ in 0..opening {
            game.play(random(&game, &mut rng).context("no move")?);
        }
        let mut rng = Rng::new(mix_in(seed, seat));
        let mut memories = [(); 2].map(|()| vec![0; MEMORY * 128]);
        while !game.is_over() {
            let varied = game.turn().index() as u64 % 2 == seat;
            let memory = &mut memories[usize::from(varied)];
            let mut meter = Meter::new(Budget::nodes(nodes));
            let mv = match varied {
                _ if game.count_moves() <= 1 => random(&game, &mut rng),
                true => game.best(memory, &mut meter, &mut rng, true, &mut |_| {}),
                false => game.steady(memory, &mut meter),
            };
            game.play(mv.context("no move")?);
        }
        let lead: i16 = Player::all(G::COLORS.len())
            .map(|player| {
                let score = game.score(player);
                if player.index() as u64 % 2 == seat { score } else { -score }
            })
            .sum();
        score += f64::from(lead.signum() + 1) / 4.0;
    }
    Ok(score)
}
