//! The OLED: an SSD0323 controller with 128 x 64 pixels of 16 greys, of which two are used.
use crate::{gpio::Output, ssi::Ssi0};
use core::{convert::Infallible, future::poll_fn, task::Poll};
use corvid_firmware::{
    frame::{Frame, HEIGHT, WIDTH},
    panel::{Brightness, Panel},
};

const SET_COLUMNS: u8 = 0x15;
const SET_ROWS: u8 = 0x75;

/// What the controller needs after power-on, from its data sheet and the panel's.
const INIT: &[u8] = &[
    0xAE, // display off while it is set up
    0x86, // half of the current range
    0xA0, 0x52, // odd and even rows from both sides, right way up, high nibble on the left
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
    0xAD, 0x03, // external 15 V supply
];

const DISPLAY_ON: u8 = 0xAF;
const SET_CONTRAST: u8 = 0x81;

/// The display's contrast for each step of [`Brightness`].
const CONTRASTS: [u8; 4] = [0x04, 0x12, 0x22, 0x32];

/// A row of the display as the controller expects it, two pixels per byte.
type GreyRow = [u8; WIDTH / 2];

/// A checksum for each row.
pub(crate) type Sums = [u32; HEIGHT];

/// The checksum of a row (FNV-1a, one bit per step).
fn sum(frame: &Frame, y: usize) -> u32 {
    let bit = |x| u32::from(frame.is_lit(x, y));
    (0..WIDTH).fold(0x811C_9DC5, |sum: u32, x| (sum ^ bit(x)).wrapping_mul(0x0100_0193))
}

/// The display.
pub(crate) struct Ssd0323 {
    bus: Ssi0,
    /// Low while bytes are for the display.
    select: Output,
    /// Low for commands, high for pixels.
    data: Output,
    /// Checksums of the rows that the display shows: the chip has no room for a second frame. One
    /// change in four billion is missed until the row changes again. Held by reference, because
    /// a task keeps several copies of its arguments.
    shown: &'static mut Sums,
    contrast: u8,
    /// Whether the display is set up and `shown` matches its contents.
    ready: bool,
}

impl Ssd0323 {
    /// A display that is still off; the first picture switches it on.
    pub(crate) fn new(bus: Ssi0, select: Output, data: Output, shown: &'static mut Sums) -> Self {
        Self { bus, select, data, shown, contrast: CONTRASTS[3], ready: false }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.select.set(false);
        self.bus.write(bytes);
        self.select.set(true);
    }

    fn command(&mut self, bytes: &[u8]) {
        self.data.set(false);
        self.write(bytes);
    }

    fn show_row(&mut self, frame: &Frame, y: usize) {
        self.command(&[SET_COLUMNS, 0, WIDTH as u8 / 2 - 1, SET_ROWS, y as u8, y as u8]);
        self.data.set(true);
        let nibble = |x| if frame.is_lit(x, y) { 0x0F } else { 0x00 };
        let row: GreyRow =
            core::array::from_fn(|pair| nibble(2 * pair) << 4 | nibble(2 * pair + 1));
        self.write(&row);
    }

    /// Sends a row if it differs from what is shown, or in any case; whether it did.
    fn refresh(&mut self, frame: &Frame, y: usize, always: bool) -> bool {
        let sum = sum(frame, y);
        let Some(shown) = self.shown.get_mut(y) else { return false };
        let differs = core::mem::replace(shown, sum) != sum || always;
        if differs {
            self.show_row(frame, y);
        }
        differs
    }
}

impl Panel for Ssd0323 {
    type Error = Infallible;

    /// Sends a row each time it is polled: that takes 0.2 ms on the bus, and the keys and the serial
    /// port run between two rows.
    fn show(&mut self, frame: &Frame) -> impl Future<Output = Result<(), Infallible>> {
        let fresh = !self.ready;
        self.ready = false;
        if fresh {
            self.command(INIT);
            self.command(&[SET_CONTRAST, self.contrast]);
        }
        let mut rows = 0..HEIGHT;
        poll_fn(move |context| {
            if rows.any(|y| self.refresh(frame, y, fresh)) {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            if fresh {
                self.command(&[DISPLAY_ON]);
            }
            self.ready = true;
            Poll::Ready(Ok(()))
        })
    }

    /// The display is set up again with the next picture.
    fn set_brightness(&mut self, brightness: Brightness) {
        let contrast = CONTRASTS[usize::from(brightness.get()) % CONTRASTS.len()];
        if contrast != self.contrast {
            (self.contrast, self.ready) = (contrast, false);
        }
    }
}
