//! Puts the board's memory map where the linker finds it. Does nothing in a host build.
use std::{env, error::Error, fs, path::PathBuf};

/// Features, and what their linker gets in addition to the scripts of cortex-m-rt and defmt. On the
/// LM3S6965, whose flash is nearly full, equal functions are merged and equal ends of texts shared.
const BOARDS: [(&str, &[&str]); 5] = [
    ("pico", &["-Tlink-rp.x"]),
    ("pico2", &[]),
    ("lm3s6965evb", &["--icf=all", "-O2"]),
    ("nucleo-f411re", &[]),
    ("nrf52840-dk", &[]),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS")? != "none" {
        return Ok(());
    }
    let chosen = |feature: &str| {
        let name = feature.to_uppercase().replace('-', "_");
        env::var_os(format!("CARGO_FEATURE_{name}")).is_some()
    };
    let mut boards = BOARDS.iter().filter(|(feature, ..)| chosen(feature));
    let Some((board, args)) = boards.next() else { return Ok(()) };
    if let Some((other, ..)) = boards.next() {
        return Err(format!("an image is for one board: choose {board} or {other}").into());
    }

    let out = PathBuf::from(env::var("OUT_DIR")?);
    let memory = format!("memory/{board}.x");
    println!("cargo::rerun-if-changed={memory}");
    println!("cargo::rerun-if-changed=../memory.x");
    // The memory.x at the root of the workspace includes this.
    fs::copy(&memory, out.join("board-memory.x")).map_err(|error| format!("{memory}: {error}"))?;
    if *board == "lm3s6965evb" {
        // cortex-m-rt includes this for the default handlers of a device crate; ours are in Rust.
        fs::write(out.join("device.x"), "")?;
    }
    // What an image logs unless the builder says otherwise.
    println!("cargo::rerun-if-env-changed=DEFMT_LOG");
    if env::var_os("DEFMT_LOG").is_none() {
        println!("cargo::rustc-env=DEFMT_LOG=info");
    }
    println!("cargo::rustc-link-search={}", out.display());
    for arg in ["--nmagic", "-Tlink.x", "-Tdefmt.x"].iter().chain(*args) {
        println!("cargo::rustc-link-arg-bins={arg}");
    }
    Ok(())
}
