//! TI LM3S6965 Evaluation Board: Cortex-M3 at 50 MHz, 64 KB RAM, 256 KB flash, OLED, five keys,
//! UART. There is no HAL crate for it; its few drivers are beside this file.
//!
//! | part | pins |
//! |---|---|
//! | OLED, SSD0323 on SSI0 | PA2 clock, PA3 select, PA5 data, PC7 data/command, PC6 15 V supply |
//! | keys | PE0 up, PE1 down, PE2 left, PE3 right, PF1 select |
//! | UART0, 115200 8N1 | PA0 receive, PA1 send |
//! | SD card on SSI0, not used | PD0 select |
#![no_std]
#![no_main]

mod clock;
#[path = "../shared/failure.rs"]
mod failure;
mod gpio;
mod mmio;
mod oled;
mod ssi;
mod time;
mod uart;
mod vectors;
mod watchdog;

use cortex_m::peripheral::NVIC;
use cortex_m_rt::entry;
use corvid_core::engine::BOARD_SLOTS;
use corvid_firmware::{
    app::Device,
    brain::Brain,
    console::Board,
    frame::{Frame, HEIGHT},
    health::{self, Part},
    keys::{self, Buttons},
    serial, ui,
};
use defmt_rtt as _;
use embassy_executor::InterruptExecutor;
use embedded_hal_bus::spi::{ExclusiveDevice, NoDelay};
use gpio::{Input, Output, Port};
use oled::Ssd0323;
use ssi::Ssi0;
use static_cell::{ConstStaticCell, StaticCell};
use vectors::Interrupt;
use watchdog::Watchdog;

type Oled = Ssd0323<ExclusiveDevice<Ssi0, Output, NoDelay>, Output>;

const BOARD: Board =
    Board { name: "lm3s6965evb", reboot: || cortex_m::peripheral::SCB::sys_reset(), bootsel: None };

/// Made when the board starts: the image would hold its first state, which is mostly zeros.
static DEVICE: StaticCell<Device> = StaticCell::new();
static BRAIN: StaticCell<Brain<()>> = StaticCell::new();
static FRAME: ConstStaticCell<Frame> = ConstStaticCell::new(Frame::DARK);
static MEMORY: ConstStaticCell<[u64; BOARD_SLOTS]> = ConstStaticCell::new([0; BOARD_SLOTS]);
static SHOWN: ConstStaticCell<oled::Sums> = ConstStaticCell::new([0; HEIGHT]);
/// Keys, screen and serial port run here, above the brain in thread mode.
static EXECUTOR: InterruptExecutor = InterruptExecutor::new();

#[entry]
fn main() -> ! {
    // An interrupt that comes just before `wfi` leaves it waiting for the next, at most one tick.
    let (brain, device) = start();
    brain.run(device, cortex_m::asm::wfi)
}

/// Starts everything above the brain. On its own, so that the stack it needs is free again when
/// the brain runs.
#[inline(never)]
fn start() -> (&'static mut Brain<()>, &'static Device) {
    let device = &*DEVICE.init_with(Device::new);
    let mut core = cortex_m::Peripherals::take().expect("main runs once");
    failure::tell(watchdog::cause());
    clock::start();
    let oled = oled();
    let buttons = Buttons {
        up: Input::new(Port::E, 0),
        down: Input::new(Port::E, 1),
        left: Input::new(Port::E, 2),
        right: Input::new(Port::E, 3),
        select: Input::new(Port::F, 1),
    };

    // SAFETY: priorities are set before the interrupts are enabled, and nothing relies on masking
    // by priority.
    unsafe {
        // The chip has eight levels, in the upper three bits; a lower number goes first. A byte
        // can't wait, a tick can for a while, and the tasks come below both.
        core.NVIC.set_priority(Interrupt::Uart0, 0x20);
        core.SCB.set_priority(cortex_m::peripheral::scb::SystemHandler::SysTick, 0x40);
        core.NVIC.set_priority(Interrupt::Executor, 0x80);
    }
    time::start(&mut core.SYST);
    let (rx, tx) = uart::start();
    // SAFETY: the handler is in place and shares only what critical sections guard.
    unsafe { NVIC::unmask(Interrupt::Uart0) };

    let spawner = EXECUTOR.start(Interrupt::Executor);
    // Each task is spawned once, so its place is free.
    spawner.spawn(keys_task(device, buttons).expect("first"));
    spawner.spawn(ui_task(device, oled).expect("first"));
    spawner.spawn(serial_task(device, rx, tx).expect("first"));
    spawner.spawn(guard_task(Watchdog::start()).expect("first"));
    defmt::info!("started");

    let brain = BRAIN.init_with(|| Brain::new(health::clock, ()));
    brain.lend(MEMORY.take());
    brain.set_board(BOARD);
    (brain, device)
}

/// Sets the pins of the display up.
fn oled() -> Oled {
    // The SD card shares the bus and must not listen.
    Output::new(Port::D, 0, true).keep();
    Output::new(Port::C, 6, true).keep();
    let select = Output::new(Port::A, 3, true);
    let Ok(device) = ExclusiveDevice::new_no_delay(Ssi0::start(), select);
    Ssd0323::new(device, Output::new(Port::C, 7, false), SHOWN.take())
}

#[embassy_executor::task]
async fn keys_task(device: &'static Device, buttons: Buttons<Input>) {
    keys::run(device, buttons).await;
}

#[embassy_executor::task]
async fn ui_task(device: &'static Device, oled: Oled) {
    ui::run(device, FRAME.take(), oled).await;
}

#[embassy_executor::task]
async fn serial_task(device: &'static Device, rx: uart::Rx, tx: uart::Tx) {
    health::alive(Part::Serial, serial::run(device, rx, tx)).await;
}

#[embassy_executor::task]
async fn guard_task(watchdog: Watchdog) {
    health::guard(watchdog, failure::fail).await
}

fn reset() -> ! {
    cortex_m::peripheral::SCB::sys_reset()
}
