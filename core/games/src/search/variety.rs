//! Choosing at random among moves of nearly equal value.

use crate::mix::{Rng, mix_in};

/// A random bonus for each move of the position that is searched, so that another seed prefers
/// another one of moves that differ by less than a margin. Only the root has bonuses, and only as
/// long as scores are guessed: what is proven is never traded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variety {
    seed: u32,
    /// The highest bonus, in the search's unit.
    margin: u16,
}

impl Variety {
    /// No bonus: the first of equal moves is chosen.
    pub const NONE: Self = Self { seed: 0, margin: 0 };

    /// Bonuses of 0 to `margin`, in the search's unit.
    #[inline(never)]
    pub const fn draw(rng: &mut Rng, margin: u16) -> Self {
        Self { seed: rng.next_u32(), margin }
    }

    /// The bonus of the move with this index: the same whenever it is asked for.
    #[inline(never)]
    pub(crate) const fn bonus(self, index: u8) -> i16 {
        if self.margin == 0 {
            return 0;
        }
        let random = mix_in(self.seed as u64, index as u64) >> 32;
        ((random * (self.margin as u64 + 1)) >> 32) as i16
    }

    /// A number in `0..bound` for a choice without scores; 0 if it is not to vary.
    pub(crate) const fn below(self, bound: u32) -> u32 {
        if self.margin == 0 { 0 } else { Rng::new(self.seed as u64).below(bound) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonuses_keep_within_the_margin_and_depend_on_seed_and_move() {
        let varieties = [1, 2].map(|seed| Variety::draw(&mut Rng::new(seed), 50));
        let [one, other] = varieties.map(|variety| [0, 1, 2, 3].map(|mv| variety.bonus(mv)));
        assert_ne!(one, other);
        assert!(one.iter().any(|bonus| *bonus != one[0]), "{one:?}");
        let all: std::vec::Vec<i16> = (0..=255).map(|mv| varieties[0].bonus(mv)).collect();
        assert_eq!((all.iter().min(), all.iter().max()), (Some(&0), Some(&50)));
        assert!((0..=255).all(|mv| Variety::NONE.bonus(mv) == 0));
    }
}
