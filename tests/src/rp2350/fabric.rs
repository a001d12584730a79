//! What the processors' bus leads to: memory, the devices modelled here, and for all other addresses the
//! crate's chip, of which only the registers are used.
use super::{
    flash::Flash,
    host::Host,
    i2c::I2c,
    plain::plain,
    rom,
    sio::{FIRST, SECOND, Sio},
    ssd1306::Ssd1306,
    timer::Timer,
    usb::{self, Usb},
    watchdog::{Reason, Watchdog},
};
use rp2350_emu::{
    Config, Emulator,
    core::CoreBus,
    irq::{IRQ_I2C0_IRQ, IRQ_TIMER0_IRQ_0, IRQ_USBCTRL_IRQ},
    threaded::CoreAtomics,
};
use std::sync::{Arc, atomic::Ordering};

/// Bytes of RAM.
const RAM_SIZE: usize = 520 * 1024;

// The places of memory and devices.
const FLASH: u32 = 0x1000_0000;
const FLASH_UNCACHED: u32 = 0x1400_0000;
const RAM: u32 = 0x2000_0000;
const POWER_STATES: u32 = 0x4001_8000;
const RESETS: u32 = 0x4002_0000;
const I2C0: u32 = 0x4009_0000;
const TIMER0: u32 = 0x400b_0000;
const WATCHDOG: u32 = 0x400d_8000;
const BOOT_RAM: u32 = 0x400e_0000;
const POWER: u32 = 0x4010_0000;
const USB_MEMORY: u32 = 0x5010_0000;
const USB: u32 = 0x5011_0000;
const SIO: u32 = 0xd000_0000;

/// The register that says what the chip was reset by, and its bit for power-on.
const CHIP_RESET: u32 = 0x2c;
const HAD_POWER_ON: u32 = 1 << 16;

/// The register that holds parts of the chip in their resets, and the second processor's bit.
const FORCE_OFF: u32 = 0x04;
const OFF_SECOND: u32 = 1 << 24;

/// The lines that reset devices.
const RESET_I2C0: u32 = 1 << 4;
const RESET_TIMER0: u32 = 1 << 23;
const RESET_USB: u32 = 1 << 28;

// What the crate adds for its bridge to slow devices, in clocks.
const SLOW: u32 = 4;
const SLOW_READ: u32 = 2;
const SLOW_WRITE: u32 = 3;
const ATOMIC: u32 = 2;

/// Everything but the processors.
pub(crate) struct Fabric {
    /// Its processors never run.
    chip: Emulator,
    rom: Vec<u8>,
    pub(crate) ram: Vec<u8>,
    pub(crate) flash: Flash,
    timer: Timer,
    pub(crate) watchdog: Watchdog,
    usb: Usb,
    pub(crate) host: Host,
    pub(crate) i2c: I2c,
    pub(crate) sio: Sio,
    /// Whether the second processor is held in its reset, if a program has just changed that.
    pub(crate) second_reset: Option<bool>,
    /// The processor that executes an instruction.
    pub(crate) active: usize,
    /// Whether the power came after the last reset.
    had_power_on: bool,
    /// The levels of the pins, from outside.
    pins: u32,
    /// The first processor's clocks since the first start.
    pub(crate) now: u64,
    /// When a device has to do something.
    pub(crate) due: u64,
    /// The interrupt lines that are raised.
    pub(crate) lines: u64,
    /// Clocks that the instruction waits for the bus.
    waits: u32,
    last_fetch: [u32; 2],
    /// Where the instruction is that is executed.
    at: u32,
    /// What it wrote to the first processor's own registers: the address and the value.
    pub(crate) own_write: Option<(u32, u32)>,
}

impl Fabric {
    /// A board that has just got its power, with this in its RAM.
    pub(crate) fn new(flash: Flash, pins: u32, noise: impl FnMut() -> u8) -> Self {
        let mut ram = vec![0; RAM_SIZE];
        ram.fill_with(noise);
        let mut fabric = Self {
            chip: Emulator::new(Config::default()),
            rom: rom::image(),
            ram,
            flash,
            timer: Timer::new(0),
            watchdog: Watchdog::new(),
            usb: Usb::new(),
            host: Host::new(),
            i2c: I2c::new(Ssd1306::new()),
            sio: Sio::new(false),
            second_reset: None,
            active: FIRST,
            had_power_on: true,
            pins,
            now: 0,
            due: 0,
            lines: 0,
            waits: 0,
            last_fetch: [0; 2],
            at: 0,
            own_write: None,
        };
        fabric.set_pins(pins);
        fabric.settle();
        fabric
    }

    /// Resets the chip. Its memories, and what is connected to it, keep their power.
    pub(crate) fn reset(&mut self, reason: Reason) {
        self.chip = Emulator::new(Config::default());
        self.set_pins(self.pins);
        self.had_power_on = false;
        self.timer = Timer::new(self.now);
        self.watchdog = self.watchdog.after(reason);
        self.usb = Usb::new();
        self.host.lose();
        self.i2c.reset();
        self.sio = Sio::new(self.sio.is_mute);
        self.second_reset = None;
        self.settle();
    }

    /// Sets the levels of the pins from outside.
    pub(crate) fn set_pins(&mut self, levels: u32) {
        self.pins = levels;
        self.chip.bus.gpio_in.store(levels, Ordering::Relaxed);
    }

    /// The levels of the pins.
    pub(crate) const fn pins(&self) -> u32 {
        self.pins
    }

    /// Sends bytes to the serial port.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.host.send(bytes, self.now);
        self.settle();
    }

    /// Lets the devices do what has become due.
    pub(crate) fn advance(&mut self) {
        self.timer.advance(self.now);
        self.i2c.advance(self.now);
        self.host.advance(&mut self.usb, self.now);
        self.settle();
    }

    /// Notes what has changed in a device.
    fn settle(&mut self) {
        let dues = [self.timer.due(), self.watchdog.due(), self.i2c.due(), self.host.due()];
        let is_quiet = self.own_write.is_none() && self.second_reset.is_none();
        self.due = dues.into_iter().min().filter(|_| is_quiet).unwrap_or(0);
        self.lines = u64::from(self.timer.interrupts()) << IRQ_TIMER0_IRQ_0
            | u64::from(self.usb.interrupts()) << IRQ_USBCTRL_IRQ
            | u64::from(self.i2c.interrupts()) << IRQ_I2C0_IRQ;
    }

    /// The memory from an address on.
    #[inline(always)]
    fn memory(&self, address: u32) -> Option<&[u8]> {
        let (memory, start) = match address & 0xff00_0000 {
            RAM => (&self.ram, RAM),
            FLASH => (&self.flash.bytes, FLASH),
            FLASH_UNCACHED => (&self.flash.bytes, FLASH_UNCACHED),
            0 => (&self.rom, 0),
            _ if address & !0xfff == USB_MEMORY => (&self.usb.memory, USB_MEMORY),
            _ => return None,
        };
        memory.get((address - start) as usize..)
    }

    #[inline(always)]
    fn load<const N: usize>(&mut self, address: u32) -> [u8; N] {
        if let Some(bytes) = self.memory(address).and_then(|memory| memory.first_chunk()) {
            return *bytes;
        }
        let word = self.read_register(address & !3).to_le_bytes();
        word.get(address as usize % 4..)
            .and_then(|bytes| bytes.first_chunk())
            .copied()
            .unwrap_or([0; N])
    }

    /// The halves of the instruction at an address.
    pub(crate) fn halves(&mut self, at: u32) -> (u16, u16) {
        let [first, second] =
            [0, 2].map(|half| u16::from_le_bytes(self.load(at.wrapping_add(half))));
        (first, second)
    }

    /// The halves of the instruction that is executed. Those of a short one are it and the next.
    fn instruction(&mut self) -> (u16, u16) {
        let (first, second) = self.halves(self.at);
        plain(first, second)
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, address: u32, bytes: [u8; N]) {
        if address & 0xff00_0000 == RAM {
            let cells = self.ram.get_mut((address - RAM) as usize..);
            if let Some(cells) = cells.and_then(|cells| cells.first_chunk_mut()) {
                *cells = bytes;
                return;
            }
        }
        self.store_elsewhere(address, &bytes);
    }

    #[inline(never)]
    fn store_elsewhere(&mut self, address: u32, bytes: &[u8]) {
        if address & !0xfff == USB_MEMORY {
            let offset = address - USB_MEMORY;
            if let Some(cells) =
                self.usb.memory.get_mut(offset as usize..offset as usize + bytes.len())
            {
                cells.copy_from_slice(bytes);
            }
            if usb::BUFFERS.contains(&offset) {
                self.host.wake(self.now);
                self.settle();
            }
            return;
        }
        if address < RAM {
            // Nothing there can be written, and nothing tells. So it is below the stack too, where the
            // processor doesn't write when the stack has come to its limit.
            return;
        }
        // A part of a word is repeated in the others.
        let word = std::array::from_fn(|index| bytes[index % bytes.len()]);
        self.write_register(address & !3, u32::from_le_bytes(word));
    }

    #[inline(never)]
    fn read_register(&mut self, address: u32) -> u32 {
        if address >> 28 == SLOW {
            self.waits += SLOW_READ;
        }
        let (device, register) = (address & !0x3fff, address & 0xfff);
        match device {
            TIMER0 => self.timer.read(register, self.now),
            WATCHDOG => self.watchdog.read(register, self.now),
            USB => self.usb.read(register),
            I2C0 => {
                let value = self.i2c.read(register);
                self.settle();
                value
            }
            // The boot ROM's function that sets up the flash again, which is a return too.
            BOOT_RAM => u32::from(rom::RETURN) << 16 | u32::from(rom::RETURN),
            POWER if register == CHIP_RESET => {
                if self.had_power_on {
                    HAD_POWER_ON
                } else {
                    0
                }
            }
            _ => {
                let shared =
                    if device == SIO { self.sio.read(register, self.active) } else { None };
                shared.unwrap_or_else(|| {
                    self.chip.clock.cycles = self.now;
                    self.chip.mmio_read32(address)
                })
            }
        }
    }

    #[inline(never)]
    fn write_register(&mut self, address: u32, value: u32) {
        let alias = address >> 12 & 3;
        if address >> 28 == SLOW {
            self.waits += SLOW_WRITE + if alias == 0 { 0 } else { ATOMIC };
        }
        let (device, register) = (address & !0x3fff, address & 0xfff);
        if device == SIO && self.sio.write(register, value, self.active) {
            return;
        }
        if ![TIMER0, WATCHDOG, USB, I2C0].contains(&device) {
            self.chip.clock.cycles = self.now;
            self.chip.mmio_write32(address, value);
            if device == RESETS {
                self.reset_devices();
            }
            if (device, register) == (POWER_STATES, FORCE_OFF) {
                let off = self.chip.mmio_read32(POWER_STATES | FORCE_OFF);
                self.second_reset = Some(off & OFF_SECOND != 0);
                self.due = 0;
            }
            return;
        }
        let value = match alias {
            0 => value,
            1 => self.read_register(device | register) ^ value,
            2 => self.read_register(device | register) | value,
            _ => self.read_register(device | register) & !value,
        };
        match device {
            TIMER0 => self.timer.write(register, value, self.now),
            WATCHDOG => self.watchdog.write(register, value, self.now),
            I2C0 => self.i2c.write(register, value, self.now),
            _ => {
                self.usb.write(register, value);
                self.host.wake(self.now);
            }
        }
        self.settle();
    }

    /// Resets the devices whose lines are held.
    fn reset_devices(&mut self) {
        let held = self.chip.bus.resets_state;
        if held & RESET_I2C0 != 0 {
            self.i2c.reset();
        }
        if held & RESET_TIMER0 != 0 {
            self.timer = Timer::new(self.now);
        }
        if held & RESET_USB != 0 {
            self.usb = Usb::new();
            self.host.lose();
        }
        self.settle();
    }
}

impl CoreBus for Fabric {
    #[inline(always)]
    fn read8(&mut self, address: u32, _: u8) -> u8 {
        u8::from_le_bytes(self.load(address))
    }

    #[inline(always)]
    fn read16(&mut self, address: u32, _: u8) -> u16 {
        match address.wrapping_sub(self.at) {
            0 => self.instruction().0,
            2 => self.instruction().1,
            _ => u16::from_le_bytes(self.load(address)),
        }
    }

    #[inline(always)]
    fn read32(&mut self, address: u32, _: u8) -> u32 {
        u32::from_le_bytes(self.load(address))
    }

    #[inline(always)]
    fn write8(&mut self, address: u32, value: u8, _: u8) {
        self.store(address, value.to_le_bytes());
    }

    #[inline(always)]
    fn write16(&mut self, address: u32, value: u16, _: u8) {
        self.store(address, value.to_le_bytes());
    }

    #[inline(always)]
    fn write32(&mut self, address: u32, value: u32, _: u8) {
        self.store(address, value.to_le_bytes());
    }

    #[inline(always)]
    fn set_active_pc(&mut self, at: u32, _: u8) {
        self.at = at;
    }

    // The crate notes it for the first, whichever processor it is.
    fn bus_fault(&self, _: u8) -> bool {
        self.atomics().is_bus_fault(FIRST)
    }

    fn bus_fault_addr(&self, _: u8) -> u32 {
        self.atomics().bus_fault_addr(FIRST)
    }

    fn clear_bus_fault(&mut self, _: u8) {
        self.atomics().clear_bus_fault(FIRST);
    }

    /// Memory needs no waiting here, in bursts or not.
    fn set_burst_mode(&mut self, _: bool) {}

    fn add_extra_wait_states(&mut self, count: u32) {
        self.waits += count;
    }

    fn take_extra_wait_states(&mut self) -> u32 {
        std::mem::take(&mut self.waits)
    }

    fn atomics(&self) -> &Arc<CoreAtomics> {
        &self.chip.bus.atomics
    }

    fn gpio_read_out(&self) -> u32 {
        self.chip.bus.gpio_read_out()
    }

    fn gpio_write_out(&mut self, value: u32) {
        self.chip.bus.gpio_write_out(value);
    }

    fn gpio_set_out(&mut self, mask: u32) {
        self.chip.bus.gpio_set_out(mask);
    }

    fn gpio_clear_out(&mut self, mask: u32) {
        self.chip.bus.gpio_clear_out(mask);
    }

    fn gpio_xor_out(&mut self, mask: u32) {
        self.chip.bus.gpio_xor_out(mask);
    }

    fn gpio_read_oe(&self) -> u32 {
        self.chip.bus.gpio_read_oe()
    }

    fn gpio_write_oe(&mut self, value: u32) {
        self.chip.bus.gpio_write_oe(value);
    }

    fn gpio_set_oe(&mut self, mask: u32) {
        self.chip.bus.gpio_set_oe(mask);
    }

    fn gpio_clear_oe(&mut self, mask: u32) {
        self.chip.bus.gpio_clear_oe(mask);
    }

    fn gpio_xor_oe(&mut self, mask: u32) {
        self.chip.bus.gpio_xor_oe(mask);
    }

    fn gpio_read_in(&self) -> u32 {
        self.pins
    }

    fn extra_wait_states(&self) -> u32 {
        self.waits
    }

    fn reset_extra_wait_states(&mut self) {
        self.waits = 0;
    }

    fn last_fetch_addr(&self) -> u32 {
        self.last_fetch[self.active & 1]
    }

    fn set_last_fetch_addr(&mut self, address: u32) {
        self.last_fetch[self.active & 1] = address;
    }

    /// The processor's own registers are not on the bus: this is how the crate tells of them.
    fn mmio_trace_enabled(&self) -> bool {
        true
    }

    fn emit_mmio_trace(&mut self, kind: char, _: u32, address: u32, value: u32, core: u8) {
        // The second processor takes no interrupts.
        if kind == 'W' && usize::from(core) != SECOND {
            self.own_write = Some((address, value));
            // To be seen to before the next instruction.
            self.due = 0;
        }
    }
}
