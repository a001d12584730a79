//! The checksum of records and headers: CRC-32 as in Ethernet and zip files.
//!
//! Any two messages of up to 11 KB differ in at least 4 bits, checksums included. So a message with
//! one flipped bit is nearer to the one that was written than to any other, and one with two is near
//! to none: a single flipped bit can be corrected, and two are never taken for one.

const POLYNOMIAL: u32 = 0xEDB8_8320;

/// The remainders of four bits: a sixteenth of the usual table, and fast enough for short records.
const TABLE: [u32; 16] = {
    let mut table = [0; 16];
    let mut nibble = 0;
    while nibble < 16 {
        let mut rest = nibble as u32;
        let mut bit = 0;
        while bit < 4 {
            rest = shifted(rest);
            bit += 1;
        }
        table[nibble] = rest;
        nibble += 1;
    }
    table
};

/// The remainder one bit later.
const fn shifted(rest: u32) -> u32 {
    if rest & 1 == 1 { rest >> 1 ^ POLYNOMIAL } else { rest >> 1 }
}

/// An incremental checksum.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crc(u32);

impl Crc {
    pub(crate) const fn new() -> Self {
        Self(u32::MAX)
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 ^= u32::from(*byte);
            for _ in 0..2 {
                self.0 = self.0 >> 4 ^ TABLE[(self.0 & 15) as usize];
            }
        }
    }

    pub(crate) const fn sum(self) -> u32 {
        !self.0
    }

    /// The checksum of one slice.
    pub(crate) fn of(bytes: &[u8]) -> u32 {
        let mut crc = Self::new();
        crc.add(bytes);
        crc.sum()
    }
}

/// Where a flipped bit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flip {
    /// In the checksum.
    Sum,
    /// In the message: so many bytes before its end, 1 for the last one; and the bit.
    Message(usize, u8),
}

/// The single bit that explains the difference between the two checksums of a message, the one stored
/// and the one computed; `None` if no bit in the last `bytes` of the message does.
pub(crate) fn flip(difference: u32, bytes: usize) -> Option<Flip> {
    if difference.is_power_of_two() {
        return Some(Flip::Sum);
    }
    // What the last bit of the message does to the checksum; the others follow, backwards.
    let mut effect = POLYNOMIAL;
    for back in 1..=bytes {
        for bit in (0..8).rev() {
            if effect == difference {
                return Some(Flip::Message(back, 1 << bit));
            }
            effect = shifted(effect);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_check_value() {
        assert_eq!(Crc::of(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn every_single_flipped_bit_is_found() {
        let mut message = *b"a message of some length";
        let sum = Crc::of(&message);
        for at in 0..message.len() {
            for bit in 0..8 {
                message[at] ^= 1 << bit;
                let found = flip(sum ^ Crc::of(&message), message.len());
                assert_eq!(found, Some(Flip::Message(message.len() - at, 1 << bit)));
                assert_eq!(flip(sum ^ Crc::of(&message), message.len() - at - 1), None);
                message[at] ^= 1 << bit;
            }
        }
        for bit in 0..32 {
            assert_eq!(flip(1 << bit, message.len()), Some(Flip::Sum));
        }
        assert_eq!(flip(0, message.len()), None, "nothing has flipped");
    }

    /// Two flipped bits never look like one, in records of any length that there is.
    #[test]
    fn two_flipped_bits_are_not_corrected() {
        let step = |effect: &u32| Some(shifted(*effect));
        // Of the checksum's bits, then of the message's from its end.
        let effects: Vec<u32> =
            std::iter::successors(Some(1 << 31), step).take(8 * (4 + 4096)).collect();
        assert_eq!((effects[31], effects[32]), (1, POLYNOMIAL));
        let single: std::collections::HashSet<u32> = effects.iter().copied().collect();
        assert_eq!(single.len(), effects.len(), "each has an effect of its own");
        // A shift keeps the relations between effects: one of the two may be the first.
        for other in &effects[1..] {
            assert!(!single.contains(&(effects[0] ^ other)));
        }
    }
}
