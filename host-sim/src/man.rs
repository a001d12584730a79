//! `corvid man`: the manual page, made from the command line's own descriptions.

use std::fmt::{self, Write as _};
use std::io::{self, Write as _};

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use corvid_core::registry::GameKind;

use crate::args;
use crate::failure::Failure;

/// Prints the page in roff.
pub(crate) fn run() -> Result<(), Failure> {
    let mut command = args::corvid();
    command.build();
    let mut page = Page(String::new());
    page.write(&command);
    io::stdout().write_all(page.0.as_bytes())?;
    Ok(())
}

/// A manual page in the making.
struct Page(String);

impl Page {
    fn write(&mut self, command: &Command) {
        let version = command.get_version().unwrap_or_default();
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let (claim, _) = about.split_once('.').unwrap_or((&about, ""));
        self.line(format_args!(".TH CORVID 1 \"\" \"Corvid {version}\" \"User Commands\""));
        self.section("NAME");
        self.text(&format!("corvid - {}", claim.to_lowercase()));
        self.section("SYNOPSIS");
        self.line(format_args!(".B corvid\n[\\fIOPTION\\fR...]"));
        self.line(format_args!(".br\n.B corvid\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...]"));
        self.section("DESCRIPTION");
        self.text(&sentence(&about));
        self.paragraph(
            "Results go to standard output, everything else to standard error. With --seed and a \
             budget that isn't time, play is the same on every machine and on a board.",
        );
        self.section("OPTIONS");
        self.arguments(command, &[]);
        self.section("COMMANDS");
        let mut commands: Vec<_> = command.get_subcommands().collect();
        commands.sort_by_key(|command| command.get_display_order());
        for command in commands {
            self.command(command);
        }
        self.section("EXIT STATUS");
        self.entry("0", "It did what was asked.");
        self.entry("1", "It failed; a line on standard error says why and what to do.");
        self.entry("2", "The command line is invalid.");
        self.section("ENVIRONMENT");
        self.entry("NO_COLOR", "If it is set, play uses no colours.");
        self.entry("XDG_DATA_HOME", "Where the simulator's saved games are, in corvid/saves.bin.");
        self.section("EXAMPLES");
        let game = GameKind::ALL[0].name();
        self.entry(&format!("corvid play {game} --level 4"), "Plays against level 4.");
        self.entry(
            &format!("corvid arena {game} --players level:3,random --games 100"),
            "Plays a match.",
        );
        self.entry("corvid completions bash > corvid.bash", "Writes what bash completes it with.");
    }

    fn command(&mut self, command: &Command) {
        let mut usage = command.clone();
        let usage = usage.render_usage().to_string();
        let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
        self.line(format_args!(".SS \"{}\"", escaped(usage).replace('"', "\\(dq")));
        let about = command.get_long_about().or_else(|| command.get_about());
        let about = about.map(ToString::to_string).unwrap_or_default();
        for (number, paragraph) in about.split("\n\n").enumerate() {
            match number {
                0 => self.text(&sentence(paragraph)),
                _ => self.paragraph(paragraph),
            }
        }
        // Every command has it, and it is described once.
        self.arguments(command, &["help"]);
    }

    /// The arguments that the help shows too, without some.
    fn arguments(&mut self, command: &Command, without: &[&str]) {
        let shown = |arg: &&Arg| !arg.is_hide_set() && !without.contains(&arg.get_id().as_str());
        for arg in command.get_arguments().filter(shown) {
            self.entry(&form(arg), &description(arg));
        }
    }

    fn section(&mut self, name: &str) {
        self.line(format_args!(".SH {name}"));
    }

    fn paragraph(&mut self, text: &str) {
        self.line(format_args!(".PP"));
        self.text(text);
    }

    /// A term in bold, and what it means.
    fn entry(&mut self, term: &str, text: &str) {
        self.line(format_args!(".TP\n\\fB{}\\fR", escaped(term)));
        self.text(text);
    }

    fn text(&mut self, text: &str) {
        for line in text.lines() {
            self.line(format_args!("{}", escaped(line)));
        }
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string never fails.
        let _ = writeln!(self.0, "{text}");
    }
}

/// An argument as it is typed: `--level <N>`, `[GAME]`.
fn form(arg: &Arg) -> String {
    if arg.is_positional() {
        return arg.to_string();
    }
    let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    format!("{short}{arg}")
}

/// What it is for, with its default and its choices as the help has them.
fn description(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help());
    let mut text = sentence(&help.map(ToString::to_string).unwrap_or_default());
    if !arg.get_action().takes_values() {
        return text;
    }
    let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy());
    let defaults: Vec<_> = defaults.filter(|value| !value.is_empty()).collect();
    if !defaults.is_empty() && !arg.is_hide_default_value_set() {
        let _ = write!(text, " [default: {}]", defaults.join(", "));
    }
    let choices = arg.get_possible_values();
    if !choices.is_empty() && !arg.is_hide_possible_values_set() {
        let choices: Vec<_> = choices.iter().map(PossibleValue::get_name).collect();
        let _ = write!(text, " [possible values: {}]", choices.join(", "));
    }
    text
}

/// A text with a full stop at the end.
fn sentence(text: &str) -> String {
    match text.ends_with(['.', ':', ']']) || text.is_empty() {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}

/// A line in which roff finds no commands of its own.
fn escaped(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-");
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}
