//! Installs what the tests and images need besides Rust.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use xtask::board::BOARDS;
use xtask::{root, target};

use crate::run;

/// The oldest Node that runs the Pico emulator and drives the browser.
const NODE_MAJOR: u32 = 18;

/// Installs everything that is missing.
pub(crate) fn run_setup() -> Result<()> {
    target::add(&[&all_targets()[..], &[WASM]].concat())?;
    qemu()?;
    program("tmux", "-V", &["tmux"])?;
    program("groff", "--version", &["groff-base"])?;
    pico_emulator()?;
    browser()
}

/// Installs the emulator of the LM3S6965 if it is missing.
pub(crate) fn qemu() -> Result<()> {
    program("qemu-system-arm", "--version", &["qemu-system-arm"])
}

/// Installs the emulator of the Pico if it is missing.
pub(crate) fn pico_emulator() -> Result<()> {
    node()?;
    node_packages(&emulator())
}

/// Installs what plays the page if it is missing: Chromium, with a font to draw, and its driver.
pub(crate) fn browser() -> Result<()> {
    node()?;
    // Another Chromium can be named.
    if std::env::var_os("CHROMIUM").is_none() {
        program("chromium", "--version", &["chromium", "fonts-dejavu-core"])?;
    }
    node_packages(&page_tests())
}

fn node() -> Result<()> {
    program("node", "--version", &["nodejs", "npm"])?;
    node_version()
}

/// The browser's target.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// The boards' targets, without repeats.
pub(crate) fn all_targets() -> Vec<&'static str> {
    let mut targets: Vec<_> = BOARDS.iter().map(|board| board.triple).collect();
    targets.dedup();
    targets
}

/// Whether a program can be started and prints its version with this option.
fn is_there(program: &str, version: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(version).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Installs a program from Debian packages where there is apt-get, else says what to install.
fn program(name: &str, version: &str, packages: &[&str]) -> Result<()> {
    if is_there(name, version) {
        return Ok(());
    }
    let packages = packages.join(" ");
    ensure!(
        is_there("apt-get", "--version"),
        "{name} is missing: install it with your system's package manager \
         (Debian calls the packages: {packages}), then run this again"
    );
    let sudo = if is_there("sudo", "--version") && !is_root() { "sudo " } else { "" };
    let install = format!(
        "{sudo}apt-get update && {sudo}apt-get install -y --no-install-recommends {packages}"
    );
    run(Command::new("sh").args(["-c", &install]))
        .with_context(|| format!("{name} is missing and could not be installed"))?;
    ensure!(is_there(name, version), "{name} was installed, but does not start");
    Ok(())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn node_version() -> Result<()> {
    let output = Command::new("node").arg("--version").output()?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let major =
        version.trim_start_matches('v').split('.').next().and_then(|n| n.parse::<u32>().ok());
    match major {
        Some(major) if major >= NODE_MAJOR => Ok(()),
        _ => bail!("Node {version} is too old: the tests need {NODE_MAJOR} or newer"),
    }
}

/// The folder of the Pico emulator.
pub(crate) fn emulator() -> std::path::PathBuf {
    root().join("tests/emulator")
}

/// The folder of the page's tests.
pub(crate) fn page_tests() -> std::path::PathBuf {
    root().join("tests/web")
}

/// Installs a folder's packages when its lock file is newer than what is installed.
fn node_packages(folder: &Path) -> Result<()> {
    let modified = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let installed = modified(&folder.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= modified(&folder.join("package-lock.json")) {
        return Ok(());
    }
    run(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(folder))
}
