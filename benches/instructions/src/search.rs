//! What a node of a search costs: everything around it included.

use core::hint::black_box;
use core::sync::atomic::{AtomicBool, Ordering};

use corvid_games::games::blokus::Blokus;
use corvid_games::games::dots::{Dots, Size};
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

/// Lines drawn of a hundred before a board of Dots and Boxes is searched: those of [`AFTER`] on 5x5.
const DRAWN: [usize; 3] = [7, 20, 34];

/// Searches a board of Dots and Boxes of another size.
pub(crate) fn time_size(game: &str, size: Size, memory: &mut [u64], watch: &mut dyn Stopwatch) {
    let games = Games::of(&Dots::new(size));
    let after = DRAWN.map(|percent| usize::from(size.lines()) * percent / 100);
    watch.time(game, "node", &mut || {
        let mut nodes = 0;
        for position in games.after(after) {
            let mut meter = Meter::new(Budget::nodes(NODES));
            black_box(position.think(memory, &mut meter, &mut |_| {}));
            nodes += meter.nodes();
        }
        nodes
    });
}

/// Plies after which depths are compared: in the middle of a game, far from its end.
const MIDDLE: usize = 20;
/// More nodes than any of these depths takes, and fewer than the end.
const NEVER: u64 = 1 << 32;

/// Searches that look so many plies ahead: what it takes until that iteration is finished, those before it
/// included.
pub(crate) fn time_depths<G: Think>(
    game: &str,
    games: &Games<G>,
    depths: &[(&str, u8)],
    memory: &mut [u64],
    watch: &mut dyn Stopwatch,
) {
    for (what, depth) in depths {
        memory.fill(0);
        watch.time(game, what, &mut || {
            let mut searches = 0;
            for position in games.after([MIDDLE]) {
                let stop = AtomicBool::new(false);
                let mut meter = Meter::new(Budget { stop: Some(&stop), ..Budget::nodes(NEVER) });
                let mut reached = 0;
                black_box(position.think(memory, &mut meter, &mut |report| {
                    reached = report.depth;
                    stop.store(reached >= *depth, Ordering::Relaxed);
                }));
                assert_eq!(reached, *depth, "one iteration after the other");
                searches += 1;
            }
            searches
        });
    }
}

/// What a simulation costs in a search by a tree of them.
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
