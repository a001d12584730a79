//! The NBoard protocol, version 2: a viewer of Othello games sends commands, one a line; unknown ones
//! are ignored. [`Nboard`] answers them.

use std::cmp::Reverse;
use std::io::{self, BufRead, Read, Write};

use corvid_core::game::Game;
use corvid_core::games::othello::{Move, Othello};

use super::ggf::{self, Record, quoted};
pub use super::look::Interrupt;
use super::look::{Looker, MAX_DEPTH, Value};
use crate::heard::harmless;

/// The version of the protocol.
const VERSION: &str = "2";

/// The depth until a viewer sets one.
const USUAL_DEPTH: u8 = 8;

/// A hint compares all moves at this depth before it looks at the best of them.
const FIRST_LOOK: u8 = 4;

/// Longer lines are refused. A game of 60 moves with values and times has about 1,500 bytes.
pub const MAX_LINE: u64 = 64 * 1024;

/// A line, or `Some(None)` for one that is too long; `None` at the end of the input.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Option<String>>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(None));
    }
    Ok(Some(Some(String::from_utf8_lossy(&bytes).into_owned())))
}

/// Whether a line ends the search under way.
pub fn interrupts(line: &str) -> bool {
    matches!(line.split_whitespace().next(), Some("ping" | "quit"))
}

/// Whether more lines are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// They are.
    Continue,
    /// The viewer has quit.
    Quit,
}

/// The engine's side of the protocol.
#[derive(Debug)]
pub struct Nboard<'a> {
    game: Record,
    depth: u8,
    looker: Looker<'a>,
    interrupt: &'a Interrupt,
    /// Microseconds since some moment.
    clock: fn() -> u64,
}

impl<'a> Nboard<'a> {
    /// One with this memory, all zeros, and a clock that tells microseconds since some moment.
    pub fn new(memory: &'a mut [u64], interrupt: &'a Interrupt, clock: fn() -> u64) -> Self {
        let (game, looker) = (Record::new(Othello::START), Looker::new(memory, interrupt, clock));
        Self { game, depth: USUAL_DEPTH, looker, interrupt, clock }
    }

    /// The game that the viewer shows.
    pub const fn game(&self) -> &Record {
        &self.game
    }

    /// How many plies are looked ahead.
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// Answers a line.
    pub fn line(&mut self, line: &str, out: &mut dyn Write) -> io::Result<Flow> {
        let (command, rest) = first_word(line);
        match command {
            "nboard" if rest == VERSION => writeln!(out, "set myname Corvid")?,
            "nboard" => refuse(out, &format!("Corvid speaks version {VERSION} of the protocol"))?,
            "set" => self.set(rest, out)?,
            "move" => {
                if let Err(why) = self.game.play(rest) {
                    refuse(out, &why)?;
                }
            }
            "go" => self.go(out)?,
            "hint" => match rest.parse::<usize>() {
                Ok(count @ 1..) => self.hint(count, out)?,
                _ => refuse(out, "hint takes a number of moves, 1 or more")?,
            },
            "analyze" => self.analyze(out)?,
            "ping" => {
                self.interrupt.serve();
                writeln!(out, "pong {}", harmless(rest))?;
            }
            // There is no book to learn for.
            "learn" => writeln!(out, "learned")?,
            "quit" => return Ok(Flow::Quit),
            _ => {}
        }
        Ok(Flow::Continue)
    }

    fn set(&mut self, text: &str, out: &mut dyn Write) -> io::Result<()> {
        let (what, value) = first_word(text);
        match what {
            "depth" => match value.parse::<u32>() {
                Ok(depth @ 1..) => {
                    self.depth = depth.min(MAX_DEPTH.into()) as u8;
                    Ok(())
                }
                _ => refuse(out, &format!("set depth {}: not a depth", quoted(value))),
            },
            "game" => match ggf::parse(value) {
                Ok(game) => {
                    self.game = game;
                    Ok(())
                }
                Err(why) => refuse(out, &format!("set game: {why}")),
            },
            // Draws are worth what they are worth.
            "contempt" if value.parse::<f64>().is_err() => {
                refuse(out, &format!("set contempt {}: not a number", quoted(value)))
            }
            _ => Ok(()),
        }
    }

    /// Tells the move that it would play, which is not played yet.
    fn go(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let game = *self.game.now();
        if game.is_over() {
            return refuse(out, "the game is over");
        }
        if let Some(pass) = game.forced_pass() {
            return writeln!(out, "=== {}", written(&[pass]));
        }
        let begun = self.begin("Corvid is thinking", out)?;
        let value = self.looker.look(&game, self.depth);
        let seconds = self.end(begun, out)?;
        // Any move will do for somebody who interrupts before there is a first value.
        let (best, lead) = match &value {
            Some(Value { line, lead, .. }) if !line.is_empty() => (line[0], *lead),
            _ => (game.targets().first().map_or(Move::Pass, Move::Disc), 0),
        };
        writeln!(out, "=== {}/{}/{seconds:.2}", written(&[best]), discs(lead))?;
        writeln!(out, "status")
    }

    /// Tells what the best moves are worth, so many of them: at first sight, then at the set depth.
    fn hint(&mut self, count: usize, out: &mut dyn Write) -> io::Result<()> {
        let game = *self.game.now();
        let mut moves = Vec::new();
        game.for_each_move(|mv| moves.push((mv, None)));
        if moves.is_empty() {
            return refuse(out, "the game is over");
        }
        let begun = self.begin("Corvid is thinking", out)?;
        let first_depth = FIRST_LOOK.min(self.depth);
        for (mv, value) in &mut moves {
            *value = self.looker.look_at_move(&game, *mv, first_depth);
        }
        moves.sort_by_key(|(_, value)| Reverse(value.as_ref().map(|value| value.lead)));
        moves.truncate(count);
        for value in moves.iter().filter_map(|(_, value)| value.as_ref()) {
            tell(value, out)?;
        }
        let is_final = |value: &Value| value.exact || first_depth == self.depth;
        moves.retain(|(_, value)| !value.as_ref().is_some_and(is_final));
        for (mv, _) in moves {
            let value = self.looker.look_at_move(&game, mv, self.depth);
            // What an interrupted look knows is less than what was told before.
            if self.interrupt.is_waiting() {
                break;
            }
            if let Some(value) = value {
                tell(&value, out)?;
            }
        }
        self.end(begun, out)?;
        writeln!(out, "status")
    }

    /// Tells what the positions of the game are worth, from the last to the first.
    fn analyze(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let begun = self.begin("Corvid is analyzing", out)?;
        for (played, game) in self.game.positions().iter().enumerate().rev() {
            let value = self.looker.look(game, self.depth);
            if self.interrupt.is_waiting() {
                break;
            }
            if let Some(value) = value {
                writeln!(out, "analysis {played} {}", discs(value.lead))?;
                out.flush()?;
            }
        }
        self.end(begun, out)?;
        writeln!(out, "status")
    }

    /// Tells what it is about to do; when that begins.
    fn begin(&mut self, status: &str, out: &mut dyn Write) -> io::Result<u64> {
        writeln!(out, "status {status}")?;
        out.flush()?;
        self.looker.take_nodes();
        Ok((self.clock)())
    }

    /// Tells how many positions were looked at, and in how many seconds, which it returns.
    fn end(&mut self, begun: u64, out: &mut dyn Write) -> io::Result<f64> {
        let seconds = (self.clock)().saturating_sub(begun) as f64 / 1e6;
        writeln!(out, "nodestats {} {seconds:.2}", self.looker.take_nodes())?;
        Ok(seconds)
    }
}

/// Tells the value of a line of moves at once.
fn tell(value: &Value, out: &mut dyn Write) -> io::Result<()> {
    let depth = if value.exact { "100%".into() } else { value.depth.to_string() };
    writeln!(out, "search {} {} 0 {depth}", written(&value.line), discs(value.lead))?;
    out.flush()
}

/// Says in the viewer's status line why nothing was done.
fn refuse(out: &mut dyn Write, why: &str) -> io::Result<()> {
    writeln!(out, "status {why}")
}

/// The first word of a text and the rest.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// Moves in a row: `F5D6PA`.
fn written(moves: &[Move]) -> String {
    let text = |mv: &Move| match mv {
        Move::Pass => "PA".into(),
        Move::Disc(square) => square.to_string().to_ascii_uppercase(),
    };
    moves.iter().map(text).collect()
}

/// Hundredths of a disc in discs.
fn discs(hundredths: i32) -> String {
    format!("{:.2}", f64::from(hundredths) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::ggf::game;

    /// What an engine answers to some lines.
    fn answers(lines: &[&str]) -> Vec<String> {
        let interrupt = Interrupt::default();
        let mut memory = [0; 1 << 14];
        let mut nboard = Nboard::new(&mut memory, &interrupt, || 0);
        let mut out = Vec::new();
        for line in lines {
            if interrupts(line) {
                interrupt.announce();
            }
            nboard.line(line, &mut out).unwrap();
        }
        String::from_utf8(out).unwrap().lines().map(Into::into).collect()
    }

    /// The one line that begins with this word.
    fn only<'a>(answers: &'a [String], word: &str) -> &'a str {
        let mut found = answers.iter().filter(|line| first_word(line).0 == word);
        let line = found.next().unwrap_or_else(|| panic!("no {word} in {answers:?}"));
        assert_eq!(found.next(), None, "{answers:?}");
        line
    }

    #[test]
    fn a_session_as_a_viewer_leads_it() {
        let set = format!("set game {}", game("B[F5]W[D6]B[C3]"));
        let said = answers(&["nboard 2", "set depth 6", &set, "set contempt 0", "ping 1", "go"]);
        assert_eq!(said[..3], ["set myname Corvid", "pong 1", "status Corvid is thinking"]);
        assert!(only(&said, "nodestats").ends_with(" 0.00"));
        let parts: Vec<_> = only(&said, "===").split([' ', '/']).collect();
        assert!(matches!(parts[..], ["===", _, _, "0.00"]), "{said:?}");
        let mut record = ggf::parse(&game("B[F5]W[D6]B[C3]")).unwrap();
        record.play(parts[1]).unwrap();
        assert!(parts[2].parse::<f64>().is_ok_and(|discs| discs.abs() <= 64.0), "{said:?}");
        assert_eq!(said.last().map(String::as_str), Some("status"));
    }

    #[test]
    fn go_plays_nothing_and_move_does() {
        let said = answers(&["set depth 1", "go", "move f5/1.5/2", "move d6", "move a1"]);
        assert_eq!(only(&said, "===").split('/').count(), 3);
        let refused = "status move 3 ('a1'): a disc on a1 turns nothing over";
        assert_eq!(said.last().map(String::as_str), Some(refused));
    }

    #[test]
    fn hints_are_as_many_as_asked_for_at_first_sight_and_at_the_set_depth() {
        for (count, told) in [("1", 1), ("3", 3), ("50", 4)] {
            let said = answers(&["set depth 5", &format!("hint {count}")]);
            let hints: Vec<_> = said.iter().filter(|line| line.starts_with("search ")).collect();
            let (first, second) = hints.split_at(told);
            assert_eq!(second.len(), told, "{said:?}");
            for (hints, depth) in [(first, "4"), (second, "5")] {
                for hint in hints {
                    let words: Vec<_> = hint.split(' ').collect();
                    assert!(matches!(words[..], ["search", _, _, "0", _]), "{hint}");
                    assert_eq!(words[4], depth, "{hint}");
                    assert!(Record::new(Othello::START).play(&words[1][..2]).is_ok(), "{hint}");
                }
            }
        }
        let said = answers(&["set depth 2", "hint 1"]);
        assert!(only(&said, "search").ends_with(" 0 2"), "nothing is told twice");
    }

    /// White has to pass; black then fills the board.
    const PASSES: &str = "(;BO[8 -O**************************************************************\
                          O];)";

    #[test]
    fn passes_and_the_end_are_told() {
        let set = format!("set game {PASSES}");
        assert_eq!(answers(&[&set, "go"]), ["=== PA"]);
        let said = answers(&[&set, "hint 2"]);
        assert_eq!(only(&said, "search"), "search PAA1 -64.00 0 100%");
        let said = answers(&[&set, "move PA", "go"]);
        assert!(only(&said, "===").starts_with("=== A1/64.00/"));
        let over = [&set[..], "move pa", "move a1", "go", "hint 1"];
        assert_eq!(answers(&over), ["status the game is over"; 2]);
        let said = answers(&[&set, "move pa", "move a1", "analyze"]);
        let values: Vec<_> = said.iter().filter(|line| line.starts_with("analysis ")).collect();
        assert_eq!(values, ["analysis 2 -64.00", "analysis 1 64.00", "analysis 0 -64.00"]);
    }

    #[test]
    fn bad_input_is_told_and_the_game_stays() {
        let set = format!("set game {}", game("B[F5]"));
        let damaged = format!("set game {}", game("B[F5]W[A1]"));
        let cases = [
            (&damaged[..], "set game: move 2 ('A1'): a disc on A1 turns nothing over"),
            ("set game", "set game: a game in GGF begins with (;"),
            ("set depth", "set depth '': not a depth"),
            ("set depth -3", "set depth '-3': not a depth"),
            ("set contempt x", "set contempt 'x': not a number"),
            ("move", "move 2 (''): a move is a square a1..h8, or pass"),
            ("hint 0", "hint takes a number of moves, 1 or more"),
            ("nboard 7", "Corvid speaks version 2 of the protocol"),
        ];
        for (line, why) in cases {
            let why = why.replace("on A1", "on a1");
            assert_eq!(answers(&[&set, line, "move d6"]), [format!("status {why}")], "{line}");
        }
        let ignored = ["", "  ", "hello", "set", "set colour red", "\u{fffd}\u{1}"];
        assert_eq!(answers(&ignored), Vec::<String>::new());
        assert_eq!(answers(&["learn", "ping 12\r\n"]), ["learned", "pong 12"]);
        assert_eq!(answers(&["ping 1\r2\u{1b}[2J"]), ["pong 1\\r2\\u{1b}[2J"]);
    }

    #[test]
    fn a_ping_ends_what_goes_before_it() {
        let interrupt = Interrupt::default();
        let mut memory = [0; 1 << 14];
        let mut nboard = Nboard::new(&mut memory, &interrupt, || 0);
        let (mut out, line) = (Vec::new(), format!("set depth {MAX_DEPTH}"));
        interrupt.announce();
        for line in [&line[..], "go", "hint 4", "analyze", "ping 3"] {
            assert_eq!(nboard.line(line, &mut out).unwrap(), Flow::Continue);
        }
        let out = String::from_utf8(out).unwrap();
        assert!(out.contains("=== ") && out.ends_with("pong 3\n"), "{out}");
        assert!(!out.contains("analysis") && !interrupt.is_waiting());
        assert_eq!(nboard.line("quit", &mut Vec::new()).unwrap(), Flow::Quit);
    }

    #[test]
    fn overlong_lines_are_skipped_whole() {
        let mut text = "x".repeat(3 * MAX_LINE as usize);
        text += "\nping 1\nlast";
        let mut input = text.as_bytes();
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), Some(None));
        assert_eq!(next(), Some(Some("ping 1\n".into())));
        assert_eq!(next(), Some(Some("last".into())));
        assert_eq!(next(), None);
    }
}
