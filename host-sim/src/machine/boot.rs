//! The application on a board, and the functions through which its thinking calls back.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use corvid_core::engine::Engine;
use corvid_core::games::adjacency::Adjacency;
use corvid_core::games::blokus::{Classic, Duo};
use corvid_core::games::dots::Dots;
use corvid_core::games::othello::Othello;
use corvid_core::setup::GameKind;
use corvid_firmware::app::Device;
use corvid_firmware::brain::{Brain, Keeper};
use corvid_firmware::frame::Frame;
use corvid_firmware::health::{self, Cause, RECORD};
use corvid_firmware::panel::Target;
use corvid_firmware::ssd1306::Ssd1306;
use corvid_firmware::store::{Region, Store};
use corvid_firmware::{console, keys, serial, ui};
use embassy_futures::{block_on, poll_once};

use super::{Board, Next, Plan, World};
use crate::clock;
use crate::flash::{Flash, SIZE};
use crate::parts::{GreyDisplay, Nowhere, Parts, Rx, Ssd1306Bus, Tx};

/// Why the application stops.
#[derive(Debug)]
pub(super) enum End {
    Off,
    Restart,
    Replace(Flash),
    /// The device starts again by itself; it keeps its power.
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
    /// When the world wants to be called.
    due: Cell<u64>,
    /// Set when the device has stopped: nothing that the brain does from then on counts.
    end: RefCell<Option<End>>,
    /// Microseconds of work done that the clock does not show yet.
    owed: Cell<u64>,
    /// What a look at the clock stands for in the game that is played.
    cost: Cell<u64>,
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
        let device = Rc::new(Device::new());
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
        })
    }

    /// Runs to the end; also gives when the world wants to be called next.
    pub(super) fn live(self: Rc<Self>, plan: &Plan, cause: Cause) -> (End, u64) {
        health::started(cause, &[0; RECORD]);
        let _current = Current::set(&self);
        if cause == Cause::Power {
            self.call_world();
        }
        self.poll_tasks();
        if plan.board.saves() {
            let mut store = Store::new(Region::new(plan.flash.clone(), 0, SIZE));
            block_on(store.open());
            self.think(plan, store);
        } else {
            self.think(plan, ());
        }
        (self.end.take().unwrap_or(End::Off), self.due.get())
    }

    fn think(&self, plan: &Plan, keeper: impl Keeper) {
        let mut brain = Brain::new(look, keeper);
        if let Some(seed) = plan.seed {
            brain.seed(seed);
        }
        brain.lend(vec![0; plan.memory].leak());
        brain.set_board(console::Board { name: plan.board.name(), reboot, bootsel: None });
        brain.restore(&self.device, idle);
        while self.is_on() {
            brain.step(&self.device, idle);
            self.wait(Some(clock::micros() + STEP_MICROS));
        }
    }

    fn is_on(&self) -> bool {
        self.end.borrow().is_none()
    }

    /// Lets time pass until a moment, or else until a task has run: like an interrupt, which ends a
    /// board's sleep. Returns at once when the device has stopped.
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

    /// Lets every task go as far as it can without time passing. False if none was woken.
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

    /// Stops the device: its tasks are gone, its answers go nowhere, and its thinking ends soon.
    fn stop(&self, end: End) {
        let device = self.device.clone();
        let drain: Task = Box::pin(async move {
            serial::send(&device, &mut Nowhere).await;
        });
        *self.tasks.borrow_mut() = vec![drain];
        self.woken.0.store(true, Ordering::Relaxed);
        *self.end.borrow_mut() = Some(end);
    }

    /// A look of a search at the clock: some positions were searched since the last, and those take
    /// as long as on a board.
    fn look(&self) -> u64 {
        if !self.is_on() {
            self.device.stop_thinking();
            self.owed.set(self.owed.get().saturating_add(LEAP_MICROS));
            return clock::micros().saturating_add(self.owed.get());
        }
        if let Poll::Ready(table) = poll_once(self.device.table()) {
            self.cost.set(look_micros(table.game().setup().kind()));
        }
        self.owed.set(self.owed.get() + self.cost.get());
        if self.owed.get() >= GRAIN_MICROS {
            self.wait(Some(clock::micros() + self.owed.take()));
        }
        clock::micros() + self.owed.get()
    }
}

/// What runs on interrupts on a board.
fn tasks(board: Board, parts: &Parts, device: &Rc<Device>) -> Vec<Task> {
    let buttons = parts.keys.buttons();
    let glass = parts.glass.clone();
    let rx = Rx(parts.cable.clone());
    let tx = Tx { cable: parts.cable.clone(), byte_micros: board.byte_micros() };
    let [keys, screen, serial] = [(); 3].map(|()| device.clone());
    vec![
        Box::pin(async move { keys::run(&keys, buttons).await }),
        Box::pin(async move {
            let mut frame = Frame::DARK;
            let frame = &mut frame;
            match board {
                Board::Pico => ui::run(&screen, frame, Ssd1306::new(Ssd1306Bus::new(glass))).await,
                Board::Lm3s6965evb => {
                    ui::run(&screen, frame, Target::new(GreyDisplay::new(glass))).await
                }
            }
        }),
        Box::pin(async move { serial::run(&serial, rx, tx).await }),
    ]
}

thread_local! {
    /// For the functions that the brain calls back.
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

/// Lets time pass for a part that stops the brain, if a machine runs. False if the device was
/// stopped before or in that time.
pub(crate) fn spend(micros: u64) -> bool {
    current().is_none_or(|boot| {
        boot.wait(Some(clock::micros() + micros));
        boot.is_on()
    })
}

/// What a step takes beside thinking: so even bots that need no time leave some to the screen.
const STEP_MICROS: u64 = 500;

/// Work is handed in when it is worth that many microseconds; the keys are looked at as often.
const GRAIN_MICROS: u64 = 5_000;

/// What a look at the clock takes when the device has stopped: whatever has a limit is over at once.
const LEAP_MICROS: u64 = 1 << 40;

/// Positions between two looks of a search at the clock.
const NODES_PER_LOOK: u64 = 16;

/// The most that a look at the clock is charged with.
const LOOK_MICROS: u64 = 50_000;

/// What a board needs for the positions between two looks at the clock.
fn look_micros(kind: GameKind) -> u64 {
    let nodes_per_second = match kind {
        GameKind::Othello => Othello::NODES_PER_BOARD_SECOND,
        GameKind::Adjacency => Adjacency::NODES_PER_BOARD_SECOND,
        GameKind::Dots => Dots::NODES_PER_BOARD_SECOND,
        GameKind::BlokusDuo => Duo::NODES_PER_BOARD_SECOND,
        GameKind::BlokusClassic => Classic::NODES_PER_BOARD_SECOND,
    };
    (NODES_PER_LOOK * 1_000_000 / nodes_per_second).min(LOOK_MICROS)
}
