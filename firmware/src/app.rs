//! What the tasks of a device share, and its capacities.
use crate::{
    frame::{Frame, WIDTH},
    keys::Press,
    table::Table,
};
use core::{
    cell::Cell,
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};
use corvid_core::session::Progress;
use embassy_sync::{
    blocking_mutex::{Mutex as Guarded, raw::CriticalSectionRawMutex as Raw},
    channel::Channel,
    mutex::{Mutex, MutexGuard},
    pipe::Pipe,
    signal::Signal,
};
use embassy_time::Instant;

/// Key presses that wait for the screen. More than a person can press while a frame is drawn.
pub const KEY_CAPACITY: usize = 8;

/// Bytes from the serial port that wait while the board thinks: lines sent ahead.
pub const INPUT_CAPACITY: usize = 896;

/// Bytes of answers on their way to the serial port; the console waits when it is full.
pub const OUTPUT_CAPACITY: usize = 256;

/// How far the thinking has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thought {
    /// When it began.
    pub begun: Instant,
    /// Plies looked ahead everywhere; 0 before the first report.
    pub depth: u8,
    /// For the player to move: points at the end if `exact`, else hundredths of a point.
    pub score: i16,
    /// Whether the score is proven.
    pub exact: bool,
    /// Positions looked at.
    pub nodes: u32,
    /// How much of the budget is used, in hundredths.
    pub percent: u8,
}

impl Thought {
    /// Nothing yet.
    pub const fn new(begun: Instant) -> Self {
        Self { begun, depth: 0, score: 0, exact: false, nodes: 0, percent: 0 }
    }

    /// The same with what the search says.
    pub fn with(self, progress: &Progress) -> Self {
        Self {
            depth: progress.depth,
            score: progress.score,
            exact: progress.exact,
            nodes: progress.nodes.try_into().unwrap_or(u32::MAX),
            percent: progress.percent,
            ..self
        }
    }
}

/// What thread mode is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Busy {
    /// It waits.
    Idle,
    /// It answers a line of the serial port, which may change the game.
    Serial,
    /// It thinks.
    Thinking(Thought),
}

/// What thread mode wants to know of the screen.
#[derive(Debug, Clone, Copy)]
enum Peek {
    Nothing,
    /// This part.
    Wanted(usize),
    /// This part is so.
    Page(usize, [u8; WIDTH]),
}

/// What the tasks of a device share. A board keeps one in a static.
///
/// Thread mode must be able to wait, the tasks above it must not: they hold the table only between
/// two awaits, so that thread mode always finds it free.
pub struct Device {
    /// From [`keys`](crate::keys) to [`ui`](crate::ui).
    pub(crate) keys: Channel<Raw, Press, KEY_CAPACITY>,
    /// From [`serial`](crate::serial) to [`brain`](crate::brain).
    pub(crate) input: Pipe<Raw, INPUT_CAPACITY>,
    /// From [`brain`](crate::brain) to [`serial`](crate::serial).
    pub(crate) output: Pipe<Raw, OUTPUT_CAPACITY>,
    table: Mutex<Raw, Table>,
    /// To the brain: the table has changed, there may be something to do.
    pub(crate) work: Signal<Raw, ()>,
    /// To the screen: the table has changed or the thinking has come further.
    pub(crate) news: Signal<Raw, ()>,
    busy: Guarded<Raw, Cell<Busy>>,
    peek: Guarded<Raw, Cell<Peek>>,
    /// Ends the thinking soon after it is set; what it has found counts.
    pub(crate) stop: AtomicBool,
}

impl Device {
    /// A device at its start.
    pub fn new() -> Self {
        Self {
            keys: Channel::new(),
            input: Pipe::new(),
            output: Pipe::new(),
            table: Mutex::new(Table::new()),
            work: Signal::new(),
            news: Signal::new(),
            busy: Guarded::new(Cell::new(Busy::Idle)),
            peek: Guarded::new(Cell::new(Peek::Nothing)),
            stop: AtomicBool::new(false),
        }
    }

    /// The table, for a task above thread mode. Not to be held across an await.
    pub async fn table(&self) -> MutexGuard<'_, Raw, Table> {
        self.table.lock().await
    }

    /// The table, for thread mode.
    pub(crate) fn table_now(&self, idle: fn()) -> MutexGuard<'_, Raw, Table> {
        loop {
            match self.table.try_lock() {
                Ok(table) => return table,
                Err(_) => idle(),
            }
        }
    }

    /// What thread mode is doing.
    pub fn busy(&self) -> Busy {
        self.busy.lock(Cell::get)
    }

    /// The part of the screen with this number, for thread mode. `None` while the screen's task has
    /// not yet told; it is asked by asking again.
    pub(crate) fn peek(&self, page: usize) -> Option<[u8; WIDTH]> {
        let found = self.peek.lock(|cell| match cell.get() {
            Peek::Page(number, columns) if number == page => {
                cell.set(Peek::Nothing);
                Some(columns)
            }
            _ => {
                cell.set(Peek::Wanted(page));
                None
            }
        });
        if found.is_none() {
            self.news.signal(());
        }
        found
    }

    /// Tells thread mode what it wants to know of the screen.
    pub(crate) fn show_peek(&self, frame: &Frame) {
        self.peek.lock(|cell| {
            if let Peek::Wanted(page) = cell.get()
                && let Some(columns) = frame.pages().get(page)
            {
                cell.set(Peek::Page(page, *columns));
            }
        });
    }

    /// Ends the thinking soon; what it has found counts.
    pub fn stop_thinking(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn set_busy(&self, busy: Busy) {
        self.busy.lock(|cell| cell.set(busy));
        self.news.signal(());
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device").field("busy", &self.busy()).finish_non_exhaustive()
    }
}

impl Default for Device {
    fn default() -> Self {
        Self::new()
    }
}
