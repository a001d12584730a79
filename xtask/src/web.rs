//! `cargo xtask web`: the page as a folder of static files.

mod comments;
mod manual;
mod serve;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use wasm_bindgen_cli_support::Bindgen;
use xtask::board::{VERSION, cargo, flags_for, same_everywhere};
use xtask::{root, target};

use crate::setup::{self, WASM};
use crate::{run, slowest};

pub(crate) use serve::serve_built;

/// What the first load may take, compressed.
const BUDGET: usize = 400 * 1024;

/// Where the page is built. (`target/web` is the compiler's own for the profile `web`.)
pub(crate) fn folder() -> PathBuf {
    root().join("target/page")
}

/// Builds the page, prints what its files take, and fails when that is too much.
pub(crate) fn build() -> Result<()> {
    build_as(None)
}

/// The same with the version that the page's device gives as its own.
pub(crate) fn build_as(version: Option<&str>) -> Result<()> {
    target::add(&[WASM])?;
    let options = ["--package", "corvid-web", "--profile", "web", "--target", WASM];
    let mut build = cargo();
    build.args(["build", "--lib"]).args(options);
    build.args(["--config", &flags_for(WASM, &same_everywhere(&root()))]);
    run(build.envs(version.map(|version| (VERSION, version))))?;
    let folder = folder();
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    copy(&root().join("web/page"), &folder)?;
    Bindgen::new()
        .input_path(root().join("target").join(WASM).join("web/corvid_web.wasm"))
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("corvid")
        .generate(&folder)?;
    manual::build(&folder)?;
    let files = list(&folder)?;
    name_release(&folder, &files)?;
    check_size(&folder, &files)
}

/// Builds the page and serves it until it is stopped. The port is taken first: another page that is served
/// there keeps its files.
pub(crate) fn serve(port: u16) -> Result<()> {
    let listener = serve::listen(port)?;
    build()?;
    serve::run(&listener)
}

/// Tests the page in Chromium.
pub(crate) fn test() -> Result<()> {
    setup::browser()?;
    build()?;
    // Some tests connect to a simulated board.
    run(cargo().args(["build", "--package", "corvid"]))?;
    slowest::run_node(&setup::page_tests())
}

/// Takes the pictures of docs/web.md.
pub(crate) fn take_pictures() -> Result<()> {
    setup::browser()?;
    build()?;
    run(Command::new("node").arg("pictures.mjs").current_dir(setup::page_tests()))
}

/// Gives the service worker the list of files with their checksums, and it and the page the name of the
/// release, which changes with them.
fn name_release(folder: &Path, files: &[String]) -> Result<()> {
    const WORKER: &str = "sw.js";
    const PAGE: &str = "offline.js";
    let mut all = Vec::new();
    for file in files {
        all.extend(file.bytes().chain(fs::read(folder.join(file))?));
    }
    let release = format!("{:08x}", checksum(&all));
    fill_in(folder, PAGE, "__RELEASE__", &release)?;
    let mut sums = serde_json::Map::new();
    for file in files.iter().filter(|file| *file != WORKER) {
        sums.insert(file.clone(), checksum(&fs::read(folder.join(file))?).into());
    }
    fill_in(folder, WORKER, "__RELEASE__", &release)?;
    fill_in(folder, WORKER, "__FILES__", &serde_json::to_string(&sums)?)
}

/// Writes something into the place that a file has for it.
fn fill_in(folder: &Path, file: &str, place: &str, text: &str) -> Result<()> {
    let path = folder.join(file);
    let old = fs::read_to_string(&path).with_context(|| file.to_owned())?;
    ensure!(old.contains(place), "{file} has no place for {place}");
    Ok(fs::write(path, old.replace(place, text))?)
}

/// A checksum, FNV-1a: it tells releases apart and is no protection. The service worker computes it
/// too.
fn checksum(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0x811c_9dc5, |sum: u32, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

fn check_size(folder: &Path, files: &[String]) -> Result<()> {
    let (mut first, mut manual, mut pictures) = (0, 0, 0);
    println!("| file | bytes | compressed |\n|---|---|---|");
    for file in files {
        let bytes = fs::read(folder.join(file))?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bytes)?;
        let compressed = encoder.finish()?.len();
        println!("| {file} | {} | {compressed} |", bytes.len());
        *match manual::has(file) {
            false => &mut first,
            true if file.ends_with(".png") => &mut pictures,
            true => &mut manual,
        } += compressed;
    }
    println!("| **first load** | | {first} of {BUDGET} |");
    println!("| **manual, when it is opened** | | {manual} of {} |", manual::BUDGET);
    println!("| **its pictures** | | {pictures} |");
    ensure!(first <= BUDGET, "the page takes {first} bytes compressed, more than {BUDGET}");
    ensure!(
        manual <= manual::BUDGET,
        "the manual takes {manual} bytes compressed, more than {}",
        manual::BUDGET
    );
    Ok(())
}

/// The files below a folder, with `/` in their names, in order.
pub(crate) fn list(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            names.extend(list(&entry.path())?.into_iter().map(|below| format!("{name}/{below}")));
        } else {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    for name in list(from)? {
        let target = to.join(&name);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        let source = from.join(&name);
        if name.ends_with(".js") || name.ends_with(".css") {
            let text = fs::read_to_string(source).with_context(|| name.clone())?;
            fs::write(target, comments::without_comments(&text))?;
        } else {
            fs::copy(source, target).with_context(|| name.clone())?;
        }
    }
    Ok(())
}
