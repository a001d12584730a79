//! SSI0, a PL022, as an SPI bus that only sends: its one device is the display.
use crate::{gpio::Port, mmio::Register};

const CR0: Register = Register::at(0x4000_8000);
const CR1: Register = Register::at(0x4000_8004);
const DATA: Register = Register::at(0x4000_8008);
const STATUS: Register = Register::at(0x4000_800C);
const PRESCALE: Register = Register::at(0x4000_8010);

const CR0_8_BIT: u32 = 7;
/// Clock idles high, data is sampled on the second, rising edge: mode 3.
const CR0_MODE_3: u32 = 0b11 << 6;
/// 50 MHz / (2 * 7) = 3.6 MHz; the display's maximum is 4 MHz.
const CR0_RATE: u32 = 6 << 8;
const PRESCALE_2: u32 = 2;
const CR1_ENABLE: u32 = 1 << 1;
const STATUS_NOT_FULL: u32 = 1 << 1;
const STATUS_RECEIVED: u32 = 1 << 2;
const STATUS_BUSY: u32 = 1 << 4;

/// The bus.
pub(crate) struct Ssi0(());

impl Ssi0 {
    /// Starts the bus on PA2 (clock), PA4 (data in) and PA5 (data out).
    pub(crate) fn start() -> Self {
        Port::A.give_to_peripheral(1 << 2 | 1 << 4 | 1 << 5);
        CR1.write(0);
        PRESCALE.write(PRESCALE_2);
        CR0.write(CR0_8_BIT | CR0_MODE_3 | CR0_RATE);
        CR1.write(CR1_ENABLE);
        Self(())
    }

    /// Sends bytes; returns when the last one has left.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            while STATUS.read() & STATUS_NOT_FULL == 0 {}
            DATA.write(byte.into());
            drain();
        }
        while STATUS.read() & STATUS_BUSY != 0 {}
        drain();
    }
}

/// Drops received bytes: they are not used, and QEMU's model sends nothing while the receive FIFO
/// is full.
fn drain() {
    while STATUS.read() & STATUS_RECEIVED != 0 {
        DATA.read();
    }
}
