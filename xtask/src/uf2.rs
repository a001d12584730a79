//! ELF to UF2, the file that a Raspberry Pi board accepts when it is plugged in with BOOTSEL held.
//!
//! A UF2 file is a sequence of 512-byte blocks, each with a 256-byte page of flash and its address,
//! so that a board can accept them in any order from a file system that knows nothing about flash.
use std::{collections::BTreeMap, error, fmt};

use object::{
    LittleEndian,
    elf::{FileHeader32, PT_LOAD},
    read::elf::{FileHeader, ProgramHeader},
};

/// The family that the RP2040 asks for in each block.
pub const RP2040: u32 = 0xe48b_ff56;

/// The family of programs for the RP2350's Arm cores.
pub const RP2350: u32 = 0xe48b_ff59;

const BLOCK: usize = 512;
const PAGE: usize = 256;
/// The flash is erased by sectors, and the RP2040's boot ROM erases one when it sees its first
/// page: a sector is therefore sent whole.
const SECTOR: usize = 4096;

const MAGIC_START: [u32; 2] = [0x0a32_4655, 0x9e5d_5157];
const MAGIC_END: u32 = 0x0ab1_6f30;
const FLAG_FAMILY: u32 = 0x2000;
/// Bytes of a block before its page; after the page, up to the closing magic number, are zeros.
const DATA: usize = 32;

/// The flash as the chips see it.
const FLASH: std::ops::Range<u32> = 0x1000_0000..0x1100_0000;
/// What erased flash reads as.
const ERASED: u8 = 0xff;

/// Why an ELF file can't become a UF2 file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// Its headers are not those of a 32-bit little-endian ELF file.
    NotElf(object::read::Error),
    /// It ends before the bytes of a segment do.
    CutOff,
    /// Bytes are to be loaded at this address, which is not in flash.
    OutsideFlash(u32),
    /// It has nothing to load.
    Empty,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotElf(error) => write!(f, "not a 32-bit little-endian ELF file: {error}"),
            Self::CutOff => write!(f, "the ELF file is cut off"),
            Self::OutsideFlash(address) => write!(f, "segment at {address:#010x} is not in flash"),
            Self::Empty => write!(f, "the ELF file has nothing to load"),
        }
    }
}

impl error::Error for Error {}

impl From<object::read::Error> for Error {
    fn from(error: object::read::Error) -> Self {
        Self::NotElf(error)
    }
}

/// The UF2 file that flashes an ELF file's loadable segments on chips of a family.
pub fn from_elf(elf: &[u8], family: u32) -> Result<Vec<u8>, Error> {
    let mut sectors = BTreeMap::new();
    for (start, bytes) in segments(elf)? {
        let end = u32::try_from(bytes.len()).ok().and_then(|length| start.checked_add(length));
        if !FLASH.contains(&start) || end.is_none_or(|end| end > FLASH.end) {
            return Err(Error::OutsideFlash(start));
        }
        for (address, &byte) in (start as usize..).zip(bytes) {
            let sector = sectors.entry(address / SECTOR).or_insert([ERASED; SECTOR]);
            sector[address % SECTOR] = byte;
        }
    }
    if sectors.is_empty() {
        return Err(Error::Empty);
    }
    let pages = sectors.iter().flat_map(|(number, sector)| {
        let addresses = (number * SECTOR..).step_by(PAGE);
        addresses.zip(sector.chunks(PAGE))
    });
    let count = sectors.len() * SECTOR / PAGE;
    let mut file = Vec::with_capacity(count * BLOCK);
    for (number, (address, page)) in pages.enumerate() {
        let [first, second] = MAGIC_START;
        let (address, number, count) = (address as u32, number as u32, count as u32);
        let size = PAGE as u32;
        for word in [first, second, FLAG_FAMILY, address, size, number, count, family] {
            file.extend(word.to_le_bytes());
        }
        file.extend(page);
        file.resize(file.len() + BLOCK - DATA - PAGE - 4, 0);
        file.extend(MAGIC_END.to_le_bytes());
    }
    Ok(file)
}

/// The segments with bytes in the file: load (physical) address and bytes. Data that is copied to
/// RAM at the start has its virtual address there, and its load address in flash.
pub fn segments(elf: &[u8]) -> Result<Vec<(u32, &[u8])>, Error> {
    let header = FileHeader32::<LittleEndian>::parse(elf)?;
    let endian = header.endian()?;
    let mut segments = Vec::new();
    for segment in header.program_headers(endian, elf)? {
        if segment.p_type(endian) == PT_LOAD && segment.p_filesz(endian) > 0 {
            let bytes = segment.data(endian, elf).map_err(|()| Error::CutOff)?;
            segments.push((segment.p_paddr(endian), bytes));
        }
    }
    Ok(segments)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const HEADER: usize = 52;
    const ENTRY: usize = 32;

    /// An ELF file with loadable segments at these addresses.
    pub(crate) fn elf(segments: &[(u32, &[u8])]) -> Vec<u8> {
        let mut file = vec![0; HEADER];
        file[..7].copy_from_slice(b"\x7fELF\x01\x01\x01");
        file[28..32].copy_from_slice(&(HEADER as u32).to_le_bytes());
        file[42..44].copy_from_slice(&(ENTRY as u16).to_le_bytes());
        file[44..46].copy_from_slice(&(segments.len() as u16).to_le_bytes());
        let mut offset = (HEADER + segments.len() * ENTRY) as u32;
        for (address, bytes) in segments {
            let size = bytes.len() as u32;
            // The virtual address, of data that is copied to RAM, is irrelevant.
            for field in [1, offset, 0x2000_0000, *address, size, size, 0, 4] {
                file.extend(field.to_le_bytes());
            }
            offset += size;
        }
        for (_, bytes) in segments {
            file.extend(*bytes);
        }
        file
    }

    fn words(block: &[u8]) -> Vec<u32> {
        block.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
    }

    #[test]
    fn a_block_is_as_the_format_says() {
        let file = from_elf(&elf(&[(0x1000_0000, &[1, 2, 3])]), RP2040).expect("a good file");
        assert_eq!(file.len() % 512, 0);
        let block = &file[512..1024];
        let header = [0x0a324655, 0x9e5d5157, 0x2000, 0x1000_0100, 256, 1, 16, 0xe48bff56];
        assert_eq!(words(&block[..32]), header);
        assert_eq!(words(&block[508..]), [0x0ab16f30]);
        assert_eq!(block[32..288], [0xff; 256]);
        assert_eq!(block[288..508], [0; 220]);
    }

    #[test]
    fn segments_share_pages_and_fill_sectors() {
        let long = [7; 300];
        let image = elf(&[(0x1000_0000, &long), (0x1000_012c, &[8, 9]), (0x1000_3000, &[5])]);
        let file = from_elf(&image, RP2040).expect("a good file");
        let blocks: Vec<&[u8]> = file.chunks(512).collect();
        // Two sectors of sixteen pages; the untouched ones between them are left alone.
        assert_eq!(blocks.len(), 32);
        assert_eq!(words(blocks[15])[3], 0x1000_0f00);
        assert_eq!(words(blocks[16])[3], 0x1000_3000);
        assert_eq!(blocks[0][32..288], [7; 256]);
        assert_eq!(blocks[1][32..80], [[7; 44].as_slice(), &[8, 9, 0xff, 0xff]].concat());
        assert_eq!(blocks[16][32..34], [5, 0xff]);
        for (number, block) in blocks.iter().enumerate() {
            assert_eq!(words(block)[5..7], [number as u32, 32]);
        }
    }

    #[test]
    fn what_can_not_be_flashed_is_refused() {
        let refused = |image: &[u8]| matches!(from_elf(image, RP2040), Err(Error::NotElf(_)));
        let good = elf(&[(0x1000_0000, &[1])]);
        // What the file says of itself: its magic number, 32 bits, little-endian, version 1.
        for byte in [0, 4, 5, 6] {
            let mut other = good.clone();
            other[byte] = 2;
            assert!(refused(&other), "{byte}");
        }
        assert!(refused(b""));
        assert_eq!(from_elf(&elf(&[]), RP2040), Err(Error::Empty));
        let ram = elf(&[(0x2000_0000, &[1])]);
        assert_eq!(from_elf(&ram, RP2040), Err(Error::OutsideFlash(0x2000_0000)));
        let over_the_end = elf(&[(0x10ff_ffff, &[1, 2])]);
        assert_eq!(from_elf(&over_the_end, RP2040), Err(Error::OutsideFlash(0x10ff_ffff)));
    }

    #[test]
    fn a_file_cut_off_anywhere_is_refused() {
        let image = elf(&[(0x1000_0000, &[1, 2, 3])]);
        for length in 0..image.len() {
            let refusal = from_elf(&image[..length], RP2040).expect_err("a part of a file");
            let in_headers = length < HEADER + ENTRY;
            assert_eq!(matches!(refusal, Error::NotElf(_)), in_headers, "{length}: {refusal}");
            assert_eq!(refusal == Error::CutOff, !in_headers, "{length}: {refusal}");
        }
    }
}
