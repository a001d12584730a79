//! The emulated board's logs, from its memory to a readable line.

use std::fs;
use std::time::Duration;

use anyhow::{Result, ensure};
use corvid_tests::board::{Board, Key};
use corvid_tests::image::image;
use corvid_tests::qemu::Lm3s6965evb;
use xtask::logs::Logs;

/// Proves that what the image logs at its start, with a text in it, and later, with a number, can be read
/// while it runs: encoder, buffer, the ELF file's texts and decoder agree.
#[test]
fn a_board_logs_its_start_and_its_keys() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    let mut logs = Logs::of(&fs::read(image("lm3s6965evb")?)?)?;
    let title = board.profile()?.title;
    let start = board.take_logs(&mut logs)?;
    ensure!(start.first() == Some(&format!("info  Corvid on {title}")), "{start:?}");
    board.tap(Key::Up)?;
    board.run_for(Duration::from_millis(200))?;
    let up = format!("info  key {}", corvid_tests::board::Press::Up as u8);
    let lines = board.take_logs(&mut logs)?;
    ensure!(lines == [up.clone()], "{lines:?}");
    // Another key is another number.
    board.tap(Key::Down)?;
    board.run_for(Duration::from_millis(200))?;
    let lines = board.take_logs(&mut logs)?;
    ensure!(lines.len() == 1 && lines != [up], "{lines:?}");
    Ok(())
}
