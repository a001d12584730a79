//! The moves so far, with what each of them gained.
use super::{
    Screen, Ui,
    board::head_start,
    color,
    views::write_short,
    widgets::{Line, ROWS, scroll_bar, title},
};
use crate::{
    frame::{CHAR, Frame, WIDTH},
    keys::Press,
    table::Table,
};

/// Writes who made a move, the move, what it gained, and the points after it.
pub(crate) fn describe(table: &Table, index: usize, text: &mut Line, points: &mut Line) {
    let game = table.game();
    let Some(mv) = game.ply(index) else { return };
    let mut position = game.position_at(index);
    let player = position.get().turn();
    let before = position.get().score(player);
    let name = color(&table.settings, position.kind(), player);
    text.add(name.get(..1).unwrap_or("")).add(" ");
    write_short(&position, mv, text);
    position.get_mut().play(mv);
    let score = position.get().score(player);
    let standing = score + head_start(table);
    points.signed((score - before).into()).add(" = ").number(standing.into());
}

impl Ui {
    pub(super) fn draw_history(&mut self, frame: &mut Frame, table: &Table) {
        let count = table.game().plies();
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
        let last = table.game().plies().saturating_sub(ROWS);
        match press {
            Press::Up => self.at = self.at.saturating_sub(1),
            Press::Down => self.at = (self.at + 1).min(last),
            Press::Left => self.at = self.at.saturating_sub(ROWS),
            Press::Right => self.at = (self.at + ROWS).min(last),
            Press::Select | Press::Menu => self.open(Screen::Pause),
        }
    }
}
