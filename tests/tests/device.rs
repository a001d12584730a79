//! The device's application on the host: whole games by keys alone.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use corvid_core::{
    mix::Rng,
    session::AnyMatch,
    setup::{GameKind, Setup},
};
use corvid_firmware::{
    keys::Press::{self, Down, Left, Menu, Right, Select, Up},
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

/// Plays a game to its end, any legal move each time; gives the setup and the moves.
fn play_out(desk: &mut Desk, seed: u64) -> (Setup, String) {
    let mut rng = Rng::new(seed);
    desk.settle();
    while !desk.look(|table| table.is_over()) {
        let legal = desk.look(|table| {
            let session = table.game().session();
            let mut text = String::new();
            session.write_legal(session.turn(), Default::default(), &mut text).unwrap();
            text
        });
        let moves: Vec<&str> = legal.lines().collect();
        let mv = moves[rng.below(moves.len() as u32) as usize];
        let before = desk.look(|table| table.game().session().plies());
        desk.play(mv).unwrap();
        let after = desk.look(|table| table.game().session().plies());
        assert_eq!(after, before + 1, "{mv} was not played");
        desk.settle();
    }
    (desk.look(|table| table.game().setup()), desk.moves())
}

/// The game that the rules know, after these moves.
fn replay(setup: Setup, moves: &str) -> AnyMatch {
    let mut game = AnyMatch::new(setup);
    for text in moves.split_whitespace() {
        game.session_mut().play_next(text).unwrap();
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
        assert!(known.session().is_over(), "{kind}: {moves}");
        desk.look(|table| {
            assert!(*table.game() == known, "{kind}: {moves}");
            let tally = table.statistics.tallies[index];
            assert_eq!(tally.won + tally.drawn + tally.lost, 1, "{kind}");
        });
        desk.press(&[Select]);
        assert_eq!(desk.place(), Screen::End, "{kind}");
        // Review leads through all positions and back.
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
