//! The Pico 2's real image: what it saves, and how soon it answers. The other tests of boards
//! (`boards`, `failure`, `same_search`) run it too.
use anyhow::Result;
use corvid_core::registry::GameKind;
use corvid_tests::{
    board::{Board, Key},
    measure::{ANSWERED, START, latency, start_to_menu},
    rp2350::Pico2,
};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// The most time in which Ctrl-C ends a search.
const STOPPED: Duration = Duration::from_millis(100);

#[test]
fn a_game_and_the_settings_are_there_after_a_power_cut() -> Result<()> {
    let mut board = Pico2::start()?;
    assert_eq!(board.ask("play b d3", SECOND)?, "=");
    assert_eq!(board.ask("play w c3", SECOND)?, "=");
    board.run_for(SECOND / 2)?;
    let position = board.ask("position", SECOND)?;
    board.restart(false)?;
    board.run_for(SECOND / 2)?;
    assert_eq!(board.ask("moves", SECOND)?, "= d3 c3");
    assert_eq!(board.ask("position", SECOND)?, position);
    let stats = board.ask("stats", SECOND)?;
    assert!(stats.contains("\nstart power on\n") && stats.contains("\nsaving yes"), "{stats}");

    // A new one has nothing saved.
    board.restart(true)?;
    assert_eq!(board.ask("moves", SECOND)?, "=");
    Ok(())
}

/// Every game is saved and restored, over several pages of flash.
#[test]
fn games_are_saved_until_pages_are_erased() -> Result<()> {
    let mut board = Pico2::start()?;
    for round in 0..40 {
        for kind in GameKind::ALL {
            assert_eq!(board.ask(&format!("set_game {kind}"), SECOND)?, "=", "round {round}");
        }
    }
    assert_eq!(board.ask("set_game dots", SECOND)?, "=");
    let mv = board.ask("all_legal b", SECOND)?;
    let mv = mv.split_ascii_whitespace().nth(1).unwrap_or_default();
    assert_eq!(board.ask(&format!("play b {mv}"), SECOND)?, "=");
    board.run_for(SECOND / 2)?;
    board.restart(false)?;
    assert_eq!(board.ask("moves", SECOND)?, format!("= {mv}"));
    Ok(())
}

#[test]
fn the_menu_is_there_soon_after_the_power() -> Result<()> {
    let time = start_to_menu(&mut Pico2::start()?)?;
    println!("{time:?}");
    assert!(time <= START, "{time:?}");
    Ok(())
}

#[test]
fn keys_are_answered_while_level_9_thinks() -> Result<()> {
    let time = latency(&mut Pico2::start()?)?;
    println!("{time:?}");
    assert!(time <= ANSWERED, "{time:?}");
    Ok(())
}

#[test]
fn ctrl_c_ends_every_search_soon() -> Result<()> {
    let mut board = Pico2::start()?;
    for kind in GameKind::ALL {
        assert_eq!(board.ask(&format!("set_game {kind}"), SECOND)?, "=");
        assert_eq!(board.ask("time_settings 0 60 1", SECOND)?, "=");
        let color = if kind == GameKind::BlokusClassic { "1" } else { "b" };
        for wait in [3, 210] {
            board.send(format!("reg_genmove {color}\n").as_bytes())?;
            board.run_for(Duration::from_millis(wait))?;
            board.send(b"\x03")?;
            let answer = board.receive_until("\n\n", STOPPED)?;
            assert!(answer.ends_with("? stopped\n\n"), "{kind} after {wait} ms: {answer}");
        }
    }
    assert_eq!(board.ask("name", SECOND)?, "= Corvid");
    Ok(())
}

#[test]
fn only_a_real_key_makes_it_a_drive() -> Result<()> {
    let mut board = Pico2::start()?;
    board.send(b"bootsel yes\n")?;
    board.receive_until("press a key on the device within 10 s\r\n", SECOND)?;
    board.run_for(SECOND / 2)?;
    assert!(!board.is_drive());
    board.tap(Key::Down)?;
    board.receive_until("= \n\n", SECOND)?;
    board.run_for(SECOND)?;
    assert!(board.is_drive(), "the boot ROM has taken over");
    Ok(())
}
