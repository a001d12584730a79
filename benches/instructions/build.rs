//! Puts the emulated machine's memory map where the linker finds it. Does nothing in a host build.

use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=memory");
    if env::var("CARGO_CFG_TARGET_OS")? != "none" {
        return Ok(());
    }
    // Only this one has a Cortex-M33.
    let is_v8m = env::var("TARGET")?.starts_with("thumbv8m");
    let machine = if is_v8m { "mps2-an505" } else { "mps2-an385" };
    let out = PathBuf::from(env::var("OUT_DIR")?);
    // The memory.x at the root of the workspace includes this.
    fs::copy(format!("memory/{machine}.x"), out.join("board-memory.x"))?;
    println!("cargo::rustc-link-search={}", out.display());
    for arg in ["--nmagic", "-Tlink.x"] {
        println!("cargo::rustc-link-arg-bins={arg}");
    }
    Ok(())
}
