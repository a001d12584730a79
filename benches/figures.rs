//! `cargo xtask measure`: the figures of the search, as in docs/search.md. Fails when a must is
//! missed.
//! `quick` omits the slow ones: solving Dots 4x4, and the match of Adjacency (half an hour). Any
//! other word measures the rows that have it in their first column: `4x4`, `LM3S6965`.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use corvid_tests::figures::{Bar, FIGURES, Figure, Verdict};

fn main() -> Result<ExitCode> {
    let word = std::env::args().skip(1).find(|word| word != "--bench");
    let is_asked_for = |figure: &&Figure| match word.as_deref() {
        None => true,
        Some("quick") => !figure.is_long,
        Some(word) => figure.bars.iter().any(|bar| bar.what.contains(word)),
    };
    ensure!(FIGURES.iter().any(|figure| is_asked_for(&figure)), "no row has this word");
    let (mut musts, mut aims) = (Vec::new(), Vec::new());
    println!("{}", Bar::heading());
    for figure in FIGURES.iter().filter(is_asked_for) {
        for (bar, measured) in figure.bars.iter().zip(figure.measure()?) {
            let row = bar.row(measured);
            println!("{row}");
            match bar.verdict(measured) {
                Verdict::Good => {}
                Verdict::AimMissed => aims.push(row),
                Verdict::MustMissed => musts.push(row),
            }
        }
    }
    aims.iter().for_each(|row| eprintln!("aim missed: {row}"));
    musts.iter().for_each(|row| eprintln!("must missed: {row}"));
    Ok(if musts.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
