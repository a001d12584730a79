//! The engine's levels on the ladder of the bots.

use std::io::Write;

use corvid_core::registry::GameKind;
use corvid_core::setup::Setup;

use super::{Bench, share_text};
use crate::arena::{Orders, Table};
use crate::failure::Failure;

/// Games of a level against a bot.
const GAMES: u32 = 40;

/// Games of a level against the one below it.
const STEP_GAMES: u32 = 200;

/// What a level should score against the one below it, in per cent.
const AIM: std::ops::RangeInclusive<f64> = 65.0..=85.0;

/// The most that level 1 should score against a bot of modest strength.
const FOR_BEGINNERS: f64 = 0.4;

/// The bots that the levels are compared with, the weaker first.
const fn rungs(kind: GameKind) -> [&'static str; 3] {
    match kind {
        GameKind::Othello => ["random", "greedy", "positional"],
        GameKind::Adjacency => ["random", "greedy", "minimax"],
        GameKind::Dots => ["random", "greedy", "chain-minimax"],
        GameKind::BlokusDuo => ["random", "largest", "hybrid"],
        GameKind::BlokusClassic => ["random", "largest", "leaky"],
        _ => ["random"; 3],
    }
}

/// Prints how each level does against the bots.
pub(super) fn levels(out: &mut dyn Write, bench: &Bench) -> Result<(), Failure> {
    writeln!(
        out,
        "## Levels 1 to 9 among the bots\n\n\
         Scores of the engine's levels, {GAMES} games each after four random plies with seats \
         alternated; in Blokus Classic against three of the bot, where the score is the share of \
         opponents beaten. Level 9 uses all the time it has: here, what a board does in a second \
         per move, without variety. Level 1, which in Othello and Adjacency moves at random, is \
         meant to lose most games to a bot of modest strength, the second \
         one.\n"
    )?;
    for kind in GameKind::ALL {
        let rungs = rungs(kind);
        writeln!(
            out,
            "| {} | against `{}` | `{}` | `{}` |\n|---|---|---|---|",
            kind.title(),
            rungs[0],
            rungs[1],
            rungs[2]
        )?;
        let mut too_strong = false;
        for level in 1..=9 {
            let name = name(level);
            write!(out, "| level {level} ")?;
            for rung in rungs {
                let setup = Setup::usual(kind);
                let mut players = vec![rung; setup.people()];
                players[0] = &name;
                let mut plan = bench.plan(setup, &players, GAMES, Orders::Rotations)?;
                plan.openings = 4;
                let table = Table::new(&plan, &bench.play(&plan)?);
                let share = table.rows.first().map_or(0.5, |row| row.share());
                too_strong |= level == 1 && rung == rungs[1] && share > FOR_BEGINNERS;
                write!(out, "| {} ", share_text(share * f64::from(GAMES), GAMES))?;
            }
            writeln!(out, "|")?;
        }
        writeln!(out)?;
        if too_strong {
            writeln!(out, "Level 1 does not lose most games to `{}` here.\n", rungs[1])?;
        }
    }
    steps(out, bench)
}

fn name(level: u32) -> String {
    if level == 9 { "board-seconds:1".into() } else { format!("level:{level}") }
}

/// Prints how each level does against the one below it.
fn steps(out: &mut dyn Write, bench: &Bench) -> Result<(), Failure> {
    writeln!(
        out,
        "Each level against the one below it, {STEP_GAMES} games after four random plies, in per \
         cent; Blokus Classic is played with two seats here. The aim is a step of 65 to 85; each \
         figure is accurate to about 6 either way.\n\n\
         | game | 2-1 | 3-2 | 4-3 | 5-4 | 6-5 | 7-6 | 8-7 | 9-8 |\n|---|---|---|---|---|---|---|---|---|"
    )?;
    let mut outside = Vec::new();
    for kind in GameKind::ALL {
        write!(out, "| {} ", kind.title())?;
        for level in 2..=9 {
            let usual = Setup::usual(kind);
            let setup = usual.with_people(2).unwrap_or(usual);
            let players = [name(level), name(level - 1)];
            let players = players.each_ref().map(String::as_str);
            let mut plan = bench.plan(setup, &players, STEP_GAMES, Orders::Rotations)?;
            plan.openings = 4;
            let table = Table::new(&plan, &bench.play(&plan)?);
            let share = table.rows.first().map_or(0.5, |row| row.share());
            let percent = (share * 100.0).round();
            if !AIM.contains(&percent) {
                outside.push(format!("{} {level}-{}", kind.title(), level - 1));
            }
            write!(out, "| {percent:.0} ")?;
        }
        writeln!(out, "|")?;
    }
    if !outside.is_empty() {
        writeln!(out, "\nOutside the aim: {}.", outside.join(", "))?;
    }
    writeln!(out)?;
    Ok(())
}
