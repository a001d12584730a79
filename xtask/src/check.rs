//! `cargo xtask test`: everything that has to hold.

use std::time::Instant;

use anyhow::{Context, Result};
use xtask::board::{BOARDS, cargo};
use xtask::target;

use crate::{
    baseline, deny, image, memory, names, package, panic_list, release, reliability, run, setup,
    slowest, web,
};

/// A check: its name, and what it does.
type Step = (String, Box<dyn FnOnce() -> Result<()>>);

/// Runs all checks, the fastest first.
pub(crate) fn run_all() -> Result<()> {
    let begun = Instant::now();
    let steps = steps();
    let all = steps.len();
    for (number, (name, action)) in (1..).zip(steps) {
        println!("\n== {number} of {all}: {name}");
        let begun = Instant::now();
        action().with_context(|| format!("failed: {name}"))?;
        println!("-- {name}: {} s", begun.elapsed().as_secs());
    }
    slowest::print()?;
    println!("\nall checks passed in {} s", begun.elapsed().as_secs());
    Ok(())
}

fn steps() -> Vec<Step> {
    let mut steps = vec![
        step("set-up", setup::run_setup),
        step("format", || run(cargo().args(["fmt", "--all", "--check"]))),
        step("one game, one folder", names::check),
        step("dependencies", deny::check),
        step("lints", || {
            run(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
        }),
        step("documentation", || {
            let mut doc = cargo();
            doc.args(["doc", "--workspace", "--no-deps", "--quiet"]);
            run(doc.env("RUSTDOCFLAGS", "-D warnings"))
        }),
        step("core on every target", || {
            // Checked, not compiled: the images below are.
            setup::all_targets().into_iter().try_for_each(|target| {
                let package = ["--package", "corvid-core"];
                run(cargo().args(["check", "--quiet", "--target", target]).args(package))
            })
        }),
        step("command line on Windows and macOS", || {
            // Checked, not linked: that would need their linkers and system libraries.
            let targets = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];
            target::add(&targets)?;
            targets.into_iter().try_for_each(|target| {
                run(cargo().args(["check", "--quiet", "--package", "corvid", "--target", target]))
            })
        }),
        step("packages", package::check),
        step("flash of each game", package::check_sizes),
        step("page for the browser", web::build),
    ];
    steps.extend(BOARDS.iter().map(|board| {
        step(&format!("image for {}", board.name()), || image::make(board).map(|_| ()))
    }));
    steps.extend([
        step("the same image in another folder", release::check_copy),
        step("memory budget", memory::check),
        step("speed and size", baseline::check),
        step("panics", panic_list::check),
        step("tests", slowest::run_workspace),
        step("promises and their tests", reliability::check),
        step("page in a browser", web::test),
    ]);
    steps
}

fn step(name: &str, action: impl FnOnce() -> Result<()> + 'static) -> Step {
    (name.to_owned(), Box::new(action))
}
