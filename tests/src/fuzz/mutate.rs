//! Mutants of inputs, for the ordinary test run.

use super::Target;
use crate::reference::Dice;

/// The longest mutant.
const LONGEST: usize = 4096;

/// Makes inputs of known ones.
#[derive(Debug)]
pub struct Mutator {
    known: Vec<Vec<u8>>,
    words: &'static [&'static str],
    dice: Dice,
}

impl Mutator {
    /// One for the inputs of a target; the same mutants for the same seed.
    pub fn new(target: Target, known: Vec<Vec<u8>>, seed: u64) -> Self {
        Self { known, words: target.words, dice: Dice::new(seed) }
    }

    /// The next mutant.
    pub fn mutant(&mut self) -> Vec<u8> {
        let dice = &mut self.dice;
        let mut bytes = match self.known.len() {
            0 => Vec::new(),
            count => self.known[dice.throw(count)].clone(),
        };
        for _ in 0..=dice.throw(6) {
            let at = dice.throw(bytes.len() + 1);
            let most = (bytes.len() - at).min(32);
            match dice.throw(8) {
                0 if at < bytes.len() => bytes[at] ^= 1 << dice.throw(8),
                1 if at < bytes.len() => bytes[at] = dice.throw(256) as u8,
                2 => drop(bytes.drain(at..at + dice.throw(most + 1))),
                3 => bytes.truncate(at),
                4 => bytes.extend_from_within(at..at + dice.throw(most + 1)),
                5 if !self.known.is_empty() => {
                    let other = &self.known[dice.throw(self.known.len())];
                    let from = dice.throw(other.len() + 1);
                    bytes.splice(at.., other[from..].iter().copied());
                }
                6 if !self.words.is_empty() => {
                    let word = self.words[dice.throw(self.words.len())];
                    bytes.splice(at..at, word.bytes());
                }
                _ => bytes.insert(at, dice.throw(256) as u8),
            }
        }
        bytes.truncate(LONGEST);
        bytes
    }
}
