//! Calls the LM3S6965's functions that copy and fill memory with every alignment and many lengths, and
//! leaves the emulator with 0 if all bytes are as they should be, or else with 1.
//! The test `copying` builds and runs it.
#![no_std]
#![no_main]

#[path = "../../firmware/src/bin/lm3s6965evb/memory.rs"]
mod memory;

use core::{arch::asm, hint::black_box, panic::PanicInfo};

type Copy = unsafe extern "C" fn(*mut u8, *const u8, usize) -> *mut u8;
type Fill = unsafe extern "C" fn(*mut u8, usize, u32);
type Clear = unsafe extern "C" fn(*mut u8, usize);

unsafe extern "C" {
    fn memcpy(to: *mut u8, from: *const u8, length: usize) -> *mut u8;
    fn memmove(to: *mut u8, from: *const u8, length: usize) -> *mut u8;
    fn memset(to: *mut u8, byte: i32, length: usize) -> *mut u8;
    fn __aeabi_memcpy(to: *mut u8, from: *const u8, length: usize) -> *mut u8;
    fn __aeabi_memcpy4(to: *mut u8, from: *const u8, length: usize) -> *mut u8;
    fn __aeabi_memcpy8(to: *mut u8, from: *const u8, length: usize) -> *mut u8;
    fn __aeabi_memmove(to: *mut u8, from: *const u8, length: usize) -> *mut u8;
    fn __aeabi_memmove4(to: *mut u8, from: *const u8, length: usize) -> *mut u8;
    fn __aeabi_memmove8(to: *mut u8, from: *const u8, length: usize) -> *mut u8;
    fn __aeabi_memset(to: *mut u8, length: usize, byte: u32);
    fn __aeabi_memset4(to: *mut u8, length: usize, byte: u32);
    fn __aeabi_memset8(to: *mut u8, length: usize, byte: u32);
    fn __aeabi_memclr(to: *mut u8, length: usize);
    fn __aeabi_memclr4(to: *mut u8, length: usize);
    fn __aeabi_memclr8(to: *mut u8, length: usize);
}

/// Bytes of memory that the functions work in.
const SIZE: usize = 96;

/// The longest copy: several blocks of 16 bytes, a word and bytes.
const LONGEST: usize = 55;

/// Memory at a multiple of 8.
static mut BYTES: [u64; SIZE / 8] = [0; SIZE / 8];

/// The byte at a place before a function is called. No two within the longest copy are equal.
fn before(at: usize) -> u8 {
    (at * 37 + 11) as u8
}

/// Whether the memory is as expected after `work`, which gets its address.
fn holds(work: impl FnOnce(*mut u8), expected: impl Fn(usize) -> u8) -> bool {
    let bytes = (&raw mut BYTES).cast::<u8>();
    for at in 0..SIZE {
        // SAFETY: it is within the memory. Volatile, so that no call to the functions comes of it.
        unsafe { bytes.add(at).write_volatile(before(at)) };
    }
    work(bytes);
    // SAFETY: as before.
    (0..SIZE).all(|at| unsafe { bytes.add(at).read_volatile() } == expected(at))
}

/// `overlap` is whether source and destination may overlap.
fn copies(copy: Copy, align: usize, overlap: bool) -> bool {
    (0..40usize).step_by(align).all(|to| {
        (0..40usize).step_by(align).all(|from| {
            let longest = if overlap { LONGEST } else { to.abs_diff(from) };
            (0..=longest).all(|length| moves(copy, to, from, length))
        })
    })
}

fn moves(copy: Copy, to: usize, from: usize, length: usize) -> bool {
    let work = |bytes: *mut u8| {
        // SAFETY: both are within the memory.
        unsafe { black_box(copy)(bytes.add(to), bytes.add(from), length) };
    };
    holds(work, |at| {
        let moved = (to..to + length).contains(&at);
        before(if moved { at - to + from } else { at })
    })
}

fn fills(fill: impl Fn(*mut u8, usize), align: usize, byte: u8) -> bool {
    (0..40).step_by(align).all(|to| {
        (0..=LONGEST).all(|length| {
            // SAFETY: it is within the memory.
            let work = |bytes: *mut u8| fill(unsafe { bytes.add(to) }, length);
            holds(work, |at| if (to..to + length).contains(&at) { byte } else { before(at) })
        })
    })
}

fn sets(fill: Fill, align: usize) -> bool {
    // Only the lowest byte counts. SAFETY: `fills` stays within the memory.
    fills(|to, length| unsafe { black_box(fill)(to, length, 0x1234_56a7) }, align, 0xa7)
}

fn clears(clear: Clear, align: usize) -> bool {
    // SAFETY: `fills` stays within the memory.
    fills(|to, length| unsafe { black_box(clear)(to, length) }, align, 0)
}

/// C's functions return the destination.
fn returns() -> bool {
    let bytes = (&raw mut BYTES).cast::<u8>();
    // SAFETY: all is within the memory.
    unsafe {
        (0..=LONGEST).all(|length| {
            black_box(memcpy as Copy)(bytes, bytes.add(2), length) == bytes
                && black_box(memmove as Copy)(bytes.add(2), bytes, length) == bytes.add(2)
                && memset(black_box(bytes), 7, length) == bytes
        })
    }
}

fn all() -> bool {
    // SAFETY: `fills` stays within the memory.
    let set = |to, length| unsafe {
        memset(black_box(to), 0x5c, length);
    };
    copies(memcpy, 1, false)
        && copies(__aeabi_memcpy, 1, false)
        && copies(__aeabi_memcpy4, 4, false)
        && copies(__aeabi_memcpy8, 8, false)
        && copies(memmove, 1, true)
        && copies(__aeabi_memmove, 1, true)
        && copies(__aeabi_memmove4, 4, true)
        && copies(__aeabi_memmove8, 8, true)
        && fills(set, 1, 0x5c)
        && sets(__aeabi_memset, 1)
        && sets(__aeabi_memset4, 4)
        && sets(__aeabi_memset8, 8)
        && clears(__aeabi_memclr, 1)
        && clears(__aeabi_memclr4, 4)
        && clears(__aeabi_memclr8, 8)
        && returns()
}

/// Ends the emulator through semihosting.
fn exit(good: bool) -> ! {
    const SYS_EXIT: u32 = 0x18;
    const APPLICATION_EXIT: u32 = 0x2_0026;
    const RUNTIME_ERROR: u32 = 0x2_0023;
    let reason = if good { APPLICATION_EXIT } else { RUNTIME_ERROR };
    // SAFETY: the emulator handles this breakpoint.
    unsafe { asm!("bkpt #0xab", in("r0") SYS_EXIT, in("r1") reason) };
    loop {}
}

extern "C" fn reset() -> ! {
    exit(all())
}

/// The stack's end and the first instruction. A fault finds no handler and stops the emulator.
// SAFETY: the linker script puts it at the start of the flash.
#[unsafe(link_section = ".vectors")]
#[used]
static VECTORS: (u32, extern "C" fn() -> !) = (0x2000_8000, reset);

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    exit(false)
}
