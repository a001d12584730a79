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
use core::fmt;
use corvid_core::{
    game::Game,
    games::blokus::{Classic, Duo},
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

/// A move of the past, which `write` gets to see.
fn past<G: Game, const N: usize>(
    game: &Match<G, N>,
    index: usize,
    write: impl FnOnce(&G, G::Move),
) -> Option<Past> {
    let mv = game.moves().nth(index)?;
    let mut position = game.position_at(index);
    let player = position.turn();
    let before = position.score(player);
    write(&position, mv);
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
    let mut name = Line::new();
    // A line takes any text.
    let write = |_: fmt::Result| {};
    let past = match table.game().game() {
        AnyGame::Othello(game) => past(game, index, |at, mv| write(at.write_move(mv, &mut name))),
        AnyGame::Adjacency(game) => past(game, index, |at, mv| write(at.write_move(mv, &mut name))),
        AnyGame::Dots(game) => past(game, index, |at, mv| write(at.write_move(mv, &mut name))),
        AnyGame::Duo(game) => past(game, index, |_, mv| write_short(mv, Duo::SIDE, &mut name)),
        AnyGame::Classic(game) => {
            past(game, index, |_, mv| write_short(mv, Classic::SIDE, &mut name))
        }
    };
    let Some(past) = past else { return };
    let colors = table.game().session().colors();
    let color = colors[past.player.index() % colors.len()].name;
    text.add(color.get(..1).unwrap_or("")).add(" ").add(name.as_str());
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
