//! What happens when the program can't continue: a note in memory that survives a reset, and a
//! restart that shows it.
use super::Hardware;
use crate::ThisBoard;
use core::{mem::MaybeUninit, panic::PanicInfo};
use cortex_m_rt::{ExceptionFrame, exception};
use corvid_firmware::health::{Cause, Failure, RECORD, Record, started};

/// The note. Not initialised at the start.
// SAFETY: cortex-m-rt has this section for memory that must not be initialised.
#[unsafe(link_section = ".uninit.FAILURE")]
static mut NOTE: MaybeUninit<Record> = MaybeUninit::uninit();

/// Passes the reset cause and the note to the device, and clears the note so that it is reported
/// once.
pub(crate) fn tell(cause: Cause) {
    let note = (&raw mut NOTE).cast::<Record>();
    // SAFETY: any bits are a record, whose checksum says whether it is valid; nothing else accesses
    // it now, since only `fail` does, which does not return.
    let record = unsafe { note.read_volatile() };
    // SAFETY: as before.
    unsafe { note.write_volatile([0; RECORD]) };
    started(cause, &record);
}

/// Records a failure and restarts the board.
pub(crate) fn fail(failure: &Failure) -> ! {
    cortex_m::interrupt::disable();
    // SAFETY: interrupts are off, and this does not return.
    unsafe { (&raw mut NOTE).cast::<Record>().write_volatile(failure.record()) };
    ThisBoard::reset()
}

/// Reads only the place of a panic. Inlined into its only caller, so that the compiler sees that nobody
/// reads the message, and leaves out most of what would compose one.
#[panic_handler]
#[inline(always)]
#[allow(unused_attributes, reason = "ignored across crates, but not when they are linked as one")]
fn panic(info: &PanicInfo<'_>) -> ! {
    cortex_m::interrupt::disable();
    if let Some(place) = info.location() {
        defmt::error!("panicked at {=str}:{=u32}", place.file(), place.line());
    }
    fail(&Failure::panic(info))
}

// SAFETY: it uses nothing that the interrupted code could have left inconsistent.
#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    fail(&Failure::fault(frame.pc()))
}
