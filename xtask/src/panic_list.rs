//! `cargo xtask panics`: where the images can panic.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use anyhow::Result;
use xtask::board::Board;
use xtask::panics::{Frame, Site, sites};

/// Prints how many sites each package has in a board's image, and each of them.
pub(crate) fn print(board: &str) -> Result<()> {
    let sites = sites(&fs::read(Board::named(board)?.build()?)?)?;
    let mut text = String::new();
    for (package, count) in by_package(&sites) {
        writeln!(text, "{count:>5}  {package}")?;
    }
    writeln!(text, "{:>5}  in all", sites.len())?;
    for Site { package, file, line, panic, chain, .. } in &sites {
        writeln!(text, "\n{package} {file}:{line} -> {panic}")?;
        for Frame { function, file, line } in chain {
            writeln!(text, "      {function} ({file}:{line})")?;
        }
    }
    print!("{text}");
    Ok(())
}

/// The number of sites in each package.
fn by_package(sites: &[Site]) -> BTreeMap<&str, usize> {
    let mut packages = BTreeMap::new();
    for site in sites {
        *packages.entry(site.package.as_str()).or_insert(0) += 1;
    }
    packages
}
