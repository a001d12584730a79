//! The functions of an image, and the deepest paths through them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail, ensure};
use object::{Object, ObjectSection};

use super::dwarf::{Objects, Place};
use super::rules::{
    ENDS, FORMATS, FORWARDS, LIMITS, LOOKS, Limit, OUTLINED, PARTS, POINTERS, SEARCHES, SERVES,
    THINKS,
};
use super::thumb::{Indirect, Reader, branch, short_branch, table_jumps};
use crate::symbols::{Symbols, readable};

/// What the processor puts on the stack for an interrupt, with what it may leave free for alignment.
const EXCEPTION: u64 = 32 + 4;

/// A recursion, and the stack that it may take, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recursion {
    /// What it is, and what limits it.
    pub limit: Limit,
    /// Each level, on its longest way back to itself.
    pub bytes: u64,
    /// At its limit, with the most that calls can take below it.
    pub most: u64,
}

/// The deepest path from where the processor starts or is interrupted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deepest {
    /// Bytes, with those of the interrupt.
    pub bytes: u64,
    /// Its functions with their frames.
    pub path: Vec<(String, u64)>,
}

/// A function as its instructions show it.
#[derive(Debug, Clone)]
struct Function {
    name: String,
    /// As the linker has it; several if it has folded equal functions.
    mangled: Vec<String>,
    /// Bytes that it puts on the stack.
    frame: u64,
    /// Functions that it calls or tail-calls.
    calls: BTreeSet<u64>,
    /// Calls through pointers.
    indirect: Vec<Indirect>,
    /// Constants, which may be addresses.
    constants: BTreeSet<u64>,
    /// The kinds of closures that it calls without knowing which.
    calls_closures: BTreeSet<String>,
    /// The closures that it makes for others to call, by kind.
    makes: Closures,
}

/// Functions of closures, by the trait that says what they take.
type Closures = BTreeMap<String, BTreeSet<u64>>;

/// The closures that a function may be given, by kind: those made on the way to it, the last at the end.
type Given = BTreeMap<String, Vec<BTreeSet<u64>>>;

/// A function together with what it may be given.
type Node = (u64, Given);

/// The functions of an image, and how they call each other.
#[derive(Debug)]
pub struct Stack {
    functions: BTreeMap<u64, Function>,
    /// Where interrupts and resets lead.
    vectors: BTreeSet<u64>,
    nodes: Vec<Node>,
    /// Who calls whom, by the numbers of the nodes.
    calls: Vec<BTreeSet<usize>>,
    /// The circle of each node that may call itself: all that can reach each other.
    circle_of: BTreeMap<usize, usize>,
    /// Which limit counts the calls of a node, by the number in [`LIMITS`].
    heads: BTreeMap<usize, usize>,
    threads: [Deepest; 2],
    looking: Deepest,
}

impl Stack {
    /// Reads an image for a Cortex-M3 (or another core with Thumb-2). An error names a call through a
    /// pointer whose targets are unknown, and a recursion without a limit.
    pub fn of(elf: &[u8]) -> Result<Self> {
        let file = object::File::parse(elf).context("not an ELF file")?;
        let mut functions = read_functions(&file)?;
        resolve(&file, &mut functions)?;
        let known: BTreeSet<u64> = functions.keys().copied().collect();
        for function in functions.values_mut() {
            // What follows a panic does not count, as the device then restarts.
            if ENDS.iter().any(|end| function.name.contains(end)) {
                function.calls.clear();
            }
            function.calls.retain(|to| known.contains(to));
        }
        let vectors = file.section_by_name(".vector_table").context("no vectors")?;
        let vectors: BTreeSet<u64> = words(vectors.data()?).map(|word| word & !1).collect();
        let main = functions.iter().find(|(_, function)| function.name == "main");
        let main = *main.context("the image has no main")?.0;
        // What a search of the game at the keys needs to look around: that serves the port, and begins no
        // other search.
        let looks = find(&functions, LOOKS)?;
        let mut looking = functions.clone();
        for part in THINKS {
            find(&functions, part)?;
            without(&mut looking, part);
        }
        let looking = Self::with(looking, [looks].into())?;
        let looking = Search::new(&looking, &[]).path_from(looking.entry(looks)?);
        let mut errands = functions.clone();
        errands.entry(looks).and_modify(|function| {
            function.calls.clear();
            function.frame = looking.bytes;
        });
        without(&mut errands, SERVES);
        let errands = Self::with(errands, [main].into())?;
        let errand = Search::new(&errands, &[]).path_from(errands.entry(main)?);
        // A search that the port has asked for does not serve it.
        let port: BTreeSet<u64> = functions
            .iter()
            .filter(|(_, function)| function.name.contains(SERVES))
            .map(|(start, _)| *start)
            .collect();
        functions
            .entry(looks)
            .and_modify(|function| function.calls.retain(|to| !port.contains(to)));
        let roots = vectors.iter().copied().chain([main]);
        let roots = roots.filter(|root| functions.contains_key(root)).collect();
        let mut stack = Self::with(functions, roots)?;
        let line = Search::new(&stack, &[]).path_from(stack.entry(main)?);
        stack.threads = [errand, line];
        stack.looking = looking;
        stack.vectors = vectors;
        Ok(stack)
    }

    /// All that can be reached from some functions.
    fn with(functions: BTreeMap<u64, Function>, roots: BTreeSet<u64>) -> Result<Self> {
        let (nodes, calls) = expand(&functions, &roots);
        let (circle_of, heads) = (BTreeMap::new(), BTreeMap::new());
        let mut stack = Self {
            functions,
            vectors: BTreeSet::new(),
            nodes,
            calls,
            circle_of,
            heads,
            threads: Default::default(),
            looking: Deepest::default(),
        };
        stack.find_circles()?;
        Ok(stack)
    }

    fn function(&self, node: usize) -> &Function {
        &self.functions[&self.nodes[node].0]
    }

    /// The node of a function from which nothing was given.
    fn entry(&self, function: u64) -> Result<usize> {
        let found =
            self.nodes.iter().position(|(start, given)| *start == function && given.is_empty());
        found.context("a function is not reached")
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

    /// How many functions call through pointers.
    pub fn pointer_callers(&self) -> usize {
        self.functions.values().filter(|function| !function.indirect.is_empty()).count()
    }

    /// What a search of the game at the keys needs on top of its own stack to look around and serve the
    /// serial port.
    pub fn looking(&self) -> &Deepest {
        &self.looking
    }

    /// The deepest path from each function that has this part in its name, the deepest first.
    pub fn paths_from(&self, part: &str) -> Vec<Deepest> {
        let mut search = Search::new(self, &[]);
        let mut found: BTreeMap<u64, Deepest> = BTreeMap::new();
        for (node, (start, _)) in self.nodes.iter().enumerate() {
            if self.functions[start].name.contains(part) {
                let path = search.path_from(node);
                let known = found.entry(*start).or_default();
                if path.bytes > known.bytes {
                    *known = path;
                }
            }
        }
        let mut found: Vec<_> = found.into_values().collect();
        found.sort_by_key(|path| std::cmp::Reverse(path.bytes));
        found
    }

    /// Everything that recurses, and the stack that it may take.
    pub fn recursion(&self) -> Vec<Recursion> {
        let mut search = Search::new(self, &[]);
        let mut found: BTreeMap<usize, Recursion> = BTreeMap::new();
        for (&head, &number) in &self.heads {
            let limit = LIMITS[number];
            let most = search.path_from(head).bytes;
            let bytes = self.lap(head);
            let entry = found.entry(number).or_insert(Recursion { limit, bytes, most });
            entry.bytes = entry.bytes.max(bytes);
            entry.most = entry.most.max(most);
        }
        found.into_values().collect()
    }

    /// The deepest paths from the start of the program, below all interrupts: for the game at the keys,
    /// and for commands of the serial port.
    pub fn threads(&self) -> &[Deepest; 2] {
        &self.threads
    }

    /// The deepest path from interrupts whose names have this part; tasks with the names in `others`
    /// run elsewhere.
    pub fn interrupt(&self, part: &str, others: &[&str]) -> Result<Deepest> {
        let handlers = |start: &&u64| {
            self.functions.get(start).is_some_and(|function| function.name.contains(part))
        };
        let mut search = Search::new(self, others);
        let mut deepest: Option<Deepest> = None;
        for start in self.vectors.iter().filter(handlers) {
            let path = search.path_from(self.entry(*start)?);
            deepest = deepest.filter(|deepest| deepest.bytes >= path.bytes).or(Some(path));
        }
        let mut deepest = deepest.with_context(|| format!("no interrupt is called {part}"))?;
        deepest.bytes += EXCEPTION;
        Ok(deepest)
    }

    /// The names of the interrupts' functions.
    pub fn handlers(&self) -> BTreeSet<&str> {
        let handlers = self.vectors.iter().filter_map(|start| self.functions.get(start));
        handlers.map(|function| function.name.as_str()).collect()
    }

    /// Finds what recurses, and what limits it.
    fn find_circles(&mut self) -> Result<()> {
        for (number, circle) in circles(&self.calls, &|_| true).into_iter().enumerate() {
            // Without a frame it is a loop whose first instruction is the function's.
            if circle.iter().all(|node| self.function(*node).frame == 0) {
                for &node in &circle {
                    self.calls[node].retain(|to| !circle.contains(to));
                }
                continue;
            }
            for (limit, described) in LIMITS.iter().enumerate() {
                let is_head =
                    |node: &&usize| is_named(&self.function(**node).name, described.function);
                let heads: Vec<usize> = circle.iter().filter(is_head).copied().collect();
                let functions: BTreeSet<&str> =
                    heads.iter().map(|head| self.function(*head).name.as_str()).collect();
                ensure!(
                    functions.len() <= 1,
                    "'{}' in xtask/src/stack/rules.rs must name one function of a circle, not {functions:?}",
                    described.function,
                );
                self.heads.extend(heads.into_iter().map(|head| (head, limit)));
            }
            let rest = |node: usize| circle.contains(&node) && !self.heads.contains_key(&node);
            if let Some(circle) = circles(&self.calls, &rest).first() {
                let names: BTreeSet<_> =
                    circle.iter().map(|node| &self.function(*node).name).collect();
                let names = names.into_iter().map(|name| format!("\n  {name}"));
                bail!("without a limit in xtask/src/stack/rules.rs:{}", names.collect::<String>());
            }
            self.circle_of.extend(circle.iter().map(|node| (*node, number)));
        }
        Ok(())
    }

    /// The most bytes from a head until it is called again.
    fn lap(&self, head: usize) -> u64 {
        fn longest(
            stack: &Stack,
            at: usize,
            head: u64,
            known: &mut BTreeMap<usize, Option<u64>>,
        ) -> Option<u64> {
            if let Some(known) = known.get(&at) {
                return *known;
            }
            let circle = stack.circle_of.get(&at);
            let mut best = None;
            for &to in &stack.calls[at] {
                if stack.nodes[to].0 == head {
                    best = best.max(Some(0));
                } else if stack.circle_of.get(&to) == circle && !stack.heads.contains_key(&to) {
                    // Other heads have their own limits.
                    best = best.max(longest(stack, to, head, known));
                }
            }
            let bytes = best.map(|bytes| bytes + stack.function(at).frame);
            known.insert(at, bytes);
            bytes
        }
        longest(self, head, self.nodes[head].0, &mut BTreeMap::new()).unwrap_or(0)
    }
}

/// Takes away the calls of functions that have this part in their names.
fn without(functions: &mut BTreeMap<u64, Function>, part: &str) {
    let gone = functions.iter().filter(|(_, function)| function.name.contains(part));
    let gone: BTreeSet<u64> = gone.map(|(start, _)| *start).collect();
    functions.values_mut().for_each(|function| function.calls.retain(|to| !gone.contains(to)));
}

/// The function that has this part in its name.
fn find(functions: &BTreeMap<u64, Function>, part: &str) -> Result<u64> {
    let found = functions.iter().find(|(_, function)| function.name.contains(part));
    found.map(|(start, _)| *start).with_context(|| format!("the image has no {part}"))
}

/// How many closures of a kind that hold each other are told apart.
const REMEMBERED: usize = 3;

/// All functions that are reached from some, with the closures that they are given.
fn expand(
    functions: &BTreeMap<u64, Function>,
    roots: &BTreeSet<u64>,
) -> (Vec<Node>, Vec<BTreeSet<usize>>) {
    // All closures of a kind, and the kinds that matter to a function and what it calls.
    let mut all = Closures::new();
    for (of, closures) in functions.values().flat_map(|function| &function.makes) {
        all.entry(of.clone()).or_default().extend(closures);
    }
    let mut needs: BTreeMap<u64, BTreeSet<String>> =
        functions.iter().map(|(start, one)| (*start, one.calls_closures.clone())).collect();
    loop {
        let mut grown = false;
        for (start, function) in functions {
            let closures = function.calls_closures.iter().filter_map(|of| all.get(of)).flatten();
            let callees = function.calls.iter().chain(closures);
            let more: BTreeSet<String> =
                callees.filter_map(|to| needs.get(to)).flatten().cloned().collect();
            let own = needs.entry(*start).or_default();
            let before = own.len();
            own.extend(more);
            grown |= own.len() > before;
        }
        if !grown {
            break;
        }
    }
    let mut numbers: BTreeMap<Node, usize> = BTreeMap::new();
    let (mut nodes, mut calls) = (Vec::new(), Vec::new());
    let mut number_of = |node: Node, nodes: &mut Vec<Node>| {
        let next = nodes.len();
        *numbers.entry(node).or_insert_with_key(|node| {
            nodes.push(node.clone());
            next
        })
    };
    for root in roots {
        number_of((*root, Given::new()), &mut nodes);
    }
    let mut at = 0;
    while let Some((start, given)) = nodes.get(at).cloned() {
        let function = &functions[&start];
        let mut edges = BTreeSet::new();
        let mut call = |to: u64, mut given: Given| {
            if functions.contains_key(&to) {
                let name = &functions[&to].name;
                let forwards = FORWARDS.iter().any(|part| name.contains(part));
                given.retain(|of, made| {
                    !made.is_empty() && needs[&to].contains(of) && (of != FORMATS || forwards)
                });
                edges.insert(number_of((to, given), &mut nodes));
            }
        };
        let mut passed = given.clone();
        for (of, closures) in &function.makes {
            let made = passed.entry(of.clone()).or_default();
            if made.last() != Some(closures) {
                made.push(closures.clone());
                made.drain(..made.len().saturating_sub(REMEMBERED));
            }
        }
        function.calls.iter().for_each(|to| call(*to, passed.clone()));
        for of in &function.calls_closures {
            let made_here = function.makes.get(of);
            let made_before = given.get(of).and_then(|made| made.last());
            let unknown = all.get(of).filter(|_| made_here.is_none() && made_before.is_none());
            let unknown: BTreeSet<u64> = unknown
                .into_iter()
                .flatten()
                .filter(|to| {
                    let name = functions.get(to).map_or("", |one| one.name.as_str());
                    !SEARCHES.iter().any(|part| is_named(name, part))
                })
                .copied()
                .collect();
            for to in made_here.into_iter().flatten().chain(&unknown) {
                call(*to, given.clone());
            }
            for to in made_before.into_iter().flatten() {
                // What the closure holds was made before it.
                let mut held = given.clone();
                held.entry(of.clone()).and_modify(|made| drop(made.pop()));
                call(*to, held);
            }
        }
        calls.push(edges);
        at += 1;
    }
    (nodes, calls)
}

/// Whether a function has a name that ends like this, except for the types it is made for: not what is
/// inside it.
fn is_named(name: &str, end: &str) -> bool {
    name.split(" = ").filter_map(|name| name.rsplit_once(end)).any(|(_, rest)| {
        let types = rest.starts_with("::<") || end.contains("::<");
        rest.is_empty() || types && rest.ends_with('>') && !rest.contains(">::")
    })
}

/// Reads the functions from the image's code.
fn read_functions(file: &object::File<'_>) -> Result<BTreeMap<u64, Function>> {
    let text = file.section_by_name(".text").context("no code")?;
    let symbols = Symbols::of(file);
    let is_function =
        |address: u64| address & 1 == 1 && symbols.functions.contains_key(&(address & !1));
    let (mut read, mut outlined) = (BTreeMap::new(), BTreeMap::new());
    // Code that others share first: what it does counts as theirs.
    let (shared, own): (Vec<_>, Vec<_>) =
        symbols.functions.iter().partition(|(_, (names, _))| names[0].contains(OUTLINED));
    for (start, (mangled, end)) in shared.into_iter().chain(own) {
        let (start, end, mangled) = (*start, *end, mangled.clone());
        let names = mangled.iter().map(|name| readable(name));
        let name = names.collect::<Vec<_>>().join(" = ");
        let Some(code) = text.data_range(start, end - start)? else { continue };
        let half = |at| u16::from_le_bytes([code[at], code[at + 1]]);
        let mut instructions = Vec::new();
        let mut at = 0;
        while at + 1 < code.len() {
            if !symbols.is_code(start + at as u64) {
                at += 2;
                continue;
            }
            let wide = half(at) >= 0xe800 && at + 3 < code.len();
            let second = if wide { half(at + 2) } else { 0 };
            instructions.push((start + at as u64, half(at), second));
            at += if wide { 4 } else { 2 };
        }
        let (mut reader, mut calls) = (Reader::default(), BTreeSet::new());
        for (address, first, second) in instructions {
            // The base is the address of the next instruction but one, as a multiple of four.
            let pool = |offset: u64| {
                let word = text.data_range(((address + 4) & !3) + offset, 4).ok()??;
                Some(u32::from_le_bytes(*word.first_chunk()?))
            };
            // A table of jumps lies behind the instruction and ends where there is code again.
            let table = code.get((address + 4 - start) as usize..).unwrap_or_default();
            let is_table = |at: u64| !symbols.is_code(address + 4 + at);
            let mut jumps = table_jumps(address, first, second, table, is_table);
            jumps.extend(short_branch(address, first));
            let to = branch(address, first, second);
            jumps.extend(to.filter(|to| (start..end).contains(to)));
            reader.read((address, first, second), jumps, pool);
            if let Some(to) = to.filter(|to| !(start + 1..end).contains(to)) {
                calls.insert(to);
                match outlined.get(&to) {
                    Some(shared) => reader.include(shared),
                    None => reader.calls(to),
                }
            }
        }
        let (mut indirect, constant) = reader.indirect(is_function);
        calls.extend(constant.into_iter().map(|address| address & !1));
        let frame = reader.frame;
        let constants = reader.constants().collect();
        if name.contains(OUTLINED) {
            indirect.clear();
            outlined.insert(start, reader);
        }
        let (calls_closures, makes) = Default::default();
        let function =
            Function { name, mangled, frame, calls, indirect, constants, calls_closures, makes };
        read.insert(start, function);
    }
    Ok(read)
}

/// The words in some bytes.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word).into())
}

/// Before it, a table has a function that drops the object, its size and its alignment. Nothing drops an
/// object without a heap.
const FIRST_METHOD: usize = 3;

/// The most bytes of a list of texts' parts among the image's constants.
const LIST: u64 = 128;

/// The traits of closures. Their tables have a function first that consumes the closure, which nobody
/// calls through a reference.
const CLOSURE: &str = "core::ops::function::Fn";
const FIRST_CALL: usize = FIRST_METHOD + 1;

/// Adds the targets of calls through pointers; an error names functions whose targets are unknown.
fn resolve(file: &object::File<'_>, functions: &mut BTreeMap<u64, Function>) -> Result<()> {
    let objects = Objects::of(file)?;
    let rodata = file.section_by_name(".rodata").context("no constants")?;
    let mut tables: BTreeMap<&str, Vec<Vec<u64>>> = BTreeMap::new();
    for vtable in &objects.vtables {
        let Some(bytes) = rodata.data_range(vtable.address, vtable.size)? else { continue };
        let entries = words(bytes).map(|word| word & !1).collect();
        tables.entry(&vtable.of).or_default().push(entries);
    }
    // Tables in constants have no debug information.
    let handled = objects.handled.values().chain(objects.returned.values()).flatten();
    for of in handled.collect::<BTreeSet<_>>() {
        if !of.starts_with(CLOSURE) && !tables.contains_key(of.as_str()) {
            // One for each type, or some have methods that no longer have their names.
            let found = constant_tables(rodata.data()?, functions, of);
            if !found.is_empty() && found.len() >= implementors(functions, of) {
                tables.insert(of, found);
            }
        }
    }
    let empty = BTreeSet::new();
    // A closure without variables of its own has what the function around it has.
    let mut around: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (place, traits) in &objects.handled {
        if let Place::Named(name) = place {
            let name = readable(name);
            around.entry(name).or_default().extend(traits.iter().cloned());
        }
    }
    let returned_by = |start: u64| {
        let names = functions.get(&start).into_iter().flat_map(|one| &one.mangled);
        let places = names.map(|name| Place::Named(name.clone())).chain([Place::At(start)]);
        let traits = places.filter_map(|place| objects.returned.get(&place)).flatten();
        traits.cloned().collect::<BTreeSet<String>>()
    };
    let handled = |start: &u64, function: &Function| {
        let places = function.mangled.iter().map(|name| Place::Named(name.clone()));
        let mut traits = BTreeSet::new();
        for place in places.chain([Place::At(*start)]) {
            traits.extend(objects.handled.get(&place).unwrap_or(&empty).iter().cloned());
        }
        let mut callees = function.calls.clone();
        for to in &function.calls {
            // Shared code may end in a call for the function.
            let shared = functions.get(to).filter(|callee| callee.name.contains(OUTLINED));
            callees.extend(shared.iter().flat_map(|callee| &callee.calls));
        }
        traits.extend(callees.iter().flat_map(|to| returned_by(*to)));
        traits
    };
    let outer = |function: &Function| {
        let mut traits = BTreeSet::new();
        for mut name in function.name.split(" = ") {
            while let Some((outer, _)) = name.rsplit_once("::{closure#") {
                traits.extend(around.get(outer).unwrap_or(&empty).iter().cloned());
                name = outer;
            }
        }
        traits
    };
    let mut found: BTreeMap<u64, (BTreeSet<u64>, BTreeSet<String>)> = BTreeMap::new();
    let mut unknown = Vec::new();
    for (start, function) in functions.iter().filter(|(_, one)| !one.indirect.is_empty()) {
        let traits = handled(start, function);
        let (mut targets, mut closures) = (BTreeSet::new(), BTreeSet::new());
        let rules = POINTERS.iter();
        for pointer in rules.filter(|rule| function.name.contains(rule.from)) {
            let fits = |one: &Function| pointer.to.iter().any(|part| one.name.contains(part));
            targets.extend(functions.iter().filter(|(_, one)| fits(one)).map(|(start, _)| *start));
        }
        // A closure calls what it holds, or what the function around it has.
        let outer = outer(function);
        for traits in [&traits, &outer] {
            let is_known = !targets.is_empty() || !closures.is_empty();
            if is_known && std::ptr::eq(traits, &raw const outer) {
                break;
            }
            for Indirect { offsets } in &function.indirect {
                // What else a register has held is no method.
                let is_method = |offset: &u64| *offset >= 4 * FIRST_METHOD as u64;
                let offsets = offsets.as_ref().filter(|all| all.keys().any(is_method));
                // Whether a table that these functions have returned may be of this trait. It may be of
                // one that the debug information omits.
                let is_of = |of: &str, returned: &Option<BTreeSet<u64>>| {
                    returned.as_ref().is_none_or(|by| {
                        let mut known = by.iter().map(|by| returned_by(*by));
                        known.any(|traits| traits.is_empty() || traits.contains(of))
                    })
                };
                // Whether the method at an offset in a table of this trait may be called.
                let is_called = |of: &str, index: usize| {
                    let Some(offsets) = offsets else { return true };
                    offsets.get(&(4 * index as u64)).is_some_and(|returned| is_of(of, returned))
                };
                let may_be = |to: &u64| {
                    let target = functions.get(to);
                    target.is_some_and(|one| {
                        offsets.is_some() || !SEARCHES.iter().any(|part| is_named(&one.name, part))
                    })
                };
                for of in traits {
                    match tables.get(of.as_str()) {
                        Some(_) if of.starts_with(CLOSURE) => {
                            if (FIRST_METHOD..FIRST_METHOD + 3).any(|index| is_called(of, index)) {
                                closures.insert(of.clone());
                            }
                        }
                        Some(tables) => {
                            for table in tables {
                                let methods = table.iter().enumerate().skip(FIRST_METHOD);
                                let methods = methods.filter(|(index, _)| is_called(of, *index));
                                targets.extend(methods.map(|(_, to)| *to).filter(may_be));
                            }
                        }
                        None if offsets
                            .is_some_and(|all| !all.values().any(|by| is_of(of, by))) => {}
                        None => {
                            let methods = functions.iter().filter(|(_, one)| is_method_of(one, of));
                            targets.extend(methods.map(|(start, _)| *start).filter(may_be));
                        }
                    }
                }
            }
        }
        if targets.is_empty() && closures.is_empty() {
            targets = passed(functions, *start);
        }
        if targets.is_empty() && closures.is_empty() {
            unknown.push(format!("\n  {} (of {traits:?})", function.name));
        }
        found.insert(*start, (targets, closures));
    }
    ensure!(
        unknown.is_empty(),
        "calls through pointers without targets in xtask/src/stack/rules.rs:{}",
        unknown.concat()
    );
    let mut made: BTreeMap<u64, Closures> = BTreeMap::new();
    for (start, function) in &*functions {
        for constant in &function.constants {
            let Some(vtable) = objects.vtables.iter().find(|vtable| vtable.address == *constant)
            else {
                continue;
            };
            if vtable.of.starts_with(CLOSURE)
                && let Some(bytes) = rodata.data_range(vtable.address, vtable.size)?
            {
                let methods = words(bytes).skip(FIRST_CALL).map(|word| word & !1);
                made.entry(*start)
                    .or_default()
                    .entry(vtable.of.clone())
                    .or_default()
                    .extend(methods);
            }
        }
    }
    // What writes a part of a text is a closure too: its address is a constant of the function that
    // puts the text together, or in a list among the image's constants.
    let is_part = |address: &u64| {
        let function = functions.get(&(address & !1)).filter(|_| address & 1 == 1);
        function.is_some_and(|one| PARTS.iter().any(|part| one.name.contains(part)))
    };
    for (start, function) in &*functions {
        let mut parts = BTreeSet::new();
        for constant in &function.constants {
            let list = rodata.data_range(*constant, LIST).ok().flatten().unwrap_or_default();
            let addresses = words(list).chain([*constant]).filter(|address| is_part(address));
            parts.extend(addresses.map(|address| address & !1));
        }
        if !parts.is_empty() {
            made.entry(*start).or_default().insert(FORMATS.into(), parts);
        }
    }
    for (start, function) in functions {
        if function.name == FORMATS {
            function.calls_closures.insert(FORMATS.into());
        }
        function.makes = made.remove(start).unwrap_or_default();
        if let Some((targets, closures)) = found.remove(start) {
            function.calls.extend(targets);
            function.calls_closures.extend(closures);
        }
    }
    Ok(())
}

/// Whether a function is a type's own version of a method of a trait.
fn is_method_of(function: &Function, of: &str) -> bool {
    function.name.contains(&format!(" as {of}>::"))
}

/// How many types have methods of a trait.
fn implementors(functions: &BTreeMap<u64, Function>, of: &str) -> usize {
    let part = format!(" as {of}>::");
    let names = functions.values().flat_map(|one| one.name.split(" = "));
    let types = names.filter_map(|name| name.split_once(&part)).map(|(of, _)| of);
    types.collect::<BTreeSet<_>>().len()
}

/// The tables of a trait's methods among the image's constants: no function that drops the object, its
/// size and alignment, and then functions that are all methods of the trait.
fn constant_tables(rodata: &[u8], functions: &BTreeMap<u64, Function>, of: &str) -> Vec<Vec<u64>> {
    let words: Vec<u64> = words(rodata).collect();
    let function = |word: &u64| functions.get(&(word & !1)).filter(|_| word & 1 == 1);
    let mut tables = Vec::new();
    for at in 0..words.len().saturating_sub(FIRST_METHOD) {
        let [0, _, 1 | 2 | 4 | 8, ref methods @ ..] = words[at..] else { continue };
        let count = methods.iter().take_while(|word| function(word).is_some()).count();
        let methods = &methods[..count];
        if count > 0 && methods.iter().filter_map(function).all(|one| is_method_of(one, of)) {
            tables
                .push(words[at..at + FIRST_METHOD + count].iter().map(|word| word & !1).collect());
        }
    }
    tables
}

/// The functions whose addresses may be an argument of this one: the constants of its nearest callers
/// that have any.
fn passed(functions: &BTreeMap<u64, Function>, to: u64) -> BTreeSet<u64> {
    let mut callees = BTreeSet::from([to]);
    loop {
        let calls = |one: &&Function| one.calls.iter().any(|call| callees.contains(call));
        let constants = functions.values().filter(calls).flat_map(|one| &one.constants);
        let constants: BTreeSet<u64> = constants
            .filter(|constant| **constant & 1 == 1 && functions.contains_key(&(**constant & !1)))
            .map(|constant| constant & !1)
            .collect();
        let all = functions.iter().filter(|(_, one)| calls(one)).map(|(start, _)| *start);
        let all: BTreeSet<u64> = all.chain(callees.iter().copied()).collect();
        if !constants.is_empty() || all.len() == callees.len() {
            return constants;
        }
        callees = all;
    }
}

/// Groups of nodes that can all reach each other, among those that count.
fn circles(calls: &[BTreeSet<usize>], counts: &dyn Fn(usize) -> bool) -> Vec<BTreeSet<usize>> {
    // Tarjan's algorithm, with a stack of its own.
    let mut order: BTreeMap<usize, usize> = BTreeMap::new();
    let mut low: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut open, mut is_open) = (Vec::new(), BTreeSet::new());
    let mut found = Vec::new();
    for root in (0..calls.len()).filter(|node| counts(*node)) {
        if order.contains_key(&root) {
            continue;
        }
        let mut work = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(node) = next.take() {
                order.insert(node, order.len());
                low.insert(node, order[&node]);
                open.push(node);
                is_open.insert(node);
                work.push((node, calls[node].iter()));
            }
            let Some((at, rest)) = work.last_mut() else { break };
            let at = *at;
            match rest.find(|to| counts(**to)) {
                Some(to) if !order.contains_key(to) => next = Some(*to),
                Some(to) => {
                    if is_open.contains(to) {
                        low.insert(at, low[&at].min(order[to]));
                    }
                }
                None => {
                    work.pop();
                    if let Some((caller, _)) = work.last() {
                        low.insert(*caller, low[caller].min(low[&at]));
                    }
                    if low[&at] == order[&at] {
                        let from = open.iter().rposition(|one| *one == at).unwrap_or(0);
                        let circle: BTreeSet<usize> = open.split_off(from).into_iter().collect();
                        is_open.retain(|one| !circle.contains(one));
                        if circle.len() > 1 || calls[at].contains(&at) {
                            found.push(circle);
                        }
                    }
                }
            }
        }
    }
    found
}

/// How often the heads of the present circle may still be called, by the number of their limit.
type Left = BTreeMap<usize, u64>;

/// A node on a path, and what is left of the limits there.
type Visit = (usize, Left);

/// Searches the deepest paths.
struct Search<'a> {
    stack: &'a Stack,
    /// Functions that are not called from here, by parts of their names.
    without: &'a [&'a str],
    /// Limits that count in several circles.
    several: BTreeSet<usize>,
    /// The most bytes from a node on, and where the path goes.
    known: BTreeMap<Visit, (u64, Option<Visit>)>,
}

impl<'a> Search<'a> {
    fn new(stack: &'a Stack, without: &'a [&'a str]) -> Self {
        let mut circles: BTreeMap<usize, BTreeSet<Option<&usize>>> = BTreeMap::new();
        for (head, limit) in &stack.heads {
            circles.entry(*limit).or_default().insert(stack.circle_of.get(head));
        }
        let several = circles.iter().filter(|(_, circles)| circles.len() > 1);
        let several = several.map(|(limit, _)| *limit).collect();
        Self { stack, without, several, known: BTreeMap::new() }
    }

    /// What is left of the limits when a node is called from another.
    fn enter(&self, to: usize, from: Option<usize>, left: &Left) -> Left {
        let circle = self.stack.circle_of.get(&to);
        let inside = from.and_then(|from| self.stack.circle_of.get(&from)) == circle;
        let mut left = left.clone();
        if !inside {
            // Only limits that count in several circles are remembered.
            left.retain(|limit, _| self.several.contains(limit));
            let heads = self.stack.heads.iter();
            let heads = heads.filter(|(head, _)| self.stack.circle_of.get(head) == circle);
            for (_, limit) in heads.filter(|_| circle.is_some()) {
                left.entry(*limit).or_insert(LIMITS[*limit].levels);
            }
        }
        if let Some(left) = self.stack.heads.get(&to).and_then(|limit| left.get_mut(limit)) {
            *left = left.saturating_sub(1);
        }
        left
    }

    /// Whether a node may be called once more.
    fn may_enter(&self, to: usize, left: &Left) -> bool {
        let head = self.stack.heads.get(&to);
        let name = &self.stack.function(to).name;
        head.and_then(|limit| left.get(limit)).is_none_or(|left| *left > 0)
            && !self.without.iter().any(|part| name.contains(part))
    }

    fn most(&mut self, at: usize, left: &Left) -> u64 {
        if let Some((bytes, _)) = self.known.get(&(at, left.clone())) {
            return *bytes;
        }
        let mut best = (0, None);
        for &to in &self.stack.calls[at] {
            if self.may_enter(to, left) {
                let next = self.enter(to, Some(at), left);
                let bytes = self.most(to, &next);
                if best.1.is_none() || bytes > best.0 {
                    best = (bytes, Some((to, next)));
                }
            }
        }
        best.0 += self.stack.function(at).frame;
        let bytes = best.0;
        self.known.insert((at, left.clone()), best);
        bytes
    }

    /// The deepest path from a node.
    fn path_from(&mut self, from: usize) -> Deepest {
        let left = self.enter(from, None, &Left::new());
        let bytes = self.most(from, &left);
        let mut path = Vec::new();
        let mut at = Some((from, left));
        while let Some((node, left)) = at {
            let function = self.stack.function(node);
            path.push((function.name.clone(), function.frame));
            at = self.known.get(&(node, left)).and_then(|(_, next)| next.clone());
        }
        Deepest { bytes, path }
    }
}
