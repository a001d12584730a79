//! What the task runner and the tests share: the boards, their images, and the images' sizes.

pub mod binary_info;
pub mod board;
pub mod dfu;
#[cfg(unix)]
pub mod gdb;
pub mod hex;
pub mod logs;
pub mod panics;
// Included by path: a dependency on the firmware would make every task build the games first.
#[path = "../../firmware/src/profile.rs"]
pub mod profile;
pub mod size;
pub mod stack;
mod symbols;
pub mod target;
pub mod uf2;

use std::path::{Path, PathBuf};

/// The folder that holds the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
