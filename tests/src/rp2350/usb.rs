//! The USB controller as a device: its registers and the memory that it shares with the program, in
//! which packets lie.
//! A buffer stays available until the host reads or writes it, as on a real bus, so that the program
//! also meets a host that has nothing to say or does not listen.

/// Bytes of the shared memory.
const MEMORY: usize = 4096;

/// Where a setup packet is put, and where the packets of endpoint 0 lie.
const SETUP: usize = 0;
const ENDPOINT_0: usize = 0x100;

/// The words that control the buffers: of endpoint 0 to the host, from it, of endpoint 1 to the host...
pub(crate) const BUFFERS: std::ops::Range<u32> = 0x80..0x100;

// Bits of such a word.
const LENGTH: u32 = 0x3ff;
const AVAILABLE: u32 = 1 << 10;
const STALL: u32 = 1 << 11;
const FULL: u32 = 1 << 15;

// Registers.
const SIE_CONTROL: u32 = 0x4c;
const SIE_STATUS: u32 = 0x50;
const BUFFER_STATUS: u32 = 0x58;
const RAISED: u32 = 0x8c;
const ENABLED: u32 = 0x90;
const FORCED: u32 = 0x94;
const STATUS: u32 = 0x98;
/// The first one that is not stored here.
const END: usize = 0x100;

/// The device shows that it is there.
const PULL_UP: u32 = 1 << 16;

// Bits of the serial interface's status.
const SETUP_RECEIVED: u32 = 1 << 17;
const BUS_RESET: u32 = 1 << 19;

// Interrupts.
const ON_BUFFER: u32 = 1 << 4;
const ON_RESET: u32 = 1 << 12;
const ON_SETUP: u32 = 1 << 16;

/// The controller.
pub(crate) struct Usb {
    pub(crate) memory: Vec<u8>,
    stored: [u32; END / 4],
    status: u32,
    /// A bit for each buffer that the host has taken or filled.
    done: u32,
}

impl Usb {
    /// A controller after a reset.
    pub(crate) fn new() -> Self {
        Self { memory: vec![0; MEMORY], stored: [0; END / 4], status: 0, done: 0 }
    }

    fn get(&self, register: u32) -> u32 {
        self.stored.get(register as usize / 4).copied().unwrap_or(0)
    }

    fn raised(&self) -> u32 {
        let of = |is: bool, bit: u32| if is { bit } else { 0 };
        of(self.done != 0, ON_BUFFER)
            | of(self.status & BUS_RESET != 0, ON_RESET)
            | of(self.status & SETUP_RECEIVED != 0, ON_SETUP)
    }

    /// Whether its interrupt line is raised.
    pub(crate) fn interrupts(&self) -> bool {
        self.read(STATUS) != 0
    }

    /// Reads a register.
    pub(crate) fn read(&self, register: u32) -> u32 {
        match register {
            SIE_STATUS => self.status,
            BUFFER_STATUS => self.done,
            RAISED => self.raised(),
            STATUS => (self.raised() | self.get(FORCED)) & self.get(ENABLED),
            _ => self.get(register),
        }
    }

    /// Writes a register.
    pub(crate) fn write(&mut self, register: u32, value: u32) {
        match register {
            SIE_STATUS => self.status &= !value,
            BUFFER_STATUS => self.done &= !value,
            _ => {
                if let Some(stored) = self.stored.get_mut(register as usize / 4) {
                    *stored = value;
                }
            }
        }
    }

    fn word(&self, place: usize) -> u32 {
        let bytes = self.memory[place..].first_chunk().copied().unwrap_or_default();
        u32::from_le_bytes(bytes)
    }

    fn set_word(&mut self, place: usize, word: u32) {
        self.memory[place..place + 4].copy_from_slice(&word.to_le_bytes());
    }

    /// The word that controls a buffer.
    const fn control(endpoint: usize, from_host: bool) -> usize {
        BUFFERS.start as usize + 8 * endpoint + if from_host { 4 } else { 0 }
    }

    /// Where a buffer's bytes lie.
    fn place(&self, endpoint: usize, from_host: bool) -> usize {
        match endpoint {
            0 => ENDPOINT_0,
            _ => self.word(8 * endpoint + if from_host { 4 } else { 0 }) as usize & 0xffc0,
        }
    }

    /// Whether the device shows that it is there.
    pub(crate) fn is_present(&self) -> bool {
        self.get(SIE_CONTROL) & PULL_UP != 0
    }

    /// The host resets the bus.
    pub(crate) const fn reset_bus(&mut self) {
        self.status |= BUS_RESET;
    }

    /// Whether the program has yet to notice a reset of the bus.
    pub(crate) const fn is_resetting(&self) -> bool {
        self.status & BUS_RESET != 0
    }

    /// Whether the program refuses what the host asks of endpoint 0.
    pub(crate) fn refuses(&self) -> bool {
        [false, true].iter().any(|out| self.word(Self::control(0, *out)) & STALL != 0)
    }

    /// The host begins a request.
    pub(crate) fn set_up(&mut self, packet: [u8; 8]) {
        self.memory[SETUP..SETUP + packet.len()].copy_from_slice(&packet);
        self.status |= SETUP_RECEIVED;
    }

    /// The packet that the program offers on an endpoint, if it does.
    pub(crate) fn take(&mut self, endpoint: usize) -> Option<Vec<u8>> {
        let control = Self::control(endpoint, false);
        let word = self.word(control);
        if word & AVAILABLE == 0 {
            return None;
        }
        let place = self.place(endpoint, false);
        let packet = self.memory[place..place + (word & LENGTH) as usize].to_vec();
        self.set_word(control, word & !(AVAILABLE | FULL));
        self.done |= 1 << (2 * endpoint);
        Some(packet)
    }

    /// Puts a packet into the buffer that the program offers on an endpoint, if it does.
    pub(crate) fn give(&mut self, endpoint: usize, packet: &[u8]) -> bool {
        let control = Self::control(endpoint, true);
        let word = self.word(control);
        if word & AVAILABLE == 0 {
            return false;
        }
        let room = (word & LENGTH) as usize;
        assert!(packet.len() <= room, "USB: {} bytes for a buffer of {room}", packet.len());
        let place = self.place(endpoint, true);
        self.memory[place..place + packet.len()].copy_from_slice(packet);
        self.set_word(control, word & !(AVAILABLE | LENGTH) | FULL | packet.len() as u32);
        self.done |= 2 << (2 * endpoint);
        true
    }
}
