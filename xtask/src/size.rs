//! What an image weighs, and whether that fits its board.

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SectionKind, elf};

use crate::board::Board;

/// The flash that the code and tables of the five games may take together, in bytes.
pub const GAMES_BUDGET: u64 = 96 * 1024;

/// RAM that static data leaves for the stack on every board, in bytes. The deepest search seen, of
/// Dots and Boxes, takes 20 KB with everything above it.
pub const STACK_RESERVE: u64 = 22 * 1024;

/// Where a Cortex-M has its RAM; flash is below.
const RAM_START: u64 = 0x2000_0000;

/// What the modules are called that play and talk rather than know the rules.
const PLAYERS: [&str; 21] = [
    "::search::",
    "::engine::",
    "::solver::",
    "::endgame::",
    "::eval::",
    "::stable::",
    "dots::graph::",
    "dots::chains::",
    "dots::order::",
    "dots::memory::",
    "blokus::mcts::",
    "blokus::playout::",
    "blokus::prior::",
    "blokus::shapes::",
    "blokus::tree::",
    "blokus::value::",
    "::bots::",
    "::console::",
    "::terminal::",
    "::icfpt::",
    "::gtp::",
];

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

/// The weight of an image in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Code, tables and the first values of variables.
    pub flash: u64,
    /// Variables, without the stack.
    pub ram: u64,
    /// The part of the flash that is the games' rules and texts. Constants without a name, such as
    /// texts, are all counted here, so it is rather too much.
    pub games: u64,
    /// The part of the flash that plays games and speaks protocols.
    pub players: u64,
}

impl Size {
    /// Weighs an ELF file; an error if it has code that no board should run.
    pub fn of(elf: &[u8]) -> Result<Self> {
        let file = object::File::parse(elf).context("not an ELF file")?;
        let mut size = Self { flash: 0, ram: 0, games: 0, players: 0 };
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags } = section.flags() else { bail!("not an ELF file") };
            if sh_flags & u64::from(elf::SHF_ALLOC) == 0 {
                continue;
            }
            let empty = matches!(section.kind(), SectionKind::UninitializedData)
                || section.file_range().is_none();
            if !empty {
                size.flash += section.size();
            }
            if sh_flags & u64::from(elf::SHF_WRITE) != 0 {
                size.ram += section.size();
            }
        }
        for symbol in file.symbols().filter(|symbol| symbol.size() > 0) {
            let name = format!("{:#}", rustc_demangle::demangle(symbol.name().unwrap_or("")));
            ensure!(
                !FORBIDDEN.iter().any(|part| name.contains(part)),
                "the image has {name}: floating point or an allocator has come in"
            );
            if symbol.address() >= RAM_START {
                continue;
            }
            let ours = name.contains("corvid_core") || name.contains("corvid_games");
            if ours && PLAYERS.iter().any(|part| name.contains(part)) {
                size.players += symbol.size();
            } else if ours || name.contains(".Lanon") {
                size.games += symbol.size();
            }
        }
        Ok(size)
    }

    /// An error that names what is over its budget.
    pub fn check(&self, board: &Board) -> Result<()> {
        let over = |what, used, budget| -> Result<()> {
            ensure!(used <= budget, "{}: {what} takes {used} of {budget} bytes", board.name);
            Ok(())
        };
        over("flash", self.flash, board.flash)?;
        over("static RAM", self.ram, board.ram - STACK_RESERVE)?;
        over("the games' code", self.games, GAMES_BUDGET)
    }
}
