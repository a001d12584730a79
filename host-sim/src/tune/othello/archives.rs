//! Archives of games to learn from.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use super::positions::Sampler;
use crate::failure::Failure;
use crate::othello::replay::{for_each_game, read};

/// WTHOR files with their paths.
pub(super) struct Archives(Vec<(PathBuf, Vec<u8>)>);

impl Archives {
    /// Reads files, and those of folders in the order of their names.
    pub(super) fn read(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for path in paths {
            if path.is_dir() {
                files.extend(archives_in(path)?);
            } else {
                files.push(path.clone());
            }
        }
        let read_file = |path: PathBuf| match read(&path) {
            Ok(bytes) => Ok((path, bytes)),
            Err(error) => Err(failed(&path, format!("cannot be read: {error}"))),
        };
        files.into_iter().map(read_file).collect::<Result<_, _>>().map(Self)
    }

    /// Takes positions of all games.
    pub(super) fn sample(&self, sampler: &mut Sampler) -> Result<(), Failure> {
        for (path, bytes) in &self.0 {
            for_each_game(bytes, |game| sampler.add(game)).map_err(|why| failed(path, why))?;
        }
        Ok(())
    }

    /// All bytes, for fingerprints.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> {
        self.0.iter().flat_map(|(_, bytes)| bytes).copied()
    }
}

fn failed(path: &Path, why: impl Display) -> Failure {
    Failure::Other(format!("{}: {why}", path.display()))
}

fn archives_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, error))? {
        let path = entry.map_err(|error| failed(folder, error))?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb")) {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(failed(folder, "a folder without .wtb files"));
    }
    files.sort();
    Ok(files)
}
