//! The flash that a simulated board saves to: a NOR flash in memory, and in a file if there is one.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use embedded_storage::nor_flash::{self, ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash};

use crate::machine::spend;

/// Bytes for saved games, as on the Pico.
pub const SIZE: u32 = 16 * PAGE as u32;

/// Bytes that are erased at once.
const PAGE: usize = 4096;

/// The time the Pico's flash takes to erase a page, and to write a byte, in microseconds.
const ERASE_MICROS: u64 = 45_000;
const WRITE_MICROS: u64 = 3;

/// A flash, which keeps its contents when the board is off. A clone is the same flash.
#[derive(Debug, Clone)]
pub struct Flash(Rc<RefCell<Chip>>);

#[derive(Debug)]
struct Chip {
    bytes: Vec<u8>,
    /// How often the bytes have changed, and how often a page was erased.
    changes: u64,
    erases: u64,
    file: Option<File>,
}

impl Flash {
    /// A new one, in memory only.
    pub fn new() -> Self {
        Self::with(vec![0xff; SIZE as usize], None)
    }

    /// One that holds these bytes; `None` if they are not [`SIZE`].
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        (bytes.len() == SIZE as usize).then(|| Self::with(bytes, None))
    }

    /// The one in a file, which is created if it does not exist.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let failed = |cause| OpenError { path: path.to_owned(), cause };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(|error| failed(OpenCause::Io(error)))?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => failed(OpenCause::InUse),
            TryLockError::Error(error) => failed(OpenCause::Io(error)),
        })?;
        let bytes = contents(&file).map_err(|error| failed(OpenCause::Io(error)))?;
        let bytes = bytes.ok_or_else(|| failed(OpenCause::Foreign))?;
        Ok(Self::with(bytes, Some(file)))
    }

    fn with(bytes: Vec<u8>, file: Option<File>) -> Self {
        Self(Rc::new(RefCell::new(Chip { bytes, changes: 0, erases: 0, file })))
    }

    /// What it holds.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.borrow().bytes.clone()
    }

    /// A number that grows with every change of what it holds.
    pub fn changes(&self) -> u64 {
        self.0.borrow().changes
    }

    /// How often a page was erased.
    pub fn erases(&self) -> u64 {
        self.0.borrow().erases
    }
}

impl Default for Flash {
    fn default() -> Self {
        Self::new()
    }
}

/// The bytes of a flash in a file; a new flash's for an empty file, or for one that was cut off while
/// it was created. `None` if it is some other file: no page is empty or has the store's mark.
fn contents(mut file: &File) -> io::Result<Option<Vec<u8>>> {
    // Reading a pipe or a device may never end.
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.take(u64::from(SIZE) + 1).read_to_end(&mut bytes)?;
    if bytes.len() < SIZE as usize && bytes.iter().all(|byte| *byte == 0xff) {
        bytes.resize(SIZE as usize, 0xff);
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&bytes)?;
    }
    // A page's header is written last.
    let own =
        bytes.chunks(PAGE).any(|page| page.starts_with(b"CRVD") || page.starts_with(&[0xff; 4]));
    Ok((bytes.len() == SIZE as usize && own).then_some(bytes))
}

/// Why a file can't be a flash.
#[derive(Debug)]
pub struct OpenError {
    path: PathBuf,
    cause: OpenCause,
}

#[derive(Debug)]
enum OpenCause {
    Io(io::Error),
    InUse,
    Foreign,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "saved games {}: ", self.path.display())?;
        match &self.cause {
            OpenCause::Io(error) => error.fmt(f),
            OpenCause::InUse => f.write_str("another simulator uses it"),
            OpenCause::Foreign => {
                f.write_str("it holds something else; take another file (--save)")
            }
        }
    }
}

impl Error for OpenError {}

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
        self.changes += 1;
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
        bytes.copy_from_slice(&self.0.borrow().bytes[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        SIZE as usize
    }
}

/// Lets the time of an operation pass. If the power fails before its end, it does not happen.
fn powered(micros: u64) -> Result<(), NorFlashErrorKind> {
    if spend(micros) { Ok(()) } else { Err(NorFlashErrorKind::Other) }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        nor_flash::check_erase(self, from, to)?;
        for page in (from..to).step_by(PAGE) {
            powered(ERASE_MICROS)?;
            let mut chip = self.0.borrow_mut();
            chip.erases += 1;
            chip.change(page, |bytes| bytes.fill(0xff), PAGE)?;
        }
        Ok(())
    }

    /// Writing clears bits; only erasing sets them.
    fn write(&mut self, offset: u32, data: &[u8]) -> Result<(), NorFlashErrorKind> {
        nor_flash::check_write(self, offset, data.len())?;
        powered(data.len() as u64 * WRITE_MICROS)?;
        let and =
            |bytes: &mut [u8]| bytes.iter_mut().zip(data).for_each(|(byte, data)| *byte &= data);
        self.0.borrow_mut().change(offset, and, data.len())
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
        assert_eq!(other.changes(), 2);
        flash.erase(0, 4096).unwrap();
        other.read(10, &mut bytes).unwrap();
        assert_eq!(bytes, [0xff; 3]);
        assert_eq!((other.erases(), other.changes()), (1, 3));
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

    #[test]
    fn another_file_of_that_size_is_left_alone() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [b'x'; SIZE as usize]).unwrap();
        assert!(Flash::open(file.path()).is_err());
    }

    #[test]
    fn a_file_that_was_cut_off_at_its_creation_is_new() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), [0xff; 1000]).unwrap();
        assert_eq!(Flash::open(file.path()).unwrap().bytes(), Flash::new().bytes());
        assert_eq!(std::fs::read(file.path()).unwrap(), Flash::new().bytes());
        std::fs::write(file.path(), [0xfe; 1000]).unwrap();
        assert!(Flash::open(file.path()).unwrap_err().to_string().contains("something else"));
        #[cfg(unix)]
        assert!(Flash::open(Path::new("/dev/zero")).is_err(), "no regular file");
    }
}
