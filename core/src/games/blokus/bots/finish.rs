//! Searches of the last rounds.

use super::after;
use crate::game::Game;
use crate::games::blokus::{Blokus, Move};
use crate::search::budget::Meter;

/// The most positions of an exact finish: about a board second. Beyond, moves are ranked.
pub(super) const NODES: u64 = 3000;

/// The most positions for each move when only one player is looked at.
const NODES_ALONE: u32 = 40;

/// More than any difference of points.
const INFINITE: i16 = 1000;

/// The best finish of two players who both see it, within `depth` plies; `None` when it takes too
/// long.
#[inline(never)]
pub(super) fn optimal<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    depth: u8,
    meter: &mut Meter<'_>,
) -> Option<Move> {
    let mut best = None;
    value(game, depth, -INFINITE, INFINITE, meter, &mut best);
    best.filter(|_| !meter.is_over())
}

/// How many points the player to move will be ahead.
fn value<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    depth: u8,
    alpha: i16,
    beta: i16,
    meter: &mut Meter<'_>,
    best: &mut Option<Move>,
) -> i16 {
    let own = game.turn();
    let ahead = || game.score(own) - game.score(own.other());
    if depth == 0 || !meter.tick() {
        return ahead();
    }
    let mut highest = alpha;
    let mut try_move = |mv| {
        if highest < beta && !meter.is_over() {
            let mut next = *game;
            next.play(mv);
            let value = -value(&next, depth - 1, -beta, -highest, meter, &mut None);
            if value > highest {
                (highest, *best) = (value, Some(mv));
            }
        }
    };
    let mut any = false;
    for size in (1..=5).rev() {
        game.for_each_placement(game.pieces_left(own).of_size(size), &mut |placement| {
            any = true;
            try_move(Move::Place(placement));
        });
    }
    match (any, game.forced_pass()) {
        (false, Some(pass)) => try_move(pass),
        (false, None) => return ahead(),
        _ => {}
    }
    highest
}

/// The most squares that the player to move could still cover if nobody else moved, as far as a
/// short search sees.
pub(super) fn alone<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    meter: &mut Meter<'_>,
) -> i16 {
    covered(game, &mut Alone { meter, left: NODES_ALONE, is_over: false })
}

/// A part of a budget.
struct Alone<'a, 'b> {
    meter: &'a mut Meter<'b>,
    left: u32,
    is_over: bool,
}

impl Alone<'_, '_> {
    fn tick(&mut self) -> bool {
        self.is_over |= self.left == 0 || !self.meter.tick();
        self.left = self.left.saturating_sub(1);
        !self.is_over
    }
}

fn covered<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    alone: &mut Alone<'_, '_>,
) -> i16 {
    let player = game.turn();
    let left = game.pieces_left(player);
    let mut most = 0;
    if !alone.tick() {
        return most;
    }
    for size in (1..=5).rev() {
        game.for_each_placement(left.of_size(size), &mut |placement| {
            // All pieces placed is as good as it gets.
            if most < left.squares() && !alone.is_over {
                let next = after(game, placement).with_turn(player);
                most = most.max(i16::from(size) + covered(&next, alone));
            }
        });
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::random;
    use crate::games::blokus::Duo;
    use crate::mix::Rng;
    use crate::search::budget::Budget;

    /// The same by trying everything.
    fn minimax(game: &Duo) -> i16 {
        let own = game.turn();
        let mut best = None;
        game.for_each_move(|mv| {
            let mut next = *game;
            next.play(mv);
            best = best.max(Some(-minimax(&next)));
        });
        best.unwrap_or(game.score(own) - game.score(own.other()))
    }

    #[test]
    fn the_finish_is_optimal() {
        let mut solved = 0;
        for seed in 0..30 {
            let mut rng = Rng::new(seed);
            let mut game = Duo::default();
            // Until few placements are left to both.
            while let Some(mv) = random(&game, &mut rng) {
                let left = |player| game.count_placements(player);
                if left(game.turn()) + left(game.turn().other()) < 14 {
                    break;
                }
                game.play(mv);
            }
            let mut meter = Meter::new(Budget::nodes(20_000));
            if let Some(mv) = optimal(&game, u8::MAX, &mut meter) {
                let expected = minimax(&game);
                game.play(mv);
                assert_eq!(-minimax(&game), expected, "seed {seed}");
                solved += 1;
            }
        }
        assert!(solved > 20, "{solved}");
    }

    #[test]
    fn alone_everything_fits_on_an_empty_board() {
        let mut game = Duo::default();
        game.play(random(&game, &mut Rng::new(1)).unwrap());
        let game = game.with_turn(crate::player::Player::FIRST);
        let left = game.pieces_left(game.turn()).squares();
        let covered = alone(&game, &mut Meter::new(Budget::UNLIMITED));
        assert!(covered > left / 2, "{covered} of {left}");
    }
}
