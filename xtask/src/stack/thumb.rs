//! What the instructions of a Cortex-M say about the stack and about calls.

use std::collections::BTreeSet;

/// A call through a pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Indirect {
    /// Where the pointer may lie in a table of functions, in bytes; nothing if that is unknown.
    pub(super) offsets: Option<BTreeSet<u64>>,
}

/// Where the value of a register comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A constant, which may be the address of a function.
    Constant(u64),
    /// Memory, at an offset from an address.
    Offset(u64),
    /// Anywhere else: a table, the stack, another register.
    Elsewhere,
}

/// What matters for calls through pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    /// A register gets a value.
    Set(u16, Source),
    /// What a register points to is called.
    Call(u16),
    /// Other instructions jump to here, or may.
    Label,
}

/// What a function does, instruction by instruction.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Bytes that it puts on the stack.
    pub(super) frame: u64,
    events: Vec<Event>,
    /// Whether the last instruction always jumps elsewhere.
    after_jump: bool,
}

/// The frame pointer, the stack pointer, the return address and the program counter.
const FP: u16 = 7;
const SP: u16 = 13;
const LR: u16 = 14;
const PC: u16 = 15;

impl Reader {
    /// Reads one instruction. `word` reads the word at a distance from it.
    pub(super) fn read(&mut self, first: u16, second: u16, word: impl Fn(u64) -> Option<u32>) {
        self.frame += pushed(first, second);
        if std::mem::take(&mut self.after_jump) {
            self.label();
        }
        self.after_jump = never_falls_through(first, second);
        let low = |half: u16, from: u32| half >> from & 7;
        let constant = |distance: u16| match word(distance.into()) {
            Some(word) => Source::Constant(word.into()),
            None => Source::Elsewhere,
        };
        match first {
            // blx, and bx unless it returns
            0x4780..=0x47ff => self.events.push(Event::Call(first >> 3 & 15)),
            0x4700..=0x477f if first >> 3 & 15 != LR => {
                self.events.push(Event::Call(first >> 3 & 15));
            }
            // mov, between any registers
            0x4600..=0x46ff => {
                let to = first >> 4 & 8 | first & 7;
                self.events.push(match to {
                    PC => Event::Call(first >> 3 & 15),
                    _ => Event::Set(to, Source::Elsewhere),
                });
            }
            // ldr from a place in the code
            0x4800..=0x4fff => self.set(low(first, 8), constant((first & 0xff) * 4)),
            0xf8df => self.set(second >> 12, constant(second & 0xfff)),
            // ldr with a register as the offset
            0x5800..=0x59ff => self.set(low(first, 0), Source::Elsewhere),
            // ldr with an offset
            0x6800..=0x6fff => self.load(low(first, 3), low(first, 0), (first >> 6 & 31) * 4),
            0xf8d0..=0xf8df => self.load(first & 15, second >> 12, second & 0xfff),
            // ldr from the stack
            0x9800..=0x9fff => self.set(low(first, 8), Source::Elsewhere),
            // ldm
            0xc800..=0xcfff => {
                for to in (0..8).filter(|to| first >> to & 1 == 1) {
                    self.set(to, Source::Elsewhere);
                }
            }
            0xe890..=0xe89f | 0xe8b0..=0xe8bf => {
                for to in (0..15).filter(|to| second >> to & 1 == 1) {
                    self.set(to, Source::Elsewhere);
                }
            }
            // ldr.w with a register as the offset, or with a change of the base
            0xf850..=0xf85f => self.set(second >> 12, Source::Elsewhere),
            // ldrd
            0xe950..=0xe95f | 0xe9d0..=0xe9df => {
                let (base, offset) = (first & 15, (second & 0xff) * 4);
                self.load(base, second >> 12, offset);
                self.load(base, second >> 8 & 15, offset + 4);
            }
            // movw
            0xf240..=0xf24f | 0xf640..=0xf64f => {
                self.set(second >> 8 & 15, Source::Constant(half_word(first, second)));
            }
            // movt: the upper half of what was put there last
            0xf2c0..=0xf2cf | 0xf6c0..=0xf6cf => {
                let upper = half_word(first, second) << 16;
                let last = self.events.iter_mut().rev().find_map(|event| match event {
                    Event::Set(to, source) if *to == second >> 8 & 15 => Some(source),
                    _ => None,
                });
                if let Some(Source::Constant(constant)) = last {
                    *constant = *constant & 0xffff | upper;
                }
            }
            _ => {}
        }
    }

    /// Notes that other instructions jump to the next one.
    pub(super) fn label(&mut self) {
        self.events.push(Event::Label);
    }

    /// Adds what shared code does that is called here.
    pub(super) fn include(&mut self, shared: &Self) {
        self.events.extend_from_slice(&shared.events);
        if shared.events.iter().any(|event| matches!(event, Event::Call(_))) {
            // What it calls counts as called from here.
            self.frame += shared.frame;
        }
    }

    fn set(&mut self, to: u16, source: Source) {
        self.events.push(Event::Set(to, source));
    }

    fn load(&mut self, base: u16, to: u16, offset: u16) {
        let source = match base {
            FP | SP => Source::Elsewhere,
            _ => Source::Offset(offset.into()),
        };
        self.set(to, source);
    }

    /// The calls through pointers, and the addresses of functions that are called as constants.
    pub(super) fn indirect(&self, is_function: impl Fn(u64) -> bool) -> (Vec<Indirect>, Vec<u64>) {
        let (mut indirect, mut constants) = (Vec::new(), Vec::new());
        for (at, event) in self.events.iter().enumerate() {
            let Event::Call(register) = *event else { continue };
            let (mut offsets, mut is_known) = (BTreeSet::new(), true);
            for source in self.sources(at, register) {
                match source {
                    Source::Constant(address) if is_function(address) => constants.push(address),
                    Source::Offset(offset) => drop(offsets.insert(offset)),
                    _ => is_known = false,
                }
            }
            if !is_known || !offsets.is_empty() {
                indirect.push(Indirect { offsets: is_known.then_some(offsets) });
            }
        }
        (indirect, constants)
    }

    /// All constants that are put into registers.
    pub(super) fn constants(&self) -> impl Iterator<Item = u64> {
        self.events.iter().filter_map(|event| match event {
            Event::Set(_, Source::Constant(constant)) => Some(*constant),
            _ => None,
        })
    }

    /// Where the value of a register may come from that is called: what was put there last if nothing
    /// jumps in between, else everything that was put there since the last such call, or last.
    fn sources(&self, at: usize, register: u16) -> Vec<Source> {
        let mut sources = Vec::new();
        let mut straight = true;
        for event in self.events[..at].iter().rev() {
            match event {
                Event::Label => straight = false,
                Event::Set(to, source) if *to == register => {
                    sources.push(*source);
                    if straight {
                        break;
                    }
                }
                Event::Call(called) if *called == register && !sources.is_empty() => break,
                _ => {}
            }
        }
        if sources.is_empty() {
            // An argument.
            sources.push(Source::Elsewhere);
        }
        sources
    }
}

/// Whether the next instruction is only reached by a jump.
fn never_falls_through(first: u16, second: u16) -> bool {
    match first {
        // b, bx, mov pc, pop with pc
        0xe000..=0xe7ff | 0x4700..=0x477f | 0xbd00..=0xbdff => true,
        0x4600..=0x46ff => (first >> 4 & 8 | first & 7) == PC,
        // b.w
        0xf000..=0xf7ff => second & 0xd000 == 0x9000,
        // pop.w with pc, and jumps by a table
        0xe8bd => second & 0x8000 != 0,
        0xe8d0..=0xe8df => second & 0xfff0 == 0xf000 || second & 0xfff0 == 0xf010,
        _ => false,
    }
}

/// Where `cbz` and `cbnz` jump to.
pub(super) fn short_branch(at: u64, first: u16) -> Option<u64> {
    let is_one = first & 0xf500 == 0xb100;
    is_one.then(|| at + 4 + u64::from((first >> 9 & 1) << 6 | (first >> 3 & 31) << 1))
}

/// The constant in `movw` and `movt`.
fn half_word(first: u16, second: u16) -> u64 {
    u64::from(first & 15) << 12 | immediate(first, second)
}

/// The bytes that an instruction puts on the stack.
fn pushed(first: u16, second: u16) -> u64 {
    let on_stack = second & 0x0f00 == 0x0d00;
    match first {
        // push {...}, with lr in bit 8
        0xb400..=0xb5ff => 4 * u64::from((first & 0x1ff).count_ones()),
        // push.w {...}
        0xe92d => 4 * u64::from(second.count_ones()),
        // str r, [sp, #-n]! and strd
        0xf84d if on_stack => u64::from(second & 0xff),
        0xe96d => 4 * u64::from(second & 0xff),
        // sub sp, #n
        0xb080..=0xb0ff => 4 * u64::from(first & 0x7f),
        // sub.w sp, sp, #n and subw
        0xf1ad | 0xf5ad if on_stack => expanded(first, second),
        0xf2ad | 0xf6ad if on_stack => immediate(first, second),
        _ => 0,
    }
}

/// The twelve bits of an immediate value, as in `subw`.
fn immediate(first: u16, second: u16) -> u64 {
    u64::from((first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 0xff)
}

/// The value that Thumb-2 packs into twelve bits: a byte with its highest bit set, rotated right.
fn expanded(first: u16, second: u16) -> u64 {
    let packed = immediate(first, second) as u32;
    match packed >> 10 {
        0 => u64::from(packed & 0xff),
        _ => u64::from((packed & 0x7f | 0x80).rotate_right(packed >> 7)),
    }
}

/// Where an instruction calls or jumps to: `bl`, and all forms of `b`.
pub(crate) fn branch(at: u64, first: u16, second: u16) -> Option<u64> {
    let bits = |half: u16, from: u32, count: u32| i64::from(half) >> from & ((1 << count) - 1);
    let signed = |value: i64, width: u32| value << (64 - width) >> (64 - width);
    let (sign, j1, j2) = (bits(first, 10, 1), bits(second, 13, 1), bits(second, 11, 1));
    let far = match (first, second & 0xd000) {
        (0xd000..=0xddff, _) => signed(bits(first, 0, 8) << 1, 9),
        (0xe000..=0xe7ff, _) => signed(bits(first, 0, 11) << 1, 12),
        (0xf000..=0xf7ff, 0x9000 | 0xd000) => {
            let (i1, i2) = (j1 ^ sign ^ 1, j2 ^ sign ^ 1);
            let low = bits(first, 0, 10) << 12 | bits(second, 0, 11) << 1;
            signed(sign << 24 | i1 << 23 | i2 << 22 | low, 25)
        }
        (0xf000..=0xf7ff, 0x8000) if bits(first, 7, 3) != 7 => {
            let low = bits(first, 0, 6) << 12 | bits(second, 0, 11) << 1;
            signed(sign << 20 | j2 << 19 | j1 << 18 | low, 21)
        }
        _ => return None,
    };
    at.checked_add_signed(far + 4)
}

#[cfg(test)]
mod tests {
    use super::{branch, pushed};

    #[test]
    fn what_goes_on_the_stack_is_read() {
        assert_eq!(pushed(0xb5f0, 0), 20, "push {{r4-r7, lr}}");
        assert_eq!(pushed(0xe92d, 0x0f00), 16, "push.w {{r8-r11}}");
        assert_eq!(pushed(0xf5ad, 0x5dc5), 6304, "sub.w sp, sp, #6304");
        assert_eq!(pushed(0xb087, 0), 28, "sub sp, #28");
        assert_eq!(pushed(0xf84d, 0xed04), 4, "str.w lr, [sp, #-4]!");
        assert_eq!(pushed(0x4770, 0), 0, "bx lr");
    }

    #[test]
    fn branches_are_read() {
        assert_eq!(branch(0x100, 0xf7ff, 0xfffe), Some(0x100), "bl to itself");
        assert_eq!(branch(0x100, 0xf000, 0xb802), Some(0x108), "b.w");
        assert_eq!(branch(0x100, 0xe7fe, 0), Some(0x100), "b to itself");
        assert_eq!(branch(0x100, 0xd0fe, 0), Some(0x100), "beq to itself");
        assert_eq!(branch(0x100, 0xf43f, 0xaffe), Some(0x100), "beq.w to itself");
        assert_eq!(branch(0x100, 0x4770, 0), None, "bx lr");
    }
}
