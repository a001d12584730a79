//! Chains and loops that lead to no other box. Where on the board they are does not matter, so a
//! position has only their lengths: those that share them share an entry in the memory, and nothing
//! has to look for them again.
//!
//! Of the chains of one or two boxes it is enough to try the shortest, likewise of the longer chains
//! and of the loops. If all else is equal, the values of two positions differ by no more than the
//! lengths of two such strings do: by induction, as every line of one position has its like in the
//! other, and opening either string leads to the same rest. So who opens the longer one gives away
//! at least as much as the shorter one would have cost.

use core::fmt::Debug;

use super::chains::{Handout, Strings};

/// A chain or a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Single {
    pub(super) length: u8,
    pub(super) is_loop: bool,
}

impl Single {
    /// What can be left of it.
    pub(super) const fn handout(self) -> Handout {
        match self.length {
            _ if self.is_loop => Handout::Four,
            ..3 => Handout::None,
            _ => Handout::Two,
        }
    }
}

/// How many kinds of strings there are of which the shortest has to be tried.
pub(super) const KINDS: usize = 3;

/// A set of strings that lead to no other box.
pub(super) trait Alone: Copy + Debug {
    const NONE: Self;
    /// Whether there can be any.
    const IS_USED: bool;

    /// The number of their boxes.
    fn boxes(&self) -> i16;
    fn add(&mut self, string: Single);
    /// The shortest of a kind.
    fn shortest(&self, kind: usize) -> Option<Single>;
    /// The set without a string of it.
    fn without(self, string: Single) -> Self;
    fn hash(&self) -> u64;
    /// What they are worth if there is nothing else.
    fn value(&self) -> i16;
}

/// For words whose positions keep them on the board.
impl Alone for () {
    const NONE: Self = ();
    const IS_USED: bool = false;

    fn boxes(&self) -> i16 {
        0
    }
    fn add(&mut self, _: Single) {}
    fn shortest(&self, _: usize) -> Option<Single> {
        None
    }
    fn without(self, _: Single) -> Self {}
    fn hash(&self) -> u64 {
        0
    }
    fn value(&self) -> i16 {
        0
    }
}

/// How many there are of each length, in four bits each. Of up to 64 lines no more than 15 strings
/// have the same length, and none has 32 boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    chains: [u32; 4],
    /// By half their length, which is even.
    loops: [u32; 2],
    boxes: u8,
}

/// The factor of the first word in a hash; its powers are those of the others.
const HASH_FACTOR: u64 = 0xd134_2543_de82_ef95;

impl Counts {
    fn words(&self) -> impl Iterator<Item = u32> {
        self.chains.into_iter().chain(self.loops)
    }

    /// The word with the count of such strings, and 1 in its place.
    fn count(&mut self, Single { length, is_loop }: Single) -> Option<(&mut u32, u32)> {
        let (words, index) = if is_loop {
            (&mut self.loops[..], length / 2)
        } else {
            (&mut self.chains[..], length)
        };
        words.get_mut(usize::from(index / 8)).map(|word| (word, 1 << (index % 8 * 4)))
    }
}

/// The first index with a count other than 0, from `first` on, which is below 8.
fn lowest(words: &[u32], first: u32) -> Option<u8> {
    let mut mask = u32::MAX << (4 * first);
    for (index, word) in words.iter().enumerate() {
        if word & mask != 0 {
            return Some((8 * index as u32 + (word & mask).trailing_zeros() / 4) as u8);
        }
        mask = u32::MAX;
    }
    None
}

impl Alone for Counts {
    const NONE: Self = Self { chains: [0; 4], loops: [0; 2], boxes: 0 };
    const IS_USED: bool = true;

    fn boxes(&self) -> i16 {
        self.boxes.into()
    }

    #[inline(never)]
    fn add(&mut self, string: Single) {
        if let Some((word, one)) = self.count(string) {
            *word += one;
        }
        self.boxes += string.length;
    }

    #[inline(never)]
    fn shortest(&self, kind: usize) -> Option<Single> {
        let is_loop = kind == 2;
        let length = match kind {
            0 => lowest(&self.chains, 1).filter(|length| *length < 3),
            1 => lowest(&self.chains, 3),
            _ => lowest(&self.loops, 2).map(|half| 2 * half),
        };
        length.map(|length| Single { length, is_loop })
    }

    #[inline(never)]
    fn without(mut self, string: Single) -> Self {
        if let Some((word, one)) = self.count(string) {
            *word -= one;
        }
        self.boxes -= string.length;
        self
    }

    fn hash(&self) -> u64 {
        let (mut sum, mut factor) = (0u64, HASH_FACTOR);
        for word in self.words() {
            if word != 0 {
                sum = sum.wrapping_add(factor.wrapping_mul(word.into()));
            }
            factor = factor.wrapping_mul(HASH_FACTOR);
        }
        sum
    }

    /// Not inlined, so that the lengths take no room in the frames of a search.
    #[inline(never)]
    fn value(&self) -> i16 {
        let mut strings = Strings::NONE;
        for is_loop in [false, true] {
            let (words, unit) = if is_loop { (&self.loops[..], 2) } else { (&self.chains[..], 1) };
            for (place, mut word) in (0..).step_by(8).zip(words.iter().copied()) {
                while word != 0 {
                    let index = word.trailing_zeros() / 4;
                    word -= 1 << (4 * index);
                    strings.push((place + index as u8) * unit, is_loop);
                }
            }
        }
        strings.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn chain(length: u8) -> Single {
        Single { length, is_loop: false }
    }

    const fn circle(length: u8) -> Single {
        Single { length, is_loop: true }
    }

    #[test]
    fn the_shortest_of_each_kind_is_found() {
        let mut all = Counts::NONE;
        for string in [chain(7), chain(2), circle(6), chain(5), circle(4), chain(5), chain(1)] {
            all.add(string);
        }
        assert_eq!(all.boxes(), 30);
        let shortest = |all: &Counts| [0, 1, 2].map(|kind| all.shortest(kind));
        assert_eq!(shortest(&all), [chain(1), chain(5), circle(4)].map(Some));
        let fewer = all.without(chain(1)).without(chain(5)).without(circle(4));
        assert_eq!(shortest(&fewer), [chain(2), chain(5), circle(6)].map(Some));
        let fewer = fewer.without(chain(2)).without(chain(5)).without(circle(6));
        assert_eq!(shortest(&fewer), [None, Some(chain(7)), None]);
        assert_eq!(shortest(&fewer.without(chain(7))), [None; 3]);
        assert_eq!(fewer.without(chain(7)), Counts::NONE);
    }

    #[test]
    fn lengths_of_every_board_have_room() {
        for string in (1..=25).map(chain).chain([4, 6, 24].map(circle)) {
            let mut one = Counts::NONE;
            one.add(string);
            let kind = if string.is_loop { 2 } else { usize::from(string.length > 2) };
            assert_eq!(one.shortest(kind), Some(string));
            assert_ne!(one.hash(), Counts::NONE.hash());
            assert_eq!(one.value(), -i16::from(string.length));
        }
    }

    #[test]
    fn only_their_numbers_count() {
        let set = |strings: [Single; 3]| {
            let mut all = Counts::NONE;
            strings.into_iter().for_each(|string| all.add(string));
            all
        };
        let all = set([chain(3), circle(4), chain(3)]);
        let again = set([circle(4), chain(3), chain(3)]);
        assert_eq!((all, all.hash()), (again, again.hash()));
        assert_ne!(all.hash(), set([circle(4), circle(4), chain(3)]).hash());
    }
}
