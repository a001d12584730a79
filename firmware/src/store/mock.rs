//! A flash whose power can be cut in the middle of anything, and whose cells fail.
use corvid_core::mix::Rng;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};

/// As on the Pico and the nRF52840.
pub(super) const PAGE: usize = 4096;

/// The cost of an erase, where writing a byte costs 1: low enough against a page of writes that
/// cuts hit both.
const ERASE_COST: u64 = 100;

/// A cell that has one value for ever.
#[derive(Debug, Clone, Copy)]
struct Stuck {
    place: usize,
    bit: u8,
    set: bool,
}

/// How often things went wrong.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Faults {
    pub(super) flips: usize,
    pub(super) stuck: usize,
    pub(super) failed_erases: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Flash<const PAGE: usize = { self::PAGE }> {
    pub(super) bytes: Vec<u8>,
    /// Bits that were changing when the power failed: they may read either way after each start.
    loose: Vec<(usize, u8)>,
    rng: Rng,
    /// The cost that can be spent until the power fails.
    left: u64,
    off: bool,
    /// Pages that can be neither erased nor written correctly.
    pub(super) worn: Vec<usize>,
    stuck: Vec<Stuck>,
    /// One erase among so many fails; 0 for none.
    pub(super) erase_fails: u32,
    /// Pages with a bit that has changed by itself since they were erased.
    flipped: Vec<bool>,
    pub(super) faults: Faults,
    pub(super) erases: usize,
    pub(super) written: usize,
}

impl<const PAGE: usize> Flash<PAGE> {
    pub(super) fn new(pages: usize, seed: u64) -> Self {
        Self {
            bytes: vec![0xFF; pages * PAGE],
            loose: Vec::new(),
            rng: Rng::new(seed),
            left: u64::MAX,
            off: false,
            worn: Vec::new(),
            stuck: Vec::new(),
            erase_fails: 0,
            flipped: vec![false; pages],
            faults: Faults::default(),
            erases: 0,
            written: 0,
        }
    }

    /// Switches the power on, for as long as `left` allows.
    pub(super) fn start(&mut self, left: u64) {
        (self.left, self.off) = (left, false);
        for (place, bits) in &self.loose {
            let byte = &mut self.bytes[*place];
            *byte = *byte & !bits | self.rng.next_u32() as u8 & bits;
        }
    }

    pub(super) fn is_off(&self) -> bool {
        self.off
    }

    /// Flips a random bit of a page, unless one has flipped there since it was erased.
    pub(super) fn flip(&mut self, page: usize) {
        if !std::mem::replace(&mut self.flipped[page], true) {
            let place = page * PAGE + self.rng.below(PAGE as u32) as usize;
            self.bytes[place] ^= 1 << self.rng.below(8);
            self.faults.flips += 1;
        }
    }

    /// Makes a random bit of a page stick, as it is or flipped.
    pub(super) fn stick(&mut self, page: usize) {
        if !std::mem::replace(&mut self.flipped[page], true) {
            let place = page * PAGE + self.rng.below(PAGE as u32) as usize;
            let (bit, set) = (1 << self.rng.below(8), self.rng.below(2) == 0);
            self.stuck.push(Stuck { place, bit, set });
            self.faults.stuck += 1;
            self.hold();
        }
    }

    /// Gives the cells that stick their values.
    fn hold(&mut self) {
        for Stuck { place, bit, set } in &self.stuck {
            let byte = &mut self.bytes[*place];
            *byte = if *set { *byte | bit } else { *byte & !bit };
        }
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

    /// Stops in the middle of changing bytes to a target. Some are unchanged, some are done, and in
    /// some each bit is undecided.
    fn tear(&mut self, offset: usize, length: usize, target: impl Fn(usize) -> u8) {
        let orderly = self.rng.below(2) == 0;
        let reached = self.rng.below(length as u32 + 1) as usize;
        for index in 0..length {
            let (at, target) = (offset + index, target(index));
            if self.bytes[at] == target {
                continue;
            }
            let fate =
                if orderly { index.cmp(&reached) as i8 } else { self.rng.below(3) as i8 - 1 };
            match fate {
                -1 => self.bytes[at] = target,
                0 => self.loose.push((at, self.bytes[at] ^ target)),
                _ => {}
            }
        }
        self.hold();
    }
}

impl<const PAGE: usize> ErrorType for Flash<PAGE> {
    type Error = NorFlashErrorKind;
}

impl<const PAGE: usize> ReadNorFlash for Flash<PAGE> {
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

impl<const PAGE: usize> NorFlash for Flash<PAGE> {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        check_erase(self, from, to)?;
        let (from, length) = (from as usize, (to - from) as usize);
        if self.off {
            return Err(NorFlashErrorKind::Other);
        }
        let fails = self.erase_fails > 0 && self.rng.below(self.erase_fails) == 0;
        let powered = self.spend(ERASE_COST);
        if fails || !powered {
            self.faults.failed_erases += usize::from(powered);
            self.tear(from, length, |_| 0xFF);
            return Err(NorFlashErrorKind::Other);
        }
        self.erases += 1;
        self.bytes[from..][..length].fill(0xFF);
        self.loose.retain(|(place, _)| !(from..from + length).contains(place));
        let sticks = self.stuck.iter().any(|stuck| stuck.place / PAGE == from / PAGE);
        self.flipped[from / PAGE] = sticks;
        if self.is_worn(from) {
            self.bytes[from + 77] = 0xFE;
        }
        self.hold();
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        check_write(self, offset, bytes.len())?;
        let offset = offset as usize;
        let old = &self.bytes[offset..][..bytes.len()];
        assert!(old.iter().all(|byte| *byte == 0xFF), "written twice at {offset}");
        if self.off {
            return Err(NorFlashErrorKind::Other);
        }
        if !self.spend(bytes.len() as u64) {
            self.tear(offset, bytes.len(), |index| bytes[index]);
            return Err(NorFlashErrorKind::Other);
        }
        self.written += bytes.len();
        self.bytes[offset..][..bytes.len()].copy_from_slice(bytes);
        if self.is_worn(offset) {
            self.bytes[offset] |= 1;
        }
        self.hold();
        Ok(())
    }
}
