//! SSI0, a PL022, as embedded-hal's SPI bus.
use crate::{gpio::Port, mmio::Register};
use core::convert::Infallible;
use embedded_hal::spi::{ErrorType, SpiBus};

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

    /// Sends one byte and returns the one received meanwhile.
    fn exchange(byte: u8) -> u8 {
        while STATUS.read() & STATUS_NOT_FULL == 0 {}
        DATA.write(byte.into());
        while STATUS.read() & STATUS_RECEIVED == 0 {}
        DATA.read() as u8
    }
}

impl ErrorType for Ssi0 {
    type Error = Infallible;
}

impl SpiBus for Ssi0 {
    fn read(&mut self, words: &mut [u8]) -> Result<(), Infallible> {
        words.fill(0xFF);
        self.transfer_in_place(words)
    }

    fn write(&mut self, words: &[u8]) -> Result<(), Infallible> {
        for &word in words {
            while STATUS.read() & STATUS_NOT_FULL == 0 {}
            DATA.write(word.into());
            drain();
        }
        self.flush()
    }

    fn transfer(&mut self, read: &mut [u8], write: &[u8]) -> Result<(), Infallible> {
        for index in 0..read.len().max(write.len()) {
            let received = Self::exchange(write.get(index).copied().unwrap_or(0xFF));
            if let Some(place) = read.get_mut(index) {
                *place = received;
            }
        }
        Ok(())
    }

    fn transfer_in_place(&mut self, words: &mut [u8]) -> Result<(), Infallible> {
        for word in words {
            *word = Self::exchange(*word);
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        while STATUS.read() & STATUS_BUSY != 0 {}
        drain();
        Ok(())
    }
}

/// Drops received bytes: they are not used, and QEMU's model sends nothing while the receive FIFO
/// is full.
fn drain() {
    while STATUS.read() & STATUS_RECEIVED != 0 {
        DATA.read();
    }
}
