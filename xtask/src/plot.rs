//! Plots as SVG: a few curves, each with its name at its end. The colours follow the reader's choice of a
//! light or a dark page.

use std::fmt::Write;

use anyhow::{Context, Result};

/// The room for the curves.
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 300.0;
/// The room around it, for the title, the axes and the names.
const LEFT: f64 = 62.0;
const TOP: f64 = 66.0;
const RIGHT: f64 = 215.0;
const BOTTOM: f64 = 50.0;
/// Between the names of two curves.
const LINE: f64 = 19.0;

/// A colour for each curve, on a light page and on a dark one.
const COLORS: [(&str, &str); 4] = [
    ("#1565c0", "#64b5f6"),
    ("#c62828", "#ef9a9a"),
    ("#2e7d32", "#81c784"),
    ("#6a1b9a", "#ce93d8"),
];

/// How values are placed on the vertical axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// From 0.
    Linear,
    /// In powers of ten.
    Log,
}

/// A plot.
#[derive(Debug, Clone)]
pub(crate) struct Plot {
    /// What it shows.
    pub(crate) title: &'static str,
    /// What is counted upwards.
    pub(crate) up: &'static str,
    /// What is counted to the right.
    pub(crate) across: &'static str,
    pub(crate) scale: Scale,
    /// Places to the right that have a label.
    pub(crate) ticks: Vec<(f64, String)>,
    pub(crate) curves: Vec<Curve>,
    /// A value to compare with, and its name.
    pub(crate) mark: Option<(f64, &'static str)>,
}

/// Values by their places, from left to right.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

impl Plot {
    /// The drawing.
    pub(crate) fn svg(&self) -> Result<String> {
        let values = || self.curves.iter().flat_map(|curve| &curve.points);
        let most = values().map(|(_, value)| *value).fold(0.0, f64::max);
        let least = values().map(|(_, value)| *value).fold(f64::INFINITY, f64::min);
        let lines = match self.scale {
            Scale::Linear => steps(most),
            Scale::Log => decades(least, most),
        };
        let (low, high) = (lines.first().copied(), lines.last().copied());
        let (low, high) = low.zip(high).context("a plot without values")?;
        let share = |value: f64| match self.scale {
            Scale::Linear => value / high,
            Scale::Log => (value / low).log10() / (high / low).log10(),
        };
        let up = |value| TOP + HEIGHT * (1.0 - share(value));
        let first = self.ticks.first().context("a plot without ticks")?.0;
        let last = self.ticks.last().context("a plot without ticks")?.0;
        let across = |place: f64| LEFT + WIDTH * (place - first) / (last - first);

        let mut svg = self.head();
        let out = &mut svg;
        for value in lines {
            let y = up(value);
            writeln!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1}h{WIDTH}\"/>")?;
            let x = LEFT - 8.0;
            writeln!(
                out,
                "<text x=\"{x}\" y=\"{:.1}\" class=\"end\">{}</text>",
                y + 4.5,
                short(value)
            )?;
        }
        let bottom = TOP + HEIGHT;
        for (place, label) in &self.ticks {
            let x = across(*place);
            writeln!(out, "<path class=\"grid\" d=\"M{x:.1} {bottom}v5\"/>")?;
            let y = bottom + 20.0;
            writeln!(out, "<text x=\"{x:.1}\" y=\"{y}\" class=\"middle\">{label}</text>")?;
        }
        if let Some((value, name)) = self.mark {
            let y = up(value);
            writeln!(out, "<path class=\"mark\" d=\"M{LEFT} {y:.1}h{WIDTH}\"/>")?;
            writeln!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" class=\"weak\">{name}</text>",
                LEFT + 6.0,
                y - 6.0
            )?;
        }
        let mut names = Vec::new();
        for (index, curve) in self.curves.iter().enumerate() {
            let points = curve.points.iter();
            let points: Vec<_> =
                points.map(|(place, value)| (across(*place), up(*value))).collect();
            let (x, y) = *points.last().context("an empty curve")?;
            names.push((index, x, y));
            let path: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            writeln!(out, "<path class=\"curve c{index}\" d=\"M{}\"/>", path.join("L"))?;
            for (x, y) in points {
                writeln!(out, "<circle class=\"f{index}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>")?;
            }
        }
        for (index, x, end, y) in apart(names) {
            let from = x + 5.0;
            let to = LEFT + WIDTH + 12.0;
            writeln!(out, "<path class=\"lead c{index}\" d=\"M{from:.1} {end:.1}L{to} {y:.1}\"/>")?;
            let (x, y, name) = (to + 4.0, y + 4.5, &self.curves[index].name);
            writeln!(out, "<text x=\"{x}\" y=\"{y:.1}\" class=\"f{index}\">{name}</text>")?;
        }
        svg += "</svg>\n";
        Ok(svg)
    }

    /// Everything but the values.
    fn head(&self) -> String {
        let (width, height) = (LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM);
        let colors = |pick: fn((&'static str, &'static str)) -> &'static str| {
            let colors = (0..).zip(COLORS.map(pick));
            let colors = colors.map(|(index, color)| {
                format!(".c{index}{{stroke:{color}}}.f{index}{{fill:{color}}}")
            });
            colors.collect::<String>()
        };
        let Self { title, up, across, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n\
             <!-- written by cargo xtask measure record -->\n\
             <title>{title}</title>\n\
             <style>\n\
             .page{{fill:#ffffff}}text{{fill:#222222}}.weak{{fill:#666666}}\
             .grid{{stroke:#dddddd}}.mark{{stroke:#888888;stroke-dasharray:5 4}}\n\
             .curve{{fill:none;stroke-width:2}}.lead{{fill:none;stroke-width:1;stroke-dasharray:1 3}}\
             .end{{text-anchor:end}}.middle{{text-anchor:middle}}\n\
             {}\n\
             @media(prefers-color-scheme:dark){{\n\
             .page{{fill:#0d1117}}text{{fill:#e0e0e0}}.weak{{fill:#9e9e9e}}\
             .grid{{stroke:#30363d}}.mark{{stroke:#8b949e}}\n\
             {}\n\
             }}\n\
             </style>\n\
             <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{title}</text>\n\
             <text x=\"{LEFT}\" y=\"48\" class=\"weak\">{up}</text>\n\
             <text x=\"{}\" y=\"{}\" class=\"weak middle\">{across}</text>\n",
            colors(|(light, _)| light),
            colors(|(_, dark)| dark),
            LEFT + WIDTH / 2.0,
            height - 12.0,
        )
    }
}

/// The ends of curves with their heights, and those of their names, one below the other.
fn apart(mut ends: Vec<(usize, f64, f64)>) -> Vec<(usize, f64, f64, f64)> {
    ends.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut names: Vec<f64> = ends.iter().map(|(.., y)| *y).collect();
    // Pushes both of two names that are too near, until none are.
    for _ in 0..100 {
        for at in 1..names.len() {
            let missing = LINE - (names[at] - names[at - 1]);
            if missing > 0.0 {
                names[at - 1] -= missing / 2.0;
                names[at] += missing / 2.0;
            }
        }
    }
    ends.into_iter().zip(names).map(|((index, x, end), y)| (index, x, end, y)).collect()
}

/// Round values from 0 to beyond the largest, about five of them.
fn steps(most: f64) -> Vec<f64> {
    let unit = 10_f64.powf((most / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit);
    let step = step.into_iter().find(|step| most / step <= 5.0).unwrap_or(most);
    (0..=(most / step).ceil() as u32).map(|number| f64::from(number) * step).collect()
}

/// The powers of ten around some values.
fn decades(least: f64, most: f64) -> Vec<f64> {
    (least.log10().floor() as i32..=most.log10().ceil() as i32)
        .map(|power| 10_f64.powi(power))
        .collect()
}

/// A value on an axis: 1,500 is `1.5 k`.
fn short(value: f64) -> String {
    match value {
        1e6.. => format!("{} M", value / 1e6),
        1e3.. => format!("{} k", value / 1e3),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_values_around_all_that_is_shown() {
        assert_eq!(steps(1869.0), [0.0, 500.0, 1000.0, 1500.0, 2000.0]);
        assert_eq!(decades(52_000.0, 3e6), [1e4, 1e5, 1e6, 1e7]);
        assert_eq!([0.0, 500.0, 1500.0, 1e7].map(short), ["0", "500", "1.5 k", "10 M"]);
    }

    #[test]
    fn names_of_near_curves_are_pushed_apart() {
        let placed = apart(vec![(0, 9.0, 100.0), (1, 9.0, 50.0), (2, 9.0, 101.0)]);
        let order: Vec<_> = placed.iter().map(|(index, ..)| *index).collect();
        assert_eq!(order, [1, 0, 2]);
        let heights: Vec<_> = placed.iter().map(|(.., y)| *y).collect();
        assert!(heights.windows(2).all(|two| two[1] - two[0] > LINE - 0.1), "{heights:?}");
    }

    #[test]
    fn a_plot_without_values_is_an_error() {
        let plot = Plot {
            title: "",
            up: "",
            across: "",
            scale: Scale::Log,
            ticks: vec![(0.0, String::new())],
            curves: vec![Curve { name: String::new(), points: Vec::new() }],
            mark: None,
        };
        assert!(plot.svg().is_err());
    }
}
