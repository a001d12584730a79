//! Ways to make a board's program fail without test hooks in the program.
use crate::board::Board;
use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection, ObjectSymbol};
use std::{fs, ops::Range, path::PathBuf, time::Duration};

/// Where a program is made to continue, and the values of some registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diversion {
    /// The next instruction.
    pub address: u32,
    /// The return address.
    pub back: u32,
    /// Register 2.
    pub r2: u32,
}

/// A board whose program can be diverted.
pub trait Sabotage: Board {
    /// The image that it runs.
    fn image(&self) -> Result<PathBuf>;

    /// Makes the code in thread mode, below all interrupts, continue elsewhere.
    fn divert(&mut self, to: Diversion) -> Result<()>;

    /// Makes the program panic. Returns the source location that it reports, as `file:line`.
    fn panic(&mut self) -> Result<String> {
        let image = fs::read(self.image()?)?;
        let address = function(&image, PANIC)?;
        let (r2, place) = location(&image)?;
        self.divert(Diversion { address, back: 0, r2 })?;
        Ok(place)
    }

    /// So many words from an address on.
    fn read_words(&mut self, address: u32, count: u32) -> Result<Vec<u32>>;

    /// Changes the word at an address in RAM.
    fn write_word(&mut self, address: u32, word: u32) -> Result<()>;

    /// Makes the program execute an undefined instruction. Returns its address.
    fn fault(&mut self) -> Result<u32> {
        let image = fs::read(self.image()?)?;
        // Where the stack would end, which it never reaches.
        let address = symbol(&image, |name| name == "_stack_end")?;
        self.write_word(address, UNDEFINED)?;
        self.divert(Diversion { address, back: 0, r2: 0 })?;
        Ok(address)
    }

    /// Makes the task with this name do nothing any more, while everything else runs on: its
    /// poll function is replaced by one that returns at once.
    fn stall(&mut self, task: &str) -> Result<()> {
        let image = fs::read(self.image()?)?;
        let nothing = function(&image, NOTHING)? | THUMB;
        let pool = symbol(&image, |name| name.contains(task) && name.contains("POOL"))?;
        let code = code(&image)?;
        let header = self.read_words(pool, HEADER)?;
        let is_function = |word: &u32| word & THUMB != 0 && code.contains(word);
        let index = header.iter().position(is_function);
        let index = index.with_context(|| format!("{task} has no function to poll it"))?;
        self.write_word(pool + 4 * index as u32, nothing)
    }

    /// Makes the brain sleep forever, while everything else runs on.
    fn stop_brain(&mut self) -> Result<()> {
        let image = fs::read(self.image()?)?;
        let address = function(&image, SLEEP)?;
        // It returns to itself.
        self.divert(Diversion { address, back: address | THUMB, r2: 0 })
    }
}

/// A board whose second processor can be made to fail.
pub trait SabotageSecond: Sabotage {
    /// Breaks the second processor: it never starts again.
    fn break_second(&mut self) -> Result<()>;

    /// How long the second processor has been at work since the board was switched on.
    fn helped(&mut self) -> Result<Duration>;

    /// The lowest address of its stack since then.
    fn lowest_second_stack(&mut self) -> Result<u32>;

    /// The bytes of its stack that it has not used since then.
    fn spare_second_stack(&mut self) -> Result<u32> {
        let end = symbol(&fs::read(self.image()?)?, |name| name == "_second_stack_end")?;
        Ok(self.lowest_second_stack()?.saturating_sub(end))
    }

    /// Makes the second processor continue elsewhere; with the end of its stack there, if given.
    fn divert_second(&mut self, to: Diversion, stack: Option<u32>) -> Result<()>;

    /// Stops both processors permanently: they do not even take interrupts.
    fn hang(&mut self) -> Result<()>;

    /// Makes it sleep forever.
    fn hang_second(&mut self) -> Result<()> {
        let image = fs::read(self.image()?)?;
        let address = function(&image, SLEEP)?;
        // It returns to itself.
        self.divert_second(Diversion { address, back: address | THUMB, r2: 0 }, None)
    }

    /// Makes it panic. Returns the source location that it reports, as `file:line`.
    fn panic_second(&mut self) -> Result<String> {
        let image = fs::read(self.image()?)?;
        let address = function(&image, PANIC)?;
        let (r2, place) = location(&image)?;
        self.divert_second(Diversion { address, back: 0, r2 }, None)?;
        Ok(place)
    }

    /// Makes it execute an undefined instruction. Returns its address.
    fn fault_second(&mut self) -> Result<u32> {
        let image = fs::read(self.image()?)?;
        // Where its stack would end, which it never reaches.
        let address = symbol(&image, |name| name == "_second_stack_end")?;
        self.write_word(address, UNDEFINED)?;
        self.divert_second(Diversion { address, back: 0, r2: 0 }, None)?;
        Ok(address)
    }

    /// Makes it call functions with so many bytes left of its stack.
    fn use_up_second_stack(&mut self, left: u32) -> Result<()> {
        let image = fs::read(self.image()?)?;
        let address = function(&image, PANIC)?;
        let end = symbol(&image, |name| name == "_second_stack_end")?;
        let (r2, _) = location(&image)?;
        self.divert_second(Diversion { address, back: 0, r2 }, Some(end + left))
    }
}

/// The function behind `panic!`: its third argument is the location.
const PANIC: &str = "4core9panicking5panic";

/// The function that waits for an interrupt or an event.
const SLEEP: &str = "3asm3wf";

/// Two permanently undefined instructions.
const UNDEFINED: u32 = 0xDE00_DE00;

/// A function that does nothing: cortex-m-rt's default pre-init hook.
const NOTHING: &str = "DefaultPreInit";

/// The bit set in every function pointer.
const THUMB: u32 = 1;

/// More than the words that an executor keeps at the start of a task.
const HEADER: u32 = 16;

/// The address of the function whose mangled name has this part.
pub fn function(image: &[u8], part: &str) -> Result<u32> {
    let address = symbol(image, |name| name.contains(part));
    Ok(address.with_context(|| format!("the image has no {part}"))? & !THUMB)
}

/// The address of the symbol with such a mangled name.
pub(crate) fn symbol(image: &[u8], is_it: impl Fn(&str) -> bool) -> Result<u32> {
    let file = object::File::parse(image)?;
    let symbol = file.symbols().find(|symbol| symbol.name().is_ok_and(&is_it));
    Ok(symbol.context("the image has no such symbol")?.address() as u32)
}

/// The addresses of the code.
fn code(image: &[u8]) -> Result<Range<u32>> {
    let file = object::File::parse(image)?;
    let section = file.section_by_name(".text").context("the image has no code")?;
    let start = section.address() as u32;
    Ok(start..start + section.size() as u32)
}

/// A source location in the image, by its address: a pointer to the file name, its length, line and
/// column.
fn location(image: &[u8]) -> Result<(u32, String)> {
    let file = object::File::parse(image)?;
    let section = file.section_by_name(".rodata").context("the image has no constants")?;
    let (start, bytes) = (section.address() as u32, section.data()?);
    ensure!(start.is_multiple_of(4), "the constants are not aligned");
    let words: Vec<u32> =
        bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let found = words.windows(4).enumerate().find_map(|(index, words)| {
        let (name, length) = (words[0].checked_sub(start)? as usize, words[1] as usize);
        let name = str::from_utf8(bytes.get(name..name.checked_add(length)?)?).ok()?;
        let likely = name.ends_with(".rs") && (1..99_999).contains(&words[2]) && words[3] < 200;
        likely.then(|| (start + 4 * index as u32, format!("{name}:{}", words[2])))
    });
    found.context("the image knows no place in its source")
}
