//! Asks Corvid for its first move in every game that is built, on a bare Cortex-M3.
//!
//! `cargo run --release` in this folder starts it in QEMU (`qemu-system-arm`, and `rustup target add
//! thumbv7m-none-eabi`). For a board of your own change `memory.x`, and print to something it has.
#![no_std]
#![no_main]

use core::sync::atomic::AtomicBool;

use corvid_core::{
    Answer, AnyOpponent, AnyPosition, GameKind, Limit, Notation, Question, Setup, Task, Thinker,
    Watch,
};
use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hprintln};
use panic_halt as _;

/// Positions or simulations that the search looks at. Counted instead of timed, the same move is found
/// on every machine.
const NODES: u64 = 200;

#[entry]
fn main() -> ! {
    // 32 KB to think in; `entry` turns it into a reference that is borrowed once.
    static mut MEMORY: [u64; 4096] = [0; 4096];

    let mut thinker = Thinker::new(MEMORY);
    for kind in GameKind::ALL {
        let task = Task {
            position: AnyPosition::start(Setup::usual(kind)),
            question: Question::Move {
                opponent: AnyOpponent::Limit(Limit::Nodes(NODES)),
                micros: u64::MAX,
                deadline: u64::MAX,
            },
            notation: Notation::Plain,
        };
        // No clock is needed where nodes are counted, and nobody here stops the search.
        let watch = Watch { clock: &|| 0, stop: &AtomicBool::new(false) };
        thinker.seed(1);
        match thinker.think(&task, watch, &mut |_| {}) {
            Ok(Answer::Move(mv)) => hprintln!("{} {}", kind, task.write_move(mv, "pass")),
            _ => debug::exit(debug::EXIT_FAILURE),
        }
    }
    debug::exit(debug::EXIT_SUCCESS);
    loop {}
}
