//! TIMER0: microseconds since the start, and four alarms.
//! The crate's own one counts the clock of the processor where the chip counts that of the crystal.
use super::{CYCLES_PER_MICRO, NEVER};

const HIGH_LATCHED: u32 = 0x08;
const LOW_LATCHING: u32 = 0x0c;
const ALARM_0: u32 = 0x10;
const ALARM_3: u32 = 0x1c;
const ARMED: u32 = 0x20;
const HIGH: u32 = 0x24;
const LOW: u32 = 0x28;
const RAISED: u32 = 0x3c;
const ENABLED: u32 = 0x40;
const FORCED: u32 = 0x44;
const STATUS: u32 = 0x48;

/// The timer.
pub(crate) struct Timer {
    /// The processor's clock when it was at 0.
    zero: u64,
    targets: [u32; 4],
    /// When each alarm rings.
    rings: [u64; 4],
    raised: u32,
    enabled: u32,
    forced: u32,
    /// The upper half of the time when the lower one was read.
    high: u32,
}

impl Timer {
    /// A timer that starts now.
    pub(crate) const fn new(now: u64) -> Self {
        let (targets, rings) = ([0; 4], [NEVER; 4]);
        Self { zero: now, targets, rings, raised: 0, enabled: 0, forced: 0, high: 0 }
    }

    const fn micros(&self, now: u64) -> u64 {
        (now - self.zero) / CYCLES_PER_MICRO
    }

    const fn status(&self) -> u32 {
        (self.raised | self.forced) & self.enabled
    }

    /// The interrupt lines that are raised, the first alarm's in the lowest bit.
    pub(crate) const fn interrupts(&self) -> u32 {
        self.status()
    }

    /// When the next alarm rings.
    pub(crate) fn due(&self) -> u64 {
        self.rings.into_iter().min().unwrap_or(NEVER)
    }

    /// Rings the alarms whose time has come.
    pub(crate) fn advance(&mut self, now: u64) {
        for (index, ring) in self.rings.iter_mut().enumerate() {
            if now >= *ring {
                *ring = NEVER;
                self.raised |= 1 << index;
            }
        }
    }

    /// Reads a register.
    pub(crate) fn read(&mut self, register: u32, now: u64) -> u32 {
        let micros = self.micros(now);
        match register {
            HIGH_LATCHED => self.high,
            LOW_LATCHING => {
                self.high = (micros >> 32) as u32;
                micros as u32
            }
            ALARM_0..=ALARM_3 => self.targets[(register - ALARM_0) as usize / 4],
            ARMED => (0..4).fold(0, |armed, n| armed | u32::from(self.rings[n] != NEVER) << n),
            HIGH => (micros >> 32) as u32,
            LOW => micros as u32,
            RAISED => self.raised,
            ENABLED => self.enabled,
            FORCED => self.forced,
            STATUS => self.status(),
            _ => 0,
        }
    }

    /// Writes a register.
    pub(crate) fn write(&mut self, register: u32, value: u32, now: u64) {
        match register {
            ALARM_0..=ALARM_3 => {
                let index = (register - ALARM_0) as usize / 4;
                let micros = self.micros(now);
                // Only the lower half is compared.
                let ahead = value.wrapping_sub(micros as u32);
                self.targets[index] = value;
                self.rings[index] = self.zero + (micros + u64::from(ahead)) * CYCLES_PER_MICRO;
            }
            ARMED => {
                for (index, ring) in self.rings.iter_mut().enumerate() {
                    if value >> index & 1 != 0 {
                        *ring = NEVER;
                    }
                }
            }
            RAISED => self.raised &= !value,
            ENABLED => self.enabled = value & 0xf,
            FORCED => self.forced = value & 0xf,
            _ => {}
        }
    }
}
