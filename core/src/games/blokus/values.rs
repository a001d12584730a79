//! What the placements of Blokus are worth: what one search finds out about each.

use super::{Classic, Duo, Move};
use crate::engine::Thinking;
use crate::game::Game;
use crate::search::budget::Meter;
use crate::values::{MoveValue, MoveValues};

/// Both boards: the search is the same.
macro_rules! values {
    ($($game:ty),*) => {
        $(impl MoveValues for $game {
            fn move_values(
                &self,
                nodes: u64,
                thinking: &mut Thinking<'_>,
                tell: &mut dyn FnMut(MoveValue),
            ) {
                let mut meter = Meter::new(thinking.budget(nodes, u64::MAX));
                let Thinking { memory, rng, .. } = thinking;
                self.move_values(memory, &mut meter, rng, &mut |mv: Move, lead, exact| {
                    tell(MoveValue { mv: Self::encode(mv), lead, exact });
                });
            }
        })*
    };
}

values!(Duo, Classic);
