//! Choosing a move at random, or by what it gains at once.

use crate::game::Game;
use crate::mix::Rng;

/// Any legal move, each as likely as the others; `None` when the game is over.
pub fn random<G: Game>(game: &G, rng: &mut Rng) -> Option<G::Move> {
    best_by(game, rng, |_, _| 0)
}

/// A move that gains most points at once, ties at random; `None` when the game is over. In Blokus
/// it is the largest piece, anywhere.
pub fn greedy<G: Game>(game: &G, rng: &mut Rng) -> Option<G::Move> {
    best_by(game, rng, G::gain)
}

/// A move of the highest value, ties at random. The value is a function pointer, so that an image has
/// this once for each game.
#[inline(never)]
fn best_by<G: Game>(game: &G, rng: &mut Rng, value: fn(&G, G::Move) -> i16) -> Option<G::Move> {
    let mut best = Best::new();
    let mut chosen = None;
    game.for_each_move(|mv| {
        if best.takes(value(game, mv).into(), rng) {
            chosen = Some(mv);
        }
    });
    chosen
}

/// The highest value of what was offered, for choosing among equal ones at random.
#[derive(Debug)]
pub struct Best {
    value: i32,
    ties: u32,
}

impl Best {
    /// Nothing was offered yet.
    #[expect(clippy::new_without_default, reason = "it is made in one place")]
    pub const fn new() -> Self {
        Self { value: i32::MIN, ties: 0 }
    }

    /// Whether this one is chosen for now: it is better than all before, or as good as the best
    /// and drawn by lot.
    pub fn takes(&mut self, value: i32, rng: &mut Rng) -> bool {
        if value > self.value {
            (self.value, self.ties) = (value, 1);
            return true;
        }
        self.ties += u32::from(value == self.value);
        value == self.value && rng.below(self.ties) == 0
    }
}
