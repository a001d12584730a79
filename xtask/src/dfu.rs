//! ELF to DfuSe, the file that `dfu-util` sends to the boot loader in the ROM of STM32 chips. Unlike a plain
//! copy of the flash it has addresses, so it leaves alone what it doesn't name: the saved games.
//!
//! The format is in ST's document UM0391.

use flate2::Crc;

use crate::uf2::{self, Error};

/// What the boot loader calls itself.
const VENDOR: u16 = 0x0483;
const PRODUCT: u16 = 0xdf11;
/// The version of the format.
const VERSION: u16 = 0x011a;

/// Pieces of the image with less than this between them are sent as one.
const NEAR: u32 = 1024;
/// What erased flash reads as.
const ERASED: u8 = 0xff;
/// Bytes of a target's name.
const NAME: usize = 255;

/// The DfuSe file of an ELF file's loadable segments.
pub fn from_elf(elf: &[u8]) -> Result<Vec<u8>, Error> {
    let mut segments = uf2::segments(elf)?;
    segments.sort_by_key(|(address, _)| *address);
    let mut pieces = Vec::<(u32, Vec<u8>)>::new();
    for (address, bytes) in segments {
        let distance = |(start, piece): &(u32, Vec<u8>)| {
            address.checked_sub(start + piece.len() as u32).filter(|gap| *gap < NEAR)
        };
        match pieces.last_mut().and_then(|last| Some((distance(last)?, last))) {
            Some((gap, (_, piece))) => {
                piece.resize(piece.len() + gap as usize, ERASED);
                piece.extend(bytes);
            }
            None => pieces.push((address, bytes.to_vec())),
        }
    }
    if pieces.is_empty() {
        return Err(Error::Empty);
    }

    let mut elements = Vec::new();
    for (address, bytes) in &pieces {
        elements.extend(address.to_le_bytes());
        elements.extend((bytes.len() as u32).to_le_bytes());
        elements.extend(bytes);
    }
    let mut target = b"Target\0".to_vec();
    let mut name = b"Corvid".to_vec();
    name.resize(NAME, 0);
    target.extend(1_u32.to_le_bytes()); // It has a name.
    target.extend(name);
    target.extend((elements.len() as u32).to_le_bytes());
    target.extend((pieces.len() as u32).to_le_bytes());
    target.extend(elements);

    let prefix = b"DfuSe\x01";
    let length = prefix.len() + size_of::<u32>() + 1 + target.len();
    let mut file = prefix.to_vec();
    file.extend((length as u32).to_le_bytes());
    file.push(1); // One target.
    file.extend(target);
    // The suffix: any version of the device.
    for number in [0xffff, PRODUCT, VENDOR, VERSION] {
        file.extend(number.to_le_bytes());
    }
    file.extend(b"UFD\x10");
    let mut crc = Crc::new();
    crc.update(&file);
    file.extend((!crc.sum()).to_le_bytes());
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uf2::tests::elf;

    #[test]
    fn the_file_is_as_the_format_says() {
        let image = elf(&[(0x0801_0000, &[4, 5]), (0x0800_0000, &[1, 2, 3]), (0x0801_0004, &[6])]);
        let file = from_elf(&image).expect("a good file");
        let (body, suffix) = file.split_at(file.len() - 16);
        assert_eq!(body[..6], *b"DfuSe\x01");
        assert_eq!(body[6..10], (body.len() as u32).to_le_bytes());
        let (target, elements) = body[11..].split_at(274);
        assert_eq!((&target[..6], target[6], target[7]), (&b"Target"[..], 0, 1));
        assert_eq!(target[266..], [24, 0, 0, 0, 2, 0, 0, 0], "24 bytes in two elements");
        let first = [0, 0, 0, 8, 3, 0, 0, 0, 1, 2, 3];
        let second = [0, 0, 1, 8, 5, 0, 0, 0, 4, 5, 0xff, 0xff, 6];
        assert_eq!(elements, [&first[..], &second].concat());
        let device = [0xff, 0xff, 0x11, 0xdf, 0x83, 0x04, 0x1a, 0x01];
        assert_eq!(suffix[..12], [&device[..], b"UFD\x10"].concat());
    }

    #[test]
    fn the_checksum_is_that_of_dfu_suffix() {
        // DFU's checksum over a file and itself, without the inversion at the end, is always this.
        let file = from_elf(&elf(&[(0x0800_0000, &[1])])).expect("a good file");
        let mut crc = Crc::new();
        crc.update(&file);
        assert_eq!(!crc.sum(), 0);
    }

    #[test]
    fn what_is_no_image_is_refused() {
        assert!(from_elf(b"text").is_err());
        assert_eq!(from_elf(&elf(&[])), Err(Error::Empty));
    }
}
