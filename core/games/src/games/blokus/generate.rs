//! Finds all legal placements of all pieces, many squares at a time.
//!
//! For an orientation, the anchors (top left of its bounding box) where every square lands on an
//! allowed square are the AND of the allowed set moved by each of its squares; those where it
//! covers an attach point are the OR of the attach points moved likewise. The moved sets are
//! shared by all orientations: a window of 5 x 5 moves of a few words.

use core::ops::Range;

use super::pieces::{BOX, Orientation, Piece, PieceSet};
use super::rows::Rows;

/// Words handled together when order does not matter: a vector register on a PC, one machine word
/// on a microcontroller.
const WIDE: usize = if cfg!(target_pointer_width = "64") { 4 } else { 1 };

/// The allowed squares and the attach points in some words, moved by each square of a 5 x 5 box.
/// It has 32 entries, so that a five-bit index is always in bounds.
type Window<const LANES: usize> = [[[u32; LANES]; 2]; 32];

fn window<const WORDS: usize, const LANES: usize>(
    frontier: &Frontier<WORDS>,
    first: usize,
) -> Window<LANES> {
    let mut window = [[[0; LANES]; 2]; 32];
    for dy in 0..BOX {
        let moved = |rows: &Rows<WORDS>| -> [u32; LANES] {
            core::array::from_fn(|lane| rows.word_moved_up(first + lane, dy))
        };
        let (allowed, attach) = (moved(&frontier.allowed), moved(&frontier.attach));
        for dx in 0..BOX {
            let place = &mut window[(dy * BOX + dx) & 31];
            for lane in 0..LANES {
                place[0][lane] = allowed[lane] >> dx;
                place[1][lane] = attach[lane] >> dx;
            }
        }
    }
    window
}

/// Whether no attach point is within reach of an anchor in these words.
fn out_of_reach<const WORDS: usize>(attach: &Rows<WORDS>, first: usize, lanes: usize) -> bool {
    (0..lanes)
        .all(|lane| (0..BOX).fold(0, |any, dy| any | attach.word_moved_up(first + lane, dy)) == 0)
}

/// The anchors in these words of a piece with these squares. The five are unrolled, as a loop costs
/// more than its body.
#[inline(always)]
fn anchors<const LANES: usize>(cells: &[u8; BOX], window: &Window<LANES>) -> [u32; LANES] {
    let [a, b, c, d, e] = *cells;
    let at = |cell: u8, set: usize| &window[usize::from(cell & 31)][set];
    let both = |one: [u32; LANES], other: &[u32; LANES]| -> [u32; LANES] {
        core::array::from_fn(|lane| one[lane] & other[lane])
    };
    let either = |one: [u32; LANES], other: &[u32; LANES]| -> [u32; LANES] {
        core::array::from_fn(|lane| one[lane] | other[lane])
    };
    let fits = both(both(both(both(*at(a, 0), at(b, 0)), at(c, 0)), at(d, 0)), at(e, 0));
    let touches = either(either(either(either(*at(a, 1), at(b, 1)), at(c, 1)), at(d, 1)), at(e, 1));
    both(fits, &touches)
}

// The loops over all pieces exist once, for both board sizes: most of the work is here.

/// How many anchors these pieces have in these words.
#[inline(never)]
fn count(pieces: PieceSet, window: &Window<WIDE>) -> u32 {
    let mut sum = 0;
    for piece in pieces.iter() {
        for (_, cells) in piece.padded_cells() {
            let words = anchors(cells, window);
            // On a microcontroller counting takes longer than testing.
            if words != [0; WIDE] {
                sum += words.iter().map(|word| word.count_ones()).sum::<u32>();
            }
        }
    }
    sum
}

/// Whether these pieces have an anchor in these words.
#[inline(never)]
fn any(pieces: PieceSet, window: &Window<WIDE>) -> bool {
    let has_any =
        |piece: Piece| piece.padded_cells().any(|(_, cells)| anchors(cells, window) != [0; WIDE]);
    pieces.iter().any(has_any)
}

/// Visits the anchors in a word, as bits, by orientation.
#[inline(never)]
fn for_each(pieces: PieceSet, window: &Window<1>, visit: &mut dyn FnMut(Orientation, u32)) {
    for piece in pieces.iter() {
        for (orientation, cells) in piece.padded_cells() {
            let [mut word] = anchors(cells, window);
            while word != 0 {
                visit(orientation, word.trailing_zeros());
                word &= word - 1;
            }
        }
    }
}

/// The squares where one player may and must play.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frontier<const WORDS: usize> {
    /// Empty squares that share no edge with an own piece.
    pub(super) allowed: Rows<WORDS>,
    /// The allowed squares that touch an own piece at a corner; a placement covers at least one.
    pub(super) attach: Rows<WORDS>,
}

impl<const WORDS: usize> Frontier<WORDS> {
    /// The next word from `first` on, in steps, that has anchors within reach of an attach point.
    #[inline]
    fn next_word(&self, mut first: usize, step: usize) -> Option<usize> {
        while first < WORDS {
            if !out_of_reach(&self.attach, first, step) {
                return Some(first);
            }
            first += step;
        }
        None
    }

    /// How many placements these pieces have.
    pub(super) fn count(&self, pieces: PieceSet) -> u32 {
        self.count_in(pieces, 0..WORDS)
    }

    /// How many placements these pieces have with their anchors in these words.
    #[inline(never)]
    pub(super) fn count_in(&self, pieces: PieceSet, words: Range<usize>) -> u32 {
        let (mut sum, mut next) = (0, words.start);
        while let Some(first) = self.next_word(next, WIDE).filter(|first| *first < words.end) {
            let mut window = window(self, first);
            // Nothing fits into the lanes beyond the last word.
            for lane in 1..WIDE {
                if first + lane >= words.end {
                    window.iter_mut().for_each(|place| place[0][lane] = 0);
                }
            }
            sum += count(pieces, &window);
            next = first + WIDE;
        }
        sum
    }

    /// Whether these pieces have a placement.
    #[inline(never)]
    pub(super) fn any(&self, pieces: PieceSet) -> bool {
        let mut next = 0;
        while let Some(first) = self.next_word(next, WIDE) {
            if any(pieces, &window(self, first)) {
                return true;
            }
            next = first + WIDE;
        }
        false
    }

    /// Visits every placement as orientation, column and row, in the order of anchor words, then
    /// orientations, then bits. Not generic over its visitor: there are many visitors, and the code
    /// is large.
    pub(super) fn for_each(&self, pieces: PieceSet, visit: &mut dyn FnMut(Orientation, u8, u8)) {
        let mut next = 0;
        while let Some(first) = self.next_word(next, 1) {
            for_each(pieces, &window(self, first), &mut |orientation, bit| {
                let (x, y) = Rows::<WORDS>::square_of(first, bit);
                visit(orientation, x, y);
            });
            next = first + 1;
        }
    }
}
