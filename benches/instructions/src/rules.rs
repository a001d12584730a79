//! What the rules cost.

use core::hint::black_box;

use corvid_games::game::Game;

use crate::Stopwatch;
use crate::record::Games;

/// Lists the legal moves of every position, and plays every game: so often that the ticks of the core's
/// timer, some dozens of instructions, don't show.
pub(crate) fn time<G: Game>(game: &str, games: &Games<G>, rounds: u64, watch: &mut dyn Stopwatch) {
    watch.time(game, "legal moves of a position", &mut || {
        let mut positions = 0;
        for _ in 0..rounds {
            for position in games.positions() {
                position.for_each_move(|mv| {
                    black_box(mv);
                });
                positions += 1;
            }
        }
        positions
    });
    watch.time(game, "move played", &mut || {
        let mut moves = 0;
        for _ in 0..rounds {
            for plies in games.games() {
                let Some((start, _)) = plies.first() else { continue };
                let mut position = start.clone();
                for (_, mv) in plies {
                    position.play(black_box(*mv));
                    moves += 1;
                }
                black_box(position);
            }
        }
        moves
    });
}
