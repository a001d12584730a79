//! What the boards are held to: how soon they are there and answer, what that costs, and the stack
//! while they think with all they have. `cargo xtask measure device` prints the same figures.
use anyhow::{Result, ensure};
use corvid_core::setup::GameKind;
use corvid_tests::{
    board::Board,
    measure::{ANSWERED, MOVING, SPARE, START, bus_of_moving, latency, stack, start_to_menu},
    qemu::Lm3s6965evb,
    rp2040::Pico,
};
use std::time::Duration;
use xtask::stack::{INTERRUPTS, SEEN};

#[test]
fn the_menu_is_there_in_time() -> Result<()> {
    for time in [start_to_menu(&mut Pico::start()?)?, start_to_menu(&mut Lm3s6965evb::start()?)?] {
        ensure!(time <= START, "{time:?}");
    }
    Ok(())
}

#[test]
fn the_stack_has_room_above_every_search() -> Result<()> {
    for (kind, (name, seen)) in GameKind::ALL.into_iter().zip(SEEN) {
        let (used, all) = stack(kind)?;
        println!("{name}: {used} of {all} bytes of stack");
        ensure!(used <= seen, "{name} takes {used} bytes of stack: {seen} in xtask/src/stack.rs");
        ensure!(seen + SPARE <= all, "{name} may take {seen} of {all} bytes of stack");
    }
    Ok(())
}

/// Five board minutes to the end of the deepest search, without a restart on the way.
#[test]
fn the_largest_board_of_dots_is_searched_to_the_last_depth() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    let position = "position 7d5fff55eabd56aa901202404fa9e0fffff807ff805febf4fcffde0";
    let soon = Duration::from_secs(2);
    for command in ["new dots 10x10", position, "level 9", "time_settings 300000 0 0"] {
        assert_eq!(board.ask(command, soon)?, "=", "{command}");
    }
    board.ask("progress on", soon)?;
    board.send(b"reg_genmove b\n")?;
    let answer = board.receive_until("\n\n", Duration::from_secs(600))?;
    ensure!(answer.contains("# depth 24 ") && answer.contains("\n= "), "{answer}");
    let (used, all) = board.stack()?;
    ensure!(used + INTERRUPTS <= all, "{used} of {all} bytes of stack");
    Ok(())
}

#[test]
fn a_key_is_answered_in_time_while_level_9_thinks() -> Result<()> {
    let worst = latency(&mut Pico::start()?)?;
    ensure!(worst <= ANSWERED, "{worst:?}");
    Ok(())
}

#[test]
fn a_key_that_moves_something_is_cheap() -> Result<()> {
    let bus = bus_of_moving()?;
    ensure!(bus.keys >= 40 && bus.worst <= MOVING, "{bus:?}");
    Ok(())
}
