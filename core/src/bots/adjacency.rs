//! Adjacency: the bots of a course project at ITB (2023): minimax, four kinds of local search, and
//! a genetic one.

mod local;
mod minimax;

use super::{Bot, Bots, Meter, count, greedy, meter, random};
use crate::engine::Thinking;
use crate::game::Game;
use crate::games::adjacency::Adjacency;
use crate::square::{Square, Squares, moved};

impl Bots for Adjacency {
    fn bot_move(&self, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Square> {
        if self.is_over() {
            return None;
        }
        let meter = &mut meter(thinking, u64::MAX);
        match bot {
            Bot::Greedy | Bot::HillSideways => greedy(self, thinking.rng),
            Bot::Minimax => minimax::choose(self, thinking),
            Bot::MinimaxSeed => minimax::choose_as_published(self, thinking),
            Bot::HillSteepest => local::steepest(self),
            Bot::HillStochastic => local::stochastic(self, thinking.rng),
            Bot::HillSidewaysSeed => local::sideways_as_published(self, thinking.rng),
            Bot::Annealing => local::anneal(self, thinking.rng, meter),
            Bot::AnnealingSeed => local::anneal_as_published(self, thinking.rng),
            Bot::Genetic => local::breed(self, thinking.rng, meter),
            Bot::GeneticSeed => local::breed_as_published(self, thinking.rng, meter),
            _ => None,
        }
        .or_else(|| random(self, thinking.rng))
    }
}

/// How many squares of a set lie beside a square.
#[inline(never)]
const fn beside(square: Square, set: Squares) -> i32 {
    let [right, left, down, up] = moved(square.bit());
    count((right | left | down | up) & set)
}
