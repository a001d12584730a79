//! The SSD1306 OLED controller: commands and display memory, as far as a 128 x 64 module's data sheet
//! goes without scrolling, zoom and the addressing modes that Corvid's driver doesn't use.
use crate::screen::{HEIGHT, Screen, WIDTH};

/// Eight rows make a page; a byte is one column of it, its lowest bit on top.
const PAGES: usize = HEIGHT / 8;

/// What the memory holds when it gets power is not defined: a pattern shows when nobody has cleared it.
const NOISE: u8 = 0x5a;

/// The controller with its glass.
pub(crate) struct Ssd1306 {
    memory: [[u8; WIDTH]; PAGES],
    on: bool,
    charge_pump: bool,
    inverse: bool,
    all_on: bool,
    start_line: usize,
    offset: usize,
    mirrors_columns: bool,
    mirrors_rows: bool,
    column: usize,
    page: usize,
    /// A command whose arguments are still to come.
    pending: Vec<u8>,
    /// The control byte of this transfer, once it has come.
    control: Option<u8>,
}

impl Ssd1306 {
    /// A controller that has just got its power.
    pub(crate) const fn new() -> Self {
        Self {
            memory: [[NOISE; WIDTH]; PAGES],
            on: false,
            charge_pump: false,
            inverse: false,
            all_on: false,
            start_line: 0,
            offset: 0,
            mirrors_columns: false,
            mirrors_rows: false,
            column: 0,
            page: 0,
            pending: Vec::new(),
            control: None,
        }
    }

    /// A new transfer to the controller's address begins.
    pub(crate) fn start(&mut self) {
        self.control = None;
        self.pending.clear();
    }

    /// One byte of a transfer that writes.
    pub(crate) fn write(&mut self, byte: u8) {
        let Some(control) = self.control else {
            assert!(byte & 0x3f == 0, "SSD1306: control byte {byte:#04x}");
            self.control = Some(byte);
            return;
        };
        if control & 0x40 == 0 {
            self.command(byte)
        } else {
            self.data(byte)
        }
        if control & 0x80 != 0 {
            // With the continuation bit, each byte has a control byte of its own.
            self.control = None;
        }
    }

    /// What it answers when it is read: whether it is off, and what 128 x 64 modules have been seen with.
    pub(crate) const fn status(&self) -> u8 {
        if self.on { 0x06 } else { 0x46 }
    }

    /// So many argument bytes follow a command.
    const fn arguments(command: u8) -> usize {
        match command {
            0x20 | 0x81 | 0x8d | 0xa8 | 0xd3 | 0xd5 | 0xd9 | 0xda | 0xdb => 1,
            _ => 0,
        }
    }

    fn command(&mut self, byte: u8) {
        self.pending.push(byte);
        let command = self.pending[0];
        if self.pending.len() <= Self::arguments(command) {
            return;
        }
        self.pending.clear();
        let is_set = command & 1 != 0;
        match command {
            0x00..=0x0f => self.column = self.column & 0x70 | usize::from(command),
            0x10..=0x17 => self.column = self.column & 0x0f | usize::from(command & 7) << 4,
            0x20 => assert!(byte & 3 == 2, "SSD1306: only page addressing is modelled"),
            0x40..=0x7f => self.start_line = usize::from(command & 0x3f),
            0x8d => self.charge_pump = byte & 4 != 0,
            0xa0 | 0xa1 => self.mirrors_columns = is_set,
            0xa4 | 0xa5 => self.all_on = is_set,
            0xa6 | 0xa7 => self.inverse = is_set,
            0xa8 => assert!(usize::from(byte) == HEIGHT - 1, "SSD1306: multiplex ratio {byte}"),
            0xae | 0xaf => self.on = is_set,
            0xb0..=0xb7 => self.page = usize::from(command & 7),
            0xc0 | 0xc8 => self.mirrors_rows = command & 8 != 0,
            0xd3 => self.offset = usize::from(byte & 0x3f),
            0xda => {
                assert!(byte == 0x12, "SSD1306: COM pins {byte:#04x} are not a 64-row module's")
            }
            // Contrast, clock, pre-charge, V-COMH, and scrolling off don't change the dots.
            0x2e | 0x81 | 0xd5 | 0xd9 | 0xdb => {}
            _ => panic!("SSD1306: unknown command {command:#04x}"),
        }
    }

    fn data(&mut self, byte: u8) {
        self.memory[self.page][self.column] = byte;
        self.column = (self.column + 1) % WIDTH;
    }

    /// Whether the dot is lit, as a person sees it on a module mounted with its pins on top.
    fn is_lit(&self, x: usize, y: usize) -> bool {
        if !self.on || !self.charge_pump {
            return false;
        }
        // Modules are wired so that both mirror bits set give the upright picture.
        let column = if self.mirrors_columns { x } else { WIDTH - 1 - x };
        let com = if self.mirrors_rows { y } else { HEIGHT - 1 - y };
        let row = (com + self.start_line + self.offset) % HEIGHT;
        let lit = self.memory[row / 8][column] >> (row % 8) & 1 == 1;
        self.all_on || lit != self.inverse
    }

    /// What a person sees.
    pub(crate) fn screen(&self) -> Screen {
        Screen::from_fn(|x, y| self.is_lit(x, y))
    }
}
