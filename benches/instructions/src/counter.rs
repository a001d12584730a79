//! A core's own timer as a counter of instructions.

use core::hint::black_box;

use cortex_m::asm::delay;
use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_semihosting::hprintln;
use corvid_instructions::Stopwatch;

/// SysTick has 24 bits and counts down. Work must not take longer than that: 600 million instructions.
const MOST: u32 = 0x00ff_ffff;

/// Rounds of the loop that the ticks are compared with, and its instructions: a subtraction and a branch.
const ROUNDS: u32 = 10_000_000;
const IN_A_ROUND: u64 = 2;

/// Counts instructions. The emulator runs one in each nanosecond of its time, and the timer has a tick
/// every few dozens of them.
pub(crate) struct Counter {
    timer: SYST,
    /// The instructions of a tick, which depend on the machine's clock.
    in_a_tick: u64,
}

impl Counter {
    /// Starts the timer, and finds out how many instructions a tick has.
    pub(crate) fn new(mut timer: SYST) -> Self {
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(MOST);
        timer.enable_counter();
        let mut counter = Self { timer, in_a_tick: 1 };
        let ticks = counter.count(|| delay(ROUNDS - 1));
        counter.in_a_tick = (u64::from(ROUNDS) * IN_A_ROUND + ticks / 2) / ticks;
        counter
    }

    /// The instructions of some work, or at first its ticks.
    fn count(&mut self, work: impl FnOnce()) -> u64 {
        // It begins with the next tick; until then there is nothing.
        self.timer.clear_current();
        while SYST::get_current() == 0 {}
        self.timer.has_wrapped();
        let begun = SYST::get_current();
        work();
        let ended = SYST::get_current();
        assert!(!self.timer.has_wrapped(), "this takes too long for the timer");
        u64::from(begun - ended) * self.in_a_tick
    }
}

impl Stopwatch for Counter {
    fn time(&mut self, game: &str, what: &str, work: &mut dyn FnMut() -> u64) {
        let mut times = 0;
        let instructions = self.count(|| times = black_box(work()));
        assert!(times > 0, "{game} {what}: nothing was done");
        hprintln!("{} {}\t{}\t{}", game, what, instructions, times);
    }
}
