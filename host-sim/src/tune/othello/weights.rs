//! The files of weights that the engine is built with.

use std::fs;
use std::path::{Path, PathBuf};

use corvid_core::games::othello::tuning::{Weighted, blend_into};

use super::fit::Table;
use super::places::Places;
use crate::failure::Failure;

/// A disc in the weights' unit.
const EIGHTHS: f32 = 8.0;

/// The weights of both phases, in eighths of a disc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rounded([Vec<i8>; 2]);

impl Rounded {
    pub(super) fn new(places: &Places, table: &Table) -> Self {
        let limit = f32::from(i8::MAX);
        let weight = |place: usize, phase: usize| {
            (table[places.same(place)][phase] * EIGHTHS).round().clamp(-limit, limit) as i8
        };
        Self([0, 1].map(|phase| (0..places.size()).map(|place| weight(place, phase)).collect()))
    }

    /// The weights that this program was built with.
    pub(super) fn built_in<L: Weighted>() -> Self {
        Self(L::learnt().map(<[i8]>::to_vec))
    }

    /// The same in discs.
    pub(super) fn table(&self) -> Table {
        let disc = |weight: &i8| f32::from(*weight) / EIGHTHS;
        let [near, far] = &self.0;
        near.iter().zip(far).map(|(near, far)| [disc(near), disc(far)]).collect()
    }

    /// The weights for positions with about so many empty squares, as a search has them.
    pub(super) fn blended<L: Weighted>(&self, empty: u32) -> Vec<i8> {
        let [near, far] = &self.0;
        let mut blended = vec![0; L::BLENDED];
        blend_into::<L>(&mut blended, [near, far], empty);
        blended
    }

    /// The file: a line with the layout's name and the command, then the phases.
    fn file(&self, name: &str, command: &str) -> Vec<u8> {
        let mut bytes = format!("{name} {command}\n").into_bytes();
        bytes.extend(self.0.iter().flatten().map(|weight| *weight as u8));
        bytes
    }

    /// All weights as bytes, for fingerprints.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> {
        self.0.iter().flatten().map(|weight| *weight as u8)
    }
}

/// A folder that files are written to.
#[derive(Debug)]
pub(super) struct Folder<'a>(&'a Path);

impl<'a> Folder<'a> {
    /// Makes sure that files can be written there, before hours are spent on them.
    pub(super) fn open(path: &'a Path) -> Result<Self, Failure> {
        let folder = Self(path);
        let part = folder.part("weights");
        (fs::write(&part, "").and_then(|()| fs::remove_file(&part))).map_err(|error| {
            Failure::Other(format!("cannot write to the folder {}: {error}", path.display()))
        })?;
        Ok(folder)
    }

    fn part(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.bin.part"))
    }

    /// Writes the weights of layouts. None of the files there is replaced before all new ones are
    /// complete.
    pub(super) fn write(
        &self,
        weights: [(&str, &Rounded); 2],
        command: &str,
    ) -> Result<(), Failure> {
        let written = self.try_write(weights, command);
        if written.is_err() {
            // What can't be removed either is only a part.
            weights.iter().for_each(|(name, _)| _ = fs::remove_file(self.part(name)));
        }
        written
    }

    fn try_write(&self, weights: [(&str, &Rounded); 2], command: &str) -> Result<(), Failure> {
        let failed = |path: &Path, error| {
            Failure::Other(format!("cannot write {}: {error}", path.display()))
        };
        for (name, weights) in weights {
            let part = self.part(name);
            fs::write(&part, weights.file(name, command)).map_err(|error| failed(&part, error))?;
        }
        for (name, _) in weights {
            let path = self.0.join(format!("{name}.bin"));
            fs::rename(self.part(name), &path).map_err(|error| failed(&path, error))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::games::othello::tuning::{Layout, OTHERS, Small};

    #[test]
    fn weights_are_rounded_to_eighths_and_shared_by_mirror_images() {
        let places = Places::of::<Small>();
        let table: Table = (0..places.size()).map(|at| [at as f32 / 1000.0, -99.0]).collect();
        let rounded = Rounded::new(&places, &table);
        // c1 alone and f1 alone in the middle of an edge, whose digits are c1 d1 e1 f1 d2 e2.
        assert_eq!(Small::SHAPES[2], [2, 3, 4, 5, 11, 12]);
        let centre = 2 * 729 + 729 / 2;
        assert_eq!(rounded.0[0][centre + 1], rounded.0[0][centre + 27]);
        assert_eq!(rounded.0[0][centre], (1.822f32 * 8.0).round() as i8);
        assert!(rounded.0[1].iter().all(|weight| *weight == -127));
        // A search has the other weights first, and the middle of the third shape's room at its centre.
        let searched = OTHERS + 2 * 1025 + 512;
        let half = (i32::from(rounded.0[0][centre]) - 127 + 1).div_euclid(2);
        for (empty, weight) in [(6, rounded.0[0][centre].into()), (30, half), (60, -127)] {
            assert_eq!(i32::from(rounded.blended::<Small>(empty)[searched]), weight);
        }
    }

    #[test]
    fn a_file_has_the_form_that_the_engine_reads() {
        let weights = Rounded([vec![1, -1], vec![127, -127]]);
        assert_eq!(weights.file("small", "make it"), b"small make it\n\x01\xff\x7f\x81");
        assert_eq!(weights.table(), [[0.125, 15.875], [-0.125, -15.875]]);
    }

    #[test]
    fn a_file_that_cannot_be_replaced_leaves_the_other_alone() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("small.bin");
        fs::write(&old, "old").unwrap();
        fs::create_dir(folder.path().join("large.bin.part")).unwrap();
        let weights = Rounded([vec![], vec![]]);
        let written = Folder(folder.path()).write([("small", &weights), ("large", &weights)], "");
        assert!(written.unwrap_err().to_string().contains("cannot write"));
        assert_eq!(fs::read(&old).unwrap(), b"old");
        assert!(!folder.path().join("small.bin.part").exists());
    }
}
