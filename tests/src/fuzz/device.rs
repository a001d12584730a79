//! A whole simulated device: its serial port, its keys and its flash.

use corvid::machine::{Board, Machine, Next, Plan, World};
use corvid::parts::Parts;
use corvid_firmware::keys::Key;

use super::take;

/// Bytes of an input that are read.
const BYTES: usize = 200;

/// Microseconds between two bytes of the input.
const APART: u64 = 3_000;

/// After the last byte the device is interrupted and asked for its name, and again so often, with so
/// many microseconds between: an answer to a contest's host takes most of a second, and nothing ends
/// it; bytes that come during a restart are lost.
const CALLS: usize = 30;
const CALL: u64 = 1_000_000;

/// The words of search memory: each start takes new ones for ever.
const SLOTS: usize = 16;

/// Somebody at the keys and the serial port, by the bytes of an input.
struct Hands {
    data: Vec<u8>,
    next: usize,
    /// What it said, and what it said since it was called.
    heard: String,
    replied: String,
}

impl World for Hands {
    fn moment(&mut self, now: u64, parts: &Parts) -> Next {
        let said = String::from_utf8_lossy(&parts.cable.receive()).into_owned();
        self.heard += &said;
        let Some(&byte) = self.data.get(self.next) else {
            // Whatever it does, it can be interrupted, and then says its name.
            let called = self.next - self.data.len();
            if called > 0 {
                self.replied += &said;
            }
            if called == CALLS || self.replied.contains("= Corvid") {
                return Next::Off;
            }
            Key::ALL.into_iter().for_each(|key| parts.keys.set(key, false));
            parts.cable.send(b"\x03\x03\nname\n");
            self.next += 1;
            return Next::At(now + CALL);
        };
        self.next += 1;
        match byte {
            0x80..=0x84 => parts.keys.set(Key::ALL[usize::from(byte - 0x80)], true),
            0x85..=0x89 => parts.keys.set(Key::ALL[usize::from(byte - 0x85)], false),
            0x8a..=0x9f => return Next::At(now + u64::from(byte - 0x89) * 50_000),
            0xff => return Next::Restart,
            _ => parts.cable.send(&[byte]),
        }
        Next::At(now + APART)
    }
}

pub(super) fn run(mut data: &[u8]) {
    let [mode] = take(&mut data);
    let board = if mode & 1 == 0 { Board::Pico } else { Board::Lm3s6965evb };
    let mut plan = Plan::new(board);
    plan.memory = SLOTS;
    plan.seed = Some(mode.into());
    let data = data[..data.len().min(BYTES)].to_vec();
    let hands = Hands { data, next: 0, heard: String::new(), replied: String::new() };
    let hands = Machine::new(plan).run(hands);
    super::console::check_bytes(&hands.heard);
    assert!(hands.replied.contains("= Corvid"), "no answer any more: {:?}", hands.heard);
}
