//! A saved game: how it began, who plays, and the moves.
use crate::{clock, table::Seat};
use corvid_core::{
    engine::Level,
    player::MAX_PLAYERS,
    registry::{Bot, GameKind},
    session::Match,
    setup::Setup,
};
use heapless::{String, Vec, VecView};

/// The maximum size of a game's moves in bytes: 84 turns of Blokus Classic at 5 bytes. (The 220
/// lines of Dots and Boxes take one each.)
pub(crate) const MOVES: usize = 420;

/// The longest text of a position that a game can begin with: 64 squares of Adjacency, the side to
/// move and the plies left.
pub(crate) const START: usize = 72;

/// The longest name of a seat.
pub(crate) const NAME: usize = 24;

/// The size of a game without its moves: four bytes of setup, four seats, the start, whether it was
/// counted. Older versions read no more.
pub(crate) const TITLE: usize = 4 + MAX_PLAYERS * (1 + NAME) + 1 + START + 1;

/// What stands behind the title of a game whose result is in the statistics.
const COUNTED: u8 = 1;

/// Writes a seat as the length and the letters of its name: none for a person, a digit for a level.
pub(crate) fn write_seat(seat: Seat, out: &mut VecView<u8>) -> Option<()> {
    match seat {
        Seat::Person => write_short(out, b"", NAME),
        Seat::Level(level) => write_short(out, &[b'0' + level.get()], NAME),
        Seat::Bot(bot) => write_short(out, bot.name().as_bytes(), NAME),
    }
}

/// The seat of this name. An unknown bot is replaced by a person.
pub(crate) fn seat_named(kind: GameKind, name: &[u8]) -> Seat {
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
    let ([a, b], kind) = (setup.options(), setup.kind().index() as u8);
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&[kind, a, b, MAX_PLAYERS as u8]).ok()?;
    seats.iter().try_for_each(|seat| write_seat(*seat, &mut bytes))?;
    write_short(&mut bytes, start.as_bytes(), START)?;
    Some(bytes)
}

/// The game of those bytes and what stands behind it; `None` if they are invalid.
pub(crate) fn read_title(bytes: &[u8]) -> Option<(Setup, [Seat; MAX_PLAYERS], &str, &[u8])> {
    let (&[kind, a, b, count], mut rest) = bytes.split_first_chunk()?;
    let setup = Setup::new(*GameKind::ALL.get(usize::from(kind))?, [a, b])?;
    let mut seats = [Seat::Person; MAX_PLAYERS];
    for index in 0..usize::from(count) {
        *seats.get_mut(index)? = seat_named(setup.kind(), read_short(&mut rest)?);
    }
    let start = str::from_utf8(read_short(&mut rest)?).ok()?;
    Some((setup, seats, start, rest))
}

/// A game in progress in compact form, as the store keeps it.
#[derive(Debug, Clone)]
pub struct SavedGame {
    setup: Setup,
    seats: [Seat; MAX_PLAYERS],
    /// The position that it began with; empty if the game has no text for it.
    start: String<START>,
    /// Whether its result is in the statistics.
    counted: bool,
    /// The packed moves, whose size depends on the game.
    moves: Vec<u8, MOVES>,
    /// The players' clocks; empty without.
    clock: Vec<u8, { clock::BYTES }>,
}

/// A saved game with an invalid move. Everything before it was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged {
    /// The first move, from 1, that was not played; 0 if the start was invalid.
    pub ply: usize,
}

/// What has changed in a game since the last update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    None,
    /// Moves from this byte on.
    Moves(usize),
    /// It was added to the statistics, perhaps with its last moves.
    Counted,
    /// The game itself.
    Title,
}

impl SavedGame {
    pub(crate) const fn new() -> Self {
        Self {
            setup: Setup::usual(GameKind::ALL[0]),
            seats: [Seat::Person; MAX_PLAYERS],
            start: String::new(),
            counted: false,
            moves: Vec::new(),
            clock: Vec::new(),
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

    /// The players' [clocks](clock::Clock::from_bytes) when the last move was saved.
    pub fn clock(&self) -> &[u8] {
        &self.clock
    }

    /// Updates the clocks; false if they are unchanged.
    pub(crate) fn update_clock(&mut self, bytes: &[u8]) -> bool {
        let changed = self.clock != bytes;
        self.clock.clear();
        // It fits: it comes from a clock.
        let _ = self.clock.extend_from_slice(bytes);
        changed
    }

    /// Makes room for clocks, which the caller fills.
    pub(crate) fn clock_mut(&mut self, length: usize) -> Option<&mut [u8]> {
        self.clock.clear();
        self.clock.resize(length, 0).ok()?;
        Some(&mut self.clock)
    }

    /// Whether its result is in the statistics.
    pub const fn is_counted(&self) -> bool {
        self.counted
    }

    /// How many moves were made, passes included.
    pub fn plies(&self) -> usize {
        self.moves.len() / self.width()
    }

    fn width(&self) -> usize {
        self.setup.kind().info().packed.max(1)
    }

    /// Replays the game by the rules: whatever the record says, `game` is a legal position
    /// afterwards. An error says how far it got.
    pub fn replay(&self, game: &mut Match) -> Result<(), Damaged> {
        game.begin(self.setup);
        if !self.start.is_empty() {
            game.set_position(&self.start).map_err(|_| Damaged { ply: 0 })?;
        }
        for (index, bytes) in self.moves.chunks(self.width()).enumerate() {
            game.play_packed(bytes).ok_or(Damaged { ply: index + 1 })?;
        }
        Ok(())
    }

    /// Updates to the current state of a game; `None` if it can't be packed.
    pub(crate) fn update(
        &mut self,
        game: &Match,
        seats: &[Seat; MAX_PLAYERS],
        counted: bool,
    ) -> Option<Change> {
        let mut start = String::new();
        game.start().get().write_position(&mut start).ok()?;
        let title = (self.setup, &self.seats, &self.start) != (game.setup(), seats, &start);
        let begun_again = self.counted && !counted;
        let ended = counted && !self.counted;
        (self.setup, self.seats, self.start) = (game.setup(), *seats, start);
        self.counted = counted;
        let changed = self.update_moves(game)?;
        Some(match changed {
            _ if title || begun_again => Change::Title,
            _ if ended => Change::Counted,
            Some(from) => Change::Moves(from),
            None => Change::None,
        })
    }

    /// Updates the moves and returns the first byte that changed.
    fn update_moves(&mut self, game: &Match) -> Option<Option<usize>> {
        let (width, before) = (self.width(), self.moves.len());
        let mut changed = None;
        for index in 0..game.plies() {
            let bytes = game.packed_ply(index)?.to_le_bytes();
            let bytes = bytes.get(..width)?;
            let at = index * width;
            if self.moves.get(at..at + width) != Some(bytes) {
                changed.get_or_insert(at);
                self.moves.truncate(at);
                self.moves.extend_from_slice(bytes).ok()?;
            }
        }
        let end = game.plies() * width;
        self.moves.truncate(end);
        Some(changed.or((end < before).then_some(end)))
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

    /// Everything but the moves and the clocks, in bytes.
    pub(crate) fn title(&self) -> Option<Vec<u8, TITLE>> {
        let mut title = title(self.setup, &self.seats, &self.start)?;
        if self.counted {
            title.push(COUNTED).ok()?;
        }
        Some(title)
    }

    /// Everything but the moves, in bytes; `None` if that is too long for older versions.
    pub(crate) fn title_and_clock(&self) -> Option<Vec<u8, TITLE>> {
        let mut bytes = title(self.setup, &self.seats, &self.start)?;
        bytes.push(u8::from(self.counted)).ok()?;
        bytes.extend_from_slice(&self.clock).ok()?;
        Some(bytes)
    }

    /// Becomes the game of a title, without moves; `None` if the title is invalid.
    pub(crate) fn set_title(&mut self, bytes: &[u8]) -> Option<()> {
        let (setup, seats, start, rest) = read_title(bytes)?;
        self.start = String::try_from(start).ok()?;
        (self.setup, self.seats) = (setup, seats);
        // Older versions tell neither.
        let (counted, times) = rest.split_first().unwrap_or((&0, &[]));
        self.counted = *counted == COUNTED;
        self.moves.clear();
        self.clock = times.iter().copied().take(clock::BYTES).collect();
        Some(())
    }
}

/// Writes a length and that many bytes.
fn write_short(out: &mut VecView<u8>, bytes: &[u8], most: usize) -> Option<()> {
    let bytes = if bytes.len() <= most { bytes } else { b"" };
    out.push(bytes.len() as u8).ok()?;
    out.extend_from_slice(bytes).ok()
}

/// Reads what [`write_short`] wrote.
pub(crate) fn read_short<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, behind) = rest.split_first()?;
    let (bytes, behind) = behind.split_at_checked(usize::from(*length))?;
    *rest = behind;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_finds_their_seat_again() {
        for kind in GameKind::ALL {
            let bots = Bot::all(kind).map(Seat::Bot);
            let levels = (1..=9).filter_map(Level::new).map(Seat::Level);
            for seat in bots.chain(levels).chain([Seat::Person]) {
                let seats = [seat; MAX_PLAYERS];
                let bytes = title(Setup::usual(kind), &seats, "").unwrap();
                assert_eq!(read_title(&bytes), Some((Setup::usual(kind), seats, "", &[][..])));
            }
        }
    }
}
