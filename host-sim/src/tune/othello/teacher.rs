//! The teacher: labels positions by an alpha-beta search on weights that were fitted to positions
//! nearer to the end.

use corvid_core::bitboard::Bitboard;
use corvid_core::games::othello::{flips, moves};
use corvid_core::square::Square;

use super::fit::Table;
use super::places::Places;
use super::positions::Sample;

/// More than any score.
const INFINITE: f32 = 1000.0;

/// The most that a player can be ahead by.
const ALL_SQUARES: f32 = 64.0;

/// How many replies a corner is worth when moves are ordered.
const CORNER: i32 = 8;

#[derive(Debug)]
pub(super) struct Teacher<'a> {
    places: &'a Places,
    /// By place, for one phase.
    weights: Vec<f32>,
    /// What the discs on each pattern make, for the player of sign 1.
    numbers: Vec<i16>,
}

/// A position in the search. The sign says whose discs the numbers count as own.
#[derive(Debug, Clone, Copy)]
struct Discs {
    own: Bitboard,
    opponent: Bitboard,
    sign: i16,
}

impl Discs {
    const fn pass(self) -> Self {
        Self { own: self.opponent, opponent: self.own, sign: -self.sign }
    }

    fn after(self, square: Square, flipped: Bitboard) -> Self {
        Self { own: self.own | flipped.with(square), opponent: self.opponent & !flipped, ..self }
            .pass()
    }

    /// What the game ended with: empty squares are the winner's.
    fn score(self) -> f32 {
        let (own, opponent) = (self.own.len() as i32, self.opponent.len() as i32);
        let ahead = own - opponent;
        (ahead + (64 - own - opponent) * ahead.signum()) as f32
    }
}

impl<'a> Teacher<'a> {
    /// A teacher with the first phase of these weights.
    pub(super) fn new(places: &'a Places, table: &Table) -> Self {
        let weights = (0..places.size()).map(|place| table[places.same(place)][0]).collect();
        Self { places, weights, numbers: Vec::new() }
    }

    /// What the player to move will be ahead by, in hundredths of a disc.
    pub(super) fn label(&mut self, sample: &Sample, depth: u32) -> i16 {
        let (own, opponent) = (sample.own(), sample.opponent());
        self.numbers = self.places.numbers(own, opponent);
        let root = Discs { own, opponent, sign: 1 };
        (self.search(root, depth, -INFINITE, INFINITE) * 100.0).round() as i16
    }

    fn search(&mut self, discs: Discs, depth: u32, mut alpha: f32, beta: f32) -> f32 {
        let Discs { own, opponent, sign } = discs;
        let targets = moves(own, opponent);
        if targets.is_empty() {
            if moves(opponent, own).is_empty() {
                return discs.score();
            }
            return -self.search(discs.pass(), depth, -beta, -alpha);
        }
        if depth == 0 {
            return self.guess(discs);
        }
        let mut ordered: Vec<(i32, Square, Bitboard)> =
            targets.iter().map(|square| (0, square, flips(square, own, opponent))).collect();
        if depth > 1 {
            for (rank, square, flipped) in &mut ordered {
                let child = discs.after(*square, *flipped);
                *rank = moves(child.own, child.opponent).len() as i32;
                *rank -= if Bitboard::CORNERS.contains(*square) { CORNER } else { 0 };
            }
            ordered.sort_by_key(|(rank, ..)| *rank);
        }
        let mut best = -INFINITE;
        for (_, square, flipped) in ordered {
            self.turn_over(square, flipped, sign);
            let child = discs.after(square, flipped);
            best = best.max(-self.search(child, depth - 1, -beta, -alpha));
            self.turn_over(square, flipped, -sign);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Makes a move of the player with this sign in the numbers, or takes one of the other back.
    fn turn_over(&mut self, square: Square, flipped: Bitboard, sign: i16) {
        self.places.put(&mut self.numbers, square.bitboard(), sign);
        self.places.put(&mut self.numbers, flipped, 2 * sign);
    }

    fn guess(&self, discs: Discs) -> f32 {
        let others = self.places.others(discs.own, discs.opponent).map(|at| self.weights[at]);
        let sum = self.places.sum(&self.numbers, discs.sign, &self.weights);
        (sum + others.iter().sum::<f32>()).clamp(-ALL_SQUARES, ALL_SQUARES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::choice::random;
    use corvid_core::game::Game;
    use corvid_core::games::othello::Othello;
    use corvid_core::games::othello::tuning::{Large, Weighted};
    use corvid_core::mix::Rng;
    use corvid_core::search::Solve;
    use corvid_core::search::budget::{Budget, Meter};

    /// A position of a random game with so many empty squares.
    fn sample(seed: u64, empty: u32) -> Option<Sample> {
        let (mut position, mut rng) = (Othello::START, Rng::new(seed));
        loop {
            let sample = Sample { position, held_out: false };
            if sample.empty() == empty && !position.targets().is_empty() {
                return Some(sample);
            }
            position.play(random(&position, &mut rng)?);
        }
    }

    fn table() -> Table {
        let [near, far] = Large::learnt();
        let disc = |weight: &i8| f32::from(*weight) / 8.0;
        near.iter().zip(far).map(|(near, far)| [disc(near), disc(far)]).collect()
    }

    #[test]
    fn a_search_to_the_end_is_exact() {
        let (places, table) = (Places::of::<Large>(), table());
        let mut teacher = Teacher::new(&places, &table);
        for sample in (0..20).filter_map(|seed| sample(seed, 6)) {
            let mut meter = Meter::new(Budget::UNLIMITED);
            let solved = sample.position.solve(&mut [], &mut meter).unwrap().score;
            assert_eq!(teacher.label(&sample, 6), 100 * solved, "{sample:?}");
        }
    }

    /// Without alpha-beta, ordering, or numbers that are kept up.
    fn negamax(teacher: &mut Teacher<'_>, position: Othello, depth: u32) -> f32 {
        let sample = Sample { position, held_out: false };
        let mut children = Vec::new();
        let is_pass = position.forced_pass().is_some();
        position.for_each_move(|mv| {
            let mut child = position;
            child.play(mv);
            children.push(child);
        });
        if children.is_empty() {
            return Discs { own: sample.own(), opponent: sample.opponent(), sign: 1 }.score();
        }
        if depth == 0 && !is_pass {
            return f32::from(teacher.label(&sample, 0)) / 100.0;
        }
        let depth = if is_pass { depth } else { depth - 1 };
        let scores = children.into_iter().map(|child| -negamax(teacher, child, depth));
        scores.fold(-INFINITE, f32::max)
    }

    #[test]
    fn pruning_changes_nothing() {
        let (places, table) = (Places::of::<Large>(), table());
        let mut teacher = Teacher::new(&places, &table);
        for sample in (0..8).filter_map(|seed| sample(seed, 8 + 4 * seed as u32)) {
            let expected = negamax(&mut teacher, sample.position, 3);
            let label = f32::from(teacher.label(&sample, 3)) / 100.0;
            assert!((label - expected).abs() < 0.02, "{label} instead of {expected}: {sample:?}");
        }
    }
}
