//! `cargo xtask reliability`: what the device promises under faults, garbage and time, the tests behind
//! it, and the figures that they print, as in docs/reliability.md.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xtask::board::cargo;
use xtask::root;

const DOCUMENT: &str = "docs/reliability.md";
const COMMAND: &str = "cargo xtask reliability > docs/reliability.md";

/// The environment of a long run, which the tests look at.
const LONG: [(&str, &str); 6] = [
    ("CUTS", "1000000"),
    ("FUZZ_SECONDS", "60"),
    ("GAMES", "20"),
    ("POSITIONS", "500"),
    ("CORVID_LONG", "1"),
    ("RUST_TEST_THREADS", "1"),
];

/// Some tests of one program.
#[derive(Debug, Clone, Copy)]
struct Tests {
    package: &'static str,
    /// The file in the package's `tests`, or nothing for the tests beside the code.
    file: &'static str,
    /// A test, or the front part of several names.
    name: &'static str,
    /// What lines with figures have in them.
    figure: &'static str,
}

const fn tests(
    package: &'static str,
    file: &'static str,
    name: &'static str,
    figure: &'static str,
) -> Tests {
    Tests { package, file, name, figure }
}

const CORE: &str = "corvid-core";
const FIRMWARE: &str = "corvid-firmware";
const HOST: &str = "corvid";
const BOARDS: &str = "corvid-tests";

/// What is promised, and what shows it.
const PROMISES: [(&str, Tests); 20] = [
    (
        "A power cut at any instant, with cells that flip, stick and fail to erase, loses nothing that was saved",
        tests(FIRMWARE, "", "store::tests::cuts::power_cuts", "cuts "),
    ),
    (
        "The same with the Pico's image, where a move is answered before it is saved: at worst that move is lost",
        tests(BOARDS, "power_cut", "games_survive", "cuts:"),
    ),
    (
        "A flipped bit anywhere in a save is corrected",
        tests(FIRMWARE, "", "store::tests::rot::a_flipped_bit", "exact"),
    ),
    (
        "Damage from two flipped bits is reported, unless it is to the last record, as after a power cut",
        tests(FIRMWARE, "", "store::tests::rot::what_two", "exact"),
    ),
    (
        "Damage from a burst is reported",
        tests(FIRMWARE, "", "store::tests::rot::what_a_burst", "exact"),
    ),
    (
        "A peer on the line can't wear out the flash",
        tests(HOST, "erases", "new_games_without_end_erase_few_pages", "erases"),
    ),
    (
        "A stack overflow overwrites nothing, and is reported after the restart",
        tests(BOARDS, "failure", "the_lm3s6965evb_tells_of_a_stack_overflow", ""),
    ),
    (
        "Searches leave room on the stack",
        tests(BOARDS, "limits", "the_stack_has_room_above_every_search", "bytes of stack"),
    ),
    (
        "So they do, with the port being served, in the positions that a search found to make them recurse deepest",
        tests(BOARDS, "deepest", "", "bytes of stack"),
    ),
    (
        "Panics, faults and tasks that stop are recorded, and the board restarts",
        tests(BOARDS, "failure", "the_", ""),
    ),
    (
        "The watchdog restarts a board that hangs",
        tests(BOARDS, "failure", "the_watchdog_starts", ""),
    ),
    (
        "Long commands don't restart the board, and Ctrl-C or a key ends them within 100 ms",
        tests(BOARDS, "stoppable", "", ""),
    ),
    (
        "No bot takes more than 2 s for a move on the LM3S6965",
        tests(BOARDS, "limits", "no_bot_takes_longer_than_it_may", "plies"),
    ),
    ("No outside input makes a reader fail", tests(BOARDS, "fuzz", "", "mutants")),
    (
        "The fast rules agree with the slow ones in whole random games",
        tests(BOARDS, "games", "random", "games"),
    ),
    (
        "A board chooses the same moves as the host",
        tests(BOARDS, "same_search", "the_board_chooses_the_hosts_moves", "positions"),
    ),
    (
        "Random commands, keys and garbage leave a board's game legal, and the board alive and within its stack",
        tests(BOARDS, "soak", "the_", "violations"),
    ),
    (
        "Restarting, and deleting saves and results, require a real key press on the device",
        tests(BOARDS, "scenarios", "", ""),
    ),
    (
        "What a peer sends is bounded and shown escaped, and no wait for it is endless",
        tests(HOST, "hostile", "", ""),
    ),
    ("Only possible records of matches are resumed", tests(HOST, "arena", "", "")),
];

/// A defect that was found by attack.
struct Defect {
    what: &'static str,
    /// What the tests below, run on the version of 2026-11-16, or their input given to it by hand, showed
    /// there.
    seen: &'static str,
    /// What holds it off.
    tests: &'static [Tests],
}

const DEFECTS: [Defect; 13] = [
    Defect {
        what: "Commands over 5 s restarted the board",
        seen: "the board restarted 5.2 s after each of the four commands, with `failure the brain stopped (E0013)`",
        tests: &[
            tests(BOARDS, "stoppable", "a_long_count_is_no_failure", ""),
            tests(BOARDS, "stoppable", "a_search_of_many_nodes_is_no_failure", ""),
            tests(BOARDS, "stoppable", "a_search_of_many_simulations_is_no_failure", ""),
            tests(BOARDS, "stoppable", "a_slow_bot_is_no_failure", ""),
        ],
    },
    Defect {
        what: "A deep search of Dots and Boxes overflowed the stack without a trace",
        seen: "restarted after 293 s, past depth 19, with `failure none`; an overflow provoked by hand was reported as a panic in embassy-sync",
        tests: &[
            tests(BOARDS, "limits", "the_largest_board_of_dots_is_searched_to_the_last_depth", ""),
            tests(BOARDS, "failure", "the_lm3s6965evb_tells_of_a_stack_overflow", ""),
        ],
    },
    Defect {
        what: "A move without a time limit locked everybody out",
        seen: "no answer to Ctrl-C, the select key and `reboot` in 50 s; the time was accepted without a word",
        tests: &[
            tests(BOARDS, "stoppable", "ctrl_c_ends::a_move_without_a_time_limit", ""),
            tests(BOARDS, "stoppable", "the_select_key_ends_a_serial_command", ""),
            tests(BOARDS, "stoppable", "times_are_capped_and_the_cap_is_said", ""),
        ],
    },
    Defect {
        what: "What a peer sent reached the terminal unescaped",
        seen: "`ESC ]52;` and `ESC [2J` passed through unchanged, in `connect`, its referee and `arena`",
        tests: &[tests(HOST, "hostile", "what_an_engine_says_is_shown_and_not_obeyed", "")],
    },
    Defect {
        what: "A peer that never fell silent filled the memory",
        seen: "106 MB after 1.5 s of zeros; 612 MB after 7 s of `yes`, which was never cut off",
        tests: &[tests(
            HOST,
            "hostile",
            "a_peer_that_never_falls_silent_takes_no_memory_and_is_given_up",
            "",
        )],
    },
    Defect {
        what: "Flipped bits in a save went unnoticed",
        seen: "in a page with 4032 written bits, 3952 single bits gave another state when flipped, as did 4993 of 5000 pairs; none was reported",
        tests: &[
            tests(
                FIRMWARE,
                "",
                "store::tests::rot::a_flipped_bit_anywhere_in_a_saved_page_is_corrected",
                "",
            ),
            tests(FIRMWARE, "", "store::tests::rot::what_two_flipped_bits_destroy_is_told", ""),
        ],
    },
    Defect {
        what: "Signals left `connect` in the alternate screen",
        seen: "still in the alternate screen after SIGTERM",
        tests: &[tests(HOST, "terminal", "a_signal_gives_the_terminal_back_from_a_board", "")],
    },
    Defect {
        what: "Endless files were read without end",
        seen: "`sim --script /dev/urandom` did not end in 30 s; `/dev/zero` and `arena --json /dev/full` were read up to the limit of 4 GB that they were given",
        tests: &[
            tests(HOST, "arena", "files_that_never_end_are_refused", ""),
            tests(HOST, "hostile", "scripts_and_archives_that_never_end_are_refused", ""),
        ],
    },
    Defect {
        what: "Waits for a connection or an engine were endless and silent",
        seen: "20 s without a word; `arena` waited 600 s for `gtp:cat`, and Ctrl-C did not end that",
        tests: &[
            tests(HOST, "hostile", "a_wait_for_a_connection_is_said", ""),
            tests(HOST, "hostile", "ctrl_c_ends_the_wait_for_an_engine", ""),
            tests(HOST, "", "arena::entrant::tests::a_program_that_never_answers_is_given_up", ""),
        ],
    },
    Defect {
        what: "Two arenas wrote to one record, and impossible scores were resumed",
        seen: "both played on and wrote the file; a score of 32767 was resumed and counted",
        tests: &[
            tests(HOST, "arena", "one_arena_at_a_time_writes_a_record", ""),
            tests(HOST, "arena", "a_record_that_cannot_be_is_refused", ""),
        ],
    },
    Defect {
        what: "New games over serial erased a page each, without limit; `reboot now` was obeyed",
        seen: "599 erases for 600 new games in a minute, on the Pico's image; `reboot now` was answered with `=` and the board restarted",
        tests: &[
            tests(HOST, "erases", "new_games_without_end_erase_few_pages", ""),
            tests(BOARDS, "console", "after_a_restart_it_answers_again", ""),
        ],
    },
    Defect {
        what: "`solve KB` multiplied without a check",
        seen: "`solve 33554433` was taken for `solve 1` on the LM3S6965; a larger number caused a panic on the PC",
        tests: &[
            tests(CORE, "", "gtp::tests::positions_are_solved", ""),
            tests(BOARDS, "console", "after_a_restart_it_answers_again", ""),
        ],
    },
    Defect {
        what: "A test of the health monitoring was flaky",
        seen: "failed in 5 of 544 runs beside the other tests, on 16 threads",
        tests: &[tests(FIRMWARE, "", "health::tests::a_part_is_late_after_its_time", "")],
    },
];

/// Runs the tests, and prints the document with their figures.
pub(crate) fn print(long: bool) -> Result<()> {
    print!("{}", document(|tests| tests.run(long))?);
    Ok(())
}

/// An error when the document names other promises or tests, or a test that does not exist.
pub(crate) fn check() -> Result<()> {
    let known = list()?;
    let all = PROMISES.iter().map(|(_, tests)| tests);
    for tests in all.chain(DEFECTS.iter().flat_map(|defect| defect.tests)) {
        let names = known.get(&(tests.package.to_owned(), tests.file.to_owned()));
        let exists =
            names.is_some_and(|names| names.iter().any(|name| name.starts_with(tests.name)));
        ensure!(exists, "there is no test {tests:?}, which xtask/src/reliability.rs names");
    }
    let written = fs::read_to_string(root().join(DOCUMENT)).context(DOCUMENT)?;
    let now = document(|_| Ok(String::new()))?;
    let rows = |text: &str| -> Vec<String> { text.lines().map(without_figure).collect() };
    ensure!(rows(&written) == rows(&now), "{DOCUMENT} is out of date, run {COMMAND}");
    Ok(())
}

/// The names of the workspace's tests, by package and file. Of the whole workspace, as its tests are run:
/// the packages alone have other features and would be compiled again.
fn list() -> Result<BTreeMap<(String, String), Vec<String>>> {
    let mut build = cargo();
    build.args(["test", "--workspace", "--no-run", "--quiet", "--message-format=json"]);
    let output = build.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "the tests can't be built");
    let mut known: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        let Some((tests, program)) = program(&message) else { continue };
        let output = Command::new(program).arg("--list").output()?;
        ensure!(output.status.success(), "the tests of {program} can't be listed");
        let text = String::from_utf8(output.stdout)?;
        let names = text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_owned()));
        known.entry(tests).or_default().extend(names);
    }
    Ok(known)
}

/// The package, the file and the path of a test program that cargo has built.
fn program(message: &Value) -> Option<((String, String), &str)> {
    if message["profile"]["test"] != true {
        return None;
    }
    // Such as path+file:///a/folder#corvid-core@0.1.0.
    let (_, id) = message["package_id"].as_str()?.rsplit_once('#')?;
    let package = id.split('@').next()?.to_owned();
    let is_file = message["target"]["kind"].as_array()?.iter().any(|kind| kind == "test");
    let file = if is_file { message["target"]["name"].as_str()? } else { "" };
    Some(((package, file.to_owned()), message["executable"].as_str()?))
}

/// A row without its third column.
fn without_figure(line: &str) -> String {
    match line.split('|').collect::<Vec<_>>()[..] {
        ["", what, shown, _, ""] => format!("{what}|{shown}"),
        _ => line.to_owned(),
    }
}

fn document(mut figure: impl FnMut(&Tests) -> Result<String>) -> Result<String> {
    let mut text = format!(
        "# Reliability

Printed by `{COMMAND}`, which runs the tests that it names and
takes the figures from them; `cargo xtask reliability long` gives them more to do (an hour or more).
`cargo xtask test` runs all of them, and fails when this page names a test that does not exist.

These also hold the device to its promises: no call of panic machinery in the project's own code except
the compiler's guards in async functions ([panics.md](panics.md)), budgets for flash, RAM and stack
([memory.md](memory.md)), limits on what a peer may do ([security.md](security.md)), the format of saves
([saved-games.md](saved-games.md)), fuzz targets with their totals
([tests/fuzz](../tests/fuzz/README.md)), and the random driver for the boards ([device.md](device.md)).

## Promises

| promise | shown by | figure |
|---|---|---|
"
    );
    for (promise, tests) in &PROMISES {
        writeln!(text, "| {promise} | {tests} | {} |", figure(tests)?)?;
    }
    text += "
## Defects found by attack

| defect | prevented by |
|---|---|
";
    for Defect { what, tests, .. } in DEFECTS {
        let tests: Vec<_> = tests.iter().map(Tests::to_string).collect();
        writeln!(text, "| {what} | {} |", tests.join(", "))?;
    }
    text += "
### Seen failing on the version of 2026-11-16

This is what these tests showed when run on that version's images and command line (commit 8af8593);
where they need something that it did not have, the same input was given by hand.

| defect | seen |
|---|---|
";
    for Defect { what, seen, .. } in DEFECTS {
        writeln!(text, "| {what} | {seen} |")?;
    }
    Ok(text)
}

impl std::fmt::Display for Tests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.file, self.name) {
            ("", name) => write!(f, "`-p {} {name}`", self.package),
            (file, "") => write!(f, "`-p {} --test {file}`", self.package),
            (file, name) => write!(f, "`-p {} --test {file} {name}`", self.package),
        }
    }
}

impl Tests {
    fn cargo(&self) -> Command {
        let mut test = cargo();
        test.args(["test", "--quiet", "--package", self.package]);
        match self.file {
            "" => test.args(["--lib", "--bins"]),
            file => test.args(["--test", file]),
        };
        test
    }

    /// Runs them, and returns the figures that they print.
    fn run(&self, long: bool) -> Result<String> {
        let mut test = self.cargo();
        test.args([self.name, "--", "--nocapture"]);
        if long {
            test.envs(LONG);
        }
        let output = test.stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success(), "{self} failed:\n{text}");
        if self.figure.is_empty() {
            let passed = text.lines().filter_map(|line| line.strip_prefix("test result: ok. "));
            let passed = passed
                .filter_map(|rest| rest.split(';').next())
                .find(|count| !count.starts_with("0 "));
            return Ok(passed.with_context(|| format!("{self} ran no test"))?.to_owned());
        }
        let figures: Vec<_> = text.lines().filter(|line| line.contains(self.figure)).collect();
        ensure!(!figures.is_empty(), "{self} printed no figure:\n{text}");
        // Dots of the test runner come before a line.
        let figures = figures.iter().map(|line| line.trim_start_matches('.'));
        Ok(figures.collect::<Vec<_>>().join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_may_differ() {
        assert_eq!(without_figure("| a | b | 1 |"), without_figure("| a | b | 2 |"));
        assert_ne!(without_figure("| a | b | 1 |"), without_figure("| a | c | 1 |"));
        assert_ne!(without_figure("| a | b |"), without_figure("| a | c |"));
    }
}
