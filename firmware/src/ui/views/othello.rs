//! The board of Othello.
use super::{Hand, Pressed, Shown, View, squares};
use crate::{
    frame::Frame,
    keys::Press,
    ui::glyphs::{DISC, RING, glyph},
};
use corvid_core::{
    game::{Game, MoveCode},
    games::othello::{Move, Othello},
    player::Player,
    registry::AnyPosition,
};

/// Othello's.
pub(crate) const VIEW: OthelloView = OthelloView;

pub(crate) struct OthelloView;

impl View for OthelloView {
    fn draw(&self, frame: &mut Frame, position: &AnyPosition, shown: Shown) {
        let Ok(game) = <&Othello>::try_from(position) else { return };
        let last = match shown.last.and_then(|mv| game.decode(mv)) {
            Some(Move::Disc(square)) => Some(square),
            _ => None,
        };
        squares::draw(frame, last, shown.hand.map(|hand| hand.cursor));
        for player in [Player::FIRST, Player::SECOND] {
            squares::each(game.discs(player), |x, y| self.mark(frame, player, x + 1, y + 1));
        }
        if shown.marks {
            squares::dots(frame, game.targets(), 2);
        }
    }

    /// Black is dark, white is lit.
    fn mark(&self, frame: &mut Frame, player: Player, x: i32, y: i32) {
        glyph(frame, if player == Player::FIRST { RING } else { DISC }, x, y);
    }

    /// d3, black's first move.
    fn home(&self) -> (u8, u8) {
        (3, 2)
    }

    fn center(&self, position: &AnyPosition, mv: MoveCode) -> Option<(i32, i32)> {
        self.show(position, mv).map(squares::center)
    }

    fn fit(&self, _: &AnyPosition, cursor: (u8, u8)) -> (u8, u8) {
        squares::fit(cursor)
    }

    fn press(&self, _: &AnyPosition, hand: Hand, press: Press) -> Pressed {
        squares::press(hand, press)
    }

    fn pointed(&self, _: &AnyPosition, hand: Hand) -> Option<MoveCode> {
        squares::pointed(hand).map(|square| Othello::encode(Move::Disc(square)))
    }

    fn show(&self, position: &AnyPosition, mv: MoveCode) -> Option<Hand> {
        match <&Othello>::try_from(position).ok()?.decode(mv)? {
            Move::Disc(square) => Some(squares::hand_at(square)),
            Move::Pass => None,
        }
    }
}
