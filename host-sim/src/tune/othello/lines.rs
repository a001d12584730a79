//! The log of `corvid tune othello`: what was played and labelled so far.
//!
//! A text file: a line that says of which run it is, then games and labels in their order, each line
//! with a checksum at its end. A run that is killed leaves half a line at most, which is done again.
//!
//! ```text
//! game 0 f5d6c3... *1f0e...
//! labels 0 1200 -400 ... *9a3c...
//! ```

use std::fmt::Write;

use corvid_core::mix::mix_in;
use corvid_core::square::Square;

/// What a log holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// The games by their number: their moves without the passes.
    pub games: Vec<Vec<Square>>,
    /// The labels of the first positions, in hundredths of a disc.
    pub labels: Vec<i16>,
}

impl Known {
    /// Reads the log of a run; also how many bytes of it are whole lines. The reason if it is another
    /// run's or damaged.
    pub fn read(bytes: &[u8], run: &str) -> Result<(Self, usize), String> {
        let head = sealed(run);
        if !bytes.starts_with(head.as_bytes()) && !head.as_bytes().starts_with(bytes) {
            return Err("not the log of this run".into());
        }
        let mut known = Self::default();
        // The rest of the last line was never written.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&bytes[..whole]).map_err(|_| "it is damaged")?;
        for (number, line) in text.lines().enumerate().skip(1) {
            let read = unsealed(line).and_then(|line| known.line(line));
            read.ok_or_else(|| format!("line {} is damaged", number + 1))?;
        }
        Ok((known, whole))
    }

    /// Takes in a line; `None` if it doesn't follow those before.
    fn line(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        let (kind, number) = (words.next()?, words.next()?.parse::<usize>().ok()?);
        match kind {
            "game" if number == self.games.len() => {
                let moves = words.next()?;
                let squares = (0..moves.len()).step_by(2);
                let squares = squares.map(|at| moves.get(at..at + 2).and_then(Square::parse));
                self.games.push(squares.collect::<Option<_>>()?);
                words.next().is_none().then_some(())
            }
            "labels" if number == self.labels.len() => {
                for word in words {
                    self.labels.push(word.parse().ok()?);
                }
                Some(())
            }
            _ => None,
        }
    }
}

/// The first line of a run's log.
pub fn head_line(run: &str) -> String {
    sealed(run)
}

/// The line of a game.
pub fn game_line(number: u32, squares: &[Square]) -> String {
    let mut line = format!("game {number} ");
    squares.iter().for_each(|square| _ = write!(line, "{square}"));
    sealed(&line)
}

/// The line of the labels of the positions from this one on.
pub fn labels_line(first: usize, labels: &[i16]) -> String {
    let mut line = format!("labels {first}");
    labels.iter().for_each(|label| _ = write!(line, " {label}"));
    sealed(&line)
}

fn checksum(line: &str) -> u64 {
    line.bytes().fold(0, |sum, byte| mix_in(sum, byte.into()))
}

/// A line with its checksum and its end; for tests.
#[doc(hidden)]
pub fn sealed(line: &str) -> String {
    format!("{line} *{:016x}\n", checksum(line))
}

/// A line without its checksum; `None` if that is another line's.
fn unsealed(line: &str) -> Option<&str> {
    let (line, seal) = line.rsplit_once(" *")?;
    (u64::from_str_radix(seal, 16).ok()? == checksum(line)).then_some(line)
}
