//! Minimax with alpha-beta, one ply deeper each time up to four.

use crate::bitboard::Bitboard;
use crate::bots::{count, deepen, meter};
use crate::engine::Thinking;
use crate::game::Game;
use crate::games::adjacency::Adjacency;
use crate::player::Player;
use crate::search::budget::Meter;
use crate::square::Square;

/// The plies of the last iteration.
const DEPTH: u8 = 4;

/// In place of the document's five seconds: about five board seconds. The play is then the same on
/// every machine.
const NODES: u64 = 400_000;

/// More than any number of marks.
const INFINITE: i16 = 100;

/// The move with the most marks ahead after four plies of both sides.
pub(super) fn choose(game: &Adjacency, thinking: &Thinking<'_>) -> Option<Square> {
    let mut search = Search { meter: meter(thinking, NODES), depth: 0, best: None };
    deepen(DEPTH, |depth| {
        search.depth = depth;
        search.value(game, depth, -INFINITE, INFINITE);
        (search.best, !search.meter.is_over())
    })
}

struct Search<'a> {
    meter: Meter<'a>,
    /// Of the iteration.
    depth: u8,
    best: Option<Square>,
}

impl Search<'_> {
    fn value(&mut self, game: &Adjacency, depth: u8, mut alpha: i16, beta: i16) -> i16 {
        if depth == 0 || game.is_over() || !self.meter.tick() {
            return ahead(game);
        }
        // Bitboard beside the most enemies first, as the document's move generator has them.
        for group in by_enemies(game) {
            for square in group {
                let mut next = *game;
                next.play(square);
                let value = -self.value(&next, depth - 1, -beta, -alpha);
                if value > alpha && !self.meter.is_over() {
                    alpha = value;
                    if depth == self.depth {
                        self.best = Some(square);
                    }
                }
                if alpha >= beta {
                    return alpha;
                }
            }
        }
        alpha
    }
}

/// How many marks the player to move is ahead.
fn ahead(game: &Adjacency) -> i16 {
    let own = game.turn();
    (count(game.marks(own)) - count(game.marks(own.other()))) as i16
}

/// The empty squares beside 4, 3, 2, 1 and 0 marks of the opponent.
fn by_enemies(game: &Adjacency) -> [Bitboard; 5] {
    let enemies = game.marks(game.turn().other());
    let (a, b, c, d) = (enemies.right(), enemies.left(), enemies.down(), enemies.up());
    // Four bits added up for all squares at once.
    let (ones, twos) = (a ^ b ^ c ^ d, (a & b) ^ (c & d) ^ ((a ^ b) & (c ^ d)));
    let fours = a & b & c & d;
    let empty = game.empty();
    [fours, ones & twos, !ones & twos, ones & !twos, !(ones | twos | fours)].map(|set| set & empty)
}

/// The published program: the position is loaded through the writer that flips neighbours, every
/// mark that the search places is the bot's own, rounds are counted as plies, only own marks have a
/// value, and of equal moves the last counts, also where its value is only a bound.
pub(super) fn choose_as_published(game: &Adjacency, thinking: &Thinking<'_>) -> Option<Square> {
    let own = game.marks(game.turn());
    let mut search = Published { meter: meter(thinking, u64::MAX), best: None };
    let mut loaded = Loaded { own: Bitboard::EMPTY, other: Bitboard::EMPTY };
    let all = game.marks(Player::FIRST) | game.marks(Player::SECOND);
    all.iter().for_each(|square| loaded.write(square, own.contains(square)));
    let mut best = None;
    for depth in 1..=DEPTH {
        let node = Node { depth, rounds: game.rounds_left(), maximizing: true, root: true };
        search.value(loaded, node, -INFINITE, INFINITE);
        if search.meter.is_over() {
            break;
        }
        best = search.best;
        // The time was looked at between iterations only.
        if search.meter.nodes() > NODES {
            break;
        }
    }
    best
}

/// Marks as the published program has them.
#[derive(Clone, Copy)]
struct Loaded {
    own: Bitboard,
    other: Bitboard,
}

impl Loaded {
    #[inline(never)]
    fn write(&mut self, square: Square, own: bool) {
        let beside = square.bitboard().neighbours();
        let (writer, loser) =
            if own { (&mut self.own, &mut self.other) } else { (&mut self.other, &mut self.own) };
        let flipped = beside & *loser;
        *writer |= flipped.with(square);
        *loser &= !flipped;
    }
}

#[derive(Clone, Copy)]
struct Node {
    depth: u8,
    rounds: u8,
    maximizing: bool,
    root: bool,
}

struct Published<'a> {
    meter: Meter<'a>,
    best: Option<Square>,
}

impl Published<'_> {
    fn value(&mut self, board: Loaded, node: Node, mut alpha: i16, mut beta: i16) -> i16 {
        let empty = !(board.own | board.other);
        if node.depth == 0 || node.rounds == 0 || empty.is_empty() || !self.meter.tick() {
            return count(board.own) as i16;
        }
        let child = Node {
            depth: node.depth - 1,
            rounds: node.rounds - 1,
            maximizing: !node.maximizing,
            root: false,
        };
        let mut result = if node.maximizing { -INFINITE } else { INFINITE };
        for square in empty {
            let mut next = board;
            next.write(square, true);
            let value = self.value(next, child, alpha, beta);
            if node.maximizing {
                if node.root && value >= result {
                    self.best = Some(square);
                }
                result = result.max(value);
                alpha = alpha.max(value);
            } else {
                result = result.min(value);
                beta = beta.min(value);
            }
            if beta <= alpha {
                break;
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::random;
    use crate::mix::Rng;

    #[test]
    fn squares_are_grouped_by_their_enemies() {
        let mut rng = Rng::new(2);
        let mut game = Adjacency::default();
        while let Some(mv) = random(&game, &mut rng) {
            let groups = by_enemies(&game);
            assert_eq!(
                groups.into_iter().fold(Bitboard::EMPTY, |all, group| all | group),
                game.empty()
            );
            for (group, enemies) in groups.into_iter().zip((0..=4).rev()) {
                for square in group {
                    let other = game.marks(game.turn().other());
                    assert_eq!(super::super::beside(square, other), enemies);
                }
            }
            game.play(mv);
        }
    }
}
