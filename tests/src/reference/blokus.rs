//! Blokus by brute force: every piece, in all eight transforms, on every cell of the board.

use std::collections::{BTreeMap, BTreeSet};

use super::{Fault, Reference, Refused};

/// The pieces by contest letter, as (right, down) from the reference cell.
const PIECES: [(char, &[(i32, i32)]); 21] = [
    ('a', &[(0, 0)]),
    ('b', &[(0, 0), (0, 1)]),
    ('c', &[(0, -1), (0, 0), (0, 1)]),
    ('d', &[(0, -1), (0, 0), (1, 0)]),
    ('e', &[(0, -1), (0, 0), (0, 1), (0, 2)]),
    ('f', &[(0, -1), (0, 0), (-1, 1), (0, 1)]),
    ('g', &[(0, -1), (0, 0), (1, 0), (0, 1)]),
    ('h', &[(0, 0), (1, 0), (0, 1), (1, 1)]),
    ('i', &[(-1, 0), (0, 0), (0, 1), (1, 1)]),
    ('j', &[(0, -2), (0, -1), (0, 0), (0, 1), (0, 2)]),
    ('k', &[(0, -2), (0, -1), (0, 0), (-1, 1), (0, 1)]),
    ('l', &[(0, -2), (0, -1), (-1, 0), (0, 0), (-1, 1)]),
    ('m', &[(0, -1), (-1, 0), (0, 0), (-1, 1), (0, 1)]),
    ('n', &[(-1, -1), (0, -1), (0, 0), (-1, 1), (0, 1)]),
    ('o', &[(0, -1), (0, 0), (1, 0), (0, 1), (0, 2)]),
    ('p', &[(0, -1), (0, 0), (-1, 1), (0, 1), (1, 1)]),
    ('q', &[(0, -2), (0, -1), (0, 0), (1, 0), (2, 0)]),
    ('r', &[(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1)]),
    ('s', &[(-1, -1), (-1, 0), (0, 0), (1, 0), (1, 1)]),
    ('t', &[(-1, -1), (-1, 0), (0, 0), (1, 0), (0, 1)]),
    ('u', &[(0, -1), (-1, 0), (0, 0), (1, 0), (0, 1)]),
];

/// The piece of one square, which is worth more when it comes last.
const MONOMINO: char = 'a';

/// The rules on where a piece may lie, in the order in which violations are reported.
const RULES: [Fault; 5] = [
    Fault::OffBoard,
    Fault::Occupied,
    Fault::MissesStart,
    Fault::TouchesOwnSide,
    Fault::NoOwnCorner,
];

/// A cell by its distance from the bottom row and from the left column; cells sort as they are
/// written, row by row from the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Rows above the bottom row.
    pub up: i32,
    /// Columns right of the left column.
    pub right: i32,
}

/// The cells that a piece covers.
pub type Cells = BTreeSet<Cell>;

/// Which squares count as a start square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Starts {
    /// Each player has its own (the contest rule in Duo, the corners in Classic).
    Own,
    /// Any start square of the board will do (the rule of the boxed Duo).
    Any,
}

/// A game of Blokus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blokus {
    /// Owners as `board[up][right]`.
    board: Vec<Vec<Option<usize>>>,
    start_squares: Vec<Cell>,
    starts: Starts,
    in_hand: Vec<BTreeSet<char>>,
    last_placed: Vec<Option<char>>,
    mover: usize,
}

impl Blokus {
    /// Duo: 14x14, player 1 starts on e10, player 2 on j5.
    pub fn duo(starts: Starts) -> Self {
        Self::start(14, &[Cell { up: 9, right: 4 }, Cell { up: 4, right: 9 }], starts)
    }

    /// Classic: 20x20, four players from the corners a20, t20, t1 and a1.
    pub fn classic() -> Self {
        let corners = [(19, 0), (19, 19), (0, 19), (0, 0)].map(|(up, right)| Cell { up, right });
        Self::start(20, &corners, Starts::Own)
    }

    fn start(size: usize, start_squares: &[Cell], starts: Starts) -> Self {
        let players = start_squares.len();
        Blokus {
            board: vec![vec![None; size]; size],
            start_squares: start_squares.to_vec(),
            starts,
            in_hand: vec![PIECES.iter().map(|&(letter, _)| letter).collect(); players],
            last_placed: vec![None; players],
            mover: 0,
        }
    }

    /// Who has a piece on the cell; nobody has one outside the board.
    pub fn owner(&self, cell: Cell) -> Option<usize> {
        if self.on_board(cell) { self.board[cell.up as usize][cell.right as usize] } else { None }
    }

    /// The contest letters of the pieces that a player has not placed.
    pub fn in_hand(&self, player: usize) -> &BTreeSet<char> {
        &self.in_hand[player]
    }

    /// How many squares a player has placed.
    pub fn squares_placed(&self, player: usize) -> i32 {
        self.board.iter().flatten().filter(|&&owner| owner == Some(player)).count() as i32
    }

    /// Every contest code of the player to move that is legal, with the cells it covers.
    pub fn legal_codes(&self) -> Vec<(String, Cells)> {
        let mut codes = Vec::new();
        self.each_legal(self.mover, |code, cells| {
            codes.push((code, cells.iter().copied().collect()));
            true
        });
        codes
    }

    /// Every legal placement of the player to move, with the letter of its piece.
    pub fn legal_placements(&self) -> BTreeMap<Cells, char> {
        let mut placements = BTreeMap::new();
        self.each_legal(self.mover, |code, cells| {
            let letter = code.chars().nth(2).expect("a code has four characters");
            placements.insert(cells.iter().copied().collect(), letter);
            true
        });
        placements
    }

    /// Every contest code whose cells are all on the board, legal or not.
    pub fn codes_on_board(&self) -> Vec<(String, Cells)> {
        let mut codes = Vec::new();
        for (letter, _) in PIECES {
            self.each_code(letter, |code, cells| {
                if cells.iter().all(|&cell| self.on_board(cell)) {
                    codes.push((code(), cells.iter().copied().collect()));
                }
                true
            });
        }
        codes
    }

    /// The letter and the cells that a contest code stands for, which may be off the board.
    pub fn decode(&self, code: &str) -> Option<(char, Cells)> {
        let [x, y, piece, turn] = code.chars().collect::<Vec<_>>()[..] else {
            return None;
        };
        let (x, y, turn) = (read_digit(x)?, read_digit(y)?, read_digit(turn)?);
        let size = self.size();
        if !(1..=size).contains(&x) || !(1..=size).contains(&y) || !(0..8).contains(&turn) {
            return None;
        }
        let &(letter, shape) = PIECES.iter().find(|&&(letter, _)| letter == piece)?;
        Some((letter, self.cells_at(&transform(shape, turn), x, y).into_iter().collect()))
    }

    /// Every rule that a placement by the player to move would break; none if it is legal.
    pub fn faults(&self, cells: &Cells) -> Vec<Fault> {
        let mut faults = Vec::new();
        match piece_of(cells) {
            None => faults.push(Fault::NotAPiece),
            Some(letter) if !self.in_hand[self.mover].contains(&letter) => {
                faults.push(Fault::PieceUsed);
            }
            Some(_) => {}
        }
        let cells: Vec<Cell> = cells.iter().copied().collect();
        faults.extend(RULES.iter().filter(|&&rule| self.breaks(rule, self.mover, &cells)));
        faults
    }

    fn size(&self) -> i32 {
        self.board.len() as i32
    }

    fn on_board(&self, cell: Cell) -> bool {
        (0..self.size()).contains(&cell.up) && (0..self.size()).contains(&cell.right)
    }

    /// Whether a player's placement breaks one of the [`RULES`].
    fn breaks(&self, rule: Fault, player: usize, cells: &[Cell]) -> bool {
        let own = |up, right| self.owner(Cell { up, right }) == Some(player);
        let beside = |&Cell { up, right }: &Cell| {
            own(up + 1, right) || own(up - 1, right) || own(up, right + 1) || own(up, right - 1)
        };
        let cornered = |&Cell { up, right }: &Cell| {
            own(up + 1, right + 1)
                || own(up + 1, right - 1)
                || own(up - 1, right + 1)
                || own(up - 1, right - 1)
        };
        let covered = |start: &Cell| cells.contains(start);
        let covers_start = || match self.starts {
            Starts::Own => covered(&self.start_squares[player]),
            Starts::Any => self.start_squares.iter().any(covered),
        };
        let first = self.last_placed[player].is_none();
        match rule {
            Fault::OffBoard => !cells.iter().all(|&cell| self.on_board(cell)),
            Fault::Occupied => cells.iter().any(|&cell| self.owner(cell).is_some()),
            Fault::MissesStart => first && !covers_start(),
            Fault::TouchesOwnSide => cells.iter().any(beside),
            Fault::NoOwnCorner => !first && !cells.iter().any(cornered),
            _ => false,
        }
    }

    /// The cells of a transformed shape whose reference cell is in column `x` from the left and
    /// row `y` from the top, both counted from 1.
    fn cells_at(&self, shape: &[(i32, i32)], x: i32, y: i32) -> Vec<Cell> {
        shape
            .iter()
            .map(|&(dx, dy)| Cell { up: self.size() - (y + dy), right: x + dx - 1 })
            .collect()
    }

    /// Calls `visit` with every code of a piece, and stops early if it answers false. Returns
    /// whether it came to the end. The code is written only on demand.
    fn each_code(
        &self,
        letter: char,
        mut visit: impl FnMut(&dyn Fn() -> String, &[Cell]) -> bool,
    ) -> bool {
        let shape = PIECES.iter().find(|piece| piece.0 == letter).expect("a contest letter").1;
        for turn in 0..8 {
            let turned = transform(shape, turn);
            let corner = self.cells_at(&turned, 1, 1);
            let mut cells = corner.clone();
            for y in 1..=self.size() {
                for x in 1..=self.size() {
                    let code = || format!("{}{}{letter}{turn}", write_digit(x), write_digit(y));
                    for (cell, from) in cells.iter_mut().zip(&corner) {
                        *cell = Cell { up: from.up + 1 - y, right: from.right + x - 1 };
                    }
                    if !visit(&code, &cells) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Calls `visit` with every legal code, and stops early if it answers false.
    fn each_legal(&self, player: usize, mut visit: impl FnMut(String, &[Cell]) -> bool) {
        for &letter in &self.in_hand[player] {
            let to_the_end = self.each_code(letter, |code, cells| {
                let legal = !RULES.iter().any(|&rule| self.breaks(rule, player, cells));
                !legal || visit(code(), cells)
            });
            if !to_the_end {
                return;
            }
        }
    }

    fn can_move(&self, player: usize) -> bool {
        let mut found = false;
        self.each_legal(player, |_, _| {
            found = true;
            false
        });
        found
    }

    /// Reads a comma-separated list of cells, or in Duo a contest code.
    pub fn read(&self, text: &str) -> Option<Cells> {
        if self.start_squares.len() == 2
            && text.len() == 4
            && let Some((_, cells)) = self.decode(text)
        {
            return Some(cells);
        }
        let mut cells = Cells::new();
        for name in text.split(',') {
            let column = name.chars().next().filter(char::is_ascii_lowercase)?;
            let row: i32 = name[1..].parse().ok()?;
            if !cells.insert(Cell { up: row - 1, right: column as i32 - 'a' as i32 }) {
                return None;
            }
        }
        Some(cells)
    }
}

/// A shape turned clockwise `turn / 2` times and then, if `turn` is odd, mirrored left-right.
fn transform(shape: &[(i32, i32)], turn: i32) -> Vec<(i32, i32)> {
    let mut shape = shape.to_vec();
    for _ in 0..turn / 2 {
        for cell in &mut shape {
            *cell = (-cell.1, cell.0);
        }
    }
    if turn % 2 == 1 {
        for cell in &mut shape {
            cell.0 = -cell.0;
        }
    }
    shape
}

/// The piece that the cells form, wherever they lie and however they are turned.
fn piece_of(cells: &Cells) -> Option<char> {
    let shape: Vec<(i32, i32)> = cells.iter().map(|cell| (cell.right, -cell.up)).collect();
    let wanted = at_origin(&shape);
    for (letter, shape) in PIECES {
        if shape.len() == cells.len()
            && (0..8).any(|turn| at_origin(&transform(shape, turn)) == wanted)
        {
            return Some(letter);
        }
    }
    None
}

/// The same shape moved so that its smallest coordinates are 0.
fn at_origin(shape: &[(i32, i32)]) -> BTreeSet<(i32, i32)> {
    let left = shape.iter().map(|cell| cell.0).min().unwrap_or(0);
    let top = shape.iter().map(|cell| cell.1).min().unwrap_or(0);
    shape.iter().map(|&(x, y)| (x - left, y - top)).collect()
}

/// A coordinate of a contest code; letters go on after 9.
fn write_digit(value: i32) -> char {
    char::from_digit(value as u32, 36).expect("at most 35")
}

fn read_digit(digit: char) -> Option<i32> {
    let lower = digit.is_ascii_digit() || digit.is_ascii_lowercase();
    digit.to_digit(36).filter(|_| lower).map(|value| value as i32)
}

/// The canonical text of a placement: its cells row by row from the bottom.
pub fn write_cells(cells: &Cells) -> String {
    let names: Vec<String> = cells
        .iter()
        .map(|cell| format!("{}{}", (b'a' + cell.right as u8) as char, cell.up + 1))
        .collect();
    names.join(",")
}

impl Reference for Blokus {
    fn to_move(&self) -> usize {
        self.mover
    }

    fn legal(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.legal_placements().keys().map(write_cells).collect();
        texts.sort();
        if texts.is_empty() && !self.over() {
            texts.push("pass".into());
        }
        texts
    }

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        let players = self.in_hand.len();
        if text == "pass" || (players == 2 && text == "0000") {
            if self.can_move(self.mover) {
                return Err(Refused::CanMove);
            }
            if self.over() {
                return Err(Refused::GameOver);
            }
            self.mover = (self.mover + 1) % players;
            return Ok(());
        }
        let cells = self.read(text).ok_or(Refused::Unreadable)?;
        if let Some(&fault) = self.faults(&cells).first() {
            return Err(fault.into());
        }
        let letter = piece_of(&cells).ok_or(Fault::NotAPiece)?;
        for cell in cells {
            self.board[cell.up as usize][cell.right as usize] = Some(self.mover);
        }
        self.in_hand[self.mover].remove(&letter);
        self.last_placed[self.mover] = Some(letter);
        self.mover = (self.mover + 1) % players;
        Ok(())
    }

    fn over(&self) -> bool {
        (0..self.in_hand.len()).all(|player| !self.can_move(player))
    }

    /// One point off for every square left; 15 points for placing all pieces, 20 if the single
    /// square came last.
    fn scores(&self) -> Vec<i32> {
        let score = |player: usize| -> i32 {
            let hand = &self.in_hand[player];
            let left = PIECES.iter().filter(|piece| hand.contains(&piece.0));
            let squares: usize = left.map(|piece| piece.1.len()).sum();
            let bonus = match self.last_placed[player] {
                _ if !hand.is_empty() => 0,
                Some(MONOMINO) => 20,
                _ => 15,
            };
            bonus - squares as i32
        };
        (0..self.in_hand.len()).map(score).collect()
    }
}
