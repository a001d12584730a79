//! One of the processors: an instruction at a time on the clock of the chip, with the limit of the stack,
//! which the crate's model leaves out.
use super::{fabric::Fabric, sio::Start};
use rp2350_emu::{CortexM33, core::CoreBus};
use std::sync::Arc;

pub(crate) const SP: usize = 13;
pub(crate) const LR: usize = 14;

const HARD_FAULT: u32 = 3;

/// The bits of the program status that say which exception is being handled.
const EXCEPTION: u32 = 0x1ff;

/// Usage fault: the stack overflowed. Hard fault: another fault has become one.
const STACK_OVERFLOW: u32 = 1 << 20;
const FORCED: u32 = 1 << 30;

/// Bytes that an exception puts on the stack, and the clocks that it takes.
const FRAME: u32 = 32;
const ENTRY: u64 = 12;

/// Returns from an exception to a handler, and to thread mode.
const TO_HANDLER: u32 = 0xffff_fff1;
const TO_THREAD: u32 = 0xffff_fff9;

/// The parts of the control register: another stack, and registers of the floating-point unit in use.
const OTHER_STACK_AND_FLOATS: u32 = 6;

/// A processor.
pub(crate) struct Processor {
    pub(crate) core: CortexM33,
    /// Clocks of the chip in which it executed nothing.
    skipped: u64,
    /// The register MSPLIM, which is kept here.
    stack_limit: u32,
}

impl Processor {
    /// A processor that starts now.
    pub(crate) fn new(number: usize, start: Start, fabric: &Fabric) -> Self {
        let mut core = CortexM33::new(number as u8, Arc::clone(fabric.atomics()));
        core.ppb.vtor = start.vectors;
        (core.regs.r[SP], core.regs.msp) = (start.stack, start.stack);
        core.regs.set_pc(start.first & !1);
        Self { core, skipped: fabric.now, stack_limit: 0 }
    }

    /// Which one it is.
    pub(crate) fn number(&self) -> usize {
        self.core.id().into()
    }

    /// How far it has come, in clocks of the chip.
    #[inline(always)]
    pub(crate) fn now(&self) -> u64 {
        self.skipped + self.core.cycles()
    }

    /// Lets it do nothing for so many clocks.
    pub(crate) const fn skip(&mut self, clocks: u64) {
        self.skipped += clocks;
    }

    /// The exception that it handles; 0 in thread mode.
    pub(crate) const fn exception(&self) -> u32 {
        self.core.regs.xpsr & EXCEPTION
    }

    /// Whether a fault in the handler of faults has stopped it.
    pub(crate) fn is_locked_up(&self) -> bool {
        self.core.is_halted() && self.exception() == HARD_FAULT
    }

    /// Executes an instruction, or enters an exception.
    #[inline(always)]
    pub(crate) fn step(&mut self, fabric: &mut Fabric) {
        let (at, stack) = (self.core.regs.pc(), self.core.regs.r[SP]);
        // Sleep and raised lines, which it leaves out, have been seen to.
        self.core.step_no_atomics(fabric);
        if self.core.regs.msplim != 0 {
            // The crate looks at it only when it enters an exception, and then not as the processor
            // does, so it does not get it.
            self.stack_limit = std::mem::take(&mut self.core.regs.msplim);
        }
        if self.core.regs.r[SP] < self.stack_limit && self.exception() != HARD_FAULT {
            self.overflow(at, stack, fabric);
        }
    }

    /// An instruction took the stack below its limit: a fault, before which the stack was there.
    fn overflow(&mut self, at: u32, stack: u32, fabric: &mut Fabric) {
        let number = self.core.id();
        let frame = (stack & !7).wrapping_sub(FRAME);
        let regs = &self.core.regs;
        let words = [0, 1, 2, 3, 12, LR].map(|n| regs.r[n]).into_iter().chain([at, regs.xpsr]);
        let is_room = frame >= self.stack_limit;
        if is_room {
            for (address, word) in (frame..).step_by(4).zip(words) {
                fabric.write32(address, word, number);
            }
        }
        let back = if self.exception() == 0 { TO_THREAD } else { TO_HANDLER };
        let handler = fabric.read32(self.core.ppb.vtor + 4 * HARD_FAULT, number);
        let regs = &mut self.core.regs;
        regs.r[SP] = if is_room { frame } else { self.stack_limit };
        regs.r[LR] = back;
        regs.xpsr = regs.xpsr & !EXCEPTION | HARD_FAULT;
        regs.control &= !OTHER_STACK_AND_FLOATS;
        regs.set_pc(handler & !1);
        self.core.ppb.cfsr |= STACK_OVERFLOW;
        self.core.ppb.hfsr |= FORCED;
        self.skip(ENTRY);
    }

    /// Makes it go on elsewhere.
    pub(crate) fn divert(&mut self, to: u32, back: u32, r2: u32, fabric: &Fabric) {
        fabric.atomics().clear_wfe_waiting(self.number());
        let regs = &mut self.core.regs;
        (regs.r[LR], regs.r[2]) = (back, r2);
        regs.set_pc(to & !1);
    }
}
