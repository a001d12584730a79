//! The SSD1306 OLED, 128 x 64, on I2C: the display of every board that has none of its own.
//!
//! It remembers what the display shows, and sends only the columns that differ: a
//! key press costs a millisecond on the bus where the whole frame takes 25. A display that is
//! unplugged, or plugged in late, is set up again with the next picture.
use crate::{
    frame::{Frame, WIDTH},
    panel::{Brightness, Panel},
};
use embassy_time::{Duration, with_timeout};
use embedded_hal_async::i2c::I2c;

/// The address of nearly every module; a solder bridge makes it 0x3d.
pub const ADDRESS: u8 = 0x3c;

/// Bytes of a page: eight rows of dots, a byte for each column, its lowest bit on top.
const PAGE: usize = WIDTH;

/// More than a whole frame takes at 100 kHz. A bus that hangs would otherwise stop the screen.
const PATIENCE: Duration = Duration::from_millis(250);

/// The byte that goes before commands, and the one before dots.
const COMMANDS: u8 = 0x00;
const DOTS: u8 = 0x40;

const DISPLAY_OFF: u8 = 0xae;
const DISPLAY_ON: u8 = 0xaf;
const COLUMNS: u8 = 0x21;
const ROWS: u8 = 0x22;
const CONTRAST: u8 = 0x81;

/// What [`Brightness`] means in the display's own steps.
const CONTRASTS: [u8; 4] = [0x01, 0x30, 0x80, 0xcf];

/// Set-up of a 128 x 64 module that makes its own high voltage, pins at the top.
const SETUP: [u8; 24] = [
    COMMANDS,
    DISPLAY_OFF,
    0xd5, // clock: the default, about 100 frames a second
    0x80,
    0xa8, // all 64 rows
    63,
    0xd3, // no vertical offset
    0,
    0x40, // the first row of memory on top
    0x8d, // charge pump on
    0x14,
    0x20, // addresses run along a page
    0,
    0xa1, // columns from the left
    0xc8, // rows from the top
    0xda, // how modules of 64 rows are wired
    0x12,
    0xd9, // pre-charge and V-COMH level: what the charge pump needs to be even
    0xf1,
    0xdb,
    0x40,
    0xa4, // show the memory,
    0xa6, // lit where a bit is set
    0x2e, // no scrolling
];

/// Why a picture did not get to the display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error<E> {
    /// The bus reports an error; with no display connected, that nobody acknowledged.
    Bus(E),
    /// The bus did not finish in time.
    Timeout,
}

/// A display on an I2C bus.
#[derive(Debug)]
pub struct Ssd1306<B> {
    bus: B,
    shown: Frame,
    contrast: u8,
    /// Whether the display is set up and `shown` is what it holds.
    ready: bool,
}

impl<B: I2c> Ssd1306<B> {
    /// A display at [`ADDRESS`] that is not set up yet: the first picture does that.
    pub const fn new(bus: B) -> Self {
        Self { bus, shown: Frame::DARK, contrast: CONTRASTS[3], ready: false }
    }

    async fn send_changes(&mut self, frame: &Frame) -> Result<(), B::Error> {
        let fresh = !self.ready;
        // Until everything has arrived, what the display holds is not known.
        self.ready = false;
        if fresh {
            self.bus.write(ADDRESS, &SETUP).await?;
            self.bus.write(ADDRESS, &[COMMANDS, CONTRAST, self.contrast]).await?;
        }
        for (page, (drawn, shown)) in frame.pages().iter().zip(self.shown.pages()).enumerate() {
            let differs = |column: &usize| fresh || drawn[*column] != shown[*column];
            let Some(first) = (0..PAGE).find(differs) else { continue };
            let last = (first..PAGE).rfind(differs).unwrap_or(first);
            let [from, to, row] = [first as u8, last as u8, page as u8];
            let window = [COMMANDS, COLUMNS, from, to, ROWS, row, row];
            self.bus.write(ADDRESS, &window).await?;
            let mut message = [DOTS; 1 + PAGE];
            let message = &mut message[..last - first + 2];
            message[1..].copy_from_slice(&drawn[first..=last]);
            self.bus.write(ADDRESS, message).await?;
        }
        if fresh {
            // Only now, so that the noise in a new display's memory is never seen.
            self.bus.write(ADDRESS, &[COMMANDS, DISPLAY_ON]).await?;
        }
        self.shown.clone_from(frame);
        self.ready = true;
        Ok(())
    }
}

impl<B: I2c> Panel for Ssd1306<B> {
    type Error = Error<B::Error>;

    async fn show(&mut self, frame: &Frame) -> Result<(), Self::Error> {
        match with_timeout(PATIENCE, self.send_changes(frame)).await {
            Ok(sent) => sent.map_err(Error::Bus),
            Err(_) => Err(Error::Timeout),
        }
    }

    /// The display is set up again with the next picture.
    fn set_brightness(&mut self, brightness: Brightness) {
        let contrast = CONTRASTS[usize::from(brightness.get()) % CONTRASTS.len()];
        if contrast != self.contrast {
            (self.contrast, self.ready) = (contrast, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Ink;
    use embassy_futures::block_on;
    use embedded_hal_async::i2c::{ErrorKind, ErrorType, NoAcknowledgeSource, Operation};
    use std::vec::Vec;

    /// Transfers of a whole picture: set-up, contrast, a window and its dots for each page, on.
    const WHOLE: usize = 2 + 2 * 8 + 1;

    const NACK: ErrorKind = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);

    /// A bus that records the transfers, with a plug that can be pulled after some of them.
    struct Bus {
        transfers: Vec<Vec<u8>>,
        works_for: usize,
    }

    impl ErrorType for Bus {
        type Error = ErrorKind;
    }

    impl I2c for Bus {
        async fn transaction(
            &mut self,
            address: u8,
            operations: &mut [Operation<'_>],
        ) -> Result<(), ErrorKind> {
            assert_eq!(address, ADDRESS);
            if self.works_for == 0 {
                return Err(NACK);
            }
            self.works_for -= 1;
            for operation in operations {
                let Operation::Write(bytes) = operation else { panic!("the display is not read") };
                self.transfers.push(bytes.to_vec());
            }
            Ok(())
        }
    }

    fn display() -> Ssd1306<Bus> {
        Ssd1306::new(Bus { transfers: Vec::new(), works_for: usize::MAX })
    }

    /// What is sent to make the display show these dots.
    fn show(
        display: &mut Ssd1306<Bus>,
        dots: &[(i32, i32)],
    ) -> Result<Vec<Vec<u8>>, Error<ErrorKind>> {
        let mut frame = Frame::DARK;
        dots.iter().for_each(|&(x, y)| frame.dot(x, y, Ink::On));
        block_on(display.show(&frame))?;
        Ok(core::mem::take(&mut display.bus.transfers))
    }

    #[test]
    fn the_first_picture_sets_up_sends_all_and_switches_on_last() {
        let sent = show(&mut display(), &[]).expect("the bus works");
        assert_eq!(sent.len(), WHOLE);
        assert_eq!(sent[0], SETUP);
        assert_eq!(sent[1], [COMMANDS, CONTRAST, 0xcf]);
        assert_eq!(sent[2], [COMMANDS, COLUMNS, 0, 127, ROWS, 0, 0]);
        assert_eq!(sent[3].len(), 1 + PAGE);
        assert_eq!(sent[16], [COMMANDS, COLUMNS, 0, 127, ROWS, 7, 7]);
        assert_eq!(sent[18], [COMMANDS, DISPLAY_ON]);
    }

    #[test]
    fn only_what_changed_is_sent() {
        let mut display = display();
        show(&mut display, &[]).expect("the bus works");
        assert_eq!(show(&mut display, &[]), Ok(Vec::new()));

        let window = Vec::from([COMMANDS, COLUMNS, 5, 7, ROWS, 1, 1]);
        let dots = Vec::from([DOTS, 1 << 2, 0, 1 << 7]);
        assert_eq!(show(&mut display, &[(5, 10), (7, 15)]), Ok(Vec::from([window, dots])));
    }

    #[test]
    fn a_display_that_was_away_gets_everything_again() {
        let mut display = display();
        show(&mut display, &[]).expect("the bus works");
        display.bus.works_for = 1;
        assert_eq!(show(&mut display, &[(0, 0)]), Err(Error::Bus(NACK)));
        assert_eq!(show(&mut display, &[(0, 0)]), Err(Error::Bus(NACK)));

        display.bus.works_for = usize::MAX;
        display.bus.transfers.clear();
        let sent = show(&mut display, &[(0, 0)]).expect("the bus works again");
        assert_eq!(sent.len(), WHOLE);
        assert_eq!(sent[3][..3], [DOTS, 1, 0]);
    }

    #[test]
    fn another_brightness_is_sent_with_the_next_picture() {
        let mut display = display();
        show(&mut display, &[]).expect("the bus works");
        display.set_brightness(Brightness::MAX);
        assert_eq!(show(&mut display, &[]), Ok(Vec::new()), "it is that bright already");
        display.set_brightness(Brightness::new(0).expect("the dimmest"));
        let sent = show(&mut display, &[]).expect("the bus works");
        assert_eq!(sent[1], [COMMANDS, CONTRAST, 1]);
    }
}
