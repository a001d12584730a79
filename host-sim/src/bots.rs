//! `corvid bots`: who can be played against.

use std::io::{self, Write};

use corvid_core::bots::Bot;
use corvid_core::setup::GameKind;

use crate::failure::Failure;

/// Prints the bots of a game, or all of them, each once.
pub(crate) fn run(game: Option<GameKind>) -> Result<(), Failure> {
    let mut bots: Vec<Bot> = Vec::new();
    for kind in game.map_or(GameKind::ALL.to_vec(), |kind| vec![kind]) {
        for bot in Bot::all(kind) {
            if !bots.contains(bot) {
                bots.push(*bot);
            }
        }
    }
    for bot in bots {
        writeln!(io::stdout(), "{:<19} {}", bot.name(), bot.description())?;
    }
    Ok(())
}
