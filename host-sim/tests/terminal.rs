//! The simulator in a real terminal: tmux renders what it writes, types into it and resizes it.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use corvid::reading::{half_block, shows};
use corvid::scenario::{Scenario, Stage};
use corvid_firmware::frame::{Frame, HEIGHT, Ink, WIDTH};
use corvid_firmware::keys::Key;
use tempfile::TempDir;

/// The simulator's speed relative to the board, so that a game takes seconds.
const SPEED: u32 = 4;

/// The scenario's time passes at half that speed: the machine may be busy.
const SLOWER: u32 = SPEED / 2;

/// Long enough for anything on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A separate terminal with its own server.
struct Terminal {
    socket: String,
    /// The home of whoever uses it.
    home: PathBuf,
    /// The same, if nobody else does.
    own_home: Option<TempDir>,
    /// How long the current key has been down.
    held: Duration,
}

impl Terminal {
    /// Opens a terminal that runs a shell command for a user who has nothing saved.
    fn open(name: &str, size: (u32, u32), command: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut terminal = Self::open_at(home.path(), name, size, command);
        terminal.own_home = Some(home);
        terminal
    }

    /// The same for the user of this home folder.
    fn open_at(home: &Path, name: &str, size: (u32, u32), command: &str) -> Self {
        let socket = format!("corvid-{name}-{}", std::process::id());
        let terminal = Self { socket, home: home.into(), own_home: None, held: Duration::ZERO };
        let (width, height) = (size.0.to_string(), size.1.to_string());
        let command = format!(
            "env -u XDG_DATA_HOME HOME='{}' sh -c '{}'",
            home.display(),
            command.replace('\'', r"'\''")
        );
        terminal.tmux(&["new-session", "-d", "-x", &width, "-y", &height, &command]);
        terminal
    }

    /// Where its user's games are saved.
    fn saves(&self) -> PathBuf {
        let folder = match cfg!(target_os = "macos") {
            true => "Library/Application Support",
            false => ".local/share",
        };
        self.home.join(folder).join("corvid/saves.bin")
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

/// A shell whose prompt is not in the command that starts it.
const SHELL: &str = "env PS1='re''ady> ' sh";

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
    let terminal = Terminal::open("sizes", (80, 30), SHELL);
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

/// A shell command that prints its result, in a form that is not in the command.
fn told(command: &str) -> String {
    format!("clear; {command}; echo sta''tus $?")
}

#[test]
fn games_are_saved_for_the_user_and_resumed() {
    let terminal = Terminal::open("saves", (100, 30), SHELL);
    terminal.expect_text("ready>");
    // With no command, and with one, on one device.
    terminal.keys(&[&told(CORVID), "Enter"]);
    terminal.expect_display("five games");
    terminal.keys(&["Tab", "play b d3", "Enter"]);
    terminal.expect_text("= ");
    terminal.expect("saved", |terminal| {
        fs::read(terminal.saves()).is_ok_and(|bytes| bytes.iter().any(|byte| *byte != 0xff))
    });
    // Saving follows the answer; a device that is switched off in between loses the move.
    sleep(Duration::from_secs(1));

    let second = Terminal::open_at(&terminal.home, "saves-second", (100, 30), SHELL);
    second.expect_text("ready>");
    second.keys(&[&told(CORVID), "Enter"]);
    second.expect_display("five games");
    second.expect_text("not saving");
    second.keys(&["q"]);
    second.expect_text("status 0");
    assert!(
        second.text().replace('\n', "").contains("another simulator uses it"),
        "{}",
        second.text()
    );

    terminal.keys(&["C-c"]);
    terminal.expect_text("status 0");
    assert!(terminal.text().replace('\n', "").contains("saves.bin"), "{}", terminal.text());

    terminal.keys(&[&told(&format!("{CORVID} sim")), "Enter"]);
    terminal.expect_display("five games");
    terminal.keys(&["Tab", "moves", "Enter"]);
    terminal.expect_text("= d3");
    terminal.keys(&["C-c"]);
    terminal.expect_text("status 0");

    let before = fs::read(terminal.saves()).unwrap();
    terminal.keys(&[&told(&format!("{CORVID} --no-save")), "Enter"]);
    terminal.expect_display("five games");
    terminal.expect_text("not saving");
    terminal.keys(&["Tab", "1 moves", "Enter"]);
    terminal.expect_text("=1");
    assert!(!terminal.text().contains("=1 d3"), "a new device: {}", terminal.text());
    terminal.keys(&["2 play b f5", "Enter"]);
    terminal.expect_text("=2");
    terminal.keys(&["C-c"]);
    terminal.expect_text("status 0");
    assert_eq!(fs::read(terminal.saves()).unwrap(), before);
}

#[test]
fn a_file_that_is_named_is_used_instead_of_the_users() {
    let terminal = Terminal::open("named", (100, 30), SHELL);
    terminal.expect_text("ready>");
    let file = terminal.home.join("mine");
    for command in [CORVID.to_owned(), format!("{CORVID} sim")] {
        terminal.keys(&[&told(&format!("{command} --save {}", file.display())), "Enter"]);
        terminal.expect_display("five games");
        terminal.keys(&["q"]);
        terminal.expect_text("status 0");
        assert!(file.is_file() && !terminal.saves().exists(), "{command}");
        fs::remove_file(&file).unwrap();
    }
    // This board saves nothing.
    terminal.keys(&[&told(&format!("{CORVID} --board lm3s6965evb")), "Enter"]);
    terminal.expect_display("five games");
    terminal.keys(&["q"]);
    terminal.expect_text("status 0");
    assert!(!terminal.saves().exists());
}

#[test]
fn without_a_place_to_save_the_simulator_runs_and_says_so() {
    let terminal = Terminal::open("nowhere", (100, 30), SHELL);
    terminal.expect_text("ready>");
    // A file where the folder should be: even the administrator can't write below it.
    fs::write(terminal.home.join("file"), "").unwrap();
    let home = terminal.home.join("file");
    let broken = format!("HOME={} {CORVID}", home.display());
    let relative = format!("HOME=relative {CORVID}");
    for (command, why) in [(broken, "cannot create"), (relative, "no home folder")] {
        terminal.keys(&[&told(&command), "Enter"]);
        terminal.expect_display("five games");
        terminal.expect_text("not saving");
        terminal.keys(&["q"]);
        terminal.expect_text("status 0");
        let text = terminal.text().replace('\n', "");
        assert!(text.contains("doesn't save") && text.contains(why), "{text}");
    }
    // Somebody else's file stays as it is.
    fs::create_dir_all(terminal.saves().parent().unwrap()).unwrap();
    fs::write(terminal.saves(), "my diary").unwrap();
    terminal.keys(&[&told(CORVID), "Enter"]);
    terminal.expect_display("five games");
    terminal.expect_text("not saving");
    terminal.keys(&["q"]);
    terminal.expect_text("status 0");
    assert_eq!(fs::read(terminal.saves()).unwrap(), b"my diary");
}

#[test]
fn a_finished_game_line_by_line_is_shown_and_another_one_offered() {
    let terminal = Terminal::open("again", (80, 40), SHELL);
    terminal.expect_text("ready>");
    terminal.keys(&[&told(&format!("{CORVID} play dots --size 1x1 --color all")), "Enter"]);
    terminal.expect_text("\nblack>");
    for mv in ["0,0-0,1", "0,0-1,0", "0,1-1,1", "1,0-1,1"] {
        terminal.keys(&[mv, "Enter"]);
    }
    terminal.expect_text("Play again, yes or no? [no]");
    let text = terminal.text();
    let end = text.split("white plays 1,0-1,1: scores 1").nth(1).unwrap();
    for part in ["| 2 |", "The game is over.", "1. white    1", "white has won the game!"] {
        assert!(end.contains(part), "'{part}' is missing in\n{text}");
    }
    terminal.keys(&["yes", "Enter"]);
    terminal.expect_text("Score: black (1) 0, white (2) 0. black to move.\nblack>");
    terminal.keys(&["quit", "Enter"]);
    terminal.expect_text("status 0");
}

#[test]
fn a_signal_gives_the_terminal_back_from_a_board() {
    let terminal = Terminal::open("signals", (100, 30), SHELL);
    terminal.expect_text("ready>");
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let board = format!("\"exec:{CORVID} gtp othello\"");
    for signal in ["-TERM", "-QUIT", "-HUP"] {
        let command = format!("sh -c 'echo $$ >{path}; exec {CORVID} connect {board}'");
        terminal.keys(&[&told(&command), "Enter"]);
        terminal.expect_text("Othello: you are black");
        assert_eq!(terminal.tmux(&["display-message", "-p", "#{alternate_on}"]).trim(), "1");
        let id = fs::read_to_string(path).unwrap();
        assert!(Command::new("kill").args([signal, id.trim()]).status().unwrap().success());
        terminal.expect_text("status ");
        assert_eq!(terminal.tmux(&["display-message", "-p", "#{alternate_on}"]).trim(), "0");
        terminal.keys(&["clear; stty -a | tr ' ' '\\n' | grep icanon", "Enter"]);
        terminal.expect("icanon", |terminal| terminal.text().lines().any(|line| line == "icanon"));
    }
}
