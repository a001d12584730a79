//! How much stack the functions of an image take, which of them recurse, and how much was measured
//! in use.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

/// The games in the order of the device's menu, and the most stack measured on the LM3S6965 while
/// level 9 played them and keys were pressed, rounded up. The test `limits` measures it, and fails
/// when it is more than this.
pub const SEEN: [(&str, u64); 5] = [
    ("Othello", 14 * 1024),
    ("Adjacency", 8 * 1024),
    ("Dots and Boxes", 20 * 1024),
    ("Blokus Duo", 20 * 1024),
    ("Blokus Classic", 20 * 1024),
];

/// What a search at its deepest leaves for interrupts and what runs in them, in bytes.
pub const INTERRUPTS: u64 = 4 * 1024;

/// A function that calls itself, directly or indirectly, and what limits that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// A description.
    pub what: &'static str,
    /// A part of the function's name.
    function: &'static str,
    /// The maximum recursion depth.
    pub levels: u64,
    /// The constant in the code, or the reason.
    pub why: &'static str,
}

const fn limit(
    what: &'static str,
    function: &'static str,
    levels: u64,
    why: &'static str,
) -> Limit {
    Limit { what, function, levels, why }
}

/// Everything in an image that may call itself; the first that fits counts. What is not here fails
/// the check of the document.
const LIMITS: [Limit; 21] = [
    limit("Othello, look ahead", "Search>::node::<corvid_games::games::othello", 24, "`MAX_PLY`"),
    limit(
        "Othello, to the end",
        "endgame::Search<corvid_games::search::ablation::Everything>>::deep",
        24,
        "`MAX_EMPTY`, and a pass is one more",
    ),
    limit(
        "Othello, nearly at the end",
        "ablation::Everything>>::shallow",
        4,
        "`SHALLOW`, each with a pass",
    ),
    limit("Othello, four empty", "othello::endgame::four", 2, "one pass"),
    limit("Othello, three empty", "othello::endgame::three", 2, "one pass"),
    limit("Othello, two empty", "othello::endgame::two", 2, "one pass"),
    limit("Othello, guesses at the end", "othello::endgame::guess", 4, "depth 3"),
    limit(
        "Adjacency, look ahead",
        "Search>::node::<corvid_games::games::adjacency",
        24,
        "`MAX_PLY`",
    ),
    limit("Adjacency, to the end", "adjacency::solver::Solver", 24, "`MAX_PLY`"),
    limit("Dots, look ahead", "Guesser<u128>>::quiet", 24, "`MAX_DEPTH`"),
    limit("Dots, small board, exact", "Solver<u32>>::quiet", 25, "`play_plies`"),
    limit("Dots, medium board, exact", "Solver<u64>>::quiet", 15, "`play_plies`"),
    limit("Dots, large board, exact", "Solver<u128>>::quiet", 15, "`play_plies`"),
    limit("Blokus Duo, exact", "blokus::endgame::Endgame>::best", 44, "42 pieces, two passes"),
    limit(
        "Blokus Duo, bots",
        "games::blokus::bots::finish::value",
        12,
        "five rounds and two passes",
    ),
    limit(
        "Blokus Duo, alpha-beta",
        "games::blokus::bots::alpha_beta::Search>::value",
        12,
        "`DEPTH`, each with a pass",
    ),
    limit("Othello, bots", "games::othello::bots::Search>::value", 5, "`DEPTH`"),
    limit("Adjacency, bots", "games::adjacency::bots::minimax", 5, "`DEPTH`"),
    limit("Dots, bots", "games::dots::bots::Search>::value", 4, "`DEPTH`"),
    limit("command perft", "thinker::perft", 12, "`MAX_PERFT_DEPTH`"),
    limit("splitting of text", "SplitInternal", 2, "once more for the last piece"),
];

/// A recursion, and the stack that it may take, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recursion {
    /// What it is, and what limits it.
    pub limit: Limit,
    /// Each level.
    pub bytes: u64,
    /// At its limit, with the most that calls can take above it and below it.
    pub most: u64,
}

/// Where every panic ends, with the boards' handler inlined; what it calls does not count, as the
/// device then restarts.
const PANIC: &str = "core::panicking::panic_fmt";

/// Functions that call each other, by their numbers; most are alone.
#[derive(Debug, Default)]
struct Circle {
    /// The sum of their frames.
    bytes: u64,
    /// What limits them if they call themselves, in [`LIMITS`].
    limit: Option<usize>,
    calls: BTreeSet<usize>,
    callers: BTreeSet<usize>,
}

impl Circle {
    /// What they take at the limit.
    fn most(&self) -> u64 {
        self.bytes * self.limit.map_or(1, |limit| LIMITS[limit].levels)
    }
}

#[derive(Debug)]
struct Circles {
    all: Vec<Circle>,
}

impl Circles {
    /// The most bytes on a path from a circle, without its own.
    fn path(&self, from: &Circle, next: fn(&Circle) -> &BTreeSet<usize>) -> u64 {
        fn most(
            circles: &[Circle],
            from: &Circle,
            next: fn(&Circle) -> &BTreeSet<usize>,
            known: &mut BTreeMap<usize, u64>,
        ) -> u64 {
            let mut highest = 0;
            for &number in next(from) {
                let bytes = known.get(&number).copied().unwrap_or_else(|| {
                    let circle = &circles[number];
                    let bytes = circle.most() + most(circles, circle, next, known);
                    known.insert(number, bytes);
                    bytes
                });
                highest = highest.max(bytes);
            }
            highest
        }
        most(&self.all, from, next, &mut BTreeMap::new())
    }
}

/// A function as its instructions show it.
#[derive(Debug, Default)]
struct Function {
    name: String,
    /// Bytes that it puts on the stack.
    frame: u64,
    /// Addresses that it calls or tail-calls.
    calls: Vec<u64>,
}

/// The functions of an image, and how they call each other.
#[derive(Debug)]
pub struct Stack {
    functions: BTreeMap<u64, Function>,
}

impl Stack {
    /// Reads an image for a Cortex-M3 (or another core with Thumb-2).
    pub fn of(elf: &[u8]) -> Result<Self> {
        let file = object::File::parse(elf).context("not an ELF file")?;
        let text = file.section_by_name(".text").context("no code")?;
        let mut functions = BTreeMap::new();
        // Where code and data begin, by the assembler's mapping symbols.
        let mut marks = BTreeMap::new();
        for symbol in file.symbols() {
            let (name, start) = (symbol.name().unwrap_or(""), symbol.address() & !1);
            match name.get(..2) {
                Some("$t") => drop(marks.insert(start, true)),
                Some("$d") => drop(marks.insert(start, false)),
                _ if symbol.kind() == SymbolKind::Text && symbol.size() > 0 => {
                    let name = format!("{:#}", rustc_demangle::demangle(name));
                    functions.insert(start, (name, start + symbol.size()));
                }
                _ => {}
            }
        }
        let is_code = |at| marks.range(..=at).next_back().is_none_or(|(_, code)| *code);
        let mut read = BTreeMap::new();
        for (start, (name, end)) in functions {
            let mut function = Function { name, ..Function::default() };
            let Some(code) = text.data_range(start, end - start)? else { continue };
            let half = |at| u16::from_le_bytes([code[at], code[at + 1]]);
            let mut at = 0;
            while at + 1 < code.len() {
                let address = start + at as u64;
                if !is_code(address) {
                    at += 2;
                    continue;
                }
                let wide = half(at) >= 0xe800 && at + 3 < code.len();
                let (first, second) = (half(at), if wide { half(at + 2) } else { 0 });
                function.frame += pushed(first, second);
                let inside = |to: &u64| (start + 1..end).contains(to);
                function.calls.extend(branch(address, first, second).filter(|to| !inside(to)));
                at += if wide { 4 } else { 2 };
            }
            read.insert(start, function);
        }
        Ok(Self { functions: read })
    }

    /// The functions with the largest frames, the largest first.
    pub fn largest_frames(&self, count: usize) -> Vec<(&str, u64)> {
        let mut frames: Vec<_> = self
            .functions
            .values()
            .map(|function| (function.name.as_str(), function.frame))
            .collect();
        frames.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
        frames.truncate(count);
        frames
    }

    /// Everything that recurses, and the stack that it may take; an error names what has no
    /// limit. Calls through pointers are not seen.
    pub fn recursion(&self) -> Result<Vec<Recursion>> {
        let circles = self.circles()?;
        let mut found: BTreeMap<usize, Recursion> = BTreeMap::new();
        for circle in &circles.all {
            let Some(number) = circle.limit else { continue };
            let above = circles.path(circle, |circle| &circle.callers);
            let below = circles.path(circle, |circle| &circle.calls);
            let limit = LIMITS[number];
            let recursion =
                Recursion { limit, bytes: circle.bytes, most: above + circle.most() + below };
            let entry = found.entry(number).or_insert(recursion);
            entry.bytes = entry.bytes.max(recursion.bytes);
            entry.most = entry.most.max(recursion.most);
        }
        Ok(found.into_values().collect())
    }

    /// The functions grouped into circles that call each other; most are alone.
    fn circles(&self) -> Result<Circles> {
        let reached: BTreeMap<u64, BTreeSet<u64>> =
            self.functions.keys().map(|&start| (start, self.reached(start))).collect();
        let mut circle_of: BTreeMap<u64, usize> = BTreeMap::new();
        let mut all: Vec<Circle> = Vec::new();
        for (start, below) in &reached {
            if circle_of.contains_key(start) {
                continue;
            }
            // Functions that reach each other form a circle.
            let mut members: Vec<u64> =
                below.iter().copied().filter(|other| reached[other].contains(start)).collect();
            let calls_itself = !members.is_empty();
            if !calls_itself {
                members.push(*start);
            }
            let functions = || members.iter().map(|start| &self.functions[start]);
            let bytes: u64 = functions().map(|function| function.frame).sum();
            let limit = LIMITS.iter().position(|limit| {
                functions().any(|function| function.name.contains(limit.function))
            });
            // Without a frame it is a loop whose first instruction is the function's.
            let is_recursion = calls_itself && bytes > 0;
            if is_recursion && limit.is_none() {
                bail!(
                    "without a limit in xtask/src/stack.rs: {:?}",
                    functions().collect::<Vec<_>>()
                );
            }
            circle_of.extend(members.iter().map(|member| (*member, all.len())));
            let limit = limit.filter(|_| is_recursion);
            all.push(Circle { bytes, limit, ..Circle::default() });
        }
        for (start, function) in &self.functions {
            let from = circle_of[start];
            if function.name.contains(PANIC) {
                continue;
            }
            for to in function.calls.iter().filter_map(|call| circle_of.get(call)) {
                if *to != from {
                    all[from].calls.insert(*to);
                    all[*to].callers.insert(from);
                }
            }
        }
        Ok(Circles { all })
    }

    /// The functions reachable from one. A panic ends in a restart, so what it calls does not
    /// count.
    fn reached(&self, start: u64) -> BTreeSet<u64> {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(function) = open.pop().and_then(|start| self.functions.get(&start)) {
            let ends = function.name.contains(PANIC);
            let calls = function.calls.iter().filter(|_| !ends);
            open.extend(
                calls.filter(|&&call| self.functions.contains_key(&call) && reached.insert(call)),
            );
        }
        reached
    }
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
