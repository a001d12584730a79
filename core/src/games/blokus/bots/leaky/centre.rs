//! The document's first plan, which its authors gave up: get to the centre as soon as possible, then
//! spread evenly. Meanwhile others filled the corners.
//!
//! Designed here: the heuristic board has a value for each ring, 1 at the edge and 10 in the centre
//! of the 20x20 board; once a piece stands in the centre, the quarter of the board that holds the
//! fewest own squares is worth most. Larger pieces come first, and the first of equal moves.

use super::super::view::{View, cells};
use super::super::{Meter, Moves, Placement, first, size};

pub(in super::super) fn choose(
    view: &View,
    moves: &dyn Moves,
    meter: &mut Meter<'_>,
) -> Option<Placement> {
    let own = view.squares(view.turn);
    let half = view.side / 2;
    let quarter = |x: u8, y: u8| usize::from(x >= half) + 2 * usize::from(y >= half);
    let mut held = [0; 4];
    let mut arrived = false;
    for (x, y) in cells(view.side).filter(|(x, y)| own.has(*x, *y)) {
        held[quarter(x, y)] += 1;
        arrived |= ring(view.side, x, y) == half;
    }
    first(moves, meter, &mut |placement| {
        let worth = |(x, y): (u8, u8)| match arrived {
            true => -held[quarter(x, y)],
            false => i32::from(ring(view.side, x, y)),
        };
        // A quarter holds fewer than 128 own squares.
        i32::from(size(placement)) * 128 + placement.cells().map(worth).max().unwrap_or(0)
    })
}

/// How far a square is from the edge, which is 1.
fn ring(side: u8, x: u8, y: u8) -> u8 {
    let from_edge = |at: u8| at.min(side - 1 - at);
    from_edge(x).min(from_edge(y)) + 1
}

#[cfg(test)]
mod tests {
    use super::super::super::Bot;
    use super::super::tests::game_of;
    use super::*;
    use crate::player::Player;

    #[test]
    fn the_board_rises_from_the_edge_to_the_centre() {
        let values = [(0, 7), (19, 19), (3, 5), (9, 9), (10, 9), (10, 12)];
        assert_eq!(values.map(|(x, y)| ring(20, x, y)), [1, 1, 4, 10, 10, 8]);
    }

    /// Four pieces of three squares in each direction lead from a corner to the centre.
    #[test]
    fn it_reaches_the_centre_with_its_fourth_piece_and_then_spreads() {
        for seat in 0..4 {
            let player = Player::new(seat).unwrap();
            let game = game_of(seat, Bot::LeakyCentre, |game| {
                game.pieces_left(player).iter().count() == 21 - 4
            });
            let own = game.squares(player);
            assert!([9, 10].iter().any(|x| [9, 10].iter().any(|y| own.has(*x, *y))), "seat {seat}");
            let game = game_of(seat, Bot::LeakyCentre, |_| false);
            let own = game.squares(player);
            for quarter in 0..4 {
                let (left, top) = (quarter % 2 * 10, quarter / 2 * 10);
                let held = |(x, y)| own.has(left + x, top + y);
                assert!(cells(10).any(held), "seat {seat} is in all quarters");
            }
        }
    }
}
