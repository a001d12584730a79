//! docs/mission.md: every point of the documents once and in order, with bots, commands, tests and
//! files that exist.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use corvid_core::registry::{Bot, GameKind};

const PAGE: &str = include_str!("../../docs/mission.md");

const STATUSES: [&str; 3] = ["works", "partly", "history"];

/// How many points each document has, and the games that it is about.
const DOCUMENTS: [(usize, &[GameKind]); 5] = [
    (24, &[GameKind::BlokusClassic]),
    (11, &[GameKind::Othello]),
    (15, &[GameKind::Adjacency]),
    (9, &[GameKind::Dots]),
    (32, &[GameKind::BlokusDuo, GameKind::BlokusClassic]),
];

/// Tables of `corvid reproduce` that take longer than a test should.
const SLOW: [&str; 8] =
    ["S0-19", "S0-19-readings", "S2-11", "S4-22", "S4-23", "S4-24", "S4-25", "S4-28"];

/// The page's part about each document.
fn sections() -> Vec<&'static str> {
    PAGE.split("\n## ").skip(1).collect()
}

/// The cells of the rows of a document.
fn rows(section: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = section.lines().filter(|line| line.starts_with("| S"));
    rows.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
}

/// What stands between backticks: commands, and names of bots.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The words of the `corvid` commands, each once.
fn commands() -> BTreeSet<Vec<&'static str>> {
    let spans = sections().into_iter().flat_map(spans);
    spans.filter_map(|span| Some(span.strip_prefix("corvid ")?.split(' ').collect())).collect()
}

/// Runs `corvid` without any input.
fn corvid(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_corvid"));
    command.args(words).stdin(Stdio::null()).output().unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_point_is_listed_once_in_order_with_its_status() {
    let sections = sections();
    assert_eq!(sections.len(), DOCUMENTS.len());
    for (document, (section, (points, _))) in sections.iter().zip(DOCUMENTS).enumerate() {
        assert!(section.starts_with(&format!("S{document}: ")), "{section}");
        let listed: Vec<_> = rows(section).map(|cells| cells[0].to_owned()).collect();
        let all: Vec<_> = (1..=points).map(|point| format!("S{document}-{point:02}")).collect();
        assert_eq!(listed, all);
        for cells in rows(section) {
            let [number, what, status, shown] = cells[..] else { panic!("{cells:?}") };
            assert!(!what.is_empty(), "{number}");
            assert!(STATUSES.contains(&status), "{number}: {status}");
            assert!(status != "works" || shown.contains(['`', '[']), "{number} shows nothing");
            assert!(!shown.is_empty(), "{number} has no reason");
        }
    }
}

#[test]
fn every_bot_plays_the_documents_game() {
    let mut strangers = Vec::new();
    for (section, (_, games)) in sections().into_iter().zip(DOCUMENTS) {
        for name in spans(section).filter(|span| !span.contains(' ')) {
            if !games.iter().any(|kind| Bot::from_name(*kind, name).is_some()) {
                strangers.push(name);
            }
        }
    }
    assert!(strangers.is_empty(), "no such bots: {strangers:?}");
}

/// Those without a person run to the end of a game; the others begin one and find no input.
#[test]
fn every_command_is_accepted_and_the_quick_ones_run() {
    let output = corvid(&["reproduce", "?"]);
    let tables = String::from_utf8(output.stderr).unwrap();
    let mut failures = Vec::new();
    for words in commands() {
        let failure = match words[..] {
            ["reproduce", table] if SLOW.contains(&table) => {
                (!tables.contains(table)).then(|| tables.clone())
            }
            _ => {
                let output = corvid(&words);
                let error = String::from_utf8(output.stderr).unwrap();
                (!output.status.success()).then_some(error)
            }
        };
        failures.extend(failure.map(|error| format!("corvid {}: {error}", words.join(" "))));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_test_that_is_named_exists() {
    let mut missing = Vec::new();
    for span in sections().into_iter().flat_map(spans) {
        let Some(words) = span.strip_prefix("cargo ") else { continue };
        let words: Vec<_> = words.split(' ').collect();
        let ["test", "-p", package, rest @ ..] = &words[..] else { panic!("{span}") };
        let folder = match *package {
            "corvid-games" => "core/games/src",
            "corvid-core" => "core/src",
            "corvid-firmware" => "firmware/src",
            "corvid-tests" => "tests/tests",
            _ => panic!("{span}"),
        };
        let (folder, name) = match rest {
            ["--lib", name] => (root().join(folder), name),
            ["--test", file, name] => {
                let path = root().join(folder).join(file);
                (if path.is_dir() { path } else { path.with_extension("rs") }, name)
            }
            _ => panic!("{span}"),
        };
        if !contains(&folder, &format!("fn {name}(")) {
            missing.push(span);
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Whether a file, or one below a folder, has this text.
fn contains(path: &Path, text: &str) -> bool {
    if path.is_dir() {
        return fs::read_dir(path).unwrap().any(|entry| contains(&entry.unwrap().path(), text));
    }
    // Learnt weights are no text.
    String::from_utf8_lossy(&fs::read(path).unwrap()).contains(text)
}

#[test]
fn every_linked_file_exists() {
    let targets = PAGE.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    let files: Vec<_> = targets.filter(|target| !target.contains("://")).collect();
    assert!(files.len() > 20, "{files:?}");
    for file in files {
        assert!(root().join("docs").join(file).exists(), "{file}");
    }
}
