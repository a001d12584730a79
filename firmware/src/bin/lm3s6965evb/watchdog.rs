//! The watchdog, and the reset cause.
use crate::{clock, mmio::Register};
use corvid_firmware::health::{self, Cause};

const RESET_CAUSE: Register = Register::at(0x400F_E05C);
const RCGC0: Register = Register::at(0x400F_E100);
const RCGC0_WATCHDOG: u32 = 1 << 3;

const LOAD: Register = Register::at(0x4000_0000);
const CONTROL: Register = Register::at(0x4000_0008);
const CONTROL_ON: u32 = 1 << 0;
const CONTROL_RESET: u32 = 1 << 1;
const CLEAR: Register = Register::at(0x4000_000C);
/// Stops it while a debugger halts the processor.
const TEST: Register = Register::at(0x4000_0418);
const TEST_STALL: u32 = 1 << 8;

/// It counts down twice before it resets the chip.
const COUNT: u32 = clock::HZ / 2 * health::WATCHDOG.as_secs() as u32;

/// The watchdog, running.
pub(crate) struct Watchdog(());

impl Watchdog {
    /// Starts it.
    pub(crate) fn start() -> Self {
        RCGC0.modify(|on| on | RCGC0_WATCHDOG);
        cortex_m::asm::delay(3);
        LOAD.write(COUNT);
        TEST.write(TEST_STALL);
        CONTROL.write(CONTROL_ON | CONTROL_RESET);
        Self(())
    }

    pub(crate) fn feed(&mut self) {
        LOAD.write(COUNT);
        CLEAR.write(1);
    }
}

/// Reads the reset cause, and clears it for the next time.
pub(crate) fn cause() -> Cause {
    let flags = RESET_CAUSE.read();
    RESET_CAUSE.write(0);
    match flags {
        _ if flags & 1 << 3 != 0 => Cause::Watchdog,
        _ if flags & 1 << 4 != 0 => Cause::Program,
        _ if flags & (1 << 1 | 1 << 2) != 0 => Cause::Power,
        _ if flags & 1 << 0 != 0 => Cause::Button,
        _ => Cause::Unknown,
    }
}
