//! I2C0, a DesignWare controller as master, with a display at the other end of its bus.
use super::{NEVER, ssd1306::Ssd1306};
use std::collections::VecDeque;

/// Where nearly every module answers.
const OLED: u32 = 0x3c;

/// Entries of each FIFO.
const FIFO: usize = 16;

/// Clocks of a byte and its acknowledgement.
const BYTE: u64 = 9;

// Registers.
const TARGET: u32 = 0x04;
const DATA: u32 = 0x10;
const CLOCKS_HIGH: u32 = 0x1c;
const CLOCKS_LOW: u32 = 0x20;
const STATUS_MASKED: u32 = 0x2c;
const MASK: u32 = 0x30;
const STATUS_RAW: u32 = 0x34;
const RX_LEVEL: u32 = 0x38;
const TX_LEVEL: u32 = 0x3c;
const CLEAR_ALL: u32 = 0x40;
const CLEAR_ABORT: u32 = 0x54;
const CLEAR_STOP: u32 = 0x60;
const ENABLE: u32 = 0x6c;
const TX_COUNT: u32 = 0x74;
const RX_COUNT: u32 = 0x78;
const ABORT_SOURCE: u32 = 0x80;
/// The first one that is not stored here.
const END: usize = 0x100;

// Interrupts.
const RX_FULL: u32 = 1 << 2;
const TX_EMPTY: u32 = 1 << 4;
const ABORTED: u32 = 1 << 6;
const STOPPED: u32 = 1 << 9;

/// The source of an abort: nobody has acknowledged the address.
const NOBODY: u32 = 1;

// What an entry of the transmit FIFO asks for besides its byte.
const READS: u32 = 1 << 8;
const STOPS: u32 = 1 << 9;

/// What the bus is doing.
enum Bus {
    Free,
    /// The address is being sent.
    Address,
    /// An entry of the FIFO is being sent, or its byte received.
    Byte(u32),
    /// Nothing, in the middle of a transfer: the FIFO ran empty without a stop.
    Held,
}

/// The controller.
pub(crate) struct I2c {
    stored: [u32; END / 4],
    entries: VecDeque<u32>,
    received: VecDeque<u8>,
    /// Interrupts that last until they are cleared.
    raised: u32,
    abort: u32,
    bus: Bus,
    /// When what the bus is doing ends.
    due: u64,
    /// What is wired to it.
    pub(crate) display: Ssd1306,
}

impl I2c {
    /// A controller after a reset.
    pub(crate) const fn new(display: Ssd1306) -> Self {
        Self {
            stored: [0; END / 4],
            entries: VecDeque::new(),
            received: VecDeque::new(),
            raised: 0,
            abort: 0,
            bus: Bus::Free,
            due: NEVER,
            display,
        }
    }

    /// Resets the controller. The display has no such line.
    pub(crate) fn reset(&mut self) {
        let display = std::mem::replace(&mut self.display, Ssd1306::new());
        *self = Self::new(display);
    }

    fn get(&self, register: u32) -> u32 {
        self.stored.get(register as usize / 4).copied().unwrap_or(0)
    }

    /// Processor clocks of so many clocks of the bus.
    fn clocks(&self, count: u64) -> u64 {
        count * u64::from(self.get(CLOCKS_HIGH) + self.get(CLOCKS_LOW))
    }

    fn is_enabled(&self) -> bool {
        self.get(ENABLE) & 1 != 0
    }

    fn raw(&self) -> u32 {
        let empty = self.is_enabled() && self.entries.len() <= self.get(TX_LEVEL) as usize;
        let full = self.received.len() > self.get(RX_LEVEL) as usize;
        self.raised | if empty { TX_EMPTY } else { 0 } | if full { RX_FULL } else { 0 }
    }

    /// Whether its interrupt line is raised.
    pub(crate) fn interrupts(&self) -> bool {
        self.raw() & self.get(MASK) != 0
    }

    /// When something will happen on the bus.
    pub(crate) const fn due(&self) -> u64 {
        self.due
    }

    /// Reads a register.
    pub(crate) fn read(&mut self, register: u32) -> u32 {
        match register {
            DATA => self.received.pop_front().unwrap_or(0).into(),
            STATUS_MASKED => self.raw() & self.get(MASK),
            STATUS_RAW => self.raw(),
            CLEAR_ALL => {
                self.raised = 0;
                self.abort = 0;
                0
            }
            CLEAR_ABORT => {
                self.raised &= !ABORTED;
                self.abort = 0;
                0
            }
            CLEAR_STOP => {
                self.raised &= !STOPPED;
                0
            }
            TX_COUNT => self.entries.len() as u32,
            RX_COUNT => self.received.len() as u32,
            ABORT_SOURCE => self.abort,
            _ => self.get(register),
        }
    }

    /// Writes a register.
    pub(crate) fn write(&mut self, register: u32, value: u32, now: u64) {
        if register == DATA {
            // What comes after an abort is dropped until the abort is cleared.
            if self.is_enabled() && self.abort == 0 && self.entries.len() < FIFO {
                self.entries.push_back(value);
                self.proceed(now);
            }
            return;
        }
        if let Some(stored) = self.stored.get_mut(register as usize / 4) {
            *stored = value;
        }
        if register == ENABLE && !self.is_enabled() {
            self.entries.clear();
            self.received.clear();
            (self.bus, self.due) = (Bus::Free, NEVER);
        }
    }

    /// Begins what comes next, if the bus waits for something to do.
    fn proceed(&mut self, now: u64) {
        match self.bus {
            Bus::Free if !self.entries.is_empty() => {
                // A start condition takes a clock.
                (self.bus, self.due) = (Bus::Address, now + self.clocks(BYTE + 1));
            }
            Bus::Held => {
                if let Some(entry) = self.entries.pop_front() {
                    let stop = u64::from(entry & STOPS != 0);
                    (self.bus, self.due) = (Bus::Byte(entry), now + self.clocks(BYTE + stop));
                }
            }
            _ => {}
        }
    }

    /// Does what has become due.
    pub(crate) fn advance(&mut self, now: u64) {
        if now < self.due {
            return;
        }
        let at = std::mem::replace(&mut self.due, NEVER);
        match std::mem::replace(&mut self.bus, Bus::Held) {
            Bus::Address if self.get(TARGET) == OLED => self.display.start(),
            Bus::Address => {
                self.entries.clear();
                self.abort = NOBODY;
                self.raised |= ABORTED | STOPPED;
                self.bus = Bus::Free;
            }
            Bus::Byte(entry) => {
                if entry & READS == 0 {
                    self.display.write(entry as u8);
                } else {
                    self.received.push_back(self.display.status());
                }
                if entry & STOPS != 0 {
                    self.raised |= STOPPED;
                    self.bus = Bus::Free;
                }
            }
            other => self.bus = other,
        }
        self.proceed(at);
    }
}
