//! The hardware of a simulated board: keys, displays and a serial port, with one side for the
//! application's drivers and one for a person.

use std::cell::{Cell, Ref, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use corvid_firmware::frame::{Frame, HEIGHT, Ink, SIZE, WIDTH};
use corvid_firmware::keys::{Buttons, Key};
use corvid_firmware::oled::ADDRESSES;
use corvid_firmware::panel::Controller;
use corvid_firmware::sound::Buzzer;
use embassy_time::Timer;
use embedded_graphics::pixelcolor::Gray4;
use embedded_graphics::prelude::*;
use embedded_hal::digital::{self, InputPin};
use embedded_hal_async::i2c::{self, ErrorKind, I2c, NoAcknowledgeSource, Operation};
use embedded_io_async::{Read, Write};

use crate::clock;

/// The parts of a device that a person uses. A clone is the same parts.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// Its keys.
    pub keys: Keys,
    /// Its display.
    pub glass: Glass,
    /// Its serial port.
    pub cable: Cable,
    /// Its piezo, if the board has a pin for one.
    pub piezo: Piezo,
    socket: Socket,
}

impl Parts {
    /// Unplugs the display and plugs another one in, or none, on a board where it is a module.
    pub fn plug(&self, module: Option<Module>) {
        self.socket.0.set(module);
        self.glass.darken();
    }
}

/// The five keys.
#[derive(Debug, Clone, Default)]
pub struct Keys(Rc<[Cell<bool>; 5]>);

impl Keys {
    /// Presses a key down or releases it.
    pub fn set(&self, key: Key, down: bool) {
        self.0[key as usize].set(down);
    }

    /// The lines of the keys.
    pub(crate) fn buttons(&self) -> Buttons<Line> {
        let line = |key| Line { keys: self.clone(), key };
        Buttons {
            up: line(Key::Up),
            down: line(Key::Down),
            left: line(Key::Left),
            right: line(Key::Right),
            select: line(Key::Select),
        }
    }
}

/// The line of a key.
#[derive(Debug)]
pub(crate) struct Line {
    keys: Keys,
    key: Key,
}

impl digital::ErrorType for Line {
    type Error = Infallible;
}

impl InputPin for Line {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        self.is_low().map(|low| !low)
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(self.keys.0[self.key as usize].get())
    }
}

/// The maximum brightness of a display.
pub const BRIGHTEST: u8 = 3;

/// The glass of a display: what a person sees.
#[derive(Debug, Clone, Default)]
pub struct Glass(Rc<RefCell<Picture>>);

#[derive(Debug)]
struct Picture {
    frame: Frame,
    lit: bool,
    brightness: u8,
}

impl Default for Picture {
    /// A display without power.
    fn default() -> Self {
        Self { frame: Frame::DARK, lit: false, brightness: BRIGHTEST }
    }
}

impl Glass {
    /// What it shows.
    pub fn frame(&self) -> Ref<'_, Frame> {
        Ref::map(self.0.borrow(), |picture| if picture.lit { &picture.frame } else { &Frame::DARK })
    }

    /// How bright that is, 0 to [`BRIGHTEST`].
    pub fn brightness(&self) -> u8 {
        self.0.borrow().brightness
    }

    fn dot(&self, x: i32, y: i32, lit: bool) {
        self.0.borrow_mut().frame.dot(x, y, if lit { Ink::On } else { Ink::Off });
    }

    /// Takes its power away.
    pub(crate) fn darken(&self) {
        let mut picture = self.0.borrow_mut();
        (picture.frame, picture.lit) = (Frame::DARK, false);
    }

    fn switch(&self, on: bool) {
        self.0.borrow_mut().lit = on;
    }
}

/// An OLED module: its controller and its address. The simulator's own has an SSD1306 at 0x3c.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Module {
    /// Its controller.
    pub controller: Controller,
    /// Its address on the I2C bus.
    pub address: u8,
}

/// The socket of the module.
#[derive(Debug, Clone)]
pub(crate) struct Socket(Rc<Cell<Option<Module>>>);

impl Default for Socket {
    fn default() -> Self {
        let module = Module { controller: Controller::Ssd1306, address: ADDRESSES[0] };
        Self(Rc::new(Cell::new(Some(module))))
    }
}

/// The I2C bus of a module: the controller that the application's driver talks to.
#[derive(Debug)]
pub(crate) struct OledBus {
    glass: Glass,
    socket: Socket,
    /// The column and the page that the next byte goes to.
    at: [u8; 2],
    /// Whether columns and rows run from the left and from the top.
    upright: [bool; 2],
}

/// The time of a byte and its acknowledgement at 400 kHz, in tenths of a microsecond.
const BYTE_TENTHS: u64 = 225;

impl OledBus {
    pub(crate) fn new(parts: &Parts) -> Self {
        let (glass, socket) = (parts.glass.clone(), parts.socket.clone());
        Self { glass, socket, at: [0, 0], upright: [true; 2] }
    }

    fn message(&mut self, bytes: &[u8], controller: Controller) {
        match bytes {
            [0x00, commands @ ..] => self.commands(commands),
            [0x40, pixels @ ..] => pixels.iter().for_each(|byte| self.pixels(*byte, controller)),
            _ => {}
        }
    }

    fn commands(&mut self, mut bytes: &[u8]) {
        while let [command, rest @ ..] = bytes {
            let length = match command {
                0x20 | 0x81 | 0x8d | 0xa8 | 0xad | 0xd3 | 0xd5 | 0xd9 | 0xda | 0xdb => 1,
                _ => 0,
            };
            let Some((arguments, rest)) = rest.split_at_checked(length) else { return };
            match (*command, arguments) {
                (low @ 0x00..=0x0f, _) => self.at[0] = self.at[0] & 0xf0 | low,
                (high @ 0x10..=0x1f, _) => self.at[0] = self.at[0] & 0x0f | high << 4,
                (page @ 0xb0..=0xb7, _) => self.at[1] = page & 7,
                (columns @ (0xa0 | 0xa1), _) => self.upright[0] = columns == 0xa1,
                (rows @ (0xc0 | 0xc8), _) => self.upright[1] = rows == 0xc8,
                (0x81, &[contrast]) => self.glass.0.borrow_mut().brightness = contrast / 64,
                (power @ (0xae | 0xaf), _) => self.glass.switch(power == 0xaf),
                _ => {}
            }
            bytes = rest;
        }
    }

    /// Eight pixels, the lowest bit on top; the next byte goes to the right of it.
    fn pixels(&mut self, byte: u8, controller: Controller) {
        // Of the 132 columns of an SH1106, the module has those in the middle.
        let margin = if controller == Controller::Sh1106 { 2 } else { 0 };
        let [column, page] = self.at.map(i32::from);
        let column = column - margin;
        for bit in 0..8 {
            let row = page * 8 + bit;
            let x = if self.upright[0] { column } else { WIDTH as i32 - 1 - column };
            let y = if self.upright[1] { row } else { HEIGHT as i32 - 1 - row };
            self.glass.dot(x, y, byte >> bit & 1 != 0);
        }
        self.at[0] = self.at[0].wrapping_add(1);
    }

    /// What a module answers to a read: whether it is off, and what its kind has been seen with.
    fn status(&self, controller: Controller) -> u8 {
        let off = u8::from(!self.glass.0.borrow().lit) << 6;
        off | if controller == Controller::Sh1106 { 8 } else { 6 }
    }
}

impl i2c::ErrorType for OledBus {
    type Error = ErrorKind;
}

impl I2c for OledBus {
    async fn transaction(
        &mut self,
        address: u8,
        operations: &mut [Operation<'_>],
    ) -> Result<(), ErrorKind> {
        for operation in operations {
            let bytes = match operation {
                Operation::Write(bytes) => bytes.len(),
                Operation::Read(bytes) => bytes.len(),
            };
            let module = self.socket.0.get().filter(|module| module.address == address);
            // Without a module, the transfer ends after its address.
            let bytes = if module.is_some() { bytes } else { 0 };
            Timer::after_micros((bytes as u64 + 1) * BYTE_TENTHS / 10).await;
            let nobody = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);
            let Module { controller, .. } = module.ok_or(nobody)?;
            match operation {
                Operation::Write(bytes) => self.message(bytes, controller),
                Operation::Read(bytes) => bytes.fill(self.status(controller)),
            }
        }
        Ok(())
    }
}

/// A piezo that remembers its tones.
#[derive(Debug, Clone, Default)]
pub struct Piezo(Rc<RefCell<VecDeque<Tone>>>);

/// What a piezo was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tone {
    /// When, in microseconds of the device's time.
    pub at: u64,
    /// The frequency; `None` for silence.
    pub hz: Option<u16>,
}

/// The tones that a piezo remembers.
const TONES: usize = 256;

impl Piezo {
    /// Takes what was heard since the last call, or the last of it if that was much.
    pub fn take(&self) -> Vec<Tone> {
        self.0.take().into()
    }
}

impl Buzzer for Piezo {
    fn tone(&mut self, hz: Option<u16>) {
        let mut tones = self.0.borrow_mut();
        if tones.len() == TONES {
            tones.pop_front();
        }
        tones.push_back(Tone { at: clock::micros(), hz });
    }
}

/// A display of 16 greys, as the LM3S6965 evaluation board has it.
#[derive(Debug)]
pub(crate) struct GreyDisplay(Glass);

impl GreyDisplay {
    pub(crate) fn new(glass: Glass) -> Self {
        glass.switch(true);
        Self(glass)
    }
}

impl OriginDimensions for GreyDisplay {
    fn size(&self) -> Size {
        SIZE
    }
}

impl DrawTarget for GreyDisplay {
    type Color = Gray4;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Gray4>>,
    {
        for Pixel(at, grey) in pixels {
            self.0.dot(at.x, at.y, grey.luma() > 7);
        }
        Ok(())
    }
}

/// The cable of a serial port.
#[derive(Debug, Clone, Default)]
pub struct Cable(Rc<RefCell<Wires>>);

#[derive(Debug, Default)]
struct Wires {
    to_device: VecDeque<u8>,
    from_device: Vec<u8>,
    /// The application, while it waits for bytes.
    reader: Option<Waker>,
}

impl Cable {
    /// Sends bytes to the device.
    pub fn send(&self, bytes: &[u8]) {
        let mut wires = self.0.borrow_mut();
        wires.to_device.extend(bytes);
        if let Some(reader) = wires.reader.take() {
            reader.wake();
        }
    }

    /// Drops everything in transit.
    pub(crate) fn clear(&self) {
        self.0.take();
    }

    /// Takes what the device has sent.
    pub fn receive(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.borrow_mut().from_device)
    }
}

/// The device's receiving end of the cable.
#[derive(Debug)]
pub(crate) struct Rx(pub(crate) Cable);

impl embedded_io_async::ErrorType for Rx {
    type Error = Infallible;
}

impl Read for Rx {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        poll_fn(|context| {
            let mut wires = self.0.0.borrow_mut();
            if wires.to_device.is_empty() {
                wires.reader = Some(context.waker().clone());
                return Poll::Pending;
            }
            let count = buffer.len().min(wires.to_device.len());
            buffer.iter_mut().zip(wires.to_device.drain(..count)).for_each(|(to, byte)| *to = byte);
            Poll::Ready(Ok(count))
        })
        .await
    }
}

/// The device's sending end of the cable, and the time of a byte.
#[derive(Debug)]
pub(crate) struct Tx {
    pub(crate) cable: Cable,
    /// In microseconds; 0 for USB, which is as fast as the host reads.
    pub(crate) byte_micros: u64,
}

impl embedded_io_async::ErrorType for Tx {
    type Error = Infallible;
}

impl Write for Tx {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        Timer::after_micros(bytes.len() as u64 * self.byte_micros).await;
        self.cable.0.borrow_mut().from_device.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// An unconnected cable.
#[derive(Debug)]
pub(crate) struct Nowhere;

impl embedded_io_async::ErrorType for Nowhere {
    type Error = Infallible;
}

impl Write for Nowhere {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
