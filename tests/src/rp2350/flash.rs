//! The flash chip: its bytes, and the time that it takes to change them.
use super::CYCLES_PER_MICRO;
use std::ops::Range;

/// Bytes of the Pico 2's chip.
const SIZE: usize = 4 << 20;

/// What is erased, and what is programmed, at once.
const SECTOR: usize = 4096;
const PAGE: usize = 256;

// The data sheet of the W25Q32JV, typical times.
const ERASES_IN: u64 = 45_000 * CYCLES_PER_MICRO;
const PROGRAMS_IN: u64 = 400 * CYCLES_PER_MICRO;

const ERASED: u8 = 0xff;

/// The chip.
pub(crate) struct Flash {
    /// What it holds.
    pub(crate) bytes: Vec<u8>,
}

impl Flash {
    /// A chip with nothing in it.
    pub(crate) fn new() -> Self {
        Self { bytes: vec![ERASED; SIZE] }
    }

    /// The bytes of whole units, or a panic: the chip would do something else than what was meant.
    fn part(&mut self, offset: u32, count: usize, unit: usize) -> &mut [u8] {
        let range: Range<usize> = offset as usize..offset as usize + count;
        assert!(
            range.start.is_multiple_of(unit) && count.is_multiple_of(unit) && range.end <= SIZE,
            "flash: {count} bytes at {offset:#x}, in units of {unit}"
        );
        &mut self.bytes[range]
    }

    /// Erases sectors. Returns the clocks that it takes.
    pub(crate) fn erase(&mut self, offset: u32, count: usize) -> u64 {
        self.part(offset, count, SECTOR).fill(ERASED);
        (count / SECTOR) as u64 * ERASES_IN
    }

    /// Programs pages: that can only clear bits. Returns the clocks that it takes.
    pub(crate) fn program(&mut self, offset: u32, data: &[u8]) -> u64 {
        let cells = self.part(offset, data.len(), PAGE);
        cells.iter_mut().zip(data).for_each(|(cell, byte)| *cell &= byte);
        (data.len() / PAGE) as u64 * PROGRAMS_IN
    }
}
