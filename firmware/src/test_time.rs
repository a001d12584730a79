//! The clock of this crate's own tests: the PC's.
//! Not embassy-time's, which would also be linked into the simulator, beside its own, when the
//! whole workspace is built at once.
use embassy_time_driver::{Driver, TICK_HZ};
use std::{
    sync::LazyLock,
    task::Waker,
    thread,
    time::{Duration, Instant},
};

static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

struct MachineTime;

impl Driver for MachineTime {
    fn now(&self) -> u64 {
        (BEGIN.elapsed().as_secs_f64() * TICK_HZ as f64) as u64
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        // `Instant::MAX` means never.
        if at == u64::MAX {
            return;
        }
        let wait = Duration::from_secs_f64(at.saturating_sub(self.now()) as f64 / TICK_HZ as f64);
        let waker = waker.clone();
        thread::spawn(move || {
            thread::sleep(wait);
            waker.wake();
        });
    }
}

embassy_time_driver::time_driver_impl!(static TIME: MachineTime = MachineTime);
