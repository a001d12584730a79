//! Move ordering.

use super::graph::{Grid, Lines, Word};
use super::solver::Techniques;
use crate::search::ablation::Uses;

/// The lines of a position in which no box can be taken: the safe ones from the centre outwards,
/// then the shortest chains and loops.
#[derive(Debug)]
pub(super) struct Ordered<W> {
    safe: Lines<W>,
    ring: usize,
    /// The boxes with two open sides, and those of them not yet processed.
    two: W,
    rest: W,
    /// The length of the current strings; 0 while there are safe lines.
    length: u8,
    /// The shortest of the longer ones.
    longer: u8,
}

impl<W: Word> Ordered<W> {
    /// Of the open lines these are safe, and these boxes have two open sides.
    pub(super) fn new(safe: Lines<W>, two: W) -> Self {
        Self { safe, ring: 0, two, rest: W::EMPTY, length: 0, longer: 1 }
    }

    /// Whether the last line was safe.
    pub(super) fn is_safe(&self) -> bool {
        self.length == 0
    }

    /// The boxes in the string that the last line opened; 0 if it was safe.
    pub(super) fn length(&self) -> u8 {
        self.length
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
            while let Some(ring) = grid.rings().get(self.ring) {
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
        loop {
            if self.rest.is_empty() {
                if self.longer == u8::MAX || self.two.is_empty() {
                    return None;
                }
                (self.rest, self.length, self.longer) = (self.two, self.longer, u8::MAX);
            }
            let string = grid.string(*open, self.rest);
            self.rest = self.rest & !string.boxes;
            if string.length == self.length {
                return Some(grid.opening(*open, &string));
            }
            if string.length > self.length {
                self.longer = self.longer.min(string.length);
            }
        }
    }
}
