//! `cargo xtask release`: everything that is published, in one folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use xtask::board::{BOARDS, Board, Upload, VERSION, cargo, flags_for, same_everywhere};
use xtask::{dfu, hex, root, target, uf2};

use crate::sbom::{self, Product};
use crate::{image, run, web};

/// The folder that is published, in the workspace's.
const FOLDER: &str = "dist";
const SUMS: &str = "SHA256SUMS";
const NOTES: &str = "NOTES.md";
/// Digits of the commit, as many as the start screen has room for.
const DIGITS: usize = 7;

/// Builds the release of a clean tree and prints a table of its files.
pub(crate) fn make() -> Result<()> {
    ensure_clean(&git(&["status", "--porcelain"])?)?;
    let release = Release::new(env!("CARGO_PKG_VERSION"), &git(&["rev-parse", "HEAD"])?)?;
    let version = release.version();
    let folder = root().join(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for board in &BOARDS {
        println!("\n== image for {}", board.name());
        let path = image::make_as(board, Some(&version))?;
        let elf = fs::read(&path).with_context(|| path.display().to_string())?;
        ensure_named(&elf, &version, board.name())?;
        fs::write(folder.join(release.file(board.name(), "elf")), &elf)?;
        let write = |ending, bytes: Vec<u8>| {
            fs::write(folder.join(release.file(board.name(), ending)), bytes)
        };
        match board.upload {
            Some(Upload::Uf2(family)) => write("uf2", uf2::from_elf(&elf, family)?)?,
            Some(Upload::Dfu) => write("dfu", dfu::from_elf(&elf)?)?,
            Some(Upload::Hex) | None => write("hex", hex::from_elf(&elf)?.into_bytes())?,
        }
        write_bill(&folder, &release, board.name(), &Product::Image(*board))?;
    }
    println!("\n== page for the browser");
    web::build_as(Some(&version))?;
    ensure_named(&fs::read(web::folder().join("corvid_bg.wasm"))?, &version, "the page")?;
    fs::write(folder.join(release.file("page", "tar.gz")), archive(&web::folder())?)?;
    write_bill(&folder, &release, "page", &Product::Page)?;
    println!("\n== command line");
    let host = target::host()?;
    let program = build_host(&host, &version)?;
    ensure_named(&fs::read(&program)?, &version, &host)?;
    let suffix = std::env::consts::EXE_SUFFIX;
    // A copy can be executed too.
    fs::copy(program, folder.join(format!("{}{suffix}", release.stem(&host))))?;
    write_bill(&folder, &release, &host, &Product::CommandLine)?;
    let changes = fs::read_to_string(root().join("CHANGELOG.md"))?;
    fs::write(folder.join(NOTES), notes(&changes, &version)?)?;

    let files = sums(&folder)?;
    let list: String = files.iter().map(|(name, _, sum)| format!("{sum}  {name}\n")).collect();
    fs::write(folder.join(SUMS), list)?;
    println!("\n{version} in {}\n\n{}", folder.display(), table(&files));
    Ok(())
}

/// Makes the release twice, in clones of the last commit in two folders, and compares the bytes.
pub(crate) fn check() -> Result<()> {
    let folder = root().join("target/release-check");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    // Neither depth nor length of the folder may matter.
    let clones = [folder.join("one"), folder.join("another/one")];
    for clone in &clones {
        println!("\n== release in {}", clone.display());
        run(Command::new("git").args(["clone", "--quiet"]).arg(root()).arg(clone))?;
        let mut release = cargo();
        release.args(["xtask", "release"]).current_dir(clone).env_remove("CARGO_TARGET_DIR");
        run(&mut release)?;
    }
    let [one, other] = clones.map(|clone| sums(&clone.join(FOLDER)));
    let (one, other) = (one?, other?);
    ensure_same(&one, &other)?;
    println!("\nboth clones gave the same bytes in {} files", one.len());
    Ok(())
}

/// Fails when an image has other bytes if a copy of this tree in another folder is built: a release, but
/// of one board alone, and of a tree that need not be clean.
pub(crate) fn check_copy() -> Result<()> {
    let board = Board::named("lm3s6965evb")?;
    let folder = root().join("target/copy/of-the-workspace");
    let listed = git(&["ls-files", "--cached", "--others", "--exclude-standard"])?;
    for name in listed.lines() {
        let (from, to) = (root().join(name), folder.join(name));
        // A file that was deleted is listed until that is committed.
        let Ok(bytes) = fs::read(from) else { continue };
        // A file that is written again is compiled again.
        if fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        fs::create_dir_all(to.parent().context("no folder")?)?;
        fs::write(to, bytes)?;
    }
    let here = fs::read(board.build()?)?;
    let there = fs::read(board.build_in(&folder, None)?)?;
    ensure!(
        here == there,
        "the image for {} has other bytes in {}: compare its ELF files (does it hold a path?)",
        board.name(),
        folder.display()
    );
    println!("{} has the same {} bytes in two folders", board.name(), here.len());
    Ok(())
}

/// What a release is called.
#[derive(Debug)]
struct Release {
    number: String,
    commit: String,
}

impl Release {
    fn new(number: &str, head: &str) -> Result<Self> {
        let commit = head.trim().get(..DIGITS).context("git names no commit")?;
        Ok(Self { number: number.to_owned(), commit: format!("g{commit}") })
    }

    /// As programs and the device print it.
    fn version(&self) -> String {
        format!("{}+{}", self.number, self.commit)
    }

    /// The name of a file, without its ending. Without the plus sign, which addresses encode.
    fn stem(&self, what: &str) -> String {
        format!("corvid-{what}-{}-{}", self.number, self.commit)
    }

    fn file(&self, what: &str, ending: &str) -> String {
        format!("{}.{ending}", self.stem(what))
    }
}

/// Fails when the tree is not what is committed, for then the commit would not say what was built.
fn ensure_clean(status: &str) -> Result<()> {
    let changed: Vec<&str> = status.lines().filter_map(|line| line.get(3..)).collect();
    match changed[..] {
        [] => Ok(()),
        [one] => bail!("{one} is not committed: commit or stash it, then run this again"),
        [one, ..] => bail!(
            "{one} and {} more are not committed: commit or stash them, then run this again",
            changed.len() - 1
        ),
    }
}

/// Fails when a program does not hold its version, as one that was not compiled again would.
fn ensure_named(program: &[u8], version: &str, name: &str) -> Result<()> {
    let holds = program.windows(version.len()).any(|bytes| bytes == version.as_bytes());
    ensure!(holds, "the program for {name} does not name {version}");
    Ok(())
}

/// Builds the command line for this system.
fn build_host(triple: &str, version: &str) -> Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--package", "corvid", "--release", "--target", triple]);
    build.args(["--config", &flags_for(triple, &same_everywhere(&root()))]);
    // Rust's own library has tables for a debugger.
    build.args(["--config", "profile.release.strip=\"debuginfo\""]);
    run(build.env(VERSION, version).env_remove("CARGO_TARGET_DIR"))?;
    let name = format!("corvid{}", std::env::consts::EXE_SUFFIX);
    Ok(root().join("target").join(triple).join("release").join(name))
}

fn write_bill(folder: &Path, release: &Release, name: &str, product: &Product) -> Result<()> {
    let mut bill = sbom::document(product)?;
    bill["metadata"]["component"]["version"] = release.version().into();
    Ok(fs::write(folder.join(release.file(name, "cdx.json")), format!("{bill:#}\n"))?)
}

/// The newest section of the changelog, under the release's version.
fn notes(changes: &str, version: &str) -> Result<String> {
    let mut sections = changes.split("\n## ").skip(1);
    let newest = sections.next().context("CHANGELOG.md has no section")?;
    let (_, text) = newest.split_once('\n').context("CHANGELOG.md has an empty section")?;
    ensure!(!text.trim().is_empty(), "the newest section of CHANGELOG.md is empty: fill it in");
    Ok(format!("# Corvid {version}\n\n{}\n", text.trim()))
}

/// A compressed archive of a folder, without times and owners.
fn archive(folder: &Path) -> Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    for name in web::list(folder)? {
        let bytes = fs::read(folder.join(&name)).with_context(|| name.clone())?;
        gzip.write_all(&tar_header(&name, bytes.len())?)?;
        gzip.write_all(&bytes)?;
        gzip.write_all(&vec![0; bytes.len().next_multiple_of(TAR_BLOCK) - bytes.len()])?;
    }
    gzip.write_all(&[0; 2 * TAR_BLOCK])?;
    Ok(gzip.finish()?)
}

const TAR_BLOCK: usize = 512;

/// The header of a file in a tar archive, as POSIX has it.
fn tar_header(name: &str, length: usize) -> Result<[u8; TAR_BLOCK]> {
    let mut header = [0; TAR_BLOCK];
    ensure!(name.len() < 100, "'{name}' is too long a name for the archive");
    let length = format!("{length:011o}");
    let fields = [
        (0, name),
        (100, "0000644"),
        (108, "0000000"),
        (116, "0000000"),
        (124, &length),
        (136, "00000000000"),
        // The sum is made with spaces in its own place.
        (148, "        "),
        (156, "0"),
        (257, "ustar\x0000"),
    ];
    for (at, text) in fields {
        header[at..at + text.len()].copy_from_slice(text.as_bytes());
    }
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

/// The files of a folder: name, length and SHA-256, without the list of the sums itself.
fn sums(folder: &Path) -> Result<Vec<(String, usize, String)>> {
    let names = web::list(folder)?.into_iter().filter(|name| name != SUMS);
    let entry = |name: String| {
        let bytes = fs::read(folder.join(&name)).with_context(|| name.clone())?;
        let sum = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok((name, bytes.len(), sum))
    };
    names.map(entry).collect()
}

fn table(files: &[(String, usize, String)]) -> String {
    let row = |(name, length, sum): &(String, usize, String)| {
        format!("| `{name}` | {length} | `{sum}` |\n")
    };
    let rows: String = files.iter().map(row).collect();
    format!("| file | bytes | SHA-256 |\n|---|---|---|\n{rows}")
}

/// Fails when two lists of files differ, and names the first that does.
fn ensure_same(one: &[(String, usize, String)], other: &[(String, usize, String)]) -> Result<()> {
    for (a, b) in one.iter().zip(other) {
        ensure!(a == b, "the two releases differ in {} and {}", a.0, b.0);
    }
    ensure!(
        one.len() == other.len(),
        "the two releases have {} and {} files",
        one.len(),
        other.len()
    );
    Ok(())
}

fn git(words: &[&str]) -> Result<String> {
    let output = Command::new("git").args(words).current_dir(root()).output();
    let output = output.context("git does not start: a release names its commit")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "git {}: {}", words.join(" "), complaint.trim());
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_board_version_and_commit_in_their_names() {
        let release = Release::new("0.1.0", "1234abcdef\n").unwrap();
        assert_eq!(release.version(), "0.1.0+g1234abc");
        assert_eq!(release.file("pico2", "uf2"), "corvid-pico2-0.1.0-g1234abc.uf2");
        assert!(Release::new("0.1.0", "").is_err());
    }

    #[test]
    fn a_tree_with_changes_is_refused_with_what_to_do() {
        assert!(ensure_clean("").is_ok());
        let one = ensure_clean(" M core/src/gtp.rs\n").unwrap_err().to_string();
        assert_eq!(
            one,
            "core/src/gtp.rs is not committed: commit or stash it, then run this again"
        );
        let three = ensure_clean(" M a.rs\n?? b.rs\nD  c.rs\n").unwrap_err().to_string();
        assert!(three.starts_with("a.rs and 2 more are not committed"), "{three}");
    }

    #[test]
    fn the_notes_are_the_newest_section() {
        let text =
            "# Changelog\n\nWords.\n\n## [0.2.0]\n\n### Added\n- This.\n\n## [0.1.0]\n- That.\n";
        let notes = notes(text, "0.2.0+g1").unwrap();
        assert_eq!(notes, "# Corvid 0.2.0+g1\n\n### Added\n- This.\n");
        for bad in ["# Changelog\n", "# Changelog\n\n## [0.2.0]\n\n## [0.1.0]\n- That.\n"] {
            assert!(super::notes(bad, "0.2.0").is_err(), "{bad}");
        }
        let real = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
        super::notes(&real, "0.1.0").unwrap();
    }

    #[test]
    fn a_program_without_its_version_is_refused() {
        assert!(ensure_named(b"...0.1.0+g1234abc...", "0.1.0+g1234abc", "pico").is_ok());
        let error = ensure_named(b"...0.1.0...", "0.1.0+g1234abc", "pico").unwrap_err();
        assert_eq!(error.to_string(), "the program for pico does not name 0.1.0+g1234abc");
    }

    /// A folder of its own, which goes with the test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("corvid-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("below")).unwrap();
        fs::write(folder.join("a.txt"), "abc").unwrap();
        fs::write(folder.join("below/b.bin"), [7; 600]).unwrap();
        folder
    }

    #[test]
    fn tar_reads_the_archive() {
        let folder = folder("archive");
        let file = folder.with_extension("tar.gz");
        fs::write(&file, archive(&folder).unwrap()).unwrap();
        let tar = |words: &[&str]| {
            let output = Command::new("tar").args(words).arg("-f").arg(&file).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            output.stdout
        };
        assert_eq!(tar(&["-tz"]), b"a.txt\nbelow/b.bin\n");
        assert_eq!(tar(&["-xzO"]), [&b"abc"[..], &[7; 600]].concat());
        fs::remove_file(file).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn sums_tell_releases_apart() {
        let folder = folder("sums");
        fs::write(folder.join(SUMS), "not a file of the release").unwrap();
        let one = sums(&folder).unwrap();
        // The example of the standard, FIPS 180-2.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(one[0], ("a.txt".to_owned(), 3, abc.to_owned()));
        assert!(table(&one).ends_with(&format!("| `below/b.bin` | 600 | `{}` |\n", one[1].2)));
        assert!(ensure_same(&one, &one.clone()).is_ok());
        assert!(ensure_same(&one, &one[..1]).is_err());
        fs::write(folder.join("below/b.bin"), [8; 600]).unwrap();
        let error = ensure_same(&one, &sums(&folder).unwrap()).unwrap_err().to_string();
        assert_eq!(error, "the two releases differ in below/b.bin and below/b.bin");
        fs::remove_dir_all(folder).unwrap();
    }
}
