//! A serial line that drops, duplicates, corrupts and delays bytes.

use corvid_core::mix::Rng;
use std::time::Duration;

/// What happens to a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is lost.
    Drop,
    /// It arrives twice.
    Duplicate,
    /// Another one arrives in its place.
    Corrupt(u8),
    /// It arrives late, and those after it too.
    Delay(Duration),
}

/// Injects a fault into one random byte of every message, and counts them.
#[derive(Debug)]
pub struct Injector {
    rng: Rng,
    /// How many faults there were.
    pub faults: u32,
}

impl Injector {
    /// The same faults for the same seed.
    pub const fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), faults: 0 }
    }

    /// Random numbers for whatever else has to be chosen.
    pub const fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    fn fault(&mut self) -> Fault {
        match self.rng.below(4) {
            0 => Fault::Drop,
            1 => Fault::Duplicate,
            2 => Fault::Corrupt(self.rng.below(256) as u8),
            _ => Fault::Delay(Duration::from_millis(self.rng.below(2000).into())),
        }
    }

    /// The bytes as they arrive, each with the time since the one before it.
    pub fn spoil(&mut self, message: &[u8]) -> Vec<(Duration, u8)> {
        let place = self.rng.below(message.len() as u32) as usize;
        let fault = self.fault();
        self.faults += 1;
        let mut arriving = Vec::new();
        for (at, &byte) in message.iter().enumerate() {
            let pause = BYTE_TIME;
            match fault {
                Fault::Drop if at == place => {}
                Fault::Duplicate if at == place => arriving.extend([(pause, byte); 2]),
                Fault::Corrupt(other) if at == place => arriving.push((pause, other)),
                Fault::Delay(late) if at == place => arriving.push((late, byte)),
                _ => arriving.push((pause, byte)),
            }
        }
        arriving
    }
}

/// How long a byte takes at 115200 baud.
pub const BYTE_TIME: Duration = Duration::from_micros(87);
