//! The checksum of records and headers: CRC-32 as in Ethernet and zip files.

/// The remainders of four bits: a sixteenth of the usual table, and fast enough for short records.
const TABLE: [u32; 16] = {
    let mut table = [0; 16];
    let mut nibble = 0;
    while nibble < 16 {
        let mut rest = nibble as u32;
        let mut bit = 0;
        while bit < 4 {
            rest = if rest & 1 == 1 { rest >> 1 ^ 0xEDB8_8320 } else { rest >> 1 };
            bit += 1;
        }
        table[nibble] = rest;
        nibble += 1;
    }
    table
};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_check_value() {
        assert_eq!(Crc::of(b"123456789"), 0xCBF4_3926);
    }
}
