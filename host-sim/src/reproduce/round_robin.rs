//! Every strategy of Blokus Duo against every other.

use std::io::Write;

use corvid_core::registry::GameKind;
use corvid_core::setup::Setup;

use super::Bench;
use crate::arena::{Orders, Table};
use crate::failure::Failure;

const PLAYERS: [&str; 11] = [
    "random",
    "largest",
    "corners",
    "corridors",
    "max-moves",
    "min-moves",
    "max-min",
    "influence",
    "hybrid",
    "phases",
    "alpha-beta",
];

/// Games of each pair: with all pairs, about a minute on two cores.
const GAMES: u32 = 100;

/// S4-22.
pub(super) fn duo(out: &mut dyn Write, bench: &Bench) -> Result<(), Failure> {
    let count = PLAYERS.len();
    let mut shares = vec![vec![0.0; count]; count];
    for first in 0..count {
        for second in first + 1..count {
            let players = [PLAYERS[first], PLAYERS[second]];
            let setup = Setup::usual(GameKind::BlokusDuo);
            let mut plan = bench.plan(setup, &players, GAMES, Orders::Rotations)?;
            plan.openings = 2;
            let table = Table::new(&plan, &bench.play(&plan)?);
            let share = table.rows.first().map_or(0.5, |row| row.share());
            shares[first][second] = share;
            shares[second][first] = 1.0 - share;
        }
    }
    let totals = shares.iter().map(|row| row.iter().sum::<f64>() / (count - 1) as f64);
    let mut ranking: Vec<(usize, f64)> = totals.enumerate().collect();
    ranking.sort_by(|one, other| other.1.total_cmp(&one.1));
    writeln!(
        out,
        "## S4-22: a round robin in Blokus Duo\n\n\
         The dissertation cites Jahanshahi, whose player weighs four aims by the phase of the game \
         and 'won the round-robin contest against other strategies', which it does not name. \
         `phases` is that player with the strategies of the dissertation as its aims; `alpha-beta` \
         is ours and the only one that searches from the first move on. {GAMES} games of each pair \
         after two random plies, seats alternated; the score of the row against the column in per \
         cent.\n"
    )?;
    write!(out, "| |")?;
    ranking.iter().try_for_each(|(player, _)| write!(out, " {} |", PLAYERS[*player]))?;
    writeln!(out, " all |\n|---{}|", "|---:".repeat(count + 1))?;
    for (player, total) in &ranking {
        write!(out, "| `{}` |", PLAYERS[*player])?;
        for (other, _) in &ranking {
            if player == other {
                write!(out, " |")?;
            } else {
                write!(out, " {:.0} |", shares[*player][*other] * 100.0)?;
            }
        }
        writeln!(out, " **{:.0}** |", total * 100.0)?;
    }
    let place = |player: &str| ranking.iter().position(|(other, _)| PLAYERS[*other] == player);
    let phases = place("phases").unwrap_or(count);
    let behind_search = usize::from(place("alpha-beta") < Some(phases));
    Ok(writeln!(
        out,
        "\n`phases` is number {} of the {count} that took part, and number {} of those that don't \
         search from the first move on.\n",
        phases + 1,
        phases + 1 - behind_search
    )?)
}
