//! The players' clocks, in the simulated device's time: at a table, and by keys on a board.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::process::Command;

use corvid::clock;
use corvid::machine::{Board, Machine, Next, Plan, World};
use corvid::parts::Parts;
use corvid::reading::shows;
use corvid_core::engine::Level;
use corvid_core::game::MoveCode;
use corvid_core::games::blokus::{Seats, classic_setup};
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::setup::Setup;
use corvid_firmware::app::{Busy, Device};
use corvid_firmware::clock::TimeControl;
use corvid_firmware::frame::Frame;
use corvid_firmware::keys::{Key, Press};
use corvid_firmware::settings::Draft;
use corvid_firmware::table::{Errand, Hinter, Seat, Table};
use corvid_firmware::ui::{Screen, Ui};
use embassy_time::Instant;

const BLITZ: TimeControl = TimeControl { minutes: 1, increment: 2 };

/// A level, which takes part in games with one person.
fn computer() -> Seat {
    Seat::Level(Level::MIN)
}

/// A table where this game was just started, with a person in the first seat.
fn start(setup: Setup, others: Seat, time: TimeControl) -> Table {
    clock::reset();
    let mut table = Table::default();
    table.start(Draft { setup, seats: [Seat::Person, others, others, others], time });
    table
}

fn othello(others: Seat) -> Table {
    start(Setup::usual(GameKind::Othello), others, BLITZ)
}

/// Lets milliseconds pass.
fn pass(millis: u64) {
    clock::advance_to(clock::micros() + millis * 1000);
}

/// The milliseconds that the first two seats have left.
fn left(table: &Table) -> [u64; 2] {
    [0, 1].map(|seat| table.clock().left(seat, Instant::now()).as_millis())
}

/// The first legal move.
fn first(table: &Table) -> MoveCode {
    let mut first = None;
    table.game().now().for_each_move(&mut |mv| {
        first.get_or_insert(mv);
    });
    first.unwrap()
}

fn play(table: &mut Table) {
    table.play(first(table)).unwrap();
}

#[test]
fn the_first_clock_runs_from_the_start_and_moves_add_the_increment() {
    let mut table = othello(Seat::Person);
    pass(5_000);
    assert_eq!(left(&table), [55_000, 60_000]);
    play(&mut table);
    assert_eq!(left(&table), [57_000, 60_000]);
    pass(1_000);
    assert_eq!(left(&table), [57_000, 59_000]);
}

#[test]
fn who_runs_out_of_time_has_lost_and_moves_no_more() {
    let mut table = othello(computer());
    let mv = first(&table);
    pass(59_999);
    assert!(!table.check_clock());
    pass(1);
    let Err(refusal) = table.play(mv) else { panic!("it came too late") };
    assert_eq!(refusal.short(), "time is up");
    assert!(table.is_over() && table.is_lost_on_time());
    assert_eq!((table.game().plies(), table.errand()), (0, None));
    assert_eq!(table.standings()[0].player.index(), 1);
    assert_eq!(table.statistics.total(GameKind::ALL[0]).lost, 1);
    assert!(!table.check_clock(), "once");
    assert_eq!(table.statistics.total(GameKind::ALL[0]).lost, 1);
}

#[test]
fn a_flag_ends_the_search_for_a_hint() {
    let mut table = othello(computer());
    pass(59_500);
    table.ask(Hinter::Advanced);
    let Some(errand @ Errand::Hint(_)) = table.errand() else { panic!("no errand") };
    let generation = table.generation();
    let ticket = table.begin_task(generation);
    pass(499);
    assert!(!table.check_clock() && table.is_current(ticket));
    pass(1);
    assert!(table.check_clock() && !table.is_current(ticket));
    table.end_task();
    let mv = first(&table);
    assert!(!table.finish(errand, ticket, Some(mv)));
    assert_eq!(table.take_hint(), None);
    assert!(table.is_lost_on_time());
}

#[test]
fn a_computers_clock_runs_while_it_thinks_about_its_move_and_at_no_other_time() {
    let mut table = othello(computer());
    play(&mut table);
    pass(100);
    assert_eq!(left(&table)[1], 60_000, "thread mode is not at it yet");
    let errand = table.errand().unwrap();
    let generation = table.generation();
    let ticket = table.begin_task(generation);
    table.begin_move();
    pass(300);
    table.end_task();
    let mv = first(&table);
    assert!(table.finish(errand, ticket, Some(mv)));
    assert!(table.ready_at().is_some());
    pass(100_000);
    assert_eq!(left(&table), [62_000, 59_700], "nobody's while a move is held back");
    assert!(table.play_ready(false));
    pass(1_000);
    assert_eq!(left(&table), [61_000, 61_700]);
}

#[test]
fn a_flag_ends_a_computers_search_and_its_move_counts_no_more() {
    let mut table = othello(computer());
    play(&mut table);
    let errand = table.errand().unwrap();
    let generation = table.generation();
    let ticket = table.begin_task(generation);
    table.begin_move();
    pass(60_000);
    assert!(table.end_task());
    let mv = first(&table);
    assert!(!table.is_current(ticket));
    assert!(!table.finish(errand, ticket, Some(mv)));
    assert_eq!(table.game().plies(), 1);
    assert_eq!(table.standings()[0].player.index(), 0);
    assert_eq!(table.statistics.total(GameKind::ALL[0]).won, 1);
}

#[test]
fn clocks_stand_still_while_the_game_is_stopped_or_a_contests() {
    let mut table = othello(Seat::Person);
    pass(1_000);
    table.pause();
    pass(100_000);
    assert!(!table.check_clock());
    assert_eq!(left(&table), [59_000, 60_000]);
    table.set_running(true);
    pass(1_000);
    assert_eq!(left(&table), [58_000, 60_000]);
    table.set_contest(true);
    pass(100_000);
    assert!(!table.check_clock());
    table.set_contest(false);
    pass(1_000);
    assert_eq!(left(&table), [57_000, 60_000]);
}

#[test]
fn two_colours_of_one_player_share_a_clock() {
    let mut table = start(classic_setup(Seats::Two), Seat::Person, BLITZ);
    for seat in [0, 1, 0, 1] {
        assert_eq!(table.clock().running(), Some(seat));
        pass(5_000);
        play(&mut table);
    }
    assert_eq!(left(&table), [60_000 - 2 * 3_000; 2]);
    pass(53_999);
    assert!(!table.check_clock());
    pass(1);
    assert!(table.check_clock());
    assert_eq!(table.standings().last().unwrap().player.index(), 0);
}

#[test]
fn undo_and_redo_leave_the_times_as_they_are() {
    let mut table = othello(Seat::Person);
    pass(5_000);
    play(&mut table);
    pass(5_000);
    assert!(table.undo());
    assert_eq!((left(&table), table.clock().running()), ([57_000, 55_000], Some(0)));
    assert!(table.redo());
    assert_eq!((left(&table), table.clock().running()), ([57_000, 55_000], Some(1)));
}

#[test]
fn a_game_lost_on_time_goes_on_without_clocks() {
    let mut table = othello(Seat::Person);
    play(&mut table);
    pass(60_000);
    assert!(table.check_clock());
    assert!(table.undo());
    assert!(!table.is_over() && !table.clock().is_on());
    pass(100_000);
    assert!(!table.check_clock());
    table.resign();
    assert!(table.is_over() && !table.is_lost_on_time());
    let time = table.clock().control();
    assert_eq!(time, BLITZ, "another game has clocks again");
    table.start(Draft { time, ..Draft::NEW });
    assert_eq!(left(&table), [60_000, 60_000]);
}

#[test]
fn who_switches_sides_takes_the_time_along() {
    let mut table = othello(computer());
    pass(20_000);
    table.switch_sides();
    assert_eq!(left(&table), [60_000, 40_000]);
}

#[test]
fn the_serial_port_plays_by_the_clock_or_starts_another_game_without() {
    let mut table = othello(Seat::Person);
    pass(5_000);
    table.change(&mut |game| game.play_next("d3").unwrap());
    assert_eq!((left(&table), table.clock().running()), ([57_000, 60_000], Some(1)));
    table.change(&mut |game| game.begin(Setup::usual(GameKind::Dots)));
    assert!(!table.clock().is_on());
    pass(100_000);
    assert!(!table.check_clock());
}

#[test]
fn a_device_without_comforts_has_no_clocks() {
    clock::reset();
    let mut table = Table::new(false);
    table.start(Draft { time: BLITZ, ..Draft::NEW });
    assert!(!table.clock().is_on());
    table.restore_clock(&[5, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    assert!(!table.clock().is_on());
}

/// What goes to the display is what differs: on a bus at 400 kHz 40 bytes take a millisecond.
#[test]
fn a_tick_changes_at_most_40_bytes_of_the_picture() {
    for kind in [GameKind::Othello, GameKind::BlokusClassic] {
        let mut table = start(Setup::usual(kind), computer(), BLITZ);
        let (device, mut ui, mut frame) = (Device::default(), Ui::new(), Frame::DARK);
        for _ in 0..2 {
            ui.press(Press::Select, &device, &mut table);
        }
        assert_eq!(ui.screen(), Screen::Board);
        ui.draw(&mut frame, Busy::Idle, &mut table);
        let mut ticks = 0;
        while let Some(due) = table.clock().due(Instant::now()) {
            clock::advance_to(due.as_micros());
            if table.check_clock() {
                break;
            }
            let before = frame.clone();
            ui.draw(&mut frame, Busy::Idle, &mut table);
            let pairs = before.pages().as_flattened().iter().zip(frame.pages().as_flattened());
            let changed = pairs.filter(|(old, new)| old != new).count();
            assert!((1..=40).contains(&changed), "{changed} bytes");
            ticks += 1;
        }
        assert_eq!(ticks, 50 + 99, "{kind}");
    }
}

#[test]
fn clocks_stand_still_in_the_main_menu_even_if_a_reply_is_held_back() {
    let mut table = othello(computer());
    let (device, mut ui) = (Device::default(), Ui::new());
    for _ in 0..2 {
        ui.press(Press::Select, &device, &mut table);
    }
    play(&mut table);
    let errand = table.errand().unwrap();
    let ticket = table.begin_task(table.generation());
    table.begin_move();
    table.end_task();
    let reply = first(&table);
    assert!(table.finish(errand, ticket, Some(reply)));
    assert!(table.ready_at().is_some(), "it is held back");
    for press in [Press::Menu, Press::Up, Press::Select] {
        ui.press(press, &device, &mut table);
    }
    assert_eq!(ui.screen(), Screen::Menu);
    pass(70_000);
    table.play_ready(false);
    assert_eq!((table.game().plies(), table.clock().running()), (1, None));
}

/// Black has no move, and a program plays white's.
#[test]
fn the_increment_goes_to_who_has_moved() {
    clock::reset();
    let mut table = Table::default();
    let text = format!("{}{}-XXXXXX- X", "O".repeat(8), "X".repeat(48));
    table.restore([Seat::Person; 4], false, |game| game.set_position(&text).unwrap());
    table.restore_clock(&[1, 2, 0x60, 0xea, 0, 0, 0x60, 0xea, 0, 0]);
    table.change(&mut |game| {
        let white = Player::new(1).unwrap();
        let mut first = None;
        let position = game.position_for(white).unwrap();
        position.get().for_each_move(&mut |mv| {
            first.get_or_insert(mv);
        });
        game.play_move(Some(white), first.unwrap()).unwrap();
    });
    assert_eq!(left(&table), [60_000, 62_000]);
}

/// Runs a script on a board, whose time is its own.
fn run(board: &str, text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script.txt");
    fs::write(&path, text).unwrap();
    let words = ["sim", "--headless", "--board", board, "--seed", "3", "--script"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_corvid")).args(words).arg(&path).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{complaint}");
}

/// The keys that start Othello with a minute each, against level 3.
const BLITZ_KEYS: &str = "within 10000\nexpect five games\npress select\npress select\n\
                          expect player\npress up 2\nexpect < off >\npress right\n\
                          expect < 1 min >\nexpect Increment\npress down 2\npress select\n\
                          expect black begins\n";

fn blitz(rest: &str) {
    run("pico", &format!("{BLITZ_KEYS}{rest}"));
}

#[test]
fn the_form_has_rows_for_clocks_where_the_device_has_comforts() {
    let form = "within 5000\nexpect five games\npress select\npress select\nexpect player\n";
    let text = "press up 2\nexpect < off >\nexpect-not Increment\npress left\nexpect < 30 min >\n\
                expect Increment\npress down\nexpect < 0 s >\npress right\nexpect < 1 s >\n\
                press left 2\nexpect < 30 s >\npress up\npress right\nexpect < off >\n\
                expect-not Increment\n";
    run("pico", &format!("{form}{text}"));
    run("lm3s6965evb", &format!("{form}expect-not Clock\npress up 2\nexpect < level 3 >\n"));
}

#[test]
fn the_choices_are_remembered_even_without_power() {
    blitz(
        "hold select\nexpect Continue\npress up\npress select\nexpect Resume\npress up\n\
         press select\nexpect 1 min\nrestart\nexpect five games\npress select\n\
         expect Resume\npress up\npress select\nexpect 1 min\nexpect Increment\n",
    );
}

#[test]
fn times_are_shown_and_the_last_ten_seconds_with_tenths() {
    blitz(
        "expect 1:00\nwait 10000\nexpect 0:49\nwait 38900\nexpect 0:10\nexpect 9.9\n\
         expect 0.1\nexpect time is up\nexpect 0.0\nexpect 1:00\npress select\n\
         expect white wins on time\n",
    );
}

/// The number of moves has no room beside the time, and half of it would be another number.
#[test]
fn the_tray_has_the_time_in_place_of_the_moves() {
    let tray = "press up\npress select\nexpect blue begins\npress select\nexpect round 1\n";
    let form = "within 10000\nexpect five games\npress select\npress select\nexpect player\n\
                press left\nexpect Blokus Classic\n";
    run("pico", &format!("{form}{tray}expect round 1, 58 moves\n"));
    let clock = "press up 2\npress right\nexpect < 1 min >\npress down 3\n";
    run("pico", &format!("{form}{clock}{tray}expect 0:5\nexpect-not round 1,\n"));
}

#[test]
fn the_games_menu_does_not_stop_the_clock_and_the_main_menu_does() {
    blitz(
        "hold select\nexpect Continue\nexpect 0:58\nwait 40000\nexpect 0:17\npress up\n\
         press select\nexpect Resume\nwait 100000\npress select\nexpect 0:17\nhold select\n\
         expect Continue\nwait 18000\nexpect time is up\n",
    );
}

#[test]
fn a_power_cut_costs_the_time_since_the_last_move() {
    blitz(
        "wait 9000\npress select\nexpect last\nwait 1000\nexpect 0:50\nwait 9000\nrestart\n\
         expect five games\nwait 100000\npress select\nexpect Resume\npress select\nexpect 0:51\n\
         wait 2000\nexpect 0:48\nwait 47000\nexpect 1.0\nexpect time is up\n",
    );
}

#[test]
fn who_ran_out_of_time_is_named_where_several_have_won() {
    let form = "within 10000\nexpect five games\npress select\npress select\nexpect player\n\
                press left\nexpect Blokus Classic\npress up 2\npress right\nexpect < 1 min >\n\
                press down 2\npress select\nexpect blue begins\npress select\nexpect round 1\n\
                wait 50000\nexpect time is up\npress select\n";
    run("pico", &format!("{form}expect You lose on time\nexpect 4.\n"));
}

#[test]
fn again_and_restart_have_fresh_clocks() {
    blitz(
        "wait 60000\nexpect time is up\npress select\nexpect on time\npress select\n\
         expect black begins\nexpect 1:00\nwait 5000\npress select\nexpect last\nexpect 0:55\n\
         hold select\nexpect Continue\npress up 3\nexpect Restart\npress select\nexpect sure?\n\
         press select\nexpect black begins\nexpect 1:00\nexpect-not 0:5\n",
    );
}

/// The strongest levels search for as long as they may: by the settings for a minute a move. With a
/// minute for the whole game they still get to its end, at the slowest pace too.
#[test]
fn computers_do_not_lose_on_time() {
    for (game, seats) in [(0, 2), (1, 2), (2, 2), (3, 2), (4, 4)] {
        let mut text = String::from(
            "within 3000000\nexpect five games\npress select\nexpect Watch\npress up 2\n\
             press select\nexpect Pace\npress down\npress left 2\nexpect < 60 s >\npress down\n\
             press left\nexpect < slow >\nhold select\nexpect Watch\n",
        );
        text.push_str("press up 3\npress select\nexpect level 1\n");
        text.push_str(&format!("press right {game}\n"));
        text.push_str(&"press down\nuntil < level 9 >\npress right\nend\n".repeat(seats));
        text.push_str(&format!("press up {}\n", seats + 2));
        text.push_str(
            "expect < off >\npress right\nexpect < 1 min >\npress down 2\npress select\n",
        );
        text.push_str("expect begins\nexpect game over\nexpect-not time is up\n");
        run("pico", &text);
    }
}

const SECOND: u64 = 1_000_000;

/// A person whose time runs out while the engine searches for a hint: plays `keys` and then watches
/// the display.
struct Hinted {
    /// Keys and when to press them, in milliseconds.
    keys: Vec<(u64, Key, u64)>,
    begun: Option<u64>,
    searching: bool,
    over: Option<u64>,
}

impl World for Hinted {
    fn moment(&mut self, now: u64, parts: &Parts) -> Next {
        let millis = now / 1000;
        for (at, key, length) in &self.keys {
            if *at == millis {
                parts.keys.set(*key, true);
            }
            if at + length == millis {
                parts.keys.set(*key, false);
            }
        }
        let shows = |text| shows(&parts.glass.frame(), text);
        // Keys change at multiples of this.
        let mut step = 20;
        if self.begun.is_none() && millis > 1_500 && shows("black begins") {
            self.begun = Some(now);
        }
        if let Some(begun) = self.begun {
            let near = now.saturating_sub(begun) > 59 * SECOND;
            step = if near { 4 } else { step };
            self.searching = self.searching || near && shows("sel: now");
            if near && shows("time is up") {
                self.over = Some(now - begun);
                return Next::Off;
            }
            if now > begun + 62 * SECOND {
                return Next::Off;
            }
        }
        Next::At((millis / step + 1) * step * 1000)
    }
}

#[test]
fn a_clock_that_runs_out_while_the_engine_thinks_ends_the_game_within_100_ms() {
    let tap = |at, key| (at, key, 60);
    let mut keys = vec![tap(300, Key::Select), tap(500, Key::Select)];
    keys.extend([tap(700, Key::Up), tap(900, Key::Up), tap(1_100, Key::Right)]);
    keys.extend([tap(1_300, Key::Down), tap(1_500, Key::Down), tap(1_700, Key::Select)]);
    // The menu of the game, and its second row: the hint of the strongest level takes two seconds.
    keys.extend([(60_000, Key::Select, 800), tap(61_000, Key::Down), tap(61_200, Key::Select)]);
    let hinted = Hinted { keys, begun: None, searching: false, over: None };
    let plan = Plan { seed: Some(1), ..Plan::new(Board::Pico) };
    let seen = Machine::new(plan).run(hinted);
    assert!(seen.searching, "a search was going on");
    let over = seen.over.unwrap();
    let late = over.abs_diff(60 * SECOND);
    assert!(late < SECOND / 10, "{late} us from the flag to its display");
}
