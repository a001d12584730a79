//! What a match says about its players.

use std::fmt;

use corvid_core::session::AnyMatch;
use serde_json::{Value, json};

use super::plan::Plan;
use super::record::Played;

/// The results of a match, by player and by seat.
#[derive(Debug)]
pub(crate) struct Table {
    /// The players, each once, in the order they were named.
    pub(crate) rows: Vec<Row>,
    /// The seats, whoever sat there, in turn order.
    pub(crate) seats: Vec<Row>,
}

/// One player's or one seat's results.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// Games, counted once for every seat that the player had.
    pub(crate) games: u32,
    /// First places alone.
    pub(crate) wins: u32,
    /// First places shared.
    pub(crate) draws: u32,
    /// Points of the game, added up.
    points: i64,
    /// Opponents that had fewer points, equal ones as halves, and how many there were. In a game of
    /// two it is the usual score of a match; a player who sits in several seats is not its own
    /// opponent.
    beaten: f64,
    opponents: u32,
}

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_964;

impl Row {
    fn add(&mut self, seat: usize, scores: &[i16], is_opponent: impl Fn(usize) -> bool) {
        let own = scores[seat];
        let best = scores.iter().copied().max().unwrap_or(own);
        let firsts = scores.iter().filter(|score| **score == best).count();
        self.games += 1;
        self.wins += u32::from(own == best && firsts == 1);
        self.draws += u32::from(own == best && firsts > 1);
        self.points += i64::from(own);
        for (_, &other) in scores.iter().enumerate().filter(|(seat, _)| is_opponent(*seat)) {
            self.opponents += 1;
            self.beaten += match own.cmp(&other) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }

    /// The mean of the game's points.
    pub(crate) fn mean(&self) -> f64 {
        self.points as f64 / f64::from(self.games.max(1))
    }

    /// The share of opponents that were beaten, half without any.
    pub(crate) fn share(&self) -> f64 {
        if self.opponents == 0 { 0.5 } else { self.beaten / f64::from(self.opponents) }
    }

    /// Where the share lies with 95 % confidence (Wilson's interval, which also holds for shares
    /// of 0 and 1). A game counts once, however many opponents it had: their results depend on
    /// each other.
    pub(crate) fn interval(&self) -> (f64, f64) {
        if self.opponents == 0 {
            return (0.0, 1.0);
        }
        wilson(self.share(), self.games)
    }

    /// The difference to the others in Elo, if the share is neither nothing nor all.
    pub(crate) fn elo(&self) -> Option<f64> {
        elo(self.share())
    }

    /// The row for programs.
    pub(crate) fn to_json(&self) -> Value {
        let (low, high) = self.interval();
        json!({
            "player": self.name, "games": self.games, "wins": self.wins, "draws": self.draws,
            "losses": self.games - self.wins - self.draws, "mean_score": self.mean(),
            "share": self.share(), "low": low, "high": high,
            "elo": self.elo(), "elo_low": elo(low), "elo_high": elo(high),
        })
    }
}

/// Wilson's 95 % interval of a share.
pub(crate) fn wilson(share: f64, games: u32) -> (f64, f64) {
    let n = f64::from(games.max(1));
    let middle = share + Z * Z / (2.0 * n);
    let margin = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - margin) / scale).max(0.0), ((middle + margin) / scale).min(1.0))
}

fn elo(share: f64) -> Option<f64> {
    (share > 1e-9 && share < 1.0 - 1e-9).then(|| 400.0 * (share / (1.0 - share)).log10())
}

impl Table {
    /// Adds up the games.
    pub(crate) fn new(plan: &Plan, games: &[Played]) -> Self {
        let mut rows: Vec<Row> = Vec::new();
        let mut row_of = Vec::new();
        for player in &plan.players {
            let row = rows.iter().position(|row| row.name == player.name).unwrap_or(rows.len());
            if row == rows.len() {
                rows.push(Row { name: player.name.clone(), ..Row::default() });
            }
            row_of.push(row);
        }
        let names = seat_names(plan);
        let mut seats: Vec<Row> =
            names.into_iter().map(|name| Row { name, ..Row::default() }).collect();
        let orders = plan.orders();
        for played in games {
            let order = &orders[played.game as usize % orders.len()];
            let row_at = |seat: usize| row_of[order[seat]];
            for (seat, by_seat) in seats.iter_mut().enumerate() {
                let row = row_at(seat);
                rows[row].add(seat, &played.scores, |other| row_at(other) != row);
                by_seat.add(seat, &played.scores, |other| other != seat);
            }
        }
        Self { rows, seats }
    }
}

/// The seats by their colours.
fn seat_names(plan: &Plan) -> Vec<String> {
    let game = AnyMatch::new(plan.setup);
    let mut names = vec![String::new(); plan.setup.seats()];
    for (index, color) in game.session().colors().iter().enumerate() {
        let name = &mut names[index % plan.setup.seats()];
        *name += if name.is_empty() { "" } else { "+" };
        *name += color.name;
    }
    names
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().chain(&self.seats).map(|row| row.name.len());
        let width = names.max().unwrap_or(0).max("player".len());
        writeln!(
            f,
            "{:<width$} {:>6} {:>6} {:>6} {:>7} {:>8} {:>16} {:>6} {:>14}",
            "player", "games", "wins", "draws", "points", "score", "95 % interval", "Elo", "95 %"
        )?;
        for row in &self.rows {
            let (low, high) = row.interval();
            let rating = |share| elo(share).map_or("-".into(), |elo| format!("{elo:+.0}"));
            writeln!(
                f,
                "{:<width$} {:>6} {:>6} {:>6} {:>7.1} {:>6.1} % {:>14} % {:>6} {:>14}",
                row.name,
                row.games,
                row.wins,
                row.draws,
                row.mean(),
                row.share() * 100.0,
                format!("{:.1}..{:.1}", low * 100.0, high * 100.0),
                rating(row.share()),
                format!("{}..{}", rating(low), rating(high)),
            )?;
        }
        writeln!(
            f,
            "\n{:<width$} {:>6} {:>6} {:>6} {:>7}",
            "seat", "games", "wins", "draws", "points"
        )?;
        for row in &self.seats {
            let mean = row.mean();
            let Row { name, games, wins, draws, .. } = row;
            writeln!(f, "{name:<width$} {games:>6} {wins:>6} {draws:>6} {mean:>7.1}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Entrant, Orders};
    use super::*;
    use corvid_core::setup::{GameKind, Setup};

    fn table(names: &[&str], scores: &[&[i16]]) -> Table {
        let kind = if names.len() == 2 { GameKind::Othello } else { GameKind::BlokusClassic };
        let plan = Plan {
            setup: Setup::usual(kind),
            players: names.iter().map(|name| Entrant::named(kind, name).unwrap()).collect(),
            games: scores.len() as u32,
            openings: 0,
            seed: 0,
            memory: 1,
            micros: 0,
            order: Orders::Rotations,
        };
        let games = scores.iter().enumerate();
        let games: Vec<_> = games
            .map(|(game, scores)| Played {
                game: game as u32,
                scores: scores.to_vec(),
                moves: Vec::new(),
            })
            .collect();
        Table::new(&plan, &games)
    }

    #[test]
    fn results_follow_the_players_around_the_seats() {
        // Greedy has the first seat in games 0 and 2.
        let table = table(&["greedy", "random"], &[&[40, 24], &[20, 44], &[32, 32], &[50, 14]]);
        let greedy = &table.rows[0];
        assert_eq!((greedy.games, greedy.wins, greedy.draws), (4, 2, 1));
        assert_eq!((greedy.mean(), greedy.share()), (32.5, 0.625));
        assert_eq!(table.seats[0].wins, 2);
        let elo = greedy.elo().unwrap();
        assert!((elo - 88.7).abs() < 0.1, "{elo}");
    }

    #[test]
    fn in_a_game_of_four_each_opponent_counts_but_not_oneself() {
        let names = ["largest", "random", "largest", "random"];
        let table = table(&names, &[&[5, 3, 1, 2]]);
        let largest = &table.rows[0];
        assert_eq!((largest.games, largest.wins), (2, 1));
        assert_eq!(largest.share(), 0.5, "the first beats both, the third nobody");
        assert_eq!(table.rows.len(), 2);
    }

    /// Newcombe's example: 81 of 263.
    #[test]
    fn the_interval_is_wilsons() {
        let (low, high) = wilson(81.0 / 263.0, 263);
        assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4, "{low} {high}");
        assert!(wilson(1.0, 10).0 < 0.73, "ten wins of ten prove little");
    }
}
