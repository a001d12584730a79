//! A plain player of Adjacency: alpha-beta over whole positions with a table and iterative deepening
//! until its processor time is used up. Its evaluation counts marks, settled ones double.

use std::time::Duration;

use corvid_core::game::Game;
use corvid_core::games::adjacency::Adjacency;
use corvid_core::player::Player;
use corvid_core::square::Square;

use crate::measure::processor_time;

/// Table entries: 64 MB.
const SLOTS: usize = 1 << 22;

/// A player with its table.
#[derive(Debug)]
pub struct Minimax {
    /// Hash, depth, score (a lower bound, an upper bound or exact: -1, 1, 0) and best move.
    table: Vec<(u64, i8, i16, i8, u8)>,
    /// In processor time of this thread.
    deadline: Duration,
    nodes: u64,
}

/// The time is used up.
struct Late;

impl Default for Minimax {
    fn default() -> Self {
        Self { table: vec![(0, -1, 0, 0, 64); SLOTS], deadline: Duration::ZERO, nodes: 0 }
    }
}

impl Minimax {
    /// The best move it finds in this processor time, which it uses up unless it sees the end.
    pub fn choose(&mut self, game: &Adjacency, time: Duration) -> Option<Square> {
        self.deadline = processor_time() + time;
        let mut best = None;
        game.for_each_move(|mv| {
            best.get_or_insert(mv);
        });
        for depth in 1..=i8::try_from(game.plies_left()).unwrap_or(i8::MAX) {
            if self.search(game, depth, -1000, 1000).is_err() {
                break;
            }
            let (hash, _, _, _, index) = self.table[game.hash() as usize % SLOTS];
            if hash == game.hash() {
                game.for_each_move(|mv| {
                    if mv.index() == index {
                        best = Some(mv);
                    }
                });
            }
        }
        best
    }

    fn search(&mut self, game: &Adjacency, depth: i8, alpha: i16, beta: i16) -> Result<i16, Late> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && processor_time() > self.deadline {
            return Err(Late);
        }
        if depth == 0 || game.is_over() {
            return Ok(value(game));
        }
        let hash = game.hash();
        let (known, known_depth, score, kind, first) = self.table[hash as usize % SLOTS];
        let first = if known == hash { first } else { 64 };
        if known == hash && known_depth >= depth {
            let cuts = match kind {
                -1 => score >= beta,
                1 => score <= alpha,
                _ => true,
            };
            if cuts {
                return Ok(score);
            }
        }
        let mut moves: Vec<(i32, Square)> = Vec::new();
        game.for_each_move(|mv| {
            let gain = i32::from(game.gain(mv));
            moves.push((if mv.index() == first { 1000 } else { gain }, mv));
        });
        moves.sort_by_key(|(rank, mv)| (-rank, mv.index()));
        let (mut floor, mut best, mut best_move) = (alpha, i16::MIN, 64);
        for (_, mv) in moves {
            let mut next = *game;
            next.play(mv);
            let score = -self.search(&next, depth - 1, -beta, -floor)?;
            if score > best {
                (best, best_move) = (score, mv.index());
                floor = floor.max(score);
            }
            if best >= beta {
                break;
            }
        }
        let kind = if best >= beta { -1 } else { i8::from(best <= alpha) };
        self.table[hash as usize % SLOTS] = (hash, depth, best, kind, best_move);
        Ok(best)
    }
}

/// Marks for the player to move less the other's; a mark without an empty neighbour counts twice,
/// at the end every mark does.
fn value(game: &Adjacency) -> i16 {
    let worth = |player: Player| {
        let marks = game.marks(player);
        let settled = marks.iter().filter(|square| is_settled(game, *square)).count();
        if game.is_over() { 2 * game.score(player) } else { game.score(player) + settled as i16 }
    };
    worth(game.turn()) - worth(game.turn().other())
}

fn is_settled(game: &Adjacency, square: Square) -> bool {
    let (row, column) = (square.index() as i8 / 8, square.index() as i8 % 8);
    let beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)];
    // A number below 0 is no place on the board.
    let mut on_board =
        beside.into_iter().filter_map(|(row, column)| Square::at(column as u8, row as u8));
    on_board.all(|beside| !game.empty().contains(beside))
}
