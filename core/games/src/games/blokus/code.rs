//! The contest's four-character move code `XYPR`: column, row from the top, piece, rotation.

use core::fmt::{self, Write};

use super::pieces::{Orientation, Piece};
use super::{Move, Placement};

/// Reads a code: `0000` is the pass. `None` if the text is not a code or leaves the 14x14 board.
#[inline]
pub fn parse_code(text: &str) -> Option<Move> {
    let &[x, y, piece, rotation] = text.as_bytes() else { return None };
    if text == "0000" {
        return Some(Move::Pass);
    }
    let piece = Piece::from_letter(piece)?;
    let (orientation, reference) = Orientation::from_code(piece, rotation.checked_sub(b'0')?)?;
    let x = coordinate(x)?.checked_sub(reference.0)?;
    let y = coordinate(y)?.checked_sub(reference.1)?;
    let fits = x + orientation.width() <= SIDE && y + orientation.height() <= SIDE;
    fits.then_some(Move::Place(Placement { orientation, x, y }))
}

/// Writes the code with the smallest rotation, in lower case. The placement is on a 14x14 board.
#[inline]
pub fn write_code(mv: Move, out: &mut dyn Write) -> fmt::Result {
    let Move::Place(Placement { orientation, x, y }) = mv else {
        return out.write_str("0000");
    };
    let piece = orientation.piece();
    for rotation in 0..8 {
        if let Some((turned, reference)) = Orientation::from_code(piece, rotation)
            && turned == orientation
        {
            let digit = |value: u8| char::from_digit(u32::from(value) + 1, 15).unwrap_or('?');
            let (x, y) = (digit(x + reference.0), digit(y + reference.1));
            let letters = [x, y, piece.letter(), char::from(b'0' + rotation)];
            return letters.into_iter().try_for_each(|letter| out.write_char(letter));
        }
    }
    Ok(())
}

/// The board of the contest.
const SIDE: u8 = 14;

/// `1`..`9`, `a`..`e` (either case), counted from 0.
fn coordinate(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(15)?;
    (value as u8).checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::string::String;

    #[test]
    fn all_codes_on_the_board_name_all_placements() {
        let digits = "0123456789abcdef";
        let mut codes = 0;
        let mut placements = HashSet::new();
        for x in digits.chars() {
            for y in digits.chars() {
                for piece in 'a'..='z' {
                    for rotation in '0'..='9' {
                        let text = String::from_iter([x, y, piece, rotation]);
                        if let Some(mv @ Move::Place(placement)) = parse_code(&text) {
                            codes += 1;
                            placements.insert((placement.orientation, placement.x, placement.y));
                            let mut canonical = String::new();
                            write_code(mv, &mut canonical).unwrap();
                            assert_eq!(parse_code(&canonical), Some(mv), "{text}");
                            assert!(canonical.as_bytes()[3] <= text.as_bytes()[3], "{text}");
                        }
                    }
                }
            }
        }
        assert_eq!((codes, placements.len()), (26_008, 13_729));
    }

    #[test]
    fn letters_are_read_in_either_case() {
        assert_eq!(parse_code("AAt3"), parse_code("aaT3"));
        assert!(parse_code("aat3").is_some());
        for text in ["", "55", "55s12", "55v0", "55s8", "f5a0", "05a0", "11j0", "ééé", "é5"] {
            assert_eq!(parse_code(text), None, "{text}");
        }
    }
}
