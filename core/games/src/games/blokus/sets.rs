//! Sets of squares of a simulation's board as bits, to process all squares at once.

use super::shapes::{BASE, STRIDE};
use crate::player::MAX_PLAYERS;

/// A set of squares. A row of the board is a word; on Duo's board a word has two rows, one of the
/// lower half above one of the upper half. Two more words at each end are the rows beyond, which
/// [`Board::wrap`] sets.
pub(super) type Set = [u32; WORDS];

const WORDS: usize = MARGIN + MOST_ROWS + MARGIN;

/// Rows of the larger board.
const MOST_ROWS: usize = 20;

/// Words beyond the board before the first row.
const MARGIN: usize = 2;

/// Rows of Duo's board that are in the low halves of words.
const HALF: usize = 7;

/// The shape of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    /// The words of a set that hold it.
    words: usize,
}

/// What a player may cover, and the player's attach points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outlook {
    /// Wrapped.
    pub(super) allowed: Set,
    /// With squares that are no longer allowed.
    pub(super) attach: Set,
}

impl Outlook {
    pub(super) const NONE: Self = Self { allowed: [0; WORDS], attach: [0; WORDS] };
}

/// The words of a plan.
const PLAN: usize = 32;

/// A set of squares as one string of bits, so that the bit of a square that is so far from another is
/// found by addition. The board's first square is at [`BASE`].
#[derive(Debug)]
pub(super) struct Plan([u32; PLAN]);

impl Plan {
    /// Whether it has the square at this place.
    #[inline(always)]
    pub(super) const fn has(&self, at: usize) -> bool {
        self.0[at / 32 % PLAN] >> (at % 32) & 1 != 0
    }

    /// Adds the square at this place.
    pub(super) const fn insert(&mut self, at: usize) {
        self.0[at / 32 % PLAN] |= 1 << (at % 32);
    }

    /// Takes the square at this place out.
    pub(super) const fn remove(&mut self, at: usize) {
        self.0[at / 32 % PLAN] &= !(1 << (at % 32));
    }
}

/// How many of the squares within two steps of each square are in a set, as binary digits.
pub(super) type Tally = [Set; 4];

/// Room for sets that are worked with. It is not cleared for each simulation, which would take as long as
/// the work. What lies beyond the larger board stays empty.
#[derive(Debug)]
pub(super) struct Spare {
    pub(super) by_player: [[Set; MAX_PLAYERS]; 2],
    pub(super) others: [Set; 8],
}

impl Spare {
    pub(super) const fn new() -> Self {
        Self { by_player: [[[0; WORDS]; MAX_PLAYERS]; 2], others: [[0; WORDS]; 8] }
    }
}

/// The middle of a board, without so many rows and columns at its edges.
const fn middle(players: u8, edge: usize) -> Set {
    let board = Board::new(players);
    let mut middle = [0; WORDS];
    let mut y = edge;
    while y < board.side() - edge {
        let (word, shift) = board.row(y);
        middle[word] |= ((1 << (board.side() - 2 * edge)) - 1) << edge << shift;
        y += 1;
    }
    middle
}

static MIDDLE_14: Set = middle(2, 3);
static MIDDLE_20: Set = middle(4, 5);

impl Board {
    /// The board of a game of so many players.
    pub(super) const fn new(players: u8) -> Self {
        Self { words: if players == 2 { HALF } else { MOST_ROWS } }
    }

    /// Squares from one edge to the other.
    pub(super) const fn side(self) -> usize {
        if self.words == HALF { 2 * HALF } else { MOST_ROWS }
    }

    /// The word and the lowest bit of a row.
    #[inline(always)]
    pub(super) const fn row(self, y: usize) -> (usize, u32) {
        if y < self.words { (MARGIN + y, 0) } else { (MARGIN + y - self.words, 16) }
    }

    /// The columns and rows that the four bytes of a word begin with.
    pub(super) const fn bytes(self, word: usize) -> [(usize, usize); 4] {
        let y = word - MARGIN;
        if self.words == HALF {
            [(0, y), (8, y), (0, y + HALF), (8, y + HALF)]
        } else {
            [(0, y), (8, y), (16, y), (24, y)]
        }
    }

    /// The words of a set that hold the board.
    pub(super) fn range(self) -> impl Iterator<Item = usize> {
        // So the compiler sees that none lies beyond the set.
        (MARGIN..MARGIN + MOST_ROWS).take(self.words)
    }

    /// Whether a set has the square with this number.
    pub(super) const fn has(self, set: &Set, number: usize) -> bool {
        self.row_of(set, number / STRIDE) >> (number % STRIDE) & 1 != 0
    }

    /// A row of a set, with other squares beyond the side.
    #[inline(always)]
    pub(super) const fn row_of(self, set: &Set, y: usize) -> u32 {
        let (word, shift) = self.row(y);
        if word < WORDS { set[word] >> shift } else { 0 }
    }

    /// The squares of a set by their numbers, without those of another.
    pub(super) fn plan(self, set: &Set, without: &Set) -> Plan {
        let mut plan = Plan([0; PLAN]);
        let side = self.side();
        for y in 0..side {
            let row = self.row_of(set, y) & !self.row_of(without, y) & ((1 << side) - 1);
            let row = u64::from(row);
            let begin = BASE + y * STRIDE;
            let row = row << (begin % 32);
            let at = begin / 32 % (PLAN - 1);
            plan.0[at] |= row as u32;
            plan.0[at + 1] |= (row >> 32) as u32;
        }
        plan
    }

    /// How many squares are in a set.
    pub(super) fn count(self, set: &Set) -> i16 {
        // The last words may lie beyond the larger board, where sets are empty.
        let (sevens, _) = set.get(MARGIN..).unwrap_or_default().as_chunks();
        let [first, others @ ..] = sevens else { return 0 };
        let mut sum = count(first);
        if self.words != HALF {
            sum += others.iter().map(count).sum::<i16>();
        }
        sum
    }

    /// Sets the rows beyond the words: on Duo's board what one half has there lies in the other.
    pub(super) const fn wrap(self, set: &mut Set) {
        if self.words == HALF {
            set[MARGIN - 2] = set[MARGIN + HALF - 2] << 16;
            set[MARGIN - 1] = set[MARGIN + HALF - 1] << 16;
            set[MARGIN + HALF] = set[MARGIN] >> 16;
            set[MARGIN + HALF + 1] = set[MARGIN + 1] >> 16;
        }
    }

    /// Grows a set by its neighbours among the open squares.
    pub(super) fn spread(self, set: &mut Set, open: &Set) {
        self.wrap(set);
        let mut above = set[MARGIN - 1];
        for at in self.range() {
            let row = set[at];
            set[at] = (row | row << 1 | row >> 1 | above | set[at + 1]) & open[at];
            above = row;
        }
    }

    /// Grows a set by its neighbours among the open squares, including diagonal ones.
    pub(super) fn spread_diagonally(self, set: &mut Set, open: &Set) {
        self.wrap(set);
        let wide = |row: u32| row | row << 1 | row >> 1;
        let mut above = wide(set[MARGIN - 1]);
        let mut row = wide(set[MARGIN]);
        for at in self.range() {
            let below = wide(set[at + 1]);
            set[at] = (above | row | below) & open[at];
            (above, row) = (row, below);
        }
    }

    /// The open squares that are connected with at least two others. Open squares are wrapped.
    pub(super) fn roomy(self, open: &Set, roomy: &mut Set) {
        for at in self.range() {
            let row = open[at];
            let (left, right, above, below) = (row << 1, row >> 1, open[at - 1], open[at + 1]);
            // Those with two neighbours or more; the others of any three lie beside one of them.
            roomy[at] = row & (left & right | above & below | (left | right) & (above | below));
        }
        self.spread(roomy, open);
    }

    /// What of a set is in the middle of the board.
    pub(super) fn middle(self, set: &Set, middle: &mut Set) {
        let all = if self.words == HALF { &MIDDLE_14 } else { &MIDDLE_20 };
        for at in self.range() {
            middle[at] = set[at] & all[at];
        }
    }

    /// Counts for every open square how many of the squares are in a set that lie within two steps
    /// of it over open squares. The set is of open squares, and both are wrapped.
    #[inline(never)]
    pub(super) fn tally(self, set: &Set, open: &Set, tally: &mut Tally) {
        for at in self.range() {
            let (row, above, below) = (set[at], set[at - 1], set[at + 1]);
            let (free, free_above, free_below) = (open[at], open[at - 1], open[at + 1]);
            let left = row << 1 & free;
            let right = row >> 1 & free;
            // There are two paths to a diagonal square.
            let above_left = above << 1 & free_above | (above & free) << 1;
            let above_right = above >> 1 & free_above | (above & free) >> 1;
            let below_left = below << 1 & free_below | (below & free) << 1;
            let below_right = below >> 1 & free_below | (below & free) >> 1;
            let [a, two_a] = add(row, left, right);
            let [b, two_b] = add(above, below, left << 1);
            let [c, two_c] = add(right >> 1, set[at - 2] & free_above, set[at + 2] & free_below);
            let [d, two_d] = add(above_left, above_right, below_left);
            let [e, two_e] = add(a, b, below_right);
            let [one, two_f] = add(c, d, e);
            let [a, four_a] = add(two_a, two_b, two_c);
            let [b, four_b] = add(two_d, two_e, two_f);
            let [two, four_c] = add(a, b, 0);
            let [four, eight] = add(four_a, four_b, four_c);
            let [one, two, four, eight] = [one & free, two & free, four & free, eight & free];
            tally[0][at] = one;
            tally[1][at] = two;
            tally[2][at] = four;
            tally[3][at] = eight;
        }
    }
}

/// How many bits are set in seven words: they are added up bit by bit first, as counting takes longer.
#[inline(never)]
fn count(words: &[u32; HALF]) -> i16 {
    let [a, b, c, d, e, f, g] = *words;
    let [a, two_a] = add(a, b, c);
    let [d, two_b] = add(d, e, f);
    let [one, two_c] = add(a, d, g);
    let [two, four] = add(two_a, two_b, two_c);
    // The bits that are set in each byte.
    let in_bytes = |bits: u32| {
        let bits = bits - (bits >> 1 & 0x5555_5555);
        let bits = (bits & 0x3333_3333) + (bits >> 2 & 0x3333_3333);
        (bits + (bits >> 4)) & 0x0f0f_0f0f
    };
    let bytes = in_bytes(one) + 2 * in_bytes(two) + 4 * in_bytes(four);
    (bytes.wrapping_mul(0x0101_0101) >> 24) as i16
}

/// The digits of the sum of three bits.
const fn add(a: u32, b: u32, c: u32) -> [u32; 2] {
    [a ^ b ^ c, a & b | (a ^ b) & c]
}
