//! docs/performance.md: the recorded figures of speed and size, for people.

mod plots;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result};
use xtask::board::{BOARDS, Board};
use xtask::root;

use crate::baseline::Baseline;
use crate::instructions::CORES;

/// The document, which the recording command writes.
pub(crate) const DOCUMENT: &str = "docs/performance.md";

/// The folder of its plots.
const PLOTS: &str = "docs/performance";

const INTRODUCTION: &str = "\
# Speed and size

What the games cost a processor, and what the images take. Written by `cargo xtask measure record`, together
with `benches/baseline.toml`. `cargo xtask test` measures everything again and fails when a figure has risen by
more than 2 %; `cargo xtask measure baseline` prints every figure with its change.

## What is counted

The program in `benches/instructions` repeats each piece of work on bare metal in QEMU, where every instruction
takes one nanosecond of emulated time, and reads the core's timer before and after. The counts are therefore
exact: the same code gives the same figures in every run and on every computer. Another version of the compiler
generates different code, and so different figures.

**These are instructions, not cycles.** QEMU models no pipeline, no flash wait states, no caches and no bus
contention. On a real core many instructions take more than one cycle, loads and branches above all, and a
Pico runs from external flash behind a cache. The figures show what a change of the code costs and how cores and
compiler settings compare; [device.md](device.md) has times.

The games are compiled with the settings of a board's image, and think in as much memory as that board has.
QEMU has no Cortex-M0+ with enough of it, so that program runs on the emulated Cortex-M3, which executes the
same instructions.
";

const MEANING: &str = "\
All positions come from four random games with fixed seeds, and every figure is a mean.

- *Legal moves of a position*: visiting all of them once.
- *Move played*: over whole games, from the first move to the last.
- *Evaluation*: of a position from scratch. Othello's search updates the indices of its patterns move by move
  instead, which is cheaper. Dots and Boxes evaluates by playouts: the figure is one line drawn in a playout.
- *Start of a search*: a search that stops at its first node. What remains is the set-up: weights are blended,
  tables cleared, lists filled.
- *Node*, *simulation*: whole searches of 10,000 nodes or 100 simulations, early and in the middle of the
  games, divided by the nodes or simulations.
- *Search of a depth*: from the set-up to the end of the iteration that looks so many plies ahead, after 20 plies,
  with empty tables.
- *Solve*: working out a position exactly with so many empty squares, lines left on a board of 3x3 boxes, or
  at most so many placements left to both players together. This includes the set-up, which takes longer with
  more memory and the large table; on the other hand, more memory keeps more of the positions already seen.
";

const CURVES: &str = "\
## How costs grow

![Working out a position, by what is left of the game](performance/solve.svg)

The positions of neighbouring points are those of the same four games, which is few: a curve is not smooth.
Blokus Duo counts the placements of both players together, most of which exclude each other.

![Searches by their depth](performance/depth.svg)

On the Cortex-M33, Othello has its large table, which is blended before the search begins: that is what its
shallow searches cost.

![A node of Dots and Boxes by the size of the board](performance/size.svg)

Exact searches use words of 32 bits for boards of up to 32 lines, of 64 bits for up to 64 (5x5 has 60), and of
128 bits for larger ones; guesses use 128 bits on a microcontroller, whatever the size. Most nodes on 3x3 are
those of exact searches with keys for all eight symmetries, which cost time and save many more nodes. Searches
begin with 7, 20 and 34 % of the lines drawn, which are 4, 12 and 20 lines of 5x5.
";

/// Writes the document and its plots.
pub(crate) fn write(baseline: &Baseline) -> Result<()> {
    let folder = root().join(PLOTS);
    fs::create_dir_all(&folder)?;
    for (name, plot) in plots::plots(&baseline.figures)? {
        fs::write(folder.join(name), plot.svg()?)?;
    }
    Ok(fs::write(root().join(DOCUMENT), document(baseline)?)?)
}

fn document(baseline: &Baseline) -> Result<String> {
    let mut text = INTRODUCTION.to_owned();
    let out = &mut text;
    writeln!(out, "\n| core | board | games compiled at level | memory | Othello's table |")?;
    writeln!(out, "|---|---|---|---:|---|")?;
    for core in CORES {
        let profile = Board::named(core.board)?.profile;
        let table = if profile.large_tables { "large" } else { "small" };
        writeln!(
            out,
            "| {} | {} | {} | {} KB | {table} |",
            core.name, profile.title, profile.opt_level, profile.memory_kb
        )?;
    }
    writeln!(out, "\nThe compiler was {}.\n\n{CURVES}", baseline.compiler)?;
    writeln!(out, "## Instructions\n\n{MEANING}")?;
    table(out, baseline, "work", &CORES.map(|core| core.name))?;
    writeln!(
        out,
        "\n## Images\n\nIn bytes; RAM without the stack. [Memory](memory.md) has the parts.\n"
    )?;
    table(out, baseline, "what", &BOARDS.map(|board| board.name()))?;
    Ok(text)
}

/// A table of the figures of some cores or boards: a column for each.
fn table(out: &mut String, baseline: &Baseline, heading: &str, columns: &[&str]) -> Result<()> {
    writeln!(out, "| {heading} | {} |", columns.join(" | "))?;
    writeln!(out, "|---|{}", "---:|".repeat(columns.len()))?;
    let names = baseline.figures.keys().filter_map(|name| name.rsplit_once(", "));
    let rows: BTreeSet<_> =
        names.filter(|(_, column)| columns.contains(column)).map(|(row, _)| row).collect();
    for row in rows {
        write!(out, "| {row} |")?;
        for column in columns {
            let name = format!("{row}, {column}");
            let value = baseline.figures.get(&name).with_context(|| format!("no '{name}'"))?;
            write!(out, " {} |", grouped(value.round() as u64))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_the_recorded_figures() {
        let written = fs::read_to_string(root().join(DOCUMENT)).unwrap();
        let now = document(&Baseline::read().unwrap()).unwrap();
        assert_eq!(written, now, "run `cargo xtask measure record`");
    }

    #[test]
    fn its_plots_show_them_too() {
        let baseline = Baseline::read().unwrap();
        for (name, plot) in plots::plots(&baseline.figures).unwrap() {
            let written = fs::read_to_string(root().join(PLOTS).join(name)).unwrap();
            assert_eq!(written, plot.svg().unwrap(), "{name}: run `cargo xtask measure record`");
            let shown = format!("](performance/{name})");
            assert!(document(&baseline).unwrap().contains(&shown), "{name} is on no page");
        }
    }

    #[test]
    fn a_figure_that_is_missing_is_named() {
        let mut baseline = Baseline::read().unwrap();
        baseline.figures.remove("othello node, Cortex-M3");
        let error = document(&baseline).unwrap_err().to_string();
        assert_eq!(error, "no 'othello node, Cortex-M3'");
    }

    #[test]
    fn thousands_are_grouped() {
        let numbers = [0, 999, 1000, 1_234_567];
        assert_eq!(numbers.map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
