//! Dots and Boxes as a graph: dots are vertices, lines are edges, a box is a cycle of four.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Fault, Reference, Refused};

/// A dot as (row, column) from the top left.
pub type Dot = (usize, usize);

/// A line as its two dots, the smaller one first.
pub type Line = (Dot, Dot);

/// A game of Dots and Boxes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dots {
    rows: usize,
    columns: usize,
    drawn: BTreeSet<Line>,
    /// Who completed each box, which is named by its smallest dot.
    owners: BTreeMap<Dot, usize>,
    mover: usize,
}

impl Dots {
    /// An empty grid of `rows` x `columns` boxes.
    pub fn start(rows: usize, columns: usize) -> Self {
        assert!(rows > 0 && columns > 0, "a grid has boxes");
        Dots { rows, columns, drawn: BTreeSet::new(), owners: BTreeMap::new(), mover: 0 }
    }

    /// Every line of the grid, drawn or not.
    pub fn lines(&self) -> Vec<Line> {
        let mut dots = Vec::new();
        for row in 0..=self.rows {
            for column in 0..=self.columns {
                dots.push((row, column));
            }
        }
        let mut lines = Vec::new();
        for &a in &dots {
            for &b in &dots {
                if a < b && a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1 {
                    lines.push((a, b));
                }
            }
        }
        lines
    }

    /// The number of a line in position texts: the horizontals row by row, then the verticals.
    pub fn number(&self, line: Line) -> usize {
        let ((row, column), (other_row, _)) = line;
        if row == other_row {
            row * self.columns + column
        } else {
            (self.rows + 1) * self.columns + row * (self.columns + 1) + column
        }
    }

    /// The drawn lines as a number in hexadecimal, bit i = line i.
    pub fn position(&self) -> String {
        let mut digits = vec![0u32; 1];
        for &line in &self.drawn {
            let number = self.number(line);
            if digits.len() <= number / 4 {
                digits.resize(number / 4 + 1, 0);
            }
            digits[number / 4] |= 1 << (number % 4);
        }
        digits.iter().rev().filter_map(|&d| char::from_digit(d, 16)).collect()
    }

    /// Who completed each finished box, which is named by its smallest dot.
    pub fn owners(&self) -> &BTreeMap<Dot, usize> {
        &self.owners
    }

    fn joined(&self, a: Dot, b: Dot) -> bool {
        self.drawn.contains(&(a.min(b), a.max(b)))
    }

    fn neighbours(&self, dot: Dot) -> Vec<Dot> {
        let (row, column) = dot;
        let around = [
            (row.wrapping_sub(1), column),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
        ];
        around.into_iter().filter(|&other| self.joined(dot, other)).collect()
    }

    /// The boxes that have the drawn line a-b as a side: cycles a-b-d-c-a.
    fn cycles(&self, (a, b): Line) -> Vec<Dot> {
        let mut boxes = Vec::new();
        for c in self.neighbours(a) {
            for d in self.neighbours(b) {
                if c != b && d != a && self.joined(c, d) {
                    boxes.push(a.min(b).min(c).min(d));
                }
            }
        }
        boxes
    }

    /// Draws a line that may be drawn.
    fn draw(&mut self, line: Line) {
        self.drawn.insert(line);
        let completed = self.cycles(line);
        if completed.is_empty() {
            self.mover = 1 - self.mover;
        }
        for smallest in completed {
            self.owners.insert(smallest, self.mover);
        }
    }

    /// Lines that are not drawn yet.
    fn open(&self) -> Vec<Line> {
        self.lines().into_iter().filter(|line| !self.drawn.contains(line)).collect()
    }

    fn count(&self, depth: u32, seen: &mut HashMap<(BTreeSet<Line>, usize), u64>) -> u64 {
        if depth == 0 || self.over() {
            return 1;
        }
        // The depth follows from the number of lines, so it need not be part of the key.
        let key = (self.drawn.clone(), self.mover);
        if let Some(&count) = seen.get(&key) {
            return count;
        }
        let mut count = 0;
        for line in self.open() {
            let mut next = self.clone();
            next.draw(line);
            count += next.count(depth - 1, seen);
        }
        seen.insert(key, count);
        count
    }
}

/// Reads `r,c-r,c`, the two dots in any order.
fn read_line(text: &str) -> Option<Line> {
    let dot = |text: &str| -> Option<Dot> {
        let (row, column) = text.split_once(',')?;
        Some((row.parse().ok()?, column.parse().ok()?))
    };
    let (a, b) = text.split_once('-')?;
    let (a, b) = (dot(a)?, dot(b)?);
    Some((a.min(b), a.max(b)))
}

/// Writes a line as `r,c-r,c`.
pub fn write_line(((r1, c1), (r2, c2)): Line) -> String {
    format!("{r1},{c1}-{r2},{c2}")
}

impl Reference for Dots {
    fn to_move(&self) -> usize {
        self.mover
    }

    fn legal(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.open().into_iter().map(write_line).collect();
        texts.sort();
        texts
    }

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        let line = read_line(text).ok_or(Refused::Unreadable)?;
        if !self.lines().contains(&line) {
            return Err(Fault::OffBoard.into());
        }
        if self.drawn.contains(&line) {
            return Err(Fault::Occupied.into());
        }
        self.draw(line);
        Ok(())
    }

    fn over(&self) -> bool {
        self.open().is_empty()
    }

    /// The boxes of the first and of the second player.
    fn scores(&self) -> Vec<i32> {
        (0..2).map(|p| self.owners.values().filter(|&&owner| owner == p).count() as i32).collect()
    }

    /// The same count as by playing every sequence, but each set of lines is visited once.
    fn perft(&self, depth: u32) -> u64 {
        self.count(depth, &mut HashMap::new())
    }
}
