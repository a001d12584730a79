//! Bytes on a serial line: a program's, a person's with an editor, and a contest's host's.

use corvid_core::console::Console;
use corvid_core::gtp::Flow;

use super::check_match;
use super::desk::FuzzDesk;

/// Bytes of an input that are read.
const BYTES: usize = 4000;

pub(super) fn run(data: &[u8]) {
    let mut memory = [0; 256];
    let mut desk = FuzzDesk::new(&mut memory);
    let mut console = Console::new();
    for &byte in &data[..data.len().min(BYTES)] {
        let mut out = String::new();
        match byte {
            // A pause, as a person makes it.
            0xff => {
                desk.pass(60_000);
                console.idle(&desk, &mut out).expect("a string takes any text");
            }
            // Somebody at the keys plays or takes back.
            0xfe => drop(desk.game.undo()),
            0xfd => {
                let mut first = None;
                desk.game.now().for_each_move(&mut |mv| first = first.or(Some(mv)));
                if let Some(mv) = first {
                    desk.game.play_move(None, mv).expect("a listed move");
                }
            }
            0xfc => console.tell(&mut desk, &mut out).expect("a string takes any text"),
            _ => {
                let flow = console.push(byte, &mut desk, &mut out);
                if flow.expect("a string takes any text") == Flow::Quit {
                    break;
                }
            }
        }
        assert!(!console.is_waiting(), "the thinker is free");
        check_bytes(&out);
    }
    check_match(&desk.game);
}

/// Only what a terminal needs for a line editor comes back.
pub(super) fn check_bytes(out: &str) {
    let mut bytes = out.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b' '..=b'~' | b'\n' | b'\r' | 0x07 | 0x08 => {}
            0x1b => {
                assert_eq!(bytes.next(), Some(b'['), "{out:?}");
                let end = bytes.find(|byte| !byte.is_ascii_digit());
                assert!(matches!(end, Some(b'C' | b'D' | b'K')), "{out:?}");
            }
            _ => panic!("{out:?} is sent back"),
        }
    }
}
