//! OLED modules of 128 x 64 pixels on I2C, with an SSD1306 or an SH1106: the display of every board
//! that has none of its own.
//!
//! It remembers what the display shows, and sends only the columns that differ: a
//! key press costs a few milliseconds on the bus where the whole picture takes 24. A display that is
//! unplugged, plugged in late or swapped is found and set up again with the next picture.
//!
//! Both controllers are addressed page by page, the only way that the SH1106 knows. Beyond that
//! it differs in its charge pump, and in its 132 columns, of which a module shows those in the middle.
use crate::{
    frame::{Frame, WIDTH},
    panel::{Brightness, Controller, Panel},
};
use core::ops::Range;
use embassy_time::{Duration, with_timeout};
use embedded_hal_async::i2c::I2c;

/// The addresses that a module may have: nearly all have the first one, a solder bridge selects the
/// second.
pub const ADDRESSES: [u8; 2] = [0x3c, 0x3d];

/// Bytes of a page: eight rows of pixels, a byte for each column, its lowest bit on top.
const PAGE: usize = WIDTH;

/// More than a whole picture takes at 100 kHz. Without this timeout, a hung bus would stop the
/// screen.
const PATIENCE: Duration = Duration::from_millis(250);

/// More than reading the status takes at 100 kHz. A module that can't be read must not delay the
/// picture.
const STATUS_PATIENCE: Duration = Duration::from_millis(1);

/// The control byte before commands, and the one before pixels.
const COMMANDS: u8 = 0x00;
const PIXELS: u8 = 0x40;

const DISPLAY_OFF: u8 = 0xae;
const DISPLAY_ON: u8 = 0xaf;
const CONTRAST: u8 = 0x81;
const PAGE_ADDRESS: u8 = 0xb0;
/// The column's lower and upper four bits.
const COLUMN_LOW: u8 = 0x00;
const COLUMN_HIGH: u8 = 0x10;

/// The display's contrast for each step of [`Brightness`].
const CONTRASTS: [u8; 4] = [0x01, 0x30, 0x80, 0xcf];

/// Set-up of a 128 x 64 module with a charge pump. An SH1106 ignores what it doesn't know: the charge
/// pump's command, addressing and scrolling. They are sent to it too, so that a module is legible
/// even if it is taken for the other kind.
#[rustfmt::skip]
const SETUP: [u8; 21] = [
    COMMANDS,
    0xd5, 0x80, // clock: the default, about 100 frames a second
    0xa8, 63, // all 64 rows
    0xd3, 0, // no vertical offset
    0x40, // the first row of memory on top
    0x8d, 0x14, // charge pump on
    0x20, 2, // addresses stay in a page
    0xda, 0x12, // how modules of 64 rows are wired
    0xd9, 0xf1, // pre-charge and V-COMH level for an even picture with the charge pump
    0xdb, 0x40,
    0xa4, // show the memory,
    0xa6, // lit where a bit is set
    0x2e, // no scrolling
];

/// What an SH1106 needs besides: its charge pump on; a long pre-charge, the other nibble here.
const SH1106_SETUP: [u8; 5] = [COMMANDS, 0xad, 0x8b, 0xd9, 0x1f];

/// The first of the SH1106's columns that a module shows, from either side.
const SH1106_MARGIN: u8 = 2;

/// The direction of columns and rows, on a module with its pins at the top and on one with them at
/// the bottom.
const UPRIGHT: [u8; 3] = [COMMANDS, 0xa1, 0xc8];
const UPSIDE_DOWN: [u8; 3] = [COMMANDS, 0xa0, 0xc0];

/// The lower four bits of an SH1106's status byte. SSD1306s have been seen with 3, 4 and 6.
///
/// The data sheets call these bits reserved, and some SH1106s answer like an SSD1306: this is what
/// users of both have found, not what the makers promise. So there is a setting too.
const SH1106_STATUS: u8 = 8;

/// The bit of the status byte that is set while the display is off, on both.
const IS_OFF: u8 = 0x40;

/// Why a picture could not be sent to the display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error<E> {
    /// A bus error; a missing acknowledgement if no display is connected.
    Bus(E),
    /// The bus did not finish in time.
    Timeout,
}

/// A module on an I2C bus.
#[derive(Debug)]
pub struct OledModule<B> {
    bus: B,
    shown: Frame,
    contrast: u8,
    sent_contrast: u8,
    controller: Controller,
    upside_down: bool,
    /// Where a module has answered last.
    address: u8,
    /// The column of its memory with the picture's first.
    margin: u8,
    /// Whether the display is set up and `shown` is what it holds.
    ready: bool,
    /// Whether its status tells if it is off, as it is after it was without power.
    tells_off: bool,
}

impl<B: I2c> OledModule<B> {
    /// A module at any of [`ADDRESSES`], to be set up by the first picture.
    pub const fn new(bus: B) -> Self {
        let contrast = CONTRASTS[3];
        Self {
            bus,
            shown: Frame::DARK,
            contrast,
            sent_contrast: contrast,
            controller: Controller::Detected,
            upside_down: false,
            address: ADDRESSES[0],
            margin: 0,
            ready: false,
            tells_off: false,
        }
    }

    async fn send_changes(&mut self, frame: &Frame) -> Result<(), B::Error> {
        if self.ready && self.tells_off && self.shown != *frame {
            // It may have been unplugged and plugged in again since the last picture.
            self.ready = self.status().await.is_none_or(|status| status & IS_OFF == 0);
        }
        let fresh = !self.ready;
        // Until everything has been sent, the display's contents are unknown.
        self.ready = false;
        if fresh {
            self.set_up().await?;
        }
        if fresh || self.contrast != self.sent_contrast {
            self.write(&[COMMANDS, CONTRAST, self.contrast]).await?;
            self.sent_contrast = self.contrast;
        }
        for (page, drawn) in (0..).zip(frame.pages()) {
            let mut from = 0;
            while let Some(columns) = match fresh {
                true => (from == 0).then_some(0..PAGE),
                false => {
                    let shown = self.shown.pages().get(usize::from(page));
                    shown.and_then(|shown| next_change(drawn, shown, from))
                }
            } {
                from = columns.end;
                self.send(drawn, page, columns).await?;
            }
        }
        if fresh {
            // Only now, so that the noise in a new display's memory is never seen.
            self.write(&[COMMANDS, DISPLAY_ON]).await?;
            // Not all modules can be read, and not all tell.
            if self.tells_off {
                let status = self.status().await;
                self.tells_off = status.is_some_and(|status| status & IS_OFF == 0);
            }
        }
        self.shown.clone_from(frame);
        self.ready = true;
        Ok(())
    }

    /// Finds the module, and sets it up except for its contrast.
    async fn set_up(&mut self) -> Result<(), B::Error> {
        if let Err(error) = self.write(&[COMMANDS, DISPLAY_OFF]).await {
            let last = self.address;
            self.address = ADDRESSES[usize::from(last == ADDRESSES[0])];
            if self.write(&[COMMANDS, DISPLAY_OFF]).await.is_err() {
                self.address = last;
                return Err(error);
            }
        }
        let status = match self.controller {
            Controller::Detected => self.status().await,
            Controller::Ssd1306 | Controller::Sh1106 => None,
        };
        self.tells_off = status.is_some_and(|status| status & IS_OFF != 0);
        let sh1106 = self.controller == Controller::Sh1106
            || status.is_some_and(|status| status & 0x0f == SH1106_STATUS);
        self.margin = if sh1106 { SH1106_MARGIN } else { 0 };
        self.write(&SETUP).await?;
        if sh1106 {
            self.write(&SH1106_SETUP).await?;
        }
        self.write(if self.upside_down { &UPSIDE_DOWN } else { &UPRIGHT }).await
    }

    /// Asks the module for its status, which is what it answers with after a command.
    async fn status(&mut self) -> Option<u8> {
        let mut status = [0];
        let read = self.bus.read(self.address, &mut status);
        matches!(with_timeout(STATUS_PATIENCE, read).await, Ok(Ok(()))).then_some(status[0])
    }

    /// Sends a part of a page.
    async fn send(
        &mut self,
        drawn: &[u8; PAGE],
        page: u8,
        columns: Range<usize>,
    ) -> Result<(), B::Error> {
        let first = columns.start as u8 + self.margin;
        let [low, high] = [COLUMN_LOW | first & 0x0f, COLUMN_HIGH | first >> 4];
        self.write(&[COMMANDS, PAGE_ADDRESS | page, low, high]).await?;
        let mut message = [PIXELS; 1 + PAGE];
        let part = drawn.get(columns).unwrap_or_default();
        message.iter_mut().skip(1).zip(part).for_each(|(to, pixels)| *to = *pixels);
        self.write(&message[..1 + part.len().min(PAGE)]).await
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), B::Error> {
        self.bus.write(self.address, bytes).await
    }
}

/// Bytes on the bus beside the pixels to send a part of a page: an address and four bytes to select
/// it, an address and [`PIXELS`].
const OVERHEAD: usize = 7;

/// The next columns of a page, from one of them on, in which it differs from what is shown. They
/// include equal columns where these are cheaper to send than to skip.
fn next_change(drawn: &[u8; PAGE], shown: &[u8; PAGE], from: usize) -> Option<Range<usize>> {
    let next = |from| (from..PAGE).find(|column| drawn[*column] != shown[*column]);
    let first = next(from)?;
    let mut end = first + 1;
    while let Some(column) = next(end).filter(|column| column - end < OVERHEAD) {
        end = column + 1;
    }
    Some(first..end)
}

impl<B: I2c> Panel for OledModule<B> {
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

    /// Takes effect with the next picture, which is then sent as a whole.
    fn set_module(&mut self, controller: Controller, upside_down: bool) {
        self.ready &= (controller, upside_down) == (self.controller, self.upside_down);
        (self.controller, self.upside_down) = (controller, upside_down);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Ink;
    use core::future::pending;
    use embassy_futures::block_on;
    use embedded_hal_async::i2c::{ErrorKind, ErrorType, NoAcknowledgeSource, Operation};
    use std::vec::Vec;

    /// Transfers of a whole picture: off, status, set-up, direction, contrast, two for each page, on,
    /// status.
    const TRANSFERS: usize = 5 + 8 * 2 + 2;

    const NACK: ErrorKind = ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address);

    /// How a module answers a read of its status.
    #[derive(Clone, Copy)]
    enum Status {
        Byte(u8),
        Refused,
        /// It holds the clock line.
        Hangs,
    }

    /// A bus with a module whose plug can be pulled after some transfers.
    struct Bus {
        transfers: Vec<Vec<u8>>,
        works_for: usize,
        address: u8,
        status: Status,
        /// As large as the SH1106's; the SSD1306 leaves the last columns alone.
        memory: [[u8; 132]; 8],
        columns: usize,
        at: (usize, usize),
        mirrored: [bool; 2],
        lit: bool,
    }

    impl Bus {
        fn new(controller: Controller, address: u8) -> Self {
            let sh1106 = controller == Controller::Sh1106;
            Self {
                transfers: Vec::new(),
                works_for: usize::MAX,
                address,
                status: Status::Byte(if sh1106 { 0x48 } else { 0x46 }),
                // Noise.
                memory: [[0x5a; 132]; 8],
                columns: if sh1106 { 132 } else { 128 },
                at: (0, 0),
                mirrored: [false; 2],
                lit: false,
            }
        }

        fn command(&mut self, commands: &[u8]) {
            match *commands {
                // Arguments of other commands are not to be taken for commands.
                [0xd5, ..] | [0xad, ..] | [CONTRAST, ..] => {}
                [DISPLAY_OFF] => self.lit = false,
                [DISPLAY_ON] => self.lit = true,
                [columns, rows] => self.mirrored = [columns == 0xa1, rows == 0xc8],
                [page, low, high] => {
                    self.at = (usize::from(page & 7), usize::from(low & 15 | (high & 15) << 4));
                }
                _ => panic!("unknown commands {commands:x?}"),
            }
        }

        /// What a person sees on a module with its pins at the top.
        fn seen(&self) -> Frame {
            let mut frame = Frame::DARK;
            let margin = (self.columns - PAGE) / 2;
            for (x, y) in (0..PAGE).flat_map(|x| (0..64).map(move |y| (x, y))) {
                let column = margin + if self.mirrored[0] { x } else { PAGE - 1 - x };
                let row = if self.mirrored[1] { y } else { 63 - y };
                if self.lit && self.memory[row / 8][column] >> (row % 8) & 1 != 0 {
                    frame.dot(x as i32, y as i32, Ink::On);
                }
            }
            frame
        }
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
            assert!(ADDRESSES.contains(&address));
            if self.works_for == 0 || address != self.address {
                return Err(NACK);
            }
            self.works_for -= 1;
            for operation in operations {
                match operation {
                    Operation::Read(bytes) => {
                        assert_eq!(bytes.len(), 1);
                        match self.status {
                            Status::Byte(status) => {
                                bytes[0] = if self.lit { status & !IS_OFF } else { status };
                            }
                            Status::Refused => return Err(NACK),
                            Status::Hangs => pending().await,
                        }
                        self.transfers.push(Vec::new());
                    }
                    Operation::Write(bytes) => {
                        match **bytes {
                            [COMMANDS, ref commands @ ..] => self.command(commands),
                            [PIXELS, ref pixels @ ..] => {
                                let (page, column) = self.at;
                                self.memory[page][column..column + pixels.len()]
                                    .copy_from_slice(pixels);
                                self.at.1 += pixels.len();
                                assert!(self.at.1 <= self.columns, "over the end of a page");
                            }
                            _ => panic!("no control byte"),
                        }
                        self.transfers.push(bytes.to_vec());
                    }
                }
            }
            Ok(())
        }
    }

    fn display() -> OledModule<Bus> {
        OledModule::new(Bus::new(Controller::Ssd1306, ADDRESSES[0]))
    }

    fn picture(pixels: &[(i32, i32)]) -> Frame {
        let mut frame = Frame::DARK;
        pixels.iter().for_each(|&(x, y)| frame.dot(x, y, Ink::On));
        frame
    }

    fn turned(frame: &Frame) -> Frame {
        let mut turned = Frame::DARK;
        for (x, y) in (0..PAGE).flat_map(|x| (0..64).map(move |y| (x, y))) {
            if frame.is_lit(x, y) {
                turned.dot(127 - x as i32, 63 - y as i32, Ink::On);
            }
        }
        turned
    }

    /// What is sent to make the display show these pixels.
    fn show(
        display: &mut OledModule<Bus>,
        pixels: &[(i32, i32)],
    ) -> Result<Vec<Vec<u8>>, Error<ErrorKind>> {
        block_on(display.show(&picture(pixels)))?;
        Ok(core::mem::take(&mut display.bus.transfers))
    }

    /// Random pixels.
    struct Random(u32);

    impl Random {
        fn pixels(&mut self) -> Vec<(i32, i32)> {
            let count = self.next() >> 8 & 63;
            (0..count)
                .map(|_| {
                    let random = self.next();
                    ((random >> 8 & 127) as i32, (random >> 16 & 63) as i32)
                })
                .collect()
        }

        fn next(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            self.0
        }
    }

    #[test]
    fn the_first_picture_sets_up_sends_all_and_switches_on_last() {
        let sent = show(&mut display(), &[]).expect("the bus works");
        assert_eq!(sent.len(), TRANSFERS);
        assert_eq!(sent[0], [COMMANDS, DISPLAY_OFF]);
        assert_eq!(sent[1], []);
        assert_eq!(sent[2], SETUP);
        assert_eq!(sent[3], UPRIGHT);
        assert_eq!(sent[4], [COMMANDS, CONTRAST, 0xcf]);
        for (page, sent) in (0..).zip(sent[5..21].as_chunks::<2>().0) {
            assert_eq!(sent[0], [COMMANDS, PAGE_ADDRESS | page, 0x00, 0x10]);
            assert_eq!(sent[1], [&[PIXELS][..], &[0; PAGE]].concat());
        }
        assert_eq!(sent[21], [COMMANDS, DISPLAY_ON]);
        assert_eq!(sent[22], []);
    }

    #[test]
    fn a_module_that_was_without_power_between_two_pictures_is_set_up_again() {
        for controller in [Controller::Ssd1306, Controller::Sh1106] {
            let mut display = OledModule::new(Bus::new(controller, ADDRESSES[0]));
            show(&mut display, &[(1, 1)]).expect("the bus works");
            display.bus = Bus::new(controller, ADDRESSES[0]);
            show(&mut display, &[(2, 2)]).expect("the bus works");
            assert_eq!(display.bus.seen(), picture(&[(2, 2)]), "{controller:?}");
        }
        // One that never tells is not asked again and again.
        let mut display = display();
        display.bus.status = Status::Byte(0x06);
        show(&mut display, &[(1, 1)]).expect("the bus works");
        assert_eq!(show(&mut display, &[(2, 2)]).map(|sent| sent.contains(&Vec::new())), Ok(false));
    }

    #[test]
    fn only_what_changed_is_sent() {
        let mut display = display();
        show(&mut display, &[]).expect("the bus works");
        assert_eq!(show(&mut display, &[]), Ok(Vec::new()));

        let status = Vec::new();
        let place = Vec::from([COMMANDS, PAGE_ADDRESS | 1, 0x05, 0x12]);
        let pixels = Vec::from([PIXELS, 1 << 2, 0, 1 << 7]);
        let sent = show(&mut display, &[(37, 10), (39, 15)]);
        assert_eq!(sent, Ok(Vec::from([status, place, pixels])));
    }

    #[test]
    fn equal_columns_are_sent_where_that_is_cheaper() {
        let mut display = display();
        show(&mut display, &[]).expect("the bus works");
        let sent = show(&mut display, &[(0, 0), (7, 0), (15, 0)]).expect("the bus works");
        let lengths: Vec<usize> = sent.iter().map(Vec::len).collect();
        assert_eq!(lengths, [0, 4, 1 + 8, 4, 1 + 1], "the status, 6 equal ones, and then 7");
    }

    #[test]
    fn every_module_shows_the_last_picture_whatever_was_before() {
        let mut random = Random(1);
        for controller in [Controller::Ssd1306, Controller::Sh1106] {
            for (address, upside_down) in
                ADDRESSES.into_iter().flat_map(|address| [(address, false), (address, true)])
            {
                let mut display = OledModule::new(Bus::new(controller, address));
                display.set_module(Controller::Detected, upside_down);
                for _ in 0..100 {
                    let pixels = random.pixels();
                    show(&mut display, &pixels).expect("the bus works");
                    let frame = picture(&pixels);
                    let expected = if upside_down { turned(&frame) } else { frame };
                    assert!(display.bus.seen() == expected, "{controller:?} at {address:#x}");
                }
            }
        }
    }

    #[test]
    fn a_plug_pulled_at_any_transfer_loses_nothing() {
        for controller in [Controller::Ssd1306, Controller::Sh1106] {
            let bus = || Bus::new(controller, ADDRESSES[1]);
            let mut whole = OledModule::new(bus());
            let transfers = show(&mut whole, &[(0, 0)]).expect("the bus works").len();
            let changes = show(&mut whole, &[(3, 3), (99, 50)]).expect("the bus works").len();
            for count in 0..transfers + changes {
                let mut display = OledModule::new(bus());
                display.bus.works_for = count;
                let first = show(&mut display, &[(0, 0)]);
                let second = show(&mut display, &[(3, 3), (99, 50)]);
                assert!(first.is_err() || second.is_err(), "{count}");
                assert_eq!(show(&mut display, &[(3, 3)]), Err(Error::Bus(NACK)));
                // What is plugged in has lost its memory.
                display.bus = bus();
                let sent = show(&mut display, &[(5, 5)]).expect("the bus works again");
                assert_eq!(sent.len(), transfers, "{count}");
                assert_eq!(display.bus.seen(), picture(&[(5, 5)]), "{count}");
            }
        }
    }

    #[test]
    fn a_module_that_is_swapped_for_another_is_found() {
        let mut display = display();
        show(&mut display, &[(1, 1)]).expect("the bus works");
        let modules = [
            (Controller::Ssd1306, ADDRESSES[1]),
            (Controller::Sh1106, ADDRESSES[0]),
            (Controller::Sh1106, ADDRESSES[1]),
            (Controller::Ssd1306, ADDRESSES[0]),
        ];
        for (shift, (controller, address)) in (2..).zip(modules) {
            display.bus.works_for = 0;
            show(&mut display, &[]).expect_err("it is unplugged");
            display.bus = Bus::new(controller, address);
            show(&mut display, &[(shift, 1)]).expect("it is found");
            assert_eq!(display.bus.seen(), picture(&[(shift, 1)]));
        }
    }

    #[test]
    fn an_unreadable_module_is_an_ssd1306() {
        for status in [Status::Refused, Status::Hangs, Status::Byte(0xff), Status::Byte(0)] {
            let mut display = display();
            display.bus.status = status;
            show(&mut display, &[(9, 9)]).expect("it can be written");
            assert_eq!(display.bus.seen(), picture(&[(9, 9)]));
        }
    }

    #[test]
    fn the_setting_overrules_the_status() {
        let mut display = display();
        display.bus = Bus::new(Controller::Sh1106, ADDRESSES[0]);
        display.bus.status = Status::Byte(0x46);
        show(&mut display, &[(9, 9)]).expect("the bus works");
        assert!(display.bus.seen().is_lit(7, 9), "shifted to the left");
        display.set_module(Controller::Sh1106, false);
        let sent = show(&mut display, &[(9, 9)]).expect("the bus works");
        assert!(sent.contains(&SH1106_SETUP.to_vec()) && !sent.contains(&Vec::new()), "not asked");
        assert_eq!(display.bus.seen(), picture(&[(9, 9)]));
        display.set_module(Controller::Sh1106, false);
        assert_eq!(show(&mut display, &[(9, 9)]), Ok(Vec::new()), "nothing has changed");
    }

    #[test]
    fn another_direction_sends_everything_again() {
        let mut display = display();
        show(&mut display, &[(0, 0)]).expect("the bus works");
        display.set_module(Controller::Detected, true);
        assert_eq!(show(&mut display, &[(0, 0)]).map(|sent| sent.len()), Ok(TRANSFERS));
        assert_eq!(display.bus.seen(), picture(&[(127, 63)]));
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
}
