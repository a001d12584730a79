//! What the real images do when they can't continue: they restart and report why.
use anyhow::{Result, ensure};
use corvid::reading::shows;
use corvid_tests::{
    board::{Board, Key},
    qemu::Lm3s6965evb,
    rp2040::Pico,
    rp2350::Pico2,
    sabotage::Sabotage,
};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// Longer than a task may be silent, including the restart.
const SILENCE: Duration = Duration::from_secs(8);

/// Longer than the watchdog's timeout, including the restart.
const WATCHDOG: Duration = Duration::from_secs(5);

/// Takes a search and its stack.
const THINK: &str = "genmove b\n";

/// The line of `stats` with this name.
fn stat(board: &mut impl Sabotage, name: &str) -> Result<String> {
    let stats = board.ask("stats", SECOND)?;
    let line = stats.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    ensure!(line.is_some(), "no {name} in {stats}");
    Ok(line.unwrap_or_default().to_owned())
}

/// A panic's location and code are reported, once.
fn panic(board: &mut impl Sabotage) -> Result<()> {
    assert_eq!(stat(board, "failure")?, "none");
    let place = board.panic()?;
    board.run_for(SECOND)?;
    let failure = stat(board, "failure")?;
    let (what, code) = failure.split_once(" (E1").unwrap_or((&failure, ""));
    let told = what.strip_prefix("panic at ").unwrap_or(what);
    assert!(place.ends_with(told) && told.len() > 10, "{failure}: not {place}");
    assert!(code.len() == 4 && code.ends_with(')'), "{failure}");
    Ok(())
}

/// A fault's address is reported.
fn fault(board: &mut impl Sabotage) -> Result<()> {
    assert_eq!(stat(board, "failure")?, "none");
    let address = board.fault()?;
    board.run_for(SECOND)?;
    assert_eq!(stat(board, "failure")?, format!("fault at address {address:#x} (E0002)"));
    Ok(())
}

/// Each task that stops is reported by its name, while the others would run on.
fn silent_tasks(board: &mut impl Sabotage) -> Result<()> {
    for (task, failure, text) in [
        ("keys_task", "the keys stopped (E0010)", "E0010 keys stopped"),
        ("ui_task", "the screen stopped (E0011)", "E0011 screen stopped"),
        ("serial_task", "the serial stopped (E0012)", "E0012 serial stopped"),
    ] {
        board.run_for(SECOND)?;
        board.stall(task)?;
        board.run_for(SILENCE)?;
        assert_eq!(stat(board, "failure")?, failure);
        board.expect(|screen| {
            ensure!(shows(&screen.frame(), text), "no '{text}' on the display");
            Ok(())
        })?;
    }
    Ok(())
}

fn silent_brain(board: &mut impl Sabotage) -> Result<()> {
    board.run_for(SECOND)?;
    board.stop_brain()?;
    board.run_for(SILENCE)?;
    board.expect_screen("brain-stopped")?;
    assert_eq!(stat(board, "failure")?, "the brain stopped (E0013)");
    Ok(())
}

/// A processor that hangs is started by the watchdog, and that is reported.
fn watchdog<B: Sabotage>(board: &mut B, hang: fn(&mut B) -> Result<()>) -> Result<()> {
    board.run_for(SECOND)?;
    hang(board)?;
    board.run_for(WATCHDOG)?;
    assert_eq!(stat(board, "failure")?, "everything stopped (E0001)");
    assert_eq!(stat(board, "start")?, "watchdog");
    Ok(())
}

#[test]
fn the_pico_tells_of_a_panic_and_goes_on_with_the_game() -> Result<()> {
    let mut board = Pico::start()?;
    assert_eq!(board.ask("play b d3", SECOND)?, "=");
    board.run_for(SECOND)?;
    panic(&mut board)?;
    assert_eq!(stat(&mut board, "start")?, "restart");
    assert_eq!(board.ask("moves", SECOND)?, "= d3");

    // After a power cut the memory is random, but holds no failure.
    board.cut_after(SECOND / 100, 5)?;
    board.run_for(SECOND)?;
    board.power_on()?;
    assert_eq!(stat(&mut board, "failure")?, "none");
    assert_eq!(stat(&mut board, "start")?, "power on");
    Ok(())
}

#[test]
fn the_lm3s6965evb_tells_of_a_panic() -> Result<()> {
    panic(&mut Lm3s6965evb::start()?)
}

#[test]
fn the_pico2_tells_of_a_panic() -> Result<()> {
    panic(&mut Pico2::start()?)
}

#[test]
fn the_pico_tells_of_a_fault() -> Result<()> {
    fault(&mut Pico::start()?)
}

#[test]
fn the_pico2_tells_of_a_fault() -> Result<()> {
    fault(&mut Pico2::start()?)
}

#[test]
fn the_lm3s6965evb_tells_of_a_fault() -> Result<()> {
    fault(&mut Lm3s6965evb::start()?)
}

/// A stack of which so many bytes are left overflows, in an interrupt or by a command.
fn overflow<B: Sabotage>(
    start: fn() -> Result<B>,
    use_up_stack: fn(&mut B, u32) -> Result<()>,
    cases: &[(u32, &str)],
) -> Result<()> {
    for (left, command) in cases {
        let mut board = start()?;
        assert_eq!(board.ask("time_settings 0 8 1", SECOND)?, "=");
        assert_eq!(stat(&mut board, "failure")?, "none");
        use_up_stack(&mut board, *left)?;
        board.send(command.as_bytes())?;
        board.run_for(3 * SECOND)?;
        assert_eq!(stat(&mut board, "failure")?, "stack overflow (E0003)", "{left} bytes left");
    }
    Ok(())
}

/// Whether it is an interrupt that finds no room on the stack, or a search that takes it.
#[test]
fn the_lm3s6965evb_tells_of_a_stack_overflow() -> Result<()> {
    let cases = [(0, ""), (40, ""), (4000, THINK), (8000, THINK)];
    overflow(Lm3s6965evb::start, Lm3s6965evb::use_up_stack, &cases)
}

/// The processor has a register for the end of its stack, and notices a frame that would not fit before
/// it is taken, with the stack still far from its end.
#[test]
fn the_pico2_tells_of_a_stack_overflow() -> Result<()> {
    let cases = [(0, ""), (40, ""), (1000, THINK), (4200, THINK), (8000, THINK)];
    overflow(Pico2::start, Pico2::use_up_stack, &cases)
}

#[test]
fn the_pico_tells_of_silent_tasks() -> Result<()> {
    silent_tasks(&mut Pico::start()?)
}

#[test]
fn the_pico2_tells_of_silent_tasks() -> Result<()> {
    silent_tasks(&mut Pico2::start()?)
}

#[test]
fn the_lm3s6965evb_tells_of_silent_tasks() -> Result<()> {
    silent_tasks(&mut Lm3s6965evb::start()?)
}

#[test]
fn the_pico_tells_of_a_silent_brain() -> Result<()> {
    silent_brain(&mut Pico::start()?)
}

#[test]
fn the_pico2_tells_of_a_silent_brain() -> Result<()> {
    silent_brain(&mut Pico2::start()?)
}

#[test]
fn the_lm3s6965evb_tells_of_a_silent_brain() -> Result<()> {
    silent_brain(&mut Lm3s6965evb::start()?)
}

/// A restart that was asked for is neither a failure nor a power cut.
#[test]
fn a_restart_on_command_is_told_as_one() -> Result<()> {
    let mut board = Pico::start()?;
    assert_eq!(stat(&mut board, "start")?, "power on");
    board.send(b"reboot\n")?;
    board.receive_until("press a key on the device within 10 s\r\n", SECOND)?;
    board.run_for(SECOND / 2)?;
    board.tap(Key::Up)?;
    board.receive_until("= \n\n", SECOND)?;
    board.run_for(2 * SECOND)?;
    assert_eq!(stat(&mut board, "start")?, "restart");
    assert_eq!(stat(&mut board, "failure")?, "none");
    Ok(())
}

#[test]
fn the_watchdog_starts_a_pico_that_hangs() -> Result<()> {
    watchdog(&mut Pico::start()?, Pico::hang)
}

#[test]
fn the_watchdog_starts_a_pico2_that_hangs() -> Result<()> {
    watchdog(&mut Pico2::start()?, Pico2::hang)
}

#[test]
fn the_watchdog_starts_an_lm3s6965evb_that_hangs() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    assert_eq!(board.ask("play b d3", SECOND)?, "=");
    board.hang()?;
    board.run_for(WATCHDOG)?;
    assert_eq!(board.ask("moves", SECOND)?, "=", "it began again");
    Ok(())
}

/// The keys' interrupt has a higher priority, and so does the task that monitors all others.
#[test]
fn a_screen_that_hangs_is_told() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    board.run_for(SECOND)?;
    board.hang_screen()?;
    board.run_for(SILENCE)?;
    let failure = stat(&mut board, "failure")?;
    // Both run there; the one that has been silent longer is reported.
    let told = ["the screen stopped (E0011)", "the serial stopped (E0012)"];
    assert!(told.contains(&failure.as_str()), "{failure}");
    Ok(())
}

#[test]
fn a_long_search_is_no_failure() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    assert_eq!(board.ask("time_settings 0 8 1", SECOND)?, "=");
    assert!(board.ask("genmove b", SILENCE * 2)?.starts_with("= "));
    assert_eq!(stat(&mut board, "failure")?, "none");
    assert_eq!(stat(&mut board, "plies")?, "1");
    Ok(())
}
