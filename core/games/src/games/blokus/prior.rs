//! Priors: how good a placement looks before it is searched.
//!
//! Every square has a class for the player to move: its distance from the player's own attach
//! points and from those of the others. A placement is worth the sum of the weights of its squares,
//! the squares along its edges and those at its corners by class, and of its piece. Weights are
//! learnt, in sixteenths of a doubling of the chance to be played.

use super::pieces::{PIECES, Piece};
use super::sets::{Board, Outlook, Set, Spare, Tally};
use super::shapes::{STRIDE, Shape};
use super::state::{Code, State, code, shape};
use super::value::{BY_POINTS, Values};
use super::{Blokus, Placement};
use crate::player::MAX_PLAYERS;

/// Classes of squares that are covered or lie beside a piece: not allowed, or by the distance from
/// the player's attach points (5 ways) and from those of the others (7 ways).
const CLASSES: usize = 1 + 5 * 7;
/// Classes of squares at a corner of a piece: no new attach point, or by how much it opens up (6
/// ways) and the distance from the others' attach points (5 ways).
const CORNERS: usize = 1 + 6 * 5;
/// Parts of a game, by the pieces that the player has placed.
pub const PHASES: usize = 4;
/// Distances of a square from the edge of the board.
const RINGS: usize = 10;

/// Features of a placement: its piece, the classes of squares that it covers, has along its edges
/// and at its corners, and how far from the edge of the board the covered ones are.
pub const FEATURES: usize = RING + RINGS;

const COVERED: usize = PIECES;
const BESIDE: usize = COVERED + CLASSES;
const CORNER: usize = BESIDE + CLASSES;
const RING: usize = CORNER + CORNERS;

/// What each feature is worth in each part of a game.
pub type Weights = [[i8; FEATURES]; PHASES];

/// Everything learnt for a game.
#[derive(Debug, Clone)]
pub struct Learnt {
    /// What placements are worth.
    pub prior: Weights,
    /// What leads are worth.
    pub value: Values,
}

impl Learnt {
    /// Where learning starts.
    pub const START: Self = Self { prior: BY_SIZE, value: BY_POINTS };
}

/// Weights by the size of a piece alone.
const BY_SIZE: Weights = {
    let mut features = [0; FEATURES];
    let mut piece = 0;
    while let Some(of) = Piece::new(piece) {
        features[piece] = 16 * of.size() as i8;
        piece += 1;
    }
    [features; PHASES]
};

/// The part of the game when a player has these pieces left.
pub(super) const fn phase(left: u32) -> usize {
    match PIECES as u32 - left.count_ones() {
        0..=2 => 0,
        3..=6 => 1,
        7..=11 => 2,
        _ => 3,
    }
}

/// How far a square is from the edge, in steps.
pub(super) const fn ring(x: usize, y: usize, side: usize) -> usize {
    let x = if x < side - 1 - x { x } else { side - 1 - x };
    let y = if y < side - 1 - y { y } else { side - 1 - y };
    if x < y { x } else { y }
}

/// How far the squares of the upper half of a board are from the edge, by rows.
const fn rings<const HALF: usize>() -> [[u8; STRIDE]; HALF] {
    let mut rings = [[0; STRIDE]; HALF];
    let mut y = 0;
    while y < HALF {
        let mut x = 0;
        while x < 2 * HALF {
            rings[y][x] = ring(x, y, 2 * HALF) as u8;
            x += 1;
        }
        y += 1;
    }
    rings
}

static RINGS_14: [[u8; STRIDE]; 7] = rings();
static RINGS_20: [[u8; STRIDE]; 10] = rings();

/// How near attach points of one side are to all squares.
struct Nearness<'a> {
    /// Attach points, and what is within a step and within two steps of them.
    within: [&'a mut Set; 3],
    /// The attach points that alone have less than two squares within two steps, and those that have
    /// five or more.
    few: &'a mut Set,
    many: &'a mut Set,
}

impl<'a> Nearness<'a> {
    /// Of the first of the sets: the rest is room. Open squares are wrapped.
    #[inline(never)]
    fn new(board: Board, open: &Set, sets: [&'a mut Set; 5], tally: &mut Tally) -> Self {
        let [points, step, two_steps, few, many] = sets;
        board.wrap(points);
        board.tally(points, open, tally);
        // What has one attach point within two steps.
        let single = &mut *few;
        for word in board.range() {
            let [one, two, four, eight] = digits(tally, word);
            let more = two | four | eight;
            single[word] = one & !more;
            two_steps[word] = one | more;
            step[word] = points[word];
        }
        board.wrap(single);
        board.tally(single, open, tally);
        board.spread(step, open);
        for word in board.range() {
            let [one, two, four, eight] = digits(tally, word);
            few[word] = points[word] & !(two | four | eight);
            many[word] = points[word] & (eight | four & (two | one));
        }
        Self { within: [points, step, two_steps], few, many }
    }

    /// Steps to the nearest attach point by square of a word, 3 if there are more than 2, as digits.
    fn steps(&self, word: usize) -> [Digit; 2] {
        let [zero, one, two] = [self.within[0][word], self.within[1][word], self.within[2][word]];
        [one & !zero | !two, !one]
    }
}

/// A binary digit of the class of every square of a word.
type Digit = u32;

/// Binary digits, and with them the classes of squares, have three bits.
const DIGITS: u32 = 3;
/// Beyond all classes of two parts.
const PAIRS: usize = 1 << (2 * DIGITS);

/// The classes of eight squares of a row.
struct Classes<'a> {
    /// The column of the first, and the row.
    x: usize,
    y: usize,
    /// Which byte is theirs.
    byte: usize,
    /// For each square the two parts of its class when it is covered or lies beside a piece, and [`OPEN`].
    pairs: &'a [[u8; 4]; 8],
    /// The same at a corner of a piece.
    corners: &'a [[u8; 4]; 8],
}

impl Classes<'_> {
    /// The two pairs of each square.
    fn squares(&self) -> impl Iterator<Item = (u8, u8)> {
        self.pairs.iter().zip(self.corners).map(|(p, c)| (p[self.byte % 4], c[self.byte % 4]))
    }
}

/// The class of a square that is covered or lies beside a piece, by its parts.
const fn class_of(pair: usize) -> usize {
    let (own, their) = (pair >> DIGITS, pair & 7);
    if own < 5 && their < 7 { 1 + own * 7 + their } else { 0 }
}

/// The class of a square at a corner, by its parts.
const fn corner_of(pair: usize) -> usize {
    let (opening, near) = (pair >> DIGITS, pair & 7);
    if opening < 6 && near < 5 { 1 + opening * 5 + near } else { 0 }
}

/// Classifies the squares that a player may cover, eight at a time. All others have class 0.
#[inline(never)]
fn survey(state: &State, player: usize, spare: &mut Spare, mut visit: impl FnMut(Classes<'_>)) {
    let board = Board::new(state.players);
    let Spare { by_player: [[a, b, c, d], tally], others: [e, f, g, h, i, j, k, far] } = spare;
    let Outlook { allowed: open, attach } = &state.outlooks[player % MAX_PLAYERS];
    let (points, their_points, their_open) = (a, f, k);
    for word in board.range() {
        points[word] = attach[word] & open[word];
        (their_points[word], their_open[word]) = (0, 0);
    }
    for (other, their) in state.outlooks.iter().take(state.players.into()).enumerate() {
        if other != player {
            for word in board.range() {
                their_points[word] |= their.attach[word] & their.allowed[word];
                their_open[word] |= their.allowed[word];
            }
        }
    }
    board.wrap(their_open);
    let own = Nearness::new(board, open, [points, b, c, d, e], tally);
    let their = Nearness::new(board, their_open, [their_points, g, h, i, j], tally);
    for word in board.range() {
        far[word] = open[word] & !own.within[2][word];
    }
    board.wrap(far);
    board.tally(far, open, tally);
    for word in board.range() {
        let open = open[word];
        let attach = own.within[0][word];
        let walled = !their_open[word];
        let [low, high] = own.steps(word);
        let own_class = [low, high, own.few[word]];
        let [low, high] = their.steps(word);
        let (few, many) = (their.few[word], their.many[word]);
        let their_class = [!walled & (low | few), !walled & (high | many), walled | few | many];
        let pairs = pairs(open, own_class, their_class);
        // At a corner: less than 1, 3, 5, 8 or 11 squares are opened up, or more. Attach points are
        // beyond that.
        let [one, two, four, eight] = digits(tally, word);
        let least_1 = one | two | four | eight;
        let least_3 = eight | four | two & one;
        let least_5 = eight | four & (two | one);
        let least_11 = eight & (four | two & one);
        let opening = [
            attach | least_1 & !least_3 | least_5 & !eight | least_11,
            attach | least_3 & !eight,
            attach | eight,
        ];
        let near = [!walled & low, !walled & high, walled];
        let corners = self::pairs(open, opening, near);
        for (byte, (x, y)) in board.bytes(word).into_iter().enumerate() {
            if x < board.side() {
                visit(Classes { x, y, byte, pairs: &pairs, corners: &corners });
            }
        }
    }
}

/// The bit of a byte that says that the square may be covered.
const OPEN: u8 = 1 << 7;

/// Puts the digits of each square side by side in a byte, those of the other class below, and whether it
/// is open on top. Byte j of word i is that of bit 8 j + i.
#[inline(always)]
fn pairs(open: u32, class: [Digit; 3], other: [Digit; 3]) -> [[u8; 4]; 8] {
    let ([a, b, c], [d, e, f]) = (other, class);
    // Three times, half of the bits of a word are swapped with the other half of another's.
    let swap = |a: u32, b: u32, by: u32, mask: u32| {
        let change = (a >> by ^ b) & mask;
        (a ^ change << by, b ^ change)
    };
    let four = |a, b| swap(a, b, 4, 0x0f0f_0f0f);
    let two = |a, b| swap(a, b, 2, 0x3333_3333);
    let one = |a, b| swap(a, b, 1, 0x5555_5555);
    let ((a, e), (b, f), (c, g), (d, h)) = (four(a, e), four(b, f), four(c, 0), four(d, open));
    let ((a, c), (b, d), (e, g), (f, h)) = (two(a, c), two(b, d), two(e, g), two(f, h));
    let ((a, b), (c, d), (e, f), (g, h)) = (one(a, b), one(c, d), one(e, f), one(g, h));
    [a, b, c, d, e, f, g, h].map(u32::to_le_bytes)
}

/// The digits of a tally in one word.
const fn digits(tally: &Tally, word: usize) -> [Digit; 4] {
    [tally[0][word], tally[1][word], tally[2][word], tally[3][word]]
}

/// The weight of a square that must not be covered and of a piece that was placed: so low that half
/// of it is below any legal placement's sum and above any other's, while six of them can be added
/// without overflow. That holds for weights up to [`LARGEST`]. Both bytes are the same, which fills
/// fast.
pub(super) const ILLEGAL: i16 = i16::from_le_bytes([0xea; 2]);

/// The largest weight that learning may give a feature: a placement has up to 31 of them.
pub const LARGEST: i8 = 87;

/// More than the number of any square that belongs to a placement or lies around it.
const SQUARES: usize = 512 + AREA;
/// The squares of a placement and around it are less than so far apart.
const AREA: usize = 256;
/// More than the pieces, so that an index can be masked instead of checked.
const MASKED: usize = PIECES.next_power_of_two();

/// By numbers of squares, plus the distance from the square that lies diagonally before: so the board's
/// surroundings have places, too.
type BySquare<T> = [T; SQUARES];

/// The area that a placement with its box's top left at this square lies in.
#[inline(always)]
fn area<T>(all: &BySquare<T>, square: usize) -> Option<&[T; AREA]> {
    all.get(square..)?.first_chunk()
}

/// What squares and pieces are worth to the player to move in one position.
#[derive(Debug)]
pub(super) struct Appraisal {
    /// `ILLEGAL` where the player must not play.
    covered: BySquare<i16>,
    /// What squares are worth beside a piece.
    beside: BySquare<i8>,
    /// What they are worth at a corner of a piece.
    corners: BySquare<i8>,
    /// `ILLEGAL` for pieces that were placed.
    pieces: [i16; MASKED],
    /// The most that edges and corners were worth to a placement so far, at least 0.
    most_around: i16,
    /// The part of the game, counted from 1, and what squares are worth in it by the parts of their
    /// classes and by their distance from the edge.
    part: usize,
    covered_by_pair: [i8; PAIRS],
    beside_by_pair: [i8; PAIRS],
    corner_by_pair: [i8; PAIRS],
    by_ring: [i8; RINGS.next_power_of_two()],
}

impl Appraisal {
    /// Of no position. All zeros, which take no room in an image.
    pub(super) const NONE: Self = Self {
        covered: [0; SQUARES],
        beside: [0; SQUARES],
        corners: [0; SQUARES],
        pieces: [0; MASKED],
        most_around: 0,
        part: 0,
        covered_by_pair: [0; PAIRS],
        beside_by_pair: [0; PAIRS],
        corner_by_pair: [0; PAIRS],
        by_ring: [0; RINGS.next_power_of_two()],
    };

    /// Computes the weights for a player in a position.
    #[inline(never)]
    pub(super) fn take(
        &mut self,
        state: &State,
        player: usize,
        weights: &Weights,
        spare: &mut Spare,
    ) {
        let left = state.left[player % MAX_PLAYERS];
        let phase = phase(left);
        let weights = &weights[phase];
        if phase + 1 != self.part {
            self.part = phase + 1;
            self.begin(weights);
        }
        for (piece, worth) in self.pieces.iter_mut().enumerate() {
            let is_left = left >> piece & 1 != 0;
            *worth = if is_left { weights[piece % PIECES].into() } else { ILLEGAL };
        }
        self.most_around = 0;
        let rings: &[_] = if state.players == 2 { &RINGS_14 } else { &RINGS_20 };
        survey(state, player, spare, |classes| {
            let begin = STRIDE + 1 + classes.y * STRIDE + classes.x;
            let row =
                if classes.y < rings.len() { classes.y } else { 2 * rings.len() - 1 - classes.y };
            let (Some(covered), Some(beside), Some(corners), Some(rings)) = (
                self.covered.get_mut(begin..).and_then(<[_]>::first_chunk_mut::<8>),
                self.beside.get_mut(begin..).and_then(<[_]>::first_chunk_mut::<8>),
                self.corners.get_mut(begin..).and_then(<[_]>::first_chunk_mut::<8>),
                rings.get(row).and_then(|rings| rings.get(classes.x..)?.first_chunk::<8>()),
            ) else {
                return;
            };
            for (at, (pair, corner)) in classes.squares().enumerate() {
                if pair & OPEN == 0 {
                    covered[at] = ILLEGAL;
                    beside[at] = weights[BESIDE];
                    corners[at] = weights[CORNER];
                    continue;
                }
                let (pair, corner) = (usize::from(pair) % PAIRS, usize::from(corner) % PAIRS);
                let ring = self.by_ring[usize::from(rings[at]) % self.by_ring.len()];
                covered[at] = i16::from(self.covered_by_pair[pair]) + i16::from(ring);
                beside[at] = self.beside_by_pair[pair];
                corners[at] = self.corner_by_pair[corner];
            }
        });
    }

    /// Begins another part of the game.
    #[inline(never)]
    fn begin(&mut self, weights: &[i8; FEATURES]) {
        // Squares around the board may also lie beside pieces and at their corners.
        self.covered.fill(ILLEGAL);
        self.beside.fill(weights[BESIDE]);
        self.corners.fill(weights[CORNER]);
        // Of the features from one on.
        let weight = |first: usize, of: usize| weights.get(first + of).copied().unwrap_or_default();
        for pair in 0..PAIRS {
            self.covered_by_pair[pair] = weight(COVERED, class_of(pair));
            self.beside_by_pair[pair] = weight(BESIDE, class_of(pair));
            self.corner_by_pair[pair] = weight(CORNER, corner_of(pair));
        }
        for (ring, worth) in self.by_ring.iter_mut().enumerate() {
            *worth = weight(RING, ring);
        }
    }

    /// What a placement is worth by its piece and the squares that it covers.
    #[inline(always)]
    fn worth(&self, shape: &Shape, square: usize) -> Option<i32> {
        let area = area(&self.covered, square)?;
        let covered = |cell: u8| i32::from(area[usize::from(cell)]);
        let [a, b, c, d, e] = shape.cells;
        let last = covered(e);
        let squares = covered(a) + covered(b) + covered(c) + covered(d) + last;
        let piece = i32::from(self.pieces[usize::from(shape.piece) % MASKED]);
        Some(squares + piece - i32::from(shape.repeats) * last)
    }

    /// What the squares around a placement are worth to it.
    #[inline(never)]
    fn around(&self, shape: &Shape, square: usize) -> i32 {
        let (Some(beside), Some(corners)) =
            (area(&self.beside, square), area(&self.corners, square))
        else {
            return 0;
        };
        let beside = |edge: u8| i32::from(beside[usize::from(edge)]);
        let at_corner = |corner: u8| i32::from(corners[usize::from(corner)]);
        // The first ones without a loop, which would cost more than its body.
        let (&[a, b, c, d], more_edges) = shape.edges();
        let mut worth = beside(a) + beside(b) + beside(c) + beside(d);
        let (&[a, b, c, d], more_corners) = shape.corners();
        worth += at_corner(a) + at_corner(b) + at_corner(c) + at_corner(d);
        for &edge in more_edges {
            worth += beside(edge);
        }
        for &corner in more_corners {
            worth += at_corner(corner);
        }
        worth
    }

    /// What a placement is worth, if it is legal and likely to be worth more than a bound.
    pub(super) fn above(&mut self, bound: i16, code: Code) -> Option<i16> {
        let (shape, square) = shape(code)?;
        let (bound, most) = (i32::from(bound), i32::from(self.most_around));
        let worth = self.worth(shape, square)?;
        if worth <= bound - most {
            return None;
        }
        let around = self.around(shape, square);
        self.most_around = most.max(around) as i16;
        if worth + around > bound { Some((worth + around) as i16) } else { None }
    }

    /// Looks for the best of some placements, as many as there is room for. Returns how many there are,
    /// the best first, each with its worth, less `ILLEGAL`, above its code.
    #[inline(never)]
    pub(super) fn rank(&mut self, codes: &[Code], best: &mut [u32]) -> usize {
        // Those likely to be worth more than the last, if there is no more room.
        let (mut bound, mut most) = (i32::from(ILLEGAL / 2), 0);
        let mut least = bound - most;
        let mut count = 0;
        for &code in codes {
            let Some((shape, square)) = shape(code) else { continue };
            let Some(worth) = self.worth(shape, square).filter(|worth| *worth > least) else {
                continue;
            };
            let around = self.around(shape, square);
            most = most.max(around);
            if worth + around > bound {
                let ranked = ((worth + around - i32::from(ILLEGAL)) as u32) << 16 | u32::from(code);
                let is_full = count == best.len();
                count += usize::from(!is_full);
                let Some((mut place, others)) =
                    best.get_mut(..count).and_then(<[u32]>::split_last_mut)
                else {
                    break;
                };
                for other in others.iter_mut().rev() {
                    if *other > ranked {
                        break;
                    }
                    *place = *other;
                    place = other;
                }
                *place = ranked;
                if count == best.len() {
                    bound = best.last().map_or(bound, |last| i32::from(ranked_worth(*last)));
                }
            }
            least = bound - most;
        }
        count
    }
}

/// The worth of a ranked placement.
pub(super) const fn ranked_worth(ranked: u32) -> i16 {
    (ranked >> 16) as i16 + ILLEGAL
}

/// The classes of all squares for a player, and those at corners.
fn classes(state: &State, player: usize) -> ([u8; SQUARES], [u8; SQUARES]) {
    let (mut classes, mut corners) = ([0; SQUARES], [0; SQUARES]);
    survey(state, player, &mut Spare::new(), |eight| {
        let begin = STRIDE + 1 + eight.y * STRIDE + eight.x;
        for (square, (pair, corner)) in (begin..).zip(eight.squares()) {
            if pair & OPEN != 0 {
                classes[square % SQUARES] = class_of(usize::from(pair) % PAIRS) as u8;
                corners[square % SQUARES] = corner_of(usize::from(corner) % PAIRS) as u8;
            }
        }
    });
    (classes, corners)
}

/// What learning sees of a position: its phase, and the features of placements.
#[derive(Debug)]
pub struct Sight {
    classes: [u8; SQUARES],
    corners: [u8; SQUARES],
    side: usize,
    /// The part of the game.
    pub phase: usize,
}

impl Sight {
    /// What the player to move sees.
    pub fn new<const PLAYERS: usize, const WORDS: usize>(game: &Blokus<PLAYERS, WORDS>) -> Self {
        let state = State::new(game);
        let player = usize::from(state.turn);
        let (side, phase) = (Board::new(state.players).side(), phase(state.left[player]));
        let (classes, corners) = classes(&state, player);
        Self { classes, corners, side, phase }
    }

    /// Visits the features of a placement, some several times.
    pub fn features(&self, placement: Placement, visit: &mut dyn FnMut(usize)) {
        let Some((shape, square)) = shape(code(placement.orientation, placement.x, placement.y))
        else {
            return;
        };
        visit(shape.piece.into());
        for (x, y) in placement.cells() {
            let square = usize::from(y) * STRIDE + usize::from(x);
            visit(COVERED + self.classes[(STRIDE + 1 + square) % SQUARES] as usize);
            visit(RING + ring(x.into(), y.into(), self.side));
        }
        let ((edges, more_edges), (corners, more_corners)) = (shape.edges(), shape.corners());
        for &edge in edges.iter().chain(more_edges) {
            visit(BESIDE + self.classes[(square + usize::from(edge)) % SQUARES] as usize);
        }
        for &corner in corners.iter().chain(more_corners) {
            visit(CORNER + self.corners[(square + usize::from(corner)) % SQUARES] as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::BASE;
    use super::super::{classic::CLASSIC, duo::DUO};
    use super::*;
    use crate::choice::random;
    use crate::game::Game;
    use crate::games::blokus::{Classic, Duo};
    use crate::mix::Rng;

    /// More than the squares of a board with its surroundings.
    const SQUARES: usize = 1024;

    /// Farther from attach points than is distinguished.
    const FAR: u8 = 3;

    /// Steps to the nearest attach point (2 bits), and how many are at that distance, up to 2 (2
    /// bits); for the player in the low half of the byte, for the others in the high half.
    #[derive(Clone, Copy)]
    struct Near(u8);

    impl Near {
        const NONE: Self = Self(FAR << 4 | FAR);

        fn steps(self, shift: u32) -> u8 {
            self.0 >> shift & 3
        }

        fn count(self, shift: u32) -> u8 {
            self.0 >> (shift + 2) & 3
        }

        fn add(&mut self, steps: u8, shift: u32) {
            let count = (self.count(shift) + 1).min(2);
            let steps = self.steps(shift).min(steps);
            self.0 = self.0 & !(0x0f << shift) | (count << 2 | steps) << shift;
        }
    }

    fn near(square: usize, distance: i8) -> usize {
        square.wrapping_add_signed(distance.into()) % SQUARES
    }

    /// Bit p: player p must not cover the square. Bit 4 + p: the square is an attach point of p.
    fn squares(state: &State) -> [u8; SQUARES] {
        let board = Board::new(state.players);
        let mut squares = [0x0f; SQUARES];
        for (player, outlook) in state.outlooks.iter().take(state.players.into()).enumerate() {
            for (x, y) in (0..board.side()).flat_map(|y| (0..board.side()).map(move |x| (x, y))) {
                let number = y * STRIDE + x;
                let square = &mut squares[BASE + number];
                if board.has(&outlook.allowed, number) {
                    *square &= !(1 << player);
                }
                if board.has(&outlook.attach, number) {
                    *square |= 0x10 << player;
                }
            }
        }
        squares
    }

    /// Visits the squares within two steps of a square over squares that are not walled off.
    fn around(board: &[u8; SQUARES], from: usize, wall: u8, visit: &mut impl FnMut(usize, u8)) {
        const ROW: i8 = STRIDE as i8;
        const TURNS: [(i8, i8); 4] = [(-ROW, -1), (-1, ROW), (ROW, 1), (1, -ROW)];
        let open = |square: usize| board[square] & wall != wall;
        visit(from, 0);
        for (step, turn) in TURNS {
            let ahead = near(from, step);
            let diagonal = near(ahead, turn);
            if open(ahead) {
                visit(ahead, 1);
                let farther = near(ahead, step);
                if open(farther) {
                    visit(farther, 2);
                }
            }
            if open(diagonal) && (open(ahead) || open(near(from, turn))) {
                visit(diagonal, 2);
            }
        }
    }

    /// A square at a time.
    fn slow_survey(state: &State, player: usize) -> ([u8; super::SQUARES], [u8; super::SQUARES]) {
        let board = &squares(state);
        let all = (1 << state.players) - 1;
        let own = 1 << player;
        let sides = [(0, own), (4, all & !own)];
        let mut nearness = [Near::NONE; SQUARES];
        let (mut classes, mut corners) = ([0; super::SQUARES], [0; super::SQUARES]);
        let squares = || {
            let side = Board::new(state.players).side();
            (0..side).flat_map(move |y| (0..side).map(move |x| (BASE + y * STRIDE + x) % SQUARES))
        };
        for square in squares().filter(|square| board[*square] & 0xf0 != 0) {
            for (shift, wall) in
                sides.into_iter().filter(|(_, wall)| board[square] & wall << 4 != 0)
            {
                around(board, square, wall, &mut |at, steps| nearness[at].add(steps, shift));
            }
        }
        for square in squares().filter(|square| board[*square] & own == 0) {
            // What only this attach point has within two steps.
            let alone = |shift: u32, wall: u8| {
                let mut count = 0;
                around(board, square, wall, &mut |at, _| {
                    count += u8::from(nearness[at].count(shift) == 1);
                });
                count
            };
            let near = nearness[square];
            let own_class = match near.steps(0) {
                0 if alone(0, own) < 2 => 4,
                steps => steps,
            };
            let others = all & !own;
            let their_class = match near.steps(4) {
                _ if board[square] & others == others => 4,
                0 => match alone(4, others) {
                    0..=1 => 5,
                    2..=4 => 0,
                    _ => 6,
                },
                steps => steps,
            };
            classes[square - BASE + STRIDE + 1] = 1 + own_class * 7 + their_class;
            if near.steps(0) != 0 {
                let mut opened = 0;
                around(board, square, own, &mut |at, _| {
                    opened += u8::from(nearness[at].count(0) == 0);
                });
                let opened = match opened {
                    0 => 0,
                    1..=2 => 1,
                    3..=4 => 2,
                    5..=7 => 3,
                    8..=10 => 4,
                    _ => 5,
                };
                let walled = board[square] & others == others;
                let near = if walled { 4 } else { near.steps(4) };
                corners[square - BASE + STRIDE + 1] = 1 + opened * 5 + near;
            }
        }
        (classes, corners)
    }

    fn compare<const PLAYERS: usize, const WORDS: usize>(start: Blokus<PLAYERS, WORDS>, seed: u64) {
        let (mut game, mut rng) = (start, Rng::new(seed));
        while let Some(mv) = random(&game, &mut rng) {
            let state = State::new(&game);
            for player in 0..PLAYERS {
                let (seen, expected) = (classes(&state, player), slow_survey(&state, player));
                assert_eq!(seen, expected, "seed {seed}, player {player}");
            }
            game.play(mv);
        }
    }

    #[test]
    fn all_squares_at_once_are_classed_as_one_by_one() {
        for seed in 0..20 {
            compare(Duo::default(), seed);
        }
        for seed in 0..5 {
            compare(Classic::default(), seed);
        }
    }

    #[test]
    fn legal_and_illegal_placements_are_far_apart() {
        // The piece, five squares with their rings, and twenty around it; one square is forbidden.
        let largest = i16::from(LARGEST);
        assert!(ILLEGAL + largest + 4 * 2 * largest + 20 * largest < ILLEGAL / 2);
        assert!(-(largest + 5 * 2 * largest + 20 * largest) > ILLEGAL / 2);
        for weights in [&DUO.prior, &CLASSIC.prior, &Learnt::START.prior] {
            assert!(weights.iter().flatten().all(|weight| weight.abs() <= LARGEST));
        }
    }
}
