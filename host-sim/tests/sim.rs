//! The simulator without a terminal: scripts, pictures, and the serial port as a pseudo-terminal.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

fn corvid(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_corvid")).args(words).output().unwrap()
}

/// A scenario of `tests/scenarios/`.
fn scenario(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/scenarios").join(name);
    path.to_str().unwrap().into()
}

/// Runs a command that must succeed.
fn done(words: &[&str]) {
    let output = corvid(words);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {complaint}");
}

/// Runs a command that must fail with this status, and returns its error message.
fn complaint(words: &[&str], status: i32) -> String {
    let output = corvid(words);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{words:?}: {complaint}");
    complaint
}

/// A folder with a script in it.
fn script(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script.txt");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().into();
    (folder, path)
}

/// Width, height, and the number of frames of an animation.
fn picture(path: &Path) -> (u32, u32, u32) {
    let file = std::io::BufReader::new(fs::File::open(path).unwrap());
    let reader = png::Decoder::new(file).read_info().unwrap();
    let info = reader.info();
    (info.width, info.height, info.animation_control.map_or(1, |control| control.num_frames))
}

#[test]
fn every_scenario_runs_on_either_board() {
    let mut count = 0;
    for entry in fs::read_dir(scenario("")).unwrap() {
        let path = entry.unwrap().path();
        for board in ["pico", "lm3s6965evb"] {
            done(&["sim", "--headless", "--board", board, "--script", path.to_str().unwrap()]);
        }
        count += 1;
    }
    assert!(count >= 6, "{count} scenarios");
}

#[test]
fn with_a_seed_a_run_is_always_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let film = |name: &str| -> Vec<u8> {
        let path: PathBuf = folder.path().join(name);
        let script = scenario("dots.txt");
        let words = ["sim", "--headless", "--script", &script, "--seed", "7", "--animation"];
        done(&[&words[..], &[path.to_str().unwrap()]].concat());
        let (_, _, pictures) = picture(&path);
        assert!(pictures > 20, "{pictures}");
        fs::read(path).unwrap()
    };
    assert!(film("one.png") == film("two.png"), "every picture and every delay is the same");
}

#[test]
fn runs_without_a_terminal_leave_the_users_folder_alone() {
    let home = tempfile::tempdir().unwrap();
    let (_folder, path) =
        script("expect five games\nserial play b d3\nexpect-serial =\nwait 500\n");
    let pictures = tempfile::tempdir().unwrap();
    let pictures = pictures.path().to_str().unwrap();
    for words in [
        &["sim", "--headless", "--script", &path][..],
        &["--headless", "--script", &path],
        &["--pictures", pictures],
        &["--headless", "--script", &path, "--no-save"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_corvid"));
        let output = command.args(words).env("HOME", home.path()).env_remove("XDG_DATA_HOME");
        let output = output.current_dir(pictures).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{words:?}: {output:?}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "{words:?}");
    }
}

#[test]
fn a_screenshot_is_the_display_four_times_as_large() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("screen.png");
    done(&["sim", "--headless", "--screenshot", path.to_str().unwrap()]);
    assert_eq!(picture(&path), (4 * (128 + 4), 4 * (64 + 4), 1), "with a margin of two pixels");
}

#[test]
fn keys_and_serial_port_work_while_the_device_is_busy() {
    let text = "expect five games\nserial 1 name\nserial 2 perft 12\nexpect-serial =1 Corvid\n\
                press select\nexpect Watch\npress down\nexpect Rules\n";
    let (_folder, path) = script(text);
    done(&["sim", "--headless", "--script", &path]);
}

#[test]
fn a_serial_line_is_seen_on_the_display() {
    // With a game in progress the menu starts at Resume.
    let text = "expect five games\nserial play b d3\nexpect-serial =\npress select\n\
                expect Resume\npress select\nexpect d3\nserial moves\nexpect-serial = d3\n\
                restart new\nexpect five games\nserial 7 moves\nexpect-serial =7\n";
    let (_folder, path) = script(text);
    done(&["sim", "--headless", "--script", &path]);
}

#[test]
fn a_saved_game_is_there_after_the_power_was_off_and_in_the_next_run() {
    let text = "expect five games\npress select\npress select\npress up\npress select\n\
                expect black begins\npress select\nwait 2000\nrestart\n\
                expect five games\nserial moves\nexpect-serial = d3\n";
    let (folder, path) = script(text);
    let save = folder.path().join("saved");
    let save = save.to_str().unwrap();
    done(&["sim", "--headless", "--save", save, "--script", &path]);
    let size = fs::metadata(save).unwrap().len();
    assert_eq!(size, 64 * 1024, "the Pico's part of its flash");

    fs::write(&path, "expect five games\npress select\npress select\nexpect last\n").unwrap();
    done(&["sim", "--headless", "--save", save, "--script", &path]);
    fs::write(
        &path,
        "expect five games\nserial reboot\nwait 500\npress up\nwait 2000\nserial moves\n\
         expect-serial = d3\n",
    )
    .unwrap();
    done(&["sim", "--headless", "--save", save, "--script", &path]);

    fs::write(save, "my diary").unwrap();
    let text = complaint(&["sim", "--headless", "--save", save, "--script", &path], 1);
    assert!(text.contains("holds something else"), "{text}");
    assert_eq!(fs::read(save).unwrap(), b"my diary");
}

/// CRC-32 as in Ethernet.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| match sum & 1 {
            1 => sum >> 1 ^ 0xEDB8_8320,
            _ => sum >> 1,
        })
    })
}

/// Saves a game and makes it look as if version 9 had: see docs/saved-games.md.
fn save_of_another_version(save: &str, path: &str) -> Vec<u8> {
    fs::write(path, "expect five games\nserial new othello\nserial play b d3\nwait 500\n").unwrap();
    done(&["sim", "--headless", "--save", save, "--script", path]);
    let mut bytes = fs::read(save).unwrap();
    for page in bytes.chunks_mut(4096).filter(|page| page.starts_with(b"CRVD")) {
        page[4] = 9;
        let sum = crc(&page[..12]);
        page[12..16].copy_from_slice(&sum.to_le_bytes());
    }
    fs::write(save, &bytes).unwrap();
    bytes
}

#[test]
fn another_versions_save_is_kept_until_somebody_gives_it_up() {
    let (folder, path) = script("");
    let save = folder.path().join("saved");
    let save = save.to_str().unwrap();
    let run = |text: &str| {
        fs::write(&path, text).unwrap();
        done(&["sim", "--headless", "--save", save, "--script", &path]);
    };

    // By the menu, in two presses; until then nothing is written.
    let old = save_of_another_version(save, &path);
    run("expect save has version 9\nserial play b f5\nexpect-serial =\npress select\npress up\n\
         press up\nexpect discard\npress select\nexpect sure?\npress down\npress up\n\
         expect discard\nwait 500\nserial stats\nexpect-serial another version (9)\n");
    assert!(fs::read(save).unwrap() == old, "the save has changed");
    run("expect save has version 9\nserial play b f5\nexpect-serial =\npress select\npress up\n\
         press up\nexpect Old save\npress select\nexpect sure?\npress select\n\
         expect New game\nwait 500\nexpect-not Old save\nrestart\nexpect press a key\n\
         serial moves\nexpect-serial = f5\nserial stats\nexpect-serial saving yes\n");

    // By the serial port.
    save_of_another_version(save, &path);
    run("expect save has version 9\nserial discard\nexpect-serial ? it deletes\n\
         serial discard yes\nexpect discard? press a key\nwait 500\npress up\nexpect-serial =\nserial stats\nexpect-serial saving yes\n\
         serial discard yes\nexpect-serial ? there is no\nserial play b f5\nwait 500\n\
         restart\nexpect press a key\nserial moves\nexpect-serial = f5\n");
}

#[test]
fn the_pictures_of_the_manual_are_those_of_either_device() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/screens");
    let names = |folder: &Path| {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    };
    let text = fs::read_to_string(manual.with_extension("md")).unwrap();
    for name in names(&manual) {
        let file = name.to_str().unwrap();
        assert!(text.contains(&format!("(screens/{file})")), "docs/screens.md lacks {file}");
    }
    for board in ["pico", "lm3s6965evb"] {
        let folder = tempfile::tempdir().unwrap();
        done(&["sim", "--board", board, "--pictures", folder.path().to_str().unwrap()]);
        if board == "pico" {
            assert_eq!(names(folder.path()), names(&manual), "{board}");
        }
        // What a search with a time limit finds changes with every improvement.
        let shown = names(folder.path());
        assert!(shown.len() > 40, "{board} has few screens: {shown:?}");
        for name in shown.iter().filter(|name| *name != "thinking.png") {
            let drawn = |folder: &Path| fs::read(folder.join(name)).unwrap();
            let command = "cargo run --release -- sim --pictures docs/screens";
            let differs = drawn(&manual) != drawn(folder.path());
            assert!(!differs, "{} is not what the {board} shows: {command}", name.display());
        }
    }
}

#[test]
fn golden_pictures_are_compared() {
    let (folder, path) = script("expect five games\nexpect-screen start\n");
    let golden = folder.path().join("golden");
    let golden = golden.to_str().unwrap();
    let words = ["sim", "--headless", "--script", &path, "--golden", golden];
    let text = complaint(&words, 1);
    assert!(text.contains("UPDATE_GOLDEN=1 makes"), "{text}");

    let mut update = Command::new(env!("CARGO_BIN_EXE_corvid"));
    assert!(update.args(words).env("UPDATE_GOLDEN", "1").status().unwrap().success());
    done(&words);

    fs::write(&path, "expect five games\npress select\nwait 200\nexpect-screen start").unwrap();
    let text = complaint(&words, 1);
    assert!(text.contains("line 4: the display is not"), "{text}");
}

#[test]
fn a_script_that_fails_tells_the_line_the_cause_and_the_display() {
    let (_folder, path) = script("wait 100\n\nexpect nevermore\n");
    let text = complaint(&["sim", "--headless", "--script", &path], 1);
    assert!(text.contains("script.txt: line 3: no 'nevermore' on the display"), "{text}");
    assert!(text.lines().count() > 30 && text.contains('█'), "{text}");

    let (_folder, path) = script("press select\npress pause\n");
    let text = complaint(&["sim", "--headless", "--script", &path], 1);
    assert!(text.contains("script.txt: line 2: there is no key 'pause'"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");

    let text = complaint(&["sim", "--headless", "--script", "/no/such/file"], 1);
    assert!(text.contains("script /no/such/file: "), "{text}");
    let (_folder, path) = script("wait 100\n");
    let words = ["sim", "--headless", "--script", &path, "--screenshot", "/no/such/folder/x.png"];
    assert!(complaint(&words, 1).contains("picture "), "it can't be written");
}

#[test]
fn options_that_make_no_sense_are_refused() {
    for (words, cause) in [
        (&["sim", "--headless"][..], "nothing to do"),
        (&["sim", "--board", "arduino"], "pico, lm3s6965evb"),
        (&["sim", "--speed", "0"], "0.01 to 1000"),
        (&["sim", "--speed", "fast"], "0.01 to 1000"),
        (&["sim", "--script", "x"], "--headless"),
        (&["sim", "--screenshot", "x"], "--headless"),
        (&["sim", "--headless", "--pty", "--script", "x"], "cannot be used with"),
        (&["sim", "--board", "lm3s6965evb", "--save", "x"], "can't save"),
        (&["sim", "--headless", "--pictures", "x"], "cannot be used with"),
        (&["--save", "x", "--no-save"], "cannot be used with"),
        (&["--save", "x", "sim"], "cannot be used with"),
        (&["--board", "lm3s6965evb", "--save", "x"], "can't save"),
        (&["--headless"], "nothing to do"),
        (&["sim", "--headless", "--script", "x", "--speed", "2"], "cannot be used with"),
    ] {
        let text = complaint(words, 2);
        assert!(text.contains(cause), "{words:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{words:?}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn the_serial_port_is_a_pseudo_terminal_for_other_programs() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::Stdio;

    let mut device = Command::new(env!("CARGO_BIN_EXE_corvid"))
        .args(["sim", "--headless", "--pty"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut path = String::new();
    BufReader::new(device.stdout.take().unwrap()).read_line(&mut path).unwrap();
    let path = path.trim_end();
    // Twice: programs come and go.
    for _ in 0..2 {
        let mut port = fs::File::options().read(true).write(true).open(path).unwrap();
        port.write_all(b"name\n").unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\n\n") {
            let mut chunk = [0; 64];
            let count = port.read(&mut chunk).unwrap();
            answer.extend_from_slice(&chunk[..count]);
        }
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.contains("= Corvid"), "{answer}");
    }
    // A whole match, as against a board on a cable.
    let engine = format!("{} gtp dots --size 2x2 --level 1", env!("CARGO_BIN_EXE_corvid"));
    let game = ["--game", "dots 2x2", "--level", "1", "--engine", &engine];
    let words = [&["connect", path, "--referee", "--games", "2"][..], &game].concat();
    let played = String::from_utf8(corvid(&words).stdout).unwrap();
    assert_eq!(played.matches("played to the end").count(), 2, "{played}");

    let id = device.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(device.wait().unwrap().code(), Some(0));
}
