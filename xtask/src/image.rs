//! `cargo xtask image BOARD`: files to flash, and what they weigh.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use xtask::board::Board;
use xtask::size::{STACK_RESERVE, Size};
use xtask::uf2;

/// Builds a board's image, writes its UF2 file where the board takes one, and holds it to its
/// budget. Gives the path of the ELF file.
pub(crate) fn make(board: &Board) -> Result<PathBuf> {
    let path = board.build()?;
    let elf = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    println!("ELF    {}", path.display());
    if let Some(family) = board.uf2 {
        let file = path.with_extension("uf2");
        fs::write(&file, uf2::from_elf(&elf, family)?)?;
        println!("UF2    {}", file.display());
    }
    let size = Size::of(&elf)?;
    let percent = |used: u64, all: u64| used * 100 / all;
    println!(
        "flash  {:>7} of {:>7} bytes ({:>2} %)",
        size.flash,
        board.flash,
        percent(size.flash, board.flash)
    );
    println!("games   {:>7} bytes of it: rules, tables and texts", size.games());
    println!(
        "RAM    {:>7} of {:>7} bytes ({:>2} %), at least {STACK_RESERVE} left for the stack",
        size.ram,
        board.ram,
        percent(size.ram, board.ram)
    );
    size.check(board)?;
    Ok(path)
}
