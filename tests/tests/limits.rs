//! The limits of the boards: start-up time, latency, display traffic, and the stack in the deepest
//! search. `cargo xtask measure device` prints the same figures, and the table of docs/device.md has them.
use anyhow::{Context, Result, ensure};
use corvid_core::registry::{Bot, GameKind};
use corvid_firmware::{
    keys::Press::{Down, Menu, Select, Up},
    ui::Screen,
};
use corvid_tests::{
    board::{Board, Key},
    bots::{MOST, largest, times},
    device_page::Row,
    measure::{
        ANSWERED, MOVING, SPARE, START, START_BESIDE_OTHERS, bus_of_moving, latency, stack,
        start_to_menu,
    },
    qemu::Lm3s6965evb,
    rp2040::Pico,
    twin::Twin,
};
use std::time::Duration;
use xtask::stack::{INTERRUPTS, SEEN};

#[test]
fn the_menu_is_there_in_time() -> Result<()> {
    let time = start_to_menu(&mut Pico::start()?)?;
    ensure!(time <= START, "{time:?}");
    Row::start_of_pico(time).check()?;
    let time = start_to_menu(&mut Lm3s6965evb::start_in_real_time()?)?;
    ensure!(time <= START_BESIDE_OTHERS, "{time:?}");
    Row::start_of_lm3s6965evb(time).check_must()
}

#[test]
fn the_stack_has_room_above_every_search() -> Result<()> {
    for (kind, (name, seen)) in GameKind::ALL.into_iter().zip(SEEN) {
        let (used, all) = stack(kind)?;
        println!("{name}: {used} of {all} bytes of stack");
        ensure!(used <= seen, "{name} takes {used} bytes of stack: {seen} in xtask/src/stack.rs");
        ensure!(seen + SPARE <= all, "{name} may take {seen} of {all} bytes of stack");
        Row::stack(kind, used, all).check_stack()?;
    }
    Ok(())
}

/// Five board minutes to the end of the deepest search, without a restart on the way.
#[test]
fn the_largest_board_of_dots_is_searched_to_the_last_depth() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    let position = "position 7d5fff55eabd56aa901202404fa9e0fffff807ff805febf4fcffde0";
    let soon = Duration::from_secs(2);
    for command in ["new dots 10x10", position, "level 9", "time_settings 18000 0 0"] {
        assert_eq!(board.ask(command, soon)?, "=", "{command}");
    }
    board.ask("progress on", soon)?;
    board.send(b"reg_genmove b\n")?;
    let answer = board.receive_until("\n\n", Duration::from_secs(600))?;
    ensure!(answer.contains("# depth 24 ") && answer.contains("\n= "), "{answer}");
    let (used, all) = board.stack()?;
    ensure!(used + INTERRUPTS <= all, "{used} of {all} bytes of stack");
    Ok(())
}

#[test]
fn a_key_is_answered_in_time_while_level_9_thinks() -> Result<()> {
    let worst = latency(&mut Pico::start()?)?;
    ensure!(worst <= ANSWERED, "{worst:?}");
    Row::answer(worst).check()
}

/// A short press, and a short pause.
const BRIEF: Duration = Duration::from_millis(30);

/// A line that is low for only this long is bouncing: it is too short for three samples, 5 ms
/// apart.
const SPIKE: Duration = Duration::from_millis(5);

/// Enough for any answer that needs no search.
const SOON: Duration = Duration::from_secs(2);

/// Opens the moves of a long game of Blokus Classic, the screen that takes the longest to draw:
/// each row replays the game up to its move.
fn open_long_history(twin: &mut Twin<'_, Lm3s6965evb>) -> Result<()> {
    twin.check()?;
    // The same for both, and then it is a person's turn.
    let genmoves = (0..52).map(|ply| format!("genmove {}", ply % 4 + 1));
    for command in ["new blokus-classic".into(), "bot random".into()].into_iter().chain(genmoves) {
        let answer = twin.board.ask(&command, SOON)?;
        twin.desk.send(&format!("{command}\n"));
        twin.desk.settle();
        ensure!(twin.desk.received().contains(&answer), "{command}: {answer}");
    }
    twin.press(&[Select, Select, Menu])?;
    twin.press(&[Up, Up, Up, Up, Up, Up, Select])?;
    ensure!(twin.desk.place() == Screen::History, "not the history but {:?}", twin.desk.place());
    Ok(())
}

/// The board counts moves meanwhile, without end: while it sleeps, the emulator's presses get shorter.
#[test]
fn brief_presses_arrive_however_long_the_screen_takes() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    let mut twin = Twin::new(&mut board)?;
    open_long_history(&mut twin)?;
    twin.board.send(b"perft 12\n")?;
    twin.board.run_for(BRIEF)?;
    for (key, press) in [(Key::Down, Down), (Key::Up, Up)] {
        for _ in 0..20 {
            twin.desk.press(&[press]);
            twin.board.press_for(key, BRIEF, BRIEF)?;
        }
        twin.check().with_context(|| format!("a press of {key:?} was lost"))?;
    }
    Ok(())
}

/// If a screen delayed the polling of the keys, several polls would follow at once, and a spike
/// would be taken for a press.
#[test]
fn spikes_are_no_presses_however_long_the_screen_takes() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    let mut twin = Twin::new(&mut board)?;
    open_long_history(&mut twin)?;
    for _ in 0..20 {
        // The screen is redrawn repeatedly.
        twin.board.send("key down\nkey up\n".repeat(4).as_bytes())?;
        for _ in 0..4 {
            twin.board.press_for(Key::Right, SPIKE, 2 * SPIKE)?;
        }
    }
    twin.check().context("a spike scrolled")
}

#[test]
fn a_key_that_moves_something_is_cheap() -> Result<()> {
    let bus = bus_of_moving()?;
    ensure!(bus.keys >= 40 && bus.worst <= MOVING, "{bus:?}");
    Row::moving(bus).check()
}

/// Where the slowest bot of each game was found, by the long form of the test below: after how many random
/// moves.
const SLOWEST: [(&str, usize); GameKind::ALL.len()] = [
    ("positional-adaptive", 30),
    ("minimax:seed", 12),
    ("chain-minimax", 0),
    ("hybrid:seed", 1),
    ("hybrid:seed", 20),
];

/// Positions of each game that the long form tries, about.
const POSITIONS: usize = 30;

/// No bot takes longer for a move on the LM3S6965 than it may. `CORVID_LONG=1` tries every bot of every
/// game in positions from the beginning to the end, and prints the slowest move of each (minutes).
#[test]
fn no_bot_takes_longer_than_it_may() -> Result<()> {
    let long = std::env::var_os("CORVID_LONG").is_some();
    for (kind, (name, worst)) in GameKind::ALL.into_iter().zip(SLOWEST) {
        let mut board = Lm3s6965evb::start()?;
        let bots: Vec<_> = Bot::all(kind).filter(|bot| long || bot.name() == name).collect();
        let length = match kind {
            GameKind::Dots => 220,
            GameKind::BlokusDuo => 30,
            _ => 60,
        };
        let every = length / POSITIONS;
        let at = |ply: usize| if long { ply.is_multiple_of(every) } else { ply == worst };
        let until = if long { length } else { worst };
        let all = times(&mut board, largest(kind), &bots, at, until)?;
        for bot in bots {
            let own = all.iter().filter(|timed| timed.bot == bot);
            let slowest = own.max_by_key(|timed| timed.time).context("it never moved")?;
            println!("{kind} {} {:?} after {} plies", bot.name(), slowest.time, slowest.ply);
            ensure!(slowest.time <= MOST, "{} takes {:?}", bot.name(), slowest.time);
        }
    }
    Ok(())
}
