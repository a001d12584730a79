//! A display as the application sees it.
use crate::frame::{Frame, HEIGHT, WIDTH};
use embedded_graphics::{pixelcolor::BinaryColor, prelude::*, primitives::Rectangle};

/// How bright a display is, 0 (dim) to [`Brightness::MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brightness(u8);

impl Brightness {
    /// As bright as the display gets.
    pub const MAX: Self = Self(3);

    /// One of the four steps.
    pub const fn new(step: u8) -> Option<Self> {
        if step <= Self::MAX.0 { Some(Self(step)) } else { None }
    }

    /// The step.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// The controller chip of an OLED module: sellers don't always say which one it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Controller {
    /// Whichever the module seems to have.
    Detected,
    /// Solomon Systech's, on most modules of 0.96 inch.
    Ssd1306,
    /// Sino Wealth's, on most modules of 1.3 inch.
    Sh1106,
}

impl Controller {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Detected, Self::Ssd1306, Self::Sh1106];
}

/// A display that can show a picture.
#[allow(
    async_fn_in_trait,
    reason = "an interrupt executor has one thread: no Send bound is needed"
)]
pub trait Panel {
    /// Why a picture could not be sent to the display.
    type Error;

    /// Makes the display show this picture; sends only what differs from the last one.
    async fn show(&mut self, frame: &Frame) -> Result<(), Self::Error>;

    /// Sets the brightness of the next pictures. A display without brightness control ignores it.
    fn set_brightness(&mut self, _: Brightness) {}

    /// Says what only the user knows of a module: its controller, and whether it is mounted upside
    /// down. A display that is part of a board ignores it.
    fn set_module(&mut self, _: Controller, _upside_down: bool) {}
}

/// Any embedded-graphics display, grey or coloured, as a panel: the picture is in its upper left
/// corner, in the colours that black and white convert to.
#[derive(Debug)]
pub struct Target<D> {
    display: D,
    shown: Frame,
    /// Whether the display holds `shown`.
    ready: bool,
}

impl<D> Target<D> {
    /// A display with unknown contents.
    pub const fn new(display: D) -> Self {
        Self { display, shown: Frame::DARK, ready: false }
    }
}

impl<D: DrawTarget<Color: From<BinaryColor>>> Panel for Target<D> {
    type Error = D::Error;

    async fn show(&mut self, frame: &Frame) -> Result<(), D::Error> {
        let fresh = !self.ready;
        self.ready = false;
        for y in 0..HEIGHT {
            let differs = |x: &usize| fresh || frame.is_lit(*x, y) != self.shown.is_lit(*x, y);
            let Some(first) = (0..WIDTH).find(differs) else { continue };
            let last = (first..WIDTH).rfind(differs).unwrap_or(first);
            let at = Point::new(first as i32, y as i32);
            let area = Rectangle::new(at, Size::new((last - first + 1) as u32, 1));
            let color = |x| BinaryColor::from(frame.is_lit(x, y)).into();
            self.display.fill_contiguous(&area, (first..=last).map(color))?;
        }
        self.shown = frame.clone();
        self.ready = true;
        Ok(())
    }
}
