//! Loads with acquire and stores with release semantics, which the crate takes for others, as the plain
//! ones: for processors that execute in order, an instruction at a time, they are the same.

/// The bits of both halves that say which instruction it is, without registers.
const LOADS: u16 = 0xe8d0;
const STORES: u16 = 0xe8c0;

/// The same of LDREX and STREX.
const WORD_LOADS: u16 = 0xe850;
const WORD_STORES: u16 = 0xe840;

/// The instruction to execute for the one with these halves.
pub(crate) const fn plain(first: u16, second: u16) -> (u16, u16) {
    // In the second half: the register with the value, 15, what to do, and the register with the outcome
    // of an exclusive store.
    let (base, value, outcome) = (first & 0xf, second & 0xf000, second & 0xf);
    match (first & !0xf, second >> 4 & 0xf) {
        // LDAB, LDAH, LDA: LDRB, LDRH, LDR.
        (LOADS, 0x8) => (0xf890 | base, value),
        (LOADS, 0x9) => (0xf8b0 | base, value),
        (LOADS, 0xa) => (0xf8d0 | base, value),
        // LDAEXB, LDAEXH: LDREXB, LDREXH; the same of the stores.
        (LOADS | STORES, 0xc | 0xd) => (first, second & !0x80),
        // LDAEX: LDREX.
        (LOADS, 0xe) => (0xe850 | base, value | 0xf00),
        // STLB, STLH, STL: STRB, STRH, STR.
        (STORES, 0x8) => (0xf880 | base, value),
        (STORES, 0x9) => (0xf8a0 | base, value),
        (STORES, 0xa) => (0xf8c0 | base, value),
        // STLEX: STREX.
        (STORES, 0xe) => (0xe840 | base, value | outcome << 8),
        _ => (first, second),
    }
}

/// What an instruction does to a processor's exclusive access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exclusive {
    /// It loads, and a store is to follow.
    Begins,
    /// It stores.
    Ends,
}

/// What the instruction with these halves does to an exclusive access, if it is part of one.
pub(crate) const fn exclusive(first: u16, second: u16) -> Option<Exclusive> {
    // By width: a byte and a half of a word, then with acquire or release, all three.
    let is_exclusive = matches!(second >> 4 & 0xf, 0x4 | 0x5 | 0xc..=0xf);
    match first & !0xf {
        WORD_LOADS => Some(Exclusive::Begins),
        // The others ask what an address is.
        WORD_STORES if second & 0xf0ff != 0xf000 => Some(Exclusive::Ends),
        LOADS if is_exclusive => Some(Exclusive::Begins),
        STORES if is_exclusive => Some(Exclusive::Ends),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the assembler writes them, for the value in r2, the address in r1 and the outcome in r0.
    #[test]
    fn each_becomes_its_plain_form() {
        let pairs = [
            ((0xe8d1, 0x2f8f), (0xf891, 0x2000)), // ldab: ldrb.w
            ((0xe8d1, 0x2f9f), (0xf8b1, 0x2000)), // ldah: ldrh.w
            ((0xe8d1, 0x2faf), (0xf8d1, 0x2000)), // lda: ldr.w
            ((0xe8d1, 0x2fcf), (0xe8d1, 0x2f4f)), // ldaexb: ldrexb
            ((0xe8d1, 0x2fdf), (0xe8d1, 0x2f5f)), // ldaexh: ldrexh
            ((0xe8d1, 0x2fef), (0xe851, 0x2f00)), // ldaex: ldrex
            ((0xe8c1, 0x2f8f), (0xf881, 0x2000)), // stlb: strb.w
            ((0xe8c1, 0x2f9f), (0xf8a1, 0x2000)), // stlh: strh.w
            ((0xe8c1, 0x2faf), (0xf8c1, 0x2000)), // stl: str.w
            ((0xe8c1, 0x2fc0), (0xe8c1, 0x2f40)), // stlexb: strexb
            ((0xe8c1, 0x2fd0), (0xe8c1, 0x2f50)), // stlexh: strexh
            ((0xe8c1, 0x2fe0), (0xe841, 0x2000)), // stlex: strex
        ];
        for ((first, second), expected) in pairs {
            assert_eq!(plain(first, second), expected, "{first:04x} {second:04x}");
        }
    }

    #[test]
    fn others_stay() {
        let others = [
            (0xe8d1, 0xf002), // tbb [r1, r2]
            (0xe8d1, 0xf012), // tbh [r1, r2, lsl #1]
            (0xe8d1, 0x2f4f), // ldrexb r2, [r1]
            (0xe8c1, 0x2f40), // strexb r0, r2, [r1]
            (0xe8f1, 0x2304), // ldrd r2, r3, [r1], #16
            (0x2001, 0x2fcf), // movs r0, #1, and another
        ];
        for (first, second) in others {
            assert_eq!(plain(first, second), (first, second));
        }
    }

    #[test]
    fn exclusive_accesses_begin_and_end() {
        for begins in [(0xe851, 0x2f00), (0xe8d1, 0x2f4f), (0xe8d1, 0x2fdf), (0xe8d1, 0x2fef)] {
            assert_eq!(exclusive(begins.0, begins.1), Some(Exclusive::Begins), "{begins:04x?}");
        }
        for ends in [(0xe841, 0x2000), (0xe8c1, 0x2f40), (0xe8c1, 0x2fd0), (0xe8c1, 0x2fe0)] {
            assert_eq!(exclusive(ends.0, ends.1), Some(Exclusive::Ends), "{ends:04x?}");
        }
        // lda, stl, tbb, tt, strd.
        let others = [
            (0xe8d1, 0x2faf),
            (0xe8c1, 0x2faf),
            (0xe8d1, 0xf002),
            (0xe841, 0xf200),
            (0xe9c1, 0x2300),
        ];
        for other in others {
            assert_eq!(exclusive(other.0, other.1), None, "{other:04x?}");
        }
    }
}
