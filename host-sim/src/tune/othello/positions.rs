//! The positions that are learnt from: some of each game, every second one after a few random
//! moves, so that mistakes are seen too.

use std::collections::HashSet;

use corvid_core::bitboard::Bitboard;
use corvid_core::choice::random;
use corvid_core::game::Game;
use corvid_core::games::othello::Othello;
use corvid_core::mix::{Rng, mix_in};

/// One game in so many is held out: the fit never sees its positions.
const HELD_OUT: u64 = 16;

/// The most random moves before a position.
const RANDOM_MOVES: u32 = 4;

/// A position in which a player can move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) position: Othello,
    /// Whether it only serves to measure errors.
    pub(super) held_out: bool,
}

impl Sample {
    /// The discs of the player to move.
    pub(super) fn own(&self) -> Bitboard {
        self.position.discs(self.position.turn())
    }

    pub(super) fn opponent(&self) -> Bitboard {
        self.position.discs(self.position.turn().other())
    }

    /// The number of empty squares.
    pub(super) fn empty(&self) -> u32 {
        64 - (self.own() | self.opponent()).len()
    }
}

/// Takes positions from games, none of them twice.
#[derive(Debug)]
pub(super) struct Sampler {
    seed: u64,
    per_game: u32,
    games: u64,
    seen: HashSet<[u64; 2]>,
    samples: Vec<Sample>,
}

impl Sampler {
    pub(super) fn new(seed: u64, per_game: u32) -> Self {
        Self { seed, per_game, games: 0, seen: HashSet::new(), samples: Vec::new() }
    }

    /// Takes some of a game's positions, in each of which a player can move.
    pub(super) fn add(&mut self, game: &[Othello]) {
        let held_out = self.games % HELD_OUT == HELD_OUT - 1;
        let mut rng = Rng::new(mix_in(self.seed, self.games));
        self.games += 1;
        for number in 0..self.per_game {
            let at = rng.below(game.len() as u32) as usize;
            let Some(mut position) = game.get(at).copied() else { return };
            if number % 2 == 1 {
                for _ in 0..=rng.below(RANDOM_MOVES) {
                    position = after_random_move(position, &mut rng);
                }
            }
            let sample = Sample { position, held_out };
            let discs = [sample.own().bits(), sample.opponent().bits()];
            if !position.is_over() && self.seen.insert(discs) {
                self.samples.push(sample);
            }
        }
    }

    /// The positions, those with the fewest empty squares first.
    pub(super) fn finish(mut self) -> Vec<Sample> {
        self.samples.sort_by_key(Sample::empty);
        self.samples
    }

    /// The games so far.
    pub(super) fn games(&self) -> u64 {
        self.games
    }
}

/// The next position in which a player can move, or the end.
fn after_random_move(mut position: Othello, rng: &mut Rng) -> Othello {
    if let Some(mv) = random(&position, rng) {
        position.play(mv);
    }
    if let Some(pass) = position.forced_pass() {
        position.play(pass);
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(seed: u64) -> Vec<Othello> {
        let (mut position, mut rng, mut game) = (Othello::START, Rng::new(seed), vec![]);
        while !position.is_over() {
            game.push(position);
            position = after_random_move(position, &mut rng);
        }
        game
    }

    fn samples(seed: u64) -> Vec<Sample> {
        let mut sampler = Sampler::new(seed, 12);
        (0..64).for_each(|number| sampler.add(&game(number)));
        sampler.finish()
    }

    #[test]
    fn a_seed_decides_them() {
        assert_eq!(samples(1), samples(1));
        assert_ne!(samples(1), samples(2));
    }

    #[test]
    fn they_are_sorted_and_differ_and_somebody_can_move() {
        let samples = samples(1);
        assert!(samples.len() > 600, "{}", samples.len());
        assert!(samples.is_sorted_by_key(Sample::empty));
        let different: HashSet<_> = samples.iter().map(|at| [at.own(), at.opponent()]).collect();
        assert_eq!(different.len(), samples.len());
        assert!(samples.iter().all(|sample| !sample.position.targets().is_empty()));
        let held_out = samples.iter().filter(|sample| sample.held_out).count();
        assert!((30..=48).contains(&held_out), "4 games of 64: {held_out}");
    }

    #[test]
    fn a_game_without_moves_has_none() {
        let mut sampler = Sampler::new(1, 12);
        sampler.add(&[]);
        assert_eq!(sampler.games(), 1);
        assert_eq!(sampler.finish(), []);
    }
}
