//! What a board or another engine says to `corvid connect` and to the arena: any bytes, in any pieces.

use corvid::answers::{Answers, Trouble, game_of, one_line, play_all};
use corvid::heard::Lines;
use corvid_core::session::Match;

use super::{check_match, is_harmless, take};

/// Answers are at most so many lines, notices as many as this are kept.
const MAX_LINES: usize = 1024;
const MAX_NOTICES: usize = 64;

/// The moves that it is asked for.
const MOVES: usize = 20;

pub(super) const WORDS: &[&str] = &[
    "=$ ",
    "?$ ",
    "= ",
    "\n\n",
    "\r\n",
    "# play black d3\n",
    "# game dots 3x4\n",
    "game othello\n",
    "game adjacency 8 o",
    "game dots 1x2",
    "game blokus-duo any",
    "game blokus-classic 2",
    "d3 c3",
    "pass",
    "0,0-0,1",
    "e10,f10",
    "5aa0",
    "resign",
    "\x1b[2J",
    "\u{9b}",
    "\u{202e}",
    "\t",
];

pub(super) fn run(mut data: &[u8]) {
    let [piece] = take(&mut data);
    let mut engine = Engine {
        data,
        piece: 1 + usize::from(piece),
        lines: Lines::default(),
        heard: Vec::new(),
        answers: Answers::default(),
    };
    // A session as `connect` begins it; an engine that is gone ends it.
    let _ = play(&mut engine);
    let notices = engine.answers.take_notices();
    assert!(notices.len() <= MAX_NOTICES && notices.iter().all(|notice| is_harmless(notice)));
}

fn play(engine: &mut Engine<'_>) -> Result<(), Trouble> {
    engine.ask()?;
    let stats = engine.ask()?;
    let mut game = game_of(&stats).unwrap_or_else(|why| {
        check_trouble(&why);
        Match::default()
    });
    let moves = engine.ask()?;
    if let Err(why) = play_all(&mut game, &moves) {
        check_trouble(&why);
    }
    check_match(&game);
    for _ in 0..MOVES {
        let Ok(text) = one_line(engine.ask()?) else { continue };
        let (turn, plies) = (game.turn(), game.plies());
        match game.play(turn, &text) {
            // It is sent on to another engine, as a part of a line.
            Ok(_) => assert!(is_harmless(&text), "{text:?}"),
            Err(refusal) => {
                super::check_refusal(&refusal);
                assert_eq!(game.plies(), plies, "{text:?} is refused");
            }
        }
        if game.is_over() {
            break;
        }
    }
    check_match(&game);
    Ok(())
}

/// An engine that says what an input has.
struct Engine<'d> {
    data: &'d [u8],
    /// Bytes that come at once.
    piece: usize,
    lines: Lines,
    /// Lines that have come and are not read, the first one last.
    heard: Vec<String>,
    answers: Answers,
}

impl Engine<'_> {
    /// Gives a command and waits for its answer. `$` in a line stands for the ID of the command, which
    /// no mutation would hit.
    fn ask(&mut self) -> Result<String, Trouble> {
        let id = self.answers.expect().to_string();
        loop {
            let Some(line) = self.heard.pop() else {
                self.hear()?;
                continue;
            };
            assert!(is_harmless(&line), "{line:?}");
            let told = |notice: &str| assert!(is_harmless(notice), "{notice:?}");
            match self.answers.line(line.replacen('$', &id, 1), told) {
                Some(Ok(text)) => {
                    assert!(text.lines().count() <= MAX_LINES && text.lines().all(is_harmless));
                    return Ok(text);
                }
                Some(Err(trouble @ Trouble::Lost(_))) => return Err(trouble),
                Some(Err(refused)) => {
                    check_trouble(&refused);
                    return Ok(String::new());
                }
                None => {}
            }
        }
    }

    /// Hears more; an error at the end of the input.
    fn hear(&mut self) -> Result<(), Trouble> {
        if self.data.is_empty() {
            return Err(Trouble::Lost("the line is dead".into()));
        }
        let (now, later) = self.data.split_at(self.piece.min(self.data.len()));
        self.data = later;
        let heard = &mut self.heard;
        self.lines.add(now, |line| heard.push(line));
        heard.reverse();
        Ok(())
    }
}

fn check_trouble(trouble: &Trouble) {
    let text = trouble.to_string();
    assert!(!text.is_empty() && text.lines().all(is_harmless), "{text:?}");
}
