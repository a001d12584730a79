//! The result of a game, and its review move by move.
use super::{
    Screen, Ui,
    board::head_start,
    color,
    draft::write_seat,
    views::view,
    widgets::{Line, MENU, MENU_CHAR, pair, step, title},
};
use crate::{
    app::Device,
    frame::{Frame, Ink, WIDTH},
    keys::Press,
    settings::Draft,
    table::Table,
};
use corvid_core::player::Player;

const ACTIONS: [&str; 3] = ["Again", "Review", "Menu"];

/// Which of them leads to the review.
const REVIEW: usize = 1;

/// Where the actions are.
const BOTTOM: i32 = 54;

impl Ui {
    pub(super) fn draw_end(&mut self, frame: &mut Frame, table: &Table) {
        let setup = table.game().setup();
        let colors = table.game().colors();
        let standings = table.standings();
        let alone = table.person_alone();
        let name = |player| color(&table.settings, setup.kind(), player);
        let who = |player, own: &'static str, other: &'static str| match alone {
            Some(seat) if seat == table.game().seat_of(player) => ("You", own),
            _ => (name(player), other),
        };
        let (who, did) = match (table.winner().and_then(Player::new), table.resigned()) {
            // What ended the game: the others' places are in the list.
            (_, Some(loser)) if !table.is_lost_on_time() => who(loser, " resigned", " resigned"),
            (Some(winner), _) => who(winner, " win", " wins"),
            (None, Some(loser)) => who(loser, " lose", " loses"),
            (None, None) if standings.iter().all(|standing| standing.place == 1) => ("A", " draw"),
            (None, None) => ("A", " tie"),
        };
        let mut heading = Line::new();
        heading.add(who).add(did);
        if table.is_lost_on_time() {
            heading.add(" on time");
        }
        title(frame, heading.as_str());
        for (place, standing) in standings.iter().enumerate() {
            let y = 13 + place as i32 * 10;
            let (mut line, mut points) = (Line::new(), Line::new());
            line.number(standing.place.into()).add(".");
            frame.text_in(MENU, 2, y, line.as_str());
            view(setup.kind()).mark(frame, standing.player, 16, y + 1);
            let (mut text, seat) = (Line::new(), standing.player.index());
            text.add(name(standing.player)).add(" ");
            if alone == Some(seat) {
                text.add("you");
            } else {
                write_seat(table.seats()[seat], "level ", &mut text);
            }
            let held = (colors.len() / setup.people().max(1)) as i16;
            points.number((standing.points + held * head_start(table)).into());
            pair(frame, 26, WIDTH as i32 - 2, y, text.as_str(), points.as_str());
        }
        let mut x = 2;
        for (index, action) in ACTIONS.iter().enumerate() {
            frame.text_in(MENU, x, BOTTOM, action);
            let width = action.len() as i32 * MENU_CHAR + 4;
            if index == self.at {
                frame.fill(x - 2, BOTTOM - 1, width, 11, Ink::Flip);
            }
            x += width + 8;
        }
    }

    pub(super) fn press_end(&mut self, press: Press, device: &Device, table: &mut Table) {
        match press {
            Press::Left | Press::Right => {
                self.at = step(self.at, ACTIONS.len(), press == Press::Right);
            }
            Press::Menu => self.open(Screen::Board),
            Press::Up | Press::Down => {}
            Press::Select => match self.at {
                0 => self.again(device, table),
                REVIEW => {
                    self.open(Screen::Review);
                    self.at = table.game().plies();
                }
                _ => self.open_menu(table),
            },
        }
    }

    /// Starts the same game again.
    pub(super) fn again(&mut self, device: &Device, table: &mut Table) {
        let (setup, time) = (table.game().setup(), table.clock().control());
        let draft = Draft { setup, seats: *table.seats(), time };
        self.watch = true;
        self.start(draft, device, table);
    }

    pub(super) fn press_review(&mut self, press: Press, table: &Table) {
        let last = table.game().plies();
        match press {
            Press::Left => self.at = self.at.saturating_sub(1),
            Press::Right => self.at = (self.at + 1).min(last),
            Press::Up => self.at = 0,
            Press::Down => self.at = last,
            Press::Select | Press::Menu => {
                self.open(Screen::End);
                self.at = REVIEW;
            }
        }
    }
}
