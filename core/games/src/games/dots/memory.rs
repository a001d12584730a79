//! The solver's transposition table: two bounds per position, in as few bits as identify it.

use crate::mix::mix;
use crate::search::table::Table;

/// The value of a position is at least `low` and at most `high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i16,
    pub(super) high: i16,
}

/// Bits for a bound: with the parity known, a value of up to 31 boxes has 32 possibilities.
const BOUND_BITS: u32 = 5;
/// Positions with more boxes are not stored.
const MAX_BOXES: i16 = (1 << BOUND_BITS) - 1;
/// Bits for the work spent, as its binary logarithm; never 0 in an entry.
const WORK_BITS: u32 = 4;
const DATA_BITS: u32 = 2 * BOUND_BITS + WORK_BITS;

/// A table in the caller's memory. It is exact: with keys of up to 40 bits an entry is never
/// mistaken for that of another position.
#[derive(Debug)]
pub(super) enum Memory<'a> {
    /// Two entries of 32 bits per word: the key bits that the index does not imply fit.
    Halves { words: &'a mut [u64], key_bits: u32, tag_bits: u32 },
    /// Entries of 64 bits.
    Whole { table: Table<'a, 24>, key_bits: u32 },
}

/// The key bits that a [`Table`] with 24 bits of data compares.
const WHOLE_KEY_BITS: u32 = 40;

impl<'a> Memory<'a> {
    /// Clears the memory. Keys have `key_bits` bits.
    pub(super) fn new(words: &'a mut [u64], key_bits: u32) -> Self {
        words.fill(0);
        let place_bits = words.len().checked_ilog2().unwrap_or(0);
        let tag_bits = key_bits.saturating_sub(place_bits);
        if tag_bits + DATA_BITS <= 32 && place_bits <= 32 {
            Self::Halves { words, key_bits, tag_bits }
        } else {
            Self::Whole { table: Table::new(words), key_bits }
        }
    }

    /// Not inlined: it is long on a 32-bit core.
    #[inline(never)]
    fn hash(&self, key: u64) -> u64 {
        match *self {
            Self::Halves { key_bits, .. } => mix_bits(key, key_bits),
            // A hash as it is.
            Self::Whole { key_bits: u64::BITS, .. } => key,
            Self::Whole { key_bits, .. } if key_bits > WHOLE_KEY_BITS => mix(key),
            Self::Whole { .. } => {
                let mixed = mix_bits(key, WHOLE_KEY_BITS);
                mixed | mixed << WHOLE_KEY_BITS
            }
        }
    }

    /// Reads where a position's entry would be, so that it is near when it is asked for.
    #[inline]
    pub(super) fn fetch(&self, key: u64) -> u64 {
        let hash = self.hash(key);
        match self {
            Self::Halves { words, key_bits, .. } => {
                words.get(place(hash, words.len(), *key_bits)).copied().unwrap_or(0)
            }
            Self::Whole { table, .. } => table.fetch(hash),
        }
    }

    /// What is known about the position with this key and so many boxes.
    #[inline(never)]
    pub(super) fn get(&self, key: u64, boxes: i16) -> Option<Bounds> {
        let hash = self.hash(key);
        let data = match self {
            Self::Halves { words, key_bits, tag_bits } => {
                let word = *words.get(place(hash, words.len(), *key_bits))?;
                let tag = tag(hash, *tag_bits);
                let (first, second) = (word as u32, (word >> 32) as u32);
                if first >> DATA_BITS == tag && first != 0 {
                    first
                } else if second >> DATA_BITS == tag && second != 0 {
                    second
                } else {
                    return None;
                }
            }
            Self::Whole { table, .. } => table.get(hash)?,
        };
        let bound = |data: u32| 2 * (data & MAX_BOXES as u32) as i16 - boxes;
        Some(Bounds { low: bound(data), high: bound(data >> BOUND_BITS) })
    }

    /// Stores a result that took `work` nodes.
    #[inline(never)]
    pub(super) fn put(&mut self, key: u64, boxes: i16, bounds: Bounds, work: u64) {
        if boxes > MAX_BOXES {
            return;
        }
        let hash = self.hash(key);
        let bound = |value: i16| ((value + boxes) / 2) as u32;
        let work = (work | 1).ilog2().clamp(1, (1 << WORK_BITS) - 1);
        let data = bound(bounds.low) | bound(bounds.high) << BOUND_BITS | work << (2 * BOUND_BITS);
        let worth = |entry: u32| entry >> (2 * BOUND_BITS) & ((1 << WORK_BITS) - 1);
        match self {
            Self::Halves { words, key_bits, tag_bits } => {
                let place = place(hash, words.len(), *key_bits);
                let Some(word) = words.get_mut(place) else { return };
                let entry = tag(hash, *tag_bits) << DATA_BITS | data;
                // The first half keeps what cost more, the second is always replaced.
                let first = *word as u32;
                let same = (first ^ entry) >> DATA_BITS == 0;
                let (first, second) = if same {
                    (entry, (*word >> 32) as u32)
                } else if worth(first) > work {
                    (first, entry)
                } else {
                    (entry, first)
                };
                *word = u64::from(first) | u64::from(second) << 32;
            }
            Self::Whole { table, .. } => table.put(hash, data, worth),
        }
    }
}

#[inline]
fn tag(hash: u64, bits: u32) -> u32 {
    hash as u32 & ((1 << bits) - 1)
}

/// Keys that share an index differ in their lowest bits.
#[inline]
fn place(hash: u64, words: usize, key_bits: u32) -> usize {
    if key_bits > 32 {
        // The highest 32 bits select one of at most 2^32 slots.
        (((hash >> (key_bits - 32)) * words as u64) >> 32) as usize
    } else {
        ((hash * words as u64) >> key_bits) as usize
    }
}

/// A bijective mix of numbers of so many bits.
#[inline]
const fn mix_bits(mut key: u64, bits: u32) -> u64 {
    let mask = !(u64::MAX << (bits & 63));
    key ^= key >> (bits / 2);
    key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
    key ^= key >> (bits / 2);
    key = key.wrapping_mul(0xbf58_476d_1ce4_e5b9) & mask;
    key ^ key >> (bits / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores a different entry for every key, and never finds any other.
    #[test]
    fn an_entry_is_never_taken_for_another() {
        for (words, key_bits) in
            [(0, 12), (1, 12), (3, 12), (64, 12), (100, 16), (9, 24), (999, 24)]
        {
            let mut words = std::vec![0; words];
            let size = words.len();
            let mut memory = Memory::new(&mut words, key_bits);
            let boxes = 31;
            let bounds_of = |key: u64| {
                let bits = mix(key);
                let low = (bits % 32) as i16;
                let high = low + ((bits >> 8) % (32 - low as u64)) as i16;
                Bounds { low: 2 * low - boxes, high: 2 * high - boxes }
            };
            let keys = || (0..1u64 << key_bits).step_by(if key_bits > 16 { 37 } else { 1 });
            let mut found = 0;
            for key in keys() {
                memory.put(key, boxes, bounds_of(key), mix(key) % 1000);
                if size > 0 {
                    assert_eq!(memory.get(key, boxes), Some(bounds_of(key)));
                }
            }
            for key in keys() {
                if let Some(bounds) = memory.get(key, boxes) {
                    assert_eq!(bounds, bounds_of(key), "{key:x} of {key_bits} bits in {size}");
                    found += 1;
                }
            }
            assert!(found >= size.min(1 << key_bits) / 2, "{found} of {size}");
        }
    }

    #[test]
    fn small_keys_take_half_the_room() {
        assert!(matches!(Memory::new(&mut [0; 4096], 24), Memory::Halves { .. }));
        assert!(matches!(Memory::new(&mut [0; 63], 24), Memory::Whole { .. }));
        assert!(matches!(Memory::new(&mut [0; 4096], 60), Memory::Whole { .. }));
    }
}
