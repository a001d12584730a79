//! The report: Markdown on standard output.

use std::fmt::{self, Display, Formatter};

use super::foretelling::{BANDS, PAIRS, Spread};
use super::labels::Stage;

/// The fewest and the most empty squares of the positions whose errors are averaged.
pub(super) const GROUPS: [(u32, u32); 6] = [(5, 9), (10, 19), (20, 29), (30, 39), (40, 49), ALL];

/// Those of all positions that count.
pub(super) const ALL: (u32, u32) = (5, 49);

/// The plot's lines: so many numbers of empty squares each.
pub(super) const PLOTTED: u32 = 3;

/// Characters for a disc in the plot.
const SCALE: f64 = 5.0;

/// What weights are judged, in the order of the columns.
pub(super) const JUDGED: [&str; 5] =
    ["no weights", "built-in small", "built-in large", "small", "large"];

/// Errors on held-out positions in discs, in the order of [`JUDGED`]; none without positions.
pub(super) type Errors = [Option<f64>; JUDGED.len()];

/// All that was found out.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) command: String,
    pub(super) games: u64,
    pub(super) positions: usize,
    pub(super) held_out: usize,
    pub(super) stages: Vec<Stage>,
    /// By [`GROUPS`].
    pub(super) errors: Vec<Errors>,
    /// By numbers of empty squares from 5 on, [`PLOTTED`] at a time.
    pub(super) plot: Vec<(u32, Errors)>,
    /// The layout's name, and the spreads by band.
    pub(super) spreads: Vec<(&'static str, Vec<[Option<Spread>; PAIRS.len()]>)>,
}

/// A figure, or a dash.
fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".into(), |value| format!("{value:.2}"))
}

/// A row of a table.
fn row(f: &mut Formatter<'_>, cells: impl IntoIterator<Item = String>) -> fmt::Result {
    for cell in cells {
        write!(f, "| {cell} ")?;
    }
    writeln!(f, "|")
}

/// The head of a table.
fn head(f: &mut Formatter<'_>, names: &[&str]) -> fmt::Result {
    row(f, names.iter().map(|name| (*name).into()))?;
    writeln!(f, "{}|", "|---".repeat(names.len()))
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { command, games, positions, held_out, .. } = self;
        writeln!(f, "# Weights of Othello's patterns\n")?;
        writeln!(f, "`{command}`: {positions} positions of {games} games, {held_out} held out.\n")?;
        writeln!(f, "## Labels\n")?;
        self.stages(f)?;
        writeln!(f, "\n## Errors on held-out positions, in discs\n")?;
        self.errors(f)?;
        writeln!(f, "\n```text\nerror by empty squares: s small, l large, * both")?;
        self.plot(f)?;
        writeln!(f, "```")?;
        for (name, bands) in &self.spreads {
            writeln!(f, "\n## Deep scores less shallow ones, {name}\n")?;
            writeln!(
                f,
                "Mean, slope, standard deviation, in hundredths of a disc; of plain searches.\n"
            )?;
            spreads(f, bands)?;
        }
        Ok(())
    }
}

impl Report {
    fn stages(&self, f: &mut Formatter<'_>) -> fmt::Result {
        head(f, &["empty squares", "labels", "by", "fitted to", "its error"])?;
        for Stage { empty: (fewest, most), labels, teacher } in &self.stages {
            let [by, fitted, error] = match teacher {
                None => ["the solver", "-", "-"].map(str::to_owned),
                Some(learnt) => {
                    ["a teacher".into(), learnt.positions.to_string(), figure(learnt.error)]
                }
            };
            row(f, [format!("{fewest}-{most}"), labels.to_string(), by, fitted, error])?;
        }
        Ok(())
    }

    fn errors(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut names = vec!["empty squares"];
        names.extend(JUDGED);
        head(f, &names)?;
        for (group, errors) in GROUPS.iter().zip(&self.errors) {
            let (fewest, most) = group;
            let name = if *group == ALL { "all".into() } else { format!("{fewest}-{most}") };
            row(f, [name].into_iter().chain(errors.iter().map(|error| figure(*error))))?;
        }
        Ok(())
    }

    fn plot(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (fewest, errors) in &self.plot {
            let [.., Some(small), Some(large)] = *errors else { continue };
            let [small_at, large_at] = [small, large].map(|error| (error * SCALE).round() as usize);
            let mark = |at: usize| match (at == small_at, at == large_at) {
                (true, true) => '*',
                (true, false) => 's',
                (false, true) => 'l',
                (false, false) => ' ',
            };
            let line: String = (0..=small_at.max(large_at)).map(mark).collect();
            writeln!(f, "{fewest:>2}-{:<2} |{line} {small:.2} {large:.2}", fewest + PLOTTED - 1)?;
        }
        Ok(())
    }
}

fn spreads(f: &mut Formatter<'_>, bands: &[[Option<Spread>; PAIRS.len()]]) -> fmt::Result {
    let pairs = PAIRS.map(|(shallow, deep)| format!("{shallow}/{deep}"));
    let mut names = vec!["empty squares"];
    names.extend(pairs.iter().map(String::as_str));
    head(f, &names)?;
    for ((fewest, most), band) in BANDS.iter().zip(bands) {
        let cells = band.iter().map(|spread| match spread {
            None => "-".into(),
            Some(Spread { mean, slope, deviation }) => {
                format!("{mean:+.0} {slope:.2} {deviation:.0}")
            }
        });
        row(f, [format!("{fewest}-{most}")].into_iter().chain(cells))?;
    }
    Ok(())
}
