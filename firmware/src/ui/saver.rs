//! The screen saver. An OLED's pixels fade where they stay lit, so when nothing has happened for a
//! while there is only a small crow, which never stays long.
use crate::{
    frame::{Frame, HEIGHT, WIDTH},
    mark::{self, CROW},
    table::Table,
};
use embassy_time::{Duration, Instant};

/// How long the crow stays in one place.
const STAY: Duration = Duration::from_secs(5);

/// The columns and rows where the left upper corner of the crow can be, which is 24 x 23 pixels.
const ROOM: (u64, u64) = (WIDTH as u64 - 24 + 1, HEIGHT as u64 - 23 + 1);

/// How far it is from one place to the next: coprime to [`ROOM`], so that the crow comes everywhere.
const STEP: (u64, u64) = (61, 29);

/// Since when nothing has happened.
#[derive(Debug)]
pub(super) struct Saver {
    /// The last key, or the last sign of a search.
    stirred: Instant,
}

impl Saver {
    /// At power-on.
    pub(super) fn new() -> Self {
        Self { stirred: Instant::now() }
    }

    /// When it begins, if ever: so many minutes after the last key, search or change of the game. So
    /// a game that computers play, or a contest, can be watched, and a computer's move ends it.
    fn begins(&self, table: &Table) -> Option<Instant> {
        let minutes = table.settings.saver;
        let wait = Duration::from_secs(60 * u64::from(minutes));
        (minutes > 0).then(|| self.stirred.max(table.changed_at()) + wait)
    }

    /// Notes that a key was pressed; true if that has ended the screen saver, which is all that the
    /// key does.
    pub(super) fn stir(&mut self, table: &Table) -> bool {
        if !table.has_comforts() {
            return false;
        }
        let now = Instant::now();
        let on = self.begins(table).is_some_and(|begins| now >= begins);
        self.stirred = now;
        on
    }

    /// Replaces the picture if it is time; returns when it is to be drawn again.
    pub(super) fn draw(
        &mut self,
        frame: &mut Frame,
        thinking: bool,
        table: &Table,
    ) -> Option<Instant> {
        if !table.has_comforts() {
            return None;
        }
        let now = Instant::now();
        // Somebody looks at a clock that runs.
        if thinking || table.clock().running().is_some() {
            self.stirred = now;
        }
        let begins = self.begins(table)?;
        let Some(on) = now.checked_duration_since(begins) else { return Some(begins) };
        let places = on.as_ticks() / STAY.as_ticks();
        let (x, y) = place(places);
        frame.clear_all();
        mark::draw_half(frame, x, y, &CROW);
        Some(begins + Duration::from_ticks((places + 1) * STAY.as_ticks()))
    }
}

/// Where the crow is after so many changes of its place.
const fn place(places: u64) -> (i32, i32) {
    ((places * STEP.0 % ROOM.0) as i32, (places * STEP.1 % ROOM.1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over all places, in turns of lit pixels.
    #[test]
    fn no_pixel_is_lit_much_longer_than_the_others() {
        let turns = ROOM.0 * ROOM.1;
        let mut lit = [[0; WIDTH]; HEIGHT];
        for places in 0..turns {
            let mut frame = Frame::DARK;
            let (x, y) = place(places);
            mark::draw_half(&mut frame, x, y, &CROW);
            for (y, row) in lit.iter_mut().enumerate() {
                row.iter_mut()
                    .enumerate()
                    .for_each(|(x, lit)| *lit += u64::from(frame.is_lit(x, y)));
            }
        }
        let (sum, most) =
            lit.iter().flatten().fold((0, 0), |(sum, most), lit| (sum + lit, most.max(*lit)));
        assert!(sum > turns * 100, "a crow can be seen");
        assert!(most * 100 < turns * 10, "a pixel is lit for {most} of {turns} turns");
    }
}
