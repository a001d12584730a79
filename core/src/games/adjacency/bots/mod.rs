//! Adjacency: the bots of a course project at ITB (2023): minimax, the move generator that
//! its text describes, four kinds of local search, and a genetic one.

mod local;
mod minimax;

use crate::bitboard::Bitboard;
use crate::bots::{bots, count, greedy, meter, random};
use crate::engine::Thinking;
use crate::game::Game;
use crate::games::adjacency::Adjacency;
use crate::square::Square;

bots! {
    /// Who plays Adjacency beside the search.
    Random "random" "plays any legal move, all equally likely"
    Greedy "greedy" "plays a move that gains the most points at once, breaking ties at random"
    Minimax "minimax" "looks four plies ahead for the most marks"
    HillSideways "hill-sideways" "takes the most marks at once, breaking ties at random"
    HillSteepest "hill-steepest" "takes the most marks at once, at the first such square"
    HillStochastic "hill-stochastic" "takes the most marks among ten squares picked at random"
    Annealing "annealing" "wanders over the squares, ever less willing to lose marks"
    Genetic "genetic" "breeds lines of five moves and plays the first of the fittest"
    MostAdjacent "most-adjacent" "plays beside the most enemies, at the first such square; if none, anywhere"
    MinimaxSeed "minimax:seed" "minimax in which only its own marks are ever placed"
    HillSidewaysSeed "hill-sideways:seed" "plays beside the most of X's marks, whichever side it plays"
    AnnealingSeed "annealing:seed" "cools down in two steps and prefers to lose"
    GeneticSeed "genetic:seed" "plays the first move of one line that was picked at random"
}

/// The bot's move; `None` when the game is over.
pub(super) fn choose(game: &Adjacency, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Square> {
    if game.is_over() {
        return None;
    }
    let meter = &mut meter(thinking, u64::MAX);
    match bot {
        Bot::Random => None,
        Bot::Greedy | Bot::HillSideways => greedy(game, thinking.rng),
        Bot::Minimax => minimax::choose(game, thinking),
        Bot::MinimaxSeed => minimax::choose_as_published(game, thinking),
        Bot::HillSteepest => local::steepest(game),
        Bot::HillStochastic => local::stochastic(game, thinking.rng),
        Bot::HillSidewaysSeed => local::sideways_as_published(game, thinking.rng),
        Bot::Annealing => local::anneal(game, thinking.rng, meter),
        Bot::AnnealingSeed => local::anneal_as_published(game, thinking.rng),
        Bot::Genetic => local::breed(game, thinking.rng, meter),
        Bot::MostAdjacent => local::most_adjacent(game),
        Bot::GeneticSeed => local::breed_as_published(game, thinking.rng, meter),
    }
    .or_else(|| random(game, thinking.rng))
}

/// How many squares of a set lie beside a square.
#[inline(never)]
fn beside(square: Square, set: Bitboard) -> i32 {
    count(square.bitboard().neighbours() & set)
}
