//! `cargo xtask run BOARD`: a board in its emulator, for people.

use std::process::Command;

use anyhow::Result;
use xtask::board::Board;

use crate::{image, no_emulator, run, setup};

/// Starts a board and waits until it is stopped.
pub(crate) fn run_board(board: &Board) -> Result<()> {
    match board.name {
        "pico" => {
            setup::run_setup()?;
            let elf = image::make(board)?;
            let script = setup::emulator().join("pico.mjs");
            run(Command::new("node").arg(script).arg("--interactive").arg(elf))
        }
        "lm3s6965evb" => {
            setup::run_setup()?;
            let elf = image::make(board)?;
            println!("GTP on this terminal (try: name); keys are in the window; Ctrl-A X ends it");
            let mut qemu = Command::new("qemu-system-arm");
            qemu.args(["-machine", "lm3s6965evb", "-icount", "shift=4"])
                .args(["-serial", "mon:stdio", "-kernel"])
                .arg(elf);
            if std::env::var_os("DISPLAY").is_none()
                && std::env::var_os("WAYLAND_DISPLAY").is_none()
            {
                println!("no graphical display: the board's screen is not shown");
                qemu.args(["-display", "none"]);
            }
            run(&mut qemu)
        }
        _ => no_emulator(board),
    }
}
