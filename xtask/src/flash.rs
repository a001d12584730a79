//! `cargo xtask flash BOARD`: puts an image on a board, through its USB drive or a debug probe, and
//! `cargo xtask logs BOARD`: shows what it logs.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use xtask::board::{BOARDS, Board, Upload};
use xtask::uf2;

use crate::image;

/// The file by which a drive says that it takes UF2 files, and for which board.
const INFO: &str = "INFO_UF2.TXT";

const PROBE_RS: &str = "probe-rs";

/// How this user gets the rights to a probe.
const RIGHTS: &str = "install the udev rules of https://probe.rs/docs/getting-started/probe-setup/ and plug \
                      it in again";

/// Builds a board's image and puts it on the board. The way is looked for first: building takes longer.
pub(crate) fn flash(board: &Board, named: Option<&Path>) -> Result<()> {
    let drive = match (id(board), named) {
        (None, Some(_)) => bail!(
            "the {} has no drive to copy to: leave out --drive, it is flashed through a debug probe",
            board.name()
        ),
        (None, None) => None,
        (Some(_), Some(folder)) => choose(board, vec![Drive::at(folder)?])?,
        (Some(_), None) => {
            choose(board, places()?.iter().filter_map(|place| Drive::at(place).ok()).collect())?
        }
    };
    if let Some(drive) = drive {
        println!("found the drive {} of a {}", drive.path.display(), drive.id);
        let file = image::make(board)?.with_file_name(board.name()).with_extension("uf2");
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let target = drive.path.join("corvid.uf2");
        write(&target, &bytes).map_err(|error| copy_error(&error, &drive))?;
        println!("copied {} bytes to {}; the board restarts", bytes.len(), target.display());
        return Ok(());
    }
    let probe = probe(PROBE_RS).with_context(|| missing(board))?;
    println!("found the debug probe {probe}");
    let elf = image::make(board)?;
    for words in [&["download", "--chip", board.chip, "--"][..], &["reset", "--chip", board.chip]] {
        let file = (words[0] == "download").then_some(&elf);
        let output = Command::new(PROBE_RS).args(words).args(file).output()?;
        ensure!(output.status.success(), judge(&said(&output)));
    }
    println!("flashed and restarted the {}", board.name());
    Ok(())
}

/// Shows the logs of a board with a debug probe, which runs the image that would be built now.
pub(crate) fn attach(board: &Board) -> Result<()> {
    let probe = probe(PROBE_RS).with_context(|| format!("the logs of the {}", board.name()))?;
    println!("found the debug probe {probe}");
    let elf = image::make(board)?;
    crate::run(Command::new(PROBE_RS).args(["attach", "--chip", board.chip]).arg(elf))
}

/// A drive that takes UF2 files.
#[derive(Debug, PartialEq, Eq)]
struct Drive {
    path: PathBuf,
    /// What its board calls itself.
    id: String,
}

impl Drive {
    fn at(folder: &Path) -> Result<Self> {
        let shown = folder.display();
        ensure!(
            folder.is_dir(),
            "there is no folder {shown}: name the one where the drive is mounted"
        );
        let text = fs::read_to_string(folder.join(INFO)).with_context(|| {
            format!("{shown} has no {INFO}, so it is no board's drive: name the folder where that is mounted")
        })?;
        let id = text.lines().find_map(|line| line.strip_prefix("Board-ID:"));
        let id = id.with_context(|| format!("{INFO} in {shown} names no board"))?;
        Ok(Self { path: folder.to_owned(), id: id.trim().to_owned() })
    }
}

/// What a board that takes UF2 files calls itself.
fn id(board: &Board) -> Option<&'static str> {
    match board.uf2()? {
        uf2::RP2040 => Some("RPI-RP2"),
        uf2::RP2350 => Some("RP2350"),
        _ => None,
    }
}

/// The board's drive among those that were found, if any was.
fn choose(board: &Board, drives: Vec<Drive>) -> Result<Option<Drive>> {
    let (mut fit, mut others) = (Vec::new(), Vec::new());
    for drive in drives {
        let list = if Some(drive.id.as_str()) == id(board) { &mut fit } else { &mut others };
        list.push(drive);
    }
    match (&fit[..], &others[..]) {
        ([one, two, ..], _) => bail!(
            "there are two drives, {} and {}: say which one with --drive DIR",
            one.path.display(),
            two.path.display()
        ),
        ([], [other, ..]) => {
            let (path, name) = (other.path.display(), board.name());
            match BOARDS.iter().find(|board| id(board) == Some(&other.id)) {
                Some(right) => bail!(
                    "the drive {path} is a {}, which does not start the {name}'s image: run `cargo xtask flash {}`",
                    right.name(),
                    right.name()
                ),
                None => bail!("the drive {path} is a {}, which Corvid has no image for", other.id),
            }
        }
        _ => Ok(fit.pop()),
    }
}

/// Where drives may be mounted.
fn places() -> Result<Vec<PathBuf>> {
    if cfg!(windows) {
        return Ok(('D'..='Z').map(|letter| format!("{letter}:\\").into()).collect());
    }
    if cfg!(target_os = "macos") {
        return Ok(fs::read_dir("/Volumes")?.flatten().map(|entry| entry.path()).collect());
    }
    Ok(mounted(&fs::read_to_string("/proc/mounts").context("cannot read /proc/mounts")?))
}

/// The folders of the FAT file systems in the kernel's list, which writes a space as `\040`.
fn mounted(list: &str) -> Vec<PathBuf> {
    let folder = |line: &str| {
        let mut fields = line.split(' ').skip(1);
        let (folder, kind) = (fields.next()?, fields.next()?);
        let plain = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
            .iter()
            .fold(folder.to_owned(), |text, (code, sign)| text.replace(code, sign));
        matches!(kind, "vfat" | "msdos" | "fuseblk").then(|| plain.into())
    };
    list.lines().filter_map(folder).collect()
}

/// Writes a file and waits until the drive has it.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn copy_error(error: &io::Error, drive: &Drive) -> anyhow::Error {
    let path = drive.path.display();
    let next = match error.kind() {
        io::ErrorKind::StorageFull => "delete what else is on it, or plug the board in again",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "mount it so that this user may write to it"
        }
        _ => "plug the board in again with BOOTSEL held",
    };
    anyhow::anyhow!("cannot copy to {path}: {error}: {next}")
}

/// What to do about a board that was not found.
fn missing(board: &Board) -> String {
    match board.name() {
        name if board.uf2().is_some() => format!(
            "no drive of a {name} is mounted: hold BOOTSEL while you plug it in, mount the drive, and \
             name it with --drive DIR if it is still not found; and no debug probe can be used"
        ),
        "lm3s6965evb" => {
            "the lm3s6965evb was not found (`cargo xtask run lm3s6965evb` needs none)".into()
        }
        name if board.upload == Some(Upload::Dfu) => format!(
            "no debug probe for the {name} (it needs none: `cargo xtask image {name}` makes a file for \
             dfu-util, and docs/boards/{name}.md says how to start the boot loader)"
        ),
        name if board.upload == Some(Upload::Hex) => format!(
            "the {name} was not found (`cargo xtask image {name}` makes a .hex file, which can be copied \
             to its drive instead)"
        ),
        name => format!("the {name} was not found"),
    }
}

/// The debug probe that is plugged in, as probe-rs describes it.
fn probe(probe_rs: impl AsRef<OsStr>) -> Result<String> {
    let output =
        Command::new(probe_rs).arg("list").output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => anyhow::anyhow!(
                "probe-rs is missing: install it with `cargo install probe-rs-tools --locked`"
            ),
            _ => anyhow::anyhow!("probe-rs does not start: {error}"),
        })?;
    listed(&said(&output))
}

fn said(output: &std::process::Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).join("\n")
}

/// The first usable probe in what `probe-rs list` says. Versions before 2026 leave out those without rights.
fn listed(text: &str) -> Result<String> {
    let mut probes = text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: "));
    match probes.clone().find(|(_, name)| !name.ends_with("(inaccessible)")) {
        Some((_, name)) => Ok(name.to_owned()),
        None => match probes.next() {
            Some((_, name)) => {
                bail!(
                    "this user may not use {}: {RIGHTS}",
                    name.trim_end_matches(" (inaccessible)")
                )
            }
            None => bail!("no debug probe was found: plug one in; if it is, {RIGHTS}"),
        },
    }
}

/// Why probe-rs has failed, in a sentence.
fn judge(text: &str) -> String {
    let small = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| small.contains(word));
    if has(&["permission denied", "access denied", "insufficient permissions", "inaccessible"]) {
        return format!("this user may not use the debug probe: {RIGHTS}");
    }
    if has(&["no connected probes", "probe was not found", "probe not found"]) {
        return "the debug probe is gone: plug it in and run this again".into();
    }
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let cause = lines().find_map(|line| line.strip_prefix("Error: ")).or(lines().next_back());
    format!(
        "probe-rs failed: {}: check the wires between probe and board, and the board's power",
        cause.unwrap_or("it does not say why").trim_end_matches('.')
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(name: &str) -> Board {
        Board::named(name).unwrap()
    }

    fn drive(path: &str, id: &str) -> Drive {
        Drive { path: path.into(), id: id.into() }
    }

    #[test]
    fn drives_are_found_in_the_list_of_mounts() {
        let list = "/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /media/me/RPI-RP2 vfat rw 0 0\n\
                    /dev/sdc1 /media/my\\040self/RP2350 vfat rw 0 0\nbroken\n";
        let folders = ["/media/me/RPI-RP2", "/media/my self/RP2350"].map(PathBuf::from);
        assert_eq!(mounted(list), folders);
    }

    #[test]
    fn the_boards_own_drive_is_chosen() {
        let drives = || vec![drive("/a", "RPI-RP2"), drive("/b", "RP2350")];
        assert_eq!(choose(&board("pico"), drives()).unwrap(), Some(drive("/a", "RPI-RP2")));
        assert_eq!(choose(&board("pico2"), drives()).unwrap(), Some(drive("/b", "RP2350")));
        assert_eq!(choose(&board("pico"), Vec::new()).unwrap(), None);
    }

    #[test]
    fn two_drives_and_those_of_other_boards_are_refused() {
        let refused = |drives| choose(&board("pico"), drives).unwrap_err().to_string();
        assert_eq!(
            refused(vec![drive("/a", "RPI-RP2"), drive("/b", "RPI-RP2")]),
            "there are two drives, /a and /b: say which one with --drive DIR"
        );
        assert_eq!(
            refused(vec![drive("/b", "RP2350")]),
            "the drive /b is a pico2, which does not start the pico's image: run `cargo xtask flash pico2`"
        );
        assert_eq!(
            refused(vec![drive("/c", "SAMD21")]),
            "the drive /c is a SAMD21, which Corvid has no image for"
        );
    }

    #[test]
    fn a_failed_copy_names_the_next_step() {
        let error =
            |kind: io::ErrorKind| copy_error(&kind.into(), &drive("/a", "RPI-RP2")).to_string();
        assert!(error(io::ErrorKind::StorageFull).contains("delete what else is on it"));
        assert!(error(io::ErrorKind::ReadOnlyFilesystem).contains("may write to it"));
        assert!(error(io::ErrorKind::Other).contains("plug the board in again"));
    }

    #[test]
    fn probes_are_told_from_none_and_from_those_without_rights() {
        let link = "[0]: STLink V2-1 -- 0483:374b:0668 (ST-LINK)";
        let found = format!("The following debug probes were found:\n{link}\n");
        assert_eq!(listed(&found).unwrap(), "STLink V2-1 -- 0483:374b:0668 (ST-LINK)");
        let error = |text: &str| listed(text).unwrap_err().to_string();
        assert!(
            error("No debug probes were found.\n")
                .starts_with("no debug probe was found: plug one in")
        );
        let rights = error(&format!("{link} (inaccessible)\n"));
        assert!(
            rights.starts_with(
                "this user may not use STLink V2-1 -- 0483:374b:0668 (ST-LINK): install"
            )
        );
        assert!(rights.contains("udev rules"), "{rights}");
        let missing = probe("no-such-probe-rs").unwrap_err().to_string();
        assert!(missing.ends_with("`cargo install probe-rs-tools --locked`"), "{missing}");
    }

    #[test]
    fn what_probe_rs_complains_about_becomes_a_sentence() {
        assert!(
            judge("Error: USB error\n 0: Permission denied (os error 13)").contains("udev rules")
        );
        assert!(
            judge("Error: No connected probes were found.").starts_with("the debug probe is gone")
        );
        assert_eq!(
            judge("WARN x\nError: Connecting to the chip was unsuccessful.\n"),
            "probe-rs failed: Connecting to the chip was unsuccessful: check the wires between probe and \
             board, and the board's power"
        );
        assert!(judge("").contains("it does not say why"));
    }
}
