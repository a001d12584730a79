//! The second processor of the Pico and the Pico 2, on their real images: it starts and helps, its failures
//! are told, and a board whose second processor does not start plays with one.
//!
//! Wherever these boards are tested, their emulators stop when the flash is written while the second
//! processor is not waiting in RAM.
use anyhow::{Context, Result};
use corvid_core::registry::GameKind;
use corvid_tests::{
    board::{Board, Key},
    climb::{Asked, DATA, Deep, read},
    qemu::Lm3s6965evb,
    rp2040::Pico,
    rp2350::Pico2,
    sabotage::SabotageSecond,
};
use std::{fs, time::Duration};
use xtask::root;

const SECOND: Duration = Duration::from_secs(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// How long a level thinks before it is stopped.
const THINKING: Duration = Duration::from_millis(200);

/// Longer than the watchdog's timeout, including the restart.
const WATCHDOG: Duration = Duration::from_secs(5);

/// Longer than it may take the board to find that its brain is silent.
const SILENCE: Duration = Duration::from_secs(8);

/// The bytes of the second processor's stack that every search has to leave.
const SPARE: u32 = 4096;

/// The bytes that are left of a stack on which hardly anything has room.
const LITTLE: u32 = 16;

/// A game in which the second processor helps on both boards.
const HELPED: GameKind = GameKind::BlokusDuo;

/// Runs a test on both boards.
macro_rules! on_both {
    ($($pico:ident $pico2:ident: $test:ident;)+) => {
        $(
            #[test]
            fn $pico() -> Result<()> {
                $test(Pico::start()?)
            }

            #[test]
            fn $pico2() -> Result<()> {
                $test(Pico2::start()?)
            }
        )+
    };
}

on_both! {
    the_pico_has_two_processors the_pico2_has_two_processors: two;
    the_pico_plays_with_one_processor the_pico2_plays_with_one_processor: one;
    the_picos_second_processor_helps the_pico2s_second_processor_helps: helps;
    the_picos_second_stack_has_room the_pico2s_second_stack_has_room: has_room;
    the_pico_saves_while_its_second_processor_waits
        the_pico2_saves_while_its_second_processor_waits: saves;
    the_pico_tells_of_its_second_processors_panic
        the_pico2_tells_of_its_second_processors_panic: panics;
    the_pico_tells_of_its_second_processors_fault
        the_pico2_tells_of_its_second_processors_fault: faults;
    both_processors_of_the_pico_restart both_processors_of_the_pico2_restart: restarts;
}

/// The line of `stats` with this name.
fn stat(board: &mut impl Board, name: &str) -> Result<String> {
    let stats = board.ask("stats", SECOND)?;
    let line = stats.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    Ok(line.with_context(|| format!("no {name} in {stats}"))?.to_owned())
}

/// Begins a game in which a level thinks for a second. Returns who moves first.
fn set_up(board: &mut impl Board, kind: GameKind) -> Result<&'static str> {
    assert_eq!(board.ask(&format!("set_game {kind}"), SECOND)?, "=");
    assert_eq!(board.ask("time_settings 0 1 1", SECOND)?, "=");
    Ok(if kind == GameKind::BlokusClassic { "1" } else { "b" })
}

/// It starts soon, and then waits.
fn two(mut board: impl SabotageSecond) -> Result<()> {
    assert_eq!(stat(&mut board, "processors")?, "2");
    let started = board.helped()?;
    assert!(!started.is_zero() && started < MILLISECOND, "{started:?}");
    board.run_for(SECOND)?;
    assert_eq!(board.helped()?, started, "it sleeps when there is nothing to do");
    Ok(())
}

#[test]
fn other_boards_have_one_processor() -> Result<()> {
    assert_eq!(stat(&mut Lm3s6965evb::start()?, "processors")?, "1");
    Ok(())
}

fn one(mut board: impl SabotageSecond) -> Result<()> {
    board.break_second()?;
    for _ in 0..2 {
        assert_eq!(stat(&mut board, "processors")?, "1, the second did not start");
        assert_eq!(stat(&mut board, "failure")?, "none");
        set_up(&mut board, HELPED)?;
        assert!(board.ask("genmove b", 2 * SECOND)?.starts_with("= "));
        assert_eq!(board.helped()?, Duration::ZERO);
        board.restart(false)?;
    }
    Ok(())
}

/// It is at work for most of the time that a level takes: in every game, or if the processors can't share a
/// table (a Cortex-M0+ has no compare-and-swap), where they need none.
fn helps(mut board: impl SabotageSecond) -> Result<()> {
    for kind in GameKind::ALL {
        let color = set_up(&mut board, kind)?;
        let before = board.helped()?;
        board.send(format!("reg_genmove {color}\n").as_bytes())?;
        board.run_for(THINKING)?;
        board.send(b"\x03")?;
        board.receive_until("? stopped\n\n", SECOND / 10)?;
        let helped = board.helped()? - before;
        println!("{kind}: {helped:?}");
        let needs_table = !matches!(kind, GameKind::BlokusDuo | GameKind::BlokusClassic);
        if needs_table && board.name() == "pico" {
            assert!(helped.is_zero(), "{kind}: {helped:?}");
        } else {
            assert!(helped > THINKING / 2 && helped < 2 * THINKING, "{kind}: {helped:?}");
        }
    }
    assert_eq!(stat(&mut board, "failure")?, "none");
    Ok(())
}

/// Where levels recurse deepest, of all positions that were tried.
fn has_room(mut board: impl SabotageSecond) -> Result<()> {
    for deep in read(&fs::read_to_string(root().join(DATA))?)? {
        let Deep { setup, asked: Asked::Level, position, .. } = &deep else { continue };
        assert_eq!(board.ask(&format!("new {setup}"), SECOND)?, "=");
        if !position.is_empty() {
            assert_eq!(board.ask(&format!("position {position}"), SECOND)?, "=");
        }
        board.send(b"hint\n")?;
        board.run_for(THINKING)?;
        board.send(b"\x03")?;
        board.receive_until("\n\n", SECOND / 10)?;
        let spare = board.spare_second_stack()?;
        println!("{spare} bytes to spare after {deep}");
        assert!(spare >= SPARE, "{spare} bytes to spare after {deep}");
    }
    assert_eq!(stat(&mut board, "failure")?, "none");
    Ok(())
}

/// A game with a computer at the board: each move is saved before the next search.
fn saves(mut board: impl SabotageSecond) -> Result<()> {
    set_up(&mut board, HELPED)?;
    for color in ["b", "w"] {
        assert!(board.ask(&format!("genmove {color}"), 2 * SECOND)?.starts_with("= "));
    }
    board.run_for(SECOND / 2)?;
    let moves = board.ask("moves", SECOND)?;
    assert_eq!(moves.split_ascii_whitespace().count(), 3, "{moves}");
    board.restart(false)?;
    board.run_for(SECOND / 2)?;
    assert_eq!(board.ask("moves", SECOND)?, moves);
    assert_eq!(stat(&mut board, "saving")?, "yes");
    assert_eq!(stat(&mut board, "processors")?, "2");
    Ok(())
}

fn panics(mut board: impl SabotageSecond) -> Result<()> {
    assert_eq!(stat(&mut board, "failure")?, "none");
    let place = board.panic_second()?;
    board.run_for(SECOND)?;
    let failure = stat(&mut board, "failure")?;
    let told = failure.strip_prefix("panic at ").and_then(|told| told.split_once(" (E1"));
    assert!(told.is_some_and(|(told, _)| place.ends_with(told)), "{failure}: not {place}");
    assert_eq!(stat(&mut board, "start")?, "restart");
    assert_eq!(stat(&mut board, "processors")?, "2");
    Ok(())
}

/// Also in the middle of a search.
fn faults(mut board: impl SabotageSecond) -> Result<()> {
    for is_searching in [false, true] {
        set_up(&mut board, HELPED)?;
        if is_searching {
            board.send(b"reg_genmove b\n")?;
            board.run_for(SECOND / 2)?;
        }
        let address = board.fault_second()?;
        board.run_for(SECOND)?;
        let told = format!("fault at address {address:#x} (E0002)");
        assert_eq!(stat(&mut board, "failure")?, told);
        assert_eq!(stat(&mut board, "start")?, "restart");
    }
    Ok(())
}

/// The Pico's emulator has no memory protection, so that this is not tested there.
#[test]
fn the_pico2_tells_of_its_second_processors_stack_overflow() -> Result<()> {
    let mut board = Pico2::start()?;
    assert_eq!(stat(&mut board, "failure")?, "none");
    board.use_up_second_stack(LITTLE)?;
    board.run_for(SECOND)?;
    assert_eq!(stat(&mut board, "failure")?, "stack overflow (E0003)");
    assert_eq!(stat(&mut board, "processors")?, "2");
    Ok(())
}

/// By command after a search, and by the watchdog and a power cut in the middle of one.
fn restarts(mut board: impl SabotageSecond) -> Result<()> {
    for way in ["reboot", "watchdog", "power"] {
        set_up(&mut board, HELPED)?;
        let before = board.helped()?;
        if way == "reboot" {
            assert!(board.ask("genmove b", 2 * SECOND)?.starts_with("= "));
            board.send(b"reboot\n")?;
            board.receive_until("press a key on the device within 10 s\r\n", SECOND)?;
            board.run_for(SECOND / 2)?;
            board.tap(Key::Up)?;
            board.receive_until("= \n\n", SECOND)?;
        } else {
            board.send(b"genmove b\n")?;
            board.run_for(SECOND / 2)?;
            if way == "watchdog" { board.hang()? } else { board.restart(false)? }
        }
        assert!(board.helped()? > before || way == "power", "{way}");
        board.run_for(WATCHDOG)?;
        assert_eq!(stat(&mut board, "processors")?, "2", "{way}");
    }
    Ok(())
}

/// A second processor that never comes to an end leaves the search waiting, which is told.
#[test]
fn a_second_processor_that_hangs_is_told() -> Result<()> {
    let mut board = Pico2::start()?;
    set_up(&mut board, HELPED)?;
    board.send(b"reg_genmove b\n")?;
    board.run_for(SECOND / 2)?;
    board.hang_second()?;
    board.run_for(SILENCE)?;
    assert_eq!(stat(&mut board, "failure")?, "the brain stopped (E0013)");
    assert_eq!(stat(&mut board, "processors")?, "2");
    Ok(())
}
