//! How a search of Othello divides its memory: a mark, the blended weights, and the table.

use super::eval::{Weighted, Weights, blend};
#[cfg(feature = "large")]
use super::patterns::Large;
use super::patterns::Small;
use zerocopy::{FromBytes, IntoBytes};

/// From this much memory on the large weights are used, in slots: 64 KB. A board with less of it does
/// not have them in flash either, and a host that plays as that board plays its moves.
#[cfg(feature = "large")]
const LARGE_FROM: usize = 8192;

/// Weights take no more than two thirds of the memory: with 8 KB there are patterns.
const SHARE: (usize, usize) = (2, 3);

/// What the table remembers: the two searches can't read each other's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Middle = 1,
    End = 2,
}

/// The weights for positions with about so many empty squares, and the rest of the memory for the
/// table, empty if the other search has used it.
pub(super) fn divide(memory: &mut [u64], stage: Stage, empty: u32) -> (Weights<'_>, &mut [u64]) {
    let mark = stage as u64;
    if memory.first().is_some_and(|slot| *slot != mark) {
        memory.fill(0);
        memory[0] = mark;
    }
    #[cfg(feature = "large")]
    let is_large = memory.len() >= LARGE_FROM;
    let rest = memory.get_mut(1..).unwrap_or_default();
    #[cfg(feature = "large")]
    if is_large {
        let (weights, table) = blended::<Large>(rest, empty);
        return (Weights::Large(weights), table);
    }
    let (weights, table) = blended::<Small>(rest, empty);
    (Weights::Small(weights), table)
}

fn blended<L: Weighted>(memory: &mut [u64], empty: u32) -> (&[i8], &mut [u64]) {
    let slots = L::BLENDED.div_ceil(size_of::<u64>());
    if SHARE.0 * memory.len() < SHARE.1 * slots {
        return (blend::<L>(empty, None), memory);
    }
    let (weights, table) = memory.split_at_mut(slots);
    (blend::<L>(empty, <[i8]>::mut_from_bytes(weights.as_mut_bytes()).ok()), table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn more_memory_has_the_large_weights() {
        for (slots, large) in [(0, false), (1, false), (LARGE_FROM - 1, false), (LARGE_FROM, true)]
        {
            let mut memory = vec![0; slots];
            let (weights, table) = divide(&mut memory, Stage::Middle, 30);
            assert_eq!(matches!(weights, Weights::Large(_)), large, "{slots}");
            assert!(table.len() < slots.max(1));
        }
    }

    #[test]
    fn a_table_is_kept_for_its_own_search() {
        let mut memory = vec![0; 4096];
        let filled = |stage, memory: &mut [u64]| {
            let (_, table) = divide(memory, stage, 30);
            let filled = table.iter().filter(|slot| **slot != 0).count();
            table.fill(7);
            filled
        };
        assert_eq!(filled(Stage::Middle, &mut memory), 0);
        assert!(filled(Stage::Middle, &mut memory) > 3000);
        assert_eq!(filled(Stage::End, &mut memory), 0);
        assert!(filled(Stage::End, &mut memory) > 3000);
        assert_eq!(filled(Stage::Middle, &mut memory), 0);
    }
}
