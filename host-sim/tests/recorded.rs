//! Recorded games: with a seed and a budget that isn't time, play stays the same move for move.
//!
//! The files of `tests/data/recorded/` hold questions and answers. A line `$ WORDS` runs
//! `corvid WORDS`; `-> ANSWER` after it is the last line of its output, or for a match the points
//! of every game. Without an answer it is a GTP engine, which gets the lines that follow:
//! `COMMAND -> ANSWER`, or `genmoves N -> COLOR:MOVE ...` for moves of all players in turn, to the
//! end of the game at most.
//! `UPDATE_GOLDEN=1 cargo test -p corvid --test recorded` records all answers again.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const CORVID: &str = env!("CARGO_BIN_EXE_corvid");

/// Between a question and its answer.
const ARROW: &str = " ->";

/// The question that stands for many.
const MOVES: &str = "genmoves ";

#[test]
fn othello() {
    check("othello");
}

#[test]
fn adjacency() {
    check("adjacency");
}

#[test]
fn dots() {
    check("dots");
}

#[test]
fn blokus_duo() {
    check("blokus-duo");
}

#[test]
fn blokus_classic() {
    check("blokus-classic");
}

/// Several games in one session, which keeps its memory and random numbers.
#[test]
fn all_games_in_turn() {
    check("all");
}

#[test]
fn every_bot_and_every_level_with_a_budget_is_recorded() {
    for game in ["othello", "adjacency", "dots", "blokus-duo", "blokus-classic"] {
        let text = fs::read_to_string(path(game)).unwrap();
        let bots = Command::new(CORVID).args(["bots", game]).output().unwrap();
        let bots = String::from_utf8(bots.stdout).unwrap();
        let bots = bots.lines().map(|line| format!(" --bot {} ", line.split(' ').next().unwrap()));
        for option in bots.chain((1..=8).map(|level| format!(" --level {level} "))) {
            assert!(text.contains(&option), "{game} has no game with{option}");
        }
    }
}

fn path(name: &str) -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/recorded");
    data.join(format!("{name}.txt"))
}

/// Asks everything in a file and compares the answers, or records them.
fn check(name: &str) {
    let text = fs::read_to_string(path(name)).unwrap();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        return fs::write(path(name), record(&text)).unwrap();
    }
    let mut differences = String::new();
    let mut engine: Option<Engine> = None;
    let mut answers = 0;
    for line in text.lines().filter(|line| is_question(line)) {
        let (question, recorded) = line.split_once(ARROW).unwrap_or((line, ""));
        let recorded = recorded.trim_start();
        if let Some(words) = question.strip_prefix("$ ") {
            engine = is_engine(words).then(|| Engine::start(words));
            if engine.is_none() {
                answers += 1;
                compare(&mut differences, words, "its result", recorded, &result(words));
            }
            continue;
        }
        // Nothing can be compared after the first difference.
        let Some(on) = &mut engine else { continue };
        let mut same = true;
        if question.starts_with(MOVES) {
            for (index, recorded) in recorded.split(' ').enumerate() {
                let (color, mv) = recorded.split_once(':').unwrap();
                let now = on.ask(&format!("genmove {color}"));
                answers += 1;
                let place = format!("{question}, ply {}, {color}", index + 1);
                same = compare(&mut differences, &on.words, &place, mv, &now);
                if !same {
                    break;
                }
            }
        } else {
            let now = on.ask(question);
            answers += 1;
            same = compare(&mut differences, &on.words, question, recorded, &now);
        }
        if !same {
            engine = None;
        }
    }
    assert!(answers > 30, "only {answers} answers in {name}");
    assert!(differences.is_empty(), "{name} is not played as recorded:\n{differences}");
}

/// Notes a difference; true if there is none.
fn compare(differences: &mut String, words: &str, place: &str, recorded: &str, now: &str) -> bool {
    if recorded != now {
        writeln!(differences, "corvid {words}: {place}: {recorded} was recorded, now {now}")
            .unwrap();
    }
    recorded == now
}

/// The same questions with today's answers.
fn record(text: &str) -> String {
    let mut recorded = String::new();
    let mut engine: Option<Engine> = None;
    for line in text.lines() {
        let (question, _) = line.split_once(ARROW).unwrap_or((line, ""));
        if !is_question(line) {
            writeln!(recorded, "{line}").unwrap();
            continue;
        }
        if let Some(words) = question.strip_prefix("$ ") {
            engine = is_engine(words).then(|| Engine::start(words));
            if engine.is_some() {
                writeln!(recorded, "{question}").unwrap();
                continue;
            }
        }
        let answer = match (&mut engine, question.strip_prefix("$ ")) {
            (_, Some(words)) => result(words),
            (Some(engine), None) => match question.strip_prefix(MOVES) {
                Some(count) => engine.moves(count.parse().unwrap()),
                None => engine.ask(question),
            },
            (None, None) => panic!("no engine is asked {question}"),
        };
        assert!(!answer.starts_with('?'), "{question}: {answer}");
        writeln!(recorded, "{}", format!("{question}{ARROW} {answer}").trim_end()).unwrap();
    }
    recorded
}

fn is_question(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

fn is_engine(words: &str) -> bool {
    words.starts_with("gtp ")
}

/// The result of a command: the last line that it prints, or the points of a match's games.
fn result(words: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.json");
    let mut command = Command::new(CORVID);
    command.args(words.split(' '));
    let is_match = words.starts_with("arena ");
    if is_match {
        command.arg("--json").arg(&games);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{words}: {output:?}");
    if is_match {
        let text = fs::read_to_string(games).unwrap();
        let games = text.split("\"scores\":[").skip(1);
        return games.map(|game| game.split(']').next().unwrap()).collect::<Vec<_>>().join(" ");
    }
    String::from_utf8(output.stdout).unwrap().lines().last().unwrap_or_default().to_owned()
}

/// A GTP engine that is stopped when dropped.
struct Engine {
    words: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(words: &str) -> Self {
        let mut child = Command::new(CORVID)
            .args(words.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { words: words.to_owned(), child, input, output: BufReader::new(output) }
    }

    /// The answer in one line, without its `=`; a refusal keeps its `?`.
    fn ask(&mut self, command: &str) -> String {
        writeln!(self.input, "{command}").unwrap();
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let count = self.output.read_line(&mut line).unwrap();
            assert!(count > 0, "{} ended at {command}", self.words);
            if line == "\n" {
                break;
            }
            lines.push(line.trim().to_owned());
        }
        let answer = lines.join(" ");
        answer.strip_prefix('=').map_or(answer.clone(), |text| text.trim().to_owned())
    }

    /// So many moves, each with the colour that makes it.
    fn moves(&mut self, count: usize) -> String {
        let mut moves = Vec::new();
        for _ in 0..count {
            let Some(color) = self.turn() else { break };
            let mv = self.ask(&format!("genmove {color}"));
            assert!(!mv.starts_with('?'), "{}: {mv}", self.words);
            moves.push(format!("{color}:{mv}"));
        }
        moves.join(" ")
    }

    /// The colour to move; `None` at the end of the game. `showboard` ends with all colours in their
    /// order and the one to move: `black (X) 2   white (O) 2   black to move`.
    fn turn(&mut self) -> Option<&'static str> {
        let board = self.ask("showboard");
        let name = board.strip_suffix(" to move")?.split(' ').next_back()?;
        let four = board.contains("yellow (");
        Some(match name {
            "black" | "X" | "blue" if !four => "b",
            "white" | "O" | "green" if !four => "w",
            "blue" => "1",
            "yellow" => "2",
            "red" => "3",
            "green" => "4",
            _ => panic!("no colour: {board}"),
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
