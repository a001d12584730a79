//! What the tasks of a device share, and its capacities.
use crate::{
    frame::{Frame, WIDTH},
    keys::Press,
    sound::Sound,
    table::Table,
};
use core::{
    cell::Cell,
    fmt,
    sync::atomic::{AtomicBool, AtomicU16, AtomicU32, Ordering},
};
use corvid_core::{console::INTERRUPT, session::Progress};
use embassy_sync::{
    blocking_mutex::{Mutex as Guarded, raw::CriticalSectionRawMutex as Raw},
    channel::Channel,
    mutex::{Mutex, MutexGuard},
    pipe::Pipe,
    signal::Signal,
};
use embassy_time::Instant;

/// Whether this image can have comforts, see [`Profile::comforts`](crate::profile::Profile): where it
/// can't, the compiler leaves them out.
pub(crate) const COMFORTS: bool = cfg!(not(feature = "lm3s6965evb"));

/// Key presses queued for the screen: more than a person can press while a frame is drawn.
pub const KEY_CAPACITY: usize = 8;

/// Bytes from the serial port buffered during a search: lines sent ahead.
pub const INPUT_CAPACITY: usize = 896;

/// Bytes of answers buffered for the serial port; the console waits when it is full.
pub const OUTPUT_CAPACITY: usize = 256;

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thought {
    /// When it started.
    pub begun: Instant,
    /// The completed depth in plies; 0 before the first report.
    pub depth: u8,
    /// For the player to move: points at the end if `exact`, else hundredths of a point.
    pub score: i16,
    /// Whether the score is proven.
    pub exact: bool,
    /// Nodes searched.
    pub nodes: u32,
    /// How much of the budget is used, in hundredths.
    pub percent: u8,
}

impl Thought {
    /// No progress yet.
    pub const fn new(begun: Instant) -> Self {
        Self { begun, depth: 0, score: 0, exact: false, nodes: 0, percent: 0 }
    }

    /// Updated with a report of the search.
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
    /// Waiting, or answering a line.
    Idle,
    /// It has been at a line of the serial port for a while.
    Serial,
    /// It thinks for the game at the keys.
    Thinking(Thought),
}

/// Whether somebody at the device allows what a command of the serial port would destroy or end.
/// While the question is on the screen, it counts the keys' polls down to [`REFUSED`](Self::REFUSED).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Permit(pub(crate) u16);

impl Permit {
    /// Nobody is asked.
    pub(crate) const UNASKED: Self = Self(0);
    /// A real key was pressed.
    pub(crate) const GIVEN: Self = Self(1);
    /// None was, in time.
    pub(crate) const REFUSED: Self = Self(2);

    /// Whether the question is on the screen.
    pub(crate) const fn is_asked(self) -> bool {
        self.0 > Self::REFUSED.0
    }
}

/// A request of thread mode for a page of the screen, and the reply.
#[derive(Debug, Clone, Copy)]
enum Peek {
    Nothing,
    /// The page with this index is requested.
    Wanted(usize),
    /// The contents of a page.
    Page(usize, [u8; WIDTH]),
}

/// What the tasks of a device share. A board keeps one in a static.
/// Thread mode may block on the table, the tasks above it must not: they never hold it across an
/// await, so thread mode always finds it free.
pub struct Device {
    /// From [`keys`](crate::keys) to [`ui`](crate::ui).
    pub(crate) keys: Channel<Raw, Press, KEY_CAPACITY>,
    /// From [`serial`](crate::serial) to [`brain`](crate::brain).
    pub(crate) input: Pipe<Raw, INPUT_CAPACITY>,
    /// From [`brain`](crate::brain) to [`serial`](crate::serial).
    pub(crate) output: Pipe<Raw, OUTPUT_CAPACITY>,
    table: Mutex<Raw, Table>,
    /// To the brain: the table has changed, there may be work.
    pub(crate) work: Signal<Raw, ()>,
    /// To the screen: the table has changed or the search has made progress.
    pub(crate) news: Signal<Raw, ()>,
    /// From [`ui`](crate::ui) to [`sound`](crate::sound).
    pub(crate) sounds: Signal<Raw, Sound>,
    busy: Guarded<Raw, Cell<Busy>>,
    peek: Guarded<Raw, Cell<Peek>>,
    /// Asked by [`console`](crate::console), answered by [`keys`](crate::keys).
    permit: AtomicU16,
    /// Ctrl-Cs received on the serial port, and those that the console has processed. While they
    /// differ, the running command is to be aborted.
    interrupts: AtomicU32,
    heeded: AtomicU32,
    halted: AtomicBool,
}

impl Device {
    /// A device after power-on, with or without comforts.
    pub fn new(comforts: bool) -> Self {
        Self {
            keys: Channel::new(),
            input: Pipe::new(),
            output: Pipe::new(),
            table: Mutex::new(Table::new(comforts)),
            work: Signal::new(),
            news: Signal::new(),
            sounds: Signal::new(),
            busy: Guarded::new(Cell::new(Busy::Idle)),
            peek: Guarded::new(Cell::new(Peek::Nothing)),
            permit: AtomicU16::new(Permit::UNASKED.0),
            interrupts: AtomicU32::new(0),
            heeded: AtomicU32::new(0),
            halted: AtomicBool::new(false),
        }
    }

    /// The table, for a task above thread mode. Not to be held across an await.
    pub fn table(&self) -> impl Future<Output = MutexGuard<'_, Raw, Table>> {
        self.table.lock()
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

    /// The page of the screen with this index, for thread mode. `None` until the screen's task has
    /// replied; poll again.
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

    /// Answers thread mode's request for a page.
    pub(crate) fn show_peek(&self, frame: &Frame) {
        self.peek.lock(|cell| {
            if let Peek::Wanted(page) = cell.get()
                && let Some(columns) = frame.pages().get(page)
            {
                cell.set(Peek::Page(page, *columns));
            }
        });
    }

    /// Whether somebody at the device allows a command.
    pub(crate) fn permit(&self) -> Permit {
        Permit(self.permit.load(Ordering::Relaxed))
    }

    pub(crate) fn set_permit(&self, permit: Permit) {
        self.permit.store(permit.0, Ordering::Relaxed);
    }

    /// Counts the Ctrl-Cs among received bytes, ahead of the console.
    pub(crate) fn hear(&self, bytes: &[u8]) {
        let count = bytes.iter().filter(|byte| **byte == INTERRUPT).count() as u32;
        add(&self.interrupts, count);
    }

    /// The console has processed a Ctrl-C.
    pub(crate) fn heed(&self) {
        add(&self.heeded, 1);
    }

    /// Whether a Ctrl-C is pending.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupts.load(Ordering::Relaxed) != self.heeded.load(Ordering::Relaxed)
    }

    /// Stops every search from now on: a simulated device has been switched off.
    pub fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    /// Tells screen and thread mode that the table has changed.
    pub fn announce(&self) {
        self.news.signal(());
        self.work.signal(());
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
        Self::new(true)
    }
}

/// Adds to a counter that only one task writes: some cores have no atomic add.
fn add(counter: &AtomicU32, count: u32) {
    counter.store(counter.load(Ordering::Relaxed).wrapping_add(count), Ordering::Relaxed);
}
