//! docs/manual.md: its messages are those of the programs, its tables those of the levels, and its
//! sessions what the programs answer.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use corvid_core::engine::Engine;
use corvid_core::games::adjacency::Adjacency;
use corvid_core::games::blokus::{Classic, Duo};
use corvid_core::games::dots::Dots;
use corvid_core::games::othello::Othello;

const PAGE: &str = include_str!("../../docs/manual.md");

/// Where the programs' texts are.
const SOURCES: [&str; 6] =
    ["core/src", "core/games/src", "firmware/src", "host-sim/src", "xtask/src", "web/page"];

/// What varies in a message.
const VARIES: char = '…';

/// What may be between it and the rest.
const AROUND: [char; 5] = [' ', ':', ';', ',', '.'];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Appends the source files of a folder, in lower case and with literals in one piece.
fn read_sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_sources(&path, all);
        } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "js") {
            let text = fs::read_to_string(&path).unwrap().to_lowercase();
            // A line that ends in a backslash goes on with the first word of the next.
            let mut pieces = text.split("\\\n");
            all.push_str(pieces.next().unwrap());
            pieces.for_each(|piece| all.push_str(piece.trim_start()));
        }
    }
}

/// The messages that are headings, without what the program that prints them puts before.
fn messages() -> Vec<String> {
    let headings = PAGE.lines().filter_map(|line| line.strip_prefix("#### `"));
    let messages = headings.flat_map(|heading| {
        let heading = heading.trim_start_matches("` ").trim_end_matches([' ', '`']);
        let whole = heading.split("`, `").map(|text| text.split("` in ").next().unwrap());
        whole.map(str::to_owned).collect::<Vec<_>>()
    });
    let bare = messages.map(|message| {
        let message = ["corvid: ", "xtask: ", "? ", "illegal move: "]
            .into_iter()
            .fold(message.as_str(), |text, prefix| text.strip_prefix(prefix).unwrap_or(text));
        // Codes of failures are numbers in the source.
        match message.split_once(' ') {
            Some((code, rest)) if code.starts_with('E') => rest.to_owned(),
            _ => message.to_owned(),
        }
    });
    bare.collect()
}

#[test]
fn every_message_is_one_that_a_program_prints() {
    let mut sources = String::new();
    for folder in SOURCES {
        read_sources(&root().join(folder), &mut sources);
    }
    let messages = messages();
    assert!(messages.len() > 25, "{messages:?}");
    let mut strangers = Vec::new();
    for message in &messages {
        let parts =
            message.split([VARIES, '`']).map(|part| part.trim_matches(AROUND).to_lowercase());
        let known = |part: &String| part.len() < 3 || sources.contains(part.as_str());
        if !parts.map(|part| part.replace("rustup ", "")).all(|part| known(&part)) {
            strangers.push(message);
        }
    }
    assert!(strangers.is_empty(), "nobody prints these: {strangers:#?}");
}

#[test]
fn the_levels_move_at_random_as_often_as_it_says() {
    let games = [Othello::LEVELS, Adjacency::LEVELS, Dots::LEVELS, Duo::LEVELS, Classic::LEVELS];
    for level in 0..9 {
        let slips: Vec<_> = games.iter().map(|levels| levels[level].slips.to_string()).collect();
        let row = format!("| {} | {} |", level + 1, slips.join(" | "));
        assert!(PAGE.contains(&row), "docs/manual.md lacks {row}");
    }
}

#[test]
fn the_levels_score_as_the_published_table_says() {
    let seeds = fs::read_to_string(root().join("docs/seeds.md")).unwrap();
    let tables = seeds.split("## Levels 1 to 9 among the bots").nth(1).unwrap();
    // Of each game's table, the second bot's column.
    for level in [1, 3, 5, 7, 9] {
        let rows = tables.lines().filter(|line| line.starts_with(&format!("| level {level} |")));
        let scores = rows.map(|row| row.split(" | ").nth(2).unwrap().split(" %").next().unwrap());
        let row = format!("| {level} | {} |", scores.collect::<Vec<_>>().join(" | "));
        assert!(PAGE.contains(&row), "docs/manual.md lacks {row}");
    }
}

#[test]
fn what_it_shows_of_the_command_line_is_printed() {
    let block = PAGE.split("```console\n$ corvid ").nth(1).unwrap().split("```").next().unwrap();
    let (words, printed) = block.split_once('\n').unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_corvid")).args(words.split(' ')).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), printed);
}

/// The lines typed in the sessions, each with what the device answers.
fn exchanges() -> Vec<(&'static str, Vec<&'static str>)> {
    let blocks = PAGE.split("```").skip(1).step_by(2);
    let sessions = blocks.filter(|block| block.contains("\n= "));
    let talks = sessions.flat_map(|session| session.split("\n\n")).map(str::trim_start);
    let typed = talks.filter(|talk| !talk.starts_with('#') && !talk.is_empty());
    let exchange = |talk: &'static str| {
        let mut lines = talk.lines();
        (lines.next().unwrap(), lines.collect())
    };
    typed.map(exchange).collect()
}

#[test]
fn the_device_answers_as_in_the_sessions() {
    let exchanges = exchanges();
    assert!(exchanges.len() > 7, "{exchanges:?}");
    let mut script = String::from("within 20000\nexpect press a key\n");
    for (line, answers) in exchanges {
        script += &format!("serial {line}\n");
        // What a search finds changes with every improvement of it.
        let found = ["genmove", "hint"].iter().any(|thinks| line.starts_with(thinks));
        match found {
            true => script += "expect-serial =\n",
            false => answers.iter().for_each(|text| script += &format!("expect-serial {text}\n")),
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.txt");
    fs::write(&path, script).unwrap();
    let mut corvid = Command::new(env!("CARGO_BIN_EXE_corvid"));
    let output = corvid.args(["sim", "--headless", "--script"]).arg(path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8(output.stderr).unwrap());
}
