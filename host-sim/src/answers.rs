//! What a GTP engine says, line by line, sorted into answers and notices; and the game that a board
//! says it plays.

use std::error::Error;
use std::fmt;
use std::io;

use corvid_core::registry::GameKind;
use corvid_core::session::Match;
use corvid_core::setup::Setup;

/// The most lines of an answer.
const MAX_LINES: usize = 1024;

/// The most notices that are kept, the latest ones.
const MAX_NOTICES: usize = 64;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The engine refuses, for this reason.
    Refused(String),
    /// The connection is dead, or the engine silent.
    Lost(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        // An engine that exits is noticed at the next line to it or from it, whichever comes first.
        Self::Lost(match error.kind() {
            io::ErrorKind::BrokenPipe => "the line is dead".into(),
            _ => error.to_string(),
        })
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => write!(f, "the engine refuses: {why}"),
            Self::Lost(why) => write!(f, "the engine is gone: {why}"),
        }
    }
}

impl Error for Trouble {}

/// Sorts the lines of an engine.
#[derive(Debug, Default)]
pub struct Answers {
    /// The ID of the last command, which tells late answers to others apart.
    id: u32,
    /// The answer so far, and whether it is one of success.
    answer: Option<(bool, Vec<String>)>,
    /// Unsolicited notices, without their `#`.
    notices: Vec<String>,
}

impl Answers {
    /// Waits for the answer to a command from now on; the ID to send with it.
    pub fn expect(&mut self) -> u32 {
        self.id = self.id.wrapping_add(1);
        self.answer = None;
        self.id
    }

    /// Takes in a line; the answer to the last command if that ends with it, without the mark at its
    /// start. A notice before the answer is told at once.
    pub fn line(
        &mut self,
        line: String,
        mut tell: impl FnMut(&str),
    ) -> Option<Result<String, Trouble>> {
        if let Some((success, lines)) = &mut self.answer {
            if line.is_empty() {
                let text = lines.join("\n");
                let answer = if *success { Ok(text) } else { Err(Trouble::Refused(text)) };
                self.answer = None;
                return Some(answer);
            }
            if lines.len() == MAX_LINES {
                self.answer = None;
                return Some(Err(Trouble::Lost("its answer never ends".into())));
            }
            lines.push(line);
            return None;
        }
        line.strip_prefix("# ").into_iter().for_each(&mut tell);
        self.note(&line);
        // An echo may precede the answer until it is switched off.
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let success = word.strip_prefix('=').map(|id| (true, id));
        let answer = success.or_else(|| word.strip_prefix('?').map(|id| (false, id)));
        if let Some((success, id)) = answer
            && id == self.id.to_string()
        {
            self.answer = Some((success, vec![rest.trim_end().into()]));
        }
        None
    }

    /// Keeps a line that belongs to no answer if it is a notice.
    pub fn note(&mut self, line: &str) {
        let Some(notice) = line.strip_prefix("# ") else { return };
        if self.notices.len() == MAX_NOTICES {
            self.notices.remove(0);
        }
        self.notices.push(notice.into());
    }

    /// The notices since the last call.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}

/// The move with which an engine answers `genmove`. It is sent on to other engines as a part of a line,
/// which must not become two.
pub fn one_line(answer: String) -> Result<String, Trouble> {
    match answer.contains('\n') {
        true => Err(Trouble::Refused("its move has several lines".into())),
        false => Ok(answer),
    }
}

/// A game by its name and options, as in `dots 3x4`.
pub fn setup_named(words: &str) -> Option<Setup> {
    let mut words = words.split_ascii_whitespace();
    let kind = GameKind::from_name(words.next()?)?;
    words.try_fold(Setup::usual(kind), Setup::with_word)
}

/// The game on a board that answers `stats` so, without moves.
pub fn game_of(stats: &str) -> Result<Match, Trouble> {
    let words = stats.lines().find_map(|line| line.strip_prefix("game ")).unwrap_or("");
    let unknown = || Trouble::Refused(format!("it plays '{words}', which is not known here"));
    setup_named(words).map(Match::new).ok_or_else(unknown)
}

/// Plays the moves with which a board answers `moves`.
pub fn play_all(game: &mut Match, moves: &str) -> Result<(), Trouble> {
    moves.split_ascii_whitespace().try_for_each(|text| {
        let played = game.play_next(text);
        played.map(drop).map_err(|why| Trouble::Refused(format!("{text}: {}", why.long())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of lines after the first command.
    fn answer(lines: &[&str]) -> (Option<Result<String, Trouble>>, Answers) {
        let mut answers = Answers::default();
        assert_eq!(answers.expect(), 1);
        let answer = lines.iter().find_map(|line| answers.line((*line).into(), |_| {}));
        (answer, answers)
    }

    #[test]
    fn an_answer_ends_with_an_empty_line() {
        let (said, _) = answer(&["1 moves", "", "=1 d3 c3 ", "and more", "", "# late"]);
        assert_eq!(said, Some(Ok("d3 c3\nand more".into())));
        assert_eq!(answer(&["?1 no", ""]).0, Some(Err(Trouble::Refused("no".into()))));
        assert_eq!(answer(&["=1", ""]).0, Some(Ok(String::new())));
        assert_eq!(answer(&["=1 d3"]).0, None);
    }

    #[test]
    fn answers_to_other_commands_are_no_answers() {
        assert_eq!(answer(&["=2 d3", "", "= d3", "", "?0", "", "=01 d3", ""]).0, None);
        let (_, mut answers) = answer(&["=1 half of it"]);
        assert_eq!(answers.expect(), 2);
        assert_eq!(answers.line(String::new(), |_| {}), None);
        assert_eq!(answers.line("=2 whole".into(), |_| {}), None);
        assert_eq!(answers.line(String::new(), |_| {}), Some(Ok("whole".into())));
    }

    #[test]
    fn neither_an_answer_nor_notices_fill_the_memory() {
        let mut lines = vec!["=1"];
        lines.resize(2 * MAX_LINES, "x");
        let (said, _) = answer(&lines);
        assert_eq!(said, Some(Err(Trouble::Lost("its answer never ends".into()))));
        let (_, mut answers) = answer(&["# notice"; 2 * MAX_NOTICES]);
        assert_eq!(answers.take_notices(), ["notice"; MAX_NOTICES]);
        assert!(answers.take_notices().is_empty());
    }

    #[test]
    fn a_move_is_one_line() {
        assert_eq!(one_line("0,0-0,1".into()), Ok("0,0-0,1".into()));
        // Without the line break it would be a move.
        assert!(one_line("0,0\n-0,1".into()).is_err());
    }

    #[test]
    fn the_game_of_a_board_is_read() {
        let mut game = game_of("version 1\ngame dots 1x2\nplies 2").unwrap();
        assert_eq!(game.setup(), setup_named("dots 1x2").unwrap());
        play_all(&mut game, "0,0-0,1 0,1-0,2").unwrap();
        assert_eq!(game.plies(), 2);
        let refused = play_all(&mut game, "0,0-0,1").unwrap_err();
        assert!(matches!(refused, Trouble::Refused(why) if why.starts_with("0,0-0,1: ")));
        let unknown = Trouble::Refused("it plays 'chess', which is not known here".into());
        assert_eq!(game_of("game chess").unwrap_err(), unknown);
        assert!(game_of("").is_err());
    }
}
