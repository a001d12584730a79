//! The tree of a search, packed into a pool of 12-byte edges that is pruned when it is full. After
//! the search it is sealed, so that the next one can reuse it.

use core::ops::Range;

use zerocopy::{FromBytes, IntoBytes, KnownLayout};

use super::state::Code;
use crate::sort::sort;

/// A placement in the tree, and what is known about it.
///
/// Word 0: visits (22 bits), number of children (6), marks for pruning (4). Word 1: mean of what it
/// led to (20), prior as a negative logarithm (6), high bits of the first child (6). Word 2: low
/// bits of the first child (16), the placement (16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromBytes, IntoBytes, KnownLayout)]
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

/// In place of a placement: the edge is a placeholder for siblings that were left out, which become
/// its children when they are needed.
pub(super) const MORE: Code = Code::MAX;

/// The first child of an edge that was moved.
const MARK: u32 = 1;
/// Visited since the tree was last full.
const FRESH: u32 = 2;

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

    /// Lower for children that come before others.
    const fn rank(self) -> u32 {
        if self.visits() > 0 { 0 } else { 1 + self.prior() }
    }

    /// The same placement, with the statistics of another edge.
    const fn knowing(mut self, known: Self) -> Self {
        self.0[0] = known.0[0];
        self.0[1] = known.0[1] & !(LEAST << 6) | self.0[1] & LEAST << 6;
        self.0[2] = known.0[2];
        self
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

    /// Counts the visits of another edge for the same placement as well.
    pub(super) const fn absorb(&mut self, other: Self) {
        let (own, more) = (self.visits() as u64, other.visits() as u64);
        let sum = own * (self.0[1] >> 12) as u64 + more * (other.0[1] >> 12) as u64;
        let Some(mean) = sum.checked_div(own + more) else { return };
        let visits = if own + more < MAX_VISITS as u64 { (own + more) as u32 } else { MAX_VISITS };
        self.0[0] = self.0[0] & 0x3ff | visits << 10 | FRESH;
        self.0[1] = self.0[1] & 0xfff | (mean as u32) << 12;
    }

    /// Counts a visit with this payoff.
    pub(super) fn add(&mut self, payoff: u16) {
        let visits = (self.visits() + 1).min(MAX_VISITS);
        let mean = (self.0[1] >> 12) as i32;
        let off = (i32::from(payoff) << 4) - mean;
        let half = visits as i32 / 2;
        let change = (if off < 0 { off - half } else { off + half }) / visits as i32;
        self.0[0] = self.0[0] & 0x3ff | visits << 10 | FRESH;
        self.0[1] = self.0[1] & 0xfff | ((mean + change) as u32) << 12;
    }
}

/// The root's place in the pool.
pub(super) const ROOT: usize = 0;

/// Edges in a pool. Children lie together, and after their parent.
///
/// The last edge of the pool is the seal of a tree at rest: how many edges it has, the position of
/// its root and a checksum. The memory has other users, which may have left anything there.
#[derive(Debug)]
pub(super) struct Tree<'m> {
    edges: &'m mut [Edge],
    seal: &'m mut Edge,
    used: usize,
}

impl<'m> Tree<'m> {
    /// Opens the tree that was left in this memory, with the hash of its root position; if there is
    /// none, an empty tree. `None` without room for one.
    pub(super) fn open(memory: &'m mut [u64]) -> Option<(Self, Option<u32>)> {
        let (seal, edges) = edges(memory).split_last_mut()?;
        edges.first()?;
        let [used, position, sum] = core::mem::replace(seal, Edge([0; 3])).0;
        let used = used as usize;
        let known = used > ROOT && edges.get(..used).is_some_and(|edges| check(edges) == sum);
        Some((
            Self { edges, seal, used: if known { used } else { ROOT } },
            known.then_some(position),
        ))
    }

    /// Leaves the tree to the next search.
    pub(super) fn seal(self, position: u32) {
        let sum = check(self.edges.get(..self.used).unwrap_or_default());
        self.seal.0 = [self.used as u32, position, sum];
    }

    /// Resets to a root alone.
    pub(super) fn clear(&mut self) {
        *self.edge_mut(ROOT) = Edge::new(0, 0);
        self.used = ROOT + 1;
    }

    /// Keeps only what is below a node, and makes that the root.
    pub(super) fn start_from(&mut self, node: usize) {
        let children = self.edge(node).children();
        *self.edge_mut(ROOT) = Edge::new(0, 0);
        self.edge_mut(ROOT).adopt(&children);
        self.clear_up(0);
    }

    /// After the root got new children: copies the statistics of those that it had before, and
    /// moves the new ones to the front.
    pub(super) fn renew(&mut self, before: Edge) {
        let new = self.edge(ROOT).children();
        if new == before.children() {
            // There was no room for any.
            return;
        }
        let mut block = before.children();
        while !block.is_empty() {
            let mut rest = 0..0;
            for at in block {
                let known = self.edge(at);
                if known.code() == MORE {
                    rest = known.children();
                }
                for edge in self.edges.get_mut(new.clone()).unwrap_or_default() {
                    if edge.code() == known.code() {
                        *edge = edge.knowing(known);
                    }
                }
            }
            block = rest;
        }
        // In the order in which they would have been visited.
        let children = self.edges.get_mut(new.clone()).unwrap_or_default();
        sort(children, |edge, other| edge.rank() < other.rank());
        // The new children come first. Reversing twice is a rotation in far less code.
        let edges = self.edges.get_mut(ROOT + 1..self.used).unwrap_or_default();
        edges.reverse();
        if let Some((children, others)) = edges.split_at_mut_checked(new.len()) {
            children.reverse();
            others.reverse();
        }
        for edge in self.all_used().iter_mut().filter(|edge| edge.count() > 0) {
            edge.set_first(edge.first() + new.len());
        }
        self.edge_mut(ROOT).set_first(ROOT + 1);
    }

    // In place of an edge beyond the pool, which nothing but a tree that was damaged in memory can
    // ask for, stands the seal: it has neither visits nor children, and is written anew at the end.

    #[inline]
    pub(super) fn edge(&self, at: usize) -> Edge {
        debug_assert!(at < self.edges.len(), "no edge {at}");
        *self.edges.get(at).unwrap_or(self.seal)
    }

    #[inline]
    pub(super) fn edge_mut(&mut self, at: usize) -> &mut Edge {
        debug_assert!(at < self.edges.len(), "no edge {at}");
        self.edges.get_mut(at).unwrap_or(self.seal)
    }

    #[inline]
    pub(super) fn children(&self, of: usize) -> &[Edge] {
        let children = self.edge(of).children();
        debug_assert!(children.end <= self.edges.len(), "no edges {children:?}");
        self.edges.get(children).unwrap_or_default()
    }

    fn all_used(&mut self) -> &mut [Edge] {
        self.edges.get_mut(..self.used).unwrap_or_default()
    }

    /// The children of a node, and the placeholder that has more of them.
    #[inline]
    pub(super) fn block(&self, of: usize) -> (&[Edge], Option<usize>) {
        let children = self.children(of);
        match children.split_last() {
            Some((last, rest)) if last.code() == MORE && last.count() > 0 => {
                (rest, Some(self.edge(of).first() + rest.len()))
            }
            _ => (children, None),
        }
    }

    /// Whether the pool has fewer edges than that.
    pub(super) const fn is_smaller_than(&self, edges: usize) -> bool {
        self.edges.len() < edges
    }

    /// The edges that are used, and room for new ones; how much of it becomes used is told to
    /// [`adopt`](Self::adopt).
    pub(super) fn used_and_room(&mut self) -> (&[Edge], &mut [Edge]) {
        let (used, room) = self.edges.split_at_mut_checked(self.used).unwrap_or_default();
        (used, room)
    }

    /// Makes the first edges of the room the children of a node.
    pub(super) fn adopt(&mut self, node: usize, count: usize) {
        let children = self.used..self.used + count.min(MAX_CHILDREN);
        self.edge_mut(node).adopt(&children);
        self.used = children.end;
    }

    /// Makes room in a full tree: nodes that were visited least lose their children, until a part of
    /// the pool is free.
    pub(super) fn forget(&mut self) {
        let enough = self.edges.len() / 2;
        let mut least = 2;
        while self.used > enough && least < MAX_VISITS {
            self.clear_up(least);
            least += least / 2;
        }
        self.all_used().iter_mut().for_each(|edge| edge.0[0] &= !FRESH);
    }

    /// Removes the children of all nodes with fewer visits than that, and compacts the rest. Visits
    /// count a quarter if there were none since the last time.
    ///
    /// Parents come before their children. When an edge is moved, its first child keeps the edge's
    /// new place, and the edge what the child had there, until the children are moved themselves.
    #[inline(never)]
    fn clear_up(&mut self, least: u32) {
        let used = core::mem::replace(&mut self.used, ROOT + 1);
        self.hand_over(ROOT, 0);
        let mut at = ROOT + 1;
        while at < used {
            let child = self.edge(at);
            if child.0[0] & MARK == 0 {
                at += 1;
                continue;
            }
            let parent = child.first();
            let saved = self.edge(parent).first();
            self.edge_mut(at).set_first(saved);
            self.edge_mut(at).0[0] &= !MARK;
            let count = self.edge(parent).count();
            let to = self.used;
            self.edge_mut(parent).set_first(to);
            self.used += count;
            (0..count).for_each(|child| *self.edge_mut(to + child) = self.edge(at + child));
            (to..to + count).for_each(|edge| self.hand_over(edge, least));
            at += count;
        }
    }

    /// Marks the first child of an edge, if it keeps its children, and swaps the two edges' links
    /// to their first children, so that the child points to its parent.
    fn hand_over(&mut self, parent: usize, least: u32) {
        let edge = self.edge(parent);
        if edge.count() == 0 {
            return;
        }
        let old = if edge.0[0] & FRESH == 0 { 2 } else { 0 };
        if edge.visits() >> old < least {
            self.edge_mut(parent).adopt(&(0..0));
            return;
        }
        let child = edge.first();
        let first = self.edge(child).first();
        self.edge_mut(parent).set_first(first);
        self.edge_mut(child).set_first(parent);
        self.edge_mut(child).0[0] |= MARK;
    }
}

fn edges(memory: &mut [u64]) -> &mut [Edge] {
    // Three words of 64 bits are two edges.
    let whole = memory.len().min(MAX_EDGES / 2 * 3) / 3 * 3;
    let whole = memory.get_mut(..whole).unwrap_or_default();
    <[Edge]>::mut_from_bytes(whole.as_mut_bytes()).unwrap_or_default()
}

/// A checksum of edges.
fn check(edges: &[Edge]) -> u32 {
    let mut sum = 0_u32;
    for Edge(words) in edges {
        for word in words {
            sum = (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b1);
        }
    }
    sum
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
            let (mut tree, position) = Tree::open(&mut memory).unwrap();
            assert_eq!(position, None, "there was no tree");
            tree.clear();
            let mut number = 0;
            for round in 0..20 {
                while tree.used_and_room().1.len() > 10 {
                    let mut node = ROOT;
                    tree.edge_mut(node).add(rng.next_u32() as u16);
                    while !tree.edge(node).children().is_empty() {
                        let children = tree.edge(node).children();
                        node = children.start + rng.below(children.len() as u32) as usize;
                        tree.edge_mut(node).add(rng.next_u32() as u16);
                    }
                    let count = 1 + rng.below(8) as usize;
                    for edge in &mut tree.used_and_room().1[..count] {
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
                assert!(tree.edges[..tree.used].iter().all(|edge| edge.0[0] & 15 & !FRESH == 0));
            }
        }
    }

    /// Adds children to a node, one visit each.
    fn grow(tree: &mut Tree<'_>, node: usize, codes: &[Code]) -> Range<usize> {
        for (edge, code) in tree.used_and_room().1.iter_mut().zip(codes) {
            *edge = Edge::new(*code, 8);
            edge.add(40_000);
        }
        tree.adopt(node, codes.len());
        tree.edge(node).children()
    }

    #[test]
    fn a_tree_is_found_again_and_anything_else_is_not() {
        let mut memory = std::vec![u64::MAX; 90];
        let (mut tree, position) = Tree::open(&mut memory).unwrap();
        assert_eq!(position, None);
        tree.clear();
        let first = grow(&mut tree, ROOT, &[1, 2, 3]).start;
        grow(&mut tree, first + 1, &[4, 5]);
        let expected = listing(&tree, 0);
        tree.seal(77);
        for slot in 0..memory.len() {
            let mut changed = memory.clone();
            changed[slot] ^= 1 << 63;
            let (tree, position) = Tree::open(&mut changed).unwrap();
            // Slots between the tree and its seal don't matter.
            assert_eq!(position.is_some(), (9..88).contains(&slot), "slot {slot}");
            assert_eq!(tree.used, if position.is_some() { 6 } else { 0 });
        }
        let (tree, position) = Tree::open(&mut memory).unwrap();
        assert_eq!((position, listing(&tree, 0)), (Some(77), expected));
        assert_eq!(Tree::open(&mut memory).unwrap().1, None, "it was not sealed again");
    }

    #[test]
    fn a_new_root_knows_what_was_known() {
        let mut memory = std::vec![0; 90];
        let (mut tree, _) = Tree::open(&mut memory).unwrap();
        tree.clear();
        let first = grow(&mut tree, ROOT, &[1, 2, 3]).start;
        grow(&mut tree, first, &[10]);
        let second = grow(&mut tree, first + 1, &[4, 5, MORE]).start;
        grow(&mut tree, second + 2, &[6]);
        let below = grow(&mut tree, second + 1, &[7]).start;
        grow(&mut tree, below, &[8]);
        tree.start_from(first + 1);
        let before = tree.edge(ROOT);
        for (edge, (code, prior)) in
            tree.used_and_room().1.iter_mut().zip([(9, 20), (6, 21), (5, 22), (11, 2)])
        {
            *edge = Edge::new(code, prior);
        }
        tree.adopt(ROOT, 4);
        tree.renew(before);
        let children = tree.children(ROOT);
        assert_eq!(children.iter().map(|edge| edge.code()).collect::<Vec<_>>(), [6, 5, 11, 9]);
        assert_eq!(children.iter().map(|edge| edge.visits()).collect::<Vec<_>>(), [1, 1, 0, 0]);
        assert_eq!(children.iter().map(|edge| edge.prior()).collect::<Vec<_>>(), [21, 22, 2, 20]);
        // Also after pruning: nothing of the old root, nor of removed children.
        for _ in 0..2 {
            let codes: Vec<_> = listing(&tree, 0).iter().map(|edge| (edge.0, edge.1)).collect();
            assert_eq!(codes, [(0, 0), (1, 6), (1, 5), (2, 7), (3, 8), (1, 11), (1, 9)]);
            tree.clear_up(0);
            assert_eq!(tree.used, 7);
        }
    }

    #[test]
    fn what_was_not_visited_lately_is_forgotten_first() {
        let mut memory = std::vec![0; 90];
        let (mut tree, _) = Tree::open(&mut memory).unwrap();
        tree.clear();
        let first = grow(&mut tree, ROOT, &[1, 2]).start;
        (0..10).for_each(|_| tree.edge_mut(first).add(0));
        tree.edges.iter_mut().for_each(|edge| edge.0[0] &= !FRESH);
        (0..4).for_each(|_| tree.edge_mut(first + 1).add(0));
        grow(&mut tree, first, &[3]);
        grow(&mut tree, first + 1, &[4]);
        tree.clear_up(5);
        let codes: Vec<_> = listing(&tree, 0).iter().map(|edge| edge.1).collect();
        assert_eq!(codes, [0, 1, 2, 4], "eleven old visits count as two");
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
