//! A strong heuristic player of Dots and Boxes of the usual kind: it draws safe lines at random
//! while there are any, gives away as little as it can, keeps control of long chains, and plays
//! perfectly from [`EXACT_LINES`] open lines on.

use std::collections::HashMap;

use crate::reference::Dice;

/// With no more open lines than this it searches exhaustively.
pub const EXACT_LINES: u32 = 20;

/// The player on boards of up to 64 lines, numbered as in position texts.
#[derive(Debug)]
pub struct Heuristic {
    lines: usize,
    /// The four sides of each box as a set of lines.
    boxes: Vec<u64>,
    dice: Dice,
    /// Values of positions, by their open lines.
    values: HashMap<u64, i8>,
}

impl Heuristic {
    /// A player that is deterministic for a seed.
    pub fn new(rows: usize, columns: usize, seed: u64) -> Self {
        let horizontals = (rows + 1) * columns;
        let lines = horizontals + rows * (columns + 1);
        assert!(lines <= 64, "the board has too many lines for this player");
        let mut boxes = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let above = row * columns + column;
                let left = horizontals + row * (columns + 1) + column;
                boxes.push(1 << above | 1 << (above + columns) | 1 << left | 1 << (left + 1));
            }
        }
        Self { lines, boxes, dice: Dice::new(seed), values: HashMap::new() }
    }

    /// The number of the line it draws, if one is open.
    pub fn choose(&mut self, drawn: u64) -> Option<usize> {
        let open = !drawn & (u64::MAX >> (64 - self.lines));
        if open == 0 {
            return None;
        }
        let line = if open.count_ones() <= EXACT_LINES {
            self.exact(open)
        } else if let Some(taking) = self.take(open) {
            taking
        } else {
            self.give_least(open)
        };
        Some(line.trailing_zeros() as usize)
    }

    /// How many sides of the box are open.
    fn sides(&self, index: usize, open: u64) -> u32 {
        (self.boxes[index] & open).count_ones()
    }

    /// The boxes that drawing the line completes.
    fn completed(&self, open: u64, line: u64) -> i8 {
        self.boxes.iter().filter(|sides| **sides & open == line).count() as i8
    }

    fn is_safe(&self, open: u64, line: u64) -> bool {
        (0..self.boxes.len()).all(|i| self.boxes[i] & line == 0 || self.sides(i, open) > 2)
    }

    /// The lines that complete every box that can be taken one after the other, in order.
    fn takeable(&self, mut open: u64) -> Vec<u64> {
        let mut lines = Vec::new();
        while let Some(i) = (0..self.boxes.len()).find(|&i| self.sides(i, open) == 1) {
            let line = self.boxes[i] & open;
            lines.push(line);
            open &= !line;
        }
        lines
    }

    /// Takes boxes: all of them, or all but the last two or four if it is better to leave those.
    fn take(&mut self, open: u64) -> Option<u64> {
        let lines = self.takeable(open);
        let first = *lines.first()?;
        let rest = lines.iter().fold(open, |open, line| open & !line);
        let safe_left = bits(rest).any(|line| self.is_safe(rest, line));
        if rest == 0 || safe_left {
            return Some(first);
        }
        // No safe line is left: whoever has to open the next chain loses it. Is it worth
        // sacrificing the last boxes of this one? That takes a line that leaves them and nothing
        // else to take.
        let left = |open: u64| {
            let taken = self.takeable(open);
            let rest_of_that = taken.iter().fold(open, |open, line| open & !line);
            (taken.len(), rest_of_that)
        };
        let shortest = self.shortest_gift(rest).1;
        let leaving = bits(open).find(|&line| {
            self.completed(open, line) == 0
                && left(open & !line).1 == rest
                && left(open & !line).0 < lines.len()
        });
        match leaving {
            Some(line) if lines.len() == 2 && shortest > 2 => Some(line),
            Some(line) if lines.len() == 3 && shortest > 4 => Some(line),
            _ => {
                // A box to take that keeps this option open.
                let keeps = |line: &u64| self.completed(open, *line) > 0;
                let candidates: Vec<u64> = bits(open).filter(keeps).collect();
                let chance = |line: &&u64| {
                    let after = open & !**line;
                    let count = self.takeable(after).len();
                    bits(after).any(|other| {
                        self.completed(after, other) == 0
                            && left(after & !other).1 == rest
                            && left(after & !other).0 < count
                    })
                };
                Some(candidates.iter().find(chance).copied().unwrap_or(first))
            }
        }
    }

    /// The line that gives away the fewest boxes, and how many.
    fn shortest_gift(&self, open: u64) -> (u64, usize) {
        bits(open)
            .map(|line| {
                let boxes = (0..self.boxes.len())
                    .filter(|&i| self.sides(i, open) > 0)
                    .filter(|&i| {
                        let taken = self.takeable(open & !line);
                        let rest = taken.iter().fold(open & !line, |open, line| open & !line);
                        self.sides(i, rest) == 0
                    })
                    .count();
                (line, boxes)
            })
            .min_by_key(|(_, boxes)| *boxes)
            .unwrap_or((0, 0))
    }

    fn give_least(&mut self, open: u64) -> u64 {
        let safe: Vec<u64> = bits(open).filter(|line| self.is_safe(open, *line)).collect();
        if safe.is_empty() { self.shortest_gift(open).0 } else { *self.dice.choose(&safe) }
    }

    /// A line with the best possible outcome.
    fn exact(&mut self, open: u64) -> u64 {
        let value = |player: &mut Self, line: u64| {
            let completed = player.completed(open, line);
            let rest = player.value(open & !line);
            if completed > 0 { completed + rest } else { -rest }
        };
        let mut best = (i8::MIN, 0);
        for line in bits(open) {
            let value = value(self, line);
            if value > best.0 {
                best = (value, line);
            }
        }
        best.1
    }

    /// The boxes that the player to move gets from here on, minus the opponent's.
    fn value(&mut self, open: u64) -> i8 {
        if open == 0 {
            return 0;
        }
        if let Some(&value) = self.values.get(&open) {
            return value;
        }
        let mut best = i8::MIN;
        // A box whose last line touches no other box, or one with more than two open sides, can be
        // taken at once: it changes nothing for the rest.
        let free = (0..self.boxes.len()).find(|&i| {
            self.sides(i, open) == 1 && {
                let line = self.boxes[i] & open;
                (0..self.boxes.len())
                    .all(|j| j == i || self.boxes[j] & line == 0 || self.sides(j, open) != 2)
            }
        });
        let candidates = free.map_or(open, |i| self.boxes[i] & open);
        for line in bits(candidates) {
            let completed = self.completed(open, line);
            let rest = self.value(open & !line);
            best = best.max(if completed > 0 { completed + rest } else { -rest });
        }
        self.values.insert(open, best);
        best
    }
}

/// The lines of a set, each as a set of its own.
fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set &= !lowest;
        (lowest != 0).then_some(lowest)
    })
}
