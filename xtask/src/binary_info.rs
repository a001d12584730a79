//! What picotool says about a program, read from its UF2 file the way picotool does.
//!
//! A header near the start points to a list of addresses, one for each entry; an entry has a kind, whose
//! tag it is, a number, and the address of its text.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

/// Where picotool looks for the header: on the RP2040 behind the boot loader of 256 bytes. It looks
/// further on the RP2350, whose longer vector table comes first.
const PLACES: std::ops::Range<u32> = 0x1000_0000..0x1000_0200;

const MARK: u32 = 0x7188_ebf2;
const END_MARK: u32 = 0xe71a_a390;

/// The kind of entries with a text.
const STRING: u16 = 6;

/// The texts of the entries, in order.
pub fn read(uf2: &[u8]) -> Result<Vec<String>> {
    let flash = Flash::of(uf2)?;
    let header = PLACES
        .step_by(4)
        .find(|&at| flash.word(at) == Some(MARK) && flash.word(at + 16) == Some(END_MARK));
    let header = header.context("no header in the first 512 bytes")?;
    let start = flash.word(header + 4).context("no first entry")?;
    let end = flash.word(header + 8).context("no last entry")?;
    ensure!(start < end, "no entries");
    let mut texts = Vec::new();
    for at in (start..end).step_by(4) {
        texts.extend(flash.entry(at).context("an entry points outside the file")?);
    }
    Ok(texts)
}

/// Bytes by address.
struct Flash(BTreeMap<u32, u8>);

impl Flash {
    fn of(uf2: &[u8]) -> Result<Self> {
        let (blocks, rest) = uf2.as_chunks::<512>();
        ensure!(rest.is_empty() && !blocks.is_empty(), "not whole blocks");
        let bytes = blocks.iter().flat_map(|block| {
            let start = u32::from_le_bytes([block[12], block[13], block[14], block[15]]);
            (start..).zip(block[32..288].iter().copied())
        });
        Ok(Self(bytes.collect()))
    }

    fn byte(&self, at: u32) -> Option<u8> {
        self.0.get(&at).copied()
    }

    fn word(&self, at: u32) -> Option<u32> {
        let byte = |offset: u32| self.byte(at.checked_add(offset)?);
        Some(u32::from_le_bytes([byte(0)?, byte(1)?, byte(2)?, byte(3)?]))
    }

    /// The text of the entry whose address is here: none inside for one of another kind, none at all for
    /// one that is not in the flash.
    fn entry(&self, at: u32) -> Option<Option<String>> {
        let entry = self.word(at)?;
        if self.word(entry)? as u16 != STRING {
            return Some(None);
        }
        let mut text = Vec::new();
        let mut from = self.word(entry.checked_add(8)?)?;
        loop {
            match self.byte(from)? {
                0 => return Some(Some(String::from_utf8_lossy(&text).into_owned())),
                byte => text.push(byte),
            }
            from = from.checked_add(1)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uf2::{self, tests::elf};

    /// A program with a header at an address, and with one entry, whose text is at another.
    fn program(header: u32, text: u32) -> Vec<u8> {
        let start = 0x1000_0000;
        let list = header + 20;
        let entry = list + 4;
        let words =
            [MARK, list, entry, 0, END_MARK, entry, 0x5052_0000 | u32::from(STRING), 0, text];
        let mut bytes = vec![0; (header - start) as usize];
        bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(b"Corvid\0");
        uf2::from_elf(&elf(&[(start, &bytes)]), uf2::RP2040).expect("an image")
    }

    #[test]
    fn texts_are_read_back() {
        assert_eq!(read(&program(0x1000_01c0, 0x1000_01e4)).unwrap(), ["Corvid"]);
    }

    #[test]
    fn what_picotool_would_not_find_is_an_error() {
        let error = |file: &[u8]| read(file).unwrap_err().to_string();
        assert_eq!(error(&program(0x1000_0200, 0x1000_0224)), "no header in the first 512 bytes");
        let outside = program(0x1000_01c0, 0x2000_0000);
        assert_eq!(error(&outside), "an entry points outside the file");
        assert_eq!(error(b"text"), "not whole blocks");
    }
}
