//! `corvid bots`: who can be played against.

use std::io::{self, Write};

use corvid_core::registry::{Bot, GameKind};

use crate::failure::Failure;

/// Prints the bots of a game, or all of them, each once.
pub(crate) fn run(game: Option<GameKind>) -> Result<(), Failure> {
    let mut bots: Vec<Bot> = Vec::new();
    for bot in game.map_or(GameKind::ALL.to_vec(), |kind| vec![kind]).into_iter().flat_map(Bot::all)
    {
        if bots.iter().all(|other| other.name() != bot.name()) {
            bots.push(bot);
        }
    }
    for bot in bots {
        writeln!(io::stdout(), "{:<19} {}", bot.name(), bot.description())?;
    }
    Ok(())
}
