//! ELF to Intel HEX, the file that most programmers accept. Unlike a plain copy of the flash it has
//! addresses, so it leaves alone what it doesn't name: the saved games.

use std::fmt::Write;

use crate::uf2::{self, Error};

/// Bytes of a line.
const LINE: usize = 16;

/// Kinds of lines: bytes, the end, and the upper half of the addresses that follow.
const DATA: u8 = 0;
const END: u8 = 1;
const UPPER: u8 = 4;

/// The HEX file of an ELF file's loadable segments.
pub fn from_elf(elf: &[u8]) -> Result<String, Error> {
    let mut text = String::new();
    let mut upper = None;
    for (start, bytes) in uf2::segments(elf)? {
        let mut address = start;
        let mut rest = bytes;
        while !rest.is_empty() {
            // A line ends where the upper half of the address changes.
            let room = 0x1_0000 - (address as usize & 0xffff);
            let (line, next) = rest.split_at(rest.len().min(LINE).min(room));
            if upper.replace(address >> 16) != Some(address >> 16) {
                push(&mut text, 0, UPPER, &((address >> 16) as u16).to_be_bytes());
            }
            push(&mut text, address as u16, DATA, line);
            address = address.wrapping_add(line.len() as u32);
            rest = next;
        }
    }
    if text.is_empty() {
        return Err(Error::Empty);
    }
    push(&mut text, 0, END, &[]);
    Ok(text)
}

fn push(text: &mut String, address: u16, kind: u8, bytes: &[u8]) {
    let [high, low] = address.to_be_bytes();
    let mut line = vec![bytes.len() as u8, high, low, kind];
    line.extend(bytes);
    let sum = line.iter().fold(0u8, |sum, byte| sum.wrapping_sub(*byte));
    text.push(':');
    for byte in line.into_iter().chain([sum]) {
        // Writing to a string never fails.
        let _ = write!(text, "{byte:02X}");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uf2::tests::elf;

    #[test]
    fn lines_are_as_the_format_says() {
        // The end of 64 KB lies in the first segment; the second one is far away.
        let image = elf(&[(0x0800_fffe, &[1, 2, 3]), (0x2000_0000, &[0xff; 17])]);
        let text = from_elf(&image).expect("a good file");
        let lines = [
            ":020000040800F2",
            ":02FFFE000102FE",
            ":020000040801F1",
            ":0100000003FC",
            ":020000042000DA",
            ":10000000FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00",
            ":01001000FFF0",
            ":00000001FF",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn what_is_no_image_is_refused() {
        assert!(from_elf(b"text").is_err());
        assert_eq!(from_elf(&elf(&[])), Err(Error::Empty));
    }
}
