//! What the display shows. 128 x 64 pixels, black and white.
use crate::{app::Device, keys::Key, log, mark};
use core::fmt::Write;
use embassy_time::Timer;
use embedded_graphics::{
    image::{Image, ImageRaw},
    mono_font::{
        MonoFont, MonoTextStyleBuilder,
        ascii::{FONT_6X10, FONT_10X20},
    },
    pixelcolor::BinaryColor,
    prelude::*,
    primitives::{Line, PrimitiveStyle, Rectangle},
    text::{Baseline, Text},
};
use heapless::String;

/// Size of the display in pixels.
pub const SIZE: Size = Size::new(128, 64);

/// Milliseconds to wait before a display that did not answer is tried again.
const RETRY_MS: u64 = 500;

/// The row of the line on which the crow stands, above the bottom line of text.
const GROUND: i32 = 51;

/// A display: a frame to draw on, and a way to show it.
#[allow(
    async_fn_in_trait,
    reason = "an interrupt executor has one thread: no Send bound is needed"
)]
pub trait Panel: DrawTarget<Color = BinaryColor> {
    /// Sends what was drawn since the last call to the display.
    async fn flush(&mut self) -> Result<(), Self::Error>;
}

/// Draws the start screen and then each key press, for ever.
pub async fn run<P: Panel>(device: &Device, mut panel: P) -> ! {
    let mut last = None;
    loop {
        let Err(_) = show(device, &mut panel, &mut last).await;
        log::warn!("the display does not answer");
        Timer::after_millis(RETRY_MS).await;
    }
}

/// Shows until the display fails, and keeps the last key in `last`.
async fn show<P: Panel>(
    device: &Device,
    panel: &mut P,
    last: &mut Option<Key>,
) -> Result<core::convert::Infallible, P::Error> {
    start(panel)?;
    status(panel, *last)?;
    loop {
        panel.flush().await?;
        *last = Some(device.keys.receive().await);
        status(panel, *last)?;
    }
}

/// Draws the start screen on a whole frame.
pub fn start<D: DrawTarget<Color = BinaryColor>>(target: &mut D) -> Result<(), D::Error> {
    target.clear(BinaryColor::Off)?;
    let mark = ImageRaw::<BinaryColor>::new(&mark::CROW, mark::WIDTH);
    Image::new(&mark, Point::new(2, GROUND - mark::HEIGHT as i32)).draw(target)?;
    text(target, &FONT_10X20, Point::new(60, 6), "Corvid")?;
    text(target, &FONT_6X10, Point::new(61, 27), "five games")?;
    text(target, &FONT_6X10, Point::new(61, 38), concat!("v", env!("CARGO_PKG_VERSION")))?;
    Line::new(Point::new(0, GROUND), Point::new(127, GROUND))
        .into_styled(PrimitiveStyle::with_stroke(BinaryColor::On, 1))
        .draw(target)
}

/// Draws the bottom line: the last key that was pressed.
pub fn status<D: DrawTarget<Color = BinaryColor>>(
    target: &mut D,
    last: Option<Key>,
) -> Result<(), D::Error> {
    let area = Rectangle::new(Point::new(0, GROUND + 1), Size::new(128, 12));
    target.fill_solid(&area, BinaryColor::Off)?;
    let mut line = String::<21>::new();
    // The longest, `key: select`, fits.
    let _ = match last {
        Some(key) => write!(line, "key: {}", key.name()),
        None => line.write_str("press a key"),
    };
    text(target, &FONT_6X10, Point::new(2, GROUND + 3), &line)
}

fn text<D: DrawTarget<Color = BinaryColor>>(
    target: &mut D,
    font: &MonoFont<'_>,
    at: Point,
    text: &str,
) -> Result<(), D::Error> {
    let style = MonoTextStyleBuilder::new().font(font).text_color(BinaryColor::On).build();
    Text::with_baseline(text, at, style, Baseline::Top).draw(target)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use embassy_futures::{block_on, select::select};
    use std::{cell::RefCell, rc::Rc};

    type Picture = [[bool; 128]; 64];

    /// A display in memory that refuses to be drawn on outside, and fails to show its first frames.
    struct Frame {
        lit: Picture,
        failures: u8,
        shown: Rc<RefCell<Vec<Picture>>>,
    }

    impl Frame {
        fn new(failures: u8) -> Self {
            Self { lit: [[true; 128]; 64], failures, shown: Rc::default() }
        }

        fn lit_rows(&self) -> Vec<usize> {
            (0..64).filter(|&y| self.lit[y].contains(&true)).collect()
        }
    }

    impl OriginDimensions for Frame {
        fn size(&self) -> Size {
            SIZE
        }
    }

    impl DrawTarget for Frame {
        type Color = BinaryColor;
        type Error = ();

        fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(
            &mut self,
            pixels: I,
        ) -> Result<(), ()> {
            for Pixel(at, color) in pixels {
                assert!(self.bounding_box().contains(at), "drawn outside, at {at}");
                self.lit[at.y as usize][at.x as usize] = color.is_on();
            }
            Ok(())
        }
    }

    impl Panel for Frame {
        async fn flush(&mut self) -> Result<(), ()> {
            if self.failures > 0 {
                self.failures -= 1;
                return Err(());
            }
            self.shown.borrow_mut().push(self.lit);
            Ok(())
        }
    }

    #[test]
    fn every_status_fits_below_the_line() {
        for last in Key::ALL.map(Some).into_iter().chain([None]) {
            let mut frame = Frame::new(0);
            frame.clear(BinaryColor::Off).unwrap();
            status(&mut frame, last).unwrap();
            let rows = frame.lit_rows();
            assert!(rows.iter().all(|&y| y > GROUND as usize + 1), "{last:?} in rows {rows:?}");
            assert!(rows.len() >= 7, "{last:?} is cut off: rows {rows:?}");
        }
    }

    #[test]
    fn a_new_status_replaces_the_old_one() {
        let mut frame = Frame::new(0);
        start(&mut frame).unwrap();
        status(&mut frame, Some(Key::Up)).unwrap();
        let up = frame.lit;
        status(&mut frame, Some(Key::Select)).unwrap();
        assert_ne!(frame.lit, up);
        status(&mut frame, Some(Key::Up)).unwrap();
        assert!(frame.lit == up);
    }

    #[test]
    fn a_display_that_did_not_answer_is_drawn_again() {
        let device = Device::new();
        device.keys.try_send(Key::Left).unwrap();
        let frame = Frame::new(1);
        let shown = Rc::clone(&frame.shown);
        block_on(select(run(&device, frame), Timer::after_millis(RETRY_MS + 100)));
        let mut expected = Frame::new(0);
        start(&mut expected).unwrap();
        status(&mut expected, None).unwrap();
        assert!(shown.borrow()[0] == expected.lit, "the start screen comes first");
        status(&mut expected, Some(Key::Left)).unwrap();
        assert!(shown.borrow()[1] == expected.lit, "then the key");
    }
}
