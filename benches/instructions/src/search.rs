//! What a node of a search costs: everything around it included.

use core::hint::black_box;

use corvid_games::games::blokus::Blokus;
use corvid_games::mix::Rng;
use corvid_games::search::Think;
use corvid_games::search::budget::{Budget, Meter};

use crate::Stopwatch;
use crate::record::Games;

/// Plies after which is searched: early, in the middle, and before the end is in sight.
const AFTER: [usize; 3] = [4, 12, 20];
const NODES: u64 = 10_000;

/// The same for simulations. The games have fewer plies, and a simulation costs as much as dozens of nodes.
const SIMULATED_AFTER: [usize; 3] = [4, 8, 12];
const SIMULATIONS: u64 = 100;

/// A search that ends at once has made its preparations.
const START: &str = "start of a search";
const AT_ONCE: u64 = 1;

/// Searches for moves.
pub(crate) fn time<G: Think>(
    game: &str,
    games: &Games<G>,
    memory: &mut [u64],
    watch: &mut dyn Stopwatch,
) {
    let mut search = |budget| {
        let (mut searches, mut nodes) = (0, 0);
        for position in games.after(AFTER) {
            let mut meter = Meter::new(Budget::nodes(budget));
            black_box(position.think(memory, &mut meter, &mut |_| {}));
            searches += 1;
            nodes += meter.nodes();
        }
        (searches, nodes)
    };
    watch.time(game, START, &mut || search(AT_ONCE).0);
    watch.time(game, "node", &mut || search(NODES).1);
}

/// The same in a tree of simulations.
pub(crate) fn time_simulations<const PLAYERS: usize, const WORDS: usize>(
    game: &str,
    games: &Games<Blokus<PLAYERS, WORDS>>,
    memory: &mut [u64],
    watch: &mut dyn Stopwatch,
) {
    let mut search = |budget| {
        let (mut searches, mut simulations) = (0, 0);
        for position in games.after(SIMULATED_AFTER) {
            let (mut meter, mut rng) = (Meter::new(Budget::nodes(budget)), Rng::new(1));
            black_box(position.monte_carlo(memory, &mut meter, &mut rng, &mut |_| {}));
            searches += 1;
            simulations += meter.nodes();
        }
        (searches, simulations)
    };
    watch.time(game, START, &mut || search(AT_ONCE).0);
    watch.time(game, "simulation", &mut || search(SIMULATIONS).1);
}
