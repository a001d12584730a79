//! The contest's protocol: what a host sends to the player, and players to the referee.

use corvid_core::engine::{Limit, Opponent};
use corvid_core::icfpt::{Action, Dialect, Event, Player, Referee, Seat};

use super::desk::FuzzDesk;
use super::{check_match, check_refusal, take};

/// Bytes of an input that are read.
const BYTES: usize = 400;

pub(super) const WORDS: &[&str] = &[
    "0", "25", "2A", "35", "3A", "4", "9", "0000", "56u0", "55a0", "aaa0", "55b0", "1CV", "\u{80}",
];

pub(super) fn run(mut data: &[u8]) {
    let [mode] = take(&mut data);
    let dialect = if mode & 1 == 0 { Dialect::Y2014 } else { Dialect::Y2013 };
    data = &data[..data.len().min(BYTES)];
    match mode >> 1 & 3 {
        0 | 1 => play(dialect, data),
        2 => referee(dialect, data),
        _ => both(dialect, data),
    }
}

/// What a byte that no message has means: a pause of so many microseconds.
fn pause(byte: u8) -> Option<u64> {
    (byte >= 0x80).then(|| u64::from(byte - 0x7f) * 10_000)
}

fn play(dialect: Dialect, data: &[u8]) {
    let mut memory = [0; 256];
    let mut desk = FuzzDesk::new(&mut memory);
    let mut player = Player::new(dialect);
    for &byte in data {
        if let Some(micros) = pause(byte) {
            desk.pass(micros);
            continue;
        }
        let before = desk.game.revision();
        let mut answer = String::new();
        let opponent = Opponent::Limit(Limit::Nodes(1));
        let event = player.push(byte, &mut desk, opponent, &mut answer);
        match event.expect("a string takes any text") {
            Event::Nothing | Event::Over => {
                assert!(answer.is_empty() && desk.game.revision() == before);
            }
            Event::Greeted => assert!(answer.len() == 3 && desk.game.revision() == before),
            Event::Moved => assert_eq!(answer.len(), 4, "{answer:?} is no code"),
            Event::Refused(refusal) => {
                check_refusal(&refusal);
                assert!(answer.is_empty(), "{answer:?} to an invalid message");
                assert_eq!(desk.game.revision(), before, "an invalid message changes nothing");
            }
        }
    }
    check_match(&desk.game);
}

/// Sends what the referee has to say to nobody; the time of its next step.
fn polled(referee: &mut Referee, now: u64, mut hear: impl FnMut(Seat, &str)) -> Option<u64> {
    // Two messages a player at most.
    for _ in 0..5 {
        match referee.poll(now) {
            Action::Send(seat, message) => hear(seat, &message),
            Action::Wait(until) => return Some(until),
            Action::Over => return None,
        }
    }
    panic!("the referee never stops talking");
}

fn referee(dialect: Dialect, data: &[u8]) {
    let mut referee = Referee::new(dialect, Seat::One);
    let mut now = 0;
    for &byte in data {
        match (byte, polled(&mut referee, now, |_, _| ())) {
            (_, None) => break,
            (0xff, _) => referee.gone(Seat::Two),
            // Until something has to happen.
            (0xfe, Some(until)) => now = now.max(until),
            (0x80.., _) => now += u64::from(byte - 0x7f) * 10_000,
            (0x01..0x20, _) => referee.receive(Seat::Two, byte | 0x60, now),
            (b' '..=b'/', _) => referee.receive(Seat::Two, byte + 0x10, now),
            _ => referee.receive(Seat::One, byte, now),
        }
        let verdict = referee.verdict().cloned();
        referee.receive(Seat::One, b'\n', now);
        assert!(verdict.is_none() || referee.verdict() == verdict.as_ref(), "a verdict stays");
    }
}

/// A player and the referee with noise on the wire between them. Nothing is to be had from that but
/// an end.
fn both(dialect: Dialect, data: &[u8]) {
    let mut memory = [0; 256];
    let mut desk = FuzzDesk::new(&mut memory);
    let (mut player, mut referee) = (Player::new(dialect), Referee::new(dialect, Seat::One));
    let mut now = 0;
    for &byte in data {
        let mut said = String::new();
        let mut heard = String::new();
        let over = polled(&mut referee, now, |seat, text| {
            if seat == Seat::One {
                heard += text;
            }
        });
        if over.is_none() {
            break;
        }
        let mut noise = *b"x";
        if byte < 0x20 && !heard.is_empty() {
            noise[0] = byte | 0x30;
        }
        let wire = heard.as_bytes().iter().chain(noise.iter().filter(|byte| **byte != b'x'));
        for &byte in wire {
            let opponent = Opponent::Limit(Limit::Nodes(1));
            let pushed = player.push(byte, &mut desk, opponent, &mut said);
            pushed.expect("a string takes any text");
        }
        said.bytes().for_each(|byte| referee.receive(Seat::One, byte, now));
        if (0x20..0x80).contains(&byte) {
            referee.receive(Seat::Two, byte, now);
        }
        now += pause(byte).unwrap_or(1_000);
        desk.pass(pause(byte).unwrap_or(1_000));
    }
    check_match(&desk.game);
}
