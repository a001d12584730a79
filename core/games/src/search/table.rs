//! A transposition table on memory that the caller lends.

/// What is remembered about positions: 64-bit slots, each with `DATA_BITS` bits of data and the
/// rest to tell positions apart.
///
/// Works with any number of slots, also none. Two neighbouring slots serve a position: one keeps
/// what cost most to find out, the other takes whatever comes.
#[derive(Debug)]
pub(crate) struct Table<'a, const DATA_BITS: u32> {
    slots: &'a mut [u64],
}

impl<'a, const DATA_BITS: u32> Table<'a, DATA_BITS> {
    const DATA: u64 = (1 << DATA_BITS) - 1;

    /// A table on this memory, with whatever an earlier table of the same use left there. New
    /// memory is all zeros.
    pub(crate) const fn new(slots: &'a mut [u64]) -> Self {
        const { assert!(DATA_BITS >= 8 && DATA_BITS <= 32) }
        Self { slots }
    }

    /// Two tables: the first has so many of the slots, but no more than half.
    pub(crate) fn split(&mut self, slots: usize) -> (Table<'_, DATA_BITS>, Table<'_, DATA_BITS>) {
        let (first, second) = self.slots.split_at_mut(slots.min(self.slots.len() / 2));
        (Table { slots: first }, Table { slots: second })
    }

    /// Forgets everything.
    #[cfg(test)]
    pub(crate) fn clear(&mut self) {
        self.slots.fill(0);
    }

    /// The first of a position's two slots. The upper half of the hash chooses it, so that the
    /// lower half, all of which is compared, adds to it.
    fn place(&self, hash: u64) -> usize {
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
    pub(crate) fn fetch(&self, hash: u64) -> u64 {
        self.slots.get(self.place(hash)).copied().unwrap_or(0)
    }

    /// What is known about the position with this well mixed hash.
    pub(crate) fn get(&self, hash: u64) -> Option<u32> {
        let place = self.place(hash);
        let pair = self.slots.get(place..)?;
        let found = pair.iter().take(2).find(|slot| **slot & !Self::DATA == Self::check(hash))?;
        Some((found & Self::DATA) as u32)
    }

    /// Remembers `data` for a position. `worth` says what an entry's data cost to find out; a
    /// dearer one of another position is kept, if there are two slots.
    pub(crate) fn put(&mut self, hash: u64, data: u32, worth: impl Fn(u32) -> u32) {
        let place = self.place(hash);
        let check = Self::check(hash);
        let entry = check | u64::from(data) & Self::DATA;
        match self.slots.get_mut(place..) {
            Some([first, second, ..]) => {
                let keeps_first = *first & !Self::DATA != check
                    && *first != 0
                    && worth((*first & Self::DATA) as u32) > worth(data);
                if keeps_first {
                    *second = entry;
                } else {
                    if *first & !Self::DATA != check {
                        *second = *first;
                    }
                    *first = entry;
                }
            }
            Some([only]) => *only = entry,
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
            let mut table = Table::<32>::new(&mut memory);
            for n in 0..1000u32 {
                let hash = mix(u64::from(n));
                table.put(hash, n, |_| 0);
                assert_eq!(table.get(hash), Some(n), "size {size}");
            }
        }
        let mut none = Table::<32>::new(&mut []);
        none.put(7, 1, |_| 0);
        assert_eq!(none.get(7), None);
    }

    #[test]
    fn a_dear_entry_outlives_cheap_ones() {
        let mut memory = [0; 2];
        let mut table = Table::<24>::new(&mut memory);
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
