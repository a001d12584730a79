//! Nothing that a board does for its serial port or its players locks out its user: commands run as
//! long as they take, Ctrl-C or the select key ends them, and the port answers meanwhile.
//!
//! Answers are timed by the board's clock while the board runs one millisecond at a time.
use anyhow::{Context, Result, ensure};
use corvid::reading::shows;
use corvid_tests::{
    board::{Board, Key},
    measure::SPARE,
    qemu::Lm3s6965evb,
    rp2040::Pico,
};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// How soon the serial port must answer, and whatever runs must end.
const ANSWERED: Duration = Duration::from_millis(100);

/// Longer than any task may be silent before the board restarts, including the restart.
const LONG: Duration = Duration::from_secs(11);

/// Ctrl-C.
const INTERRUPT: &[u8] = b"\x03";

/// A position of Adjacency that would take a board minutes to solve. The first ones are refused at once.
const FAR_FROM_THE_END: &str =
    "position --O-XXXOOOOX--XO---X-OOOX-X-OOO-X--O-O-OXXOOXXXXXOO---XXXX--O-XX X 22";

/// A time that a GTP controller may send to mean no limit.
const ENDLESS: &str = "time_settings 4294967295 0 0";

/// Dots and Boxes where every line left gives boxes away: `chain-minimax` takes many seconds.
const DOTS: [&str; 2] =
    ["new dots 10x10", "position 21575f36d4595762ad44718a2a87f38f10016fac44a7143fc627b6f"];

/// A board with a program on its serial port.
fn start() -> Result<Lm3s6965evb> {
    let mut board = Lm3s6965evb::start_in_real_time()?;
    assert_eq!(board.ask("echo off", SECOND)?, "=");
    Ok(board)
}

fn ask_all(board: &mut impl Board, commands: &[&str]) -> Result<()> {
    for command in commands {
        let answer = board.ask(command, SECOND)?;
        ensure!(answer.starts_with('='), "{command}: {answer}");
    }
    Ok(())
}

/// Without the notices between answers and the empty line at the end.
fn without_notices(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().filter(|line| !line.starts_with("# ")).collect();
    lines.join("\n").trim_start().to_owned()
}

/// The answer to a command, which must come soon.
fn ask_soon(board: &mut Lm3s6965evb, command: &str) -> Result<String> {
    let line = format!("{command}\n");
    let (text, _) =
        board.timed(line.as_bytes(), "\n\n", ANSWERED).with_context(|| command.to_owned())?;
    Ok(without_notices(&text))
}

fn check_stopped(text: &str) -> Result<()> {
    let answer = without_notices(text);
    ensure!(answer.starts_with('?') && answer.contains("stopped"), "answered {answer:?}");
    Ok(())
}

/// Ends the running command with Ctrl-C.
fn interrupt(board: &mut Lm3s6965evb) -> Result<()> {
    let (text, time) = board.timed(INTERRUPT, "\n\n", ANSWERED).context("Ctrl-C")?;
    println!("stopped after {time:?}");
    check_stopped(&text)
}

/// The line of `stats` with this name.
fn stat(board: &mut impl Board, name: &str) -> Result<String> {
    let stats = board.ask("stats", SECOND)?;
    let line = stats.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    Ok(line.with_context(|| format!("no {name} in {stats}"))?.to_owned())
}

/// The board's view of the game.
fn game(board: &mut impl Board) -> Result<[String; 3]> {
    Ok([stat(board, "game")?, board.ask("moves", SECOND)?, board.ask("position", SECOND)?])
}

/// A command that takes longer than any task may be silent: it is answered eventually, or runs
/// until Ctrl-C, and the board does not restart.
fn survives(commands: &[&str], command: &str, time: Duration) -> Result<()> {
    let mut board = start()?;
    ask_all(&mut board, commands)?;
    let (before, begun) = (game(&mut board)?, board.time()?);
    board.send(format!("{command}\n").as_bytes())?;
    match board.receive_until("\n\n", time) {
        Ok(answer) => ensure!(without_notices(&answer).starts_with("= "), "{answer:?}"),
        Err(_) => {
            ensure!(board.time()? >= begun + time, "the board started again in {command}");
            interrupt(&mut board)?;
            assert_eq!(game(&mut board)?, before);
        }
    }
    assert_eq!(stat(&mut board, "failure")?, "none");
    ensure!(board.time()? > begun, "the board started again in {command}");
    let (used, all) = board.stack()?;
    ensure!(used + SPARE <= all, "{command} takes {used} of {all} bytes of stack");
    Ok(())
}

#[test]
fn a_long_count_is_no_failure() -> Result<()> {
    survives(&["new othello", "play b d3"], "perft 10", LONG)
}

#[test]
fn a_search_of_many_nodes_is_no_failure() -> Result<()> {
    survives(&["new othello", "play b d3", "nodes 400000"], "genmove w", LONG)
}

#[test]
fn a_search_of_many_simulations_is_no_failure() -> Result<()> {
    survives(&["new blokus-duo", "nodes 8000"], "genmove b", 2 * LONG)
}

#[test]
fn a_slow_bot_is_no_failure() -> Result<()> {
    survives(&[DOTS[0], DOTS[1], "bot chain-minimax"], "genmove b", LONG)
}

/// Searches ever deeper: the search must bound its recursion by the available stack. Without a
/// bound, this takes 290 s.
#[test]
fn a_deep_search_is_no_failure() -> Result<()> {
    const POSITION: &str = "position 7d5fff55eabd56aa901202404fa9e0fffff807ff805febf4fcffde0";
    let commands = ["new dots 10x10", POSITION, "level 9", "time_settings 300000 0 0"];
    survives(&commands, "reg_genmove b", 300 * SECOND)
}

/// Instants at which a command is interrupted: as it starts and when it is well under way.
const INSTANTS: [Duration; 3] =
    [Duration::ZERO, Duration::from_millis(70), Duration::from_millis(900)];

/// Ctrl-C ends a command soon, at any instant; the game is as before and the next command answered.
fn ends(commands: &[&str], command: &str) -> Result<()> {
    let mut board = start()?;
    ask_all(&mut board, commands)?;
    let before = game(&mut board)?;
    for instant in INSTANTS {
        board.send(format!("{command}\n").as_bytes())?;
        board.run_for(instant)?;
        interrupt(&mut board).with_context(|| format!("{command}, after {instant:?}"))?;
        assert_eq!(ask_soon(&mut board, "7 name")?, "=7 Corvid");
        assert_eq!(game(&mut board)?, before, "{command}");
    }
    assert_eq!(stat(&mut board, "failure")?, "none");
    Ok(())
}

/// Makes each command that never ends a test.
macro_rules! ctrl_c_ends {
    ($($name:ident: $commands:expr, $command:literal;)*) => {
        mod ctrl_c_ends {
            use super::*;
            $(
                #[test]
                fn $name() -> Result<()> {
                    ends(&$commands, $command)
                }
            )*
        }
    };
}

ctrl_c_ends! {
    a_move_without_a_time_limit: ["play b d3", "level 9", ENDLESS], "genmove w";
    a_hint: ["new adjacency", ENDLESS], "hint";
    a_count: ["new blokus-duo"], "perft 12";
    a_solution: ["new adjacency", FAR_FROM_THE_END], "solve";
    // On the empty board it takes longest.
    a_bot: [DOTS[0], "bot chain-minimax"], "genmove b";
    nodes_of_othello: ["nodes 4000000000"], "genmove b";
    nodes_of_adjacency: ["new adjacency", "nodes 4000000000"], "reg_genmove b";
    nodes_of_dots: ["new dots 10x10", "nodes 4000000000"], "genmove b";
    simulations_of_duo: ["new blokus-duo", "nodes 4000000000"], "genmove b";
    simulations_of_classic: ["new blokus-classic", "nodes 4000000000"], "genmove 1";
}

/// The bot takes the Pico some milliseconds for each move that it ranks.
#[test]
fn ctrl_c_ends_a_bot_that_ranks_moves() -> Result<()> {
    let mut board = Pico::start()?;
    ask_all(
        &mut board,
        &["echo off", "new blokus-duo own", "nodes 1", "genmove blue", "bot hybrid:seed"],
    )?;
    for milliseconds in [150, 200, 250, 300] {
        board.send(b"genmove green\n")?;
        board.run_for(Duration::from_millis(milliseconds))?;
        board.send(INTERRUPT)?;
        check_stopped(&board.receive_until("\n\n", ANSWERED)?)?;
    }
    Ok(())
}

/// The wait for a key on the device is no lock-out either.
#[test]
fn ctrl_c_ends_a_question() -> Result<()> {
    for instant in INSTANTS {
        let mut board = start()?;
        assert_eq!(board.ask("play b d3", SECOND)?, "=");
        board.send(b"reboot\n")?;
        board.receive_until("press a key on the device within 10 s\r\n", SECOND)?;
        board.run_for(instant)?;
        let (text, time) = board.timed(INTERRUPT, "\n\n", ANSWERED)?;
        println!("stopped after {time:?}");
        assert_eq!(without_notices(&text), "? not allowed: no key was pressed on the device");
        assert_eq!(ask_soon(&mut board, "7 name")?, "=7 Corvid");
        assert_eq!(board.ask("moves", SECOND)?, "= d3", "it has not started again");
    }
    Ok(())
}

#[test]
fn ctrl_c_comes_before_lines_sent_ahead() -> Result<()> {
    let mut board = start()?;
    board.send(b"perft 12\nname\n")?;
    board.run_for(SECOND / 2)?;
    interrupt(&mut board)?;
    // The buffered line may be answered too.
    board.send(b"7 name\n")?;
    board.receive_until("=7 Corvid\n\n", SECOND)?;
    Ok(())
}

#[test]
fn times_are_capped_and_the_cap_is_said() -> Result<()> {
    let mut board = start()?;
    let answer = board.ask(ENDLESS, SECOND)?;
    ensure!(answer.starts_with("= ") && answer.contains("most"), "{answer}");
    let seconds =
        answer.split(|letter: char| !letter.is_ascii_digit()).find(|word| !word.is_empty());
    let seconds: u32 = seconds.with_context(|| answer.clone())?.parse()?;
    ensure!((1..=86_400).contains(&seconds), "{answer}");
    assert_eq!(board.ask("time_settings 60 0 0", SECOND)?, "=", "a usual time is no cap");
    Ok(())
}

/// Presses keys over the serial port: `right 3` is the right key three times.
fn press(board: &mut Lm3s6965evb, keys: &[&str]) -> Result<()> {
    for keys in keys {
        let (key, times) = keys.split_once(' ').unwrap_or((keys, "1"));
        for _ in 0..times.parse()? {
            assert_eq!(board.ask(&format!("key {key}"), SECOND)?, "=");
        }
    }
    Ok(())
}

/// Goes from the start screen to the board of the game on the serial port.
fn show_game(board: &mut Lm3s6965evb) -> Result<()> {
    board.ask("play b d3", SECOND)?;
    // To the menu, which then points at the game in progress.
    press(board, &["select 2"])?;
    expect_text(board, "white")
}

fn expect_text(board: &mut Lm3s6965evb, text: &str) -> Result<()> {
    board.expect(|screen| {
        ensure!(shows(&screen.frame(), text), "no '{text}' on the display");
        Ok(())
    })
}

/// How long the select key, which takes effect on release, is down: longer than it bounces, shorter
/// than a long press.
const HELD: Duration = Duration::from_millis(30);

#[test]
fn the_select_key_ends_a_serial_command() -> Result<()> {
    let mut board = start()?;
    show_game(&mut board)?;
    for (set, command) in [
        (&["level 9"][..], "perft 12"),
        (&[ENDLESS], "genmove w"),
        (&["nodes 4000000000"], "genmove w"),
        (&[ENDLESS], "hint"),
        (&["new adjacency", FAR_FROM_THE_END], "solve"),
    ] {
        ask_all(&mut board, set)?;
        let before = game(&mut board)?;
        board.send(format!("{command}\n").as_bytes())?;
        board.run_for(SECOND / 3)?;
        let stopped = board.timed_tap(Key::Select, HELD, "\n\n", HELD + ANSWERED);
        let (text, time) = stopped.with_context(|| command.to_owned())?;
        println!("{command} stopped after {time:?}");
        check_stopped(&text).with_context(|| command.to_owned())?;
        assert_eq!(game(&mut board)?, before, "{command}");
    }
    Ok(())
}

/// Starts the selected game. Only a real key does that: a key pressed over the serial port arrives
/// while the port holds the game.
fn start_game(board: &mut Lm3s6965evb) -> Result<()> {
    board.tap(Key::Select)?;
    expect_text(board, "lev 9")
}

/// Lets level 9 play Blokus Duo against itself, by the menus.
fn watch_duo(board: &mut Lm3s6965evb) -> Result<()> {
    // To the menu, to its row Watch, and to the game.
    press(board, &["select", "down 2", "select", "right 3"])?;
    // The first player has level 1, the second level 3.
    press(board, &["down", "right 8", "down", "right 6"])?;
    // The last row, which is the one above the first, starts the game.
    press(board, &["up 3"])?;
    start_game(board)
}

#[test]
fn the_port_answers_while_computers_play_each_other() -> Result<()> {
    let mut board = start()?;
    watch_duo(&mut board)?;
    let mut plies = 0;
    let mut answers = 0;
    for round in 0.. {
        for command in ["name", "showboard", "version", "stats"] {
            let line = format!("{command}\n");
            let asked = board.timed(line.as_bytes(), "\n\n", ANSWERED);
            let (text, _) = asked.with_context(|| format!("{command} after {plies} plies"))?;
            let answer = without_notices(&text);
            ensure!(answer.starts_with('='), "{command}: {answer}");
            answers += 1;
            if let Some(line) = answer.lines().find_map(|line| line.strip_prefix("plies ")) {
                plies = line.parse()?;
            }
            if command == "showboard" && answer.ends_with("game over") {
                ensure!(plies >= 20, "only {plies} plies");
                println!("{answers} answers in a game of {plies} plies");
                return Ok(());
            }
            // At various instants of a search.
            board.run_for(Duration::from_millis(230 + 37 * (round % 5)))?;
        }
    }
    Ok(())
}

/// A game of Adjacency against level 9, which has a minute for a move: a person holds X and moves
/// first.
fn play_adjacency(board: &mut Lm3s6965evb) -> Result<()> {
    // To the menu, to the settings, and to their row Thinking time: from 2 s back to 60 s.
    press(board, &["select", "up 2", "select", "down", "left 2"])?;
    expect_text(board, "60 s")?;
    // Back, and a new game; the second player has level 3.
    press(board, &["menu", "down 2", "select", "right", "down 2", "right 6", "up 3"])?;
    start_game(board)
}

/// The first of a colour's moves.
fn first_legal(board: &mut Lm3s6965evb, color: &str) -> Result<String> {
    let moves = board.ask(&format!("all_legal {color}"), SECOND)?;
    let first = moves.trim_start_matches('=').split_ascii_whitespace().next();
    Ok(first.with_context(|| format!("{color} has no move: {moves}"))?.to_owned())
}

/// A notice that level 9 has moved.
const REPLIED: &str = "# play O ";

/// The moves that were made.
fn plies(board: &mut Lm3s6965evb) -> Result<usize> {
    Ok(stat(board, "plies")?.parse()?)
}

/// A key that means *move now* is tapped so many milliseconds after a move, while the search for the
/// reply is about to begin: the reply comes at once.
fn no_key_is_lost(tap: fn(&mut Lm3s6965evb) -> Result<()>) -> Result<()> {
    let mut board = start()?;
    play_adjacency(&mut board)?;
    for trial in 0..24 {
        let mv = first_legal(&mut board, "b")?;
        let begun = plies(&mut board)?;
        board.timed(format!("play b {mv}\n").as_bytes(), "=", ANSWERED)?;
        board.run_exactly(Duration::from_millis(trial))?;
        tap(&mut board).with_context(|| format!("the key after {trial} ms is lost"))?;
        // What is left of the answers.
        board.run_for(ANSWERED)?;
        board.send(b"7 name\n")?;
        board.receive_until("=7 Corvid\n\n", SECOND)?;
        assert_eq!(plies(&mut board)?, begun + 2);
    }
    Ok(())
}

#[test]
fn a_key_is_not_lost_when_thinking_begins() -> Result<()> {
    no_key_is_lost(|board| {
        let (told, _) = board.timed(b"key select\n", REPLIED, ANSWERED)?;
        ensure!(!told.contains('?'), "{told}");
        Ok(())
    })
}

/// The same with the real key.
#[test]
fn a_real_key_is_not_lost_when_thinking_begins() -> Result<()> {
    no_key_is_lost(|board| {
        board.timed_tap(Key::Select, HELD, REPLIED, HELD + ANSWERED)?;
        Ok(())
    })
}

/// A move that is taken back while level 9 thinks about the answer: the search stops at once.
#[test]
fn a_position_that_is_gone_is_not_thought_out() -> Result<()> {
    let mut board = start()?;
    play_adjacency(&mut board)?;
    // A game that starts again over the serial port has no computers.
    let mv = first_legal(&mut board, "b")?;
    board.send(format!("play b {mv}\n").as_bytes())?;
    board.run_for(SECOND)?;
    board.timed(b"key select\n", REPLIED, ANSWERED)?;
    board.run_for(ANSWERED)?;
    board.send(b"7 name\n")?;
    board.receive_until("=7 Corvid\n\n", SECOND)?;
    for trial in 0..24 {
        let mv = first_legal(&mut board, "b")?;
        let before = game(&mut board)?;
        board.timed(format!("play b {mv}\n").as_bytes(), "=", ANSWERED)?;
        board.run_exactly(Duration::from_millis(trial))?;
        let undone = board.timed(b"7 undo\n", "=7 \n\n", ANSWERED);
        undone.with_context(|| format!("undo after {trial} ms"))?;
        assert_eq!(game(&mut board)?, before);
        // Level 9 moves neither here nor for the position that is gone.
        board.run_for(ANSWERED)?;
        assert_eq!(game(&mut board)?, before);
    }
    Ok(())
}

/// In the 2014 dialect: begin and cover (5,5).
const BEGIN: &str = "25";

#[test]
fn a_contests_host_is_answered_in_the_opponents_turn() -> Result<()> {
    let mut board = start()?;
    ask_all(&mut board, &["level 9", "icfpt 2014"])?;
    board.run_for(SECOND / 10)?;
    board.send(BEGIN.as_bytes())?;
    board.receive(4, 2 * SECOND)?;
    for _ in 0..20 {
        board.run_for(SECOND / 10)?;
        let (text, _) = board.timed(b"0", "1CV", ANSWERED)?;
        assert_eq!(text, "1CV");
    }
    Ok(())
}

/// Opponent's moves of a contest, which fit whatever the first player does far from them.
const REPLY: &str = "4aaa0";

#[test]
fn a_contest_game_survives_a_power_cut() -> Result<()> {
    let mut board = Pico::start()?;
    ask_all(&mut board, &["echo off", "level 1", "icfpt 2014"])?;
    board.run_for(SECOND / 10)?;
    board.send(BEGIN.as_bytes())?;
    board.receive(4, 2 * SECOND)?;
    board.send(REPLY.as_bytes())?;
    board.receive(4, 2 * SECOND)?;
    board.run_for(SECOND / 2)?;
    board.restart(false)?;
    board.run_for(SECOND)?;
    // In a contest whoever moves first may be on either start square.
    assert_eq!(stat(&mut board, "game")?, "blokus-duo any");
    assert_eq!(stat(&mut board, "plies")?, "3");
    let moves = board.ask("moves", SECOND)?;
    assert_eq!(moves.split(' ').count(), 1 + 3, "{moves}");
    Ok(())
}
