//! How long the boards' flashes last, and what can be done to them in a hurry.
use super::*;
use crate::clock::TimeControl;
use std::fmt::Write;

/// Games a day, and the starts on that day: one for each game, or one for all.
const GAMES: usize = 20;
const STARTS: [usize; 2] = [GAMES, 1];

/// A board's pages, their size and how many erases each endures.
struct Board {
    name: &'static str,
    pages: usize,
    large: bool,
    endures: usize,
}

const BOARDS: [Board; 4] = [
    Board { name: "Pico", pages: 16, large: false, endures: 100_000 },
    Board { name: "Pico 2", pages: 16, large: false, endures: 100_000 },
    Board { name: "nRF52840-DK", pages: 16, large: false, endures: 10_000 },
    Board { name: "Nucleo-F411RE", pages: 3, large: true, endures: 10_000 },
];

/// Statistics as long as they can get, or nearly.
fn full(statistics: &mut Statistics) {
    for kind in GameKind::ALL {
        let longest = Bot::all(kind).max_by_key(|bot| bot.name().len()).map(Seat::Bot);
        let levels = (1..=3).filter_map(Level::new).map(Seat::Level);
        for rival in levels.chain(longest).map(Some).chain([None]) {
            statistics.add(kind, rival, Outcome::Won, Some(-300));
        }
    }
}

/// Erases while so many games are played to their end against a computer, with clocks: without the
/// ones at a start, in thousandths a game.
fn erases_of_a_game<const SIZE: usize>(kind: GameKind, games: usize) -> usize {
    let mut rng = Rng::new(14);
    let mut table = Table::new(true);
    full(&mut table.statistics);
    let flash = Flash::<SIZE>::new(3, 0);
    let mut store = Store::new(Region::new(flash, 0, 3 * SIZE as u32));
    block_on(store.open());
    let mut keep = |table: &Table| {
        store.note_game(table);
        store.note_settings(&table.settings, &table.statistics);
        store.save_game();
        store.save_settings();
        // Games take hours, which pass at once here.
        store.limit = Limit::new();
        assert_eq!(store.trouble(), None);
        store.pages.flash_mut().erases
    };
    let mut erases = 0;
    for _ in 0..games {
        table.start(Draft {
            setup: Setup::usual(kind),
            seats: [Seat::Person, LEVEL_7, LEVEL_7, LEVEL_7],
            time: TimeControl::new(30, 5).unwrap(),
        });
        keep(&table);
        while let Some(mv) = random_code(table.game().now(), &mut rng) {
            table.play(mv).unwrap();
            erases = keep(&table);
        }
        assert!(table.is_counted() && table.statistics.total(kind).games() > 0);
    }
    erases * 1000 / games
}

/// The table of docs/saved-games.md.
#[test]
fn years_at_twenty_games_a_day() {
    let mut rows = String::from("| | erases a game, 4 KB pages | 16 KB pages |");
    for board in BOARDS {
        write!(rows, " {} |", board.name).unwrap();
    }
    rows.push_str("\n|---|---|---|---|---|---|---|\n");
    for kind in GameKind::ALL {
        let small = erases_of_a_game::<4096>(kind, 100);
        let large = erases_of_a_game::<16384>(kind, 100);
        let shown =
            |thousandths: usize| format!("{}.{:02}", thousandths / 1000, thousandths / 10 % 100);
        write!(rows, "| {} | {} | {} |", kind.title(), shown(small), shown(large)).unwrap();
        for board in BOARDS {
            let game = if board.large { large } else { small };
            let [least, most] = STARTS.map(|starts| {
                let a_day = starts * 1000 + game * GAMES;
                board.pages * board.endures * 1000 / (a_day * 365)
            });
            write!(rows, " {least} to {most} years |").unwrap();
        }
        rows.push('\n');
    }
    rows.push_str("| the limit, day and night | | |");
    let a_day = 86_400 / limit::PERIOD.as_secs() as usize;
    for board in BOARDS {
        let tenths = board.pages * board.endures * 10 / (a_day * 365);
        write!(rows, " {}.{} years |", tenths / 10, tenths % 10).unwrap();
    }
    rows.push('\n');
    println!("{rows}");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/saved-games.md");
    let page = std::fs::read_to_string(page).unwrap().replace("\r\n", "\n");
    assert!(page.contains(&rows), "docs/saved-games.md has other figures");
}

/// New games one after the other share a page.
#[test]
fn a_new_game_needs_no_page_of_its_own() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let before = store.pages.flash_mut().erases;
    let games = [GameKind::Othello, GameKind::Dots].map(|kind| Match::new(Setup::usual(kind)));
    for round in 0..300 {
        block_on(store.keep_game(&games[round % 2], &NOBODY)).unwrap();
        if round % 50 == 0 {
            let found = saved_picture(&store);
            assert_eq!(found, Some(picture(&games[round % 2], &NOBODY)));
        }
    }
    let erases = store.pages.flash_mut().erases - before;
    println!("300 new games, {erases} erases");
    assert!(erases <= 6, "{erases}");
    let kept = saved_picture(&store);
    assert_eq!(saved_picture(&restart(store)), kept);
}

/// A result and the next game are written at once; if they must wait, moves of that game do, too.
#[test]
fn moves_wait_for_their_game() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    block_on(store.keep_game(&Match::default(), &NOBODY)).unwrap();
    while store.limit.allows(Instant::now()) {}
    let kept = saved_picture(&store);
    let mut game = Match::new(Setup::usual(GameKind::Adjacency));
    store.note(&game, &NOBODY, false, &[]);
    store.note_value(Value::Statistics, &[7; 20]);
    assert_eq!(block_on(store.write_game()), Err(Trouble::Late));
    game.play_next("d3").unwrap();
    assert_eq!(block_on(store.keep_game(&game, &NOBODY)), Err(Trouble::Late));
    let cut = open(store.pages.flash_mut().clone(), u64::MAX);
    assert_eq!((saved_picture(&cut), cut.value(Value::Statistics)), (kept, &[][..]));
    store.limit = Limit::new();
    assert!(store.save_late());
    let store = restart(store);
    assert_eq!(saved_picture(&store), Some(picture(&game, &NOBODY)));
    assert_eq!(store.value(Value::Statistics), [7; 20]);
}

/// When the limit is reached, what is saved waits; nothing is written in between that would not fit it.
#[test]
fn what_must_wait_is_saved_later() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut game = Match::default();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    // Fills the page, so that the next game does not fit.
    while block_on(store.pages.append(KIND_CLOCK, &[&[1; 10]])).is_ok() {}
    while store.limit.allows(Instant::now()) {}
    let kept = saved_picture(&store);
    let dots = Match::new(Setup::usual(GameKind::Dots));
    assert_eq!(block_on(store.keep_game(&dots, &NOBODY)), Err(Trouble::Late));
    assert_eq!(store.trouble(), Some(Trouble::Late));
    block_on(store.keep_value(Value::Settings, b"loud")).unwrap_err();
    game = dots;
    play(&mut game, &mut Rng::new(1));
    assert_eq!(block_on(store.keep_game(&game, &NOBODY)), Err(Trouble::Late));
    assert!(!store.save_late());
    let flash = store.pages.flash_mut().clone();
    assert_eq!(saved_picture(&open(flash, u64::MAX)), kept, "a cut meanwhile: as it was");

    store.limit = Limit::new();
    assert!(store.save_late());
    assert!(!store.save_late());
    assert_eq!(store.trouble(), None);
    let store = restart(store);
    assert_eq!(saved_picture(&store), Some(picture(&game, &NOBODY)));
    assert_eq!(store.value(Value::Settings), b"loud");
}
