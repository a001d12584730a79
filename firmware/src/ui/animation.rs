//! Moves as they happen: the new position spreads over the old one from where the move was made, so
//! that flips, captures and placements are seen. Any key skips it.
use super::{
    Ui,
    views::{Shown, view},
};
use crate::{
    app::COMFORTS,
    frame::{Frame, HEIGHT, Ink},
    settings::Pace,
    table::Table,
};
use corvid_core::game::MoveCode;
use embassy_time::{Duration, Instant};

/// Pictures of a move, and the time of each. Together they are shorter than the pause before a
/// computer's reply.
const STEPS: u32 = 8;
const STEP: Duration = Duration::from_millis(40);

/// The part of the picture that changes: the board, without what stands beside it.
const SIDE: usize = HEIGHT;

/// The last move, on its way to the screen.
#[derive(Debug)]
pub(super) struct Animation {
    begun: Option<Instant>,
    /// The step that was drawn last; `None` once the whole move was.
    drawn: Option<u32>,
    /// The picture before the move.
    before: [Frame; COMFORTS as usize],
    /// The moves of the game when it was last seen.
    plies: usize,
}

impl Animation {
    pub(super) const fn new() -> Self {
        Self {
            begun: None,
            drawn: None,
            before: [const { Frame::DARK }; COMFORTS as usize],
            plies: 0,
        }
    }

    /// The picture that is due, from 0; `None` after the last one.
    fn step(&self) -> Option<u32> {
        let begun = self.begun.filter(|_| COMFORTS)?;
        let passed = Instant::now().saturating_duration_since(begun);
        let step = (passed.as_millis() / STEP.as_millis()) as u32;
        (step < STEPS).then_some(step)
    }

    /// When the picture after the one that was drawn last is due.
    pub(super) fn next(&self) -> Option<Instant> {
        let begun = self.begun.filter(|_| COMFORTS)?;
        self.drawn.map(|step| begun + STEP * (step + 1))
    }

    /// Chooses the picture that is drawn now; false if it is the last.
    pub(super) fn advance(&mut self) -> bool {
        self.drawn = self.step();
        self.drawn.is_some()
    }

    pub(super) const fn skip(&mut self) {
        (self.begun, self.drawn) = (None, None);
    }
}

impl Ui {
    /// Begins to show the last move if the game has gone on since the last call.
    pub(super) fn follow_moves(&mut self, table: &Table, visible: bool) {
        if !table.has_comforts() {
            return;
        }
        let game = table.game();
        let (before, now) = (self.animation.plies, game.plies());
        self.animation.plies = now;
        let wanted = table.settings.animated && table.settings.pace != Pace::AtOnce;
        let moved = now > before && game.last().is_some_and(|mv| mv != MoveCode::PASS);
        self.animation.begun = (wanted && visible && moved).then(Instant::now);
        self.animation.drawn = None;
        if self.animation.begun.is_some() {
            let position = game.position_at(now - 1);
            for frame in &mut self.animation.before {
                frame.clear_all();
                view(position.kind()).draw(frame, &position, Shown::default());
            }
        }
    }

    /// Puts the old position back where the new one has not spread to yet.
    pub(super) fn animate(&self, frame: &mut Frame, table: &Table) {
        let ([before], Some(step)) = (self.animation.before.as_slice(), self.animation.drawn)
        else {
            return;
        };
        let position = table.game().position();
        let last = table.game().last();
        let center = last.and_then(|mv| view(position.kind()).center(position, mv));
        let differs = |x: usize, y: usize| frame.is_lit(x, y) != before.is_lit(x, y);
        let all = || (0..SIDE * SIDE).map(|at| (at % SIDE, at / SIDE));
        let changed = || all().filter(|&(x, y)| differs(x, y)).map(|(x, y)| (x as i32, y as i32));
        let Some(center) = center.or_else(|| middle(changed())) else { return };
        let Some(reach) = changed().map(|at| distance(at, center)).max() else { return };
        let (passed, steps) = (step as i32 + 1, STEPS as i32);
        // Distances are squared.
        let radius = reach * passed * passed / (steps * steps);
        for (x, y) in all() {
            let (left, top) = (x as i32, y as i32);
            if distance((left, top), center) > radius && frame.is_lit(x, y) != before.is_lit(x, y) {
                frame.dot(left, top, Ink::Flip);
            }
        }
    }
}

/// The square of the distance.
const fn distance((x, y): (i32, i32), (to_x, to_y): (i32, i32)) -> i32 {
    (x - to_x) * (x - to_x) + (y - to_y) * (y - to_y)
}

/// The middle of the rectangle around some pixels.
fn middle(pixels: impl Iterator<Item = (i32, i32)>) -> Option<(i32, i32)> {
    let around = pixels.fold(None, |around, (x, y)| {
        let (left, top, right, bottom) = around.unwrap_or((x, y, x, y));
        Some((left.min(x), top.min(y), right.max(x), bottom.max(y)))
    });
    around.map(|(left, top, right, bottom)| ((left + right) / 2, (top + bottom) / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        app::{Busy, Device},
        keys::Press,
        settings::Draft,
        table::Seat,
        ui::Screen,
    };
    use corvid_core::{player::MAX_PLAYERS, registry::GameKind, setup::Setup};

    /// A board on which a move has just been played.
    fn moved(kind: GameKind, change: fn(&mut Table)) -> (Ui, Table) {
        let (mut ui, mut table) = (Ui::new(), Table::default());
        change(&mut table);
        let setup = Setup::usual(kind);
        table.start(Draft { setup, seats: [Seat::Person; MAX_PLAYERS], ..Draft::NEW });
        ui.open(Screen::Board);
        picture(&mut ui, &mut table);
        let mut first = None;
        table.game().now().for_each_move(&mut |mv| first = first.or(Some(mv)));
        table.play(first.unwrap()).unwrap();
        ui.notice(&mut table);
        (ui, table)
    }

    fn picture(ui: &mut Ui, table: &mut Table) -> Frame {
        let mut frame = Frame::DARK;
        ui.draw(&mut frame, Busy::Idle, table);
        frame
    }

    #[test]
    fn every_game_shows_its_moves_until_a_key() {
        for kind in GameKind::ALL {
            let (mut ui, mut table) = moved(kind, |_| {});
            assert!(ui.animation.begun.is_some(), "{kind}");
            // However slow the machine is, it is still at the first step.
            ui.animation.begun = Some(Instant::now() + Duration::from_secs(60));
            let begun = picture(&mut ui, &mut table);
            ui.press(Press::Menu, &Device::default(), &mut table);
            assert_eq!(ui.animation.begun, None, "{kind}");
            ui.open(Screen::Board);
            assert_ne!(picture(&mut ui, &mut table), begun, "{kind}");
        }
    }

    #[test]
    fn nothing_moves_where_nobody_wants_it() {
        let still: [fn(&mut Table); 3] = [
            |table| table.settings.animated = false,
            |table| table.settings.pace = Pace::AtOnce,
            |table| *table = Table::new(false),
        ];
        for change in still {
            let (ui, _) = moved(GameKind::ALL[0], change);
            assert_eq!(ui.animation.begun, None);
        }
    }
}
