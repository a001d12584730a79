//! The plots of docs/performance.md.

use anyhow::{Result, ensure};

use crate::baseline::Figures;
use crate::plot::{Curve, Plot, Scale};

/// The instructions of a board second.
const BOARD_SECOND: f64 = 62.5e6;

/// The core whose figures are shown where one is enough: that of the board that a board second is defined by.
const REFERENCE: &str = "Cortex-M3";

/// Plots by the names of their files.
pub(super) fn plots(figures: &Figures) -> Result<[(&'static str, Plot); 3]> {
    Ok([
        ("solve.svg", solve(figures)?),
        ("depth.svg", depth(figures)?),
        ("size.svg", size(figures)?),
    ])
}

fn solve(figures: &Figures) -> Result<Plot> {
    let curve = |name: &str, work: &str, unit: &str| curve(figures, name, work, unit, REFERENCE);
    Ok(Plot {
        title: "Working out a position on the LM3S6965",
        up: "instructions",
        across: "empty squares, lines left, or placements left",
        scale: Scale::Log,
        ticks: (8..=22).step_by(2).map(|left| (f64::from(left), left.to_string())).collect(),
        curves: vec![
            curve("Othello, empty squares", "othello solve, ", " empty")?,
            curve("Adjacency, empty squares", "adjacency solve, ", " empty")?,
            curve("Dots and Boxes 3x3, lines", "dots (3x3) solve, ", " lines left")?,
            curve("Blokus Duo, placements", "blokus-duo solve, ", " placements left")?,
        ],
        mark: Some((BOARD_SECOND, "a board second")),
    })
}

fn depth(figures: &Figures) -> Result<Plot> {
    let mut curves = Vec::new();
    for (title, game) in [("Othello", "othello"), ("Adjacency", "adjacency")] {
        for core in [REFERENCE, "Cortex-M33"] {
            let work = format!("{game} search of depth ");
            curves.push(curve(figures, &format!("{title}, {core}"), &work, "", core)?);
        }
    }
    Ok(Plot {
        title: "Searching so many plies ahead in the middle of a game",
        up: "instructions",
        across: "depth in plies",
        scale: Scale::Log,
        ticks: (1..=10).map(|depth| (f64::from(depth), depth.to_string())).collect(),
        curves,
        mark: Some((BOARD_SECOND, "a board second")),
    })
}

/// Square boards of Dots and Boxes by their sides, with what their nodes are called.
const SIZES: [(u32, &str); 5] = [
    (3, "dots (3x3) node"),
    (4, "dots (4x4) node"),
    (5, "dots node"),
    (7, "dots (7x7) node"),
    (10, "dots (10x10) node"),
];

fn size(figures: &Figures) -> Result<Plot> {
    let lines = |side: u32| f64::from(2 * side * (side + 1));
    let curve = |core: &str| {
        let points = SIZES.map(|(side, name)| {
            let figure = figures.get(&format!("{name}, {core}"));
            figure.map(|figure| (lines(side), *figure))
        });
        let points: Vec<_> = points.into_iter().flatten().collect();
        ensure!(points.len() == SIZES.len(), "not all sizes of boards on {core}");
        Ok(Curve { name: core.to_owned(), points })
    };
    Ok(Plot {
        title: "A node of Dots and Boxes by the size of the board",
        up: "instructions",
        across: "boxes, placed by the number of lines",
        scale: Scale::Linear,
        ticks: SIZES.map(|(side, _)| (lines(side), format!("{side}x{side}"))).to_vec(),
        curves: vec![curve("Cortex-M0+")?, curve(REFERENCE)?, curve("Cortex-M33")?],
        mark: None,
    })
}

/// The figures of some work that differ in a number, between `work` and `unit`.
fn curve(figures: &Figures, name: &str, work: &str, unit: &str, core: &str) -> Result<Curve> {
    let end = format!("{unit}, {core}");
    let points = figures.iter().filter_map(|(figure, value)| {
        let number = figure.strip_prefix(work)?.strip_suffix(&end)?;
        Some((number.parse().ok()?, *value))
    });
    let points: Vec<_> = points.collect();
    ensure!(points.len() > 1, "no curve of '{work}..{end}'");
    Ok(Curve { name: name.to_owned(), points })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_the_figures_of_one_kind_of_work_on_one_core() {
        let figures = [
            ("othello solve, 08 empty, Cortex-M3", 5.0),
            ("othello solve, 10 empty, Cortex-M3", 9.0),
            ("othello solve, 10 empty, Cortex-M33", 7.0),
            ("othello node, Cortex-M3", 1.0),
        ];
        let figures = figures.map(|(name, value)| (name.to_owned(), value)).into();
        let curve = |core| curve(&figures, "Othello", "othello solve, ", " empty", core);
        assert_eq!(curve("Cortex-M3").unwrap().points, [(8.0, 5.0), (10.0, 9.0)]);
        assert!(curve("Cortex-M33").is_err(), "a point is no curve");
    }
}
