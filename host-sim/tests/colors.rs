//! Colours in a real terminal: tmux renders what `corvid play` and `corvid connect` write, and
//! reports the colour of every character.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

const CORVID: &str = env!("CARGO_BIN_EXE_corvid");

/// Long enough for anything on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A game on three boxes in a row: black owns the first, white the last, nobody the one between.
const SIZE: &str = "1x3";
const MOVES: [&str; 9] = [
    "0,0-0,1", "1,0-1,1", "0,0-1,0", "0,2-0,3", "0,1-1,1", "1,2-1,3", "0,3-1,3", "0,1-0,2",
    "0,2-1,2",
];
const PLAYERS: [&str; 9] = ["b", "w", "b", "w", "b", "b", "w", "b", "w"];

/// The row of the boxes, up to the second line.
const BOXES: &str = "| 1 |";

/// A separate terminal with its own server.
struct Terminal {
    socket: String,
}

/// A character and the colours it has: foreground and background, as in the escape sequences.
type Cell = (char, [String; 2]);

impl Terminal {
    /// Opens a terminal that runs a shell command.
    fn open(name: &str, command: &str) -> Self {
        let terminal = Self { socket: format!("corvid-{name}-{}", std::process::id()) };
        let command = format!("env -u NO_COLOR {command}");
        terminal.tmux(&["new-session", "-d", "-x", "100", "-y", "40", &command]);
        terminal
    }

    fn tmux(&self, words: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        let output = tmux.args(["-u", "-f", "/dev/null", "-L", &self.socket]).args(words).output();
        let output = output.expect("tmux does not start: run `cargo xtask setup`");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {words:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Waits until the row of the boxes is shown with both owners.
    fn boxes(&self) -> Vec<Cell> {
        let begun = Instant::now();
        loop {
            let shown = self.tmux(&["capture-pane", "-e", "-p"]);
            let mut rows = shown.lines().map(cells);
            let text = |row: &[Cell]| row.iter().map(|cell| cell.0).collect::<String>();
            let is_whole = |row: &Vec<Cell>| text(row).contains(BOXES) && text(row).contains(" 2 ");
            if let Some(row) = rows.rfind(is_whole) {
                return row;
            }
            assert!(begun.elapsed() < PATIENCE, "no boxes of both owners in\n{shown}");
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).output();
    }
}

/// The characters of a line with escape sequences.
fn cells(line: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut colors = [String::new(), String::new()];
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        if letter != '\x1b' {
            cells.push((letter, colors.clone()));
            continue;
        }
        let Some((sequence, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once('m'))
        else {
            continue;
        };
        rest = after;
        let mut numbers = sequence.split(';');
        while let Some(number) = numbers.next() {
            match number.parse().unwrap_or(0) {
                // One of 256 colours, or of all.
                layer @ (38 | 48) => {
                    let count = if numbers.next() == Some("5") { 1 } else { 3 };
                    let color: Vec<_> = numbers.by_ref().take(count).collect();
                    colors[usize::from(layer == 48)] = color.join(";");
                }
                0 => colors = [String::new(), String::new()],
                39 => colors[0].clear(),
                49 => colors[1].clear(),
                30..=37 | 90..=97 => colors[0] = number.to_owned(),
                40..=47 | 100..=107 => colors[1] = number.to_owned(),
                _ => {}
            }
        }
    }
    cells
}

/// Each owner's box has its own colour, and a box that nobody owns has none.
fn check(terminal: &Terminal) {
    let row = terminal.boxes();
    let text: String = row.iter().map(|cell| cell.0).collect();
    let first = row.iter().position(|cell| cell.0 == '1').unwrap();
    let color = |index: usize| {
        let [foreground, background] = &row[first + 4 * index].1;
        format!("{foreground}{background}")
    };
    let [black, nobody, white] = [0, 1, 2].map(color);
    assert_eq!(nobody, "", "{text}");
    assert!(!black.is_empty() && !white.is_empty(), "no colour in the boxes of {text:?}");
    assert_ne!(black, white, "{text}");
}

#[test]
fn boxes_have_their_owners_colors_in_a_game_line_by_line() {
    let command = format!("'{CORVID}' play dots --size {SIZE} --color all");
    let terminal = Terminal::open("play-colors", &command);
    for mv in MOVES {
        terminal.tmux(&["send-keys", "-l", mv]);
        terminal.tmux(&["send-keys", "Enter"]);
    }
    check(&terminal);
}

#[test]
fn boxes_have_their_owners_colors_on_a_connected_board() {
    let plays: String =
        MOVES.iter().zip(PLAYERS).map(|(mv, player)| format!("play {player} {mv}\n")).collect();
    let folder = tempfile::tempdir().unwrap();
    let (moves, engine) = (folder.path().join("moves"), folder.path().join("engine"));
    std::fs::write(&moves, plays).unwrap();
    // A board that has a game: what it answers to its moves, two lines each, is not passed on.
    let script = format!(
        "cat '{}' - | '{CORVID}' gtp dots --size {SIZE} --bot random --seed 1 |
            {{ for answer in {PLAYERS}; do read -r line; read -r line; done; cat; }}\n",
        moves.display(),
        PLAYERS = PLAYERS.join(" "),
    );
    std::fs::write(&engine, script).unwrap();
    let command = format!("'{CORVID}' connect 'exec:sh {}'", engine.display());
    check(&Terminal::open("connect-colors", &command));
}
