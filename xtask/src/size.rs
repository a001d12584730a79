//! The size of an image, part by part, and whether it fits its board.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SectionKind, SymbolKind, elf};

use crate::board::Board;

/// The flash that the rules, tables and texts of the five games may take together, in bytes.
pub const GAMES_BUDGET: u64 = 96 * 1024;

/// What they may take besides on a board with Othello's large table.
pub const LARGE_TABLES: u64 = 64 * 1024;

/// Where a Cortex-M has its RAM; flash is below.
const RAM_START: u64 = 0x2000_0000;

/// Parts of the names of functions that are linked only for floating point or an allocator. No
/// board needs either, and the RP2040 has no floating-point unit.
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

/// A row of the table.
#[derive(Debug, Clone, Copy)]
struct Part {
    name: &'static str,
    /// A symbol belongs to the first row that has a part of its demangled name here.
    names: &'static [&'static str],
}

const fn part(name: &'static str, names: &'static [&'static str]) -> Part {
    Part { name, names }
}

const BOTS: &str = "bots and levels";
const SEARCH: &str = "search and solvers";
const RULES: &str = "rules of the games";
const DEVICE: &str = "keys, saved games and the rest of the device";
const RUST: &str = "Rust's standard library";
const DRIVERS: &str = "drivers, executor, logging";
const TABLES: &str = "tables of the games, including learnt ones";
const TEXTS: &str = "texts";
const CONSTANTS: &str = "fonts, pictures, panic locations, other constants";
const MEMORY: &str = "memory of the search";
const REST: &str = "vectors, initial values, alignment";

/// Parts of the flash by the functions in them. An inlined function counts where it was inlined.
/// What none of these takes is Rust's library or a driver.
const CODE: [Part; 9] = [
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
    part(
        BOTS,
        &[
            "::bots::",
            "corvid_core::bots",
            "corvid_core::engine",
            "corvid_core::any::AnyGame>::choose",
            "corvid_games::choice",
        ],
    ),
    part("the match, and every game behind one face", &["corvid_core"]),
    part(
        SEARCH,
        &[
            "corvid_games::search",
            "::engine::",
            "::solver::",
            "::endgame::",
            "::eval::",
            "::stable::",
            // A method of the game's own type, from its engine.
            "Adjacency>::search",
            "dots::graph::",
            "dots::alone::",
            "dots::chains::",
            "dots::order::",
            "dots::memory::",
            "dots::shape::",
            "othello::patterns::",
            "othello::memory::",
            "blokus::classic::",
            "blokus::duo::",
            "blokus::mcts::",
            "blokus::prior::",
            "blokus::resume::",
            "blokus::sets::",
            "blokus::shapes::",
            "blokus::state::",
            "blokus::tree::",
            "blokus::value::",
        ],
    ),
    part(RULES, RULE_MODULES),
    part(RULES, &["corvid_games"]),
    part(DEVICE, &["corvid_firmware::", "keys_task", "guard_task"]),
    part("fragments that several parts share", &["OUTLINED_FUNCTION"]),
];

/// The files in the games' folders that hold rules. A test makes sure that every file there is in a
/// row, so that a new one does not count as rules by accident.
const RULE_MODULES: &[&str] = &[
    "othello::kernels::",
    "blokus::code::",
    "blokus::generate::",
    "blokus::pieces::",
    "blokus::rows::",
];

/// Crates whose functions count as Rust's library.
const RUST_CRATES: [&str; 3] = ["core", "compiler_builtins", "heapless"];

/// What the linker puts into RAM besides variables, from where it is copied in the flash.
const HOT_SECTION: &str = ".hot";
const HOT: &str = "code and tables that run from RAM";

/// Parts of the RAM by the statics in them.
const STATICS: [Part; 7] = [
    part(MEMORY, &["::MEMORY"]),
    part("console, thinker, saved games", &["::BRAIN"]),
    part("the table with its match, queues between tasks", &["::DEVICE"]),
    part("frame buffer and a copy of what is displayed", &["::FRAME", "::SHOWN"]),
    part("tasks", &["::POOL"]),
    part("serial port's queues", &["uart::", "::UART_"]),
    part(DRIVERS, &[""]),
];

/// The size of an image in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// Code, tables and the initial values of variables.
    pub flash: u64,
    /// Variables, without the stack.
    pub ram: u64,
    /// The rows that add up to the flash.
    pub flash_parts: Vec<(&'static str, u64)>,
    /// The rows that add up to the RAM.
    pub ram_parts: Vec<(&'static str, u64)>,
}

impl Size {
    /// Measures an ELF file; an error if it has code that no board should run.
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
            if sh_flags & u64::from(elf::SHF_WRITE) != 0 || section.name() == Ok(HOT_SECTION) {
                ram += section.size();
            }
        }
        let (mut in_flash, mut in_ram) = (BTreeMap::new(), BTreeMap::new());
        let hot = file.section_by_name(HOT_SECTION);
        in_ram.insert(HOT, hot.as_ref().map_or(0, |section| section.size()));
        let constants = file.section_by_name(".rodata").context("no constants")?;
        // The bytes of constants without a name.
        let mut nameless: Vec<_> = constants.data()?.iter().copied().map(Some).collect();
        // By address, so that a symbol with two names counts once.
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
            let is_hot =
                hot.as_ref().is_some_and(|hot| symbol.section_index() == Some(hot.index()));
            let is_table = constant || is_hot && symbol.kind() == SymbolKind::Data;
            let (parts, part) = if address >= RAM_START && !is_hot {
                (&mut in_ram, row(&STATICS, &name).unwrap_or(REST))
            } else if is_table && name.contains("corvid_games") {
                (&mut in_flash, TABLES)
            } else {
                (&mut in_flash, code_row(&name))
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
        let mut code: Vec<_> = CODE.iter().map(|part| part.name).collect();
        code.dedup();
        code.extend([RUST, DRIVERS, TABLES, TEXTS, CONSTANTS]);
        let flash_parts = rows(code.into_iter(), &in_flash, flash);
        let statics = STATICS.iter().map(|part| part.name);
        let ram_parts = rows([HOT].into_iter().chain(statics), &in_ram, ram);
        Ok(Self { flash, ram, flash_parts, ram_parts })
    }

    /// The rules, tables and texts of the games: an upper bound, since all constants without a name
    /// are counted.
    pub fn games(&self) -> u64 {
        let games = |(name, _): &&(_, _)| [RULES, TABLES, TEXTS, CONSTANTS].contains(name);
        self.flash_parts.iter().filter(games).map(|(_, size)| size).sum()
    }

    /// An error that names what is over its budget.
    pub fn check(&self, board: &Board) -> Result<()> {
        let over = |what, used, budget| -> Result<()> {
            ensure!(used <= budget, "{}: {what} takes {used} of {budget} bytes", board.name());
            Ok(())
        };
        over("flash", self.flash, board.flash)?;
        over("static RAM", self.ram, board.static_ram())?;
        let tables = if board.profile.large_tables { LARGE_TABLES } else { 0 };
        over("the games' code", self.games(), GAMES_BUDGET + tables)?;
        let memory = self.ram_parts.iter().find(|(name, _)| *name == MEMORY).map_or(0, |row| row.1);
        let promised = board.memory();
        ensure!(
            memory >= promised,
            "{}: the search has {memory} of {promised} bytes",
            board.name()
        );
        Ok(())
    }
}

/// The first row that takes a symbol.
fn row(parts: &[Part], name: &str) -> Option<&'static str> {
    let part = parts.iter().find(|part| part.names.iter().any(|&part| name.contains(part)));
    part.map(|part| part.name)
}

/// The row that a function belongs to.
fn code_row(name: &str) -> &'static str {
    row(&CODE, name).unwrap_or(if is_rust(name) { RUST } else { DRIVERS })
}

/// Whether a function comes from Rust's library, with no type of another crate in it. A future of an
/// executor is the executor's, whichever trait it has.
fn is_rust(name: &str) -> bool {
    if !name.contains("::") {
        return name.starts_with("__aeabi_") || name.starts_with("mem");
    }
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    // `<str>::parse::<u64>` leaves `::parse::`, which names no crate.
    name.split(|c| !is_path(c))
        .filter_map(|path| path.split_once("::"))
        .all(|(first, _)| first.is_empty() || RUST_CRATES.contains(&first))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn functions_are_in_their_rows() {
        for (name, part) in [
            ("corvid_games::games::blokus::resume::find::<4, 20>", SEARCH),
            ("<corvid_games::games::adjacency::Adjacency>::search", SEARCH),
            ("<corvid_games::games::blokus::Blokus<2, 8>>::frontier", RULES),
            ("corvid_games::games::othello::kernels::moves", RULES),
            ("corvid_games::choice::best_by::<corvid_games::games::dots::Dots>", BOTS),
            ("<corvid_games::games::dots::Dots as corvid_core::any::AnyGame>::choose", BOTS),
            ("<TaskStorage<pico::__keys_task_task::{closure#0}>>::poll", DEVICE),
            ("<corvid_firmware::store::Store as core::fmt::Debug>::fmt", DEVICE),
            ("<str>::parse::<u64>", RUST),
            ("<i16 as core::fmt::Display>::fmt", RUST),
            ("core::slice::memchr::memrchr", RUST),
            ("memcmp", RUST),
            ("__aeabi_memclr8", RUST),
            (
                "<embassy_sync::pipe::ReadFuture<256> as core::future::future::Future>::poll",
                DRIVERS,
            ),
            ("<defmt::export::FmtWrite as core::fmt::Write>::write_char", DRIVERS),
            ("lm3s6965evb::start", DRIVERS),
            ("_defmt_write", DRIVERS),
        ] {
            assert_eq!(code_row(name), part, "{name}");
        }
    }

    #[test]
    fn every_file_of_a_game_is_in_a_row() {
        let games = crate::root().join("core/games/src/games");
        let listed = |file: &str| {
            let rows = CODE.iter().flat_map(|part| part.names);
            rows.filter(|name| name.ends_with("::")).any(|name| file.contains(name))
        };
        let mut files = 0;
        for folder in fs::read_dir(games).unwrap().map(|entry| entry.unwrap().path()) {
            if !folder.is_dir() {
                continue;
            }
            let game = folder.file_name().unwrap().to_str().unwrap();
            for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
                let module = file.file_stem().unwrap().to_str().unwrap();
                if module == "mod" || file.is_dir() {
                    // The rules themselves, whose names have no module, and data.
                    continue;
                }
                let path = format!("corvid_games::games::{game}::{module}::");
                assert!(listed(&path), "name {path} in a row of CODE");
                files += 1;
            }
        }
        assert!(files > 20, "{files} files");
    }
}
