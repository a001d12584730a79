//! The board and the pieces of Blokus, Duo and Classic.
use super::{
    Screen, Ui,
    glyphs::pattern,
    widgets::{Line, MENU, step, title},
};
use crate::{
    frame::{Frame, HEIGHT, Ink, WIDTH},
    keys::Press,
    table::Table,
};
use core::fmt::Write;
use corvid_core::{
    game::Game,
    games::blokus::{Blokus, Move, Orientation, PIECES, Piece, PieceSet, Placement},
    player::Player,
    session::{AnyGame, AnyMatch, MoveText, Refusal},
};

/// The longest side of a board.
const MAX_SIDE: usize = 20;

/// A piece in a person's hand, over the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ghost {
    pub(crate) orientation: Orientation,
    /// Whether the keys turn it rather than move it.
    pub(crate) turning: bool,
}

impl Ghost {
    /// Where it is when the cursor is there, moved back onto the board.
    pub(crate) fn placement(self, (x, y): (u8, u8), side: u8) -> Placement {
        let orientation = self.orientation;
        let x = x.min(side - orientation.width());
        let y = y.min(side - orientation.height());
        Placement { orientation, x, y }
    }
}

/// What the screens need of a position of Duo or Classic.
pub(crate) trait Position {
    fn side(&self) -> u8;
    fn turn(&self) -> Player;
    fn owner(&self, x: u8, y: u8) -> Option<Player>;
    fn left(&self, player: Player) -> PieceSet;
    fn is_start(&self, x: u8, y: u8) -> bool;
    /// Bit x of entry y: the next piece of the player to move can attach there.
    fn attach(&self) -> [u32; MAX_SIDE];
    fn check(&self, placement: Placement) -> Result<(), Refusal>;
    /// Writes a placement as a move.
    fn write(&self, placement: Placement) -> MoveText;
}

impl<const PLAYERS: usize, const WORDS: usize> Position for Blokus<PLAYERS, WORDS> {
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

    fn attach(&self) -> [u32; MAX_SIDE] {
        let points = self.attach_points(Game::turn(self));
        let row = |y: usize| {
            (0..Self::SIDE).fold(0, |row, x| row | u32::from(points.has(x, y as u8)) << x)
        };
        core::array::from_fn(row)
    }

    fn check(&self, placement: Placement) -> Result<(), Refusal> {
        Ok(Game::check(self, Move::Place(placement))?)
    }

    fn write(&self, placement: Placement) -> MoveText {
        let mut text = MoveText::new();
        // A move always fits: see the capacity of `MoveText`.
        let _ = self.write_move(Move::Place(placement), &mut text);
        text
    }
}

/// The position of a game, if it is Blokus.
pub(crate) fn position(game: &AnyMatch) -> Option<&dyn Position> {
    match game.game() {
        AnyGame::Duo(game) => Some(game.position()),
        AnyGame::Classic(game) => Some(game.position()),
        _ => None,
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
pub(crate) fn turned(orientation: Orientation, flip: bool) -> Orientation {
    let to = |(x, y): (u8, u8)| {
        let (x, y) = (x as i8, y as i8);
        if flip { (-x, y) } else { (-y, x) }
    };
    // A piece has at most five squares.
    let cells: heapless::Vec<(i8, i8), 5> = orientation.cells().map(to).collect();
    with_cells(orientation.piece(), &cells).unwrap_or(orientation)
}

/// Draws the board.
pub(crate) fn draw(
    frame: &mut Frame,
    game: &dyn Position,
    last: Option<Move>,
    marks: bool,
    ghost: Option<(Placement, bool)>,
) {
    let side = i32::from(game.side());
    let cell = (HEIGHT as i32 - 2) / side;
    let margin = (HEIGHT as i32 - side * cell) / 2;
    let four = game.side() == MAX_SIDE as u8;
    let at = |place: u8| margin + i32::from(place) * cell;
    frame.outline(margin - 1, margin - 1, side * cell + 2, side * cell + 2, Ink::On);
    let attach = if marks { game.attach() } else { [0; MAX_SIDE] };
    for y in 0..game.side() {
        for x in 0..game.side() {
            let (px, py) = (at(x), at(y));
            match game.owner(x, y) {
                Some(player) => pattern(frame, four, player, px, py),
                None if attach[usize::from(y)] >> x & 1 != 0 => {
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
    if let Some(Move::Place(placement)) = last {
        // Its squares have their middles turned over.
        placement.cells().for_each(|(x, y)| frame.dot(at(x) + 1, at(y) + 1, Ink::Flip));
    }
    if let Some((placement, fits)) = ghost {
        for (x, y) in placement.cells() {
            let (px, py) = (at(x), at(y));
            // One that fits is solid; one that does not lets through what is below.
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

/// Draws pieces, one of them chosen.
fn draw_pieces(frame: &mut Frame, pieces: PieceSet, chosen: Option<usize>) {
    for index in 0..PIECES {
        let Some(piece) = Piece::new(index).filter(|piece| pieces.has(*piece)) else { continue };
        let Some(shape) = piece.orientations().next() else { continue };
        let left = 1 + (index % TRAY_COLUMNS) as i32 * TRAY_CELL.0;
        let top = 13 + (index / TRAY_COLUMNS) as i32 * TRAY_CELL.1;
        let x = left + (TRAY_CELL.0 - 3 * i32::from(shape.width())) / 2;
        let y = top + (TRAY_CELL.1 - 3 * i32::from(shape.height())) / 2;
        for (dx, dy) in shape.cells() {
            frame.fill(x + 3 * i32::from(dx), y + 3 * i32::from(dy), 2, 2, Ink::On);
        }
        if chosen == Some(index) {
            frame.outline(left, top, TRAY_CELL.0, TRAY_CELL.1, Ink::On);
        }
    }
}

impl Ui {
    /// Opens the tray, at a large piece first.
    pub(super) fn open_tray(&mut self, table: &Table) {
        let Some(game) = position(table.game()) else { return };
        let pieces = game.left(game.turn());
        let held = self.ghost.map(|ghost| ghost.orientation.piece());
        let last = pieces.iter().last();
        let Some(piece) = held.filter(|piece| pieces.has(*piece)).or(last) else { return };
        self.open(Screen::Tray);
        self.at = piece.index();
    }

    pub(super) fn draw_tray(&mut self, frame: &mut Frame, table: &Table) {
        let Some(game) = position(table.game()) else { return };
        let mut heading = Line::new();
        heading.add("Piece ");
        if let Some(piece) = Piece::new(self.at) {
            heading.add(piece.name());
        }
        title(frame, heading.as_str());
        draw_pieces(frame, game.left(game.turn()), Some(self.at));
    }

    pub(super) fn press_tray(&mut self, press: Press, table: &Table) {
        let Some(game) = position(table.game()) else { return };
        let pieces = game.left(game.turn());
        let has = |index: usize| Piece::new(index).is_some_and(|piece| pieces.has(piece));
        match press {
            Press::Left | Press::Right => {
                // There is at least the chosen one.
                for _ in 0..PIECES {
                    self.at = step(self.at, PIECES, press == Press::Right);
                    if has(self.at) {
                        break;
                    }
                }
            }
            Press::Up | Press::Down => {
                let row = step(self.at / TRAY_COLUMNS, 3, press == Press::Down);
                let column = self.at % TRAY_COLUMNS;
                // The nearest piece in the row, or in the next one if that is empty.
                let near = |row: usize| {
                    (0..TRAY_COLUMNS)
                        .filter(|other| has(row * TRAY_COLUMNS + other))
                        .min_by_key(|other| other.abs_diff(column))
                        .map(|column| row * TRAY_COLUMNS + column)
                };
                let beyond = step(row, 3, press == Press::Down);
                self.at = near(row).or_else(|| near(beyond)).unwrap_or(self.at);
            }
            Press::Select => {
                let held = self.ghost.filter(|held| held.orientation.piece().index() == self.at);
                let first = Piece::new(self.at).and_then(|piece| piece.orientations().next());
                let fresh = first.map(|orientation| Ghost { orientation, turning: false });
                self.open(Screen::Board);
                self.ghost = held.or(fresh);
            }
            Press::Menu => self.open(Screen::Board),
        }
    }

    pub(super) fn draw_pieces(&mut self, frame: &mut Frame, table: &Table) {
        let Some(game) = position(table.game()) else { return };
        let mut heading = Line::new();
        let colors = table.game().session().colors();
        let left = game.left(self.player);
        let count = left.iter().count() as i32;
        heading.add("< ").add(colors[self.player.index() % colors.len()].name).add(" > ");
        heading.number(count).add("/").number(left.squares().into());
        title(frame, heading.as_str());
        draw_pieces(frame, left, None);
        if count == 0 {
            frame.text_in(MENU, WIDTH as i32 / 2 - 12, 32, "none");
        }
    }

    pub(super) fn press_pieces(&mut self, press: Press, table: &Table) {
        let players = table.game().session().colors().len();
        match press {
            Press::Left => {
                let others = self.player.index() + players - 1;
                self.player = Player::new(others % players).unwrap_or(Player::FIRST);
            }
            Press::Right => self.player = self.player.next(players),
            Press::Select | Press::Menu => self.open(Screen::Pause),
            Press::Up | Press::Down => {}
        }
    }

    /// Keys over the board while a piece is in hand.
    pub(super) fn press_ghost(&mut self, press: Press, mut ghost: Ghost, table: &Table) -> bool {
        let Some(game) = position(table.game()) else { return false };
        let side = game.side();
        if !ghost.turning {
            let Placement { mut x, mut y, orientation } = ghost.placement(self.cursor, side);
            match press {
                Press::Left => x = x.saturating_sub(1),
                Press::Right => x = (x + 1).min(side - orientation.width()),
                Press::Up => y = y.saturating_sub(1),
                Press::Down => y = (y + 1).min(side - orientation.height()),
                Press::Select => ghost.turning = true,
                Press::Menu => {}
            }
            self.cursor = (x, y);
        } else {
            match press {
                Press::Left | Press::Right => {
                    ghost.orientation = turned(ghost.orientation, press == Press::Right);
                }
                Press::Up => {
                    self.open_tray(table);
                    return false;
                }
                Press::Down => ghost.turning = false,
                Press::Select => return true,
                Press::Menu => {}
            }
            let Placement { x, y, .. } = ghost.placement(self.cursor, side);
            self.cursor = (x, y);
        }
        self.ghost = Some(ghost);
        false
    }
}

/// Writes a move as the piece and the square at its upper left.
pub(crate) fn write_short(mv: Move, side: u8, out: &mut Line) {
    match mv {
        Move::Pass => {
            out.add("pass");
        }
        Move::Place(Placement { orientation, x, y }) => {
            let column = char::from(b'a' + x);
            let _ = write!(out, "{} {column}{}", orientation.piece().name(), side - y);
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
