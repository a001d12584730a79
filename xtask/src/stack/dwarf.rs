//! What the debug information says about calls through trait objects: the tables of functions behind
//! them, and the kinds of trait objects that each function handles.

#![allow(non_upper_case_globals, reason = "the names of the DWARF standard")]

use std::collections::{BTreeMap, BTreeSet};

use addr2line::gimli::{
    AttributeValue, DW_AT_abstract_origin, DW_AT_byte_size, DW_AT_linkage_name, DW_AT_location,
    DW_AT_low_pc, DW_AT_name, DW_AT_specification, DW_AT_type, DW_TAG_formal_parameter,
    DW_TAG_inlined_subroutine, DW_TAG_subprogram, DW_TAG_template_type_parameter, DW_TAG_variable,
    DwAt, Dwarf, EndianSlice, LittleEndian, Operation, SectionId, Unit, UnitOffset,
};
use anyhow::{Context, Result};
use object::{Object, ObjectSection};

type Slice<'a> = EndianSlice<'a, LittleEndian>;
type Value<'a> = AttributeValue<Slice<'a>>;

/// A table of functions behind a trait object.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Vtable {
    /// The trait.
    pub(super) of: String,
    pub(super) address: u64,
    /// Bytes.
    pub(super) size: u64,
}

/// What is known about trait objects.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) vtables: Vec<Vtable>,
    /// The traits whose objects a function handles, by its address or its mangled name: those of its
    /// variables, and of what is inlined into it and returned from there.
    pub(super) handled: BTreeMap<Place, BTreeSet<String>>,
    /// The traits of what a function returns.
    pub(super) returned: BTreeMap<Place, BTreeSet<String>>,
}

/// A function: the linker folds equal ones, and the debug information of all but one then has no
/// address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    At(u64),
    Named(String),
}

impl Objects {
    /// Reads an image.
    pub(super) fn of(file: &object::File<'_>) -> Result<Self> {
        let data = |id: SectionId| -> Result<Slice<'_>> {
            let data = file.section_by_name(id.name()).map(|section| section.data());
            Ok(EndianSlice::new(data.transpose()?.unwrap_or_default(), LittleEndian))
        };
        let dwarf = Dwarf::load(data)?;
        let mut units = Vec::new();
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            units.push(dwarf.unit(header)?);
        }
        let mut objects = Self::default();
        let mut reader = Reader { dwarf: &dwarf, units: &units, known: BTreeMap::new() };
        (0..units.len()).try_for_each(|unit| reader.read(unit, &mut objects))?;
        Ok(objects)
    }
}

/// An entry: the number of its unit, and its place there.
type At = (usize, UnitOffset);

struct Reader<'a, 'u> {
    dwarf: &'u Dwarf<Slice<'a>>,
    units: &'u [Unit<Slice<'a>>],
    /// The traits in types that were looked at before.
    known: BTreeMap<At, BTreeSet<String>>,
}

impl<'a> Reader<'a, '_> {
    /// Reads a compilation unit.
    fn read(&mut self, unit: usize, objects: &mut Objects) -> Result<()> {
        // Functions around the entry, by their depths.
        let mut around: Vec<(isize, Vec<Place>)> = Vec::new();
        let mut depth = 0;
        let units = self.units;
        let mut entries = units[unit].entries();
        while let Some((step, entry)) = entries.next_dfs()? {
            depth += step;
            around.retain(|(function, _)| *function < depth);
            let at = (unit, entry.offset());
            match entry.tag() {
                DW_TAG_subprogram => {
                    let places = self.places(at)?;
                    let returned = self.traits_of(at)?;
                    for place in &places {
                        let all = objects.returned.entry(place.clone()).or_default();
                        all.extend(returned.iter().cloned());
                    }
                    around.push((depth, places));
                }
                DW_TAG_variable | DW_TAG_formal_parameter | DW_TAG_inlined_subroutine => {
                    if entry.tag() == DW_TAG_variable {
                        objects.vtables.extend(self.vtable(at)?);
                    }
                    let Some((_, places)) = around.last() else { continue };
                    let traits = self.traits_of(at)?;
                    for place in places {
                        let all = objects.handled.entry(place.clone()).or_default();
                        all.extend(traits.iter().cloned());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn value(&self, (unit, at): At, name: DwAt) -> Result<Option<Value<'a>>> {
        Ok(self.units[unit].entry(at)?.attr_value(name)?)
    }

    fn text(&self, at: At, name: DwAt) -> Result<Option<String>> {
        let Some(value) = self.value(at, name)? else { return Ok(None) };
        let text = self.dwarf.attr_string(&self.units[at.0], value)?;
        Ok(Some(text.to_string_lossy().into_owned()))
    }

    /// The entry that an attribute of another one refers to.
    fn referred(&self, at: At, name: DwAt) -> Result<Option<At>> {
        Ok(match self.value(at, name)? {
            Some(AttributeValue::UnitRef(offset)) => Some((at.0, offset)),
            Some(AttributeValue::DebugInfoRef(offset)) => self
                .units
                .iter()
                .enumerate()
                .find_map(|(number, unit)| Some((number, offset.to_unit_offset(&unit.header)?))),
            _ => None,
        })
    }

    /// The entry that this one is an instance of.
    fn origin(&self, at: At) -> Result<Option<At>> {
        match self.referred(at, DW_AT_abstract_origin)? {
            None => self.referred(at, DW_AT_specification),
            some => Ok(some),
        }
    }

    /// The function of an entry, and the names it has.
    fn places(&self, entry: At) -> Result<Vec<Place>> {
        let mut places = Vec::new();
        if let Some(value) = self.value(entry, DW_AT_low_pc)?
            && let Some(address) = self.dwarf.attr_address(&self.units[entry.0], value)?
            && address != 0
        {
            places.push(Place::At(address & !1));
        }
        let mut at = Some(entry);
        while let Some(entry) = at {
            places.extend(self.text(entry, DW_AT_linkage_name)?.map(Place::Named));
            at = self.origin(entry)?;
        }
        Ok(places)
    }

    /// The traits of the objects in an entry's type: a variable's own, or what a function returns.
    fn traits_of(&mut self, entry: At) -> Result<BTreeSet<String>> {
        let mut at = Some(entry);
        while let Some(entry) = at {
            if let Some(of) = self.referred(entry, DW_AT_type)? {
                return self.traits_in(of);
            }
            at = self.origin(entry)?;
        }
        Ok(BTreeSet::new())
    }

    /// The traits of the objects that a value of a type leads to.
    fn traits_in(&mut self, of: At) -> Result<BTreeSet<String>> {
        if let Some(known) = self.known.get(&of) {
            return Ok(known.clone());
        }
        // A type that leads to itself adds nothing.
        let mut seen = BTreeSet::from([of]);
        let mut open = vec![of];
        let mut found = BTreeSet::new();
        while let Some(of) = open.pop() {
            if let Some(of) = self.text(of, DW_AT_name)?.as_deref().and_then(object_of) {
                found.insert(of);
                continue;
            }
            let mut inside = self.units[of.0].entries_at_offset(of.1)?;
            let mut depth = 0;
            while let Some((step, entry)) = inside.next_dfs()? {
                depth += step;
                if depth <= 0 && entry.offset() != of.1 {
                    break;
                }
                // Methods and parameters of types are no part of a value.
                let is_part = !matches!(
                    entry.tag(),
                    DW_TAG_subprogram | DW_TAG_formal_parameter | DW_TAG_template_type_parameter
                );
                if is_part
                    && let Some(next) = self.referred((of.0, entry.offset()), DW_AT_type)?
                    && seen.insert(next)
                {
                    open.push(next);
                }
            }
        }
        self.known.insert(of, found.clone());
        Ok(found)
    }

    /// The table of functions that a variable is.
    fn vtable(&self, at: At) -> Result<Option<Vtable>> {
        let name = self.text(at, DW_AT_name)?;
        let Some(name) = name.as_deref().and_then(|name| name.strip_suffix(">::{vtable}")) else {
            return Ok(None);
        };
        let of = split_as(name).with_context(|| format!("{name} names no trait"))?;
        let Some(AttributeValue::Exprloc(place)) = self.value(at, DW_AT_location)? else {
            // The linker has left it out.
            return Ok(None);
        };
        let encoding = self.units[at.0].encoding();
        let Some(Operation::Address { address }) = place.operations(encoding).next()? else {
            return Ok(None);
        };
        let Some(of_type) = self.referred(at, DW_AT_type)? else { return Ok(None) };
        let size = self.value(of_type, DW_AT_byte_size)?;
        let size = size.and_then(|size| size.udata_value()).unwrap_or(0);
        Ok((address != 0).then(|| Vtable { of: of.to_owned(), address, size }))
    }
}

/// The trait in `<type as trait`.
fn split_as(name: &str) -> Option<&str> {
    let mut open = 0;
    for (at, _) in name.char_indices().skip(1) {
        match name.as_bytes()[at] {
            b'<' | b'(' => open += 1,
            b'>' if name.as_bytes()[at - 1] != b'-' => open -= 1,
            b')' => open -= 1,
            b' ' if open == 0 && name[at..].starts_with(" as ") => return Some(&name[at + 4..]),
            _ => {}
        }
    }
    None
}

/// The trait if a type is a reference to an object of one.
fn object_of(name: &str) -> Option<String> {
    let of = name.strip_prefix("&mut dyn ").or_else(|| name.strip_prefix("&dyn "))?;
    let of = of.strip_suffix(" *").unwrap_or(of);
    let of = of.split(" + ").next().unwrap_or(of);
    // A table of functions does not tell what they return.
    Some(match of.find(", Output=") {
        Some(at) => format!("{}>", &of[..at]),
        None => of.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_traits_are_read() {
        assert_eq!(split_as("<a::B<c> as d::E<(f)>"), Some("d::E<(f)>"));
        assert_eq!(split_as("<a::{impl#1}<fn() -> x> as y"), Some("y"));
        assert_eq!(
            object_of("&mut dyn a::FnMut<(u8, u64), Output=b<u8>>").unwrap(),
            "a::FnMut<(u8, u64)>"
        );
        assert_eq!(object_of("&dyn a::Reason *").unwrap(), "a::Reason");
        assert_eq!(object_of("&a::Reason"), None);
    }
}
