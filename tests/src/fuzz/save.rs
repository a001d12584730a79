//! A flash with any contents, pages with correct checksums among them: whatever it holds, the device
//! starts with a legal game, saves it, and finds the same again.

use corvid::flash::{Flash, SIZE};
use corvid_firmware::brain::Keeper;
use corvid_firmware::store::{Region, Store, Trouble};
use corvid_firmware::table::Table;
use embassy_futures::block_on;

use super::{check_match, take};

/// Bytes of a page, as on the Pico.
const PAGE: usize = 4096;

/// Bytes of a page's header.
const HEADER: usize = 16;

pub(super) fn run(data: &[u8]) {
    let flash = Flash::from_bytes(forge(data)).expect("the bytes of a flash");
    let before = flash.bytes();
    let (mut store, table) = opened(&flash);
    check_match(table.game());
    if let Some(Trouble::Version(_)) = store.trouble() {
        assert_eq!(table.game().plies(), 0, "another version's game is not read");
        save(&mut store, &table);
        assert_eq!(flash.bytes(), before, "another version's save is kept");
        store.discard();
    }
    // What was read once can be read again, also if nothing is saved meanwhile.
    let (_, second) = opened(&flash);
    if saves(&store) && flash.bytes() != before {
        check_same(&table, &second);
    }
    save(&mut store, &table);
    assert!(saves(&store), "a whole flash takes a game, not {:?}", store.trouble());
    let (_, again) = opened(&flash);
    check_same(&table, &again);
}

/// Damage that was found is told until the next start, and hinders nothing.
fn saves(store: &Store<Region<Flash>>) -> bool {
    matches!(store.trouble(), None | Some(Trouble::Damaged))
}

fn opened(flash: &Flash) -> (Store<Region<Flash>>, Table) {
    let mut store = Store::new(Region::new(flash.clone(), 0, SIZE));
    block_on(store.open());
    let mut table = Table::new(true);
    store.restore(&mut table);
    (store, table)
}

fn save(store: &mut Store<Region<Flash>>, table: &Table) {
    store.note_game(table);
    store.save_game();
    store.note_settings(&table.settings, &table.statistics);
    store.save_settings();
}

fn check_same(table: &Table, again: &Table) {
    assert_eq!(again.game().setup(), table.game().setup());
    assert_eq!(again.game().start(), table.game().start());
    assert_eq!(again.game().position(), table.game().position());
    assert_eq!(again.game().plies(), table.game().plies());
    assert_eq!(again.seats_in_play(), table.seats_in_play());
    assert_eq!(again.is_counted(), table.is_counted());
    assert_eq!(again.settings, table.settings);
    assert_eq!(again.statistics.records(), table.statistics.records());
}

/// A flash by the bytes of an input: `P` begins a page with a header, `R` adds a record to it, both
/// with the checksums that they should have; anything else changes a byte somewhere.
fn forge(mut data: &[u8]) -> Vec<u8> {
    let mut flash = vec![0xff; SIZE as usize];
    let (mut page, mut number, mut end) = (0, 0, HEADER);
    while !data.is_empty() {
        let [operation] = take(&mut data);
        match operation {
            b'P' => {
                close(&mut flash[page * PAGE..][..PAGE], number, end);
                let [index, numbered] = take(&mut data);
                (page, number, end) = (usize::from(index) % 16, u32::from(numbered), HEADER);
                flash[page * PAGE..][..PAGE].fill(0xff);
            }
            b'V' => {
                // Another version; without a number, one that covers more than there is.
                let [version, more] = take(&mut data);
                let header = &mut flash[page * PAGE..][..HEADER];
                header[4] = version;
                header[7] = more;
                header[8..12].copy_from_slice(&number.to_le_bytes());
                seal(header);
                (page, number, end) = ((page + 1) % 16, number + 1, HEADER);
            }
            b'R' => {
                let [kind, low, high] = take(&mut data);
                let length = usize::from(u16::from_le_bytes([low, high]) & 0xfff).min(data.len());
                let (record, rest) = data.split_at(length);
                data = rest;
                let next = end + (6 + length).next_multiple_of(4);
                if next > PAGE {
                    continue;
                }
                let head = (u16::from(kind) << 12 | length as u16).to_le_bytes();
                let sum = crc(&[&number.to_le_bytes()[..], &head, record].concat()).to_le_bytes();
                let bytes = [&sum[..], &head, record].concat();
                flash[page * PAGE + end..][..bytes.len()].copy_from_slice(&bytes);
                end = next;
            }
            byte => {
                let at: [u8; 2] = take(&mut data);
                flash[usize::from(u16::from_le_bytes(at))] = byte;
            }
        }
    }
    close(&mut flash[page * PAGE..][..PAGE], number, end);
    flash
}

/// Writes the header of a page whose records end here, if it has none.
fn close(page: &mut [u8], number: u32, end: usize) {
    if page[..HEADER] == [0xff; HEADER] && end > HEADER {
        page[4] = 1;
        page[6..8].copy_from_slice(&((end - HEADER) as u16).to_le_bytes());
        page[8..12].copy_from_slice(&number.to_le_bytes());
        seal(page);
    }
}

fn seal(header: &mut [u8]) {
    header[..4].copy_from_slice(b"CRVD");
    let sum = crc(&header[..12]).to_le_bytes();
    header[12..HEADER].copy_from_slice(&sum);
}

/// CRC-32, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let mut rest = u32::MAX;
    for byte in bytes {
        rest ^= u32::from(*byte);
        for _ in 0..8 {
            rest = rest >> 1 ^ if rest & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
    }
    !rest
}
