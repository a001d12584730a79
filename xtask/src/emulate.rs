//! `cargo xtask run BOARD`: a board in its emulator, for people.

use std::process::Command;

use anyhow::{Result, bail};
use xtask::board::Board;

use crate::{image, run, setup};

/// Starts a board and waits until it is stopped.
pub(crate) fn run_board(board: &Board) -> Result<()> {
    match board.name() {
        "pico" => {
            setup::pico_emulator()?;
            let elf = image::make(board)?;
            let script = setup::emulator().join("pico.mjs");
            run(Command::new("node").arg(script).arg("--interactive").arg(elf))
        }
        "lm3s6965evb" => {
            setup::qemu()?;
            let elf = image::make(board)?;
            println!("GTP on this terminal (try: name); Ctrl-A X ends it");
            let mut qemu = Command::new("qemu-system-arm");
            qemu.args(["-machine", "lm3s6965evb", "-serial", "mon:stdio", "-kernel"]).arg(elf);
            if has_window() {
                println!("keys: arrows and Ctrl in the window; press each once to wake it up");
            } else {
                println!("no window (a graphical QEMU needs Debian's qemu-system-gui)");
                qemu.args(["-display", "none"]);
            }
            run(&mut qemu)
        }
        name => bail!("there is no emulator for {name}; flash the ELF file of `cargo xtask image`"),
    }
}

/// Whether QEMU can open a window for the board's screen and keys here.
fn has_window() -> bool {
    let session =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let displays = Command::new("qemu-system-arm").args(["-display", "help"]).output();
    let graphical = displays.is_ok_and(|output| {
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        names.lines().any(|name| matches!(name.trim(), "gtk" | "sdl"))
    });
    session && graphical
}
