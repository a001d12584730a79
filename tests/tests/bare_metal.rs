//! The example for a bare microcontroller, built as its readers build it and run in QEMU.

use std::process::Command;
use std::sync::atomic::AtomicBool;

use corvid_core::{
    Answer, AnyOpponent, AnyPosition, GameKind, Limit, Notation, Question, Setup, Task, Thinker,
    Watch,
};

/// The budget and memory of `core/examples/bare-metal/src/main.rs`.
const NODES: u64 = 200;
const SLOTS: usize = 4096;

#[test]
fn the_example_finds_the_moves_that_the_host_finds() {
    let root = xtask::root();
    let run = Command::new("timeout")
        .args(["600", "cargo", "run", "--quiet", "--locked", "--release"])
        .current_dir(root.join("core/examples/bare-metal"))
        .env("CARGO_TARGET_DIR", root.join("target/bare-metal"))
        .output()
        .expect("cargo and `timeout` start");
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{}: {told} (run `cargo xtask setup`?)", run.status);
    let expected: String =
        GameKind::ALL.map(|kind| format!("{kind} {}\n", host_move(kind))).concat();
    assert_eq!(String::from_utf8_lossy(&run.stdout), expected);
}

/// The move that the engine finds here.
fn host_move(kind: GameKind) -> String {
    let mut memory = vec![0; SLOTS];
    let mut thinker = Thinker::new(&mut memory);
    thinker.seed(1);
    let task = Task {
        position: AnyPosition::start(Setup::usual(kind)),
        question: Question::Move {
            opponent: AnyOpponent::Limit(Limit::Nodes(NODES)),
            micros: u64::MAX,
            deadline: u64::MAX,
        },
        notation: Notation::Plain,
    };
    let watch = Watch { clock: &|| 0, stop: &AtomicBool::new(false) };
    match thinker.think(&task, watch, &mut |_| {}) {
        Ok(Answer::Move(Some(mv))) => task.write_move(Some(mv), "").to_string(),
        other => panic!("{kind}: {other:?}"),
    }
}
