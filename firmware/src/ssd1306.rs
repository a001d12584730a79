//! The SSD1306 OLED, 128 x 64, on I2C: the display of every board that has none of its own.
//!
//! It remembers what the display shows, and sends only the columns that differ: a
//! key press costs a millisecond on the bus where the whole frame takes 24. A display that is
//! unplugged, or plugged in late, is set up again with the next picture.
use crate::{
    frame::{Frame, HEIGHT, PAGE_ROWS, WIDTH},
    panel::{Brightness, Panel},
};
use embassy_time::{Duration, with_timeout};
use embedded_hal_async::i2c::I2c;

/// The address of nearly every module; a solder bridge makes it 0x3d.
pub const ADDRESS: u8 = 0x3c;

/// Bytes of a page: eight rows of dots, a byte for each column, its lowest bit on top.
const PAGE: usize = WIDTH;

/// More than a whole frame takes at 100 kHz. Without this timeout, a hung bus would stop the
/// screen.
const PATIENCE: Duration = Duration::from_millis(250);

/// The control byte before commands, and the one before dots.
const COMMANDS: u8 = 0x00;
const DOTS: u8 = 0x40;

const DISPLAY_OFF: u8 = 0xae;
const DISPLAY_ON: u8 = 0xaf;
const COLUMNS: u8 = 0x21;
const ROWS: u8 = 0x22;
const CONTRAST: u8 = 0x81;

/// The display's contrast for each step of [`Brightness`].
const CONTRASTS: [u8; 4] = [0x01, 0x30, 0x80, 0xcf];

/// Set-up of a 128 x 64 module with a charge pump, pins at the top.
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
    0xd9, // pre-charge and V-COMH level for an even picture with the charge pump
    0xf1,
    0xdb,
    0x40,
    0xa4, // show the memory,
    0xa6, // lit where a bit is set
    0x2e, // no scrolling
];

/// Why a picture could not be sent to the display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error<E> {
    /// A bus error; a missing acknowledgement if no display is connected.
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
    sent_contrast: u8,
    /// Whether the display is set up and `shown` is what it holds.
    ready: bool,
}

impl<B: I2c> Ssd1306<B> {
    /// A display at [`ADDRESS`], to be set up by the first picture.
    pub const fn new(bus: B) -> Self {
        let contrast = CONTRASTS[3];
        Self { bus, shown: Frame::DARK, contrast, sent_contrast: contrast, ready: false }
    }

    async fn send_changes(&mut self, frame: &Frame) -> Result<(), B::Error> {
        let fresh = !self.ready;
        // Until everything has been sent, the display's contents are unknown.
        self.ready = false;
        if fresh {
            self.bus.write(ADDRESS, &SETUP).await?;
        }
        if fresh || self.contrast != self.sent_contrast {
            self.bus.write(ADDRESS, &[COMMANDS, CONTRAST, self.contrast]).await?;
            self.sent_contrast = self.contrast;
        }
        let (mut all, mut apart) = (None::<Window>, 0);
        let mut from = (0, 0);
        while let Some(window) = next_change(frame, &self.shown, from) {
            all = Some(all.map_or(window, |all| all.with(window)));
            apart += window.cost();
            from = window.end();
        }
        match all {
            _ if fresh => self.send(frame, WHOLE).await?,
            // Many changes close together are sent with what lies between them.
            Some(all) if all.cost() < apart => self.send(frame, all).await?,
            _ => {
                let mut from = (0, 0);
                while let Some(window) = next_change(frame, &self.shown, from) {
                    self.send(frame, window).await?;
                    from = window.end();
                }
            }
        }
        if fresh {
            // Only now, so that the noise in a new display's memory is never seen.
            self.bus.write(ADDRESS, &[COMMANDS, DISPLAY_ON]).await?;
        }
        self.shown.clone_from(frame);
        self.ready = true;
        Ok(())
    }

    /// Sends a part of the picture.
    async fn send(&mut self, frame: &Frame, window: Window) -> Result<(), B::Error> {
        let Window { first, last, top, bottom } = window;
        let [from, to, above, below] = [first, last, top, bottom].map(|at| at as u8);
        self.bus.write(ADDRESS, &[COMMANDS, COLUMNS, from, to, ROWS, above, below]).await?;
        for page in &frame.pages()[top..=bottom] {
            let mut message = [DOTS; 1 + PAGE];
            let message = &mut message[..window.width() + 1];
            message[1..].copy_from_slice(&page[first..=last]);
            self.bus.write(ADDRESS, message).await?;
        }
        Ok(())
    }
}

/// A part of the picture: columns and pages, the last ones included.
#[derive(Debug, Clone, Copy)]
struct Window {
    first: usize,
    last: usize,
    top: usize,
    bottom: usize,
}

const WHOLE: Window = Window { first: 0, last: PAGE - 1, top: 0, bottom: HEIGHT / PAGE_ROWS - 1 };

/// Bytes on the bus to select a window: the address and a message.
const CHOICE: usize = 8;

/// Bytes beside the dots to send a page of it: the address and [`DOTS`].
const MESSAGE: usize = 2;

impl Window {
    const fn width(self) -> usize {
        self.last + 1 - self.first
    }

    /// Bytes on the bus to send it.
    const fn cost(self) -> usize {
        CHOICE + (self.bottom + 1 - self.top) * (MESSAGE + self.width())
    }

    /// The page and column after it.
    const fn end(self) -> (usize, usize) {
        (self.bottom, self.last + 1)
    }

    /// The smallest one that holds both.
    fn with(self, other: Self) -> Self {
        Self {
            first: self.first.min(other.first),
            last: self.last.max(other.last),
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// The next part of a page, from a page and a column on, in which the pictures differ. It includes
/// equal columns where they are cheaper to send than to skip.
fn next_change(drawn: &Frame, shown: &Frame, from: (usize, usize)) -> Option<Window> {
    let (mut page, mut column) = from;
    loop {
        let (drawn, shown) = (drawn.pages().get(page)?, &shown.pages()[page]);
        let next = |from| (from..PAGE).find(|column| drawn[*column] != shown[*column]);
        if let Some(first) = next(column) {
            let mut last = first;
            while let Some(column) = next(last + 1).filter(|next| next - last <= CHOICE + MESSAGE) {
                last = column;
            }
            return Some(Window { first, last, top: page, bottom: page });
        }
        (page, column) = (page + 1, 0);
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

    /// Takes effect with the next picture.
    fn set_brightness(&mut self, brightness: Brightness) {
        self.contrast = CONTRASTS[usize::from(brightness.get()) % CONTRASTS.len()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Ink;
    use embassy_futures::block_on;
    use embedded_hal_async::i2c::{ErrorKind, ErrorType, NoAcknowledgeSource, Operation};
    use std::vec::Vec;

    /// Transfers of a whole picture: set-up, contrast, the window, the dots of each page, on.
    const TRANSFERS: usize = 3 + 8 + 1;

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
        assert_eq!(sent.len(), TRANSFERS);
        assert_eq!(sent[0], SETUP);
        assert_eq!(sent[1], [COMMANDS, CONTRAST, 0xcf]);
        assert_eq!(sent[2], [COMMANDS, COLUMNS, 0, 127, ROWS, 0, 7]);
        assert!(sent[3..11].iter().all(|page| page.len() == 1 + PAGE));
        assert_eq!(sent[11], [COMMANDS, DISPLAY_ON]);
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
        assert_eq!(sent.len(), TRANSFERS);
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
        assert_eq!(sent, [[COMMANDS, CONTRAST, 1]]);
    }

    #[test]
    fn changes_are_sent_apart_or_together_as_is_cheaper() {
        let mut display = display();
        show(&mut display, &[]).expect("the bus works");
        let windows = |sent: Vec<Vec<u8>>| -> Vec<Vec<u8>> {
            sent.into_iter().filter(|bytes| bytes[0] == COMMANDS).collect()
        };
        let window = |first, last, top, bottom| {
            Vec::from([COMMANDS, COLUMNS, first, last, ROWS, top, bottom])
        };
        let far = show(&mut display, &[(0, 0), (10, 0), (30, 0), (127, 63)]);
        assert_eq!(
            windows(far.expect("the bus works")),
            [window(0, 10, 0, 0), window(30, 30, 0, 0), window(127, 127, 7, 7)]
        );
        show(&mut display, &[]).expect("the bus works");
        let near = show(&mut display, &[(4, 0), (5, 8), (6, 16)]);
        assert_eq!(windows(near.expect("the bus works")), [window(4, 6, 0, 2)]);
    }

    #[test]
    fn the_display_shows_the_last_picture_whatever_was_before() {
        let mut display = display();
        let mut memory = [[0; PAGE]; 8];
        let mut random = 1u32;
        for _ in 0..300 {
            let dots: Vec<(i32, i32)> = (0..random % 40)
                .map(|_| {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ((random >> 8 & 127) as i32, (random >> 16 & 63) as i32)
                })
                .collect();
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (mut columns, mut place) = ([0; 2], (0, 0));
            for bytes in show(&mut display, &dots).expect("the bus works") {
                match bytes[..] {
                    [COMMANDS, COLUMNS, first, last, ROWS, top, _] => {
                        (columns, place) = ([first, last], (top, first));
                    }
                    [DOTS, ref dots @ ..] => {
                        for byte in dots {
                            memory[usize::from(place.0)][usize::from(place.1)] = *byte;
                            place = match place.1 == columns[1] {
                                true => (place.0 + 1, columns[0]),
                                false => (place.0, place.1 + 1),
                            };
                        }
                    }
                    _ => {}
                }
            }
            assert_eq!(memory, *display.shown.pages());
        }
    }
}
