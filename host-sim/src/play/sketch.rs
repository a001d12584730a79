//! The board as it is printed, with colours where the terminal shows them.

use std::fmt;

use corvid_core::game::Canvas;
use corvid_core::player::{Color, Player};
use corvid_core::session::Match;

use super::{paint, tray};
use crate::output::WIDTH;

/// Columns between the board and the pieces.
const BESIDE: usize = 3;

/// Marks an empty square where the player to move can play.
const LEGAL: char = '*';

/// Draws the board; for a person to move with the squares where a move is possible, in a game in
/// which that isn't every empty one, and with the pieces in hand. Tells whether it shows such squares.
pub(super) fn draw(game: &Match, person: bool) -> Result<(String, bool), fmt::Error> {
    let mut sketch = Sketch::default();
    game.draw(&mut sketch)?;
    let legal = if person && is_choosy(game)? { sketch.legal(game).0 } else { Vec::new() };
    for (column, line) in &legal {
        sketch.lines[*line][*column].0 = LEGAL;
    }
    if person {
        sketch.add_tray(game);
    }
    Ok((sketch.text(game.colors()), !legal.is_empty()))
}

/// Whether some empty square can't be played on at the start of the game.
fn is_choosy(game: &Match) -> Result<bool, fmt::Error> {
    let start = Match::new(game.setup());
    let mut sketch = Sketch::default();
    start.draw(&mut sketch)?;
    let (legal, empty) = sketch.legal(&start);
    Ok(legal.len() < empty)
}

/// Characters in lines, with the player whose mark each is.
#[derive(Debug)]
struct Sketch {
    lines: Vec<Vec<(char, Option<Player>)>>,
}

impl Default for Sketch {
    fn default() -> Self {
        Self { lines: vec![Vec::new()] }
    }
}

impl Sketch {
    fn push(&mut self, letter: char, player: Option<Player>) {
        match (letter, self.lines.last_mut()) {
            ('\n', _) | (_, None) => self.lines.push(Vec::new()),
            (_, Some(line)) => line.push((letter, player)),
        }
    }

    /// Where the squares are that the player to move can play on, if all moves are single squares,
    /// and how many are empty.
    fn legal(&self, game: &Match) -> (Vec<(usize, usize)>, usize) {
        let (board, now) = (game.position().text(), game.now());
        let places = board.places();
        let mut legal = Vec::new();
        let mut empty = 0;
        for place in (0..places.rows).flat_map(|y| (0..places.columns).map(move |x| (x, y))) {
            let (column, line) = places.at(place);
            let cell = self.lines.get(line).and_then(|line| line.get(column));
            empty += usize::from(cell.is_some_and(|(letter, _)| *letter == '.'));
            let mut text = String::new();
            let written = board.write_pointed(&[place], &mut text);
            let mv = written.ok().and_then(|()| now.parse_move(&text).ok());
            if mv.is_some_and(|mv| now.check(mv).is_ok()) {
                legal.push((column, line));
            }
        }
        if legal.len() != now.count_moves() as usize {
            legal.clear();
        }
        (legal, empty)
    }

    /// Draws the pieces of the player to move beside the board.
    fn add_tray(&mut self, game: &Match) {
        let (player, mark) = (game.turn(), game.colors()[game.turn().index()].mark);
        let left = self.lines.iter().map(Vec::len).max().unwrap_or(0) + BESIDE;
        for (index, line) in tray::lines(game, player, WIDTH - left).iter().enumerate() {
            if self.lines.len() <= index {
                self.lines.push(Vec::new());
            }
            let row = &mut self.lines[index];
            row.resize(left, (' ', None));
            // The title has no owner, though it may have the letter of the mark.
            let owner = |letter| (index > 0 && letter == mark).then_some(player);
            row.extend(line.chars().map(|letter| (letter, owner(letter))));
        }
    }

    fn text(&self, colors: &[Color]) -> String {
        let mut text = String::new();
        for (index, line) in self.lines.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            for (letter, player) in line {
                match player {
                    Some(player) => text += &paint::of_player(&letter.to_string(), *player, colors),
                    None if *letter == LEGAL => text += &paint::offer(&letter.to_string()),
                    None => text.push(*letter),
                }
            }
            text.truncate(text.trim_end_matches(' ').len());
        }
        text
    }
}

impl fmt::Write for Sketch {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().for_each(|letter| self.push(letter, None));
        Ok(())
    }
}

impl Canvas for Sketch {
    fn mark(&mut self, player: Player, mark: char) -> fmt::Result {
        self.push(mark, Some(player));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::registry::GameKind;
    use corvid_core::setup::Setup;

    #[test]
    fn legal_squares_are_marked_in_othello_alone() {
        for kind in GameKind::ALL {
            let game = Match::new(Setup::usual(kind));
            let (text, shown) = draw(&game, true).unwrap();
            let marks = text.matches(LEGAL).count();
            assert_eq!(
                (marks, shown),
                if kind == GameKind::Othello { (4, true) } else { (0, false) }
            );
            assert!(!draw(&game, false).unwrap().0.contains(LEGAL));
        }
        let mut game = Match::new(Setup::usual(GameKind::Othello));
        game.play_next("d3").unwrap();
        let (text, _) = draw(&game, true).unwrap();
        assert!(text.contains("\n3  . . *[X]* . . . 3\n"), "{text}");
        assert!(text.contains("\n5  . . * X O . . . 5\n"), "{text}");
        // Also where every empty square is legal, late in a game.
        game.set_position(&format!("-O{} X", "X".repeat(62))).unwrap();
        assert_eq!(draw(&game, true).unwrap().0.matches(LEGAL).count(), 1);
    }
}
