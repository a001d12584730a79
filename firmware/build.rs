//! Puts the board's memory map where the linker finds it. Does nothing in a host build.
#[allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    reason = "only the sizes of the stacks are needed"
)]
#[path = "src/profile.rs"]
mod profile;

use profile::Profile;
use std::{env, error::Error, fs, path::PathBuf};

/// What follows every board's memory map. The stack lies at the bottom of the RAM, below everything
/// else: when it overflows, it runs out of the RAM, which the processor notices, and not over data.
const STACK: &str = "_stack_start = ORIGIN(RAM);\n_stack_end = ORIGIN(STACK);\n";

/// Features, their memory maps, and what their linker gets in addition to the scripts of cortex-m-rt and
/// defmt. On the LM3S6965, whose flash is nearly full, equal functions are merged and equal ends of texts
/// shared.
const BOARDS: [(&str, &str, &[&str]); 7] = [
    ("pico", "pico", &["-Tlink-rp.x"]),
    ("pico2", "pico2", &[]),
    ("lm3s6965evb", "lm3s6965evb", &["--icf=all", "-O2"]),
    ("nucleo-f411re", "stm32f411", &[]),
    ("blackpill-f411", "stm32f411", &[]),
    ("nrf52840-dk", "nrf52840-dk", &[]),
    ("microbit-v2", "microbit-v2", &[]),
];

/// What the linker puts into RAM on boards whose profile says so.
const HOT: &str = "memory/hot.x";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    // `cargo xtask release` adds the commit. No other build has it: the pictures of the screens, which
    // tests compare, would change with every commit.
    println!("cargo::rerun-if-env-changed=CORVID_VERSION");
    if env::var_os("CORVID_VERSION").is_none() {
        println!("cargo::rustc-env=CORVID_VERSION={}", env::var("CARGO_PKG_VERSION")?);
    }
    if env::var("CARGO_CFG_TARGET_OS")? != "none" {
        return Ok(());
    }
    let chosen = |feature: &str| {
        let name = feature.to_uppercase().replace('-', "_");
        env::var_os(format!("CARGO_FEATURE_{name}")).is_some()
    };
    let mut boards = BOARDS.iter().filter(|(feature, ..)| chosen(feature));
    let Some((board, map, args)) = boards.next() else { return Ok(()) };
    if let Some((other, ..)) = boards.next() {
        return Err(format!("an image is for one board: choose {board} or {other}").into());
    }

    let out = PathBuf::from(env::var("OUT_DIR")?);
    let memory = format!("memory/{map}.x");
    println!("cargo::rerun-if-changed={memory}");
    println!("cargo::rerun-if-changed={HOT}");
    println!("cargo::rerun-if-changed=../memory.x");
    println!("cargo::rerun-if-changed=src/profile.rs");
    let profile = Profile::named(board).ok_or_else(|| format!("{board} has no profile"))?;
    let map = fs::read_to_string(&memory).map_err(|error| format!("{memory}: {error}"))?;
    // `cargo bench -p corvid-benches --bench board -- flash` asks what that is worth.
    println!("cargo::rerun-if-env-changed=CORVID_ALL_IN_FLASH");
    let is_hot = profile.hot_in_ram && env::var_os("CORVID_ALL_IN_FLASH").is_none();
    // The memory.x at the root of the workspace includes this.
    let hot = if is_hot { fs::read_to_string(HOT)? } else { String::new() };
    let Profile { stack_kb, second_stack_kb, .. } = profile;
    let sizes = format!("__stack_size = {stack_kb}K;\n__second_stack_size = {second_stack_kb}K;\n");
    let map = format!("{sizes}{map}{STACK}{hot}");
    fs::write(out.join("board-memory.x"), map)?;
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
