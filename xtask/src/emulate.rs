//! `cargo xtask run BOARD`: a board in its emulator, for people.

use std::process::Command;

#[cfg(unix)]
use anyhow::Context;
use anyhow::{Result, bail};
use xtask::board::Board;
#[cfg(unix)]
use xtask::gdb::Gdb;

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
        name => bail!("there is no emulator for {name}; flash it with `cargo xtask flash {name}`"),
    }
}

/// How often a board is asked for its logs.
#[cfg(unix)]
const POLL: std::time::Duration = std::time::Duration::from_millis(50);

/// Starts the LM3S6965 with its serial port in this terminal, and shows its logs in between.
#[cfg(unix)]
pub(crate) fn show_logs(board: &Board) -> Result<()> {
    setup::qemu()?;
    let elf = image::make(board)?;
    let mut logs = xtask::logs::Logs::of(&std::fs::read(&elf)?)?;
    let socket = std::env::temp_dir().join(format!("corvid-logs-{}", std::process::id()));
    println!("GTP on this terminal (try: name), and logs as they come; Ctrl-A X ends it");
    let mut qemu = Command::new("qemu-system-arm")
        .args(["-machine", board.name(), "-display", "none", "-serial", "mon:stdio", "-gdb"])
        .arg(format!("unix:{},server=on,wait=off", socket.display()))
        .arg("-kernel")
        .arg(elf)
        .spawn()
        .context("qemu-system-arm does not start")?;
    let ended = loop {
        if let Some(status) = qemu.try_wait()? {
            break status;
        }
        // Until QEMU listens, and when it ends in the middle, there is nobody to ask.
        let lines = Gdb::attach(&socket).and_then(|mut gdb| {
            let lines = logs.take(&mut gdb);
            gdb.detach()?;
            lines
        });
        for line in lines.unwrap_or_default() {
            // The terminal is raw: a new line does not begin at its left edge by itself.
            print!("{line}\r\n");
        }
        std::thread::sleep(POLL);
    };
    // QEMU removes it when it ends well.
    let _ = std::fs::remove_file(socket);
    anyhow::ensure!(ended.success(), "QEMU ended with {ended}");
    Ok(())
}

/// QEMU's debugger is reached through a socket in the file system.
#[cfg(not(unix))]
pub(crate) fn show_logs(_: &Board) -> Result<()> {
    bail!("the emulated board's logs are shown on Linux and macOS alone")
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
