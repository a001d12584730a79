//! LeakyAI as its authors printed it (their figures 9 and 12), read to the letter.
//!
//! The squares are visited row by row. At each leaky one `FloodFillAmount` grows by the squares that
//! a flood from it marks on the turn's copy of the board; if it is more than the largest piece left
//! has, `CurrentHeuristic` grows by it; and `CurrentHeuristic` grows by the largest piece that fits
//! at the square. The piece is placed at the square where `CurrentHeuristic` was highest. Neither
//! sum is ever reset. So the value rises from leak to leak, and the last leaky square that a
//! piece fits at always wins, however much the flood found there: the printed flood decides nothing.
//!
//! What the text leaves open, and how it is read here:
//! - A piece is 'at' a square when any of its squares lies there. Of several placements of one
//!   orientation, the one with the highest and then leftmost box is taken.
//! - Which of the largest pieces, and how it lies: see [`trial`](super::super::trial).
//! - No leaky square can be played at, as on the empty board: the largest piece at the square with
//!   the highest value on the heuristic board, which is that of `leaky`, the first of equal squares.
//!   The figure with the document's values is lost.
//! - The aggressive mode does nothing: the paragraph on it is lost, and a value that only rises
//!   leaves little for it to change.
//! - A square beyond the edge is no enemy.
//!
//! These were taken because with them the document's game ends nearly as published; over many games
//! this is a weak player. `corvid reproduce S0-19-readings` compares other readings.

use super::super::view::{Set, View, cells};
use super::super::{Meter, Moves, Piece, Placement, first, size, trial};
use super::{heuristic, leaky};

/// Above what the heuristic board gives: 10 for the square, in steps of 8, and 5 for the piece.
const ANY_LEAK: i32 = 128;

pub(in super::super) fn choose(
    view: &View,
    moves: &dyn Moves,
    meter: &mut Meter<'_>,
) -> Option<Placement> {
    let mut best = (0, (0, 0));
    values(view, moves, &mut |square, value| {
        if value > best.0 {
            best = (value, square);
        }
    });
    first(moves, meter, &mut |placement| {
        let is_there = placement.cells().any(|square| square == best.1);
        if is_there { trial(placement, 0) } else { i32::MIN }
    })
}

/// Visits the squares at which a piece fits, in reading order, with their values: a leaky one's is
/// `CurrentHeuristic` and [`ANY_LEAK`].
fn values(view: &View, moves: &dyn Moves, visit: &mut dyn FnMut((u8, u8), i32)) {
    // By the size of a piece less one: where such a piece can lie.
    let mut fits = [Set::EMPTY; 5];
    moves.for_each(&mut |placement| {
        if let Some(fits) = fits.get_mut(size(placement) as usize - 1) {
            placement.cells().for_each(|(x, y)| fits.insert(x, y));
        }
    });
    let largest_available = moves.pieces().iter().last().map_or(0, Piece::size);
    let leaky = leaky(view);
    let mut clone = view.free;
    let mut flood_fill_amount = 0;
    let mut current_heuristic = 0;
    for (x, y) in cells(view.side) {
        let largest_move = fits.iter().rposition(|fits| fits.has(x, y)).map_or(0, |size| size + 1);
        let largest_move = largest_move as i32;
        let mut value = heuristic(view, x, y) * 8 + largest_move;
        if leaky.has(x, y) {
            flood_fill_amount += clone.drain(x, y);
            if flood_fill_amount > i16::from(largest_available) {
                current_heuristic += i32::from(flood_fill_amount);
            }
            current_heuristic += largest_move;
            value = ANY_LEAK + current_heuristic;
        }
        if largest_move > 0 {
            visit((x, y), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Bot, play};
    use super::*;
    use crate::engine::Thinking;
    use crate::game::Game;
    use crate::games::blokus::{Classic, Duo, StartRule};
    use crate::mix::Rng;
    use std::string::String;
    use std::vec::Vec;

    fn reply<const PLAYERS: usize, const WORDS: usize>(
        game: &crate::games::blokus::Blokus<PLAYERS, WORDS>,
    ) -> String {
        let rng = &mut Rng::new(1);
        let mv = play(game, Bot::LeakySeed, &mut Thinking::for_tests(rng)).unwrap();
        let mut text = String::new();
        game.write_move(mv, &mut text).unwrap();
        text
    }

    /// ```text
    ///     e f g h i j
    /// 10  X . . . . .     Leaky, in reading order: h7; j7; i6 and j6, which are covered; i5.
    ///  9  X X . . . .     Only the monomino fits at h7, and V5 at j7 (h9, i9, j9, j8, j7).
    ///  8  . X X . . .     Nothing reaches i5.
    ///  7  . . . * O *
    ///  6  . . . O O O
    ///  5  . . . . * O
    /// ```
    #[test]
    fn values_add_up_from_leak_to_leak() {
        let mut game = Duo::default();
        for text in ["e10,e9,f9,f8,g8", "i7,h6,i6,j6,j5"] {
            let mv = game.parse_move(text).unwrap();
            game.check(mv).unwrap();
            game.play(mv);
        }
        let view = View::new(&game);
        let mut leaks = Vec::new();
        let mut highest_elsewhere = 0;
        values(&view, &game, &mut |square, value| {
            if leaky(&view).has(square.0, square.1) {
                leaks.push((square, value - ANY_LEAK));
            } else {
                highest_elsewhere = value.max(highest_elsewhere);
            }
        });
        // The first flood finds all 186 free squares and the later ones none, but its amount is
        // added at every leak, for it is above 5.
        let h7 = 186 + 1;
        let j7 = h7 + 186 + 5;
        assert_eq!(leaks, [((7, 7), h7), ((9, 7), j7)]);
        assert!(highest_elsewhere < ANY_LEAK);
        assert_eq!(reply(&game), "j7,j8,h9,i9,j9");
    }

    /// The straight five reaches furthest, and of its ends the first in reading order.
    #[test]
    fn without_leaks_it_heads_for_the_highest_square() {
        assert_eq!(reply(&Classic::new(StartRule::Own)), "a20,b20,c20,d20,e20");
    }
}
