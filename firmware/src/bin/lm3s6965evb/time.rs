//! embassy's time driver, in microseconds, on the processor's SysTick timer.
//!
//! The timer interrupts once a millisecond; alarms have that resolution, [`now`](Driver::now) has
//! the microsecond's.
use crate::clock;
use core::{
    cell::{Cell, RefCell},
    task::Waker,
};
use cortex_m::peripheral::{SCB, SYST, syst::SystClkSource};
use cortex_m_rt::exception;
use critical_section::{CriticalSection, Mutex};
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;

const CYCLES_PER_MICRO: u32 = clock::HZ / 1_000_000;
const MICROS_PER_TICK: u32 = 1000;
const CYCLES_PER_TICK: u32 = CYCLES_PER_MICRO * MICROS_PER_TICK;

const PENDING: u32 = 1 << 26;

/// Milliseconds since the start. The test harness reads it by its symbol name.
#[unsafe(no_mangle)]
static CORVID_MILLIS: Mutex<Cell<u64>> = Mutex::new(Cell::new(0));

struct Ticks {
    alarms: Mutex<RefCell<Queue>>,
    /// When the first alarm is due.
    next: Mutex<Cell<u64>>,
}

embassy_time_driver::time_driver_impl!(static TICKS: Ticks = Ticks {
    alarms: Mutex::new(RefCell::new(Queue::new())),
    next: Mutex::new(Cell::new(u64::MAX)),
});

/// Starts the timer.
pub(crate) fn start(timer: &mut SYST) {
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(CYCLES_PER_TICK - 1);
    timer.clear_current();
    timer.enable_interrupt();
    timer.enable_counter();
}

impl Driver for Ticks {
    fn now(&self) -> u64 {
        critical_section::with(|cs| {
            let mut cycles_left = SYST::get_current();
            let mut millis = CORVID_MILLIS.borrow(cs).get();
            // SAFETY: reading this register changes nothing.
            if unsafe { (*SCB::PTR).icsr.read() } & PENDING != 0 {
                // The counter has wrapped, and its interrupt is pending until this section ends.
                cycles_left = SYST::get_current();
                millis += 1;
            }
            let cycles = (CYCLES_PER_TICK - 1).saturating_sub(cycles_left);
            millis * u64::from(MICROS_PER_TICK) + u64::from(cycles / CYCLES_PER_MICRO)
        })
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        critical_section::with(|cs| {
            if self.alarms.borrow_ref_mut(cs).schedule_wake(at, waker) {
                self.wake_due(cs);
            }
        });
    }
}

impl Ticks {
    /// Wakes the tasks that are due and finds the next alarm.
    fn wake_due(&self, cs: CriticalSection<'_>) {
        let next = self.alarms.borrow_ref_mut(cs).next_expiration(self.now());
        self.next.borrow(cs).set(next);
    }
}

#[exception]
fn SysTick() {
    critical_section::with(|cs| {
        let millis = CORVID_MILLIS.borrow(cs);
        millis.set(millis.get() + 1);
        if millis.get() * u64::from(MICROS_PER_TICK) >= TICKS.next.borrow(cs).get() {
            TICKS.wake_due(cs);
        }
    });
}
