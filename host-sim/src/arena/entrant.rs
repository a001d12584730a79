//! Who takes part: a bot or the engine, by a name such as `largest`, `level:5` or `nodes:2000`.

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
    pub(crate) opponent: Opponent,
}

impl Entrant {
    /// The player of this name in a game.
    pub(crate) fn named(kind: GameKind, name: &str) -> Result<Self, Failure> {
        let bad = |why: String| Failure::Usage(format!("--players: '{name}': {why}"));
        let opponent = match name.split_once(':') {
            Some(("level", level)) => args::level(level).map(Opponent::Level).map_err(bad)?,
            Some((unit @ ("nodes" | "sims" | "time-ms" | "board-seconds"), amount)) => {
                args::limit(unit, amount).map(Opponent::Limit).map_err(bad)?
            }
            _ => Bot::from_name(kind, name).map(Opponent::Bot).ok_or_else(|| {
                bad(format!(
                    "no such bot of {kind}; there are {}, level:N, nodes:N, sims:N, time-ms:N, \
                     board-seconds:X",
                    args::bot_names(kind)
                ))
            })?,
        };
        Ok(Self { name: name.to_owned(), opponent })
    }
}
