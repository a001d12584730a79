//! The contest's player: the host's bytes in, answers out, in time.

use core::fmt::{self, Display, Write};

use super::{CODE, Dialect, Frame};
use crate::engine::{Engine, Limit, Opponent, Thinking};
use crate::game::{Game, Reason};
use crate::games::blokus::{Duo, Move, StartRule, parse_code, write_code};
use crate::player::Player as Side;
use crate::session::{AnyMatch, DuoMatch, Refusal};
use crate::setup::Setup;

/// The time for an answer in microseconds, from the first byte of the prompt. The contest allows a
/// second; a search ends up to 20 ms late on a board, and 50 ms stay for the way there and back.
pub const ANSWER_MICROS: u64 = 850_000;

/// The two characters that tell the host who plays.
const TEAM: &str = "CV";

/// What a byte from the host led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Nothing yet: the message is not complete.
    Nothing,
    /// The host asked who this is.
    Greeted,
    /// Both moves, the host's and the answer, are in the game.
    Moved,
    /// The host ended the game.
    Over,
    /// The message made no sense: it has no answer, and the game is as before.
    Refused(Refusal),
}

/// Why a message makes no sense.
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

/// Where the player is in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Between games.
    Idle,
    /// In the 2013 dialect: the own first tile lies, and nobody said who begins.
    Unseen(Move),
    /// In a game, as the first or second to move.
    Playing(Side),
}

/// A contest player. Its game is lent to it with every byte, so that a display can show it: Blokus
/// Duo, in which whoever moves first is the first player, on either start square.
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

    /// Takes a byte from the host; writes the answer of the message that it completes. An error
    /// comes from `out` only.
    ///
    /// Thinks for [`ANSWER_MICROS`] at most, less if `thinking` says so; a budget in nodes is not
    /// held to the time.
    pub fn push(
        &mut self,
        byte: u8,
        game: &mut AnyMatch,
        opponent: Opponent,
        thinking: &mut Thinking<'_>,
        out: &mut dyn Write,
    ) -> Result<Event, fmt::Error> {
        let Some((message, begun)) = self.frame.push(byte, thinking.clock.micros()) else {
            return Ok(Event::Nothing);
        };
        let codes = message.get(message.len() % CODE..).unwrap_or_default();
        let taken = match (message[0], codes) {
            (b'0', _) => {
                write!(out, "1{TEAM}")?;
                return Ok(Event::Greeted);
            }
            (b'9', _) => {
                self.phase = Phase::Idle;
                return Ok(Event::Over);
            }
            (b'2', _) => self.begin(message[1], game, opponent, begun, thinking),
            (b'3', codes) if message.len() == 2 + CODE => self.second(message[1], codes, game),
            (_, codes) if codes.len() == CODE => self.other_moved(codes, game),
            (_, codes) => self.unseen_moves(codes, game),
        };
        let first = match taken {
            Ok(first) => first,
            Err(refusal) => return Ok(Event::Refused(refusal)),
        };
        let mv = match first {
            Some(mv) => mv,
            None => self.answer(game, opponent, begun, thinking),
        };
        write_code(mv, out)?;
        self.longest = self.longest.max(thinking.clock.micros().saturating_sub(begun));
        Ok(Event::Moved)
    }

    /// Places the first tile, on the start square that the host names.
    fn begin(
        &mut self,
        start: u8,
        game: &mut AnyMatch,
        opponent: Opponent,
        begun: u64,
        thinking: &mut Thinking<'_>,
    ) -> Result<Option<Move>, Refusal> {
        // On a board where each side has its own square, the one that has this square begins.
        let side = if start == b'5' { Side::FIRST } else { Side::SECOND };
        let board = Duo::new(StartRule::Own).with_turn(side);
        let mv = choose(&board, opponent, begun, thinking);
        new_game(game)?.play(Side::FIRST, mv)?;
        self.phase = match self.frame.dialect {
            Dialect::Y2014 => Phase::Playing(Side::FIRST),
            Dialect::Y2013 => Phase::Unseen(mv),
        };
        Ok(Some(mv))
    }

    /// The other has begun, and the start square of the second is named.
    fn second(
        &mut self,
        start: u8,
        code: &[u8],
        game: &mut AnyMatch,
    ) -> Result<Option<Move>, Refusal> {
        let mv = first_tile(code)?;
        let mut board = Duo::new(StartRule::Any);
        board.check(mv)?;
        board.play(mv);
        let own = Duo::STARTS[usize::from(start != b'5')];
        if board.owner(own.0, own.1).is_some() {
            return Err(Nonsense::WrongStart.into());
        }
        new_game(game)?.play(Side::FIRST, mv)?;
        self.phase = Phase::Playing(Side::SECOND);
        Ok(None)
    }

    /// The other's move.
    fn other_moved(&mut self, code: &[u8], game: &mut AnyMatch) -> Result<Option<Move>, Refusal> {
        let own = match self.phase {
            Phase::Idle => return Err(Nonsense::NoGame.into()),
            // Who hears of the other's first tile alone has begun.
            Phase::Unseen(_) => Side::FIRST,
            Phase::Playing(own) => own,
        };
        let duo = game.duo_mut().ok_or(Nonsense::NoGame)?;
        let mv = match self.phase {
            Phase::Unseen(_) => first_tile(code)?,
            _ => read(code)?,
        };
        let board = duo.position();
        let turn = board.turn() == own.other();
        if turn && mv == Move::Pass && board.forced_pass().is_none() {
            // The contest lets a player pass who could move, and move again later. The game's own
            // rules do not, so it begins again from here.
            *duo = DuoMatch::new(board.with_turn(own));
        } else {
            duo.play(own.other(), mv)?;
        }
        self.phase = Phase::Playing(own);
        Ok(None)
    }

    /// The other's first two moves, of the 2013 dialect: the own first tile comes between them.
    fn unseen_moves(&mut self, codes: &[u8], game: &mut AnyMatch) -> Result<Option<Move>, Refusal> {
        let Phase::Unseen(own) = self.phase else { return Err(Nonsense::NoGame.into()) };
        let (first, second) = codes.split_at(CODE);
        let (first, second) = (first_tile(first)?, read(second)?);
        let mut board = Duo::new(StartRule::Any);
        for mv in [first, own, second] {
            match board.check(mv) {
                Err(_) if mv == own => return Err(Nonsense::WrongStart.into()),
                Err(_) if mv == Move::Pass => board = board.with_turn(board.turn().other()),
                checked => {
                    checked?;
                    board.play(mv);
                }
            }
        }
        let duo = new_game(game)?;
        duo.play(Side::FIRST, first)?;
        duo.play(Side::SECOND, own)?;
        if duo.play(Side::FIRST, second).is_err() {
            *duo = DuoMatch::new(board);
        }
        self.phase = Phase::Playing(Side::SECOND);
        Ok(None)
    }

    /// The own move, which is played; a pass when there is none.
    fn answer(
        &self,
        game: &mut AnyMatch,
        opponent: Opponent,
        begun: u64,
        thinking: &mut Thinking<'_>,
    ) -> Move {
        let (Phase::Playing(own), Some(duo)) = (self.phase, game.duo_mut()) else {
            return Move::Pass;
        };
        let mv = choose(duo.position(), opponent, begun, thinking);
        // The search's own move is legal; after the end there is only the pass, which is not kept.
        let _ = duo.play(own, mv);
        mv
    }
}

/// A new game in the place of another. Whoever moves first may be on either start square.
fn new_game(game: &mut AnyMatch) -> Result<&mut DuoMatch, Nonsense> {
    game.begin(Setup::BlokusDuo(StartRule::Any));
    game.duo_mut().ok_or(Nonsense::NoGame)
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

/// The opponent's move within what is left of the time for the answer.
fn choose(board: &Duo, opponent: Opponent, begun: u64, thinking: &mut Thinking<'_>) -> Move {
    let used = thinking.clock.micros().saturating_sub(begun);
    let left = ANSWER_MICROS.saturating_sub(used);
    let opponent = match opponent {
        Opponent::Limit(Limit::Millis(millis)) => {
            Opponent::Limit(Limit::Millis(millis.min((left / 1000) as u32)))
        }
        other => other,
    };
    let usual = thinking.micros;
    thinking.micros = usual.min(left);
    let mv = board.choose(opponent, thinking, &mut |_| {});
    thinking.micros = usual;
    mv.unwrap_or(Move::Pass)
}
