//! Tables of matches.

use std::io::Write;

use corvid::statistics::wilson;
use corvid_core::games::adjacency::{Rounds, setup};
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::setup::Setup;

use super::{Bench, share_text, wins};
use crate::arena::Orders;
use crate::failure::Failure;

/// A published match of strategies, and what is played for it here.
struct Match {
    /// As in the document.
    title: &'static str,
    /// Its wins in the order of the players, and its draws.
    published: &'static [u32],
    draws: u32,
    /// The same players with the bugs of the published program, and without.
    seed: &'static [&'static str],
    plain: &'static [&'static str],
    /// A remark on the difference.
    note: &'static str,
}

/// Plays a match twice, with the published bugs and without, and prints three rows.
fn compare(
    out: &mut dyn Write,
    bench: &Bench,
    kind: GameKind,
    table: &[Match],
    games: u32,
) -> Result<(), Failure> {
    writeln!(out, "| match | | games | wins | draws | first player's score | |")?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    for entry in table {
        let row = |out: &mut dyn Write, title: &str, what: &str, counts: &Counts, verdict: &str| {
            let wins: Vec<_> = counts.wins.iter().map(u32::to_string).collect();
            let share = share_text(counts.points(), counts.games);
            let (games, wins, draws) = (counts.games, wins.join("-"), counts.draws);
            writeln!(out, "| {title} | {what} | {games} | {wins} | {draws} | {share} | {verdict} |")
        };
        let published = Counts {
            wins: entry.published.to_vec(),
            draws: entry.draws,
            games: entry.published.iter().sum::<u32>() + entry.draws,
        };
        row(out, entry.title, "published", &published, "")?;
        for (names, what) in [(entry.seed, "as published"), (entry.plain, "as meant")] {
            let measured = measure(bench, kind, names, games)?;
            let verdict = published.verdict(&measured);
            let names: Vec<_> = distinct(names).iter().map(|name| format!("`{name}`")).collect();
            row(out, &names.join(" "), what, &measured, verdict)?;
        }
        if !entry.note.is_empty() {
            writeln!(out, "| | | | | | | {} |", entry.note)?;
        }
    }
    Ok(writeln!(out)?)
}

/// The names, each once.
fn distinct<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(name) {
            distinct.push(*name);
        }
    }
    distinct
}

/// Wins of each strategy.
struct Counts {
    wins: Vec<u32>,
    draws: u32,
    games: u32,
}

impl Counts {
    /// The first one's score: a draw is shared by all.
    fn points(&self) -> f64 {
        f64::from(self.wins[0]) + f64::from(self.draws) / self.wins.len() as f64
    }

    /// Whether the published and the measured result are compatible: their intervals overlap.
    fn verdict(&self, measured: &Self) -> &'static str {
        let score =
            |counts: &Self| wilson(counts.points() / f64::from(counts.games.max(1)), counts.games);
        let (published, measured_score) = (score(self), score(measured));
        let first = |counts: &Self| counts.wins.iter().all(|wins| *wins <= counts.wins[0]);
        if published.low <= measured_score.high && measured_score.low <= published.high {
            "agrees"
        } else if first(self) == first(measured) {
            "differs in size, not in direction"
        } else {
            "differs"
        }
    }
}

fn measure(bench: &Bench, kind: GameKind, names: &[&str], games: u32) -> Result<Counts, Failure> {
    let plan = bench.plan(Setup::usual(kind), names, games, Orders::All)?;
    let played = bench.play(&plan)?;
    let wins: Vec<u32> = distinct(names).iter().map(|name| wins(&plan, &played, name)).collect();
    let draws = games - wins.iter().sum::<u32>();
    Ok(Counts { wins, draws, games })
}

/// S4-24.
pub(super) fn duo(out: &mut dyn Write, bench: &Bench) -> Result<(), Failure> {
    writeln!(
        out,
        "## S4-24: strategies of the Liverpool dissertation in Blokus Duo\n\n\
         The published influence counts its own squares against itself, which in a two-player game \
         leaves only the opponent's. Published lists are cut off at twenty moves, regardless of \
         ties, in a random order of the pieces.\n"
    )?;
    let table = [
        Match {
            title: "Largest - Corners",
            published: &[82, 16],
            draws: 2,
            seed: &["largest", "corners:seed"],
            plain: &["largest", "corners"],
            note: "",
        },
        Match {
            title: "Max_moves - Min_moves",
            published: &[0, 10],
            draws: 0,
            seed: &["max-moves:seed", "min-moves:seed"],
            plain: &["max-moves", "min-moves"],
            note: "",
        },
        Match {
            title: "Influence - Min_moves",
            published: &[5, 4],
            draws: 1,
            seed: &["influence:seed", "min-moves:seed"],
            plain: &["influence", "min-moves"],
            note: "In Duo, blocking alone is worth more than the formula of the text, which also \
                   protects the player's own squares: the bug makes influence stronger here.",
        },
        Match {
            title: "Largest - Min_moves",
            published: &[0, 10],
            draws: 0,
            seed: &["largest", "min-moves:seed"],
            plain: &["largest", "min-moves"],
            note: "",
        },
        Match {
            title: "Hybrid - Influence",
            published: &[10, 10],
            draws: 0,
            seed: &["hybrid:seed", "influence:seed"],
            plain: &["hybrid", "influence"],
            note: "",
        },
        Match {
            title: "Hybrid - Min_moves",
            published: &[6, 4],
            draws: 0,
            seed: &["hybrid:seed", "min-moves:seed"],
            plain: &["hybrid", "min-moves"],
            note: "Without its bugs, and above all with an exact endgame, hybrid wins clearly, as \
                   its author had hoped.",
        },
    ];
    compare(out, bench, GameKind::BlokusDuo, &table, 200)
}

/// S4-25.
pub(super) fn classic(out: &mut dyn Write, bench: &Bench) -> Result<(), Failure> {
    writeln!(
        out,
        "## S4-25: the same in Blokus Classic\n\n\
         Two players of each strategy, or one of each of four, in every order. A first place \
         shared by two players of one strategy is a win.\n"
    )?;
    let table = [
        Match {
            title: "Largest x2 - Corners x2",
            published: &[16, 8],
            draws: 0,
            seed: &["largest", "largest", "corners:seed", "corners:seed"],
            plain: &["largest", "largest", "corners", "corners"],
            note: "",
        },
        Match {
            title: "Max_moves x2 - Min_moves x2",
            published: &[6, 6],
            draws: 0,
            seed: &["max-moves:seed", "max-moves:seed", "min-moves:seed", "min-moves:seed"],
            plain: &["max-moves", "max-moves", "min-moves", "min-moves"],
            note: "Twelve games are few: a tie is just possible if min-moves wins three games in \
                   four, as it does here. The conclusion that exploring is worth as much as \
                   blocking in Classic does not hold.",
        },
        Match {
            title: "Influence x2 - Max_moves x2",
            published: &[11, 1],
            draws: 0,
            seed: &["influence:seed", "influence:seed", "max-moves:seed", "max-moves:seed"],
            plain: &["influence", "influence", "max-moves", "max-moves"],
            note: "The figure's caption says Min_moves, its text Max_moves.",
        },
        Match {
            title: "Influence x2 - Min_moves x2 (according to the caption)",
            published: &[11, 1],
            draws: 0,
            seed: &["influence:seed", "influence:seed", "min-moves:seed", "min-moves:seed"],
            plain: &["influence", "influence", "min-moves", "min-moves"],
            note: "Both opponents are possible, but eleven of twelve is far more likely against \
                   Max_moves: the caption is probably wrong.",
        },
        Match {
            title: "Hybrid - Max_moves - Influence - Largest",
            published: &[18, 0, 6, 0],
            draws: 0,
            seed: &["hybrid:seed", "max-moves:seed", "influence:seed", "largest"],
            plain: &["hybrid", "max-moves", "influence", "largest"],
            note: "",
        },
    ];
    compare(out, bench, GameKind::BlokusClassic, &table, 240)
}

/// S2-11 to S2-13.
pub(super) fn adjacency(out: &mut dyn Write, bench: &Bench) -> Result<(), Failure> {
    use std::cmp::Ordering::{self, Equal, Greater, Less};
    /// X, O, rounds, the published result, and the outcome for X.
    type Row = (&'static str, &'static str, u8, &'static str, Ordering);
    const ROWS: [Row; 9] = [
        ("minimax", "hill-sideways", 8, "11-13", Less),
        ("minimax", "hill-sideways", 16, "20-20", Equal),
        ("minimax", "hill-sideways", 28, "X won", Greater),
        ("minimax", "genetic", 8, "15-9", Greater),
        ("minimax", "genetic", 16, "21-19", Greater),
        ("minimax", "genetic", 28, "X won", Greater),
        ("hill-sideways", "genetic", 8, "12-12", Equal),
        ("hill-sideways", "genetic", 16, "21-19", Greater),
        ("hill-sideways", "genetic", 28, "X won", Greater),
    ];
    const GAMES: u32 = 100;
    writeln!(
        out,
        "## S2-11 to S2-13: bots of the Adjacency project against each other\n\n\
         The published result is one game for each number of rounds; X is the bot named first and \
         moves first. The measured results are from {GAMES} games: the mean marks of X and O, and \
         how often X won, drew and lost. The last column is the share of games with the published \
         bugs that had the published outcome.\n\n\
         | X - O | rounds | published | as published | won-drew-lost | as meant | won-drew-lost | \
         ended so |\n|---|---|---|---|---|---|---|---|"
    )?;
    for (x, o, rounds, published, outcome) in ROWS {
        write!(out, "| {x} - {o} | {rounds} | {published} ")?;
        let mut so = 0;
        for suffix in [":seed", ""] {
            let rounds = Rounds::new(rounds).unwrap_or(Rounds::MAX);
            let setup = setup(rounds, Player::FIRST);
            let names = [x, o].map(|name| format!("{name}{suffix}"));
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            // Players keep their seats: every second game of a match with alternating seats.
            let plan = bench.plan(setup, &names, 2 * GAMES, Orders::Rotations)?;
            let played = bench.play(&plan)?;
            let kept: Vec<_> = played.iter().step_by(2).collect();
            let mean = |seat: usize| {
                let sum: i32 = kept.iter().map(|played| i32::from(played.scores[seat])).sum();
                f64::from(sum) / f64::from(GAMES)
            };
            let count = |order| {
                let same = |scores: &[i16]| scores[0].cmp(&scores[1]) == order;
                kept.iter().filter(|played| same(&played.scores)).count()
            };
            let (won, drew, lost) = (count(Greater), count(Equal), count(Less));
            write!(out, "| {:.1}-{:.1} | {won}-{drew}-{lost} ", mean(0), mean(1))?;
            if !suffix.is_empty() {
                so = count(outcome);
            }
        }
        writeln!(out, "| {so} % |")?;
    }
    Ok(writeln!(
        out,
        "\nMinimax wins most games against genetic in every row, published or fixed. The published \
         minimax places only its own marks in its search, and the published local search always \
         evaluates for O, whichever side it plays: as O it works as intended, and wins the short \
         games against minimax, as one of the three published games shows; the published draws are \
         the rarer outcomes. Fixed, minimax is ahead in all of them. The published genetic bot \
         hangs when it is behind; here it gives up after 1,000 lines. Fixed, it beats local search \
         when the whole board is played.\n"
    )?)
}

/// S2-07: the strength of the genetic bot.
pub(super) fn genetic(out: &mut dyn Write, bench: &Bench) -> Result<(), Failure> {
    const GAMES: u32 = 200;
    writeln!(
        out,
        "## S2-07: the genetic bot against random play\n\n\
         Its roulette wheel is all zeros and its best child is the last one. An earlier run of \
         the published code as O, 20 games: 7 won, 10 lost, 3 drawn.\n\n\
         | bot | games | wins | score against `random` |\n|---|---|---|---|"
    )?;
    for name in ["genetic:seed", "genetic"] {
        let setup = Setup::usual(GameKind::Adjacency);
        let plan = bench.plan(setup, &[name, "random"], GAMES, Orders::Rotations)?;
        let played = bench.play(&plan)?;
        let (won, lost) = (wins(&plan, &played, name), wins(&plan, &played, "random"));
        let points = f64::from(won) + f64::from(GAMES - won - lost) / 2.0;
        writeln!(out, "| `{name}` | {GAMES} | {won} | {} |", share_text(points, GAMES))?;
    }
    Ok(writeln!(out)?)
}
