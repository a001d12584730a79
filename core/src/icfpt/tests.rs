//! Whole games between the player and the referee, in simulated time.

use core::cell::Cell;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::*;
use crate::desk::OwnDesk;
use crate::engine::{Limit, Opponent};
use crate::game::Game;
use crate::games::blokus::{Duo, parse_code};
use crate::player::Player as Side;
use crate::registry::{AnyOpponent, Bot, GameKind};
use crate::search::budget::Clock;
use crate::session::Match;
use crate::thinker::Thinker;

/// The clock of one test: each poll takes 5 ms, as 16 nodes do on a slow board.
struct Ticking<'c>(&'c Cell<u64>);

impl Clock for Ticking<'_> {
    fn micros(&self) -> u64 {
        self.0.set(self.0.get() + 5_000);
        self.0.get()
    }
}

/// A player with its match and a connection on which every byte takes a while.
struct Seated<'c> {
    player: Player,
    desk: OwnDesk<'static, Ticking<'c>>,
    opponent: AnyOpponent,
    clock: &'c Cell<u64>,
    /// The least microseconds that were left of a second for an answer.
    spare: u64,
    events: Vec<Event>,
}

impl<'c> Seated<'c> {
    fn new(dialect: Dialect, opponent: AnyOpponent, seed: u64, clock: &'c Cell<u64>) -> Self {
        let mut thinker = Thinker::new(std::vec![0; 256].leak());
        thinker.seed(seed);
        Self {
            player: Player::new(dialect),
            desk: OwnDesk::new(Match::default(), thinker, Ticking(clock)),
            opponent,
            clock,
            spare: MOVE_MICROS,
            events: Vec::new(),
        }
    }

    /// Answers bytes received now.
    fn hear(&mut self, bytes: &[u8]) -> String {
        let mut out = String::new();
        let begun = self.clock.get();
        for &byte in bytes {
            let event = self.player.push(byte, &mut self.desk, self.opponent, &mut out).unwrap();
            if event != Event::Nothing {
                self.events.push(event);
            }
        }
        let used = self.clock.get() - begun;
        self.spare = self.spare.min(MOVE_MICROS.saturating_sub(used));
        out
    }
}

fn bot(name: &str) -> AnyOpponent {
    Opponent::Bot(Bot::from_name(GameKind::BlokusDuo, name).unwrap())
}

/// Plays a game to its end. `garble` may change what a player says.
fn referee_game(
    dialect: Dialect,
    first: Seat,
    desks: &mut [Seated; 2],
    mut garble: impl FnMut(Seat, String) -> String,
) -> Referee {
    let clock = desks[0].clock;
    let mut referee = Referee::new(dialect, first);
    for _ in 0..1000 {
        match referee.poll(clock.get()) {
            Action::Send(seat, text) => {
                let answer = desks[seat as usize].hear(text.as_bytes());
                for byte in garble(seat, answer).bytes() {
                    clock.set(clock.get() + 87);
                    referee.receive(seat, byte, clock.get());
                }
            }
            Action::Wait(until) => clock.set(clock.get().max(until) + 1),
            Action::Over => return referee,
        }
    }
    panic!("the game does not end: {referee:?}");
}

const ALL: [(Dialect, Seat); 4] = [
    (Dialect::Y2014, Seat::One),
    (Dialect::Y2014, Seat::Two),
    (Dialect::Y2013, Seat::One),
    (Dialect::Y2013, Seat::Two),
];

#[test]
fn both_dialects_and_both_seats_play_to_the_end() {
    for (dialect, first) in ALL {
        for seed in 0..10 {
            let clock = Cell::new(0);
            let bots = [bot("random"), Opponent::Limit(Limit::Nodes(16))];
            let mut desks = bots.map(|bot| Seated::new(dialect, bot, seed, &clock));
            let referee = referee_game(dialect, first, &mut desks, |_, answer| answer);
            let verdict = referee.verdict().unwrap();
            assert_eq!(verdict.ending, Ending::Played, "{dialect:?} {first:?} {seed}");
            assert_eq!(referee.unasked(Seat::One) + referee.unasked(Seat::Two), 0);
            assert_eq!((referee.team(Seat::One), referee.team(Seat::Two)), ("CV", "CV"));
            let board = referee.board();
            let last = referee.answers().last().unwrap();
            for (desk, seat) in desks.iter_mut().zip(Seat::BOTH) {
                assert!(desk.events.iter().all(|event| !matches!(event, Event::Refused(_))));
                assert_eq!(desk.events.last(), Some(&Event::Over));
                if last.code != "0000" && last.seat != seat {
                    // The opponent placed its last tile, and the end was sent instead of that move.
                    assert!(board.pieces_left(seat.other().side()).is_empty());
                    continue;
                }
                // The players name the sides by who moves first, the referee by the start squares.
                let own = <&Duo>::try_from(desk.desk.game.position()).unwrap();
                for side in [Side::FIRST, Side::SECOND] {
                    let seat = if first == Seat::One { side } else { side.other() };
                    assert_eq!(own.squares(side), board.squares(seat));
                }
            }
        }
    }
}

#[test]
fn level_9_answers_with_50_ms_to_spare() {
    for (dialect, first) in ALL {
        let clock = Cell::new(0);
        let level = Opponent::Level(crate::engine::Level::MAX);
        let mut desks = [1, 2].map(|seed| Seated::new(dialect, level, seed, &clock));
        let referee = referee_game(dialect, first, &mut desks, |_, answer| answer);
        assert_eq!(referee.verdict().unwrap().ending, Ending::Played);
        assert!(desks.iter().all(|desk| desk.spare >= 50_000), "{} us", desks[0].spare);
        let longest = desks[0].player.longest_micros();
        // It may stop when no other move can become the best.
        assert!((600_000..=950_000).contains(&longest), "it uses the time it has: {longest}");
    }
}

/// The same placement with the largest rotation number.
fn other_code(code: &str) -> String {
    let Some(mv) = parse_code(code) else { return code.into() };
    let all = |digits: &'static str| digits.chars();
    let codes = all("0123456789abcde").flat_map(|x| {
        all("0123456789abcde")
            .flat_map(move |y| all("76543210").map(move |rotation| (x, y, rotation)))
    });
    let piece = &code[2..3];
    let mut same = codes.map(|(x, y, rotation)| format!("{x}{y}{piece}{rotation}"));
    same.find(|text| parse_code(text) == Some(mv)).map_or(code.into(), |text| text.to_uppercase())
}

#[test]
fn every_code_of_a_placement_and_capitals_are_understood() {
    let clock = Cell::new(0);
    let bot = bot("random");
    let mut desks = [3, 4].map(|seed| Seated::new(Dialect::Y2014, bot, seed, &clock));
    let mut changed = 0;
    let referee = referee_game(Dialect::Y2014, Seat::One, &mut desks, |_, answer| {
        let other = other_code(&answer);
        changed += u32::from(other.to_lowercase() != answer);
        other
    });
    assert_eq!(referee.verdict().unwrap().ending, Ending::Played);
    assert!(changed > 5, "symmetric tiles have several codes");
}

#[test]
fn offences_lose_at_once() {
    let one = |number: usize, what: &'static str| {
        let clock = Cell::new(0);
        let bot = bot("largest");
        let mut desks = [3, 4].map(|seed| Seated::new(Dialect::Y2014, bot, seed, &clock));
        let mut count = 0;
        let referee = referee_game(Dialect::Y2014, Seat::One, &mut desks, |seat, answer| {
            count += usize::from(seat == Seat::Two);
            if seat == Seat::Two && count == number { what.into() } else { answer }
        });
        let verdict = referee.verdict().unwrap().clone();
        assert_eq!(verdict.winner, Some(Seat::One), "{what}");
        format!("{}", verdict.ending)
    };
    assert_eq!(one(3, "zzzz"), "'zzzz' is not a move code");
    assert_eq!(one(3, "\u{1}5a0"), "'?5a0' is not a move code");
    assert_eq!(one(3, "11a0"), "illegal move 11a0: touches none of your pieces at a corner");
    assert_eq!(one(2, "0000"), "passed in place of its first tile");
    assert_eq!(one(2, "55a0"), "illegal move 55a0: e10 is occupied");
    assert_eq!(one(4, "11a"), "no answer within a second");
    assert_eq!(one(4, ""), "no answer within a second");
}

#[test]
fn a_player_may_pass_and_move_again() {
    for (dialect, first) in ALL {
        let clock = Cell::new(0);
        let bot = bot("largest");
        let mut desks = [5, 6].map(|seed| Seated::new(dialect, bot, seed, &clock));
        // Player 1 passes in place of its second move: its own board is told so by hand.
        let mut count = 0;
        let mut referee = Referee::new(dialect, first);
        loop {
            match referee.poll(clock.get()) {
                Action::Send(seat, text) => {
                    let desk = &mut desks[seat as usize];
                    let mut answer = desk.hear(text.as_bytes());
                    if seat == Seat::One && answer.len() == 4 {
                        count += 1;
                        if count == 4 {
                            answer = "0000".into();
                            desk.desk.game.undo();
                            desk.desk.game.yield_turn().unwrap();
                        }
                    }
                    answer.bytes().for_each(|byte| referee.receive(seat, byte, clock.get()));
                }
                Action::Wait(until) => clock.set(until + 1),
                Action::Over => break,
            }
        }
        assert_eq!(referee.verdict().unwrap().ending, Ending::Played, "{dialect:?} {first:?}");
        assert!(count > 6);
    }
}

#[test]
fn a_host_that_repeats_itself_or_starts_again_is_answered() {
    let clock = Cell::new(0);
    let bot = bot("largest");
    let mut desk = Seated::new(Dialect::Y2014, bot, 1, &clock);
    let mut hear = |bytes: &[u8]| {
        clock.set(clock.get() + 500_000);
        desk.hear(bytes)
    };
    assert_eq!(hear(b"0"), "1CV");
    assert_eq!(hear(b"0\r\n0"), "1CV1CV");
    assert_eq!(hear(b"455s1"), "", "no game has begun");
    let first = hear(b"2a");
    assert!(Duo::default().check(parse_code(&first).unwrap()).is_err(), "{first} covers (a,a)");
    assert_eq!(hear(b"9"), "");
    assert_eq!(hear(b"3A0000"), "", "a pass is no first move");
    assert_eq!(hear(b"3Aaaa0"), "", "the other is on our square");
    let answer = hear(b"3A55a0");
    assert_eq!(answer.len(), 4);
    assert_eq!(hear(b"40"), "", "it stops in the middle");
    assert_eq!(hear(b"0"), "1CV");
    assert_eq!(hear(b"455a0"), "", "occupied: the game stays");
    assert_eq!(hear(b"366s1"), "", "the other dialect");
    assert_eq!(hear(b"466b0").len(), 4, "and goes on");
    assert_eq!(hear(b"25").len(), 4, "a new game without an end of the old one");
    let refused = desk.events.iter().filter(|event| matches!(event, Event::Refused(_))).count();
    assert_eq!(refused, 4);
}

#[test]
fn a_silent_player_is_asked_twenty_times() {
    let mut referee = Referee::new(Dialect::Y2014, Seat::One);
    let (mut now, mut asked) = (0, 0);
    loop {
        match referee.poll(now) {
            Action::Send(Seat::One, text) if text == "0" => {
                if asked == 0 {
                    b"1AB".iter().for_each(|byte| referee.receive(Seat::One, *byte, now));
                }
            }
            Action::Send(Seat::Two, text) if text == "0" => asked += 1,
            Action::Send(_, text) => assert_eq!(text, "9"),
            Action::Wait(until) => now = until,
            Action::Over => break,
        }
    }
    let verdict = referee.verdict().unwrap();
    assert_eq!((verdict.winner, &verdict.ending), (Some(Seat::One), &Ending::NoGreeting));
    assert_eq!((asked, now), (20, 10_000_000));
}

/// The messages in bytes that come all at once after a pause.
fn messages(frame: &mut Frame, bytes: &[u8]) -> Vec<String> {
    let now = frame.last + 1_000_000;
    let text = |(message, _): (heapless::Vec<u8, LONGEST>, u64)| {
        String::from_utf8(message.to_vec()).unwrap()
    };
    bytes.iter().filter_map(|&byte| frame.push(byte, now).map(text)).collect()
}

#[test]
fn messages_are_cut_by_their_first_byte() {
    let mut frame = Frame::new(Dialect::Y2014);
    let all = messages(&mut frame, b"00252A3a55s1455S140000\r\n\x009");
    assert_eq!(all, ["0", "0", "25", "2A", "3a55s1", "455S1", "40000", "9"]);
    let mut frame = Frame::new(Dialect::Y2013);
    assert_eq!(messages(&mut frame, b"2A355s1455s1aat09"), ["2A", "355s1", "455s1aat0", "9"]);
}

#[test]
fn a_broken_message_costs_itself_and_what_follows_at_once() {
    let mut frame = Frame::new(Dialect::Y2014);
    assert!(messages(&mut frame, b"4zz00").is_empty());
    assert_eq!(messages(&mut frame, b"0"), ["0"]);
    assert!(messages(&mut frame, b"4555s109").is_empty(), "a byte came twice");
    assert!(messages(&mut frame, b"455").is_empty(), "the host stops in the middle");
    assert_eq!(messages(&mut frame, b"025"), ["0", "25"], "and starts again");
}

#[test]
fn a_message_begins_with_its_first_byte_and_bears_a_pause() {
    let mut frame = Frame::new(Dialect::Y2014);
    assert_eq!(frame.push(b'2', 1_000), None);
    let late = 1_000 + STALE_MICROS - 1;
    assert_eq!(frame.push(b'5', late), Some((heapless::Vec::from_array(*b"25"), 1_000)));
    assert_eq!(frame.push(b'2', late), None);
    let stale = late + STALE_MICROS;
    let zero = heapless::Vec::from_array(*b"0");
    assert_eq!(frame.push(b'0', stale), Some((zero, stale)), "what came before is discarded");
}

#[test]
fn after_an_invalid_byte_the_line_has_to_be_quiet() {
    let mut frame = Frame::new(Dialect::Y2014);
    assert_eq!(frame.push(b'z', 0), None);
    assert_eq!(frame.push(b'0', QUIET_MICROS - 1), None);
    assert!(frame.push(b'0', 2 * QUIET_MICROS - 1).is_some());
}

#[test]
fn dialects_are_named_by_their_year() {
    for (name, dialect) in [("2014", Dialect::Y2014), ("2013", Dialect::Y2013)] {
        assert_eq!(Dialect::from_name(name), Some(dialect));
        assert_eq!(dialect.name(), name);
    }
    assert_eq!(Dialect::from_name("2015"), None);
}

/// A player who has placed its first tile, on this start square, in the 2013 dialect.
fn unseen<'c>(start: &[u8], clock: &'c Cell<u64>) -> Seated<'c> {
    let mut desk = Seated::new(Dialect::Y2013, bot("largest"), 1, clock);
    assert_eq!(hear_later(&mut desk, start).len(), CODE);
    desk
}

/// What a player answers to bytes that come after a pause.
fn hear_later(desk: &mut Seated, bytes: &[u8]) -> String {
    desk.clock.set(desk.clock.get() + 1_000_000);
    desk.hear(bytes)
}

/// Why a player refuses a message: the sentence and the short form. Its match is unchanged.
fn refused(desk: &mut Seated, message: &[u8]) -> (String, String) {
    let before = (desk.desk.game.plies(), desk.desk.game.position().clone());
    assert_eq!(hear_later(desk, message), "");
    assert_eq!((desk.desk.game.plies(), desk.desk.game.position().clone()), before);
    match desk.events.last() {
        Some(Event::Refused(why)) => (why.long().into(), why.short().into()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_refusal_names_what_is_wrong_in_both_lengths() {
    let clock = Cell::new(0);
    let mut desk = Seated::new(Dialect::Y2014, bot("largest"), 1, &clock);
    for (message, about) in [
        (&b"455a0"[..], "game"),
        (b"3A0000", "first tile"),
        (b"3A55a0", ""),
        (b"45500", "move code"),
        (b"3Aaaa0", "start square"),
    ] {
        if about.is_empty() {
            assert_eq!(hear_later(&mut desk, message).len(), CODE);
            continue;
        }
        let (long, short) = refused(&mut desk, message);
        assert!(long.contains(about), "{long}");
        assert!(short.contains(about), "{short}");
    }
}

#[test]
fn an_unseen_first_tile_is_no_pass() {
    let clock = Cell::new(0);
    let mut desk = unseen(b"25", &clock);
    let (why, _) = refused(&mut desk, b"30000");
    assert!(why.contains("first tile"), "{why}");
    assert_eq!(hear_later(&mut desk, b"3aaa0").len(), CODE);
}

#[test]
fn two_unseen_moves_are_checked_before_any_is_played() {
    let clock = Cell::new(0);
    let mut desk = unseen(b"2A", &clock);
    let (why, _) = refused(&mut desk, b"4aaa066b0");
    assert!(why.contains("start square"), "{why}");
    let mut board = Duo::default();
    board.play(parse_code("55a0").unwrap());
    let illegal = board.with_turn(Side::FIRST).check(parse_code("11b0").unwrap()).unwrap_err();
    assert_eq!(refused(&mut desk, b"455a011b0").0, format!("{illegal}"));
    assert_eq!(hear_later(&mut desk, b"455a066b0").len(), CODE);
    assert_eq!(desk.desk.game.plies(), 4);
}

#[test]
fn the_second_of_two_unseen_moves_may_be_a_pass() {
    let clock = Cell::new(0);
    let mut desk = unseen(b"2A", &clock);
    assert_eq!(hear_later(&mut desk, b"455a00000").len(), CODE);
    assert_eq!(desk.desk.game.plies(), 4);
    assert_eq!(hear_later(&mut desk, b"366b0").len(), CODE, "it moves again");
}

#[test]
fn after_the_last_move_only_a_pass_is_answered() {
    let clock = Cell::new(0);
    let mut desk = Seated::new(Dialect::Y2014, bot("largest"), 1, &clock);
    assert_eq!(hear_later(&mut desk, b"25").len(), CODE);
    let game = &mut desk.desk.game;
    while !game.is_over() {
        let mut moves = Vec::new();
        <&Duo>::try_from(game.position()).unwrap().for_each_move(|mv| moves.push(mv));
        game.play_move(None, Duo::encode(moves[0])).unwrap();
    }
    let plies = game.plies();
    refused(&mut desk, b"455a0");
    assert_eq!(hear_later(&mut desk, b"40000"), "0000");
    assert_eq!(desk.desk.game.plies(), plies);
}

/// What a referee sends until it waits or the game is over.
fn sent(referee: &mut Referee, now: u64) -> Vec<(Seat, String)> {
    let mut all = Vec::new();
    while let Action::Send(seat, text) = referee.poll(now) {
        all.push((seat, text.as_str().into()));
    }
    all
}

fn say(referee: &mut Referee, seat: Seat, text: &str, now: u64) {
    text.bytes().for_each(|byte| referee.receive(seat, byte, now));
}

/// A game in the 2014 dialect in which player 1 has been asked to begin, at 10 us.
fn greeted() -> Referee {
    let mut referee = Referee::new(Dialect::Y2014, Seat::One);
    assert_eq!(sent(&mut referee, 0), [(Seat::One, "0".into()), (Seat::Two, "0".into())]);
    say(&mut referee, Seat::One, "1AB", 10);
    say(&mut referee, Seat::Two, "1CD", 10);
    assert_eq!(sent(&mut referee, 10), [(Seat::One, "25".into())]);
    referee
}

#[test]
fn a_move_has_a_second_and_not_a_microsecond_more() {
    let end = 10 + MOVE_MICROS;
    let mut referee = greeted();
    assert_eq!(referee.poll(10), Action::Wait(end));
    say(&mut referee, Seat::One, "55a0", end);
    assert_eq!(referee.verdict(), None);
    assert_eq!(referee.answers()[0].micros, MOVE_MICROS);

    let mut referee = greeted();
    say(&mut referee, Seat::One, "55a", end);
    say(&mut referee, Seat::One, "0", end + 1);
    assert_eq!(referee.verdict().unwrap().ending, Ending::TimeOut);
}

#[test]
fn after_a_repeated_question_the_other_answers_may_arrive() {
    let mut referee = Referee::new(Dialect::Y2014, Seat::One);
    sent(&mut referee, 0);
    say(&mut referee, Seat::One, "1AB", 10);
    assert_eq!(sent(&mut referee, 500_000), [(Seat::Two, "0".into())]);
    say(&mut referee, Seat::Two, "1CD", 500_100);
    assert_eq!(referee.poll(500_100), Action::Wait(700_100));
    say(&mut referee, Seat::Two, "1CD", 600_000);
    assert_eq!(referee.unasked(Seat::Two), 3);
    assert_eq!(sent(&mut referee, 700_100), [(Seat::One, "25".into())]);
    assert_eq!(referee.unasked(Seat::Two), 0, "an answer to a question is not held against it");
    assert_eq!(referee.team(Seat::Two), "CD");
}

#[test]
fn bytes_that_nobody_asked_for_are_counted_and_ignored() {
    let mut referee = Referee::new(Dialect::Y2014, Seat::One);
    say(&mut referee, Seat::One, "1", 0);
    assert_eq!(referee.unasked(Seat::One), 1, "before the question was sent");
    let mut referee = greeted();
    say(&mut referee, Seat::Two, "aaa0", 20);
    say(&mut referee, Seat::One, "55a0\r\n", 20);
    assert_eq!((referee.unasked(Seat::One), referee.unasked(Seat::Two)), (0, 4));
    assert_eq!(referee.answers().len(), 1);
    referee.gone(Seat::Two);
    say(&mut referee, Seat::Two, "!", 30);
    assert_eq!(referee.unasked(Seat::Two), 4, "after the end nothing counts");
}

#[test]
fn a_player_whose_line_is_dead_loses_and_hears_no_more() {
    let mut referee = greeted();
    referee.gone(Seat::One);
    let verdict = referee.verdict().unwrap();
    assert_eq!((verdict.winner, &verdict.ending), (Some(Seat::Two), &Ending::Gone));
    assert_eq!(sent(&mut referee, 20), [(Seat::Two, "9".into())]);
    assert_eq!(referee.poll(20), Action::Over);
}

#[test]
fn who_placed_more_squares_wins() {
    for (tiles, winner, points) in [
        (["55b0", "aaa0"], Some(Seat::One), [-87, -88]),
        (["55a0", "aab0"], Some(Seat::Two), [-88, -87]),
        (["55a0", "aaa0"], None, [-88, -88]),
    ] {
        let mut referee = greeted();
        for (seat, code) in [Seat::One, Seat::Two, Seat::One, Seat::Two]
            .into_iter()
            .zip([tiles[0], tiles[1], "0000", "0000"])
        {
            sent(&mut referee, 20);
            say(&mut referee, seat, code, 20);
        }
        let ending = Ending::Played;
        assert_eq!(referee.verdict(), Some(&Verdict { winner, points, ending }), "{tiles:?}");
    }
}

#[test]
fn players_are_numbered_from_1() {
    assert_eq!(Seat::BOTH.map(Seat::number), [1, 2]);
}
