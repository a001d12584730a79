//! The part of a board's flash that belongs to the store.
use core::fmt;
use embedded_storage::nor_flash::{self as blocking, NorFlashError};
use embedded_storage_async::nor_flash::{ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash};

/// Whole pages of a flash, addressed from 0, for a driver that blocks.
/// Every board's driver blocks: the processor runs from the same flash and stalls while a page
/// is erased. So a call completes when its future is first polled.
pub struct Region<F> {
    flash: F,
    start: u32,
    length: u32,
}

impl<F: blocking::NorFlash> Region<F> {
    /// `length` bytes from `start` on, as the driver counts them; both are multiples of a page.
    /// Otherwise the region is empty, and writing to it fails.
    pub const fn new(flash: F, start: u32, length: u32) -> Self {
        let page = F::ERASE_SIZE as u32;
        let whole = start.is_multiple_of(page) && length.is_multiple_of(page);
        Self { flash, start, length: if whole { length } else { 0 } }
    }

    /// Where bytes of the region lie in the flash.
    fn place(&self, offset: u32, bytes: u32) -> Result<u32, Failed> {
        match offset.checked_add(bytes) {
            Some(end) if end <= self.length => Ok(self.start + offset),
            _ => Err(Failed(NorFlashErrorKind::OutOfBounds)),
        }
    }
}

// The boards' drivers don't implement `Debug`.
impl<F> fmt::Debug for Region<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Region")
            .field("start", &self.start)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
impl<F> Region<F> {
    pub(super) fn into_inner(self) -> F {
        self.flash
    }
}

#[cfg(test)]
impl<F> core::ops::Deref for Region<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.flash
    }
}

/// Why a region's flash failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed(NorFlashErrorKind);

impl NorFlashError for Failed {
    fn kind(&self) -> NorFlashErrorKind {
        self.0
    }
}

fn failed(error: impl NorFlashError) -> Failed {
    Failed(error.kind())
}

impl<F> ErrorType for Region<F> {
    type Error = Failed;
}

impl<F: blocking::NorFlash> ReadNorFlash for Region<F> {
    const READ_SIZE: usize = F::READ_SIZE;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Failed> {
        let place = self.place(offset, bytes.len() as u32)?;
        self.flash.read(place, bytes).map_err(failed)
    }

    fn capacity(&self) -> usize {
        self.length as usize
    }
}

impl<F: blocking::NorFlash> NorFlash for Region<F> {
    const WRITE_SIZE: usize = F::WRITE_SIZE;
    const ERASE_SIZE: usize = F::ERASE_SIZE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Failed> {
        let place = self.place(from, to.saturating_sub(from))?;
        self.flash.erase(place, place + (to - from)).map_err(failed)
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Failed> {
        let place = self.place(offset, bytes.len() as u32)?;
        self.flash.write(place, bytes).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::mock::{Flash, PAGE};
    use embassy_futures::block_on;

    const SIZE: u32 = PAGE as u32;
    const OUT_OF_BOUNDS: Failed = Failed(NorFlashErrorKind::OutOfBounds);

    fn flash() -> Flash {
        let mut flash = Flash::new(4, 0);
        flash.start(u64::MAX);
        flash
    }

    #[test]
    fn a_region_begins_at_its_place_in_the_flash() {
        let mut region = Region::new(flash(), SIZE, 2 * SIZE);
        block_on(region.erase(0, SIZE)).unwrap();
        block_on(region.write(8, b"nine")).unwrap();
        let mut read = [0; 4];
        block_on(region.read(8, &mut read)).unwrap();
        assert_eq!(&read, b"nine");
        assert_eq!(&region.into_inner().bytes[PAGE + 8..PAGE + 12], b"nine");
    }

    #[test]
    fn nothing_outside_a_region_is_touched() {
        let mut region = Region::new(flash(), SIZE, 2 * SIZE);
        assert_eq!(region.capacity(), 2 * PAGE);
        let mut read = [0; 4];
        assert_eq!(block_on(region.read(2 * SIZE - 4, &mut read)), Ok(()), "the last bytes");
        assert_eq!(block_on(region.read(2 * SIZE - 3, &mut read)), Err(OUT_OF_BOUNDS));
        assert_eq!(block_on(region.write(2 * SIZE, b"nine")), Err(OUT_OF_BOUNDS));
        assert_eq!(block_on(region.write(u32::MAX, b"nine")), Err(OUT_OF_BOUNDS));
        assert_eq!(block_on(region.erase(SIZE, 3 * SIZE)), Err(OUT_OF_BOUNDS));
        assert_eq!(block_on(region.erase(SIZE, 2 * SIZE)), Ok(()), "the last page");
        assert_eq!(OUT_OF_BOUNDS.kind(), NorFlashErrorKind::OutOfBounds);
    }

    #[test]
    fn a_region_of_parts_of_pages_is_empty() {
        for (start, length) in [(SIZE + 4, SIZE), (SIZE, SIZE + 4)] {
            assert_eq!(Region::new(flash(), start, length).capacity(), 0);
        }
    }
}
