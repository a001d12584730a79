//! The choices for a new game.
use super::{
    Screen, Ui,
    widgets::{Line, list, step},
};
use crate::{
    app::Device,
    frame::Frame,
    keys::Press,
    settings::Draft,
    table::{Seat, Table},
};
use corvid_core::{
    bots::Bot,
    engine::Level,
    game::Game,
    games::{
        adjacency::{Adjacency, Rounds},
        blokus::{Classic, Duo, StartRule},
        dots::{Dots, MAX_SIDE, Size},
        othello::Othello,
    },
    player::{Color, Player},
    setup::{GameKind, Seats, Setup},
};
use heapless::Vec;

/// A row of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Game,
    /// Who plays, by seat.
    Seat(usize),
    Rounds,
    First,
    Rows,
    Columns,
    StartRule,
    People,
    Start,
}

/// The rows for a game.
fn fields(setup: Setup) -> Vec<Field, 8> {
    let options: &[Field] = match setup {
        Setup::Othello => &[],
        Setup::Adjacency { .. } => &[Field::Rounds, Field::First],
        Setup::Dots(_) => &[Field::Rows, Field::Columns],
        Setup::BlokusDuo(_) => &[Field::StartRule],
        Setup::BlokusClassic(_) => &[Field::People],
    };
    let seats = (0..setup.seats()).map(Field::Seat);
    let rows = seats.chain(options.iter().copied()).chain([Field::Start]);
    [Field::Game].into_iter().chain(rows).collect()
}

/// The players of a game in turn order.
pub(crate) const fn colors(kind: GameKind) -> &'static [Color] {
    match kind {
        GameKind::Othello => Othello::COLORS,
        GameKind::Adjacency => Adjacency::COLORS,
        GameKind::Dots => Dots::COLORS,
        GameKind::BlokusDuo => Duo::COLORS,
        GameKind::BlokusClassic => Classic::COLORS,
    }
}

/// Writes who plays; `level` is put before the number of one.
pub(crate) fn write_seat(seat: Seat, level: &str, out: &mut Line) {
    match seat {
        Seat::Person => out.add("person"),
        Seat::Level(number) => out.add(level).number(number.get().into()),
        Seat::Bot(bot) => out.add(bot.name()),
    };
}

/// The next of a number's values from `first` to `last`, round the ends.
fn turn(value: u8, first: u8, last: u8, forward: bool) -> u8 {
    let count = usize::from(last - first) + 1;
    first + step(usize::from(value - first), count, forward) as u8
}

/// The next one who can take a seat: a person, the nine levels, the game's bots.
fn next_seat(seat: Seat, kind: GameKind, forward: bool) -> Seat {
    let bots = Bot::all(kind);
    let levels = usize::from(Level::MAX.get());
    let now = match seat {
        Seat::Person => 0,
        Seat::Level(level) => level.get().into(),
        Seat::Bot(bot) => {
            1 + levels + bots.iter().position(|other| *other == bot).unwrap_or_default()
        }
    };
    match step(now, 1 + levels + bots.len(), forward) {
        0 => Seat::Person,
        next if next <= levels => Level::new(next as u8).map_or(Seat::Person, Seat::Level),
        next => bots.get(next - levels - 1).map_or(Seat::Person, |bot| Seat::Bot(*bot)),
    }
}

fn write_value(draft: &Draft, field: Field, out: &mut Line) {
    match (field, draft.setup) {
        (Field::Game, setup) => {
            out.add(setup.kind().title());
        }
        (Field::Seat(seat), _) => write_seat(draft.seats[seat], "level ", out),
        (Field::Rounds, Setup::Adjacency { rounds, .. }) => {
            out.number(rounds.get().into());
        }
        (Field::First, Setup::Adjacency { first, .. }) => {
            out.add(Adjacency::COLORS[first.index() % 2].name);
        }
        (Field::Rows, Setup::Dots(size)) => {
            out.number(size.rows().into());
        }
        (Field::Columns, Setup::Dots(size)) => {
            out.number(size.columns().into());
        }
        (Field::StartRule, Setup::BlokusDuo(rule)) => {
            out.add(if rule == StartRule::Own { "own" } else { "any" });
        }
        (Field::People, Setup::BlokusClassic(seats)) => {
            out.add(if seats == Seats::Four { "4" } else { "2" });
        }
        _ => {}
    }
}

fn write_label(draft: &Draft, field: Field, out: &mut Line) {
    let label = match field {
        Field::Seat(seat) => colors(draft.setup.kind())[seat].name,
        Field::Game => "Game",
        Field::Rounds => "rounds",
        Field::First => "begins",
        Field::Rows => "rows",
        Field::Columns => "columns",
        Field::StartRule => "start square",
        Field::People => "people",
        Field::Start => "Start",
    };
    out.add(label);
    if let (Field::Seat(seat), Setup::BlokusClassic(Seats::Two)) = (field, draft.setup) {
        out.add("+").add(colors(draft.setup.kind())[seat + 2].name);
    }
}

/// Changes a choice to its next value.
fn change(draft: &mut Draft, field: Field, forward: bool) {
    draft.setup = match (field, draft.setup) {
        (Field::Game, setup) => {
            let next = step(setup.kind() as usize, GameKind::ALL.len(), forward);
            let kind = GameKind::ALL[next];
            for seat in &mut draft.seats {
                // Not every bot plays every game.
                if matches!(seat, Seat::Bot(bot) if !Bot::all(kind).contains(bot)) {
                    *seat = Seat::Level(Level::MIN);
                }
            }
            Setup::usual(kind)
        }
        (Field::Seat(seat), setup) => {
            draft.seats[seat] = next_seat(draft.seats[seat], setup.kind(), forward);
            setup
        }
        (Field::Rounds, Setup::Adjacency { rounds, first }) => {
            let next = turn(rounds.get(), Rounds::MIN.get(), Rounds::MAX.get(), forward);
            Setup::Adjacency { rounds: Rounds::new(next).unwrap_or(rounds), first }
        }
        (Field::First, Setup::Adjacency { rounds, first }) => {
            Setup::Adjacency { rounds, first: first.other() }
        }
        (Field::Rows, Setup::Dots(size)) => {
            let rows = turn(size.rows(), 1, MAX_SIDE, forward);
            Setup::Dots(Size::new(rows, size.columns()).unwrap_or(size))
        }
        (Field::Columns, Setup::Dots(size)) => {
            let columns = turn(size.columns(), 1, MAX_SIDE, forward);
            Setup::Dots(Size::new(size.rows(), columns).unwrap_or(size))
        }
        (Field::StartRule, Setup::BlokusDuo(StartRule::Own)) => Setup::BlokusDuo(StartRule::Any),
        (Field::StartRule, Setup::BlokusDuo(StartRule::Any)) => Setup::BlokusDuo(StartRule::Own),
        (Field::People, Setup::BlokusClassic(Seats::Four)) => Setup::BlokusClassic(Seats::Two),
        (Field::People, Setup::BlokusClassic(Seats::Two)) => Setup::BlokusClassic(Seats::Four),
        (_, setup) => setup,
    };
}

impl Ui {
    pub(super) fn draw_draft(&mut self, frame: &mut Frame) {
        let fields = fields(self.draft.setup);
        let heading = match (self.message.as_str(), self.watch) {
            ("", true) => "Watch",
            ("", false) => "New game",
            (message, _) => message,
        };
        let draft = self.draft;
        list(frame, heading, fields.len(), self.at, &mut |index, label, value| {
            write_label(&draft, fields[index], label);
            write_value(&draft, fields[index], value);
        });
    }

    pub(super) fn press_draft(&mut self, press: Press, device: &Device, table: &mut Table) {
        let fields = fields(self.draft.setup);
        let field = fields[self.at.min(fields.len() - 1)];
        self.choose(press, fields.len());
        match press {
            Press::Left | Press::Right => change(&mut self.draft, field, press == Press::Right),
            Press::Select if field == Field::Start => self.start(self.draft, device, table),
            Press::Select => change(&mut self.draft, field, true),
            Press::Menu => self.open(Screen::Menu),
            Press::Up | Press::Down => {}
        }
    }

    /// Starts a game, if the serial port is not in the middle of one.
    pub(super) fn start(&mut self, draft: Draft, device: &Device, table: &mut Table) {
        if !self.may_change(device) {
            return;
        }
        if !self.watch {
            table.settings.draft = draft;
        }
        table.start(draft);
        self.open(Screen::Board);
        self.cursor = board_centre(draft.setup);
        self.notice(table);
        self.say(colors(draft.setup.kind())[first_player(draft.setup).index()].name);
        let _ = self.message.push_str(" begins");
        Self::changed(device);
    }
}

const fn first_player(setup: Setup) -> Player {
    match setup {
        Setup::Adjacency { first, .. } => first,
        _ => Player::FIRST,
    }
}

/// Where the cursor starts.
const fn board_centre(setup: Setup) -> (u8, u8) {
    match setup {
        Setup::Othello | Setup::Adjacency { .. } => (3, 3),
        Setup::Dots(_) => (1, 0),
        Setup::BlokusDuo(_) => (4, 4),
        Setup::BlokusClassic(_) => (0, 0),
    }
}
