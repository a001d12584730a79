//! Registers.

/// A 32-bit register of the chip.
#[derive(Clone, Copy)]
pub(crate) struct Register(usize);

impl Register {
    /// The register at an address from the data sheet.
    pub(crate) const fn at(address: usize) -> Self {
        assert!(
            address >= 0x4000_0000 && address < 0x4010_0000 && address.is_multiple_of(4),
            "no register"
        );
        Self(address)
    }

    /// The register so many bytes from the start of this one's block of 4 KB.
    pub(crate) const fn with_offset(self, offset: usize) -> Self {
        Self(self.0 & !0xFFF | offset & 0xFFC)
    }

    pub(crate) fn read(self) -> u32 {
        // SAFETY: only aligned addresses in the peripheral area are admitted, where no Rust object
        // lives.
        unsafe { (self.0 as *const u32).read_volatile() }
    }

    pub(crate) fn write(self, value: u32) {
        // SAFETY: as in `read`.
        unsafe { (self.0 as *mut u32).write_volatile(value) }
    }

    /// Reads, changes and writes; not atomic.
    pub(crate) fn modify(self, change: impl FnOnce(u32) -> u32) {
        self.write(change(self.read()));
    }
}
