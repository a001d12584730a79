//! The moves so far, with what each of them gained.
use super::{
    Screen, Ui,
    blokus::write_short,
    widgets::{Line, ROWS, scroll_bar, title},
};
use crate::{
    frame::{CHAR, Frame, WIDTH},
    keys::Press,
    table::Table,
};
use corvid_core::{
    game::Game,
    player::Player,
    session::{AnyGame, Match},
};

/// A move of the past.
struct Past {
    player: Player,
    /// The player's points after it.
    score: i16,
    /// How many more than before.
    gained: i16,
}

fn past<G: Game, const N: usize>(game: &Match<G, N>, index: usize) -> Option<Past> {
    let mv = game.moves().nth(index)?;
    let mut position = game.position_at(index);
    let player = position.turn();
    let before = position.score(player);
    position.play(mv);
    let score = position.score(player);
    Some(Past { player, score, gained: score - before })
}

/// A player's points after so many moves, or now.
pub(crate) fn score_at(table: &Table, plies: Option<usize>, player: Player) -> i16 {
    let Some(plies) = plies else { return table.game().session().score(player) };
    match table.game().game() {
        AnyGame::Othello(game) => game.position_at(plies).score(player),
        AnyGame::Adjacency(game) => game.position_at(plies).score(player),
        AnyGame::Dots(game) => game.position_at(plies).score(player),
        AnyGame::Duo(game) => game.position_at(plies).score(player),
        AnyGame::Classic(game) => game.position_at(plies).score(player),
    }
}

/// Writes who made a move and which, and what it gained and the points then.
pub(crate) fn describe(table: &Table, index: usize, text: &mut Line, points: &mut Line) {
    let game = table.game().game();
    let past = match game {
        AnyGame::Othello(game) => past(game, index),
        AnyGame::Adjacency(game) => past(game, index),
        AnyGame::Dots(game) => past(game, index),
        AnyGame::Duo(game) => past(game, index),
        AnyGame::Classic(game) => past(game, index),
    };
    let Some(past) = past else { return };
    let colors = table.game().session().colors();
    let name = colors[past.player.index() % colors.len()].name;
    text.add(name.get(..1).unwrap_or("")).add(" ");
    let written = match game {
        AnyGame::Othello(game) => {
            game.moves().nth(index).map(|mv| game.position().write_move(mv, text))
        }
        AnyGame::Adjacency(game) => {
            game.moves().nth(index).map(|mv| game.position().write_move(mv, text))
        }
        AnyGame::Dots(game) => {
            game.moves().nth(index).map(|mv| game.position().write_move(mv, text))
        }
        AnyGame::Duo(game) => game.moves().nth(index).map(|mv| {
            write_short(mv, 14, text);
            Ok(())
        }),
        AnyGame::Classic(game) => game.moves().nth(index).map(|mv| {
            write_short(mv, 20, text);
            Ok(())
        }),
    };
    // A line takes any text.
    let _ = written;
    points.signed(past.gained.into()).add(" = ").number(past.score.into());
}

impl Ui {
    pub(super) fn draw_history(&mut self, frame: &mut Frame, table: &Table) {
        let count = table.game().session().plies();
        title(frame, "History");
        // The newest move comes first.
        let first = self.at.min(count.saturating_sub(ROWS));
        for (place, index) in (0..count).rev().skip(first).take(ROWS).enumerate() {
            let y = 13 + place as i32 * 10;
            let (mut number, mut text, mut points) = (Line::new(), Line::new(), Line::new());
            number.number(index as i32 + 1);
            describe(table, index, &mut text, &mut points);
            let width = |line: &Line| line.as_str().len() as i32 * CHAR;
            frame.text(16 - width(&number), y, number.as_str());
            frame.text(22, y, text.as_str());
            frame.text(WIDTH as i32 - 6 - width(&points), y, points.as_str());
        }
        if count == 0 {
            frame.text(2, 13, "no moves yet");
        }
        scroll_bar(frame, count, first);
    }

    pub(super) fn press_history(&mut self, press: Press, table: &Table) {
        let last = table.game().session().plies().saturating_sub(ROWS);
        match press {
            Press::Up => self.at = self.at.saturating_sub(1),
            Press::Down => self.at = (self.at + 1).min(last),
            Press::Left => self.at = self.at.saturating_sub(ROWS),
            Press::Right => self.at = (self.at + ROWS).min(last),
            Press::Select | Press::Menu => self.open(Screen::Pause),
        }
    }
}
