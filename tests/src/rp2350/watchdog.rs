//! The watchdog: a countdown in microseconds that resets the chip, and what it remembers of that.
//! The crate's own one counts its calls, not time.
use super::{CYCLES_PER_MICRO, NEVER};

const CONTROL: u32 = 0x00;
const LOAD: u32 = 0x04;
const REASON: u32 = 0x08;
const SCRATCH_0: u32 = 0x0c;
const SCRATCH_7: u32 = 0x28;

const TIME: u32 = 0x00ff_ffff;
const ENABLE: u32 = 1 << 30;
const TRIGGER: u32 = 1 << 31;

/// Why it has reset the chip, as its register tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Nobody has fed it.
    TimedOut = 1,
    /// The program wanted it.
    Forced = 2,
}

/// The watchdog.
pub(crate) struct Watchdog {
    control: u32,
    /// When it bites, if it is on.
    end: u64,
    reason: u32,
    scratch: [u32; 8],
    /// The program has asked for a reset.
    triggered: bool,
}

impl Watchdog {
    /// A watchdog that has just got its power.
    pub(crate) const fn new() -> Self {
        Self { control: 0, end: NEVER, reason: 0, scratch: [0; 8], triggered: false }
    }

    /// The same after it has reset the chip.
    pub(crate) fn after(&self, reason: Reason) -> Self {
        Self { reason: reason as u32, scratch: self.scratch, ..Self::new() }
    }

    /// When it bites.
    pub(crate) const fn due(&self) -> u64 {
        if self.triggered {
            0
        } else if self.control & ENABLE != 0 {
            self.end
        } else {
            NEVER
        }
    }

    /// Why it resets the chip now, if it does.
    pub(crate) const fn bites(&self, now: u64) -> Option<Reason> {
        if self.triggered {
            Some(Reason::Forced)
        } else if now >= self.due() {
            Some(Reason::TimedOut)
        } else {
            None
        }
    }

    /// Reads a register.
    pub(crate) fn read(&self, register: u32, now: u64) -> u32 {
        match register {
            CONTROL => {
                let left = self.end.saturating_sub(now) / CYCLES_PER_MICRO;
                self.control | left as u32 & TIME
            }
            REASON => self.reason,
            SCRATCH_0..=SCRATCH_7 => self.scratch[(register - SCRATCH_0) as usize / 4],
            _ => 0,
        }
    }

    /// Writes a register.
    pub(crate) fn write(&mut self, register: u32, value: u32, now: u64) {
        match register {
            CONTROL => {
                self.control = value & !(TIME | TRIGGER);
                self.triggered |= value & TRIGGER != 0;
            }
            LOAD => self.end = now + u64::from(value & TIME) * CYCLES_PER_MICRO,
            SCRATCH_0..=SCRATCH_7 => self.scratch[(register - SCRATCH_0) as usize / 4] = value,
            _ => {}
        }
    }
}
