//! WTHOR files: the games of a year's tournaments, 68 bytes each.
//!
//! A header of 16 bytes is followed by the games; numbers are little-endian. Of the header: the date
//! of the file (century, year, month, day), the number of games (4 bytes), the number of names (2
//! bytes, 0 here: the files of players and tournaments have the same header), the year of the games
//! (2 bytes) and the side of the board (0 stands for 8). Of a game: tournament, black and white player
//! (2 bytes each), black's score, the score with perfect play from some point on, and 60 moves, each 10
//! times the row plus the column, counted from 1. Passes are left out, and 0 fills the rest.

use std::fmt;

use corvid_core::square::Square;

/// Bytes before the first game.
const HEADER: usize = 16;

/// Bytes of a game.
const RECORD: usize = 68;

/// Bytes of a game before its moves.
const BEFORE_MOVES: usize = 8;

/// Where black's score is in a game.
const SCORE: usize = 6;

/// A game as it is recorded.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// Black's discs at the end, with the empty squares counted for the winner.
    pub score: u8,
    moves: &'a [u8],
}

impl Record<'_> {
    /// The moves up to the last one that isn't 0, each as it is written.
    pub fn moves(&self) -> &[u8] {
        let end = self.moves.iter().rposition(|written| *written != 0).map_or(0, |last| last + 1);
        &self.moves[..end]
    }
}

/// The square of a move: 56 is f5.
pub fn square(written: u8) -> Option<Square> {
    let (row, column) = (written / 10, written % 10);
    Square::at(column.checked_sub(1)?, row.checked_sub(1)?)
}

/// Why a file is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrongFile {
    /// It has only so many bytes.
    NoHeader(usize),
    /// The header's date is none.
    NoDate,
    /// It lists players or tournaments.
    Names,
    /// The board has another side.
    Side(u8),
    /// The header announces so many games; the file's bytes are not those of as many.
    Size {
        /// By the header.
        games: u32,
        /// Of the file.
        bytes: usize,
    },
}

impl fmt::Display for WrongFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoHeader(bytes) => {
                write!(f, "not a WTHOR file: it has {bytes} bytes, and the header alone {HEADER}")
            }
            Self::NoDate => f.write_str("not a WTHOR file: its header has no valid date"),
            Self::Names => f.write_str("a WTHOR file of names, not of games"),
            Self::Side(side) => {
                write!(f, "its games are on a board of {side}x{side}; only 8x8 is read")
            }
            Self::Size { games, bytes } => {
                let expected = size(games);
                let what = if (bytes as u64) < expected { "cut" } else { "too long" };
                write!(
                    f,
                    "the file is {what}: its header announces {games} games, which take {expected} \
                     bytes, and it has {bytes}"
                )
            }
        }
    }
}

/// The bytes of a file with so many games.
fn size(games: u32) -> u64 {
    HEADER as u64 + u64::from(games) * RECORD as u64
}

/// The games of a file.
pub fn records(file: &[u8]) -> Result<impl Iterator<Item = Record<'_>>, WrongFile> {
    let bytes = file.len();
    let Some((header, games)) = file.split_first_chunk::<HEADER>() else {
        return Err(WrongFile::NoHeader(bytes));
    };
    let &[_, _, month, day, n0, n1, n2, n3, names0, names1, _, _, side, ..] = header;
    if month > 12 || day > 31 {
        return Err(WrongFile::NoDate);
    }
    let count = u32::from_le_bytes([n0, n1, n2, n3]);
    if count == 0 && [names0, names1] != [0, 0] {
        return Err(WrongFile::Names);
    }
    if side != 0 && side != 8 {
        return Err(WrongFile::Side(side));
    }
    if bytes as u64 != size(count) {
        return Err(WrongFile::Size { games: count, bytes });
    }
    Ok(games
        .chunks_exact(RECORD)
        .map(|game| Record { score: game[SCORE], moves: &game[BEFORE_MOVES..] }))
}

/// A file with these games, black's score and at most 60 squares each, for tests.
#[doc(hidden)]
pub fn file(games: &[(u8, Vec<Square>)]) -> Vec<u8> {
    let mut bytes = vec![20, 26, 11, 17];
    bytes.extend((games.len() as u32).to_le_bytes());
    bytes.extend([0, 0, 0xea, 7, 8, 0, 0, 0]);
    for (score, squares) in games {
        bytes.extend([1, 0, 2, 0, 3, 0, *score, *score]);
        let written = |square: &Square| 10 * (square.index() / 8 + 1) + square.index() % 8 + 1;
        let moves: Vec<_> = squares.iter().map(written).collect();
        bytes.extend(&moves);
        bytes.resize(bytes.len() + 60 - moves.len(), 0);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(file: &[u8]) -> WrongFile {
        records(file).map(|_| ()).unwrap_err()
    }

    #[test]
    fn moves_are_row_and_column() {
        for (written, text) in [(11, "a1"), (18, "h1"), (56, "f5"), (81, "a8"), (88, "h8")] {
            assert_eq!(square(written), Square::parse(text), "{written}");
        }
        for written in [0, 1, 10, 19, 50, 59, 90, 91, 255] {
            assert_eq!(square(written), None, "{written}");
        }
    }

    #[test]
    fn games_are_read_in_their_order() {
        let squares = |text: &str| text.split(' ').filter_map(Square::parse).collect();
        let bytes = file(&[(32, squares("f5 d6")), (40, vec![])]);
        let read: Vec<_> = records(&bytes).unwrap().collect();
        assert_eq!(read.len(), 2);
        assert_eq!((read[0].score, read[0].moves()), (32, &[56, 64][..]));
        assert_eq!((read[1].score, read[1].moves()), (40, &[][..]));
        let empty = records(&file(&[])).unwrap().count();
        assert_eq!(empty, 0);
    }

    #[test]
    fn other_files_are_refused() {
        let good = file(&[(32, vec![]), (32, vec![])]);
        assert_eq!(refused(b""), WrongFile::NoHeader(0));
        assert_eq!(refused(b"# some text that is no archive"), WrongFile::NoDate);
        let changed = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            bytes
        };
        assert_eq!(refused(&changed(12, 10)), WrongFile::Side(10));
        assert!(records(&changed(12, 0)).is_ok(), "0 stands for 8");
        let mut names = changed(4, 0);
        names[8] = 2;
        assert_eq!(refused(&names), WrongFile::Names);
        let bytes = good.len();
        let cut = WrongFile::Size { games: 2, bytes: bytes - 1 };
        assert_eq!(refused(&good[..bytes - 1]), cut);
        assert_eq!(
            cut.to_string(),
            "the file is cut: its header announces 2 games, which take 152 bytes, and it has 151"
        );
        assert_eq!(refused(&changed(4, 1)), WrongFile::Size { games: 1, bytes });
        assert_eq!(refused(&changed(7, 255)), WrongFile::Size { games: 0xff00_0002, bytes });
    }
}
