//! What happens when the program can't continue: a note in memory that survives a reset, and a
//! restart that shows it.
use super::Hardware;
#[cfg(feature = "rp")]
use super::second;
use crate::ThisBoard;
use core::{arch::naked_asm, mem::MaybeUninit, ops::Range, panic::PanicInfo};
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

/// Records a failure and restarts the board, with both of its processors if it has two.
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

unsafe extern "C" {
    // The linker's: the two ends of the stack. Only their addresses mean something.
    static _stack_start: u32;
    static _stack_end: u32;
}

/// The bytes below the RAM, and so below the stack, that nothing may touch.
#[cfg(not(feature = "pico2"))]
const FORBIDDEN: u32 = 64 * 1024;

/// Lets the processor notice a stack that leaves the RAM. There may be something at the addresses below
/// it on some chip; the memory protection unit forbids them.
#[cfg(not(feature = "pico2"))]
pub(crate) fn guard_stack() {
    // SAFETY: no program accesses what is forbidden now, unless its stack overflows.
    unsafe { forbid::<FORBIDDEN>((&raw const _stack_end).addr() as u32) };
}

/// Forbids so many bytes below an address to the processor that calls this. They begin at a multiple of
/// their number, which is a power of two.
///
/// # Safety
/// The program never accesses them, unless a stack overflows.
#[cfg(not(feature = "pico2"))]
pub(crate) unsafe fn forbid<const BYTES: u32>(end: u32) {
    const NO_ACCESS: u32 = 0;
    const ENABLE: u32 = 1;
    // All other addresses stay as they are without it.
    const BACKGROUND: u32 = 1 << 2;
    // The size is 2 to the power of this field plus one.
    let size = const { (BYTES.trailing_zeros() - 1) << 1 };
    // SAFETY: nothing else uses this peripheral, which each processor has for itself.
    let mpu = unsafe { &*cortex_m::peripheral::MPU::PTR };
    // SAFETY: the caller promises that nothing is missed.
    unsafe {
        mpu.rnr.write(0);
        mpu.rbar.write(end - BYTES);
        mpu.rasr.write(NO_ACCESS | size | ENABLE);
        mpu.ctrl.write(BACKGROUND | ENABLE);
    }
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
}

/// Lets the processor notice a stack that leaves its place: this one has a register for it.
#[cfg(feature = "pico2")]
pub(crate) fn guard_stack() {
    // SAFETY: the stack pointer is above it.
    unsafe { cortex_m::register::msplim::write((&raw const _stack_end).addr() as u32) };
}

/// Faults and overflows end here. The stack may be unusable, so that it begins anew before anything is
/// put on it: nothing returns from here. Each of two processors has its own.
#[cfg(feature = "rp")]
#[unsafe(naked)]
// SAFETY: this is the name that cortex-m-rt's vector table has for the exception.
#[unsafe(export_name = "HardFault")]
extern "C" fn hard_fault() -> ! {
    naked_asm!(
        "mov r0, sp",
        "ldr r1, ={number}",
        "ldr r1, [r1]",
        "ldr r2, ={top}",
        "cmp r1, #0",
        "beq 2f",
        "ldr r2, ={second_top}",
        "2:",
        "mov sp, r2",
        "bl {record}",
        number = const second::NUMBER,
        top = sym _stack_start,
        second_top = sym second::_second_stack_start,
        record = sym record_fault,
    )
}

/// Faults and overflows end here. The stack may be unusable, so that it begins anew before anything is
/// put on it: nothing returns from here.
#[cfg(not(feature = "rp"))]
#[unsafe(naked)]
// SAFETY: this is the name that cortex-m-rt's vector table has for the exception.
#[unsafe(export_name = "HardFault")]
extern "C" fn hard_fault() -> ! {
    naked_asm!(
        "mov r0, sp",
        "ldr r1, ={top}",
        "mov sp, r1",
        "bl {record}",
        top = sym _stack_start,
        record = sym record_fault,
    )
}

/// What the processor may have put on the stack before it noticed the overflow, or meant to: sixteen
/// registers of a `push`, and those of the exception with the floating-point ones.
const PUSHED: u32 = 256;

/// Where the exception puts the address of the instruction, in words.
const PC: usize = 6;

/// Whether the processor says that it was the stack. Of a function with a large frame it does so before
/// the stack is anywhere near its end.
#[cfg(feature = "pico2")]
fn left_its_place() -> bool {
    /// The usage fault of an overflow, in the register of all configurable faults.
    const OVERFLOW: u32 = 1 << 20;
    // SAFETY: reading this register changes nothing.
    unsafe { (*cortex_m::peripheral::SCB::PTR).cfsr.read() & OVERFLOW != 0 }
}

/// The stack's end is all that tells.
#[cfg(not(feature = "pico2"))]
const fn left_its_place() -> bool {
    false
}

/// The addresses of the stack of the processor that executes this.
fn own_stack() -> Range<u32> {
    #[cfg(feature = "rp")]
    if second::is_this() {
        return second::stack();
    }
    (&raw const _stack_end).addr() as u32..(&raw const _stack_start).addr() as u32
}

/// Records a fault whose exception put registers on the stack down to `frame`.
extern "C" fn record_fault(frame: u32) -> ! {
    let stack = own_stack();
    if left_its_place() || !(stack.start + PUSHED..stack.end).contains(&frame) {
        fail(&Failure::overflow());
    }
    // SAFETY: the exception has put eight words there, and that is RAM.
    fail(&Failure::fault(unsafe { (frame as *const u32).add(PC).read_volatile() }))
}
