//! What an image weighs, part by part, and whether that fits its board.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SectionKind, elf};

use crate::board::Board;

/// The flash that the rules, tables and texts of the five games may take together, in bytes.
pub const GAMES_BUDGET: u64 = 96 * 1024;

/// RAM that static data leaves for the stack on every board, in bytes: more than was
/// [seen](crate::stack::SEEN) to be needed.
pub const STACK_RESERVE: u64 = 22 * 1024;

/// The memory that the search has at least, in bytes.
pub const ARENA: u64 = 32 * 1024;

/// Where a Cortex-M has its RAM; flash is below.
const RAM_START: u64 = 0x2000_0000;

/// Functions that only floating point or an allocator bring in, by a part of their names. The
/// boards have no use for either, and the RP2040 has no floating-point unit.
const FORBIDDEN: [&str; 8] = [
    "__aeabi_dadd",
    "__aeabi_dmul",
    "__aeabi_ddiv",
    "__aeabi_fadd",
    "__aeabi_fmul",
    "__aeabi_fdiv",
    "flt2dec",
    "__rust_alloc",
];

/// A run of printable characters counts as text from this length on.
const SHORTEST_TEXT: usize = 4;

/// A row of the budget.
#[derive(Debug, Clone, Copy)]
struct Part {
    name: &'static str,
    /// A symbol belongs here if its name has one of these and no earlier row has taken it.
    names: &'static [&'static str],
}

const fn part(name: &'static str, names: &'static [&'static str]) -> Part {
    Part { name, names }
}

const SEARCH: &str = "search and solvers";
const RULES: &str = "rules of the games";
const TABLES: &str = "tables of the games, learnt ones too";
const TEXTS: &str = "texts";
const CONSTANTS: &str = "fonts, pictures, places of panics, other constants";
const MEMORY: &str = "memory of the search";
const REST: &str = "vectors, first values, alignment";

/// Parts of the flash by the functions in them. Whatever was inlined counts where it went.
const CODE: [Part; 10] = [
    part(
        "screens",
        &["corvid_firmware::ui", "corvid_firmware::frame", "corvid_firmware::mark", "ui_task"],
    ),
    part(
        "serial protocols",
        &[
            "corvid_core::gtp",
            "corvid_core::icfpt",
            "corvid_core::console",
            "corvid_core::terminal",
            "corvid_core::lines",
            "corvid_firmware::console",
            "corvid_firmware::serial",
            "serial_task",
        ],
    ),
    part("bots and levels", &["corvid_core::bots", "corvid_core::engine"]),
    part("game in progress", &["corvid_core"]),
    part(
        SEARCH,
        &[
            "corvid_games::search",
            "::engine::",
            "::solver::",
            "::endgame::",
            "::eval::",
            "::stable::",
            "dots::graph",
            "dots::chains",
            "dots::order",
            "dots::memory",
            "blokus::mcts",
            "blokus::state",
            "blokus::prior",
            "blokus::sets",
            "blokus::shapes",
            "blokus::tree",
            "blokus::value",
        ],
    ),
    part(RULES, &["corvid_games"]),
    part("keys, saved games and the rest of the device", &["corvid_firmware::"]),
    part("Rust's own library", &["compiler_builtins", "core::", "heapless", "__aeabi", "mem"]),
    part("pieces that the compiler found in several parts", &["OUTLINED_FUNCTION"]),
    part("drivers, executor, logging", &[""]),
];

/// Parts of the RAM by the statics in them.
const STATICS: [Part; 7] = [
    part(MEMORY, &["::MEMORY"]),
    part("console, and the game that it plays", &["::BRAIN"]),
    part("game on the table, queues between the tasks", &["::DEVICE"]),
    part("picture of the display, and what it shows", &["::FRAME", "::SHOWN"]),
    part("tasks", &["::POOL"]),
    part("serial port's queues", &["uart::", "::UART_"]),
    part("drivers, executor, logging", &[""]),
];

/// The weight of an image in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// Code, tables and the first values of variables.
    pub flash: u64,
    /// Variables, without the stack.
    pub ram: u64,
    /// The rows that add up to the flash.
    pub flash_parts: Vec<(&'static str, u64)>,
    /// The rows that add up to the RAM.
    pub ram_parts: Vec<(&'static str, u64)>,
}

impl Size {
    /// Weighs an ELF file; an error if it has code that no board should run.
    pub fn of(elf: &[u8]) -> Result<Self> {
        let file = object::File::parse(elf).context("not an ELF file")?;
        let (mut flash, mut ram) = (0, 0);
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags } = section.flags() else { bail!("not an ELF file") };
            if sh_flags & u64::from(elf::SHF_ALLOC) == 0 {
                continue;
            }
            let empty = matches!(section.kind(), SectionKind::UninitializedData)
                || section.file_range().is_none();
            if !empty {
                flash += section.size();
            }
            if sh_flags & u64::from(elf::SHF_WRITE) != 0 {
                ram += section.size();
            }
        }
        let (mut in_flash, mut in_ram) = (BTreeMap::new(), BTreeMap::new());
        let constants = file.section_by_name(".rodata").context("no constants")?;
        // Bytes of constants, but for those that have a name.
        let mut nameless: Vec<_> = constants.data()?.iter().copied().map(Some).collect();
        // By their addresses: what has two names is counted once.
        let symbols: BTreeMap<_, _> = file
            .symbols()
            .filter(|symbol| symbol.size() > 0)
            .map(|symbol| (symbol.address() & !1, symbol))
            .collect();
        for (address, symbol) in symbols {
            let name = format!("{:#}", rustc_demangle::demangle(symbol.name().unwrap_or("")));
            ensure!(
                !FORBIDDEN.iter().any(|part| name.contains(part)),
                "the image has {name}: floating point or an allocator has come in"
            );
            let constant = symbol.section_index() == Some(constants.index());
            if constant && name.starts_with(".L") {
                continue;
            }
            if constant {
                let at = (address - constants.address()) as usize;
                nameless[at..][..symbol.size() as usize].fill(None);
            }
            let (parts, part) = if address >= RAM_START {
                (&mut in_ram, row(&STATICS, &name))
            } else if constant && name.contains("corvid_games") {
                (&mut in_flash, TABLES)
            } else {
                (&mut in_flash, row(&CODE, &name))
            };
            *parts.entry(part).or_insert(0) += symbol.size();
        }
        let texts = nameless
            .split(|byte| !matches!(byte, Some(b' '..=b'~' | b'\n')))
            .filter(|text| text.len() >= SHORTEST_TEXT)
            .map(|text| text.len() as u64)
            .sum();
        let all = nameless.iter().flatten().count() as u64;
        in_flash.insert(TEXTS, texts);
        in_flash.insert(CONSTANTS, all - texts);
        let code = CODE.iter().map(|part| part.name).chain([TABLES, TEXTS, CONSTANTS]);
        let flash_parts = rows(code, &in_flash, flash);
        let ram_parts = rows(STATICS.iter().map(|part| part.name), &in_ram, ram);
        Ok(Self { flash, ram, flash_parts, ram_parts })
    }

    /// The rules, tables and texts of the games. Constants without a name are all counted here, so
    /// it is rather too much.
    pub fn games(&self) -> u64 {
        let games = |(name, _): &&(_, _)| [RULES, TABLES, TEXTS, CONSTANTS].contains(name);
        self.flash_parts.iter().filter(games).map(|(_, size)| size).sum()
    }

    /// An error that names what is over its budget.
    pub fn check(&self, board: &Board) -> Result<()> {
        let over = |what, used, budget| -> Result<()> {
            ensure!(used <= budget, "{}: {what} takes {used} of {budget} bytes", board.name);
            Ok(())
        };
        over("flash", self.flash, board.flash)?;
        over("static RAM", self.ram, board.ram - STACK_RESERVE)?;
        over("the games' code", self.games(), GAMES_BUDGET)?;
        let arena = self.ram_parts.iter().find(|(name, _)| *name == MEMORY).map_or(0, |row| row.1);
        ensure!(arena >= ARENA, "{}: the search has {arena} of {ARENA} bytes", board.name);
        Ok(())
    }
}

/// The row that a symbol belongs to.
fn row(parts: &[Part], name: &str) -> &'static str {
    let part = parts.iter().find(|part| part.names.iter().any(|&part| name.contains(part)));
    part.map_or(REST, |part| part.name)
}

/// All rows in the order of the table, and what is left of the whole.
fn rows(
    names: impl Iterator<Item = &'static str>,
    parts: &BTreeMap<&'static str, u64>,
    whole: u64,
) -> Vec<(&'static str, u64)> {
    let mut rows: Vec<_> =
        names.map(|name| (name, parts.get(name).copied().unwrap_or(0))).collect();
    rows.push((REST, whole - parts.values().sum::<u64>()));
    rows
}
