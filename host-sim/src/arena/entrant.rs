//! Who takes part: a bot or the engine, by a name such as `largest`, `level:5` or `nodes:2000`, or
//! another program that speaks GTP.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use corvid_core::bots::Bot;
use corvid_core::engine::Opponent;
use corvid_core::setup::GameKind;

use crate::args;
use crate::failure::Failure;

/// A player of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entrant {
    /// As it was written.
    pub(crate) name: String,
    /// Who answers.
    pub(crate) answerer: Answerer,
}

/// Who answers for a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answerer {
    /// This program.
    Here(Opponent),
    /// A program that is started with this command for every game.
    Program(String),
}

impl Entrant {
    /// The player of this name in a game.
    pub(crate) fn named(kind: GameKind, name: &str) -> Result<Self, Failure> {
        let bad = |why: String| Failure::Usage(format!("--players: '{name}': {why}"));
        let opponent = match name.split_once(':') {
            Some(("gtp", command)) => {
                let answerer = Answerer::Program(command.to_owned());
                return Ok(Self { name: name.to_owned(), answerer });
            }
            Some(("level", level)) => args::level(level).map(Opponent::Level).map_err(bad)?,
            Some((unit @ ("nodes" | "sims" | "time-ms" | "board-seconds"), amount)) => {
                args::limit(unit, amount).map(Opponent::Limit).map_err(bad)?
            }
            _ => Bot::from_name(kind, name).map(Opponent::Bot).ok_or_else(|| {
                bad(format!(
                    "no such bot of {kind}; there are {}, level:N, nodes:N, sims:N, time-ms:N, \
                     board-seconds:X, gtp:COMMAND",
                    args::bot_names(kind)
                ))
            })?,
        };
        Ok(Self { name: name.to_owned(), answerer: Answerer::Here(opponent) })
    }
}

/// A program that plays a game over its standard input and output.
#[derive(Debug)]
pub(crate) struct Program {
    command: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// How many moves of the game it knows.
    known: usize,
}

impl Program {
    /// Starts it. Words of the command are separated by spaces.
    pub(crate) fn start(command: &str) -> Result<Self, Failure> {
        let bad = |why: String| Failure::Other(format!("gtp:{command}: {why}"));
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| bad("no command".to_owned()))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| bad(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(bad("no pipes".to_owned()));
        };
        let output = BufReader::new(output);
        Ok(Self { command: command.to_owned(), child, input, output, known: 0 })
    }

    fn ask(&mut self, command: &str) -> Result<String, Failure> {
        let name = &self.command;
        let broken = |why: &dyn std::fmt::Display| {
            Failure::Other(format!("gtp:{name}: to '{command}': {why}"))
        };
        writeln!(self.input, "{command}").map_err(|error| broken(&error))?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).map_err(|error| broken(&error))? == 0 {
                return Err(broken(&"it has ended"));
            }
            if let Some(answer) = line.strip_prefix('=') {
                return Ok(answer.trim().to_owned());
            }
            if line.starts_with('?') {
                return Err(broken(&line.trim()));
            }
        }
    }

    /// Tells it the moves that it does not know, each with its colour, and asks for its own.
    pub(crate) fn choose(
        &mut self,
        moves: &[(&str, String)],
        color: &str,
    ) -> Result<String, Failure> {
        for (color, text) in moves.get(self.known..).unwrap_or(&[]) {
            self.ask(&format!("play {color} {text}"))?;
        }
        // It plays its own move itself.
        self.known = moves.len() + 1;
        self.ask(&format!("genmove {color}"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
