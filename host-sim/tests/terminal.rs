//! The simulator in a real terminal: tmux renders what it writes, types into it and resizes it.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use corvid::reading::{half_block, shows};
use corvid::scenario::{Scenario, Stage};
use corvid_firmware::frame::{Frame, HEIGHT, Ink, WIDTH};
use corvid_firmware::keys::Key;

/// The simulator's speed relative to the board, so that a game takes seconds.
const SPEED: u32 = 4;

/// The scenario's time passes at half that speed: the machine may be busy.
const SLOWER: u32 = SPEED / 2;

/// Long enough for anything on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A separate terminal with its own server.
struct Terminal {
    socket: String,
    /// How long the current key has been down.
    held: Duration,
}

impl Terminal {
    /// Opens a terminal that runs a shell command.
    fn open(name: &str, size: (u32, u32), command: &str) -> Self {
        let socket = format!("corvid-{name}-{}", std::process::id());
        let terminal = Self { socket, held: Duration::ZERO };
        let (width, height) = (size.0.to_string(), size.1.to_string());
        terminal.tmux(&["new-session", "-d", "-x", &width, "-y", &height, command]);
        terminal
    }

    fn tmux(&self, words: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        // Without the user's own configuration, and in UTF-8 whatever the locale.
        let output = tmux.args(["-u", "-f", "/dev/null", "-L", &self.socket]).args(words).output();
        let Output { status, stdout, stderr } =
            output.expect("tmux does not start: run `cargo xtask setup`");
        assert!(status.success(), "tmux {words:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"][..], keys].concat());
    }

    /// What the terminal shows.
    fn text(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// The pixels of the display, if it is drawn completely.
    fn display(&self) -> Option<Frame> {
        let text = self.text();
        let rows: Vec<Vec<char>> = text.lines().map(|row| row.chars().collect()).collect();
        let glass: Vec<&[char]> =
            rows.iter().skip(1).map(|row| row.get(1..).unwrap_or(&[])).collect();
        let braille = glass.first()?.first().is_some_and(|first| is_braille(*first));
        let mut frame = Frame::DARK;
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let lit = match braille {
                    true => braille_dot(*glass.get(y / 4)?.get(x / 2)?, x % 2, y % 4)?,
                    false => half_block_dot(*glass.get(y / 2)?.get(x)?, y % 2)?,
                };
                frame.dot(x as i32, y as i32, if lit { Ink::On } else { Ink::Off });
            }
        }
        Some(frame)
    }

    /// Waits until something about the terminal is true.
    fn expect(&self, what: &str, mut is_so: impl FnMut(&Self) -> bool) {
        let begun = Instant::now();
        while !is_so(self) {
            assert!(begun.elapsed() < PATIENCE, "not {what}:\n{}", self.text());
            sleep(Duration::from_millis(50));
        }
    }

    fn expect_text(&self, text: &str) {
        self.expect(text, |terminal| terminal.text().contains(text));
    }

    /// Waits until the simulator has exited.
    fn expect_shell(&self) {
        self.expect("the shell again", |terminal| terminal.display().is_none());
    }

    fn expect_display(&self, text: &str) {
        self.expect(text, |terminal| {
            terminal.display().is_some_and(|display| shows(&display, text))
        });
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let mut tmux = Command::new("tmux");
        let _ = tmux.args(["-L", &self.socket, "kill-server"]).output();
    }
}

fn is_braille(letter: char) -> bool {
    ('\u{2800}'..='\u{28ff}').contains(&letter)
}

fn braille_dot(letter: char, x: usize, y: usize) -> Option<bool> {
    let bit = [[0, 3], [1, 4], [2, 5], [6, 7]][y][x];
    is_braille(letter).then(|| letter as u32 >> bit & 1 != 0)
}

fn half_block_dot(letter: char, y: usize) -> Option<bool> {
    let pairs = [(false, false), (true, false), (false, true), (true, true)];
    let (upper, lower) = pairs.into_iter().find(|pair| half_block(pair.0, pair.1) == letter)?;
    Some(if y == 0 { upper } else { lower })
}

/// A scenario's keys are the keyboard's, its display what is drawn.
impl Stage for Terminal {
    type Error = &'static str;

    fn key(&mut self, key: Key, down: bool) -> Result<(), Self::Error> {
        let long = self.held > Duration::from_millis(500);
        self.held = Duration::ZERO;
        match (key, down) {
            (_, true) => {}
            (Key::Select, false) if long => self.keys(&["m"]),
            (Key::Select, false) => self.keys(&["Enter"]),
            (Key::Up, false) => self.keys(&["Up"]),
            (Key::Down, false) => self.keys(&["Down"]),
            (Key::Left, false) => self.keys(&["Left"]),
            (Key::Right, false) => self.keys(&["Right"]),
        }
        Ok(())
    }

    async fn run_for(&mut self, time: Duration) -> Result<(), Self::Error> {
        self.held += time;
        sleep(time / SLOWER);
        Ok(())
    }

    fn screen(&mut self) -> Result<Frame, Self::Error> {
        self.display().ok_or("the display is not drawn")
    }

    fn send(&mut self, _: &[u8]) -> Result<(), Self::Error> {
        Err("the serial port is not part of this test")
    }

    fn received(&mut self) -> Result<Vec<u8>, Self::Error> {
        Err("the serial port is not part of this test")
    }

    async fn restart(&mut self, _: bool) -> Result<(), Self::Error> {
        Err("a terminal has no switch")
    }

    fn compare(&mut self, name: &str, screen: &Frame) -> Result<Option<String>, Self::Error> {
        // The other tests compare pixels with pictures; here the start screen must be there.
        Ok((name != "start" || !shows(screen, "five games")).then(|| format!("not {name}")))
    }

    fn keep(&mut self, _: &str, _: &Frame) -> Result<(), Self::Error> {
        Err("pictures are not part of this test")
    }
}

const CORVID: &str = env!("CARGO_BIN_EXE_corvid");

#[test]
fn a_whole_game_is_played_on_the_keyboard() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/scenarios/dots.txt");
    let scenario = Scenario::parse(&fs::read_to_string(path).unwrap()).unwrap();
    let command = format!("{CORVID} sim --seed 1 --speed {SPEED}");
    let mut terminal = Terminal::open("game", (170, 45), &command);
    terminal.expect_display("five games");
    if let Err(fault) = scenario.run(&mut terminal) {
        panic!("{fault}");
    }
}

#[test]
fn it_survives_any_size_and_gives_the_terminal_back() {
    // The prompt does not appear literally in the command, so that it is only found where it is
    // printed.
    let terminal = Terminal::open("sizes", (80, 30), "env PS1='re''ady> ' sh");
    terminal.expect_text("ready>");
    terminal.keys(&[CORVID, "Enter"]);
    terminal.expect_display("five games");
    terminal.expect_text("hold it");
    for (width, height) in [("30", "5"), ("1", "1"), ("200", "60"), ("66", "19"), ("80", "30")] {
        terminal.tmux(&["resize-window", "-x", width, "-y", height]);
        match width {
            "30" => terminal.expect_text("larger"),
            "1" => sleep(Duration::from_millis(200)),
            _ => terminal.expect_display("five games"),
        }
    }

    terminal.keys(&["Tab", "name", "Enter"]);
    terminal.expect_text("= Corvid");
    terminal.keys(&["C-c"]);
    terminal.expect_shell();
    terminal.keys(&["echo status $?; stty -a | tr ' ' '\\n' | grep canon", "Enter"]);
    terminal.expect_text("status 0\nicanon");

    // The same when a signal ends it.
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    terminal.keys(&[&format!("clear; sh -c 'echo $$ >{path}; exec {CORVID} sim'"), "Enter"]);
    terminal.expect_display("five games");
    let id = fs::read_to_string(path).unwrap();
    assert!(Command::new("kill").args(["-TERM", id.trim()]).status().unwrap().success());
    terminal.expect_shell();
    terminal.keys(&["echo status $?; stty -a | tr ' ' '\\n' | grep canon", "Enter"]);
    terminal.expect_text("status 0\nicanon");
}
