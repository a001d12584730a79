//! Devices, engines and files that mean harm: what they say is shown without being obeyed, takes
//! bounded memory, and ends.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

const CORVID: &str = env!("CARGO_BIN_EXE_corvid");

/// Sets the clipboard, clears the screen, and in one byte of Latin-1 begins a sequence.
const EVIL: &str = r"\033]52;c;aGk=\007\033[2J\302\233";

/// A GTP engine that answers everything with this, and says it on its standard error too.
fn engine(answer: &str) -> String {
    format!(
        "sh -c \"while read id rest; do printf '{answer}\\n' >&2; \
         printf '=%s {answer}\\n\\n' $id; done\""
    )
}

fn run(words: &[&str]) -> Output {
    Command::new(CORVID).args(words).stdin(Stdio::null()).output().unwrap()
}

/// Whether a terminal would obey something in it.
fn is_obeyed(text: &[u8]) -> bool {
    String::from_utf8_lossy(text)
        .chars()
        .any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r'))
}

#[test]
fn what_an_engine_says_is_shown_and_not_obeyed() {
    let engine = engine(EVIL);
    let board = format!("exec:{engine}");
    for words in [
        &["connect", &board, "--game", "othello"][..],
        &["connect", &board, "--game", "othello", "--referee", "--engine", &engine],
        &["arena", "othello", "--games", "1", "--players", &format!("gtp:{engine},random")],
    ] {
        let output = run(words);
        let all = [&output.stdout[..], &output.stderr].concat();
        assert!(!is_obeyed(&all), "{words:?}: {}", String::from_utf8_lossy(&all));
        assert!(String::from_utf8_lossy(&all).contains("\\u{1b}]52;"), "{words:?}: {output:?}");
    }
}

/// The most memory that a process has used, in KB; nothing for one that has ended.
fn most_memory(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or(0, |line| line.trim().trim_end_matches(" kB").parse().unwrap())
}

#[test]
fn a_peer_that_never_falls_silent_takes_no_memory_and_is_given_up() {
    for flood in ["cat /dev/zero", "yes", "yes '# a notice'", "sh -c \"echo '=1 x'; yes\""] {
        let child = Command::new(CORVID)
            .args(["connect", &format!("exec:{flood}")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(1500));
        let memory = most_memory(child.id());
        assert!(memory < 64 * 1024, "{flood}: {memory} KB");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{flood}: {output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("no answer to 'name'") || said.contains("never ends"), "{said}");
    }
}

#[test]
fn ctrl_c_ends_the_wait_for_an_engine() {
    let child = Command::new(CORVID)
        .args(["arena", "othello", "--games", "2", "--players", "gtp:cat,random"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_secs(1));
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let said = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(said.contains("stopped with 2 games to play"), "{said}");
}

#[test]
fn scripts_and_archives_that_never_end_are_refused() {
    for words in [
        &["sim", "--headless", "--script", "/dev/urandom"][..],
        &["sim", "--headless", "--script", "/dev/zero"],
        &["replay", "/dev/zero"],
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {output:?}");
        let all = String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap();
        assert!(all.contains("it has more than"), "{words:?}: {all}");
    }
}

#[test]
fn a_wait_for_a_connection_is_said() {
    let mut child = Command::new(CORVID)
        .args(["connect", "tcp:127.0.0.1:9"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(500));
    let _ = child.kill();
    let said = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(said.contains("nobody listens at 127.0.0.1:9"), "{said}");
}
