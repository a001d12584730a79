//! Chains and loops: forced sequences when a box can be taken, and the value of endgames without
//! any other boxes.

use heapless::Vec;

use super::MAX_BOXES;
use super::graph::{Grid, Lines, Word};
use crate::sort::put_in_place;

/// What the player who may take boxes can leave to the other at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Handout {
    /// Nothing: every box is taken for free.
    None,
    /// The last two boxes of a chain, for the turn.
    Two,
    /// The last four boxes of a loop, for the turn.
    Four,
}

impl Handout {
    /// How many boxes are left.
    pub(super) const fn boxes(self) -> i16 {
        match self {
            Self::None => 0,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

/// A position after everything that can be taken has been taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken<W> {
    pub(super) boxes: i16,
    pub(super) handout: Handout,
    pub(super) rest: Lines<W>,
}

/// What the player to move can do when there are boxes to take.
#[derive(Debug, Clone, Copy)]
pub(super) enum Chance<W> {
    /// A line that takes boxes and changes nothing else.
    Free { line: Lines<W>, gain: i16 },
    /// The only boxes to take could also be left to the opponent: the line that begins to take
    /// them, the line that leaves them, how many they are, and what else is open.
    Last { take: Lines<W>, give: Lines<W>, gift: i16, rest: Lines<W> },
}

impl<W: Word> Grid<W> {
    /// Takes every box that can be taken, and all that follow.
    pub(super) fn take(&self, open: Lines<W>) -> Taken<W> {
        let before = self.degrees(open);
        let mut rest = open;
        let mut degrees = before;
        while !degrees.one.is_empty() {
            rest = rest.without(self.around(degrees.one));
            degrees = self.degrees(rest);
        }
        let taken = before.any() & !degrees.any();
        if taken.is_empty() {
            return Taken { boxes: 0, handout: Handout::None, rest };
        }
        // The taken boxes form trees. One with an exit to the rest ends in a box there; with two
        // boxes or more, the last line out can be drawn first. One without an exit needs a line in
        // its middle, with a box to take on either side of it.
        let drawn = open.without(rest);
        let inner = taken & !before.one;
        let handout = if !drawn.and(self.rim(taken)).and(self.around(inner)).is_empty() {
            Handout::Two
        } else if !drawn.and(self.between(inner)).is_empty() {
            Handout::Four
        } else {
            Handout::None
        };
        Taken { boxes: taken.count() as i16, handout, rest }
    }

    /// What there is to take in a position; `None` if nothing.
    pub(super) fn chance(&self, open: Lines<W>) -> Option<Chance<W>> {
        let mut takes = open.and(self.around(self.degrees(open).one));
        let take = takes.first();
        if take.is_empty() {
            return None;
        }
        let taken = self.take(open);
        while let Some(line) = takes.next() {
            let (gain, boxes, handout) = self.outcome(&open, &line);
            if gain + boxes == taken.boxes && handout == taken.handout {
                return Some(Chance::Free { line, gain });
            }
        }
        let mut gives = open.without(taken.rest);
        while let Some(give) = gives.next() {
            if self.outcome(&open, &give) == (0, taken.boxes, Handout::None) {
                return Some(Chance::Last { take, give, gift: taken.boxes, rest: taken.rest });
            }
        }
        Some(Chance::Free { line: take, gain: self.outcome(&open, &take).0 })
    }

    /// The boxes that a line takes, and what there is to take after it.
    #[inline(never)]
    fn outcome(&self, open: &Lines<W>, line: &Lines<W>) -> (i16, i16, Handout) {
        let after = open.without(*line);
        let later = self.take(after);
        (self.boxes_left(open) - self.boxes_left(&after), later.boxes, later.handout)
    }

    /// The boxes of `two`, which have two open sides each, that are connected with the first.
    pub(super) fn string(&self, open: Lines<W>, two: W) -> String<W> {
        self.string_of(open, two, two & !two.without_lowest())
    }

    /// The boxes of `two`, which have two open sides each, that are connected with these.
    #[inline(never)]
    pub(super) fn string_of(&self, open: Lines<W>, two: W, some: W) -> String<W> {
        let links = open.and(self.between(two));
        let boxes = self.spread(some, links);
        let lines = open.and(self.around(boxes));
        let is_loop = lines == links.and(self.between(boxes));
        String { boxes, length: boxes.count() as u8, lines, is_loop }
    }
}

impl<W: Word> Grid<W> {
    /// The boxes and all that these lines connect them with.
    #[inline]
    pub(super) fn spread(&self, mut boxes: W, lines: Lines<W>) -> W {
        loop {
            let grown = self.joined(boxes, lines);
            if grown == boxes {
                return boxes;
            }
            boxes = grown;
        }
    }

    /// A line of these boxes. For all but strings of two boxes, the line with which to open them does
    /// not matter; of those, the middle one leaves nothing to give back.
    #[inline(never)]
    pub(super) fn opening(&self, open: &Lines<W>, boxes: W) -> Lines<W> {
        open.and(self.around(boxes)).first()
    }

    /// The strings of one and of two boxes that the boxes of `two` form, all at once.
    #[inline(never)]
    pub(super) fn short_strings(&self, open: &Lines<W>, two: W) -> ShortStrings<W> {
        let links = open.and(self.between(two));
        let single = two & !self.near(links);
        let middles = links.and(self.between(self.degrees(links).one));
        ShortStrings { single, middles, boxes: single | self.near(middles) }
    }

    /// The line that opens the shortest of the strings that the boxes of `two` form.
    pub(super) fn shortest(&self, open: Lines<W>, mut two: W) -> Lines<W> {
        let short = self.short_strings(&open, two);
        if !short.single.is_empty() {
            return self.opening(&open, short.single & !short.single.without_lowest());
        }
        if !short.middles.is_empty() {
            return short.middles.first();
        }
        let mut shortest = (u8::MAX, Lines::NONE);
        while !two.is_empty() {
            let string = self.string(open, two);
            two = two & !string.boxes;
            if string.length < shortest.0 {
                shortest = (string.length, self.opening(&open, string.boxes));
            }
        }
        shortest.1
    }
}

/// Chains of one and of two boxes.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShortStrings<W> {
    /// Those of one box.
    pub(super) single: W,
    /// The lines in the middle of those of two.
    pub(super) middles: Lines<W>,
    /// The boxes of both.
    pub(super) boxes: W,
}

/// A chain or a loop.
#[derive(Debug, Clone, Copy)]
pub(super) struct String<W> {
    pub(super) boxes: W,
    pub(super) length: u8,
    /// Its open lines.
    pub(super) lines: Lines<W>,
    /// Whether all of them are between its boxes.
    pub(super) is_loop: bool,
}

/// No board has more separate chains: one for every box of a 10x10 board.
const MAX_CHAINS: usize = MAX_BOXES;
/// No board has more separate loops, of four boxes at least.
const MAX_LOOPS: usize = MAX_BOXES / 4;

/// The lengths of all chains and loops of a position, the shortest first.
#[derive(Debug, Clone)]
pub(super) struct Strings {
    chains: Vec<u8, MAX_CHAINS>,
    loops: Vec<u8, MAX_LOOPS>,
}

impl Strings {
    /// The value of a position where all boxes left have two open sides. Not inlined, so that the
    /// lengths take no room in the frames of a search.
    #[inline(never)]
    pub(super) fn value_of<W: Word>(grid: &Grid<W>, open: Lines<W>, two: W) -> i16 {
        Self::of(grid, open, two).value()
    }

    pub(super) const NONE: Self = Self { chains: Vec::new(), loops: Vec::new() };

    /// Adds a string that is no shorter than the others of its kind.
    pub(super) fn push(&mut self, length: u8, is_loop: bool) {
        let pushed = if is_loop { self.loops.push(length) } else { self.chains.push(length) };
        debug_assert!(pushed.is_ok(), "a board has no more");
    }

    fn of<W: Word>(grid: &Grid<W>, open: Lines<W>, mut two: W) -> Self {
        let mut strings = Self::NONE;
        while !two.is_empty() {
            let string = grid.string(open, two);
            two = two & !string.boxes;
            strings.insert(string.length, string.is_loop);
        }
        strings
    }

    /// Adds a string of any length.
    fn insert(&mut self, length: u8, is_loop: bool) {
        self.push(length, is_loop);
        let lengths = if is_loop { &mut self.loops[..] } else { &mut self.chains[..] };
        put_in_place(lengths, |length, other| length < other);
    }

    /// The final lead of the player who has to open one of them: it is always optimal to open the
    /// shortest chain or the shortest loop.
    pub(super) fn value(&self) -> i16 {
        let Self { chains, loops } = self;
        if let Some(controlled) = controlled_value(chains, loops).filter(|value| *value >= 2) {
            return -controlled;
        }
        // The value when the chains still to be processed are opened last, and that with each of the
        // loops and all longer ones, the longest first.
        let mut without_loops = 0;
        let mut with_loops = [0; MAX_LOOPS];
        let mut value = without_loops;
        for (with_loop, length) in with_loops.iter_mut().zip(loops.iter().rev()) {
            value = -open_loop(*length, value);
            *with_loop = value;
        }
        for &length in chains.iter().rev() {
            without_loops = -open_chain(length, without_loops);
            value = without_loops;
            for (with_loop, of_loop) in with_loops.iter_mut().zip(loops.iter().rev()) {
                let chain_first = -open_chain(length, *with_loop);
                let loop_first = -open_loop(*of_loop, value);
                value = chain_first.max(loop_first);
                *with_loop = value;
            }
        }
        value
    }
}

/// The value of an opened chain for the player who takes it, when the rest is worth `rest` to the
/// player to move there.
const fn open_chain(length: u8, rest: i16) -> i16 {
    let length = length as i16;
    if length <= 2 { length + rest } else { length - 2 + (rest + 2).abs() }
}

/// The same for a loop.
const fn open_loop(length: u8, rest: i16) -> i16 {
    length as i16 - 4 + (rest + 4).abs()
}

/// The controlled value: what the player who always gives the turn back gains from long chains and
/// loops. It is the value of the position if it is at least 2.
fn controlled_value(chains: &[u8], loops: &[u8]) -> Option<i16> {
    if chains.first().is_some_and(|shortest| *shortest < 3) {
        return None;
    }
    let bonus = match (chains.last(), loops) {
        (None, []) => 0,
        (None, _) => 8,
        (Some(3), [_, ..]) => 6,
        _ => 4,
    };
    let sum = |lengths: &[u8], cost: i16| -> i16 {
        lengths.iter().map(|length| i16::from(*length) - cost).sum()
    };
    Some(sum(chains, 4) + sum(loops, 8) + bonus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dots::Size;
    use crate::mix::Rng;
    use std::vec::Vec;

    /// Tries every string at every turn.
    fn minimax(chains: &[u8], loops: &[u8]) -> i16 {
        let without = |lengths: &[u8], index: usize| {
            let mut rest = lengths.to_vec();
            rest.remove(index);
            rest
        };
        let by_chain = (0..chains.len())
            .map(|index| -open_chain(chains[index], minimax(&without(chains, index), loops)));
        let by_loop = (0..loops.len())
            .map(|index| -open_loop(loops[index], minimax(chains, &without(loops, index))));
        by_chain.chain(by_loop).max().unwrap_or(0)
    }

    #[test]
    fn the_shortest_chain_or_loop_is_best() {
        let mut rng = Rng::new(3);
        for _ in 0..5000 {
            let mut strings = Strings::NONE;
            for _ in 0..rng.below(4) {
                strings.insert(1 + rng.below(8) as u8, false);
            }
            for _ in 0..rng.below(4) {
                strings.insert(4 + 2 * rng.below(4) as u8, true);
            }
            let Strings { chains, loops } = &strings;
            assert_eq!(strings.value(), minimax(chains, loops), "{chains:?} {loops:?}");
        }
    }

    /// The open lines of a drawing: a dot in the middle of each side that is open.
    fn open(rows: u8, columns: u8, numbers: &[u8]) -> (Grid<u32>, Lines<u32>) {
        let size = Size::new(rows, columns).unwrap();
        let grid = Grid::<u32>::new(size);
        let lines: Vec<_> = numbers.iter().map(|n| grid.line(size.line(*n).unwrap())).collect();
        (grid, lines.into_iter().fold(Lines::NONE, Lines::or))
    }

    #[test]
    fn what_can_be_left_depends_on_the_ends() {
        // Four boxes in a row: lines 0..4 above them, 4..8 below, 8..13 from left to right.
        let cases: [(&[u8], i16, Handout); 6] = [
            (&[12], 1, Handout::None),
            (&[11, 12], 2, Handout::Two),
            (&[10, 11, 12], 3, Handout::Two),
            (&[11], 2, Handout::None),
            (&[10, 11], 3, Handout::None),
            (&[9, 10, 11], 4, Handout::Four),
        ];
        for (numbers, boxes, handout) in cases {
            let (grid, open) = open(1, 4, numbers);
            let taken = grid.take(open);
            assert_eq!((taken.boxes, taken.handout), (boxes, handout), "{numbers:?}");
            assert!(taken.rest.is_empty());
        }
        // Two boxes end at a third, which keeps its two other lines.
        let (grid, open) = open(1, 4, &[9, 10, 2, 6]);
        let taken = grid.take(open);
        assert_eq!((taken.boxes, taken.handout), (2, Handout::Two));
        assert_eq!(taken.rest.count(), 2);
    }

    #[test]
    fn chains_and_loops_are_told_apart() {
        // 2x2 boxes: lines 0..6 across, 6..12 down. The four inner lines make a loop.
        let (grid, around) = open(2, 2, &[2, 3, 7, 10]);
        let string = grid.string(around, grid.degrees(around).two);
        assert!(string.is_loop);
        assert_eq!(string.length, 4);
        let (grid, bent) = open(2, 2, &[6, 7, 3, 11]);
        let string = grid.string(bent, grid.degrees(bent).two);
        assert!(!string.is_loop);
        assert_eq!(string.length, 3);
    }
}
