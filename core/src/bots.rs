//! Players with a name: those that the documents behind this project describe, and a few plain
//! ones to measure them by. Each game has its own, in its folder.
//!
//! A plain name plays as its authors meant it to. Where their program did something else and its
//! published results depend on that, `NAME:seed` does the same (`docs/seeds.md` compares them).

use crate::bitboard::Bitboard;
pub use crate::choice::{greedy, random};
use crate::engine::Thinking;
use crate::search::budget::Meter;

/// A bot by its place in its game's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BotIndex(pub(crate) u8);

/// The bots of one game, as a type: another game's can't be asked for a move.
pub trait BotList: Copy + PartialEq + 'static {
    /// All of them, the plain ones first.
    const ALL: &'static [Self];
    /// What each is called.
    const NAMES: &'static [&'static str];
    /// How each plays, in a sentence. Apart from the names: a board has no room for it.
    const DESCRIPTIONS: &'static [&'static str];
}

/// Declares a game's bots with their names and what is said about them.
macro_rules! bots {
    ($(#[$doc:meta])* $($bot:ident $name:literal $description:literal)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Bot {
            $(#[doc = concat!("`", $name, "`: ", $description, ".")] $bot,)*
        }

        impl $crate::bots::BotList for Bot {
            const ALL: &'static [Self] = &[$(Self::$bot),*];
            const NAMES: &'static [&'static str] = &[$($name),*];
            const DESCRIPTIONS: &'static [&'static str] = &[$($description),*];
        }
    };
}

pub(crate) use bots;

/// How many squares a set has, as a number to calculate with.
#[inline(always)]
pub(crate) const fn count(set: Bitboard) -> i32 {
    set.len() as i32
}

/// Looks deeper and deeper, and gives the move of the last depth that came to its end; of the first
/// one also if it did not. `look` gives its move and whether it came to its end.
pub(crate) fn deepen<M>(depths: u8, mut look: impl FnMut(u8) -> (Option<M>, bool)) -> Option<M> {
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
pub(crate) fn meter<'a>(thinking: &Thinking<'a>, nodes: u64) -> Meter<'a> {
    Meter::new(thinking.budget(nodes, u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::game::Game;
    use crate::games::adjacency::{Adjacency, Rounds};
    use crate::games::blokus::{self, Classic, Duo, Move};
    use crate::games::dots::{self, Dots, Size};
    use crate::games::othello::Othello;
    use crate::mix::Rng;
    use crate::player::Player;
    use core::fmt::Debug;
    use std::vec::Vec;

    fn ask<G: Engine>(game: &G, bot: G::Bot, memory: &mut [u64], rng: &mut Rng) -> Option<G::Move> {
        game.bot_move(bot, &mut Thinking { memory, ..Thinking::for_tests(rng) })
    }

    /// Plays a game after a few random moves, one bot in all seats, and gives its moves.
    fn play<G: Engine<Bot: Debug>>(
        start: &G,
        bot: G::Bot,
        seed: u64,
        memory: &mut [u64],
    ) -> Vec<G::Move> {
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
            assert!(game.check(mv).is_ok(), "{bot:?}: {mv:?} in {game:?}");
            game.play(mv);
            moves.push(mv);
        }
        assert!(game.is_over(), "{bot:?} gave up");
        moves
    }

    fn check_all<G: Engine<Bot: Debug>>(start: &G, seeds: core::ops::Range<u64>) {
        for bot in G::Bot::ALL {
            for seed in seeds.clone() {
                let mut memory = [0; 300];
                let moves = play(start, *bot, seed, &mut memory);
                assert_eq!(memory, [0; 300], "{bot:?} leaves its memory as it was");
                assert_eq!(
                    moves,
                    play(start, *bot, seed, &mut []),
                    "{bot:?} repeats without memory"
                );
            }
        }
    }

    #[test]
    fn every_bot_plays_legal_moves_that_repeat_under_a_seed() {
        check_all(&Othello::START, 0..4);
        check_all(&Adjacency::default(), 0..3);
        let short = Adjacency::new(Rounds::MIN, Player::SECOND);
        check_all(&short, 0..1);
        for (rows, columns) in [(1, 1), (2, 3), (4, 4)] {
            check_all(&Dots::new(Size::new(rows, columns).unwrap()), 0..3);
        }
        check_all(&Duo::default(), 0..3);
        check_all(&Classic::default(), 0..2);
    }

    #[test]
    fn a_stopped_bot_still_moves() {
        let stop = core::sync::atomic::AtomicBool::new(true);
        fn check<G: Engine<Bot: Debug>>(game: &G, stop: &core::sync::atomic::AtomicBool) {
            for bot in G::Bot::ALL {
                let rng = &mut Rng::new(1);
                let mut thinking = Thinking { stop: Some(stop), ..Thinking::for_tests(rng) };
                let mv = game.bot_move(*bot, &mut thinking).unwrap();
                assert!(game.check(mv).is_ok(), "{bot:?}");
            }
        }
        check(&Othello::START, &stop);
        check(&Adjacency::default(), &stop);
        check(&Dots::default(), &stop);
        check(&Duo::default(), &stop);
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
        let mv = ask(&game, dots::Bot::Greedy, &mut [], &mut Rng::new(3)).unwrap();
        assert_eq!(mv, game.parse_move("0,1-1,1").unwrap());
        for seed in 0..20 {
            match ask(&Duo::default(), blokus::Bot::Largest, &mut [], &mut Rng::new(seed)) {
                Some(Move::Place(place)) => assert_eq!(place.orientation.piece().size(), 5),
                other => panic!("{other:?}"),
            }
        }
    }
}
