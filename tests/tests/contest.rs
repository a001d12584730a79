//! Contest games on the emulated boards: the real images against our host, over the UART and over
//! USB, both dialects, both seats, by the boards' own clocks.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use corvid_core::desk::{ClockFn, OwnDesk};
use corvid_core::engine::Opponent;
use corvid_core::icfpt::{Action, Dialect, Ending, Player, Referee, Seat};
use corvid_core::registry::{Bot, GameKind};
use corvid_core::session::Match;
use corvid_core::thinker::Thinker;
use corvid_tests::board::Board;
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rp2040::Pico;

const SOON: Duration = Duration::from_secs(2);

/// The time limit of a move by the rules, less the board's margin of 50 ms.
const MOVE_MILLIS: u32 = 950;

/// The length of the answer to a message in bytes.
fn answer_length(message: &str) -> usize {
    match message {
        "0" => 3,
        "9" => 0,
        _ => 4,
    }
}

/// A bot on the host, as the board's opponent.
struct Bystander {
    player: Player,
    desk: OwnDesk<'static>,
}

impl Bystander {
    fn new(dialect: Dialect) -> Self {
        let mut thinker = Thinker::new(&mut []);
        thinker.seed(7);
        let desk = OwnDesk::new(Match::default(), thinker, (|| 0) as ClockFn);
        Self { player: Player::new(dialect), desk }
    }

    fn answer(&mut self, message: &str) -> Result<String> {
        let mut out = String::new();
        let bot = Bot::from_name(GameKind::BlokusDuo, "largest").context("no such bot")?;
        for byte in message.bytes() {
            self.player.push(byte, &mut self.desk, Opponent::Bot(bot), &mut out)?;
        }
        Ok(out)
    }
}

/// Plays a game in which the board has this seat, for at most so many of its moves; returns how it
/// ended, if it did.
fn play(
    board: &mut impl Board,
    dialect: Dialect,
    seat: Seat,
    first: Seat,
    most: usize,
) -> Result<Option<Ending>> {
    let mut other = Bystander::new(dialect);
    let mut referee = Referee::new(dialect, first);
    let mut moves = 0;
    loop {
        // The board's own clock measures the time; this one stands still.
        match referee.poll(0) {
            Action::Send(to, text) => {
                let answer = if to != seat {
                    other.answer(&text)?
                } else if text.len() > 1 && moves == most {
                    board.send(b"9")?;
                    return Ok(None);
                } else {
                    moves += usize::from(text.len() > 1);
                    board.send(text.as_bytes())?;
                    board.receive(answer_length(&text), SOON)?
                };
                answer.bytes().for_each(|byte| referee.receive(to, byte, 0));
            }
            Action::Wait(_) => anyhow::bail!("the referee waits for nobody: {referee:?}"),
            Action::Over => {
                let verdict = referee.verdict().context("a game that is over")?;
                ensure!(referee.unasked(seat) == 0, "the board sent more than it was asked for");
                return Ok(Some(verdict.ending.clone()));
            }
        }
    }
}

/// Lets the board speak the contest's protocol for some games, and returns the slowest answer in
/// milliseconds by its own clock.
fn contest(
    board: &mut impl Board,
    level: u8,
    dialect: Dialect,
    games: impl FnOnce(&mut dyn FnMut(Seat, Seat, usize) -> Result<Option<Ending>>) -> Result<()>,
) -> Result<u32> {
    board.ask(&format!("level {level}"), SOON)?;
    board.ask(&format!("icfpt {}", dialect.name()), SOON)?;
    games(&mut |seat, first, most| play(board, dialect, seat, first, most))?;
    board.send(b"\x03\x03")?;
    board.receive_until("# the contest is over\r\n", SOON)?;
    let stats = board.ask("stats", SOON)?;
    let longest = stats.lines().find_map(|line| line.strip_prefix("contest ")?.strip_suffix(" ms"));
    Ok(longest.context(stats.clone())?.parse()?)
}

/// Full games of each dialect in each seat; player 1 begins.
fn full_games(board: &mut impl Board, level: u8) -> Result<()> {
    for dialect in [Dialect::Y2014, Dialect::Y2013] {
        let longest = contest(board, level, dialect, |play| {
            for seat in Seat::BOTH {
                let ending = play(seat, Seat::One, usize::MAX)?;
                ensure!(ending == Some(Ending::Played), "{dialect:?} {seat:?}: {ending:?}");
            }
            Ok(())
        })?;
        ensure!(longest < MOVE_MILLIS, "{dialect:?}: an answer took {longest} ms");
    }
    // The game is still on the table.
    ensure!(board.ask("showboard", SOON)?.contains("blue (X)"), "the game is on the table");
    Ok(())
}

#[test]
fn full_games_over_the_uart() -> Result<()> {
    full_games(&mut Lm3s6965evb::start()?, 3)
}

#[test]
fn full_games_over_usb() -> Result<()> {
    // An emulated Pico is slow, so at the easiest level.
    full_games(&mut Pico::start()?, 1)
}

#[test]
fn the_strongest_level_answers_in_time_over_the_uart() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    let longest = contest(&mut board, 9, Dialect::Y2014, |play| {
        let ending = play(Seat::Two, Seat::Two, usize::MAX)?;
        ensure!(ending == Some(Ending::Played), "{ending:?}");
        Ok(())
    })?;
    ensure!((800..MOVE_MILLIS).contains(&longest), "an answer took {longest} ms");
    Ok(())
}

#[test]
fn the_strongest_level_answers_in_time_over_usb() -> Result<()> {
    let mut board = Pico::start()?;
    let longest = contest(&mut board, 9, Dialect::Y2013, |play| {
        play(Seat::One, Seat::One, 1)?;
        Ok(())
    })?;
    // It answers before its time is up when no other move can catch up any more.
    ensure!((400..MOVE_MILLIS).contains(&longest), "an answer took {longest} ms");
    Ok(())
}
