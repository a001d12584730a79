//! Failures, reported in one line, with the exit status that scripts rely on.

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind as Fault};

use crate::args;

/// Why the program stops early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for something that does not exist: status 2.
    Usage(String),
    /// Help or version, which clap prints by itself: status 0.
    Told(clap::Error),
    /// Anything else: status 1.
    Other(String),
}

impl Failure {
    /// Prints it and returns the exit status.
    pub(crate) fn report(self) -> ExitCode {
        let (message, status) = match self {
            Self::Usage(message) => (message, 2),
            Self::Other(message) => (message, 1),
            Self::Told(text) => {
                return text.print().map_or_else(|error| Self::from(error).report(), |()| 0.into());
            }
        };
        // Standard error may be closed too; the status still says it.
        let _ = writeln!(io::stderr(), "corvid: {message}");
        status.into()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Other(message) => f.write_str(message),
            Self::Told(text) => text.fmt(f),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Other(match error.kind() {
            ErrorKind::BrokenPipe => "the reader of standard output has gone".into(),
            _ => format!("cannot read or write: {error}"),
        })
    }
}

impl From<clap::Error> for Failure {
    /// clap spreads its errors over several paragraphs; the first says what is wrong.
    fn from(error: clap::Error) -> Self {
        if !error.use_stderr() {
            return Self::Told(error);
        }
        let text = error.to_string();
        let first = text.split("\n\n").next().unwrap_or(&text);
        let line = first.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        let line = line.strip_prefix("error: ").unwrap_or(&line);
        let games =
            missing_game(&error).map_or_else(String::new, |games| format!("; GAME: {games}"));
        Self::Usage(format!("{line}{games} (corvid --help tells more)"))
    }
}

/// The games that a command takes, if one is missing: what the command's help says.
fn missing_game(error: &clap::Error) -> Option<String> {
    if error.kind() != Fault::MissingRequiredArgument {
        return None;
    }
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    missing.iter().find(|missing| *missing == "<GAME>")?;
    // "Usage: corvid gtp <GAME>"
    let usage = error.get(ContextKind::Usage)?.to_string();
    let corvid = args::corvid();
    let command = corvid.find_subcommand(usage.split_whitespace().nth(2)?)?;
    let game = command.get_arguments().find(|arg| arg.get_id() == "game")?;
    Some(game.get_help()?.to_string())
}
