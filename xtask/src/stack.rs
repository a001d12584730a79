//! How much stack functions take, and how much was seen in use.

use anyhow::{Context, Result};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

/// The games in the order of the device's menu, and the most stack that the LM3S6965 was seen to
/// take while level 9 played them and somebody pressed keys, rounded up. The test `limits` measures
/// it, and fails when it is more than here.
pub const SEEN: [(&str, u64); 5] = [
    ("Othello", 14 * 1024),
    ("Adjacency", 8 * 1024),
    ("Dots and Boxes", 19 * 1024),
    ("Blokus Duo", 20 * 1024),
    ("Blokus Classic", 20 * 1024 + 512),
];

/// Instructions at the start of a function within which it takes its stack.
const PROLOGUE: usize = 16;

/// The functions that take the most stack for themselves, by what they do at their start: names
/// and bytes, the most first.
pub fn largest_frames(elf: &[u8], count: usize) -> Result<Vec<(String, u64)>> {
    let file = object::File::parse(elf).context("not an ELF file")?;
    let text = file.section_by_name(".text").context("no code")?;
    let mut frames = Vec::new();
    for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
        if let Some(code) = text.data_range(symbol.address() & !1, symbol.size())? {
            let name = format!("{:#}", rustc_demangle::demangle(symbol.name()?));
            frames.push((name, frame(code)));
        }
    }
    frames.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    frames.dedup();
    frames.truncate(count);
    Ok(frames)
}

/// What a function of Thumb-2 code takes of the stack before its first branch.
fn frame(code: &[u8]) -> u64 {
    let mut halves = code.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half));
    let mut bytes = 0;
    for _ in 0..PROLOGUE {
        let Some(first) = halves.next() else { break };
        let wide = first >= 0xe800;
        let second = if wide { halves.next().unwrap_or(0) } else { 0 };
        bytes += match (first, second) {
            // push {...}, with lr in bit 8
            (0xb400..=0xb5ff, _) => 4 * u64::from((first & 0x1ff).count_ones()),
            // push.w {...}
            (0xe92d, list) => 4 * u64::from(list.count_ones()),
            // str.w r, [sp, #-n]!
            (0xf84d, 0x0d00..) if second & 0x0f00 == 0x0d00 => u64::from(second & 0xff),
            // sub sp, #n
            (0xb080..=0xb0ff, _) => 4 * u64::from(first & 0x7f),
            // sub.w sp, sp, #n and subw
            (0xf1ad | 0xf5ad, _) if second & 0x0f00 == 0x0d00 => expanded(first, second),
            (0xf2ad | 0xf6ad, _) if second & 0x0f00 == 0x0d00 => immediate(first, second),
            // b, bl, bx and the like
            (0xd000..=0xdfff | 0xe000..=0xe7ff | 0x4700..=0x47ff, _) => break,
            (0xf000..=0xf7ff, 0x8000..) => break,
            _ => 0,
        };
    }
    bytes
}

/// The twelve bits of an immediate value, as `subw` has it.
fn immediate(first: u16, second: u16) -> u64 {
    u64::from((first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 0xff)
}

/// The value that Thumb-2 packs into twelve bits: a byte with its highest bit set, turned right.
fn expanded(first: u16, second: u16) -> u64 {
    let packed = immediate(first, second) as u32;
    match packed >> 10 {
        0 => u64::from(packed & 0xff),
        _ => u64::from((packed & 0x7f | 0x80).rotate_right(packed >> 7)),
    }
}

#[cfg(test)]
mod tests {
    use super::frame;

    #[test]
    fn prologues_are_read() {
        // push {r4-r7, lr}; add r7, sp, #12; push.w {r8-r11}; sub.w sp, sp, #6304; sub sp, #28
        let code = [0xb5f0, 0xaf03, 0xe92d, 0x0f00, 0xf5ad, 0x5dc5, 0xb087, 0x4770];
        let code: Vec<u8> = code.iter().flat_map(|half: &u16| half.to_le_bytes()).collect();
        assert_eq!(frame(&code), 20 + 16 + 6304 + 28);
        assert_eq!(frame(&[0x70, 0x47]), 0, "bx lr");
    }
}
