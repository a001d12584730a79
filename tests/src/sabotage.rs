//! Ways to make a board's program fail that need nothing in the program.
use crate::board::Board;
use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection, ObjectSymbol};
use std::{fs, path::PathBuf};

/// Where a program is made to go on, and with what in some registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diversion {
    /// The next instruction.
    pub address: u32,
    /// Where a return leads.
    pub back: u32,
    /// Register 2.
    pub r2: u32,
}

/// A board whose program can be made to go on elsewhere.
pub trait Sabotage: Board {
    /// The image that it runs.
    fn image(&self) -> Result<PathBuf>;

    /// Makes the code in thread mode, below all interrupts, go on elsewhere.
    fn divert(&mut self, to: Diversion) -> Result<()>;

    /// Makes the program panic, as if an index were out of bounds. Gives the place in the source
    /// that it blames, as `file:line`.
    fn panic(&mut self) -> Result<String> {
        let image = fs::read(self.image()?)?;
        let address = function(&image, "panic_bounds_check")?;
        let (r2, place) = location(&image)?;
        self.divert(Diversion { address, back: 0, r2 })?;
        Ok(place)
    }

    /// Makes the brain sleep for ever, while everything else goes on.
    fn stop_brain(&mut self) -> Result<()> {
        let image = fs::read(self.image()?)?;
        let address = function(&image, "3asm3wf")?;
        // It returns to itself.
        self.divert(Diversion { address, back: address | 1, r2: 0 })
    }
}

/// The address of the function whose mangled name has this part.
pub fn function(image: &[u8], part: &str) -> Result<u32> {
    let file = object::File::parse(image)?;
    let symbol = file.symbols().find(|symbol| symbol.name().is_ok_and(|name| name.contains(part)));
    let symbol = symbol.with_context(|| format!("the image has no {part}"))?;
    Ok(symbol.address() as u32 & !1)
}

/// A place in the source that the image knows, by its address: a pointer to the file's name, its
/// length, line and column.
fn location(image: &[u8]) -> Result<(u32, String)> {
    let file = object::File::parse(image)?;
    let section = file.section_by_name(".rodata").context("the image has no constants")?;
    let (start, bytes) = (section.address() as u32, section.data()?);
    ensure!(start.is_multiple_of(4), "the constants are not aligned");
    let words: Vec<u32> =
        bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let found = words.windows(4).enumerate().find_map(|(index, words)| {
        let (name, length) = (words[0].checked_sub(start)? as usize, words[1] as usize);
        let name = str::from_utf8(bytes.get(name..name.checked_add(length)?)?).ok()?;
        let likely = name.ends_with(".rs") && (1..99_999).contains(&words[2]) && words[3] < 200;
        likely.then(|| (start + 4 * index as u32, format!("{name}:{}", words[2])))
    });
    found.context("the image knows no place in its source")
}
