//! Piece tables of the simulation: their outlines, and how pieces grow from a square.
//!
//! Squares of both games are numbered as on a board that is [`STRIDE`] squares wide. It includes four
//! columns and rows beyond the board, which are never allowed, so that no piece near the edge needs
//! a bounds check.

use super::pieces::{BOX, ORIENTATIONS, Orientation, PIECES};

/// Squares from one row of a simulation's board to the next.
pub(super) const STRIDE: usize = 24;
/// Where the board's first square lies: a piece that grows from it to the left and up stays inside.
pub(super) const BASE: usize = 4 * STRIDE + 4;

/// The squares of an orientation and those around it, as distances from the square diagonally before the
/// top left of its bounding box: so none is negative.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The covered squares as rows of five bits from the top; above them how many edges and corners there
    /// are, less [`LEAST_AROUND`].
    rows_and_counts: u32,
    pub(super) piece: u8,
    /// The covered squares, the last one repeated.
    pub(super) cells: [u8; BOX],
    /// How often that is.
    pub(super) repeats: u8,
    edges: [u8; 12],
    corners: [u8; 8],
}

/// Where the numbers of edges and corners begin among the bits of a shape.
const EDGES_SHIFT: u32 = 25;
const CORNERS_SHIFT: u32 = 29;

impl Shape {
    /// How many squares it covers.
    pub(super) const fn size(&self) -> u8 {
        BOX as u8 - self.repeats
    }

    /// The covered squares as rows of five bits, the top one in the lowest bits.
    #[inline(always)]
    pub(super) const fn rows(&self) -> u32 {
        self.rows_and_counts & ((1 << EDGES_SHIFT) - 1)
    }

    /// The squares that share an edge with it: the first ones, and the others.
    #[inline(always)]
    pub(super) fn edges(&self) -> (&[u8; LEAST_AROUND], &[u8]) {
        parted(&self.edges, self.rows_and_counts >> EDGES_SHIFT & 15)
    }

    /// The squares that touch it at a corner only, likewise.
    #[inline(always)]
    pub(super) fn corners(&self) -> (&[u8; LEAST_AROUND], &[u8]) {
        parted(&self.corners, self.rows_and_counts >> CORNERS_SHIFT)
    }
}

/// A shape has at least so many squares at its edges, and at its corners.
const LEAST_AROUND: usize = 4;

/// The first squares of a list, and so many after them.
#[inline(always)]
fn parted<const MOST: usize>(squares: &[u8; MOST], more: u32) -> (&[u8; LEAST_AROUND], &[u8]) {
    match squares.split_first_chunk() {
        Some((first, others)) => (first, others.get(..more as usize).unwrap_or(&[])),
        None => (&[0; LEAST_AROUND], &[]),
    }
}

pub(super) static SHAPES: [Shape; ORIENTATIONS] = {
    let none = Shape {
        rows_and_counts: 0,
        piece: 0,
        cells: [0; BOX],
        repeats: 0,
        edges: [0; 12],
        corners: [0; 8],
    };
    let mut shapes = [none; ORIENTATIONS];
    let mut index = 0;
    while let Some(orientation) = Orientation::new(index) {
        shapes[index] = outline(orientation);
        index += 1;
    }
    shapes
};

const fn outline(orientation: Orientation) -> Shape {
    let piece = orientation.piece();
    let squares = orientation.padded_cells();
    let mut shape = Shape {
        rows_and_counts: 0,
        piece: piece.index() as u8,
        cells: [0; BOX],
        repeats: BOX as u8 - piece.size(),
        edges: [0; 12],
        corners: [0; 8],
    };
    let (mut edges, mut corners) = (0, 0);
    let mut i = 0;
    while i < BOX {
        let (x, y) = (squares[i] as usize % BOX, squares[i] as usize / BOX);
        shape.cells[i] = ((y + 1) * STRIDE + x + 1) as u8;
        shape.rows_and_counts |= 1 << squares[i];
        i += 1;
    }
    let mut y = -1;
    while y <= BOX as i8 {
        let mut x = -1;
        while x <= BOX as i8 {
            let (mut covered, mut edge, mut corner) = (false, false, false);
            let mut i = 0;
            while i < BOX {
                let dx = (squares[i] as i8 % BOX as i8 - x).abs();
                let dy = (squares[i] as i8 / BOX as i8 - y).abs();
                covered |= dx + dy == 0;
                edge |= dx + dy == 1;
                corner |= dx == 1 && dy == 1;
                i += 1;
            }
            let distance = ((y + 1) as usize * STRIDE + (x + 1) as usize) as u8;
            if edge && !covered {
                shape.edges[edges] = distance;
                edges += 1;
            } else if corner && !covered {
                shape.corners[corners] = distance;
                corners += 1;
            }
            x += 1;
        }
        y += 1;
    }
    shape.rows_and_counts |= ((edges - LEAST_AROUND) as u32) << EDGES_SHIFT;
    shape.rows_and_counts |= ((corners - LEAST_AROUND) as u32) << CORNERS_SHIFT;
    shape
}

/// How many placements of a single piece cover a given square of an endless board.
pub(super) const BRANCHES: usize = 414;

/// A placement that covers a given square, as another such placement with a square added.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    /// Low 21 bits: the pieces of this placement and all that grow from it. High 9 bits: how many
    /// those are.
    pieces_and_size: u32,
    /// The move, less the number of the given square.
    pub(super) move_offset: u16,
    /// The added square, counted from the given one.
    pub(super) square: i8,
    /// The piece that the placement is.
    pub(super) piece: u8,
}

const SIZE_SHIFT: u32 = 23;

impl Branch {
    /// Whether any placement from here on is of one of these pieces.
    pub(super) const fn grows_to(&self, pieces: u32) -> bool {
        self.pieces_and_size & pieces & ((1 << PIECES) - 1) != 0
    }

    /// How far the next placement that does not grow from this one is.
    pub(super) const fn skip(&self) -> usize {
        (self.pieces_and_size >> SIZE_SHIFT) as usize
    }
}

/// Bits of a move's number for its square; the orientation is above.
pub(super) const SQUARE_BITS: u32 = 9;

/// All placements that cover a given square, in depth-first order: where an added square is not
/// free, whatever grows from it is skipped.
pub(super) static BRANCHING: [Branch; BRANCHES] = {
    let none = Branch { pieces_and_size: 0, move_offset: 0, square: 0, piece: 0 };
    let mut growth = Growth { branches: [none; BRANCHES], count: 0 };
    growth.grow([0; 17], 0, 1, 1 << middle(0, 0), [0; BOX], 0);
    assert!(growth.count == BRANCHES);
    growth.branches
};

struct Growth {
    branches: [Branch; BRANCHES],
    count: usize,
}

/// A square of the 9x9 around the given one; that is at 40.
const fn middle(dx: i8, dy: i8) -> u8 {
    ((dy + 4) * 9 + dx + 4) as u8
}

impl Growth {
    /// Redelmeier's enumeration: each untried square is added in turn and excluded after that, so
    /// every set of connected squares occurs once. `untried` counts squares from the middle one (0
    /// is the middle itself); returns the pieces found.
    const fn grow(
        &mut self,
        untried: [i8; 17],
        from: usize,
        to: usize,
        seen: u128,
        cells: [u8; BOX],
        size: usize,
    ) -> u32 {
        let mut pieces = 0;
        let mut next = from;
        while next < to {
            let at = (untried[next] + 40) as u8;
            let mut cells = cells;
            cells[size] = at;
            let index = self.count;
            self.count += 1;
            let (orientation, left, top) = orientation_of(&cells, size + 1);
            let piece = orientation.piece().index();
            let mut grown = 1 << piece;
            if size + 1 < BOX {
                let (mut untried, mut to, mut seen) = (untried, to, seen);
                let steps = [-9i8, -1, 1, 9];
                let mut i = 0;
                while i < steps.len() {
                    let beside = at as i8 + steps[i];
                    if seen >> beside & 1 == 0 {
                        seen |= 1 << beside;
                        untried[to] = beside - 40;
                        to += 1;
                    }
                    i += 1;
                }
                grown |= self.grow(untried, next + 1, to, seen, cells, size + 1);
            }
            let corner = (top as i16 - 4) * STRIDE as i16 + left as i16 - 4;
            let (x, y) = (at as i8 % 9 - 4, at as i8 / 9 - 4);
            self.branches[index] = Branch {
                pieces_and_size: grown | ((self.count - index) as u32) << SIZE_SHIFT,
                move_offset: ((orientation.index() as u16) << SQUARE_BITS)
                    .wrapping_add(corner as u16),
                square: y * STRIDE as i8 + x,
                piece: piece as u8,
            };
            pieces |= grown;
            next += 1;
        }
        pieces
    }
}

/// The orientation of these squares of the 9x9, and the left column and top row of its box.
const fn orientation_of(cells: &[u8; BOX], size: usize) -> (Orientation, u8, u8) {
    let (mut left, mut top) = (8, 8);
    let mut i = 0;
    while i < size {
        if cells[i] % 9 < left {
            left = cells[i] % 9;
        }
        if cells[i] / 9 < top {
            top = cells[i] / 9;
        }
        i += 1;
    }
    let mut mask = 0;
    i = 0;
    while i < size {
        mask |= 1 << ((cells[i] / 9 - top) as usize * BOX + (cells[i] % 9 - left) as usize);
        i += 1;
    }
    match Orientation::from_mask(mask) {
        Some(orientation) => (orientation, left, top),
        None => panic!("connected squares that are no piece"),
    }
}
