//! How long the bots take for a move on a board.
use crate::{board::Board, measure::cputime};
use anyhow::{Context, Result, ensure};
use corvid_core::{
    registry::{Bot, GameKind},
    session::Match,
    setup::Setup,
};
use std::time::Duration;

/// The most board time of a bot's move.
pub const MOST: Duration = Duration::from_secs(2);

/// More than any move takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A move of a bot: who, after how many plies, and how long it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timed {
    /// The bot.
    pub bot: Bot,
    /// The plies before.
    pub ply: usize,
    /// The board's time.
    pub time: Duration,
}

/// The setup of a game with the most to look at.
pub fn largest(kind: GameKind) -> Setup {
    // The others have one size, or begin with the most rounds.
    let large = match kind {
        GameKind::Dots => Setup::usual(kind).with_word("10x10"),
        _ => None,
    };
    large.unwrap_or(Setup::usual(kind))
}

/// Lets bots move, one after the other, in positions of a game of random moves: those after a number of
/// plies that `at` picks.
pub fn times(
    board: &mut impl Board,
    setup: Setup,
    bots: &[Bot],
    at: impl Fn(usize) -> bool,
    until: usize,
) -> Result<Vec<Timed>> {
    let mut ask = |command: &str| {
        let answer = board.ask(command, PATIENCE)?;
        let text = answer.strip_prefix('=').with_context(|| format!("{command}: {answer}"))?;
        Ok::<_, anyhow::Error>((text.trim().to_owned(), cputime(board)?))
    };
    ask(&format!("new {setup}"))?;
    let mut game = Match::new(setup);
    let mut found = Vec::new();
    while !game.is_over() && game.plies() <= until {
        let (ply, turn) = (game.plies(), game.turn().index());
        let color = if game.colors().len() > 2 { ["1", "2", "3", "4"] } else { ["b", "w", "", ""] };
        let color = color[turn];
        for bot in bots.iter().filter(|_| at(ply) && !game.must_pass()) {
            ask("set_random_seed 1")?;
            let (_, begun) = ask(&format!("bot {}", bot.name()))?;
            let (_, ended) = ask(&format!("reg_genmove {color}"))?;
            let time = Duration::from_millis(ended - begun);
            found.push(Timed { bot: *bot, ply, time });
        }
        // The same game whoever was timed on the way.
        ask(&format!("set_random_seed {ply}"))?;
        ask("bot random")?;
        let (mv, _) = ask(&format!("genmove {color}"))?;
        game.play_next(&mv).map_err(|why| anyhow::anyhow!("{mv}: {}", why.long()))?;
        ensure!(game.plies() > ply, "{mv} changes nothing");
    }
    Ok(found)
}
