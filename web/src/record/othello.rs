//! Othello games as most programs and sites write them: the squares in a row, `f5d6c3d3c4`.
//!
//! Blanks, numbers, either letter case, and passes that are left out or written `--`, `pa` or `pass`
//! are all understood. Some records begin with the colours of the four discs exchanged: black on d4 and
//! e5. The same game from Corvid's start, black on e4 and d5, is its mirror image.

use corvid_core::registry::GameKind;
use corvid_core::session::Match;
use corvid_core::setup::Setup;

use super::{Format, Header, Record, Written, moves_of, quoted, replay};

const KIND: GameKind = GameKind::Othello;

pub(super) const FORMAT: Format = Format { name: "squares", has: |kind| kind == KIND, write };

/// How a pass is written, the longest first.
const PASSES: [&str; 4] = ["pass", "pa", "ps", "--"];

pub(super) fn read(text: &str) -> Result<Record, String> {
    let moves = moves_in(text)?;
    if moves.is_empty() {
        return Err("the record has no moves".into());
    }
    let setup = Setup::usual(KIND);
    let (header, mut notes) = (Header::default(), Vec::new());
    let game = match replay(setup, &moves) {
        Ok(game) => game,
        Err(failure) => {
            let mirrored = replay(setup, &moves.iter().map(mirror).collect::<Vec<_>>());
            notes.push(
                "It begins with the other colours in the centre, and was mirrored left to right.",
            );
            // A game that fails both ways is told as it was written.
            mirrored.map_err(|_| failure.text)?
        }
    };
    Ok(Record { game, header, notes })
}

/// The moves, in whatever way they are separated.
fn moves_in(text: &str) -> Result<Vec<Written>, String> {
    let mut moves = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        for word in line.split_whitespace().take_while(|word| !word.starts_with('#')) {
            let mut rest = super::without_number(word);
            // A bare number counts moves too.
            if rest.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            while !rest.is_empty() {
                let (text, tail) = first_move(rest).ok_or_else(|| {
                    let number = moves.len() + 1;
                    format!(
                        "move {number} (line {line_number}), {}: a move is a square a1..h8, or pass",
                        quoted(rest)
                    )
                })?;
                moves.push(Written::new(&text, line_number));
                rest = tail.trim_start_matches([',', ';']);
            }
        }
    }
    Ok(moves)
}

/// The first move of a word, and what follows it.
fn first_move(word: &str) -> Option<(String, &str)> {
    for pass in PASSES {
        if let Some((head, tail)) = word.split_at_checked(pass.len())
            && head.eq_ignore_ascii_case(pass)
        {
            return Some(("pass".into(), tail));
        }
    }
    let (square, tail) = word.split_at_checked(2)?;
    let square = square.to_ascii_lowercase();
    let [column, row] = *square.as_bytes() else { return None };
    let on_board = (b'a'..=b'h').contains(&column) && (b'1'..=b'8').contains(&row);
    on_board.then_some((square, tail))
}

/// The same move on a board seen from behind.
fn mirror(written: &Written) -> Written {
    let text = match *written.text.as_bytes() {
        [column @ b'a'..=b'h', row] => {
            [char::from(b'a' + b'h' - column), char::from(row)].iter().collect()
        }
        _ => written.text.clone(),
    };
    Written { text, ..written.clone() }
}

fn write(game: &Match, _: &Header) -> String {
    let moves = moves_of(game);
    let squares: Vec<_> = moves.iter().map(String::as_str).filter(|mv| *mv != "pass").collect();
    squares.concat() + "\n"
}
