//! Adjacency: solving the last squares, and a match.

use std::time::Duration;

use anyhow::{Context, Result};
use corvid::statistics::paired;
use corvid_core::bots::random;
use corvid_core::game::Game;
use corvid_core::games::adjacency::Adjacency;
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::search::{Solve, Think};
use corvid_firmware::profile::LM3S6965EVB;

use super::Measured::{Nodes, Percent};
use super::{Bar, Figure, Measured, play_pairs};
use crate::opponents::adjacency::Minimax;

pub(super) const SOLVE: Figure = Figure {
    bars: &[Bar {
        what: "Adjacency, 12 empty squares exactly, 2,048 entries, mean of 200 random positions",
        must: Some(Nodes(131_000)),
        aim: Some(Nodes(60_000)),
    }],
    is_long: false,
    measure: || {
        let (mut rng, positions, mut nodes) = (Rng::new(4), 200, 0);
        for _ in 0..positions {
            let mut game = Adjacency::default();
            while game.plies_left() > 12 {
                game.play(random(&game, &mut rng).context("no move")?);
            }
            let mut meter = Meter::new(Budget::UNLIMITED);
            game.solve(&mut [0; 2048], &mut meter).context("not solved")?;
            nodes += meter.nodes();
        }
        Ok(vec![Nodes(nodes / positions)])
    },
};

/// Nodes of the engine and time of its opponent for a move of the match.
const MATCH_NODES: u64 = 20_000;
const MATCH_TIME: Duration = Duration::from_secs(5);
const MATCH_PAIRS: u32 = 10;
/// Random plies before the match.
const OPENING: u32 = 4;

pub(super) const MATCH: Figure = Figure {
    bars: &[Bar {
        what: "Adjacency, 20,000 nodes a move, 32 KB, against minimax with a 64 MB table and 5 s of \
               processor time a move",
        must: Some(Percent(95.0)),
        aim: Some(Percent(100.0)),
    }],
    is_long: true,
    measure: || {
        let pairs = play_pairs(MATCH_PAIRS, play)?;
        Ok(vec![Measured::Score(paired(&pairs), 2 * MATCH_PAIRS)])
    },
};

/// A game against minimax; the engine's lead at its end.
fn play(seed: u32, engine: usize) -> Result<i16> {
    let mut rng = Rng::new(seed.into());
    let mut opponent = Minimax::default();
    let mut memory = vec![0; LM3S6965EVB.slots()];
    let mut game = Adjacency::default();
    for ply in 0.. {
        if game.is_over() {
            break;
        }
        let mv = if ply < OPENING {
            random(&game, &mut rng)
        } else if game.turn().index() == engine {
            game.think(&mut memory, &mut Meter::new(Budget::nodes(MATCH_NODES)), &mut |_| {})
        } else {
            opponent.choose(&game, MATCH_TIME)
        };
        game.play(mv.context("no move")?);
    }
    let lead = game.score(Player::FIRST) - game.score(Player::SECOND);
    Ok(if engine == 0 { lead } else { -lead })
}
