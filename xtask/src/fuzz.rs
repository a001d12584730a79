//! Runs the fuzz targets under libFuzzer.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use xtask::board::cargo;
use xtask::root;

/// How long a target runs, in seconds.
const SECONDS: u32 = 60;

/// The longest input.
const LONGEST: u32 = 4096;

/// Targets whose inputs are numbers to choose by: tracing comparisons finds nothing there, and takes
/// four fifths of the time of the slow rules.
const WITHOUT_COMPARISONS: [&str; 1] = ["rules"];

/// Runs a target, or all of them, for so many seconds each.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (targets, seconds) = match *words {
        [] => (targets()?, SECONDS),
        [one] if one.parse::<u32>().is_ok() => (targets()?, one.parse()?),
        [target] => (vec![target.into()], SECONDS),
        [target, seconds] => {
            let seconds = seconds.parse().with_context(|| format!("'{seconds}' is no time"))?;
            (vec![target.into()], seconds)
        }
        _ => bail!("fuzz takes a target and a number of seconds"),
    };
    let tool = tool()?;
    println!("| target | seconds | inputs | branches | failures |\n|---|---|---|---|---|");
    targets.iter().try_for_each(|target| fuzz(&tool, target, seconds))
}

/// The names of the targets.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("tests/fuzz/fuzz_targets"))? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// cargo-fuzz, which is installed below target if it is missing.
fn tool() -> Result<PathBuf> {
    let folder = root().join("target/tools");
    let tool = folder.join("bin/cargo-fuzz");
    if !tool.exists() {
        let mut install = cargo();
        install
            .args(["install", "--quiet", "cargo-fuzz", "--version", "0.13.2", "--root"])
            .arg(&folder);
        super::run(&mut install).context("cargo-fuzz is needed and can't be installed")?;
    }
    Ok(tool)
}

/// Runs a target. What it finds goes below target/fuzz; the committed inputs are only read.
fn fuzz(tool: &PathBuf, target: &str, seconds: u32) -> Result<()> {
    let work = root().join("target/fuzz");
    let (found, failures) = (work.join(target), work.join(format!("{target}-failures")));
    for folder in [&found, &failures] {
        fs::create_dir_all(folder)?;
    }
    let log = work.join(format!("{target}.log"));
    let status = Command::new(tool)
        .args(["run", "--fuzz-dir", "tests/fuzz", "--sanitizer", "none"])
        .args(WITHOUT_COMPARISONS.contains(&target).then_some("--no-trace-compares"))
        .arg(target)
        .args([&found, &root().join("tests/fuzz/corpus").join(target)])
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={LONGEST}"))
        .arg(format!("-artifact_prefix={}/", failures.display()))
        // A busy machine is no failure.
        .args(["-timeout=120", "-print_final_stats=1"])
        .current_dir(root())
        // The compiler's coverage counters are not stable yet.
        .env("RUSTC_BOOTSTRAP", "1")
        .stdout(Stdio::null())
        .stderr(File::create(&log)?)
        .status()
        .with_context(|| format!("cannot start {}", tool.display()))?;
    let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    let last = |mark: &str| {
        let value = text.rsplit_once(mark)?.1.split_whitespace().next()?;
        Some(value.to_owned())
    };
    let inputs = last("stat::number_of_executed_units:");
    ensure!(
        status.success() && inputs.is_some(),
        "{target} failed: see {} and {}",
        log.display(),
        failures.display()
    );
    let [inputs, branches] = [inputs, last(" cov: ")].map(Option::unwrap_or_default);
    println!("| {target} | {seconds} | {inputs} | {branches} | 0 |");
    Ok(())
}
