//! Players with a name: which move each of them chooses.

use crate::game::Game;
use crate::mix::Rng;
use crate::setup::GameKind;

/// A way to choose a move, the same under the same seed on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bot {
    /// Any legal move.
    Random,
    /// What gains most at once.
    Greedy,
    /// The largest piece that fits, anywhere.
    Largest,
}

impl Bot {
    /// The bots that play a game, weakest first.
    pub const fn all(kind: GameKind) -> &'static [Self] {
        match kind {
            GameKind::Othello | GameKind::Adjacency | GameKind::Dots => {
                &[Self::Random, Self::Greedy]
            }
            GameKind::BlokusDuo | GameKind::BlokusClassic => &[Self::Random, Self::Largest],
        }
    }

    /// The bot of this name that plays this game.
    pub fn from_name(kind: GameKind, name: &str) -> Option<Self> {
        Self::all(kind).iter().copied().find(|bot| bot.name().eq_ignore_ascii_case(name))
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Largest => "largest",
        }
    }

    /// How it plays, in a sentence.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Random => "plays any legal move, each as likely as the others",
            Self::Greedy => "plays a move that gains most points at once, ties at random",
            Self::Largest => "plays the largest piece that fits, at a random place",
        }
    }

    /// A legal move; `None` only when the game is over.
    pub fn choose<G: Game>(self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        match self {
            Self::Random => random_best(game, rng, |_| 0),
            Self::Greedy | Self::Largest => random_best(game, rng, |mv| game.gain(mv)),
        }
    }
}

/// One of the moves with the highest value, each as likely as the others.
fn random_best<G: Game>(
    game: &G,
    rng: &mut Rng,
    value: impl Fn(G::Move) -> i16,
) -> Option<G::Move> {
    let mut best = None;
    let mut ties = 0;
    game.for_each_move(|mv| {
        let value = value(mv);
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((mv, value));
            ties = 1;
        } else if best.is_some_and(|(_, highest)| value == highest) {
            ties += 1;
            if rng.below(ties) == 0 {
                best = Some((mv, value));
            }
        }
    });
    best.map(|(mv, _)| mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::blokus::{Duo, Move};
    use crate::games::dots::{Dots, Size};
    use crate::games::othello::Othello;

    #[test]
    fn random_moves_are_spread_evenly_and_repeat_under_a_seed() {
        let mut counts = [0u32; 64];
        let mut rng = Rng::new(1);
        for _ in 0..4000 {
            let mv = Bot::Random.choose(&Othello::START, &mut rng).unwrap();
            let crate::games::othello::Move::Disc(square) = mv else { panic!("a pass") };
            counts[usize::from(square.index())] += 1;
        }
        let seen: std::vec::Vec<u32> = counts.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(seen.len(), 4);
        // 1000 each; five standard deviations are 137.
        assert!(seen.iter().all(|count| (863..1137).contains(count)), "{seen:?}");
        let game = Duo::default();
        let pick = |seed| Bot::Random.choose(&game, &mut Rng::new(seed));
        assert_eq!(pick(7), pick(7));
        assert_ne!(pick(7), pick(8));
    }

    #[test]
    fn greedy_takes_the_box_and_largest_a_piece_of_five() {
        let mut game = Dots::new(Size::new(2, 2).unwrap());
        for text in ["0,0-0,1", "0,0-1,0", "1,0-1,1"] {
            game.play(game.parse_move(text).unwrap());
        }
        let mv = Bot::Greedy.choose(&game, &mut Rng::new(3)).unwrap();
        assert_eq!(mv, game.parse_move("0,1-1,1").unwrap());
        for seed in 0..20 {
            match Bot::Largest.choose(&Duo::default(), &mut Rng::new(seed)) {
                Some(Move::Place(place)) => assert_eq!(place.orientation.piece().size(), 5),
                other => panic!("{other:?}"),
            }
        }
    }
}
