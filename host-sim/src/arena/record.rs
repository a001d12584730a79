//! The games of a match as a JSON file: written as they are played, read when it is resumed.

use std::fs::{File as Handle, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use corvid_core::session::Match as Position;
use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::table::Table;
use crate::failure::Failure;
use crate::files;
use crate::peer::color_word;

/// The format of the file. Others are refused.
const FORMAT: &str = "corvid-arena 1";

/// The most bytes of a file: a million games.
const LARGEST: u64 = 1 << 30;

/// The highest score, either way, of a game without its moves.
const HIGHEST: i16 = 100;

/// The games played so far.
#[derive(Debug)]
pub(crate) struct Record {
    games: Vec<Played>,
    /// Held while the file is in use.
    _lock: Option<Lock>,
}

/// Keeps other arenas away from a record: the record itself is replaced whenever it is saved.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    _file: Handle,
}

impl Lock {
    fn new(record: &Path) -> Result<Self, Failure> {
        let path = super::beside(record, ".lock");
        let failed =
            |why: String| Failure::Other(format!("cannot write {}: {why}", record.display()));
        let file = Handle::create(&path).map_err(|error| failed(error.to_string()))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path, _file: file }),
            Err(TryLockError::WouldBlock) => Err(failed("another arena is using it".into())),
            Err(TryLockError::Error(error)) => Err(failed(error.to_string())),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // One that stays behind locks nobody out.
        let _ = std::fs::remove_file(&self.path);
    }
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

impl Played {
    /// Whether the moves lead to the scores by the rules. Without moves, whether a game may have them.
    fn is_possible(&self, plan: &Plan) -> bool {
        if self.moves.is_empty() {
            return self.scores.iter().all(|score| (-HIGHEST..=HIGHEST).contains(score));
        }
        let mut game = Position::new(plan.setup);
        let legal = self.moves.iter().all(|text| {
            let player = game.turn();
            let text = text.strip_prefix(color_word(plan.setup, player));
            text.is_some_and(|text| game.play(player, text.trim_start()).is_ok())
        });
        legal && game.is_over() && *game.seat_scores() == *self.scores
    }
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
        Self { games: Vec::new(), _lock: None }
    }

    /// The games in this file, which must be of the same match; a new file when there is none.
    pub(crate) fn open(path: &Path, plan: &Plan) -> Result<Self, Failure> {
        let name = path.display();
        if path.exists() && !path.is_file() {
            return Err(Failure::Other(format!("{name} is not a file; name another one")));
        }
        let lock = Some(Lock::new(path)?);
        let text = match files::read_text(path, LARGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let record = Self { games: Vec::new(), _lock: lock };
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
        if let Some(wrong) = file.games.iter().find(|game| !game.is_possible(plan)) {
            return Err(damaged(&format!("game {} can't have ended so", wrong.game)));
        }
        if file.games.last().is_some_and(|last| last.game >= plan.games) {
            return Err(Failure::Usage(format!(
                "{name} holds more than {} games; ask for as many with --games",
                plan.games
            )));
        }
        Ok(Self { games: file.games, _lock: lock })
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
