//! The processors, their clock, and what the crate's model of them leaves to its surroundings: waking up,
//! the level of interrupt lines, the boot ROM's functions, and what two processors have to agree on.
use super::{
    fabric::Fabric,
    plain::{Exclusive, exclusive},
    processor::{Processor, SP},
    rom::{self, Call},
    sio::{FIRST, SECOND, Start},
    watchdog::Reason,
};
use rp2350_emu::core::CoreBus;
use std::{
    ops::Range,
    sync::{Arc, atomic::Ordering},
};

/// The image's vectors: the stack's top and the first instruction.
const VECTORS: u32 = 0x1000_0000;

/// No image has code below this; the boot ROM lies there.
const ROM_END: u32 = 0x8000;

/// The addresses of RAM, as far as there is code.
const RAM: Range<u32> = 0x2000_0000..0x2008_2000;

/// The interrupt controller's registers: one that takes the number of an interrupt to be raised, and a
/// byte for the priority of each.
const TRIGGER: u32 = 0xe000_ef00;
const PRIORITIES: Range<u32> = 0xe000_e400..0xe000_e434;

/// More instructions than there are between an exclusive load and its store.
const CLAIM: u32 = 16;

/// A running chip.
pub(crate) struct Chip {
    first: Processor,
    /// None while it is in its reset or in the boot ROM.
    second: Option<Processor>,
    /// The second one executes instructions. It doesn't while it waits for an event.
    is_helping: bool,
    pub(crate) fabric: Fabric,
    /// The processor that has loaded exclusively, and how many instructions it has left to store. The
    /// crate's processors don't notice when another one stores in between, so that the other one waits.
    claim: Option<(usize, u32)>,
    /// Clocks in which the second processor has executed instructions since the power came.
    pub(crate) helped: u64,
    /// The lowest address of its stack so far.
    pub(crate) second_stack: u32,
    /// The processors have stopped: they don't even take interrupts.
    pub(crate) is_hung: bool,
    /// The boot ROM has taken over: the program has ended.
    pub(crate) has_left: bool,
}

impl Chip {
    /// Starts the image in the flash, as the boot ROM does.
    pub(crate) fn new(mut fabric: Fabric) -> Self {
        let first = start(&mut fabric);
        let (is_hung, has_left) = (false, false);
        Self {
            first,
            second: None,
            is_helping: false,
            fabric,
            claim: None,
            helped: 0,
            second_stack: u32::MAX,
            is_hung,
            has_left,
        }
    }

    fn reset(&mut self, reason: Reason) {
        self.fabric.reset(reason);
        self.first = start(&mut self.fabric);
        self.drop_second();
        self.is_hung = false;
    }

    /// The second processor runs no program any more.
    fn drop_second(&mut self) {
        (self.second, self.is_helping, self.claim) = (None, false, None);
        self.fabric.atomics().clear_wfe_waiting(SECOND);
        self.fabric.atomics().clear_halted(SECOND);
    }

    /// Runs until so many clocks have passed since the first start.
    pub(crate) fn run_until(&mut self, end: u64) {
        while !self.has_left {
            if self.fabric.now >= self.fabric.due {
                if let Some((address, value)) = self.fabric.own_write.take() {
                    self.write_own(address, value);
                }
                if let Some(is_held) = self.fabric.second_reset.take() {
                    self.fabric.sio.reset_second(is_held);
                    self.drop_second();
                }
                self.fabric.advance();
                if let Some(reason) = self.fabric.watchdog.bites(self.fabric.now) {
                    self.reset(reason);
                }
            }
            if self.fabric.now >= end {
                break;
            }
            let is_seconds = self.is_helping && !self.is_hung && self.is_seconds_turn();
            if !is_seconds {
                if !self.is_helping && self.fabric.atomics().event_flag_load(SECOND) {
                    self.wake_second();
                }
                if self.fabric.lines != 0 {
                    self.raise();
                }
                if self.is_asleep() {
                    self.doze(end);
                    continue;
                }
            }
            self.step(is_seconds);
        }
    }

    /// An event has reached the second processor: it executes instructions from now on.
    fn wake_second(&mut self) {
        let atomics = Arc::clone(self.fabric.atomics());
        if !atomics.is_halted(SECOND) && atomics.event_flag_consume(SECOND) {
            if self.second.is_none() {
                let start = self.fabric.sio.wake_second();
                self.second = start.map(|start| Processor::new(SECOND, start, &self.fabric));
                // The boot ROM sends an event with its answer.
                atomics.set_event_flag(FIRST);
            }
            self.set_helping();
        }
    }

    /// Lets the second processor execute instructions from now on, if it runs a program.
    fn set_helping(&mut self) {
        let Some(second) = &mut self.second else { return };
        self.fabric.atomics().clear_wfe_waiting(SECOND);
        second.skip(self.fabric.now.saturating_sub(second.now()));
        self.is_helping = true;
    }

    /// Whether the second processor, which is helping, executes the next instruction: the one that is not
    /// so far does.
    #[inline(never)]
    fn is_seconds_turn(&self) -> bool {
        let behind = self.second.as_ref().is_some_and(|second| second.now() < self.fabric.now);
        self.claim.map_or(behind, |(owner, _)| owner == SECOND)
    }

    /// Executes an instruction of the first or the second processor, or lets it enter an exception.
    #[inline(always)]
    fn step(&mut self, is_seconds: bool) {
        if !is_seconds
            && self.first.core.regs.pc() < ROM_END
            && let Some(call) = rom::call(self.first.core.regs.pc())
        {
            self.call(call);
        }
        let processor = match &mut self.second {
            Some(second) if is_seconds => second,
            _ => &mut self.first,
        };
        let (at, begun) = (processor.core.regs.pc(), processor.now());
        self.fabric.active = usize::from(is_seconds);
        // The only call, so that the compiler makes one function of all this.
        processor.step(&mut self.fabric);
        if self.is_helping {
            self.note_claim(self.fabric.active, at);
        }
        if is_seconds {
            self.note_help(begun);
        } else {
            self.fabric.now = self.first.now();
        }
    }

    /// Notes what the second processor has done since then, and whether it waits for an event now.
    #[inline(never)]
    fn note_help(&mut self, begun: u64) {
        let Some(second) = &self.second else { return };
        self.helped += second.now() - begun;
        self.second_stack = self.second_stack.min(second.core.regs.r[SP]);
        self.is_helping = !second.core.is_wfe_waiting() && !second.core.is_halted();
        self.fabric.active = FIRST;
    }

    /// Notes whether the instruction that a processor has executed is one of an exclusive access.
    #[inline(never)]
    fn note_claim(&mut self, processor: usize, at: u32) {
        let (first, second) = self.fabric.halves(at);
        self.claim = match (exclusive(first, second), self.claim) {
            (Some(Exclusive::Begins), _) => Some((processor, CLAIM)),
            (None, Some((owner, left @ 1..))) => Some((owner, left - 1)),
            _ => None,
        };
    }

    /// Does what the crate leaves out when a program writes to the interrupt controller.
    fn write_own(&mut self, address: u32, value: u32) {
        match address {
            TRIGGER => {
                let [word, bit] = [value / u32::BITS, value % u32::BITS];
                self.first.core.ppb.nvic_ispr[word as usize].fetch_or(1 << bit, Ordering::Relaxed);
            }
            // A word is written by the crate, a byte is not.
            _ if PRIORITIES.contains(&address) && value <= 0xff => {
                let (index, lane) = ((address - PRIORITIES.start) / 4, address % 4 * 8);
                let word = &mut self.first.core.ppb.nvic_ipr[index as usize];
                *word = *word & !(0xff << lane) | value << lane;
            }
            _ => {}
        }
    }

    /// Passes raised lines to the interrupt controller: one that is still up when its handler has ended
    /// counts again.
    fn raise(&mut self) {
        let active = &self.first.core.ppb.nvic_iabr;
        let [low, high] = [0, 1].map(|word| u64::from(active[word].load(Ordering::Relaxed)));
        let raised = self.fabric.lines & !(high << 32 | low);
        if raised != 0 {
            let pending = &self.first.core.ppb.nvic_ispr;
            pending[0].fetch_or(raised as u32, Ordering::Relaxed);
            pending[1].fetch_or((raised >> 32) as u32, Ordering::Relaxed);
            // The end of its handler is an event, which the crate leaves out: a program that has
            // just found nothing to do must not sleep now.
            self.fabric.atomics().set_event_flag(FIRST);
        }
    }

    /// Whether the processor has nothing to do until something happens.
    #[inline(always)]
    fn is_asleep(&self) -> bool {
        let atomics = self.fabric.atomics();
        self.is_hung || atomics.is_wfe_waiting(FIRST) || atomics.is_halted(FIRST)
    }

    /// Wakes the processor, or lets it sleep until something happens.
    fn doze(&mut self, end: u64) {
        let atomics = Arc::clone(self.fabric.atomics());
        if !self.is_hung && !self.first.is_locked_up() {
            let ppb = &self.first.core.ppb;
            let [low, high] = [0, 1].map(|word| ppb.nvic_ispr[word].load(Ordering::Relaxed));
            let is_called = ppb.any_pending_enabled(u64::from(high) << 32 | u64::from(low));
            let is_waiting = self.first.core.is_wfe_waiting();
            if is_called || is_waiting && atomics.event_flag_consume(FIRST) {
                atomics.clear_wfe_waiting(FIRST);
                atomics.clear_halted(FIRST);
                return;
            }
        }
        let second = self.second.as_ref().filter(|_| self.is_helping && !self.is_hung);
        // It may send an event with its next instruction.
        let event = second.map_or(u64::MAX, |second| second.now() + 1);
        self.skip(end.min(self.fabric.due).min(event).saturating_sub(self.fabric.now));
    }

    const fn skip(&mut self, clocks: u64) {
        self.first.skip(clocks);
        self.fabric.now += clocks;
    }

    /// Does what a function of the boot ROM does, before it returns.
    fn call(&mut self, call: Call) {
        let [first, second, third, _] = self.first.core.regs.r[..4] else { return };
        match call {
            Call::LookUp => self.first.core.regs.r[0] = rom::look_up(first),
            Call::Nothing => {}
            Call::Erase => {
                self.check_flash_is_free();
                let clocks = self.fabric.flash.erase(first, second as usize);
                self.skip(clocks);
            }
            Call::Program => {
                self.check_flash_is_free();
                let data: Vec<u8> =
                    (0..third).map(|n| self.fabric.read8(second + n, FIRST as u8)).collect();
                let clocks = self.fabric.flash.program(first, &data);
                self.skip(clocks);
            }
            Call::Reboot => self.has_left = true,
        }
    }

    /// While the flash changes, nobody can read it: the second processor has to be in RAM, and stay there.
    fn check_flash_is_free(&self) {
        let Some(second) = &self.second else { return };
        let at = second.core.regs.pc();
        assert!(
            !self.is_helping && RAM.contains(&at),
            "the flash changes while the second processor is at {at:#x}"
        );
    }

    /// Makes the code in thread mode, below all interrupts, continue elsewhere.
    pub(crate) fn divert(&mut self, to: u32, back: u32, r2: u32) {
        while self.first.exception() != 0 || self.first.core.it_state() != 0 {
            self.run_until(self.fabric.now + 1);
        }
        self.first.divert(to, back, r2, &self.fabric);
    }

    /// Makes the second processor continue elsewhere, with its stack there. False if it runs nothing.
    pub(crate) fn divert_second(
        &mut self,
        to: u32,
        back: u32,
        r2: u32,
        stack: Option<u32>,
    ) -> bool {
        if !self.is_helping {
            self.set_helping();
        }
        let Some(second) = &mut self.second else { return false };
        second.divert(to, back, r2, &self.fabric);
        if let Some(stack) = stack {
            second.core.regs.r[SP] = stack;
        }
        true
    }

    /// Moves the stack of thread mode down, with what is on it: what points to a place on it points to the
    /// old one. `top` is where the stack begins.
    pub(crate) fn move_stack(&mut self, top: u32, to: u32) {
        while self.first.exception() != 0 {
            self.run_until(self.fabric.now + 1);
        }
        let from = self.first.core.regs.r[SP];
        for offset in (0..top - from).step_by(4) {
            let word = self.fabric.read32(from + offset, FIRST as u8);
            self.fabric.write32(to + offset, word, FIRST as u8);
        }
        self.first.core.regs.r[SP] = to;
    }

    /// The word at an address.
    pub(crate) fn word(&mut self, address: u32) -> u32 {
        self.fabric.read32(address, FIRST as u8)
    }

    /// Changes the word at an address, which may be code.
    pub(crate) fn set_word(&mut self, address: u32, word: u32) {
        self.fabric.write32(address, word, FIRST as u8);
        for processor in [&mut self.first].into_iter().chain(&mut self.second) {
            processor.core.invalidate_decode_cache_entries(&[address, address + 2]);
        }
    }
}

/// The first processor at the image's first instruction.
fn start(fabric: &mut Fabric) -> Processor {
    let [stack, first] = [0, 4].map(|offset| fabric.read32(VECTORS + offset, FIRST as u8));
    Processor::new(FIRST, Start { vectors: VECTORS, stack, first }, fabric)
}
