//! `cargo xtask flash` as a person runs it: a folder stands in for the board's drive, a script for probe-rs.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Runs it with a probe-rs that notes its words and then does this. Returns whether it went well, and all
/// that was said.
fn flash(folder: &Path, script: &str, words: &[&str]) -> (bool, String) {
    let program = folder.join("probe-rs");
    let note = folder.join("words");
    fs::write(&program, format!("#!/bin/sh\necho \"$@\" >> {}\n{script}\n", note.display()))
        .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = xtask.arg("flash").args(words).env("PATH", path).output().unwrap();
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.success(), text)
}

#[test]
fn a_pico_is_flashed_by_its_drive() {
    let folder = tempfile::tempdir().unwrap();
    let drive = folder.path().join("RPI-RP2");
    let named = drive.to_str().unwrap();
    fs::create_dir(&drive).unwrap();
    let (done, text) = flash(folder.path(), "", &["pico", "--drive", named]);
    assert!(!done && text.contains("has no INFO_UF2.TXT, so it is no board's drive"), "{text}");

    let info = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n";
    fs::write(drive.join("INFO_UF2.TXT"), info).unwrap();
    let (done, text) = flash(folder.path(), "", &["pico2", "--drive", named]);
    assert!(
        !done && text.contains("is a pico, ") && text.contains("`cargo xtask flash pico`"),
        "{text}"
    );

    let (done, text) = flash(folder.path(), "", &["pico", "--drive", named]);
    assert!(done, "{text}");
    let copied = fs::read(drive.join("corvid.uf2")).unwrap();
    assert!(copied.starts_with(b"UF2\n") && copied.len().is_multiple_of(512));
    assert!(text.contains(&format!("copied {} bytes to {named}", copied.len())), "{text}");
    assert!(!folder.path().join("words").exists(), "no probe was needed");
}

#[test]
fn another_board_is_flashed_by_a_probe() {
    let folder = tempfile::tempdir().unwrap();
    let (done, text) = flash(folder.path(), "", &["lm3s6965evb", "--drive", "/"]);
    assert!(!done && text.contains("leave out --drive"), "{text}");
    let none = "echo 'No debug probes were found.'";
    let (done, text) = flash(folder.path(), none, &["nucleo-f411re"]);
    assert!(!done && text.contains("no debug probe was found: plug one in"), "{text}");
    let (done, text) = flash(folder.path(), none, &["blackpill-f411"]);
    assert!(!done && text.contains("`cargo xtask image blackpill-f411` makes a file"), "{text}");
    let barred = "echo '[0]: J-Link -- 1366:1015:1 (J-Link) (inaccessible)'";
    let (done, text) = flash(folder.path(), barred, &["nrf52840-dk"]);
    assert!(
        !done && text.contains("this user may not use J-Link") && text.contains("udev"),
        "{text}"
    );

    let there = "echo '[0]: J-Link -- 1366:1015:1 (J-Link)'";
    fs::remove_file(folder.path().join("words")).unwrap();
    let (done, text) = flash(folder.path(), there, &["lm3s6965evb"]);
    assert!(done && text.contains("found the debug probe J-Link"), "{text}");
    let words = fs::read_to_string(folder.path().join("words")).unwrap();
    let words: Vec<_> = words.lines().collect();
    assert_eq!((words[0], words[2]), ("list", "reset --chip LM3S6965"));
    assert!(words[1].starts_with("download --chip LM3S6965 -- /"), "{words:?}");
    let broken = format!(
        "{there}\n[ $1 = list ] || {{ echo 'Error: target does not answer' >&2; exit 1; }}"
    );
    let (done, text) = flash(folder.path(), &broken, &["lm3s6965evb"]);
    assert!(
        !done && text.contains("probe-rs failed: target does not answer: check the wires"),
        "{text}"
    );
}
