mod cuts;
mod rot;
mod wear;

use super::{
    mock::{Flash, PAGE},
    *,
};
use crate::{settings::Draft, statistics::Outcome};
use corvid_core::{
    any::random_code,
    engine::Level,
    game::Notation,
    games::{
        blokus::{Seats, classic_setup},
        dots::{self, Size},
    },
    mix::Rng,
    registry::{Bot, GameKind},
    setup::Setup,
};
use std::vec::Vec;

type Tested = Store<Region<Flash>>;

const NOBODY: [Seat; MAX_PLAYERS] = [Seat::Person; MAX_PLAYERS];
const COMPUTER: [Seat; MAX_PLAYERS] = [LEVEL_7, Seat::Person, Seat::Person, Seat::Person];

const LEVEL_7: Seat = match Level::new(7) {
    Some(level) => Seat::Level(level),
    None => unreachable!(),
};

/// A store over the flash, which has power until `left` is used up.
fn open(mut flash: Flash, left: u64) -> Tested {
    flash.start(left);
    let length = flash.bytes.len() as u32;
    let mut store = Store::new(Region::new(flash, 0, length));
    block_on(store.open());
    store
}

/// The flash of a store that is switched off.
fn flash_of(store: Tested) -> Flash {
    store.pages.into_flash().into_inner()
}

fn restart(store: Tested) -> Tested {
    open(flash_of(store), u64::MAX)
}

/// Everything observable of a game.
fn picture(game: &Match, seats: &[Seat]) -> String {
    let mut text = format!("{:?} {seats:?} ", game.setup());
    game.write_moves(Notation::Plain, ' ', &mut text).unwrap();
    text.push_str(" = ");
    game.write_position(&mut text).unwrap();
    text
}

/// The same of what a store has.
fn saved_picture(store: &Tested) -> Option<String> {
    let saved = store.game()?;
    let mut game = Match::default();
    saved.replay(&mut game).unwrap();
    Some(picture(&game, saved.seats()))
}

/// Plays a random move, if the game is not over.
fn play(game: &mut Match, rng: &mut Rng) {
    if let Some(mv) = random_code(game.now(), rng) {
        game.play_move(Some(game.turn()), mv).unwrap();
    }
}

fn setups() -> [Setup; 7] {
    let [a, b, c, d, e] = GameKind::ALL.map(Setup::usual);
    let largest = dots::setup(Size::new(10, 10).unwrap());
    [a, b, c, d, e, largest, classic_setup(Seats::Two)]
}

#[test]
fn whole_games_come_back_after_every_move() {
    for setup in setups() {
        let mut rng = Rng::new(3);
        let random = Bot::from_name(setup.kind(), "random").map(Seat::Bot).unwrap();
        let seats = &[LEVEL_7, random, Seat::Person, LEVEL_7];
        let mut store = open(Flash::new(3, 0), u64::MAX);
        let mut game = Match::new(setup);
        block_on(store.keep_game(&game, seats)).unwrap();
        while !game.is_over() {
            play(&mut game, &mut rng);
            block_on(store.keep_game(&game, seats)).unwrap();
            store = restart(store);
            assert_eq!(saved_picture(&store), Some(picture(&game, seats)));
        }
        block_on(store.forget_game()).unwrap();
        assert!(restart(store).game().is_none());
    }
}

#[test]
fn a_move_costs_a_few_bytes_and_no_erase() {
    for setup in setups() {
        let mut rng = Rng::new(4);
        let mut store = open(Flash::new(3, 0), u64::MAX);
        let mut game = Match::new(setup);
        block_on(store.keep_game(&game, &NOBODY)).unwrap();
        let start = flash_of(store);
        let (erases, mut written) = (start.erases, start.written);
        let mut store = Store::new(Region::new(start, 0, 3 * PAGE as u32));
        block_on(store.open());
        while !game.is_over() {
            play(&mut game, &mut rng);
            block_on(store.keep_game(&game, &NOBODY)).unwrap();
        }
        let flash = flash_of(store);
        written = flash.written - written;
        let plies = game.plies();
        // To begin with, the page that the start moved to: header, values and title.
        assert!(written <= 150 + plies * 12, "{setup:?}: {written} bytes for {plies} moves");
        assert_eq!(flash.erases, erases + 1, "{setup:?}");
    }
}

#[test]
fn the_same_game_is_not_written_again() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let game = Match::default();
    block_on(store.keep_game(&game, &COMPUTER)).unwrap();
    block_on(store.keep_value(Value::Settings, b"loud")).unwrap();
    let before = flash_of(store);
    let mut store = Store::new(Region::new(before, 0, 3 * PAGE as u32));
    block_on(store.open());
    let once = store.pages.flash_mut().written;
    block_on(store.keep_game(&game, &COMPUTER)).unwrap();
    block_on(store.keep_value(Value::Settings, b"loud")).unwrap();
    assert_eq!(store.pages.flash_mut().written, once);
}

#[test]
fn undo_other_moves_seats_and_positions_are_kept() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut game = Match::default();
    let mut keep = |game: &Match, seats: &[Seat; MAX_PLAYERS]| {
        block_on(store.keep_game(game, seats)).unwrap();
        let flash = std::mem::replace(&mut store, open(Flash::new(3, 0), u64::MAX));
        store = restart(flash);
        assert_eq!(saved_picture(&store), Some(picture(game, store.game().unwrap().seats())));
        assert_eq!(store.game().unwrap().seats()[0], seats[0]);
    };
    for text in ["d3", "c3", "c4"] {
        game.play_next(text).unwrap();
        keep(&game, &COMPUTER);
    }
    game.undo();
    keep(&game, &COMPUTER);
    game.undo();
    game.play_next("e3").unwrap();
    keep(&game, &COMPUTER);
    keep(&game, &NOBODY);
    game.set_position("-------------------X-------XX------XO--------------------------- O")
        .unwrap();
    keep(&game, &NOBODY);
    game.play_next("c3").unwrap();
    keep(&game, &NOBODY);
    keep(&game, &COMPUTER);
    game = Match::new(Setup::usual(GameKind::BlokusDuo));
    game.set_position("e10 j5 f11,f12").unwrap();
    keep(&game, &COMPUTER);
    game = Match::default();
    keep(&game, &COMPUTER);
}

#[test]
fn a_deleted_game_that_goes_on_is_saved_as_a_whole() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut game = Match::default();
    game.play_next("d3").unwrap();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    block_on(store.forget_game()).unwrap();
    game.play_next("c3").unwrap();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    assert_eq!(saved_picture(&restart(store)), Some(picture(&game, &NOBODY)));
}

#[test]
fn a_deleted_game_can_be_saved_again() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let game = Match::default();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    block_on(store.forget_game()).unwrap();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    assert_eq!(saved_picture(&restart(store)), Some(picture(&game, &NOBODY)));
}

#[test]
fn a_deleted_game_can_be_saved_again_with_its_result() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let game = Match::default();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    block_on(store.forget_game()).unwrap();
    store.note(&game, &NOBODY, true, &[]);
    store.note_value(Value::Statistics, b"won");
    block_on(store.write_game()).unwrap();
    assert_eq!(saved_picture(&store), Some(picture(&game, &NOBODY)));
}

#[test]
fn values_that_are_written_with_a_game_come_back_to_the_byte() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let game = Match::default();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    store.note(&game, &NOBODY, true, &[]);
    store.note_value(Value::Settings, b"loud");
    store.note_value(Value::Statistics, b"won");
    block_on(store.write_game()).unwrap();
    let store = restart(store);
    assert_eq!(
        (store.value(Value::Settings), store.value(Value::Statistics)),
        (&b"loud"[..], &b"won"[..])
    );
    assert!(store.game().is_some_and(SavedGame::is_counted));
}

#[test]
fn worn_pages_are_passed_over() {
    let mut rng = Rng::new(5);
    let mut flash = Flash::new(8, 5);
    flash.worn = vec![1, 2, 4, 7];
    let mut store = open(flash, u64::MAX);
    for _ in 0..40 {
        let mut game = Match::new(setups()[rng.below(7) as usize]);
        for _ in 0..9 {
            block_on(store.keep_game(&game, &NOBODY)).unwrap();
            play(&mut game, &mut rng);
        }
        block_on(store.keep_game(&game, &NOBODY)).unwrap();
        store = restart(store);
        assert_eq!(saved_picture(&store), Some(picture(&game, store.game().unwrap().seats())));
    }
}

#[test]
fn a_worn_out_flash_is_reported_and_what_it_has_can_be_read() {
    let mut game = Match::default();
    let mut store = open(Flash::new(3, 0), u64::MAX);
    game.play_next("d3").unwrap();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    let kept = saved_picture(&store);

    let mut flash = flash_of(store);
    flash.worn = vec![0, 1, 2];
    let mut store = open(flash, u64::MAX);
    assert_eq!(store.trouble(), Some(Trouble::Worn));
    assert_eq!(saved_picture(&store), kept);
    game.play_next("c3").unwrap();
    assert_eq!(block_on(store.keep_game(&game, &NOBODY)), Err(Trouble::Worn));
    let erases = store.pages.flash_mut().erases;
    game.play_next("c4").unwrap();
    assert_eq!(block_on(store.keep_game(&game, &NOBODY)), Err(Trouble::Worn));
    assert_eq!(store.pages.flash_mut().erases, erases, "every try would cost a person's time");
    assert_eq!(saved_picture(&restart(store)), kept);
}

/// A flash of so many pages with one that another version wrote.
fn other_version(pages: usize) -> Flash {
    let mut store = open(Flash::new(pages, 0), u64::MAX);
    block_on(store.keep_game(&Match::default(), &NOBODY)).unwrap();
    let mut flash = flash_of(store);
    for page in flash.bytes.chunks_mut(PAGE) {
        if page.starts_with(b"CRVD") {
            page[4] = 9;
            let sum = Crc::of(&page[..12]);
            page[12..16].copy_from_slice(&sum.to_le_bytes());
        }
    }
    flash
}

#[test]
fn another_versions_save_is_kept_until_it_is_given_up() {
    let flash = other_version(3);
    let bytes = flash.bytes.clone();
    let mut store = open(flash, u64::MAX);
    let trouble = Trouble::Version(9);
    assert_eq!(store.trouble(), Some(trouble));
    assert!(store.game().is_none());
    assert_eq!(block_on(store.keep_game(&Match::default(), &NOBODY)), Err(trouble));
    assert_eq!(block_on(store.keep_value(Value::Settings, b"loud")), Err(trouble));
    assert_eq!(block_on(store.forget_game()), Err(trouble));
    assert_eq!(store.pages.flash_mut().bytes, bytes);

    store.discard();
    assert_eq!(store.trouble(), None);
    block_on(store.keep_game(&Match::default(), &NOBODY)).unwrap();
    assert!(restart(store).game().is_some());
}

#[test]
fn a_header_torn_in_its_version_is_no_other_version() {
    let mut flash = other_version(3);
    for page in flash.bytes.chunks_mut(PAGE) {
        page[4] = 0xFF;
    }
    assert_eq!(open(flash, u64::MAX).trouble(), None);
}

/// The page that a device begins at its so-manieth start, with a game, but without a header.
fn headless_page(start: usize) -> Vec<u8> {
    let mut store = open(Flash::new(4, 0), u64::MAX);
    let mut game = Match::default();
    game.play_next("d3").unwrap();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    for _ in 1..start {
        store = restart(store);
    }
    for value in 0..8 {
        block_on(store.keep_value(Value::Settings, &[value])).unwrap();
    }
    let home = store.pages.home().unwrap() as usize * PAGE;
    let mut page = flash_of(store).bytes[home..][..PAGE].to_vec();
    page[..16].fill(0);
    page
}

#[test]
fn what_was_given_up_does_not_come_back() {
    let mut flash = other_version(4);
    flash.bytes[3 * PAGE..].copy_from_slice(&headless_page(3));
    let mut store = open(flash, u64::MAX);
    assert_eq!(store.trouble(), Some(Trouble::Version(9)));
    store.discard();
    block_on(store.keep_game(&Match::default(), &NOBODY)).unwrap();
    let kept = saved_picture(&store);
    for _ in 0..6 {
        store = restart(store);
        assert_eq!(saved_picture(&store), kept);
    }
}

#[test]
fn a_page_that_was_not_used_does_not_come_up_later() {
    for (start, index) in [(5, 2), (6, 2), (6, 3), (7, 3)] {
        let mut store = open(Flash::new(4, 0), u64::MAX);
        block_on(store.keep_game(&Match::default(), &NOBODY)).unwrap();
        let mut flash = flash_of(store);
        flash.bytes[index * PAGE..][..PAGE].copy_from_slice(&headless_page(start));
        let mut store = open(flash, u64::MAX);
        let seen = saved_picture(&store);
        for _ in 0..6 {
            store = restart(store);
            assert_eq!(saved_picture(&store), seen, "page {start} at {index}");
        }
    }
}

#[test]
fn what_is_not_a_store_is_ignored() {
    let mut rng = Rng::new(6);
    let mut noise = || rng.next_u32() as u8;
    let fills: [&mut dyn FnMut() -> u8; 4] = [&mut || 0, &mut || b'C', &mut || 0x55, &mut noise];
    for fill in fills {
        let mut flash = Flash::new(4, 0);
        flash.bytes.fill_with(fill);
        let mut store = open(flash, u64::MAX);
        assert!(store.game().is_none());
        assert_eq!(store.trouble(), None);
        block_on(store.keep_game(&Match::default(), &NOBODY)).unwrap();
        assert!(restart(store).game().is_some());
    }
}

/// Numbers of pages end somewhere: a page with the last one is found, and that none follows is told.
#[test]
fn the_last_number_of_a_page_loses_nothing() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    store.pages.set_number(u32::MAX - 2);
    let mut game = Match::default();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    // This start uses up the last one.
    let mut store = restart(store);
    game.play_next("d3").unwrap();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    let kept = saved_picture(&store);
    for _ in 0..2 {
        store = restart(store);
        assert_eq!(saved_picture(&store), kept);
        assert_eq!(store.trouble(), Some(Trouble::Worn));
    }
}

#[test]
fn moves_against_the_rules_are_not_played() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut game = Match::default();
    game.play_next("d3").unwrap();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    // c3 (18), then d3 again (19).
    block_on(store.pages.append(KIND_MOVES, &[&[1, 18, 19]])).unwrap();
    let store = restart(store);
    let saved = store.game().unwrap();
    assert_eq!(saved.plies(), 3);
    assert_eq!(saved.replay(&mut game), Err(Damaged { ply: 3 }));
    assert!(picture(&game, &NOBODY).contains(" d3 c3 = "), "{}", picture(&game, &NOBODY));
}

#[test]
fn a_move_against_the_rules_is_told_as_damage() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    block_on(store.keep_game(&Match::default(), &NOBODY)).unwrap();
    // d3 (19) twice.
    block_on(store.pages.append(KIND_MOVES, &[&[0, 19, 19]])).unwrap();
    let mut store = restart(store);
    assert_eq!(store.trouble(), None, "the record itself is whole");
    let mut table = Table::default();
    store.restore(&mut table);
    assert_eq!(table.game().plies(), 1);
    assert_eq!(store.trouble(), Some(Trouble::Damaged));
}

#[test]
fn whatever_a_record_says_the_game_is_legal_and_nothing_breaks() {
    let mut rng = Rng::new(7);
    for round in 0..2000 {
        let mut store = open(Flash::new(3, round), u64::MAX);
        let mut game = Match::new(setups()[rng.below(7) as usize]);
        (0..rng.below(20)).for_each(|_| play(&mut game, &mut rng));
        block_on(store.keep_game(&game, &NOBODY)).unwrap();
        let kind = rng.below(16) as u8;
        let mut data: Vec<u8> = (0..rng.below(60)).map(|_| rng.next_u32() as u8).collect();
        if let (KIND_GAME, [title, kind, a, b, seats, ..]) = (kind, &mut data[..]) {
            (*title, *kind, *a, *b, *seats) =
                (*title % 40, *kind % 6, *a % 12, *b % 12, *seats % 6);
        }
        block_on(store.pages.append(kind, &[&data])).unwrap();
        let store = restart(store);
        if let Some(saved) = store.game() {
            let _ = saved.replay(&mut game);
            assert!(game.plies() <= saved.plies());
        }
    }
}

#[test]
fn it_takes_two_kilobytes() {
    assert!(size_of::<Store<()>>() <= 2048 + 128, "{}", size_of::<Store<()>>());
}

#[test]
fn troubles_fit_the_display() {
    use Trouble::{Damaged, Game, Late, Nowhere, Version, Worn};
    for trouble in [Version(255), Worn, Game, Nowhere, Late, Damaged] {
        let mut short = heapless::String::<{ corvid_core::game::SHORT }>::new();
        trouble.short(&mut short).unwrap();
        assert!(trouble.to_string().len() > short.len());
    }
}

#[test]
fn a_table_comes_back() {
    let mut table = Table::default();
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut draft = table.settings.draft;
    draft.setup = Setup::usual(GameKind::BlokusDuo);
    draft.seats[0] = LEVEL_7;
    table.settings.draft = draft;
    table.settings.marks = false;
    table.statistics.add(GameKind::Dots, Some(LEVEL_7), Outcome::Won, Some(7));
    table.start(draft);
    table.change(&mut |game| game.play_next("e10,e9,e8").unwrap());
    store.note_game(&table);
    store.save_game();
    store.note_settings(&table.settings, &table.statistics);
    store.save_settings();

    let mut store = restart(store);
    let mut again = Table::default();
    store.restore(&mut again);
    let seen = |table: &Table| picture(table.game(), table.seats());
    assert_eq!(seen(&again), seen(&table));
    assert_eq!(again.seats(), table.seats());
    assert_eq!(
        (again.settings, again.statistics.records()),
        (table.settings, table.statistics.records())
    );
    store.drop_game();
    let mut store = restart(store);
    let mut empty = Table::default();
    store.restore(&mut empty);
    assert_eq!(seen(&empty), seen(&Table::default()));
    assert_eq!(empty.statistics.records(), table.statistics.records());
}

/// Saves a game with clocks of two seats.
fn keep_clock(store: &mut Tested, game: &Match, clock: &[u8]) {
    store.note(game, &NOBODY, false, clock);
    let _ = block_on(store.write_game());
}

/// The moves and the clocks of the saved game.
fn saved_clock(store: &Tested) -> (usize, Vec<u8>) {
    store.game().map_or((99, Vec::new()), |saved| (saved.plies(), saved.clock().to_vec()))
}

const OLD: [u8; 10] = [5, 2, 1, 0, 0, 0, 1, 0, 0, 0];
const NEW: [u8; 10] = [5, 2, 2, 0, 0, 0, 1, 0, 0, 0];

#[test]
fn clocks_are_kept_with_the_game_they_belong_to() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut game = Match::default();
    keep_clock(&mut store, &game, &OLD);
    store = restart(store);
    assert_eq!(saved_clock(&store), (0, OLD.to_vec()));
    game.play_next("d3").unwrap();
    keep_clock(&mut store, &game, &NEW);
    store = restart(store);
    assert_eq!(saved_clock(&store), (1, NEW.to_vec()));
    // The game is stopped without a move.
    keep_clock(&mut store, &game, &OLD);
    store = restart(store);
    assert_eq!(saved_clock(&store), (1, OLD.to_vec()));
    let written = store.pages.flash_mut().written;
    keep_clock(&mut store, &game, &OLD);
    assert_eq!(store.pages.flash_mut().written, written, "nothing has changed");
    keep_clock(&mut store, &Match::new(Setup::usual(GameKind::Dots)), &[]);
    store = restart(store);
    assert_eq!(saved_clock(&store), (0, Vec::new()), "another game has no clocks");
    keep_clock(&mut store, &game, &NEW);
    block_on(store.forget_game()).unwrap();
    block_on(store.pages.append(KIND_CLOCK, &[&NEW])).unwrap();
    assert_eq!(saved_clock(&restart(store)), (99, Vec::new()), "no clocks without a game");
}

#[test]
fn clocks_cost_a_few_bytes_and_no_erase() {
    for (setup, clock, bytes) in [
        (Setup::usual(GameKind::Othello), &[5; 10][..], 8 + 16),
        (Setup::usual(GameKind::BlokusClassic), &[5; 18], 12 + 24),
    ] {
        let (mut rng, mut game) = (Rng::new(8), Match::new(setup));
        play(&mut game, &mut rng);
        let mut store = open(Flash::new(3, 0), u64::MAX);
        keep_clock(&mut store, &game, &[]);
        let flash = store.pages.flash_mut();
        let (written, erases) = (flash.written, flash.erases);
        play(&mut game, &mut rng);
        keep_clock(&mut store, &game, clock);
        let flash = store.pages.flash_mut();
        assert_eq!((flash.written - written, flash.erases), (bytes, erases), "{setup:?}");
    }
}

#[test]
fn clocks_that_stop_without_a_move_are_written_alone() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut game = Match::default();
    game.play_next("d3").unwrap();
    keep_clock(&mut store, &game, &OLD);
    let written = store.pages.flash_mut().written;
    keep_clock(&mut store, &game, &NEW);
    assert_eq!(store.pages.flash_mut().written - written, 6 + NEW.len());
}

/// At worst the time for the last move is given back, and a new game has its own times.
#[test]
fn a_power_cut_never_mixes_up_the_clocks_of_two_games() {
    let mut seen = [0; 3];
    for left in 0..1_000 {
        let mut store = open(Flash::new(3, left), u64::MAX);
        let mut game = Match::default();
        game.play_next("d3").unwrap();
        keep_clock(&mut store, &game, &OLD);
        store = open(flash_of(store), left);
        game.play_next("c3").unwrap();
        keep_clock(&mut store, &game, &NEW);
        match saved_clock(&restart(store)) {
            (1, clock) if clock == OLD => seen[0] += 1,
            (2, clock) if clock == OLD => seen[1] += 1,
            (2, clock) if clock == NEW => seen[2] += 1,
            other => panic!("{other:?} after {left}"),
        }

        let mut store = open(Flash::new(3, left), u64::MAX);
        keep_clock(&mut store, &game, &OLD);
        store = open(flash_of(store), left);
        keep_clock(&mut store, &Match::default(), &NEW);
        let found = saved_clock(&restart(store));
        assert!(found == (2, OLD.to_vec()) || found == (0, NEW.to_vec()), "{found:?} after {left}");
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// A game as it was saved before there were clocks.
#[test]
fn a_game_without_clocks_is_read() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut game = Match::default();
    game.play_next("d3").unwrap();
    block_on(store.keep_game(&game, &COMPUTER)).unwrap();
    let mut table = Table::default();
    restart(store).restore(&mut table);
    assert_eq!(table.game().plies(), 1);
    assert!(!table.clock().is_on());
}

#[test]
fn a_board_without_flash_says_so() {
    assert_eq!(().trouble(), Some(Trouble::Nowhere));
}

#[test]
fn older_statistics_come_back_until_they_are_erased() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut older = [0; 30];
    older[0] = 4;
    block_on(store.keep_value(Value::Tallies, &older)).unwrap();
    let mut store = restart(store);
    let mut table = Table::default();
    store.restore(&mut table);
    assert_eq!(table.statistics.total(GameKind::ALL[0]).won, 4);
    table.statistics.add(GameKind::ALL[0], Some(LEVEL_7), Outcome::Won, Some(7));
    store.note_settings(&table.settings, &table.statistics);
    store.save_settings();
    let mut store = restart(store);
    let mut table = Table::default();
    store.restore(&mut table);
    assert_eq!(table.statistics.total(GameKind::ALL[0]).won, 5, "once");
    table.statistics.erase();
    store.note_settings(&table.settings, &table.statistics);
    store.save_settings();
    let mut table = Table::default();
    restart(store).restore(&mut table);
    assert_eq!(table.statistics, Statistics::NONE);
}

/// The result of a game that was taken back after its end stands once, however often the power fails.
#[test]
fn a_game_that_was_counted_is_not_counted_again() {
    let mut table = Table::default();
    table.start(Draft { seats: [Seat::Person, LEVEL_7, LEVEL_7, LEVEL_7], ..Draft::NEW });
    table.change(&mut |game| game.play_next("d3").unwrap());
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let keep = |store: &mut Tested, table: &Table| {
        store.note_game(table);
        store.note_settings(&table.settings, &table.statistics);
        store.save_game();
        store.save_settings();
    };
    keep(&mut store, &table);
    table.resign();
    table.undo();
    keep(&mut store, &table);
    let mut store = restart(store);
    let mut again = Table::default();
    store.restore(&mut again);
    assert_eq!((again.is_over(), again.is_counted()), (false, true));
    again.resign();
    assert_eq!(again.statistics.total(GameKind::ALL[0]).games(), 1);

    // A new game is another one.
    again.start(Draft { seats: [Seat::Person, LEVEL_7, LEVEL_7, LEVEL_7], ..Draft::NEW });
    keep(&mut store, &again);
    let mut new = Table::default();
    restart(store).restore(&mut new);
    assert!(!new.is_counted());
}

/// A game that ends, by its last move or by resignation, while the power fails at any instant; then
/// it is played on if it must be. The result stands once.
#[test]
fn a_power_cut_at_the_end_of_a_game_neither_loses_nor_doubles_its_result() {
    let keep = |store: &mut Tested, table: &Table| {
        // As the brain does.
        let dropped = table.resigned().is_some();
        if !dropped {
            store.note_game(table);
        }
        store.note_settings(&table.settings, &table.statistics);
        if dropped {
            store.drop_game()
        } else {
            store.save_game()
        }
        store.save_settings();
    };
    let last_move = |table: &mut Table| {
        let mut first = None;
        table.game().now().for_each_move(&mut |mv| first = first.or(Some(mv)));
        table.play(first.unwrap()).unwrap();
    };
    let ends: [fn(&mut Table); 2] = [last_move, Table::resign];
    for end in ends {
        let mut counted = [0; 2];
        for left in 0.. {
            let mut table = Table::default();
            table.start(Draft { seats: [Seat::Person, LEVEL_7, LEVEL_7, LEVEL_7], ..Draft::NEW });
            // One square is left, and black takes it.
            let text = format!("{}-OOX{} X", "X".repeat(8), "X".repeat(52));
            let seats = *table.seats();
            table.restore(seats, false, |game| game.set_position(&text).unwrap());
            let mut store = open(Flash::new(3, left), u64::MAX);
            keep(&mut store, &table);
            let mut store = open(flash_of(store), left);
            end(&mut table);
            assert!(table.is_over());
            keep(&mut store, &table);
            let uncut = !store.pages.flash_mut().is_off();
            let mut store = restart(store);
            let mut again = Table::default();
            store.restore(&mut again);
            let found = again.statistics.total(GameKind::ALL[0]).games();
            counted[usize::from(found > 0)] += 1;
            let goes_on = store.game().is_some() && !again.is_over();
            assert_eq!(found == 0, goes_on && !again.is_counted(), "after {left}");
            if goes_on {
                last_move(&mut again);
            }
            assert_eq!(again.statistics.total(GameKind::ALL[0]).games(), 1, "after {left}");
            if uncut {
                break;
            }
        }
        assert!(counted.iter().all(|count| *count > 0), "{counted:?}");
    }
}
