//! The tree of a Monte Carlo search, packed into a pool of 16-byte edges.

use super::playout::Code;

/// A placement in the tree, and what is known about it.
///
/// Word 0: visits (24 bits), number of children (8). Word 1: mean of what it led to (24), prior as
/// a negative logarithm (8). Word 2: first child (24), how often it was played in simulations of
/// its siblings (8). Word 3: the placement (16), what those simulations led to (16).
pub(super) type Edge = [u32; 4];

/// The most visits that are counted.
const MAX_VISITS: u32 = (1 << 24) - 1;
/// The most edges that can be numbered.
pub(super) const MAX_EDGES: usize = 1 << 24;

/// The most children of a node.
pub(super) const MAX_CHILDREN: usize = 255;

/// 2^(-n/8) in 65536ths.
const POWERS: [u32; 8] = [65_535, 60_096, 55_108, 50_535, 46_340, 42_495, 38_967, 35_733];

/// 2^(-n/8) in 65536ths.
pub(super) const fn power(n: u32) -> u32 {
    if n < 128 { POWERS[n as usize % 8] >> (n / 8) } else { 0 }
}

/// What one reads from and writes to an edge.
pub(super) trait Fields {
    fn new(code: Code, prior: u8) -> Self;
    fn visits(&self) -> u32;
    fn mean(&self) -> u32;
    fn prior(&self) -> u32;
    fn code(&self) -> Code;
    fn children(&self) -> core::ops::Range<usize>;
    fn adopt(&mut self, first: usize, count: usize);
    fn add(&mut self, payoff: u16);
    fn rave(&self) -> (u32, u32);
    fn add_rave(&mut self, payoff: u16);
    fn guess(&mut self, count: u32, payoff: u16);
}

impl Fields for Edge {
    fn new(code: Code, prior: u8) -> Self {
        [0, prior.into(), 0, u32::from(code) << 16 | 0x8000]
    }

    #[inline]
    fn visits(&self) -> u32 {
        self[0] >> 8
    }

    /// Between 0 and 65535.
    #[inline]
    fn mean(&self) -> u32 {
        self[1] >> 16
    }

    #[inline]
    fn prior(&self) -> u32 {
        self[1] & 0xff
    }

    #[inline]
    fn code(&self) -> Code {
        (self[3] >> 16) as Code
    }

    #[inline]
    fn children(&self) -> core::ops::Range<usize> {
        let first = (self[2] >> 8) as usize;
        first..first + (self[0] & 0xff) as usize
    }

    fn adopt(&mut self, first: usize, count: usize) {
        self[0] = self[0] & !0xff | count.min(MAX_CHILDREN) as u32;
        self[2] = self[2] & 0xff | (first as u32) << 8;
    }

    fn add(&mut self, payoff: u16) {
        let visits = (self.visits() + 1).min(MAX_VISITS);
        let mean = (self[1] >> 8) as i32;
        let off = (i32::from(payoff) << 8) - mean;
        let half = visits as i32 / 2;
        let change = (if off < 0 { off - half } else { off + half }) / visits as i32;
        self[0] = self[0] & 0xff | visits << 8;
        self[1] = self[1] & 0xff | ((mean + change) as u32) << 8;
    }

    #[inline]
    fn rave(&self) -> (u32, u32) {
        (self[2] & 0xff, self[3] & 0xffff)
    }

    /// Counts as so many simulations of siblings that led to this.
    fn guess(&mut self, count: u32, payoff: u16) {
        self[2] = self[2] & !0xff | count.min(255);
        self[3] = self[3] & !0xffff | u32::from(payoff);
    }

    fn add_rave(&mut self, payoff: u16) {
        let (count, mean) = self.rave();
        let count = (count + 1).min(255);
        let mean = mean as i32 + (i32::from(payoff) - mean as i32) / count as i32;
        self[2] = self[2] & !0xff | count;
        self[3] = self[3] & !0xffff | mean as u32;
    }
}
