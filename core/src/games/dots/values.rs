//! What the lines of Dots and Boxes are worth.

use super::Dots;
use crate::engine::Thinking;
use crate::game::Game;
use crate::search::budget::Meter;
use crate::values::{MoveValue, MoveValues, POINT, look_at_each};

impl MoveValues for Dots {
    fn move_values(
        &self,
        nodes: u64,
        thinking: &mut Thinking<'_>,
        tell: &mut dyn FnMut(MoveValue),
    ) {
        let look = |game: &Self, memory: &mut [u64], meter: &mut Meter<'_>| {
            let (rest, exact) = game.appraise(memory, meter)?;
            let own = game.turn();
            Some(((game.score(own) - game.score(own.other())) * POINT + rest, exact))
        };
        look_at_each(self, nodes, thinking, look, tell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dots::Size;
    use crate::values::tests::{agree_with_the_solver, values_of};

    #[test]
    fn endgames_have_the_solvers_values() {
        for seed in 0..8 {
            agree_with_the_solver(&Dots::new(Size::new(3, 3).unwrap()), 8, seed);
            agree_with_the_solver(&Dots::new(Size::DEFAULT), 42, seed);
        }
    }

    #[test]
    fn a_box_that_can_be_taken_counts_for_who_takes_it() {
        let mut game = Dots::new(Size::new(1, 4).unwrap());
        for line in ["0,0-0,1", "1,0-1,1"] {
            game.play(game.parse_move(line).unwrap());
        }
        // The third side of the first box gives it away, and whoever takes it keeps the rest.
        let values = values_of(&game, 100_000, None, 0);
        let given = game.parse_move("0,0-1,0").map(Dots::encode).unwrap();
        let given = values.iter().find(|value| value.mv == given).unwrap();
        assert!(given.exact && given.lead < 0, "{given:?}");
    }
}
