//! Discs that nobody can ever turn over.

use crate::bitboard::Bitboard;

#[inline(always)]
const fn full_lines(filled: u64) -> [u64; 4] {
    // Rows and columns: a line is full when folding it by halves leaves its marker.
    let mut rows = filled & (filled >> 1);
    rows &= rows >> 2;
    rows &= rows >> 4;
    rows = (rows & 0x0101_0101_0101_0101) * 0xff;
    let mut columns = filled & filled.rotate_right(8);
    columns &= columns.rotate_right(16);
    columns &= columns.rotate_right(32);
    [rows, columns, full_diagonals(filled, 9), full_diagonals(filled, 7)]
}

/// The squares of the diagonals without an empty square, by spreading the gaps both ways.
#[inline(always)]
const fn full_diagonals(filled: u64, step: u32) -> u64 {
    // Squares where a step up (down) leaves the board.
    const TOP_LEFT: u64 = 0x0101_0101_0101_01ff;
    const TOP_RIGHT: u64 = 0x8080_8080_8080_80ff;
    const BOTTOM_RIGHT: u64 = 0xff80_8080_8080_8080;
    const BOTTOM_LEFT: u64 = 0xff01_0101_0101_0101;
    let (starts, ends) =
        if step == 9 { (TOP_LEFT, BOTTOM_RIGHT) } else { (TOP_RIGHT, BOTTOM_LEFT) };
    let (mut up, mut down) = (filled, filled);
    let (mut open_up, mut open_down) = (starts, ends);
    let mut distance = step;
    while distance <= 4 * step {
        up &= open_up | (up << distance);
        open_up |= open_up << distance;
        down &= open_down | (down >> distance);
        open_down |= open_down >> distance;
        distance *= 2;
    }
    up & down
}

/// Discs of `own` that no play can turn over: not all of them, but only such.
pub(super) fn stable(own: Bitboard, opponent: Bitboard) -> Bitboard {
    let (own, opponent) = (own.bits(), opponent.bits());
    const CORNERS: u64 = Bitboard::CORNERS.bits();
    const OUTER_COLUMNS: u64 = 0x8181_8181_8181_8181;
    const OUTER_ROWS: u64 = 0xff00_0000_0000_00ff;
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let [rows, columns, falling, rising] = full_lines(own | opponent);
    // A disc is safe along a line that is full, that ends beside it, or where its neighbour is.
    let rows = rows | OUTER_COLUMNS;
    let columns = columns | OUTER_ROWS;
    let falling = falling | OUTER_COLUMNS | OUTER_ROWS;
    let rising = rising | OUTER_COLUMNS | OUTER_ROWS;
    let mut safe = own & (CORNERS | rows & columns & falling & rising);
    loop {
        let right = safe << 1 & NOT_A;
        let left = safe >> 1 & NOT_H;
        let next = own
            & (rows | right | left)
            & (columns | safe << 8 | safe >> 8)
            & (falling | right << 8 | left >> 8)
            & (rising | left << 8 | right >> 8);
        let next = next | safe;
        if next == safe {
            return Bitboard::from_bits(safe);
        }
        safe = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::othello::Othello;
    use crate::mix::Rng;

    #[test]
    fn corners_hold_what_stands_on_them() {
        // A row from the corner, and a second row below it that is shorter.
        let discs = Bitboard::from_picture(
            "X X X X . . . .
             X X X . . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .",
        )
        .unwrap();
        assert_eq!(stable(discs, Bitboard::EMPTY), discs);
        let without_corner = discs & !Bitboard::CORNERS;
        assert!(stable(without_corner, Bitboard::EMPTY).is_empty(), "nothing holds");
        assert_eq!(stable(Bitboard::ALL, Bitboard::EMPTY), Bitboard::ALL, "a full board stays");
    }

    #[test]
    fn full_lines_are_found() {
        let falling = 0x8040_2010_0804_0201;
        let rising = 0x0102_0408_1020_4080;
        for diagonal in [falling, rising] {
            assert_eq!(full_lines(!diagonal).map(|lines| lines & diagonal), [0; 4]);
        }
        let [rows, columns, fall, rise] = full_lines(falling | 0xff << 24 | 0x0101_0101_0101_0101);
        assert_eq!((rows, columns), (0xff << 24, 0x0101_0101_0101_0101));
        assert_eq!(fall & falling, falling);
        assert_eq!(rise & rising, 0);
    }

    /// Random games: what was called stable is still there at the end.
    #[test]
    fn stable_discs_stay() {
        let mut rng = Rng::new(9);
        for _ in 0..1000 {
            let mut game = Othello::START;
            let mut kept = [Bitboard::EMPTY; 2];
            while !game.is_over() {
                let mut place = rng.below(game.count_moves());
                let mut chosen = None;
                game.for_each_move(|mv| {
                    chosen = if place == 0 { Some(mv) } else { chosen };
                    place = place.wrapping_sub(1);
                });
                game.play(chosen.unwrap());
                for player in crate::player::Player::all(2) {
                    let (own, other) = (game.discs(player), game.discs(player.other()));
                    kept[player.index()] |= stable(own, other);
                    assert!((kept[player.index()] & !own).is_empty(), "{game:?}");
                }
            }
        }
    }
}
