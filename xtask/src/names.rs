//! One game, one folder: the check that nothing else names a game.
//!
//! Whatever is particular to a game stands in its folders in core and in its views. Everybody else
//! goes through the registry, so that a sixth game is a folder, two views and a line. Comments and tests
//! may name games.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use xtask::root;

/// Where the source is that is held to it.
const SOURCES: [&str; 5] = ["core", "firmware/src", "host-sim/src", "web/src", "web/page"];

/// What may name games, and why.
const ALLOWED: [(&str, &str); 14] = [
    ("core/games/src/games.rs", "lists the modules"),
    ("core/src/games.rs", "lists the modules"),
    ("core/src/lib.rs", "the contest is built with Blokus Duo"),
    ("core/src/registry.rs", "the registry"),
    ("core/src/icfpt/player.rs", "the contest is one of Blokus Duo"),
    ("core/src/icfpt/referee.rs", "the contest is one of Blokus Duo"),
    ("firmware/src/ui/views.rs", "the registry of views"),
    ("host-sim/src/lib.rs", "lists the modules, some of one game"),
    ("host-sim/src/main.rs", "lists the modules and commands, some of one game"),
    ("host-sim/src/reproduce.rs", "lists the documents' tables"),
    ("host-sim/src/reproduce/", "the documents' tables, each of one game"),
    ("host-sim/src/tune.rs", "learns the tables of Blokus"),
    ("web/src/record.rs", "lists the formats of records, some of one game"),
    ("web/page/views.js", "the registry of the page's views"),
];

/// Fails when a file names a game that has no business with it.
pub(crate) fn check() -> Result<()> {
    let files = naming()?;
    let allowed = |file: &str| ALLOWED.iter().any(|(allowed, _)| file.starts_with(allowed));
    let strangers: Vec<_> = files.iter().filter(|file| !allowed(file)).collect();
    if !strangers.is_empty() {
        bail!("these name a game outside its folders (xtask/src/names.rs): {strangers:?}");
    }
    for (file, _) in ALLOWED {
        let named = files.iter().any(|other| other.starts_with(file));
        ensure!(named, "{file} names no game any more: take it out of xtask/src/names.rs");
    }
    println!("{} files outside the games' own folders name a game", files.len());
    Ok(())
}

/// The source files that name a game, without the games' own.
fn naming() -> Result<Vec<String>> {
    let mut files = Vec::new();
    for source in SOURCES {
        visit(&root().join(source), &mut files)?;
    }
    let mut naming = Vec::new();
    for path in files {
        let name = path.strip_prefix(root())?.to_string_lossy().replace('\\', "/");
        let is_test = name.ends_with("/tests.rs") || name.contains("/tests/");
        if is_test || is_own(&name) {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| name.clone())?;
        if names_a_game(&text) {
            naming.push(name);
        }
    }
    naming.sort();
    Ok(naming)
}

fn visit(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            visit(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "js") {
            files.push(path);
        }
    }
    Ok(())
}

/// Whether a file belongs to a game: a folder or the file itself is called like it.
fn is_own(name: &str) -> bool {
    const OWN: [&str; 4] = ["othello", "adjacency", "dots", "blokus"];
    name.split(['/', '.']).any(|part| OWN.contains(&part))
}

/// Whether code, not a comment and not a test, names a game.
fn names_a_game(text: &str) -> bool {
    // `dots` alone may be a picture's.
    const WORDS: [&str; 6] = ["Dots", "Duo", "Classic", "dots::", "\"dots\"", "mod dots"];
    const PARTS: [&str; 3] = ["othello", "adjacency", "blokus"];
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
    let is_comment = |line: &str| ["//", "/*", "* "].iter().any(|start| line.starts_with(start));
    code.lines().filter(|line| !is_comment(line.trim_start())).any(|line| {
        let small = line.to_ascii_lowercase();
        PARTS.iter().any(|part| small.contains(part)) || WORDS.iter().any(|word| has(line, word))
    })
}

/// Whether a word stands alone in a line.
fn has(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let inside = |letter: char| letter.is_alphanumeric() || letter == '_';
        let before = line[..at].chars().next_back().is_some_and(inside);
        let after = line[at + word.len()..].chars().next().is_some_and(inside);
        !before && (!after || word.ends_with(':'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_names_a_game_is_found_and_the_rest_is_not() {
        for code in ["use corvid_core::games::dots::Size;", "Setup::BlokusDuo", "\"othello\" =>"] {
            assert!(names_a_game(code), "{code}");
        }
        for code in ["// as in Othello", "squares::dots(frame)", "#[cfg(test)]\nmod tests { Duo }"]
        {
            assert!(!names_a_game(code), "{code}");
        }
        assert!(is_own("core/src/games/blokus/bots/view.rs") && !is_own("firmware/src/table.rs"));
    }
}
