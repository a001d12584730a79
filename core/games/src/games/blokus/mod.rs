//! Blokus Duo (two players, 14x14) and Blokus Classic (four players, 20x20).

use core::fmt::{self, Display, Write};
use core::ops::Range;

use crate::game::{Canvas, Game, MoveCode, Notation, ParseMoveError, Reason};
use crate::mix::mix_in;
use crate::player::{Color, Player};

mod classic;
mod code;
mod duo;
mod endgame;
mod generate;
mod mcts;
mod pieces;
mod prior;
mod resume;
mod rows;
mod sets;
mod shapes;
mod state;
mod tree;
mod value;

pub use code::{parse_code, write_code};
pub use pieces::{ALL_SQUARES, ORIENTATIONS, Orientation, PIECES, Piece, PieceSet};
pub use rows::Rows;

/// What `corvid tune`, benchmarks and tests need of the search. It changes without notice.
#[doc(hidden)]
pub mod tuning {
    pub use super::mcts::{Parameters, Techniques, visits};
    pub use super::prior::{FEATURES, LARGEST, Learnt, PHASES, Sight, Weights};
    pub use super::value::{MEASURES, Measured, STAGES, Stage, Values, WEIGHTS, measures};
}

use generate::Frontier;
use pieces::BOX;

/// Two players on 14x14.
pub type Duo = Blokus<2, 8>;
/// Four players on 20x20.
pub type Classic = Blokus<4, 20>;

/// A position of a game with `PLAYERS` players whose boards take `WORDS` words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blokus<const PLAYERS: usize, const WORDS: usize> {
    squares: [Rows<WORDS>; PLAYERS],
    left: [PieceSet; PLAYERS],
    turn: Player,
    start: StartRule,
    /// Whether players who sit opposite each other win together.
    pairs: bool,
    /// Bit p: player p has passed. Who can't move once never can again.
    passed: u8,
    /// Bit p: player p placed the one-square piece last of all.
    monomino_last: u8,
}

/// Which square the first piece of a player covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StartRule {
    /// The player's own start square, as in the contests.
    #[default]
    Own,
    /// Any start square that is still free, as in the boxed game of Duo.
    Any,
}

/// A piece in an orientation, with the top left of its bounding box at a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The piece and how it lies.
    pub orientation: Orientation,
    /// Column of the left edge, from 0 at the left.
    pub x: u8,
    /// Row of the upper edge, from 0 at the top.
    pub y: u8,
}

impl Placement {
    /// The squares it covers as (column, row), in reading order.
    pub fn cells(self) -> impl Iterator<Item = (u8, u8)> {
        self.orientation.cells_from(self.x, self.y)
    }
}

/// A placement, or the pass of a player who has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Only legal when nothing else is.
    Pass,
    /// A piece on the board.
    Place(Placement),
}

/// A square by its name: column letter, row counted from the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    column: u8,
    row: u8,
}

impl Cell {
    /// The square in this column, from 0, and row, from 1 at the bottom.
    pub const fn at(column: u8, row: u8) -> Self {
        Self { column, row }
    }
}

impl Display for Cell {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(char::from(b'a' + self.column))?;
        write!(f, "{}", self.row)
    }
}

/// Why a move is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Illegal {
    /// Nobody can move any more.
    GameOver,
    /// A pass although there is a placement.
    MustMove,
    /// The player has placed this piece before.
    PieceUsed(Piece),
    /// The piece leaves the board.
    OffBoard,
    /// This square is taken.
    Occupied(Cell),
    /// A first piece must cover this square.
    MissesStart(Cell),
    /// The piece would share an edge with one of the player's, at this square of it.
    TouchesOwn(Cell),
    /// The piece touches none of the player's at a corner.
    NoCorner,
}

impl Display for Illegal {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => f.write_str("the game is over"),
            Self::MustMove => f.write_str("you can place a piece: no pass"),
            Self::PieceUsed(piece) => write!(f, "piece {} is already placed", piece.name()),
            Self::OffBoard => f.write_str("the piece leaves the board"),
            Self::Occupied(cell) => write!(f, "{cell} is occupied"),
            Self::MissesStart(cell) => write!(f, "the first piece must cover {cell}"),
            Self::TouchesOwn(cell) => write!(f, "touches your own piece along an edge at {cell}"),
            Self::NoCorner => f.write_str("touches none of your pieces at a corner"),
        }
    }
}

impl Reason for Illegal {
    #[inline]
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        match self {
            Self::GameOver => out.write_str("game is over"),
            Self::MustMove => out.write_str("no pass: you can move"),
            Self::PieceUsed(piece) => write!(out, "{} is already placed", piece.name()),
            Self::OffBoard => out.write_str("off the board"),
            Self::Occupied(cell) => write!(out, "{cell} is occupied"),
            Self::MissesStart(cell) => write!(out, "must cover {cell}"),
            Self::TouchesOwn(cell) => write!(out, "touches yours at {cell}"),
            Self::NoCorner => out.write_str("needs corner contact"),
        }
    }
}

impl core::error::Error for Illegal {}

impl<const PLAYERS: usize, const WORDS: usize> Blokus<PLAYERS, WORDS> {
    /// Rows and columns of the board.
    pub const SIDE: u8 = Rows::<WORDS>::SIDE;

    /// The start squares by player, as (column, row from the top).
    pub const STARTS: [(u8, u8); PLAYERS] = {
        let last = Self::SIDE - 1;
        let all = match PLAYERS {
            2 => [(4, 4), (9, 9), (0, 0), (0, 0)],
            4 => [(0, 0), (last, 0), (last, last), (0, last)],
            _ => panic!("Blokus has 2 or 4 players"),
        };
        let mut starts = [(0, 0); PLAYERS];
        let mut player = 0;
        while player < PLAYERS {
            starts[player] = all[player];
            player += 1;
        }
        starts
    };

    /// The empty board.
    pub const fn new(start: StartRule) -> Self {
        Self {
            squares: [Rows::EMPTY; PLAYERS],
            left: [PieceSet::ALL; PLAYERS],
            turn: Player::FIRST,
            start,
            pairs: false,
            passed: 0,
            monomino_last: 0,
        }
    }

    /// The same game with players who sit opposite each other as one: of four colours a person
    /// holds the first and the third, the other the second and the fourth. Only what is worth
    /// playing changes, not the rules.
    pub const fn in_pairs(self) -> Self {
        Self { pairs: PLAYERS == 4, ..self }
    }

    /// The squares that a player has covered.
    pub const fn squares(&self, player: Player) -> &Rows<WORDS> {
        &self.squares[player.index() % PLAYERS]
    }

    /// The pieces that a player has not placed yet.
    pub const fn pieces_left(&self, player: Player) -> PieceSet {
        self.left[player.index() % PLAYERS]
    }

    /// Who has covered a square.
    pub fn owner(&self, x: u8, y: u8) -> Option<Player> {
        Player::all(PLAYERS).find(|player| self.squares(*player).has(x, y))
    }

    /// Whether a player can place a piece, now or in a later turn.
    pub fn can_place(&self, player: Player) -> bool {
        self.passed >> player.index() & 1 == 0
            && self.frontier(player).any(self.pieces_left(player))
    }

    /// The squares at which the player's next piece must attach: empty, at a corner of one of
    /// their pieces and along none of their edges; before the first piece, the start square.
    pub fn attach_points(&self, player: Player) -> Rows<WORDS> {
        self.frontier(player).attach
    }

    /// The squares that a player's placements may cover: a piece of n squares ends at most n - 1 steps
    /// on from where it attaches. Not all of them can be covered: the pieces may not fit.
    pub fn reach(&self, player: Player) -> Rows<WORDS> {
        let largest = self.pieces_left(player).largest();
        let Some(largest) = largest.filter(|_| self.passed >> player.index() & 1 == 0) else {
            return Rows::EMPTY;
        };
        let Frontier { allowed, attach } = self.frontier(player);
        attach.flooded(&allowed, largest.size() - 1)
    }

    /// Whether the player to move may place this. Quicker than [`check`](Game::check), which says
    /// why not.
    pub fn allows(&self, placement: Placement) -> bool {
        let Frontier { allowed, attach } = self.frontier(self.turn);
        self.pieces_left(self.turn).has(placement.orientation.piece())
            && placement.cells().all(|(x, y)| allowed.has(x, y))
            && placement.cells().any(|(x, y)| attach.has(x, y))
    }

    /// How many placements a player has, whoever's turn it is.
    pub fn count_placements(&self, player: Player) -> u32 {
        if self.passed >> player.index() & 1 != 0 {
            return 0;
        }
        self.frontier(player).count(self.pieces_left(player))
    }

    /// How many of a player's placements have their top left squares in these rows. With two rows in
    /// a word, those that share one with them count too.
    pub fn count_placements_in(&self, player: Player, rows: Range<u8>) -> u32 {
        if self.passed >> player.index() & 1 != 0 {
            return 0;
        }
        let per_word = if WORDS == 8 { 2 } else { 1 };
        let words = usize::from(rows.start / per_word)..usize::from(rows.end.div_ceil(per_word));
        self.frontier(player).count_in(self.pieces_left(player), words)
    }

    /// Visits the placements of the player to move with these of the pieces.
    pub fn for_each_placement(&self, pieces: PieceSet, visit: &mut dyn FnMut(Placement)) {
        self.frontier(self.turn).for_each(pieces, &mut |orientation, x, y| {
            visit(Placement { orientation, x, y });
        });
    }

    /// The squares that any player has covered.
    pub fn occupied(&self) -> Rows<WORDS> {
        let mut all = Rows::EMPTY;
        self.squares.iter().for_each(|own| all.add(own));
        all
    }

    fn frontier(&self, player: Player) -> Frontier<WORDS> {
        let mut frontier = Frontier { allowed: Rows::ALL, attach: Rows::EMPTY };
        let Frontier { allowed, attach } = &mut frontier;
        self.squares.iter().for_each(|one| allowed.remove(one));
        if self.pieces_left(player) == PieceSet::ALL {
            let starts = match self.start {
                StartRule::Own => &Self::STARTS[player.index() % PLAYERS..][..1],
                StartRule::Any => &Self::STARTS[..],
            };
            for &(x, y) in starts.iter().filter(|(x, y)| allowed.has(*x, *y)) {
                attach.insert(x, y);
            }
        } else {
            self.squares(player).allow_and_attach(allowed, attach);
        }
        frontier
    }

    /// A square by its column and row, both from 0 at the top left.
    pub const fn cell((x, y): (u8, u8)) -> Cell {
        Cell::at(x, Self::SIDE - y)
    }

    /// Whether the player to move may put a piece that is left there, in a game that goes on.
    // Not inlined: the sets would be on the stack while it is found out whether the game goes on.
    #[inline(never)]
    fn check_cells(&self, placement: Placement) -> Result<(), Illegal> {
        let occupied = self.occupied();
        let Frontier { allowed, attach } = self.frontier(self.turn);
        let state = |x, y| SquareState {
            occupied: occupied.has(x, y),
            allowed: allowed.has(x, y),
            attach: attach.has(x, y),
        };
        let first = self.pieces_left(self.turn) == PieceSet::ALL;
        let own = first.then_some(self.turn.index() % PLAYERS);
        check_cells(placement, Self::SIDE, &Self::STARTS, own, &state)
    }
}

impl Duo {
    /// How many squares a player has within [`reach`](Self::reach), less those of the opponent.
    /// Not generic, so that it is compiled for speed with the rules.
    #[inline(never)]
    pub fn reach_lead(&self, player: Player) -> i16 {
        let reach = |player| self.reach(player).count() as i16;
        reach(player) - reach(player.other())
    }
}

impl<const PLAYERS: usize, const WORDS: usize> Default for Blokus<PLAYERS, WORDS> {
    fn default() -> Self {
        Self::new(StartRule::Own)
    }
}

impl<const PLAYERS: usize, const WORDS: usize> Game for Blokus<PLAYERS, WORDS> {
    type Move = Move;
    type Illegal = Illegal;

    const COLORS: &'static [Color] = match PLAYERS {
        2 => &[
            Color { name: "blue", mark: 'X', aliases: &["b", "black", "1"] },
            Color { name: "green", mark: 'O', aliases: &["w", "white", "g", "2"] },
        ],
        _ => &[
            Color { name: "blue", mark: 'B', aliases: &["b", "1"] },
            Color { name: "yellow", mark: 'Y', aliases: &["y", "2"] },
            Color { name: "red", mark: 'R', aliases: &["r", "3"] },
            Color { name: "green", mark: 'G', aliases: &["g", "4"] },
        ],
    };

    const POSITION_IS_MOVES: bool = true;

    /// All placements on an empty board: 13,729 in Duo, 30,433 in Classic. No smaller bound is
    /// proven, so nothing here keeps placements in a list: they are visited one by one, and a set
    /// of all of them is that many bits.
    const MAX_MOVES: usize = {
        let mut placements = 0;
        let mut index = 0;
        while let Some(orientation) = Orientation::new(index) {
            let columns = Self::SIDE + 1 - orientation.width();
            let rows = Self::SIDE + 1 - orientation.height();
            placements += columns as usize * rows as usize;
            index += 1;
        }
        placements
    };

    fn people(&self) -> usize {
        if self.pairs { PLAYERS / 2 } else { PLAYERS }
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn with_turn(&self, player: Player) -> Self {
        Self { turn: player, ..*self }
    }

    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        let mut any = false;
        self.for_each_placement(self.pieces_left(self.turn), &mut |placement| {
            any = true;
            visit(Move::Place(placement));
        });
        if !any && !self.is_over() {
            visit(Move::Pass);
        }
    }

    fn count_moves(&self) -> u32 {
        match self.frontier(self.turn).count(self.pieces_left(self.turn)) {
            0 if !self.is_over() => 1,
            count => count,
        }
    }

    fn forced_pass(&self) -> Option<Move> {
        (!self.can_place(self.turn) && !self.is_over()).then_some(Move::Pass)
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        let Move::Place(placement) = mv else {
            return if self.can_place(self.turn) {
                Err(Illegal::MustMove)
            } else if self.is_over() {
                Err(Illegal::GameOver)
            } else {
                Ok(())
            };
        };
        let piece = placement.orientation.piece();
        if self.is_over() {
            return Err(Illegal::GameOver);
        }
        if !self.pieces_left(self.turn).has(piece) {
            return Err(Illegal::PieceUsed(piece));
        }
        self.check_cells(placement)
    }

    fn play(&mut self, mv: Move) {
        let player = self.turn.index() % PLAYERS;
        match mv {
            Move::Pass => self.passed |= 1 << player,
            Move::Place(placement) => {
                let piece = placement.orientation.piece();
                for (x, y) in placement.cells() {
                    self.squares[player].insert(x, y);
                }
                self.left[player] = self.left[player].without(piece);
                if self.left[player].is_empty() && piece == Piece::MONOMINO {
                    self.monomino_last |= 1 << player;
                }
            }
        }
        self.turn = self.turn.next(PLAYERS);
    }

    fn is_over(&self) -> bool {
        !Player::all(PLAYERS).any(|player| self.can_place(player))
    }

    /// -1 for every square not placed; +15 for placing all, +20 with the one-square piece last.
    fn score(&self, player: Player) -> i16 {
        let left = self.pieces_left(player);
        match (left.is_empty(), self.monomino_last >> player.index() & 1 != 0) {
            (true, true) => 20,
            (true, false) => 15,
            (false, _) => -left.squares(),
        }
    }

    /// The squares of the piece: bonuses are left out, so that a larger piece always gains more.
    fn gain(&self, mv: Move) -> i16 {
        match mv {
            Move::Pass => 0,
            Move::Place(placement) => placement.orientation.piece().size().into(),
        }
    }

    fn hash(&self) -> u64 {
        let rest = u64::from(self.monomino_last) << 8 | self.turn.index() as u64;
        let start = self.left.iter().fold(rest, |hash, set| mix_in(hash, set.bits().into()));
        let words = self.squares.iter().flat_map(|rows| rows.words());
        words.fold(start, |hash, &word| mix_in(hash, word.into()))
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        if PLAYERS == 2 && text.len() == 4 && text.bytes().all(|byte| byte != b',') {
            return parse_code(text).ok_or(ParseMoveError {
                long: "this is not a move code of a piece on the board",
                short: "not a move code",
            });
        }
        parse_cells(text, Self::SIDE).map(Move::Place)
    }

    fn write_move(&self, mv: Move, out: &mut dyn Write) -> fmt::Result {
        let Move::Place(placement) = mv else {
            return out.write_str("pass");
        };
        write_cells(placement, Self::SIDE, out)
    }

    fn write_move_in(&self, mv: Move, notation: Notation, out: &mut dyn Write) -> fmt::Result {
        match notation {
            Notation::Code if PLAYERS == 2 => write_code(mv, out),
            _ => self.write_move(mv, out),
        }
    }

    /// Capital letters mark the last piece, `+` the start squares.
    fn draw(&self, last: Option<Move>, out: &mut dyn Canvas) -> fmt::Result {
        let last = match last {
            Some(Move::Place(placement)) => Some(placement),
            _ => None,
        };
        let owner = |x, y| self.owner(x, y);
        draw(Self::SIDE, Self::COLORS, &Self::STARTS, &owner, last, out)
    }

    fn encode(mv: Move) -> MoveCode {
        encode(mv, Self::SIDE)
    }

    fn decode(&self, code: MoveCode) -> Option<Move> {
        decode(code, Self::SIDE)
    }

    const PACKED: usize = 5;

    /// The lowest column and row, counted from the bottom, 5 bits each, then a bit for each square
    /// of the 5x5 box there, column by column.
    fn pack(&self, mv: Move) -> u64 {
        match mv {
            Move::Pass => u64::MAX,
            Move::Place(placement) => pack(placement, Self::SIDE),
        }
    }

    fn unpack(&self, packed: u64) -> Option<Move> {
        unpack(packed, Self::SIDE).map(Move::Place)
    }
}

// What follows is for both boards, and not generic: an image has it once.

/// What a square is to the player to move.
struct SquareState {
    occupied: bool,
    /// Empty, and along no edge of the player's pieces.
    allowed: bool,
    /// The piece must cover such a square.
    attach: bool,
}

/// Says why a piece can't be placed there. `first` is the player's place if it is the first piece.
#[inline]
fn check_cells(
    placement: Placement,
    side: u8,
    starts: &[(u8, u8)],
    first: Option<usize>,
    state: &dyn Fn(u8, u8) -> SquareState,
) -> Result<(), Illegal> {
    let named = |(x, y): (u8, u8)| Cell::at(x, side - y);
    if placement.cells().any(|(x, y)| x >= side || y >= side) {
        return Err(Illegal::OffBoard);
    }
    if let Some(cell) = placement.cells().find(|&(x, y)| state(x, y).occupied) {
        return Err(Illegal::Occupied(named(cell)));
    }
    let attached = placement.cells().any(|(x, y)| state(x, y).attach);
    if let (false, Some(own)) = (attached, first) {
        let free = starts.iter().find(|&&(x, y)| state(x, y).attach);
        if let Some(start) = free.or(starts.get(own)) {
            return Err(Illegal::MissesStart(named(*start)));
        }
    }
    if let Some(cell) = placement.cells().find(|&(x, y)| !state(x, y).allowed) {
        return Err(Illegal::TouchesOwn(named(cell)));
    }
    if attached { Ok(()) } else { Err(Illegal::NoCorner) }
}

/// The number of a move.
#[inline]
fn encode(mv: Move, side: u8) -> MoveCode {
    let Move::Place(Placement { orientation, x, y }) = mv else { return MoveCode::PASS };
    let side = u16::from(side);
    let place = u16::from(y) * side + u16::from(x);
    MoveCode::new(orientation.index() as u16 * side * side + place)
}

/// The move that [`encode`] made this of.
#[inline]
fn decode(code: MoveCode, side: u8) -> Option<Move> {
    if code == MoveCode::PASS {
        return Some(Move::Pass);
    }
    let squares = u16::from(side) * u16::from(side);
    let (number, place) = (code.get() / squares, code.get() % squares);
    let orientation = Orientation::new(number.into())?;
    let (x, y) = ((place % u16::from(side)) as u8, (place / u16::from(side)) as u8);
    let fits = x + orientation.width() <= side && y + orientation.height() <= side;
    fits.then_some(Move::Place(Placement { orientation, x, y }))
}

/// Packs a placement for a save.
#[inline]
fn pack(placement: Placement, side: u8) -> u64 {
    let Placement { orientation, x: left, y: top } = placement;
    let bottom = top + orientation.height() - 1;
    let corner = u64::from(left) | u64::from(side - 1 - bottom) << 5;
    placement.cells().fold(corner, |packed, (x, y)| {
        packed | 1 << (10 + usize::from(x - left) * BOX + usize::from(bottom - y))
    })
}

/// The placement that [`pack`] made this of.
#[inline]
fn unpack(packed: u64, side: u8) -> Option<Placement> {
    let squares = packed >> 10;
    let has = |x: usize, up: usize| squares >> (x * BOX + up) & 1 != 0;
    let height = (0..BOX).rfind(|up| (0..BOX).any(|x| has(x, *up)))? + 1;
    let low = usize::try_from(packed >> 5 & 31).ok()?;
    let top = usize::from(side).checked_sub(low + height)?;
    let mut mask = 0;
    for x in 0..BOX {
        for up in (0..BOX).filter(|up| has(x, *up)) {
            mask |= 1 << ((height - 1 - up) * BOX + x);
        }
    }
    let orientation = Orientation::from_mask(mask).filter(|_| squares >> (BOX * BOX) == 0)?;
    let placement = Placement { orientation, x: (packed & 31) as u8, y: top as u8 };
    (placement.x + orientation.width() <= side).then_some(placement)
}

/// Writes the covered squares. Rows are counted from the bottom, so the lowest come first.
#[inline]
fn write_cells(placement: Placement, side: u8, out: &mut dyn Write) -> fmt::Result {
    let mut separator = "";
    for row in (0..placement.orientation.height()).rev() {
        for (x, y) in placement.cells().filter(|cell| cell.1 == placement.y + row) {
            write!(out, "{separator}{}", Cell::at(x, side - y))?;
            separator = ",";
        }
    }
    Ok(())
}

/// Draws a board.
#[inline]
fn draw(
    side: u8,
    colors: &[Color],
    starts: &[(u8, u8)],
    owner: &dyn Fn(u8, u8) -> Option<Player>,
    last: Option<Placement>,
    out: &mut dyn Canvas,
) -> fmt::Result {
    let is_last = |cell| last.is_some_and(|last| last.cells().any(|other| other == cell));
    let columns = |out: &mut dyn Canvas| {
        out.write_str("  ")?;
        for x in 0..side {
            out.write_char(' ')?;
            out.write_char(char::from(b'a' + x))?;
        }
        out.write_char('\n')
    };
    columns(out)?;
    for y in 0..side {
        let number = side - y;
        write!(out, "{number:>2}")?;
        for x in 0..side {
            out.write_char(' ')?;
            match owner(x, y) {
                Some(player) => {
                    let mark = colors.get(player.index()).map_or('?', |color| color.mark);
                    let mark = if is_last((x, y)) { mark } else { mark.to_ascii_lowercase() };
                    out.mark(player, mark)?;
                }
                None if starts.contains(&(x, y)) => out.write_char('+')?,
                None => out.write_char('.')?,
            }
        }
        writeln!(out, " {number}")?;
    }
    columns(out)
}

/// Reads covered squares, comma-separated in any order, as a placement.
#[inline]
fn parse_cells(text: &str, side: u8) -> Result<Placement, ParseMoveError> {
    const FORM: ParseMoveError = ParseMoveError {
        long: "a move is the covered squares, comma-separated: e8,d9,e9",
        short: "squares like e8,d9,e9",
    };
    const NO_PIECE: ParseMoveError =
        ParseMoveError { long: "these squares form no piece", short: "no such piece" };
    let mut cells = heapless::Vec::<(u8, u8), BOX>::new();
    for name in text.as_bytes().split(|byte| *byte == b',') {
        let (&letter, row) = name.trim_ascii().split_first().ok_or(FORM)?;
        if !letter.is_ascii_alphabetic() || row.is_empty() || !row.iter().all(u8::is_ascii_digit) {
            return Err(FORM);
        }
        let column = letter.to_ascii_lowercase() - b'a';
        let add_digit = |row: u8, digit: &u8| row.checked_mul(10)?.checked_add(digit - b'0');
        let row = row.iter().try_fold(0, add_digit).unwrap_or(u8::MAX);
        if column >= side || row == 0 || row > side {
            return Err(ParseMoveError {
                long: "a square of this move is not on the board",
                short: "off the board",
            });
        }
        let cell = (column, side - row);
        if cells.contains(&cell) {
            return Err(ParseMoveError {
                long: "this move names a square twice",
                short: "square named twice",
            });
        }
        cells.push(cell).map_err(|_| NO_PIECE)?;
    }
    let x = cells.iter().map(|cell| cell.0).min().ok_or(FORM)?;
    let y = cells.iter().map(|cell| cell.1).min().ok_or(FORM)?;
    let mut mask = 0;
    for cell in &cells {
        let (dx, dy) = (usize::from(cell.0 - x), usize::from(cell.1 - y));
        if dx >= BOX || dy >= BOX {
            return Err(NO_PIECE);
        }
        mask |= 1 << (dy * BOX + dx);
    }
    let orientation = Orientation::from_mask(mask).ok_or(NO_PIECE)?;
    Ok(Placement { orientation, x, y })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::perft;

    fn place<const P: usize, const W: usize>(game: &mut Blokus<P, W>, text: &str) {
        let mv = game.parse_move(text).unwrap();
        assert_eq!(game.check(mv), Ok(()), "{text}");
        game.play(mv);
    }

    fn refuse<const P: usize, const W: usize>(game: &Blokus<P, W>, text: &str) -> Illegal {
        game.check(game.parse_move(text).unwrap()).unwrap_err()
    }

    #[test]
    fn published_move_counts_and_bounds() {
        assert_eq!(perft(&Duo::default(), 2), 171_396);
        assert_eq!(perft(&Classic::default(), 3), 195_112);
        assert_eq!((Duo::MAX_MOVES, Classic::MAX_MOVES), (13_729, 30_433));
    }

    #[test]
    fn each_rule_has_its_reason() {
        let mut game = Duo::default();
        assert_eq!(refuse(&game, "a1"), Illegal::MissesStart(Cell::at(4, 10)));
        assert_eq!(refuse(&game, "pass"), Illegal::MustMove);
        place(&mut game, "e10,e11,e12");
        assert_eq!(refuse(&game, "e10,f10"), Illegal::Occupied(Cell::at(4, 10)));
        place(&mut game, "j5");
        assert_eq!(refuse(&game, "f9,g9,h9"), Illegal::PieceUsed(Piece::new(2).unwrap()));
        assert_eq!(refuse(&game, "f10,f9"), Illegal::TouchesOwn(Cell::at(5, 10)));
        assert_eq!(refuse(&game, "g7,g8"), Illegal::NoCorner);
        let domino = Piece::new(1).unwrap().orientations().next().unwrap();
        let off = Move::Place(Placement { orientation: domino, x: 200, y: 255 });
        assert_eq!(game.check(off), Err(Illegal::OffBoard));
        place(&mut game, "f9,g9");
    }

    #[test]
    fn start_squares_by_rule() {
        let mut boxed = Duo::new(StartRule::Any);
        place(&mut boxed, "j5");
        assert_eq!(refuse(&boxed, "j6"), Illegal::MissesStart(Cell::at(4, 10)));
        place(&mut boxed, "e10");
        let mut classic = Classic::default();
        for corner in ["a20", "t20", "t1", "a1"] {
            place(&mut classic, corner);
        }
        assert_eq!(classic.turn(), Player::FIRST);
        place(&mut classic, "b19,c19");
    }

    #[test]
    fn all_pieces_placed_score_15_or_20_with_the_single_square_last() {
        let mut game = Duo::default();
        let orientation = |piece: usize| Piece::new(piece).unwrap().orientations().next().unwrap();
        // Illegal on purpose: only the count of pieces matters here.
        let order = (1..PIECES).chain([0]);
        for piece in order {
            for _ in 0..2 {
                game.play(Move::Place(Placement { orientation: orientation(piece), x: 0, y: 0 }));
            }
        }
        assert_eq!(game.score(Player::FIRST), 20);
        let mut game = Duo::default();
        for piece in 0..PIECES {
            for _ in 0..2 {
                game.play(Move::Place(Placement { orientation: orientation(piece), x: 0, y: 0 }));
            }
        }
        assert_eq!(game.score(Player::SECOND), 15);
        assert!(game.is_over());
    }

    /// Over whole games: what the placements cover lies within reach, and `allows` holds for them
    /// and for nothing else.
    #[test]
    fn placements_are_allowed_and_stay_within_reach() {
        for seed in 0..5 {
            let (mut game, mut rng) = (Duo::default(), crate::mix::Rng::new(seed));
            while let Some(mv) = crate::choice::random(&game, &mut rng) {
                let reach = game.reach(game.turn());
                let mut allowed = 0;
                for (orientation, x, y) in Orientation::all()
                    .flat_map(|o| (0..14).flat_map(move |x| (0..14).map(move |y| (o, x, y))))
                {
                    let placement = Placement { orientation, x, y };
                    let legal = game.check(Move::Place(placement)).is_ok();
                    assert_eq!(game.allows(placement), legal, "{placement:?}");
                    assert!(!legal || placement.cells().all(|(x, y)| reach.has(x, y)));
                    allowed += u32::from(legal);
                }
                assert_eq!(allowed, game.count_placements(game.turn()));
                game.play(mv);
            }
            assert_eq!(game.reach_lead(Player::FIRST), -game.reach_lead(Player::SECOND));
        }
    }

    /// ```text
    /// . . o . .
    /// . o o o .    Two steps from a square, with a wall (#) below it.
    /// o o x o o
    /// . o # o .
    /// ```
    #[test]
    fn reach_goes_around_what_is_in_the_way() {
        let wall = !Rows::<8>::EMPTY.with(6, 7);
        let flooded = Rows::<8>::EMPTY.with(6, 6).flooded(&wall, 2);
        let row = |y| (4..=8).map(|x| if flooded.has(x, y) { 'o' } else { '.' }).collect();
        let rows: [std::string::String; 6] = [3, 4, 5, 6, 7, 8].map(row);
        assert_eq!(rows, [".....", "..o..", ".ooo.", "ooooo", ".o.o.", "....."]);
    }

    #[test]
    fn moves_are_written_from_the_lowest_row_and_read_in_any_order() {
        let game = Duo::default();
        let mv = game.parse_move("F9,e8,e10,e9,d9").unwrap();
        let mut text = std::string::String::new();
        game.write_move(mv, &mut text).unwrap();
        assert_eq!(text, "e8,d9,e9,f9,e10");
        for (text, short) in [
            ("e8,e10", "no such piece"),
            ("a1,b1,c1,d1,e1,f1", "no such piece"),
            ("e8,e8", "square named twice"),
            ("o1", "off the board"),
            ("a0", "off the board"),
            ("a9999", "off the board"),
            ("e8,,e9", "squares like e8,d9,e9"),
            ("e+8", "squares like e8,d9,e9"),
            ("8e", "squares like e8,d9,e9"),
            ("55s9", "not a move code"),
        ] {
            assert_eq!(game.parse_move(text).unwrap_err().short, short, "{text}");
        }
        assert!(Classic::default().parse_move("t20").is_ok());
    }
}
