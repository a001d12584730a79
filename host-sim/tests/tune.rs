//! `corvid tune othello` from games to weights.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod archive;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use archive::archive;
use corvid_core::games::othello::tuning::{Large, Small, Weighted};
use tempfile::TempDir;

/// Runs `corvid tune`.
fn tune(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_corvid")).arg("tune").args(words).output().unwrap()
}

/// A run's report and its two files.
#[derive(Debug, PartialEq, Eq)]
struct Learnt {
    report: String,
    small: Vec<u8>,
    large: Vec<u8>,
}

/// A quick run with more options, which must succeed.
fn quick(options: &[&str]) -> Learnt {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let output = tune(&[&["othello", "--quick", "--out", out], options].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let [small, large] =
        ["small.bin", "large.bin"].map(|name| fs::read(folder.path().join(name)).unwrap());
    Learnt { report: String::from_utf8(output.stdout).unwrap(), small, large }
}

/// The report's errors on held-out positions with so many empty squares: of no weights, of the
/// built-in small and large ones, and of the new ones.
fn errors(report: &str, empty: &str) -> Vec<f64> {
    let part = report.split("## Errors").nth(1).unwrap();
    let row = part.lines().find(|line| line.starts_with(&format!("| {empty} |"))).unwrap();
    row.split('|').filter_map(|cell| cell.trim().parse().ok()).collect()
}

#[test]
fn a_quick_run_learns() {
    let learnt = quick(&[]);
    let command = "corvid tune othello --games 300 --seed 1 --quick";
    for (name, file, size) in
        [("small", &learnt.small, Small::SIZE), ("large", &learnt.large, Large::SIZE)]
    {
        let head = format!("{name} {command}\n");
        assert!(file.starts_with(head.as_bytes()), "{name}");
        assert_eq!(file.len(), head.len() + 2 * size, "{name}");
    }
    // Labels with 5 to 9 empty squares are the solver's.
    for (empty, share) in [("5-9", 0.65), ("all", 0.65)] {
        let [none, _, _, small, large] = errors(&learnt.report, empty)[..] else {
            panic!("{}", learnt.report)
        };
        assert!(small < share * none && large < share * none, "{empty}: {}", learnt.report);
    }
    assert!(learnt.report.contains("of 300 games"), "{}", learnt.report);
    assert!(learnt.report.contains("| 0-9 |"), "{}", learnt.report);
    assert!(learnt.report.contains("## Deep scores less shallow ones, large"));
}

#[test]
fn an_interrupted_run_resumes_and_makes_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let options = ["--games", "40", "--seed", "7", "--log", log.to_str().unwrap()];
    let without_log = quick(&options[..4]);
    assert_eq!(quick(&options), without_log);
    let whole = fs::read(&log).unwrap();
    let labels = whole.windows(8).position(|bytes| bytes == b"\nlabels ").unwrap();
    // In the first line, among the games, in the labels, and at the end.
    for size in [20, labels / 2, labels + 100, whole.len()] {
        fs::write(&log, &whole[..size]).unwrap();
        assert_eq!(quick(&options), without_log, "{size} of {} bytes", whole.len());
    }
    assert_ne!(quick(&["--games", "40", "--seed", "8"]), without_log);
}

#[test]
fn archives_are_learnt_from() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["WTH_1.wtb", "WTH_2.WTB"].map(|name| folder.path().join(name));
    fs::write(&first, archive(90)).unwrap();
    fs::write(&second, archive(60)).unwrap();
    fs::write(folder.path().join("readme.txt"), "not an archive").unwrap();
    let all = quick(&["--wthor", folder.path().to_str().unwrap()]);
    let named = quick(&["--wthor", first.to_str().unwrap(), second.to_str().unwrap()]);
    assert_eq!(all, named);
    let head = b"small corvid tune othello --wthor DIR --seed 1 --quick\n";
    assert!(all.small.starts_with(head));
    assert!(all.report.contains("of 150 games"), "{}", all.report);
    let [none, _, _, small, large] = errors(&all.report, "5-9")[..] else {
        panic!("{}", all.report)
    };
    assert!(small < 0.8 * none && large < 0.8 * none, "{}", all.report);
    let with_self_play = quick(&["--wthor", first.to_str().unwrap(), "--games", "10"]);
    assert!(with_self_play.report.contains("of 100 games"), "{}", with_self_play.report);
}

/// A folder with weights and a log that must stay as they are.
struct Guarded {
    folder: TempDir,
}

impl Guarded {
    const OLD: &str = "old";

    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["small.bin", "large.bin"] {
            fs::write(folder.path().join(name), Self::OLD).unwrap();
        }
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a run says that must fail.
    fn refusal(&self, options: &[&str]) -> String {
        let files = |folder: &Path| {
            let mut names: Vec<_> =
                fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let before = files(self.folder.path());
        let out = self.folder.path().to_str().unwrap();
        let mut words = vec!["othello", "--quick"];
        if !options.contains(&"--out") {
            words.extend(["--out", out]);
        }
        let output = tune(&[&words, options].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{options:?}: {said}");
        for name in ["small.bin", "large.bin"] {
            assert_eq!(fs::read_to_string(self.path(name)).unwrap(), Self::OLD, "{options:?}");
        }
        assert_eq!(files(self.folder.path()), before, "{options:?}");
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    }
}

#[test]
fn bad_archives_are_named_and_nothing_is_written() {
    let guarded = Guarded::new();
    let refusal = |bytes: &[u8]| {
        let path = guarded.path("bad.wtb");
        fs::write(&path, bytes).unwrap();
        let said = guarded.refusal(&["--wthor", path.to_str().unwrap()]);
        assert!(said.contains("bad.wtb: "), "{said}");
        said
    };
    let good = archive(3);
    let said = refusal(&good[..good.len() - 1]);
    assert!(said.contains("the file is cut: its header announces 3 games"), "{said}");
    let mut illegal = good.clone();
    // The fourth move of the second game.
    illegal[16 + 68 + 8 + 3] = 11;
    let said = refusal(&illegal);
    assert!(said.contains("record 2, move 4 (a1): a disc on a1 turns nothing over"), "{said}");
    let missing = guarded.path("missing.wtb");
    let said = guarded.refusal(&["--wthor", missing.to_str().unwrap()]);
    assert!(said.contains("missing.wtb: cannot be read"), "{said}");
    let empty = tempfile::tempdir().unwrap();
    let said = guarded.refusal(&["--wthor", empty.path().to_str().unwrap()]);
    assert!(said.contains("a folder without .wtb files"), "{said}");
}

#[test]
fn a_log_of_another_run_and_a_damaged_one_are_refused() {
    let guarded = Guarded::new();
    let log = guarded.path("log");
    let options = ["--games", "20", "--log", log.to_str().unwrap()];
    quick(&options);
    let good = fs::read(&log).unwrap();
    let refusal = |options: &[&str]| {
        let before = fs::read(&log).unwrap();
        let said = guarded.refusal(options);
        assert_eq!(fs::read(&log).unwrap(), before, "{said}");
        assert!(said.contains("take another --log"), "{said}");
        said
    };
    for other in [["--seed", "2"], ["--games", "21"]] {
        let options = [&other[..], &options[if other[0] == "--games" { 2 } else { 0 }..]].concat();
        assert!(refusal(&options).contains("not the log of this run"));
    }
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&log, damaged).unwrap();
    assert!(refusal(&options).contains("is damaged"));
    fs::write(&log, "a letter to a friend\n").unwrap();
    assert!(refusal(&options).contains("not the log of this run"));
}

#[test]
fn a_place_that_cannot_be_written_to_is_noticed_at_once() {
    let guarded = Guarded::new();
    for place in ["small.bin", "no/such/folder"] {
        let said = guarded.refusal(&["--out", guarded.path(place).to_str().unwrap()]);
        assert!(said.contains("cannot write to the folder"), "{said}");
        assert!(said.contains(place), "{said}");
    }
}

#[test]
fn options_of_another_game_are_refused() {
    for (words, says) in [
        (&["othello", "--sims", "9"][..], "--sims is not for othello"),
        (&["blokus-duo", "--quick"], "--quick is not for blokus-duo"),
        (&["blokus-duo", "--wthor", "x"], "--wthor is not for blokus-duo"),
        (&["dots"], "dots has nothing to tune"),
        (&["othello", "--quick", "--games", "0"], "there are no games to learn from"),
    ] {
        let output = tune(words);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(says), "{words:?}: {said}");
    }
}
