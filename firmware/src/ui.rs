//! The screens: what the display shows, and what the keys do there.
//!
//! Everywhere, holding the select key leads back: from a board to its menu, from any other screen
//! to the one it was opened from.
mod blokus;
mod board;
mod dots;
mod draft;
mod end;
mod glyphs;
mod history;
mod menus;
mod pages;
mod squares;
mod widgets;

use crate::{
    app::{Busy, Device},
    frame::Frame,
    health::{self, Part},
    keys::Press,
    log,
    panel::Panel,
    settings::Draft,
    table::{HintStrength, Table},
};
use blokus::Ghost;
use core::sync::atomic::Ordering;
use corvid_core::{
    game::DISPLAY_COLUMNS, games::blokus::Orientation, player::Player, setup::GameKind,
};
use embassy_futures::select::{Either, select};
use embassy_time::{Duration, Instant, Timer};
use heapless::String;
use widgets::step;

/// How often the screen is drawn again while the board thinks.
const REFRESH: Duration = Duration::from_millis(250);

/// How long to wait before a display that did not answer is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// The longest between two signs of life.
const NAP: Duration = Duration::from_secs(1);

/// Which screen is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// The name and the mark.
    Start,
    /// The main menu.
    Menu,
    /// The choices for a new game.
    NewGame,
    /// The rules of a game.
    Rules,
    /// How the games went.
    Statistics,
    /// What a person can set.
    Settings,
    /// What this is.
    About,
    /// The board of the game.
    Board,
    /// The pieces to choose from, in Blokus.
    Tray,
    /// The menu of the game.
    Pause,
    /// The moves so far.
    History,
    /// The pieces that a player has left, in Blokus.
    Pieces,
    /// The result.
    End,
    /// The board, move by move.
    Review,
}

/// The state of the screens.
#[derive(Debug)]
pub struct Ui {
    screen: Screen,
    /// Where [`Screen::Rules`] leads back to.
    back: Screen,
    /// The chosen row of a list, the first line shown of a text, or the moves shown of a review.
    at: usize,
    /// The game whose rules are shown.
    rules: GameKind,
    draft: Draft,
    /// Whether the new game is one to watch.
    watch: bool,
    /// Column and row of the cursor on the board; in Dots and Boxes, of a line.
    cursor: (u8, u8),
    ghost: Option<Ghost>,
    /// Whose pieces are shown.
    player: Player,
    hint: HintStrength,
    /// Whether the next select on a row that can't be undone is meant.
    sure: bool,
    message: String<DISPLAY_COLUMNS>,
    /// The table's generation when the screen was last drawn.
    seen: u32,
}

impl Ui {
    /// The start screen.
    pub const fn new() -> Self {
        Self {
            screen: Screen::Start,
            back: Screen::Menu,
            at: 0,
            rules: GameKind::Othello,
            draft: Draft::NEW,
            watch: false,
            cursor: (0, 0),
            ghost: None,
            player: Player::FIRST,
            hint: HintStrength::Advanced,
            sure: false,
            message: String::new(),
            seen: 0,
        }
    }

    /// Which screen is shown.
    pub const fn screen(&self) -> Screen {
        self.screen
    }

    /// The chosen row of a list, or piece of the tray.
    pub const fn chosen(&self) -> usize {
        self.at
    }

    /// Where the cursor is on the board, column first.
    pub const fn cursor(&self) -> (u8, u8) {
        self.cursor
    }

    /// How the piece in a person's hand lies.
    pub fn held(&self) -> Option<Orientation> {
        self.ghost.map(|ghost| ghost.orientation)
    }

    /// Goes to a screen.
    fn open(&mut self, screen: Screen) {
        (self.screen, self.at, self.sure) = (screen, 0, false);
        self.message.clear();
    }

    /// Does what a key means on the screen that is shown.
    pub fn press(&mut self, press: Press, device: &Device, table: &mut Table) {
        self.notice(table);
        match self.screen {
            Screen::Start => self.open_menu(table),
            Screen::Menu => self.press_menu(press, device, table),
            Screen::NewGame => self.press_draft(press, device, table),
            Screen::Settings => self.press_settings(press, device, table),
            Screen::Rules | Screen::About | Screen::Statistics => self.press_text(press),
            Screen::Board => self.press_board(press, device, table),
            Screen::Tray => self.press_tray(press, table),
            Screen::Pause => self.press_pause(press, device, table),
            Screen::History => self.press_history(press, table),
            Screen::Pieces => self.press_pieces(press, table),
            Screen::End => self.press_end(press, device, table),
            Screen::Review => self.press_review(press, table),
        }
    }

    /// Draws the screen.
    pub fn draw(&mut self, frame: &mut Frame, busy: Busy, table: &mut Table) {
        self.notice(table);
        frame.clear_all();
        match self.screen {
            Screen::Start => pages::start(frame),
            Screen::Menu => self.draw_menu(frame),
            Screen::NewGame => self.draw_draft(frame),
            Screen::Settings => menus::draw_settings(frame, self.at, &table.settings),
            Screen::Rules => pages::rules(frame, self.rules, self.at),
            Screen::About => pages::about(frame, self.at),
            Screen::Statistics => pages::statistics(frame, &table.statistics),
            Screen::Board => self.draw_board(frame, busy, table),
            Screen::Tray => self.draw_tray(frame, table),
            Screen::Pause => self.draw_pause(frame, busy, table),
            Screen::History => self.draw_history(frame, table),
            Screen::Pieces => self.draw_pieces(frame, table),
            Screen::End => self.draw_end(frame, table),
            Screen::Review => self.draw_review(frame, table),
        }
    }

    /// Takes in what changed on the table since the last look.
    fn notice(&mut self, table: &mut Table) {
        if table.generation() != self.seen {
            self.seen = table.generation();
            self.message.clear();
            self.ghost = None;
            self.fit_cursor(table);
            match self.screen {
                Screen::Tray | Screen::Pieces => self.open(Screen::Board),
                // A game that began over the serial port has no such moves.
                Screen::Review | Screen::End if !table.is_over() => self.open(Screen::Board),
                _ => {}
            }
        }
        if let Some(hint) = table.take_hint() {
            self.show_hint(&hint, table);
        }
    }

    /// Whether the game may be changed now; says so if not.
    fn may_change(&mut self, device: &Device) -> bool {
        let free = device.busy() != Busy::Serial;
        if !free {
            self.say("serial port is busy");
        }
        free
    }

    /// Shows a message until the next key.
    fn say(&mut self, text: &str) {
        self.message.clear();
        // A text that is too long is cut.
        for letter in text.chars() {
            let _ = self.message.push(letter);
        }
    }

    /// Tells thread mode that the table has changed.
    fn changed(device: &Device) {
        if device.busy() != Busy::Serial {
            device.stop.store(true, Ordering::Relaxed);
        }
        device.work.signal(());
    }

    /// Moves the choice in a list of `count` rows, if the key does that.
    fn choose(&mut self, press: Press, count: usize) {
        if matches!(press, Press::Up | Press::Down) {
            self.at = step(self.at, count, press == Press::Down);
            self.sure = false;
        }
    }
}

impl Default for Ui {
    fn default() -> Self {
        Self::new()
    }
}

/// Runs the screens for ever, drawing them in `frame`. Without a display, the keys go on working.
pub async fn run<P: Panel>(device: &Device, frame: &mut Frame, mut panel: P) -> ! {
    let mut ui = Ui::new();
    let mut retry = None;
    let mut brightness = None;
    loop {
        {
            let mut table = device.table().await;
            while let Ok(press) = device.keys.try_receive() {
                ui.press(press, device, &mut table);
            }
            device.news.reset();
            ui.draw(frame, device.busy(), &mut table);
            device.show_peek(frame);
            if brightness != Some(table.settings.brightness) {
                brightness = Some(table.settings.brightness);
                panel.set_brightness(table.settings.brightness);
            }
        }
        if retry.is_none_or(|at| Instant::now() >= at) {
            retry = None;
            if panel.show(frame).await.is_err() {
                log::warn!("no display");
                retry = Some(Instant::now() + RETRY);
            }
        }
        let thinking = matches!(device.busy(), Busy::Thinking(_));
        let until = match (retry, thinking) {
            (Some(at), _) => at,
            (None, true) => Instant::now() + REFRESH,
            (None, false) => Instant::MAX,
        };
        loop {
            health::beat(Part::Screen);
            let event = select(device.keys.ready_to_receive(), device.news.wait());
            let nap = until.min(Instant::now() + NAP);
            match select(event, Timer::at(nap)).await {
                Either::Second(()) if nap < until => {}
                _ => break,
            }
        }
    }
}
