//! The two packages that are published, as other people get them: their files, every game on its own, and
//! the flash that each takes.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSegment};
use xtask::board::{Board, cargo};
use xtask::{root, target};

/// What is published, in order: the second needs the first.
const PACKAGES: [(&str, &str); 2] = [("corvid-games", "core/games"), ("corvid-core", "core")];

/// A feature for each game.
const GAMES: [&str; 5] = ["othello", "adjacency", "dots", "blokus-duo", "blokus-classic"];

/// Where the table of flash stands.
const TABLE: &str = "core/README.md";

/// Fails when a package could not be published, or would not work for whoever wants one game.
pub(crate) fn check() -> Result<()> {
    licences()?;
    target::add(&[small_board()?.triple])?;
    let host = target::host()?;
    for game in GAMES {
        for triple in [&host[..], small_board()?.triple] {
            let features = ["--no-default-features", "--features", game, "--target", triple];
            unwarned(
                cargo().args(["check", "--quiet", "--package", "corvid-core"]).args(features),
            )?;
        }
    }
    // Offline: the first package is found in a registry that cargo makes for the occasion.
    let mut package = cargo();
    // Not quietly: that would hide its own warnings.
    package.args(["package", "--offline", "--allow-dirty"]);
    package.args(PACKAGES.iter().flat_map(|(name, _)| ["--package", name]));
    unwarned(&mut package)
}

/// Fails when the table of what each game takes is out of date.
pub(crate) fn check_sizes() -> Result<()> {
    let table = sizes()?;
    let text = fs::read_to_string(root().join(TABLE))?;
    ensure!(text.contains(&table), "the table in {TABLE} is out of date; it should be\n\n{table}");
    Ok(())
}

/// Prints what each game takes.
pub(crate) fn print_sizes() -> Result<()> {
    target::add(&[small_board()?.triple])?;
    print!("{}", sizes()?);
    Ok(())
}

fn small_board() -> Result<Board> {
    Board::named("lm3s6965evb")
}

/// Copies instead of links, which not every system can check out.
fn licences() -> Result<()> {
    for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let licence = fs::read(root().join(file))?;
        for (_, folder) in PACKAGES {
            let copy = root().join(folder).join(file);
            let same = fs::read(&copy).is_ok_and(|copied| copied == licence);
            ensure!(same, "{} differs from {file}: copy it again", copy.display());
        }
    }
    Ok(())
}

/// Runs a command that must not warn of anything.
fn unwarned(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    let output = command.output().with_context(|| format!("cannot start {shown}"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    let warns = told.lines().any(|line| line.starts_with("warning"));
    ensure!(output.status.success() && !warns, "{shown} ended with {}:\n{told}", output.status);
    Ok(())
}

/// The flash of the bare-metal example with each game alone and with all of them, as a table.
fn sizes() -> Result<String> {
    let all = GAMES.join(",");
    let rows = GAMES.map(|game| (format!("`{game}`"), game.to_owned())).into_iter().chain([
        ("`othello`, `large`".to_owned(), "othello,large".to_owned()),
        ("all games".to_owned(), all.clone()),
        ("all games, `large`".to_owned(), all + ",large"),
    ]);
    let mut table = "| features | flash, KB |\n|---|---|\n".to_owned();
    for (name, features) in rows {
        let elf = fs::read(build(&features)?)?;
        table += &format!("| {name} | {} |\n", flash(&elf)?.div_ceil(1024));
    }
    Ok(table)
}

/// What is loaded from an ELF file: code, tables and the initial values of variables.
fn flash(elf: &[u8]) -> Result<u64> {
    let file = object::File::parse(elf).context("not an ELF file")?;
    Ok(file.segments().map(|segment| segment.file_range().1).sum())
}

/// Builds the bare-metal example with these features; the path of its ELF file.
fn build(features: &str) -> Result<PathBuf> {
    let triple = small_board()?.triple;
    let folder = root().join("target/bare-metal");
    let mut build = cargo();
    build
        // Its settings for the linker are found from its folder.
        .current_dir(root().join("core/examples/bare-metal"))
        .args(["build", "--quiet", "--locked", "--release", "--no-default-features"])
        .args(["--features", features])
        .env("CARGO_TARGET_DIR", &folder)
        .stdout(Stdio::null());
    unwarned(&mut build)?;
    Ok(folder.join(triple).join("release/corvid-bare-metal"))
}
