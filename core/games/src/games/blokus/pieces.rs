//! The 21 pieces and their 91 orientations, computed at compile time.

/// How many pieces each player has.
pub const PIECES: usize = 21;
/// How many different orientations the pieces have together.
pub const ORIENTATIONS: usize = 91;
/// The squares of all pieces of a player.
pub const ALL_SQUARES: i16 = 89;
/// The side of the square that every piece fits in.
pub(super) const BOX: usize = 5;

/// A piece, by its place in the contest's list: `a` (one square) to `u` (the cross).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

impl Piece {
    /// The piece of one square.
    pub const MONOMINO: Self = Self(0);

    /// The piece with this number, 0..21.
    pub const fn new(index: usize) -> Option<Self> {
        if index < PIECES { Some(Self(index as u8)) } else { None }
    }

    /// The piece with this letter, `a` to `u` in either case.
    pub fn from_letter(letter: u8) -> Option<Self> {
        Self::new(usize::from(letter.to_ascii_lowercase().checked_sub(b'a')?))
    }

    /// The number, 0..21.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The contest's letter.
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }

    /// The usual name, by the letter that the piece resembles: `I5`, `W`.
    pub const fn name(self) -> &'static str {
        NAMES[self.index() % PIECES]
    }

    /// How many squares it has.
    pub const fn size(self) -> u8 {
        match self.0 {
            0 => 1,
            1 => 2,
            2..=3 => 3,
            4..=8 => 4,
            _ => 5,
        }
    }

    /// Its different orientations.
    pub fn orientations(self) -> impl Iterator<Item = Orientation> {
        let piece = self.index() % PIECES;
        (TABLE.first[piece]..TABLE.first[piece + 1]).map(Orientation)
    }

    /// Its orientations with their squares as `row * 5 + column`, the last one repeated up to five:
    /// repeating a square changes nothing when squares are combined by AND or OR.
    #[inline]
    pub(super) fn padded_cells(self) -> impl Iterator<Item = (Orientation, &'static [u8; BOX])> {
        let (first, end) = (TABLE.first[self.index()], TABLE.first[self.index() + 1]);
        let shapes = TABLE.shapes.get(usize::from(first)..usize::from(end)).unwrap_or_default();
        (first..).map(Orientation).zip(shapes.iter().map(|shape| &shape.cells))
    }
}

/// A set of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceSet(u32);

impl PieceSet {
    /// All 21.
    pub const ALL: Self = Self((1 << PIECES) - 1);
    /// None.
    pub const EMPTY: Self = Self(0);

    /// Whether `piece` is in the set.
    pub const fn has(self, piece: Piece) -> bool {
        self.0 >> piece.0 & 1 != 0
    }

    /// The set with `piece`.
    pub const fn with(self, piece: Piece) -> Self {
        Self(self.0 | 1 << piece.0)
    }

    /// The set without `piece`.
    pub const fn without(self, piece: Piece) -> Self {
        Self(self.0 & !(1 << piece.0))
    }

    /// The pieces of the set with so many squares.
    pub fn of_size(self, size: u8) -> Self {
        let larger = |size: usize| LARGER.get(size).copied().unwrap_or(0);
        let size = usize::from(size);
        Self(self.0 & larger(size.wrapping_sub(1)) & !larger(size))
    }

    /// A piece of the most squares.
    pub const fn largest(self) -> Option<Piece> {
        match self.0.checked_ilog2() {
            Some(index) => Piece::new(index as usize),
            None => None,
        }
    }

    /// Whether nothing is left.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as a number, bit i for piece i.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The pieces, smallest first.
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        (0..PIECES as u8).map(Piece).filter(move |piece| self.has(*piece))
    }

    /// The squares of all pieces in the set.
    pub fn squares(self) -> i16 {
        // A piece of n squares is in n of the sets.
        LARGER.iter().map(|larger| (self.0 & larger).count_ones() as i16).sum()
    }
}

/// The pieces of more than 0, 1, 2, 3 and 4 squares, as bits: they are numbered by size.
const LARGER: [u32; BOX] = {
    let mut larger = [0; BOX];
    let mut index = 0;
    while index < PIECES {
        let mut size = 0;
        while size < SHAPES[index].len() {
            larger[size] |= 1 << index;
            size += 1;
        }
        index += 1;
    }
    larger
};

/// A piece rotated and flipped in one of its distinct ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Orientation(u8);

/// The squares of an orientation that are still to come.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// As `row * 5 + column`.
    left: &'static [u8],
    x: u8,
    y: u8,
}

impl Iterator for Cells {
    type Item = (u8, u8);

    // Two dozen places use it, none of them in a search.
    #[cfg_attr(target_arch = "arm", inline(never))]
    fn next(&mut self) -> Option<(u8, u8)> {
        let (cell, left) = self.left.split_first()?;
        self.left = left;
        Some((self.x.saturating_add(cell % BOX as u8), self.y.saturating_add(cell / BOX as u8)))
    }
}

impl Orientation {
    /// The orientation with this number, 0..91.
    pub const fn new(index: usize) -> Option<Self> {
        if index < ORIENTATIONS { Some(Self(index as u8)) } else { None }
    }

    /// All of them, by piece.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ORIENTATIONS as u8).map(Self)
    }

    /// The number, 0..91.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    const fn shape(self) -> &'static Shape {
        &TABLE.shapes[self.index() % ORIENTATIONS]
    }

    /// Which piece it is.
    pub const fn piece(self) -> Piece {
        Piece(self.shape().piece)
    }

    /// Columns that it covers.
    pub const fn width(self) -> u8 {
        self.shape().width
    }

    /// Rows that it covers.
    pub const fn height(self) -> u8 {
        self.shape().height
    }

    /// Its squares as (column, row) from the top left of its bounding box, in reading order.
    pub fn cells(self) -> impl Iterator<Item = (u8, u8)> {
        self.cells_from(0, 0)
    }

    /// The same with the top left at a place.
    pub(super) fn cells_from(self, x: u8, y: u8) -> Cells {
        let Shape { cells, piece, .. } = self.shape();
        let size = usize::from(Piece(*piece).size());
        Cells { left: cells.get(..size).unwrap_or(cells), x, y }
    }

    /// Its squares as `row * 5 + column`, the last one repeated up to five.
    pub(super) const fn padded_cells(self) -> &'static [u8; BOX] {
        &self.shape().cells
    }

    /// The orientation whose squares, as bits `row * 5 + column`, are exactly these.
    pub(super) const fn from_mask(mask: u32) -> Option<Self> {
        let mut index = 0;
        while let Some(orientation) = Self::new(index) {
            if orientation.shape().mask() == mask {
                return Some(orientation);
            }
            index += 1;
        }
        None
    }

    /// The piece after the contest's rotation `R`, 0..8, with the reference square's (column, row)
    /// in the bounding box: `R / 2` quarter turns clockwise, then a mirror if `R` is odd.
    pub fn from_code(piece: Piece, rotation: u8) -> Option<(Self, (u8, u8))> {
        let turned = TABLE.turned[piece.index() % PIECES].get(usize::from(rotation))?;
        let (x, y) = (turned.reference % BOX as u8, turned.reference / BOX as u8);
        Some((Self(turned.orientation), (x, y)))
    }
}

#[derive(Clone, Copy)]
struct Shape {
    cells: [u8; BOX],
    piece: u8,
    width: u8,
    height: u8,
}

impl Shape {
    /// The squares as bits.
    const fn mask(&self) -> u32 {
        let (mut mask, mut i) = (0, 0);
        while i < BOX {
            mask |= 1 << self.cells[i];
            i += 1;
        }
        mask
    }
}

#[derive(Clone, Copy)]
struct Turned {
    orientation: u8,
    /// The reference square as `row * 5 + column`.
    reference: u8,
}

struct Table {
    shapes: [Shape; ORIENTATIONS],
    /// Where a piece's orientations begin in `shapes`; the last entry ends the last piece.
    first: [u8; PIECES + 1],
    turned: [[Turned; 8]; PIECES],
}

static TABLE: Table = build();

/// Transforms every piece in eight ways and keeps the distinct ones.
const fn build() -> Table {
    let no_shape = Shape { cells: [0; BOX], piece: 0, width: 0, height: 0 };
    let not_turned = Turned { orientation: 0, reference: 0 };
    let mut table = Table {
        shapes: [no_shape; ORIENTATIONS],
        first: [0; PIECES + 1],
        turned: [[not_turned; 8]; PIECES],
    };
    let mut count = 0;
    let mut piece = 0;
    while piece < PIECES {
        table.first[piece] = count as u8;
        let mut rotation = 0;
        while rotation < 8 {
            let (shape, reference) = turn(piece, rotation);
            let mut found = table.first[piece] as usize;
            while found < count && table.shapes[found].mask() != shape.mask() {
                found += 1;
            }
            if found == count {
                table.shapes[count] = shape;
                count += 1;
            }
            table.turned[piece][rotation] = Turned { orientation: found as u8, reference };
            rotation += 1;
        }
        piece += 1;
    }
    table.first[PIECES] = count as u8;
    assert!(count == ORIENTATIONS);
    table
}

/// A piece after the contest's rotation: quarter turns clockwise, then a mirror if odd.
const fn turn(piece: usize, rotation: usize) -> (Shape, u8) {
    let squares = SHAPES[piece];
    assert!(squares.len() == Piece(piece as u8).size() as usize, "pieces are numbered by size");
    let mut turned = [(0i8, 0i8); BOX];
    let (mut left, mut top, mut right, mut bottom) = (0, 0, 0, 0);
    let mut i = 0;
    while i < squares.len() {
        let (mut x, mut y) = squares[i];
        let mut quarter = 0;
        while quarter < rotation / 2 {
            (x, y) = (-y, x);
            quarter += 1;
        }
        if rotation % 2 == 1 {
            x = -x;
        }
        turned[i] = (x, y);
        if x < left {
            left = x;
        }
        if x > right {
            right = x;
        }
        if y < top {
            top = y;
        }
        if y > bottom {
            bottom = y;
        }
        i += 1;
    }
    let mut mask = 0u32;
    i = 0;
    while i < squares.len() {
        let (x, y) = turned[i];
        mask |= 1 << ((y - top) as usize * BOX + (x - left) as usize);
        i += 1;
    }
    let mut cells = [0; BOX];
    let mut rest = mask;
    i = 0;
    while i < BOX {
        cells[i] = rest.trailing_zeros() as u8;
        if rest.count_ones() > 1 {
            rest &= rest - 1;
        }
        i += 1;
    }
    let (width, height) = ((right - left + 1) as u8, (bottom - top + 1) as u8);
    // The reference square is the origin, so it lies in the bounding box at (-left, -top).
    let reference = -top as u8 * BOX as u8 + -left as u8;
    (Shape { cells, piece: piece as u8, width, height }, reference)
}

const NAMES: [&str; PIECES] = [
    "1", "2", "I3", "V3", "I4", "L4", "T4", "O", "Z4", "I5", "L5", "N", "P", "U", "Y", "T5", "V5",
    "W", "Z5", "F", "X",
];

/// The squares of each piece as the contest defines them, (x right, y down) from the reference
/// square.
const SHAPES: [&[(i8, i8)]; PIECES] = [
    &[(0, 0)],
    &[(0, 0), (0, 1)],
    &[(0, -1), (0, 0), (0, 1)],
    &[(0, -1), (0, 0), (1, 0)],
    &[(0, -1), (0, 0), (0, 1), (0, 2)],
    &[(0, -1), (0, 0), (-1, 1), (0, 1)],
    &[(0, -1), (0, 0), (1, 0), (0, 1)],
    &[(0, 0), (1, 0), (0, 1), (1, 1)],
    &[(-1, 0), (0, 0), (0, 1), (1, 1)],
    &[(0, -2), (0, -1), (0, 0), (0, 1), (0, 2)],
    &[(0, -2), (0, -1), (0, 0), (-1, 1), (0, 1)],
    &[(0, -2), (0, -1), (-1, 0), (0, 0), (-1, 1)],
    &[(0, -1), (-1, 0), (0, 0), (-1, 1), (0, 1)],
    &[(-1, -1), (0, -1), (0, 0), (-1, 1), (0, 1)],
    &[(0, -1), (0, 0), (1, 0), (0, 1), (0, 2)],
    &[(0, -1), (0, 0), (-1, 1), (0, 1), (1, 1)],
    &[(0, -2), (0, -1), (0, 0), (1, 0), (2, 0)],
    &[(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1)],
    &[(-1, -1), (-1, 0), (0, 0), (1, 0), (1, 1)],
    &[(-1, -1), (-1, 0), (0, 0), (1, 0), (0, 1)],
    &[(0, -1), (-1, 0), (0, 0), (1, 0), (0, 1)],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_have_their_known_sizes_and_orientations() {
        assert_eq!(PieceSet::ALL.squares(), ALL_SQUARES);
        let counts: std::vec::Vec<usize> =
            PieceSet::ALL.iter().map(|piece| piece.orientations().count()).collect();
        assert_eq!(counts, [1, 2, 2, 4, 2, 8, 4, 1, 4, 2, 8, 8, 8, 4, 8, 4, 4, 4, 4, 8, 1]);
    }

    #[test]
    fn sets_know_the_sizes_of_their_pieces() {
        for bits in (0..1 << PIECES).step_by(997) {
            let set = PieceSet(bits);
            let sizes = || set.iter().map(Piece::size);
            assert_eq!(set.squares(), sizes().map(i16::from).sum());
            assert_eq!(set.largest().map(Piece::size), sizes().max());
            for size in 0..=6 {
                let of_size = set.of_size(size);
                assert!(set.iter().all(|piece| of_size.has(piece) == (piece.size() == size)));
            }
        }
    }

    #[test]
    fn every_orientation_touches_its_bounding_box_and_is_found_by_its_squares() {
        for orientation in Orientation::all() {
            let mut mask = 0;
            for (x, y) in orientation.cells() {
                assert!(x < orientation.width() && y < orientation.height());
                mask |= 1 << (usize::from(y) * BOX + usize::from(x));
            }
            assert_eq!(Orientation::from_mask(mask), Some(orientation));
        }
    }
}
