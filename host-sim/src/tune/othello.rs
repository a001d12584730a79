//! Learns the weights of Othello's patterns.
//!
//! Positions come from archives of games and from self-play. Those near the end are solved; the
//! others are labelled backwards from there, by searches on weights that were fitted to labels
//! already known. Then the weights of both layouts are fitted to all of them.

mod archives;
mod errors;
mod fit;
mod foretelling;
mod labels;
mod log;
mod places;
mod positions;
mod report;
mod selfplay;
mod teacher;
mod weights;

use std::io::{self, Write};
use std::ops::RangeInclusive;

use corvid_core::games::othello::tuning::{Large, Layout, Small, Weighted};
use corvid_core::mix::{Rng, mix_in};

use self::archives::Archives;
use self::errors::ByEmpty;
use self::fit::{Lesson, Rows, Schedule, far};
use self::foretelling::Extent;
use self::labels::Method;
use self::log::Log;
use self::places::Places;
use self::positions::{Sample, Sampler};
use self::report::{ALL, Errors, GROUPS, PLOTTED, Report};
use self::weights::{Folder, Rounded};
use super::progress;
use crate::args::TuneArgs;
use crate::failure::Failure;

/// How much is done.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Effort {
    /// Games of self-play where there are no others.
    games: u32,
    /// Positions taken of each game.
    per_game: u32,
    labels: Method,
    schedule: Schedule,
    foretelling: Extent,
}

impl Effort {
    const FULL: Self = Self {
        games: 40_000,
        per_game: 16,
        labels: Method { exact: 14, depth: 4, schedule: Schedule { epochs: 12, rate: 0.1 } },
        schedule: Schedule { epochs: 20, rate: 0.075 },
        foretelling: Extent { positions: 240, usual: 8, deepest: 10 },
    };

    const QUICK: Self = Self {
        games: 300,
        per_game: 12,
        labels: Method { exact: 9, depth: 1, schedule: Schedule { epochs: 4, rate: 0.1 } },
        schedule: Schedule { epochs: 8, rate: 0.1 },
        foretelling: Extent { positions: 5, usual: 4, deepest: 5 },
    };
}

/// Fits are made of positions with so many empty squares.
const FITTED: RangeInclusive<u32> = 4..=56;

/// Labels positions, fits the weights, writes the files and prints the report.
pub(super) fn run(args: &TuneArgs) -> Result<(), Failure> {
    let effort = if args.quick { Effort::QUICK } else { Effort::FULL };
    let without_archives = if args.wthor.is_empty() { effort.games } else { 0 };
    let games = args.games.unwrap_or(without_archives);
    let folder = args.out.as_deref().map(Folder::open).transpose()?;
    let archives = Archives::read(&args.wthor)?;
    let mut sampler = Sampler::new(args.seed, effort.per_game);
    archives.sample(&mut sampler)?;
    let run = format!(
        "corvid tune othello, log 1: seed {}, {games} games of self-play, sources {:016x}",
        args.seed,
        fingerprint(&effort, &archives, games)
    );
    let mut log = Log::open(args.log.as_deref(), &run)?;
    play(args.seed, games, &mut log, &mut sampler)?;
    let number_of_games = sampler.games();
    let samples = sampler.finish();
    if samples.is_empty() {
        return Err(Failure::Usage("there are no games to learn from".into()));
    }
    let rows = Rows::new(&Places::of::<Large>(), &samples);
    let (labels, stages) = labels::label(&samples, &rows, effort.labels, args.seed, &mut log)?;
    eprintln!();
    let shares: Vec<f32> = samples.iter().map(|sample| far(sample.empty())).collect();
    let fitting = Fitting { samples: &samples, far: &shares, labels: &labels };
    let (large, large_errors) = fitting.learn::<Large>(&rows, effort.schedule, args.seed);
    drop(rows);
    let rows = Rows::new(&Places::of::<Small>(), &samples);
    let (small, small_errors) = fitting.learn::<Small>(&rows, effort.schedule, args.seed);
    drop(rows);
    let command = command(args, games);
    if let Some(folder) = folder {
        folder.write([(Small::NAME, &small), (Large::NAME, &large)], &command)?;
    }
    let errors = |group| both(&small_errors, &large_errors, group);
    let plotted = (ALL.0..=ALL.1).step_by(PLOTTED as usize);
    let report = Report {
        command,
        games: number_of_games,
        positions: samples.len(),
        held_out: samples.iter().filter(|sample| sample.held_out).count(),
        stages,
        errors: GROUPS.map(errors).to_vec(),
        plot: plotted.map(|fewest| (fewest, errors((fewest, fewest + PLOTTED - 1)))).collect(),
        spreads: vec![
            (Small::NAME, foretelling::measure::<Small>(&samples, &small, effort.foretelling)),
            (Large::NAME, foretelling::measure::<Large>(&samples, &large, effort.foretelling)),
        ],
    };
    write!(io::stdout(), "{report}")?;
    Ok(())
}

/// The command that makes the same weights again, wherever the archives are.
fn command(args: &TuneArgs, games: u32) -> String {
    let mut command = String::from("corvid tune othello");
    if !args.wthor.is_empty() {
        command += " --wthor DIR";
    }
    if games > 0 {
        command += &format!(" --games {games}");
    }
    command += &format!(" --seed {}", args.seed);
    if args.quick {
        command += " --quick";
    }
    command
}

/// Everything that decides the games and the labels.
fn fingerprint(effort: &Effort, archives: &Archives, games: u32) -> u64 {
    let mut sum = 0;
    let mut add = |byte: u8| sum = mix_in(sum, byte.into());
    format!("{:?} {}", effort.labels, effort.per_game).bytes().for_each(&mut add);
    format!("{:?}", Large::SHAPES).bytes().for_each(&mut add);
    archives.bytes().for_each(&mut add);
    if games > 0 {
        // The engine plays with them.
        Rounded::built_in::<Small>().bytes().for_each(&mut add);
    }
    sum
}

/// Adds the positions of self-play.
fn play(seed: u64, games: u32, log: &mut Log, sampler: &mut Sampler) -> Result<(), Failure> {
    for number in 0..games {
        let squares = match log.game(number) {
            Some(squares) => squares.to_vec(),
            None => {
                let squares = selfplay::play(seed, number);
                log.add_game(number, &squares)?;
                squares
            }
        };
        let positions = selfplay::positions(&squares).ok_or_else(|| {
            Failure::Other(format!("game {number} of the log is illegal; take another --log"))
        })?;
        sampler.add(&positions);
        progress("self-play", number as usize + 1, games as usize, "games");
    }
    if games > 0 {
        eprintln!();
    }
    Ok(())
}

/// Positions with their labels.
struct Fitting<'a> {
    samples: &'a [Sample],
    far: &'a [f32],
    labels: &'a [i16],
}

impl Fitting<'_> {
    fn lesson<'a>(&'a self, rows: &'a Rows) -> Lesson<'a> {
        Lesson { rows, far: self.far, labels: self.labels }
    }

    /// The weights of a layout, and their errors.
    fn learn<L: Weighted>(
        &self,
        rows: &Rows,
        schedule: Schedule,
        seed: u64,
    ) -> (Rounded, [ByEmpty; 3]) {
        let weights = self.fit::<L>(rows, schedule, seed);
        let errors = self.errors::<L>(rows, &weights);
        (weights, errors)
    }

    fn fit<L: Weighted>(&self, rows: &Rows, schedule: Schedule, seed: u64) -> Rounded {
        let places = Places::of::<L>();
        let fitted = (0..self.samples.len() as u32).filter(|index| {
            let sample = &self.samples[*index as usize];
            !sample.held_out && FITTED.contains(&sample.empty())
        });
        let mut table = vec![[0.0; 2]; places.size()];
        let part = format!("fit, {}", L::NAME);
        let tell = |done| progress(&part, done as usize, schedule.epochs as usize, "passes");
        self.lesson(rows).fit(&mut table, fitted.collect(), schedule, &mut Rng::new(seed), tell);
        eprintln!();
        Rounded::new(&places, &table)
    }

    /// The errors of no weights, the built-in ones and the new ones.
    fn errors<L: Weighted>(&self, rows: &Rows, new: &Rounded) -> [ByEmpty; 3] {
        let nothing = vec![[0.0; 2]; L::SIZE];
        [nothing, Rounded::built_in::<L>().table(), new.table()]
            .map(|table| ByEmpty::new(self.samples, &self.lesson(rows), &table))
    }
}

/// The errors of both layouts in the order of the report.
fn both(small: &[ByEmpty; 3], large: &[ByEmpty; 3], group: (u32, u32)) -> Errors {
    let [none, small_before, small] = small.each_ref().map(|errors| errors.of(group));
    let [_, large_before, large] = large.each_ref().map(|errors| errors.of(group));
    [none, small_before, large_before, small, large]
}
