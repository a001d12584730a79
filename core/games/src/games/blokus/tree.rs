//! The tree of a search, packed into a pool of 12-byte edges that is cleared up when it is full.

use core::ops::Range;

use super::state::Code;

/// A placement in the tree, and what is known about it.
///
/// Word 0: visits (22 bits), number of children (6), a mark for clearing up (4). Word 1: mean of
/// what it led to (20), prior as a negative logarithm (6), high bits of the first child (6). Word 2:
/// low bits of the first child (16), the placement (16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct Edge([u32; 3]);

/// The most visits that are counted.
const MAX_VISITS: u32 = (1 << 22) - 1;
/// The most edges that can be numbered.
const MAX_EDGES: usize = 1 << 22;
/// The most children of a node.
pub(super) const MAX_CHILDREN: usize = 63;
/// The smallest prior that can be kept.
pub(super) const LEAST: u32 = 63;

const MARK: u32 = 1;

/// 2^(-n/4) in 65536ths.
pub(super) const fn power(n: u32) -> u32 {
    const POWERS: [u32; 4] = [65_535, 55_108, 46_340, 38_967];
    if n < 64 { POWERS[n as usize % 4] >> (n / 4) } else { 0 }
}

impl Edge {
    /// An edge without visits; its prior is 2^(-prior/4).
    pub(super) const fn new(code: Code, prior: u32) -> Self {
        let prior = if prior < LEAST { prior } else { LEAST };
        Self([0, prior << 6, code as u32])
    }

    #[inline]
    pub(super) const fn visits(self) -> u32 {
        self.0[0] >> 10
    }

    /// Between 0 and 65535.
    #[inline]
    pub(super) const fn mean(self) -> u32 {
        self.0[1] >> 16
    }

    #[inline]
    pub(super) const fn prior(self) -> u32 {
        self.0[1] >> 6 & LEAST
    }

    #[inline]
    pub(super) const fn code(self) -> Code {
        self.0[2] as Code
    }

    const fn count(self) -> usize {
        (self.0[0] >> 4) as usize & MAX_CHILDREN
    }

    const fn first(self) -> usize {
        ((self.0[1] & 0x3f) << 16 | self.0[2] >> 16) as usize
    }

    /// Where its children lie in the pool.
    #[inline]
    pub(super) const fn children(self) -> Range<usize> {
        self.first()..self.first() + self.count()
    }

    const fn set_first(&mut self, first: usize) {
        self.0[1] = self.0[1] & !0x3f | first as u32 >> 16;
        self.0[2] = self.0[2] & 0xffff | (first as u32) << 16;
    }

    const fn adopt(&mut self, children: &Range<usize>) {
        let count = children.end - children.start;
        self.0[0] = self.0[0] & !(63 << 4) | (count as u32) << 4;
        self.set_first(children.start);
    }

    /// Counts a visit that led to this.
    pub(super) fn add(&mut self, payoff: u16) {
        let visits = (self.visits() + 1).min(MAX_VISITS);
        let mean = (self.0[1] >> 12) as i32;
        let off = (i32::from(payoff) << 4) - mean;
        let half = visits as i32 / 2;
        let change = (if off < 0 { off - half } else { off + half }) / visits as i32;
        self.0[0] = self.0[0] & 0x3ff | visits << 10;
        self.0[1] = self.0[1] & 0xfff | ((mean + change) as u32) << 12;
    }
}

/// The root's place in the pool.
pub(super) const ROOT: usize = 0;

/// Edges in a pool. Children lie together, and after their parent.
#[derive(Debug)]
pub(super) struct Tree<'m> {
    edges: &'m mut [Edge],
    used: usize,
}

impl<'m> Tree<'m> {
    /// A tree with nothing but a root; `None` if there is no room for that.
    pub(super) fn new(memory: &'m mut [u64]) -> Option<Self> {
        let edges = edges(memory);
        *edges.get_mut(ROOT)? = Edge::new(0, 0);
        Some(Self { edges, used: ROOT + 1 })
    }

    #[inline]
    pub(super) fn edge(&self, at: usize) -> Edge {
        self.edges[at]
    }

    #[inline]
    pub(super) fn edge_mut(&mut self, at: usize) -> &mut Edge {
        &mut self.edges[at]
    }

    #[inline]
    pub(super) fn children(&self, of: usize) -> &[Edge] {
        &self.edges[self.edges[of].children()]
    }

    /// Whether the pool has fewer edges than that.
    pub(super) const fn is_smaller_than(&self, edges: usize) -> bool {
        self.edges.len() < edges
    }

    /// Room for new edges; what is used of it is told to [`adopt`](Self::adopt).
    pub(super) fn room(&mut self) -> &mut [Edge] {
        &mut self.edges[self.used..]
    }

    /// Makes the first edges of the room the children of a node.
    pub(super) fn adopt(&mut self, node: usize, count: usize) {
        let children = self.used..self.used + count.min(MAX_CHILDREN);
        self.edges[node].adopt(&children);
        self.used = children.end;
    }

    /// Takes the children from all nodes with fewer visits than that, and moves the others together.
    ///
    /// Parents come before their children. When an edge is moved, its first child keeps the edge's
    /// new place, and the edge what the child had there, until the children are moved themselves.
    #[inline(never)]
    pub(super) fn clear_up(&mut self, least: u32) {
        let used = core::mem::replace(&mut self.used, ROOT + 1);
        self.hand_over(ROOT, 0);
        let mut at = ROOT + 1;
        while at < used {
            let child = self.edges[at];
            if child.0[0] & MARK == 0 {
                at += 1;
                continue;
            }
            let parent = child.first();
            let saved = self.edges[parent].first();
            self.edges[at].set_first(saved);
            self.edges[at].0[0] &= !MARK;
            let count = self.edges[parent].count();
            let to = self.used;
            self.edges[parent].set_first(to);
            self.used += count;
            self.edges.copy_within(at..at + count, to);
            (to..to + count).for_each(|edge| self.hand_over(edge, least));
            at += count;
        }
    }

    /// Marks the first child of an edge, if it keeps its children, and exchanges what the two have
    /// as their first child: the child gets to know its parent.
    fn hand_over(&mut self, parent: usize, least: u32) {
        let edge = self.edges[parent];
        if edge.count() == 0 {
            return;
        }
        if edge.visits() < least {
            self.edges[parent].adopt(&(0..0));
            return;
        }
        let child = edge.first();
        self.edges[parent].set_first(self.edges[child].first());
        self.edges[child].set_first(parent);
        self.edges[child].0[0] |= MARK;
    }
}

fn edges(memory: &mut [u64]) -> &mut [Edge] {
    // Three words of 64 bits are two edges.
    let whole = memory.len().min(MAX_EDGES / 2 * 3) / 3 * 3;
    bytemuck::cast_slice_mut(&mut memory[..whole])
}

/// The children of the root of the last tree in this memory.
pub(super) fn root_children(memory: &mut [u64]) -> &[Edge] {
    let edges = edges(memory);
    let children = edges.first().map_or(0..0, |root| root.children());
    edges.get(children).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::Rng;
    use std::vec::Vec;

    /// All edges with their depth, from the root on.
    fn listing(tree: &Tree<'_>, least: u32) -> Vec<(usize, Code, u32, u32)> {
        fn list(
            tree: &Tree<'_>,
            at: usize,
            depth: usize,
            least: u32,
            all: &mut Vec<(usize, Code, u32, u32)>,
        ) {
            let edge = tree.edge(at);
            all.push((depth, edge.code(), edge.visits(), edge.mean()));
            if edge.visits() >= least || at == ROOT {
                edge.children().for_each(|child| list(tree, child, depth + 1, least, all));
            }
        }
        let mut all = Vec::new();
        list(tree, ROOT, 0, least, &mut all);
        all
    }

    #[test]
    fn clearing_up_keeps_what_was_visited_and_frees_the_rest() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut memory = std::vec![u64::MAX; 600];
            let mut tree = Tree::new(&mut memory).unwrap();
            let mut number = 0;
            for round in 0..20 {
                while tree.room().len() > 10 {
                    let mut node = ROOT;
                    tree.edge_mut(node).add(rng.next_u32() as u16);
                    while !tree.edge(node).children().is_empty() {
                        let children = tree.edge(node).children();
                        node = children.start + rng.below(children.len() as u32) as usize;
                        tree.edge_mut(node).add(rng.next_u32() as u16);
                    }
                    let count = 1 + rng.below(8) as usize;
                    for edge in &mut tree.room()[..count] {
                        number += 1;
                        *edge = Edge::new(number, rng.below(64));
                    }
                    tree.adopt(node, count);
                }
                let least = round / 4;
                let expected = listing(&tree, least);
                tree.clear_up(least);
                assert_eq!(listing(&tree, 0), expected);
                assert_eq!(tree.used, expected.len(), "nothing else is left");
                assert!(tree.edges[..tree.used].iter().all(|edge| edge.0[0] & 15 == 0));
            }
        }
    }

    #[test]
    fn an_edge_keeps_the_mean() {
        let mut edge = Edge::new(77, 12);
        edge.adopt(&(70_000..70_063));
        let mut sum = 0;
        for visit in 1..5000_u32 {
            let payoff = (visit * 40_503 % 65_536) as u16;
            edge.add(payoff);
            sum += u64::from(payoff);
            let mean = sum / u64::from(visit);
            assert!(u64::from(edge.mean()).abs_diff(mean) < 40, "{visit}: {mean} {edge:?}");
        }
        assert_eq!((edge.visits(), edge.code(), edge.prior()), (4999, 77, 12));
        assert_eq!(edge.children(), 70_000..70_063);
    }
}
