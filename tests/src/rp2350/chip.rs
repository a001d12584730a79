//! The processors, their clock, and what the crate's model of them leaves to its surroundings: waking up,
//! the level of interrupt lines, the boot ROM's functions, and what two processors have to agree on.
use super::{
    fabric::Fabric,
    plain::{Exclusive, exclusive},
    processor::{Processor, SP, Second},
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
    second: Option<Second>,
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
        (self.second, self.claim, self.is_hung) = (None, None, false);
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
                    self.fabric.atomics().clear_wfe_waiting(SECOND);
                    (self.second, self.claim) = (None, None);
                }
                self.fabric.advance();
                if let Some(reason) = self.fabric.watchdog.bites(self.fabric.now) {
                    self.reset(reason);
                }
            }
            if self.fabric.now >= end {
                break;
            }
            if self.second.as_ref().is_some_and(|second| second.is_awake) {
                if !self.is_hung && self.is_seconds_turn() {
                    self.step_second();
                    continue;
                }
            } else if self.fabric.atomics().event_flag_load(SECOND) {
                self.wake_second();
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

    /// An event has reached the second processor.
    fn wake_second(&mut self) {
        if let Some(second) = &mut self.second {
            second.wake(&self.fabric);
        } else if self.fabric.atomics().event_flag_consume(SECOND) {
            let start = self.fabric.sio.wake_second();
            self.fabric.atomics().set_event_flag(FIRST);
            self.second = start.map(|start| Second::new(start, &self.fabric));
        }
    }

    /// Whether the second processor, which is awake, executes the next instruction: the one that is not so
    /// far does.
    fn is_seconds_turn(&self) -> bool {
        let behind = self.second.as_ref().is_some_and(|s| s.processor.now() < self.fabric.now);
        self.claim.map_or(behind, |(owner, _)| owner == SECOND)
    }

    fn step_second(&mut self) {
        let Some(second) = &mut self.second else { return };
        let at = second.processor.core.regs.pc();
        self.helped += second.step(&mut self.fabric);
        self.second_stack = self.second_stack.min(second.processor.core.regs.r[SP]);
        self.note_claim(SECOND, at);
    }

    /// Notes whether the instruction that a processor has executed is one of an exclusive access.
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
        let second = self.second.as_ref().filter(|second| second.is_awake && !self.is_hung);
        // It may send an event with its next instruction.
        let event = second.map_or(u64::MAX, |second| second.processor.now() + 1);
        self.skip(end.min(self.fabric.due).min(event).saturating_sub(self.fabric.now));
    }

    const fn skip(&mut self, clocks: u64) {
        self.first.skip(clocks);
        self.fabric.now += clocks;
    }

    /// Executes an instruction, or enters an exception.
    #[inline(always)]
    fn step(&mut self) {
        let at = self.first.core.regs.pc();
        if at < ROM_END
            && let Some(call) = rom::call(at)
        {
            self.call(call);
        }
        self.first.step(&mut self.fabric);
        self.fabric.now = self.first.now();
        if self.second.as_ref().is_some_and(|second| second.is_awake) {
            self.note_claim(FIRST, at);
        }
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
        let at = second.processor.core.regs.pc();
        assert!(
            !second.is_awake && RAM.contains(&at),
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
        let Some(second) = &mut self.second else { return false };
        if !second.is_awake {
            self.fabric.atomics().set_event_flag(SECOND);
            second.wake(&self.fabric);
        }
        second.processor.divert(to, back, r2, &self.fabric);
        if let Some(stack) = stack {
            second.processor.core.regs.r[SP] = stack;
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
        let second = self.second.as_mut().map(|second| &mut second.processor);
        for processor in [&mut self.first].into_iter().chain(second) {
            processor.core.invalidate_decode_cache_entries(&[address, address + 2]);
        }
    }
}

/// The first processor at the image's first instruction.
fn start(fabric: &mut Fabric) -> Processor {
    let [stack, first] = [0, 4].map(|offset| fabric.read32(VECTORS + offset, FIRST as u8));
    Processor::new(FIRST, Start { vectors: VECTORS, stack, first }, fabric)
}
