//! What all boards share: their statics, their tasks and their start.
//!
//! A board's file defines `ThisBoard`, its [`Hardware`], and a module `executors` with
//! `fn start() -> Executors`, which the macro `run_on!` makes where there is a HAL.
//!
//! | priority | runs |
//! |---|---|
//! | highest | interrupts of drivers and of the clock |
//! | [`KEYS`] | keys, watchdog |
//! | [`REST`] | screen, serial port, sounds |
//! | thread mode | brain |
mod failure;
#[cfg(feature = "nrf52")]
pub(crate) mod nrf52;
#[cfg(feature = "pico")]
pub(crate) mod rp2040;
#[cfg(not(feature = "lm3s6965evb"))]
pub(crate) mod saves;
#[cfg(feature = "rp")]
pub(crate) mod second;
#[cfg(feature = "stm32f411")]
pub(crate) mod stm32f411;
#[cfg(any(feature = "nrf52", feature = "nucleo-f411re"))]
pub(crate) mod uart;
#[cfg(feature = "usb")]
pub(crate) mod usb;

use crate::{ThisBoard, executors};
use core::future::{Future, pending};
use corvid_firmware::{
    app::Device,
    brain::{Brain, Keeper},
    console::Board,
    frame::Frame,
    health::{self, Cause, Failure, Part},
    keys::{self, Buttons},
    panel::Panel,
    processor::{Processor, Second, Speed},
    profile::Profile,
    serial,
    sound::{self, Buzzer},
    ui,
};
use defmt_rtt as _;
use embassy_executor::{InterruptExecutor, SendSpawner, SpawnError, SpawnToken};
use embedded_hal::digital::InputPin;
use embedded_io_async::{Read, Write};
use static_cell::{ConstStaticCell, StaticCell};

/// A board.
pub(crate) trait Hardware {
    const PROFILE: Profile;
    /// Restarts the board as a drive that accepts a new image, if it has that mode.
    const BOOTSEL: Option<fn()> = None;
    /// Restarts the board with its processor at another speed, if there are two.
    const RESTART_AT: Option<fn(Speed)> = None;
    /// Waits for an interrupt.
    const IDLE: fn() = cortex_m::asm::wfe;

    /// A button's line.
    type Pin: InputPin;
    type Display: Panel;
    type Buzzer: Buzzer;
    type Port: Port;
    type Watchdog: 'static;
    /// Where games are saved.
    type Keeper: Keeper;

    /// Sets up everything but the executors, starts the watchdog, and returns the reset cause.
    fn start() -> (Cause, Parts<impl FnOnce() -> Self::Keeper>);

    /// How fast the processor runs, if that can be chosen. Called once everything is set up.
    fn processor() -> Option<Processor> {
        None
    }

    /// Starts the second processor. Called once everything is set up.
    fn second() -> Second {
        Second::None
    }

    fn feed(watchdog: &mut Self::Watchdog);

    /// Restarts the board, in a way that its reset cause tells.
    fn reset() -> ! {
        cortex_m::peripheral::SCB::sys_reset()
    }
}

type Pin = <ThisBoard as Hardware>::Pin;
type Display = <ThisBoard as Hardware>::Display;
type ThisBuzzer = <ThisBoard as Hardware>::Buzzer;
type SerialPort = <ThisBoard as Hardware>::Port;
type Watchdog = <ThisBoard as Hardware>::Watchdog;
type ThisBrain = Brain<<ThisBoard as Hardware>::Keeper>;

/// The parts of a board that its tasks use.
pub(crate) struct Parts<K> {
    pub(crate) buttons: Buttons<Pin>,
    pub(crate) display: Display,
    /// `None` if the board has no pin for one.
    pub(crate) buzzer: Option<ThisBuzzer>,
    pub(crate) port: SerialPort,
    /// `None` if it is not available.
    pub(crate) watchdog: Option<Watchdog>,
    /// Opens the saved games. Called once the tasks run, because it may take a while.
    pub(crate) open_keeper: K,
}

/// A serial port.
pub(crate) trait Port {
    /// Serves it forever.
    fn serve(self, device: &'static Device) -> impl Future;
}

/// The halves of a UART.
impl<R: Read, W: Write> Port for (R, W) {
    fn serve(self, device: &'static Device) -> impl Future {
        serial::run(device, self.0, self.1)
    }
}

/// Where tasks are spawned.
pub(crate) struct Executors {
    pub(crate) keys: SendSpawner,
    pub(crate) rest: SendSpawner,
}

pub(crate) static KEYS: InterruptExecutor = InterruptExecutor::new();
pub(crate) static REST: InterruptExecutor = InterruptExecutor::new();

/// Initialised at run time: otherwise the image would hold its initial state, which is mostly
/// zeros.
static DEVICE: StaticCell<Device> = StaticCell::new();
static BRAIN: StaticCell<ThisBrain> = StaticCell::new();
static FRAME: ConstStaticCell<Frame> = ConstStaticCell::new(Frame::DARK);
static MEMORY: ConstStaticCell<[u64; SLOTS]> = ConstStaticCell::new([0; SLOTS]);
const SLOTS: usize = ThisBoard::PROFILE.slots();

const _: () = assert!(
    ThisBoard::PROFILE.large_tables == cfg!(feature = "large"),
    "the board's features and its profile differ about the large tables"
);

#[cortex_m_rt::entry]
fn main() -> ! {
    let (brain, device) = start();
    brain.run(device, ThisBoard::IDLE)
}

/// Starts everything above the brain. Not inlined, so that the stack it needs is free again when
/// the brain runs.
#[inline(never)]
fn start() -> (&'static mut ThisBrain, &'static Device) {
    failure::guard_stack();
    let device = &*DEVICE.init_with(|| Device::new(ThisBoard::PROFILE.comforts));
    let (cause, parts) = ThisBoard::start();
    defmt::info!("Corvid on {=str}", ThisBoard::PROFILE.title);
    failure::tell(cause);

    let Executors { keys, rest } = executors::start();
    keys.spawn(first(keys_task(device, parts.buttons), Part::Keys));
    rest.spawn(first(ui_task(device, parts.display), Part::Screen));
    rest.spawn(first(serial_task(device, parts.port), Part::Serial));
    if let Some(buzzer) = parts.buzzer {
        rest.spawn(first(sound_task(device, buzzer), Part::Screen));
    }
    if let Some(watchdog) = parts.watchdog {
        keys.spawn(first(guard_task(watchdog), Part::Keys));
    }

    let open_keeper = parts.open_keeper;
    let board = Board {
        name: ThisBoard::PROFILE.name,
        reboot: || ThisBoard::reset(),
        bootsel: ThisBoard::BOOTSEL,
        processor: ThisBoard::processor(),
        restart_at: ThisBoard::RESTART_AT,
        second: ThisBoard::second(),
    };
    let brain = BRAIN.init_with(|| Brain::new(board, health::clock, MEMORY.take(), open_keeper()));
    (brain, device)
}

/// The token of a task that serves a part. Each task is spawned once, so its slot is free; if it were
/// not, the part would have stopped.
fn first<S>(token: Result<SpawnToken<S>, SpawnError>, part: Part) -> SpawnToken<S> {
    token.unwrap_or_else(|_| failure::fail(&Failure::stalled(part)))
}

#[embassy_executor::task]
async fn keys_task(device: &'static Device, buttons: Buttons<Pin>) {
    keys::run(device, buttons).await;
}

#[embassy_executor::task]
async fn ui_task(device: &'static Device, display: Display) {
    ui::run(device, FRAME.take(), display).await;
}

#[embassy_executor::task]
async fn sound_task(device: &'static Device, buzzer: ThisBuzzer) {
    sound::run(device, buzzer).await;
}

#[embassy_executor::task]
async fn serial_task(device: &'static Device, port: SerialPort) -> ! {
    health::alive(Part::Serial, port.serve(device)).await;
    // A port is served for ever; if not, nobody says that the part is alive.
    loop {
        pending::<()>().await;
    }
}

#[embassy_executor::task]
async fn guard_task(watchdog: Watchdog) {
    health::guard(Dog(watchdog), failure::fail).await
}

struct Dog(Watchdog);

impl health::Watchdog for Dog {
    fn feed(&mut self) {
        ThisBoard::feed(&mut self.0);
    }
}

/// Makes the module `executors` from two interrupts that nothing else uses, and their priorities:
/// below the drivers' interrupts, which wake the tasks.
#[cfg(not(feature = "lm3s6965evb"))]
macro_rules! run_on {
    ($hal:ident, keys: $keys:ident $keys_priority:ident, rest: $rest:ident $rest_priority:ident) => {
        mod executors {
            use crate::shared::{Executors, KEYS, REST};
            use $hal::interrupt;
            use $hal::interrupt::{InterruptExt, Priority};

            #[interrupt]
            fn $keys() {
                // SAFETY: this is the interrupt that it is started with; nothing else calls it.
                unsafe { KEYS.on_interrupt() }
            }

            #[interrupt]
            fn $rest() {
                // SAFETY: as before.
                unsafe { REST.on_interrupt() }
            }

            pub(crate) fn start() -> Executors {
                interrupt::$keys.set_priority(Priority::$keys_priority);
                interrupt::$rest.set_priority(Priority::$rest_priority);
                Executors { keys: KEYS.start(interrupt::$keys), rest: REST.start(interrupt::$rest) }
            }
        }
    };
}
#[cfg(not(feature = "lm3s6965evb"))]
pub(crate) use run_on;
