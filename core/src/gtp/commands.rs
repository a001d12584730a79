//! The commands in one table, from which the help, `list_commands` and docs/serial.md are made.

use core::fmt::{self, Write};

use super::Hardware;
use crate::lines::LINE_CAPACITY;
use crate::setup::{GameKind, Setup};

/// A command as it is written, and what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// Its name, and what comes after it.
    pub form: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
}

impl Command {
    /// The name alone.
    pub fn name(self) -> &'static str {
        self.form.split(' ').next().unwrap_or("")
    }

    pub(super) fn is_named(self, text: &str) -> bool {
        self.name().eq_ignore_ascii_case(text)
    }
}

/// A line for each command: its form, a bar, and its help. As one text, because a table of pairs
/// takes twice the flash.
pub const COMMANDS: &str = "\
protocol_version|2
name|Corvid
version|the version
list_commands|the names of all commands
known_command NAME|true or false
quit|ends the conversation; a board keeps its game
clear_board|starts the game again
set_game NAME|starts a game: Othello, Blokus Duo, Blokus, ...
boardsize N|takes the size there is; for dots, boxes a side
komi X|takes a number and forgets it
showboard|draws the board
play COLOR MOVE|makes a move
genmove COLOR|finds a move and makes it
reg_genmove COLOR|finds a move
undo|takes the last move back
all_legal COLOR|the moves a colour has
final_score|the result so far: B+3, W+12, 0, or 1:20 2:-13 ...
cputime|seconds spent on commands
set_random_seed N|makes random choices repeat
time_settings MAIN BYO STONES|seconds for the game, or for so many moves
time_left COLOR TIME STONES|the same for what is left
level N|how strong it plays, 1 to 9
nodes N|a budget in positions instead of a level
bot NAME|a bot instead of a level
position [TEXT]|tells the position, or sets it
moves|the game so far
hint|a good move
solve [KB]|works the position out
perft DEPTH|counts move sequences
help [NAME]|this, or one command
games|the games and their options
new [GAME OPTIONS]|starts a game
capabilities|what this device has
stats|figures
progress on|off|tells, in lines that begin with #, how thinking goes on
";

/// The same for what only a device understands.
pub const DEVICE_COMMANDS: &str = "\
echo on|off|typed|sends back what comes in: all, nothing, what seems typed
icfpt [2014|2013]|speaks the contest's protocol; two Ctrl-C end it
screen|the display as text
key NAME|presses up, down, left, right, select or menu
discard yes|gives up what another version saved, so that this one saves
reboot|starts again as after power-on
bootsel yes|waits for a new image on USB
";

/// The commands that are understood on a device, or without one.
pub fn command_table(device: &dyn Hardware) -> impl Iterator<Item = Command> + use<> {
    let more = if device.board().is_some() { DEVICE_COMMANDS } else { "" };
    COMMANDS.lines().chain(more.lines()).map(|line| {
        // A bar may also stand between words that can be chosen from.
        let (form, help) = line.rsplit_once('|').unwrap_or((line, ""));
        Command { form, help }
    })
}

pub(super) fn write_help(device: &dyn Hardware, name: &str, out: &mut dyn Write) -> fmt::Result {
    for command in command_table(device) {
        if name.is_empty() || command.is_named(name) {
            writeln!(out, "{}: {}", command.form, command.help)?;
        }
    }
    if name.is_empty() {
        writeln!(out, "colours: b w, or 1 2 3 4; moves: d3, 0,0-0,1, e10,e11,f11, 55s1")?;
        writeln!(out, "a line has at most {LINE_CAPACITY} bytes; # begins a comment")?;
    }
    Ok(())
}

/// Tells what there is in a form that never changes: a word and its values a line.
pub(super) fn write_capabilities(
    device: &dyn Hardware,
    slots: usize,
    out: &mut dyn Write,
) -> fmt::Result {
    writeln!(out, "board {}", device.board().unwrap_or("none"))?;
    out.write_str("games")?;
    GameKind::ALL.iter().try_for_each(|kind| write!(out, " {kind}"))?;
    write!(out, "\ncontest 2014 2013\nline {LINE_CAPACITY}\nmemory {}\n", slots * 8 / 1024)?;
    if device.board().is_some() {
        out.write_str("screen 128x64\nkeys up down left right select\n")?;
    }
    Ok(())
}

pub(super) fn write_games(out: &mut dyn Write) -> fmt::Result {
    for kind in GameKind::ALL {
        let options = match kind {
            GameKind::Othello => "",
            GameKind::Adjacency => " (2 to 28 rounds, x or o first)",
            GameKind::Dots => " (1x1 to 10x10)",
            GameKind::BlokusDuo => " (own or any start square)",
            GameKind::BlokusClassic => " (4 or 2 people)",
        };
        writeln!(out, "{}{options}", Setup::usual(kind))?;
    }
    Ok(())
}
