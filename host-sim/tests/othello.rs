//! `corvid replay` and `corvid nboard` as other programs see them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod archive;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use archive::archive;

fn replay(files: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_corvid")).arg("replay").args(files).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn good_archives_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["a.wtb", "b.wtb"].map(|name| folder.path().join(name));
    fs::write(&first, archive(20)).unwrap();
    fs::write(&second, archive(5)).unwrap();
    let output = replay(&[&first, &second]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = text(&output.stdout).replace(&folder.path().display().to_string(), "");
    let lines: Vec<_> = said.lines().map(|line| line.trim_start_matches(['/', '\\'])).collect();
    let expected = [
        "a.wtb: 20 games, 20 legal, 20 complete, 20 with the recorded score",
        "b.wtb: 5 games, 5 legal, 5 complete, 5 with the recorded score",
        "total: 25 games, 25 legal, 25 complete, 25 with the recorded score",
    ];
    assert_eq!(lines, expected);
    assert!(output.stderr.is_empty());
}

#[test]
fn what_is_wrong_is_named_and_the_rest_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let [bad, cut, missing] =
        ["bad.wtb", "cut.wtb", "missing.wtb"].map(|name| folder.path().join(name));
    let mut bytes = archive(3);
    fs::write(&cut, &bytes[..100]).unwrap();
    // The second game begins on an occupied square.
    bytes[16 + 68 + 8] = 44;
    fs::write(&bad, bytes).unwrap();

    let output = replay(&[&bad]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let illegal = format!("{}: record 2, move 1 (d4): d4 is occupied\n", bad.display());
    let told = "corvid: faults in the games, listed on standard output: 1\n";
    assert_eq!(text(&output.stderr), told);
    assert!(text(&output.stdout).starts_with(&illegal), "{output:?}");

    let output = replay(&[&missing, &cut, &bad]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let (said, told) = (text(&output.stdout), text(&output.stderr));
    assert!(told.contains("missing.wtb: cannot be read: "), "{told}");
    let size = "header announces 3 games, which take 220 bytes, and it has 100";
    assert!(told.contains(&format!("cut.wtb: the file is cut: its {size}")), "{told}");
    let total = "total: 3 games, 2 legal, 2 complete, 2 with the recorded score";
    assert_eq!(said.lines().next_back(), Some(total));
    assert!(told.ends_with("; faults in the games, listed on standard output: 1\n"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    let unread = |line: &str| line.contains("missing.wtb") || line.contains("cut.wtb");
    assert!(!said.lines().any(unread), "it is said twice: {said}");

    assert_eq!(replay(&[]).status.code(), Some(2), "files are missing");
}

#[test]
fn a_viewer_gets_a_move_and_can_interrupt() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_corvid"))
        .arg("nboard")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut say = |text: &str| input.write_all(text.as_bytes()).unwrap();

    let start = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
    say("nboard 2\nset depth 5\n");
    say(&format!("set game (;GM[Othello]BO[{start}]B[f5//0.5];)\nping 1\ngo\n"));
    let until_go: Vec<_> = lines.by_ref().take_while(|line| line != "status").collect();
    assert_eq!(until_go[..2], ["set myname Corvid", "pong 1"]);
    let played = until_go.iter().find_map(|line| line.strip_prefix("=== ")).unwrap();
    let (reply, _) = played.split_once('/').unwrap();
    assert!(["D6", "F4", "F6"].contains(&reply), "{until_go:?}");

    // Every move at the greatest depth would take minutes.
    say("set depth 16\nhint 3\n");
    assert_eq!(lines.next().unwrap(), "status Corvid is thinking");
    say("ping 2\n");
    assert!(lines.by_ref().any(|line| line == "pong 2"));

    // The input ends without a quit: what was asked for is still answered.
    say("set depth 1\ngo");
    drop(input);
    assert!(lines.any(|line| line.starts_with("=== ")));
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
