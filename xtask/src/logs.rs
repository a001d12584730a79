//! What a board logs with defmt, read out of its memory: the ring buffer of RTT, which defmt-rtt fills, and
//! the texts, which are not in the image but in the names of its ELF file's symbols.
//!
//! Only the types that the firmware logs are known; a line with another one says so. `cargo xtask logs`
//! passes boards with a debug probe to probe-rs, which knows all.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection, ObjectSymbol};
use serde_json::Value;

#[cfg(unix)]
use crate::gdb::Gdb;

/// Where RTT's control block has the fields of its first channel, in bytes.
const BUFFER: u32 = 28;
const SIZE: u32 = 32;
const WRITTEN: u32 = 36;
const READ: u32 = 40;

/// A reader of one image's logs.
#[derive(Debug)]
pub struct Logs {
    /// Levels and texts, by the numbers that stand for them.
    texts: HashMap<u16, (String, String)>,
    /// The address of RTT's control block.
    control: u32,
    /// The beginning of a message.
    rest: Vec<u8>,
}

impl Logs {
    /// Looks up the texts in an ELF file.
    pub fn of(elf: &[u8]) -> Result<Self> {
        let file = object::File::parse(elf)?;
        let section = file.section_by_name(".defmt").context("the image logs nothing")?.index();
        let mut texts = HashMap::new();
        for symbol in file.symbols().filter(|symbol| symbol.section_index() == Some(section)) {
            let name = symbol.name()?;
            let encoding = name.strip_prefix("_defmt_encoding_ = ").unwrap_or("rzcobs");
            ensure!(encoding == "rzcobs", "the image logs in {encoding}, which is not known here");
            let Ok(entry) = serde_json::from_str::<Value>(name) else { continue };
            let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            let level = text("tag").trim_start_matches("defmt_").to_owned();
            ensure!(level != "timestamp", "the image logs times, which are not known here");
            texts.insert(symbol.address() as u16, (level, text("data")));
        }
        let control = file.symbol_by_name("_SEGGER_RTT").context("the image has no RTT")?.address();
        Ok(Self { texts, control: control as u32, rest: Vec::new() })
    }

    /// Takes what a stopped board has logged since the last call, a line for each message.
    #[cfg(unix)]
    pub fn take(&mut self, gdb: &mut Gdb) -> Result<Vec<String>> {
        let mut field = |offset| gdb.word(self.control + offset);
        let (buffer, size) = (field(BUFFER)?, field(SIZE)?);
        let (written, mut read) = (field(WRITTEN)?, field(READ)?);
        // Before the board has started there is anything in its memory.
        if buffer == 0 || written >= size || read >= size {
            return Ok(Vec::new());
        }
        let mut bytes = Vec::new();
        while read != written {
            let word = gdb.word(buffer + (read & !3))?;
            bytes.push(word.to_le_bytes()[read as usize % 4]);
            read = (read + 1) % size;
        }
        gdb.set_word(self.control + READ, read)?;
        Ok(self.lines(&bytes))
    }

    /// The messages that end in these bytes. A zero ends a message, and is nowhere else.
    fn lines(&mut self, bytes: &[u8]) -> Vec<String> {
        self.rest.extend(bytes);
        let mut frames: Vec<_> = self.rest.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect();
        self.rest = frames.pop().unwrap_or_default();
        let line =
            |frame: &Vec<u8>| self.line(frame).unwrap_or_else(|error| format!("? {error:#}"));
        frames.iter().filter(|frame| !frame.is_empty()).map(line).collect()
    }

    fn line(&self, frame: &[u8]) -> Result<String> {
        let bytes = unpack(frame).context("a message is damaged")?;
        let mut arguments = Arguments(&bytes);
        let number = u16::from_le_bytes(arguments.take()?);
        let (level, text) =
            self.texts.get(&number).with_context(|| format!("no text has the number {number}"))?;
        let filled = fill(text, &mut arguments).with_context(|| format!("{level} {text:?}"))?;
        Ok(format!("{level:<5} {filled}"))
    }
}

/// Puts the arguments in their places in a text, which are as in `{=u8}`.
fn fill(text: &str, arguments: &mut Arguments<'_>) -> Result<String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        filled += &rest[..at];
        if let Some(sign) = ["{{", "}}"].iter().find(|sign| rest[at..].starts_with(*sign)) {
            filled += &sign[1..];
            rest = &rest[at + 2..];
            continue;
        }
        let (kind, after) = rest[at + 1..].split_once('}').context("a brace is not closed")?;
        filled += &match kind {
            "=u8" => u8::from_le_bytes(arguments.take()?).to_string(),
            "=u16" => u16::from_le_bytes(arguments.take()?).to_string(),
            "=u32" | "=usize" => u32::from_le_bytes(arguments.take()?).to_string(),
            "=str" => arguments.text()?,
            _ => anyhow::bail!("arguments of the kind {{{kind}}} are not known here"),
        };
        rest = after;
    }
    Ok(filled + rest)
}

/// The bytes of a message that were not read yet.
#[derive(Debug)]
struct Arguments<'a>(&'a [u8]);

impl Arguments<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk().context("a message is too short")?;
        self.0 = rest;
        Ok(*first)
    }

    /// A text, after its length.
    fn text(&mut self) -> Result<String> {
        let length = u32::from_le_bytes(self.take()?) as usize;
        let (text, rest) = self.0.split_at_checked(length).context("a message is too short")?;
        self.0 = rest;
        Ok(String::from_utf8_lossy(text).into_owned())
    }
}

/// Undoes rzCOBS, which leaves out zeros. It is read from its end: a byte below 128 says which of seven
/// bytes are zeros; another one, how many follow on a zero, if any, and none of them is one. Zeros may be
/// left over at the end of what is returned. `None` if bytes are missing.
fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut from = packed.iter().rev().copied();
    let mut bytes = Vec::new();
    while let Some(code) = from.next() {
        match code {
            0 => return None,
            1..=0x7f => {
                for bit in (0..7).rev() {
                    bytes.push(if code >> bit & 1 == 1 { 0 } else { from.next()? });
                }
            }
            0x80.. => {
                bytes.extend((code != 0xff).then_some(0));
                for _ in 0..usize::from(code & 0x7f) + 7 {
                    bytes.push(from.next()?);
                }
            }
        }
    }
    bytes.reverse();
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logs() -> Logs {
        let texts = [
            (1, "info", "key {=u8}"),
            (2, "error", "at {=str}:{=u32} {{x}}"),
            (3, "warn", "odd {=f32}"),
        ];
        let texts = texts.map(|(at, level, text)| (at, (level.to_owned(), text.to_owned())));
        Logs { texts: texts.into(), control: 0, rest: Vec::new() }
    }

    #[test]
    fn zeros_come_back() {
        // Seven bytes, the second and the last four of which are zeros.
        assert_eq!(unpack(&[1, 4, 0b111_1010]), Some(vec![1, 0, 4, 0, 0, 0, 0]));
        // Eight that are none, and a zero.
        assert_eq!(unpack(&[1, 2, 3, 4, 5, 6, 7, 8, 0x81]), Some(vec![1, 2, 3, 4, 5, 6, 7, 8, 0]));
        assert_eq!(
            unpack(&[7; 134].into_iter().chain([0xff]).collect::<Vec<_>>()),
            Some(vec![7; 134])
        );
        assert_eq!(unpack(&[1, 0x7e, 0x80]), None, "bytes are missing");
    }

    #[test]
    fn messages_are_put_together_from_pieces() {
        let mut logs = logs();
        assert!(logs.lines(&[1]).is_empty());
        assert_eq!(logs.lines(&[4, 0b111_1010, 0, 9]), ["info  key 4"]);
        assert_eq!(logs.lines(&[0x7e, 0]), ["? no text has the number 9"]);
    }

    #[test]
    fn texts_and_numbers_are_filled_in_and_others_refused() {
        let mut bytes = Arguments(&[2, 0, 0, 0, b'a', b'b', 7, 1, 0, 0]);
        assert_eq!(fill("at {=str}:{=u32} {{x}}", &mut bytes).unwrap(), "at ab:263 {x}");
        let error = format!("{:#}", fill("odd {=f32}", &mut Arguments(&[0; 4])).unwrap_err());
        assert_eq!(error, "arguments of the kind {=f32} are not known here");
        let error = format!("{:#}", fill("{=u32}", &mut Arguments(&[0; 3])).unwrap_err());
        assert_eq!(error, "a message is too short");
        assert_eq!(logs().lines(&[3, 0b111_1110, 0]).len(), 1);
    }
}
