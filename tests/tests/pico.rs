//! External failures: a USB host that does not read, a broken display or bus, a worn flash, keys
//! that bounce and stick, a chip that can't run at full speed. On the Pico, whose emulator can simulate
//! all of these.
use anyhow::{Result, bail};
use corvid_tests::{
    board::{Board, Key},
    rp2040::{Cut, Pico},
    screen::Screen,
};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// The screen of an undisturbed board after this key.
fn screen_after(key: Key) -> Result<Screen> {
    let mut board = Pico::start()?;
    board.run_for(SECOND / 4)?;
    board.tap(key)?;
    board.run_for(SECOND / 4)?;
    board.screen()
}

#[test]
fn long_answers_arrive_whole() -> Result<()> {
    let mut board = Pico::start()?;
    for _ in 0..3 {
        let answer = board.ask("list_commands", SECOND)?;
        assert!(answer.starts_with("= protocol_version\nname\n"), "{answer}");
        assert!(answer.ends_with("\nbootsel"), "{answer}");
    }
    Ok(())
}

#[test]
fn a_host_that_does_not_listen_stops_nothing() -> Result<()> {
    let mut board = Pico::start()?;
    // The answers exceed the buffers between the console and the host.
    let lines = 8;
    let all = board.ask("list_commands", SECOND)?.len() * lines;
    board.set_listening(false)?;
    board.send("list_commands\n".repeat(lines).as_bytes())?;
    board.run_for(SECOND / 2)?;
    board.tap(Key::Left)?;
    board.run_for(SECOND / 4)?;
    assert_eq!(board.screen()?, screen_after(Key::Left)?);

    // What was in transit may still arrive; the answers after it were dropped, and lines are read.
    board.run_for(SECOND)?;
    board.set_listening(true)?;
    board.send(b"7 name\n")?;
    let answers = board.receive_until("=7 Corvid\n\n", SECOND)?;
    assert!(answers.len() < all / 2, "{answers}");
    Ok(())
}

#[test]
fn a_closed_port_takes_no_answers() -> Result<()> {
    let mut board = Pico::start()?;
    assert_eq!(board.ask("name", SECOND)?, "= Corvid");
    // A count of some milliseconds begins, and the host disconnects.
    board.send(b"perft 6\n")?;
    board.run_for(SECOND / 1000)?;
    board.set_open(false)?;
    board.run_for(SECOND * 2)?;
    board.set_open(true)?;
    board.send(b"5 name\n")?;
    assert_eq!(board.receive_until("\n\n", SECOND)?, "=5 Corvid\n\n");
    Ok(())
}

#[test]
fn a_display_plugged_in_late_shows_the_screen() -> Result<()> {
    let mut board = Pico::start()?;
    board.set_display(false)?;
    board.run_for(SECOND / 4)?;
    board.tap(Key::Down)?;
    assert_eq!(board.ask("name", SECOND)?, "= Corvid");
    board.set_display(true)?;
    board.run_for(SECOND)?;
    assert_eq!(board.screen()?, screen_after(Key::Down)?);
    Ok(())
}

#[test]
fn a_display_that_was_unplugged_while_nothing_changed_comes_back() -> Result<()> {
    let mut board = Pico::start()?;
    board.expect_screen("start")?;
    board.set_display(false)?;
    board.run_for(SECOND)?;
    board.set_display(true)?;
    board.run_for(SECOND)?;
    board.tap(Key::Down)?;
    board.run_for(SECOND)?;
    assert_eq!(board.screen()?, screen_after(Key::Down)?);
    Ok(())
}

#[test]
fn a_display_that_changes_its_address_is_found() -> Result<()> {
    let mut board = Pico::start()?;
    board.expect_screen("start")?;
    for address in [0x3d, 0x3c] {
        board.swap_display(address)?;
        // Something to show, so that it is missed.
        board.tap(Key::Down)?;
        board.run_for(SECOND)?;
        let menu = screen_after(Key::Down)?;
        match address {
            0x3d => assert_eq!(board.screen()?, menu),
            _ => assert_ne!(board.screen()?, menu, "the next row"),
        }
    }
    Ok(())
}

/// Keys and the serial port work while the display is broken, and then it shows the menu.
fn play_on_without_display(out: fn(&mut Pico, bool) -> Result<()>) -> Result<()> {
    let mut board = Pico::start()?;
    board.expect_screen("start")?;
    board.tap(Key::Down)?;
    out(&mut board, true)?;
    for _ in 0..20 {
        board.tap(Key::Down)?;
        board.run_for(SECOND / 10)?;
    }
    // Nothing that starts a game, which would add a row to the menu.
    assert_eq!(board.ask("perft 3", SECOND)?, "= perft 3 56");
    assert!(board.ask("reg_genmove b", SECOND * 2)?.starts_with("= "));
    out(&mut board, false)?;
    // From the first of seven rows, twenty down and one up lead to the sixth, two more to the first.
    board.tap(Key::Up)?;
    let menu = screen_after(Key::Down)?;
    board.run_for(SECOND)?;
    assert_ne!(board.screen()?, menu);
    board.tap(Key::Down)?;
    board.tap(Key::Down)?;
    board.expect(|screen| screen.check(&menu))?;
    let stats = board.ask("stats", SECOND)?;
    assert!(stats.contains("failure none"), "{stats}");
    Ok(())
}

#[test]
fn a_display_that_is_pulled_out_stops_nothing() -> Result<()> {
    play_on_without_display(|board, out| board.set_display(!out))
}

#[test]
fn a_bus_that_hangs_stops_nothing() -> Result<()> {
    play_on_without_display(Pico::set_jammed)
}

#[test]
fn with_a_worn_flash_it_says_so_and_plays_on() -> Result<()> {
    let mut board = Pico::start()?;
    assert_eq!(board.ask("play b d3", SECOND)?, "=");
    board.run_for(SECOND / 2)?;
    board.wear_out()?;
    assert_eq!(board.ask("play w c3", SECOND)?, "=");
    board.run_for(SECOND * 3)?;
    let stats = board.ask("stats", SECOND)?;
    assert!(stats.contains("saving the flash is worn out"), "{stats}");
    assert_eq!(board.ask("play b c4", SECOND)?, "=");
    assert_eq!(board.ask("moves", SECOND)?, "= d3 c3 c4");

    // What was saved before is there after the next start.
    board.restart(false)?;
    board.run_for(SECOND)?;
    assert_eq!(board.ask("moves", SECOND)?, "= d3");
    Ok(())
}

/// The selected row of a new board's menu after `act`, from 0.
fn menu_row(act: impl Fn(&mut Pico) -> Result<()>) -> Result<usize> {
    let mut board = Pico::start()?;
    act(&mut board)?;
    board.run_for(SECOND / 4)?;
    let seen = board.screen()?;
    let mut other = Pico::start()?;
    other.run_for(SECOND / 4)?;
    other.tap(Key::Down)?;
    for row in 0..7 {
        other.run_for(SECOND / 4)?;
        if other.screen()? == seen {
            return Ok(row);
        }
        other.tap(Key::Down)?;
    }
    anyhow::bail!("no row of the menu:\n{seen:?}")
}

#[test]
fn keys_that_bounce_stick_and_come_together_mean_what_they_should() -> Result<()> {
    let milli = SECOND / 1000;
    let bouncing = menu_row(|board| {
        board.run_for(SECOND / 4)?;
        for _ in 0..2 {
            for down in [true, false, true, false, true, false, true, true, false, true, false] {
                if down { board.press(Key::Down) } else { board.release(Key::Down) }?;
                // A contact that closes bounces for some milliseconds; so does one that opens.
                board.run_for(milli * 2)?;
            }
            board.press(Key::Down)?;
            board.run_for(milli * 60)?;
            board.release(Key::Down)?;
            board.run_for(milli * 60)?;
        }
        Ok(())
    })?;
    assert_eq!(bouncing, 1, "the first opens the menu, the second moves by one");

    let held_at_start = menu_row(|board| {
        board.press(Key::Down)?;
        board.run_for(SECOND)?;
        board.release(Key::Down)?;
        board.run_for(SECOND / 10)?;
        board.tap(Key::Up)
    })?;
    assert_eq!(
        held_at_start, 0,
        "a key that was down at the start means nothing until it is let go"
    );

    let stuck = menu_row(|board| {
        board.run_for(SECOND / 4)?;
        board.tap(Key::Up)?;
        // Left does nothing here; it sticks, and the others keep working.
        board.press(Key::Left)?;
        board.run_for(SECOND * 12)?;
        board.tap(Key::Down)?;
        board.tap(Key::Down)?;
        board.run_for(SECOND)
    })?;
    assert_eq!(stuck, 2);

    let together = menu_row(|board| {
        board.run_for(SECOND / 4)?;
        board.tap(Key::Up)?;
        for key in Key::ALL {
            board.press(key)?;
        }
        board.run_for(milli * 60)?;
        for key in Key::ALL {
            board.release(key)?;
        }
        board.run_for(SECOND / 4)
    });
    assert!(together.is_err(), "select was the last of them, and opens what was chosen");
    Ok(())
}

/// The game of two random bots when the first key comes so long after the start.
fn random_game(after: Duration, seed: Option<u64>) -> Result<String> {
    let mut board = Pico::start()?;
    assert_eq!(board.ask("bot random", SECOND)?, "=");
    if let Some(seed) = seed {
        assert_eq!(board.ask(&format!("set_random_seed {seed}"), SECOND)?, "=");
    }
    board.run_for(after)?;
    for color in ["b", "w"].repeat(4) {
        assert!(board.ask(&format!("genmove {color}"), SECOND)?.starts_with("= "));
    }
    board.ask("moves", SECOND)
}

#[test]
fn random_choices_depend_on_when_somebody_comes_unless_there_is_a_seed() -> Result<()> {
    let (soon, later) = (SECOND / 10, SECOND / 10 + SECOND / 500);
    assert_ne!(random_game(soon, None)?, random_game(later, None)?);
    assert_eq!(random_game(soon, Some(4))?, random_game(later, Some(4))?);
    Ok(())
}

/// Whoever is on the line can't turn the board into a drive without somebody at its keys.
#[test]
fn only_a_real_key_makes_it_a_drive() -> Result<()> {
    const ASKED: &str = "# bootsel? press a key on the device within 10 s\r\n";
    let mut board = Pico::start()?;
    assert!(board.ask("bootsel", SECOND)?.starts_with("? it ends the game"));
    board.send(b"1 bootsel yes\n2 key select\n")?;
    board.receive_until(ASKED, SECOND)?;
    assert_eq!(
        board.receive_until("=2 \n\n", 11 * SECOND)?,
        "?1 not allowed: no key was pressed on the device\n\n=2 \n\n"
    );
    assert_eq!(board.cut()?, None, "it goes on");
    // Nobody is asked for a while.
    board.run_for(20 * SECOND)?;
    board.send(b"3 bootsel yes\n")?;
    board.receive_until(ASKED, SECOND)?;
    board.run_for(SECOND / 2)?;
    board.tap(Key::Down)?;
    board.receive_until("=3 \n\n", SECOND)?;
    board.run_for(SECOND)?;
    assert_eq!(board.cut()?, Some(Cut::Quiet), "the boot ROM has taken over");
    Ok(())
}

/// What `stats` says of the processor, of the start and of failures.
fn processor_start_failure(board: &mut Pico) -> Result<[String; 3]> {
    let stats = board.ask("stats", SECOND)?;
    let line = |name: &str| stats.lines().find_map(|line| line.strip_prefix(name));
    let lines = ["processor ", "start ", "failure "].map(|name| line(name).map(str::to_owned));
    let [Some(processor), Some(start), Some(failure)] = lines else { bail!("{stats}") };
    Ok([processor, start, failure])
}

#[test]
fn the_processors_speed_is_a_setting_for_the_next_start() -> Result<()> {
    let mut board = Pico::start()?;
    board.run_for(SECOND / 4)?;
    assert_eq!(processor_start_failure(&mut board)?, ["200 MHz", "power on", "none"]);
    for (before, after) in [("200 MHz", "125 MHz"), ("125 MHz", "200 MHz")] {
        // The settings, and their last row.
        for key in [Key::Select, Key::Up, Key::Up, Key::Select, Key::Up, Key::Right] {
            board.tap(key)?;
        }
        board.run_for(SECOND)?;
        assert_eq!(processor_start_failure(&mut board)?, [before, "power on", "none"]);
        board.restart(false)?;
        board.run_for(SECOND)?;
        assert_eq!(processor_start_failure(&mut board)?, [after, "power on", "none"]);
    }
    Ok(())
}

#[test]
fn a_chip_that_stops_at_full_speed_runs_at_the_lower_one() -> Result<()> {
    let mut board = Pico::start()?;
    board.weaken()?;
    for _ in 0..2 {
        board.restart(false)?;
        // The watchdog notices.
        board.run_for(8 * SECOND)?;
        let told = processor_start_failure(&mut board)?;
        assert_eq!(told, ["125 MHz, 200 MHz failed", "power on", "none"]);
    }
    // A setting that can't be had does not restart it.
    assert_eq!(board.ask("genmove b", 5 * SECOND)?.len(), "= d3".len());
    Ok(())
}
