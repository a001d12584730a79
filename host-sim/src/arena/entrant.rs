//! The entrants: a bot or the engine, by a name such as `largest`, `level:5` or `nodes:2000`, or
//! another program that speaks GTP.

use std::time::Duration;

use corvid_core::engine::Opponent;
use corvid_core::registry::{AnyOpponent, Bot, GameKind};
use corvid_firmware::profile::Profile;

use crate::args;
use crate::failure::Failure;
use crate::peer::{LONG, Peer, Trouble};

/// How long a program may take until it tells its name; large engines load their weights first.
const START: Duration = Duration::from_secs(60);

/// A player of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entrant {
    /// As given on the command line.
    pub(crate) name: String,
    /// Who answers.
    pub(crate) answerer: Answerer,
}

/// Who answers for a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answerer {
    /// This program.
    Here(AnyOpponent),
    /// A program that is started with this command for every game.
    Program(String),
}

impl Entrant {
    /// The player of this name in a game; board seconds are this board's.
    pub(crate) fn named(kind: GameKind, name: &str, board: &Profile) -> Result<Self, Failure> {
        let bad = |why: String| Failure::Usage(format!("--players: '{name}': {why}"));
        let opponent = match name.split_once(':') {
            Some(("gtp", command)) => {
                let answerer = Answerer::Program(command.to_owned());
                return Ok(Self { name: name.to_owned(), answerer });
            }
            Some(("level", level)) => args::level(level).map(Opponent::Level).map_err(bad)?,
            Some((unit @ ("nodes" | "sims" | "time-ms" | "board-seconds"), amount)) => {
                args::limit(unit, amount, board).map(Opponent::Limit).map_err(bad)?
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
pub(crate) struct Program {
    command: String,
    peer: Peer,
    /// How many moves of the game it has been sent.
    known: usize,
}

impl Program {
    /// Starts it.
    pub(crate) fn start(command: &str) -> Result<Self, Failure> {
        let peer = Peer::connect(command).map_err(|failure| match failure {
            Failure::Usage(why) => Failure::Usage(format!("gtp:{command}: {why}")),
            other => Failure::Other(format!("gtp:{command}: {other}")),
        })?;
        let peer = peer.until(&super::STOP);
        let mut program = Self { command: command.to_owned(), peer, known: 0 };
        program.ask_within("name", START)?;
        Ok(program)
    }

    fn ask(&mut self, command: &str) -> Result<String, Failure> {
        self.ask_within(command, LONG)
    }

    fn ask_within(&mut self, command: &str, patience: Duration) -> Result<String, Failure> {
        let answer = self.peer.ask(command, patience);
        answer.map_err(|trouble| self.failure(command, &trouble))
    }

    fn failure(&self, command: &str, trouble: &Trouble) -> Failure {
        Failure::Other(format!("gtp:{}: to '{command}': {trouble}", self.command))
    }

    /// Sends it the moves that it does not know, each with its colour, and asks for its own.
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
        let answer = self.peer.genmove(color);
        answer.map_err(|trouble| self.failure(&format!("genmove {color}"), &trouble))
    }
}
