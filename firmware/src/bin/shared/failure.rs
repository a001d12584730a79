//! What happens when the program can't go on: a note in memory that a reset leaves alone, and a
//! fresh start that shows it.
use super::Hardware;
use crate::ThisBoard;
use core::{mem::MaybeUninit, panic::PanicInfo};
use cortex_m_rt::{ExceptionFrame, exception};
use corvid_firmware::health::{Cause, Failure, RECORD, Record, started};

/// The note. No program code sets it up at the start.
// SAFETY: cortex-m-rt has this section for what must not be set up.
#[unsafe(link_section = ".uninit.FAILURE")]
static mut NOTE: MaybeUninit<Record> = MaybeUninit::uninit();

/// Tells the device why it started, and takes the note so that it is told once.
pub(crate) fn tell(cause: Cause) {
    let note = (&raw mut NOTE).cast::<Record>();
    // SAFETY: any bits are a record, which its check sum tells from no record; nobody else looks at
    // it now, since nothing but `fail` does, which does not return.
    let record = unsafe { note.read_volatile() };
    // SAFETY: as before.
    unsafe { note.write_volatile([0; RECORD]) };
    started(cause, &record);
}

/// Writes a failure down and starts the board again.
pub(crate) fn fail(failure: &Failure) -> ! {
    cortex_m::interrupt::disable();
    // SAFETY: no interrupt comes any more, and this does not return.
    unsafe { (&raw mut NOTE).cast::<Record>().write_volatile(failure.record()) };
    ThisBoard::reset()
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    cortex_m::interrupt::disable();
    defmt::error!("{}", defmt::Display2Format(info));
    fail(&Failure::panic(info))
}

// SAFETY: it uses nothing that the interrupted code could have left half done.
#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    fail(&Failure::fault(frame.pc()))
}
