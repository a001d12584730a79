//! Counts the instructions of the games on an emulated core, and prints them: a line for each figure,
//! with the instructions of all work and how often that was done.
//!
//! `cargo xtask measure baseline` builds it for three cores and runs it in QEMU.
#![no_std]
#![no_main]

mod counter;
#[allow(dead_code, unreachable_pub, reason = "of the boards, one is chosen")]
#[path = "../../../firmware/src/profile.rs"]
mod profile;

use core::panic::PanicInfo;

use cortex_m::Peripherals;
use cortex_m_rt::{ExceptionFrame, entry, exception};
use cortex_m_semihosting::{debug, hprintln};

use counter::Counter;
use profile::Profile;

/// The board whose games are measured.
const BOARD: Profile = if cfg!(feature = "pico") {
    profile::PICO
} else if cfg!(feature = "pico2") {
    profile::PICO2
} else {
    profile::LM3S6965EVB
};

#[entry]
fn main() -> ! {
    static mut MEMORY: [u64; BOARD.slots()] = [0; BOARD.slots()];

    let Some(peripherals) = Peripherals::take() else { end(debug::EXIT_FAILURE) };
    corvid_instructions::measure(MEMORY, &mut Counter::new(peripherals.SYST));
    end(debug::EXIT_SUCCESS)
}

/// Ends the emulator.
fn end(status: debug::ExitStatus) -> ! {
    loop {
        debug::exit(status);
    }
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    hprintln!("{}", info);
    end(debug::EXIT_FAILURE)
}

// Without it a fault would be an endless loop.
#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    panic!("{frame:?}");
}
