//! The pieces that a player has yet to place, drawn beside the board.

use corvid_core::player::Player;
use corvid_core::session::Match;

/// Columns between two pieces.
const GAP: usize = 2;

/// Lines of text with the pieces of a player in rows, as wide as is given; none in a game without
/// pieces. A piece is drawn with the player's mark, a character for a square.
pub(super) fn lines(game: &Match, player: Player, width: usize) -> Vec<String> {
    let mark = game.colors()[player.index()].mark;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut count = 0;
    // Where the next piece begins in the last row.
    let mut column = 0;
    game.position().text().for_each_in_hand(player, &mut |cells| {
        let extent = |of: fn(&(u8, u8)) -> u8| cells.iter().map(of).max().map_or(0, usize::from);
        let across = extent(|cell| cell.0) + 1;
        if count == 0 || column + across > width {
            rows.push(Vec::new());
            column = 0;
        }
        if let Some(row) = rows.last_mut() {
            row.resize(row.len().max(extent(|cell| cell.1) + 1), String::new());
            for (y, line) in row.iter_mut().enumerate() {
                let covered = |x: usize| cells.contains(&(x as u8, y as u8));
                let squares = (0..across).map(|x| if covered(x) { mark } else { ' ' });
                *line = format!("{line:<column$}{}", squares.collect::<String>());
            }
        }
        (count, column) = (count + 1, column + across + GAP);
    });
    if count == 0 {
        return Vec::new();
    }
    let title = format!("{count} {} left:", if count == 1 { "piece" } else { "pieces" });
    let mut lines = vec![title];
    for row in rows {
        lines.push(String::new());
        lines.extend(row.iter().map(|line| line.trim_end().to_owned()));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::registry::GameKind;
    use corvid_core::setup::Setup;

    fn tray(kind: GameKind, played: &[&str], width: usize) -> (Vec<String>, Match) {
        let mut game = Match::new(Setup::usual(kind));
        played.iter().for_each(|text| game.play_next(text).unwrap());
        (lines(&game, Player::FIRST, width), game)
    }

    #[test]
    fn a_tray_has_all_squares_of_all_pieces() {
        for (kind, width) in [(GameKind::BlokusDuo, 43), (GameKind::BlokusClassic, 31)] {
            let (all, game) = tray(kind, &[], width);
            assert_eq!(all[0], "21 pieces left:");
            let mark = game.colors()[0].mark;
            assert_eq!(all.join("\n").matches(mark).count(), 89, "{all:#?}");
            assert!(all.iter().all(|line| line.len() <= width), "{all:#?}");
            let mut board = String::new();
            game.draw(&mut corvid_core::game::Plain(&mut board)).unwrap();
            assert!(all.len() <= board.lines().count(), "as high as the board: {all:#?}");
        }
    }

    #[test]
    fn what_was_placed_is_gone() {
        let (left, _) = tray(GameKind::BlokusDuo, &["e10,e11", "j5"], 43);
        assert_eq!(
            left[..4],
            [
                "20 pieces left:",
                "",
                "X  XXX  X   XXXX  X    XXX  XX  XX   XXXXX",
                "        XX        XXX   X   XX   XX"
            ]
        );
        assert!(tray(GameKind::Othello, &[], 40).0.is_empty());
    }
}
