//! A key that isomorphic positions share. Boxes are the nodes of a graph, open lines its edges;
//! those that lead out of the board go to the ground.
//!
//! Only graphs whose components have no more than one cycle get one: trees are hashed from the
//! leaves inwards, and the cycle that is left from where its sequence is least. Two of them share
//! a key if they are isomorphic, otherwise only if two 64-bit hashes collide: among 30 million
//! positions any do with a probability of 1 in 40,000. Hardly any positions with more cycles are
//! isomorphic without being mirror images.

use super::graph::{Grid, Lines, Word};
use crate::mix::{mix, mix_in};

/// More than the cells of any board whose positions have shapes.
const MAX_CELLS: usize = 64;

/// What is hashed: a component that is a tree, with a box in its centre or a line, or has a cycle.
const TREE: u64 = 1;
const HALVES: u64 = 2;
const CYCLE: u64 = 3;
/// The number whose powers are the factors of the trees of a cycle.
const HASH_FACTOR: u64 = 0xd134_2543_de82_ef95;
/// Added to a tree's hash where it hangs on a box; more than any number of lines to the ground.
const BRANCH: u64 = 1 << 32;

impl<W: Word> Grid<W> {
    /// A number for the position with these open lines, which leave these boxes; `None` if a component
    /// has two cycles or more. That of several components is the sum of theirs.
    pub(super) fn shape(&self, open: Lines<W>, boxes: W) -> Option<u64> {
        let mut links = open.and(self.between(boxes));
        if links.count() > boxes.count() {
            return None;
        }
        let [above, below, before, after] = self.beside(open.without(links));
        let (any, row, column) = (above | below | before | after, above & below, before & after);
        let ground = [any, row | column | (above | below) & (before | after)];
        let mut trees = Trees { ground, branches: [0; MAX_CELLS] };
        let (mut key, mut left) = (0u64, boxes);
        loop {
            let degrees = self.degrees(links);
            let (ends, sides) = (degrees.one, self.beside(links));
            let alone = left & !degrees.any();
            left = left & !alone & !ends;
            each(alone, |cell| key = key.wrapping_add(mix_in(TREE, trees.at(cell))));
            if ends.is_empty() {
                if !degrees.more.is_empty() {
                    return None;
                }
                break;
            }
            // Two ends with a line between them are what is left of a tree.
            let pairs = links.and(self.between(ends));
            if !pairs.is_empty() {
                let up = self.stride();
                each(pairs.across, |cell| key = key.wrapping_add(trees.halves(cell, cell - up)));
                each(pairs.down, |cell| key = key.wrapping_add(trees.halves(cell, cell - 1)));
            }
            each(ends & !self.near(pairs), |cell| {
                let [up, down, left, right] = sides.map(|side| side.has(cell) as u32);
                let onto = cell + down * self.stride() + right - up * self.stride() - left;
                trees.hang(cell, onto);
            });
            links = links.without(self.around(ends));
        }
        while !left.is_empty() {
            let mut sequence = [0u64; MAX_CELLS];
            let mut length = 0;
            let mut at = left & !left.without_lowest();
            while !at.is_empty() {
                left = left & !at;
                sequence[length] = trees.at(at.lowest());
                length += 1;
                let next = self.joined(at, links) & left;
                at = next & !next.without_lowest();
            }
            key = key.wrapping_add(cycle(&sequence[..length]));
        }
        Some(key)
    }
}

/// The trees with the boxes as roots, as far as they are known.
struct Trees<W> {
    /// The boxes with a line to the ground, and those with two: no box has three, but on boards of one
    /// row or column.
    ground: [W; 2],
    /// The sum of the hashes of what hangs on each box.
    branches: [u64; MAX_CELLS],
}

impl<W: Word> Trees<W> {
    /// The hash of a tree by its root; not mixed.
    fn at(&self, cell: u32) -> u64 {
        let branches = self.branches[cell as usize % MAX_CELLS];
        self.ground.iter().fold(branches, |sum, side| sum.wrapping_add(side.has(cell)))
    }

    /// The hash of two trees with a line between their roots.
    fn halves(&self, a: u32, b: u32) -> u64 {
        mix_in(HALVES, mix(self.at(a)).wrapping_add(mix(self.at(b))))
    }

    fn hang(&mut self, tree: u32, onto: u32) {
        let hash = mix(self.at(tree).wrapping_add(BRANCH));
        let branches = &mut self.branches[onto as usize % MAX_CELLS];
        *branches = branches.wrapping_add(hash);
    }
}

#[inline]
fn each<W: Word>(mut cells: W, mut visit: impl FnMut(u32)) {
    while !cells.is_empty() {
        visit(cells.lowest());
        cells = cells.without_lowest();
    }
}

/// The hash of a cycle of trees, from wherever and in whichever direction it is read.
fn cycle(trees: &[u64]) -> u64 {
    let last = trees.len() - 1;
    let next = |place: usize| if place == last { 0 } else { place + 1 };
    let before = |place: usize| if place == 0 { last } else { place - 1 };
    let step =
        |place: usize, is_forward: bool| if is_forward { next(place) } else { before(place) };
    let least = trees.iter().copied().min().unwrap_or_default();
    let mut best = None;
    for start in (0..trees.len()).filter(|start| trees[*start] == least) {
        for is_forward in [true, false] {
            let Some((mut a, forward)) = best else {
                best = Some((start, is_forward));
                continue;
            };
            let mut b = start;
            for _ in 0..last {
                (a, b) = (step(a, forward), step(b, is_forward));
                if trees[a] != trees[b] {
                    if trees[b] < trees[a] {
                        best = Some((start, is_forward));
                    }
                    break;
                }
            }
        }
    }
    let (mut place, is_forward) = best.unwrap_or((0, true));
    let mut hash = CYCLE;
    for _ in 0..trees.len() {
        hash = hash.wrapping_mul(HASH_FACTOR).wrapping_add(trees[place]);
        place = step(place, is_forward);
    }
    mix(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dots::Size;
    use crate::mix::Rng;
    use std::collections::BTreeMap;
    use std::vec::Vec;

    /// The boxes' neighbours, and their numbers of lines to the ground.
    struct Graph {
        links: Vec<Vec<usize>>,
        ground: Vec<u64>,
    }

    impl Graph {
        fn of(grid: &Grid<u64>, open: Lines<u64>, boxes: u64) -> Self {
            let cells: Vec<u32> = (0..64).filter(|cell| boxes >> cell & 1 != 0).collect();
            let links = open.and(grid.between(boxes));
            let ground = grid.beside(open.without(links));
            let near = |cell: &u32| {
                let joined = grid.joined(1 << cell, links) & !(1 << cell);
                (0..cells.len()).filter(|other| joined >> cells[*other] & 1 != 0).collect()
            };
            Self {
                links: cells.iter().map(near).collect(),
                ground: cells
                    .iter()
                    .map(|cell| ground.iter().map(|s| s.has(*cell)).sum())
                    .collect(),
            }
        }

        /// Tries all ways to map the boxes from `mapped.len()` on to those of another graph.
        fn is_isomorphic(&self, other: &Self, mapped: &mut Vec<usize>) -> bool {
            let next = mapped.len();
            if next == self.ground.len() {
                return true;
            }
            (0..other.ground.len()).any(|to| {
                let fits = !mapped.contains(&to)
                    && self.ground[next] == other.ground[to]
                    && self.links[next].len() == other.links[to].len()
                    && (0..next).all(|before| {
                        self.links[next].contains(&before)
                            == other.links[to].contains(&mapped[before])
                    });
                if !fits {
                    return false;
                }
                mapped.push(to);
                let found = self.is_isomorphic(other, mapped);
                mapped.pop();
                found
            })
        }
    }

    #[test]
    fn a_key_is_shared_by_isomorphic_positions_and_no_others() {
        let grid = &Grid::<u64>::new(Size::new(3, 3).unwrap());
        let mut rng = Rng::new(6);
        // By the numbers of boxes and lines, which isomorphic positions share.
        let mut found = BTreeMap::<_, Vec<(u64, Graph)>>::new();
        for _ in 0..2000 {
            let lines = (0..24).filter(|_| rng.below(100) < 45);
            let lines = lines.map(|line| grid.line(grid.size().line(line).unwrap()));
            let open = lines.fold(Lines::NONE, Lines::or);
            let boxes = grid.degrees(open).any();
            if let Some(key) = grid.shape(open, boxes) {
                let kind = (boxes.count_ones(), open.count());
                found.entry(kind).or_default().push((key, Graph::of(grid, open, boxes)));
            }
        }
        let (mut same, mut different) = (0, 0);
        for alike in found.values() {
            for (index, (key, graph)) in alike.iter().enumerate() {
                for (other_key, other) in &alike[..index] {
                    let is_isomorphic = graph.is_isomorphic(other, &mut Vec::new());
                    assert_eq!(
                        key == other_key,
                        is_isomorphic,
                        "{:?} {:?}",
                        graph.links,
                        other.links
                    );
                    if is_isomorphic { same += 1 } else { different += 1 }
                }
            }
        }
        assert!(same > 100 && different > 10_000, "{same} {different}");
    }

    #[test]
    fn two_cycles_that_touch_have_no_shape() {
        // 2x3 boxes with all seven lines between them open, and then one of them drawn.
        let size = Size::new(2, 3).unwrap();
        let grid = &Grid::<u64>::new(size);
        let boxes = grid.boxes();
        let open = grid.between(boxes);
        assert_eq!(grid.shape(open, boxes), None);
        let line = grid.line(size.line_between((0, 1), (1, 1)).unwrap());
        assert!(grid.shape(open.without(line), boxes).is_some());
    }
}
