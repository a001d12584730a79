//! The result of a match as a chart: a bar for each player, with its confidence interval.

use std::fmt::Write;
use std::path::Path;

use super::plan::Plan;
use super::table::Table;
use crate::failure::Failure;
use crate::files;

/// Marks every chart, so that only charts are overwritten.
const MARK: &str = "<!-- made by corvid arena -->";

/// The most bytes of a chart.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Refuses a path that can't be written to, or that holds anything but a chart.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    let name = path.display();
    match files::read(path, LARGEST) {
        Ok(bytes) if bytes.is_empty() || String::from_utf8_lossy(&bytes).contains(MARK) => {}
        Ok(_) => {
            return Err(Failure::Other(format!(
                "{name} is there and is not a chart of an arena; name another file"
            )));
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(Failure::Other(format!("cannot read {name}: {error}"))),
    }
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(path);
    opened.map(drop).map_err(|error| Failure::Other(format!("cannot write {name}: {error}")))
}

const ROW: usize = 34;
const TOP: usize = 50;
const LEFT: usize = 170;
const SCALE: usize = 420;
const WIDTH: usize = LEFT + SCALE + 120;

/// Draws shares from 0 to 100 %, the players one below the other.
pub(crate) fn draw(plan: &Plan, table: &Table) -> String {
    let bottom = TOP + ROW * table.rows.len();
    let height = bottom + 40;
    let games = table.seats.first().map_or(0, |seat| seat.games);
    let kind = plan.setup.kind().title();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n{MARK}\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{kind}: opponents beaten in {games} games, \
         95 % interval</text>\n"
    );
    // Writing to a String never fails.
    for percent in (0..=100).step_by(25) {
        let x = LEFT + SCALE * percent / 100;
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#ccc\"/>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{percent} %</text>",
            bottom + 20
        );
    }
    for (index, row) in table.rows.iter().enumerate() {
        let y = TOP + ROW * index;
        let middle = y + ROW / 2;
        let ends = middle - 5;
        let at = |share: f64| LEFT as f64 + SCALE as f64 * share;
        let score = row.score();
        let (low, high) = (at(score.low), at(score.high));
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n\
             <rect x=\"{LEFT}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"#4878a8\"/>\n\
             <path d=\"M{low:.1} {ends}v10M{low:.1} {middle}H{high:.1}M{high:.1} {ends}v10\" \
             stroke=\"black\" fill=\"none\" stroke-width=\"2\"/>\n\
             <text x=\"{}\" y=\"{}\">{:.1} %</text>",
            LEFT - 10,
            middle + 5,
            escaped(&row.name),
            y + 6,
            SCALE as f64 * score.share,
            ROW - 12,
            LEFT + SCALE + 20,
            middle + 5,
            score.share * 100.0,
        );
    }
    svg += "</svg>\n";
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
