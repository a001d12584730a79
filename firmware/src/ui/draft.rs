//! The choices for a new game.
use super::{
    Screen, Ui, color,
    menus::next,
    views::view,
    widgets::{Line, list_of, selected, step},
};
use crate::{
    app::{COMFORTS, Device},
    clock::{INCREMENTS, MINUTES},
    frame::Frame,
    keys::Press,
    settings::{Draft, EASY, Settings},
    table::{Seat, Table},
};
use corvid_core::{
    engine::Level,
    list::filled,
    player::{MAX_PLAYERS, Player},
    registry::{Bot, GameKind},
    setup::{MAX_OPTIONS, Opt, Setup},
};
use heapless::Vec;

/// A row of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Game,
    /// Who plays, by seat.
    Seat(usize),
    /// An option of the game, by its place in the list.
    Option(usize),
    /// The time of each player.
    Clock,
    /// What is added to it after each move.
    Increment,
    Start,
}

/// The rows for a game, on a device with or without comforts.
fn fields(draft: &Draft, comforts: bool) -> Vec<Field, { 4 + MAX_PLAYERS + MAX_OPTIONS }> {
    let setup = draft.setup;
    let seats = (0..setup.people()).map(Field::Seat);
    let options = (0..setup.kind().info().options.len()).map(Field::Option);
    let clock: &[Field] = match draft.time.minutes {
        _ if !comforts => &[Field::Start],
        0 => &[Field::Clock, Field::Start],
        _ => &[Field::Clock, Field::Increment, Field::Start],
    };
    filled([Field::Game].into_iter().chain(seats).chain(options).chain(clock.iter().copied()))
}

/// An option of a game, and what it is set to.
fn option(setup: Setup, index: usize) -> Option<(&'static Opt, u8)> {
    Some((setup.kind().info().options.get(index)?, *setup.options().get(index)?))
}

/// Writes who plays; `level` is put before the number of one.
pub(crate) fn write_seat(seat: Seat, level: &str, out: &mut Line) {
    match seat {
        Seat::Person => out.add("player"),
        Seat::Level(number) => out.add(level).number(number.get().into()),
        Seat::Bot(bot) => {
            // A name of the command line, in words.
            for letter in bot.name().chars() {
                out.letter(if matches!(letter, '-' | ':') { ' ' } else { letter });
            }
            out
        }
    };
}

/// Whether a bot can be chosen: those that keep published bugs only if the settings say so.
pub(super) fn is_offered(bot: Bot, published: bool) -> bool {
    published || !bot.name().ends_with(":seed")
}

/// The next choice for a seat: a person, the nine levels, the game's bots, with those that keep
/// published bugs if the settings say so.
fn next_seat(seat: Seat, kind: GameKind, published: bool, forward: bool) -> Seat {
    let levels = usize::from(Level::MAX.get());
    let mut at = match seat {
        Seat::Person => 0,
        Seat::Level(level) => level.get().into(),
        Seat::Bot(bot) => 1 + levels + bot.index(),
    };
    loop {
        let mut bots = Bot::all(kind);
        at = step(at, 1 + levels + bots.len(), forward);
        let bot = at.checked_sub(levels + 1).and_then(|index| bots.nth(index));
        match bot {
            Some(bot) if is_offered(bot, published) => return Seat::Bot(bot),
            Some(_) => {}
            None => return Level::new(at as u8).map_or(Seat::Person, Seat::Level),
        }
    }
}

fn write_value(draft: &Draft, field: Field, out: &mut Line) {
    match field {
        Field::Game => {
            out.add(draft.setup.kind().title());
        }
        Field::Seat(index) => {
            if let Some(seat) = draft.seats.get(index) {
                write_seat(*seat, "level ", out);
            }
        }
        Field::Option(index) => {
            if let Some((option, value)) = option(draft.setup, index) {
                // Writing to a line never fails.
                let _ = option.values.write(value, out);
            }
        }
        Field::Clock if COMFORTS => {
            out.minutes(draft.time.minutes);
        }
        Field::Increment if COMFORTS => {
            out.number(draft.time.increment.into()).add(" s");
        }
        Field::Clock | Field::Increment | Field::Start => {}
    }
}

fn write_label(draft: &Draft, settings: &Settings, field: Field, out: &mut Line) {
    match field {
        Field::Game => out.add("Game"),
        Field::Seat(seat) => {
            // A person may hold several colours.
            let people = draft.setup.people();
            let (kind, count) = (draft.setup.kind(), draft.setup.kind().info().colors.len());
            for player in Player::all(count).skip(seat).step_by(people.max(1)) {
                let name = color(settings, kind, player);
                // Two whole names would leave no room for who holds them.
                let short = if people < count { name.get(..3) } else { None };
                out.add(if player.index() > seat { "+" } else { "" }).add(short.unwrap_or(name));
            }
            out
        }
        Field::Option(index) => out.add(option(draft.setup, index).map_or("", |(o, _)| o.label)),
        Field::Clock if COMFORTS => out.add("Clock"),
        Field::Increment if COMFORTS => out.add("Increment"),
        Field::Clock | Field::Increment | Field::Start => out.add("Start"),
    };
}

/// Changes a choice to its next value.
fn change(draft: &mut Draft, field: Field, published: bool, forward: bool) {
    let setup = draft.setup;
    match field {
        Field::Game => {
            let mut kind = setup.kind();
            next(&mut kind, &GameKind::ALL, forward);
            draft.setup = Setup::usual(kind);
            for seat in &mut draft.seats {
                // A bot plays one game; another game may have one of the same name.
                if let Seat::Bot(bot) = seat {
                    let named = Bot::from_name(kind, bot.name());
                    *seat = named.map_or(EASY, Seat::Bot);
                }
            }
        }
        Field::Seat(index) => {
            if let Some(seat) = draft.seats.get_mut(index) {
                *seat = next_seat(*seat, setup.kind(), published, forward);
            }
        }
        Field::Option(index) => {
            if let Some((option, value)) = option(setup, index) {
                let (first, last) = option.values.range();
                let count = usize::from(last - first) + 1;
                let next = first + step(usize::from(value - first), count, forward) as u8;
                draft.setup = setup.with(index, next).unwrap_or(setup);
            }
        }
        Field::Clock if COMFORTS => next(&mut draft.time.minutes, &MINUTES, forward),
        Field::Increment if COMFORTS => next(&mut draft.time.increment, &INCREMENTS, forward),
        Field::Clock | Field::Increment | Field::Start => {}
    }
}

impl Ui {
    pub(super) fn draw_draft(&mut self, frame: &mut Frame, table: &Table) {
        let fields = fields(&self.draft, table.has_comforts());
        let heading = match (self.message.as_str(), self.watch) {
            ("", true) => "Watch",
            ("", false) => "New game",
            (message, _) => message,
        };
        let draft = self.draft;
        list_of(frame, heading, &fields, self.at, &mut |field, label, value| {
            write_label(&draft, &table.settings, field, label);
            write_value(&draft, field, value);
            field != Field::Start
        });
    }

    pub(super) fn press_draft(&mut self, press: Press, device: &Device, table: &mut Table) {
        let fields = fields(&self.draft, table.has_comforts());
        let Some(field) = selected(&fields, self.at) else { return };
        self.choose(press, fields.len());
        match press {
            Press::Left | Press::Right => {
                self.change_field(field, table, press == Press::Right);
            }
            Press::Select if field == Field::Start => self.start(self.draft, device, table),
            Press::Select => self.change_field(field, table, true),
            Press::Menu => {
                if !self.watch {
                    table.settings.draft = self.draft;
                    device.work.signal(());
                }
                self.open(Screen::Menu);
            }
            Press::Up | Press::Down => {}
        }
    }

    /// Changes a choice. Its row stays the selected one, wherever the other rows have gone.
    fn change_field(&mut self, field: Field, table: &Table, forward: bool) {
        self.setups[self.draft.setup.kind().index()] = self.draft.setup;
        change(&mut self.draft, field, table.settings.published, forward);
        if field == Field::Game {
            self.draft.setup = self.setups[self.draft.setup.kind().index()];
        }
        let rows = fields(&self.draft, table.has_comforts());
        self.at = rows.iter().position(|row| *row == field).unwrap_or(0);
    }

    /// Starts a game. It ends a contest, whose host may be long gone.
    pub(super) fn start(&mut self, draft: Draft, device: &Device, table: &mut Table) {
        table.set_contest(false);
        if !self.watch {
            table.settings.draft = draft;
        }
        table.start(draft);
        self.open(Screen::Board);
        self.hand.cursor = view(draft.setup.kind()).home();
        self.notice(table);
        let first = table.game().turn();
        self.say(color(&table.settings, draft.setup.kind(), first));
        let _ = self.message.push_str(" begins\nhold select:\nmenu");
        device.work.signal(());
    }
}
