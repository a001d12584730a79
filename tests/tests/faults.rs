//! Ten thousand faults on the line, to the console and to the contest's player: the game stays
//! consistent, and the next valid command is answered.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::Cell;
use std::time::Duration;

use corvid_core::console::Console;
use corvid_core::desk::{ClockFn, OwnDesk};
use corvid_core::engine::Opponent;
use corvid_core::game::Notation;
use corvid_core::gtp::Gtp;
use corvid_core::icfpt::{Action, Dialect, Ending, Event, MOVE_MICROS, Player, Referee, Seat};
use corvid_core::mix::Rng;
use corvid_core::registry::{Bot, GameKind};
use corvid_core::session::{Match, write_legal};
use corvid_core::setup::Setup;
use corvid_core::thinker::Thinker;
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

/// The match that a line leads to, and a thinker with little memory and this seed.
fn desk(seed: u64) -> OwnDesk<'static> {
    let mut thinker = Thinker::new(vec![0; 64].leak());
    thinker.seed(seed);
    OwnDesk::new(Match::default(), thinker, now as ClockFn)
}

/// A console at the end of a line.
struct Listener {
    console: Console,
    desk: OwnDesk<'static>,
}

impl Listener {
    /// What it answers to these bytes.
    fn hear(&mut self, bytes: &[(Duration, u8)]) -> String {
        let Self { console, desk } = self;
        let mut out = String::new();
        for &(pause, byte) in bytes {
            pass(pause / 2);
            console.idle(desk, &mut out).unwrap();
            pass(pause / 2);
            console.idle(desk, &mut out).unwrap();
            console.push(byte, desk, &mut out).unwrap();
        }
        out
    }

    const fn game(&self) -> &Match {
        &self.desk.game
    }
}

fn clean(message: &[u8]) -> Vec<(Duration, u8)> {
    message.iter().map(|&byte| (BYTE_TIME, byte)).collect()
}

fn moves(game: &Match) -> String {
    let mut text = String::new();
    game.write_moves(Notation::Plain, ' ', &mut text).unwrap();
    text
}

/// A command that is valid in this game.
fn some_command(game: &Match, rng: &mut Rng) -> String {
    let color = game.colors()[game.turn().index()].name;
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
            let mut position = game.position().clone();
            write_legal(&mut position, game.turn(), Notation::Plain, &mut legal).unwrap();
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
fn check_whole(game: &Match, context: &str) {
    let mut again = Match::new(game.setup());
    for mv in moves(game).split_ascii_whitespace() {
        again.play_next(mv).unwrap_or_else(|why| panic!("{context}: {mv}: {why:?}"));
    }
    let position = |game: &Match| {
        let mut text = String::new();
        game.write_position(&mut text).unwrap();
        text
    };
    assert_eq!(position(&again), position(game), "{context}");
}

#[test]
fn the_console_refuses_or_obeys_and_goes_on() {
    let mut injector = Injector::new(1);
    let mut listener = Listener { console: Console::new(), desk: desk(0) };
    listener.hear(&clean(b"nodes 1\n"));
    let (mut refused, mut done) = (0, 0);
    while injector.faults < FAULTS {
        if injector.faults == FAULTS / 2 {
            listener.hear(&clean(b"\x03echo off\n"));
        }
        let before = listener.game().clone();
        let command = some_command(&before, injector.rng());
        let arriving = injector.spoil(format!("{command}\n").as_bytes());
        let context = format!("{command}: {arriving:?}");
        let answer = listener.hear(&arriving);
        if answer.contains("? ") {
            refused += 1;
            assert!(answer.ends_with("\n"), "{context}: {answer:?}");
            if !command.starts_with("new") {
                assert_eq!(moves(listener.game()), moves(&before), "{context}");
            }
        } else {
            done += 1;
        }
        check_whole(listener.game(), &context);
        // Whatever is left of the line ends here; an echo may precede the answer.
        pass(Duration::from_secs(1));
        let lost = listener.hear(&clean(b"\n"));
        assert!(lost.is_empty() || lost.ends_with('\n'), "{context}: {lost:?}");
        check_whole(listener.game(), &context);
        let answer = listener.hear(&clean(b"7 name\n")).replace('\r', "");
        assert_eq!(answer, "=7 Corvid\n\n", "{context}");
        // A corrupted command may have set it to a second per move.
        listener.hear(&clean(b"nodes 1\n"));
    }
    assert!(refused > 500 && done > 500, "{refused} refused, {done} done");
}

/// A contest player at the end of a line.
struct Contestant {
    player: Player,
    desk: OwnDesk<'static>,
}

impl Contestant {
    fn new(dialect: Dialect, seed: u64) -> Self {
        Self { player: Player::new(dialect), desk: desk(seed) }
    }

    fn hear(&mut self, bytes: &[(Duration, u8)]) -> String {
        let random = Opponent::Bot(Bot::from_name(GameKind::BlokusDuo, "random").unwrap());
        let mut out = String::new();
        for &(pause, byte) in bytes {
            pass(pause);
            let before = moves(&self.desk.game);
            let said = out.len();
            let event = self.player.push(byte, &mut self.desk, random, &mut out);
            match event.unwrap() {
                Event::Moved => assert_eq!(out.len() - said, 4, "{out}"),
                Event::Greeted => assert_eq!(&out[said..], "1CV"),
                Event::Refused(why) => {
                    assert!(!why.long().is_empty());
                    assert_eq!(moves(&self.desk.game), before, "refused, so nothing has changed");
                }
                Event::Nothing | Event::Over => assert_eq!(moves(&self.desk.game), before),
            }
        }
        out
    }
}

/// A contest game in which one in so many messages to player 2 is corrupted; none if that is 0.
fn contest(
    dialect: Dialect,
    players: &mut [Contestant; 2],
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
                let answer = players[seat as usize].hear(&arriving);
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
            let mut players =
                [3, 4].map(|seed| Contestant::new(dialect, seed + u64::from(injector.faults)));
            for _ in 0..5 {
                games += 1;
                let ending = contest(dialect, &mut players, &mut injector, 3);
                spoilt += u32::from(ending != Ending::Played);
                pass(Duration::from_secs(1));
                assert_eq!(players[1].hear(&clean(b"0")), "1CV");
                pass(Duration::from_micros(MOVE_MICROS));
                let ending = contest(dialect, &mut players, &mut injector, 0);
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
            let mut players = [Contestant::new(spoken, seed), Contestant::new(heard, seed)];
            contest(spoken, &mut players, &mut injector, 0);
            pass(Duration::from_secs(1));
            assert_eq!(players[1].hear(&clean(b"0")), "1CV");
        }
    }
}

#[test]
fn moves_for_a_finished_game_are_refused() {
    let mut gtp = Gtp::new();
    let mut desk = desk(0);
    let mut ask = |line: &str| {
        let mut out = String::new();
        gtp.line(&mut desk, line.as_bytes(), &mut out).unwrap();
        out
    };
    for kind in GameKind::ALL {
        ask(&format!("new {kind}"));
        assert_eq!(ask("bot random"), "= \n\n");
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
