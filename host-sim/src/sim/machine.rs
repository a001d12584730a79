//! A simulated board that runs the device's application.
//!
//! On a board, keys, screen and serial port run on interrupts above the thinking. Here they are
//! futures, polled whenever the device's clock has moved, and the thinking has a thread of its own
//! that asks for the time it needs. At any moment one of the two runs, so that a run is the same
//! every time, on every machine.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use corvid::device_time;
use corvid_core::engine::{BOARD_SLOTS, Engine};
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

use super::flash::{Flash, SIZE};
use super::parts::{Cable, Glass, GreyDisplay, Keys, Rx, Ssd1306Bus, Tx};

/// The boards that can be simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Board {
    /// Raspberry Pi Pico: SSD1306 display, USB, games are saved.
    Pico,
    /// TI LM3S6965 evaluation board: grey display, UART, nothing is saved.
    Lm3s6965evb,
}

impl Board {
    /// What its maker calls it.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Pico => "Raspberry Pi Pico",
            Self::Lm3s6965evb => "TI LM3S6965EVB",
        }
    }

    /// The name that it answers to on its serial port.
    const fn name(self) -> &'static str {
        match self {
            Self::Pico => "pico",
            Self::Lm3s6965evb => "lm3s6965evb",
        }
    }

    /// Whether it can write to its flash.
    pub(crate) const fn saves(self) -> bool {
        matches!(self, Self::Pico)
    }

    /// What a byte to its serial port takes: 10 bits at 115200 baud on a UART.
    const fn byte_micros(self) -> u64 {
        match self {
            Self::Pico => 0,
            Self::Lm3s6965evb => 87,
        }
    }
}

/// What a machine is made of.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) board: Board,
    /// What the board saves to, if it can.
    pub(crate) flash: Flash,
    /// For the random choices of bots and levels.
    pub(crate) seed: Option<u64>,
    /// How long thinking may stay away in the machine's time before the device's time goes on
    /// without it. Thinking reports all the time; counting moves for a `perft` does not.
    pub(crate) patience: Duration,
}

/// Why a machine can't go on.
pub(crate) const DIED: &str = "the simulated device has crashed; please report this as a bug";

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// A board with its power on.
pub(crate) struct Machine {
    pub(crate) keys: Keys,
    pub(crate) glass: Glass,
    pub(crate) cable: Cable,
    plan: Plan,
    tasks: Vec<Task>,
    woken: Arc<Woken>,
    brain: Reins,
}

impl Machine {
    /// Switches a board on. There is one at a time: it runs by the clock of this program.
    pub(crate) fn start(plan: Plan) -> Self {
        let (keys, glass, cable) = (Keys::default(), Glass::new(), Cable::default());
        health::started(Cause::Power, &[0; RECORD]);
        let (tasks, brain) = boot(&plan, &keys, &glass, &cable);
        let woken = Arc::new(Woken(AtomicBool::new(true)));
        Self { keys, glass, cable, plan, tasks, woken, brain }
    }

    /// Switches it off and on, with a new flash or the old one.
    pub(crate) fn restart(&mut self, new: bool) {
        if new {
            self.plan.flash = Flash::new();
        }
        self.glass.darken();
        self.cable.clear();
        self.boot(Cause::Power);
    }

    fn boot(&mut self, cause: Cause) {
        health::started(cause, &[0; RECORD]);
        (self.tasks, self.brain) = boot(&self.plan, &self.keys, &self.glass, &self.cable);
        self.woken.0.store(true, Ordering::Relaxed);
    }

    /// Lets the device run until its clock shows `end`, in microseconds.
    pub(crate) fn run_until(&mut self, end: u64) -> Result<(), &'static str> {
        loop {
            let now = device_time::micros();
            if self.poll_tasks() && self.brain.state == State::Idle {
                // Like an interrupt, which ends a board's sleep.
                self.brain.state = State::Until(now);
            }
            let mut next = device_time::next_alarm();
            match self.brain.state {
                State::Working | State::Away => {
                    if self.brain.listen(self.plan.patience)? {
                        continue;
                    }
                }
                State::Rebooting => {
                    self.boot(Cause::Program);
                    continue;
                }
                State::Until(at) if at <= now => {
                    self.brain.go_on()?;
                    continue;
                }
                State::Until(at) => next = next.min(at),
                State::Idle => {}
            }
            if next > end {
                device_time::advance_to(end);
                return Ok(());
            }
            device_time::advance_to(next);
        }
    }

    /// Lets every task go as far as it can without time passing. False if none was woken.
    fn poll_tasks(&mut self) -> bool {
        let waker = Waker::from(self.woken.clone());
        let mut context = Context::from_waker(&waker);
        let mut polled = false;
        while self.woken.0.swap(false, Ordering::Relaxed) {
            polled = true;
            for task in &mut self.tasks {
                let _ = task.as_mut().poll(&mut context);
            }
        }
        polled
    }
}

/// Starts the application on the parts of a board.
fn boot(plan: &Plan, keys: &Keys, glass: &Glass, cable: &Cable) -> (Vec<Task>, Reins) {
    // Both live as long as the device, which nobody outlives; a restart leaves them behind.
    let device: &'static Device = Box::leak(Box::new(Device::new()));
    let frame: &'static mut Frame = Box::leak(Box::new(Frame::DARK));
    let buttons = keys.buttons();
    let screen: Task = match plan.board {
        Board::Pico => {
            let panel = Ssd1306::new(Ssd1306Bus::new(glass.clone()));
            Box::pin(async move { ui::run(device, frame, panel).await })
        }
        Board::Lm3s6965evb => {
            let panel = Target::new(GreyDisplay::new(glass.clone()));
            Box::pin(async move { ui::run(device, frame, panel).await })
        }
    };
    let rx = Rx(cable.clone());
    let tx = Tx { cable: cable.clone(), byte_micros: plan.board.byte_micros() };
    let tasks: Vec<Task> = vec![
        Box::pin(async move { keys::run(device, buttons).await }),
        screen,
        Box::pin(async move { serial::run(device, rx, tx).await }),
    ];
    (tasks, Reins::start(device, plan.clone()))
}

/// Thinks until the device is switched off.
fn think(device: &'static Device, plan: &Plan, keeper: impl Keeper) {
    let mut brain = Brain::new(clock, keeper);
    if let Some(seed) = plan.seed {
        brain.seed(seed);
    }
    brain.lend(vec![0; BOARD_SLOTS].leak());
    let reboot = || ask(Request::Reboot);
    brain.set_board(console::Board { name: plan.board.name(), reboot, bootsel: None });
    brain.restore(device, idle);
    loop {
        brain.step(device, idle);
        spend(STEP_MICROS);
    }
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What the thinking asks for.
enum Request {
    /// Microseconds to pass.
    Spend(u64),
    /// Something to happen.
    Idle,
    /// The board to start again.
    Reboot,
}

/// What the thinking does, as the machine knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It runs, and will ask for something soon.
    Working,
    /// It was not heard of for a while.
    Away,
    /// It goes on at this time.
    Until(u64),
    /// It goes on when something happens.
    Idle,
    /// It wants the board to start again.
    Rebooting,
}

/// The machine's end of the thinking.
struct Reins {
    state: State,
    requests: Receiver<Request>,
    go: Sender<()>,
}

impl Reins {
    /// Starts the thinking in a thread. The thread ends when it asks for something and the reins
    /// are gone.
    fn start(device: &'static Device, plan: Plan) -> Self {
        let (to_machine, requests) = channel();
        let (go, from_machine) = channel();
        let link = Link {
            requests: to_machine,
            go: from_machine,
            device,
            owed: Cell::new(0),
            cost: Cell::new(0),
        };
        thread::spawn(move || {
            LINK.set(Some(link));
            if plan.board.saves() {
                let mut store = Store::new(Region::new(plan.flash.clone(), 0, SIZE));
                block_on(store.open());
                think(device, &plan, store);
            } else {
                think(device, &plan, ());
            }
        });
        Self { state: State::Working, requests, go }
    }

    /// Waits for what the thinking asks for; false if it stays away.
    fn listen(&mut self, patience: Duration) -> Result<bool, &'static str> {
        let patience = if self.state == State::Away { Duration::ZERO } else { patience };
        let (state, heard) = match self.requests.recv_timeout(patience) {
            Ok(Request::Spend(micros)) => (State::Until(device_time::micros() + micros), true),
            Ok(Request::Idle) => (State::Idle, true),
            Ok(Request::Reboot) => (State::Rebooting, true),
            Err(RecvTimeoutError::Timeout) => (State::Away, false),
            Err(RecvTimeoutError::Disconnected) => return Err(DIED),
        };
        self.state = state;
        Ok(heard)
    }

    fn go_on(&mut self) -> Result<(), &'static str> {
        self.state = State::Working;
        self.go.send(()).map_err(|_| DIED)
    }
}

/// The thinking's end.
struct Link {
    requests: Sender<Request>,
    go: Receiver<()>,
    device: &'static Device,
    /// Microseconds of work done that the clock does not show yet.
    owed: Cell<u64>,
    /// What a look at the clock stands for in the game that is played.
    cost: Cell<u64>,
}

thread_local! {
    static LINK: RefCell<Option<Link>> = const { RefCell::new(None) };
}

/// What a step takes beside thinking: so even bots that need no time leave some to the screen.
const STEP_MICROS: u64 = 500;

/// Work is handed in when it is worth that many microseconds; the keys are looked at as often.
const GRAIN_MICROS: u64 = 5_000;

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

/// The clock that searches look at: a look means that some positions were searched since the last,
/// and those take as long as on a board.
fn clock() -> u64 {
    let now = |link: &Link| {
        if let Poll::Ready(table) = poll_once(link.device.table()) {
            link.cost.set(look_micros(table.game().setup().kind()));
        }
        link.owed.set(link.owed.get() + link.cost.get());
        if link.owed.get() >= GRAIN_MICROS {
            link.ask(Request::Spend(link.owed.take()));
        }
        device_time::micros() + link.owed.get()
    };
    LINK.with_borrow(|link| link.as_ref().map_or(0, now))
}

fn idle() {
    ask(Request::Idle);
}

/// Lets time pass for whoever works in the thinking's thread.
pub(super) fn spend(micros: u64) {
    ask(Request::Spend(micros));
}

fn ask(request: Request) {
    LINK.with_borrow(|link| {
        if let Some(link) = link {
            link.ask(request);
        }
    });
}

impl Link {
    /// Asks for something and waits for it. If the device was switched off, the thinking ends here.
    fn ask(&self, request: Request) {
        let answer = self.requests.send(request).ok().and_then(|()| self.go.recv().ok());
        if answer.is_none() {
            std::panic::resume_unwind(Box::new("switched off"));
        }
    }
}
