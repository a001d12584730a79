//! Fitting weights to labels by stochastic gradients.

use corvid_core::games::othello::tuning::PHASES;
use corvid_core::mix::Rng;

use super::places::Places;
use super::positions::Sample;

/// Weights are kept within this, in discs: an 8-bit number of eighths ends at 15.875.
const LARGEST: f32 = 15.8;

/// Larger errors count as this one, in discs: a few wild positions should not decide.
const LARGEST_ERROR: f32 = 24.0;

/// The most that the step of a rare weight is lengthened by.
const LONGEST_STEP: f32 = 30.0;

/// The weights of two phases by place, in discs. Only places that stand for themselves count.
pub(super) type Table = Vec<[f32; 2]>;

/// How long and how fast to learn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Schedule {
    /// Passes over all positions.
    pub(super) epochs: u32,
    /// About the share of an error that a position corrects in the first pass. In later ones it
    /// falls with the square of the passes left.
    pub(super) rate: f32,
}

/// The places of the weights that each position adds up.
#[derive(Debug)]
pub(super) struct Rows {
    width: usize,
    places: Vec<u16>,
}

impl Rows {
    pub(super) fn new(places: &Places, samples: &[Sample]) -> Self {
        let mut rows = Vec::with_capacity(samples.len() * places.width());
        for sample in samples {
            let row = places.of_position(sample.own(), sample.opponent());
            rows.extend(row.into_iter().map(|place| places.same(place) as u16));
        }
        Self { width: places.width(), places: rows }
    }

    fn row(&self, index: usize) -> &[u16] {
        &self.places[index * self.width..(index + 1) * self.width]
    }
}

/// How much the second phase's weights count with so many empty squares, 0 to 1.
pub(super) fn far(empty: u32) -> f32 {
    let [near, far] = PHASES;
    (empty.clamp(near, far) - near) as f32 / (far - near) as f32
}

/// Positions with what is known of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lesson<'a> {
    pub(super) rows: &'a Rows,
    /// How much the second phase counts; all 0 for weights of one phase.
    pub(super) far: &'a [f32],
    /// What the player to move will be ahead by, in hundredths of a disc.
    pub(super) labels: &'a [i16],
}

impl Lesson<'_> {
    /// The guess for a position, in discs.
    fn guess(&self, table: &Table, index: usize) -> f32 {
        let far = self.far[index];
        let weight = |place: &u16| {
            let [near_weight, far_weight] = table[usize::from(*place)];
            near_weight + far * (far_weight - near_weight)
        };
        self.rows.row(index).iter().map(weight).sum()
    }

    /// The label less the guess, in discs.
    pub(super) fn error(&self, table: &Table, index: usize) -> f32 {
        f32::from(self.labels[index]) / 100.0 - self.guess(table, index)
    }

    /// The root of the mean squared error on some positions, in discs; `None` without any.
    pub(super) fn mean_error(
        &self,
        table: &Table,
        positions: impl Iterator<Item = usize>,
    ) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0u32);
        for index in positions {
            sum += f64::from(self.error(table, index)).powi(2);
            count += 1;
        }
        (count > 0).then(|| (sum / f64::from(count)).sqrt())
    }

    /// Fits the weights to the labels of some positions. Calls `tell` after each pass.
    pub(super) fn fit(
        &self,
        table: &mut Table,
        mut positions: Vec<u32>,
        schedule: Schedule,
        rng: &mut Rng,
        mut tell: impl FnMut(u32),
    ) {
        let steps = self.steps(&positions, table.len());
        for epoch in 0..schedule.epochs {
            rng.shuffle(&mut positions);
            let left = 1.0 - epoch as f32 / schedule.epochs as f32;
            let rate = schedule.rate * left * left / self.rows.width as f32;
            for index in &positions {
                let index = *index as usize;
                let far = self.far[index];
                let error = self.error(table, index).clamp(-LARGEST_ERROR, LARGEST_ERROR);
                let (near_change, far_change) = (rate * error * (1.0 - far), rate * error * far);
                for place in self.rows.row(index) {
                    let place = usize::from(*place);
                    let step = steps[place];
                    let [near_weight, far_weight] = table[place];
                    table[place] = [
                        (near_weight + step * near_change).clamp(-LARGEST, LARGEST),
                        (far_weight + step * far_change).clamp(-LARGEST, LARGEST),
                    ];
                }
            }
            tell(epoch + 1);
        }
    }

    /// How much longer each weight's step is: rare ones have fewer. A square root, whose last bit
    /// is the same on every machine.
    fn steps(&self, positions: &[u32], weights: usize) -> Vec<f32> {
        let mut counts = vec![0u32; weights];
        for index in positions {
            for place in self.rows.row(*index as usize) {
                counts[usize::from(*place)] += 1;
            }
        }
        let all = positions.len() as f32;
        let step = |count: u32| (all / (count as f32 + 1.0)).sqrt().clamp(1.0, LONGEST_STEP);
        counts.into_iter().map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of one to three of eight places, and labels that known weights give.
    fn lesson(known: &Table) -> (Rows, Vec<f32>, Vec<i16>) {
        let mut rng = Rng::new(1);
        let (mut places, mut shares, mut labels) = (vec![], vec![], vec![]);
        for _ in 0..2000 {
            let row: Vec<u16> = (0..3).map(|_| rng.below(8) as u16).collect();
            let far = rng.below(100) as f32 / 99.0;
            let weight = |place: &u16| {
                let [near, distant] = known[usize::from(*place)];
                near * (1.0 - far) + distant * far
            };
            labels.push((100.0 * row.iter().map(weight).sum::<f32>()).round() as i16);
            places.extend(row);
            shares.push(far);
        }
        (Rows { width: 3, places }, shares, labels)
    }

    #[test]
    fn known_weights_are_found_again() {
        let known: Table = (0..8).map(|place| [place as f32 - 4.0, 2.0 - place as f32]).collect();
        let (rows, far, labels) = lesson(&known);
        let lesson = Lesson { rows: &rows, far: &far, labels: &labels };
        let mut table = vec![[0.0; 2]; 8];
        let schedule = Schedule { epochs: 60, rate: 0.2 };
        lesson.fit(&mut table, (0..2000).collect(), schedule, &mut Rng::new(1), |_| {});
        for (found, known) in table.iter().zip(&known) {
            let close = (0..2).all(|phase| (found[phase] - known[phase]).abs() < 0.1);
            assert!(close, "{found:?} instead of {known:?}");
        }
        assert!(lesson.mean_error(&table, 0..2000).unwrap() < 0.05);
        assert_eq!(lesson.mean_error(&table, 0..0), None);
    }

    #[test]
    fn weights_stay_within_their_limits() {
        let known: Table = vec![[40.0, -40.0]; 8];
        let (rows, far, labels) = lesson(&known);
        let lesson = Lesson { rows: &rows, far: &far, labels: &labels };
        let mut table = vec![[0.0; 2]; 8];
        let schedule = Schedule { epochs: 20, rate: 0.5 };
        lesson.fit(&mut table, (0..2000).collect(), schedule, &mut Rng::new(1), |_| {});
        assert!(table.iter().flatten().all(|weight| weight.abs() <= LARGEST), "{table:?}");
        assert!(table.iter().all(|[near, far]| *near > 10.0 && *far < -10.0), "{table:?}");
    }

    #[test]
    fn phases_are_blended_between_their_ends() {
        assert_eq!([0, 6, 30, 54, 60].map(far), [0.0, 0.0, 0.5, 1.0, 1.0]);
    }
}
