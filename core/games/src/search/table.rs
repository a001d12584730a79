//! A transposition table on memory that the caller lends.
//!
//! Two processors may use one at the same time, without locks. A slot is written in two halves, and the
//! upper one is combined with the lower: halves of different entries don't pass for one. Without the
//! feature `helper` slots are whole words, and so they are on a Cortex-M0+: it can't compare and swap, and
//! zerocopy lends memory as atomic words only where processors can.

use zerocopy::{FromBytes, IntoBytes};

use slot::{Slot, load, store};

#[cfg(all(feature = "helper", target_has_atomic = "32"))]
mod slot {
    use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

    /// The lower half of 64 bits, and the upper half combined with it.
    pub(super) type Slot = [AtomicU32; 2];

    #[inline(always)]
    pub(super) fn load([low, mixed]: &Slot) -> u64 {
        let low = low.load(Relaxed);
        u64::from(mixed.load(Relaxed) ^ low) << 32 | u64::from(low)
    }

    #[inline(always)]
    pub(super) fn store([low, mixed]: &Slot, entry: u64) {
        mixed.store((entry >> 32) as u32 ^ entry as u32, Relaxed);
        low.store(entry as u32, Relaxed);
    }
}

#[cfg(not(all(feature = "helper", target_has_atomic = "32")))]
mod slot {
    use core::cell::Cell;

    pub(super) type Slot = Cell<u64>;

    #[inline(always)]
    pub(super) fn load(slot: &Slot) -> u64 {
        slot.get()
    }

    #[inline(always)]
    pub(super) fn store(slot: &Slot, entry: u64) {
        slot.set(entry);
    }
}

/// What is remembered about positions: 64-bit slots, each with `DATA_BITS` bits of data and the
/// rest to tell positions apart.
///
/// Works with any number of slots, also none. Two neighbouring slots serve a position: one keeps
/// what cost most to find out, the other takes whatever comes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table<'a, const DATA_BITS: u32> {
    slots: &'a [Slot],
}

impl<'a, const DATA_BITS: u32> Table<'a, DATA_BITS> {
    const DATA: u64 = (1 << DATA_BITS) - 1;

    /// A table on this memory, with whatever an earlier table of the same use left there. New
    /// memory is all zeros.
    pub(crate) fn new(memory: &'a mut [u64]) -> Self {
        const { assert!(DATA_BITS >= 8 && DATA_BITS <= 32) }
        // 64 bits are a slot, so it can't fail.
        let slots = <[Slot]>::mut_from_bytes(memory.as_mut_bytes());
        Self { slots: slots.map_or(&[], |slots| slots) }
    }

    /// Two tables: the first has so many of the slots, but no more than half.
    pub(crate) fn split(self, slots: usize) -> (Self, Self) {
        let (first, second) = self.slots.split_at(slots.min(self.slots.len() / 2));
        (Self { slots: first }, Self { slots: second })
    }

    /// Forgets everything.
    #[cfg(test)]
    pub(crate) fn clear(self) {
        self.slots.iter().for_each(|slot| store(slot, 0));
    }

    /// The first of a position's two slots. The upper half of the hash chooses it, so that the
    /// lower half, all of which is compared, adds to it.
    fn place(self, hash: u64) -> usize {
        let pairs = self.slots.len().div_ceil(2) as u64;
        2 * (((hash >> 32) * pairs) >> 32) as usize
    }

    /// The part of a slot that tells positions apart. Never 0, so that an empty slot is no one's.
    const fn check(hash: u64) -> u64 {
        let check = hash << DATA_BITS;
        if check == 0 { 1 << DATA_BITS } else { check }
    }

    /// The first of a position's slots as it is, to have it near when it is asked for.
    #[inline]
    pub(crate) fn fetch(self, hash: u64) -> u64 {
        self.slots.get(self.place(hash)).map_or(0, load)
    }

    /// What is known about the position with this well mixed hash.
    pub(crate) fn get(self, hash: u64) -> Option<u32> {
        let place = self.place(hash);
        let pair = self.slots.get(place..)?;
        let mut entries = pair.iter().take(2).map(load);
        let found = entries.find(|entry| entry & !Self::DATA == Self::check(hash))?;
        Some((found & Self::DATA) as u32)
    }

    /// Remembers `data` for a position. `worth` says what an entry's data cost to find out; a
    /// dearer one of another position is kept, if there are two slots.
    pub(crate) fn put(self, hash: u64, data: u32, worth: impl Fn(u32) -> u32) {
        let place = self.place(hash);
        let check = Self::check(hash);
        let entry = check | u64::from(data) & Self::DATA;
        match self.slots.get(place..) {
            Some([first, second, ..]) => {
                let before = load(first);
                let is_other = before & !Self::DATA != check;
                if is_other && before != 0 && worth((before & Self::DATA) as u32) > worth(data) {
                    store(second, entry);
                } else {
                    if is_other {
                        store(second, before);
                    }
                    store(first, entry);
                }
            }
            Some([only]) => store(only, entry),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::mix;

    #[test]
    fn every_size_gives_back_the_last_entry() {
        for size in [1, 2, 3, 128, 129] {
            let mut memory = std::vec![0; size];
            let table = Table::<32>::new(&mut memory);
            for n in 0..1000u32 {
                let hash = mix(u64::from(n));
                table.put(hash, n, |_| 0);
                assert_eq!(table.get(hash), Some(n), "size {size}");
            }
        }
        let none = Table::<32>::new(&mut []);
        none.put(7, 1, |_| 0);
        assert_eq!(none.get(7), None);
    }

    /// Half of one entry and half of another are nobody's.
    #[cfg(feature = "helper")]
    #[test]
    fn two_processors_never_read_what_neither_has_written() {
        let mut memory = [0; 4];
        let table = Table::<32>::new(&mut memory);
        let hammer = |seed: u32| {
            let (mut hits, mut key) = (0, seed);
            for _ in 0..2_000_000 {
                key = (key * 7 + 3) % 61;
                let hash = mix(u64::from(key));
                table.put(hash, !key, |_| 0);
                let found = table.get(mix(u64::from(key ^ 1)));
                assert!(found.is_none_or(|data| data == !(key ^ 1)), "{key}: {found:?}");
                hits += u32::from(found.is_some());
            }
            hits
        };
        let (one, other) = std::thread::scope(|scope| {
            let other = scope.spawn(|| hammer(2));
            (hammer(1), other.join().unwrap())
        });
        assert!(one > 0 && other > 0, "{one} {other}");
    }

    #[test]
    fn a_dear_entry_outlives_cheap_ones() {
        let mut memory = [0; 2];
        let table = Table::<24>::new(&mut memory);
        table.put(mix(1), 1000, |data| data);
        for n in 2..100 {
            table.put(mix(u64::from(n)), n, |data| data);
        }
        assert_eq!(table.get(mix(1)), Some(1000));
        assert_eq!(table.get(mix(99)), Some(99));
        table.put(mix(1), 5, |data| data);
        assert_eq!(table.get(mix(1)), Some(5), "the same position is always renewed");
        table.clear();
        assert_eq!(table.get(mix(1)), None);
    }
}
