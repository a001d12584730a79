//! The screens: what the display shows, and what the keys do there.
mod pages;
mod widgets;

use crate::{
    app::{Busy, Device},
    frame::Frame,
    keys::Press,
    log,
    panel::Panel,
    table::Table,
};
use embassy_futures::select::select;
use embassy_time::{Duration, Instant, Timer};
use widgets::step;

/// How often the screen is drawn again while the board thinks.
const REFRESH: Duration = Duration::from_millis(250);

/// How long to wait before a display that did not answer is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// Which screen is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Screen {
    /// The name and the mark.
    Start,
    /// The main menu.
    Menu,
}

/// The state of the screens.
///
/// Large: a board keeps it in a static, where the size report shows it, not in a task.
#[derive(Debug)]
pub struct Ui {
    frame: Frame,
    screen: Screen,
    /// The chosen row of a list.
    at: usize,
}

impl Ui {
    /// The start screen.
    pub const fn new() -> Self {
        Self { frame: Frame::DARK, screen: Screen::Start, at: 0 }
    }

    /// The picture that was drawn last.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Does what a key means on the screen that is shown.
    pub fn press(&mut self, press: Press, device: &Device, table: &mut Table) {
        let _ = (device, table);
        match (self.screen, press) {
            (Screen::Start, _) => self.screen = Screen::Menu,
            (Screen::Menu, Press::Up | Press::Down) => {
                self.at = step(self.at, pages::MENU_ROWS.len(), press == Press::Down);
            }
            (Screen::Menu, _) => {}
        }
    }

    /// Draws the screen.
    pub fn draw(&mut self, busy: Busy, table: &Table) {
        let _ = (busy, table);
        self.frame.clear_all();
        match self.screen {
            Screen::Start => pages::start(&mut self.frame),
            Screen::Menu => pages::menu(&mut self.frame, self.at),
        }
    }
}

impl Default for Ui {
    fn default() -> Self {
        Self::new()
    }
}

/// Runs the screens for ever. Without a display, the keys go on working.
pub async fn run<P: Panel>(device: &Device, ui: &mut Ui, mut panel: P) -> ! {
    let mut retry = None;
    let mut brightness = None;
    loop {
        {
            let mut table = device.table().await;
            while let Ok(press) = device.keys.try_receive() {
                ui.press(press, device, &mut table);
            }
            device.news.reset();
            ui.draw(device.busy(), &table);
            if brightness != Some(table.settings.brightness) {
                brightness = Some(table.settings.brightness);
                panel.set_brightness(table.settings.brightness);
            }
        }
        if retry.is_none_or(|at| Instant::now() >= at) {
            retry = None;
            if panel.show(&ui.frame).await.is_err() {
                log::warn!("no display");
                retry = Some(Instant::now() + RETRY);
            }
        }
        let event = select(device.keys.ready_to_receive(), device.news.wait());
        let thinking = matches!(device.busy(), Busy::Thinking(_));
        let until = match (retry, thinking) {
            (Some(at), _) => at,
            (None, true) => Instant::now() + REFRESH,
            (None, false) => Instant::MAX,
        };
        select(event, Timer::at(until)).await;
    }
}
