//! `corvid completions` and `corvid man`: everything that `--help` lists, in a form that shells and roff
//! accept.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::process::{Command, Stdio};

fn corvid(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_corvid")).args(words).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = corvid(&["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let entries = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    entries.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

/// The options that the help of a command lists, or of the whole without one.
fn options(command: &[&str]) -> Vec<String> {
    let help = corvid(&[command, &["--help"]].concat());
    let words = help.lines().flat_map(|line| {
        let line = line.trim_start();
        let line =
            line.split_once(", --").map_or(line, |(_, long)| &line[line.len() - long.len() - 2..]);
        line.strip_prefix("--").and_then(|option| option.split([' ', ',']).next())
    });
    words.filter(|word| !word.is_empty()).map(|word| format!("--{word}")).collect()
}

/// All commands, each with its options.
fn everything() -> Vec<(String, Vec<String>)> {
    let all: Vec<_> = (commands().into_iter())
        .map(|command| {
            let options = options(&[&command]);
            (command, options)
        })
        .collect();
    let named = |name: &str| all.iter().any(|(command, _)| command == name);
    assert!(all.len() > 14 && named("play") && named("completions") && named("man"), "{all:?}");
    assert!(all.iter().all(|(_, options)| options.contains(&"--help".into())), "{all:?}");
    all
}

#[test]
fn every_shell_knows_all_commands_and_options() {
    for shell in ["bash", "zsh", "fish"] {
        let script = corvid(&["completions", shell]);
        // In fish's scripts an option has no hyphens.
        let word = |option: &str| match shell {
            "fish" => format!("-l {}", option.trim_start_matches('-')),
            _ => option.to_owned(),
        };
        for (command, options) in everything() {
            assert!(script.contains(&command), "{shell} lacks {command}");
            for option in options {
                assert!(script.contains(&word(&option)), "{shell} lacks {command} {option}");
            }
        }
        for choice in ["lm3s6965evb", "chain-minimax"] {
            assert!(script.contains(choice), "{shell} does not offer {choice}");
        }
        // The script for fish completes no words without an option.
        assert!(shell == "fish" || script.contains("blokus-classic"), "{shell} offers no games");
    }
}

/// What bash offers for the last of these words.
#[cfg(unix)]
fn offered(script: &str, words: &[&str]) -> Vec<String> {
    let last = words.len() - 1;
    let (current, before) = (words[last], words[last - 1]);
    let words = words.join("' '");
    let try_it = format!(
        "{script}\nCOMP_WORDS=('{words}'); COMP_CWORD={last}\n\
         _corvid corvid '{current}' '{before}'; echo \"${{COMPREPLY[@]}}\""
    );
    let output = Command::new("bash").args(["--norc", "-c", &try_it]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().split_whitespace().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn bash_reads_the_script_and_completes() {
    let script = corvid(&["completions", "bash"]);
    let mut check = Command::new("bash");
    let output = check.args(["--norc", "-n", "-c", &script]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");

    assert_eq!(offered(&script, &["corvid", "pl"]), ["play"]);
    assert_eq!(offered(&script, &["corvid", "play", "--lev"]), ["--level"]);
    assert_eq!(offered(&script, &["corvid", "play", "oth"]), ["othello"]);
    assert_eq!(offered(&script, &["corvid", "gtp", "dots", "--board", "pico2"]), ["pico2"]);
    assert_eq!(offered(&script, &["corvid", "play", "dots", "--bot", "chain-minimax:"]).len(), 1);
    assert_eq!(offered(&script, &["corvid", "completions", "z"]), ["zsh"]);
}

#[test]
fn a_shell_that_it_does_not_know_is_refused() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_corvid"));
    let output = command.args(["completions", "tcsh"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("'tcsh'") && text.contains("bash") && text.contains("zsh"), "{text}");
}

#[test]
fn the_manual_page_lists_all_commands_and_options() {
    let page = corvid(&["man"]);
    let plain = page.replace("\\-", "-").replace("\\e", "\\");
    for (command, options) in everything() {
        let start = plain.find(&format!(".SS \"corvid {command}")).unwrap();
        let rest = &plain[start + 1..];
        let section = &rest[..rest.find("\n.S").unwrap()];
        for option in options.iter().filter(|option| *option != "--help") {
            assert!(section.contains(option), "the page lacks {command} {option}");
        }
    }
    for option in options(&[]) {
        assert!(plain.contains(&option), "the page lacks {option}");
    }
}

/// Only requests that every man reads, in the order of man-pages(7).
#[test]
fn the_manual_page_is_made_of_mans_own_requests() {
    let page = corvid(&["man"]);
    assert!(page.starts_with(".TH CORVID 1 "), "{page}");
    let requests = page.lines().filter(|line| line.starts_with(['.', '\'']));
    for line in requests {
        let request = line.split(' ').next().unwrap();
        let known = [".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".br"].contains(&request);
        assert!(known, "{line}");
    }
    let sections = page.lines().filter_map(|line| line.strip_prefix(".SH "));
    let sections: Vec<_> = sections.collect();
    let (first, last) = (&sections[..3], &sections[sections.len() - 3..]);
    assert_eq!(first, ["NAME", "SYNOPSIS", "DESCRIPTION"]);
    assert_eq!(last, ["EXIT STATUS", "ENVIRONMENT", "EXAMPLES"]);
    assert!(page.lines().all(|line| line == line.trim_end() && !line.is_empty()));
}

#[cfg(unix)]
#[test]
fn roff_formats_the_manual_page_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corvid.1");
    fs::write(&path, corvid(&["man"])).unwrap();
    let mut groff = Command::new("groff");
    groff.args(["-man", "-Tascii", "-ww", "-P-c"]).arg(path).stdin(Stdio::null());
    let output = groff.output().expect("groff does not start: run `cargo xtask setup`");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("a board-game opponent that fits in a microcontroller"), "{text}");
}
