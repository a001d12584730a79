//! The device's application on the host, one step at a time: what a person does with its keys and
//! what the display then shows.
use crate::{board::Key, screen::Screen};
use corvid_core::engine::BOARD_SLOTS;
use corvid_firmware::{
    app::Device,
    brain::Brain,
    frame::Frame,
    keys::Press,
    table::Table,
    ui::{self, Ui},
};
use std::cell::Cell;

thread_local! {
    static MICROS: Cell<u64> = const { Cell::new(0) };
}

/// A clock of its own that moves a little with every look, so that a run is always the same.
fn micros() -> u64 {
    MICROS.with(|micros| {
        micros.set(micros.get() + 50);
        micros.get()
    })
}

/// A device whose tasks run when they are told to.
#[derive(Debug)]
pub struct Desk {
    device: Device,
    ui: Ui,
    frame: Frame,
    brain: Brain<()>,
}

impl Desk {
    /// A device that has just been switched on.
    pub fn new() -> Self {
        let mut brain = Brain::new(micros, ());
        brain.lend(vec![0; BOARD_SLOTS].leak());
        Self { device: Device::new(), ui: Ui::new(), frame: Frame::DARK, brain }
    }

    /// Does what keys mean, one after the other, without letting the device think.
    pub fn press(&mut self, presses: &[Press]) {
        for press in presses {
            let mut table = embassy_futures::block_on(self.device.table());
            self.ui.press(*press, &self.device, &mut table);
        }
    }

    /// Lets the device think until it waits for somebody.
    pub fn settle(&mut self) {
        let idle: fn() = || IDLE.with(|idle| idle.set(true));
        IDLE.with(|idle| idle.set(false));
        while !IDLE.with(Cell::get) {
            self.brain.step(&self.device, idle);
        }
    }

    /// What the display shows.
    pub fn screen(&mut self) -> Screen {
        let mut table = embassy_futures::block_on(self.device.table());
        self.ui.draw(&mut self.frame, self.device.busy(), &mut table);
        Screen::from_fn(|x, y| self.frame.is_lit(x, y))
    }

    /// Which screen that is.
    pub fn place(&mut self) -> ui::Screen {
        self.screen();
        self.ui.screen()
    }

    /// Looks at the table.
    pub fn look<R>(&self, look: impl FnOnce(&Table) -> R) -> R {
        look(&embassy_futures::block_on(self.device.table()))
    }
}

thread_local! {
    static IDLE: Cell<bool> = const { Cell::new(false) };
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}

/// What a key means when it is pressed for a short time.
pub const fn short(key: Key) -> Press {
    match key {
        Key::Up => Press::Up,
        Key::Down => Press::Down,
        Key::Left => Press::Left,
        Key::Right => Press::Right,
        Key::Select => Press::Select,
    }
}
