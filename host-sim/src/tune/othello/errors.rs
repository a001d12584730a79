//! Errors on held-out positions.

use super::fit::{Lesson, Table};
use super::positions::Sample;

/// Sums of squared errors and their counts, by empty squares.
#[derive(Debug)]
pub(super) struct ByEmpty(Vec<(f64, u32)>);

impl ByEmpty {
    /// The errors of weights.
    pub(super) fn new(samples: &[Sample], lesson: &Lesson<'_>, table: &Table) -> Self {
        let mut sums = vec![(0.0, 0); 65];
        for (index, sample) in samples.iter().enumerate().filter(|(_, sample)| sample.held_out) {
            let (sum, count) = &mut sums[sample.empty() as usize];
            *sum += f64::from(lesson.error(table, index)).powi(2);
            *count += 1;
        }
        Self(sums)
    }

    /// The root of the mean squared error, in discs, from the fewest to the most empty squares;
    /// `None` without positions.
    pub(super) fn of(&self, (fewest, most): (u32, u32)) -> Option<f64> {
        let group = self.0.get(fewest as usize..=most as usize)?;
        let (sum, count) = group.iter().fold((0.0, 0), |all, at| (all.0 + at.0, all.1 + at.1));
        (count > 0).then(|| (sum / f64::from(count)).sqrt())
    }
}
