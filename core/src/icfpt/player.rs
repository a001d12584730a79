//! The contest's player: the host's bytes in, answers out, in time.

use core::fmt::{self, Display, Write};

use super::{CODE, Dialect, Frame};
use crate::desk::{Desk, changed};
use crate::engine::{Level, Limit, Opponent};
use crate::game::{Game, Notation, Reason};
use crate::games::blokus::{Duo, Move, StartRule, duo_setup, parse_code, write_code};
use crate::player::Player as Side;
use crate::refusal::Refusal;
use crate::registry::{AnyOpponent, GameKind};
use crate::thinker::{Answer, Question, Task};

/// The time for an answer in microseconds, from the first byte of the prompt. The contest allows a
/// second; a search ends up to 20 ms late on a board, and 50 ms are reserved for transmission.
pub const ANSWER_MICROS: u64 = 850_000;

/// The two characters that tell the host who plays.
const TEAM: &str = "CV";

/// What a byte from the host led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Nothing yet: the message is not complete.
    Nothing,
    /// The host asked for the team code.
    Greeted,
    /// Both moves, the host's and the answer, were played.
    Moved,
    /// The host ended the game.
    Over,
    /// The message was invalid: it gets no answer, and the game is unchanged.
    Refused(Refusal),
}

/// Why a message is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nonsense {
    NoGame,
    NotACode,
    NoFirstTile,
    WrongStart,
}

impl Display for Nonsense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoGame => "a move, but no game has begun",
            Self::NotACode => "this is not a move code of a tile on the board",
            Self::NoFirstTile => "a first tile must be placed",
            Self::WrongStart => "the other's first tile covers the wrong start square",
        })
    }
}

impl Reason for Nonsense {
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self {
            Self::NoGame => "no game has begun",
            Self::NotACode => "not a move code",
            Self::NoFirstTile => "no first tile",
            Self::WrongStart => "wrong start square",
        })
    }
}

/// The state of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Between games.
    Idle,
    /// In the 2013 dialect: the first tile is placed, and it is not known yet who begins.
    Unseen(Move),
    /// In a game, as the first or second to move.
    Playing(Side),
}

/// A contest player. It borrows the match with every byte, so that others can show and save it:
/// Blokus Duo, in which whoever moves first is the first player, on either start square.
#[derive(Debug, Clone)]
pub struct Player {
    frame: Frame,
    phase: Phase,
    longest: u64,
}

impl Player {
    /// A player between games.
    pub const fn new(dialect: Dialect) -> Self {
        Self { frame: Frame::new(dialect), phase: Phase::Idle, longest: 0 }
    }

    /// The most microseconds that an answer took so far, from the prompt's first byte until the
    /// answer was written.
    pub const fn longest_micros(&self) -> u64 {
        self.longest
    }

    /// Processes a byte from the host; writes the answer to the message that it completes. An error
    /// comes from `out` only.
    ///
    /// Any opponent is limited to [`ANSWER_MICROS`], whatever its budget.
    // Not inlined into the console, whose own commands would take its stack too.
    #[inline(never)]
    pub fn push(
        &mut self,
        byte: u8,
        desk: &mut dyn Desk,
        opponent: AnyOpponent,
        out: &mut dyn Write,
    ) -> Result<Event, fmt::Error> {
        let Some((message, begun)) = self.frame.push(byte, desk.micros()) else {
            return Ok(Event::Nothing);
        };
        let taken = match &message[..] {
            [b'0', ..] => {
                write!(out, "1{TEAM}")?;
                return Ok(Event::Greeted);
            }
            [b'9', ..] => {
                self.phase = Phase::Idle;
                return Ok(Event::Over);
            }
            [b'2', start] => self.begin(*start, desk, opponent, begun),
            [b'3', start, code @ ..] if code.len() == CODE => self.second(*start, code, desk),
            [_, codes @ ..] => match codes.split_at_checked(CODE) {
                Some((code, [])) => self.other_moved(code, desk),
                Some((first, second)) => self.unseen_moves(first, second, desk),
                None => Err(Nonsense::NotACode.into()),
            },
            [] => Err(Nonsense::NotACode.into()),
        };
        let first = match taken {
            Ok(first) => first,
            Err(refusal) => return Ok(Event::Refused(refusal)),
        };
        let mv = match first {
            Some(mv) => mv,
            None => self.answer(desk, opponent, begun),
        };
        write_code(mv, out)?;
        self.longest = self.longest.max(desk.micros().saturating_sub(begun));
        Ok(Event::Moved)
    }

    /// Places the first tile, on the start square that the host names.
    fn begin(
        &mut self,
        start: u8,
        desk: &mut dyn Desk,
        opponent: AnyOpponent,
        begun: u64,
    ) -> Result<Option<Move>, Refusal> {
        // On a board where each side has its own square, the one that has this square begins.
        let side = if start == b'5' { Side::FIRST } else { Side::SECOND };
        let board = Duo::new(StartRule::Own).with_turn(side);
        let mv = choose(board, desk, opponent, begun);
        new_game(desk, &[mv])?;
        self.phase = match self.frame.dialect {
            Dialect::Y2014 => Phase::Playing(Side::FIRST),
            Dialect::Y2013 => Phase::Unseen(mv),
        };
        Ok(Some(mv))
    }

    /// The opponent has begun, and the second player's start square is given.
    fn second(
        &mut self,
        start: u8,
        code: &[u8],
        desk: &mut dyn Desk,
    ) -> Result<Option<Move>, Refusal> {
        let mv = first_tile(code)?;
        let mut board = Duo::new(StartRule::Any);
        board.check(mv)?;
        board.play(mv);
        let own = Duo::STARTS[usize::from(start != b'5')];
        if board.owner(own.0, own.1).is_some() {
            return Err(Nonsense::WrongStart.into());
        }
        new_game(desk, &[mv])?;
        self.phase = Phase::Playing(Side::SECOND);
        Ok(None)
    }

    /// The opponent's move.
    fn other_moved(&mut self, code: &[u8], desk: &mut dyn Desk) -> Result<Option<Move>, Refusal> {
        let own = match self.phase {
            Phase::Idle => return Err(Nonsense::NoGame.into()),
            // The player who is told only the opponent's first tile has begun.
            Phase::Unseen(_) => Side::FIRST,
            Phase::Playing(own) => own,
        };
        let board = duo(desk).ok_or(Nonsense::NoGame)?;
        let mv = match self.phase {
            Phase::Unseen(_) => first_tile(code)?,
            _ => read(code)?,
        };
        play(desk, &board, own.other(), mv)?;
        self.phase = Phase::Playing(own);
        Ok(None)
    }

    /// The opponent's first two moves, in the 2013 dialect: this player's first tile comes between
    /// them.
    fn unseen_moves(
        &mut self,
        first: &[u8],
        second: &[u8],
        desk: &mut dyn Desk,
    ) -> Result<Option<Move>, Refusal> {
        let Phase::Unseen(own) = self.phase else { return Err(Nonsense::NoGame.into()) };
        let (first, second) = (first_tile(first)?, read(second)?);
        // Nothing is played before all of it has been validated.
        let mut board = Duo::new(StartRule::Any);
        for mv in [first, own, second] {
            match board.check(mv) {
                Err(_) if mv == own => return Err(Nonsense::WrongStart.into()),
                Err(_) if mv == Move::Pass => {}
                checked => {
                    checked?;
                    board.play(mv);
                }
            }
        }
        new_game(desk, &[first, own])?;
        if let Some(board) = duo(desk) {
            play(desk, &board, Side::FIRST, second)?;
        }
        self.phase = Phase::Playing(Side::SECOND);
        Ok(None)
    }

    /// Chooses and plays this player's move; a pass when there is none.
    fn answer(&self, desk: &mut dyn Desk, opponent: AnyOpponent, begun: u64) -> Move {
        let (Phase::Playing(own), Some(board)) = (self.phase, duo(desk)) else {
            return Move::Pass;
        };
        let mv = choose(board, desk, opponent, begun);
        // The search's own move is legal; after the end there is only the pass, which is not kept.
        desk.change(&mut |game| {
            let _ = game.play_move(Some(own), Duo::encode(mv));
        });
        mv
    }
}

/// The position of the match, if it is Blokus Duo.
fn duo(desk: &mut dyn Desk) -> Option<Duo> {
    let mut found = None;
    desk.look(&mut |game| found = <&Duo>::try_from(game.position()).ok().copied());
    found
}

/// Plays an opponent's move in the match. The contest lets a player who could move pass, and move
/// again later.
fn play(desk: &mut dyn Desk, board: &Duo, side: Side, mv: Move) -> Result<(), Refusal> {
    let yields = board.turn() == side && mv == Move::Pass && board.forced_pass().is_none();
    changed(desk, |game| match () {
        () if yields && !board.is_over() => game.yield_turn(),
        () if mv == Move::Pass && board.is_over() => Ok(()),
        () => game.play_move(Some(side), Duo::encode(mv)),
    })
}

/// Starts a new game with its first moves. Whoever moves first may be on either start square.
fn new_game(desk: &mut dyn Desk, moves: &[Move]) -> Result<(), Refusal> {
    desk.begin(duo_setup(StartRule::Any));
    changed(desk, |game| moves.iter().try_for_each(|mv| game.play_move(None, Duo::encode(*mv))))
}

fn read(code: &[u8]) -> Result<Move, Nonsense> {
    str::from_utf8(code).ok().and_then(parse_code).ok_or(Nonsense::NotACode)
}

fn first_tile(code: &[u8]) -> Result<Move, Nonsense> {
    match read(code)? {
        Move::Pass => Err(Nonsense::NoFirstTile),
        mv => Ok(mv),
    }
}

/// The engine's or bot's move within the remaining time for the answer.
fn choose(board: Duo, desk: &mut dyn Desk, opponent: AnyOpponent, begun: u64) -> Move {
    let left = ANSWER_MICROS.saturating_sub(desk.micros().saturating_sub(begun));
    // A bot of another game, chosen before the contest, does not play here. In a contest nothing is
    // given away for variety, so the strongest level is its time alone.
    let opponent = match opponent.playing(GameKind::CONTEST) {
        Some(Opponent::Level(Level::MAX)) | None => Opponent::Limit(Limit::Millis(u32::MAX)),
        Some(_) => opponent,
    };
    let task = Task {
        position: board.into(),
        question: Question::Move { opponent, micros: left, deadline: left },
        notation: Notation::Code,
    };
    match desk.think(&task, &mut |_| {}) {
        Ok(Answer::Move(Some(mv))) => board.decode(mv).unwrap_or(Move::Pass),
        _ => Move::Pass,
    }
}
