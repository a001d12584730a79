//! Boards of 8x8 squares with the marks of two players, as text.

use core::fmt;

use crate::bitboard::Bitboard;
use crate::game::Canvas;
use crate::player::Player;
use crate::square::Square;

/// Draws two sets as `X` and `O` on an 8x8 board; the last move stands in brackets.
#[inline]
pub(crate) fn draw(
    first: Bitboard,
    second: Bitboard,
    last: Option<Square>,
    out: &mut dyn Canvas,
) -> fmt::Result {
    const COLUMNS: &str = "   a b c d e f g h\n";
    out.write_str(COLUMNS)?;
    for row in 0..8u8 {
        write!(out, "{} ", row + 1)?;
        let mut bracket = ' ';
        for square in (0..8).filter_map(|column| Square::at(column, row)) {
            let before = if Some(square) == last { '[' } else { bracket };
            bracket = if Some(square) == last { ']' } else { ' ' };
            out.write_char(before)?;
            if first.contains(square) {
                out.mark(Player::FIRST, 'X')?;
            } else if second.contains(square) {
                out.mark(Player::SECOND, 'O')?;
            } else {
                out.write_char('.')?;
            }
        }
        out.write_char(bracket)?;
        writeln!(out, "{}", row + 1)?;
    }
    out.write_str(COLUMNS)
}

/// Reads 64 characters `X`, `O`, `-` (or `.`) from the front of `text`: the two sets and the rest.
#[inline]
pub(crate) fn parse_sets(text: &str) -> Result<(Bitboard, Bitboard, &str), Option<usize>> {
    let (mut first, mut second) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for square in Bitboard::ALL {
        let index = usize::from(square.index());
        match text.as_bytes().get(index) {
            Some(b'X' | b'x' | b'*') => first.insert(square),
            Some(b'O' | b'o') => second.insert(square),
            Some(b'-' | b'.') => {}
            Some(_) => return Err(Some(index + 1)),
            None => return Err(None),
        }
    }
    Ok((first, second, text.get(64..).unwrap_or("")))
}

/// Writes the 64 characters that [`parse_sets`] reads.
#[inline]
pub(crate) fn write_sets(
    first: Bitboard,
    second: Bitboard,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    Bitboard::ALL.iter().try_for_each(|square| {
        let mark = if first.contains(square) {
            'X'
        } else if second.contains(square) {
            'O'
        } else {
            '-'
        };
        out.write_char(mark)
    })
}
