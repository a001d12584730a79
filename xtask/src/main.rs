//! `cargo xtask`: the project's chores.

mod baseline;
mod check;
mod deny;
mod emulate;
mod flash;
mod fuzz;
mod image;
mod instructions;
mod memory;
mod names;
mod package;
mod panic_list;
mod performance;
mod plot;
mod release;
mod reliability;
mod sbom;
mod setup;
mod slowest;
mod web;
mod wiring;

use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use xtask::board::{Board, cargo};

use crate::sbom::Product;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  setup         install what the tests need: compiler targets, QEMU, the Pico emulator, Chromium
  test          set up, then check everything: format, lints, images, unit and end-to-end tests
  image BOARD   build a board's image: ELF, what its own boot loader takes (UF2, DFU or HEX), and its
                size; adds the compiler's target if it is missing
  flash BOARD   build a board's image and put it on the board: copy the UF2 file to the drive that a
                Pico shows with BOOTSEL held, or else use probe-rs and a debug probe
  flash BOARD --drive DIR
                do the same with the drive mounted at DIR
  logs BOARD    show what a board logs: the LM3S6965 in its emulator, others through a debug probe
  deny          check that deny.toml allows the licences, sources and versions of all dependencies
  sbom [BOARD]  print what is linked into the command line, or into a board's image, as CycloneDX 1.5
  sbom page     print the same for the page
  games         print the table of core/README.md: the flash that each game takes in a program of its own
  package       make the packages that are published, offline, and check every game on its own
  memory        print docs/memory.md: what every part of the images takes
  stack [PART]  print the deepest paths of calls in the LM3S6965's image, function by function; with
                PART, only those that begin at functions with PART in their names
  panics        compare the images with the list of calls that can panic, and print docs/panics.md
  panics BOARD  print where a board's image can panic: by package, and then every call with its
                line and the functions it is inlined in
  reliability   run the tests against faults, garbage and time, and print docs/reliability.md (minutes;
                `reliability long` gives them more to do: an hour or more)
  measure       print the figures of docs/search.md and fail when a must is missed (about half an
                hour; `measure quick` leaves out what takes long: a minute or two; `measure WORD`
                prints the rows with WORD in their first column)
  measure device
                print how soon the device starts and answers, and its stack (minutes)
  measure baseline
                print what the games cost in instructions on three cores, and what the images take, each
                with its change since benches/baseline.toml; fail when a figure has risen by more than 2 %
  measure record
                write these figures into benches/baseline.toml and docs/performance.md, and draw its plots
  measure fpga  print the boards' table of docs/fpga.md (minutes)
  fuzz [TARGET] [SECONDS]
                run the fuzz targets of tests/fuzz, or one of them, for a minute each by default,
                and print how many inputs they took
  web           build the page for the browser into target/page and print its size
  web --serve [--port N]
                build it and serve it on this computer (by default on port 8000)
  web --serve-built
                serve what was built before, on any free port
  web --test    play it in Chromium, as `test` does
  web --pictures
                take the pictures of docs/web.md
  wiring        write the wiring table of every page in docs/boards, its drawing, and the circuit for Wokwi,
                from the table at the head of the board's file
  release       build every board's image, the page and the command line into dist, with checksums, bills
                of materials and notes
  release --check
                build the release twice, in clones in two folders, and compare the bytes (half an hour)
  run BOARD     start the image of pico or lm3s6965evb in its emulator, with its serial port in this
                terminal, and for the Pico also its display and the simulator's keys

boards: pico, lm3s6965evb, nucleo-f411re, blackpill-f411, nrf52840-dk, microbit-v2, pico2";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["setup"] => setup::run_setup(),
        ["test"] => check::run_all(),
        ["deny"] => deny::check(),
        ["sbom"] => sbom::print(&Product::CommandLine),
        ["sbom", name] => Product::named(name).and_then(|product| sbom::print(&product)),
        ["games"] => package::print_sizes(),
        ["package"] => package::check(),
        ["memory"] => memory::print(),
        ["reliability"] => setup::run_setup().and_then(|()| reliability::print(false)),
        ["reliability", "long"] => setup::run_setup().and_then(|()| reliability::print(true)),
        ["stack"] => memory::print_paths(None),
        ["stack", part] => memory::print_paths(Some(part)),
        ["measure"] => setup::run_setup().and_then(|()| run(&mut bench("figures"))),
        ["measure", "device"] => setup::run_setup().and_then(|()| run(&mut bench("device"))),
        ["measure", "fpga"] => setup::run_setup().and_then(|()| run(&mut bench("fpga"))),
        ["measure", "baseline"] => baseline::print(),
        ["measure", "record"] => baseline::record(),
        ["measure", word] => {
            setup::run_setup().and_then(|()| run(bench("figures").args(["--", word])))
        }
        ["fuzz", ref words @ ..] => fuzz::run(words),
        ["web"] => web::build(),
        ["web", "--serve-built"] => web::serve_built(),
        ["web", "--test"] => web::test(),
        ["web", "--pictures"] => web::take_pictures(),
        ["web", "--serve"] => web::serve(8000),
        ["web", "--serve", "--port", port] => {
            port.parse().with_context(|| format!("'{port}' is no port")).and_then(web::serve)
        }
        ["panics"] => panic_list::print_document(),
        ["panics", name] => panic_list::print(name),
        ["image", name] => Board::named(name).and_then(|board| image::make(&board).map(|_| ())),
        ["flash", name] => Board::named(name).and_then(|board| flash::flash(&board, None)),
        ["flash", name, "--drive", folder] => {
            Board::named(name).and_then(|board| flash::flash(&board, Some(folder.as_ref())))
        }
        ["logs", name] => Board::named(name).and_then(|board| match board.name() {
            "lm3s6965evb" => emulate::show_logs(&board),
            _ => flash::attach(&board),
        }),
        ["wiring"] => wiring::write(),
        ["release"] => release::make(),
        ["release", "--check"] => release::check(),
        ["run", name] => Board::named(name).and_then(|board| emulate::run_board(&board)),
        // For cargo, not for people: `test` runs every test binary through it.
        ["run-tests", binary, ref words @ ..] => slowest::run_binary(binary, words),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => {
            eprintln!("{}", mistake(&words));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// What to say about words that are no command: all commands only where none is meant.
fn mistake(words: &[&str]) -> String {
    let Some(command) = words.first() else { return USAGE.into() };
    let entries = USAGE.lines().filter_map(|line| line.strip_prefix("  "));
    let forms = entries.filter_map(|line| line.split("  ").next());
    let forms: Vec<&str> = forms.filter(|form| form.split(' ').next() == Some(*command)).collect();
    if forms.is_empty() {
        return format!("xtask: no command '{command}': `cargo xtask help` lists them");
    }
    let mut text = format!("xtask: '{}' is not how to use {command}:", words.join(" "));
    for form in &forms {
        text += &format!("\n  cargo xtask {form}");
    }
    if let Some(boards) = USAGE.lines().last().filter(|_| forms.concat().contains("BOARD")) {
        text += &format!("\n{boards}");
    }
    text
}

/// Runs a command to completion; an error names it.
fn run(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    let status = command.status().with_context(|| format!("cannot start {shown}"))?;
    ensure!(status.success(), "{shown} ended with {status}");
    Ok(())
}

/// A benchmark that prints figures.
fn bench(name: &str) -> Command {
    let mut bench = cargo();
    bench.args(["bench", "--quiet", "--package", "corvid-benches", "--bench", name]);
    bench
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_answered_with_what_helps() {
        assert_eq!(mistake(&[]), USAGE);
        assert_eq!(
            mistake(&["webb", "--serve"]),
            "xtask: no command 'webb': `cargo xtask help` lists them"
        );
        let image = mistake(&["image"]);
        assert!(image.contains("\n  cargo xtask image BOARD\nboards: pico, "), "{image}");
        let web = mistake(&["web", "--port", "1"]);
        assert!(web.contains("\n  cargo xtask web --serve [--port N]\n"), "{web}");
        assert!(!web.contains("boards"), "{web}");
    }
}
