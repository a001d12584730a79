//! What runs in thread mode, below keys, screen and serial port: the thinking, the serial port's
//! commands, and saving.
use crate::{
    app::{Busy, Device, Thought},
    console::{Board, Console},
    health::{self, Part},
    log,
    settings::{Settings, Statistics},
    store::Trouble,
    table::{Seat, Table, Task},
};
use core::sync::atomic::Ordering;
use corvid_core::{
    gtp::Clock,
    player::MAX_PLAYERS,
    session::{AnyMatch, MoveText, Progress},
};
use embassy_time::Instant;

/// Where the game, the settings and the statistics outlive the power. The empty tuple forgets
/// everything: a board whose flash can't be written.
pub trait Keeper {
    /// Puts what was saved on the table; what is not there stays.
    fn restore(&mut self, table: &mut Table);
    /// Saves a game after a change.
    fn save_game(&mut self, game: &AnyMatch, seats: &[Seat; MAX_PLAYERS]);
    /// Forgets the game: somebody gave up.
    fn drop_game(&mut self);
    /// Saves what a person set and how the games went.
    fn save_settings(&mut self, settings: &Settings, statistics: &Statistics);
    /// Why nothing is saved, if so.
    fn trouble(&self) -> Option<Trouble>;
    /// Gives up what another version saved, so that this one can save.
    fn discard(&mut self);
}

impl Keeper for () {
    fn restore(&mut self, _: &mut Table) {}
    fn save_game(&mut self, _: &AnyMatch, _: &[Seat; MAX_PLAYERS]) {}
    fn drop_game(&mut self) {}
    fn save_settings(&mut self, _: &Settings, _: &Statistics) {}
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
    console: Console,
    keeper: K,
    /// What of the table was saved last.
    saved: (u32, Settings, Statistics),
}

impl<K: Keeper> Brain<K> {
    /// A brain without memory to think with.
    pub fn new(clock: Clock, keeper: K) -> Self {
        let saved = (0, Settings::NEW, Statistics::NONE);
        Self { console: Console::new(clock), keeper, saved }
    }

    /// Lends it memory to think with, all zeros.
    pub fn lend(&mut self, memory: &'static mut [u64]) {
        self.console.lend(memory);
    }

    /// Makes the random choices of bots and levels repeatable. Without a seed they depend on when
    /// somebody did something.
    pub fn seed(&mut self, seed: u64) {
        self.console.gtp().seed(seed);
    }

    /// Tells it which board it is on.
    pub const fn set_board(&mut self, board: Board) {
        self.console.set_board(board);
    }

    /// Works for ever, in thread mode. `idle` waits for an interrupt (`wfe`); it may also return at
    /// once.
    pub fn run(&mut self, device: &Device, idle: fn()) -> ! {
        self.restore(device, idle);
        loop {
            self.step(device, idle);
        }
    }

    /// Puts the saved game on the table.
    pub fn restore(&mut self, device: &Device, idle: fn()) {
        let table = &mut *device.table_now(idle);
        self.keeper.restore(table);
        self.saved = (table.generation(), table.settings, table.statistics);
        health::set_saving(self.keeper.trouble());
        device.news.signal(());
    }

    /// Does one thing: what the table asks for, or else a line from the serial port, or else it
    /// idles once.
    pub fn step(&mut self, device: &Device, idle: fn()) {
        health::beat(Part::Brain);
        // A contest's host allows a second for an answer: everything else waits.
        if !self.console.is_in_contest() && device.work.try_take().is_some() {
            self.console.tell(device, idle);
            self.save(device, idle);
            self.work(device, idle);
        } else {
            self.console.step(device, idle);
        }
    }

    /// Saves what has changed since the last time.
    fn save(&mut self, device: &Device, idle: fn()) {
        let table = device.table_now(idle);
        let now = (table.generation(), table.settings, table.statistics);
        let (seats, resigned) = (*table.seats(), table.resigned().is_some());
        self.console.pull(&table);
        drop(table);
        let begins = health::take_discard();
        if begins {
            self.keeper.discard();
        }
        if now.0 != self.saved.0 && resigned {
            self.keeper.drop_game();
        } else if now.0 != self.saved.0 || begins {
            self.keeper.save_game(self.console.game(), &seats);
        }
        if begins || (now.1, now.2) != (self.saved.1, self.saved.2) {
            self.keeper.save_settings(&now.1, &now.2);
        }
        self.saved = now;
        health::set_saving(self.keeper.trouble());
    }

    /// Does what the table asks for.
    fn work(&mut self, device: &Device, idle: fn()) {
        let table = device.table_now(idle);
        let Some(task) = table.task() else { return };
        let generation = table.generation();
        let micros = u64::from(table.settings.seconds) * 1_000_000;
        self.console.pull(&table);
        drop(table);

        let text = match task {
            Task::Pass => MoveText::try_from("pass").unwrap_or_default(),
            Task::Move(opponent) | Task::Hint(opponent) => {
                health::beat_for(Part::Brain, health::LONG);
                device.stop.store(false, Ordering::Relaxed);
                let mut thought = Thought::new(Instant::now());
                device.set_busy(Busy::Thinking(thought));
                let mut report = |progress: &Progress| {
                    thought = thought.with(progress);
                    device.set_busy(Busy::Thinking(thought));
                };
                self.console.stir();
                let gtp = self.console.gtp();
                let chosen = gtp.think(opponent, micros, &device.stop, &mut report);
                device.set_busy(Busy::Idle);
                // A refusal is impossible: it is this player's turn.
                chosen.unwrap_or_default()
            }
        };
        if !device.table_now(idle).finish(task, generation, &text) {
            log::info!("too late");
        }
        device.news.signal(());
        // It may be a computer's turn again.
        device.work.signal(());
    }
}
