//! The screens with pieces: the tray to choose from, and what a player has left.
use super::{
    Screen, Ui, color,
    views::{Pieces, view},
    widgets::step,
};
use crate::{frame::Frame, keys::Press, table::Table};
use corvid_core::{player::Player, registry::AnyPosition};

/// The position, and its game's pieces if it has some.
fn pieces(table: &Table) -> Option<(&AnyPosition, &'static dyn Pieces)> {
    let position = table.game().position();
    Some((position, view(position.kind()).pieces()?))
}

impl Ui {
    pub(super) fn open_tray(&mut self, table: &Table) {
        let Some((position, pieces)) = pieces(table) else { return };
        if let Some(first) = pieces.first(position, self.hand) {
            self.open(Screen::Tray);
            self.at = first;
        }
    }

    pub(super) fn draw_tray(&mut self, frame: &mut Frame, table: &Table) {
        if let Some((position, pieces)) = pieces(table) {
            let timed = table.clock().running().is_some();
            pieces.draw_tray(frame, position, self.at, timed);
        }
    }

    pub(super) fn press_tray(&mut self, press: Press, table: &Table) {
        let Some((position, pieces)) = pieces(table) else { return };
        match press {
            Press::Select => {
                self.hand = pieces.take(position, self.hand, self.at);
                self.open(Screen::Board);
            }
            Press::Menu => self.open(Screen::Board),
            _ => self.at = pieces.step(position, self.at, press),
        }
    }

    pub(super) fn draw_pieces(&mut self, frame: &mut Frame, table: &Table) {
        if let Some((position, pieces)) = pieces(table) {
            let name = color(&table.settings, position.kind(), self.player);
            pieces.draw_left(frame, position, self.player, name);
        }
    }

    pub(super) fn press_pieces(&mut self, press: Press, table: &Table) {
        let players = table.game().colors().len();
        match press {
            Press::Left => {
                let before = step(self.player.index(), players, false);
                self.player = Player::new(before).unwrap_or(Player::FIRST);
            }
            Press::Right => self.player = self.player.next(players),
            Press::Select if table.has_comforts() => {
                let piece = pieces(table)
                    .and_then(|(position, pieces)| pieces.first_left(position, self.player));
                match piece {
                    Some(piece) => {
                        self.open(Screen::Piece);
                        self.at = piece.into();
                    }
                    None => self.open(Screen::Pause),
                }
            }
            Press::Select | Press::Menu => self.open(Screen::Pause),
            Press::Up | Press::Down => {}
        }
    }

    pub(super) fn draw_piece(&mut self, frame: &mut Frame, table: &Table) {
        if let Some((_, pieces)) = pieces(table) {
            pieces.draw_piece(frame, self.at as u8);
        }
    }

    pub(super) fn press_piece(&mut self, press: Press, table: &Table) {
        match (press, pieces(table)) {
            (Press::Select | Press::Menu, _) | (_, None) => self.open(Screen::Pieces),
            (_, Some((position, pieces))) => {
                self.at = pieces.look(position, self.player, self.at as u8, press).into();
            }
        }
    }
}
