//! The commands in one table, from which the help, `list_commands` and docs/serial.md are made.

use core::fmt::{self, Write};

use crate::cut;
use crate::desk::Desk;
use crate::icfpt::Dialect;
use crate::lines::LINE_CAPACITY;
use crate::registry::GameKind;
use crate::setup::{Setup, write_choices};

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
        cut::at_first(self.form, b' ').0
    }

    pub(super) fn is_named(self, text: &str) -> bool {
        self.name().eq_ignore_ascii_case(text)
    }
}

/// A line for each command: its form, a bar, and its help. As one text, because a table of pairs
/// takes twice the room.
pub const COMMANDS: &str = "\
protocol_version|2
name|Corvid
version|its version
list_commands|all commands
known_command NAME|true or false
quit|ends the conversation; a board keeps its game
clear_board|restarts the game
set_game NAME|starts a game by name or title; the same one keeps its options
boardsize N|accepts the board's size; dots: sets it
komi X|accepted and ignored
showboard|draws the board
play COLOR MOVE|makes a move
genmove COLOR|finds a move and makes it
reg_genmove COLOR|finds a move
undo|takes the last move back
all_legal COLOR|the moves a colour has
final_score|the result so far: B+3, W+12, 0, or 1:20 2:-13 ...
cputime|seconds spent on commands
set_random_seed N|makes play repeatable
time_settings MAIN BYO STONES|time limits in seconds
time_left COLOR TIME STONES|remaining time
level N|strength, 1 to 9
nodes N|search budget in nodes
bot NAME|plays as a bot
position [TEXT]|prints or sets the position
moves|the game so far
hint|a good move
solve [KB]|exact value and move
perft DEPTH|counts move sequences
help [NAME]|describes commands
games|the games and their options
new [GAME OPTIONS]|starts a game
capabilities|what this device has
stats|figures of the device
progress on|off|reports the search in lines that begin with #
";

/// The same for what a console on a serial line understands beside them.
pub const CONSOLE_COMMANDS: &str = if Dialect::USUAL.is_some() {
    "\
echo on|off|typed|echoes input: all, none, what seems typed
icfpt [2014|2013]|contest protocol; two Ctrl-C end it
"
} else {
    "\
echo on|off|typed|echoes input: all, none, what seems typed
"
};

/// The commands that are understood at a desk, by a console or without one.
pub fn command_table(console: bool, desk: &dyn Desk) -> impl Iterator<Item = Command> + use<> {
    let more = if console { CONSOLE_COMMANDS } else { "" };
    let mut texts = [COMMANDS, more, desk.extra_commands()].into_iter();
    let mut rest = "";
    core::iter::from_fn(move || {
        while rest.is_empty() {
            rest = texts.next()?;
        }
        let (line, others) = cut::at_first(rest, b'\n');
        rest = others;
        // A bar may also stand between words that can be chosen from.
        let (form, help) = cut::at_last(line, b'|').unwrap_or((line, ""));
        Some(Command { form, help })
    })
}

pub(super) fn write_help(
    table: impl Iterator<Item = Command>,
    name: &str,
    out: &mut dyn Write,
) -> fmt::Result {
    for command in table {
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
pub(super) fn write_capabilities(desk: &mut dyn Desk, out: &mut dyn Write) -> fmt::Result {
    writeln!(out, "board {}", desk.name().unwrap_or("none"))?;
    out.write_str("games")?;
    GameKind::ALL.iter().try_for_each(|kind| write!(out, " {kind}"))?;
    let kilobytes = desk.slots() * 8 / 1024;
    if Dialect::USUAL.is_some() {
        write!(out, "\ncontest 2014 2013\nline {LINE_CAPACITY}\nmemory {kilobytes}\n")?;
    } else {
        write!(out, "\ncontest\nline {LINE_CAPACITY}\nmemory {kilobytes}\n")?;
    }
    desk.write_capabilities(out)
}

#[inline(never)]
pub(super) fn write_games(out: &mut dyn Write) -> fmt::Result {
    for kind in GameKind::ALL {
        write!(out, "{}", Setup::usual(kind))?;
        let options = kind.info().options;
        if !options.is_empty() {
            out.write_str(" (")?;
            write_choices(options, out)?;
            out.write_char(')')?;
        }
        out.write_char('\n')?;
    }
    Ok(())
}
