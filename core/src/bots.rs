//! Players with a name: those that the documents behind this project describe, and a few plain
//! ones to measure them by.
//!
//! A plain name plays as its authors meant it to. Where their program did something else and its
//! published results depend on that, `NAME:seed` does the same (`docs/seeds.md` compares them).

mod adjacency;
mod blokus;
mod dots;
mod othello;

use core::fmt;

use crate::choice::Best;
pub use crate::choice::{greedy, random};
use crate::engine::Thinking;
use crate::game::Game;
use crate::search::budget::{Budget, Meter};
use crate::setup::GameKind;
use crate::square::Squares;

pub use othello::example_value;

/// Declares the bots with their names and what is said about them.
macro_rules! bots {
    ($($(#[$marker:meta])* $bot:ident $name:literal $description:literal)*) => {
        /// A way to choose a move, the same under the same seed on every machine.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Bot {
            $(#[doc = concat!("`", $name, "`: ", $description, ".")] $(#[$marker])* $bot,)*
        }

        impl Bot {
            /// What it is called.
            pub const fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$($name),*];
                NAMES[self as usize]
            }

            /// How it plays, in a sentence.
            pub const fn description(self) -> &'static str {
                const DESCRIPTIONS: &[&str] = &[$($description),*];
                DESCRIPTIONS[self as usize]
            }
        }
    };
}

bots! {
    Random "random" "plays any legal move, each as likely as the others"
    Greedy "greedy" "plays a move that gains most points at once, ties at random"

    Largest "largest" "plays the largest piece that fits, at a random place"
    Corridors "corridors" "goes through gaps between pieces that touch at a corner, else as largest"
    Corners "corners" "keeps most corners to play at"
    MaxMoves "max-moves" "keeps most moves of its own"
    MinMoves "min-moves" "leaves the opponents fewest moves"
    MaxMin "max-min" "keeps own moves and takes the opponents', in balance"
    Influence "influence" "keeps free squares near its own corners and takes the opponents'"
    InfluencePlus "influence-plus" "keeps free squares near its own corners"
    Hybrid "hybrid" "ranks moves by all of these, weighted by the round; searches the finish"
    Phases "phases" "adds up blocking, own moves, size and influence, weighted by the phase"
    BruteForce "brute-force" "tries the largest pieces first and takes the first fit"
    Leaky "leaky" "heads for the others' corners and slips through leaks into open areas"
    CornersSeed "corners:seed" "corners that looks at twenty of many equal moves"
    MaxMovesSeed "max-moves:seed" "max-moves that looks at twenty of many equal moves"
    MinMovesSeed "min-moves:seed" "min-moves that looks at twenty of many equal moves"
    MaxMinSeed "max-min:seed" "max-min that looks at twenty of many equal moves"
    InfluenceSeed "influence:seed" "influence that also counts its own squares against itself"
    HybridSeed "hybrid:seed" "hybrid with influence:seed, lists cut at twenty, a short finish"
    LeakySeed "leaky:seed" "leaky that carries each leak's value on to all later squares"

    Positional "positional" "looks four plies ahead, with values for corners and their neighbours"
    PositionalSeed "positional:seed" "looks one ply ahead at a board where nothing was turned over"

    Minimax "minimax" "looks four plies ahead for the most marks"
    HillSideways "hill-sideways" "takes the most marks at once, ties at random"
    HillSteepest "hill-steepest" "takes the most marks at once, the first such square"
    HillStochastic "hill-stochastic" "takes the most marks among ten squares picked at random"
    Annealing "annealing" "wanders over the squares, ever less willing to lose marks"
    Genetic "genetic" "breeds lines of five moves and plays the first of the fittest"
    MinimaxSeed "minimax:seed" "minimax in which only its own marks are ever placed"
    HillSidewaysSeed "hill-sideways:seed" "plays beside most of X's marks, whichever side it has"
    AnnealingSeed "annealing:seed" "cools down in two steps and prefers to lose"
    GeneticSeed "genetic:seed" "plays the first move of one line that was picked at random"

    ChainMinimax "chain-minimax" "looks three plies ahead, trying moves by the chains they touch"
    ChainMinimaxSeed "chain-minimax:seed" "chain-minimax that forgets who closes a box moves again"
}

impl Bot {
    /// The bots that play a game, the plain ones before those of the documents.
    pub const fn all(kind: GameKind) -> &'static [Self] {
        match kind {
            GameKind::Othello => {
                &[Self::Random, Self::Greedy, Self::Positional, Self::PositionalSeed]
            }
            GameKind::Adjacency => &[
                Self::Random,
                Self::Greedy,
                Self::Minimax,
                Self::HillSideways,
                Self::HillSteepest,
                Self::HillStochastic,
                Self::Annealing,
                Self::Genetic,
                Self::MinimaxSeed,
                Self::HillSidewaysSeed,
                Self::AnnealingSeed,
                Self::GeneticSeed,
            ],
            GameKind::Dots => {
                &[Self::Random, Self::Greedy, Self::ChainMinimax, Self::ChainMinimaxSeed]
            }
            GameKind::BlokusDuo | GameKind::BlokusClassic => &[
                Self::Random,
                Self::Largest,
                Self::Corridors,
                Self::Corners,
                Self::MaxMoves,
                Self::MinMoves,
                Self::MaxMin,
                Self::Influence,
                Self::InfluencePlus,
                Self::Hybrid,
                Self::Phases,
                Self::BruteForce,
                Self::Leaky,
                Self::CornersSeed,
                Self::MaxMovesSeed,
                Self::MinMovesSeed,
                Self::MaxMinSeed,
                Self::InfluenceSeed,
                Self::HybridSeed,
                Self::LeakySeed,
            ],
        }
    }

    /// The bot of this name that plays this game.
    pub fn from_name(kind: GameKind, name: &str) -> Option<Self> {
        Self::all(kind).iter().copied().find(|bot| bot.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A game that bots play.
pub trait Bots: Game {
    /// The bot's move; `None` only when the game is over. A bot of another game moves at random.
    fn bot_move(&self, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Self::Move>;
}

/// How many squares a set has. Not inlined: on a board it is long.
#[inline(never)]
const fn count(set: Squares) -> i32 {
    set.count_ones() as i32
}

/// Looks deeper and deeper, and gives the move of the last depth that came to its end; of the first
/// one also if it did not. `look` gives its move and whether it came to its end.
fn deepen<M>(depths: u8, mut look: impl FnMut(u8) -> (Option<M>, bool)) -> Option<M> {
    let mut best = None;
    for depth in 1..=depths {
        let (found, ended) = look(depth);
        if !ended {
            return best.or(found);
        }
        best = found;
    }
    best
}

/// Counts what a bot looks at, so that it ends after this many positions, or when it is told to.
fn meter<'a>(thinking: &Thinking<'a>, nodes: u64) -> Meter<'a> {
    Meter::new(Budget { nodes, time: None, stop: thinking.stop })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::games::adjacency::{Adjacency, Rounds};
    use crate::games::blokus::{Classic, Duo, Move};
    use crate::games::dots::{Dots, Size};
    use crate::games::othello::Othello;
    use crate::mix::Rng;
    use crate::player::Player;
    use std::vec::Vec;

    fn ask<G: Bots>(game: &G, bot: Bot, memory: &mut [u64], rng: &mut Rng) -> Option<G::Move> {
        let mut thinking = Thinking { memory, rng, clock: &|| 0, micros: 0, stop: None };
        game.bot_move(bot, &mut thinking)
    }

    /// Plays a game after a few random moves, one bot in all seats, and gives its moves.
    fn play<G: Bots>(start: &G, bot: Bot, seed: u64, memory: &mut [u64]) -> Vec<G::Move> {
        let mut game = start.clone();
        let mut rng = Rng::new(seed);
        let mut moves = Vec::new();
        loop {
            let mv = if moves.len() < 3 * seed as usize {
                random(&game, &mut rng)
            } else {
                ask(&game, bot, memory, &mut rng)
            };
            let Some(mv) = mv else { break };
            assert!(game.check(mv).is_ok(), "{bot}: {mv:?} in {game:?}");
            game.play(mv);
            moves.push(mv);
        }
        assert!(game.is_over(), "{bot} gave up");
        moves
    }

    fn check_all<G: Bots>(start: &G, kind: GameKind, seeds: core::ops::Range<u64>) {
        for bot in Bot::all(kind) {
            for seed in seeds.clone() {
                let mut memory = [0; 300];
                let moves = play(start, *bot, seed, &mut memory);
                assert_eq!(memory, [0; 300], "{bot} leaves its memory as it was");
                assert_eq!(moves, play(start, *bot, seed, &mut []), "{bot} repeats without memory");
            }
        }
    }

    #[test]
    fn every_bot_plays_legal_moves_that_repeat_under_a_seed() {
        check_all(&Othello::START, GameKind::Othello, 0..4);
        check_all(&Adjacency::default(), GameKind::Adjacency, 0..3);
        let short = Adjacency::new(Rounds::MIN, Player::SECOND);
        check_all(&short, GameKind::Adjacency, 0..1);
        for (rows, columns) in [(1, 1), (2, 3), (4, 4)] {
            check_all(&Dots::new(Size::new(rows, columns).unwrap()), GameKind::Dots, 0..3);
        }
        check_all(&Duo::default(), GameKind::BlokusDuo, 0..3);
        check_all(&Classic::default(), GameKind::BlokusClassic, 0..2);
    }

    #[test]
    fn a_stopped_bot_still_moves() {
        let stop = core::sync::atomic::AtomicBool::new(true);
        fn check<G: Engine>(game: &G, kind: GameKind, stop: &core::sync::atomic::AtomicBool) {
            for bot in Bot::all(kind) {
                let mut thinking = Thinking {
                    memory: &mut [],
                    rng: &mut Rng::new(1),
                    clock: &|| 0,
                    micros: 0,
                    stop: Some(stop),
                };
                let mv = game.bot_move(*bot, &mut thinking).unwrap();
                assert!(game.check(mv).is_ok(), "{bot}");
            }
        }
        check(&Othello::START, GameKind::Othello, &stop);
        check(&Adjacency::default(), GameKind::Adjacency, &stop);
        check(&Dots::default(), GameKind::Dots, &stop);
        check(&Duo::default(), GameKind::BlokusDuo, &stop);
    }

    #[test]
    fn random_moves_are_spread_evenly_and_repeat_under_a_seed() {
        let mut counts = [0u32; 64];
        let mut rng = Rng::new(1);
        for _ in 0..4000 {
            let mv = random(&Othello::START, &mut rng).unwrap();
            let crate::games::othello::Move::Disc(square) = mv else { panic!("a pass") };
            counts[usize::from(square.index())] += 1;
        }
        let seen: Vec<u32> = counts.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(seen.len(), 4);
        // 1000 each; five standard deviations are 137.
        assert!(seen.iter().all(|count| (863..1137).contains(count)), "{seen:?}");
        let game = Duo::default();
        let pick = |seed| random(&game, &mut Rng::new(seed));
        assert_eq!(pick(7), pick(7));
        assert_ne!(pick(7), pick(8));
    }

    #[test]
    fn greedy_takes_the_box_and_largest_a_piece_of_five() {
        let mut game = Dots::new(Size::new(2, 2).unwrap());
        for text in ["0,0-0,1", "0,0-1,0", "1,0-1,1"] {
            game.play(game.parse_move(text).unwrap());
        }
        let mv = ask(&game, Bot::Greedy, &mut [], &mut Rng::new(3)).unwrap();
        assert_eq!(mv, game.parse_move("0,1-1,1").unwrap());
        for seed in 0..20 {
            match ask(&Duo::default(), Bot::Largest, &mut [], &mut Rng::new(seed)) {
                Some(Move::Place(place)) => assert_eq!(place.orientation.piece().size(), 5),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn names_are_found_again() {
        for kind in GameKind::ALL {
            for bot in Bot::all(kind) {
                assert_eq!(Bot::from_name(kind, bot.name()), Some(*bot));
                assert!(bot.description().len() > 20, "{bot}");
            }
        }
        assert_eq!(Bot::from_name(GameKind::Othello, "leaky"), None);
    }
}
