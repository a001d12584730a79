//! Mixing of bits: hashes and a small random generator.

/// Spreads every input bit over the whole word (the finaliser of SplitMix64). Own and enemy
/// boards that are only multiplied and combined collide when high squares change hands.
// Two 64-bit products take 90 bytes of Thumb code, and a call is a small part of their time.
#[cfg_attr(target_arch = "arm", inline(never))]
pub const fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Adds a word to a running hash; the order of the words counts.
pub const fn mix_in(hash: u64, word: u64) -> u64 {
    mix(hash.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word)
}

/// A small seeded random generator (SplitMix64): the same numbers on every machine.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator whose numbers depend on `seed` alone.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 32 random bits.
    pub const fn next_u32(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.0) >> 32) as u32
    }

    /// A number in `0..bound` (0 when the bound is 0). The bias is below `bound / 2^32`.
    pub const fn below(&mut self, bound: u32) -> u32 {
        ((self.next_u32() as u64 * bound as u64) >> 32) as u32
    }

    /// Puts items in a random order, each as likely as the others.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut rest = items;
        while let [others @ .., last] = rest
            && !others.is_empty()
        {
            // One beyond the others is the last itself, which stays then.
            let other = self.below(others.len() as u32 + 1) as usize;
            if let Some(other) = others.get_mut(other) {
                core::mem::swap(other, last);
            }
            rest = others;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published first outputs of SplitMix64 for seed 1234567, upper halves.
    #[test]
    fn the_generator_is_splitmix64() {
        let mut rng = Rng::new(1_234_567);
        let expected = [6_457_827_717_110_365_317u64, 3_203_168_211_198_807_973];
        for value in expected {
            assert_eq!(rng.next_u32(), (value >> 32) as u32);
        }
    }

    #[test]
    fn every_order_is_as_likely() {
        let mut rng = Rng::new(1);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            rng.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        // 1000 each; five standard deviations are 144.
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (856..1144).contains(count)), "{counts:?}");
    }

    #[test]
    fn one_changed_bit_changes_about_half_of_the_hash() {
        for bit in 0..64 {
            let distance = (mix_in(1, 0x55) ^ mix_in(1, 0x55 ^ (1 << bit))).count_ones();
            assert!((16..=48).contains(&distance), "bit {bit}: {distance}");
        }
    }
}
