//! The image for the ST Nucleo-F411RE (STM32F411RE, Cortex-M4F).
//!
//! | part                          | signal    | pin  | on the board            |
//! |-------------------------------|-----------|------|-------------------------|
//! | SSD1306 OLED 128 x 64, I2C    | SDA       | PB9  | D14                     |
//! |                               | SCL       | PB8  | D15                     |
//! |                               | VCC       |      | 3V3                     |
//! |                               | GND       |      | GND                     |
//! | buttons, to ground            | up        | PA10 | D2                      |
//! |                               | down      | PB5  | D4                      |
//! |                               | left      | PB4  | D5                      |
//! |                               | right     | PB10 | D6                      |
//! |                               | select    | PC13 | the blue button         |
//! | serial port, 115200 8N1       | TX        | PA2  | the ST-LINK's USB       |
//! |                               | RX        | PA3  | the ST-LINK's USB       |
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
use embassy_stm32::{
    Peri, bind_interrupts, dma,
    flash::{self, Bank1Region1, Flash},
    gpio::{AnyPin, Input, Pull},
    i2c::{self, I2c},
    interrupt::{self, InterruptExt, Priority},
    mode::Async,
    peripherals, rcc,
    time::Hertz,
    usart::{self, BufferedUart},
    wdg::IndependentWatchdog,
};
use static_cell::{ConstStaticCell, StaticCell};

/// The four sectors of 16 KB.
type SmallSectors = Bank1Region1<'static, flash::Blocking>;

type Watchdog = IndependentWatchdog<'static, peripherals::IWDG>;

bind_interrupts!(struct Interrupts {
    DMA1_STREAM0 => dma::InterruptHandler<peripherals::DMA1_CH0>;
    DMA1_STREAM6 => dma::InterruptHandler<peripherals::DMA1_CH6>;
    I2C1_ER => i2c::ErrorInterruptHandler<peripherals::I2C1>;
    I2C1_EV => i2c::EventInterruptHandler<peripherals::I2C1>;
    USART2 => usart::BufferedInterruptHandler<peripherals::USART2>;
});

/// Bytes between the UART's interrupt and the serial task: at 115200 bits a second, 256 of them
/// are 22 ms.
const UART_BUFFER: usize = 256;

const BOARD: Board = Board {
    name: "nucleo-f411re",
    reboot: || cortex_m::peripheral::SCB::sys_reset(),
    bootsel: None,
};

/// Made when the board starts: the image would hold its first state, which is mostly zeros.
static DEVICE: StaticCell<Device> = StaticCell::new();
static BRAIN: StaticCell<Brain<Store<Region<SmallSectors>>>> = StaticCell::new();
static FRAME: ConstStaticCell<Frame> = ConstStaticCell::new(Frame::DARK);
static MEMORY: ConstStaticCell<[u64; BOARD_SLOTS]> = ConstStaticCell::new([0; BOARD_SLOTS]);
static UART_TX: StaticCell<[u8; UART_BUFFER]> = StaticCell::new();
static UART_RX: StaticCell<[u8; UART_BUFFER]> = StaticCell::new();
static UI: InterruptExecutor = InterruptExecutor::new();

/// The interrupt of a peripheral that the board does not use.
#[embassy_stm32::interrupt]
fn SPI3() {
    // SAFETY: this is the interrupt that `UI` is started with, and nothing else calls it.
    unsafe { UI.on_interrupt() }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let p = embassy_stm32::init(full_speed());
    defmt::info!("Corvid on the Nucleo-F411RE");
    failure::tell(cause());
    let mut watchdog = Watchdog::new(p.IWDG, health::WATCHDOG.as_micros() as u32);
    watchdog.unleash();

    let device = &*DEVICE.init_with(Device::new);
    let button = |pin: Peri<'static, AnyPin>| Input::new(pin, Pull::Up);
    let buttons = Buttons {
        up: button(p.PA10.into()),
        down: button(p.PB5.into()),
        left: button(p.PB4.into()),
        right: button(p.PB10.into()),
        select: button(p.PC13.into()),
    };
    let mut bus = i2c::Config::default();
    bus.frequency = Hertz::khz(400);
    // Modules have pull-ups; with none connected, these keep the bus quiet.
    (bus.sda_pullup, bus.scl_pullup) = (true, true);
    let bus = I2c::new(p.I2C1, p.PB8, p.PB9, p.DMA1_CH6, p.DMA1_CH0, Interrupts, bus);
    let uart = BufferedUart::new(
        p.USART2,
        p.PA3,
        p.PA2,
        UART_TX.init([0; UART_BUFFER]),
        UART_RX.init([0; UART_BUFFER]),
        Interrupts,
        usart::Config::default(), // 115200 8N1
    )
    .expect("115200 bits a second can be made from 50 MHz");

    // Below the drivers' interrupts, which wake its tasks, and above the brain.
    interrupt::SPI3.set_priority(Priority::P6);
    let ui = UI.start(interrupt::SPI3);
    ui.spawn(keys_task(device, buttons).expect("first spawn"));
    ui.spawn(ui_task(device, Ssd1306::new(bus)).expect("first spawn"));
    ui.spawn(serial_task(device, uart).expect("first spawn"));

    ui.spawn(guard_task(watchdog).expect("first spawn"));

    let flash = Flash::new_blocking(p.FLASH).into_blocking_regions().bank1_region1;
    let mut store = Store::new(saves::region(flash, flash::FLASH_BASE as u32));
    block_on(store.open());
    let brain = BRAIN.init_with(|| Brain::new(health::clock, store));
    brain.lend(MEMORY.take());
    brain.set_board(BOARD);
    brain.run(device, cortex_m::asm::wfe)
}

/// 100 MHz, the most it can do, from the internal 16 MHz oscillator.
fn full_speed() -> embassy_stm32::Config {
    let mut config = embassy_stm32::Config::default();
    config.rcc.hsi = true;
    config.rcc.pll_src = rcc::PllSource::HSI;
    config.rcc.pll = Some(rcc::Pll {
        prediv: rcc::PllPreDiv::DIV8,
        mul: rcc::PllMul::MUL100,
        divp: Some(rcc::PllPDiv::DIV2),
        divq: None,
        divr: None,
    });
    config.rcc.ahb_pre = rcc::AHBPrescaler::DIV1;
    config.rcc.apb1_pre = rcc::APBPrescaler::DIV2;
    config.rcc.apb2_pre = rcc::APBPrescaler::DIV1;
    config.rcc.sys = rcc::Sysclk::PLL1_P;
    config
}

#[embassy_executor::task]
async fn keys_task(device: &'static Device, buttons: Buttons<Input<'static>>) {
    keys::run(device, buttons).await;
}

#[embassy_executor::task]
async fn ui_task(device: &'static Device, display: Ssd1306<I2c<'static, Async, i2c::Master>>) {
    ui::run(device, FRAME.take(), display).await;
}

#[embassy_executor::task]
async fn serial_task(device: &'static Device, uart: BufferedUart<'static>) {
    let (tx, rx) = uart.split();
    health::alive(Part::Serial, serial::run(device, rx, tx)).await;
}

#[embassy_executor::task]
async fn guard_task(watchdog: Watchdog) -> ! {
    health::guard(Dog(watchdog), failure::fail).await
}

struct Dog(Watchdog);

impl health::Watchdog for Dog {
    fn feed(&mut self) {
        self.0.pet();
    }
}

/// Reads why the board started, and clears it for the next time.
fn cause() -> Cause {
    const RCC_CSR: *mut u32 = 0x4002_3874 as *mut u32;
    const CLEAR: u32 = 1 << 24;
    // SAFETY: a register of the chip; the driver is set up and does not change it now.
    let flags = unsafe {
        let flags = RCC_CSR.read_volatile();
        RCC_CSR.write_volatile(flags | CLEAR);
        flags
    };
    // Every reset also pulls the reset pin, so that comes last.
    match flags {
        _ if flags & (1 << 29 | 1 << 30) != 0 => Cause::Watchdog,
        _ if flags & 1 << 28 != 0 => Cause::Program,
        _ if flags & (1 << 25 | 1 << 27) != 0 => Cause::Power,
        _ if flags & 1 << 26 != 0 => Cause::Button,
        _ => Cause::Unknown,
    }
}

fn reset() -> ! {
    cortex_m::peripheral::SCB::sys_reset()
}
