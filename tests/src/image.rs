//! The boards' images, built when a test needs them.
use anyhow::Result;
use std::path::PathBuf;
use xtask::board::Board;

/// Builds a board's image, which is quick when nothing changed, and returns the path of its ELF.
pub fn image(board: &str) -> Result<PathBuf> {
    Board::named(board)?.build()
}
