//! The five games of the core against the slow reference games: the same number of games, the
//! same moves, turns, scores and refusals in random games, and the same recorded games.

use corvid_core::games::adjacency::{Adjacency, Rounds};
use corvid_core::games::dots::{Dots, Size};
use corvid_core::player::Player;
use corvid_tests::reference;

mod misuse;
mod perft;
mod random;
mod recorded;

fn dots_pair(rows: usize, columns: usize) -> (Dots, reference::dots::Dots) {
    let size = Size::new(rows as u8, columns as u8).expect("a size");
    (Dots::new(size), reference::dots::Dots::start(rows, columns))
}

fn adjacency_pair(rounds: u32, first: Player) -> (Adjacency, reference::adjacency::Adjacency) {
    let mark = ['X', 'O'][first.index()];
    let core = Adjacency::new(Rounds::new(rounds as u8).expect("2 to 28 rounds"), first);
    (core, reference::adjacency::Adjacency::start(rounds, mark))
}
