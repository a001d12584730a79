//! Where an image can panic: every call of panic machinery in its instructions, and whose code it is.

use std::collections::BTreeMap;
use std::fmt;

use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use anyhow::{Context, Result};
use object::{Object, ObjectSection};

use crate::board::BOARDS;
use crate::root;
use crate::stack::branch;
use crate::symbols::{Symbols, readable};

/// Parts of the names of functions in Rust's library that never return. The logger has one more, and
/// those that only call such a function follow from their instructions.
const MACHINERY: [&str; 4] = ["core::panicking::", "::panic_", "do_panic", "_fail"];

/// The package of Rust's own library.
pub const RUST: &str = "core";
/// The package that the boards' binaries are counted as.
pub const BINARY: &str = "boards";

/// The project's folders and their packages; the first that fits counts.
const OURS: [(&str, &str); 4] = [
    ("core/games/", "corvid-games"),
    ("core/", "corvid-core"),
    ("firmware/src/bin/", BINARY),
    ("firmware/", "corvid-firmware"),
];

/// One call of panic machinery.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// The package whose code it is: that of the innermost function which is not Rust's library.
    pub package: String,
    /// Its file.
    pub file: String,
    /// Its function, without the parameters of types.
    pub function: String,
    /// Its line; 0 if the compiler has merged several calls.
    pub line: u32,
    /// What is called.
    pub panic: String,
    /// The functions in which it is inlined, the innermost first.
    pub chain: Vec<Frame>,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { package, file, line, panic, .. } = self;
        write!(f, "{package} {file}:{line} -> {panic}")
    }
}

/// A function in which a call is inlined.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// Its name.
    pub function: String,
    /// Its file.
    pub file: String,
    /// The line of the call, or of the next function's.
    pub line: u32,
}

/// A function of the image.
#[derive(Debug)]
struct Function {
    /// Several, if the linker has folded equal functions into one.
    names: Vec<String>,
    /// Where it calls or jumps to other functions, and the targets.
    calls: Vec<(u64, u64)>,
    /// Whether it has an instruction that returns.
    returns: bool,
    /// The constants that its instructions load: addresses among them.
    words: Vec<u32>,
}

/// Every site of an image, by package and file.
pub fn sites(elf: &[u8]) -> Result<Vec<Site>> {
    let file = object::File::parse(elf).context("not an ELF file")?;
    let functions = functions(&file)?;
    let mut machinery = machinery(&functions);
    let dwarf = Dwarf::load(|section| -> Result<_> { Ok(debug(&file, section)) })?;
    let lines = addr2line::Context::from_dwarf(dwarf)?;
    let places = places(&file)?;
    // A function of Rust's library that may panic, such as `Option::expect`, stands for a site
    // wherever it is called.
    loop {
        let mut sites = Vec::new();
        let mut library = Vec::new();
        for (start, function) in &functions {
            if machinery.contains_key(start) {
                continue;
            }
            let first = sites.len();
            for (at, to) in &function.calls {
                let Some(panic) = machinery.get(to) else { continue };
                let site = site(&lines, *at, function, panic)?;
                if site.package == RUST && is_called(&functions, *start) {
                    library.push((*start, path(&function.names[0])));
                }
                sites.push(site);
            }
            let named = function.words.iter().filter_map(|word| places.get(word));
            find_merged(&mut sites[first..], &named.collect::<Vec<_>>());
        }
        if library.is_empty() {
            sites.sort();
            return Ok(sites);
        }
        machinery.extend(library);
    }
}

/// The compiler merges calls at the end of a function into one without a line, with the place to be
/// named as an argument. Such a call is a library's if all places that the function's other calls
/// don't account for are.
fn find_merged(sites: &mut [Site], named: &[&(String, u32)]) {
    let is_known = |file: &str, line: u32| {
        let mut frames = sites.iter().flat_map(|site| &site.chain);
        frames.any(|frame| frame.line == line && frame.file == file)
    };
    let open: Vec<_> = named.iter().filter(|(file, line)| !is_known(file, *line)).collect();
    let is_ours = |file: &str| OURS.iter().any(|(folder, _)| file.starts_with(folder));
    let Some((file, line)) = open.first().filter(|_| !open.iter().any(|(file, _)| is_ours(file)))
    else {
        return;
    };
    for site in sites.iter_mut().filter(|site| site.line == 0) {
        (site.package, site.file, site.line) = (package(file).to_owned(), file.clone(), *line);
    }
}

/// Whether a function is called by its address.
fn is_called(functions: &BTreeMap<u64, Function>, start: u64) -> bool {
    functions.values().any(|function| function.calls.iter().any(|(_, to)| *to == start))
}

/// A section of debug information.
fn debug<'a>(file: &object::File<'a>, section: SectionId) -> EndianSlice<'a, LittleEndian> {
    let data = file.section_by_name(section.name()).and_then(|section| section.data().ok());
    EndianSlice::new(data.unwrap_or_default(), LittleEndian)
}

fn functions(file: &object::File<'_>) -> Result<BTreeMap<u64, Function>> {
    let symbols = Symbols::of(file);
    let mut read = BTreeMap::new();
    for (start, (mangled, end)) in &symbols.functions {
        let (start, size) = (*start, end - start);
        let names = mangled.iter().map(|name| readable(name)).collect();
        let code = file.sections().find_map(|section| section.data_range(start, size).ok()?);
        let Some(code) = code else { continue };
        let mut function = Function { names, calls: Vec::new(), returns: false, words: Vec::new() };
        let half = |at: usize| {
            code.get(at..at + 2).map_or(0, |half| u16::from_le_bytes([half[0], half[1]]))
        };
        let mut at = 0;
        let mut low_halves = [0; 16];
        while at < code.len() {
            let address = start + at as u64;
            let first = half(at);
            if !symbols.is_code(address) {
                if address.is_multiple_of(4) {
                    function.words.push(u32::from(half(at + 2)) << 16 | u32::from(first));
                }
                at += 2;
                continue;
            }
            let wide = first >= 0xe800;
            let second = if wide { half(at + 2) } else { 0 };
            at += if wide { 4 } else { 2 };
            if let Some((register, value, is_high)) = moved(first, second) {
                let low: &mut u32 = &mut low_halves[register];
                if is_high {
                    function.words.push(value << 16 | *low);
                } else {
                    *low = value;
                }
            }
            function.returns |= returns(first, second);
            if let Some(to) = branch(address, first, second)
                && !(start + 1..start + size).contains(&to)
            {
                function.calls.push((address, to));
            }
        }
        read.insert(start, function);
    }
    Ok(read)
}

/// The register, the half word, and whether it is the upper one, that `movw` or `movt` load.
fn moved(first: u16, second: u16) -> Option<(usize, u32, bool)> {
    let is_high = match first & 0xfbf0 {
        0xf240 => false,
        0xf2c0 => true,
        _ => return None,
    };
    let value = (first & 0xf) << 12 | (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8;
    Some((usize::from(second >> 8 & 0xf), u32::from(value | second & 0xff), is_high))
}

/// Whether an instruction jumps to where a register or the stack says.
fn returns(first: u16, second: u16) -> bool {
    match first {
        // bx and blx by a register; pop {..., pc}
        0x4700..=0x47ff | 0xbd00..=0xbdff => true,
        // pop.w {..., pc}
        0xe8bd => second & 0x8000 != 0,
        // ldr pc, [...]
        0xf85d | 0xf8df => second & 0xf000 == 0xf000,
        _ => false,
    }
}

/// The functions that panic whenever they are called, by their addresses, with a name for each.
fn machinery(functions: &BTreeMap<u64, Function>) -> BTreeMap<u64, String> {
    let mut machinery: BTreeMap<u64, String> = BTreeMap::new();
    for (start, function) in functions {
        let name = function.names.iter().find(|name| {
            let name = path(name);
            let is_log = name.starts_with("_defmt") || name.starts_with("__defmt");
            is_rust(&name) && MACHINERY.iter().any(|part| name.contains(part))
                || is_log && name.ends_with("_panic")
        });
        if let Some(name) = name {
            machinery.insert(*start, name.clone());
        }
    }
    // Fragments and jumps that the compiler and the linker have put in between.
    loop {
        let found: Vec<_> = functions
            .iter()
            .filter(|(start, function)| {
                let between = function.names.iter().any(|name| {
                    is_rust(name) || name.contains("OUTLINED_FUNCTION") || name.contains("Thunk")
                });
                between && !function.returns && !machinery.contains_key(start)
            })
            .filter_map(|(start, function)| {
                let mut called = function.calls.iter().map(|(_, to)| machinery.get(to));
                // It may call others on its way, but its last call does not return.
                called.next_back()?.map(|name| (*start, name.clone()))
            })
            .collect();
        if found.is_empty() {
            return machinery;
        }
        machinery.extend(found);
    }
}

/// Whether a function is Rust's library's, with no type of another crate in it.
fn is_rust(name: &str) -> bool {
    name.trim_start_matches('<').starts_with("core::")
}

fn site(
    lines: &addr2line::Context<EndianSlice<'_, LittleEndian>>,
    at: u64,
    function: &Function,
    panic: &str,
) -> Result<Site> {
    let mut frames = lines.find_frames(at).skip_all_loads()?;
    let mut chain = Vec::new();
    let mut owner = None;
    while let Some(frame) = frames.next()? {
        let name = match &frame.function {
            Some(name) => path(&readable(&name.raw_name()?)),
            None => path(&function.names[0]),
        };
        let (file, line) = match frame.location {
            Some(place) => (place.file.map(short).unwrap_or_default(), place.line.unwrap_or(0)),
            None => Default::default(),
        };
        chain.push(Frame { function: name.clone(), file: file.clone(), line });
        // Where calls were merged, the file may be that of a function which was inlined.
        let package = if line > 0 { package(&file).to_owned() } else { package_of(&name) };
        // The logger's own assertions are macros that call it.
        if owner.is_none() && package != RUST && name != "defmt::export::panic" {
            owner = Some((package, file, name, line));
        }
    }
    let (package, file, function, line) = owner.unwrap_or_else(|| {
        let name = path(&function.names[0]);
        (if chain.is_empty() { package_of(&name) } else { RUST.to_owned() }, String::new(), name, 0)
    });
    Ok(Site { package, file, function, line, panic: path(panic), chain })
}

/// The package of a function whose file is not known, by its name.
fn package_of(name: &str) -> String {
    // `<[corvid_core::Entry]>::swap` is Rust's.
    let name = name.trim_start_matches('<');
    let first = name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(name);
    let is_board = || BOARDS.iter().any(|board| board.binary.replace('-', "_") == first);
    match name.strip_prefix(first) {
        Some(rest) if rest.starts_with("::") && is_board() => BINARY.to_owned(),
        Some(rest) if rest.starts_with("::") => first.replace('_', "-"),
        _ => RUST.to_owned(),
    }
}

/// A source file without the folders of the workspace, the registry and the compiler.
fn short(file: &str) -> String {
    let root = format!("{}/", root().display());
    let file = file.strip_prefix(&root).unwrap_or(file);
    if let Some((_, library)) = file.split_once("/library/") {
        return format!("library/{library}");
    }
    let file = match file.split_once("/registry/src/").and_then(|(_, path)| path.split_once('/')) {
        Some((_, path)) => path,
        None => file,
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in file.split('/') {
        match (part, part.rsplit_once('-')) {
            // `firmware/src/bin/lm3s6965evb/../shared/...`
            ("..", _) => drop(parts.pop()),
            (".", _) => {}
            // `heapless-0.9.1/src/...`, perhaps after the folder of the package that inlines it.
            (_, Some((name, version))) if is_version(version) => parts = vec![name],
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn is_version(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.contains('.')
}

/// The package that a file belongs to, by its path as [`short`] gives it.
fn package(file: &str) -> &str {
    if let Some((_, package)) = OURS.iter().find(|(folder, _)| file.starts_with(folder)) {
        return package;
    }
    let folder = file.split('/').next().unwrap_or(file);
    if folder == "library" {
        return RUST;
    }
    folder
}

/// A name without the parameters of types.
fn path(name: &str) -> String {
    let mut path = String::new();
    let mut depth = 0;
    let mut rest = name;
    while let Some(at) = rest.find("::<") {
        if depth == 0 {
            path.push_str(&rest[..at]);
        }
        rest = &rest[at + 2..];
        let mut end = rest.len();
        for (index, letter) in rest.char_indices() {
            match letter {
                '<' => depth += 1,
                '>' if !rest[..index].ends_with('-') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                end = index + 1;
                break;
            }
        }
        depth = 0;
        rest = &rest[end..];
    }
    path + rest
}

/// The places that panics name, files and lines, by the addresses of the constants that hold them.
fn places(file: &object::File<'_>) -> Result<BTreeMap<u32, (String, u32)>> {
    let constants = file.section_by_name(".rodata").context("no constants")?;
    let (start, data) = (constants.address(), constants.data()?);
    let text = |at: u32, length: u32| {
        let at = usize::try_from(u64::from(at).checked_sub(start)?).ok()?;
        let text = std::str::from_utf8(data.get(at..)?.get(..length as usize)?).ok()?;
        text.ends_with(".rs").then_some(text)
    };
    let (words, _) = data.as_chunks();
    let words: Vec<_> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    // A pointer to the name, its length, the line, the column.
    let places =
        words.windows(4).zip((start as u32..).step_by(4)).filter_map(|(place, address)| {
            let [at, length, line, _column] = place else { return None };
            Some((address, (short(text(*at, *length)?), *line)))
        });
    Ok(places.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_in_their_packages() {
        for (file, shown, owner) in [
            ("/rustc/59807/library/core/src/option.rs", "library/core/src/option.rs", RUST),
            ("heapless-0.9.3/src/vec/mod.rs", "heapless/src/vec/mod.rs", "heapless"),
            ("/home/a/.cargo/registry/src/b-1/x-y-2.0.1/src/z.rs", "x-y/src/z.rs", "x-y"),
            ("embassy-1.0.0/rp-pac-7.0.0/src/./io.rs", "rp-pac/src/io.rs", "rp-pac"),
            ("core/games/src/choice.rs", "core/games/src/choice.rs", "corvid-games"),
            ("core/src/gtp.rs", "core/src/gtp.rs", "corvid-core"),
            ("firmware/src/ui.rs", "firmware/src/ui.rs", "corvid-firmware"),
            ("firmware/src/bin/pico/../shared/usb.rs", "firmware/src/bin/shared/usb.rs", BINARY),
        ] {
            assert_eq!(short(file), shown);
            assert_eq!(package(shown), owner, "{shown}");
        }
    }

    #[test]
    fn functions_without_a_line_are_in_their_packages() {
        for (name, package) in [
            ("lm3s6965evb::shared::start", BINARY),
            ("<corvid_core::gtp::Gtp>::line", "corvid-core"),
            ("<embassy_sync::pipe::Pipe<64>>::read", "embassy-sync"),
            ("<[corvid_core::gtp::Command]>::sort", RUST),
            ("core::fmt::write", RUST),
        ] {
            assert_eq!(package_of(name), package, "{name}");
        }
    }

    #[test]
    fn names_lose_their_parameters() {
        assert_eq!(path("a::b::<c::D<1>, fn() -> e::F>::g::<2>"), "a::b::g");
        assert_eq!(path("<a::B<2, 8>>::c::{closure#0}"), "<a::B<2, 8>>::c::{closure#0}");
    }

    #[test]
    fn loaded_constants_are_seen() {
        assert_eq!(moved(0xf245, 0x3278), Some((2, 0x5378, false)), "movw r2, #0x5378");
        assert_eq!(moved(0xf2c0, 0x0203), Some((2, 3, true)), "movt r2, #3");
        assert_eq!(moved(0xf5ad, 0x5dc5), None, "sub.w sp, sp, #6304");
    }

    #[test]
    fn returns_are_seen() {
        assert!(returns(0x4770, 0), "bx lr");
        assert!(returns(0xbdf0, 0), "pop {{r4-r7, pc}}");
        assert!(returns(0xe8bd, 0x8ff0), "pop.w {{r4-r11, pc}}");
        assert!(returns(0xf85d, 0xfb04), "ldr pc, [sp], #4");
        assert!(!returns(0xe8bd, 0x0ff0), "pop.w {{r4-r11}}");
        assert!(!returns(0xb5f0, 0), "push {{r4-r7, lr}}");
    }
}
