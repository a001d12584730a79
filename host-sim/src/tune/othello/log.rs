//! The file of what was played and labelled so far, so that an interrupted run can be resumed.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use corvid::tune::othello::lines::{Known, game_line, head_line, labels_line};
use corvid_core::square::Square;

use crate::failure::Failure;

/// The log of a run, or of none: then nothing is known and nothing kept.
#[derive(Debug, Default)]
pub(super) struct Log {
    file: Option<File>,
    known: Known,
}

impl Log {
    /// Reads the log of a run, or begins it. One of another run and a damaged one are refused, and
    /// stay as they are.
    pub(super) fn open(path: Option<&Path>, run: &str) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::default()) };
        let refuse = |why: String| {
            Failure::Other(format!("{}: {why}; take another --log, or remove it", path.display()))
        };
        let unreadable = |error| Failure::Other(format!("{}: {error}", path.display()));
        let bytes = if path.exists() { fs::read(path).map_err(unreadable)? } else { Vec::new() };
        let (known, whole) = Known::read(&bytes, run).map_err(refuse)?;
        let mut file =
            OpenOptions::new().create(true).append(true).open(path).map_err(unreadable)?;
        file.set_len(whole as u64)?;
        if whole == 0 {
            file.write_all(head_line(run).as_bytes())?;
        }
        Ok(Self { file: Some(file), known })
    }

    /// A game that was played.
    pub(super) fn game(&self, number: u32) -> Option<&[Square]> {
        self.known.games.get(number as usize).map(Vec::as_slice)
    }

    /// Keeps the next game.
    pub(super) fn add_game(&mut self, number: u32, squares: &[Square]) -> Result<(), Failure> {
        self.write(&game_line(number, squares))
    }

    /// The labels of the first positions, in hundredths of a disc.
    pub(super) fn labels(&self) -> &[i16] {
        &self.known.labels
    }

    /// Keeps the labels of the positions from this one on.
    pub(super) fn add_labels(&mut self, first: usize, labels: &[i16]) -> Result<(), Failure> {
        self.write(&labels_line(first, labels))
    }

    fn write(&mut self, line: &str) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            file.write_all(line.as_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "a run";

    fn squares(text: &str) -> Vec<Square> {
        text.split(' ').filter_map(Square::parse).collect()
    }

    fn refusal(path: &Path, run: &str) -> String {
        let before = fs::read(path).unwrap();
        let why = Log::open(Some(path), run).unwrap_err().to_string();
        assert_eq!(fs::read(path).unwrap(), before, "it stays as it is");
        why
    }

    #[test]
    fn what_is_kept_is_read_again_and_half_a_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = Log::open(Some(&path), RUN).unwrap();
        log.add_game(0, &squares("f5 d6")).unwrap();
        log.add_game(1, &[]).unwrap();
        log.add_labels(0, &[100, -6400, 7]).unwrap();
        let before = fs::read(&path).unwrap();
        log.add_labels(3, &[1, 2]).unwrap();
        let whole = fs::read(&path).unwrap();
        for size in 0..=whole.len() {
            fs::write(&path, &whole[..size]).unwrap();
            let log = Log::open(Some(&path), RUN).unwrap();
            let labels = &[100, -6400, 7, 1, 2];
            if size == whole.len() {
                assert_eq!(log.labels(), labels);
            } else if size >= before.len() {
                assert_eq!(log.labels(), &labels[..3]);
                assert_eq!(log.game(0), Some(&squares("f5 d6")[..]));
                assert_eq!((log.game(1), log.game(2)), (Some(&[][..]), None));
                assert_eq!(fs::read(&path).unwrap(), before);
            } else {
                assert!(log.labels().is_empty());
            }
        }
    }

    #[test]
    fn damage_and_other_runs_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = Log::open(Some(&path), RUN).unwrap();
        log.add_labels(0, &[100, 200]).unwrap();
        log.add_labels(2, &[300]).unwrap();
        let good = fs::read_to_string(&path).unwrap();
        let other = refusal(&path, "another run");
        assert!(other.contains("not the log of this run; take another --log"), "{other}");
        fs::write(&path, good.replace("200", "201")).unwrap();
        assert!(refusal(&path, RUN).contains("line 2 is damaged"));
        let second = good.lines().nth(1).unwrap();
        fs::write(&path, good.replace(&format!("{second}\n"), "")).unwrap();
        assert!(refusal(&path, RUN).contains("line 2 is damaged"), "labels are missing");
        fs::write(&path, "my diary\n").unwrap();
        assert!(refusal(&path, RUN).contains("not the log of this run"));
        fs::write(&path, good.as_bytes().iter().chain(b"\xff\n").copied().collect::<Vec<_>>())
            .unwrap();
        assert!(refusal(&path, RUN).contains("it is damaged"));
    }
}
