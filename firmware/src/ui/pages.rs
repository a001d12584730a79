//! Read-only screens: start, rules, about.
use super::{
    Screen, Ui,
    menus::next,
    widgets::{Line, MENU, MENU_CHAR, count_lines, page, step},
};
use crate::{
    app::COMFORTS,
    frame::{Frame, Ink, WIDTH},
    health,
    keys::Press,
    mark,
    store::Trouble,
    table::Table,
};
use core::fmt;
use corvid_core::{
    game::{Reason, SHORT},
    registry::GameKind,
    version::COMMIT,
};
use heapless::String;

/// The pixel row on which the crow stands, above the bottom line of text.
const GROUND: i32 = 51;

const PRESS: &str = "press a key";

const ABOUT: &str = concat!(
    "Corvid ",
    env!("CORVID_VERSION"),
    "\nFive board games and an opponent in a microcontroller.\n\
     Hold select for the menu, or to go back.\n\
     On the serial port: GTP 2, 115200 8N1 or USB. Try: help\n\
     MIT or Apache-2.0"
);

/// Draws the start screen.
pub(crate) fn start(frame: &mut Frame, table: &Table) {
    mark::draw(frame, 2, GROUND - mark::CROW_HEIGHT, &mark::CROW);
    mark::draw(frame, 61, 9, &mark::NAME);
    frame.text_in(MENU, 61, 27, "five games");
    frame.text_in(MENU, 61, 38, concat!("v", env!("CARGO_PKG_VERSION")));
    frame.fill(0, GROUND, WIDTH as i32, 1, Ink::On);
    let mut line = String::<SHORT>::new();
    // Every text fits.
    let _ = match (health::last_failure(), table.saving) {
        (Some(failure), _) => failure.short(&mut line.as_mut_view()),
        (None, Some(trouble)) if trouble != Trouble::Nowhere => {
            trouble.short(&mut line.as_mut_view())
        }
        _ => line.push_str(PRESS).map_err(|_| fmt::Error),
    };
    frame.text_in(MENU, 2, GROUND + 3, &line);
    // A failure may need the whole line.
    if !COMMIT.is_empty() && line.as_str() == PRESS {
        let place = WIDTH as i32 - MENU_CHAR * COMMIT.len() as i32;
        frame.text_in(MENU, place, GROUND + 3, COMMIT);
    }
}

/// Draws the rules of a game.
pub(crate) fn rules(frame: &mut Frame, kind: GameKind, first: usize) {
    // There are more games on both sides.
    let mut heading = Line::new();
    heading.add("< ").add(kind.title()).add(" >");
    page(frame, heading.as_str(), kind.info().rules, first);
}

/// The page about a game, or about the project: its title and its text.
fn about_of(game: Option<GameKind>) -> (&'static str, &'static str) {
    // The texts about games are a comfort.
    game.filter(|_| COMFORTS).map_or(("About", ABOUT), |kind| (kind.title(), kind.about()))
}

impl Ui {
    /// Draws the page about the project, or about a game.
    pub(super) fn draw_about(&self, frame: &mut Frame, table: &Table) {
        let (title, text) = about_of(self.about);
        let mut heading = Line::new();
        if table.has_comforts() {
            heading.add("< ").add(title).add(" >");
        } else {
            heading.add(title);
        }
        page(frame, heading.as_str(), text, self.at);
    }

    /// Handles a key on a read-only screen.
    pub(super) fn press_text(&mut self, press: Press, table: &Table) {
        let lines = match self.screen {
            Screen::Rules => count_lines(self.rules.info().rules),
            _ => count_lines(about_of(self.about).1),
        };
        match press {
            Press::Up => self.at = self.at.saturating_sub(1),
            Press::Down => {
                let last = lines.saturating_sub(super::widgets::ROWS);
                self.at = (self.at + 1).min(last);
            }
            Press::Left | Press::Right if self.screen == Screen::Rules => {
                next(&mut self.rules, &GameKind::ALL, press == Press::Right);
                self.at = 0;
            }
            Press::Left | Press::Right if table.has_comforts() => {
                // The project's page, then the games'.
                let (all, now) = (GameKind::ALL, self.about.map_or(0, |kind| kind.index() + 1));
                let next = step(now, all.len() + 1, press == Press::Right);
                (self.about, self.at) =
                    (next.checked_sub(1).and_then(|index| all.get(index).copied()), 0);
            }
            Press::Left | Press::Right => {}
            Press::Select | Press::Menu => self.open(self.back),
        }
    }
}
