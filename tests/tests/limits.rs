//! What the boards are held to while they think with all they have: the stack on the smallest of
//! them, and how soon a key is answered.
use anyhow::{Result, ensure};
use corvid_firmware::keys::Press::{Down, Right, Select, Up};
use corvid_tests::{
    board::{Board, Key},
    qemu::Lm3s6965evb,
    rp2040::Pico,
    twin::Twin,
};
use std::time::Duration;
use xtask::stack::SEEN;

/// How soon a key must be answered on the display.
const ANSWERED: Duration = Duration::from_millis(50);

/// More than any answer to a command takes.
const ANSWER: Duration = Duration::from_secs(60);

/// Starts to watch a game of level 9 against itself, and opens the menu above it.
fn watch(twin: &mut Twin<'_, impl Board>, game: usize, seats: usize) -> Result<()> {
    twin.check()?;
    twin.press(&[Select, Down, Down, Down, Select])?;
    twin.press(&vec![Right; game])?;
    for seat in 0..seats {
        // The first seat has level 1 there, the others level 3.
        twin.press(&[Down])?;
        twin.press(&vec![Right; if seat == 0 { 8 } else { 6 }])?;
    }
    let rows = twin.desk.chosen();
    twin.press(&vec![Up; rows + 1])?;
    twin.board.tap(Key::Select)
}

#[test]
fn the_stack_has_room_above_every_search() -> Result<()> {
    for (game, (name, seen)) in SEEN.into_iter().enumerate() {
        let mut board = Lm3s6965evb::start()?;
        watch(&mut Twin::new(&mut board), game, if name == "Blokus Classic" { 4 } else { 2 })?;
        for _ in 0..2 {
            open_and_close_menu(&mut board)?;
            board.run_for(Duration::from_millis(500))?;
        }
        if name == "Dots and Boxes" {
            // A larger board near its end: guesses look far ahead there.
            board.ask("new dots 6x6", ANSWER)?;
            board.ask("position d68e0bd34ac46ac77ea16", ANSWER)?;
            board.ask("level 9", ANSWER)?;
            board.send(b"reg_genmove b\n")?;
            open_and_close_menu(&mut board)?;
            board.receive_until("\n\n", ANSWER)?;
        }
        let (used, all) = board.stack()?;
        println!("{name}: {used} of {all} bytes of stack");
        ensure!(used <= seen, "{name} takes {used} bytes of stack: {seen} in xtask/src/stack.rs");
        ensure!(seen + 1024 <= all, "{name} may take {seen} of {all} bytes of stack");
    }
    Ok(())
}

/// Draws what takes the most while the search goes on.
fn open_and_close_menu(board: &mut impl Board) -> Result<()> {
    board.hold_select()?;
    for key in [Key::Down, Key::Down, Key::Up] {
        board.tap(key)?;
    }
    board.run_for(Duration::from_millis(500))?;
    board.hold_select()
}

/// Measures how long after a key went down its effect is on the display, while level 9 thinks.
fn latency(board: &mut impl Board) -> Result<Duration> {
    watch(&mut Twin::new(board), 0, 2)?;
    board.hold_select()?;
    let mut worst = Duration::ZERO;
    let step = Duration::from_millis(1);
    for key in [Key::Down, Key::Down, Key::Up, Key::Down, Key::Up, Key::Up] {
        let before = board.screen()?;
        board.press(key)?;
        let mut waited = Duration::ZERO;
        while board.screen()? == before {
            ensure!(waited < Duration::from_secs(1), "no answer to {key:?}");
            board.run_for(step)?;
            waited += step;
        }
        worst = worst.max(waited);
        board.release(key)?;
        board.run_for(ANSWERED)?;
    }
    Ok(worst)
}

#[test]
fn a_key_is_answered_in_time_while_level_9_thinks() -> Result<()> {
    // This emulator's clock stands still between two steps, so the time is exact.
    let worst = latency(&mut Pico::start()?)?;
    println!("a key is answered within {worst:?} on the Pico");
    ensure!(worst <= ANSWERED, "{worst:?}");
    Ok(())
}
