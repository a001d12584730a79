//! Move ordering.

use super::chains::{Handout, Taken};
use super::graph::{Grid, Lines, Word};
use super::solver::Techniques;
use crate::search::ablation::Uses;

/// The lines of a position in which no box can be taken: the safe ones from the centre outwards,
/// then the chains of one box, those of two, and the longer chains and loops.
#[derive(Debug)]
pub(super) struct Ordered<W> {
    /// The safe lines to come, then those that open strings of two boxes.
    safe: Lines<W>,
    ring: usize,
    /// The boxes with two open sides, later those in strings of three or more to come.
    two: W,
    /// The strings of one box to come.
    rest: W,
    /// The length of the current strings; 0 while there are safe lines.
    length: u8,
    /// The boxes of the string that the last line opened, and whether it is a loop.
    opened: W,
    is_loop: bool,
}

impl<W: Word> Ordered<W> {
    /// Of the open lines these are safe, and these boxes have two open sides.
    pub(super) fn new(safe: Lines<W>, two: W) -> Self {
        Self { safe, ring: 0, two, rest: W::EMPTY, length: 0, opened: W::EMPTY, is_loop: false }
    }

    /// Whether the last line was safe.
    pub(super) fn is_safe(&self) -> bool {
        self.length == 0
    }

    /// The boxes in the string that the last line opened; 0 if it was safe.
    pub(super) fn length(&self) -> u8 {
        self.length
    }

    /// What follows the last line, which was not safe, among the open ones.
    pub(super) fn taken(&self, grid: &Grid<W>, open: &Lines<W>, line: Lines<W>) -> Taken<W> {
        // The widest words have no shortcut: it would take flash, and their boards are hardly ever
        // solved.
        if W::BITS > u64::BITS || self.opened.is_empty() {
            return grid.take(open.without(line));
        }
        let rest = open.without(grid.around(self.opened));
        // Both ends of a string may lead to the same box, which then can be taken, too.
        if !grid.degrees(rest).one.is_empty() {
            return grid.take(open.without(line));
        }
        let handout = match self.length {
            _ if self.is_loop => Handout::Four,
            1 | 2 => Handout::None,
            _ => Handout::Two,
        };
        Taken { boxes: self.length.into(), handout, rest }
    }

    /// The next line of the open ones, which are the same every time.
    #[inline]
    pub(super) fn next<T: Uses<Techniques>>(
        &mut self,
        grid: &Grid<W>,
        open: &Lines<W>,
    ) -> Option<Lines<W>> {
        if self.length == 0 {
            if !T::TECHNIQUES.rings
                && let Some(line) = self.safe.next()
            {
                return Some(line);
            }
            while let Some(ring) = grid.rings().get(self.ring).filter(|_| !self.safe.is_empty()) {
                let line = self.safe.and(*ring).first();
                if !line.is_empty() {
                    self.safe = self.safe.without(line);
                    return Some(line);
                }
                self.ring += 1;
            }
            if !T::TECHNIQUES.strings {
                self.safe = open.and(grid.around(self.two));
            }
        }
        if !T::TECHNIQUES.strings {
            self.length = 1;
            return self.safe.next();
        }
        if self.length == 0 {
            let short = grid.short_strings(open, self.two);
            (self.rest, self.safe) = (short.single, short.middles);
            self.two = self.two & !short.boxes;
            self.length = 1;
        }
        if self.length == 1 {
            if !self.rest.is_empty() {
                let single = self.rest & !self.rest.without_lowest();
                self.rest = self.rest & !single;
                self.opened = single;
                return Some(grid.opening(open, single));
            }
            self.length = 2;
        }
        if let Some(line) = self.safe.next() {
            self.opened = grid.near(line);
            return Some(line);
        }
        if self.two.is_empty() {
            return None;
        }
        let string = grid.string(*open, self.two);
        self.two = self.two & !string.boxes;
        self.length = string.length;
        (self.opened, self.is_loop) = (string.boxes, string.is_loop);
        Some(string.lines.first())
    }
}
