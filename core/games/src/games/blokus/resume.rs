//! Finds the current position in the tree of an earlier search.

use super::state::placement;
use super::tree::{ROOT, Tree};
use super::{Blokus, Placement, Rows};
use crate::mix::mix_in;

/// A hash of the board.
pub(super) fn number<const WORDS: usize>(squares: &[Rows<WORDS>]) -> u32 {
    let words = squares.iter().flat_map(Rows::words);
    words.fold(0, |number, word| mix_in(number, u64::from(*word))) as u32
}

/// The node of a position in a tree whose root had this hash, found by following the placements
/// made since.
#[inline(never)]
pub(super) fn find<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    tree: &Tree<'_>,
    root: u32,
) -> Option<usize> {
    let mut squares = game.squares;
    let mut node = ROOT;
    while number(&squares) != root {
        let mut made = None;
        let mut block = Some(node);
        while let Some(at) = block {
            let (edges, more) = tree.block(at);
            block = more;
            for (child, edge) in tree.edge(at).children().zip(edges) {
                if let Some(placement) = placement(edge.code())
                    && let Some(before) = without(game, &squares, placement)
                {
                    made = Some((child, before));
                }
            }
        }
        (node, squares) = made?;
    }
    Some(node)
}

/// The board before a placement, if it was made.
fn without<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    squares: &[Rows<WORDS>; PLAYERS],
    placement: Placement,
) -> Option<[Rows<WORDS>; PLAYERS]> {
    let piece = placement.orientation.piece();
    let cells = placement.cells().fold(Rows::EMPTY, |cells, (x, y)| cells.with(x, y));
    let is_maker = |own: &usize| !game.left[*own].has(piece) && squares[*own] & cells == cells;
    let maker = (0..PLAYERS).find(is_maker)?;
    let mut before = *squares;
    before[maker] = before[maker] & !cells;
    Some(before)
}
