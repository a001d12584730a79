//! The results of a match by player and by seat.

use std::fmt;

use corvid::statistics::{Score, elo, elo_text, wilson};
use corvid_core::session::Match;
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
    /// Sole first places.
    pub(crate) wins: u32,
    /// Shared first places.
    pub(crate) draws: u32,
    /// Points of the game, added up.
    points: i64,
    /// Opponents with fewer points, ties counting half, and how many there were. In a two-player
    /// game it is the usual score of a match; a player in several seats is not its own
    /// opponent.
    beaten: f64,
    opponents: u32,
}

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

    /// The share of opponents beaten; one half without any.
    pub(crate) fn share(&self) -> f64 {
        if self.opponents == 0 { 0.5 } else { self.beaten / f64::from(self.opponents) }
    }

    /// The share with its interval. A game counts once, however many opponents it had: their
    /// results depend on each other.
    pub(crate) fn score(&self) -> Score {
        wilson(self.share(), if self.opponents == 0 { 0 } else { self.games })
    }

    /// The row as JSON.
    pub(crate) fn to_json(&self) -> Value {
        let Score { share, low, high } = self.score();
        json!({
            "player": self.name, "games": self.games, "wins": self.wins, "draws": self.draws,
            "losses": self.games - self.wins - self.draws, "mean_score": self.mean(),
            "share": share, "low": low, "high": high,
            "elo": elo(share), "elo_low": elo(low), "elo_high": elo(high),
        })
    }
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
    let game = Match::new(plan.setup);
    let mut names = vec![String::new(); plan.setup.people()];
    for (index, color) in game.colors().iter().enumerate() {
        let name = &mut names[index % plan.setup.people()];
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
            let Score { share, low, high } = row.score();
            writeln!(
                f,
                "{:<width$} {:>6} {:>6} {:>6} {:>7.1} {:>6.1} % {:>14} % {:>6} {:>14}",
                row.name,
                row.games,
                row.wins,
                row.draws,
                row.mean(),
                share * 100.0,
                format!("{:.1}..{:.1}", low * 100.0, high * 100.0),
                elo_text(share),
                format!("{}..{}", elo_text(low), elo_text(high)),
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
    use corvid_core::registry::GameKind;
    use corvid_core::setup::Setup;
    use corvid_firmware::profile::LM3S6965EVB;

    fn table(names: &[&str], scores: &[&[i16]]) -> Table {
        let kind = if names.len() == 2 { GameKind::Othello } else { GameKind::BlokusClassic };
        let plan = Plan {
            setup: Setup::usual(kind),
            players: names
                .iter()
                .map(|name| Entrant::named(kind, name, &LM3S6965EVB).unwrap())
                .collect(),
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
        assert_eq!(greedy.to_json()["elo"].as_f64().unwrap().round(), 89.0);
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
}
