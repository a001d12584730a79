//! `cargo xtask image BOARD`: files to flash, and their sizes.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection};
use xtask::board::{Board, Upload};
use xtask::size::Size;
use xtask::{binary_info, dfu, hex, root, target, uf2};

/// Builds a board's image, after adding the compiler's target if need be, writes the file that its boot
/// loader accepts, if it has one, and checks its budget.
/// Returns the path of the ELF file.
pub(crate) fn make(board: &Board) -> Result<PathBuf> {
    make_as(board, None)
}

/// The same with the version that the image gives as its own.
pub(crate) fn make_as(board: &Board, version: Option<&str>) -> Result<PathBuf> {
    target::add(&[board.triple])?;
    let path = board.build_in(&root(), version)?;
    let elf = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    println!("ELF    {}", path.display());
    let write = |ending: &str, bytes: Vec<u8>| {
        let file = path.with_file_name(board.name()).with_extension(ending);
        println!("{:<6} {}", ending.to_uppercase(), file.display());
        fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))
    };
    match board.upload {
        Some(Upload::Uf2(family)) => {
            ensure!(
                family != uf2::RP2350 || has_start_block(&elf)?,
                "the boot ROM would not start it"
            );
            let bytes = uf2::from_elf(&elf, family)?;
            let about = binary_info::read(&bytes).context("picotool would not know the program")?;
            println!("about  {}", about.join(", "));
            let version = version.unwrap_or(env!("CARGO_PKG_VERSION"));
            for text in ["Corvid", version, board.name()] {
                ensure!(about.iter().any(|entry| entry == text), "picotool would not show {text}");
            }
            write("uf2", bytes)?;
        }
        Some(Upload::Dfu) => write("dfu", dfu::from_elf(&elf)?)?,
        Some(Upload::Hex) => write("hex", hex::from_elf(&elf)?.into_bytes())?,
        None => {}
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
        "RAM    {:>7} of {:>7} bytes ({:>2} %), and {} for the stack",
        size.ram,
        board.ram,
        percent(size.ram, board.ram),
        board.stack() + board.second_stack()
    );
    println!(
        "memory {:>7} KB for thinking, games compiled at opt-level {}",
        board.profile.memory_kb, board.profile.opt_level
    );
    size.check(board)?;
    Ok(path)
}

/// Whether the RP2350's boot ROM finds the block that describes the program in the first 4 KB. No
/// emulator here would notice.
fn has_start_block(elf: &[u8]) -> Result<bool> {
    const FIRST_4_KB: std::ops::Range<u64> = 0x1000_0000..0x1000_1000;
    const MARKS: ([u8; 4], [u8; 4]) = ([0xd3, 0xde, 0xff, 0xff], [0x79, 0x35, 0x12, 0xab]);
    let block = object::File::parse(elf)?.section_by_name(".start_block").map(|section| {
        let data = section.data().unwrap_or_default();
        FIRST_4_KB.contains(&section.address())
            && data.starts_with(&MARKS.0)
            && data.ends_with(&MARKS.1)
    });
    Ok(block == Some(true))
}
