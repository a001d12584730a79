//! What it costs to work a position out to the end.

use core::hint::black_box;

use corvid_games::game::Game;
use corvid_games::games::blokus::Duo;
use corvid_games::mix::Rng;
use corvid_games::player::Player;
use corvid_games::search::Solve;
use corvid_games::search::budget::{Budget, Meter};
use heapless::Vec;

use crate::Stopwatch;
use crate::record::{GAMES, Games};

/// Positions to solve, one of each game: looking for them is not timed.
type Positions<'g, G> = Vec<&'g G, GAMES>;

/// Solves some positions.
pub(crate) fn time<'g, G: Solve + 'g>(
    game: &str,
    what: &str,
    positions: impl Iterator<Item = &'g G>,
    memory: &mut [u64],
    watch: &mut dyn Stopwatch,
) {
    let positions: Positions<'_, G> = positions.collect();
    memory.fill(0);
    watch.time(game, what, &mut || {
        let mut solved = 0;
        for position in &positions {
            let mut meter = Meter::new(Budget::UNLIMITED);
            let solution = black_box(position.solve(memory, &mut meter));
            assert!(solution.is_some(), "an unlimited budget reaches to the end");
            solved += 1;
        }
        solved
    });
}

/// Works out the ends of Duo at which both players together have at most so many placements left: few
/// enough for the search to try it, and to succeed. Without memory a search that fails leaves it at that,
/// instead of going on with simulations.
pub(crate) fn time_duo(
    game: &str,
    what: &str,
    games: &Games<Duo>,
    most: u32,
    watch: &mut dyn Stopwatch,
) {
    let placements = |position: &Duo| {
        Player::all(Duo::COLORS.len()).map(|player| position.count_placements(player)).sum::<u32>()
    };
    let positions = games.first(|position| placements(position) <= most);
    let positions: Positions<'_, Duo> = positions.collect();
    watch.time(game, what, &mut || {
        let mut solved = 0;
        for position in &positions {
            let (mut meter, mut rng) = (Meter::new(Budget::UNLIMITED), Rng::new(1));
            let mut is_exact = false;
            let best = position.monte_carlo(&mut [], &mut meter, &mut rng, &mut |report| {
                is_exact = report.exact;
            });
            assert!(is_exact && best.is_some(), "so few placements are worked out");
            solved += 1;
        }
        solved
    });
}
