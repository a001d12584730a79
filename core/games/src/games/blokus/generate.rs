//! Finds all legal placements of all pieces, many squares at a time.
//!
//! For an orientation, the anchors (top left of its bounding box) where every square lands on an
//! allowed square are the AND of the allowed set moved by each of its squares; those where it
//! covers an attach point are the OR of the attach points moved likewise. The moved sets are
//! shared by all orientations: a window of 5 x 5 moves of a few words.

use super::pieces::{BOX, Orientation, PieceSet};
use super::rows::Rows;

/// Words handled together when order does not matter: a vector register on a PC, one machine word
/// on a microcontroller.
const WIDE: usize = if cfg!(target_pointer_width = "64") { 4 } else { 1 };

type Window<const LANES: usize> = [[u32; LANES]; BOX * BOX];

fn window<const WORDS: usize, const LANES: usize>(
    rows: &Rows<WORDS>,
    first: usize,
) -> Window<LANES> {
    let mut window = [[0; LANES]; BOX * BOX];
    for (dy, row) in window.chunks_exact_mut(BOX).enumerate() {
        let words: [u32; LANES] = core::array::from_fn(|lane| rows.word_moved_up(first + lane, dy));
        for (dx, moved) in row.iter_mut().enumerate() {
            *moved = words.map(|word| word >> dx);
        }
    }
    window
}

/// Whether no attach point is within reach of an anchor in these words.
fn out_of_reach<const WORDS: usize>(attach: &Rows<WORDS>, first: usize, lanes: usize) -> bool {
    (0..lanes)
        .all(|lane| (0..BOX).fold(0, |any, dy| any | attach.word_moved_up(first + lane, dy)) == 0)
}

/// The anchors of one orientation in these words.
#[inline(always)]
fn anchors<const LANES: usize>(
    orientation: Orientation,
    allowed: &Window<LANES>,
    attach: &Window<LANES>,
) -> [u32; LANES] {
    let mut fits = [u32::MAX; LANES];
    let mut touches = [0; LANES];
    for &cell in orientation.padded_cells() {
        // A cell is below 25; the mask tells the compiler that it is in the window's bounds.
        let cell = usize::from(cell).min(BOX * BOX - 1);
        for lane in 0..LANES {
            fits[lane] &= allowed[cell][lane];
            touches[lane] |= attach[cell][lane];
        }
    }
    core::array::from_fn(|lane| fits[lane] & touches[lane])
}

// The loops over all pieces are there once, for every board size: most of the work is here.

/// How many anchors these pieces have in these words.
fn count(pieces: PieceSet, allowed: &Window<WIDE>, attach: &Window<WIDE>) -> u32 {
    let orientations = pieces.iter().flat_map(|piece| piece.orientations());
    let words = orientations.map(|orientation| anchors(orientation, allowed, attach));
    words.map(|words| words.iter().map(|word| word.count_ones()).sum::<u32>()).sum()
}

/// Whether these pieces have an anchor in these words.
fn any(pieces: PieceSet, allowed: &Window<WIDE>, attach: &Window<WIDE>) -> bool {
    let mut orientations = pieces.iter().flat_map(|piece| piece.orientations());
    orientations.any(|orientation| anchors(orientation, allowed, attach) != [0; WIDE])
}

/// Visits the anchors in a word, as bits, by orientation.
fn for_each(
    pieces: PieceSet,
    allowed: &Window<1>,
    attach: &Window<1>,
    visit: &mut dyn FnMut(Orientation, u32),
) {
    for orientation in pieces.iter().flat_map(|piece| piece.orientations()) {
        let [mut word] = anchors(orientation, allowed, attach);
        while word != 0 {
            visit(orientation, word.trailing_zeros());
            word &= word - 1;
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
    /// The windows of the words that have anchors within reach of an attach point.
    fn windows<const LANES: usize>(
        &self,
    ) -> impl Iterator<Item = (usize, Window<LANES>, Window<LANES>)> {
        (0..WORDS)
            .step_by(LANES)
            .filter(|&first| !out_of_reach(&self.attach, first, LANES))
            .map(|first| (first, window(&self.allowed, first), window(&self.attach, first)))
    }

    /// How many placements these pieces have.
    pub(super) fn count(&self, pieces: PieceSet) -> u32 {
        self.windows().map(|(_, allowed, attach)| count(pieces, &allowed, &attach)).sum()
    }

    /// Whether these pieces have a placement.
    pub(super) fn any(&self, pieces: PieceSet) -> bool {
        self.windows().any(|(_, allowed, attach)| any(pieces, &allowed, &attach))
    }

    /// Visits every placement as orientation, column and row, in the order of anchor words, then
    /// orientations, then bits. Not generic over its visitor: there are many, and the code is large.
    pub(super) fn for_each(&self, pieces: PieceSet, visit: &mut dyn FnMut(Orientation, u8, u8)) {
        for (first, allowed, attach) in self.windows::<1>() {
            for_each(pieces, &allowed, &attach, &mut |orientation, bit| {
                let (x, y) = Rows::<WORDS>::square_of(first, bit);
                visit(orientation, x, y);
            });
        }
    }
}
