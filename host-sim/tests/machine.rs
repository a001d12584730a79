//! The simulated device as a library, without the command line.

use corvid::flash::Flash;
use corvid::machine::{Board, Machine, Next, Plan, World};
use corvid::parts::Parts;
use corvid::reading::shows;
use corvid_firmware::keys::Key;

/// A world that is a function.
struct Act<F>(F);

impl<F: FnMut(u64, &Parts) -> Next> World for Act<F> {
    fn moment(&mut self, now: u64, parts: &Parts) -> Next {
        (self.0)(now, parts)
    }
}

const SECOND: u64 = 1_000_000;

fn plan(board: Board) -> Plan {
    Plan { seed: Some(1), ..Plan::new(board) }
}

/// Commands that keep a device busy for longer than three seconds.
const BUSY: [&str; 5] = [
    "time_settings 0 4000000 1\nlevel 9\ngenmove b\n",
    "new blokus-duo\ntime_settings 0 4000000 1\nlevel 9\ngenmove b\n",
    "new dots 10x10\ntime_settings 0 4000000 1\nlevel 9\ngenmove b\n",
    "perft 12\n",
    "new dots 4x4\nsolve\n",
];

#[test]
fn a_busy_device_can_be_switched_off() {
    for board in [Board::Pico, Board::Lm3s6965evb] {
        for busy in BUSY {
            Machine::new(plan(board)).run(Act(move |now, parts: &Parts| {
                if now == 0 {
                    parts.cable.send(busy.as_bytes());
                    return Next::At(3 * SECOND);
                }
                assert_eq!(now, 3 * SECOND, "{busy}");
                let heard = String::from_utf8(parts.cable.receive()).unwrap();
                let answers = heard.matches("\n\n").count();
                assert_eq!(answers, busy.lines().count() - 1, "still busy with {busy}: {heard}");
                Next::Off
            }));
        }
    }
}

#[test]
fn a_busy_device_can_be_switched_off_and_on() {
    for busy in BUSY {
        let mut moments = 0;
        Machine::new(plan(Board::Pico)).run(Act(move |now, parts: &Parts| {
            moments += 1;
            match moments {
                1 => {
                    parts.cable.send(busy.as_bytes());
                    Next::At(3 * SECOND)
                }
                2 => {
                    // Buffered input is lost with the power.
                    parts.cable.send(b"showboard\n");
                    Next::Restart
                }
                3 => {
                    assert_eq!(now, 3 * SECOND, "the device's clock goes on");
                    assert!(!shows(&parts.glass.frame(), "five games"));
                    parts.cable.send(b"name\n");
                    Next::At(4 * SECOND)
                }
                _ => {
                    assert_eq!(parts.cable.receive(), b"= Corvid\n\n", "{busy}");
                    assert!(shows(&parts.glass.frame(), "five games"), "{busy}");
                    Next::Off
                }
            }
        }));
    }
}

/// Presses a key for a moment, which allows what was asked for a second ago, and waits for a second.
fn allow(now: u64, parts: &Parts) -> Next {
    let push = now.is_multiple_of(SECOND);
    parts.keys.set(Key::Select, push);
    Next::At(now / SECOND * SECOND + if push { SECOND / 20 } else { SECOND })
}

#[test]
fn the_device_can_start_again_by_itself() {
    for board in [Board::Pico, Board::Lm3s6965evb] {
        Machine::new(plan(board)).run(Act(|now, parts: &Parts| match now / SECOND {
            0 => {
                parts.cable.send(b"reboot\n");
                Next::At(SECOND)
            }
            1 => allow(now, parts),
            2 => {
                parts.cable.receive();
                parts.cable.send(b"stats\n");
                Next::At(3 * SECOND)
            }
            _ => {
                let heard = String::from_utf8(parts.cable.receive()).unwrap();
                assert!(heard.contains("start restart\n"), "{heard}");
                Next::Off
            }
        }));
    }
}

#[test]
fn a_device_that_starts_again_can_be_switched_off() {
    // It waits a while before it restarts, so that the last answer is sent.
    let mut moments = 0;
    Machine::new(plan(Board::Pico)).run(Act(move |now, parts: &Parts| {
        moments += 1;
        assert!(moments <= 3, "it is on again");
        match moments {
            1 => {
                parts.cable.send(b"reboot\n");
                Next::At(SECOND)
            }
            2 => allow(now, parts),
            _ => {
                assert!(parts.cable.receive().ends_with(b"= \n\n"), "it is allowed");
                Next::Off
            }
        }
    }));
}

/// Makes a move, and switches the device off some time later.
struct Cut {
    flash: Flash,
    at: u64,
    /// The contents of the flash at that time.
    seen: Vec<u8>,
}

impl World for Cut {
    fn moment(&mut self, now: u64, parts: &Parts) -> Next {
        if now == 0 {
            parts.cable.send(b"play b d3\n");
            return Next::At(self.at);
        }
        self.seen = self.flash.bytes();
        Next::Off
    }
}

#[test]
fn nothing_is_written_without_power() {
    let mut saved = 0;
    for millis in 1..=100 {
        let flash = Flash::new();
        let plan = Plan { flash: flash.clone(), ..plan(Board::Pico) };
        let cut = Cut { flash: flash.clone(), at: millis * 1000, seen: Vec::new() };
        let cut = Machine::new(plan).run(cut);
        assert!(cut.seen == flash.bytes(), "after {millis} ms");
        saved += usize::from(cut.seen.iter().any(|byte| *byte != 0xff));
    }
    // Erasing a page takes 45 ms, so some cuts happen before and some after the move was saved.
    assert!((10..=90).contains(&saved), "{saved} of 100");
}

#[test]
fn a_flash_is_restored_from_its_bytes() {
    let flash = Flash::new();
    let first = Plan { flash: flash.clone(), ..plan(Board::Pico) };
    Machine::new(first).run(Cut { flash: flash.clone(), at: SECOND, seen: Vec::new() });
    let flash = Flash::from_bytes(flash.bytes()).unwrap();
    Machine::new(Plan { flash, ..plan(Board::Pico) }).run(Act(|now, parts: &Parts| {
        if now == 0 {
            parts.cable.send(b"moves\n");
            return Next::At(SECOND);
        }
        assert_eq!(parts.cable.receive(), b"= d3\n\n");
        Next::Off
    }));
    assert!(Flash::from_bytes(vec![0xff; 100]).is_none());
}

/// Presses keys for a while and records what the display shows.
struct Diary {
    frames: Vec<Vec<bool>>,
}

impl World for Diary {
    fn moment(&mut self, now: u64, parts: &Parts) -> Next {
        let tenths = now / (SECOND / 10);
        let key = Key::ALL[(tenths as usize / 2 * 7) % Key::ALL.len()];
        parts.keys.set(key, tenths.is_multiple_of(2));
        let frame = parts.glass.frame();
        self.frames.push((0..128 * 64).map(|at| frame.is_lit(at % 128, at / 128)).collect());
        if tenths == 300 { Next::Off } else { Next::At((tenths + 1) * SECOND / 10) }
    }
}

#[test]
fn a_run_is_the_same_every_time() {
    let run = |board| Machine::new(plan(board)).run(Diary { frames: Vec::new() }).frames;
    for board in [Board::Pico, Board::Lm3s6965evb] {
        let first = run(board);
        let changes = first.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(changes > 50, "{changes}");
        assert!(first == run(board), "{board:?}");
    }
}

#[test]
fn a_machine_runs_in_steps_as_in_one_go() {
    for board in [Board::Pico, Board::Lm3s6965evb] {
        let whole = Machine::new(plan(board)).run(Diary { frames: Vec::new() }).frames;
        let mut running = Machine::new(plan(board)).start(Diary { frames: Vec::new() });
        let mut steps = 0;
        while running.step() {
            steps += 1;
        }
        assert!(steps > 1000, "30 s have many steps, not {steps}");
        assert!(!running.step(), "it stays off");
        assert!(running.into_world().frames == whole, "{board:?}");
    }
}

#[test]
fn a_machine_in_steps_starts_again() {
    let mut moments = 0;
    let mut running = Machine::new(plan(Board::Pico)).start(Act(move |now, parts: &Parts| {
        moments += 1;
        match moments {
            1 => {
                parts.cable.send(b"reboot\n");
                Next::At(SECOND)
            }
            2 | 3 => allow(now, parts),
            4 => {
                parts.cable.receive();
                Next::Restart
            }
            5 => {
                parts.cable.send(b"name\n");
                Next::At(3 * SECOND)
            }
            _ => {
                assert_eq!(parts.cable.receive(), b"= Corvid\n\n");
                Next::Off
            }
        }
    }));
    while running.step() {}
}

#[test]
fn a_machine_that_is_dropped_makes_room_for_another() {
    let never = |_: u64, _: &Parts| Next::At(u64::MAX);
    let mut first = Machine::new(plan(Board::Pico)).start(Act(never));
    assert!((0..100).all(|_| first.step()));
    drop(first);
    let world = Machine::new(plan(Board::Pico)).start(Act(never)).into_world();
    assert!(matches!((world.0)(0, &Parts::default()), Next::At(_)), "it was never switched on");
}

/// A flash on which a move is damaged beyond repair, but not the one after it.
fn damaged() -> Flash {
    let plan = plan(Board::Pico);
    let flash = plan.flash.clone();
    let mut lines = ["new othello\n", "", "play b d3\n", "play w c3\n", "play b c4\n"].into_iter();
    Machine::new(plan).run(Act(move |now, parts: &Parts| match lines.next() {
        // The game moves to a page of its own.
        Some("") => Next::Restart,
        Some(line) => {
            parts.cable.send(line.as_bytes());
            Next::At(now + SECOND)
        }
        None => Next::Off,
    }));
    let mut bytes = flash.bytes();
    let number = |page: &[u8]| u32::from_le_bytes([page[8], page[9], page[10], page[11]]);
    let pages = bytes.chunks_mut(4096).filter(|page| page.starts_with(b"CRVD"));
    let newest = pages.max_by_key(|page| number(page)).expect("it has saved");
    let first = 16 + usize::from(u16::from_le_bytes([newest[6], newest[7]]));
    assert_eq!(newest[first + 6..][..2], [0, 19], "the first move");
    assert_eq!(newest[first + 14..][..2], [1, 18], "the second one");
    newest[first + 8..][..4].fill(0x55);
    Flash::from_bytes(bytes).expect("the same size")
}

#[test]
fn damage_is_told_once() {
    let mut moments = 0;
    let plan = Plan { flash: damaged(), ..plan(Board::Pico) };
    let told = "saving yes, but the last save was damaged";
    Machine::new(plan).run(Act(move |now, parts: &Parts| {
        moments += 1;
        if moments % 2 == 1 {
            parts.cable.send(b"moves\nstats\n");
            return Next::At(now + SECOND);
        }
        let first = moments == 2;
        let heard = String::from_utf8(parts.cable.receive()).unwrap();
        assert!(heard.starts_with("= d3\n"), "{heard}");
        assert_eq!(heard.contains(told), first, "{heard}");
        let line = if first { "save partly damaged" } else { "press a key" };
        assert!(shows(&parts.glass.frame(), line), "{line}");
        if first { Next::Restart } else { Next::Off }
    }));
}
