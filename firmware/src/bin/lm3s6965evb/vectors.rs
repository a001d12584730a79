//! The chip's interrupts, which follow the processor's own.
use crate::{
    shared::{KEYS, REST},
    uart,
};
use cortex_m::interrupt::InterruptNumber;

/// The interrupts in use.
#[derive(Clone, Copy)]
#[repr(u16)]
pub(crate) enum Interrupt {
    Uart0 = 5,
    /// The first analog comparator's, which is not used otherwise.
    Keys = 25,
    /// The second one's.
    Rest = 26,
}

// SAFETY: the numbers are those of the chip and differ.
unsafe impl InterruptNumber for Interrupt {
    fn number(self) -> u16 {
        self as u16
    }
}

type Vector = unsafe extern "C" fn();

/// Interrupts that the chip has.
const COUNT: usize = 44;

unsafe extern "C" {
    /// cortex-m-rt's handler for unexpected interrupts.
    fn DefaultHandler();
}

/// The vector table.
// SAFETY: cortex-m-rt expects the table under this name in this section, and `device` is on.
#[unsafe(link_section = ".vector_table.interrupts")]
#[unsafe(no_mangle)]
static __INTERRUPTS: [Vector; COUNT] = {
    let mut table: [Vector; COUNT] = [DefaultHandler; COUNT];
    table[Interrupt::Uart0 as usize] = uart::on_interrupt;
    table[Interrupt::Keys as usize] = on_keys;
    table[Interrupt::Rest as usize] = on_rest;
    table
};

extern "C" fn on_keys() {
    // SAFETY: this is the handler, and the interrupt is enabled by `start`.
    unsafe { KEYS.on_interrupt() };
}

extern "C" fn on_rest() {
    // SAFETY: as before.
    unsafe { REST.on_interrupt() };
}
