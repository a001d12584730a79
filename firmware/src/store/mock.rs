//! A flash whose power can be cut in the middle of anything, and whose pages wear out.
use corvid_core::mix::Rng;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};

/// As on the Pico and the nRF52840.
pub(super) const PAGE: usize = 4096;

/// The cost of an erase, where writing a byte costs 1: low enough against a page of writes that
/// cuts hit both.
const ERASE_COST: u64 = 100;

#[derive(Debug)]
pub(super) struct Flash {
    pub(super) bytes: Vec<u8>,
    /// Bits that were changing when the power failed: they may read either way after each start.
    loose: Vec<u8>,
    rng: Rng,
    /// The cost that can be spent until the power fails.
    left: u64,
    off: bool,
    /// Pages that can be neither erased nor written correctly.
    pub(super) worn: Vec<usize>,
    pub(super) erases: usize,
    pub(super) written: usize,
}

impl Flash {
    pub(super) fn new(pages: usize, seed: u64) -> Self {
        Self {
            bytes: vec![0xFF; pages * PAGE],
            loose: vec![0; pages * PAGE],
            rng: Rng::new(seed),
            left: u64::MAX,
            off: false,
            worn: Vec::new(),
            erases: 0,
            written: 0,
        }
    }

    /// Switches the power on, for as long as `left` allows.
    pub(super) fn start(&mut self, left: u64) {
        (self.left, self.off) = (left, false);
        for (byte, loose) in self.bytes.iter_mut().zip(&self.loose) {
            if *loose != 0 {
                *byte = *byte & !loose | self.rng.next_u32() as u8 & loose;
            }
        }
    }

    pub(super) fn is_off(&self) -> bool {
        self.off
    }

    /// Whether there is power for this much; if not, it fails.
    fn spend(&mut self, cost: u64) -> bool {
        self.off |= cost > self.left;
        self.left = self.left.saturating_sub(cost);
        !self.off
    }

    fn is_worn(&self, offset: usize) -> bool {
        self.worn.contains(&(offset / PAGE))
    }

    /// Stops in the middle of changing bytes to `target`. Some are unchanged, some are done, and in
    /// some each bit is undecided.
    fn tear(&mut self, offset: usize, target: &[u8]) {
        let orderly = self.rng.below(2) == 0;
        let reached = self.rng.below(target.len() as u32 + 1) as usize;
        for (index, target) in target.iter().enumerate() {
            let at = offset + index;
            let fate =
                if orderly { index.cmp(&reached) as i8 } else { self.rng.below(3) as i8 - 1 };
            match fate {
                -1 => (self.bytes[at], self.loose[at]) = (*target, 0),
                0 => self.loose[at] |= self.bytes[at] ^ target,
                _ => {}
            }
        }
    }
}

impl ErrorType for Flash {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        check_read(self, offset, bytes.len())?;
        if self.off {
            return Err(NorFlashErrorKind::Other);
        }
        bytes.copy_from_slice(&self.bytes[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        let (from, length) = (from as usize, (to - from) as usize);
        let was_off = self.off;
        if !self.spend(ERASE_COST) {
            if !was_off {
                self.tear(from, &vec![0xFF; length]);
            }
            return Err(NorFlashErrorKind::Other);
        }
        self.erases += 1;
        self.bytes[from..][..length].fill(0xFF);
        self.loose[from..][..length].fill(0);
        if self.is_worn(from) {
            self.bytes[from + 77] = 0xFE;
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, offset, bytes.len())?;
        let offset = offset as usize;
        let old = &self.bytes[offset..][..bytes.len()];
        assert!(old.iter().all(|byte| *byte == 0xFF), "written twice at {offset}");
        let was_off = self.off;
        if !self.spend(bytes.len() as u64) {
            if !was_off {
                self.tear(offset, bytes);
            }
            return Err(NorFlashErrorKind::Other);
        }
        self.written += bytes.len();
        self.bytes[offset..][..bytes.len()].copy_from_slice(bytes);
        if self.is_worn(offset) {
            self.bytes[offset] |= 1;
        }
        Ok(())
    }
}
