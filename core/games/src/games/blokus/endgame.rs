//! Solves Blokus Duo exactly when few placements are left.

use heapless::Vec;

use super::pieces::Orientation;
use super::{Blokus, Move, Placement};
use crate::game::Game;
use crate::player::Player;
use crate::search::budget::Meter;
use crate::sort::sort;

/// With more placements of both players than this, no exact search is tried.
pub(super) const MOST: u32 = 48;

/// It may use one part in so many of the budget: if it fails, the rest is for simulations.
const SHARE: u64 = 3;

/// Larger than any lead.
const INFINITE: i16 = 1000;

/// Moves and passes to the end, at most, so that the stack suffices. So few placements rarely last for
/// half as many.
const LEVELS: u8 = 24;

struct Endgame<'a, 'b> {
    meter: &'a mut Meter<'b>,
    level: u8,
}

/// The best move and its final lead; `None` when it would take too long.
#[inline(never)]
pub(super) fn solve<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    meter: &mut Meter<'_>,
) -> Option<(Move, i16)> {
    let placements = |player| {
        if game.passed >> Player::index(player) & 1 != 0 {
            return 0;
        }
        game.frontier(player).count(game.pieces_left(player))
    };
    if PLAYERS != 2 || Player::all(PLAYERS).map(placements).sum::<u32>() > MOST {
        return None;
    }
    Endgame { meter, level: 0 }.best(game, -INFINITE, INFINITE)
}

/// The final lead of the player to move after this move; `None` when it would take too long.
pub(super) fn lead_after<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    mv: Move,
    meter: &mut Meter<'_>,
) -> Option<i16> {
    let mut after = *game;
    after.play(mv);
    Some(-Endgame { meter, level: 0 }.best(&after, -INFINITE, INFINITE)?.1)
}

impl Endgame<'_, '_> {
    /// The final lead after a move, for the player who has made it.
    fn lead<const PLAYERS: usize, const WORDS: usize>(
        &mut self,
        after: &Blokus<PLAYERS, WORDS>,
        alpha: i16,
        beta: i16,
    ) -> Option<i16> {
        if self.level + 1 == LEVELS {
            return None;
        }
        self.level += 1;
        let best = self.best(after, -beta, -alpha);
        self.level -= 1;
        Some(-best?.1)
    }

    /// The best move of the player to move and the final lead, if that lies between the bounds.
    fn best<const PLAYERS: usize, const WORDS: usize>(
        &mut self,
        game: &Blokus<PLAYERS, WORDS>,
        mut alpha: i16,
        beta: i16,
    ) -> Option<(Move, i16)> {
        if self.meter.has_used(SHARE) || !self.meter.tick() {
            return None;
        }
        let own = game.turn();
        let mut moves: Vec<(Orientation, u8, u8), { MOST as usize }> = Vec::new();
        let mut complete = true;
        if game.passed >> own.index() & 1 == 0 {
            game.frontier(own).for_each(game.pieces_left(own), &mut |orientation, x, y| {
                complete &= moves.push((orientation, x, y)).is_ok();
            });
        }
        if !complete {
            return None;
        }
        if moves.is_empty() {
            if game.passed.count_ones() as usize == PLAYERS {
                return Some((Move::Pass, game.score(own) - game.score(own.other())));
            }
            let mut after = *game;
            after.play(Move::Pass);
            return Some((Move::Pass, self.lead(&after, alpha, beta)?));
        }
        // Large pieces first: later pieces are larger or as large.
        sort(&mut moves, |(one, ..), (other, ..)| one.piece() > other.piece());
        let mut best = None;
        for &(orientation, x, y) in &moves {
            let mv = Move::Place(Placement { orientation, x, y });
            let mut after = *game;
            after.play(mv);
            let lead = self.lead(&after, alpha, beta)?;
            if best.is_none_or(|(_, highest)| lead > highest) {
                best = Some((mv, lead));
            }
            alpha = alpha.max(lead);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::greedy;
    use crate::games::blokus::Duo;
    use crate::mix::Rng;
    use crate::search::budget::Budget;

    /// The lead of the player to move, by exhaustive search.
    fn plain(game: &Duo) -> i16 {
        if game.is_over() {
            return game.score(game.turn()) - game.score(game.turn().other());
        }
        let mut best = -INFINITE;
        game.for_each_move(|mv| {
            let mut after = *game;
            after.play(mv);
            best = best.max(-plain(&after));
        });
        best
    }

    #[test]
    fn endgames_are_worked_out_exactly() {
        let mut solved = 0;
        for seed in 0..40 {
            let (mut game, mut rng) = (Duo::default(), Rng::new(seed));
            while !game.is_over() {
                let moves = |player| game.with_turn(player).count_moves();
                if moves(Player::FIRST) + moves(Player::SECOND) <= 14
                    && game.forced_pass().is_none()
                {
                    let mut meter = Meter::new(Budget::nodes(1_000_000));
                    let (mv, lead) = solve(&game, &mut meter).unwrap();
                    assert_eq!(lead, plain(&game));
                    let mut after = game;
                    after.play(mv);
                    assert_eq!(-plain(&after), lead);
                    solved += 1;
                    break;
                }
                game.play(greedy(&game, &mut rng).unwrap());
            }
        }
        assert!(solved > 30, "{solved}");
    }
}
