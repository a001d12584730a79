//! What it costs to judge a position without looking ahead.

use core::hint::black_box;

use corvid_games::game::Game;
use corvid_games::games::adjacency::{self, Adjacency};
use corvid_games::games::blokus::{self, Blokus};
use corvid_games::games::dots::Dots;
use corvid_games::games::othello::Othello;
#[cfg(feature = "large")]
use corvid_games::games::othello::tuning::Large as Layout;
#[cfg(not(feature = "large"))]
use corvid_games::games::othello::tuning::Small as Layout;
use corvid_games::games::othello::tuning::{Evaluate, Weighted, Weights, blend_into};
use corvid_games::search::budget::{Budget, Meter};

use crate::Stopwatch;
use crate::record::Games;

/// Empty squares of the positions that Othello's weights are blended for.
const EMPTY: u32 = 30;

/// Lines after which Dots is judged, so many that no board would try to work it out to the end.
const OPENING: usize = 6;
/// Lines drawn in the playouts from there.
const LINES: u64 = 4_000;

/// Judges every position of every game.
fn time<G: Game>(game: &str, games: &Games<G>, watch: &mut dyn Stopwatch, judge: impl Fn(&G)) {
    watch.time(game, "evaluation", &mut || {
        let mut positions = 0;
        for position in games.positions() {
            judge(black_box(position));
            positions += 1;
        }
        positions
    });
}

/// Patterns, with the numbers of all of them worked out anew: a search keeps them up move by move.
pub(crate) fn time_othello(game: &str, games: &Games<Othello>, watch: &mut dyn Stopwatch) {
    let mut blended = [0; Layout::BLENDED];
    blend_into::<Layout>(&mut blended, Layout::learnt(), EMPTY);
    #[cfg(feature = "large")]
    let weights = Weights::Large(&blended);
    #[cfg(not(feature = "large"))]
    let weights = Weights::Small(&blended);
    time(game, games, watch, |position| {
        let [own, opponent] = [position.turn(), position.turn().other()];
        black_box(weights.evaluate(position.discs(own), position.discs(opponent)));
    });
}

/// Marks and stakes.
pub(crate) fn time_adjacency(game: &str, games: &Games<Adjacency>, watch: &mut dyn Stopwatch) {
    time(game, games, watch, |position| {
        black_box(adjacency::tuning::evaluate(position));
    });
}

/// Playouts of safe lines.
pub(crate) fn time_dots(game: &str, games: &Games<Dots>, watch: &mut dyn Stopwatch) {
    watch.time(game, "line of a playout", &mut || {
        let mut lines = 0;
        for position in games.after([OPENING]) {
            let mut meter = Meter::new(Budget::nodes(LINES));
            black_box(position.appraise(&mut [], &mut meter));
            lines += meter.nodes();
        }
        lines
    });
}

/// Everything that the chance of winning is judged by.
pub(crate) fn time_blokus<const PLAYERS: usize, const WORDS: usize>(
    game: &str,
    games: &Games<Blokus<PLAYERS, WORDS>>,
    watch: &mut dyn Stopwatch,
) {
    time(game, games, watch, |position| {
        black_box(blokus::tuning::measures(position));
    });
}
