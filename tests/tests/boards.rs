//! The real images on emulated boards: one set of scenarios, run on each board.
use anyhow::{Result, ensure};
use corvid_core::lines::LINE_CAPACITY;
use corvid_firmware::keys::Press;
use corvid_tests::{
    board::{Board, Key},
    host::Host,
    qemu::Lm3s6965evb,
    rp2040::Pico,
    rp2350::Pico2,
    sabotage::Sabotage,
    twin::Twin,
};
use std::time::Duration;

/// Enough for any answer that needs no search.
const SOON: Duration = Duration::from_secs(2);

/// Enough for the longest count below.
const LONG: Duration = Duration::from_secs(60);

/// Makes each scenario a test on every board.
macro_rules! scenarios {
    ($($scenario:ident)*) => {
        scenarios!(lm3s6965evb, Lm3s6965evb: $($scenario)*);
        scenarios!(pico, Pico: $($scenario)*);
        scenarios!(pico2, Pico2: $($scenario)*);
    };
    ($module:ident, $board:ty: $($scenario:ident)*) => {
        mod $module {
            use super::*;
            $(
                #[test]
                fn $scenario() -> Result<()> {
                    super::$scenario(&mut <$board>::start()?)
                }
            )*
        }
    };
}

scenarios! {
    the_start_screen_appears
    every_key_does_what_it_means
    answers_equal_the_hosts
    searched_moves_equal_the_hosts
    keys_work_while_the_board_counts
    keys_do_not_disturb_a_count
    lines_sent_ahead_are_all_answered
    bad_input_is_answered_or_skipped
    only_answers_are_sent
}

fn the_start_screen_appears(board: &mut impl Board) -> Result<()> {
    board.expect_screen("start")
}

fn every_key_does_what_it_means(board: &mut impl Board) -> Result<()> {
    let mut twin = Twin::new(board)?;
    twin.check()?;
    for press in [Press::Select, Press::Down, Press::Up, Press::Select, Press::Right, Press::Left] {
        let before = twin.board.screen()?;
        twin.press(&[press])?;
        ensure!(twin.board.screen()? != before, "{press:?} does nothing");
    }
    twin.press(&[Press::Menu])
}

fn answers_equal_the_hosts(board: &mut impl Board) -> Result<()> {
    let mut host = Host::like(&board.profile()?);
    let lines = [
        "name",
        "version",
        "protocol_version",
        "17 known_command perft",
        "perft 3",
        "perft 5",
        "set_game adjacency",
        "perft 2",
        "set_game dots",
        "perft 2",
        "set_game Blokus Duo",
        "perft 1",
        "set_game Blokus",
        "perft 2",
        "showboard",
        "set_game Othello",
        "play b f5",
        "play w f5",
        "play w f6",
        "showboard",
        "undo",
        "perft 4",
        "no_such_command",
    ];
    for line in lines {
        assert_eq!(board.ask(line, LONG)?, host.ask(line), "{line}");
    }
    Ok(())
}

/// With a seed and a budget in nodes the search plays the same everywhere.
fn searched_moves_equal_the_hosts(board: &mut impl Board) -> Result<()> {
    let mut host = Host::like(&board.profile()?);
    let seed = "set_random_seed 3";
    assert_eq!(board.ask(seed, SOON)?, host.ask(seed));
    for (game, nodes) in [("othello", 200), ("adjacency", 200), ("dots", 100), ("blokus-duo", 30)] {
        let set = [format!("set_game {game}"), format!("nodes {nodes}")];
        let moves = ["genmove b", "genmove w", "genmove b", "genmove w", "moves"];
        for command in set.iter().map(String::as_str).chain(moves) {
            assert_eq!(board.ask(command, LONG)?, host.ask(command), "{game}: {command}");
        }
    }
    Ok(())
}

fn keys_work_while_the_board_counts(board: &mut impl Board) -> Result<()> {
    let mut twin = Twin::new(board)?;
    twin.check()?;
    // Hours of work, so it is certain to be busy.
    assert_eq!(twin.board.ask("name\nperft 12", SOON)?, "= Corvid");
    twin.press(&[Press::Select, Press::Down])?;
    twin.press(&[Press::Down, Press::Select])?;
    ensure!(twin.board.receive_until("\n", Duration::ZERO).is_err(), "the count can't be done");
    Ok(())
}

fn keys_do_not_disturb_a_count(board: &mut impl Board) -> Result<()> {
    board.expect_screen("start")?;
    board.send(b"perft 7\n")?;
    board.tap(Key::Up)?;
    board.tap(Key::Down)?;
    assert_eq!(board.receive_until("\n\n", LONG)?, "= perft 7 55092\n\n");
    board.expect_screen("menu-second")
}

fn lines_sent_ahead_are_all_answered(board: &mut impl Board) -> Result<()> {
    // They arrive while the first is being answered.
    board.send(b"1 perft 5\n2 name\n3 perft 4\n4 protocol_version\n")?;
    let expected = "=1 perft 5 1396\n\n=2 Corvid\n\n=3 perft 4 244\n\n=4 2\n\n";
    assert_eq!(board.receive_until("=4 2\n\n", LONG)?, expected);
    Ok(())
}

fn bad_input_is_answered_or_skipped(board: &mut impl Board) -> Result<()> {
    assert_eq!(board.ask("play b d3", SOON)?, "=");

    // Line ends of other systems and of terminals, empty lines, comments.
    board.send(b"\r\n\n   \n# comment\n")?;
    assert_eq!(board.ask("name\r", SOON)?, "= Corvid");
    board.send(b"name\r")?;
    assert_eq!(board.receive_until("\n\n", SOON)?, "= Corvid\n\n");

    // Noise, with every byte there is but the line feed.
    let noise: Vec<u8> = (0..=255).filter(|&byte| byte != b'\n').collect();
    board.send(&noise)?;
    ensure!(board.ask("", SOON)?.starts_with('?'), "noise is refused");

    // A line that no buffer holds.
    board.send(&[b'x'; 3 * LINE_CAPACITY])?;
    ensure!(board.ask("", SOON)?.starts_with('?'), "a line that is too long is refused");

    // The game is unchanged.
    assert_eq!(board.ask("moves", SOON)?, "= d3");
    assert_eq!(board.ask("play w c3", SOON)?, "=");
    Ok(())
}

fn only_answers_are_sent(board: &mut impl Board) -> Result<()> {
    board.expect_screen("start")?;
    // Both are logged.
    board.tap(Key::Up)?;
    board.tap(Key::Down)?;
    assert_eq!(board.ask("name", SOON)?, "= Corvid");
    board.run_for(SOON / 4)?;
    ensure!(board.receive_until("\n", Duration::ZERO).is_err(), "the board sent more than answers");
    Ok(())
}

#[test]
fn a_picos_runs_are_the_same_to_the_bit() -> Result<()> {
    runs_are_the_same(Pico::start, "perft 4\ncputime\n")
}

#[test]
fn a_pico2s_runs_are_the_same_to_the_bit() -> Result<()> {
    runs_are_the_same(Pico2::start, "perft 5\ncputime\n")
}

/// Two runs with the same inputs, where the board's time only passes on request.
fn runs_are_the_same<B: Board>(start: fn() -> Result<B>, commands: &str) -> Result<()> {
    const SECOND: Duration = Duration::from_secs(1);
    let run = || -> Result<_> {
        let mut board = start()?;
        board.send(commands.as_bytes())?;
        board.run_for(SECOND / 4)?;
        board.tap(Key::Up)?;
        let answers =
            board.receive_until("\n\n", SECOND)? + &board.receive_until("\n\n", SECOND)?;
        Ok((answers, board.screen()?))
    };
    assert_eq!(run()?, run()?);
    Ok(())
}

/// On a Pico W these belong to the radio, and the first of them switches it on.
const PINS_OF_THE_RADIO: [u32; 4] = [23, 24, 25, 29];

/// A pin that nothing uses: what its registers hold is how the chip starts, with an input that is pulled
/// down.
const UNUSED: u32 = 22;

fn the_radio_stays_off(board: &mut impl Sabotage, io: u32, pads: u32) -> Result<()> {
    board.expect_screen("start")?;
    let mut registers = |pin: u32| -> Result<_> {
        Ok((board.read_words(io + 8 * pin + 4, 1)?, board.read_words(pads + 4 * pin + 4, 1)?))
    };
    let untouched = registers(UNUSED)?;
    ensure!(registers(4)? != untouched, "the display's data line looks unused");
    for pin in PINS_OF_THE_RADIO {
        let seen = registers(pin)?;
        ensure!(seen == untouched, "GP{pin} is set up: {seen:x?}, not {untouched:x?}");
    }
    Ok(())
}

#[test]
fn on_a_pico_w_the_radio_stays_off() -> Result<()> {
    the_radio_stays_off(&mut Pico::start()?, 0x4001_4000, 0x4001_c000)
}

#[test]
fn on_a_pico_2_w_the_radio_stays_off() -> Result<()> {
    the_radio_stays_off(&mut Pico2::start()?, 0x4002_8000, 0x4003_8000)
}
