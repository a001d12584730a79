//! The device's application on the host: whole games by keys alone.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use corvid_core::{
    game::Notation,
    mix::Rng,
    registry::GameKind,
    session::{Match, write_legal},
    setup::Setup,
};
use corvid_firmware::{
    clock::TimeControl,
    keys::Press::{self, Down, Left, Menu, Right, Select, Up},
    panel::Controller,
    profile::PICO,
    settings::{Pace, Settings},
    ui::Screen,
};
use corvid_tests::device::Desk;

/// Starts a game against level 1 from a device that was just switched on: `options` are the keys
/// from the last seat's row on.
fn start(game: usize, options: &[Press]) -> Desk {
    let mut desk = Desk::new();
    desk.press(&[Select, Select]);
    desk.press(&vec![Right; game]);
    // Level 3 becomes level 1 for every opponent.
    let seats = if game == 4 { 3 } else { 1 };
    desk.press(&[Down]);
    for _ in 0..seats {
        desk.press(&[Down, Left, Left]);
    }
    desk.press(options);
    while desk.chosen() > 0 {
        desk.press(&[Up]);
    }
    desk.press(&[Up, Select]);
    assert_eq!(desk.place(), Screen::Board);
    desk
}

/// Plays a game to its end with random legal moves; returns the setup and the moves.
fn play_out(desk: &mut Desk, seed: u64) -> (Setup, String) {
    let mut rng = Rng::new(seed);
    desk.settle();
    while !desk.look(|table| table.is_over()) {
        let legal = desk.look(|table| {
            let game = table.game();
            let mut text = String::new();
            write_legal(&mut game.position().clone(), game.turn(), Notation::Plain, &mut text)
                .unwrap();
            text
        });
        let moves: Vec<&str> = legal.lines().collect();
        let mv = moves[rng.below(moves.len() as u32) as usize];
        let before = desk.look(|table| table.game().plies());
        desk.play(mv).unwrap();
        let after = desk.look(|table| table.game().plies());
        assert_eq!(after, before + 1, "{mv} was not played");
        desk.settle();
    }
    (desk.look(|table| table.game().setup()), desk.moves())
}

/// The game after these moves, by the rules.
fn replay(setup: Setup, moves: &str) -> Match {
    let mut game = Match::new(setup);
    for text in moves.split_whitespace() {
        game.play_next(text).unwrap();
    }
    game
}

#[test]
fn every_game_is_played_by_keys_alone_to_its_result() {
    let games: [(GameKind, &[Press]); 5] = [
        (GameKind::Othello, &[]),
        (GameKind::Adjacency, &[Down, Right]),
        (GameKind::Dots, &[Down, Left, Down, Left]),
        (GameKind::BlokusDuo, &[]),
        (GameKind::BlokusClassic, &[]),
    ];
    for (index, (kind, options)) in games.into_iter().enumerate() {
        let mut desk = start(index, options);
        assert_eq!(desk.look(|table| table.game().setup().kind()), kind);
        let (setup, moves) = play_out(&mut desk, 7);
        let known = replay(setup, &moves);
        let mut text = String::new();
        known.write_moves(Notation::Plain, ' ', &mut text).unwrap();
        assert_eq!(text, moves, "{kind}");
        assert!(known.is_over(), "{kind}: {moves}");
        desk.look(|table| {
            let game = table.game();
            assert_eq!((game.setup(), game.start()), (known.setup(), known.start()), "{kind}");
            assert_eq!(game.position(), known.position(), "{kind}: {moves}");
            let total = table.statistics.total(kind);
            assert_eq!((total.games(), total.scored), (1, 1), "{kind}");
        });
        desk.press(&[Select]);
        assert_eq!(desk.place(), Screen::End, "{kind}");
        // Review steps through all positions and back.
        desk.press(&[Right, Select]);
        assert_eq!(desk.place(), Screen::Review);
        let end = desk.screen();
        desk.press(&[Up]);
        let begin = desk.screen();
        assert_ne!(begin, end);
        desk.press(&vec![Right; 300]);
        assert_eq!(desk.screen(), end);
        desk.press(&[Menu, Left]);
        assert_eq!(desk.place(), Screen::End);
    }
}

/// The game's menu, and a row of it by how far down it is.
fn pause(desk: &mut Desk, row: usize) {
    desk.press(&[Menu]);
    desk.press(&vec![Down; row]);
    desk.press(&[Select]);
}

const UNDO: usize = 2;
const REDO: usize = 3;
const SWITCH: usize = 4;

#[test]
fn undo_takes_the_answer_back_too_and_redo_plays_both_again() {
    let mut desk = start(0, &[]);
    desk.play("d3").unwrap();
    desk.settle();
    let both = desk.moves();
    assert_eq!(both.split(' ').count(), 2);
    pause(&mut desk, UNDO);
    desk.settle();
    assert_eq!(desk.moves(), "");
    pause(&mut desk, REDO);
    desk.settle();
    assert_eq!(desk.moves(), both);
    pause(&mut desk, REDO);
    assert_eq!(desk.place(), Screen::Board, "with the message that there is nothing to redo");
    assert_eq!(desk.moves(), both);
}

#[test]
fn every_hint_moves_the_cursor_to_a_legal_move() {
    // Three strengths, and two bots.
    for strength in 0..5 {
        for game in 0..5 {
            let mut desk = start(game, &[]);
            desk.press(&[Menu, Down]);
            desk.press(&vec![Right; strength]);
            desk.press(&[Select]);
            desk.settle();
            // The first press plays it; a piece is placed by one.
            desk.screen();
            desk.press(&[Select]);
            assert_eq!(
                desk.look(|table| table.game().plies()),
                1,
                "hint {strength} in game {game}"
            );
        }
    }
}

#[test]
fn who_switches_sides_sees_the_computer_move() {
    let mut desk = start(0, &[]);
    pause(&mut desk, SWITCH);
    desk.settle();
    assert_eq!(desk.moves().split(' ').count(), 1);
    assert!(desk.look(|table| table.is_persons_turn()), "white is the person now");
}

#[test]
fn resigning_needs_two_presses_and_loses() {
    let mut desk = start(0, &[]);
    desk.press(&[Menu, Up, Up, Select]);
    assert!(!desk.look(|table| table.is_over()));
    desk.press(&[Select]);
    desk.look(|table| {
        assert!(table.is_over());
        let [record] = table.statistics.records() else { panic!("{:?}", table.statistics) };
        assert_eq!((record.lost, record.scored), (1, 0));
        assert_eq!(table.standings()[0].player.index(), 1, "white wins");
    });
    desk.press(&[Select]);
    assert_eq!(desk.place(), Screen::End);
}

#[test]
fn a_move_that_is_not_possible_is_refused_and_changes_nothing() {
    let mut desk = start(0, &[]);
    let before = desk.screen();
    desk.play("a1").unwrap();
    desk.settle();
    assert_eq!(desk.moves(), "");
    assert_ne!(desk.screen(), before, "the reason is shown");
}

#[test]
fn the_display_follows_the_serial_port_and_the_other_way_round() {
    let mut desk = Desk::new();
    desk.send("play b d3\n");
    desk.settle();
    desk.press(&[Select, Select]);
    assert_eq!(desk.place(), Screen::Board);
    let start = desk.screen();
    desk.send("play w c3\n");
    desk.settle();
    assert_eq!(desk.moves(), "d3 c3");
    assert_ne!(desk.screen(), start);
    desk.play("c4").unwrap();
    desk.send("moves\n");
    desk.settle();
    assert!(desk.received().ends_with("= d3 c3 c4\n\n"));
    // A new game over the serial port is played there: no computer answers.
    desk.send("set_game dots\nplay b 0,0-0,1\n");
    desk.settle();
    assert_eq!(desk.moves(), "0,0-0,1");
    assert_eq!(desk.place(), Screen::Board);
}

#[test]
fn a_computers_move_is_held_back_until_somebody_is_in_a_hurry() {
    let mut desk = start(0, &[]);
    desk.play("d3").unwrap();
    desk.think();
    desk.look(|table| assert!(table.ready_at().is_some(), "for half a second"));
    assert_eq!(desk.moves(), "d3");
    desk.press(&[Select]);
    assert_eq!(desk.moves().split(' ').count(), 2);
    // Who goes to the menu meanwhile and takes the move back gets no answer to it.
    desk.think();
    let mv = desk.look(|table| {
        let mut text = String::new();
        write_legal(
            &mut table.game().position().clone(),
            table.game().turn(),
            Notation::Plain,
            &mut text,
        )
        .unwrap();
        text.lines().next().unwrap().to_owned()
    });
    desk.play(&mv).unwrap();
    desk.think();
    // There is no hint in the menu: it is not the person's turn.
    pause(&mut desk, UNDO - 1);
    desk.think();
    desk.look(|table| assert_eq!((table.game().plies(), table.ready_at()), (2, None)));
}

/// Hint is only there on a person's turn; Undo, below it, stays selected when it goes.
#[test]
fn the_menu_keeps_its_row_when_others_come_and_go() {
    let mut desk = start(0, &[]);
    desk.press(&[Menu, Down, Down]);
    assert_eq!(desk.chosen(), UNDO);
    desk.send("play b d3\n");
    desk.think();
    desk.screen();
    assert_eq!(desk.chosen(), UNDO - 1);
    desk.press(&[Select]);
    assert_eq!(desk.moves(), "", "the move was taken back");
    // A row that goes itself leaves a harmless one selected.
    desk.press(&[Menu, Down]);
    desk.send("play b d3\n");
    desk.think();
    desk.screen();
    assert_eq!(desk.chosen(), 0);
}

/// Resume comes between the first two rows of the main menu.
#[test]
fn the_main_menu_keeps_its_row_when_a_game_is_started_over_the_serial_port() {
    let mut desk = Desk::new();
    desk.press(&[Select, Down]);
    assert_eq!(desk.chosen(), 1);
    desk.send("play b d3\n");
    desk.settle();
    desk.screen();
    assert_eq!(desk.chosen(), 2);
    desk.press(&[Select]);
    assert_eq!(desk.place(), Screen::Rules);
}

#[test]
fn each_game_keeps_its_options_in_the_form() {
    let mut desk = Desk::new();
    desk.press(&[Select, Select, Right, Right]);
    // Rows of boxes.
    desk.press(&[Down, Down, Down, Left, Left]);
    while desk.chosen() > 0 {
        desk.press(&[Up]);
    }
    desk.press(&[Left, Right, Up, Select]);
    desk.look(|table| assert_eq!(table.game().setup().options()[0], 3));
}

#[test]
fn a_hint_can_be_hidden() {
    // A piece is in the hand after a hint, and none when it is hidden.
    let mut desk = start(3, &[]);
    desk.press(&[Menu, Down, Right, Select]);
    desk.settle();
    assert_eq!(desk.place(), Screen::Board);
    assert!(desk.hand().piece.is_some());
    desk.press(&[Menu, Down, Down, Select]);
    assert_eq!(desk.place(), Screen::Board);
    assert!(desk.hand().piece.is_none());
    assert_eq!(desk.moves(), "");
}

/// The form keeps its selected row, however many rows there are.
#[test]
fn the_row_of_an_option_stays_selected() {
    let mut desk = Desk::new();
    desk.press(&[Select, Select, Left]);
    desk.press(&[Up, Up]);
    assert_eq!(desk.chosen(), 5, "people, below four seats");
    desk.press(&[Right]);
    assert_eq!(desk.chosen(), 3, "below two");
    desk.press(&[Right]);
    assert_eq!(desk.chosen(), 5);
}

#[test]
fn the_row_of_the_clock_stays_selected() {
    let mut desk = Desk::of(&PICO);
    desk.press(&[Select, Select, Left]);
    desk.press(&[Up, Up]);
    assert_eq!(desk.chosen(), 6, "the clock, below four seats and people");
    desk.press(&[Right]);
    assert_eq!(desk.chosen(), 6, "the increment is below it");
    desk.press(&[Up, Right, Down]);
    assert_eq!(desk.chosen(), 4, "below two seats");
    desk.press(&[Down, Left, Down, Select]);
    assert_eq!(desk.place(), Screen::Board);
    let time = desk.look(|table| table.clock().control());
    assert_eq!(time, TimeControl { minutes: 1, increment: 30 });
}

#[test]
fn restart_needs_two_presses_and_keeps_the_players() {
    let mut desk = start(0, &[]);
    desk.play("d3").unwrap();
    desk.settle();
    desk.press(&[Menu, Up, Up, Up, Select]);
    assert_eq!(desk.place(), Screen::Pause);
    assert_ne!(desk.moves(), "");
    desk.press(&[Select]);
    assert_eq!(desk.place(), Screen::Board);
    assert_eq!(desk.moves(), "");
    desk.play("d3").unwrap();
    desk.settle();
    assert_eq!(desk.moves().split(' ').count(), 2, "the computer answers");
}

#[test]
fn settings_and_choices_are_remembered() {
    let mut desk = start(2, &[Down, Left]);
    pause(&mut desk, 0);
    desk.press(&[Menu, Up, Select]);
    assert_eq!(desk.place(), Screen::Menu);
    desk.press(&[Up, Select]);
    assert_eq!(desk.place(), Screen::NewGame);
    desk.look(|table| assert_eq!(table.settings.draft.setup.kind(), GameKind::Dots));
    desk.press(&[Menu, Up, Up, Select]);
    assert_eq!(desk.place(), Screen::Settings);
    desk.press(&[Select, Down, Right, Down, Right, Down, Left, Down, Select, Down, Left]);
    desk.look(|table| {
        assert!(!table.settings.marks);
        assert_eq!(table.settings.seconds, 5);
        assert_eq!(table.settings.pace, Pace::AtOnce);
        assert!(table.settings.placed && table.settings.published);
        assert_eq!(table.settings.brightness.get(), 2);
    });
}

/// Rows that the smallest board doesn't have stand between the others.
#[test]
fn comforts_have_their_settings() {
    let mut desk = Desk::of(&PICO);
    desk.press(&[Select, Up, Up, Select, Down, Down, Down, Left, Down, Down, Left, Down]);
    desk.press(&[Right, Down, Down, Down, Right, Down, Right, Down, Left]);
    desk.look(|table| {
        let Settings {
            animated, magnified, document_colors, saver, upside_down, controller, ..
        } = table.settings;
        assert!(!animated && !magnified && document_colors && upside_down);
        assert_eq!((saver, controller), (15, Controller::Sh1106));
    });
}

/// A whole game of two random bots, begun at this time of the device's clock.
fn watch_random(mut desk: Desk) -> String {
    desk.press(&[Select, Down, Down, Select, Down]);
    // From level 1 and level 3.
    desk.press(&[Right; 9]);
    desk.press(&[Down]);
    desk.press(&[Right; 7]);
    desk.press(&[Down, Select]);
    desk.settle();
    assert!(desk.look(|table| table.is_over()));
    desk.moves()
}

#[test]
fn random_choices_depend_on_the_time_of_a_key_unless_there_is_a_seed() {
    assert_ne!(watch_random(Desk::unseeded(0)), watch_random(Desk::unseeded(5000)));
    assert_eq!(watch_random(Desk::unseeded(5000)), watch_random(Desk::unseeded(5000)));
    assert_eq!(watch_random(Desk::new()), watch_random(Desk::new()));
}

/// Whatever is pressed, the device neither stops nor draws outside the screen, and there is always
/// a way back.
#[test]
fn any_keys_at_all_are_survived() {
    let all = [Up, Down, Left, Right, Select, Select, Menu];
    for seed in 0..4 {
        let mut rng = Rng::new(seed);
        let mut desk = Desk::new();
        for _ in 0..500 {
            desk.press(&[all[rng.below(all.len() as u32) as usize]]);
            if rng.below(4) == 0 {
                desk.settle();
            }
            desk.screen();
        }
    }
}
