//! `cargo xtask panics`: where the images can panic, how often at most, and why that can't happen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, ensure};
use xtask::board::Board;
use xtask::panics::{Frame, Site, sites};
use xtask::root;

/// The document, which this command prints.
const DOCUMENT: &str = "docs/panics.md";
const COMMAND: &str = "cargo xtask panics > docs/panics.md";

/// The boards that are checked: the one with the least flash, and one with saved games and USB.
const CHECKED: [&str; 2] = ["lm3s6965evb", "pico"];

/// How many calls a package may have in each of the images, the compiler's guards of futures not
/// counted. What is not here may have none.
const MOST: [(&str, [usize; 2]); 16] = [
    ("corvid-core", [0, 0]),
    ("corvid-firmware", [0, 0]),
    ("boards", [0, 0]),
    ("corvid-games", [0, 0]),
    ("critical-section", [1, 0]),
    ("defmt-rtt", [2, 2]),
    ("embassy-executor", [2, 2]),
    ("embassy-futures", [1, 2]),
    ("embassy-hal-internal", [0, 1]),
    ("embassy-rp", [0, 21]),
    ("embassy-sync", [26, 20]),
    ("embassy-time", [1, 2]),
    ("embassy-usb", [0, 60]),
    ("rp-pac", [0, 9]),
    ("static_cell", [2, 4]),
    (GUARDS, [0, 66]),
];

/// The row of the compiler's guards: every `async fn` that ends has a panic for whoever polls it
/// again.
const GUARDS: &str = "ended futures";
const GUARD: &str = "async_fn_resumed";

/// Calls that can't be reached.
struct Listed {
    /// The beginning of the file's path; a library's without its version.
    file: &'static str,
    /// A part of the function's name, or of what it calls.
    name: &'static str,
    why: &'static str,
}

const fn listed(file: &'static str, name: &'static str, why: &'static str) -> Listed {
    Listed { file, name, why }
}

const AT_START: &str = "runs at every start, with constants of the board, and the tests start it";
const BORROWED: &str = "borrowed only inside a critical section, by code that calls nothing back";

/// Every call that is left, and why it can't be reached; the first that fits counts.
const LISTED: &[Listed] = &[
    listed("", GUARD, "`await`, `join` and `select` don't poll a future again once it has ended"),
    listed("critical-section/src/mutex.rs", "", BORROWED),
    listed(
        "defmt-rtt/src/lib.rs",
        "",
        "interrupts are off while a line is logged, and logging does not log anything itself",
    ),
    listed("embassy-executor/src/platform/", "start", "main starts each executor once"),
    listed("embassy-executor/src/raw/waker.rs", "", "only tasks of an executor wait for timers"),
    listed("embassy-futures/src/join.rs", "take_output", "taken once, when both have ended"),
    listed("embassy-hal-internal/src/macros.rs", "take", "main takes the peripherals once"),
    listed("embassy-rp/src/flash.rs", "", "offset and length are checked first"),
    listed("embassy-rp/src/i2c.rs", "new_inner", AT_START),
    listed("embassy-rp/src/i2c.rs", "", "no more bytes are fetched than there is room for"),
    listed("embassy-rp/src/pwm.rs", "", "the divider is a constant of the board"),
    listed("embassy-rp/src/time_driver.rs", "", BORROWED),
    listed(
        "embassy-rp/src/usb.rs",
        "",
        "endpoints have the numbers that the driver gave them; lengths are compared first",
    ),
    listed("embassy-sync/src/channel.rs", "", BORROWED),
    listed("embassy-sync/src/mutex.rs", "", BORROWED),
    listed("embassy-sync/src/pipe.rs", "borrow", BORROWED),
    listed("embassy-sync/src/pipe.rs", "", "copies what both sides have room for"),
    listed("embassy-sync/src/ring_buffer.rs", "wrap", "advances within what it has handed out"),
    listed("embassy-time/src/", "", "64 bits of microseconds are 584,000 years"),
    listed("embassy-usb/src/builder.rs", "", AT_START),
    listed("embassy-usb/src/class/cdc_acm.rs", "borrow", BORROWED),
    listed("embassy-usb/src/class/cdc_acm.rs", "", "an answer of 7 bytes in a buffer of 64"),
    listed("embassy-usb/src/descriptor.rs", "", AT_START),
    listed("embassy-usb/src/descriptor_reader.rs", "", "the length is checked one line above"),
    listed(
        "embassy-usb/src/lib.rs",
        "",
        "the host's lengths are compared with the buffer of 64 bytes first; texts have 6 letters",
    ),
    listed("embassy-usb/src/msos.rs", "", AT_START),
    listed("rp-pac/src/", "", "pins are constants of the board, endpoints have four bits"),
    listed("static_cell/src/lib.rs", "", "main takes each static once"),
];

impl Listed {
    fn has(&self, site: &Site) -> bool {
        site.file.starts_with(self.file)
            && (site.function.contains(self.name) || site.panic.contains(self.name))
    }
}

/// Prints the document, after comparing the images with it.
pub(crate) fn print_document() -> Result<()> {
    compare()?;
    print!("{}", document()?);
    Ok(())
}

/// An error when an image has a call that it should not have, or the document is out of date.
pub(crate) fn check() -> Result<()> {
    compare()?;
    let written = fs::read_to_string(root().join(DOCUMENT)).context(DOCUMENT)?;
    ensure!(written == document()?, "{DOCUMENT} is out of date, run {COMMAND}");
    Ok(())
}

/// Prints how many sites each package has in a board's image, and each of them.
pub(crate) fn print(board: &str) -> Result<()> {
    let sites = sites(&fs::read(Board::named(board)?.build()?)?)?;
    let mut text = String::new();
    for (package, count) in count(&sites) {
        writeln!(text, "{count:>5}  {package}")?;
    }
    writeln!(text, "{:>5}  in all", sites.len())?;
    for site in &sites {
        writeln!(text, "\n{site}")?;
        for Frame { function, file, line } in &site.chain {
            writeln!(text, "      {function} ({file}:{line})")?;
        }
        match LISTED.iter().find(|listed| listed.has(site)) {
            Some(listed) => writeln!(text, "    = {}", listed.why)?,
            None => writeln!(text, "    = not listed")?,
        }
    }
    print!("{text}");
    Ok(())
}

/// An error that names what is wrong with the images.
fn compare() -> Result<()> {
    let mut images = Vec::new();
    for board in CHECKED {
        images.push(sites(&fs::read(Board::named(board)?.build()?)?)?);
    }
    let wrong = differences(&images);
    ensure!(
        wrong.is_empty(),
        "calls of panic machinery and xtask/src/panic_list.rs differ \
         (`cargo xtask panics BOARD` shows them):\n{}",
        wrong.join("\n")
    );
    Ok(())
}

/// The calls in the images of the boards that are not listed or too many, and what is listed in vain.
fn differences(images: &[Vec<Site>]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for (column, (board, sites)) in CHECKED.into_iter().zip(images).enumerate() {
        for site in sites {
            match LISTED.iter().position(|listed| listed.has(site)) {
                Some(number) => drop(used.insert(number)),
                None => wrong.push(format!("{board}: {site} is not listed")),
            }
        }
        for (package, count) in count(sites) {
            let most = MOST.iter().find(|(name, _)| *name == package);
            let most = most.map_or(0, |(_, most)| most[column]);
            if count > most {
                wrong.push(format!("{board}: {package} has {count} calls of at most {most}"));
            }
        }
    }
    for (number, Listed { file, name, .. }) in LISTED.iter().enumerate() {
        if !used.contains(&number) {
            wrong.push(format!("nothing is left of '{file}' '{name}': take it off the list"));
        }
    }
    wrong
}

/// The number of sites in each package, and of the compiler's guards.
fn count(sites: &[Site]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for site in sites {
        let is_guard = site.panic.contains(GUARD);
        *counts.entry(if is_guard { GUARDS } else { &site.package }).or_insert(0) += 1;
    }
    counts
}

fn document() -> Result<String> {
    let mut text = String::new();
    let out = &mut text;
    writeln!(
        out,
        "# Panics

Printed by `{COMMAND}`, which finds every call of panic machinery (a
failed index, unwrap, division or assertion) in the instructions of the images, and in their debug
information whose code it is. `cargo xtask panics BOARD` prints each call with its line and the
functions it is inlined in. `cargo xtask test` fails when a package has more calls than this, when a
call remains that the list below does not explain, and when the list explains a call that is gone.

## At most so many calls

| package | {} |
|---|{}|",
        CHECKED.join(" | "),
        ["---:"; CHECKED.len()].join("|")
    )?;
    for (package, most) in MOST {
        writeln!(out, "| {package} | {} |", most.map(|most| most.to_string()).join(" | "))?;
    }
    writeln!(
        out,
        "
`boards` are the boards' own binaries. `{GUARDS}` are the guards that the compiler puts into every
async function that can end, in all packages together: on the Pico, that includes the display's and
the store's.

## Why the rest can't be reached

| file | function or call | why |
|---|---|---|"
    )?;
    for Listed { file, name, why } in LISTED {
        let file = if file.is_empty() { "any" } else { file };
        let name = if name.is_empty() { "any" } else { name };
        writeln!(out, "| {file} | {name} | {why} |")?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(package: &str, file: &str, panic: &str) -> Site {
        let [package, file, panic] = [package, file, panic].map(str::to_owned);
        Site { package, file, function: String::new(), line: 1, panic, chain: Vec::new() }
    }

    #[test]
    fn a_call_without_a_reason_is_wrong() {
        let site = site("corvid-core", "core/src/gtp.rs", "core::option::unwrap_failed");
        let wrong = differences(&[vec![site], Vec::new()]);
        let said = |text: &str| wrong.iter().any(|line| line == text);
        assert!(said(
            "lm3s6965evb: corvid-core core/src/gtp.rs:1 -> core::option::unwrap_failed is not listed"
        ));
        assert!(said("lm3s6965evb: corvid-core has 1 calls of at most 0"));
    }

    #[test]
    fn more_calls_than_before_and_reasons_without_calls_are_wrong() {
        let file = "static_cell/src/lib.rs";
        let many = vec![site("static_cell", file, "core::panicking::panic_fmt"); 5];
        let wrong = differences(&[Vec::new(), many]);
        assert_eq!(wrong[0], "pico: static_cell has 5 calls of at most 4");
        let in_vain = |file: &str| wrong.iter().any(|line| line.contains(file));
        assert!(in_vain("embassy-sync/src/mutex.rs") && !in_vain(file));
    }

    #[test]
    fn guards_of_futures_are_counted_apart() {
        let guard = "core::panicking::panic_const::panic_const_async_fn_resumed";
        let sites = [site("corvid-firmware", "firmware/src/oled.rs", guard)];
        assert_eq!(count(&sites), BTreeMap::from([(GUARDS, 1)]));
    }
}
