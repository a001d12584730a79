//! Sets of squares as rows of bits.
//!
//! Blokus Duo's 14 rows take 16 bits each, two rows in a word (`WORDS` = 8); Classic's 20 rows
//! take a word each (`WORDS` = 20). The unused bits of every row, and the unused rows, are always
//! zero: a piece that would leave the board meets a zero there, because it is connected and so
//! has a square in every column and row of its bounding box.

use core::ops::{BitAnd, BitOr, Not};

/// A set of squares of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows<const WORDS: usize>([u32; WORDS]);

impl<const WORDS: usize> Rows<WORDS> {
    const ROWS_PER_WORD: usize = match WORDS {
        8 => 2,
        20 => 1,
        _ => panic!("boards have 8 or 20 words"),
    };
    const ROW_BITS: usize = 32 / Self::ROWS_PER_WORD;

    /// Rows and columns of the board.
    pub const SIDE: u8 = if WORDS == 8 { 14 } else { 20 };
    /// No square.
    pub const EMPTY: Self = Self([0; WORDS]);
    /// Every square of the board.
    pub const ALL: Self = {
        let mut all = Self::EMPTY;
        let mut y = 0;
        while y < Self::SIDE {
            let mut x = 0;
            while x < Self::SIDE {
                all = all.with(x, y);
                x += 1;
            }
            y += 1;
        }
        all
    };

    const fn place(x: u8, y: u8) -> (usize, u32) {
        let (x, y) = (x as usize, y as usize);
        (y / Self::ROWS_PER_WORD, 1 << (y % Self::ROWS_PER_WORD * Self::ROW_BITS + x))
    }

    /// The set with this square of the board added.
    pub const fn with(mut self, x: u8, y: u8) -> Self {
        self.insert(x, y);
        self
    }

    /// Adds this square of the board.
    pub const fn insert(&mut self, x: u8, y: u8) {
        if x < Self::SIDE && y < Self::SIDE {
            let (word, bit) = Self::place(x, y);
            self.0[word] |= bit;
        }
    }

    /// Whether the square is in the set; squares off the board never are.
    pub const fn has(&self, x: u8, y: u8) -> bool {
        if x >= Self::SIDE || y >= Self::SIDE {
            return false;
        }
        let (word, bit) = Self::place(x, y);
        self.0[word] & bit != 0
    }

    /// Adds these squares.
    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Takes these squares out.
    pub(super) fn remove(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    /// Whether the set has no square.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many squares there are.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The words, for hashing.
    pub const fn words(&self) -> &[u32; WORDS] {
        &self.0
    }

    /// The column and row of a bit of a word.
    pub const fn square_of(word: usize, bit: u32) -> (u8, u8) {
        let bit = bit as usize;
        let row = word * Self::ROWS_PER_WORD + bit / Self::ROW_BITS;
        ((bit % Self::ROW_BITS) as u8, row as u8)
    }

    /// The squares of a row of the board.
    pub(super) const fn row(&self, y: usize) -> u32 {
        self.word(y / Self::ROWS_PER_WORD) >> (y % Self::ROWS_PER_WORD * Self::ROW_BITS)
            & ((1 << Self::SIDE) - 1)
    }

    /// A word; those beyond the board are empty.
    const fn word(&self, word: usize) -> u32 {
        if word < WORDS { self.0[word] } else { 0 }
    }

    /// The word at `word` if all rows were moved up by `rows`.
    pub const fn word_moved_up(&self, word: usize, rows: usize) -> u32 {
        let from = word + rows / Self::ROWS_PER_WORD;
        let upper = self.word(from);
        if rows.is_multiple_of(Self::ROWS_PER_WORD) {
            return upper;
        }
        upper >> 16 | self.word(from + 1) << 16
    }

    fn moved_up(&self) -> Self {
        Self(core::array::from_fn(|word| self.word_moved_up(word, 1)))
    }

    /// The last row is shifted into the unused ones: the caller masks.
    fn moved_down(&self) -> Self {
        Self(core::array::from_fn(|word| self.word_moved_down(word)))
    }

    const fn word_moved_down(&self, word: usize) -> u32 {
        let above = self.word(word.wrapping_sub(1));
        if Self::ROWS_PER_WORD == 1 { above } else { self.word(word) << 16 | above >> 16 }
    }

    /// Takes the squares out of `free` that share an edge with the set, and puts those into `attach`
    /// that are left and touch it at a corner: [`beside`](Self::beside) and
    /// [`diagonal`](Self::diagonal) in one pass. In place: a set takes 80 bytes of stack.
    pub(super) fn allow_and_attach(&self, free: &mut Self, attach: &mut Self) {
        let sideways = |word: u32| word << 1 | word >> 1;
        for word in 0..WORDS {
            let (up, down) = (self.word_moved_up(word, 1), self.word_moved_down(word));
            free.0[word] &= !(sideways(self.0[word]) | up | down);
            attach.0[word] = sideways(up | down) & free.0[word];
        }
    }

    /// The set with what is within so many steps of it along these squares.
    pub(super) fn flooded(mut self, along: &Self, steps: u8) -> Self {
        for _ in 0..steps {
            let before = self;
            for word in 0..WORDS {
                let (up, down) = (before.word_moved_up(word, 1), before.word_moved_down(word));
                let sideways = before.0[word] << 1 | before.0[word] >> 1;
                self.0[word] |= (sideways | up | down) & along.0[word];
            }
        }
        self
    }

    /// Squares beside the set along rows; the outer columns are shifted into unused bits.
    fn sideways(&self) -> Self {
        Self(self.0.map(|word| word << 1 | word >> 1))
    }

    /// The squares that share an edge with the set, and possibly squares of the set.
    pub fn beside(&self) -> Self {
        (self.sideways() | self.moved_up() | self.moved_down()) & Self::ALL
    }

    /// The squares that touch the set at a corner, and possibly squares of the set.
    pub fn diagonal(&self) -> Self {
        let sideways = self.sideways() & Self::ALL;
        (sideways.moved_up() | sideways.moved_down()) & Self::ALL
    }
}

impl<const WORDS: usize> BitAnd for Rows<WORDS> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(core::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl<const WORDS: usize> BitOr for Rows<WORDS> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(core::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl<const WORDS: usize> Not for Rows<WORDS> {
    type Output = Self;
    /// The squares of the board that are not in the set.
    fn not(self) -> Self {
        Self(core::array::from_fn(|word| !self.0[word])) & Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the neighbours found square by square.
    fn check_neighbours<const WORDS: usize>() {
        let side = i32::from(Rows::<WORDS>::SIDE);
        for x in 0..side {
            for y in 0..side {
                let one = Rows::<WORDS>::EMPTY.with(x as u8, y as u8);
                for (a, b) in (0..side).flat_map(|a| (0..side).map(move |b| (a, b))) {
                    let (dx, dy) = ((a - x).abs(), (b - y).abs());
                    assert_eq!(one.beside().has(a as u8, b as u8), dx + dy == 1);
                    assert_eq!(one.diagonal().has(a as u8, b as u8), dx == 1 && dy == 1);
                    assert_eq!((!one).has(a as u8, b as u8), dx + dy != 0);
                }
                assert_eq!((!one).count() as i32, side * side - 1);
                let (mut allowed, mut attach) = (!one, Rows::EMPTY);
                one.allow_and_attach(&mut allowed, &mut attach);
                assert_eq!(allowed, !one & !one.beside());
                assert_eq!(attach, one.diagonal() & allowed);
            }
        }
    }

    #[test]
    fn neighbours_stay_on_the_board() {
        check_neighbours::<8>();
        check_neighbours::<20>();
    }
}
