//! The contest's host: asks both players for moves, checks them, and keeps the time.

use core::fmt::{self, Display};

use heapless::{String, Vec};

use super::{CODE, Dialect, LONGEST};
use crate::game::Game;
use crate::games::blokus::{Duo, Illegal, Move, StartRule, parse_code};
use crate::player::Player as Side;

/// The time for a move in microseconds, from the prompt to the fourth byte of the answer.
pub const MOVE_MICROS: u64 = 1_000_000;

/// Between two `0` to a player who has not identified itself, in microseconds.
const REPEAT_MICROS: u64 = 500_000;

/// How many times a player is asked to identify itself.
const GREETINGS: u8 = 20;

/// How long to wait, after a repeated `0`, for the answers to the others.
const SETTLE_MICROS: u64 = 200_000;

/// The moves of a game: 42 tiles, a pass after each of them, and two at the end.
const MAX_MOVES: usize = 86;

/// A player by its place at the table: player 1 covers (5,5), player 2 (a,a).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// Player 1.
    One,
    /// Player 2.
    Two,
}

impl Seat {
    /// Both players.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// The number, 1 or 2.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The side that has this player's start square in Blokus Duo.
    pub const fn side(self) -> Side {
        match self {
            Self::One => Side::FIRST,
            Self::Two => Side::SECOND,
        }
    }

    const fn start(self) -> char {
        match self {
            Self::One => '5',
            Self::Two => 'A',
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// Both passed, or one has placed all tiles.
    Played,
    /// The answer was not a move code; the bytes, with non-printable ones as `?`.
    BadCode(String<CODE>),
    /// A move that the rules forbid, and why.
    Illegal(String<CODE>, Illegal),
    /// A pass in place of the first tile.
    NoFirstTile,
    /// No complete answer within [`MOVE_MICROS`].
    TimeOut,
    /// It never identified itself.
    NoGreeting,
    /// Its connection is dead.
    Gone,
}

impl Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Played => f.write_str("played to the end"),
            Self::BadCode(bytes) => write!(f, "'{bytes}' is not a move code"),
            Self::Illegal(code, why) => write!(f, "illegal move {code}: {why}"),
            Self::NoFirstTile => f.write_str("passed in place of its first tile"),
            Self::TimeOut => f.write_str("no answer within a second"),
            Self::NoGreeting => f.write_str("did not say who it is"),
            Self::Gone => f.write_str("its line is dead"),
        }
    }
}

/// The result of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Who won; `None` for a draw.
    pub winner: Option<Seat>,
    /// The points of players 1 and 2 on the final board.
    pub points: [i16; 2],
    /// How it ended; all but [`Ending::Played`] are the loser's fault.
    pub ending: Ending,
}

/// What the caller has to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Send these bytes to a player, now.
    Send(Seat, String<LONGEST>),
    /// Wait for bytes from the players, but not beyond this time in microseconds.
    Wait(u64),
    /// The game is over and both know it.
    Over,
}

/// A player's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Whose.
    pub seat: Seat,
    /// The code as it was sent.
    pub code: String<CODE>,
    /// Microseconds from the prompt to the fourth byte.
    pub micros: u64,
}

/// What a player is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Nothing,
    /// Who it is, for so many times.
    Name(u8),
    Move,
}

#[derive(Debug, Clone)]
struct Line {
    outgoing: Vec<String<LONGEST>, 2>,
    incoming: String<CODE>,
    asked: Asked,
    /// When the last prompt was sent.
    since: u64,
    team: String<2>,
    /// Bytes received without a prompt, or after an answer.
    unasked: u32,
    gone: bool,
}

/// A game between two players on separate connections. The caller provides the time.
#[derive(Debug, Clone)]
pub struct Referee {
    dialect: Dialect,
    first: Seat,
    board: Duo,
    lines: [Line; 2],
    answers: Vec<Answer, MAX_MOVES>,
    /// The next prompts are sent at this time.
    settled: Option<u64>,
    begun: bool,
    verdict: Option<Verdict>,
}

impl Referee {
    /// A game that `first` begins.
    pub fn new(dialect: Dialect, first: Seat) -> Self {
        let mut greeting = String::new();
        // One byte fits.
        let _ = greeting.push('0');
        let mut outgoing = Vec::new();
        let _ = outgoing.push(greeting);
        let line = Line {
            outgoing,
            incoming: String::new(),
            asked: Asked::Name(1),
            since: 0,
            team: String::new(),
            unasked: 0,
            gone: false,
        };
        Self {
            dialect,
            first,
            board: Duo::new(StartRule::Own).with_turn(first.side()),
            lines: [line.clone(), line],
            answers: Vec::new(),
            settled: None,
            begun: false,
            verdict: None,
        }
    }

    /// What to do at this time.
    pub fn poll(&mut self, now: u64) -> Action {
        self.look_at_the_clock(now);
        for seat in Seat::BOTH {
            let line = self.line(seat);
            if !line.outgoing.is_empty() {
                line.since = now;
                return Action::Send(seat, line.outgoing.remove(0));
            }
        }
        if self.verdict.is_some() {
            return Action::Over;
        }
        let limits = self.lines.iter().map(|line| match line.asked {
            Asked::Nothing => u64::MAX,
            Asked::Name(_) => line.since + REPEAT_MICROS,
            Asked::Move => line.since + MOVE_MICROS,
        });
        let settled = self.settled.filter(|_| self.all_named()).unwrap_or(u64::MAX);
        Action::Wait(limits.fold(settled, u64::min))
    }

    /// Processes a byte that a player sent at this time.
    pub fn receive(&mut self, seat: Seat, byte: u8, now: u64) {
        if matches!(byte, b'\r' | b'\n') || self.verdict.is_some() {
            return;
        }
        self.look_at_the_clock(now);
        let line = self.line(seat);
        let byte = if byte.is_ascii_graphic() { char::from(byte) } else { '?' };
        if line.asked == Asked::Nothing || !line.outgoing.is_empty() {
            line.unasked += 1;
            return;
        }
        // It is emptied as soon as it is full.
        let _ = line.incoming.push(byte);
        match line.asked {
            Asked::Name(times) if line.incoming.len() == 3 => {
                let answer = core::mem::take(&mut line.incoming);
                // Noise on a newly opened line is not an answer: the next `0` will get one.
                if let Some(team) = answer.strip_prefix('1') {
                    line.asked = Asked::Nothing;
                    let _ = line.team.push_str(team);
                    let settled = if times > 1 { now + SETTLE_MICROS } else { now };
                    self.settled = Some(self.settled.unwrap_or(0).max(settled));
                    self.look_at_the_clock(now);
                }
            }
            Asked::Move if line.incoming.len() == CODE => {
                let code = core::mem::take(&mut line.incoming);
                let micros = now.saturating_sub(line.since);
                line.asked = Asked::Nothing;
                // A game has no more moves than this holds.
                let _ = self.answers.push(Answer { seat, code, micros });
                self.judge(seat);
            }
            _ => {}
        }
    }

    /// A player's connection is dead: it loses.
    pub fn gone(&mut self, seat: Seat) {
        self.line(seat).gone = true;
        self.lose(seat, Ending::Gone);
    }

    /// The result, when there is one.
    pub const fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// The answers so far, in order of arrival.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// A player's team code; empty before it is known.
    pub fn team(&self, seat: Seat) -> &str {
        &self.lines[seat as usize].team
    }

    /// How many unsolicited bytes a player sent.
    pub const fn unasked(&self, seat: Seat) -> u32 {
        self.lines[seat as usize].unasked
    }

    /// The current board.
    pub const fn board(&self) -> &Duo {
        &self.board
    }

    fn line(&mut self, seat: Seat) -> &mut Line {
        &mut self.lines[seat as usize]
    }

    fn look_at_the_clock(&mut self, now: u64) {
        if self.verdict.is_some() {
            return;
        }
        for seat in Seat::BOTH {
            let line = self.line(seat);
            if !line.outgoing.is_empty() {
                continue;
            }
            match line.asked {
                Asked::Name(GREETINGS) if now >= line.since + REPEAT_MICROS => {
                    return self.lose(seat, Ending::NoGreeting);
                }
                Asked::Name(times) if now >= line.since + REPEAT_MICROS => {
                    line.asked = Asked::Name(times + 1);
                    self.send(seat, &["0"]);
                }
                Asked::Move if now > line.since + MOVE_MICROS => {
                    return self.lose(seat, Ending::TimeOut);
                }
                _ => {}
            }
        }
        if !self.begun && self.all_named() && self.settled.is_some_and(|time| now >= time) {
            self.settled = None;
            self.begun = true;
            self.lines.iter_mut().for_each(|line| line.unasked = 0);
            self.begin(self.first);
            if self.dialect == Dialect::Y2013 {
                self.begin(self.first.other());
            }
        }
    }

    fn all_named(&self) -> bool {
        self.lines.iter().all(|line| !line.team.is_empty())
    }

    /// Queues a message for a player.
    fn send(&mut self, seat: Seat, parts: &[&str]) {
        let mut message = String::new();
        // No message exceeds the text's capacity, and at most two are queued.
        parts.iter().for_each(|part| drop(message.push_str(part)));
        let _ = self.line(seat).outgoing.push(message);
    }

    fn ask(&mut self, seat: Seat, parts: &[&str]) {
        self.send(seat, parts);
        self.line(seat).incoming.clear();
        self.line(seat).asked = Asked::Move;
    }

    fn begin(&mut self, seat: Seat) {
        self.ask(seat, &["2", seat.start().encode_utf8(&mut [0; 4])]);
    }

    /// The code of a player's move, counted from 0.
    fn code(&self, seat: Seat, index: usize) -> Option<String<CODE>> {
        let own = self.answers.iter().filter(|answer| answer.seat == seat);
        own.map(|answer| answer.code.clone()).nth(index)
    }

    /// Checks a player's newest move and asks for the next.
    fn judge(&mut self, seat: Seat) {
        let Some(Answer { code, .. }) = self.answers.iter().rev().find(|own| own.seat == seat)
        else {
            return;
        };
        let code = code.clone();
        let Some(mv) = parse_code(&code) else { return self.lose(seat, Ending::BadCode(code)) };
        let number = self.answers.iter().filter(|answer| answer.seat == seat).count();
        // In the 2013 dialect the second mover's first tile may come before the first mover's.
        let board = self.board.with_turn(seat.side());
        match mv {
            Move::Pass if number == 1 => return self.lose(seat, Ending::NoFirstTile),
            Move::Pass => self.board = board.with_turn(seat.other().side()),
            Move::Place(_) => {
                if let Err(why) = board.check(mv) {
                    return self.lose(seat, Ending::Illegal(code, why));
                }
                self.board = board;
                self.board.play(mv);
            }
        }
        let passes = self.answers.iter().rev().take_while(|answer| answer.code == "0000").count();
        if passes >= 2 || self.board.pieces_left(seat.side()).is_empty() {
            return self.end();
        }
        self.ask_for_next(seat, number, &code);
    }

    /// Asks for the move after a player's one, which has this number from 1.
    fn ask_for_next(&mut self, seat: Seat, number: usize, code: &str) {
        let other = seat.other();
        let others = self.answers.iter().filter(|answer| answer.seat == other).count();
        match (self.dialect, number) {
            (Dialect::Y2014, 1) if seat == self.first => {
                self.ask(other, &["3", other.start().encode_utf8(&mut [0; 4]), code]);
            }
            (Dialect::Y2014, _) => self.ask(other, &["4", code]),
            (Dialect::Y2013, 1) => {
                // When both first tiles are placed, the first mover is told the second's.
                if others == 1
                    && let Some(code) = self.code(self.first.other(), 0)
                {
                    self.ask(self.first, &["3", &code]);
                }
            }
            (Dialect::Y2013, 2) if seat == self.first => {
                if let Some(begun) = self.code(seat, 0) {
                    self.ask(other, &["4", &begun, code]);
                }
            }
            (Dialect::Y2013, _) => self.ask(other, &["3", code]),
        }
    }

    fn points(&self) -> [i16; 2] {
        Seat::BOTH.map(|seat| self.board.score(seat.side()))
    }

    fn end(&mut self) {
        let points = self.points();
        let winner = match points[0] - points[1] {
            0 => None,
            1.. => Some(Seat::One),
            _ => Some(Seat::Two),
        };
        self.finish(Verdict { winner, points, ending: Ending::Played });
    }

    fn lose(&mut self, seat: Seat, ending: Ending) {
        let points = self.points();
        self.finish(Verdict { winner: Some(seat.other()), points, ending });
    }

    fn finish(&mut self, verdict: Verdict) {
        if self.verdict.is_some() {
            return;
        }
        self.verdict = Some(verdict);
        for seat in Seat::BOTH {
            let line = self.line(seat);
            line.outgoing.clear();
            line.asked = Asked::Nothing;
            if !line.gone {
                self.send(seat, &["9"]);
            }
        }
    }
}
