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
        (&["play", "othello", "--color", "third"], "first, second, all, none"),
        (&["play", "othello", "--size", "3x3"], "othello has no option --size"),
        (&["play", "--size", "3x3"], "--size needs a game: dots --size 3x3"),
        (&["play", "adjacency", "--first", "5"], "--first 5: it is x or o"),
        (&["play", "adjacency", "--rounds", "o"], "--rounds o: it is 2 to 28"),
        (&["play", "dots", "--bot", "leaky"], "dots has no bot 'leaky'"),
        (&["play", "dots", "--names", "A,B,C"], "3 names for 2 players"),
        (&["play", "dots", "--names", "Ann, ann"], "both be called ann"),
        (&["play", "dots", "--names", "Ann, "], "can't be blank"),
        (&["play", "dots", "--names", ""], "can't be blank"),
        (&["play", "dots", "--names", "A\u{1b}[2J"], "control characters"),
        (&["play", "--names", "A\nB"], "control characters"),
        (&["play", "dots", "--names", &"n".repeat(200)], "at most 20 characters, this one 200"),
        (&["gtp", "othello", "--bot", "largest"], "no bot 'largest'"),
        (&["gtp", "othello", "--level", "3", "--nodes", "9"], "cannot be used with"),
        (&["gtp", "othello", "--board-seconds", "x"], "number of seconds"),
        (&["gtp"], "<GAME>; GAME: othello, adjacency, dots, blokus-duo, blokus-classic ("),
        (&["perft"], "GAME: othello, adjacency, dots, blokus-duo, blokus-classic ("),
        (&["solve"], "GAME: othello, adjacency, dots ("),
        (&["solve", "blokus-duo"], "can't be solved; these can: othello, adjacency, dots ("),
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
    assert!(all.lines().all(|line| line.as_bytes()[19] == b' '), "only bots, for programs: {all}");
    // Those of a game follow each other.
    let games = ["othello", "adjacency", "dots", "blokus-duo", "blokus-classic"];
    let plays = games.map(|game| answer(&["bots", game], ""));
    let games_of = |line: &str| plays.clone().map(|bots| bots.lines().any(|other| other == line));
    let mut groups: Vec<_> = all.lines().map(games_of).collect();
    groups.dedup();
    let count = groups.len();
    groups.sort_unstable();
    groups.dedup();
    assert_eq!(groups.len(), count, "{all}");
}

#[test]
fn help_is_for_people() {
    let commands = ["sim", "play", "gtp", "icfpt", "host", "connect", "perft", "solve", "arena"];
    let others = ["tune", "reproduce", "replay", "nboard", "bots"];
    for command in commands.iter().chain(&others).map(Some).chain([None]) {
        let words: Vec<_> = command.into_iter().copied().chain(["--help"]).collect();
        let text = answer(&words, "");
        let wrong = text.find(['\\', '`']);
        assert_eq!(wrong.map(|at| &text[at..]), None, "{words:?}");
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    }
    let solve = answer(&["solve", "--help"], "");
    assert!(solve.contains("<GAME>  othello, adjacency, dots\n"), "{solve}");
    assert!(!solve.contains("Blokus") && !solve.contains("--seats"), "{solve}");
    assert!(answer(&["play", "--help"], "").contains("[default: 3, as on the device]"));
    assert!(answer(&["gtp", "--help"], "").contains("[default: 9, with a second for a move]"));
    let corvid = answer(&["--help"], "");
    assert!(corvid.contains("--save <FILE>") && corvid.contains("your data folder"), "{corvid}");
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
        "black plays d3: takes 1 (black 4, white 1)",
        "[X]",
        "white plays",
        " moves)",
        "no move yet",
        "a move is a square a1..h8, or pass; or help",
    ] {
        assert!(text.contains(part), "'{part}' is missing in:\n{text}");
    }
}

#[test]
fn a_game_starts_at_level_3_as_on_the_device() {
    let text = answer(&["play", "othello"], "quit\n");
    assert!(text.contains("white (O): level 3"), "{text}");
    let text = answer(&["play", "othello", "--level", "9"], "quit\n");
    assert!(text.contains("white (O): level 9"), "{text}");
}

#[test]
fn the_pieces_in_hand_are_beside_the_board() {
    let text = answer(&["play", "blokus-duo", "--color", "all"], "e10,e11\nj5\nquit\n");
    for part in [
        "   a b c d e f g h i j k l m n      21 pieces left:\n",
        "n      20 pieces left:\n",
        "13 . . . . . . . . . . . . . . 13   X  XXX  X   XXXX",
    ] {
        assert!(text.contains(part), "'{part}' is missing in:\n{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 79), "{text}");
    assert!(!answer(&["play", "dots"], "").contains("left:"));
}

#[test]
fn who_begins_is_said_right() {
    let text = answer(&["play", "adjacency", "--first", "o", "--color", "all"], "rules\n");
    assert!(text.contains("The game has begun: O moves first."), "{text}");
    assert!(text.contains("X moves first unless you choose O."), "{text}");
}

#[test]
fn colours_are_for_terminals_or_on_request() {
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_corvid"));
        command.args(["play", "othello", "--color", "all"]).stdin(Stdio::null());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        let output = command.envs(variables.iter().copied()).output().unwrap();
        out(&output).contains('\x1b')
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn without_a_game_everything_is_asked() {
    let answers = "chess\n3\n11x11\n2\nthird\nsecond\n10\nrandom\n \nAnn\u{7}\nÅsa\nquit\n";
    let text = answer(&["play", "--seed", "1"], answers);
    for part in [
        "  3  Dots and Boxes\n",
        "A game is a number from 1 to 5, or othello, adjacency, dots,",
        "The grid size in boxes, rows x columns (1x1 to 10x10) [5x5] It is 1x1 to 10x10.\n",
        "Do you play first (1), second (2), all sides (all) or none (none)? [1] No colour 'third'",
        "A level is 1 to 9; the bots are random, greedy, chain-minimax,",
        "Your name? [white] A name can't be blank.\n",
        "A name can't have control characters.\n",
        "Dots and Boxes - black (1): random, white (2): Åsa\n",
        "The game has begun: random (black) moves first.\n",
        "random (black) plays ",
        " 2 +   +   +\n",
        "Score: random (1) 0, Åsa (2) 0. Your turn!\nÅsa (white)> ",
    ] {
        assert!(text.contains(part), "'{part}' is missing in:\n{text}");
    }
    assert!(!text.contains(" 3 +"), "two rows of boxes have three of dots:\n{text}");
}

#[test]
fn every_question_of_every_game_has_an_answer_already() {
    for (number, name) in ["Othello", "Adjacency", "Dots and Boxes", "Blokus Duo", "Blokus Classic"]
        .into_iter()
        .enumerate()
    {
        let text = answer(&["play", "--seed", "1"], &format!("{}\n{}", number + 1, "\n".repeat(6)));
        assert!(text.contains(&format!("\n{name} - ")), "{text}");
        assert!(text.contains(": you, ") && text.contains(": level 3"), "{text}");
        assert!(text.contains(". Your turn!"), "{text}");
        assert_eq!(
            answer(&["play"], &format!("{name}\n")).lines().last(),
            Some("No game was started.")
        );
    }
}

#[test]
fn questions_end_with_the_input_and_with_too_many_wrong_answers() {
    for input in ["", "\n\n", "quit\n", "dots\n3\nq\n", "dots"] {
        let text = answer(&["play", "--level", "1"], input);
        assert!(text.ends_with("No game was started.\n"), "{input:?}: {text}");
    }
    let output = corvid(&["play"], "x\n".repeat(100).as_bytes());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let why = String::from_utf8(output.stderr).unwrap();
    assert_eq!(why, "corvid: no answer in 20 tries; see corvid play --help\n");
}

#[test]
fn what_the_command_line_says_is_not_asked() {
    let words = ["play", "--color", "2", "--level", "1", "--names", "Ann", "--seed", "1"];
    let text = answer(&words, "adjacency\n8\nO\n");
    assert!(text.contains("Adjacency - X: Ann, O: level 1\n"), "O begins, so X is second: {text}");
    assert!(text.contains("The game has begun: level 1 (O) moves first."), "{text}");
    assert!(text.contains("rounds left: 8\n"), "{text}");
    assert!(!text.contains("Do you play") && !text.contains("Your name"), "{text}");
}

#[test]
fn sides_are_colours_or_places_in_the_turn_order() {
    for (color, you) in [("first", "black"), ("1", "black"), ("second", "white"), ("2", "white")] {
        let text = answer(&["play", "othello", "--level", "1", "--color", color], "");
        assert!(text.contains(&format!("{you} (")), "{text}");
        assert_eq!(text.contains("black (X): you"), you == "black", "{color}: {text}");
        assert!(text.trim_end().ends_with(&format!("{you}>")), "{color}: {text}");
    }
}

#[test]
fn the_winner_is_named() {
    let words = ["play", "adjacency", "--rounds", "2", "--color", "all", "--names", "Ann,Bob"];
    let text = answer(&words, "a1\nb1\nc1\nd1\n");
    let end = "The game is over.\n1. Bob (O)    7\n2. Ann (X)    5\nBob has won the game!\n";
    assert!(text.ends_with(end), "{text}");
    // Nobody takes anything.
    let text = answer(&words, "a1\nh8\nc1\nf8\n");
    assert!(text.ends_with("Ann and Bob have tied!\n"), "{text}");
    let text = answer(&words[..6], "a1\nh8\nc1\nf8\n");
    assert!(text.ends_with("1. X    6\n1. O    6\nX and O have tied!\n"), "{text}");
    let words = ["play", "dots", "--size", "1x1", "--bot", "random", "--names", "Ann"];
    let text = answer(&words, "0,0-0,1\n0,0-1,0\n0,1-1,1\n1,0-1,1\n".repeat(2).as_str());
    assert!(text.ends_with("random has won the game!\n"), "{text}");
    // One person without a name is addressed.
    let words = ["play", "adjacency", "--rounds", "2", "--bot", "random", "--seed", "1"];
    let text = answer(&words, "legal\nd4\ne5\na1\nb3\nh8\ng8\nf3\nc3\n");
    let scores = text.split("The game is over.\n1. ").nth(1).unwrap();
    let verdict = match scores {
        _ if scores.contains("\n1. ") => "You and O have tied!",
        _ if scores.starts_with('X') => "You have won the game!",
        _ => "You have lost: O has won the game!",
    };
    assert!(text.ends_with(&format!("\n{verdict}\n")), "{text}");
}

#[test]
fn a_game_can_be_restarted_and_played_again() {
    let text = answer(&["play", "othello", "--seed", "1", "--level", "1"], "d3\nnew\nmoves\n");
    assert_eq!(text.matches("The game has begun: black moves first.").count(), 2, "{text}");
    assert!(text.contains("no move yet"), "{text}");
    let game = "a1\nb1\nc1\nd1\n";
    let text = answer(&["play"], &format!("2\n2\n\nall\n\n\n{game}yes\n{game}no\n"));
    assert_eq!(
        text.matches("O has won the game!\nPlay again, yes or no? [no] ").count(),
        2,
        "{text}"
    );
    // With a game on the command line nothing is asked, at the end neither.
    let words = ["play", "adjacency", "--rounds", "2", "--color", "all"];
    assert!(!answer(&words, &format!("{game}yes\n")).contains("again,"));
}

#[test]
fn legal_squares_history_rules_and_origin_are_told() {
    let input = "d3\nhistory\nrules\nabout\nquit\n";
    let text = answer(&["play", "othello", "--seed", "1", "--nodes", "100"], input);
    for part in [
        "\n3  . . . * . . . . 3\n4  . . * O X . . . 4\n5  . . . X O * . . 5\n",
        "Your turn! (*: you can play there)",
        "\n  2. white plays ",
        "brackets discs of the other colour",
        "Handayani, Arisandi and Sitompul",
    ] {
        assert!(text.contains(part), "'{part}' is missing in:\n{text}");
    }
    for game in ["othello", "adjacency", "dots", "blokus-duo", "blokus-classic"] {
        let text = answer(&["play", game, "--level", "1"], "rules\nabout\nhelp\nlegal\nquit\n");
        // A prompt stands before the first line of an answer.
        let long = text.lines().find(|line| line.trim_start_matches("blue> ").len() > 87);
        assert_eq!(long, None, "{game}");
    }
}

#[test]
fn the_board_is_drawn_for_people_and_each_move_is_told() {
    let words = ["play", "blokus-classic", "--level", "1", "--seed", "1"];
    let text = answer(&words, "a20\n");
    let boards = text.matches("   a b c d").count() / 2;
    assert_eq!(boards, 3, "at the start, after the move and after three answers: {text}");
    for color in ["yellow", "red", "green"] {
        assert!(text.contains(&format!("\n{color} plays ")), "{text}");
    }
    assert!(text.contains("blue plays a20: scores 1 (blue -88)"), "{text}");
}

#[test]
fn refusals_of_blokus_say_why() {
    let input = "zz\na1\nh8,h9\ne10,e11\nf11\nf10\ne12\na1\ne10\nf12,g12\n";
    let text =
        answer(&["play", "blokus-duo", "--color", "all"], &input.replace("f11\n", "j5\nf11\n"));
    for part in [
        "no: the first piece must cover e10",
        "no: touches your own piece along an edge at f11",
        "no: touches none of your pieces at a corner",
        "no: e10 is occupied",
        "no: piece 2 is already placed",
    ] {
        assert!(text.contains(part), "'{part}' is missing in:\n{text}");
    }
}

#[test]
fn marks_that_no_game_has_are_refused() {
    let start = "------OO------OO--------------------------------XX------XX------";
    for (at, mark, square) in [(7, "X", "h1"), (56, "O", "a8"), (6, "X", "g1")] {
        let mut position = String::from(start);
        position.replace_range(at..=at, mark);
        let text = complaint(&["solve", "adjacency", "--position", &format!("{position} X 4")], 2);
        assert!(text.contains(&format!("{square} can't have been taken")), "{text}");
        let gtp = answer(&["gtp", "adjacency"], &format!("position {position} X 4\n"));
        assert!(gtp.starts_with("? impossible position: "), "{gtp}");
    }
}

#[test]
fn a_game_that_is_set_again_keeps_its_options() {
    let text = answer(&["gtp", "dots", "--size", "1x1"], "set_game Dots and Boxes\nall_legal b\n");
    assert_eq!(text, "= \n\n= 0,0-0,1\n1,0-1,1\n0,0-1,0\n0,1-1,1\n\n");
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
