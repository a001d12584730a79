//! What the two processors have for each other: their numbers, the FIFOs between them, the second one's
//! reset, and the boot ROM's part of its start.
use std::collections::VecDeque;

/// The processors, as the crate numbers them.
pub(crate) const FIRST: usize = 0;
pub(crate) const SECOND: usize = 1;

// Registers.
const NUMBER: u32 = 0x00;
const STATUS: u32 = 0x50;
const WRITE: u32 = 0x54;
const READ: u32 = 0x58;

/// Words of each FIFO.
const DEPTH: usize = 4;

// The status: there is a word to read, there is room to write, and what went wrong.
const VALID: u32 = 1;
const READY: u32 = 1 << 1;
const OVERFLOWED: u32 = 1 << 2;
const UNDERFLOWED: u32 = 1 << 3;

/// What the boot ROM waits for before the addresses of the vectors, of the stack and of the program.
const OPENING: [u32; 3] = [0, 0, 1];

/// Where a processor is to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) vectors: u32,
    pub(crate) stack: u32,
    pub(crate) first: u32,
}

/// What the second processor does.
enum Stage {
    /// It is in its reset.
    Reset,
    /// It is in the boot ROM, and has heard these words.
    Rom(Vec<u32>),
    /// It runs a program.
    Program,
}

/// The registers that both processors share.
pub(crate) struct Sio {
    /// Words for each processor.
    words: [VecDeque<u32>; 2],
    errors: [u32; 2],
    second: Stage,
    /// The second processor is broken: it does not come out of its next reset.
    pub(crate) is_mute: bool,
}

impl Sio {
    /// After a reset of the chip.
    pub(crate) fn new(is_mute: bool) -> Self {
        let words = [VecDeque::new(), VecDeque::new()];
        let mut sio = Self { words, errors: [0; 2], second: Stage::Reset, is_mute };
        sio.reset_second(false);
        sio
    }

    /// Resets the second processor, or lets it out of its reset: the boot ROM says when it is ready.
    pub(crate) fn reset_second(&mut self, is_held: bool) {
        self.second = Stage::Reset;
        if !is_held && !self.is_mute {
            self.second = Stage::Rom(Vec::new());
            self.words[SECOND].clear();
            self.push(FIRST, 0);
        }
    }

    fn push(&mut self, to: usize, word: u32) {
        if self.words[to].len() < DEPTH {
            self.words[to].push_back(word);
        } else {
            self.errors[1 - to] |= OVERFLOWED;
        }
    }

    /// What a processor reads from a register, if it is one of these.
    pub(crate) fn read(&mut self, register: u32, by: usize) -> Option<u32> {
        match register {
            NUMBER => Some(by as u32),
            STATUS => {
                let flag = |is_so: bool, flag: u32| if is_so { flag } else { 0 };
                let valid = flag(!self.words[by].is_empty(), VALID);
                let ready = flag(self.words[1 - by].len() < DEPTH, READY);
                Some(valid | ready | self.errors[by])
            }
            READ => {
                let word = self.words[by].pop_front();
                if word.is_none() {
                    self.errors[by] |= UNDERFLOWED;
                }
                Some(word.unwrap_or(0))
            }
            _ => None,
        }
    }

    /// Writes to a register. False if it is none of these.
    pub(crate) fn write(&mut self, register: u32, value: u32, by: usize) -> bool {
        match register {
            STATUS => self.errors[by] &= !value,
            WRITE => self.push(1 - by, value),
            _ => return false,
        }
        true
    }

    /// An event has reached the second processor. In the boot ROM, it repeats the words that have come
    /// until they say where to start.
    pub(crate) fn wake_second(&mut self) -> Option<Start> {
        let Stage::Rom(heard) = &mut self.second else { return None };
        let mut said = Vec::new();
        while let Some(word) = self.words[SECOND].pop_front() {
            let due = OPENING.get(heard.len());
            match due {
                Some(due) if *due != word => heard.clear(),
                _ => heard.push(word),
            }
            said.push(word);
        }
        let start = match heard[..] {
            [_, _, _, vectors, stack, first, ..] => Some(Start { vectors, stack, first }),
            _ => None,
        };
        said.into_iter().for_each(|word| self.push(FIRST, word));
        if start.is_some() {
            self.second = Stage::Program;
        }
        start
    }
}
