//! `cargo xtask memory`: the memory budget of every board, as in docs/memory.md.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, ensure};
use xtask::board::{BOARDS, Board};
use xtask::root;
use xtask::size::{GAMES_BUDGET, Size};
use xtask::stack::{Deepest, INTERRUPTS, Recursion, SEEN, SPARE, Stack};

/// The document, which this command prints.
const DOCUMENT: &str = "docs/memory.md";
const COMMAND: &str = "cargo xtask memory > docs/memory.md";

/// The board with the least memory.
const SMALLEST: &str = "lm3s6965evb";

/// How many of the largest frames are shown.
const FRAMES: usize = 12;
/// The heading above them.
const FRAMES_HEADING: &str = "## Largest frames";

/// The most functions of a recursion that are printed as one.
const LONGEST_LAP: usize = 12;

/// Figures may differ by this many bytes, or by one part in [`SLACK_SHARE`], whichever is more:
/// another version of the compiler, or a small change. More means that the page is out of date.
const SLACK: u64 = 1024;
const SLACK_SHARE: u64 = 20;

/// Prints the document.
pub(crate) fn print() -> Result<()> {
    print!("{}", document()?);
    Ok(())
}

/// Prints the deepest paths of calls, function by function: those of all tasks, or those that begin at
/// functions with this part in their names.
pub(crate) fn print_paths(part: Option<&str>) -> Result<()> {
    let board = Board::named(SMALLEST)?;
    let stack = Stack::of(&fs::read(board.build()?)?)?;
    if let Some(part) = part {
        stack.paths_from(part).iter().for_each(|path| print_path(part, path));
        return Ok(());
    }
    tasks(&stack)?.iter().for_each(|(what, path)| print_path(what, path));
    print_path("of the first, what a search takes to serve the serial port", stack.looking());
    Ok(())
}

/// Prints a path; a recursion after its first level in one line.
fn print_path(what: &str, Deepest { bytes, path }: &Deepest) {
    println!("{bytes} bytes: {what}");
    let mut at = 0;
    while let Some((name, frame)) = path.get(at) {
        println!("  {frame:5} {name}");
        at += 1;
        let before = |lap: &usize| at.checked_sub(*lap).map(|from| &path[from..at]);
        let repeats = |lap: &usize| before(lap).is_some_and(|lap| path[at..].starts_with(lap));
        if let Some(lap) = (1..=LONGEST_LAP).find(repeats) {
            let before = &path[at - lap..at];
            let times = path[at..].chunks(lap).take_while(|next| *next == before).count();
            let sum: u64 = before.iter().map(|(_, frame)| frame).sum();
            println!("  {:5} {times} times more", sum * times as u64);
            at += lap * times;
        }
    }
}

/// Everything that has a part of the stack at the same time, and the most that it can take. The first two
/// are the same task: only one of them counts.
fn tasks(stack: &Stack) -> Result<[(&'static str, Deepest); 5]> {
    let [keys, port] = stack.threads().clone();
    // Screens ask no bot, and a task runs on one executor.
    let rest = stack.interrupt("on_rest", &["keys_task", "guard_task", "::bots::"])?;
    let on_keys = stack.interrupt("on_keys", &["ui_task", "serial_task", "sound_task"])?;
    let drivers = ["SysTick", "uart::on_interrupt"].map(|name| stack.interrupt(name, &[]));
    let [tick, uart] = drivers;
    let (tick, uart) = (tick?, uart?);
    let driver = if tick.bytes > uart.bytes { tick } else { uart };
    Ok([
        ("thread mode, a move for the game at the keys", keys),
        ("thread mode, a command of the serial port", port),
        ("screen and serial port", rest),
        ("keys and watchdog", on_keys),
        ("drivers", driver),
    ])
}

/// An error when the document in the repository is out of date.
pub(crate) fn check() -> Result<()> {
    let written = fs::read_to_string(root().join(DOCUMENT)).context(DOCUMENT)?;
    let (written, now) = (budget(&written), document()?);
    for (number, (written, now)) in written.lines().zip(budget(&now).lines()).enumerate() {
        ensure!(
            is_close(written, now),
            "line {} of {DOCUMENT} is out of date, run {COMMAND}:\n{written}\n{now}",
            number + 1
        );
    }
    let (written, now) = (written.lines().count(), budget(&now).lines().count());
    ensure!(written == now, "{DOCUMENT} is out of date, run {COMMAND}");
    Ok(())
}

/// The part of the document that is checked: the list of the largest frames changes easily.
fn budget(document: &str) -> &str {
    document.split(FRAMES_HEADING).next().unwrap_or(document)
}

/// Whether two lines are the same, except for figures that are nearly equal.
fn is_close(one: &str, other: &str) -> bool {
    let (one, other) = (one.split_whitespace(), other.split_whitespace());
    one.clone().count() == other.clone().count()
        && one.zip(other).all(|(one, other)| match (one.parse::<u64>(), other.parse::<u64>()) {
            (Ok(one), Ok(other)) => one.abs_diff(other) <= SLACK.max(one / SLACK_SHARE),
            _ => one == other,
        })
}

fn document() -> Result<String> {
    let mut sizes = Vec::new();
    let mut functions = None;
    for board in &BOARDS {
        let elf = fs::read(board.build()?)?;
        let size = Size::of(&elf)?;
        size.check(board)?;
        if board.name() == SMALLEST {
            functions = Some(Stack::of(&elf)?);
        }
        sizes.push(size);
    }
    let smallest = BOARDS.iter().position(|board| board.name() == SMALLEST).context(SMALLEST)?;
    let stack = BOARDS[smallest].stack();
    let functions = functions.context(SMALLEST)?;

    let mut text = String::new();
    let out = &mut text;
    writeln!(
        out,
        "# Memory

Printed by `{COMMAND}` from the images. All figures are bytes.
`cargo xtask test` fails when an image is over a budget, and when this page is out of date.

## Flash

An inlined function is counted where it is inlined. Each column adds up to the size of the image.
"
    )?;
    table(out, sizes.iter().map(|size| &size.flash_parts))?;
    total(out, "**image**", sizes.iter().map(|size| size.flash))?;
    total(out, "flash for it", BOARDS.iter().map(|board| board.flash))?;
    let free = BOARDS.iter().zip(&sizes).map(|(board, size)| board.flash - size.flash);
    total(out, "left", free)?;
    writeln!(
        out,
        "
On the {SMALLEST} the rules, tables, texts and constants take {} bytes of a budget of {GAMES_BUDGET}.

## RAM

There is no heap. Everything that lives for the whole run is static, so the linker counts it. The
stack, which interrupts share, lies below it, at the bottom of the RAM: an overflow leaves the RAM and
overwrites nothing.
",
        sizes[smallest].games()
    )?;
    table(out, sizes.iter().map(|size| &size.ram_parts))?;
    total(out, "**static**", sizes.iter().map(|size| size.ram))?;
    total(out, "RAM of the chip", BOARDS.iter().map(|board| board.ram))?;
    total(out, "stack", BOARDS.iter().map(Board::stack))?;
    total(out, "stack of the second processor", BOARDS.iter().map(Board::second_stack))?;
    let left = BOARDS.iter().zip(&sizes).map(|(board, size)| board.static_ram() - size.ram);
    total(out, "left", left)?;
    total(out, "memory of the search, at least", BOARDS.iter().map(Board::memory))?;
    writeln!(
        out,
        "
`firmware/src/profile.rs` sets the stack and the memory of the search; every image is held to it.

## Stack

On the {SMALLEST}, the board with the least RAM, it has {stack} bytes.

| level 9 plays | most stack measured, rounded up | margin |
|---|---:|---:|"
    )?;
    for (game, seen) in SEEN {
        let margin = stack.checked_sub(seen).context("more stack was seen than there is")?;
        writeln!(out, "| {game} | {seen} | {margin} |")?;
    }
    writeln!(
        out,
        "
The test `limits` lets level 9 think on the emulated board while keys open and close menus in an
executor that interrupts the search, and measures the deepest that the stack has ever been. It fails
when that is more than this table says.

The most stack that can be used is computed from the image: from the frames of its functions, from who
calls whom, including calls through pointers ({} functions make them; the debug information tells which methods and
closures may be meant, `xtask/src/stack/rules.rs` the rest), and from the depth that each recursion may
reach. The figures are bounds: paths that exclude each other count as one. `cargo xtask stack` prints the deepest
paths, function by function.

| runs | bytes at most |
|---|---:|",
        functions.pointer_callers()
    )?;
    let tasks = tasks(&functions)?;
    for (what, deepest) in &tasks {
        writeln!(out, "| {what} | {} |", deepest.bytes)?;
    }
    let [keys, port, interrupts @ ..] = tasks.map(|(_, deepest)| deepest.bytes);
    let computed = keys.max(port) + interrupts.iter().sum::<u64>();
    ensure!(
        computed + SPARE <= stack,
        "the stack may take {computed} of {stack} bytes by calculation, and {SPARE} must be left: \
         `cargo xtask stack` prints the deepest paths"
    );
    writeln!(
        out,
        "| **everything at once** | {computed} |
| stack | {stack} |
| left, at least {SPARE} | {} |

{} bytes of the first row are for a search that polls at its deepest point and serves the port there. If
all of this should be wrong, a stack overflow ends in a restart that reports it (E0003), with nothing
overwritten.

A recursion without a known limit fails the check. `in all` is a recursion at its limit with the
deepest calls below it, and leaves at least {INTERRUPTS} bytes for what is above it and for interrupts.

| recursion | a level | levels at most | by | together | in all |
|---|---:|---:|---|---:|---:|",
        stack - computed,
        functions.looking().bytes
    )?;
    for Recursion { limit, bytes, most } in functions.recursion() {
        let (what, levels, why) = (limit.what, limit.levels, limit.why);
        writeln!(out, "| {what} | {bytes} | {levels} | {why} | {} | {most} |", bytes * levels)?;
        ensure!(most + INTERRUPTS <= stack, "{what} may take {most} of {stack} bytes of stack");
    }
    writeln!(
        out,
        "
{FRAMES_HEADING}

The stack that individual functions take on the {SMALLEST}, by their instructions. Frames of functions
that call each other add up.

| function | bytes |
|---|---:|"
    )?;
    for (name, bytes) in functions.largest_frames(FRAMES) {
        writeln!(out, "| `{name}` | {bytes} |")?;
    }
    Ok(text)
}

/// A table with a column for each board.
fn table<'a>(
    out: &mut String,
    columns: impl Iterator<Item = &'a Vec<(&'static str, u64)>>,
) -> Result<()> {
    let columns: Vec<_> = columns.collect();
    let heads = BOARDS.map(|board| board.name());
    writeln!(out, "| part | {} |\n|---{}|", heads.join(" | "), "|---:".repeat(heads.len()))?;
    for (row, (name, _)) in columns[0].iter().enumerate() {
        total(out, name, columns.iter().map(|column| column[row].1))?;
    }
    Ok(())
}

/// A row of it.
fn total(out: &mut String, name: &str, sizes: impl Iterator<Item = u64>) -> Result<()> {
    let sizes: Vec<_> = sizes.map(|size| size.to_string()).collect();
    Ok(writeln!(out, "| {name} | {} |", sizes.join(" | "))?)
}

#[cfg(test)]
mod tests {
    use super::is_close;

    #[test]
    fn only_large_differences_count() {
        assert!(is_close("| screens | 20000 |", "| screens | 20900 |"));
        assert!(!is_close("| screens | 20000 |", "| screens | 21100 |"));
        assert!(is_close("| search | 80000 |", "| search | 83000 |"));
        assert!(!is_close("| search | 80000 |", "| bots | 80000 |"));
        assert!(!is_close("| search | 80000 |", "| search | 80000 | 1 |"));
    }
}
