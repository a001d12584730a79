//! Mixing of bits: hashes and a small random generator.

/// Spreads every input bit over the whole word (the finaliser of SplitMix64). Own and enemy
/// boards that are only multiplied and combined collide when high squares change hands.
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
    fn one_changed_bit_changes_about_half_of_the_hash() {
        for bit in 0..64 {
            let distance = (mix_in(1, 0x55) ^ mix_in(1, 0x55 ^ (1 << bit))).count_ones();
            assert!((16..=48).contains(&distance), "bit {bit}: {distance}");
        }
    }
}
