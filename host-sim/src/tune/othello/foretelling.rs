//! How well shallow searches foretell deep ones, for the margins of Multi-ProbCut.

use corvid_core::games::othello::tuning::{AHEAD, Weighted, scores};

use super::positions::Sample;
use super::weights::Rounded;
use crate::tune::progress;

/// Depths of the shallow and the deep search. Both have the same parity: guesses favour whoever
/// moved last.
pub(super) const PAIRS: [(u8, u8); 8] =
    [(1, 3), (2, 4), (1, 5), (2, 6), (3, 7), (4, 8), (3, 9), (4, 10)];

/// The fewest and the most empty squares of positions that are looked at together.
pub(super) const BANDS: [(u32, u32); 5] = [(14, 18), (19, 25), (26, 33), (34, 41), (42, 50)];

/// Memory of a search, in slots.
const SLOTS: usize = 1 << 16;

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    /// Positions in each band.
    pub(super) positions: usize,
    /// The deepest search of most positions, in plies.
    pub(super) usual: u8,
    /// That of one position in [`FEW`]: it takes ten times as long.
    pub(super) deepest: u8,
}

/// One position in so many is searched deepest.
const FEW: usize = 4;

/// How far deep scores are from shallow ones, in hundredths of a disc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    /// The mean of the differences.
    pub(super) mean: f64,
    /// How much the deep score grows with the shallow one.
    pub(super) slope: f64,
    /// The standard deviation of the differences.
    pub(super) deviation: f64,
}

impl Spread {
    /// Of pairs of a shallow and a deep score; `None` of fewer than two, or if all shallow ones are
    /// the same.
    fn of(pairs: &[(f64, f64)]) -> Option<Self> {
        let count = pairs.len() as f64;
        let mean = |of: &dyn Fn(f64, f64) -> f64| {
            pairs.iter().map(|(shallow, deep)| of(*shallow, *deep)).sum::<f64>() / count
        };
        let middle = mean(&|shallow, _| shallow);
        let difference = mean(&|shallow, deep| deep - shallow);
        let variance = mean(&|shallow, _| (shallow - middle).powi(2));
        let shared = mean(&|shallow, deep| (shallow - middle) * (deep - middle - difference));
        let spread = mean(&|shallow, deep| (deep - shallow - difference).powi(2));
        (pairs.len() > 1 && variance > 0.0).then(|| Self {
            mean: difference,
            slope: shared / variance,
            deviation: (spread * count / (count - 1.0)).sqrt(),
        })
    }
}

/// The spreads by band and pair on held-out positions; none where the searches don't reach.
pub(super) fn measure<L: Weighted>(
    samples: &[Sample],
    weights: &Rounded,
    extent: Extent,
) -> Vec<[Option<Spread>; PAIRS.len()]> {
    let mut memory = vec![0; SLOTS];
    let band = |(number, (fewest, most)): (usize, (u32, u32))| {
        let within =
            |sample: &&Sample| sample.held_out && (fewest..=most).contains(&sample.empty());
        let all: Vec<_> = samples.iter().filter(within).collect();
        let step = (all.len() / extent.positions.max(1)).max(1);
        let mut found = Vec::new();
        let chosen = all.into_iter().step_by(step).take(extent.positions);
        for (index, sample) in chosen.enumerate() {
            memory.fill(0);
            let blended = weights.blended::<L>(sample.empty() - AHEAD);
            let deepest = if index % FEW == 0 { extent.deepest } else { extent.usual };
            let mut by_depth = vec![0.0];
            scores::<L>(&sample.position, &blended, &mut memory, deepest, &mut |_, score| {
                by_depth.push(score.into());
            });
            found.push(by_depth);
        }
        progress(&format!("foretelling, {}", L::NAME), number + 1, BANDS.len(), "bands");
        PAIRS.map(|(shallow, deep)| {
            let pair = |by_depth: &Vec<f64>| {
                Some((by_depth[usize::from(shallow)], *by_depth.get(usize::from(deep))?))
            };
            Spread::of(&found.iter().filter_map(pair).collect::<Vec<_>>())
        })
    };
    let bands = BANDS.into_iter().enumerate().map(band).collect();
    eprintln!();
    bands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_that_of_a_line() {
        let pairs = [(-10.0, -19.0), (0.0, 1.0), (10.0, 21.0)];
        let spread = Spread::of(&pairs).unwrap();
        assert_eq!(spread, Spread { mean: 1.0, slope: 2.0, deviation: 10.0 });
        assert_eq!(Spread::of(&pairs[..1]), None);
        assert_eq!(Spread::of(&[(1.0, 2.0), (1.0, 3.0)]), None);
    }
}
