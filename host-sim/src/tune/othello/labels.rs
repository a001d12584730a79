//! What positions are worth: near the end as the solver says; before, stage by stage backwards, as a
//! teacher says that was fitted to the stages already labelled.

use corvid_core::games::othello::tuning::Large;
use corvid_core::mix::{Rng, mix_in};
use corvid_core::search::Solve;
use corvid_core::search::budget::{Budget, Meter};

use super::fit::{Lesson, Rows, Schedule};
use super::log::Log;
use super::places::Places;
use super::positions::Sample;
use super::teacher::Teacher;
use crate::failure::Failure;
use crate::tune::progress;

/// The empty squares of a stage that a teacher labels.
const SPAN: u32 = 4;

/// A teacher learns from the labels of so many numbers of empty squares before its stage.
const LEARNT: u32 = 8;

/// Labels that are kept at a time.
const CHUNK: usize = 2048;

/// Memory of the solver, in slots.
const SLOTS: usize = 1 << 16;

/// How labels are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Method {
    /// The most empty squares with which a position is solved.
    pub(super) exact: u32,
    /// How many plies a teacher looks ahead.
    pub(super) depth: u32,
    pub(super) schedule: Schedule,
}

/// Positions that were labelled in the same way.
#[derive(Debug)]
pub(super) struct Stage {
    /// The fewest and the most empty squares.
    pub(super) empty: (u32, u32),
    pub(super) labels: usize,
    /// The teacher's; none of the solver.
    pub(super) teacher: Option<Learnt>,
}

/// What a teacher knows.
#[derive(Debug)]
pub(super) struct Learnt {
    /// The positions that it was fitted to.
    pub(super) positions: usize,
    /// Its error on positions that were held out, in discs; none if there are no such positions.
    pub(super) error: Option<f64>,
}

/// The labels of all positions, in hundredths of a disc, and how they were made. The positions are
/// sorted by their empty squares; `rows` are their rows by the large layout.
pub(super) fn label(
    samples: &[Sample],
    rows: &Rows,
    method: Method,
    seed: u64,
    log: &mut Log,
) -> Result<(Vec<i16>, Vec<Stage>), Failure> {
    let places = Places::of::<Large>();
    let below = |empty: u32| samples.partition_point(|sample| sample.empty() < empty);
    let mut labels = Labels { samples, log, done: Vec::with_capacity(samples.len()) };
    let mut memory = vec![0; SLOTS];
    labels.extend(below(method.exact + 1), |sample| {
        let mut meter = Meter::new(Budget::UNLIMITED);
        let solution = sample.position.solve(&mut memory, &mut meter);
        solution.map(|solution| 100 * solution.score)
    })?;
    let mut stages =
        vec![Stage { empty: (0, method.exact), labels: labels.done.len(), teacher: None }];
    let mut table = vec![[0.0; 2]; places.size()];
    // A teacher has one phase.
    let far = vec![0.0; samples.len()];
    for first in (method.exact + 1..=60).step_by(SPAN as usize) {
        let learnt = below(first.saturating_sub(LEARNT))..below(first);
        let (held_out, learnt): (Vec<_>, Vec<_>) =
            learnt.partition(|index| samples[*index].held_out);
        let lesson = Lesson { rows, far: &far, labels: &labels.done };
        let learnt: Vec<_> = learnt.into_iter().map(|index| index as u32).collect();
        let positions = learnt.len();
        let mut rng = Rng::new(mix_in(seed, first.into()));
        lesson.fit(&mut table, learnt, method.schedule, &mut rng, |_| {});
        let error = lesson.mean_error(&table, held_out.into_iter());
        let mut teacher = Teacher::new(&places, &table);
        let before = labels.done.len();
        labels.extend(below(first + SPAN), |sample| Some(teacher.label(sample, method.depth)))?;
        stages.push(Stage {
            empty: (first, (first + SPAN - 1).min(60)),
            labels: labels.done.len() - before,
            teacher: Some(Learnt { positions, error }),
        });
    }
    Ok((labels.done, stages))
}

struct Labels<'a> {
    samples: &'a [Sample],
    log: &'a mut Log,
    done: Vec<i16>,
}

impl Labels<'_> {
    /// Labels the positions up to this one, unless the log has them.
    fn extend(
        &mut self,
        end: usize,
        mut label: impl FnMut(&Sample) -> Option<i16>,
    ) -> Result<(), Failure> {
        let first = self.done.len();
        let known = self.log.labels().get(first..).unwrap_or_default();
        self.done.extend(&known[..known.len().min(end - first)]);
        while self.done.len() < end {
            let from = self.done.len();
            for sample in &self.samples[from..end.min(from + CHUNK)] {
                let label = label(sample)
                    .ok_or_else(|| Failure::Other(format!("not solved: {:?}", sample.position)))?;
                self.done.push(label);
            }
            self.log.add_labels(from, &self.done[from..])?;
            progress("labels", self.done.len(), self.samples.len(), "positions");
        }
        Ok(())
    }
}
