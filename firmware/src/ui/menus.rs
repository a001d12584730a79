//! The main menu, the menu of a game, and the settings.
use super::{
    Screen, Ui,
    widgets::{list, step},
};
use crate::{
    app::{Busy, Device},
    frame::Frame,
    health,
    keys::Press,
    panel::Brightness,
    settings::{SECONDS, Settings},
    table::{HintStrength, Seat, Table},
};
use core::sync::atomic::Ordering;
use corvid_core::{engine::Level, setup::GameKind};
use heapless::Vec;

/// The rows of the main menu. The last one is there as long as another version's save is.
const MENU_ROWS: [&str; 8] =
    ["New game", "Resume", "Rules", "Watch", "Statistics", "Settings", "About", "Old save"];
const OLD_SAVE: usize = 7;

fn menu_rows() -> usize {
    if health::has_old_save() { MENU_ROWS.len() } else { OLD_SAVE }
}

const SETTINGS_ROWS: [&str; 3] = ["Mark moves", "Thinking time", "Brightness"];

/// Draws the settings.
pub(crate) fn draw_settings(frame: &mut Frame, at: usize, settings: &Settings) {
    list(frame, "Settings", SETTINGS_ROWS.len(), at, &mut |index, label, value| {
        label.add(SETTINGS_ROWS[index]);
        match index {
            0 => value.add(if settings.marks { "on" } else { "off" }),
            1 => value.number(settings.seconds.into()).add(" s"),
            _ => value.number(i32::from(settings.brightness.get()) + 1).add("/4"),
        };
    });
}

/// A row of the menu of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Continue,
    MoveNow,
    Stop,
    Hint,
    Undo,
    Redo,
    Switch,
    History,
    Pieces,
    Rules,
    Resign,
    Menu,
}

/// The rows that make sense now.
fn items(busy: Busy, table: &Table) -> Vec<Item, 12> {
    let thinking = matches!(busy, Busy::Thinking(_));
    let kind = table.game().setup().kind();
    let blokus = matches!(kind, GameKind::BlokusDuo | GameKind::BlokusClassic);
    let over = table.is_over();
    let person = table.seats()[..table.game().setup().seats()].contains(&Seat::Person);
    let all = [
        (Item::Continue, true),
        (Item::MoveNow, thinking),
        (Item::Stop, thinking),
        (Item::Hint, table.is_persons_turn()),
        (Item::Undo, true),
        (Item::Redo, true),
        (Item::Switch, !over),
        (Item::History, true),
        (Item::Pieces, blokus),
        (Item::Rules, true),
        (Item::Resign, person && !over),
        (Item::Menu, true),
    ];
    all.into_iter().filter(|(_, shown)| *shown).map(|(item, _)| item).collect()
}

const fn label(item: Item) -> &'static str {
    match item {
        Item::Continue => "Continue",
        Item::MoveNow => "Move now",
        Item::Stop => "Stop thinking",
        Item::Hint => "Hint",
        Item::Undo => "Undo",
        Item::Redo => "Redo",
        Item::Switch => "Switch sides",
        Item::History => "History",
        Item::Pieces => "Pieces left",
        Item::Rules => "Rules",
        Item::Resign => "Resign",
        Item::Menu => "Main menu",
    }
}

const fn strength(hint: HintStrength) -> &'static str {
    match hint {
        HintStrength::Beginner => "beginner",
        HintStrength::Amateur => "amateur",
        HintStrength::Advanced => "advanced",
    }
}

impl Ui {
    /// Opens the main menu, at the game in progress if there is one.
    pub(super) fn open_menu(&mut self, table: &Table) {
        self.open(Screen::Menu);
        self.at = usize::from(table.game().session().plies() > 0 && !table.is_over());
    }

    pub(super) fn draw_menu(&mut self, frame: &mut Frame) {
        let rows = menu_rows();
        self.at = self.at.min(rows - 1);
        let sure = self.sure;
        list(frame, "Corvid", rows, self.at, &mut |index, label, value| {
            label.add(MENU_ROWS[index]);
            if index == OLD_SAVE {
                value.add(if sure { "sure?" } else { "discard" });
            }
        });
    }

    pub(super) fn press_menu(&mut self, press: Press, device: &Device, table: &mut Table) {
        self.choose(press, menu_rows());
        if press != Press::Select {
            return;
        }
        self.back = Screen::Menu;
        match self.at {
            at @ (0 | 3) => {
                self.open(Screen::NewGame);
                self.watch = at == 3;
                self.draft = table.settings.draft;
                if self.watch {
                    for seat in self.draft.seats.iter_mut().filter(|seat| **seat == Seat::Person) {
                        *seat = Seat::Level(Level::MIN);
                    }
                }
            }
            1 => {
                self.open(Screen::Board);
                table.set_running(true);
                device.work.signal(());
            }
            2 => {
                self.open(Screen::Rules);
                self.rules = table.game().setup().kind();
            }
            4 => self.open(Screen::Statistics),
            5 => self.open(Screen::Settings),
            OLD_SAVE if !self.sure => self.sure = true,
            OLD_SAVE => {
                health::discard();
                device.work.signal(());
                self.open(Screen::Menu);
            }
            _ => self.open(Screen::About),
        }
    }

    pub(super) fn press_settings(&mut self, press: Press, device: &Device, table: &mut Table) {
        self.choose(press, SETTINGS_ROWS.len());
        let forward = match press {
            Press::Left => false,
            Press::Right | Press::Select => true,
            Press::Menu => return self.open(Screen::Menu),
            Press::Up | Press::Down => return,
        };
        let settings = &mut table.settings;
        match self.at {
            0 => settings.marks ^= true,
            1 => {
                let now = SECONDS.iter().position(|seconds| *seconds == settings.seconds);
                settings.seconds = SECONDS[step(now.unwrap_or(0), SECONDS.len(), forward)];
            }
            _ => {
                let steps = usize::from(Brightness::MAX.get()) + 1;
                let next = step(settings.brightness.get().into(), steps, forward);
                settings.brightness = Brightness::new(next as u8).unwrap_or(Brightness::MAX);
            }
        }
        device.work.signal(());
    }

    pub(super) fn draw_pause(&mut self, frame: &mut Frame, busy: Busy, table: &Table) {
        let items = items(busy, table);
        // The rows change while the board thinks.
        self.at = self.at.min(items.len() - 1);
        let (hint, sure) = (self.hint, self.sure);
        let title = table.game().setup().kind().title();
        list(frame, title, items.len(), self.at, &mut |index, text, value| {
            text.add(label(items[index]));
            match items[index] {
                Item::Hint => value.add("< ").add(strength(hint)).add(" >"),
                Item::Resign if sure => value.add("sure?"),
                _ => value,
            };
        });
    }

    pub(super) fn press_pause(&mut self, press: Press, device: &Device, table: &mut Table) {
        let items = items(device.busy(), table);
        self.at = self.at.min(items.len() - 1);
        self.choose(press, items.len());
        let item = items[self.at];
        match press {
            Press::Menu => self.open(Screen::Board),
            Press::Left | Press::Right if item == Item::Hint => {
                let all = HintStrength::ALL;
                self.hint = all[step(self.hint as usize, all.len(), press == Press::Right)];
            }
            Press::Select => self.select_item(item, device, table),
            _ => {}
        }
    }

    fn select_item(&mut self, item: Item, device: &Device, table: &mut Table) {
        match item {
            Item::Continue => self.open(Screen::Board),
            Item::MoveNow => {
                device.stop.store(true, Ordering::Relaxed);
                self.open(Screen::Board);
            }
            Item::Stop => {
                table.pause();
                Self::changed(device);
                self.open(Screen::Board);
            }
            Item::History => self.open(Screen::History),
            Item::Pieces => {
                self.open(Screen::Pieces);
                self.player = table.game().session().turn();
            }
            Item::Rules => {
                self.open(Screen::Rules);
                (self.back, self.rules) = (Screen::Pause, table.game().setup().kind());
            }
            Item::Menu => {
                if table.task().is_some() {
                    table.pause();
                    Self::changed(device);
                }
                self.open_menu(table);
            }
            Item::Resign if !self.sure => self.sure = true,
            Item::Hint | Item::Undo | Item::Redo | Item::Switch | Item::Resign => {
                self.open(Screen::Board);
                self.change(item, device, table);
            }
        }
    }

    /// Does what changes the game, or says why not.
    fn change(&mut self, item: Item, device: &Device, table: &mut Table) {
        if !self.may_change(device) {
            return;
        }
        let done = match item {
            Item::Hint => {
                table.ask(self.hint);
                true
            }
            Item::Undo => table.undo(),
            Item::Redo => table.redo(),
            Item::Switch => {
                table.switch_sides();
                true
            }
            _ => {
                table.resign();
                true
            }
        };
        self.notice(table);
        if done {
            Self::changed(device);
        } else {
            self.say(if item == Item::Undo { "nothing to take back" } else { "nothing to redo" });
        }
    }
}
