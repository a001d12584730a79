//! The application on a board, and the functions through which its search calls back.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use corvid_core::engine::Opponent;
use corvid_core::registry::GameKind;
use corvid_firmware::app::Device;
use corvid_firmware::brain::{Brain, Keeper};
use corvid_firmware::frame::Frame;
use corvid_firmware::health::{self, Cause, RECORD};
use corvid_firmware::oled::OledModule;
use corvid_firmware::panel::Target;
use corvid_firmware::store::{Region, Store};
use corvid_firmware::table::Errand;
use corvid_firmware::{console, keys, serial, sound, ui};
use embassy_futures::{block_on, poll_once};

use super::{Board, Next, Plan, World};
use crate::clock;
use crate::flash::{Flash, SIZE};
use crate::parts::{GreyDisplay, Nowhere, OledBus, Parts, Rx, Tx};

/// Why the application stops.
#[derive(Debug)]
pub(super) enum End {
    Off,
    Restart,
    Replace(Flash),
    /// The device restarts by itself, without losing power.
    Reboot,
}

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// The application on a board, from one start to the next.
pub(super) struct Boot {
    parts: Parts,
    device: Rc<Device>,
    /// What runs on interrupts.
    tasks: RefCell<Vec<Task>>,
    woken: Arc<Woken>,
    world: Rc<RefCell<dyn World>>,
    /// When the world is due.
    due: Cell<u64>,
    /// Set when the device has stopped: whatever the brain does from then on is ignored.
    end: RefCell<Option<End>>,
    /// Microseconds of work not yet added to the clock.
    owed: Cell<u64>,
    /// The time that one poll of the clock accounts for in the current game.
    cost: Cell<u64>,
    /// The board's, in percent of the LM3S6965's.
    speed: u64,
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Boot {
    pub(super) fn start(
        plan: &Plan,
        parts: &Parts,
        world: Rc<RefCell<dyn World>>,
        due: u64,
    ) -> Rc<Self> {
        let device = Rc::new(Device::new(plan.board.profile().comforts));
        Rc::new(Self {
            parts: parts.clone(),
            tasks: RefCell::new(tasks(plan.board, parts, &device)),
            device,
            woken: Arc::new(Woken(AtomicBool::new(true))),
            world,
            due: Cell::new(due),
            end: RefCell::new(None),
            owed: Cell::new(0),
            cost: Cell::new(0),
            speed: plan.board.profile().speed.into(),
        })
    }

    fn is_on(&self) -> bool {
        self.end.borrow().is_none()
    }

    /// Lets time pass until a given time, or else until a task has run, like an interrupt that
    /// wakes a board. Returns at once when the device has stopped.
    fn wait(&self, until: Option<u64>) {
        loop {
            let polled = self.poll_tasks();
            let now = clock::micros();
            if !self.is_on() || until.map_or(polled, |until| until <= now) {
                return;
            }
            let next = clock::next_alarm().min(until.unwrap_or(u64::MAX));
            if next > self.due.get() {
                clock::advance_to(self.due.get());
                self.call_world();
            } else {
                clock::advance_to(next);
            }
        }
    }

    /// Runs every task as far as it can without time passing. False if none was woken.
    fn poll_tasks(&self) -> bool {
        let waker = Waker::from(self.woken.clone());
        let mut context = Context::from_waker(&waker);
        let mut polled = false;
        while self.woken.0.swap(false, Ordering::Relaxed) {
            polled = true;
            for task in &mut *self.tasks.borrow_mut() {
                let _ = task.as_mut().poll(&mut context);
            }
        }
        polled
    }

    fn call_world(&self) {
        let now = clock::micros();
        let next = self.world.borrow_mut().moment(now, &self.parts);
        let end = match next {
            Next::At(at) => return self.due.set(at.max(now + 1)),
            Next::Restart => End::Restart,
            Next::Replace(flash) => End::Replace(flash),
            Next::Off => End::Off,
        };
        self.parts.glass.darken();
        self.parts.cable.clear();
        self.stop(end);
    }

    /// Stops the device: its tasks are dropped, its answers are discarded, and its search ends
    /// soon. A stopped device stays stopped, whatever its brain still asks for.
    fn stop(&self, end: End) {
        if !self.is_on() {
            return;
        }
        let device = self.device.clone();
        let drain: Task = Box::pin(async move {
            serial::send(&device, &mut Nowhere).await;
        });
        *self.tasks.borrow_mut() = vec![drain];
        self.woken.0.store(true, Ordering::Relaxed);
        *self.end.borrow_mut() = Some(end);
    }

    /// A search polls the clock: the nodes searched since the last poll are charged the time that
    /// they take on a board.
    fn look(&self) -> u64 {
        if !self.is_on() {
            self.device.halt();
            self.owed.set(self.owed.get().saturating_add(LEAP_MICROS));
            return clock::micros().saturating_add(self.owed.get());
        }
        if let Poll::Ready(table) = poll_once(self.device.table()) {
            let bot = matches!(
                table.errand(),
                Some(Errand::Move(Opponent::Bot(_)) | Errand::Hint(Opponent::Bot(_)))
            );
            let searched = look_micros(table.game().kind(), self.speed);
            self.cost.set(if bot { BOT_MICROS } else { searched });
        }
        self.owed.set(self.owed.get() + self.cost.get());
        if self.owed.get() >= GRAIN_MICROS {
            self.wait(Some(clock::micros() + self.owed.take()));
        }
        clock::micros() + self.owed.get()
    }
}

/// A boot and its brain.
pub(super) struct Life {
    boot: Rc<Boot>,
    /// A step of the brain, which is of another type on a board that saves.
    step: Box<dyn FnMut()>,
    _current: Current,
}

impl Life {
    /// Starts the application. The world may end it before its first step.
    pub(super) fn start(plan: &Plan, boot: Rc<Boot>, cause: Cause) -> Self {
        health::started(cause, &[0; RECORD]);
        let current = Current::set(&boot);
        if cause == Cause::Power {
            boot.call_world();
        }
        boot.poll_tasks();
        let step = if plan.board.saves() {
            let mut store = Store::new(Region::new(plan.flash.clone(), 0, SIZE));
            block_on(store.open());
            brain(plan, &boot, store)
        } else {
            brain(plan, &boot, ())
        };
        Self { boot, step, _current: current }
    }

    /// A step of the brain and the wait after it; false if the device has stopped.
    pub(super) fn step(&mut self) -> bool {
        if !self.boot.is_on() {
            return false;
        }
        (self.step)();
        self.boot.wait(Some(clock::micros() + STEP_MICROS));
        true
    }

    /// Why it has stopped, and when the world is due next.
    pub(super) fn end(self) -> (End, u64) {
        (self.boot.end.take().unwrap_or(End::Off), self.boot.due.get())
    }
}

/// The brain of a boot, as a function that does one step.
fn brain(plan: &Plan, boot: &Rc<Boot>, keeper: impl Keeper + 'static) -> Box<dyn FnMut()> {
    let board = console::Board::simulated(&plan.board.profile(), reboot);
    // The brain keeps its memory forever, as on a board: the next start uses other memory.
    let mut brain = Brain::new(board, look, vec![0; plan.memory].leak(), keeper);
    if let Some(seed) = plan.seed {
        brain.seed(seed);
    }
    let device = boot.device.clone();
    brain.restore(&device, idle);
    Box::new(move || brain.step(&device, idle))
}

/// What runs on interrupts on a board.
fn tasks(board: Board, parts: &Parts, device: &Rc<Device>) -> Vec<Task> {
    let buttons = parts.keys.buttons();
    let glass = parts.glass.clone();
    let bus = OledBus::new(parts);
    let rx = Rx(parts.cable.clone());
    let tx = Tx { cable: parts.cable.clone(), byte_micros: board.byte_micros() };
    let [keys, screen, serial] = [(); 3].map(|()| device.clone());
    let mut tasks: Vec<Task> = vec![
        Box::pin(async move { keys::run(&keys, buttons).await }),
        Box::pin(async move {
            let mut frame = Frame::DARK;
            let frame = &mut frame;
            match board {
                Board::Pico => ui::run(&screen, frame, OledModule::new(bus)).await,
                Board::Lm3s6965evb => {
                    ui::run(&screen, frame, Target::new(GreyDisplay::new(glass))).await
                }
            }
        }),
        Box::pin(async move { serial::run(&serial, rx, tx).await }),
    ];
    if board.sounds() {
        let (device, piezo) = (device.clone(), parts.piezo.clone());
        tasks.push(Box::pin(async move { sound::run(&device, piezo).await }));
    }
    tasks
}

thread_local! {
    /// For the callbacks of the brain.
    static CURRENT: RefCell<Option<Rc<Boot>>> = const { RefCell::new(None) };
}

/// Makes a boot the current one as long as it lives.
struct Current;

impl Current {
    fn set(boot: &Rc<Boot>) -> Self {
        CURRENT.set(Some(boot.clone()));
        Self
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        CURRENT.set(None);
    }
}

fn current() -> Option<Rc<Boot>> {
    CURRENT.with_borrow(Clone::clone)
}

fn look() -> u64 {
    current().map_or(0, |boot| boot.look())
}

fn idle() {
    if let Some(boot) = current() {
        boot.wait(None);
    }
}

fn reboot() {
    if let Some(boot) = current() {
        boot.stop(End::Reboot);
    }
}

/// Lets time pass for a part that blocks the brain, if a machine runs. False if the device was
/// stopped before or during that time.
pub(crate) fn spend(micros: u64) -> bool {
    current().is_none_or(|boot| {
        boot.wait(Some(clock::micros() + micros));
        boot.is_on()
    })
}

/// The time of a step besides the search, so that even bots that take no time leave some to the
/// screen.
const STEP_MICROS: u64 = 500;

/// Work is added to the clock in units of so many microseconds, the polling interval of the keys.
const GRAIN_MICROS: u64 = 5_000;

/// The time charged for polling the clock when the device has stopped: anything with a deadline
/// ends at once.
const LEAP_MICROS: u64 = 1 << 40;

/// Nodes between two polls of the clock.
const NODES_PER_LOOK: u64 = 16;

/// What a bot takes between two looks at the clock, about: it counts smaller things than positions.
pub const BOT_MICROS: u64 = 1_000;

/// The most that a look at the clock is charged with.
const LOOK_MICROS: u64 = 50_000;

/// What a board of this speed, in percent of the LM3S6965's, needs for the positions between two looks
/// at the clock, in microseconds.
pub fn look_micros(kind: GameKind, speed: u64) -> u64 {
    let nodes_per_second = kind.nodes_per_board_second() * speed / 100;
    (NODES_PER_LOOK * 1_000_000 / nodes_per_second).min(LOOK_MICROS)
}
