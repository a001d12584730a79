//! The lines still to be drawn as two bitboards, so that all boxes are processed at once.
//!
//! A cell of the board has the number `row * stride + column`; there is one cell more in each row
//! and column than there are boxes. Bit `i` of [`Lines::across`] is the line above cell `i`, bit
//! `i` of [`Lines::down`] the line to its left.

use core::fmt::Debug;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use heapless::Vec;

use super::alone::{Alone, Counts};
use super::{Dots, Line, MAX_SIDE, Size};
use crate::mix::{Rng, mix};

/// An unsigned integer used as a set of cells.
pub(super) trait Word:
    'static
    + Copy
    + Send
    + Sync
    + Ord
    + Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Identifies a position: a bit for every line, or a hash.
    type Key: Copy + Ord + Debug + BitXor<Output = Self::Key> + Into<u64>;
    /// The chains and loops that a position does not keep on the board.
    type Alone: Alone;
    /// The keys of a position and its mirror images; a hash has none.
    type Images: Copy + Debug + AsRef<[Self::Key]> + AsMut<[Self::Key]>;
    const NO_LINES: Self::Images;
    /// The most lines of a board.
    const MAX_LINES: u8;
    /// Whether keys are hashes on all boards, or may be: see [`Grid::for_play`].
    const HASHES: bool;
    const MAY_HASH: bool;
    /// Whether isomorphic positions share a key in solving.
    const SHAPES: bool;
    const BITS: u32;
    const EMPTY: Self;
    /// The keys of each line alone in all images, the lines across first; none where keys are
    /// hashes.
    type LineKeys: Clone + Debug + AsRef<[Self::Images]> + AsMut<[Self::Images]> + Sync;
    const LINE_KEYS: Self::LineKeys;

    /// The key of a line alone.
    fn key(line: u8) -> Self::Key;
    /// The bits, 32 at a time.
    fn parts(self) -> [u32; 4];
    /// The set with these bits, as far as it has room for them.
    fn of_parts(parts: [u32; 4]) -> Self;
    fn bit(index: u32) -> Self;
    /// The set moved to the next numbers.
    fn up(self) -> Self;
    /// The set moved to the numbers before.
    fn down(self) -> Self;
    /// The set moved to higher numbers, by a row: 2 to 11.
    fn up_by(self, by: u32) -> Self;
    /// The set moved to lower numbers, by a row.
    fn down_by(self, by: u32) -> Self;
    /// All numbers from this one on.
    fn all_from(index: u32) -> Self;
    fn count(self) -> u32;
    /// The number of the lowest bit.
    fn lowest(self) -> u32;
    fn without_lowest(self) -> Self;
    /// 1 if a number is in the set, otherwise 0.
    fn has(self, index: u32) -> u64;

    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// A set of one of these lines; none if there is none.
    fn first(lines: &Lines<Self>) -> Lines<Self>;
    /// The same, taken out of the set.
    fn take_first(lines: &mut Lines<Self>) -> Lines<Self>;
    /// The lines around some boxes, on a board with rows of so many cells.
    fn around(boxes: Self, stride: u32) -> Lines<Self>;
    /// The boxes by their open sides, on a board with rows of so many cells.
    fn degrees(open: &Lines<Self>, stride: u32, boxes: Self) -> Degrees<Self>;
}

macro_rules! word {
    ($word:ty, $key:ty, $alone:ty, $lines:expr, $cells:expr, $images:expr, $inline:meta, $up:expr, $down:expr) => {
        impl Word for $word {
            type Key = $key;
            type Alone = $alone;
            type Images = [$key; $images];
            const NO_LINES: Self::Images = [0; $images];
            const MAX_LINES: u8 = $lines;
            const HASHES: bool = $images == 0;
            const MAY_HASH: bool = $lines > SMALL_LINES;
            const SHAPES: bool = $images > 1 && $lines > SMALL_LINES;
            const BITS: u32 = <$word>::BITS;
            const EMPTY: Self = 0;
            type LineKeys = [Self::Images; 2 * $cells];
            const LINE_KEYS: Self::LineKeys = [Self::NO_LINES; 2 * $cells];

            #[inline]
            fn key(line: u8) -> $key {
                1 << (u32::from(line) & (<$key>::BITS - 1))
            }
            #[inline]
            fn parts(self) -> [u32; 4] {
                words(self.into())
            }
            #[inline]
            fn of_parts(parts: [u32; 4]) -> Self {
                of_words(parts) as Self
            }
            #[inline]
            fn bit(index: u32) -> Self {
                1 << index
            }
            #[inline]
            fn up(self) -> Self {
                self << 1
            }
            #[inline]
            fn down(self) -> Self {
                self >> 1
            }
            #[inline]
            fn up_by(self, by: u32) -> Self {
                $up(self, by)
            }
            #[inline]
            fn down_by(self, by: u32) -> Self {
                $down(self, by)
            }
            #[$inline]
            fn all_from(index: u32) -> Self {
                <$word>::MAX << index
            }
            #[$inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[$inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn has(self, index: u32) -> u64 {
                (self.wrapping_shr(index) & 1) as u64
            }
            #[$inline]
            fn first(lines: &Lines<Self>) -> Lines<Self> {
                let (across, down) = (lines.across, lines.down);
                if across == 0 {
                    Lines { across: 0, down: down & down.wrapping_neg() }
                } else {
                    Lines { across: across & across.wrapping_neg(), down: 0 }
                }
            }
            #[$inline]
            fn take_first(lines: &mut Lines<Self>) -> Lines<Self> {
                let line = Self::first(lines);
                *lines = lines.without(line);
                line
            }
            #[$inline]
            fn around(boxes: Self, stride: u32) -> Lines<Self> {
                Lines { across: boxes | boxes.up_by(stride), down: boxes | boxes.up() }
            }
            #[$inline]
            fn degrees(open: &Lines<Self>, stride: u32, boxes: Self) -> Degrees<Self> {
                let (above, below) = (open.across, open.across.down_by(stride));
                let (left, right) = (open.down, open.down.down());
                let (odd_rows, both_rows) = (above ^ below, above & below);
                let (odd_columns, both_columns) = (left ^ right, left & right);
                let ones = (odd_rows ^ odd_columns) & boxes;
                let twos = ((both_rows ^ both_columns) | (odd_rows & odd_columns)) & boxes;
                let fours = both_rows & both_columns & boxes;
                Degrees { one: ones & !twos, two: twos & !ones, more: (ones & twos) | fours }
            }
        }
    };
}

// The largest boards by cells are 1x10 for 32 lines, and 3x8 and 5x5 for 64.
word!(u32, u32, (), SMALL_LINES, 22, IMAGES, inline, u32::wrapping_shl, u32::wrapping_shr);
word!(
    u64,
    u64,
    Counts,
    64,
    if HAS_LARGE_KEYS { 36 } else { 0 },
    if HAS_LARGE_KEYS { IMAGES } else { 0 },
    inline,
    long_up,
    long_down
);
// What takes many instructions on a 32-bit core is not inlined.
word!(
    u128,
    u64,
    (),
    u8::MAX,
    0,
    0,
    cfg_attr(target_pointer_width = "32", inline(never)),
    wide_up,
    wide_down
);

/// Whether boards of 33 to 64 lines have keys that a position shares with its mirror images. Their
/// tables would take the stack that a search on a microcontroller needs.
const HAS_LARGE_KEYS: bool = cfg!(target_pointer_width = "64");

/// The compiler's own shift by any number of bits takes twice as long on a 32-bit core, where it
/// provides for 32 and more, and of 128 bits goes through memory.
#[inline]
fn long_up(set: u64, by: u32) -> u64 {
    if cfg!(target_pointer_width = "64") {
        return set.wrapping_shl(by);
    }
    let (low, high) = (set as u32, (set >> 32) as u32);
    let high = high.wrapping_shl(by) | low.wrapping_shr(32 - by);
    u64::from(low.wrapping_shl(by)) | u64::from(high) << 32
}

#[inline]
fn long_down(set: u64, by: u32) -> u64 {
    if cfg!(target_pointer_width = "64") {
        return set.wrapping_shr(by);
    }
    let (low, high) = (set as u32, (set >> 32) as u32);
    let low = low.wrapping_shr(by) | high.wrapping_shl(32 - by);
    u64::from(low) | u64::from(high.wrapping_shr(by)) << 32
}

#[inline]
fn wide_up(set: u128, by: u32) -> u128 {
    if cfg!(target_pointer_width = "64") { set << by } else { up_in_words(set, by) }
}

#[inline]
fn wide_down(set: u128, by: u32) -> u128 {
    if cfg!(target_pointer_width = "64") { set >> by } else { down_in_words(set, by) }
}

/// A shift by 1 to 31 bits.
#[inline]
fn up_in_words(set: u128, by: u32) -> u128 {
    let [a, b, c, d] = words(set);
    let carry = |low: u32, high: u32| high.wrapping_shl(by) | low.wrapping_shr(32 - by);
    of_words([a.wrapping_shl(by), carry(a, b), carry(b, c), carry(c, d)])
}

#[inline]
fn down_in_words(set: u128, by: u32) -> u128 {
    let [a, b, c, d] = words(set);
    let carry = |low: u32, high: u32| low.wrapping_shr(by) | high.wrapping_shl(32 - by);
    of_words([carry(a, b), carry(b, c), carry(c, d), d.wrapping_shr(by)])
}

#[inline]
const fn words(set: u128) -> [u32; 4] {
    [set as u32, (set >> 32) as u32, (set >> 64) as u32, (set >> 96) as u32]
}

#[inline]
fn of_words([a, b, c, d]: [u32; 4]) -> u128 {
    u128::from(a) | u128::from(b) << 32 | u128::from(c) << 64 | u128::from(d) << 96
}

/// The most lines of a board whose keys have a bit for each line in play, too.
const SMALL_LINES: u8 = 32;

/// Its powers are the factors of 32 lines each in a hash.
const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A set of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lines<W> {
    pub(super) across: W,
    pub(super) down: W,
}

impl<W: Word> Lines<W> {
    pub(super) const NONE: Self = Self { across: W::EMPTY, down: W::EMPTY };

    pub(super) fn count(self) -> u32 {
        self.across.count() + self.down.count()
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        (self.across | self.down).is_empty()
    }

    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        Self { across: self.across & other.across, down: self.down & other.down }
    }

    #[inline]
    pub(super) fn without(self, other: Self) -> Self {
        Self { across: self.across & !other.across, down: self.down & !other.down }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self { across: self.across | other.across, down: self.down | other.down }
    }

    /// The same lines in words of another width, which has room for them.
    #[inline(never)]
    pub(super) fn resized<V: Word>(&self) -> Lines<V> {
        let [across, down] = [self.across, self.down].map(|set| V::of_parts(set.parts()));
        Lines { across, down }
    }

    /// A hash that does not depend on the width of the words.
    #[inline(never)]
    pub(super) fn hash(&self) -> u64 {
        let (mut sum, mut factor) = (0u64, HASH_FACTOR);
        for part in self.across.parts().into_iter().chain(self.down.parts()) {
            if part != 0 {
                sum = sum.wrapping_add(factor.wrapping_mul(part.into()));
            }
            factor = factor.wrapping_mul(HASH_FACTOR);
        }
        mix(sum)
    }

    /// A set of one of these lines; none if there is none.
    #[inline]
    pub(super) fn first(self) -> Self {
        W::first(&self)
    }

    /// Takes a line out of the set.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Self> {
        let line = W::take_first(self);
        if line.is_empty() { None } else { Some(line) }
    }
}

/// The boxes by how many of their sides are open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Degrees<W> {
    pub(super) one: W,
    pub(super) two: W,
    /// Three or four.
    pub(super) more: W,
}

impl<W: Word> Degrees<W> {
    /// The boxes that are not taken.
    #[inline]
    pub(super) fn any(&self) -> W {
        self.one | self.two | self.more
    }
}

/// The symmetries of a square board. Others have half as many, each twice.
pub(super) const IMAGES: usize = 8;
/// The maximum number of rings of lines with the same distance from the centre; the last has all
/// lines further out.
const MAX_RINGS: usize = 16;
/// The most pairs of lines of a box that both lead out of the board: on a 1x10 board.
const MAX_TWINS: usize = MAX_SIDE as usize;

/// A board of one size: what is the same in all its positions.
#[derive(Debug, Clone)]
pub(super) struct Grid<W: Word> {
    size: Size,
    /// Whether keys are hashes, where there is a choice.
    hashed: bool,
    stride: u32,
    boxes: W,
    rings: Vec<Lines<W>, MAX_RINGS>,
    /// Pairs of equivalent lines: two lines of the same box that lead out of the board.
    twins: Vec<(Lines<W>, Lines<W>), MAX_TWINS>,
    line_keys: W::LineKeys,
}

impl<W: Word> Grid<W> {
    /// Whether a board is small enough for this word. All are for `u128`.
    pub(super) const fn fits(size: Size) -> bool {
        size.lines() <= W::MAX_LINES
    }

    /// A board that fits, with keys that a position shares with its mirror images if possible.
    #[cfg(test)]
    pub(super) fn new(size: Size) -> Self {
        Self::with_keys(size, Self::are_hashed(false))
    }

    /// The same for play. Once moves are chosen exactly, positions of large boards hardly ever are
    /// mirror images of each other, and hashes take less time and less of a board's stack.
    pub(super) fn for_play(size: Size) -> Self {
        Self::with_keys(size, Self::are_hashed(true))
    }

    /// Whether keys are hashes, for play or not.
    pub(super) const fn are_hashed(for_play: bool) -> bool {
        if for_play { W::MAY_HASH } else { W::HASHES }
    }

    /// A board with or without hashes. Not inlined: it is made in its place, once.
    #[inline(never)]
    pub(super) fn with_keys(size: Size, hashed: bool) -> Self {
        let mut grid = Self {
            size,
            hashed,
            stride: u32::from(size.columns()) + 1,
            boxes: W::EMPTY,
            rings: Vec::new(),
            twins: Vec::new(),
            line_keys: W::LINE_KEYS,
        };
        for row in 0..size.rows() {
            for column in 0..size.columns() {
                grid.boxes = grid.boxes | W::bit(grid.cell(row, column));
            }
        }
        grid.find_rings();
        grid.find_twins();
        if !grid.has_hashes() {
            grid.find_line_keys();
        }
        grid
    }

    fn cell(&self, row: u8, column: u8) -> u32 {
        u32::from(row) * self.stride + u32::from(column)
    }

    /// Whether keys are hashes, which have no images.
    #[inline]
    pub(super) fn has_hashes(&self) -> bool {
        W::HASHES || W::MAY_HASH && self.hashed
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    fn all_lines(&self) -> impl Iterator<Item = Line> + use<W> {
        all_lines(self.size)
    }

    fn find_rings(&mut self) {
        let mut inner = None;
        for ring in 0..MAX_RINGS {
            let Some(next) = next_distance(self.size, inner) else { return };
            let mut lines = Lines::NONE;
            for line in self.all_lines() {
                let at = distance(self.size, line);
                let is_outside = inner.is_none_or(|inner| at > inner);
                if at == next || is_outside && ring + 1 == MAX_RINGS {
                    lines = lines.or(self.line(line));
                }
            }
            let _ = self.rings.push(lines);
            inner = Some(next);
        }
    }

    fn find_twins(&mut self) {
        while let Some((kept, drawn)) = twins(self.size, self.twins.len() as u8)
            && self.twins.push((self.line(kept), self.line(drawn))).is_ok()
        {}
    }

    fn find_line_keys(&mut self) {
        for line in self.all_lines() {
            let place = self.place(self.line(line));
            if let Some(keys) = self.line_keys.as_mut().get_mut(place) {
                for (image, key) in keys.as_mut().iter_mut().enumerate() {
                    *key = W::key(image_of(self.size, line, image).index());
                }
            }
        }
    }

    /// Where the keys of a line are.
    #[inline]
    fn place(&self, line: Lines<W>) -> usize {
        if line.across.is_empty() {
            self.line_keys.as_ref().len() / 2 + line.down.lowest() as usize
        } else {
            line.across.lowest() as usize
        }
    }

    /// The distance of two cells' numbers, one below the other.
    #[inline]
    pub(super) const fn stride(&self) -> u32 {
        self.stride
    }

    /// The lines in rings around the centre, the innermost first.
    pub(super) fn rings(&self) -> &[Lines<W>] {
        &self.rings
    }

    /// A number for a line, below 256.
    pub(super) fn place_of(&self, line: Lines<W>) -> u8 {
        if line.across.is_empty() {
            128 | line.down.lowest() as u8 & 127
        } else {
            line.across.lowest() as u8
        }
    }

    /// The line with that number.
    pub(super) fn at_place(&self, place: u8) -> Lines<W> {
        let bit = W::bit(u32::from(place) & 127 & (W::BITS - 1));
        if place < 128 {
            Lines { across: bit, down: W::EMPTY }
        } else {
            Lines { across: W::EMPTY, down: bit }
        }
    }

    /// One of these lines at random: the next one from a random index on.
    pub(super) fn some_line(&self, lines: Lines<W>, rng: &mut Rng) -> Lines<W> {
        let cells = (u32::from(self.size.rows()) + 1) * self.stride;
        let from = W::all_from(rng.below(cells));
        let (across, down) = (lines.across & from, lines.down & from);
        let later = if rng.below(2) == 0 {
            [Lines { across, down: W::EMPTY }, Lines { across: W::EMPTY, down }]
        } else {
            [Lines { across: W::EMPTY, down }, Lines { across, down: W::EMPTY }]
        };
        let found = later.into_iter().find(|lines| !lines.is_empty());
        found.unwrap_or(lines).first()
    }

    /// The set of one line.
    #[inline(never)]
    pub(super) fn line(&self, line: Line) -> Lines<W> {
        let ((row, column), second) = self.size.dots(line);
        let bit = W::bit(self.cell(row, column));
        if second.0 == row {
            Lines { across: bit, down: W::EMPTY }
        } else {
            Lines { across: W::EMPTY, down: bit }
        }
    }

    /// The first line of a set, as the game numbers it.
    #[inline(never)]
    pub(super) fn number(&self, lines: Lines<W>) -> Option<Line> {
        let is_across = !lines.across.is_empty();
        let set = if is_across { lines.across } else { lines.down };
        if set.is_empty() {
            return None;
        }
        // Not the stride, of which the compiler does not know that it is not 0.
        let width = u32::from(self.size.columns()) + 1;
        let (row, column) = ((set.lowest() / width) as u8, (set.lowest() % width) as u8);
        let end = if is_across { (row, column + 1) } else { (row + 1, column) };
        self.size.line_between((row, column), end)
    }

    /// The lines that a position leaves open.
    pub(super) fn open(&self, game: &Dots) -> Lines<W> {
        self.all_lines()
            .filter(|line| !game.is_drawn(*line))
            .fold(Lines::NONE, |open, line| open.or(self.line(line)))
    }

    /// The same position with the first of two twins open where only one is.
    pub(super) fn with_twins(&self, mut open: Lines<W>) -> Lines<W> {
        for &(kept, drawn) in &self.twins {
            if open.and(kept).is_empty() && !open.and(drawn).is_empty() {
                open = open.without(drawn).or(kept);
            }
        }
        open
    }

    /// The lines that need not be drawn because their open twins do the same.
    #[inline]
    pub(super) fn second_twins(&self, open: Lines<W>) -> Lines<W> {
        let mut twins = Lines::NONE;
        for &(kept, drawn) in &self.twins {
            if !open.and(drawn).is_empty() {
                twins = twins.or(kept);
            }
        }
        twins
    }

    /// The boxes by their open sides.
    #[inline]
    pub(super) fn degrees(&self, open: Lines<W>) -> Degrees<W> {
        W::degrees(&open, self.stride, self.boxes)
    }

    /// The boxes that are not taken. Not inlined, as it is used in many places.
    #[inline(never)]
    pub(super) fn boxes_left(&self, open: &Lines<W>) -> i16 {
        self.degrees(*open).any().count() as i16
    }

    /// The lines that give no box away, given the boxes with two open sides. Of twins, only one.
    #[inline(never)]
    pub(super) fn safe(&self, open: &Lines<W>, two: W) -> Lines<W> {
        open.without(self.around(two)).without(self.second_twins(*open))
    }

    /// All boxes of the board.
    #[cfg(test)]
    pub(super) const fn boxes(&self) -> W {
        self.boxes
    }

    /// The lines, drawn or not, around some boxes.
    #[inline]
    pub(super) fn around(&self, boxes: W) -> Lines<W> {
        W::around(boxes, self.stride)
    }

    /// The lines, drawn or not, that have one of `boxes` on each side.
    #[inline]
    pub(super) fn between(&self, boxes: W) -> Lines<W> {
        Lines { across: boxes & boxes.up_by(self.stride), down: boxes & boxes.up() }
    }

    /// The lines, drawn or not, that have one of `boxes` on just one side.
    #[inline]
    pub(super) fn rim(&self, boxes: W) -> Lines<W> {
        Lines { across: boxes ^ boxes.up_by(self.stride), down: boxes ^ boxes.up() }
    }

    /// The boxes and those that they share one of these lines with.
    #[inline]
    pub(super) fn joined(&self, boxes: W, lines: Lines<W>) -> W {
        let back = (boxes & lines.across).down_by(self.stride) | (boxes & lines.down).down();
        boxes | back | boxes.up_by(self.stride) & lines.across | boxes.up() & lines.down
    }

    /// The boxes above, below, left and right of which these lines are.
    #[inline]
    pub(super) fn beside(&self, lines: Lines<W>) -> [W; 4] {
        [lines.across, lines.across.down_by(self.stride), lines.down, lines.down.down()]
    }

    /// The boxes, taken or not, that have one of these lines.
    pub(super) fn near(&self, lines: Lines<W>) -> W {
        let [above, below, before, after] = self.beside(lines);
        (above | below | before | after) & self.boxes
    }

    /// The keys of a position and its images. Those of two positions differ by the keys of the
    /// lines that are open in one of them.
    pub(super) fn images(&self, open: Lines<W>) -> W::Images {
        self.toggled(&W::NO_LINES, open)
    }

    /// The keys after drawing some lines.
    #[inline]
    pub(super) fn toggled(&self, images: &W::Images, mut lines: Lines<W>) -> W::Images {
        let mut images = *images;
        if self.has_hashes() {
            return images;
        }
        while let Some(line) = lines.next() {
            if let Some(keys) = self.line_keys.as_ref().get(self.place(line)) {
                for (key, &line_key) in images.as_mut().iter_mut().zip(keys.as_ref()) {
                    *key = *key ^ line_key;
                }
            }
        }
        images
    }

    /// The key that a position shares with its images.
    #[inline]
    pub(super) fn key(images: &W::Images) -> u64 {
        least(images.as_ref())
    }

    /// The key that a position does not share with its images.
    #[inline]
    pub(super) fn own_key(images: &W::Images) -> u64 {
        least(images.as_ref().get(..1).unwrap_or_default())
    }
}

#[inline]
fn least<K: Copy + Ord + Into<u64>>(keys: &[K]) -> u64 {
    keys.iter().copied().min().map_or(0, K::into)
}

// What is the same for all word types, not inlined.

fn all_lines(size: Size) -> impl Iterator<Item = Line> {
    (0..size.lines()).filter_map(move |number| size.line(number))
}

/// How far a line is from the centre: the square of twice that.
#[inline(never)]
fn distance(size: Size, line: Line) -> u32 {
    let (a, b) = size.dots(line);
    let y = u32::from(a.0 + b.0).abs_diff(size.rows().into());
    let x = u32::from(a.1 + b.1).abs_diff(size.columns().into());
    y * y + x * x
}

/// The distance of the nearest lines that are further from the centre than `inner`.
#[inline(never)]
fn next_distance(size: Size, inner: Option<u32>) -> Option<u32> {
    let is_outside = |distance: &u32| inner.is_none_or(|inner| *distance > inner);
    all_lines(size).map(|line| distance(size, line)).filter(is_outside).min()
}

/// The pairs of lines of the same box that lead out of the board, as (kept open, drawn first).
#[inline(never)]
fn twins(size: Size, number: u8) -> Option<(Line, Line)> {
    let (bottom, right) = (size.rows() - 1, size.columns() - 1);
    let (row, column, kept, drawn) = if bottom == 0 {
        (0, number, 0, 1)
    } else if right == 0 {
        (number, 0, 2, 3)
    } else {
        // The corners.
        let (is_low, is_right) = (number & 2 != 0, number & 1 != 0);
        let (row, column) = (if is_low { bottom } else { 0 }, if is_right { right } else { 0 });
        let past = number >> 2 << 4;
        (row + past, column, usize::from(is_low), 2 + usize::from(is_right))
    };
    if row > bottom || column > right {
        return None;
    }
    let sides = size.sides(row, column);
    Some((sides[kept], sides[drawn]))
}

/// The line that this one maps to in a mirror image. Which of two twins is the kept one does not
/// change.
#[inline(never)]
fn image_of(size: Size, line: Line, image: usize) -> Line {
    let name = mirrored(size, line, image);
    for number in 0..MAX_TWINS as u8 {
        let Some((kept, drawn)) = twins(size, number) else { break };
        if line != kept && line != drawn {
            continue;
        }
        let images = [mirrored(size, kept, image), mirrored(size, drawn, image)];
        for number in 0..MAX_TWINS as u8 {
            let Some((new_kept, new_drawn)) = twins(size, number) else { break };
            if images == [new_drawn, new_kept] {
                return if line == kept { new_kept } else { new_drawn };
            }
        }
    }
    name
}

fn mirrored(size: Size, line: Line, image: usize) -> Line {
    let (rows, columns) = (size.rows(), size.columns());
    let mirrored = |(row, column): (u8, u8)| {
        let row = if image & 1 == 0 { row } else { rows - row };
        let column = if image & 2 == 0 { column } else { columns - column };
        if image & 4 != 0 && rows == columns { (column, row) } else { (row, column) }
    };
    let (a, b) = size.dots(line);
    size.line_between(mirrored(a), mirrored(b)).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_lines<W: Word>(grid: &Grid<W>, rng: &mut Rng) -> std::vec::Vec<Line> {
        grid.all_lines().filter(|_| rng.below(2) == 0).collect()
    }

    fn set<W: Word>(grid: &Grid<W>, lines: &[Line]) -> Lines<W> {
        lines.iter().fold(Lines::NONE, |set, line| set.or(grid.line(*line)))
    }

    fn key<W: Word>(grid: &Grid<W>, lines: &[Line]) -> u64 {
        Grid::<W>::key(&grid.images(grid.with_twins(set(grid, lines))))
    }

    /// All symmetries of a board, with the lines of a corner swapped or not.
    fn check_images<W: Word>(rows: u8, columns: u8) {
        let size = Size::new(rows, columns).unwrap();
        let grid = Grid::<W>::new(size);
        let mut rng = Rng::new(7);
        for _ in 0..100 {
            let mut lines = random_lines(&grid, &mut rng);
            let expected = key(&grid, &lines);
            let mirror = |flip: fn(Size, (u8, u8)) -> (u8, u8), lines: &[Line]| {
                let dots = lines.iter().map(|line| size.dots(*line));
                dots.map(|(a, b)| size.line_between(flip(size, a), flip(size, b)).unwrap())
                    .collect::<std::vec::Vec<Line>>()
            };
            lines = mirror(|size, (row, column)| (size.rows() - row, column), &lines);
            assert_eq!(key(&grid, &lines), expected, "upside down");
            lines = mirror(|size, (row, column)| (row, size.columns() - column), &lines);
            assert_eq!(key(&grid, &lines), expected, "left to right");
            if rows == columns {
                lines = mirror(|_, (row, column)| (column, row), &lines);
                assert_eq!(key(&grid, &lines), expected, "in the diagonal");
            }
            let (kept, drawn) = (0..).map_while(|number| twins(size, number)).last().unwrap();
            for line in &mut lines {
                *line = match *line {
                    line if line == kept => drawn,
                    line if line == drawn => kept,
                    line => line,
                };
            }
            assert_eq!(key(&grid, &lines), expected, "with twins swapped");
        }
    }

    #[test]
    fn shifts_in_words_are_shifts() {
        let mut rng = Rng::new(4);
        for _ in 0..1000 {
            let set = of_words(core::array::from_fn(|_| rng.next_u32()));
            for by in 1..=u32::from(MAX_SIDE) + 1 {
                assert_eq!(up_in_words(set, by), set << by);
                assert_eq!(down_in_words(set, by), set >> by);
            }
        }
    }

    #[test]
    fn images_have_one_key() {
        check_images::<u32>(3, 3);
        check_images::<u32>(3, 4);
        check_images::<u32>(1, 7);
        check_images::<u32>(5, 1);
        check_images::<u64>(4, 4);
        check_images::<u64>(5, 5);
        check_images::<u64>(3, 8);
    }

    #[test]
    fn every_size_has_a_grid_and_lines_keep_their_numbers() {
        fn check<W: Word>(size: Size) -> bool {
            if !Grid::<W>::fits(size) {
                return false;
            }
            let grid = Grid::<W>::new(size);
            for line in grid.all_lines() {
                let set = grid.line(line);
                assert_eq!(grid.number(set), Some(line));
                assert_eq!(grid.at_place(grid.place_of(set)), set);
                let rings = grid.rings().iter().filter(|ring| !ring.and(set).is_empty());
                assert_eq!(rings.count(), 1);
            }
            true
        }
        for rows in 1..=MAX_SIDE {
            for columns in 1..=MAX_SIDE {
                let size = Size::new(rows, columns).unwrap();
                assert_eq!(check::<u32>(size), size.lines() <= SMALL_LINES);
                assert_eq!(check::<u64>(size), size.lines() <= 64);
                assert!(check::<u128>(size));
            }
        }
    }

    #[test]
    fn degrees_count_the_open_sides() {
        let size = Size::new(4, 3).unwrap();
        let grid = Grid::<u64>::new(size);
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let lines = random_lines(&grid, &mut rng);
            let degrees = grid.degrees(set(&grid, &lines));
            for (row, column) in (0..4).flat_map(|row| (0..3).map(move |column| (row, column))) {
                let bit = u64::bit(grid.cell(row, column));
                let found = [degrees.one, degrees.two, degrees.more].map(|set| set & bit != 0);
                let open = size.sides(row, column).iter().filter(|s| lines.contains(s)).count();
                assert_eq!(found, [open == 1, open == 2, open > 2]);
            }
        }
    }
}
