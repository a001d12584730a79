//! The games of a match as a JSON file: written as they are played, read when it is resumed.

use std::fs::{File as Handle, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub(crate) use corvid::arena::file::Played;
use corvid::arena::file::{self, Description, Wrong};

use super::plan::Plan;
use super::table::Table;
use crate::failure::Failure;
use crate::files;

/// The most bytes of a file: a million games.
const LARGEST: u64 = 1 << 30;

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

/// What determines the games of a plan.
fn description(plan: &Plan) -> Description {
    Description {
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
        let games = file::read(&text, &description(plan), plan.setup, plan.games);
        let games = games.map_err(|wrong| match wrong {
            Wrong::TooMany(_) => Failure::Usage(format!("{name} {wrong}")),
            _ => Failure::Other(format!("{name} {wrong}")),
        })?;
        Ok(Self { games, _lock: lock })
    }

    /// Writes the file, which is complete at any time.
    pub(crate) fn save(&self, path: &Path, plan: &Plan) -> Result<(), Failure> {
        let table = Table::new(plan, &self.games).rows.iter().map(super::Row::to_json).collect();
        let text = file::write(&description(plan), &self.games, table)
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
