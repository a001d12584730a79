//! The command line as scripts and match runners see it: output, errors and exit status.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

/// Runs `corvid` with words and standard input.
fn corvid(words: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_corvid"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // From another thread: the program may answer before it has read everything.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Runs a command that must succeed and returns its output.
fn answer(words: &[&str], input: &str) -> String {
    let output = corvid(words, input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
    out(&output)
}

/// Runs a command that must fail with this status, and returns its one line.
fn complaint(words: &[&str], status: i32) -> String {
    let output = corvid(words, b"");
    assert_eq!(output.status.code(), Some(status), "{words:?}: {output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{words:?}: {text}");
    assert!(out(&corvid(words, b"")).is_empty(), "{words:?}");
    text
}

#[test]
fn perft_ends_with_the_depth_and_the_count() {
    let text = answer(&["perft", "othello", "6"], "");
    assert_eq!(text.lines().next_back(), Some("perft 6 8200"));
    let text = answer(&["perft", "dots", "0"], "");
    assert_eq!(text, "perft 0 1\n");
    let text = answer(&["perft", "dots", "2", "--size", "1x2", "--moves", "0,0-0,1 0,0-1,0"], "");
    assert_eq!(text.lines().next_back(), Some("perft 2 20"));
    let text = answer(&["perft", "adjacency", "5", "--rounds", "2"], "");
    assert_eq!(text.lines().next_back(), Some("perft 5 8814960"), "over after four plies");
}

#[test]
fn wrong_words_are_named_in_one_line_with_status_2() {
    for (words, part) in [
        (&["perft", "chess", "3"][..], "chess"),
        (&["perft", "dots", "3", "--size", "0x0"], "0x0"),
        (&["perft", "dots", "3", "--size", "99x99"], "99x99"),
        (&["perft", "dots", "3", "--size", "3"], "1x1 to 10x10"),
        (&["perft", "othello", "3", "--size", "3x3"], "no option --size"),
        (&["perft", "othello", "-1"], "-1"),
        (&["perft", "othello"], "<DEPTH>"),
        (&["perft", "othello", "3", "--moves", "d3 x9"], "move 2 (x9)"),
        (&["perft", "othello", "3", "--moves", "a1"], "turns nothing over"),
        (&["play", "adjacency", "--rounds", "1"], "2 to 28"),
        (&["play", "adjacency", "--rounds", "29"], "2 to 28"),
        (&["play", "othello", "--level", "10"], "1 to 9"),
        (&["play", "othello", "--color", "red"], "no colour 'red'"),
        (&["gtp", "othello", "--bot", "largest"], "no bot 'largest'"),
        (&["gtp", "othello", "--level", "3", "--nodes", "9"], "cannot be used with"),
        (&["gtp", "othello", "--board-seconds", "x"], "number of seconds"),
        (&["gtp"], "<GAME>"),
        (&["fly"], "fly"),
    ] {
        let text = complaint(words, 2);
        assert!(text.contains(part), "{words:?}: {text}");
    }
}

#[test]
fn solve_ends_with_score_move_and_nodes() {
    let position = "OXOOXOXOOXOOXXXXOOXOXXXXXOOOXOOOOOOOO--OXOXOXXOX--OXXXXXXXXXXXOX";
    // 2 empty squares side by side and 2 in the starting block: impossible, then corrected.
    let text = complaint(&["solve", "adjacency", "--position", &format!("{position} X 4")], 2);
    assert!(text.contains("starting blocks"), "{text}");
    let position = position.replacen("--OXXXXXXXXXXXOX", "XXOXXXXXXXXXXXOX", 1) + " X 2";
    let words = ["solve", "adjacency", "--position", &position, "--all"];
    let text = answer(&words, "");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("moves "), "{text}");
    let last: Vec<_> = lines[1].split(' ').collect();
    assert_eq!((last[0], last[1], last[3], last[5]), ("solve", "score", "move", "nodes"));
    assert!(lines[0].split(' ').any(|mv| mv == last[4]), "{text}");
    let json = answer(&["solve", "adjacency", "--position", &position, "--all", "--json"], "");
    assert!(json.starts_with(&format!("{{\"score\":{},\"move\":\"", last[2])), "{json}");
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["score"].to_string(), last[2]);
    assert_eq!(value["move"], last[4]);
    assert_eq!(value["nodes"].to_string(), last[6]);
    let moves: Vec<_> = value["moves"].as_array().unwrap().iter().collect();
    assert_eq!(moves, lines[0].split(' ').skip(1).collect::<Vec<_>>());
    let json = answer(&["solve", "adjacency", "--position", &position, "--json"], "");
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["move", "nodes", "score"], "moves only with --all");
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let full = "XXXXXXOO".repeat(8) + " X 0";
    let text = complaint(&["solve", "adjacency", "--position", &full], 1);
    assert!(text.contains("finished"), "{text}");
    let text = complaint(&["solve", "blokus-duo", "--position", ""], 2);
    assert!(text.contains("can't be solved"), "{text}");
    let text = complaint(&["solve", "adjacency", "--position", "X"], 2);
    assert!(text.contains("a position is"), "{text}");
    let words = ["solve", "adjacency", "--position", &full, "--memory", "99999999999999999"];
    complaint(&words, 1);
}

#[test]
fn dots_and_othello_are_solved() {
    let text = answer(&["solve", "dots", "--size", "3x3", "--position", "0"], "");
    assert!(text.starts_with("solve score -3 move "), "{text}");
    let text = answer(&["solve", "dots", "--size", "2x2", "--position", "ef8", "--all"], "");
    assert!(text.starts_with("moves 1,0-1,1\nsolve score 1 move 1,0-1,1 nodes "), "{text}");
    let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let text = answer(&["solve", "othello", "--position", position, "--all"], "");
    assert!(text.starts_with("moves g8\nsolve score 18 move g8 nodes "), "{text}");
    let start = "---------------------------OX------XO--------------------------- X";
    let text = complaint(&["solve", "othello", "--position", start], 1);
    assert!(text.contains("too far from its end"), "{text}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_solve_says_how_far_it_got() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_corvid"))
        .args(["solve", "dots", "--size", "5x5", "--position", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Time to install its handler; on a machine that is too slow, the test fails by the status.
    std::thread::sleep(std::time::Duration::from_secs(2));
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(text.starts_with("corvid: stopped after "), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn bots_are_listed_by_game() {
    let text = answer(&["bots", "blokus-duo"], "");
    let names: Vec<_> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names[..3], ["random", "largest", "corridors"]);
    assert!(names.contains(&"hybrid:seed"), "{text}");
    let all = answer(&["bots"], "");
    for name in ["greedy", "positional", "genetic:seed", "chain-minimax", "leaky"] {
        assert_eq!(all.lines().filter(|line| line.split(' ').next() == Some(name)).count(), 1);
    }
    assert!(all.lines().all(|line| line.len() <= 100), "{all}");
}

#[test]
fn gtp_survives_a_line_of_ten_megabytes() {
    let mut input = b"play b d3\n".to_vec();
    input.resize(10_000_000, b'x');
    input.extend(b"\r\n1 moves\r\nquit\nname\n");
    let output = corvid(&["gtp", "othello"], &input);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(out(&output), "= \n\n? line longer than 2048 bytes\n\n=1 d3\n\n= \n\n");
}

#[test]
fn gtp_answers_a_last_line_without_an_end() {
    assert_eq!(answer(&["gtp", "dots"], "name"), "= Corvid\n\n");
    assert_eq!(answer(&["gtp", "dots"], ""), "");
}

#[test]
fn a_reader_that_goes_away_gives_status_1() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_corvid"))
        .args(["gtp", "othello"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"name\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "corvid: the reader of standard output has gone\n");
}

#[test]
fn gtp_plays_a_whole_game_of_blokus_duo_in_codes() {
    let words = ["gtp", "blokus-duo", "--notation", "code", "--seed", "3", "--bot", "largest"];
    let commands = "genmove b\ngenmove w\n".repeat(21) + "final_score\nmoves\n";
    let text = answer(&words, &commands);
    assert!(text.lines().filter(|line| line.len() == 6).count() > 20, "{text}");
    assert!(!text.contains('?'), "{text}");
    assert_eq!(text, answer(&words, &commands), "a seed repeats the game");
}

#[test]
fn a_game_in_the_terminal_explains_mistakes() {
    let input = "a1\nd3\nlegal\nundo\nmoves\nrules\nhelp\nzz\nquit\n";
    let text = answer(&["play", "othello", "--seed", "1", "--nodes", "100"], input);
    for part in [
        "no: a disc on a1 turns nothing over",
        "last move: d3",
        "[X]",
        "white plays",
        " moves)",
        "no move yet",
        "a move is a square a1..h8",
    ] {
        assert!(text.contains(part), "'{part}' is missing in:\n{text}");
    }
}

#[test]
fn games_without_people_end_with_a_table() {
    for game in ["othello", "adjacency", "dots", "blokus-duo", "blokus-classic"] {
        let words = ["play", game, "--color", "none", "--seed", "2", "--nodes", "500"];
        let text = answer(&words, "");
        let table = text.split("The game is over.").nth(1).unwrap();
        assert!(table.contains("\n1. "), "{game}: {table}");
    }
    let words = ["play", "blokus-classic", "--seats", "2", "--color", "none", "--level", "2"];
    let text = answer(&words, "");
    assert!(text.contains("blue and red"), "{text}");
}

#[test]
fn without_a_terminal_the_simulator_says_what_to_do_instead() {
    for words in [&[][..], &["sim"], &["sim", "--pty"]] {
        let text = complaint(words, 1);
        assert!(text.contains("needs a terminal"), "{text}");
        assert!(text.contains("corvid play GAME"), "{text}");
    }
}

#[test]
fn tuning_learns_a_table_from_two_hundred_games() {
    let output = Command::new(env!("CARGO_BIN_EXE_corvid"))
        .args(["tune", "blokus-duo", "--generations", "1", "--games", "200"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("--generations 1 --games 200 --sims 400 --seed 1"), "{table}");
    let rows = |name: &str, end: &str| -> Vec<i32> {
        let part = table.split(name).nth(1).unwrap().split(end).next().unwrap();
        let numbers = part.split(|c: char| !c.is_ascii_digit() && c != '-');
        numbers.filter_map(|number| number.parse().ok()).collect()
    };
    // Sanity checks: points are good, so is room to play, pieces that fit nowhere are bad when few
    // are left, and large pieces come first. The first and the last part have too few positions
    // to judge room.
    let values = rows("value: [", "};");
    for (part, weights) in values.chunks(25).enumerate() {
        for of in [&weights[..12], &weights[12..24]] {
            let (points, room, stuck) = (of[0], of[9], of[11]);
            assert!(points > 100, "part {part}: {weights:?}");
            assert!(room > 20 || part == 0 || part == 6, "part {part}: {weights:?}");
            assert!(stuck < -100 || part < 5, "part {part}: {weights:?}");
        }
    }
    let priors = rows("prior: [", "value: [");
    let five = priors[9..21].iter().sum::<i32>() / 12;
    assert!(priors[0] < five - 60, "one square {} and five {five}", priors[0]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("200/200 games") && said.contains("nats from the visits"), "{said}");
}
