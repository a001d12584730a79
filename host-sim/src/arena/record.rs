//! The games of a match as a JSON file: written as they are played, read when it is resumed.

use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::table::Table;
use crate::failure::Failure;

/// The format of the file. Others are refused.
const FORMAT: &str = "corvid-arena 1";

/// The games played so far.
#[derive(Debug)]
pub(crate) struct Record {
    games: Vec<Played>,
}

/// A game and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Played {
    /// Its number in the match, from 0: opening and seat order follow from it.
    pub(crate) game: u32,
    /// The points of each seat.
    pub(crate) scores: Vec<i16>,
    /// The moves in GTP notation, colour first. Older files have none.
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// What determines the games: two runs with equal settings are one match.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Match {
    game: String,
    options: String,
    players: Vec<String>,
    orders: String,
    openings: u32,
    seed: u64,
    memory_kb: usize,
    move_ms: u64,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    #[serde(rename = "match")]
    of: Match,
    games: Vec<Played>,
    /// For readers; never read back.
    #[serde(default, skip_deserializing)]
    table: Vec<serde_json::Value>,
}

impl Match {
    fn of(plan: &Plan) -> Self {
        Self {
            game: plan.setup.kind().name().into(),
            options: format!("{:?}", plan.setup),
            players: plan.players.iter().map(|player| player.name.clone()).collect(),
            orders: plan.order.name().into(),
            openings: plan.openings,
            seed: plan.seed,
            memory_kb: plan.memory,
            move_ms: plan.micros / 1000,
        }
    }
}

impl Record {
    /// No game yet.
    pub(crate) const fn new() -> Self {
        Self { games: Vec::new() }
    }

    /// The games in this file, which must be of the same match; a new file when there is none.
    pub(crate) fn open(path: &Path, plan: &Plan) -> Result<Self, Failure> {
        let name = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let record = Self::new();
                record.save(path, plan)?;
                return Ok(record);
            }
            Err(error) => return Err(Failure::Other(format!("cannot read {name}: {error}"))),
        };
        let damaged = |why: &str| {
            Failure::Other(format!("{name} is not a record of an arena ({why}); name another file"))
        };
        let file: File =
            serde_json::from_str(&text).map_err(|error| damaged(&error.to_string()))?;
        if file.format != FORMAT {
            return Err(damaged("its format is not known"));
        }
        if file.of != Match::of(plan) {
            return Err(Failure::Other(format!(
                "{name} holds another match (game, players, openings, seed, memory or time \
                 differ); name another file"
            )));
        }
        let seats = plan.players.len();
        let in_order = file.games.windows(2).all(|pair| pair[0].game < pair[1].game);
        if !in_order || file.games.iter().any(|game| game.scores.len() != seats) {
            return Err(damaged("its games are not in order"));
        }
        if file.games.last().is_some_and(|last| last.game >= plan.games) {
            return Err(Failure::Usage(format!(
                "{name} holds more than {} games; ask for as many with --games",
                plan.games
            )));
        }
        Ok(Self { games: file.games })
    }

    /// Writes the file, which is complete at any time.
    pub(crate) fn save(&self, path: &Path, plan: &Plan) -> Result<(), Failure> {
        let table = Table::new(plan, &self.games).rows.iter().map(super::Row::to_json).collect();
        let file =
            File { format: FORMAT.into(), of: Match::of(plan), games: self.games.clone(), table };
        let text = serde_json::to_string(&file)
            .map_err(|error| Failure::Other(format!("cannot write the record: {error}")))?;
        super::write_file(path, &(text + "\n"))
    }

    /// Whether this game was played.
    pub(crate) fn has(&self, game: u32) -> bool {
        self.games.binary_search_by_key(&game, |played| played.game).is_ok()
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, new: Played) {
        if let Err(place) = self.games.binary_search_by_key(&new.game, |played| played.game) {
            self.games.insert(place, new);
        }
    }

    /// How many games there are.
    pub(crate) fn played(&self) -> usize {
        self.games.len()
    }

    /// The games in their order.
    pub(crate) fn games(&self) -> &[Played] {
        &self.games
    }
}
