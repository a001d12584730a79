//! Games of the engine against itself, with few positions searched for a move and some random
//! moves: they need no outside data.

use corvid_core::choice::random;
use corvid_core::game::Game;
use corvid_core::games::othello::{Move, Othello};
use corvid_core::mix::{Rng, mix_in};
use corvid_core::search::Think;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::square::Square;

/// Positions searched for a move.
const NODES: u64 = 100;

/// Memory of the search, in slots.
const SLOTS: usize = 2048;

/// The most random moves at the start of a game; there are at least two.
const OPENING: u32 = 10;

/// Later, one move in so many is random.
const RANDOM: u32 = 16;

/// The moves of a game, without the passes.
pub(super) fn play(seed: u64, game: u32) -> Vec<Square> {
    let mut rng = Rng::new(mix_in(seed, game.into()));
    let mut memory = vec![0; SLOTS];
    let opening = 2 + rng.below(OPENING - 1) as usize;
    let (mut position, mut squares) = (Othello::START, Vec::new());
    loop {
        let by_lot = squares.len() < opening || rng.below(RANDOM) == 0;
        let mv = if by_lot {
            random(&position, &mut rng)
        } else {
            let mut meter = Meter::new(Budget::nodes(NODES));
            position.think(&mut memory, &mut meter, &mut |_| {})
        };
        match mv {
            Some(Move::Disc(square)) => squares.push(square),
            Some(Move::Pass) => {}
            None => return squares,
        }
        if let Some(mv) = mv {
            position.play(mv);
        }
    }
}

/// The positions of a game in which a player moves; `None` if a move is illegal.
pub(super) fn positions(squares: &[Square]) -> Option<Vec<Othello>> {
    let (mut position, mut positions) = (Othello::START, Vec::new());
    for square in squares {
        if let Some(pass) = position.forced_pass() {
            position.play(pass);
        }
        let mv = Move::Disc(*square);
        position.check(mv).ok()?;
        positions.push(position);
        position.play(mv);
    }
    Some(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_whole_legal_and_decided_by_seed_and_number() {
        for number in 0..4 {
            let squares = play(1, number);
            let positions = positions(&squares).unwrap();
            assert_eq!(positions.len(), squares.len());
            let mut end = *positions.last().unwrap();
            end.play(Move::Disc(*squares.last().unwrap()));
            assert!(end.is_over());
            assert_eq!(play(1, number), squares);
            assert_ne!(play(1, number + 1), squares);
            assert_ne!(play(2, number), squares);
        }
    }

    #[test]
    fn illegal_moves_are_noticed() {
        let squares: Vec<_> = "f5 f5".split(' ').filter_map(Square::parse).collect();
        assert!(positions(&squares[..1]).is_some());
        assert!(positions(&squares).is_none());
    }
}
