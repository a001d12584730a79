//! Results of past games: a list of opponents, and a page for each.
use super::{
    Screen, Ui,
    draft::write_seat,
    widgets::{Line, MENU, ROW, TOP, list, page, pair, title},
};
use crate::{
    app::Device,
    frame::{Frame, WIDTH},
    keys::Press,
    statistics::{Record, write_hundredths},
    table::Table,
};

const NOTHING: &str = "No games yet.\nGames of one person against computers are counted.";

/// Writes who was played.
fn write_rival(record: &Record, out: &mut Line) {
    match record.rival {
        Some(seat) => write_seat(seat, "level ", out),
        None => {
            out.add("others");
        }
    }
}

/// Writes the games won, drawn and lost.
fn write_results(record: &Record, out: &mut Line) {
    out.number(record.won.into()).add("-").number(record.drawn.into());
    out.add("-").number(record.lost.into());
}

/// Draws a row of figures, each after its name.
fn draw_row(frame: &mut Frame, row: i32, label: &str, value: &Line) {
    pair(frame, 2, WIDTH as i32 - 6, TOP + row * ROW, label, value.as_str());
}

impl Ui {
    pub(super) fn draw_statistics(&mut self, frame: &mut Frame, table: &Table) {
        let records = table.statistics.records();
        if records.is_empty() {
            return page(frame, "Statistics", NOTHING, 0);
        }
        // They may have been erased over the serial port.
        self.at = self.at.min(records.len());
        let sure = self.sure;
        list(frame, "Statistics", records.len() + 1, self.at, &mut |index, label, value| {
            match records.get(index) {
                Some(record) => {
                    label.add(record.kind.info().short_title).add(" ");
                    if table.has_comforts() {
                        write_rival(record, label);
                    }
                    write_results(record, value);
                }
                None => {
                    label.add("Erase all");
                    value.add(if sure { "sure?" } else { "" });
                }
            }
            false
        });
    }

    pub(super) fn press_statistics(&mut self, press: Press, device: &Device, table: &mut Table) {
        let count = table.statistics.records().len();
        match press {
            Press::Menu => self.open(Screen::Menu),
            Press::Select if count == 0 => self.open(Screen::Menu),
            Press::Select if self.at < count => {
                if table.has_comforts() {
                    self.screen = Screen::Record;
                }
            }
            Press::Select if !self.sure => self.sure = true,
            Press::Select => {
                table.statistics.erase();
                device.work.signal(());
                self.open(Screen::Statistics);
            }
            _ => self.choose(press, count + 1),
        }
    }

    pub(super) fn draw_record(&mut self, frame: &mut Frame, table: &Table) {
        let Some(record) = table.statistics.records().get(self.at) else {
            return self.draw_statistics(frame, table);
        };
        let mut heading = Line::new();
        heading.add(record.kind.info().short_title).add(": ");
        write_rival(record, &mut heading);
        title(frame, heading.as_str());
        let number = |number: i32| {
            let mut line = Line::new();
            line.number(number);
            line
        };
        draw_row(frame, 0, "Games", &number(record.games() as i32));
        let mut line = Line::new();
        write_results(record, &mut line);
        draw_row(frame, 1, "Won-drawn-lost", &line);
        match record.mean() {
            Some(mean) => {
                let mut line = Line::new();
                // Writing to a line never fails.
                let _ = write_hundredths(mean, &mut line);
                draw_row(frame, 2, "Mean points", &line);
                draw_row(frame, 3, "Best", &number(record.best.into()));
                draw_row(frame, 4, "Worst", &number(record.worst.into()));
            }
            None => frame.text_in(MENU, 2, TOP + 2 * ROW, "no finished game"),
        }
    }

    pub(super) fn press_record(&mut self, press: Press, table: &Table) {
        match press {
            Press::Select | Press::Menu => self.screen = Screen::Statistics,
            // There are only opponents to see, no row to erase them.
            _ => self.choose(press, table.statistics.records().len()),
        }
    }
}
