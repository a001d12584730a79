//! `corvid reproduce`: the published results of the documents behind the bots, beside what the bots
//! do here. `docs/seeds.md` is its output.

mod exact;
mod ladder;
mod matches;

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use corvid::statistics::wilson;
use corvid_core::setup::Setup;

use crate::arena::{Entrant, Orders, Plan, Played, Progress, Record};
use crate::args::ReproduceArgs;
use crate::failure::Failure;

/// What the command works with.
#[derive(Debug, Clone, Copy)]
struct Bench {
    seed: u64,
    threads: usize,
}

/// A part of the report.
struct Part {
    /// What it is called on the command line.
    id: &'static str,
    print: fn(&mut dyn Write, &Bench) -> Result<(), Failure>,
}

const PARTS: [Part; 9] = [
    Part { id: "S0-19", print: exact::leaky_against_brute_force },
    Part { id: "S0-20", print: exact::leaky_against_itself },
    Part { id: "S1-06", print: exact::othello_example },
    Part { id: "S2-11", print: matches::adjacency },
    Part { id: "S2-07", print: matches::genetic },
    Part { id: "S3-08", print: exact::dots_game },
    Part { id: "S4-24", print: matches::duo },
    Part { id: "S4-25", print: matches::classic },
    Part { id: "levels", print: ladder::levels },
];

const INTRODUCTION: &str = "\
# The documents' results, published and measured

Made by `corvid reproduce > docs/seeds.md`: do not edit. `corvid reproduce S4-24` prints one table
alone.

Each bot of `corvid bots` comes from one of five documents. A plain name plays as its authors meant
it to; `NAME:seed` keeps the faults of the published program, because the published results are
results of those faults. Intervals are 95 % (Wilson). *Agrees* means that the published result lies
where chance would put it, given what is measured here; games against people can't be repeated
and are left out (S0-21, S2-09, S2-10).
";

/// Prints all parts, or one.
pub(crate) fn run(args: &ReproduceArgs) -> Result<(), Failure> {
    let bench = Bench { seed: args.seed, threads: args.threads() };
    let mut out = io::stdout();
    if let Some(id) = &args.table {
        let part = PARTS.iter().find(|part| part.id.eq_ignore_ascii_case(id));
        let part = part.ok_or_else(|| {
            let ids = PARTS.map(|part| part.id).join(", ");
            Failure::Usage(format!("there is no table '{id}'; there are {ids}"))
        })?;
        return (part.print)(&mut out, &bench);
    }
    writeln!(out, "{INTRODUCTION}")?;
    for part in PARTS {
        let _ = writeln!(io::stderr(), "{}", part.id);
        (part.print)(&mut out, &bench)?;
    }
    Ok(())
}

impl Bench {
    /// A match without random openings: the players' own choices make the games differ.
    fn plan(
        &self,
        setup: Setup,
        players: &[&str],
        games: u32,
        order: Orders,
    ) -> Result<Plan, Failure> {
        let named = |name: &&str| Entrant::named(setup.kind(), name);
        Ok(Plan {
            setup,
            players: players.iter().map(named).collect::<Result<_, _>>()?,
            games,
            openings: 0,
            seed: self.seed,
            memory: corvid_core::engine::BOARD_SLOTS / 128,
            micros: 100_000,
            order,
        })
    }

    fn play(&self, plan: &Plan) -> Result<Vec<Played>, Failure> {
        let mut record = Record::new();
        let mut progress = Progress::new();
        plan.play(&mut record, self.threads, &AtomicBool::new(false), &mut |record| {
            progress.show(record.played(), plan.games as usize);
            Ok(())
        })?;
        progress.end();
        Ok(record.games().to_vec())
    }
}

/// How many games each of the names won, shared first places with another counting for nobody.
fn wins(plan: &Plan, games: &[Played], name: &str) -> u32 {
    let orders = plan.orders();
    let won = games.iter().filter(|played| {
        let order = &orders[played.game as usize % orders.len()];
        let best = played.scores.iter().max();
        let mut firsts = order.iter().zip(&played.scores).filter(|(_, score)| Some(*score) == best);
        firsts.all(|(player, _)| plan.players[*player].name == name)
    });
    won.count() as u32
}

/// A score with its interval in per cent: `62 % (52..71)`.
fn share_text(points: f64, games: u32) -> String {
    format!("{:.0}", wilson(points / f64::from(games.max(1)), games))
}
