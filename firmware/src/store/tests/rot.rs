//! Bits that flip while the power is off: they are corrected, or the loss is told.
use super::*;
use crate::{clock::TimeControl, store::pages::head_of};
use std::ops::Range;

/// A flash with a game of Othello in progress: its clocks, settings, statistics, an undo, a setting
/// that was changed and a game before it.
struct Device {
    flash: Flash,
    /// What must come back: the moves, the position, the clocks, the values.
    seen: String,
    /// The page, and within it, from where to where records are written, and where the last begins.
    page: usize,
    used: Range<usize>,
    last: usize,
}

/// Everything that a start brings back.
fn seen(store: &mut Tested) -> String {
    let mut table = Table::default();
    store.restore(&mut table);
    let clock = store.game().map(|saved| saved.clock().to_vec());
    format!(
        "{} {clock:?} {:?} {:?} {}",
        picture(table.game(), table.seats()),
        table.settings,
        table.statistics.records(),
        table.is_counted(),
    )
}

fn save(store: &mut Tested, table: &Table) {
    store.note_game(table);
    store.note_settings(&table.settings, &table.statistics);
    store.save_game();
    store.save_settings();
}

fn device() -> Device {
    let mut rng = Rng::new(9);
    let mut table = Table::new(true);
    let levels = (1..=3).filter_map(Level::new).map(Seat::Level);
    for rival in levels {
        for kind in GameKind::ALL {
            table.statistics.add(kind, Some(rival), Outcome::Won, Some(12));
        }
    }
    table.settings.draft.time = TimeControl::new(10, 5).unwrap();
    let mut store = open(Flash::new(4, 0), u64::MAX);
    let start = |table: &mut Table, seats| {
        let draft = Draft { seats, ..table.settings.draft };
        table.start(draft);
    };
    start(&mut table, NOBODY);
    table.change(&mut |game| game.play_next("d3").unwrap());
    save(&mut store, &table);
    store = restart(store);
    start(&mut table, [Seat::Person, LEVEL_7, LEVEL_7, LEVEL_7]);
    save(&mut store, &table);
    store = restart(store);
    for ply in 0..40 {
        table.change(&mut |game| play(game, &mut rng));
        if ply == 20 {
            table.change(&mut |game| assert!(game.undo()));
        }
        table.settings.marks = ply < 30;
        save(&mut store, &table);
    }
    // The last move and its clocks, then another setting.
    let last = store.pages.end().unwrap() as usize;
    table.settings.sound = true;
    save(&mut store, &table);
    let used = 16..store.pages.end().unwrap() as usize;
    let page = store.pages.home().unwrap() as usize * PAGE;
    let mut flash = flash_of(store);
    let seen = seen(&mut open(flash.clone(), u64::MAX));
    assert!(seen.contains("Some([10, 5, "), "{seen}");
    flash.erases = 0;
    Device { flash, seen, page, used, last }
}

/// What became of flipped bits.
#[derive(Debug, Default, PartialEq)]
struct Outcomes {
    exact: usize,
    earlier_told: usize,
    no_game_told: usize,
    /// Nothing is lost, and yet it was told.
    exact_told: usize,
    /// Something is lost, and it was not told.
    silent: usize,
}

impl Outcomes {
    fn add(&mut self, device: &Device, flash: Flash) -> bool {
        let mut store = open(flash, u64::MAX);
        let exact = seen(&mut store) == device.seen;
        let told = store.trouble() == Some(Trouble::Damaged);
        let count = match (exact, told, store.game()) {
            (true, false, _) => &mut self.exact,
            (true, true, _) => &mut self.exact_told,
            (false, true, Some(_)) => &mut self.earlier_told,
            (false, true, None) => &mut self.no_game_told,
            (false, false, _) => &mut self.silent,
        };
        *count += 1;
        if told {
            // Once: the next start has nothing to tell.
            assert_eq!(restart(store).trouble(), None);
        }
        !exact && !told
    }

    fn print(&self, what: &str) {
        let Self { exact, earlier_told, no_game_told, exact_told, silent } = self;
        println!(
            "{what}: exact {exact}, earlier and told {earlier_told}, no game and told \
             {no_game_told}, told without loss {exact_told}, silent {silent}"
        );
    }
}

#[test]
fn a_flipped_bit_anywhere_in_a_saved_page_is_corrected() {
    let device = device();
    let mut all = Outcomes::default();
    for bit in 0..8 * PAGE {
        let mut flash = device.flash.clone();
        flash.bytes[device.page + bit / 8] ^= 1 << (bit % 8);
        all.add(&device, flash);
    }
    all.print("one flipped bit in a saved page");
    assert_eq!(all, Outcomes { exact: 8 * PAGE, ..Outcomes::default() });
}

/// A page without any other to fall back to.
#[test]
fn a_flipped_bit_in_the_only_page_is_corrected() {
    let mut device = device();
    for (index, page) in device.flash.bytes.chunks_mut(PAGE).enumerate() {
        if index != device.page / PAGE {
            page.fill(0xFF);
        }
    }
    // Not every one, but each of a byte's in turn.
    for bit in (0..8 * device.used.end).step_by(7) {
        let mut flash = device.flash.clone();
        flash.bytes[device.page + bit / 8] ^= 1 << (bit % 8);
        let mut all = Outcomes::default();
        all.add(&device, flash);
        assert_eq!(all.exact, 1, "bit {bit}");
    }
}

/// Two flipped bits can't be corrected in one record; then what is lost is told, unless it is the last
/// record, which looks like one that a power cut interrupted.
#[test]
fn what_two_flipped_bits_destroy_is_told() {
    let device = device();
    let mut rng = Rng::new(10);
    let mut all = Outcomes::default();
    for _ in 0..5_000 {
        let mut flash = device.flash.clone();
        let first = rng.below(8 * device.used.end as u32) as usize;
        // In the same record, mostly.
        let second = (first + 1 + rng.below(100) as usize) % (8 * device.used.end);
        for bit in [first, second] {
            flash.bytes[device.page + bit / 8] ^= 1 << (bit % 8);
        }
        let silent = all.add(&device, flash);
        assert!(!silent || first.min(second) / 8 >= device.last, "bits {first} and {second}");
    }
    all.print("two flipped bits");
    assert!(all.exact > 1000 && all.earlier_told > 1000, "{all:?}");
}

/// Bytes that were overwritten with anything.
#[test]
fn what_a_burst_destroys_is_told() {
    let device = device();
    let mut rng = Rng::new(11);
    let mut all = Outcomes::default();
    // Behind the header and the first record, before the last one.
    let first = device.used.start + RECORD_OF_SETTINGS;
    for _ in 0..5_000 {
        let mut flash = device.flash.clone();
        let length = 1 + rng.below(64) as usize;
        let at = first + rng.below((device.last - first - length) as u32) as usize;
        let bytes = &mut flash.bytes[device.page + at..][..length];
        bytes.fill_with(|| rng.next_u32() as u8);
        assert!(!all.add(&device, flash), "{length} bytes at {at}");
    }
    all.print("up to 64 destroyed bytes");
    assert!(all.earlier_told > 2_000, "{all:?}");
}

/// Checksum, head, number and data: 3 bytes and a title without names.
const RECORD_OF_SETTINGS: usize = 24;

/// A page whose header is destroyed is used all the same if something was appended to it.
#[test]
fn a_destroyed_header_loses_nothing() {
    let device = device();
    let mut rng = Rng::new(12);
    for _ in 0..500 {
        let mut flash = device.flash.clone();
        flash.bytes[device.page..][..16].fill_with(|| rng.next_u32() as u8);
        let mut all = Outcomes::default();
        all.add(&device, flash);
        assert_eq!(all.exact, 1);
    }
}

/// The game is on the page before when the record that begins a page is destroyed.
#[test]
fn a_destroyed_game_is_replaced_by_the_one_before() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut game = Match::default();
    game.play_next("d3").unwrap();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    block_on(store.keep_value(Value::Settings, b"loud")).unwrap();
    let mut store = restart(store);
    let before = saved_picture(&store);
    game.play_next("c3").unwrap();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    block_on(store.keep_value(Value::Settings, b"soft")).unwrap();
    let page = store.pages.home().unwrap() as usize * PAGE;
    let mut flash = flash_of(store);
    let end = page + PAGE;
    let text = b"---------------------------OX------XO--------------------------- X";
    let at = flash.bytes[page..end].windows(9).position(|bytes| bytes == &text[24..33]).unwrap();
    flash.bytes[page + at..][..9].fill(b'?');
    let store = open(flash, u64::MAX);
    assert_eq!(store.trouble(), Some(Trouble::Damaged));
    assert_eq!(saved_picture(&store), before, "the move that follows is of an unknown game");
    assert_eq!(store.value(Value::Settings), b"soft");
}

/// Moves after a lost record belong to a position that is not known.
#[test]
fn moves_are_never_played_after_a_gap() {
    let mut store = open(Flash::new(3, 0), u64::MAX);
    let mut game = Match::default();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    for text in ["d3", "c3", "c4"] {
        game.play_next(text).unwrap();
        block_on(store.keep_game(&game, &NOBODY)).unwrap();
    }
    let kept = saved_picture(&store);
    let lost = store.pages.end().unwrap() as usize;
    // Another second and third move; the fourth fits both games.
    game.undo();
    game.undo();
    for text in ["e3", "f4"] {
        game.play_next(text).unwrap();
    }
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    let page = store.pages.home().unwrap() as usize * PAGE;
    game.play_next("c5").unwrap();
    block_on(store.keep_game(&game, &NOBODY)).unwrap();
    let mut flash = flash_of(store);
    flash.bytes[page + lost..][..4].fill(0x55);
    let store = open(flash.clone(), u64::MAX);
    assert_eq!((store.trouble(), saved_picture(&store)), (Some(Trouble::Damaged), kept));

    // A new game ends the gap.
    let mut store = open(flash, u64::MAX);
    block_on(store.keep_game(&Match::new(Setup::usual(GameKind::Dots)), &NOBODY)).unwrap();
    assert_eq!(store.trouble(), Some(Trouble::Damaged), "it stays until the next start");
    assert_eq!(restart(store).trouble(), None);
}

/// A record that a power cut interrupts is no damage, wherever it is cut, and with every kind of it.
#[test]
fn a_torn_record_is_not_told() {
    for left in 0..1_200 {
        let mut store = open(Flash::new(3, left), u64::MAX);
        let mut game = Match::default();
        block_on(store.keep_game(&game, &NOBODY)).unwrap();
        let mut store = open(flash_of(store), left);
        game.play_next("d3").unwrap();
        let _ = block_on(store.keep_game(&game, &NOBODY));
        let _ = block_on(store.keep_value(Value::Statistics, &[7; 200]));
        let _ = block_on(store.keep_game(&Match::default(), &COMPUTER));
        let mut store = restart(store);
        store.restore(&mut Table::default());
        assert_eq!(store.trouble(), None, "after {left}");
    }
}

/// Saves of a game that goes on after its end, as versions read them that don't know records which are
/// written together.
#[test]
fn what_an_older_version_skips_leaves_it_a_game_of_before() {
    let mut table = Table::default();
    table.start(Draft { seats: [Seat::Person, LEVEL_7, LEVEL_7, LEVEL_7], ..Draft::NEW });
    table.change(&mut |game| game.play_next("d3").unwrap());
    let mut store = open(Flash::new(3, 0), u64::MAX);
    save(&mut store, &table);
    let end = store.pages.end().unwrap() as usize;
    let page = store.pages.home().unwrap() as usize * PAGE;
    table.resign();
    assert!(!table.statistics.records().is_empty());
    store.note_settings(&table.settings, &table.statistics);
    store.drop_game();
    let flash = flash_of(store);
    let bytes = &flash.bytes[page + end..];
    let length = usize::from(u16::from_le_bytes([bytes[4], bytes[5]]) & 0xFFF);
    assert_eq!(bytes[4..6], head_of(KIND_TOGETHER, length));
    assert_eq!(bytes[6 + length.next_multiple_of(4) + 2..][..8], [0xFF; 8], "one record");
    let store = open(flash, u64::MAX);
    assert!(store.game().is_none() && !store.value(Value::Statistics).is_empty());
}
