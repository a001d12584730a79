//! GPIO pins; the inputs are embedded-hal's.
use crate::mmio::Register;
use core::convert::Infallible;
use embedded_hal::digital::{ErrorType, InputPin};

const DIRECTION: usize = 0x400;
const ALTERNATE: usize = 0x420;
const PULL_UP: usize = 0x510;
const DIGITAL: usize = 0x51C;

/// A port that this board uses.
#[derive(Clone, Copy)]
pub(crate) struct Port(Register);

impl Port {
    pub(crate) const A: Self = Self(Register::at(0x4000_4000));
    pub(crate) const C: Self = Self(Register::at(0x4000_6000));
    pub(crate) const D: Self = Self(Register::at(0x4000_7000));
    pub(crate) const E: Self = Self(Register::at(0x4002_4000));
    pub(crate) const F: Self = Self(Register::at(0x4002_5000));

    fn set(self, register: usize, pins: u32, on: bool) {
        // Called before the tasks start, so the read and the write stay together.
        self.0.with_offset(register).modify(|old| if on { old | pins } else { old & !pins });
    }

    /// Bits 2..10 of the address select the pins that an access to the data register affects, so
    /// pins of one port don't interfere.
    fn data(self, pin: u32) -> Register {
        self.0.with_offset(4 << pin)
    }

    /// Hands pins over to their peripheral.
    pub(crate) fn give_to_peripheral(self, pins: u32) {
        self.set(ALTERNATE, pins, true);
        self.set(DIGITAL, pins, true);
    }
}

/// An input with a pull-up.
pub(crate) struct Input(Register);

impl Input {
    pub(crate) fn new(port: Port, pin: u32) -> Self {
        port.set(DIRECTION, 1 << pin, false);
        port.set(PULL_UP, 1 << pin, true);
        port.set(DIGITAL, 1 << pin, true);
        Self(port.data(pin))
    }
}

impl ErrorType for Input {
    type Error = Infallible;
}

impl InputPin for Input {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.read() != 0)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.read() == 0)
    }
}

/// An output.
pub(crate) struct Output(Register);

impl Output {
    pub(crate) fn new(port: Port, pin: u32, high: bool) -> Self {
        port.set(DIGITAL, 1 << pin, true);
        port.set(DIRECTION, 1 << pin, true);
        let mut output = Self(port.data(pin));
        output.set(high);
        output
    }

    pub(crate) fn set(&mut self, high: bool) {
        self.0.write(if high { u32::MAX } else { 0 });
    }

    /// Leaves the pin at its level permanently.
    pub(crate) fn keep(self) {}
}
