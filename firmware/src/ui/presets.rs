//! Matches to start with one key.
use super::{Screen, Ui, widgets::list};
use crate::{
    app::Device,
    frame::Frame,
    keys::Press,
    settings::Draft,
    table::{Seat, Table},
};
use corvid_core::{
    mix::Rng,
    player::MAX_PLAYERS,
    registry::{Bot, GameKind},
    setup::{Preset, Setup},
};
use embassy_time::Instant;

/// The number of presets.
fn count() -> usize {
    GameKind::ALL.iter().map(|kind| kind.info().presets.len()).sum()
}

/// A preset by its number, game by game.
fn preset(mut number: usize) -> Option<(GameKind, &'static Preset)> {
    for kind in GameKind::ALL {
        let presets = kind.info().presets;
        if let Some(preset) = presets.get(number) {
            return Some((kind, preset));
        }
        number -= presets.len();
    }
    None
}

/// A preset's match, with its players seated by lot.
fn draft(kind: GameKind, preset: &Preset, lots: &mut Rng) -> Draft {
    let mut seats = [Seat::Person; MAX_PLAYERS];
    for (seat, name) in seats.iter_mut().zip(preset.players) {
        *seat = Bot::from_name(kind, name).map_or(Seat::Person, Seat::Bot);
    }
    lots.shuffle(&mut seats[..preset.players.len().min(MAX_PLAYERS)]);
    Draft { setup: Setup::usual(kind), seats, ..Draft::NEW }
}

impl Ui {
    pub(super) fn draw_presets(&mut self, frame: &mut Frame) {
        list(frame, "Presets", count(), self.at, &mut |index, label, value| {
            if let Some((kind, preset)) = preset(index) {
                label.add(kind.info().short_title);
                value.add(preset.label);
            }
            false
        });
    }

    pub(super) fn press_presets(&mut self, press: Press, device: &Device, table: &mut Table) {
        self.choose(press, count());
        match press {
            Press::Menu => self.open(Screen::Menu),
            Press::Select => {
                if let Some((kind, preset)) = preset(self.at) {
                    // Nobody presses a key at the same microsecond twice.
                    let lots = &mut Rng::new(Instant::now().as_ticks());
                    self.watch = true;
                    self.start(draft(kind, preset, lots), device, table);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn everybody_may_sit_anywhere() {
        for (kind, preset) in (0..count()).map(|number| preset(number).unwrap()) {
            let mut orders = BTreeSet::new();
            for seed in 0..200 {
                let Draft { seats, .. } = draft(kind, preset, &mut Rng::new(seed));
                let name = |seat: &Seat| match seat {
                    Seat::Bot(bot) => bot.name(),
                    _ => "",
                };
                let mut names: Vec<_> = seats[..preset.players.len()].iter().map(name).collect();
                orders.insert(names.clone());
                names.sort_unstable();
                let mut expected = preset.players.to_vec();
                expected.sort_unstable();
                assert_eq!(names, expected, "{}", preset.label);
            }
            let players: BTreeSet<_> = preset.players.iter().collect();
            let all = if players.len() == 1 { 1 } else { (2..=preset.players.len()).product() };
            assert_eq!(orders.len(), all, "{}", preset.label);
        }
    }
}
