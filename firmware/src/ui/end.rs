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
        let winners = standings.iter().filter(|standing| standing.place == 1).count();
        let mut heading = Line::new();
        let alone = table.person_alone();
        let name = |player| color(&table.settings, setup.kind(), player);
        match (standings.first(), table.resigned()) {
            // What ended the game: the others' places are in the list.
            (_, Some(loser)) if !table.is_lost_on_time() => {
                let own = alone == Some(table.game().seat_of(loser));
                heading.add(if own { "You" } else { name(loser) }).add(" resigned");
            }
            (Some(first), _) if winners == 1 && alone == Some(first.player.index()) => {
                heading.add("You win");
            }
            (Some(first), _) if winners == 1 => {
                heading.add(name(first.player)).add(" wins");
            }
            (_, Some(loser)) => {
                let own = alone == Some(table.game().seat_of(loser));
                heading.add(if own { "You lose" } else { name(loser) });
                heading.add(if own { "" } else { " loses" });
            }
            _ if winners == standings.len() => {
                heading.add("A draw");
            }
            _ => {
                heading.add("A tie");
            }
        }
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
            let (mut name, seat) = (Line::new(), standing.player.index());
            name.add(color(&table.settings, setup.kind(), standing.player)).add(" ");
            if alone == Some(seat) {
                name.add("you");
            } else {
                write_seat(table.seats()[seat], "level ", &mut name);
            }
            let held = (colors.len() / setup.people()) as i16;
            points.number((standing.points + held * head_start(table)).into());
            pair(frame, 26, WIDTH as i32 - 2, y, name.as_str(), points.as_str());
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
