//! The emulated Pico for people, as `cargo xtask run pico` starts it: the simulator's keys.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use corvid::reading::{half_block, shows};
use corvid_firmware::frame::{Frame, HEIGHT, Ink, WIDTH};
use corvid_tests::image::image;

/// Long enough for anything on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A separate terminal with its own server.
struct Terminal {
    socket: String,
}

impl Terminal {
    fn open(command: &str) -> Result<Self> {
        let terminal = Self { socket: format!("corvid-pico-{}", std::process::id()) };
        terminal.tmux(&["new-session", "-d", "-x", "140", "-y", "45", command])?;
        Ok(terminal)
    }

    fn tmux(&self, words: &[&str]) -> Result<String> {
        let mut tmux = Command::new("tmux");
        let output = tmux.args(["-u", "-f", "/dev/null", "-L", &self.socket]).args(words).output();
        let output = output.context("tmux does not start: run `cargo xtask setup`")?;
        ensure!(output.status.success(), "tmux {words:?}: {output:?}");
        Ok(String::from_utf8(output.stdout)?)
    }

    fn keys(&self, keys: &[&str]) -> Result<()> {
        self.tmux(&[&["send-keys"][..], keys].concat()).map(drop)
    }

    /// Waits until the text of the terminal is as it should be.
    fn expect(&self, what: &str, is_so: impl Fn(&str) -> bool) -> Result<()> {
        let begun = Instant::now();
        loop {
            let text = self.tmux(&["capture-pane", "-p"])?;
            if is_so(&text) {
                return Ok(());
            }
            ensure!(begun.elapsed() < PATIENCE, "not {what}:\n{text}");
            sleep(Duration::from_millis(50));
        }
    }

    fn expect_text(&self, part: &str) -> Result<()> {
        self.expect(part, |text| text.contains(part))
    }

    fn expect_display(&self, part: &str) -> Result<()> {
        self.expect(part, |text| shows(&display(text), part))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]);
    }
}

/// The display in half blocks, in a frame at the upper left.
fn display(text: &str) -> Frame {
    let mut frame = Frame::DARK;
    for (row, line) in text.lines().skip(1).take(HEIGHT / 2).enumerate() {
        for (column, letter) in line.chars().skip(1).take(WIDTH).enumerate() {
            for below in 0..2 {
                let lit = letter == half_block(true, true)
                    || letter == half_block(below == 0, below == 1);
                let ink = if lit { Ink::On } else { Ink::Off };
                frame.dot(column as i32, (2 * row + below) as i32, ink);
            }
        }
    }
    frame
}

#[test]
fn the_keys_are_the_simulators() -> Result<()> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("emulator/pico.mjs");
    let emulator =
        format!("node '{}' --interactive '{}'", script.display(), image("pico")?.display());
    // The status is not in the command as it is printed.
    let shell =
        format!("{emulator}; echo sta''tus $?; stty -a | tr ' ' '\\n' | grep canon; sleep 60");
    let terminal = Terminal::open(&shell)?;
    terminal.expect_display("five games")?;
    terminal.expect_text("m hold it")?;
    // Select, also by the space bar, and back by holding it, with each of its keys.
    terminal.keys(&["Enter"])?;
    terminal.expect_display("Watch")?;
    for (select, back) in [("Enter", "m"), ("Space", "Escape"), ("Enter", "BSpace")] {
        terminal.keys(&[select])?;
        terminal.expect("another page", |text| !shows(&display(text), "Watch"))?;
        terminal.keys(&[back])?;
        terminal.expect_display("Watch")?;
    }
    // Letters are text only after Tab.
    terminal.keys(&["xyz", "Tab"])?;
    terminal.expect_text("Tab back to the keys")?;
    terminal.keys(&["1 name", "Enter"])?;
    terminal.expect_text("=1 Corvid")?;
    terminal.keys(&["Up", "BSpace", "BSpace", "BSpace", "BSpace", "game", "Enter"])?;
    terminal.expect_text("1 game")?;
    terminal.keys(&["Escape"])?;
    terminal.expect_text("m hold it")?;
    terminal.keys(&["q"])?;
    terminal.expect_text("status 0\nicanon")
}
