//! A boot ROM of the functions that Corvid calls, each a return: the work is done when the processor
//! gets there. The chip's own is Raspberry Pi's, and not part of this project.

/// Bytes of it, a power of two.
const SIZE: usize = 0x200;

/// Its version, and the place of the pointer to the function that looks up the others: fixed, since A2.
const VERSION: (usize, u8) = (0x13, 2);
const LOOK_UP_POINTER: usize = 0x16;

/// Where the functions lie, a word each.
const FUNCTIONS: u32 = 0x100;

/// The lowest bit of every pointer to a function.
const THUMB: u32 = 1;

/// The instruction `bx lr`.
pub(crate) const RETURN: u16 = 0x4770;

/// A function of the ROM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// Gives a function's address, by its code.
    LookUp,
    /// Concerns the interface to the flash chip, which is not modelled.
    Nothing,
    /// Erases sectors of the flash.
    Erase,
    /// Programs pages of the flash.
    Program,
    /// Restarts the chip as a drive on USB.
    Reboot,
}

/// The functions with their codes.
const CALLS: [([u8; 2], Call); 8] = [
    ([0; 2], Call::LookUp),
    (*b"IF", Call::Nothing), // connect the chip
    (*b"EX", Call::Nothing), // leave execution in place
    (*b"RE", Call::Erase),
    (*b"RP", Call::Program),
    (*b"FC", Call::Nothing), // flush the cache
    (*b"CX", Call::Nothing), // execute in place again
    (*b"RB", Call::Reboot),
];

const fn address(index: usize) -> u32 {
    FUNCTIONS + 4 * index as u32
}

/// Its bytes.
pub(crate) fn image() -> Vec<u8> {
    let mut bytes = vec![0; SIZE];
    let mut put = |place: usize, value: u16| {
        bytes[place..place + 2].copy_from_slice(&value.to_le_bytes());
    };
    put(LOOK_UP_POINTER, (address(0) | THUMB) as u16);
    (0..CALLS.len()).for_each(|index| put(address(index) as usize, RETURN));
    bytes[VERSION.0] = VERSION.1;
    bytes
}

/// The function that begins at an address.
pub(crate) fn call(at: u32) -> Option<Call> {
    (0..).zip(CALLS).find(|(index, _)| address(*index) == at).map(|(_, (_, call))| call)
}

/// The pointer to the function with this code; 0 if there is none.
pub(crate) fn look_up(code: u32) -> u32 {
    let index = CALLS.iter().position(|(own, _)| u32::from(u16::from_le_bytes(*own)) == code);
    index.map_or(0, |index| address(index) | THUMB)
}
