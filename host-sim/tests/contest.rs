//! Contest games between the real programs: `corvid icfpt` against `corvid host`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

const CORVID: &str = env!("CARGO_BIN_EXE_corvid");

fn host(dialect: &str, players: [&str; 2], more: &[&str]) -> Output {
    Command::new(CORVID)
        .args(["host", "--dialect", dialect, "--player1", players[0], "--player2", players[1]])
        .args(more)
        .output()
        .unwrap()
}

/// A contest player as a command for the host.
fn player(dialect: &str, options: &str) -> String {
    format!("'{CORVID}' icfpt --dialect {dialect} {options}")
}

#[test]
fn a_thousand_games_without_a_protocol_error() {
    for dialect in ["2014", "2013"] {
        let players =
            [player(dialect, "--seed 1 --nodes 16"), player(dialect, "--seed 2 --bot random")];
        let players = [players[0].as_str(), &players[1]];
        let output = host(dialect, players, &["--games", "500", "--first", "both"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), 500, "{text}");
        for line in text.lines() {
            assert!(line.ends_with(" ms: played to the end"), "{dialect}: {line}");
        }
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{dialect}");
    }
}

#[test]
fn a_game_over_a_socket_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    let address = {
        // A port that is free now.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().to_string()
    };
    let mut far =
        Command::new(CORVID).args(["icfpt", "--tcp", &address, "--time-ms", "20"]).spawn().unwrap();
    let (near, far_name) = (player("2014", "--level 2"), format!("tcp:{address}"));
    let output = host("2014", [&near, &far_name], &["--record", file.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(": played to the end"), "{text}");
    assert!(far.wait().unwrap().success(), "it ends when the host hangs up");
    let game = std::fs::read_to_string(file).unwrap();
    let lines: Vec<_> = game.lines().collect();
    assert_eq!(lines[..2], ["game 1", "dialect 2014"]);
    assert_eq!(lines[3], format!("player 2 CV {far_name}"));
    assert_eq!(lines[4], "first 1");
    assert!(lines[5].starts_with("move 1 ") && lines[6].starts_with("move 2 "), "{game}");
    assert!(game.ends_with(": played to the end\n\n"), "{game}");
}

/// Talks to a player by hand: returns what it sends for these bytes until the connection ends.
fn says(options: &[&str], bytes: &[u8]) -> (String, String) {
    let mut child = Command::new(CORVID)
        .arg("icfpt")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn answers_have_no_line_ends_and_nonsense_has_no_answer() {
    let bot = ["--bot", "largest", "--seed", "1"];
    let (out, err) = says(&bot, b"0\r\n025");
    assert_eq!((out.len(), err.as_str()), (10, ""), "{out}");
    assert!(out.starts_with("1CV1CV"), "{out}");
    let (out, err) = says(&bot, b"3A55s14aaa09");
    assert_eq!(out.len(), 4, "{out}");
    assert!(err.starts_with("corvid: no answer: "), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert_eq!(says(&bot, b"\0\xff\x80 play b d3\n"), (String::new(), String::new()));
    let (out, err) = says(&["--dialect", "2013", "--bot", "random"], b"2A455a066b09");
    assert_eq!((out.len(), err.as_str()), (8, ""), "{out}");
}

#[test]
fn a_player_that_is_not_one_loses() {
    let good = player("2014", "--bot largest");
    for (bad, part) in [
        ("true", "player 2: its line is dead"),
        ("head -c 1", "player 2: its line is dead"),
        ("echo 1XYnonsense", "player 2: "),
    ] {
        let output = host("2014", [&good, bad], &[]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with("game 1 winner 1 ") && text.contains(part), "{bad}: {text}");
        assert_eq!(output.status.code(), Some(0));
    }
    let output = host("2014", [&good, "/no/such/program"], &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("corvid: cannot start /no/such/program"), "{text}");
}
