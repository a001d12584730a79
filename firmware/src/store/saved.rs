//! A game as it is saved: how it began, who plays, and the moves.
use super::packed;
use crate::table::Seat;
use core::fmt::Write;
use corvid_core::{
    bots::Bot,
    engine::Level,
    game::Notation,
    games::{adjacency::Rounds, blokus::StartRule, dots::Size},
    player::{MAX_PLAYERS, Player},
    session::{AnyMatch, Session},
    setup::{GameKind, Seats, Setup},
};
use heapless::{String, Vec};

/// The most bytes that the moves of a game take: 84 turns of Blokus Classic at 5 bytes. (The 220
/// lines of Dots and Boxes take one each.)
pub(crate) const MOVES: usize = 420;

/// The longest text of a position that a game can begin with: 64 squares of Adjacency, the side to
/// move and the plies left.
pub(crate) const START: usize = 72;

/// The longest name of a seat.
const NAME: usize = 24;

/// Everything of a game but its moves: four bytes of setup, four seats, the start.
pub(crate) const TITLE: usize = 4 + MAX_PLAYERS * (1 + NAME) + 1 + START;

/// Writes a seat as the length and the letters of its name: none for a person, a digit for a level.
fn write_seat(seat: Seat, out: &mut Vec<u8, TITLE>) -> Option<()> {
    match seat {
        Seat::Person => write_short(out, b"", NAME),
        Seat::Level(level) => write_short(out, &[b'0' + level.get()], NAME),
        Seat::Bot(bot) => write_short(out, bot.name().as_bytes(), NAME),
    }
}

/// The seat of this name. A bot that is not known any more makes place for a person.
fn seat_named(kind: GameKind, name: &[u8]) -> Seat {
    let level = match name {
        [digit] => Level::new(digit.wrapping_sub(b'0')),
        _ => None,
    };
    let bot = || Bot::from_name(kind, str::from_utf8(name).ok()?);
    match level {
        Some(level) => Seat::Level(level),
        None => bot().map_or(Seat::Person, Seat::Bot),
    }
}

/// A game without its moves, in bytes.
pub(crate) fn title(
    setup: Setup,
    seats: &[Seat; MAX_PLAYERS],
    start: &str,
) -> Option<Vec<u8, TITLE>> {
    let (kind, a, b) = match setup {
        Setup::Othello => (0, 0, 0),
        Setup::Adjacency { rounds, first } => (1, rounds.get(), first.index() as u8),
        Setup::Dots(size) => (2, size.rows(), size.columns()),
        Setup::BlokusDuo(rule) => (3, u8::from(rule == StartRule::Any), 0),
        Setup::BlokusClassic(seats) => (4, u8::from(seats == Seats::Two), 0),
    };
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&[kind, a, b, MAX_PLAYERS as u8]).ok()?;
    seats.iter().try_for_each(|seat| write_seat(*seat, &mut bytes))?;
    write_short(&mut bytes, start.as_bytes(), START)?;
    Some(bytes)
}

/// The game of those bytes; `None` if they make no sense.
pub(crate) fn read_title(bytes: &[u8]) -> Option<(Setup, [Seat; MAX_PLAYERS], &str)> {
    let (&[kind, a, b, count], mut rest) = bytes.split_first_chunk()?;
    let setup = match kind {
        0 => Setup::Othello,
        1 => Setup::Adjacency { rounds: Rounds::new(a)?, first: Player::new(b.into())? },
        2 => Setup::Dots(Size::new(a, b)?),
        3 => Setup::BlokusDuo(if a == 1 { StartRule::Any } else { StartRule::Own }),
        4 => Setup::BlokusClassic(if a == 1 { Seats::Two } else { Seats::Four }),
        _ => return None,
    };
    let mut seats = [Seat::Person; MAX_PLAYERS];
    for index in 0..usize::from(count) {
        *seats.get_mut(index)? = seat_named(setup.kind(), read_short(&mut rest)?);
    }
    let start = str::from_utf8(read_short(&mut rest)?).ok()?;
    Some((setup, seats, start))
}

/// A game in progress, small: what the store keeps of it.
#[derive(Debug, Clone)]
pub struct SavedGame {
    setup: Setup,
    seats: [Seat; MAX_PLAYERS],
    /// The position that it began with; nothing if it was the usual one.
    start: String<START>,
    /// The moves, each in as many bytes as [`packed::width`] says.
    moves: Vec<u8, MOVES>,
}

/// A saved game whose moves stop making sense. Everything before them was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged {
    /// The first move, from 1, that was not played; 0 if the start was not understood.
    pub ply: usize,
}

/// What a game changed since it was looked at last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    None,
    /// Moves from this byte on.
    Moves(usize),
    /// The game itself.
    Title,
}

impl SavedGame {
    pub(crate) const fn new() -> Self {
        Self {
            setup: Setup::Othello,
            seats: [Seat::Person; MAX_PLAYERS],
            start: String::new(),
            moves: Vec::new(),
        }
    }

    /// The game and its options.
    pub const fn setup(&self) -> Setup {
        self.setup
    }

    /// Who moves for each seat.
    pub const fn seats(&self) -> &[Seat; MAX_PLAYERS] {
        &self.seats
    }

    /// How many moves were made, passes included.
    pub fn plies(&self) -> usize {
        self.moves.len() / self.width()
    }

    fn width(&self) -> usize {
        packed::width(self.setup.kind())
    }

    /// Plays the game again, by the rules: whatever the record says, `game` is a legal position
    /// afterwards. An error says how far it got.
    pub fn replay(&self, game: &mut AnyMatch) -> Result<(), Damaged> {
        *game = AnyMatch::new(self.setup);
        let session = game.session_mut();
        if !self.start.is_empty() {
            session.set_position(&self.start).map_err(|_| Damaged { ply: 0 })?;
        }
        for (index, bytes) in self.moves.chunks(self.width()).enumerate() {
            let damaged = Damaged { ply: index + 1 };
            let text = packed::unpack(self.setup.kind(), bytes).ok_or(damaged)?;
            // A pass after the end is accepted by the rules, and changes nothing.
            let over = session.is_over();
            session.play_next(&text).ok().filter(|()| !over).ok_or(damaged)?;
        }
        Ok(())
    }

    /// Takes over how a game stands now; `None` if it can't be packed.
    pub(crate) fn update(
        &mut self,
        game: &AnyMatch,
        seats: &[Seat; MAX_PLAYERS],
    ) -> Option<Change> {
        let session = game.session();
        let mut title = (self.setup, self.seats) != (game.setup(), *seats);
        if self.setup != game.setup() {
            self.start.clear();
        }
        (self.setup, self.seats) = (game.setup(), *seats);
        if session.plies() == 0 {
            let mut start = String::new();
            session.write_position(&mut start).ok()?;
            title |= start != self.start;
            self.start = start;
        }
        let changed = self.update_moves(session)?;
        Some(match changed {
            _ if title => Change::Title,
            Some(from) => Change::Moves(from),
            None => Change::None,
        })
    }

    /// Takes the moves over and gives the first byte that changed.
    fn update_moves(&mut self, session: &dyn Session) -> Option<Option<usize>> {
        let (kind, length) = (self.setup.kind(), self.moves.len());
        let text = String::new();
        let mut moves = Packer { kind, moves: &mut self.moves, at: 0, changed: None, text };
        session.write_moves(Notation::Plain, ' ', &mut moves).ok()?;
        moves.finish().ok()?;
        let (end, mut changed) = (moves.at, moves.changed);
        if end < length && changed.is_none() {
            changed = Some(end);
        }
        self.moves.truncate(end);
        Some(changed)
    }

    /// The number of the move at a byte, and the bytes from there on.
    pub(crate) fn moves_from(&self, byte: usize) -> (u8, &[u8]) {
        ((byte / self.width()) as u8, self.moves.get(byte..).unwrap_or(&[]))
    }

    /// Makes room for moves from a number on, which the caller fills.
    pub(crate) fn moves_mut(&mut self, ply: u8, length: usize) -> Option<&mut [u8]> {
        let from = usize::from(ply) * self.width();
        if from > self.moves.len() || !length.is_multiple_of(self.width()) {
            return None;
        }
        self.moves.truncate(from);
        self.moves.resize(from + length, 0).ok()?;
        self.moves.get_mut(from..)
    }

    /// Everything but the moves, in bytes.
    pub(crate) fn title(&self) -> Option<Vec<u8, TITLE>> {
        title(self.setup, &self.seats, &self.start)
    }

    /// Becomes the game of a title, without moves; `None` if that can't be.
    pub(crate) fn set_title(&mut self, bytes: &[u8]) -> Option<()> {
        let (setup, seats, start) = read_title(bytes)?;
        self.start = String::try_from(start).ok()?;
        (self.setup, self.seats) = (setup, seats);
        self.moves.clear();
        Some(())
    }
}

/// Writes a length and that many bytes.
fn write_short(out: &mut Vec<u8, TITLE>, bytes: &[u8], most: usize) -> Option<()> {
    let bytes = if bytes.len() <= most { bytes } else { b"" };
    out.push(bytes.len() as u8).ok()?;
    out.extend_from_slice(bytes).ok()
}

/// Takes what [`write_short`] wrote.
fn read_short<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, behind) = rest.split_first()?;
    let (bytes, behind) = behind.split_at_checked(usize::from(*length))?;
    *rest = behind;
    Some(bytes)
}

/// Packs moves in text as they are written, and notes where they differ from those before.
struct Packer<'a> {
    kind: GameKind,
    moves: &'a mut Vec<u8, MOVES>,
    /// Bytes packed so far.
    at: usize,
    changed: Option<usize>,
    /// The move that is being written.
    text: String<NAME>,
}

impl Packer<'_> {
    /// Packs the move that was written.
    fn finish(&mut self) -> core::fmt::Result {
        if self.text.is_empty() {
            return Ok(());
        }
        let number = packed::pack(self.kind, &self.text).ok_or(core::fmt::Error)?;
        self.text.clear();
        let bytes = number.to_le_bytes();
        let bytes = bytes.get(..packed::width(self.kind)).unwrap_or(&bytes);
        if self.moves.get(self.at..self.at + bytes.len()) != Some(bytes) {
            self.changed.get_or_insert(self.at);
            self.moves.truncate(self.at);
            self.moves.extend_from_slice(bytes).map_err(|_| core::fmt::Error)?;
        }
        self.at += bytes.len();
        Ok(())
    }
}

impl Write for Packer<'_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        for letter in text.chars() {
            match letter {
                ' ' => self.finish()?,
                _ => self.text.push(letter).map_err(|_| core::fmt::Error)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_finds_their_seat_again() {
        for kind in GameKind::ALL {
            let bots = Bot::all(kind).iter().map(|bot| Seat::Bot(*bot));
            let levels = (1..=9).filter_map(Level::new).map(Seat::Level);
            for seat in bots.chain(levels).chain([Seat::Person]) {
                let seats = [seat; MAX_PLAYERS];
                let bytes = title(Setup::usual(kind), &seats, "").unwrap();
                assert_eq!(read_title(&bytes), Some((Setup::usual(kind), seats, "")));
            }
        }
    }
}
