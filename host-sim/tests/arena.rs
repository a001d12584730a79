//! `corvid arena` as scripts see it: tables, files, interruptions and bad input.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A test's own folder, removed when it ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("corvid-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn arena(words: &str) -> Output {
    let words = words.split(' ').filter(|word| !word.is_empty());
    Command::new(env!("CARGO_BIN_EXE_corvid")).arg("arena").args(words).output().unwrap()
}

fn table(words: &str) -> String {
    let output = arena(words);
    assert_eq!(output.status.code(), Some(0), "{words}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A command that fails with this status says why in the last line of standard error.
fn complaint(words: &str, status: i32) -> String {
    let output = arena(words);
    assert_eq!(output.status.code(), Some(status), "{words}: {output:?}");
    assert!(output.stdout.is_empty(), "{words}: {output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{words}: {text}");
    text
}

const MATCH: &str = "othello --players greedy,nodes:20 --games 12 --seed 5";

#[test]
fn a_seed_gives_the_same_table_on_any_number_of_threads() {
    let one = table(&format!("{MATCH} --threads 1"));
    assert_eq!(one, table(&format!("{MATCH} --threads 4")));
    assert_ne!(one, table(&format!("{MATCH} --threads 4 --seed 6").replace("--seed 5 ", "")));
    let lines: Vec<_> = one.lines().collect();
    assert!(lines[0].starts_with("player"), "{one}");
    assert!(lines[1].starts_with("greedy"), "{one}");
    assert!(lines[2].starts_with("nodes:20"), "{one}");
}

#[test]
fn every_game_has_its_seats() {
    for (game, players) in [
        ("adjacency --rounds 4", "random,greedy"),
        ("dots --size 2x2", "random,level:1"),
        ("blokus-duo", "largest,board-seconds:0.01"),
        ("blokus-classic", "largest,random,level:3,random"),
        ("blokus-classic --seats 2", "largest,random"),
    ] {
        let text = table(&format!("{game} --players {players} --games 4 --openings 2"));
        assert!(text.contains("\nseat "), "{text}");
    }
}

#[test]
fn an_interrupted_match_goes_on_to_the_same_end() {
    let folder = Folder::new("resume");
    let (whole, parts) = (folder.file("whole.json"), folder.file("parts.json"));
    let text = table(&format!("{MATCH} --json {whole}"));
    // Fewer games first, then all: as after an interruption.
    table(&format!("{MATCH} --json {parts}").replace("--games 12", "--games 5"));
    assert_eq!(table(&format!("{MATCH} --json {parts}")), text);
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(&whole), read(&parts));
    let record: serde_json::Value = serde_json::from_str(&read(&whole)).unwrap();
    assert_eq!(record["format"], "corvid-arena 1");
    assert_eq!(record["games"].as_array().unwrap().len(), 12);
    assert_eq!(record["table"][0]["player"], "greedy");
    assert_eq!(record["table"][0]["games"], 12);
    let begun = std::time::Instant::now();
    table(&format!("{MATCH} --json {whole}"));
    assert!(begun.elapsed().as_secs() < 5, "nothing is played twice");
}

#[test]
fn recorded_games_can_be_played_again() {
    use std::io::Write;
    let folder = Folder::new("replay");
    let path = folder.file("games.json");
    table(&format!("blokus-duo --players sims:20,largest --games 2 --json {path}"));
    let record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for game in record["games"].as_array().unwrap() {
        let mut gtp = Command::new(env!("CARGO_BIN_EXE_corvid"))
            .args(["gtp", "blokus-duo"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let moves = game["moves"].as_array().unwrap();
        let lines: Vec<_> =
            moves.iter().map(|mv| format!("play {}\n", mv.as_str().unwrap())).collect();
        let lines = lines.concat() + "showboard\n";
        gtp.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let said = String::from_utf8(gtp.wait_with_output().unwrap().stdout).unwrap();
        assert!(!said.contains('?'), "{said}");
        for (color, score) in ["(X)", "(O)"].iter().zip(game["scores"].as_array().unwrap()) {
            assert!(said.contains(&format!("{color} {score}")), "{score}: {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_played() {
    let folder = Folder::new("interrupt");
    let path = folder.file("games.json");
    let child = Command::new(env!("CARGO_BIN_EXE_corvid"))
        .args(["arena", "dots", "--players", "time-ms:20,time-ms:20", "--games", "1000"])
        .args(["--threads", "1", "--json", &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(4));
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("the same command goes on from here"), "{text}");
    let record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let played = record["games"].as_array().unwrap().len();
    assert!(played > 0 && played < 1000, "{played}");
}

#[test]
fn the_chart_is_drawn_and_drawn_again() {
    let folder = Folder::new("chart");
    let path = folder.file("chart.svg");
    for _ in 0..2 {
        table(&format!("{MATCH} --plot {path}"));
        let svg = std::fs::read_to_string(&path).unwrap();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        assert!(svg.contains(">greedy<") && svg.contains(">nodes:20<"), "{svg}");
    }
}

#[test]
fn bad_words_are_refused_in_one_line() {
    for (words, part) in [
        ("othello --players greedy,largest --games 2", "'largest': no such bot of othello"),
        ("othello --players greedy --games 2", "othello has 2 seats, not 1"),
        ("blokus-classic --players largest,random --games 2", "has 4 seats, not 2"),
        ("othello --players greedy,random --games 0", "0"),
        ("othello --players greedy,random", "--games"),
        ("othello --players greedy,level:0 --games 2", "a level is 1 to 9"),
        ("othello --players greedy,nodes:x --games 2", "a whole number is missing"),
        ("othello --players greedy,board-seconds:-1 --games 2", "a number of seconds"),
        ("othello --players greedy,random --games 2 --threads 0", "0"),
        ("othello --players greedy,random --games 2 --orders some", "rotations or all"),
        ("chess --players a,b --games 2", "chess"),
    ] {
        let text = complaint(words, 2);
        assert!(text.contains(part), "{words}: {text}");
    }
}

#[test]
fn files_that_are_not_its_own_are_left_alone() {
    let folder = Folder::new("files");
    let read = |path: &str| std::fs::read(Path::new(path)).unwrap();
    let mine = folder.file("mine.txt");
    std::fs::write(&mine, "my notes").unwrap();
    let text = complaint(&format!("{MATCH} --json {mine}"), 1);
    assert!(text.contains("is not a record of an arena"), "{text}");
    let text = complaint(&format!("{MATCH} --plot {mine}"), 1);
    assert!(text.contains("is not a chart"), "{text}");
    assert_eq!(read(&mine), b"my notes");

    let record = folder.file("record.json");
    table(&format!("{MATCH} --json {record}"));
    let whole = read(&record);
    let text = complaint(&format!("{MATCH} --json {record}").replace("greedy", "random"), 1);
    assert!(text.contains("holds another match"), "{text}");
    let text =
        complaint(&format!("{MATCH} --json {record}").replace("--games 12", "--games 11"), 2);
    assert!(text.contains("more than 11 games"), "{text}");
    assert_eq!(read(&record), whole);
    for damage in [&whole[..whole.len() / 2], b"", b"{}", &[0xff; 9]] {
        std::fs::write(&record, damage).unwrap();
        complaint(&format!("{MATCH} --json {record}"), 1);
        assert_eq!(read(&record), damage);
    }

    let nowhere = folder.file("none/games.json");
    for option in ["--json", "--plot"] {
        let text = complaint(&format!("{MATCH} {option} {nowhere}"), 1);
        assert!(text.contains("cannot write"), "{text}");
    }
}

#[test]
fn a_record_that_cannot_be_is_refused() {
    let folder = Folder::new("impossible");
    let record = folder.file("record.json");
    table(&format!("{MATCH} --json {record}"));
    let whole = std::fs::read_to_string(&record).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&whole).unwrap();
    json["games"][3]["scores"][0] = 32767.into();
    let without_moves = {
        let mut json = json.clone();
        json["games"][3]["moves"] = serde_json::json!([]);
        json.to_string()
    };
    let illegal = {
        let mut json: serde_json::Value = serde_json::from_str(&whole).unwrap();
        json["games"][3]["moves"][20] = "b a1".into();
        json.to_string()
    };
    for damage in [json.to_string(), without_moves, illegal] {
        std::fs::write(&record, &damage).unwrap();
        let text = complaint(&format!("{MATCH} --json {record}"), 1);
        assert!(text.contains("game 3 can't have ended so"), "{text}");
        assert_eq!(std::fs::read_to_string(&record).unwrap(), damage);
    }
}

#[cfg(unix)]
#[test]
fn files_that_never_end_are_refused() {
    for (option, path) in [("--json", "/dev/full"), ("--plot", "/dev/zero")] {
        let text = complaint(&format!("{MATCH} {option} {path}"), 1);
        assert!(text.contains(path), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn one_arena_at_a_time_writes_a_record() {
    let folder = Folder::new("lock");
    let record = folder.file("games.json");
    let long = "dots --players time-ms:20,time-ms:20 --games 1000 --threads 1";
    let mut first = Command::new(env!("CARGO_BIN_EXE_corvid"))
        .arg("arena")
        .args(long.split(' ').chain(["--json", &record]))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !Path::new(&record).exists() {
        assert_eq!(first.try_wait().unwrap(), None, "it goes on");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let text = complaint(&format!("{long} --json {record}"), 1);
    assert!(text.contains("another arena is using it"), "{text}");
    // Even one that was killed locks nobody out.
    first.kill().unwrap();
    first.wait().unwrap();
    let text = complaint(&format!("{long} --json {record}").replace("1000", "0"), 2);
    assert!(text.contains("--games"), "{text}");
    table(&format!("{MATCH} --json {}", folder.file("other.json")));
    assert!(!Path::new(&folder.file("other.json.lock")).exists());
}

/// A match of a program against a bot; the command may have spaces.
fn against_program(game: &str, program: &str, others: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_corvid"))
        .args(["arena", game, "--players", &format!("gtp:{program},{others}")])
        .args(["--games", "4", "--seed", "5", "--openings", "2"])
        .output()
        .unwrap()
}

#[test]
fn another_program_plays_over_gtp() {
    let own = env!("CARGO_BIN_EXE_corvid");
    // Passes have to be transmitted, too: both games have them.
    for (game, others) in [
        ("othello", "random"),
        ("blokus-duo", "largest"),
        ("blokus-classic", "random,random,random"),
    ] {
        let output = against_program(game, &format!("{own} gtp {game} --sims 30"), others);
        assert_eq!(output.status.code(), Some(0), "{game}: {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let first = text.lines().nth(1).unwrap();
        let score: f64 =
            first.split('%').next().unwrap().split_whitespace().last().unwrap().parse().unwrap();
        assert!(score > 70.0, "{text}");
    }
}

#[test]
fn a_program_that_cannot_play_is_named_with_the_reason() {
    let own = env!("CARGO_BIN_EXE_corvid");
    for (program, why) in [
        ("/no/such/program", "No such file"),
        ("true", "to '"),
        (&format!("{own} gtp dots"), "illegal move"),
    ] {
        let output = against_program("othello", program, "random");
        assert_eq!(output.status.code(), Some(1), "{program}: {output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            text.contains(&format!("gtp:{program}")) && text.contains(why),
            "{program}: {text}"
        );
    }
}
