//! The image for the Nordic nRF52840-DK (Cortex-M4F).
//!
//! | part                          | signal    | pin   | on the board            |
//! |-------------------------------|-----------|-------|-------------------------|
//! | SSD1306 OLED 128 x 64, I2C    | SDA       | P0.26 | SDA                     |
//! |                               | SCL       | P0.27 | SCL                     |
//! |                               | VCC       |       | VDD                     |
//! |                               | GND       |       | GND                     |
//! | buttons                       | up        | P0.11 | button 1                |
//! |                               | down      | P0.12 | button 2                |
//! |                               | left      | P0.24 | button 3                |
//! |                               | right     | P0.25 | button 4                |
//! | a fifth one, to ground        | select    | P1.03 | D2                      |
//! | serial port, 115200 8N1       | TX        | P0.06 | the debugger's USB      |
//! |                               | RX        | P0.08 | the debugger's USB      |
#![no_std]
#![no_main]

#[path = "shared/failure.rs"]
mod failure;
#[path = "shared/saves.rs"]
mod saves;

use corvid_core::engine::BOARD_SLOTS;
use corvid_firmware::{
    app::Device,
    brain::Brain,
    console::Board,
    frame::Frame,
    health::{self, Cause, Part},
    keys::{self, Buttons},
    serial,
    ssd1306::Ssd1306,
    store::{Region, Store},
    ui,
};
use defmt_rtt as _;
use embassy_executor::InterruptExecutor;
use embassy_futures::block_on;
use embassy_nrf::{
    Peri, bind_interrupts,
    buffered_uarte::{self, BufferedUarte},
    config::{Config, HfclkSource, LfclkSource},
    gpio::{AnyPin, Input, Pull},
    interrupt::{self, InterruptExt, Priority},
    nvmc::Nvmc,
    peripherals,
    twim::{self, Twim},
    uarte,
    wdt::{self, Watchdog, WatchdogHandle},
};
use static_cell::{ConstStaticCell, StaticCell};

bind_interrupts!(struct Interrupts {
    TWISPI0 => twim::InterruptHandler<peripherals::TWISPI0>;
    UARTE0 => buffered_uarte::InterruptHandler<peripherals::UARTE0>;
});

/// Bytes between the UART's interrupt and the serial task: at 115200 bits a second, 256 of them
/// are 22 ms.
const UART_BUFFER: usize = 256;

/// The bus can only send from RAM; what lies in flash, the display's set-up, goes through this.
const I2C_BUFFER: usize = 32;

const BOARD: Board =
    Board { name: "nrf52840-dk", reboot: || cortex_m::peripheral::SCB::sys_reset(), bootsel: None };

/// Of the low-frequency crystal, which the watchdog counts by.
const LOW_HZ: u32 = 32_768;

/// Made when the board starts: the image would hold its first state, which is mostly zeros.
static DEVICE: StaticCell<Device> = StaticCell::new();
static BRAIN: StaticCell<Brain<Store<Region<Nvmc<'static>>>>> = StaticCell::new();
static FRAME: ConstStaticCell<Frame> = ConstStaticCell::new(Frame::DARK);
static MEMORY: ConstStaticCell<[u64; BOARD_SLOTS]> = ConstStaticCell::new([0; BOARD_SLOTS]);
static I2C: StaticCell<[u8; I2C_BUFFER]> = StaticCell::new();
static UART_TX: StaticCell<[u8; UART_BUFFER]> = StaticCell::new();
static UART_RX: StaticCell<[u8; UART_BUFFER]> = StaticCell::new();
static UI: InterruptExecutor = InterruptExecutor::new();

#[embassy_nrf::interrupt]
fn EGU1_SWI1() {
    // SAFETY: this is the interrupt that `UI` is started with, and nothing else calls it.
    unsafe { UI.on_interrupt() }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    // Both crystals of the board: the UART's rate and the time are exact.
    let mut config = Config::default();
    config.hfclk_source = HfclkSource::ExternalXtal;
    config.lfclk_source = LfclkSource::ExternalXtal;
    let p = embassy_nrf::init(config);
    defmt::info!("Corvid on the nRF52840-DK");
    failure::tell(cause());
    let mut config = wdt::Config::default();
    config.timeout_ticks = LOW_HZ * health::WATCHDOG.as_secs() as u32;
    config.action_during_debug_halt = wdt::HaltConfig::Pause;
    // A watchdog that already runs, with other settings, is a boot loader's, and stays.
    let watchdog = Watchdog::try_new::<_, 1>(p.WDT, config).ok();

    let device = &*DEVICE.init_with(Device::new);
    let button = |pin: Peri<'static, AnyPin>| Input::new(pin, Pull::Up);
    let buttons = Buttons {
        up: button(p.P0_11.into()),
        down: button(p.P0_12.into()),
        left: button(p.P0_24.into()),
        right: button(p.P0_25.into()),
        select: button(p.P1_03.into()),
    };
    let mut bus = twim::Config::default();
    bus.frequency = twim::Frequency::K400;
    // Modules have pull-ups; with none connected, these keep the bus quiet.
    (bus.sda_pullup, bus.scl_pullup) = (true, true);
    let buffer = I2C.init([0; I2C_BUFFER]);
    let bus = Twim::new(p.TWISPI0, Interrupts, p.P0_26, p.P0_27, bus, buffer);
    let uart = BufferedUarte::new(
        p.UARTE0,
        p.TIMER0,
        p.PPI_CH0,
        p.PPI_CH1,
        p.PPI_GROUP0,
        p.P0_08,
        p.P0_06,
        Interrupts,
        uarte::Config::default(), // 115200 8N1
        UART_RX.init([0; UART_BUFFER]),
        UART_TX.init([0; UART_BUFFER]),
    );

    // Below the drivers' interrupts, which wake its tasks, and above the brain.
    interrupt::EGU1_SWI1.set_priority(Priority::P6);
    let ui = UI.start(interrupt::EGU1_SWI1);
    ui.spawn(keys_task(device, buttons).expect("first spawn"));
    ui.spawn(ui_task(device, Ssd1306::new(bus)).expect("first spawn"));
    ui.spawn(serial_task(device, uart).expect("first spawn"));

    if let Some((_, [handle])) = watchdog {
        ui.spawn(guard_task(handle).expect("first spawn"));
    }

    let mut store = Store::new(saves::region(Nvmc::new(p.NVMC), 0));
    block_on(store.open());
    let brain = BRAIN.init_with(|| Brain::new(health::clock, store));
    brain.lend(MEMORY.take());
    brain.set_board(BOARD);
    brain.run(device, cortex_m::asm::wfe)
}

#[embassy_executor::task]
async fn keys_task(device: &'static Device, buttons: Buttons<Input<'static>>) {
    keys::run(device, buttons).await;
}

#[embassy_executor::task]
async fn ui_task(device: &'static Device, display: Ssd1306<Twim<'static>>) {
    ui::run(device, FRAME.take(), display).await;
}

#[embassy_executor::task]
async fn serial_task(device: &'static Device, uart: BufferedUarte<'static>) {
    let (rx, tx) = uart.split();
    health::alive(Part::Serial, serial::run(device, rx, tx)).await;
}

#[embassy_executor::task]
async fn guard_task(handle: WatchdogHandle) -> ! {
    health::guard(Dog(handle), failure::fail).await
}

struct Dog(WatchdogHandle);

impl health::Watchdog for Dog {
    fn feed(&mut self) {
        self.0.pet();
    }
}

/// Reads why the board started, and clears it for the next time.
fn cause() -> Cause {
    const RESETREAS: *mut u32 = 0x4000_0400 as *mut u32;
    // SAFETY: a register of the chip that nothing else uses; writing ones clears them.
    let reasons = unsafe {
        let reasons = RESETREAS.read_volatile();
        RESETREAS.write_volatile(reasons);
        reasons
    };
    match reasons {
        0 => Cause::Power,
        _ if reasons & 1 << 1 != 0 => Cause::Watchdog,
        // A request, or a processor that locked up.
        _ if reasons & (1 << 2 | 1 << 3) != 0 => Cause::Program,
        _ if reasons & 1 != 0 => Cause::Button,
        _ => Cause::Unknown,
    }
}

fn reset() -> ! {
    cortex_m::peripheral::SCB::sys_reset()
}
