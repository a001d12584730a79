//! Interrupt priorities, and the start of the executors.
use crate::{
    shared::{Executors, KEYS, REST},
    time,
    vectors::Interrupt,
};
use cortex_m::peripheral::{NVIC, Peripherals, scb::SystemHandler};

/// Starts the clock, the serial port's interrupt and the executors.
pub(crate) fn start() -> Executors {
    // SAFETY: main runs once, and nothing else takes them.
    let mut core = unsafe { Peripherals::steal() };
    // SAFETY: priorities are set before the interrupts are enabled, and nothing relies on masking
    // by priority.
    unsafe {
        // The chip has eight levels, in the upper three bits; a lower number has priority. A byte
        // can't wait, a tick can for a while, and the tasks are below both.
        core.NVIC.set_priority(Interrupt::Uart0, 0x20);
        core.SCB.set_priority(SystemHandler::SysTick, 0x40);
        core.NVIC.set_priority(Interrupt::Keys, 0x60);
        core.NVIC.set_priority(Interrupt::Rest, 0x80);
    }
    time::start(&mut core.SYST);
    // SAFETY: the handler is in place and shares only what critical sections guard.
    unsafe { NVIC::unmask(Interrupt::Uart0) };
    Executors { keys: KEYS.start(Interrupt::Keys), rest: REST.start(Interrupt::Rest) }
}
