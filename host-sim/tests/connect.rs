//! `corvid connect` with a pseudo-terminal in place of a board, and matches between GTP engines.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{self, OpenptFlags};
use rustix::termios;

const CORVID: &str = env!("CARGO_BIN_EXE_corvid");

/// A serial port with a GTP engine at its other end. The cable can be unplugged.
struct Board {
    path: String,
    /// Holds the port open, as a driver does.
    _port: File,
    engine: Child,
    closed: Arc<AtomicBool>,
    threads: Vec<thread::JoinHandle<()>>,
}

/// A pseudo-terminal that no child inherits: a board's end, a port, and the port's name.
fn pseudo_terminal() -> (File, File, String) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let board = pty::openpt(flags).unwrap();
    pty::grantpt(&board).unwrap();
    pty::unlockpt(&board).unwrap();
    let path = pty::ptsname(&board, Vec::new()).unwrap().into_string().unwrap();
    let port = File::options().read(true).write(true).open(&path).unwrap();
    // Raw bytes, as on a wire.
    let mut mode = termios::tcgetattr(&port).unwrap();
    mode.make_raw();
    termios::tcsetattr(&port, termios::OptionalActions::Now, &mode).unwrap();
    (board.into(), port, path)
}

impl Board {
    fn new(game: &str) -> Self {
        let (mut board, port, path) = pseudo_terminal();
        let mut engine = Command::new(CORVID)
            .args(["gtp", game, "--nodes", "50", "--seed", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let closed = Arc::new(AtomicBool::new(false));
        let (mut stdin, mut stdout) = (engine.stdin.take().unwrap(), engine.stdout.take().unwrap());
        let mut answers = board.try_clone().unwrap();
        let stop = Arc::clone(&closed);
        let to_engine = thread::spawn(move || {
            let mut chunk = [0; 256];
            let patience = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
            while !stop.load(Ordering::Relaxed) {
                let mut ready = [PollFd::new(&board, PollFlags::IN)];
                if poll(&mut ready, Some(&patience)).unwrap() > 0 {
                    let count = board.read(&mut chunk).unwrap();
                    // The engine may be exiting.
                    let _ = stdin.write_all(&chunk[..count]);
                }
            }
        });
        let from_engine = thread::spawn(move || {
            let mut chunk = [0; 256];
            while let Ok(count @ 1..) = stdout.read(&mut chunk) {
                answers.write_all(&chunk[..count]).unwrap();
            }
        });
        let threads = vec![to_engine, from_engine];
        Self { path, _port: port, engine, closed, threads }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
        let _ = self.engine.kill();
        let _ = self.engine.wait();
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

fn connect(words: &[&str], input: &str) -> Output {
    let mut child = Command::new(CORVID)
        .arg("connect")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have ended with an error before it reads.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_person_plays_the_board_on_a_port() {
    let board = Board::new("othello");
    let said = text(&connect(&[&board.path], "a1\nd3\nhint\nundo\nf5\nquit\n"));
    for part in [
        "connected to serial:/dev/",
        "no: a disc on a1 turns nothing over",
        "black d3\nwhite ",
        "try ",
        "black f5\nwhite ",
        "[O]",
    ] {
        assert!(said.contains(part), "'{part}' is missing in\n{said}");
    }
    let said = text(&connect(&[&board.path], "undo\nlegal\nhelp\nfly\nquit\n"));
    for part in ["d3 c4 f5 e6\n(4 moves)\n", "  new GAME   another", "; or help\n"] {
        assert!(said.contains(part), "'{part}' is missing in\n{said}");
    }
    text(&connect(&[&board.path], "f5\nquit\n"));
    // The board keeps its game, and the next connection resumes it.
    let said = text(&connect(&[&board.path, "--color", "black"], "undo\nd3\n"));
    assert!(said.contains("black d3\nwhite "), "{said}");
    assert!(said.contains("black (X) 3   white (O) 3"), "four discs and two moves: {said}");
}

/// The cable is unplugged and plugged in again, and the board has lost everything meanwhile.
#[test]
fn a_game_goes_on_after_the_cable_was_pulled() {
    let folder = tempfile::tempdir().unwrap();
    let port = folder.path().join("board");
    let plug = |board: &Board| std::os::unix::fs::symlink(&board.path, &port).unwrap();
    let board = Board::new("othello");
    plug(&board);
    let mut child = Command::new(CORVID)
        .args(["connect", port.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = |part: &str| {
        let found = lines.find(|line| line.as_ref().unwrap().contains(part));
        found.unwrap_or_else(|| panic!("it ended before '{part}'")).unwrap()
    };
    next("connected to");
    stdin.write_all(b"d3\n").unwrap();
    let answer = next("white ");
    // Remove the name first: the terminal's number may be reused by another test at once.
    std::fs::remove_file(&port).unwrap();
    drop(board);
    next("lost the board");
    let board = Board::new("dots");
    plug(&board);
    next("connected to");
    stdin.write_all(b"hint\n").unwrap();
    let third = next("try ").replace("try ", "");
    stdin.write_all(format!("{third}\n").as_bytes()).unwrap();
    next(&format!("black {third}"));
    next("white ");
    stdin.write_all(b"undo\nundo\n").unwrap();
    drop(stdin);
    next("black (X) 2   white (O) 2");
    assert!(child.wait().unwrap().success(), "after {answer}");
}

#[test]
fn every_game_is_played_on_a_port() {
    let board = Board::new("othello");
    for (game, first) in [
        ("adjacency 2 x", "d3"),
        ("dots 2x2", "0,0-0,1"),
        ("blokus-duo", "e10,e11"),
        ("blokus-classic", "a20"),
    ] {
        let said = text(&connect(&[&board.path, "--game", game], &format!("{first}\n")));
        assert!(said.contains(&format!(" {first}\n")), "{game}: {said}");
    }
}

/// The terminal interface, and the keyboard and screen of its user.
struct Interface {
    user: File,
    _terminal: File,
    child: Child,
    /// What was shown since the last wait.
    shown: String,
}

impl Interface {
    fn open(board: &Board) -> Self {
        let (user, terminal, _) = pseudo_terminal();
        let size = termios::Winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        termios::tcsetwinsize(&terminal, size).unwrap();
        let end = || Stdio::from(terminal.try_clone().unwrap());
        let child = Command::new(CORVID)
            .args(["connect", &board.path])
            .env("TERM", "xterm")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        Self { user, _terminal: terminal, child, shown: String::new() }
    }

    fn press(&mut self, keys: &[u8]) {
        self.user.write_all(keys).unwrap();
    }

    fn wait_for(&mut self, part: &str) {
        let patience = Timespec { tv_sec: 20, tv_nsec: 0 };
        while !self.shown.contains(part) {
            let mut ready = [PollFd::new(&self.user, PollFlags::IN)];
            if poll(&mut ready, Some(&patience)).unwrap() == 0 {
                let _ = self.child.kill();
                panic!("'{part}' is missing in {:?}", self.shown);
            }
            let mut chunk = [0; 4096];
            let count = self.user.read(&mut chunk).unwrap();
            self.shown.push_str(&String::from_utf8_lossy(&chunk[..count]));
        }
        self.shown.clear();
    }
}

#[test]
fn the_terminal_interface_shows_the_board_and_takes_keys() {
    let board = Board::new("othello");
    let mut interface = Interface::open(&board);
    // Single words: the cursor may jump over blanks.
    interface.wait_for("Othello:");
    // The cursor starts on d4.
    interface.press(b"\x1b[A\r");
    interface.wait_for("d3");
    interface.press(b"hint\r");
    interface.wait_for("try");
    interface.press(b"legal\r");
    interface.wait_for("moves)");
    interface.press(b"\rhelp\r");
    interface.wait_for("cursor");
    interface.press(b"\r");
    interface.wait_for("Othello:");
    interface.press(b"\x03");
    let status = interface.child.wait().unwrap();
    assert!(status.success(), "{status}");
}

#[test]
fn signals_give_the_terminal_back() {
    let board = Board::new("othello");
    for signal in ["-TERM", "-HUP", "-QUIT"] {
        let mut interface = Interface::open(&board);
        interface.wait_for("Othello:");
        let id = interface.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        // It leaves the alternate screen.
        interface.wait_for("\x1b[?1049l");
        interface.child.wait().unwrap();
    }
}

#[test]
fn an_engine_plays_the_board() {
    let board = Board::new("othello");
    let engine = format!("'{CORVID}' gtp othello --level 2 --seed 4");
    let words = [board.path.as_str(), "--game", "blokus-duo", "--engine", &engine];
    let said = text(&connect(&words, ""));
    assert!(said.trim_end().ends_with("game over"), "{said}");
    assert!(said.matches("\nblue ").count() > 10, "{said}");
}

#[test]
fn what_is_not_there_is_said() {
    for (words, part) in [
        (&["/dev/no-such-port"][..], "cannot open /dev/no-such-port"),
        (&["exec:/no/such/engine"], "cannot start"),
        (&["exec:true"], "the line is dead"),
        (&["exec:sleep 30"], "no answer to 'name'"),
    ] {
        let output = connect(words, "");
        assert_eq!(output.status.code(), Some(1), "{words:?}: {output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("corvid: ") && said.contains(part), "{words:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{words:?}: {said}");
    }
    let output = connect(&["exec:true", "--referee"], "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Plays a match between two engines and returns its lines.
fn play_match(game: &str, games: &str, engines: [&str; 2]) -> Vec<String> {
    let engines = engines.map(|options| format!("'{CORVID}' gtp {options}"));
    let board = format!("exec:{}", engines[0]);
    let words = [&board, "--referee", "--engine", &engines[1], "--game", game, "--games", games];
    text(&connect(&words, "")).lines().map(Into::into).collect()
}

#[test]
fn a_hundred_games_of_duo_and_twenty_of_classic_by_gtp() {
    for (game, games, engine) in
        [("blokus-duo", 100, "--nodes 16"), ("blokus-classic", 20, "--level 3")]
    {
        // Both start with another game: the runner has to set the right one.
        let engines = [format!("othello {engine} --seed 1"), "dots --level 1 --seed 2".into()];
        let lines = play_match(game, &games.to_string(), [&engines[0], &engines[1]]);
        assert_eq!(lines.len(), games + 1, "{lines:#?}");
        for line in &lines[..games] {
            assert!(line.ends_with(": played to the end"), "{line}");
        }
        assert!(lines[games].contains(", 0 broken off; cputime "), "{}", lines[games]);
    }
}

/// `set_game dots` would leave each engine its own size.
#[test]
fn engines_with_other_options_are_given_those_of_the_match() {
    let engines = ["dots --size 2x2 --level 1 --seed 1", "dots --size 3x4 --level 1 --seed 2"];
    for game in ["dots", "dots 3x3"] {
        let lines = play_match(game, "2", engines);
        assert!(lines[..2].iter().all(|line| line.ends_with(": played to the end")), "{lines:#?}");
    }
}

#[test]
fn a_match_on_a_port_is_recorded() {
    let board = Board::new("othello");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    let engine = format!("'{CORVID}' gtp othello --level 1");
    let words =
        [&board.path, "--referee", "--engine", &engine, "--game", "othello", "--games", "2"];
    let words = [&words[..], &["--record", file.to_str().unwrap()]].concat();
    let said = text(&connect(&words, ""));
    assert_eq!(said.lines().count(), 3, "{said}");
    let games = std::fs::read_to_string(file).unwrap();
    assert!(games.starts_with("game 1\nsetup othello\nplayer 1 serial:/dev/"), "{games}");
    assert!(games.contains("\nfirst 2\nmove "), "{games}");
    assert_eq!(games.matches("\nresult winner ").count(), 2, "{games}");
}

/// The board asks for a key, which takes longer than other answers may, and the person is told.
#[test]
fn a_key_that_the_board_asks_for_is_waited_for() {
    let board = "exec:sh -c \"while read id name rest; do case $name in \
                 stats) printf '=%s game othello\\n\\n' $id;; moves) printf '=%s\\n\\n' $id;; \
                 reboot) echo '# reboot? press a key on the device within 10 s'; sleep 6; \
                 printf '=%s\\n\\n' $id;; discard) printf '?%s not allowed\\n\\n' $id;; \
                 *) printf '=%s x\\n\\n' $id;; esac; done\"";
    let said = text(&connect(&[board], "reboot\ndiscard yes\nquit\n"));
    let told =
        "reboot? press a key on the device within 10 s\nreboot: done\nrefused: not allowed\n";
    assert!(said.contains(told), "{said}");
}
