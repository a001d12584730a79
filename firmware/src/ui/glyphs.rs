//! Small pictures: the marks of the players.
use crate::frame::{Frame, Ink};
use corvid_core::{player::Player, setup::GameKind};

/// Width and height of a player's mark.
pub(crate) const MARK: i32 = 6;

/// A mark, a row a byte, its highest bit of six on the left.
type Glyph = [u8; MARK as usize];

const DISC: Glyph = [0b011110, 0b111111, 0b111111, 0b111111, 0b111111, 0b011110];
const RING: Glyph = [0b011110, 0b100001, 0b100001, 0b100001, 0b100001, 0b011110];
const CROSS: Glyph = [0b100001, 0b110011, 0b011110, 0b011110, 0b110011, 0b100001];
const BLOCK: Glyph = [0b111111; MARK as usize];
const BOX: Glyph = [0b111111, 0b100001, 0b100001, 0b100001, 0b100001, 0b111111];

/// A square of Blokus, three rows of three pixels.
type Pattern = [u8; 3];

const FULL: Pattern = [0b111, 0b111, 0b111];
const STRIPED: Pattern = [0b111, 0b000, 0b111];
const CHEQUERED: Pattern = [0b101, 0b010, 0b101];
const SLANTED: Pattern = [0b001, 0b010, 0b100];

/// Draws a player's mark with its upper left pixel there.
pub(crate) fn mark(frame: &mut Frame, kind: GameKind, player: Player, x: i32, y: i32) {
    let first = player == Player::FIRST;
    let glyph = match kind {
        // Black is dark, white is lit.
        GameKind::Othello if first => RING,
        GameKind::Othello => DISC,
        GameKind::Adjacency if first => CROSS,
        GameKind::Adjacency => RING,
        GameKind::Dots if first => BLOCK,
        GameKind::Dots => BOX,
        GameKind::BlokusDuo | GameKind::BlokusClassic => {
            let four = kind == GameKind::BlokusClassic;
            for (dx, dy) in [(0, 0), (3, 0), (0, 3), (3, 3)] {
                pattern(frame, four, player, x + dx, y + dy);
            }
            return;
        }
    };
    for (row, bits) in (0..).zip(glyph) {
        for column in (0..MARK).filter(|column| bits >> (MARK - 1 - column) & 1 != 0) {
            frame.dot(x + column, y + row, Ink::On);
        }
    }
}

/// Draws a square of Blokus in a player's pattern, of two or of four players.
pub(crate) fn pattern(frame: &mut Frame, four: bool, player: Player, x: i32, y: i32) {
    let pattern = match (player, four) {
        (Player::FIRST, _) => FULL,
        (Player::SECOND, true) => STRIPED,
        (Player::SECOND, false) | (Player::THIRD, _) => CHEQUERED,
        _ => SLANTED,
    };
    for (row, bits) in (0..).zip(pattern) {
        for column in (0..3).filter(|column| bits >> (2 - column) & 1 != 0) {
            frame.dot(x + column, y + row, Ink::On);
        }
    }
}
