//! The second processor of the RP2040 and the RP2350, which takes a part of searches.
//!
//! Between them it waits in RAM, with interrupts off, and reads nothing from the flash: the first one is
//! free to write there. It does so between searches only (`Brain::step`), never within [`Helper::join`].
//! The tests' emulators stop when the flash is written while this processor is elsewhere.
use core::{
    arch::naked_asm,
    ops::Range,
    ptr,
    sync::atomic::{AtomicPtr, Ordering},
};
use corvid_core::search::helper::Helper;
use corvid_firmware::processor::Second;
use embassy_rp::pac::{PSM, SIO};
use embassy_time::Instant;

/// How long each step of its start may take. The boot ROM needs some microseconds.
const STEP_MICROS: u64 = 5_000;

/// How often its start begins anew because the boot ROM has answered something else.
const ATTEMPTS: u32 = 4;

/// The register that says which processor reads it: 0 is the first.
pub(super) const NUMBER: u32 = 0xd000_0000;

/// The bytes below its stack that it may not touch. No function takes as many at once.
#[cfg(feature = "pico")]
const FORBIDDEN: u32 = 1024;

unsafe extern "C" {
    // The linker's: the two ends of its stack. Only their addresses mean something.
    pub(super) static _second_stack_start: u32;
    static _second_stack_end: u32;
}

/// A part of a search, and what points to one.
type Part<'a> = &'a mut (dyn FnMut() + Send);
type Pointer = *mut ();

/// The [`Part`] that it is to run, or runs. It takes it away when it waits for the next.
static PART: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// In place of a part, as long as it has not started.
const STARTING: Pointer = ptr::dangling_mut();

/// The second processor, running.
#[derive(Debug)]
struct Running;

impl Helper for Running {
    /// Called within a part, it runs both on the processor that it is called on: its own one first, which
    /// is the one that ends the other.
    fn join(&self, theirs: &mut (dyn FnMut() + Send), own: &mut dyn FnMut()) {
        if !PART.load(Ordering::Acquire).is_null() {
            own();
            theirs();
            return;
        }
        let mut part: Part<'_> = theirs;
        PART.store((&raw mut part).cast(), Ordering::Release);
        // The part has to be there before the event.
        cortex_m::asm::dsb();
        cortex_m::asm::sev();
        own();
        // An event between the look and the wait ends the wait.
        while !PART.load(Ordering::Acquire).is_null() {
            cortex_m::asm::wfe();
        }
    }
}

/// Starts it. If it doesn't answer, it is held in its reset.
pub(crate) fn start() -> Second {
    if launch().is_some() {
        Second::Helps(&Running)
    } else {
        PSM.frce_off().modify(|off| off.set_proc1(true));
        defmt::warn!("the second processor did not start");
        Second::Silent
    }
}

/// Has the boot ROM start it, as its data sheet describes; `None` when it doesn't answer.
fn launch() -> Option<()> {
    PART.store(STARTING, Ordering::Release);
    PSM.frce_off().modify(|off| off.set_proc1(true));
    until(|| PSM.frce_off().read().proc1())?;
    drain();
    PSM.frce_off().modify(|off| off.set_proc1(false));
    // The boot ROM says 0 once it waits for what follows.
    receive()?;
    // SAFETY: reading this register changes nothing.
    let vectors = unsafe { (*cortex_m::peripheral::SCB::PTR).vtor.read() };
    let first: extern "C" fn() -> ! = begin;
    let words = [0, 0, 1, vectors, stack().end, first as usize as u32];
    (0..ATTEMPTS).find_map(|_| tell(&words))?;
    until(|| PART.load(Ordering::Acquire).is_null())
}

/// Sends these words, each of which the boot ROM repeats; `None` when it doesn't.
fn tell(words: &[u32]) -> Option<()> {
    words.iter().try_for_each(|word| {
        if *word == 0 {
            drain();
        }
        until(|| SIO.fifo().st().read().rdy())?;
        SIO.fifo().wr().write_value(*word);
        cortex_m::asm::sev();
        (receive()? == *word).then_some(())
    })
}

/// The next word from it.
fn receive() -> Option<u32> {
    until(|| SIO.fifo().st().read().vld())?;
    Some(SIO.fifo().rd().read())
}

/// Discards words that it has sent.
fn drain() {
    while SIO.fifo().st().read().vld() {
        SIO.fifo().rd().read();
    }
}

/// Waits for something; `None` when it takes too long.
fn until(mut is_so: impl FnMut() -> bool) -> Option<()> {
    let begun = Instant::now().as_micros();
    while !is_so() {
        if Instant::now().as_micros().wrapping_sub(begun) > STEP_MICROS {
            return None;
        }
    }
    Some(())
}

/// Whether this is the processor that executes this.
pub(super) fn is_this() -> bool {
    SIO.cpuid().read() != 0
}

/// The addresses of its stack.
pub(super) fn stack() -> Range<u32> {
    (&raw const _second_stack_end).addr() as u32..(&raw const _second_stack_start).addr() as u32
}

/// The first function that it executes.
extern "C" fn begin() -> ! {
    cortex_m::interrupt::disable();
    guard_stack();
    #[cfg(feature = "pico2")]
    set_up();
    wait()
}

/// Lets it notice a stack that leaves its place.
#[cfg(feature = "pico")]
fn guard_stack() {
    // SAFETY: they belong to its stack, of which nothing gets there unless it overflows.
    unsafe { super::failure::forbid::<FORBIDDEN>(stack().start) };
}

/// Lets it notice a stack that leaves its place.
#[cfg(feature = "pico2")]
fn guard_stack() {
    // SAFETY: the stack pointer is above it.
    unsafe { cortex_m::register::msplim::write(stack().start) };
}

/// Sets up what embassy-rp and cortex-m-rt set up for the first processor.
#[cfg(feature = "pico2")]
fn set_up() {
    /// Exclusive loads and stores are seen by the other processor.
    const EXCLUSIVE_EVERYWHERE: u32 = 1 << 29;
    /// Everybody may use the floating-point unit.
    const FLOATS: u32 = 0b1111 << 20;
    // SAFETY: these registers are this processor's own, and no other code of it uses them.
    unsafe {
        (*cortex_m::peripheral::ICB::PTR).actlr.modify(|actlr| actlr | EXCLUSIVE_EVERYWHERE);
        (*cortex_m::peripheral::SCB::PTR).cpacr.modify(|cpacr| cpacr | FLOATS);
    }
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
}

/// Says that there is no part any more, waits for one, runs it, and so on. In RAM, with all that it reads.
#[unsafe(naked)]
// SAFETY: cortex-m-rt copies this section to RAM at the start.
#[unsafe(link_section = ".data.second")]
extern "C" fn wait() -> ! {
    naked_asm!(
        "ldr r4, ={part}",
        "ldr r5, ={run}",
        "2:",
        // What the part has written has to be there before it is said to have ended, and that before
        // the event.
        "dmb",
        "movs r0, #0",
        "str r0, [r4]",
        "dsb",
        "sev",
        "3:",
        "ldr r0, [r4]",
        "cmp r0, #0",
        "bne 4f",
        "wfe",
        "b 3b",
        "4:",
        // What the part reads has been written before it.
        "dmb",
        "blx r5",
        "b 2b",
        ".pool",
        part = sym PART,
        run = sym run,
    )
}

/// Runs a part.
///
/// # Safety
/// It is a pointer to a [`Part`] that nobody else uses until this returns.
unsafe extern "C" fn run(part: Pointer) {
    let part = part.cast::<Part<'_>>();
    // SAFETY: `join` has put it there, and waits until this has returned. It may be sent to another
    // processor.
    unsafe { (*part)() };
}
