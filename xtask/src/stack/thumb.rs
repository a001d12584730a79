//! What the instructions of a Cortex-M say about the stack and about calls.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A call through a pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Indirect {
    /// Where the pointer may lie in a table of functions, in bytes, and which functions may have
    /// returned that table if it comes from no other place; nothing if the pointer may come from elsewhere.
    pub(super) offsets: Option<BTreeMap<u64, Option<BTreeSet<u64>>>>,
}

/// Where the value of a register comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A constant, which may be the address of a function.
    Constant(u64),
    /// Memory, at an offset from the address in a register.
    Offset(u16, u64),
    /// Another register.
    Register(u16),
    /// The function at an address returns it.
    Returned(u64),
    /// Anywhere else: a table, the stack, an argument.
    Elsewhere,
}

/// What matters for calls through pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    /// A register gets a value.
    Set(u16, Source),
    /// The same under a condition: it may keep the value that it has.
    MaySet(u16, Source),
    /// What a register points to is called.
    Call(u16),
}

/// An instruction, with the code that it shares with other functions.
#[derive(Debug)]
struct Instruction {
    address: u64,
    /// Its events.
    events: Range<usize>,
    /// Whether the next one may follow.
    falls_through: bool,
    /// Where else it leads in the same function.
    jumps: Vec<u64>,
}

/// What a function does, instruction by instruction.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Bytes that it puts on the stack.
    pub(super) frame: u64,
    events: Vec<Event>,
    instructions: Vec<Instruction>,
    /// How many instructions from here on have a condition.
    conditional: u32,
    /// Where the frame pointer points to, in bytes from the end of the frame as it was then, and the
    /// frame at that time.
    frame_pointer: (u64, u64),
}

/// A place on the stack counts as a register beyond these: the compiler puts registers there and takes
/// them back, at fixed distances from the stack pointer.
const SLOTS: u16 = 16;

/// The frame pointer, the stack pointer, the return address and the program counter.
const FP: u16 = 7;
const SP: u16 = 13;
const LR: u16 = 14;
const PC: u16 = 15;

/// The registers that a function may change and need not restore.
const SCRATCH: [u16; 5] = [0, 1, 2, 3, 12];

impl Reader {
    /// Reads one instruction, which may jump to other places of the function. `word` reads the word at
    /// a distance from it.
    pub(super) fn read(
        &mut self,
        (address, first, second): (u64, u16, u16),
        jumps: Vec<u64>,
        word: impl Fn(u64) -> Option<u32>,
    ) {
        self.frame += pushed(first, second);
        let begun = self.events.len();
        let is_conditional = self.conditional > 0;
        self.conditional = self.conditional.saturating_sub(1);
        self.note(first, second, word);
        if is_conditional {
            for event in &mut self.events[begun..] {
                if let Event::Set(to, source) = *event {
                    *event = Event::MaySet(to, source);
                }
            }
        }
        let falls_through = is_conditional || !never_falls_through(first, second);
        let events = begun..self.events.len();
        self.instructions.push(Instruction { address, events, falls_through, jumps });
    }

    /// Notes what an instruction does.
    fn note(&mut self, first: u16, second: u16, word: impl Fn(u64) -> Option<u32>) {
        let low = |half: u16, from: u32| half >> from & 7;
        let constant = |distance: u16| match word(distance.into()) {
            Some(word) => Source::Constant(word.into()),
            None => Source::Elsewhere,
        };
        match first {
            // it: the mask ends with its last bit
            0xbf00..=0xbfff if first & 15 != 0 => {
                self.conditional = 4 - (first & 15).trailing_zeros();
            }
            // blx
            0x4780..=0x47ff => {
                self.events.push(Event::Call(first >> 3 & 15));
                self.call(Source::Elsewhere);
            }
            // bx unless it returns
            0x4700..=0x477f if first >> 3 & 15 != LR => {
                self.events.push(Event::Call(first >> 3 & 15));
            }
            // mov, between any registers
            0x4600..=0x46ff => {
                let (to, from) = (first >> 4 & 8 | first & 7, first >> 3 & 15);
                self.events.push(match to {
                    PC => Event::Call(from),
                    _ => Event::Set(to, Source::Register(from)),
                });
            }
            // ldr from a place in the code
            0x4800..=0x4fff => self.set(low(first, 8), constant((first & 0xff) * 4)),
            0xf8df => self.set(second >> 12, constant(second & 0xfff)),
            // ldr with a register as the offset
            0x5800..=0x59ff => self.set(low(first, 0), Source::Elsewhere),
            // ldr with an offset
            0x6800..=0x6fff => self.load(low(first, 3), low(first, 0), (first >> 6 & 31) * 4),
            0xf8d0..=0xf8de => self.load(first & 15, second >> 12, second & 0xfff),
            // add r7, sp: a frame pointer
            0xaf00..=0xafff => {
                self.frame_pointer = (u64::from(first & 0xff) * 4, self.frame);
            }
            // str and ldr at a distance from the stack pointer
            0x9000..=0x97ff => self.spill(SP, low(first, 8), i64::from(first & 0xff) * 4),
            0x9800..=0x9fff => self.load(SP, low(first, 8), (first & 0xff) * 4),
            // str with an offset, and below the frame pointer
            0xf8cd | 0xf8c7 => self.spill(first & 15, second >> 12, i64::from(second & 0xfff)),
            0xf847 if second & 0x0f00 == 0x0c00 => {
                self.spill(FP, second >> 12, -i64::from(second & 0xff));
            }
            0xf857 if second & 0x0f00 == 0x0c00 => {
                let slot = self.slot(FP, -i64::from(second & 0xff));
                self.set(second >> 12, slot.map_or(Source::Elsewhere, Source::Register));
            }
            // strd
            0xe9cd | 0xe9c7 | 0xe947 => {
                let distance = i64::from(second & 0xff) * if first == 0xe947 { -4 } else { 4 };
                self.spill(first & 15, second >> 12, distance);
                self.spill(first & 15, second >> 8 & 15, distance + 4);
            }
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
                let (one, other) = (second >> 12, second >> 8 & 15);
                // The base may be one of them.
                let sources = [self.source(base, offset), self.source(base, offset + 4)];
                let pairs = [one, other].into_iter().zip(sources);
                pairs.for_each(|(to, source)| match source {
                    Source::Offset(base, _) if base == one => self.set(to, Source::Elsewhere),
                    source => self.set(to, source),
                });
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

    /// Notes that the last instruction calls the function at an address.
    pub(super) fn calls(&mut self, to: u64) {
        self.call(Source::Returned(to));
        self.extend_last();
    }

    /// Adds what shared code does that the last instruction calls.
    pub(super) fn include(&mut self, shared: &Self) {
        // What it has on the stack itself is below.
        let below = (shared.frame / 4) as u16;
        let moved = |register: u16| match register {
            SLOTS.. => register.saturating_sub(below).max(SLOTS),
            register => register,
        };
        let from = |source| match source {
            Source::Register(register) => Source::Register(moved(register)),
            source => source,
        };
        self.events.extend(shared.events.iter().map(|event| match *event {
            Event::Set(to, source) => Event::Set(moved(to), from(source)),
            Event::MaySet(to, source) => Event::MaySet(moved(to), from(source)),
            call @ Event::Call(_) => call,
        }));
        self.extend_last();
        if shared.events.iter().any(|event| matches!(event, Event::Call(_))) {
            // What it calls counts as called from here.
            self.frame += shared.frame;
        }
    }

    /// What was noted last belongs to the last instruction.
    fn extend_last(&mut self) {
        let end = self.events.len();
        if let Some(last) = self.instructions.last_mut() {
            last.events.end = end;
        }
    }

    /// What a call changes.
    fn call(&mut self, returned: Source) {
        for register in SCRATCH {
            let is_result = register < 2;
            self.set(register, if is_result { returned } else { Source::Elsewhere });
        }
    }

    fn set(&mut self, to: u16, source: Source) {
        self.events.push(Event::Set(to, source));
    }

    fn load(&mut self, base: u16, to: u16, offset: u16) {
        let source = self.source(base, offset);
        self.set(to, source);
    }

    fn source(&self, base: u16, offset: u16) -> Source {
        match base {
            FP | SP => self.slot(base, offset.into()).map_or(Source::Elsewhere, Source::Register),
            _ => Source::Offset(base, offset.into()),
        }
    }

    /// Notes that a register is put on the stack.
    fn spill(&mut self, base: u16, register: u16, distance: i64) {
        if let Some(slot) = self.slot(base, distance) {
            self.set(slot, Source::Register(register));
        }
    }

    /// The place on the stack at a distance from the stack pointer or the frame pointer.
    fn slot(&self, base: u16, distance: i64) -> Option<u16> {
        let (above, then) = self.frame_pointer;
        let base = if base == FP { above + self.frame.saturating_sub(then) } else { 0 };
        let place = u64::try_from(i64::try_from(base).ok()? + distance).ok()? / 4;
        u16::try_from(place).ok()?.checked_add(SLOTS)
    }

    /// The calls through pointers, and the addresses of functions that are called as constants.
    pub(super) fn indirect(&self, is_function: impl Fn(u64) -> bool) -> (Vec<Indirect>, Vec<u64>) {
        let before = self.before();
        let (mut indirect, mut constants) = (Vec::new(), Vec::new());
        for (index, instruction) in self.instructions.iter().enumerate() {
            for at in instruction.events.clone() {
                let Event::Call(register) = self.events[at] else { continue };
                let (mut offsets, mut is_known) = (BTreeMap::new(), true);
                for (source, place) in self.sources(&before, (index, at), register) {
                    match source {
                        Source::Constant(address) if is_function(address) => {
                            constants.push(address)
                        }
                        Source::Offset(base, offset) => {
                            let returned = self.returned(&before, place, base);
                            offsets
                                .entry(offset)
                                .and_modify(|all: &mut Option<BTreeSet<u64>>| {
                                    let both = all.as_mut().zip(returned.as_ref());
                                    match both {
                                        Some((all, more)) => all.extend(more),
                                        None => *all = None,
                                    }
                                })
                                .or_insert(returned);
                        }
                        _ => is_known = false,
                    }
                }
                if !is_known || !offsets.is_empty() {
                    indirect.push(Indirect { offsets: is_known.then_some(offsets) });
                }
            }
        }
        (indirect, constants)
    }

    /// The functions that have returned what is in a register; nothing if it may come from elsewhere.
    fn returned(
        &self,
        before: &[Vec<usize>],
        at: Position,
        register: u16,
    ) -> Option<BTreeSet<u64>> {
        let sources = self.sources(before, at, register);
        let functions = sources.into_iter().map(|(source, _)| match source {
            Source::Returned(function) => Some(function),
            _ => None,
        });
        functions.collect()
    }

    /// All constants that are put into registers.
    pub(super) fn constants(&self) -> impl Iterator<Item = u64> {
        self.events.iter().filter_map(|event| match event {
            Event::Set(_, Source::Constant(constant))
            | Event::MaySet(_, Source::Constant(constant)) => Some(*constant),
            _ => None,
        })
    }

    /// The instructions that may come right before each.
    fn before(&self) -> Vec<Vec<usize>> {
        let number: BTreeMap<u64, usize> =
            self.instructions.iter().enumerate().map(|(index, one)| (one.address, index)).collect();
        let mut before = vec![Vec::new(); self.instructions.len()];
        for (index, instruction) in self.instructions.iter().enumerate() {
            if instruction.falls_through
                && let Some(next) = before.get_mut(index + 1)
            {
                next.push(index);
            }
            for to in instruction.jumps.iter().filter_map(|to| number.get(to)) {
                before[*to].push(index);
            }
        }
        before
    }

    /// Where the value of a register may come from, on all ways that lead to an event, and where it is
    /// put there.
    fn sources(
        &self,
        before: &[Vec<usize>],
        at: Position,
        register: u16,
    ) -> Vec<(Source, Position)> {
        let mut sources = Vec::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![(at, register)];
        'ways: while let Some(((index, end), register)) = work.pop() {
            for event in (self.instructions[index].events.start..end).rev() {
                let (Event::Set(to, source) | Event::MaySet(to, source)) = self.events[event]
                else {
                    continue;
                };
                if to != register {
                    continue;
                }
                match source {
                    Source::Register(from) => work.push(((index, event), from)),
                    source => sources.push((source, (index, event))),
                }
                if matches!(self.events[event], Event::Set(..)) {
                    continue 'ways;
                }
            }
            if before[index].is_empty() || index == 0 {
                // An argument.
                sources.push((Source::Elsewhere, (index, end)));
            }
            for &index in &before[index] {
                if seen.insert((index, register)) {
                    work.push(((index, self.instructions[index].events.end), register));
                }
            }
        }
        sources
    }
}

/// An event, by the number of its instruction and its own.
type Position = (usize, usize);

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

/// Where `tbb` and `tbh` may jump to, by the table behind them, as far as `is_table` says that it goes.
pub(super) fn table_jumps(
    at: u64,
    first: u16,
    second: u16,
    table: &[u8],
    is_table: impl Fn(u64) -> bool,
) -> Vec<u64> {
    let width = match (first, second & 0xfff0) {
        (0xe8df, 0xf000) => 1,
        (0xe8df, 0xf010) => 2,
        _ => return Vec::new(),
    };
    let places = table.chunks_exact(width).enumerate();
    let places = places.take_while(|(index, _)| is_table((index * width) as u64));
    let distances = places
        .map(|(_, bytes)| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)));
    distances.map(|distance| at + 4 + 2 * distance).collect()
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
    use super::{Reader, branch, pushed, table_jumps};
    use std::collections::BTreeSet;

    /// Where calls through pointers may lead, in bytes of a table, and who has returned the table.
    type Called = Vec<Option<Vec<(u64, Option<Vec<u64>>)>>>;

    /// Reads instructions at two bytes each from 0 on, with jumps and calls of functions.
    fn called(code: &[(u16, u16)], jumps: &[(u64, u64)], calls: &[(u64, u64)]) -> Called {
        let mut reader = Reader::default();
        for (index, (first, second)) in code.iter().enumerate() {
            let at = 2 * index as u64;
            let to = |pairs: &[(u64, u64)]| {
                let to = pairs.iter().filter(|(from, _)| *from == at).map(|(_, to)| *to);
                to.collect::<Vec<_>>()
            };
            reader.read((at, *first, *second), to(jumps), |_| None);
            to(calls).into_iter().for_each(|to| reader.calls(to));
        }
        let (indirect, _) = reader.indirect(|_| false);
        let list = |by: BTreeSet<u64>| by.into_iter().collect::<Vec<_>>();
        indirect
            .into_iter()
            .map(|one| Some(one.offsets?.into_iter().map(|(at, by)| (at, by.map(list))).collect()))
            .collect()
    }

    const BL: (u16, u16) = (0xf000, 0xf800);

    #[test]
    fn a_method_is_found_in_the_table_that_a_function_returned() {
        // bl; ldr r1, [r1, #12]; blx r1
        let code = [BL, (0x68c9, 0), (0x4788, 0)];
        assert_eq!(called(&code, &[], &[(0, 0x100)]), [Some(vec![(12, Some(vec![0x100]))])]);
        // Without the call it is an argument's.
        assert_eq!(called(&code[1..], &[], &[]), [Some(vec![(12, None)])]);
    }

    #[test]
    fn what_a_call_changes_is_not_what_was_there_before() {
        // ldr r2, [r0, #12]; bl; blx r2
        let code = [(0x68c2, 0), BL, (0x4790, 0)];
        assert_eq!(called(&code, &[], &[(2, 0x100)]), [None]);
        // ldr r4, [r0, #12]; bl; blx r4
        let code = [(0x68c4, 0), BL, (0x47a0, 0)];
        assert_eq!(called(&code, &[], &[(2, 0x100)]), [Some(vec![(12, None)])]);
    }

    #[test]
    fn a_pointer_is_followed_through_the_stack_and_other_registers() {
        // ldr r3, [r1, #24]; str r3, [sp, #8]; bl; ldr r2, [sp, #8]; mov r5, r2; blx r5
        let code = [(0x698b, 0), (0x9302, 0), BL, (0x9a02, 0), (0x4615, 0), (0x47a8, 0)];
        assert_eq!(called(&code, &[], &[(4, 0x100)]), [Some(vec![(24, None)])]);
        // push {r7, lr}; add r7, sp, #0; sub sp, #16; str r3, [sp, #8]; ldr r2, [r7, #-8]; blx r2
        let code = [(0x698b, 0), (0xb580, 0), (0xaf00, 0), (0xb084, 0), (0x9302, 0)];
        let code = [&code[..], &[(0xf857, 0x2c08), (0x4790, 0)]].concat();
        assert_eq!(called(&code, &[], &[]), [Some(vec![(24, None)])]);
    }

    #[test]
    fn all_ways_to_a_call_count() {
        // ldr r2, [r1, #12]; it ne; ldrne r2, [r1, #16]; blx r2
        let code = [(0x68ca, 0), (0xbf18, 0), (0x690a, 0), (0x4790, 0)];
        assert_eq!(called(&code, &[], &[]), [Some(vec![(12, None), (16, None)])]);
        // ldr r4, [r5, #12]; blx r4; ldr r4, [r5, #16]; b to the blx
        let code = [(0x68ec, 0), (0x47a0, 0), (0x692c, 0), (0xe7fc, 0)];
        assert_eq!(called(&code, &[(6, 2)], &[]), [Some(vec![(12, None), (16, None)])]);
    }

    #[test]
    fn tables_of_jumps_are_read() {
        let bytes = |at| at < 3;
        let jumps = table_jumps(0x100, 0xe8df, 0xf000, &[2, 5, 3, 0], bytes);
        assert_eq!(jumps, [0x108, 0x10e, 0x10a], "tbb");
        let jumps = table_jumps(0x100, 0xe8df, 0xf010, &[2, 0, 0, 1], |_| true);
        assert_eq!(jumps, [0x108, 0x304], "tbh");
        assert!(table_jumps(0x100, 0x4770, 0, &[1], |_| true).is_empty(), "bx lr");
    }

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
