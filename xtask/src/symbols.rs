//! The functions of an image by their symbols, and where its code is.

use std::collections::BTreeMap;

use object::{Object, ObjectSymbol, SymbolKind};

/// What an image's symbols tell.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// Each function's mangled names, several if the linker has folded equal ones, and its end.
    pub(crate) functions: BTreeMap<u64, (Vec<String>, u64)>,
    /// Where code and data begin, by the assembler's mapping symbols.
    marks: BTreeMap<u64, bool>,
}

impl Symbols {
    pub(crate) fn of(file: &object::File<'_>) -> Self {
        let mut symbols = Self::default();
        for symbol in file.symbols() {
            let (name, start) = (symbol.name().unwrap_or(""), symbol.address() & !1);
            match name.get(..2) {
                Some("$t") => drop(symbols.marks.insert(start, true)),
                Some("$d") => drop(symbols.marks.insert(start, false)),
                _ if symbol.kind() == SymbolKind::Text && symbol.size() > 0 => {
                    let (names, end) = symbols.functions.entry(start).or_default();
                    names.push(name.to_owned());
                    *end = (start + symbol.size()).max(*end);
                }
                _ => {}
            }
        }
        symbols
    }

    /// Whether there is an instruction at an address, not a constant.
    pub(crate) fn is_code(&self, at: u64) -> bool {
        self.marks.range(..=at).next_back().is_none_or(|(_, code)| *code)
    }
}

/// A function's name as a person reads it.
pub(crate) fn readable(mangled: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(mangled))
}
