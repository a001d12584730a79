//! The OLED: an SSD0323 controller with 128 x 64 pixels of 16 greys, of which two are used.
use corvid_firmware::screen::{Panel, SIZE};
use embassy_futures::yield_now;
use embedded_graphics::{pixelcolor::BinaryColor, prelude::*};
use embedded_hal::{digital::OutputPin, spi::SpiDevice};

const WIDTH: usize = SIZE.width as usize;
const HEIGHT: usize = SIZE.height as usize;

const SET_COLUMNS: u8 = 0x15;
const SET_ROWS: u8 = 0x75;

/// What the controller needs after power-on, from its data sheet and the panel's.
const INIT: &[u8] = &[
    0xAE, // display off while it is set up
    0x81, 0x32, // contrast
    0x86, // half of the current range
    0xA0, 0x52, // odd and even rows from both sides, upside up, high nibble on the left
    0xA1, 0x00, // first line
    0xA2, 0x4C, // the panel's rows start at 76
    0xA4, // show the memory
    0xA8, 0x3F, // 64 rows
    0xB1, 0x22, // phase lengths
    0xB2, 0x46, // row period
    0xB3, 0xF1, // clock
    0xBF, 0x0D, // segment low voltage
    0xBE, 0x02, // row high voltage
    0xBC, 0x10, // precharge voltage
    0xB8, 0x01, 0x11, 0x22, 0x32, 0x43, 0x54, 0x65, 0x76, // grey levels
    0xAD, 0x03, // the 15 V come from outside
];

const DISPLAY_ON: u8 = 0xAF;

/// A row of the display as the controller takes it, two pixels a byte.
type GreyRow = [u8; WIDTH / 2];

/// What is drawn for the display: one row an integer, the highest bit on the left.
pub(crate) type Frame = [u128; HEIGHT];

/// The frame of a dark display.
pub(crate) const DARK: Frame = [0; HEIGHT];

/// The display.
pub(crate) struct Ssd0323<SPI, DC> {
    spi: SPI,
    /// Low for commands, high for pixels.
    data: DC,
    /// Not held here, because a task keeps several copies of what is handed to it.
    frame: &'static mut Frame,
    /// Bit y: row y differs from what the display shows.
    changed: u64,
    ready: bool,
}

/// The display did not take what was sent.
#[derive(Debug)]
pub(crate) struct Unreachable;

impl<SPI: SpiDevice, DC: OutputPin> Ssd0323<SPI, DC> {
    /// A display that is still off; the first [`Panel::flush`] switches it on.
    pub(crate) fn new(spi: SPI, data: DC, frame: &'static mut Frame) -> Self {
        Self { spi, data, frame, changed: u64::MAX, ready: false }
    }

    fn command(&mut self, bytes: &[u8]) -> Result<(), Unreachable> {
        self.data.set_low().map_err(|_| Unreachable)?;
        self.spi.write(bytes).map_err(|_| Unreachable)
    }

    fn show_row(&mut self, y: u8) -> Result<(), Unreachable> {
        self.command(&[SET_COLUMNS, 0, WIDTH as u8 / 2 - 1, SET_ROWS, y, y])?;
        self.data.set_high().map_err(|_| Unreachable)?;
        self.spi.write(&grey(self.frame[usize::from(y)])).map_err(|_| Unreachable)
    }

    fn set(&mut self, x: usize, y: usize, color: BinaryColor) {
        let bit = 1 << (WIDTH - 1 - x);
        let row = if color.is_on() { self.frame[y] | bit } else { self.frame[y] & !bit };
        if self.frame[y] != row {
            self.frame[y] = row;
            self.changed |= 1 << y;
        }
    }
}

/// Bits to black and the brightest grey.
fn grey(row: u128) -> GreyRow {
    core::array::from_fn(|pair| match row >> (WIDTH - 2 - 2 * pair) & 0b11 {
        0b00 => 0x00,
        0b01 => 0x0F,
        0b10 => 0xF0,
        _ => 0xFF,
    })
}

impl<SPI: SpiDevice, DC: OutputPin> Panel for Ssd0323<SPI, DC> {
    async fn flush(&mut self) -> Result<(), Unreachable> {
        if !self.ready {
            self.command(INIT)?;
        }
        while self.changed != 0 {
            let y = self.changed.trailing_zeros() as u8;
            self.show_row(y)?;
            self.changed &= self.changed - 1;
            // A row takes 0.2 ms on the wire; the keys and the serial port go between two.
            yield_now().await;
        }
        if !self.ready {
            self.command(&[DISPLAY_ON])?;
            self.ready = true;
        }
        Ok(())
    }
}

impl<SPI: SpiDevice, DC: OutputPin> DrawTarget for Ssd0323<SPI, DC> {
    type Color = BinaryColor;
    type Error = Unreachable;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Unreachable>
    where
        I: IntoIterator<Item = Pixel<BinaryColor>>,
    {
        for Pixel(Point { x, y }, color) in pixels {
            let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { continue };
            if x < WIDTH && y < HEIGHT {
                self.set(x, y, color);
            }
        }
        Ok(())
    }
}

impl<SPI, DC> OriginDimensions for Ssd0323<SPI, DC> {
    fn size(&self) -> Size {
        SIZE
    }
}
