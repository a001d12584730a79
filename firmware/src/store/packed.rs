//! Moves as a few bytes each, made from their text and turned back into it.
//!
//! The text forms of moves are fixed for outside programs, so a save stays readable whatever the
//! core does inside.
use core::fmt::Write;
use corvid_core::{session::MoveText, setup::GameKind};

/// A pass, in any number of bytes.
const PASS: u64 = u64::MAX;

/// The side of the box that any piece of Blokus fits in.
const BOX: u64 = 5;

/// Bytes that a move of a game takes.
pub(crate) const fn width(kind: GameKind) -> usize {
    match kind {
        GameKind::Othello | GameKind::Adjacency | GameKind::Dots => 1,
        GameKind::BlokusDuo | GameKind::BlokusClassic => 5,
    }
}

/// The number of a move; its lowest [`width`] bytes count. `None` for what is not a move's text.
///
/// - Othello and Adjacency: 8 times the row, plus the column.
/// - Dots and Boxes: of the upper or left dot, 22 times the row plus 2 times the column, plus 1 for
///   a line downwards.
/// - Blokus: the lowest column and row, 5 bits each, then a bit for each cell of the 5x5 box there,
///   column by column.
pub(crate) fn pack(kind: GameKind, text: &str) -> Option<u64> {
    if text == "pass" {
        return Some(PASS);
    }
    match kind {
        GameKind::Othello | GameKind::Adjacency => {
            let (column, row) = cell(text)?;
            (column < 8 && row < 8).then_some(row * 8 + column)
        }
        GameKind::Dots => {
            let (from, to) = text.split_once('-')?;
            let (from, to) = (dot(from)?, dot(to)?);
            let (row, column) = from.min(to);
            let downwards = u64::from(from.0 != to.0);
            (row < 11 && column < 11).then_some(row * 22 + column * 2 + downwards)
        }
        GameKind::BlokusDuo | GameKind::BlokusClassic => {
            let (mut left, mut low) = (31, 31);
            for word in text.split(',') {
                let (column, row) = cell(word)?;
                (left, low) = (left.min(column), low.min(row));
            }
            let mut packed = left | low << 5;
            for word in text.split(',') {
                let (column, row) = cell(word)?;
                let (x, y) = (column - left, row - low);
                if x >= BOX || y >= BOX {
                    return None;
                }
                packed |= 1 << (10 + x * BOX + y);
            }
            Some(packed)
        }
    }
}

/// The text of a move's number. Of a number that [`pack`] never gives it is some text that may not
/// be a move, or `None`.
pub(crate) fn unpack(kind: GameKind, packed: &[u8]) -> Option<MoveText> {
    let mut text = MoveText::new();
    if packed.iter().all(|byte| *byte == 0xFF) {
        text.push_str("pass").ok()?;
        return Some(text);
    }
    let number = packed.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
    match kind {
        GameKind::Othello | GameKind::Adjacency => {
            write_cell(&mut text, number % 8, number / 8)?;
        }
        GameKind::Dots => {
            let (row, column) = (number / 22, number % 22 / 2);
            let (down, right) = (number % 2, 1 - number % 2);
            write!(text, "{row},{column}-{},{}", row + down, column + right).ok()?;
        }
        GameKind::BlokusDuo | GameKind::BlokusClassic => {
            let (left, low) = (number & 31, number >> 5 & 31);
            for bit in (0..BOX * BOX).filter(|bit| number >> (10 + bit) & 1 == 1) {
                if !text.is_empty() {
                    text.push(',').ok()?;
                }
                write_cell(&mut text, left + bit / BOX, low + bit % BOX)?;
            }
        }
    }
    Some(text)
}

/// Column and row of a cell such as `c12`, from 0.
fn cell(text: &str) -> Option<(u64, u64)> {
    let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
    let row = number(&text[1..])?.checked_sub(1)?;
    Some((u64::from(letter - b'a'), row))
}

/// Row and column of a dot such as `3,10`.
fn dot(text: &str) -> Option<(u64, u64)> {
    let (row, column) = text.split_once(',')?;
    Some((number(row)?, number(column)?))
}

fn number(text: &str) -> Option<u64> {
    text.parse::<u8>().ok().map(u64::from)
}

fn write_cell(text: &mut MoveText, column: u64, row: u64) -> Option<()> {
    // Columns are below 64: five bits and four more.
    let letter = char::from(b'a' + column as u8);
    write!(text, "{letter}{}", row + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_back_as_they_were_written() {
        for (kind, texts) in [
            (GameKind::Othello, &["a1", "h8", "d3", "pass"][..]),
            (GameKind::Dots, &["0,0-0,1", "0,0-1,0", "10,9-10,10", "9,10-10,10"]),
            (GameKind::BlokusDuo, &["e10", "a1,a2,a3,a4,a5", "pass"]),
            (GameKind::BlokusClassic, &["p20,q20,r20,s20,t20", "t16,t17,t18,t19,t20"]),
        ] {
            for text in texts {
                let number = pack(kind, text).unwrap();
                let bytes = &number.to_le_bytes()[..width(kind)];
                assert_eq!(unpack(kind, bytes).unwrap(), *text, "{kind}: {bytes:?}");
            }
        }
    }

    #[test]
    fn what_is_no_move_has_no_number() {
        for (kind, text) in [
            (GameKind::Othello, ""),
            (GameKind::Othello, "i1"),
            (GameKind::Othello, "a9"),
            (GameKind::Othello, "a0"),
            (GameKind::Othello, "a256"),
            (GameKind::Dots, "0,0"),
            (GameKind::Dots, "0,11-0,12"),
            (GameKind::BlokusDuo, "a1,,a2"),
            (GameKind::BlokusDuo, "a1,a6"),
            (GameKind::BlokusDuo, "\u{e9}1"),
        ] {
            assert_eq!(pack(kind, text), None, "{kind}: {text}");
        }
    }

    #[test]
    fn no_bytes_break_it() {
        for kind in GameKind::ALL {
            for fill in 0..=255 {
                let _ = unpack(kind, &[fill; 5][..width(kind)]);
            }
        }
    }
}
