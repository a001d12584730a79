//! The flash for saved games, from the board's memory map.
use corvid_firmware::store::{Region, Store};
use embassy_futures::block_on;
use embedded_storage::nor_flash::NorFlash;

unsafe extern "C" {
    // Only their addresses matter; they hold no data.
    static __saves_start: u8;
    static __saves_end: u8;
}

pub(crate) type Saves<F> = Store<Region<F>>;

/// The saved games in a flash. `origin` is the address of the flash's first byte.
pub(crate) fn open<F: NorFlash>(flash: F, origin: usize) -> Saves<F> {
    let (start, end) = (&raw const __saves_start as usize, &raw const __saves_end as usize);
    let region = Region::new(flash, (start - origin) as u32, (end - start) as u32);
    let mut store = Store::new(region);
    block_on(store.open());
    store
}
