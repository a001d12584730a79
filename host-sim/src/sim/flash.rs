//! The flash that a simulated board saves to: a NOR flash in memory, and in a file if there is one.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use embedded_storage::nor_flash::{self, ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash};

use super::machine::spend;
use crate::failure::Failure;

/// Bytes for saved games, as on the Pico.
pub(crate) const SIZE: u32 = 16 * 4096;

/// Bytes that are erased at once.
const PAGE: usize = 4096;

/// What the Pico's flash takes to erase a page, and to write a byte, in microseconds.
const ERASE_MICROS: u64 = 45_000;
const WRITE_MICROS: u64 = 3;

/// A flash, which outlives the power of the board.
#[derive(Debug, Clone)]
pub(crate) struct Flash(Arc<Mutex<Chip>>);

#[derive(Debug)]
struct Chip {
    bytes: Vec<u8>,
    file: Option<File>,
}

impl Flash {
    /// A new one that is forgotten at the end.
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Chip { bytes: vec![0xff; SIZE as usize], file: None })))
    }

    /// The one in a file, which is made if it is not there.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |why: String| Failure::Other(format!("saved games {}: {why}", path.display()));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(|error| failed(error.to_string()))?;
        file.try_lock().map_err(|_| failed("another simulator uses it".into()))?;
        let mut bytes = Vec::new();
        let limit = u64::from(SIZE) + 1;
        let read = (&mut file).take(limit).read_to_end(&mut bytes);
        read.map_err(|error| failed(error.to_string()))?;
        match bytes.len() {
            0 => {
                bytes = vec![0xff; SIZE as usize];
                file.write_all(&bytes).map_err(|error| failed(error.to_string()))?;
            }
            length if length == SIZE as usize => {}
            _ => return Err(failed("it holds something else; take another file".into())),
        }
        Ok(Self(Arc::new(Mutex::new(Chip { bytes, file: Some(file) }))))
    }

    fn chip(&self) -> MutexGuard<'_, Chip> {
        // A panic in the middle of a write is a power cut, which a flash survives.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Chip {
    /// Changes bytes here and in the file.
    fn change(
        &mut self,
        offset: u32,
        change: impl FnOnce(&mut [u8]),
        length: usize,
    ) -> Result<(), NorFlashErrorKind> {
        let start = offset as usize;
        let bytes =
            self.bytes.get_mut(start..start + length).ok_or(NorFlashErrorKind::OutOfBounds)?;
        change(bytes);
        let Some(file) = &mut self.file else { return Ok(()) };
        let written = file.seek(SeekFrom::Start(offset.into())).and_then(|_| file.write_all(bytes));
        written.map_err(|_| NorFlashErrorKind::Other)
    }
}

impl ErrorType for Flash {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        nor_flash::check_read(self, offset, bytes.len())?;
        bytes.copy_from_slice(&self.chip().bytes[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        SIZE as usize
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        nor_flash::check_erase(self, from, to)?;
        for page in (from..to).step_by(PAGE) {
            spend(ERASE_MICROS);
            self.chip().change(page, |bytes| bytes.fill(0xff), PAGE)?;
        }
        Ok(())
    }

    /// Writing clears bits; only erasing sets them.
    fn write(&mut self, offset: u32, data: &[u8]) -> Result<(), NorFlashErrorKind> {
        nor_flash::check_write(self, offset, data.len())?;
        spend(data.len() as u64 * WRITE_MICROS);
        let and =
            |bytes: &mut [u8]| bytes.iter_mut().zip(data).for_each(|(byte, data)| *byte &= data);
        self.chip().change(offset, and, data.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_clears_bits_and_erasing_sets_them() {
        let mut flash = Flash::new();
        let mut other = flash.clone();
        flash.write(10, &[0b1100, 7]).unwrap();
        flash.write(10, &[0b0110]).unwrap();
        let mut bytes = [0; 3];
        other.read(10, &mut bytes).unwrap();
        assert_eq!(bytes, [0b0100, 7, 0xff], "the same chip");
        flash.erase(0, 4096).unwrap();
        other.read(10, &mut bytes).unwrap();
        assert_eq!(bytes, [0xff; 3]);
    }

    #[test]
    fn what_a_flash_does_not_have_is_refused() {
        let mut flash = Flash::new();
        assert_eq!(flash.write(SIZE - 1, &[0; 2]), Err(NorFlashErrorKind::OutOfBounds));
        assert_eq!(flash.read(SIZE, &mut [0]), Err(NorFlashErrorKind::OutOfBounds));
        assert_eq!(flash.erase(0, 100), Err(NorFlashErrorKind::NotAligned));
    }

    #[test]
    fn a_file_is_used_by_one_simulator_at_a_time() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut first = Flash::open(file.path()).unwrap();
        let error = Flash::open(file.path()).unwrap_err().to_string();
        assert!(error.contains("another simulator uses it"), "{error}");
        first.write(5, &[1]).unwrap();
        drop(first);
        let mut bytes = [0];
        Flash::open(file.path()).unwrap().read(5, &mut bytes).unwrap();
        assert_eq!(bytes, [1]);
    }
}
