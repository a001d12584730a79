//! The slowest tests of `cargo xtask test`.
//!
//! The test harness tells how long a test took on nightly compilers only. It does tell when each
//! one ends, and it starts them in the order of their names, the next as soon as a thread is free, so
//! the times between are known. cargo runs every test binary through `cargo xtask run-tests`, which
//! passes its output on and writes these times down.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use xtask::board::cargo;
use xtask::root;

use crate::run;

/// How many are printed.
const SHOWN: usize = 10;

/// Where the times are gathered: a line each, seconds first.
fn times() -> PathBuf {
    root().join("target/test-times.txt")
}

/// Runs the tests of the workspace.
pub(crate) fn run_workspace() -> Result<()> {
    File::create(times())?;
    let own = std::env::current_exe()?;
    let runner = format!("target.'cfg(all())'.runner = [{:?}, \"run-tests\"]", own.display());
    run(cargo().args(["test", "--workspace", "--config", &runner]))
}

/// Runs a test binary as cargo asks for it, and writes down how long its tests took.
pub(crate) fn run_binary(binary: &str, words: &[&str]) -> Result<()> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let mut command = Command::new(binary);
    command.args(words).env("RUST_TEST_THREADS", threads.to_string());
    let mut ends = Vec::new();
    let done = pass_on(&mut command, |line, at| {
        let name = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
        ends.extend(name.map(|(name, _)| (name.to_owned(), at)));
    });
    let file = Path::new(binary).file_stem().unwrap_or_default().to_string_lossy();
    // cargo adds a hash to the name.
    let file = file.rsplit_once('-').map_or(&*file, |(name, _)| name);
    for (name, seconds) in durations(&ends, threads) {
        write_down(seconds, &format!("{file}: {name}"))?;
    }
    done
}

/// Runs Node's tests in a folder, and writes down how long they took.
pub(crate) fn run_node(folder: &Path) -> Result<()> {
    let mut command = Command::new("node");
    command.args(["--test", "--test-reporter=spec"]).current_dir(folder);
    let mut took = Vec::new();
    let done = pass_on(&mut command, |line, _| took.extend(node_time(line)));
    for (name, seconds) in took {
        write_down(seconds, &format!("page: {name}"))?;
    }
    done
}

/// Prints the slowest tests that were written down.
pub(crate) fn print() -> Result<()> {
    let text = fs::read_to_string(times())?;
    let mut tests: Vec<(f64, &str)> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(seconds, name)| Some((seconds.parse().ok()?, name)))
        .collect();
    tests.sort_by(|one, other| other.0.total_cmp(&one.0));
    println!("\nthe slowest of {} tests:", tests.len());
    for (seconds, name) in tests.iter().take(SHOWN) {
        println!("{seconds:7.1} s  {name}");
    }
    Ok(())
}

fn write_down(seconds: f64, name: &str) -> Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(times())?;
    Ok(writeln!(file, "{seconds:.3} {name}")?)
}

/// Runs a command, prints what it prints, and shows each line with the second at which it ended.
fn pass_on(command: &mut Command, mut line_seen: impl FnMut(&str, f64)) -> Result<()> {
    let shown = format!("{command:?}");
    let begun = Instant::now();
    let mut child =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start {shown}"))?;
    let output = child.stdout.take().context("no output")?;
    for line in BufReader::new(output).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        line_seen(&line, begun.elapsed().as_secs_f64());
    }
    let status = child.wait()?;
    ensure!(status.success(), "{shown} ended with {status}");
    Ok(())
}

/// How long each test took, by when it ended.
fn durations(ends: &[(String, f64)], threads: usize) -> Vec<(String, f64)> {
    let waiting: BTreeSet<&str> = ends.iter().map(|(name, _)| name.as_str()).collect();
    let mut waiting = waiting.into_iter();
    let mut running: Vec<(&str, f64)> =
        waiting.by_ref().take(threads).map(|name| (name, 0.0)).collect();
    let mut took = Vec::new();
    for (name, end) in ends {
        if let Some(at) = running.iter().position(|(other, _)| other == name) {
            let (_, start) = running.swap_remove(at);
            took.push((name.clone(), end - start));
        }
        running.extend(waiting.next().map(|next| (next, *end)));
    }
    took
}

/// The name and the seconds in a line of Node's report, such as `✔ plays a game (812.5ms)`.
fn node_time(line: &str) -> Option<(String, f64)> {
    let rest = line.trim_start().strip_prefix(['✔', '✖'])?;
    let (name, time) = rest.trim().rsplit_once(" (")?;
    let milliseconds: f64 = time.strip_suffix("ms)")?.parse().ok()?;
    Some((name.to_owned(), milliseconds / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_begins_when_a_thread_is_free() {
        let ends = [("b", 2.0), ("c", 3.0), ("a", 10.0), ("d", 11.0)];
        let ends = ends.map(|(name, end)| (name.to_owned(), end));
        let took = durations(&ends, 2);
        let want = [("b", 2.0), ("c", 1.0), ("a", 10.0), ("d", 8.0)];
        assert_eq!(took, want.map(|(name, end)| (name.to_owned(), end)));
    }

    #[test]
    fn one_thread_runs_one_after_the_other() {
        let ends = [("a".to_owned(), 1.5), ("b".to_owned(), 1.75)];
        assert_eq!(durations(&ends, 1), [("a".to_owned(), 1.5), ("b".to_owned(), 0.25)]);
    }

    #[test]
    fn reads_nodes_report() {
        let line = "  ✔ saves (and loads) a game (812.5ms)";
        assert_eq!(node_time(line), Some(("saves (and loads) a game".to_owned(), 0.8125)));
        assert_eq!(node_time("ℹ duration_ms 9312.1"), None);
    }
}
