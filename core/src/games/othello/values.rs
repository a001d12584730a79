//! What the moves of Othello are worth.

use super::Othello;
use crate::engine::Thinking;
use crate::values::{MoveValue, MoveValues, look_at_each, thought};

impl MoveValues for Othello {
    fn move_values(
        &self,
        nodes: u64,
        thinking: &mut Thinking<'_>,
        tell: &mut dyn FnMut(MoveValue),
    ) {
        look_at_each(self, nodes, thinking, thought, tell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::tests::agree_with_the_solver;

    #[test]
    fn endgames_have_the_solvers_values() {
        for seed in 0..8 {
            agree_with_the_solver(&Othello::START, 50, seed);
        }
    }
}
