//! What runs in thread mode, below keys, screen and serial port: the search, the serial port's
//! commands, and saving.
use crate::{
    app::Device,
    console::{Board, Line},
    health::{self, Part},
    log,
    settings::Settings,
    statistics::Statistics,
    store::Trouble,
    table::{Errand, Table, Ticket},
    task::Watched,
};
use corvid_core::{
    desk::ClockFn,
    game::{MoveCode, Notation},
    thinker::{Answer, Question, Task, Thinker},
};

/// Persistent storage for the game, the settings and the statistics. The empty tuple stores
/// nothing, for a board whose flash can't be written.
pub trait Keeper {
    /// Loads what was saved into the table; what was not saved stays as it is.
    fn restore(&mut self, table: &mut Table);
    /// Records the state of the game after a change. Fast, because the table is borrowed meanwhile.
    fn note_game(&mut self, table: &Table);
    /// Saves what was recorded.
    fn save_game(&mut self);
    /// Deletes the saved game: somebody resigned or ran out of time.
    fn drop_game(&mut self);
    /// Records settings and statistics after a change. Fast, as above.
    fn note_settings(&mut self, settings: &Settings, statistics: &Statistics);
    /// Saves what was recorded.
    fn save_settings(&mut self);
    /// Saves what had to wait, if its time has come; false if there is nothing.
    fn save_late(&mut self) -> bool;
    /// What is wrong with saving, if anything.
    fn trouble(&self) -> Option<Trouble>;
    /// Discards what another version saved, so that this one can save.
    fn discard(&mut self);
}

impl Keeper for () {
    fn restore(&mut self, _: &mut Table) {}
    fn note_game(&mut self, _: &Table) {}
    fn save_game(&mut self) {}
    fn drop_game(&mut self) {}
    fn note_settings(&mut self, _: &Settings, _: &Statistics) {}
    fn save_settings(&mut self) {}
    fn save_late(&mut self) -> bool {
        false
    }
    fn trouble(&self) -> Option<Trouble> {
        Some(Trouble::Nowhere)
    }
    fn discard(&mut self) {}
}

/// Thread mode's part of the device.
///
/// Large: a board keeps it in a static, where the size report shows it, not on the stack.
#[derive(Debug)]
pub struct Brain<K> {
    line: Line,
    thinker: Thinker<'static>,
    keeper: K,
    /// The state of the table that was saved last; of the statistics, their revision.
    saved: (u32, Settings, u32),
}

impl<K: Keeper> Brain<K> {
    /// A brain with this search memory, all zeros, and the board's second processor.
    pub fn new(board: Board, clock: ClockFn, memory: &'static mut [u64], keeper: K) -> Self {
        let saved = (0, Settings::NEW, 0);
        let thinker = Thinker::new(memory).with_helper(board.second.helper());
        Self { line: Line::new(board, clock, thinker.slots()), thinker, keeper, saved }
    }

    /// Makes the random choices of bots and levels reproducible. Without a seed they depend on the
    /// timing of input.
    pub fn seed(&mut self, seed: u64) {
        self.thinker.seed(seed);
    }

    /// Runs forever, in thread mode. `idle` waits for an interrupt (`wfe`); it may also return at
    /// once.
    pub fn run(&mut self, device: &Device, idle: fn()) -> ! {
        self.restore(device, idle);
        loop {
            self.step(device, idle);
        }
    }

    /// Loads what was saved into the table. Restarts the board if the settings want its processor at
    /// another speed.
    #[inline(never)]
    pub fn restore(&mut self, device: &Device, idle: fn()) {
        let table = &mut *device.table_now(idle);
        self.keeper.restore(table);
        let Board { processor, restart_at, .. } = self.line.board();
        table.processor = processor;
        let speed = processor.and_then(|own| own.change(table.settings.full_speed));
        if let (Some(speed), Some(restart_at)) = (speed, restart_at) {
            restart_at(speed);
        }
        self.saved = (table.generation(), table.settings, table.statistics.revision());
        table.saving = self.keeper.trouble();
        device.news.signal(());
    }

    /// Processes received bytes and answers lines, then does what the table asks for; idles
    /// once when there is nothing to do.
    pub fn step(&mut self, device: &Device, idle: fn()) {
        health::beat(Part::Brain);
        let asked = device.work.try_take().is_some();
        if device.table_now(idle).play_ready(false) {
            device.announce();
        }
        if asked {
            self.line.tell(device, idle);
        }
        let served = self.line.serve(device, idle, Some(&mut self.thinker));
        if served || asked {
            self.save(device, idle);
            self.line.restart(device, idle);
        } else if self.keeper.save_late() {
            device.table_now(idle).saving = self.keeper.trouble();
        }
        if asked {
            self.run_errand(device, idle);
        } else if !served {
            self.line.idle(device, idle);
            idle();
        }
    }

    /// Saves what has changed since the last call. The table is not locked while the flash is
    /// written.
    #[inline(never)]
    fn save(&mut self, device: &Device, idle: fn()) {
        let mut table = device.table_now(idle);
        let now = (table.generation(), table.settings, table.statistics.revision());
        let begins = core::mem::take(&mut table.discards);
        if begins {
            self.keeper.discard();
        }
        let changed = now.0 != self.saved.0;
        let dropped = (changed || begins) && table.resigned().is_some();
        let noted = !dropped && (changed || begins);
        if noted {
            self.keeper.note_game(&table);
        }
        let settings = begins || (now.1, now.2) != (self.saved.1, self.saved.2);
        if settings {
            self.keeper.note_settings(&table.settings, &table.statistics);
        }
        drop(table);
        if noted {
            self.keeper.save_game();
        } else if dropped {
            self.keeper.drop_game();
        }
        if settings {
            self.keeper.save_settings();
        }
        self.saved = now;
        device.table_now(idle).saving = self.keeper.trouble();
    }

    /// Does what the table asks for. Not inlined: commands think too, on top of the functions above.
    #[inline(never)]
    fn run_errand(&mut self, device: &Device, idle: fn()) {
        // Looked at where it is: a copy would take stack from the search.
        let found = errand_of(device, idle);
        let Some((errand, ticket, task)) = &found else { return };
        let (errand, ticket) = (*errand, *ticket);
        self.thinker.stir(self.line.micros());
        let clock = self.line.clock();
        let line = Some(&mut self.line);
        let watched = Watched { device, idle, clock, ticket, line, contest: false };
        let answer = watched.think(&mut self.thinker, task, &mut |_| {});
        let mv = if let Ok(Answer::Move(mv)) = answer { mv } else { None };
        finish(device, idle, errand, ticket, mv);
    }
}

/// Gives the table what it has asked for. Not inlined: the search does not need this stack.
#[inline(never)]
fn finish(device: &Device, idle: fn(), errand: Errand, ticket: Ticket, mv: Option<MoveCode>) {
    if !device.table_now(idle).finish(errand, ticket, mv) {
        log::info!("too late");
    }
    // It may be a computer's turn again.
    device.announce();
}

/// What the table asks for, as a task. Forced passes are played on the way. Not inlined: a position
/// takes a third of a kilobyte of stack that the search needs.
#[inline(never)]
fn errand_of(device: &Device, idle: fn()) -> Option<(Errand, Ticket, Task)> {
    let mut table = device.table_now(idle);
    let errand = table.errand()?;
    let opponent = match errand {
        Errand::Move(opponent) | Errand::Hint(opponent) => opponent,
        Errand::Pass => {
            // It is the only legal move.
            let _ = table.play(MoveCode::PASS);
            device.announce();
            return None;
        }
    };
    let own = matches!(errand, Errand::Move(_));
    let time = if own { table.time_for_move() } else { None };
    let deadline = time.map_or(u64::MAX, |time| time.as_micros());
    let micros = deadline.min(u64::from(table.settings.seconds) * 1_000_000);
    let question = Question::Move { opponent, micros, deadline };
    let position = table.game().position().clone();
    // Under the same lock as the copy: the ticket is that position's.
    let generation = table.generation();
    let ticket = table.begin_task(generation);
    if time.is_some() {
        table.begin_move();
    }
    Some((errand, ticket, Task { position, question, notation: Notation::Plain }))
}
