//! The boards' images, built when a test needs them.
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
};

/// Builds a board's image, once in a test run, and gives the path of its ELF.
pub fn image(board: &str) -> Result<PathBuf> {
    static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(elf) = built.get(board) {
        return Ok(elf.clone());
    }
    let elf = build(board)?;
    built.insert(board.to_owned(), elf.clone());
    Ok(elf)
}

fn build(board: &str) -> Result<PathBuf> {
    let triple = match board {
        "pico" => "thumbv6m-none-eabi",
        "lm3s6965evb" => "thumbv7m-none-eabi",
        "nucleo-f411re" | "nrf52840-dk" => "thumbv7em-none-eabihf",
        _ => bail!("there is no board {board}"),
    };
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .args(["build", "--package", "corvid-firmware", "--profile", "firmware"])
        .args(["--features", board, "--bin", board, "--target", triple])
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit())
        .output()
        .context("cargo does not start")?;
    ensure!(
        output.status.success(),
        "the image for {board} does not build (a missing target? run `cargo xtask setup`)"
    );
    let messages = String::from_utf8(output.stdout)?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .with_context(|| format!("cargo named no executable for {board}"))
}
