//! The board and the pieces of Blokus, Duo and Classic.
use super::{Hand, Pieces, Pressed, Shown, View};
use crate::{
    app::COMFORTS,
    frame::{Frame, HEIGHT, Ink, WIDTH},
    keys::Press,
    ui::widgets::{Line, MENU, step, title},
};
use corvid_core::{
    game::{Game, MoveCode},
    games::blokus::{Blokus, Classic, Duo, Move, Orientation, PIECES, Piece, PieceSet, Placement},
    list::filled,
    player::Player,
    refusal::Refusal,
    registry::AnyPosition,
};

/// The longest side of a board.
const MAX_SIDE: usize = 20;

/// Blokus Duo's.
pub(crate) const DUO: BlokusView = BlokusView { four: false, home: Duo::STARTS[0] };

/// Blokus Classic's.
pub(crate) const CLASSIC: BlokusView = BlokusView { four: true, home: Classic::STARTS[0] };

pub(crate) struct BlokusView {
    /// Whether there are four players' squares to tell apart.
    four: bool,
    home: (u8, u8),
}

/// The position, if it is one of Blokus.
fn board(position: &AnyPosition) -> Option<&dyn Board> {
    let duo = <&Duo>::try_from(position).ok().map(|game| game as &dyn Board);
    duo.or_else(|| <&Classic>::try_from(position).ok().map(|game| game as &dyn Board))
}

/// The piece in a hand.
fn held(hand: Hand) -> Option<Orientation> {
    Orientation::new(hand.piece?.into())
}

/// Where the piece in a hand is: at the cursor, clamped to the board.
fn placement(hand: Hand, side: u8) -> Option<Placement> {
    let orientation = held(hand)?;
    let (x, y) = hand.cursor;
    let (x, y) = (x.min(side - orientation.width()), y.min(side - orientation.height()));
    Some(Placement { orientation, x, y })
}

impl View for BlokusView {
    fn draw(&self, frame: &mut Frame, position: &AnyPosition, shown: Shown) {
        let Some(game) = board(position) else { return };
        let last = shown.last.and_then(|mv| game.decode(mv));
        let ghost = shown.hand.and_then(|hand| placement(hand, game.side()));
        let ghost = ghost.map(|placement| (placement, game.check(placement).is_ok()));
        let spots = if shown.marks { spots(game, shown.hand) } else { NO_SPOTS };
        draw_board(frame, game, last, &spots, ghost);
    }

    /// Three pixels a square are enough to look at four colours, not to place a piece among them.
    fn magnify(&self, frame: &mut Frame, position: &AnyPosition, shown: Shown) -> bool {
        let Some(game) = board(position).filter(|_| self.four) else { return false };
        let Some(ghost) = shown.hand.and_then(|hand| placement(hand, game.side())) else {
            return false;
        };
        let spots = if shown.marks { spots(game, shown.hand) } else { NO_SPOTS };
        draw_magnified(frame, game, &spots, ghost);
        true
    }

    fn head_start(&self) -> i16 {
        PieceSet::ALL.squares()
    }

    fn mark(&self, frame: &mut Frame, player: Player, x: i32, y: i32) {
        for (dx, dy) in [(0, 0), (3, 0), (0, 3), (3, 3)] {
            pattern(frame, self.four, player, x + dx, y + dy);
        }
    }

    fn home(&self) -> (u8, u8) {
        self.home
    }

    fn fit(&self, position: &AnyPosition, (x, y): (u8, u8)) -> (u8, u8) {
        let last = board(position).map_or(0, |game| game.side() - 1);
        (x.min(last), y.min(last))
    }

    /// Without a piece, every key opens the tray. With one, the keys move it until select, then
    /// they rotate it, and select places it.
    fn press(&self, position: &AnyPosition, mut hand: Hand, press: Press) -> Pressed {
        let side = board(position).map_or(1, |game| game.side());
        let Some(Placement { orientation, mut x, mut y }) = placement(hand, side) else {
            return Pressed::Tray;
        };
        match (press, hand.turning) {
            (Press::Left, false) => x = x.saturating_sub(1),
            (Press::Right, false) => x = (x + 1).min(side - orientation.width()),
            (Press::Up, false) => y = y.saturating_sub(1),
            (Press::Down, false) => y = (y + 1).min(side - orientation.height()),
            (Press::Select, false) => hand.turning = true,
            (Press::Left | Press::Right, true) => {
                let turned = turned(orientation, press == Press::Right);
                hand.piece = Some(turned.index() as u8);
                let fitted = placement(Hand { cursor: (x, y), ..hand }, side);
                (x, y) = fitted.map_or((x, y), |fitted| (fitted.x, fitted.y));
            }
            (Press::Up, true) => return Pressed::Tray,
            (Press::Down, true) => hand.turning = false,
            (Press::Select, true) => return Pressed::Play,
            (Press::Menu, _) => {}
        }
        hand.cursor = (x, y);
        Pressed::Moved(hand)
    }

    fn pointed(&self, position: &AnyPosition, hand: Hand) -> Option<MoveCode> {
        let game = board(position)?;
        placement(hand, game.side()).map(|placement| game.encode(placement))
    }

    fn show(&self, position: &AnyPosition, mv: MoveCode) -> Option<Hand> {
        let Placement { orientation, x, y } = board(position)?.decode(mv)?;
        Some(Hand { cursor: (x, y), piece: Some(orientation.index() as u8), turning: true })
    }

    fn help(&self, position: &AnyPosition, hand: Hand, out: &mut Line) {
        let Some(game) = board(position) else { return };
        let Some(placement) = placement(hand, game.side()) else {
            out.add("select a piece");
            return;
        };
        match game.check(placement) {
            _ if hand.turning => out.add("<turn flip>\n^tray v move\nsel: place"),
            Err(refusal) => {
                // Where the first square of the piece is: the reason may name another one.
                let (x, y) = placement.cells().next().unwrap_or_default();
                out.letter(char::from(b'a' + x)).number((game.side() - y).into());
                out.add(": ").add(refusal.short())
            }
            Ok(()) => out.add("fits\nsel: turn or place"),
        };
    }

    /// The piece and the square at its upper left.
    fn write_short(&self, position: &AnyPosition, mv: MoveCode, out: &mut Line) {
        let Some(game) = board(position) else { return };
        match game.decode(mv) {
            None => {
                out.add("pass");
            }
            Some(Placement { orientation, x, y }) => {
                out.add(orientation.piece().name()).add(" ");
                out.letter(char::from(b'a' + x)).number((game.side() - y).into());
            }
        }
    }

    fn pieces(&self) -> Option<&dyn Pieces> {
        Some(self)
    }
}

/// What the screens need from a position of Duo or Classic.
trait Board {
    fn side(&self) -> u8;
    fn turn(&self) -> Player;
    fn owner(&self, x: u8, y: u8) -> Option<Player>;
    fn left(&self, player: Player) -> PieceSet;
    fn is_start(&self, x: u8, y: u8) -> bool;
    /// Bit x of entry y: the next piece of the player to move can attach there.
    fn attach(&self) -> Spots;
    /// Visits the placements of some pieces of the player to move.
    fn for_each(&self, pieces: PieceSet, visit: &mut dyn FnMut(Placement));
    fn check(&self, placement: Placement) -> Result<(), Refusal>;
    /// A placement as a move.
    fn encode(&self, placement: Placement) -> MoveCode;
    /// The placement of a move.
    fn decode(&self, mv: MoveCode) -> Option<Placement>;
}

impl<const PLAYERS: usize, const WORDS: usize> Board for Blokus<PLAYERS, WORDS> {
    fn side(&self) -> u8 {
        Self::SIDE
    }

    fn turn(&self) -> Player {
        Game::turn(self)
    }

    fn owner(&self, x: u8, y: u8) -> Option<Player> {
        Self::owner(self, x, y)
    }

    fn left(&self, player: Player) -> PieceSet {
        self.pieces_left(player)
    }

    fn is_start(&self, x: u8, y: u8) -> bool {
        Self::STARTS.contains(&(x, y))
    }

    fn attach(&self) -> Spots {
        let points = self.attach_points(Game::turn(self));
        let row = |y: usize| {
            (0..Self::SIDE).fold(0, |row, x| row | u32::from(points.has(x, y as u8)) << x)
        };
        core::array::from_fn(row)
    }

    fn for_each(&self, pieces: PieceSet, visit: &mut dyn FnMut(Placement)) {
        self.for_each_placement(pieces, visit);
    }

    fn check(&self, placement: Placement) -> Result<(), Refusal> {
        Ok(Game::check(self, Move::Place(placement))?)
    }

    fn encode(&self, placement: Placement) -> MoveCode {
        <Self as Game>::encode(Move::Place(placement))
    }

    fn decode(&self, mv: MoveCode) -> Option<Placement> {
        match Game::decode(self, mv)? {
            Move::Place(placement) => Some(placement),
            Move::Pass => None,
        }
    }
}

/// The orientation of the same piece whose squares are these, moved to the upper left.
fn with_cells(piece: Piece, cells: &[(i8, i8)]) -> Option<Orientation> {
    let left = cells.iter().map(|cell| cell.0).min()?;
    let top = cells.iter().map(|cell| cell.1).min()?;
    let same = |orientation: &Orientation| {
        orientation.cells().all(|(x, y)| cells.contains(&(x as i8 + left, y as i8 + top)))
    };
    piece.orientations().find(same)
}

/// The piece a quarter turn further (clockwise), or flipped over (left to right).
fn turned(orientation: Orientation, flip: bool) -> Orientation {
    let to = |(x, y): (u8, u8)| {
        let (x, y) = (x as i8, y as i8);
        if flip { (-x, y) } else { (-y, x) }
    };
    // A piece has at most five squares.
    let cells: heapless::Vec<(i8, i8), 5> = filled(orientation.cells().map(to));
    with_cells(orientation.piece(), &cells).unwrap_or(orientation)
}

/// A square of Blokus, three rows of three pixels.
type Pattern = [u8; 3];

const FULL: Pattern = [0b111, 0b111, 0b111];
const STRIPED: Pattern = [0b111, 0b000, 0b111];
const CHEQUERED: Pattern = [0b101, 0b010, 0b101];
const SLANTED: Pattern = [0b001, 0b010, 0b100];

/// Draws a square of Blokus in a player's pattern, of two or of four players.
fn pattern(frame: &mut Frame, four: bool, player: Player, x: i32, y: i32) {
    let pattern = match (player, four) {
        (Player::FIRST, _) => FULL,
        (Player::SECOND, true) => STRIPED,
        (Player::SECOND, false) | (Player::THIRD, _) => CHEQUERED,
        _ => SLANTED,
    };
    for (row, bits) in (0..).zip(pattern) {
        for column in (0..3).filter(|column| bits >> (2 - column) & 1 != 0) {
            frame.dot(x + column, y + row, Ink::On);
        }
    }
}

/// Squares of a board: bit x of entry y.
type Spots = [u32; MAX_SIDE];

fn is_spot(spots: &Spots, x: u8, y: u8) -> bool {
    spots.get(usize::from(y)).is_some_and(|row| row >> x & 1 != 0)
}

const NO_SPOTS: Spots = [0; MAX_SIDE];

/// Where the first square of the piece in hand may go as it lies; without one, where pieces may be
/// attached.
fn spots(game: &dyn Board, hand: Option<Hand>) -> Spots {
    let Some(orientation) = hand.and_then(held) else { return game.attach() };
    let mut spots = NO_SPOTS;
    game.for_each(PieceSet::EMPTY.with(orientation.piece()), &mut |placement| {
        if placement.orientation == orientation
            && let Some((x, y)) = placement.cells().next()
        {
            spots[usize::from(y) % MAX_SIDE] |= 1 << x;
        }
    });
    spots
}

/// How many placements the player to move has, and of which pieces.
fn fitting(game: &dyn Board) -> (i32, PieceSet) {
    let (mut moves, mut fitting) = (0, PieceSet::EMPTY);
    game.for_each(game.left(game.turn()), &mut |placement| {
        moves += 1;
        fitting = fitting.with(placement.orientation.piece());
    });
    (moves, fitting)
}

/// Squares across the magnified part of a board, and pixels of each.
const LENS: u8 = 8;
const LENS_CELL: i32 = 8;

/// Where the small board is, with room for a clock left of it, and pixels of its squares. Its first row
/// is cut, so that the text below doesn't touch its last.
const MAP: i32 = 87;
const MAP_TOP: i32 = -1;
const MAP_CELL: i32 = 2;

/// Draws the part of the board around the piece in hand, and the whole of it in small.
fn draw_magnified(frame: &mut Frame, game: &dyn Board, spots: &Spots, ghost: Placement) {
    let side = game.side();
    let last = side - LENS;
    let Placement { orientation, x, y } = ghost;
    let left = (x + orientation.width() / 2).saturating_sub(LENS / 2).min(last);
    let top = (y + orientation.height() / 2).saturating_sub(LENS / 2).min(last);
    for (row, column) in (0..LENS).flat_map(|row| (0..LENS).map(move |column| (row, column))) {
        let (px, py) = (i32::from(column) * LENS_CELL, i32::from(row) * LENS_CELL);
        let (x, y) = (left + column, top + row);
        frame.dot(px, py, Ink::On);
        match game.owner(x, y) {
            Some(player) => {
                for (dx, dy) in [(1, 1), (4, 1), (1, 4), (4, 4)] {
                    pattern(frame, true, player, px + dx, py + dy);
                }
            }
            None if is_spot(spots, x, y) => {
                frame.fill(px + 3, py + 3, 2, 2, Ink::On);
            }
            None if game.is_start(x, y) => {
                frame.fill(px + 2, py + 4, 5, 1, Ink::On);
                frame.fill(px + 4, py + 2, 1, 5, Ink::On);
            }
            None => {}
        }
    }
    // The edge of the board, where it is in sight.
    let far = i32::from(LENS) * LENS_CELL - 1;
    if left == 0 {
        frame.fill(0, 0, 1, far + 1, Ink::On);
    }
    if top == 0 {
        frame.fill(0, 0, far + 1, 1, Ink::On);
    }
    if left == last {
        frame.fill(far, 0, 1, far + 1, Ink::On);
    }
    if top == last {
        frame.fill(0, far, far + 1, 1, Ink::On);
    }
    let fits = game.check(ghost).is_ok();
    for (x, y) in ghost.cells() {
        let (px, py) = (i32::from(x - left) * LENS_CELL, i32::from(y - top) * LENS_CELL);
        // Thick where it fits, thin where it doesn't, and never like a piece on the board.
        if game.owner(x, y).is_none() {
            frame.fill(px + 1, py + 1, LENS_CELL - 1, LENS_CELL - 1, Ink::Off);
        }
        frame.outline(px + 1, py + 1, LENS_CELL - 1, LENS_CELL - 1, Ink::Flip);
        if fits {
            frame.outline(px + 2, py + 2, LENS_CELL - 3, LENS_CELL - 3, Ink::Flip);
        }
    }
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        let (px, py) = (MAP + i32::from(x) * MAP_CELL, MAP_TOP + i32::from(y) * MAP_CELL);
        match game.owner(x, y) {
            Some(player) if player == game.turn() => frame.fill(px, py, 2, 2, Ink::On),
            Some(_) => {
                frame.dot(px, py, Ink::On);
                frame.dot(px + 1, py + 1, Ink::On);
            }
            None => {}
        }
    }
    let width = i32::from(side) * MAP_CELL;
    frame.fill(MAP - 1, MAP_TOP, 1, width, Ink::On);
    frame.fill(MAP + width, MAP_TOP, 1, width, Ink::On);
    let (x, y) = (MAP + i32::from(left) * MAP_CELL, MAP_TOP + i32::from(top) * MAP_CELL);
    let lens = i32::from(LENS) * MAP_CELL;
    frame.outline(x, y, lens, lens, Ink::Flip);
}

/// Draws the board.
fn draw_board(
    frame: &mut Frame,
    game: &dyn Board,
    last: Option<Placement>,
    spots: &Spots,
    ghost: Option<(Placement, bool)>,
) {
    let side = i32::from(game.side());
    let cell = (HEIGHT as i32 - 2) / side.max(1);
    let margin = (HEIGHT as i32 - side * cell) / 2;
    let four = game.side() == MAX_SIDE as u8;
    let at = |place: u8| margin + i32::from(place) * cell;
    frame.outline(margin - 1, margin - 1, side * cell + 2, side * cell + 2, Ink::On);
    for y in 0..game.side() {
        for x in 0..game.side() {
            let (px, py) = (at(x), at(y));
            match game.owner(x, y) {
                Some(player) => pattern(frame, four, player, px, py),
                None if is_spot(spots, x, y) => {
                    frame.dot(px + 1, py + 1, Ink::On);
                }
                None if game.is_start(x, y) => {
                    frame.fill(px, py + 1, 3, 1, Ink::On);
                    frame.fill(px + 1, py, 1, 3, Ink::On);
                }
                None => {}
            }
        }
    }
    if let Some(placement) = last {
        // The centres of its squares are inverted.
        placement.cells().for_each(|(x, y)| frame.dot(at(x) + 1, at(y) + 1, Ink::Flip));
    }
    if let Some((placement, fits)) = ghost {
        for (x, y) in placement.cells() {
            let (px, py) = (at(x), at(y));
            // One that fits is solid; one that doesn't is transparent.
            frame.fill(px, py, cell, cell, if fits { Ink::On } else { Ink::Flip });
            if !fits {
                frame.fill(px + 1, py + 1, cell - 2, cell - 2, Ink::Flip);
            }
        }
    }
}

/// Pieces in a row of the tray.
const TRAY_COLUMNS: usize = 7;

/// Pixels for a piece in the tray.
const TRAY_CELL: (i32, i32) = (18, 17);

/// Draws pieces, one of them selected; those that fit nowhere are faint.
fn draw_pieces(frame: &mut Frame, pieces: PieceSet, fitting: PieceSet, chosen: Option<usize>) {
    for index in 0..PIECES {
        let Some(piece) = Piece::new(index).filter(|piece| pieces.has(*piece)) else { continue };
        let Some(shape) = piece.orientations().next() else { continue };
        let left = 1 + (index % TRAY_COLUMNS) as i32 * TRAY_CELL.0;
        let top = 13 + (index / TRAY_COLUMNS) as i32 * TRAY_CELL.1;
        let x = left + (TRAY_CELL.0 - 3 * i32::from(shape.width())) / 2;
        let y = top + (TRAY_CELL.1 - 3 * i32::from(shape.height())) / 2;
        let size = if fitting.has(piece) { 2 } else { 1 };
        for (dx, dy) in shape.cells() {
            frame.fill(x + 3 * i32::from(dx), y + 3 * i32::from(dy), size, size, Ink::On);
        }
        if chosen == Some(index) {
            frame.outline(left, top, TRAY_CELL.0, TRAY_CELL.1, Ink::On);
        }
    }
}

impl Pieces for BlokusView {
    fn draw_tray(&self, frame: &mut Frame, position: &AnyPosition, chosen: usize, brief: bool) {
        let Some(game) = board(position) else { return };
        let mut heading = Line::new();
        let pieces = game.left(game.turn());
        let (moves, fitting) = fitting(game);
        if let Some(piece) = Piece::new(chosen) {
            heading.add(piece.name());
        }
        // Who has passed is out, so a piece was placed in every round.
        let round = (PIECES + 1 - pieces.iter().count()) as i32;
        heading.add(" round ").number(round);
        if !brief {
            heading.add(", ").number(moves).add(" moves");
        }
        title(frame, heading.as_str());
        draw_pieces(frame, pieces, fitting, Some(chosen));
    }

    /// The piece in the hand, or else a large one that fits.
    fn first(&self, position: &AnyPosition, hand: Hand) -> Option<usize> {
        let game = board(position)?;
        let pieces = game.left(game.turn());
        let held = held(hand).map(Orientation::piece).filter(|piece| pieces.has(*piece));
        let (_, fitting) = fitting(game);
        held.or_else(|| fitting.iter().last()).or_else(|| pieces.iter().last()).map(Piece::index)
    }

    fn step(&self, position: &AnyPosition, chosen: usize, press: Press) -> usize {
        let Some(game) = board(position) else { return chosen };
        let pieces = game.left(game.turn());
        let has = |index: usize| Piece::new(index).is_some_and(|piece| pieces.has(piece));
        let mut at = chosen;
        match press {
            Press::Left | Press::Right => {
                // There is at least the selected one.
                for _ in 0..PIECES {
                    at = step(at, PIECES, press == Press::Right);
                    if has(at) {
                        break;
                    }
                }
            }
            Press::Up | Press::Down => {
                let row = step(at / TRAY_COLUMNS, 3, press == Press::Down);
                let column = at % TRAY_COLUMNS;
                // The nearest piece in the row, or in the next one if that is empty.
                let near = |row: usize| {
                    (0..TRAY_COLUMNS)
                        .filter(|other| has(row * TRAY_COLUMNS + other))
                        .min_by_key(|other| other.abs_diff(column))
                        .map(|column| row * TRAY_COLUMNS + column)
                };
                let beyond = step(row, 3, press == Press::Down);
                at = near(row).or_else(|| near(beyond)).unwrap_or(at);
            }
            Press::Select | Press::Menu => {}
        }
        at
    }

    /// The piece that is held stays as it lies. Another is put on the nearest place where it fits.
    fn take(&self, position: &AnyPosition, hand: Hand, chosen: usize) -> Hand {
        let (Some(game), Some(piece)) = (board(position), Piece::new(chosen)) else { return hand };
        if held(hand).is_some_and(|orientation| orientation.piece() == piece) {
            return hand;
        }
        let mut nearest: Option<(u8, Placement)> = None;
        game.for_each(PieceSet::EMPTY.with(piece), &mut |placement| {
            let (x, y) = hand.cursor;
            let far = placement.x.abs_diff(x).max(placement.y.abs_diff(y));
            if nearest.is_none_or(|(other, _)| far < other) {
                nearest = Some((far, placement));
            }
        });
        let first = || piece.orientations().next().map(|first| (first, hand.cursor));
        let found = nearest.map(|(_, Placement { orientation, x, y })| (orientation, (x, y)));
        match found.or_else(first) {
            Some((orientation, cursor)) => {
                Hand { cursor, piece: Some(orientation.index() as u8), turning: false }
            }
            None => hand,
        }
    }

    fn draw_left(&self, frame: &mut Frame, position: &AnyPosition, player: Player, name: &str) {
        let Some(game) = board(position) else { return };
        let mut heading = Line::new();
        let left = game.left(player);
        let count = left.iter().count() as i32;
        heading.add("< ").add(name).add(" > ");
        heading.number(count).add("/").number(left.squares().into());
        title(frame, heading.as_str());
        draw_pieces(frame, left, left, None);
        if count == 0 {
            frame.text_in(MENU, WIDTH as i32 / 2 - 12, 32, "none");
        }
    }

    fn first_left(&self, position: &AnyPosition, player: Player) -> Option<u8> {
        let piece = board(position).filter(|_| COMFORTS)?.left(player).iter().last()?;
        piece.orientations().next().map(|first| first.index() as u8)
    }

    fn look(&self, position: &AnyPosition, player: Player, piece: u8, press: Press) -> u8 {
        let Some(seen) = Orientation::new(piece.into()).filter(|_| COMFORTS) else { return piece };
        let Some(game) = board(position) else { return piece };
        let left = game.left(player);
        let next = match press {
            Press::Left | Press::Right => Some(turned(seen, press == Press::Right)),
            _ => {
                let at = left.iter().position(|other| other == seen.piece()).unwrap_or(0);
                let next = step(at, left.iter().count(), press == Press::Down);
                left.iter().nth(next).and_then(|piece| piece.orientations().next())
            }
        };
        next.unwrap_or(seen).index() as u8
    }

    fn draw_piece(&self, frame: &mut Frame, piece: u8) {
        const CELL: i32 = 9;
        let Some(shape) = Orientation::new(piece.into()).filter(|_| COMFORTS) else { return };
        let mut heading = Line::new();
        heading.add("< turn   ").add(shape.piece().name()).add("   flip >");
        title(frame, heading.as_str());
        let x = (WIDTH as i32 - i32::from(shape.width()) * CELL) / 2;
        let y = 13 + (HEIGHT as i32 - 13 - i32::from(shape.height()) * CELL) / 2;
        for (dx, dy) in shape.cells() {
            let (px, py) = (x + i32::from(dx) * CELL, y + i32::from(dy) * CELL);
            frame.fill(px, py, CELL - 1, CELL - 1, Ink::On);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_turns_and_two_flips_lead_back_and_reach_every_orientation() {
        for piece in (0..PIECES).filter_map(Piece::new) {
            let first = piece.orientations().next().unwrap();
            let mut seen = vec![];
            let mut now = first;
            for flip in [false, false, false, false, true, false, false, false, false, true] {
                now = turned(now, flip);
                if !seen.contains(&now) {
                    seen.push(now);
                }
            }
            assert_eq!(now, first);
            assert_eq!(seen.len(), piece.orientations().count(), "{}", piece.name());
        }
    }
}
