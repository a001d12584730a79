//! The main menu, the menu of a game, and the settings.
use super::{
    Screen, Ui,
    draft::{is_offered, write_seat},
    views::view,
    widgets::{Line, list_of, selected, step},
};
use crate::{
    app::{Busy, Device},
    frame::Frame,
    keys::Press,
    panel::{Brightness, Controller},
    settings::{Pace, SAVER_MINUTES, SECONDS},
    store::Trouble,
    table::{Hinter, Seat, Table},
};
use corvid_core::{engine::Level, list::filled, registry::Bot};
use heapless::Vec;

/// A row of the main menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    NewGame,
    Resume,
    Rules,
    Watch,
    Presets,
    Statistics,
    Settings,
    About,
    /// Present while another version's save is kept.
    OldSave,
}

impl Row {
    const ALL: [Self; 9] = [
        Self::NewGame,
        Self::Resume,
        Self::Rules,
        Self::Watch,
        Self::Presets,
        Self::Statistics,
        Self::Settings,
        Self::About,
        Self::OldSave,
    ];

    fn label(self, table: &Table) -> &'static str {
        match self {
            Self::NewGame => "New game",
            Self::Resume if table.is_over() => "Last game",
            Self::Resume => "Resume",
            Self::Rules => "Rules",
            Self::Watch => "Watch",
            Self::Presets => "Presets",
            Self::Statistics => "Statistics",
            Self::Settings => "Settings",
            Self::About => "About",
            Self::OldSave => "Old save",
        }
    }
}

/// The rows that make sense now.
fn rows(table: &Table) -> Vec<Row, { Row::ALL.len() }> {
    let old = matches!(table.saving, Some(Trouble::Version(_)));
    let shown = |row: &Row| match row {
        Row::Resume => has_game(table),
        Row::OldSave => old,
        _ => true,
    };
    filled(Row::ALL.into_iter().filter(shown))
}

/// Whether there is a game to go back to: somebody has started or saved one.
const fn has_game(table: &Table) -> bool {
    table.generation() > 0
}

/// A row of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Setting {
    Marks,
    Seconds,
    Pace,
    Animation,
    Placed,
    Magnifier,
    Colors,
    Published,
    Brightness,
    Saver,
    UpsideDown,
    Controller,
    Sound,
    Processor,
}

/// The settings that this device has.
fn settings(table: &Table) -> Vec<Setting, { Setting::ALL.len() }> {
    let shown = |setting: &Setting| match setting {
        Setting::Sound => table.has_comforts() && table.has_buzzer,
        Setting::Processor => table.has_comforts() && table.processor.is_some(),
        setting => table.has_comforts() || !setting.is_comfort(),
    };
    filled(Setting::ALL.into_iter().filter(shown))
}

impl Setting {
    const ALL: [Self; 14] = [
        Self::Marks,
        Self::Seconds,
        Self::Pace,
        Self::Animation,
        Self::Placed,
        Self::Magnifier,
        Self::Colors,
        Self::Published,
        Self::Brightness,
        Self::Saver,
        Self::UpsideDown,
        Self::Controller,
        Self::Sound,
        Self::Processor,
    ];

    const fn is_comfort(self) -> bool {
        matches!(
            self,
            Self::Animation
                | Self::Magnifier
                | Self::Colors
                | Self::Saver
                | Self::UpsideDown
                | Self::Controller
        )
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Marks => "Mark moves",
            Self::Seconds => "Thinking time",
            Self::Pace => "Pace",
            Self::Animation => "Animation",
            Self::Placed => "Score squares",
            Self::Magnifier => "Magnifier",
            Self::Colors => "Colours",
            Self::Published => "Bots with bugs",
            Self::Brightness => "Brightness",
            Self::Saver => "Screen saver",
            Self::UpsideDown => "Upside down",
            Self::Controller => "Display",
            Self::Sound => "Sound",
            Self::Processor => "Processor",
        }
    }
}

/// Draws the settings.
pub(crate) fn draw_settings(frame: &mut Frame, at: usize, table: &Table) {
    let (rows, settings) = (settings(table), &table.settings);
    let on = |on| if on { "on" } else { "off" };
    list_of(frame, "Settings", &rows, at, &mut |row, label, value| {
        label.add(row.label());
        match row {
            Setting::Marks => value.add(on(settings.marks)),
            Setting::Seconds => value.number(settings.seconds.into()).add(" s"),
            Setting::Pace => value.add(match settings.pace {
                Pace::Normal => "normal",
                Pace::AtOnce => "at once",
                Pace::Slow => "slow",
            }),
            Setting::Placed => value.add(if settings.placed { "placed" } else { "left" }),
            Setting::Published => value.add(on(settings.published)),
            Setting::Animation => value.add(on(settings.animated)),
            Setting::Magnifier => value.add(on(settings.magnified)),
            Setting::Colors => {
                value.add(if settings.document_colors { "document" } else { "official" })
            }
            Setting::Saver => value.minutes(settings.saver),
            Setting::UpsideDown => value.add(on(settings.upside_down)),
            Setting::Sound => value.add(on(settings.sound)),
            Setting::Processor => {
                let mhz = table.processor.map_or(0, |own| own.mhz(settings.full_speed));
                value.number(mhz as i32).add(" MHz")
            }
            Setting::Controller => value.add(match settings.controller {
                Controller::Detected => "auto",
                Controller::Ssd1306 => "SSD1306",
                Controller::Sh1106 => "SH1106",
            }),
            Setting::Brightness => value.number(i32::from(settings.brightness.get()) + 1).add("/4"),
        };
        true
    });
}

/// Changes a value to the next of its choices.
pub(super) fn next<T: Copy + PartialEq>(value: &mut T, choices: &[T], forward: bool) {
    let now = choices.iter().position(|choice| choice == value);
    let next = step(now.unwrap_or(0), choices.len(), forward);
    *value = selected(choices, next).unwrap_or(*value);
}

/// A row of the menu of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Continue,
    MoveNow,
    Stop,
    Hint,
    HideHint,
    Undo,
    Redo,
    Switch,
    History,
    Pieces,
    Rules,
    Restart,
    Resign,
    Menu,
}

/// The rows that make sense now.
fn items(busy: Busy, hinted: bool, table: &Table) -> Vec<Item, 14> {
    let thinking = matches!(busy, Busy::Thinking(_));
    let pieces = view(table.game().kind()).pieces().is_some();
    let over = table.is_over();
    let person = table.seats_in_play().contains(&Seat::Person);
    let all: [_; 14] = [
        (Item::Continue, true),
        (Item::MoveNow, thinking),
        (Item::Stop, thinking),
        (Item::Hint, table.is_persons_turn()),
        (Item::HideHint, hinted && table.is_persons_turn()),
        (Item::Undo, true),
        (Item::Redo, true),
        (Item::Switch, !over),
        (Item::History, true),
        (Item::Pieces, pieces),
        (Item::Rules, true),
        (Item::Restart, table.game().plies() > 0),
        (Item::Resign, person && !over),
        (Item::Menu, true),
    ];
    filled(all.into_iter().filter(|(_, shown)| *shown).map(|(item, _)| item))
}

/// Keeps a row selected while others come and go: with a search, or with a game that is started over
/// the serial port. If it is gone itself, the first one is selected, which does no harm; false then.
fn follow<T: Copy + PartialEq>(rows: &[T], row: &mut T, at: &mut usize) -> bool {
    let found = rows.iter().position(|other| other == row);
    *at = found.unwrap_or(0);
    *row = selected(rows, *at).unwrap_or(*row);
    found.is_some()
}

const fn label(item: Item) -> &'static str {
    match item {
        Item::Continue => "Continue",
        Item::MoveNow => "Move now",
        Item::Stop => "Stop thinking",
        Item::Hint => "Hint",
        Item::HideHint => "Hide hint",
        Item::Undo => "Undo",
        Item::Redo => "Redo",
        Item::Switch => "Switch sides",
        Item::History => "History",
        Item::Pieces => "Pieces left",
        Item::Rules => "Rules",
        Item::Restart => "Restart",
        Item::Resign => "Resign",
        Item::Menu => "Main menu",
    }
}

fn write_hinter(hinter: Hinter, out: &mut Line) {
    match hinter {
        Hinter::Beginner => out.add("beginner"),
        Hinter::Amateur => out.add("amateur"),
        Hinter::Advanced => out.add("advanced"),
        Hinter::Bot(bot) => {
            write_seat(Seat::Bot(bot), "", out);
            out
        }
    };
}

/// Whom to ask: three strengths, the best first, then the game's bots.
fn hinter_at(at: usize, table: &Table) -> Option<Hinter> {
    const STRENGTHS: [Hinter; 3] = [Hinter::Advanced, Hinter::Beginner, Hinter::Amateur];
    let bots = Bot::all(table.game().kind());
    let mut offered = bots.filter(|bot| is_offered(*bot, table.settings.published));
    match at.checked_sub(STRENGTHS.len()) {
        None => Some(STRENGTHS[at]),
        Some(bot) => offered.nth(bot).map(Hinter::Bot),
    }
}

/// The next one to ask.
fn next_hinter(hinter: Hinter, table: &Table, forward: bool) -> Hinter {
    let all = || (0..).map_while(|at| hinter_at(at, table));
    // A bot of another game counts as the strongest, which it is replaced by.
    let now = all().position(|other| other == hinter).unwrap_or(0);
    hinter_at(step(now, all().count(), forward), table).unwrap_or(Hinter::Advanced)
}

impl Ui {
    /// Opens the main menu, at the game in progress if there is one.
    pub(super) fn open_menu(&mut self, table: &Table) {
        self.open(Screen::Menu);
        let resumes = has_game(table) && !table.is_over();
        self.row = if resumes { Row::Resume } else { Row::NewGame };
    }

    pub(super) fn draw_menu(&mut self, frame: &mut Frame, table: &Table) {
        let rows = rows(table);
        self.sure &= follow(&rows, &mut self.row, &mut self.at);
        let sure = self.sure;
        list_of(frame, "Corvid", &rows, self.at, &mut |row, label, value| {
            label.add(row.label(table));
            if row == Row::OldSave {
                value.add(if sure { "sure?" } else { "discard" });
            }
            false
        });
    }

    pub(super) fn press_menu(&mut self, press: Press, device: &Device, table: &mut Table) {
        let rows = rows(table);
        self.sure &= follow(&rows, &mut self.row, &mut self.at);
        self.choose(press, rows.len());
        self.row = selected(&rows, self.at).unwrap_or(self.row);
        if press != Press::Select {
            return;
        }
        self.back = Screen::Menu;
        match self.row {
            row @ (Row::NewGame | Row::Watch) => {
                self.open(Screen::NewGame);
                self.watch = row == Row::Watch;
                self.draft = table.settings.draft;
                if self.watch {
                    for seat in self.draft.seats.iter_mut().filter(|seat| **seat == Seat::Person) {
                        *seat = Seat::Level(Level::MIN);
                    }
                }
            }
            Row::Resume => {
                self.open(Screen::Board);
                table.set_running(true);
                device.work.signal(());
            }
            Row::Rules => {
                self.open(Screen::Rules);
                self.rules = table.game().kind();
            }
            Row::Presets => self.open(Screen::Presets),
            Row::Statistics => self.open(Screen::Statistics),
            Row::Settings => self.open(Screen::Settings),
            Row::About => {
                self.open(Screen::About);
                self.about = None;
            }
            Row::OldSave if !self.sure => self.sure = true,
            Row::OldSave => {
                table.discards = true;
                device.work.signal(());
                self.open_menu(table);
            }
        }
    }

    pub(super) fn press_settings(&mut self, press: Press, device: &Device, table: &mut Table) {
        let rows = settings(table);
        self.choose(press, rows.len());
        let forward = match press {
            Press::Left => false,
            Press::Right | Press::Select => true,
            Press::Menu => return self.open(Screen::Menu),
            Press::Up | Press::Down => return,
        };
        let settings = &mut table.settings;
        let Some(row) = selected(&rows, self.at) else { return };
        match row {
            Setting::Marks => settings.marks ^= true,
            Setting::Seconds => next(&mut settings.seconds, &SECONDS, forward),
            Setting::Animation => settings.animated ^= true,
            Setting::Magnifier => settings.magnified ^= true,
            Setting::Colors => settings.document_colors ^= true,
            Setting::Saver => next(&mut settings.saver, &SAVER_MINUTES, forward),
            Setting::UpsideDown => settings.upside_down ^= true,
            Setting::Sound => settings.sound ^= true,
            Setting::Processor => settings.full_speed ^= true,
            Setting::Controller => next(&mut settings.controller, &Controller::ALL, forward),
            Setting::Pace => next(&mut settings.pace, &Pace::ALL, forward),
            Setting::Placed => settings.placed ^= true,
            Setting::Published => settings.published ^= true,
            Setting::Brightness => {
                let steps = usize::from(Brightness::MAX.get()) + 1;
                let next = step(settings.brightness.get().into(), steps, forward);
                settings.brightness = Brightness::new(next as u8).unwrap_or(Brightness::MAX);
            }
        }
        device.work.signal(());
    }

    pub(super) fn draw_pause(&mut self, frame: &mut Frame, busy: Busy, table: &Table) {
        let items = items(busy, self.unhinted.is_some(), table);
        self.sure &= follow(&items, &mut self.item, &mut self.at);
        let (hinter, sure, chosen) = (self.hinter, self.sure, self.item);
        let title = table.game().kind().title();
        list_of(frame, title, &items, self.at, &mut |item, text, value| {
            text.add(label(item));
            match item {
                Item::Hint => write_hinter(hinter, value),
                Item::Resign | Item::Restart if sure && item == chosen => {
                    value.add("sure?");
                }
                _ => {}
            }
            item == Item::Hint
        });
    }

    pub(super) fn press_pause(&mut self, press: Press, device: &Device, table: &mut Table) {
        let items = items(device.busy(), self.unhinted.is_some(), table);
        self.sure &= follow(&items, &mut self.item, &mut self.at);
        self.choose(press, items.len());
        let item = selected(&items, self.at).unwrap_or(self.item);
        self.item = item;
        match press {
            Press::Menu => self.open(Screen::Board),
            Press::Left | Press::Right if item == Item::Hint => {
                self.hinter = next_hinter(self.hinter, table, press == Press::Right);
            }
            Press::Select => self.select_item(item, device, table),
            _ => {}
        }
    }

    fn select_item(&mut self, item: Item, device: &Device, table: &mut Table) {
        match item {
            Item::Continue => self.open(Screen::Board),
            Item::MoveNow => {
                table.hurry();
                self.open(Screen::Board);
            }
            Item::Stop => {
                table.pause();
                device.work.signal(());
                self.open(Screen::Board);
            }
            Item::History => self.open(Screen::History),
            Item::Pieces => {
                self.open(Screen::Pieces);
                self.player = table.game().turn();
            }
            Item::Rules => {
                self.open(Screen::Rules);
                (self.back, self.rules) = (Screen::Pause, table.game().kind());
            }
            Item::Menu => {
                // Nobody moves while the main menu is open, and clocks stand still.
                if table.is_running() && !table.is_over() {
                    table.pause();
                    device.work.signal(());
                }
                self.open_menu(table);
            }
            Item::Resign | Item::Restart if !self.sure => self.sure = true,
            Item::Restart => self.again(device, table),
            Item::HideHint => {
                self.hand = self.unhinted.take().unwrap_or(self.hand);
                self.open(Screen::Board);
            }
            Item::Hint | Item::Undo | Item::Redo | Item::Switch | Item::Resign => {
                self.open(Screen::Board);
                self.change(item, device, table);
            }
        }
    }

    /// Performs an action that changes the game, or says why not.
    fn change(&mut self, item: Item, device: &Device, table: &mut Table) {
        if !self.may_change(table) {
            return;
        }
        let done = match item {
            Item::Hint => {
                table.ask(self.hinter);
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
            device.work.signal(());
        } else {
            self.refuse(if item == Item::Undo { "nothing to undo" } else { "nothing to redo" });
        }
    }
}
