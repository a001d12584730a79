//! The Raspberry Pi Pico 2: its real image on two Cortex-M33 of the crate `rp2350-emu`.
//!
//! The crate executes instructions and counts their clocks, and has registers for what a program sets up
//! at its start. It has no boot ROM, no USB host and nothing on its I2C bus, its flash can't be written,
//! and its timer and watchdog don't keep time: these are modelled here. So is what its processor lacks:
//! loads with acquire and stores with release (`plain`), the limit of the stack (`processor`), and
//! interrupts that a program raises (`chip`). The second processor starts as the boot ROM starts it (`sio`),
//! and the two take turns by the instruction, on one clock, so that a run is the same every time. A flash
//! that changes while the second one is not waiting in RAM is a panic.
//!
//! What it leaves out:
//! - Clocks: flash and RAM answer at once. On the chip, what is not in the cache of 16 KB before the flash
//!   takes dozens of clocks, so a real one is slower.
//! - The clock has 150 MHz from the first instruction on.
//! - What the processors wait for each other at the memory's banks, and interrupts of the second one.
//! - PWM, DMA and the pads: registers without effect.
mod chip;
mod fabric;
mod flash;
mod host;
mod i2c;
mod plain;
mod processor;
mod rom;
mod sio;
mod ssd1306;
mod timer;
mod usb;
mod watchdog;

use self::{chip::Chip, fabric::Fabric, flash::Flash};
use crate::{
    board::{Board, Key},
    image::image,
    inbox::{self, Inbox},
    sabotage::{Diversion, Sabotage, SabotageSecond, symbol},
    screen::Screen,
};
use anyhow::{Context, Result, ensure};
use corvid_core::mix::Rng;
use std::{fmt, fs, path::PathBuf, time::Duration};
use xtask::uf2;

/// Of the processor.
const CYCLES_PER_MICRO: u64 = 150;

/// A time that does not come.
const NEVER: u64 = u64::MAX;

/// Where the flash begins.
const FLASH: u32 = 0x1000_0000;

/// The pin of the first key; the others follow in the order of [`Key::ALL`].
const FIRST_KEY: usize = 10;

/// The pins while no key connects one to ground.
const RELEASED: u32 = 0x3fff_ffff;

/// A running Pico 2 with its display, its buttons and a USB host.
pub struct Pico2 {
    chip: Chip,
    /// What the board has sent and no test has read yet.
    received: Vec<u8>,
    noise: Rng,
}

impl fmt::Debug for Pico2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (now, received) = (self.chip.fabric.now, String::from_utf8_lossy(&self.received));
        f.debug_struct("Pico2")
            .field("now", &now)
            .field("received", &received)
            .finish_non_exhaustive()
    }
}

impl Pico2 {
    /// Builds the image and starts it.
    pub fn start() -> Result<Self> {
        let elf = fs::read(image("pico2")?)?;
        let mut flash = Flash::new();
        for (address, bytes) in uf2::segments(&elf)? {
            let place =
                address.checked_sub(FLASH).context("the image lies below the flash")? as usize;
            let cells = flash.bytes.get_mut(place..place + bytes.len());
            cells.context("the image does not fit")?.copy_from_slice(bytes);
        }
        let mut noise = Rng::new(1);
        let chip = power_on(flash, RELEASED, &mut noise);
        Ok(Self { chip, received: Vec::new(), noise })
    }

    /// Stops the processors permanently: they do not even take interrupts.
    pub const fn hang(&mut self) -> Result<()> {
        self.chip.is_hung = true;
        Ok(())
    }

    /// Whether the boot ROM has taken over: the board is a drive now.
    pub const fn is_drive(&self) -> bool {
        self.chip.has_left
    }

    /// Moves the stack down, so that this many bytes of it are left. What points to a place on it points
    /// to the old one, which stays as it is.
    pub fn use_up_stack(&mut self, left: u32) -> Result<()> {
        let elf = fs::read(self.image()?)?;
        let [end, top] = ["_stack_end", "_stack_start"].map(|end| symbol(&elf, |name| name == end));
        self.chip.move_stack(top?, end? + left);
        Ok(())
    }

    fn set_key(&mut self, key: Key, is_down: bool) {
        let index = Key::ALL.iter().position(|other| *other == key).unwrap_or(0);
        let (pins, pin) = (self.chip.fabric.pins(), 1 << (FIRST_KEY + index));
        self.chip.fabric.set_pins(if is_down { pins & !pin } else { pins | pin });
    }
}

/// Switches a board on: what its memory holds is not defined, but the same in every run.
fn power_on(flash: Flash, pins: u32, noise: &mut Rng) -> Chip {
    Chip::new(Fabric::new(flash, pins, || noise.next_u32() as u8))
}

impl Board for Pico2 {
    fn name(&self) -> &'static str {
        "pico2"
    }

    fn restart(&mut self, new: bool) -> Result<()> {
        if new {
            *self = Self::start()?;
            return Ok(());
        }
        let pins = self.chip.fabric.pins();
        let flash = std::mem::replace(&mut self.chip.fabric.flash, Flash { bytes: Vec::new() });
        let is_mute = self.chip.fabric.sio.is_mute;
        self.received.clear();
        self.chip = power_on(flash, pins, &mut self.noise);
        self.chip.fabric.sio.is_mute = is_mute;
        Ok(())
    }

    fn time(&mut self) -> Result<Duration> {
        Ok(Duration::from_nanos(self.chip.fabric.now * 1000 / CYCLES_PER_MICRO))
    }

    fn press(&mut self, key: Key) -> Result<()> {
        self.set_key(key, true);
        Ok(())
    }

    fn release(&mut self, key: Key) -> Result<()> {
        self.set_key(key, false);
        Ok(())
    }

    fn screen(&mut self) -> Result<Screen> {
        Ok(self.chip.fabric.i2c.display.screen())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.chip.fabric.send(bytes);
        Ok(())
    }

    fn receive_until(&mut self, end: &str, timeout: Duration) -> Result<String> {
        inbox::receive_until(self, end, timeout)
    }

    fn receive(&mut self, count: usize, timeout: Duration) -> Result<String> {
        inbox::receive(self, count, timeout)
    }

    fn run_for(&mut self, time: Duration) -> Result<()> {
        let clocks = u64::try_from(time.as_nanos())? * CYCLES_PER_MICRO / 1000;
        self.chip.run_until(self.chip.fabric.now + clocks);
        self.received.append(&mut self.chip.fabric.host.received);
        Ok(())
    }
}

impl Inbox for Pico2 {
    fn received(&mut self) -> &mut Vec<u8> {
        &mut self.received
    }
}

impl Sabotage for Pico2 {
    fn image(&self) -> Result<PathBuf> {
        image("pico2")
    }

    fn read_words(&mut self, address: u32, count: u32) -> Result<Vec<u32>> {
        Ok((0..count).map(|index| self.chip.word(address + 4 * index)).collect())
    }

    fn write_word(&mut self, address: u32, word: u32) -> Result<()> {
        self.chip.set_word(address, word);
        Ok(())
    }

    fn divert(&mut self, to: Diversion) -> Result<()> {
        ensure!(!self.chip.is_hung && !self.chip.has_left, "no program runs");
        let Diversion { address, back, r2 } = to;
        self.chip.divert(address, back, r2);
        Ok(())
    }
}

impl SabotageSecond for Pico2 {
    fn break_second(&mut self) -> Result<()> {
        self.chip.fabric.sio.is_mute = true;
        Ok(())
    }

    fn hang(&mut self) -> Result<()> {
        Self::hang(self)
    }

    fn helped(&mut self) -> Result<Duration> {
        Ok(Duration::from_nanos(self.chip.helped * 1000 / CYCLES_PER_MICRO))
    }

    fn lowest_second_stack(&mut self) -> Result<u32> {
        Ok(self.chip.second_stack)
    }

    fn divert_second(&mut self, to: Diversion, stack: Option<u32>) -> Result<()> {
        let is_there = self.chip.divert_second(to.address, to.back, to.r2, stack);
        ensure!(is_there, "the second processor runs nothing");
        Ok(())
    }
}
