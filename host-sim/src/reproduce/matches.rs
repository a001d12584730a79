//! Tables of matches.

use std::io::Write;

use corvid::statistics::{Outcomes, percent};
use corvid_core::games::adjacency::{Rounds, setup};
use corvid_core::games::blokus::{Bot, Duo, Move};
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::setup::Setup;

use super::{Bench, ask, share_text, wins};
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
    writeln!(
        out,
        "| match | | games | wins | draws | first one's score | probability | remark |\n\
         |---|---|---|---|---|---|---|---|"
    )?;
    for entry in table {
        let row = |out: &mut dyn Write, title: &str, what: &str, counts: &Counts, rest: &str| {
            let wins: Vec<_> = counts.wins.iter().map(u32::to_string).collect();
            let share = share_text(counts.points(), counts.games);
            let (games, wins, draws) = (counts.games, wins.join("-"), counts.draws);
            writeln!(out, "| {title} | {what} | {games} | {wins} | {draws} | {share} | {rest} |")
        };
        let published = Counts {
            wins: entry.published.to_vec(),
            draws: entry.draws,
            games: entry.published.iter().sum::<u32>() + entry.draws,
        };
        row(out, entry.title, "published", &published, &format!("| {}", entry.note))?;
        for (names, what) in [(entry.seed, "as published"), (entry.plain, "as meant")] {
            let measured = measure(bench, kind, names, games)?;
            let probability = percent(published.probability(&measured));
            let names: Vec<_> = distinct(names).iter().map(|name| format!("`{name}`")).collect();
            row(out, &names.join(" "), what, &measured, &format!("{probability} |"))?;
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
    /// The first one's points: a draw is shared by all.
    fn points(&self) -> f64 {
        f64::from(self.wins[0]) + f64::from(self.draws) / self.wins.len() as f64
    }

    /// How likely a result is that is at least as far from the expectation as this one, if games
    /// end as measured.
    fn probability(&self, measured: &Self) -> f64 {
        // In parts of a point: a draw is one for each.
        let win = self.wins.len() as u32;
        let won = measured.wins[0];
        let lost = measured.games - measured.draws - won;
        let game = Outcomes::measured(&[(win, won), (1, measured.draws), (0, lost)]);
        game.as_far(self.games, self.wins[0] * win + self.draws)
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
         ties, in a random order of the pieces. The published match loop gives one order of the \
         players 51 of 100 games and the other 49; here both have the same number (S4-32).\n"
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
            note: "As published, they are even. As meant, hybrid wins: Influence as meant is \
            weaker than as published, also against Min_moves.",
        },
        Match {
            title: "Hybrid - Min_moves",
            published: &[6, 4],
            draws: 0,
            seed: &["hybrid:seed", "min-moves:seed"],
            plain: &["hybrid", "min-moves"],
            note: "Even, with the bugs and without them.",
        },
    ];
    compare(out, bench, GameKind::BlokusDuo, &table, 200)?;
    openings(out)
}

/// What some strategies begin Duo with.
fn openings(out: &mut dyn Write) -> Result<(), Failure> {
    let internal = || Failure::Other("a bot of S4-24 does not open".into());
    let game = Duo::default();
    let opening = |bot| {
        let Some(Move::Place(placement)) = ask(&game, bot, &mut Rng::new(0)) else {
            return Err(internal());
        };
        let piece = placement.orientation.piece();
        let squares = if piece.size() == 1 { "square" } else { "squares" };
        Ok(format!("{} ({} {squares})", piece.name(), piece.size()))
    };
    Ok(writeln!(
        out,
        "The author reports one habit: Max_moves opens Duo with the single square. That is a fault \
         of counting, not of the strategy: after a player's first piece only moves over one corner \
         of it are counted, and the single square has most of those. `max-moves:seed` opens with \
         {}, `max-moves` with {}; `max-min:seed` and `hybrid:seed` count in the same way and open \
         with {} and {}.\n",
        opening(Bot::MaxMovesSeed)?,
        opening(Bot::MaxMoves)?,
        opening(Bot::MaxMinSeed)?,
        opening(Bot::HybridSeed)?,
    )?)
}

/// S4-28.
pub(super) fn better_hybrids(out: &mut dyn Write, bench: &Bench) -> Result<(), Failure> {
    const GAMES: u32 = 200;
    writeln!(
        out,
        "## S4-28: would another mix beat Influence?\n\n\
         Published but untested: hybrid would win most games against Influence as a mix of \
         Influence, Corridors and Largest, or if it were more aggressive early in the game. `mix` \
         is the former; `hybrid-aggressive`, the latter, blocks at twice hybrid's weight in the \
         first \
         ten rounds and leaves its own moves out of account. They play Blokus Duo against \
         Influence as meant and as published.\n\n\
         | match | games | wins | draws | first one's score |\n|---|---|---|---|---|"
    )?;
    for names in [
        ["mix", "influence"],
        ["mix", "influence:seed"],
        ["hybrid-aggressive", "influence"],
        ["hybrid-aggressive", "influence:seed"],
        ["hybrid", "influence"],
        ["hybrid", "influence:seed"],
    ] {
        let counts = measure(bench, GameKind::BlokusDuo, &names, GAMES)?;
        let (share, draws) = (share_text(counts.points(), GAMES), counts.draws);
        let [first, second] = names;
        let [won, lost] = [counts.wins[0], counts.wins[1]];
        writeln!(out, "| `{first}` - `{second}` | {GAMES} | {won}-{lost} | {draws} | {share} |")?;
    }
    Ok(writeln!(
        out,
        "\nThis holds. Against Influence as published, with which `hybrid:seed` is even (S4-24), \
        both \
         win most games, and the more aggressive start more of them.\n"
    )?)
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
            note: "Min_moves wins two games of three, and more without the bugs. Twelve games are \
                   too few to see that, so the tie does not show that exploring is worth as much \
                   as blocking.",
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
            note: "Both opponents are possible. Eleven of twelve is likelier against Max_moves, as \
                   the text has it, than against Min_moves, as the caption has it.",
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
    /// X, O, rounds, and the published marks of both; `None` if only X's win is published.
    type Row = (&'static str, &'static str, u8, Option<[i16; 2]>);
    const ROWS: [Row; 9] = [
        ("minimax", "hill-sideways", 8, Some([11, 13])),
        ("minimax", "hill-sideways", 16, Some([20, 20])),
        ("minimax", "hill-sideways", 28, None),
        ("minimax", "genetic", 8, Some([15, 9])),
        ("minimax", "genetic", 16, Some([21, 19])),
        ("minimax", "genetic", 28, None),
        ("hill-sideways", "genetic", 8, Some([12, 12])),
        ("hill-sideways", "genetic", 16, Some([21, 19])),
        ("hill-sideways", "genetic", 28, None),
    ];
    const GAMES: u32 = 100;
    writeln!(
        out,
        "## S2-11 to S2-13: bots of the Adjacency project against each other\n\n\
         The published result is one game for each number of rounds; X is the bot named first and \
         moves first. The measured results are from {GAMES} games: the mean marks of X and O, how \
         often X won, drew and lost, and the probability of a difference of marks that is at least \
         as far from the mean one as the published difference; where only the winner is published, \
         of that outcome.\n\n\
         | X - O | rounds | published | as published | won-drew-lost | probability | as meant | \
         won-drew-lost | probability |\n|---|---|---|---|---|---|---|---|---|"
    )?;
    for (x, o, rounds, published) in ROWS {
        let text = published.map_or("X won".into(), |[x, o]| format!("{x}-{o}"));
        write!(out, "| {x} - {o} | {rounds} | {text} ")?;
        for suffix in [":seed", ""] {
            let rounds = Rounds::new(rounds).unwrap_or(Rounds::MAX);
            let setup = setup(rounds, Player::FIRST);
            let names = [x, o].map(|name| format!("{name}{suffix}"));
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            let (_, kept) = bench.play_seated(setup, &names, GAMES)?;
            let mean = |seat: usize| {
                let sum: i32 = kept.iter().map(|played| i32::from(played.scores[seat])).sum();
                f64::from(sum) / f64::from(GAMES)
            };
            let differences: Vec<i16> =
                kept.iter().map(|played| played.scores[0] - played.scores[1]).collect();
            let count = |sign: i16| differences.iter().filter(|lead| lead.signum() == sign).count();
            let (won, drew, lost) = (count(1), count(0), count(-1));
            let probability = percent(one_game(&differences, published.map(|[x, o]| x - o)));
            write!(out, "| {:.1}-{:.1} | {won}-{drew}-{lost} | {probability} ", mean(0), mean(1))?;
        }
        writeln!(out, "|")?;
    }
    Ok(writeln!(
        out,
        "\nMinimax wins most games against genetic in every row, published or fixed. The published \
         minimax places only its own marks in its search, and the published local search always \
         evaluates for O, whichever side it plays: as O it works as intended, and wins the short \
         games against minimax, as one of the three published games shows. Fixed, minimax is ahead in all of them. The published genetic bot \
         hangs when it is behind; here it gives up after 1,000 lines. Fixed, it beats local search \
         when the whole board is played.\n"
    )?)
}

/// How likely a single game is whose difference of marks is at least as far from the mean one as the
/// published difference, or that X wins if that is all that is published.
fn one_game(differences: &[i16], published: Option<i16>) -> f64 {
    let sum: i64 = differences.iter().map(|lead| i64::from(*lead)).sum();
    // In parts of a mark, so that equal distances are equal.
    let games = differences.len() as i64;
    let distance = |lead: i16| (i64::from(lead) * games - sum).abs();
    let so = |lead: i16| match published {
        Some(published) => distance(lead) >= distance(published),
        None => lead > 0,
    };
    let count = differences.iter().filter(|lead| so(**lead)).count() as u32;
    let game = Outcomes::measured(&[(1, count), (0, differences.len() as u32 - count)]);
    game.share(1)
}

/// S2-07: the strength of the genetic bot.
pub(super) fn genetic(out: &mut dyn Write, bench: &Bench) -> Result<(), Failure> {
    const GAMES: u32 = 200;
    writeln!(
        out,
        "## S2-07: the genetic bot against random play\n\n\
         Its roulette wheel is all zeros and its best child is the last one. The published \
         program, run outside this repository as O against random moves, won 7 of 20 games, lost \
         10 and drew 3. Here the bot is O as well.\n\n\
         | bot | games | wins | score against `random` | probability of 7-10-3 |\n\
         |---|---|---|---|---|"
    )?;
    for name in ["genetic:seed", "genetic"] {
        let setup = Setup::usual(GameKind::Adjacency);
        let (plan, played) = bench.play_seated(setup, &["random", name], GAMES)?;
        let (won, lost) = (wins(&plan, &played, name), wins(&plan, &played, "random"));
        let measured = Counts { wins: vec![won, lost], draws: GAMES - won - lost, games: GAMES };
        let published = Counts { wins: vec![7, 10], draws: 3, games: 20 };
        let probability = percent(published.probability(&measured));
        let share = share_text(measured.points(), GAMES);
        writeln!(out, "| `{name}` | {GAMES} | {won} | {share} | {probability} |")?;
    }
    Ok(writeln!(out)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Win, draw and loss are as likely as each other, so everything is in ninths or thirds.
    #[test]
    fn published_matches_are_set_beside_measured_ones() {
        let counts = |wins: &[u32], draws: u32| {
            let games = wins.iter().sum::<u32>() + draws;
            Counts { wins: wins.to_vec(), draws, games }
        };
        for (published, draws, measured, ninths) in [
            (&[2, 0][..], 0, &[1, 1][..], 2),
            (&[1, 0], 1, &[1, 1], 6),
            (&[1, 1], 0, &[1, 1], 9),
            (&[1, 0, 0, 0], 0, &[1, 0, 1, 0], 3),
            (&[0, 0, 0, 0], 1, &[1, 0, 1, 0], 9),
        ] {
            let found = counts(published, draws).probability(&counts(measured, 1));
            let expected = f64::from(ninths) / 9.0;
            assert!((found - expected).abs() < 1e-9, "{published:?} {draws}: {found}");
        }
    }

    #[test]
    fn a_single_game_is_set_beside_the_differences_of_marks() {
        let differences = [-2, 0, 0, 2];
        for (published, games) in [(None, 1), (Some(2), 2), (Some(-1), 2), (Some(0), 4)] {
            let expected = (f64::from(games) + 0.5) / 5.0;
            assert!((one_game(&differences, published) - expected).abs() < 1e-9, "{published:?}");
        }
    }
}
