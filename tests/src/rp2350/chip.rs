//! The processor, its clock, and what the crate's model of it leaves to its surroundings: waking up, the
//! level of interrupt lines, the boot ROM's functions and the limit of the stack.
use super::{
    fabric::{CORE, Fabric},
    rom::{self, Call},
    watchdog::Reason,
};
use rp2350_emu::{CortexM33, core::CoreBus};
use std::{
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

/// The image's vectors: the stack's top and the first instruction.
const VECTORS: u32 = 0x1000_0000;

/// No image has code below this; the boot ROM lies there.
const ROM_END: u32 = 0x8000;

const SP: usize = 13;
const LR: usize = 14;

const HARD_FAULT: u32 = 3;

/// The bits of the program status that say which exception is being handled.
const EXCEPTION: u32 = 0x1ff;

/// Usage fault: the stack overflowed. Hard fault: another fault has become one.
const STACK_OVERFLOW: u32 = 1 << 20;
const FORCED: u32 = 1 << 30;

/// The interrupt controller's registers: one that takes the number of an interrupt to be raised, and a
/// byte for the priority of each.
const TRIGGER: u32 = 0xe000_ef00;
const PRIORITIES: Range<u32> = 0xe000_e400..0xe000_e434;

/// Bytes that an exception puts on the stack, and the clocks that it takes.
const FRAME: u32 = 32;
const ENTRY: u64 = 12;

/// Returns from an exception to a handler, and to thread mode.
const TO_HANDLER: u32 = 0xffff_fff1;
const TO_THREAD: u32 = 0xffff_fff9;

/// The parts of the control register: another stack, and registers of the floating-point unit in use.
const OTHER_STACK_AND_FLOATS: u32 = 6;

/// A running chip.
pub(crate) struct Chip {
    core: CortexM33,
    pub(crate) fabric: Fabric,
    /// Clocks in which the processor executed nothing, and those before its last reset.
    skipped: u64,
    /// The register MSPLIM, which is kept here.
    stack_limit: u32,
    /// The processor has stopped: it does not even take interrupts.
    pub(crate) is_hung: bool,
    /// The boot ROM has taken over: the program has ended.
    pub(crate) has_left: bool,
}

impl Chip {
    /// Starts the image in the flash, as the boot ROM does.
    pub(crate) fn new(mut fabric: Fabric) -> Self {
        let core = start(&mut fabric);
        Self { core, fabric, skipped: 0, stack_limit: 0, is_hung: false, has_left: false }
    }

    fn reset(&mut self, reason: Reason) {
        self.fabric.reset(reason);
        self.core = start(&mut self.fabric);
        (self.skipped, self.stack_limit, self.is_hung) = (self.fabric.now, 0, false);
    }

    /// Runs until so many clocks have passed since the first start.
    pub(crate) fn run_until(&mut self, end: u64) {
        while !self.has_left {
            if self.fabric.now >= self.fabric.due {
                if let Some((address, value)) = self.fabric.own_write.take() {
                    self.write_own(address, value);
                }
                self.fabric.advance();
                if let Some(reason) = self.fabric.watchdog.bites(self.fabric.now) {
                    self.reset(reason);
                }
            }
            if self.fabric.now >= end {
                break;
            }
            if self.fabric.lines != 0 {
                self.raise();
            }
            if self.is_asleep() {
                self.doze(end);
            } else {
                self.step();
            }
        }
    }

    /// Does what the crate leaves out when a program writes to the interrupt controller.
    fn write_own(&mut self, address: u32, value: u32) {
        match address {
            TRIGGER => {
                let [word, bit] = [value / u32::BITS, value % u32::BITS];
                self.core.ppb.nvic_ispr[word as usize].fetch_or(1 << bit, Ordering::Relaxed);
            }
            // A word is written by the crate, a byte is not.
            _ if PRIORITIES.contains(&address) && value <= 0xff => {
                let (index, lane) = ((address - PRIORITIES.start) / 4, address % 4 * 8);
                let word = &mut self.core.ppb.nvic_ipr[index as usize];
                *word = *word & !(0xff << lane) | value << lane;
            }
            _ => {}
        }
    }

    /// Passes raised lines to the interrupt controller: one that is still up when its handler has ended
    /// counts again.
    fn raise(&mut self) {
        let active = &self.core.ppb.nvic_iabr;
        let [low, high] = [0, 1].map(|word| u64::from(active[word].load(Ordering::Relaxed)));
        let raised = self.fabric.lines & !(high << 32 | low);
        if raised != 0 {
            let pending = &self.core.ppb.nvic_ispr;
            pending[0].fetch_or(raised as u32, Ordering::Relaxed);
            pending[1].fetch_or((raised >> 32) as u32, Ordering::Relaxed);
            // The end of its handler is an event, which the crate leaves out: a program that has
            // just found nothing to do must not sleep now.
            self.fabric.atomics().set_event_flag(CORE);
        }
    }

    /// Whether the processor has nothing to do until something happens.
    #[inline(always)]
    fn is_asleep(&self) -> bool {
        let atomics = self.fabric.atomics();
        self.is_hung || atomics.is_wfe_waiting(CORE) || atomics.is_halted(CORE)
    }

    /// Wakes the processor, or lets it sleep until something happens.
    fn doze(&mut self, end: u64) {
        let atomics = Arc::clone(self.fabric.atomics());
        let is_locked_up = self.core.is_halted() && self.exception() == HARD_FAULT;
        if !self.is_hung && !is_locked_up {
            let [low, high] =
                [0, 1].map(|word| self.core.ppb.nvic_ispr[word].load(Ordering::Relaxed));
            let pending = u64::from(high) << 32 | u64::from(low);
            let is_called = self.core.ppb.any_pending_enabled(pending);
            if is_called || self.core.is_wfe_waiting() && atomics.event_flag_consume(CORE) {
                atomics.clear_wfe_waiting(CORE);
                atomics.clear_halted(CORE);
                return;
            }
        }
        self.skip(end.min(self.fabric.due).saturating_sub(self.fabric.now));
    }

    const fn skip(&mut self, clocks: u64) {
        self.skipped += clocks;
        self.fabric.now += clocks;
    }

    const fn exception(&self) -> u32 {
        self.core.regs.xpsr & EXCEPTION
    }

    /// Executes an instruction, or enters an exception.
    #[inline(always)]
    fn step(&mut self) {
        let at = self.core.regs.pc();
        if at < ROM_END
            && let Some(call) = rom::call(at)
        {
            self.call(call);
        }
        let stack = self.core.regs.r[SP];
        // Sleep and raised lines, which it leaves out, have been seen to.
        self.core.step_no_atomics(&mut self.fabric);
        self.fabric.now = self.skipped + self.core.cycles();
        if self.core.regs.msplim != 0 {
            // The crate looks at it only when it enters an exception, and then not as the processor
            // does, so it does not get it.
            self.stack_limit = std::mem::take(&mut self.core.regs.msplim);
        }
        if self.core.regs.r[SP] < self.stack_limit && self.exception() != HARD_FAULT {
            self.overflow(at, stack);
        }
    }

    /// An instruction took the stack below its limit: a fault, before which the stack was there.
    fn overflow(&mut self, at: u32, stack: u32) {
        let frame = (stack & !7).wrapping_sub(FRAME);
        let regs = &self.core.regs;
        let words = [0, 1, 2, 3, 12, LR].map(|n| regs.r[n]).into_iter().chain([at, regs.xpsr]);
        let is_room = frame >= self.stack_limit;
        if is_room {
            for (address, word) in (frame..).step_by(4).zip(words) {
                self.fabric.write32(address, word, CORE as u8);
            }
        }
        let back = if self.exception() == 0 { TO_THREAD } else { TO_HANDLER };
        let handler = self.fabric.read32(self.core.ppb.vtor + 4 * HARD_FAULT, CORE as u8);
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

    /// Does what a function of the boot ROM does, before it returns.
    fn call(&mut self, call: Call) {
        let [first, second, third, _] = self.core.regs.r[..4] else { return };
        match call {
            Call::LookUp => self.core.regs.r[0] = rom::look_up(first),
            Call::Nothing => {}
            Call::Erase => {
                let clocks = self.fabric.flash.erase(first, second as usize);
                self.skip(clocks);
            }
            Call::Program => {
                let data: Vec<u8> =
                    (0..third).map(|n| self.fabric.read8(second + n, CORE as u8)).collect();
                let clocks = self.fabric.flash.program(first, &data);
                self.skip(clocks);
            }
            Call::Reboot => self.has_left = true,
        }
    }

    /// Makes the code in thread mode, below all interrupts, continue elsewhere.
    pub(crate) fn divert(&mut self, to: u32, back: u32, r2: u32) {
        while self.exception() != 0 || self.core.it_state() != 0 {
            self.run_until(self.fabric.now + 1);
        }
        self.fabric.atomics().clear_wfe_waiting(CORE);
        let regs = &mut self.core.regs;
        (regs.r[LR], regs.r[2]) = (back, r2);
        regs.set_pc(to & !1);
    }

    /// Moves the stack of thread mode down, with what is on it: what points to a place on it points to the
    /// old one. `top` is where the stack begins.
    pub(crate) fn move_stack(&mut self, top: u32, to: u32) {
        while self.exception() != 0 {
            self.run_until(self.fabric.now + 1);
        }
        let from = self.core.regs.r[SP];
        for offset in (0..top - from).step_by(4) {
            let word = self.fabric.read32(from + offset, CORE as u8);
            self.fabric.write32(to + offset, word, CORE as u8);
        }
        self.core.regs.r[SP] = to;
    }

    /// The word at an address.
    pub(crate) fn word(&mut self, address: u32) -> u32 {
        self.fabric.read32(address, CORE as u8)
    }

    /// Changes the word at an address, which may be code.
    pub(crate) fn set_word(&mut self, address: u32, word: u32) {
        self.fabric.write32(address, word, CORE as u8);
        self.core.invalidate_decode_cache_entries(&[address, address + 2]);
    }
}

/// A processor at the image's first instruction.
fn start(fabric: &mut Fabric) -> CortexM33 {
    let mut core = CortexM33::new(CORE as u8, Arc::clone(fabric.atomics()));
    let [stack, first] = [0, 4].map(|offset| fabric.read32(VECTORS + offset, CORE as u8));
    core.ppb.vtor = VECTORS;
    (core.regs.r[SP], core.regs.msp) = (stack, stack);
    core.regs.set_pc(first & !1);
    core
}
