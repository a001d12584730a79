//! What the serial port of an emulated board can do besides playing: the screen as text, keys,
//! notices, a restart.

use std::time::Duration;

use anyhow::{Result, ensure};
use corvid_tests::board::{Board, Key};
use corvid_tests::qemu::Lm3s6965evb;

const SOON: Duration = Duration::from_secs(2);

/// The display by its command, as rows of text, two rows of pixels each.
fn screen(board: &mut impl Board) -> Result<Vec<String>> {
    board.send(b"screen\n")?;
    let answer = board.receive_until("\n\n", SOON)?;
    let rows: Vec<String> =
        answer.lines().skip(1).take_while(|row| !row.is_empty()).map(Into::into).collect();
    ensure!(rows.len() == 32 && rows.iter().all(|row| row.len() == 128), "{answer}");
    Ok(rows)
}

#[test]
fn the_screen_is_told_and_keys_are_pressed() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    board.ask("echo off", SOON)?;
    board.run_for(SOON / 2)?;
    let start = screen(&mut board)?;
    let seen = board.screen()?;
    for (row, text) in start.iter().enumerate() {
        for (column, mark) in text.chars().enumerate() {
            let lit = |y| seen.is_lit(column, y);
            let expected = match (lit(2 * row), lit(2 * row + 1)) {
                (false, false) => ' ',
                (true, false) => '\'',
                (false, true) => '.',
                (true, true) => ':',
            };
            ensure!(mark == expected, "row {row}, column {column}: {mark:?}, not {expected:?}");
        }
    }
    assert_eq!(board.ask("key select", SOON)?, "=");
    board.run_for(SOON / 2)?;
    ensure!(screen(&mut board)? != start, "the key does what the button does");
    ensure!(board.ask("key fly", SOON)?.starts_with("? the keys are"), "there is no such key");
    Ok(())
}

#[test]
fn after_a_restart_it_answers_again() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    assert_eq!(board.ask("play b d3", SOON)?, "=");
    assert_eq!(board.ask("moves", SOON)?, "= d3");
    ensure!(board.ask("bootsel", SOON)?.starts_with("? not on this board"), "only the Pico can");
    // Multiplied by the slots of a kilobyte, it would be 1 in the board's 32 bits.
    ensure!(board.ask("solve 33554433", SOON)?.starts_with("? solve takes"), "that is too much");
    ensure!(board.ask("reboot now", SOON)?.starts_with("? "), "only the plain word restarts it");
    board.send(b"reboot\n")?;
    board.receive_until("press a key on the device within 10 s\r\n", SOON)?;
    board.run_for(SOON / 4)?;
    board.tap(Key::Up)?;
    assert_eq!(board.receive_until("\n\n", SOON)?, "= \n\n");
    board.run_for(SOON)?;
    assert_eq!(board.ask("moves", SOON)?, "=", "its flash can't be written");
    Ok(())
}

#[test]
fn what_is_typed_is_shown() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    for byte in b"nane\x7f\x7fme" {
        board.send(&[*byte])?;
        board.run_for(SOON / 10)?;
    }
    board.tap(Key::Up)?;
    board.send(b"\r")?;
    let seen = board.receive_until("Corvid\r\n\r\n", SOON)?;
    ensure!(seen.starts_with("# Corvid ") && seen.ends_with("me\r\n= Corvid\r\n\r\n"), "{seen:?}");
    Ok(())
}
