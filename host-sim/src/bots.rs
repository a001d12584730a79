//! `corvid bots`: who can be played against.

use std::io::{self, IsTerminal, Write};

use corvid_core::registry::{Bot, GameKind};

use crate::failure::Failure;
use crate::output::{listed, wrapped_at};

/// The width of the descriptions on a terminal.
const WIDTH: usize = 59;

/// A new line below a description: names have 19 columns.
const INDENT: &str = "\n                    ";

/// Prints the bots of a game, or all of them, each once: those of the same games together. On a
/// terminal each group has a heading; for programs there is a line for each bot and nothing else.
pub(crate) fn run(game: Option<GameKind>) -> Result<(), Failure> {
    let mut out = io::stdout();
    let kinds = game.map_or(GameKind::ALL.to_vec(), |kind| vec![kind]);
    let headings = game.is_none() && out.is_terminal();
    for (number, (games, bots)) in groups(&kinds).into_iter().enumerate() {
        if headings {
            let space = if number == 0 { "" } else { "\n" };
            writeln!(out, "{space}{}:", heading(&games))?;
        }
        for bot in bots {
            let description = match out.is_terminal() {
                true => wrapped_at(WIDTH, bot.description()).replace('\n', INDENT),
                false => bot.description().into(),
            };
            writeln!(out, "{:<19} {description}", bot.name())?;
        }
    }
    Ok(())
}

/// The bots that play any of these games, each name once, by the games that have it.
fn groups(kinds: &[GameKind]) -> Vec<(Vec<GameKind>, Vec<Bot>)> {
    let mut groups: Vec<(Vec<GameKind>, Vec<Bot>)> = Vec::new();
    for bot in kinds.iter().flat_map(|kind| Bot::all(*kind)) {
        let plays = |kind: &GameKind| Bot::from_name(*kind, bot.name()).is_some();
        let games: Vec<_> = kinds.iter().copied().filter(plays).collect();
        // It is listed with the first of its games.
        if games.first() != Some(&bot.kind()) {
            continue;
        }
        match groups.iter_mut().find(|group| group.0 == games) {
            Some(group) => group.1.push(bot),
            None => groups.push((games, vec![bot])),
        }
    }
    groups
}

/// `all games`, or the titles of some.
fn heading(games: &[GameKind]) -> String {
    if games.len() == GameKind::ALL.len() {
        return "all games".into();
    }
    let titles: Vec<_> = games.iter().map(|kind| kind.title()).collect();
    listed(&titles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_is_in_one_group_with_all_its_games() {
        let groups = groups(&GameKind::ALL);
        let names = groups.iter().flat_map(|group| &group.1).map(|bot| bot.name());
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        let mut all: Vec<_> = GameKind::ALL.into_iter().flat_map(Bot::all).map(Bot::name).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(names, all);
        let of = |name: &str| {
            let group = groups.iter().find(|group| group.1.iter().any(|bot| bot.name() == name));
            heading(&group.unwrap().0)
        };
        assert_eq!(of("random"), "all games");
        assert_eq!(of("positional"), "Othello");
        assert_eq!(of("leaky"), "Blokus Duo and Blokus Classic");
    }
}
