//! The fuzz targets in the ordinary test run: the committed inputs, then mutants of them for a
//! moment. `FUZZ_SECONDS` makes it longer, `FUZZ_SEED` chooses other mutants.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use corvid_tests::fuzz::{Mutator, TARGETS, Target, target};

/// How long the mutants of a target are tried, in seconds.
const SECONDS: u64 = 2;

/// The seed of the mutants.
const SEED: u64 = 1;

fn number(variable: &str, usual: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is a number")),
        Err(_) => usual,
    }
}

/// The committed inputs of a target with their files, in order.
fn corpus(target: Target) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target.name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let read = |file: PathBuf| {
        let bytes = fs::read(&file).expect("an input");
        (file, bytes)
    };
    files.into_iter().map(read).collect()
}

/// Runs a target on an input. One that fails is named, and saved if it has no file yet.
fn check(target: Target, file: Option<&Path>, input: &[u8]) {
    let failed = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let Err(failure) = failed else { return };
    let saved = file.map_or_else(
        || {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}", target.name));
            fs::write(&path, input).expect("the input can be saved");
            path
        },
        Path::to_owned,
    );
    eprintln!("{}: this input fails: {}", target.name, saved.display());
    panic::resume_unwind(failure);
}

fn fuzz(name: &str) {
    let target = target(name).expect("a target");
    let known = corpus(target);
    assert!(!known.is_empty(), "{name} has no inputs");
    known.iter().for_each(|(file, input)| check(target, Some(file), input));
    let (seed, seconds) = (number("FUZZ_SEED", SEED), number("FUZZ_SECONDS", SECONDS));
    let inputs = known.len();
    let mut mutator =
        Mutator::new(target, known.into_iter().map(|(_, input)| input).collect(), seed);
    let (begun, mut mutants) = (Instant::now(), 0);
    while begun.elapsed() < Duration::from_secs(seconds) {
        check(target, None, &mutator.mutant());
        mutants += 1;
    }
    println!("{name}: {inputs} inputs, {mutants} mutants with seed {seed}");
}

/// Makes each target a test.
macro_rules! fuzzed {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            fuzz(stringify!($name));
        })*

        #[test]
        fn every_target_is_run_and_has_a_binary() {
            let names = TARGETS.map(|target| target.name);
            assert_eq!(names, [$(stringify!($name)),*]);
            for name in names {
                let file = format!("fuzz/fuzz_targets/{name}.rs");
                let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
                let text = fs::read_to_string(&file).expect("a binary");
                assert!(text.contains(&format!("run(\"{name}\", data)")), "{text}");
            }
        }
    };
}

fuzzed!(gtp nboard peer contest console device save positions records arena logs script rules);

/// Overflow is an error in what is tested, also where it is optimised.
#[test]
fn overflow_is_caught() {
    let add = |a: u8, b: u8| a + b;
    let added = panic::catch_unwind(|| add(std::hint::black_box(255), std::hint::black_box(1)));
    assert!(added.is_err() && cfg!(debug_assertions));
}
