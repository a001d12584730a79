//! The flash for saved games, as the board's memory map has it.
use corvid_firmware::store::Region;
use embedded_storage::nor_flash::NorFlash;

unsafe extern "C" {
    // Their addresses are what counts; nothing is there.
    static __saves_start: u8;
    static __saves_end: u8;
}

/// The part of a flash that is for saved games. `origin` is the address of the flash's first byte.
pub(crate) fn region<F: NorFlash>(flash: F, origin: u32) -> Region<F> {
    let (start, end) = (&raw const __saves_start as u32, &raw const __saves_end as u32);
    Region::new(flash, start - origin, end - start)
}
