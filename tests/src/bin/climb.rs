//! Looks for the positions in which the computers recurse deepest, for the test `deepest`.
use anyhow::{Context, Result, bail};
use corvid_tests::climb::{Climber, DATA, climbs, read};
use std::{env::args, fs};

const HELP: &str = "\
Looks for the positions in which searches, solvers and bots recurse deepest, by hill climbing on the
host, and prints them in the form of tests/data/deepest.txt.

usage: climb [--seed N] [--tries N] [--only TEXT] [--known FILE]

--tries is the number of positions for each player of each game; --only takes those whose game and
player contain a text. The same arguments print the same positions, as long as the searches are the
same. --known measures the positions of an earlier run again and keeps those that are deeper, so that
runs with different seeds add up.";

fn main() -> Result<()> {
    let (mut seed, mut tries, mut only, mut known) = (1, 200, String::new(), Vec::new());
    let mut words = args().skip(1);
    while let Some(word) = words.next() {
        if word == "--help" {
            println!("{HELP}");
            return Ok(());
        }
        let value = words.next().with_context(|| format!("{word} needs a value\n{HELP}"))?;
        match word.as_str() {
            "--seed" => seed = value.parse()?,
            "--tries" => tries = value.parse()?,
            "--only" => only = value,
            "--known" => known = read(&fs::read_to_string(value)?)?,
            _ => bail!("unknown option {word}\n{HELP}"),
        }
    }
    println!(
        "# The positions in which the computers recurse deepest, of all that were tried. Made by runs of"
    );
    println!("# cargo run -p corvid-tests --bin climb -- --known {DATA} --seed N");
    println!(
        "# game | player | calls of one function on the stack | bytes of the host's stack | position"
    );
    let mut climber = Climber::new(seed);
    for (setup, asked) in climbs()? {
        let tries = if format!("{setup} {asked}").contains(&only) { tries } else { 0 };
        if tries > 0 || !known.is_empty() {
            let found = climber.climb(setup, asked, tries, &known)?;
            found.iter().for_each(|deep| println!("{deep}"));
        }
    }
    eprintln!("{} positions were tried", climber.tried);
    Ok(())
}
