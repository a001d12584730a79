//! docs/search.md against the search itself: every row is one that `cargo xtask measure` prints,
//! and deterministic figures equal the page's. No must may be missed.

use anyhow::{Result, ensure};
use corvid_tests::figures::{Bar, FIGURES, Measured, Verdict, documented};

const PAGE: &str = include_str!("../../docs/search.md");

#[test]
fn the_figures_of_the_page_hold() -> Result<()> {
    let bars: Vec<Bar> = FIGURES.iter().flat_map(|figure| figure.bars).copied().collect();
    let mut cells = documented(PAGE, &bars)?.into_iter();
    let mut failures = Vec::new();
    for figure in FIGURES {
        let cells: Vec<&str> = cells.by_ref().take(figure.bars.len()).collect();
        if figure.is_long {
            continue;
        }
        for ((bar, cell), measured) in figure.bars.iter().zip(cells).zip(figure.measure()?) {
            println!("{}", bar.row(measured));
            if !measured.is_documented(cell) {
                failures.push(format!("{}: {measured}, not {cell}", bar.what));
            }
            // A machine that runs tests is not one to measure time on.
            let is_time = matches!(measured, Measured::Seconds(_));
            if !is_time && bar.verdict(measured) == Verdict::MustMissed {
                failures.push(format!("must missed: {}", bar.row(measured)));
            }
        }
    }
    let failures = failures.join("\n");
    ensure!(failures.is_empty(), "print docs/search.md's table anew:\n{failures}");
    Ok(())
}
