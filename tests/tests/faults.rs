//! Ten thousand faults on the line, to the console and to the contest's player: the game stays
//! whole, and the next good command is answered.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::Cell;
use std::time::Duration;

use corvid_core::bots::Bot;
use corvid_core::console::Console;
use corvid_core::engine::{Opponent, Thinking};
use corvid_core::game::Notation;
use corvid_core::gtp::{Gtp, Hardware};
use corvid_core::icfpt::{Action, Dialect, Ending, Event, MOVE_MICROS, Player, Referee, Seat};
use corvid_core::mix::Rng;
use corvid_core::session::AnyMatch;
use corvid_core::setup::{GameKind, Setup};
use corvid_tests::faults::{BYTE_TIME, Injector};

const FAULTS: u32 = 5_000;

thread_local! {
    /// The time of the test that runs in this thread.
    static NOW: Cell<u64> = const { Cell::new(0) };
}

fn now() -> u64 {
    NOW.get()
}

fn pass(time: Duration) {
    NOW.set(NOW.get() + time.as_micros() as u64);
}

struct Board;

impl Hardware for Board {
    fn board(&self) -> Option<&'static str> {
        Some("test")
    }

    fn write_screen(&mut self, _: &mut dyn std::fmt::Write) -> std::fmt::Result {
        Ok(())
    }

    fn press(&mut self, _: &str) -> bool {
        true
    }

    fn write_stats(&mut self, _: &mut dyn std::fmt::Write) -> std::fmt::Result {
        Ok(())
    }

    fn has_bootsel(&self) -> bool {
        false
    }
}

/// The bytes of a console's answer, which come as the line's bytes do.
fn hear(console: &mut Console, bytes: &[(Duration, u8)]) -> String {
    let mut out = String::new();
    for &(pause, byte) in bytes {
        pass(pause / 2);
        console.idle(&Board, &mut out).unwrap();
        pass(pause / 2);
        console.idle(&Board, &mut out).unwrap();
        console.push(byte, &mut Board, &mut out).unwrap();
    }
    out
}

fn clean(message: &[u8]) -> Vec<(Duration, u8)> {
    message.iter().map(|&byte| (BYTE_TIME, byte)).collect()
}

fn moves(game: &AnyMatch) -> String {
    let mut text = String::new();
    game.session().write_moves(Notation::Plain, ' ', &mut text).unwrap();
    text
}

/// A command that means something in this game.
fn some_command(game: &AnyMatch, rng: &mut Rng) -> String {
    let session = game.session();
    let color = session.colors()[session.turn().index()].name;
    match rng.below(8) {
        0 => "undo".into(),
        1 => "showboard".into(),
        2 => "moves".into(),
        3 => "12 final_score".into(),
        4 => {
            let kind = GameKind::ALL[rng.below(5) as usize];
            format!("new {}", Setup::usual(kind))
        }
        5 => format!("genmove {color}"),
        _ => {
            let mut legal = String::new();
            session.write_legal(session.turn(), Notation::Plain, &mut legal).unwrap();
            let legal: Vec<_> = legal.lines().collect();
            match legal.is_empty() {
                true => format!("play {color} pass"),
                false => {
                    format!("play {color} {}", legal[rng.below(legal.len() as u32) as usize])
                }
            }
        }
    }
}

/// What a game must be, however it came about: its moves lead to its position.
fn check_whole(game: &AnyMatch, context: &str) {
    let mut again = AnyMatch::new(game.setup());
    for mv in moves(game).split_ascii_whitespace() {
        again.session_mut().play_next(mv).unwrap_or_else(|why| panic!("{context}: {mv}: {why:?}"));
    }
    let position = |game: &AnyMatch| {
        let mut text = String::new();
        game.session().write_position(&mut text).unwrap();
        text
    };
    assert_eq!(position(&again), position(game), "{context}");
}

#[test]
fn the_console_refuses_or_obeys_and_goes_on() {
    let mut injector = Injector::new(1);
    let mut console = Console::new(now, vec![0; 64].leak());
    hear(&mut console, &clean(b"nodes 1\n"));
    let (mut refused, mut done) = (0, 0);
    while injector.faults < FAULTS {
        if injector.faults == FAULTS / 2 {
            hear(&mut console, &clean(b"\x03echo off\n"));
        }
        let before = console.game().clone();
        let command = some_command(&before, injector.rng());
        let arriving = injector.spoil(format!("{command}\n").as_bytes());
        let context = format!("{command}: {arriving:?}");
        let answer = hear(&mut console, &arriving);
        if answer.contains("? ") {
            refused += 1;
            assert!(answer.ends_with("\n"), "{context}: {answer:?}");
            if !command.starts_with("new") {
                assert_eq!(moves(console.game()), moves(&before), "{context}");
            }
        } else {
            done += 1;
        }
        check_whole(console.game(), &context);
        // Whatever is left of the line ends here; a person's echo may come before the answer.
        pass(Duration::from_secs(1));
        let lost = hear(&mut console, &clean(b"\n"));
        assert!(lost.is_empty() || lost.ends_with('\n'), "{context}: {lost:?}");
        check_whole(console.game(), &context);
        let answer = hear(&mut console, &clean(b"7 name\n")).replace('\r', "");
        assert_eq!(answer, "=7 Corvid\n\n", "{context}");
        // It may have been told, by accident, to play for a second a move.
        hear(&mut console, &clean(b"nodes 1\n"));
    }
    assert!(refused > 500 && done > 500, "{refused} refused, {done} done");
}

/// A contest player at the end of a line.
struct Desk {
    player: Player,
    game: AnyMatch,
    rng: Rng,
}

impl Desk {
    fn new(dialect: Dialect, seed: u64) -> Self {
        Self { player: Player::new(dialect), game: AnyMatch::default(), rng: Rng::new(seed) }
    }

    fn hear(&mut self, bytes: &[(Duration, u8)]) -> String {
        let mut out = String::new();
        for &(pause, byte) in bytes {
            pass(pause);
            let before = moves(&self.game);
            let mut thinking = Thinking {
                memory: &mut [],
                rng: &mut self.rng,
                clock: &now,
                micros: u64::MAX,
                stop: None,
            };
            let said = out.len();
            let bot = Opponent::Bot(Bot::Random);
            let event = self.player.push(byte, &mut self.game, bot, &mut thinking, &mut out);
            match event.unwrap() {
                Event::Moved => assert_eq!(out.len() - said, 4, "{out}"),
                Event::Greeted => assert_eq!(&out[said..], "1CV"),
                Event::Refused(why) => {
                    assert!(!why.long().is_empty());
                    assert_eq!(moves(&self.game), before, "refused, so nothing has changed");
                }
                Event::Nothing | Event::Over => assert_eq!(moves(&self.game), before),
            }
        }
        out
    }
}

/// A contest game in which one in so many messages to player 2 is spoilt; none if that is 0.
fn contest(
    dialect: Dialect,
    desks: &mut [Desk; 2],
    injector: &mut Injector,
    one_in: u32,
) -> Ending {
    let mut referee = Referee::new(dialect, Seat::BOTH[injector.rng().below(2) as usize]);
    loop {
        match referee.poll(now()) {
            Action::Send(seat, text) => {
                let spoilt = seat == Seat::Two && one_in > 0 && injector.rng().below(one_in) == 0;
                let arriving = match spoilt {
                    true => injector.spoil(text.as_bytes()),
                    false => clean(text.as_bytes()),
                };
                let answer = desks[seat as usize].hear(&arriving);
                answer.bytes().for_each(|byte| referee.receive(seat, byte, now()));
            }
            Action::Wait(until) => NOW.set(until.max(now()) + 1),
            Action::Over => return referee.verdict().unwrap().ending.clone(),
        }
    }
}

#[test]
fn the_contest_player_is_silent_or_answers_and_plays_the_next_game() {
    let mut injector = Injector::new(2);
    let (mut games, mut spoilt) = (0, 0);
    while injector.faults < FAULTS {
        for dialect in [Dialect::Y2014, Dialect::Y2013] {
            let mut desks =
                [3, 4].map(|seed| Desk::new(dialect, seed + u64::from(injector.faults)));
            for _ in 0..5 {
                games += 1;
                let ending = contest(dialect, &mut desks, &mut injector, 3);
                spoilt += u32::from(ending != Ending::Played);
                pass(Duration::from_secs(1));
                assert_eq!(desks[1].hear(&clean(b"0")), "1CV");
                pass(Duration::from_micros(MOVE_MICROS));
                let ending = contest(dialect, &mut desks, &mut injector, 0);
                assert_eq!(ending, Ending::Played, "a game without faults after one with them");
            }
        }
    }
    assert!(spoilt > games / 2, "{spoilt} of {games} games were spoilt");
}

#[test]
fn both_dialects_mixed_up_harm_nothing() {
    let mut injector = Injector::new(5);
    for (spoken, heard) in [(Dialect::Y2014, Dialect::Y2013), (Dialect::Y2013, Dialect::Y2014)] {
        for seed in 0..20 {
            let mut desks = [Desk::new(spoken, seed), Desk::new(heard, seed)];
            contest(spoken, &mut desks, &mut injector, 0);
            pass(Duration::from_secs(1));
            assert_eq!(desks[1].hear(&clean(b"0")), "1CV");
        }
    }
}

#[test]
fn moves_for_a_finished_game_are_refused() {
    let mut gtp = Gtp::new(now, vec![0; 64].leak()).with_opponent(Opponent::Bot(Bot::Random));
    let mut ask = |line: &str| {
        let mut out = String::new();
        gtp.line(line.as_bytes(), &mut out).unwrap();
        out
    };
    for kind in GameKind::ALL {
        ask(&format!("new {kind}"));
        let mut plies = 0;
        while plies < 400 && !ask("showboard").contains("game over") {
            ["1", "2", "3", "4", "b", "w"].iter().for_each(|color| {
                ask(&format!("genmove {color}"));
            });
            plies += 1;
        }
        let before = ask("moves");
        let first = before.trim_start_matches("= ").split(' ').next().unwrap().trim().to_owned();
        let answer = ask(&format!("play b {first}"));
        assert!(answer.starts_with("? illegal move: the game is over"), "{kind}: {answer}");
        assert_eq!(ask("genmove b"), "= pass\n\n", "{kind}");
        assert_eq!(ask("moves"), before, "{kind}");
    }
}
