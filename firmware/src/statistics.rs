//! Results of the games of one person against computers: for each game and opponent how many were
//! won, drawn and lost, and the mean, best and worst points. They survive a power cut.
use crate::{app::COMFORTS, table::Seat};
use core::fmt;
use corvid_core::{list::first_to_back, registry::GameKind};
use heapless::Vec;

/// Opponents that results are kept for. Beyond that, the results against those who were played least
/// are kept together. Without comforts there is one record for each game.
pub const RECORDS: usize = if COMFORTS { 24 } else { GameKind::ALL.len() };

/// How a game ended for the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// First place, alone.
    Won,
    /// First place, shared.
    Drawn,
    /// Any other place.
    Lost,
}

/// Results against one opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The game.
    pub kind: GameKind,
    /// Who was played, in every other seat; `None` for different ones, and for all whose results are
    /// not kept apart any more. Never a person.
    pub rival: Option<Seat>,
    /// Games won.
    pub won: u16,
    /// Games drawn.
    pub drawn: u16,
    /// Games lost.
    pub lost: u16,
    /// Games that were played to the end: only their points count.
    pub scored: u16,
    /// The points of all of them together.
    pub sum: i32,
    /// The most points.
    pub best: i16,
    /// The fewest.
    pub worst: i16,
}

impl Record {
    /// No games yet.
    pub const fn new(kind: GameKind, rival: Option<Seat>) -> Self {
        let (best, worst) = (i16::MIN, i16::MAX);
        Self { kind, rival, won: 0, drawn: 0, lost: 0, scored: 0, sum: 0, best, worst }
    }

    /// All games.
    pub fn games(&self) -> u32 {
        [self.won, self.drawn, self.lost].into_iter().map(u32::from).sum()
    }

    /// The mean of the points in hundredths, rounded; `None` if no game was played to the end.
    pub fn mean(&self) -> Option<i32> {
        let (sum, count) = (i64::from(self.sum) * 100, i64::from(self.scored));
        let half = if sum < 0 { -count / 2 } else { count / 2 };
        (count > 0).then(|| ((sum + half) / count) as i32)
    }

    fn merge(&mut self, other: &Self) {
        let add = |count: &mut u16, more| *count = count.saturating_add(more);
        add(&mut self.won, other.won);
        add(&mut self.drawn, other.drawn);
        add(&mut self.lost, other.lost);
        add(&mut self.scored, other.scored);
        self.sum = self.sum.saturating_add(other.sum);
        self.best = self.best.max(other.best);
        self.worst = self.worst.min(other.worst);
    }

    /// By game; then levels, bots, and those that are not kept apart.
    fn place(&self) -> (usize, usize) {
        let rival = match self.rival {
            Some(Seat::Level(level)) => level.get().into(),
            Some(Seat::Bot(bot)) => 16 + bot.index(),
            Some(Seat::Person) | None => usize::MAX,
        };
        (self.kind.index(), rival)
    }
}

/// All results.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Sorted by game and opponent.
    records: Vec<Record, RECORDS>,
    /// Counts the changes.
    revision: u32,
}

impl Statistics {
    /// No game was played.
    pub const NONE: Self = Self { records: Vec::new(), revision: 0 };

    /// The results, sorted by game and opponent.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// A number that changes whenever they do.
    pub const fn revision(&self) -> u32 {
        self.revision
    }

    /// Games won, drawn and lost against all opponents.
    pub fn total(&self, kind: GameKind) -> Record {
        let mut total = Record::new(kind, None);
        self.records.iter().filter(|record| record.kind == kind).for_each(|one| total.merge(one));
        total
    }

    /// Adds a game, with its points if it was played to the end.
    pub fn add(
        &mut self,
        kind: GameKind,
        rival: Option<Seat>,
        outcome: Outcome,
        points: Option<i16>,
    ) {
        let mut game = Record::new(kind, rival);
        *match outcome {
            Outcome::Won => &mut game.won,
            Outcome::Drawn => &mut game.drawn,
            Outcome::Lost => &mut game.lost,
        } = 1;
        if let Some(points) = points {
            (game.scored, game.sum) = (1, points.into());
            (game.best, game.worst) = (points, points);
        }
        self.merge(&game);
    }

    /// Adds the games of a record.
    pub(crate) fn merge(&mut self, other: &Record) {
        self.revision = self.revision.wrapping_add(1);
        loop {
            match self.records.binary_search_by_key(&other.place(), Record::place) {
                Ok(at) => return self.records[at].merge(other),
                Err(at) if self.records.insert(at, *other).is_ok() => return,
                Err(_) if COMFORTS => self.fold(),
                // There is one for each game.
                Err(_) => return,
            }
        }
    }

    /// Stops keeping the results apart against the opponent who was played least. Each call makes
    /// room or leaves one opponent fewer; at the end there is one record for each game.
    fn fold(&mut self) {
        let kept_apart =
            self.records.iter().enumerate().filter(|(_, record)| record.rival.is_some());
        let least = kept_apart.min_by_key(|(_, record)| record.games()).map(|(at, _)| at);
        let Some(rest) = least.and_then(|at| self.records.get_mut(at..)) else { return };
        first_to_back(rest);
        let Some(record) = self.records.pop() else { return };
        self.merge(&Record { rival: None, ..record });
    }

    /// Forgets everything.
    pub fn erase(&mut self) {
        self.records.clear();
        self.revision = self.revision.wrapping_add(1);
    }

    /// Writes all results as comma-separated values. A mean, best and worst are missing where no
    /// game was played to the end.
    pub(crate) fn write_csv(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str("game,opponent,games,won,drawn,lost,mean,best,worst\n")?;
        for record in &self.records {
            write!(out, "{},", record.kind)?;
            match record.rival {
                Some(Seat::Level(level)) => write!(out, "level-{}", level.get())?,
                Some(Seat::Bot(bot)) => out.write_str(bot.name())?,
                Some(Seat::Person) | None => out.write_str("others")?,
            }
            for count in
                [record.games(), record.won.into(), record.drawn.into(), record.lost.into()]
            {
                write!(out, ",{count}")?;
            }
            match record.mean() {
                Some(mean) => {
                    out.write_char(',')?;
                    write_hundredths(mean, out)?;
                    writeln!(out, ",{},{}", record.best, record.worst)?;
                }
                None => out.write_str(",,,\n")?,
            }
        }
        Ok(())
    }
}

/// Writes a number of hundredths: `-5.44`.
pub(crate) fn write_hundredths(number: i32, out: &mut dyn fmt::Write) -> fmt::Result {
    let sign = if number < 0 { "-" } else { "" };
    write!(out, "{sign}{}.{:02}", number.abs() / 100, number.abs() % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::{engine::Level, registry::Bot};

    const DUO: GameKind = GameKind::BlokusDuo;

    fn level(number: u8) -> Option<Seat> {
        Level::new(number).map(Seat::Level)
    }

    /// The nine rounds of the developer against three LeakyAIs, and what the paper says of them:
    /// a mean of -5.44, at most 20, at least -27, two thirds won.
    #[test]
    fn the_papers_rounds_give_the_papers_figures() {
        let mut statistics = Statistics::NONE;
        let leaky = Bot::from_name(GameKind::BlokusClassic, "leaky").map(Seat::Bot);
        for (round, points) in [-17, -27, -8, -5, 20, -20, 20, -8, -4].into_iter().enumerate() {
            let outcome = if round % 3 == 0 { Outcome::Lost } else { Outcome::Won };
            statistics.add(GameKind::BlokusClassic, leaky, outcome, Some(points));
        }
        let mut text = String::new();
        statistics.write_csv(&mut text).unwrap();
        assert_eq!(
            text,
            "game,opponent,games,won,drawn,lost,mean,best,worst\n\
             blokus-classic,leaky,9,6,0,3,-5.44,20,-27\n"
        );
    }

    #[test]
    fn resigned_games_have_no_points() {
        let mut statistics = Statistics::NONE;
        statistics.add(DUO, level(3), Outcome::Lost, None);
        let [record] = statistics.records() else { panic!("{statistics:?}") };
        assert_eq!((record.games(), record.lost, record.mean()), (1, 1, None));
        statistics.add(DUO, level(3), Outcome::Won, Some(-7));
        assert_eq!(statistics.records()[0].mean(), Some(-700));
        let mut text = String::new();
        statistics.write_csv(&mut text).unwrap();
        assert!(text.ends_with("\nblokus-duo,level-3,2,1,0,1,-7.00,-7,-7\n"), "{text}");
    }

    #[test]
    fn opponents_stand_in_order() {
        let mut statistics = Statistics::NONE;
        let random = Bot::from_name(DUO, "random").map(Seat::Bot);
        for rival in [None, level(9), random, level(2)] {
            statistics.add(DUO, rival, Outcome::Won, Some(1));
        }
        statistics.add(GameKind::Othello, level(5), Outcome::Won, Some(1));
        let rivals: Vec<_, 8> = statistics.records().iter().map(|record| record.rival).collect();
        assert_eq!(rivals, [level(5), level(2), level(9), random, None]);
    }

    #[test]
    fn no_game_is_lost_when_there_are_too_many_opponents() {
        let mut statistics = Statistics::NONE;
        let mut games = [0; GameKind::ALL.len()];
        for round in 0..3 {
            for kind in GameKind::ALL {
                let bots = Bot::all(kind).map(Seat::Bot);
                for rival in (1..=9).filter_map(level).chain(bots).skip(round) {
                    statistics.add(kind, Some(rival), Outcome::Drawn, Some(5));
                    games[kind.index()] += 1;
                }
            }
        }
        assert_eq!(statistics.records().len(), RECORDS);
        for kind in GameKind::ALL {
            let total = statistics.total(kind);
            assert_eq!((total.games(), total.mean()), (games[kind.index()], Some(500)), "{kind}");
        }
        statistics.erase();
        assert_eq!(statistics.records(), []);
    }

    #[test]
    fn means_are_rounded_to_the_nearest_hundredth() {
        let mean = |sum, scored| Record { sum, scored, ..Record::new(DUO, None) }.mean();
        assert_eq!(
            [mean(2, 3), mean(-2, 3), mean(1, 3), mean(-7, 1)],
            [67, -67, 33, -700].map(Some)
        );
        assert_eq!(mean(0, 0), None);
        assert_eq!(mean(i32::MIN, u16::MAX), Some(-3_276_850));
    }
}
