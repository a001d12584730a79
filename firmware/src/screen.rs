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
    Image::new(&mark, Point::new(4, 3)).draw(target)?;
    text(target, &FONT_10X20, Point::new(58, 4), "Corvid")?;
    text(target, &FONT_6X10, Point::new(59, 25), "five games")?;
    text(target, &FONT_6X10, Point::new(59, 36), concat!("v", env!("CARGO_PKG_VERSION")))?;
    Line::new(Point::new(0, 51), Point::new(127, 51))
        .into_styled(PrimitiveStyle::with_stroke(BinaryColor::On, 1))
        .draw(target)
}

/// Draws the bottom line: the last key that was pressed.
pub fn status<D: DrawTarget<Color = BinaryColor>>(
    target: &mut D,
    last: Option<Key>,
) -> Result<(), D::Error> {
    let area = Rectangle::new(Point::new(0, 53), Size::new(128, 11));
    target.fill_solid(&area, BinaryColor::Off)?;
    let mut line = String::<21>::new();
    // The longest, `key: select`, fits.
    let _ = match last {
        Some(key) => write!(line, "key: {}", key.name()),
        None => line.write_str("press a key"),
    };
    text(target, &FONT_6X10, Point::new(1, 54), &line)
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
