//! What the task runner and the tests share: the boards, their images, and what images weigh.

pub mod board;
// The device's own file: a dependency on its package would make every task wait for the games.
#[path = "../../firmware/src/profile.rs"]
pub mod profile;
pub mod size;
pub mod stack;
pub mod uf2;

use std::path::{Path, PathBuf};

/// The folder that holds the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
