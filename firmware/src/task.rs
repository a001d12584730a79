//! A task of the thinker as the device runs it: watched, so that a key, a Ctrl-C or a change of the
//! game ends it, and with the serial port answered meanwhile.
use crate::{
    app::{Busy, Device, Thought},
    console::Line,
    table::Ticket,
};
use core::{
    cell::{Cell, RefCell},
    sync::atomic::{AtomicBool, Ordering},
};
use corvid_core::{
    desk::ClockFn,
    search::budget::Clock,
    session::Progress,
    thinker::{Answer, NoAnswer, Task, Thinker, Watch},
};
use embassy_time::Instant;

/// How often other events are polled, in microseconds. A search polls the clock far more often.
const LOOK_MICROS: u64 = 5_000;

/// After so many microseconds the screen says that the serial port is at work.
const PATIENCE_MICROS: u64 = 500_000;

/// Who watches a task.
pub(crate) struct Watched<'a> {
    pub(crate) device: &'a Device,
    pub(crate) idle: fn(),
    pub(crate) clock: ClockFn,
    /// The task's.
    pub(crate) ticket: Ticket,
    /// The serial line, if it is served meanwhile: not when the task is the line's own.
    pub(crate) line: Option<&'a mut Line>,
    /// Whether a contest's host waits: the answer has a deadline and can't be aborted.
    pub(crate) contest: bool,
}

impl Watched<'_> {
    /// Runs a task.
    pub(crate) fn think(
        self,
        thinker: &mut Thinker<'_>,
        task: &Task,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Answer, NoAnswer> {
        let Self { device, idle, clock, ticket, line, contest } = self;
        let task_clock = TaskClock {
            device,
            idle,
            ticket,
            clock,
            contest,
            line: RefCell::new(line),
            next: Cell::new(0),
            begun: clock(),
            stop: AtomicBool::new(false),
        };
        // The game at the keys shows how far it is; a line of the serial port has its own answer.
        let shown = task_clock.line.borrow().is_some();
        let mut thought = Thought::new(Instant::now());
        if shown {
            device.set_busy(Busy::Thinking(thought));
        }
        let watch = Watch { clock: &task_clock, stop: &task_clock.stop };
        let answer = thinker.think(task, watch, &mut |progress| {
            if shown {
                thought = thought.with(progress);
                device.set_busy(Busy::Thinking(thought));
            }
            report(progress);
        });
        if device.table_now(idle).end_task() {
            device.announce();
        }
        if device.busy() != Busy::Idle {
            device.set_busy(Busy::Idle);
        }
        answer
    }
}

/// The clock of one task. Polling it lets the rest of the device run.
struct TaskClock<'a> {
    device: &'a Device,
    idle: fn(),
    ticket: Ticket,
    clock: ClockFn,
    contest: bool,
    line: RefCell<Option<&'a mut Line>>,
    begun: u64,
    /// When to look around again.
    next: Cell<u64>,
    stop: AtomicBool,
}

impl Clock for TaskClock<'_> {
    fn micros(&self) -> u64 {
        let now = (self.clock)();
        if now >= self.next.get() {
            self.next.set(now + LOOK_MICROS);
            self.look_around(now);
        }
        now
    }
}

impl TaskClock<'_> {
    /// Not inlined, and rarely called: it runs on top of a search's stack.
    #[inline(never)]
    fn look_around(&self, now: u64) {
        let mut table = self.device.table_now(self.idle);
        if table.check_clock() {
            self.device.announce();
        }
        let ended = table.is_hurried(self.ticket) || !table.is_current(self.ticket);
        drop(table);
        let ended = ended || self.device.is_interrupted();
        if ended && !self.contest || self.device.is_halted() {
            self.stop.store(true, Ordering::Relaxed);
        }
        if now > self.begun + PATIENCE_MICROS && self.device.busy() == Busy::Idle {
            self.device.set_busy(Busy::Serial);
        }
        // Answering looks at the clock as well.
        if let Ok(mut line) = self.line.try_borrow_mut()
            && let Some(line) = line.as_mut()
        {
            if !line.serve(self.device, self.idle, None) {
                line.idle(self.device, self.idle);
            }
            if line.wants_restart() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// The result of a task of the serial line itself: none if it was aborted.
pub(crate) fn unless_stopped(
    device: &Device,
    idle: fn(),
    ticket: Ticket,
    answer: Result<Answer, NoAnswer>,
) -> Result<Answer, NoAnswer> {
    let table = device.table_now(idle);
    let stopped = table.is_hurried(ticket) || !table.is_current(ticket) || device.is_interrupted();
    if stopped { Err(NoAnswer::Stopped) } else { answer }
}
