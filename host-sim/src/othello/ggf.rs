//! GGF, the text of a game on the Generic Game Server and in the NBoard protocol:
//! `(;GM[Othello]...BO[8 -------- ... *]B[d3//0.01]W[c3];)`.
//!
//! Tags other than the game, its type, the board and the moves are skipped.

use corvid_core::game::Game;
use corvid_core::games::othello::{Move, Othello};
use corvid_core::player::Player;

/// Characters of a damaged text that are quoted.
const QUOTED: usize = 20;

/// A game so far: where it began, and its moves, passes among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    start: Othello,
    moves: Vec<Move>,
    now: Othello,
}

impl Record {
    /// A game that begins here.
    pub const fn new(start: Othello) -> Self {
        Self { start, moves: Vec::new(), now: start }
    }

    /// The position after the moves.
    pub const fn now(&self) -> &Othello {
        &self.now
    }

    /// How many moves were played, passes among them.
    pub const fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The positions of the game, from its start to the present one.
    pub fn positions(&self) -> Vec<Othello> {
        let mut positions = vec![self.start];
        let mut game = self.start;
        for mv in &self.moves {
            game.play(*mv);
            positions.push(game);
        }
        positions
    }

    /// Plays a move as it is written in a game, `d3`, `D3/1.50/2.3` or `PA`; the reason if it is
    /// refused.
    pub fn play(&mut self, text: &str) -> Result<(), String> {
        let number = self.plies() + 1;
        let word = text.split('/').next().unwrap_or("").trim();
        let refused = |why: &str| format!("move {number} ({}): {why}", quoted(word));
        let mv = match word {
            _ if word.eq_ignore_ascii_case("pa") => Move::Pass,
            _ => self.now.parse_move(word).map_err(|error| refused(error.long))?,
        };
        self.now.check(mv).map_err(|why| refused(&why.to_string()))?;
        self.now.play(mv);
        self.moves.push(mv);
        Ok(())
    }
}

/// The beginning of a text in quotation marks, without control characters.
pub fn quoted(text: &str) -> String {
    let (head, dots) = match text.char_indices().nth(QUOTED) {
        Some((end, _)) => (&text[..end], "..."),
        None => (text, ""),
    };
    format!("'{}{dots}'", head.escape_debug())
}

/// Reads a game; what is wrong with it, in a sentence.
pub fn parse(text: &str) -> Result<Record, String> {
    let (_, mut rest) = text.split_once("(;").ok_or("a game in GGF begins with (;")?;
    let mut record = None;
    loop {
        rest = rest.trim_start();
        if rest.starts_with(";)") {
            return record.ok_or_else(|| "the game has no board (BO)".into());
        }
        let (tag, value, after) = first_tag(rest)?;
        rest = after;
        match (tag, &mut record) {
            ("GM", _) if !value.trim().eq_ignore_ascii_case("othello") => {
                return Err(format!("the game is {}, not Othello", quoted(value)));
            }
            ("TY", _) if value.contains(['a', 'A']) => {
                return Err(format!("type {}: anti games are not played", quoted(value)));
            }
            ("BO", None) => record = Some(Record::new(board(value)?)),
            ("BO", Some(_)) => return Err("the game has two boards (BO)".into()),
            ("B" | "W", None) => return Err("a move stands before the board (BO)".into()),
            ("B", Some(record)) => play(record, Player::FIRST, value)?,
            ("W", Some(record)) => play(record, Player::SECOND, value)?,
            _ => {}
        }
    }
}

/// The first tag of a text, its value, and what follows.
fn first_tag(text: &str) -> Result<(&str, &str, &str), String> {
    let damaged = || match text {
        "" => "the game is cut: ;) is missing".into(),
        _ => format!("a tag such as B[d3] should stand at {}", quoted(text)),
    };
    let (tag, rest) = text.split_once('[').ok_or_else(damaged)?;
    if tag.is_empty() || !tag.bytes().all(|letter| letter.is_ascii_alphabetic()) {
        return Err(damaged());
    }
    let (value, rest) =
        rest.split_once(']').ok_or_else(|| format!("the game is cut: {tag}[ is not closed"))?;
    Ok((tag, value, rest))
}

/// The position of a board tag: the side, 64 squares with or without blanks, who moves.
fn board(value: &str) -> Result<Othello, String> {
    let (side, squares) = value.trim().split_once(char::is_whitespace).unwrap_or((value, ""));
    if side != "8" {
        return Err(format!("the board is {}; only 8 is played", quoted(side)));
    }
    let mut text: String = squares.split_whitespace().collect();
    let turn = text.pop().map_or_else(String::new, String::from);
    let text = format!("{text} {turn}");
    Othello::START.parse_position(&text).map_err(|error| format!("the board (BO): {error}"))
}

/// Plays a player's move; a pass that was left out is put in.
fn play(record: &mut Record, player: Player, text: &str) -> Result<(), String> {
    if record.now.turn() != player && record.now.forced_pass().is_some() {
        record.play("pass")?;
    }
    if record.now.turn() != player {
        let number = record.plies() + 1;
        let name = Othello::COLORS[record.now.turn().index()].name;
        return Err(format!("move {number} ({}): it is {name}'s turn", quoted(text)));
    }
    record.play(text)
}

/// A text as NBoard sends it, with these moves, for tests.
#[doc(hidden)]
pub fn game(moves: &str) -> String {
    format!(
        "(;GM[Othello]PC[NBoard]DT[2026-11-17 12:00:00 GMT]PB[Ann]PW[Ben]RE[?]TI[15:00]TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]{moves};)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_moves_are_read_with_values_and_blanks() {
        let read = parse(&game("B[F5]W[d6//0.01]B[C3/-1.25/3]\n W[d3]")).unwrap();
        let mut expected = Record::new(Othello::START);
        for mv in ["f5", "d6", "c3", "d3"] {
            expected.play(mv).unwrap();
        }
        assert_eq!(read, expected);
        assert_eq!((read.plies(), read.positions().len()), (4, 5));
        assert_eq!(read.positions().last(), Some(read.now()));
        let rows = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
        let spaced = format!("1 (;GM[Othello]BO[{rows}];)");
        assert_eq!(parse(&spaced), Ok(Record::new(Othello::START)));
    }

    /// White has no move, black has one on a1.
    const WHITE_PASSES: &str = "(;BO[8 -O******************************************************\
                                 ******** O]";

    #[test]
    fn passes_are_written_or_left_out() {
        let written = parse(&format!("{WHITE_PASSES}W[PA]B[a1];)")).unwrap();
        let left_out = parse(&format!("{WHITE_PASSES}B[a1];)")).unwrap();
        assert_eq!(written, left_out);
        assert!(written.now().is_over());
    }

    #[test]
    fn damaged_games_are_refused_with_the_place() {
        let cases = [
            ("", "a game in GGF begins with (;"),
            ("(;GM[Othello];)", "the game has no board (BO)"),
            ("(;GM[Amazons]", "the game is 'Amazons', not Othello"),
            ("(;TY[8a]", "type '8a': anti games are not played"),
            ("(;BO[10 ---]", "the board is '10'; only 8 is played"),
            ("(;B[d3];)", "a move stands before the board (BO)"),
            ("(;GM[Othello", "the game is cut: GM[ is not closed"),
            ("(;GM[Othello]", "the game is cut: ;) is missing"),
            ("(;GM[Othello]42;)", "a tag such as B[d3] should stand at '42;)'"),
            (&game("B[f5]W[a1]"), "move 2 ('a1'): a disc on a1 turns nothing over"),
            (&game("B[f5]W[z9]"), "move 2 ('z9'): a move is a square a1..h8, or pass"),
            (&game("B[f5]B[d6]"), "move 2 ('d6'): it is white's turn"),
            (&game("B[PA]"), "move 1 ('PA'): you can move, for example d3: no pass"),
        ];
        for (text, why) in cases {
            assert_eq!(parse(text).unwrap_err(), why, "{text}");
        }
        let board = parse("(;BO[8 --- *];)").unwrap_err();
        assert!(board.starts_with("the board (BO): "), "{board}");
        assert!(parse("(;BO[8 ];)").is_err() && parse("(;BO[];)").is_err());
    }
}
