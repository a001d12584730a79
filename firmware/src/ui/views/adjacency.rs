//! The board of Adjacency.
use super::{Hand, Pressed, Shown, View, squares};
use crate::{
    frame::Frame,
    keys::Press,
    ui::{
        glyphs::{CROSS, RING, glyph},
        widgets::Line,
    },
};
use corvid_core::{
    game::{Game, MoveCode},
    games::adjacency::Adjacency,
    player::Player,
    registry::AnyPosition,
};

/// Adjacency's.
pub(crate) const VIEW: AdjacencyView = AdjacencyView;

pub(crate) struct AdjacencyView;

impl View for AdjacencyView {
    fn draw(&self, frame: &mut Frame, position: &AnyPosition, shown: Shown) {
        let Ok(game) = <&Adjacency>::try_from(position) else { return };
        let last = shown.last.and_then(|mv| game.decode(mv));
        squares::draw(frame, last, shown.hand.map(|hand| hand.cursor));
        for player in [Player::FIRST, Player::SECOND] {
            squares::each(game.marks(player), |x, y| self.mark(frame, player, x + 1, y + 1));
        }
        if shown.marks {
            // Nearly every square is legal: a small mark is enough.
            squares::dots(frame, game.empty(), 1);
        }
    }

    fn mark(&self, frame: &mut Frame, player: Player, x: i32, y: i32) {
        glyph(frame, if player == Player::FIRST { CROSS } else { RING }, x, y);
    }

    fn home(&self) -> (u8, u8) {
        squares::HOME
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
        squares::pointed(hand).map(Adjacency::encode)
    }

    fn show(&self, position: &AnyPosition, mv: MoveCode) -> Option<Hand> {
        let game = <&Adjacency>::try_from(position).ok()?;
        game.decode(mv).map(squares::hand_at)
    }

    fn status(&self, position: &AnyPosition, out: &mut Line) {
        if let Ok(game) = <&Adjacency>::try_from(position) {
            out.add("rounds ").number(game.rounds_left().into());
        }
    }
}
