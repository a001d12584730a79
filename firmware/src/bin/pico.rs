//! The image for the Raspberry Pi Pico (RP2040), the default board, and for the Pico 2 (RP2350), which
//! has the same pins.
//!
//! | part                          | signal    | pin  | on the board |
//! |-------------------------------|-----------|------|--------------|
//! | SSD1306 OLED 128 x 64, I2C    | SDA       | GP4  | 6            |
//! |                               | SCL       | GP5  | 7            |
//! |                               | VCC       |      | 36 (3V3 OUT) |
//! |                               | GND       |      | 38           |
//! | buttons, to ground            | up        | GP10 | 14           |
//! |                               | down      | GP11 | 15           |
//! |                               | left      | GP12 | 16           |
//! |                               | right     | GP13 | 17           |
//! |                               | select    | GP14 | 19           |
//! |                               | GND       |      | 18           |
//! | serial port                   | USB       |      | USB socket   |
#![no_std]
#![no_main]

#[path = "shared/failure.rs"]
mod failure;
#[path = "shared/saves.rs"]
mod saves;

use core::convert::Infallible;
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
use embassy_futures::{block_on, join::join};
use embassy_rp::{
    Peri, bind_interrupts,
    flash::{self, Flash},
    gpio::{AnyPin, Input, Pull},
    i2c::{self, I2c},
    interrupt::{self, InterruptExt, Priority},
    peripherals::{FLASH, I2C0, PIN_4, PIN_5, USB, WATCHDOG},
    usb,
    watchdog::{ResetReason, Watchdog},
};
use embassy_time::{Duration, with_timeout};
use embassy_usb::{
    Builder, Config,
    class::cdc_acm::{CdcAcmClass, Receiver, Sender, State},
};
use embedded_hal_async::i2c::Operation;
use embedded_io_async::{ErrorType, Read, Write};
use static_cell::{ConstStaticCell, StaticCell};

/// The flash chip.
type Storage = Flash<'static, FLASH, flash::Blocking, { MODEL.flash }>;

/// What differs between the two.
struct Model {
    name: &'static str,
    /// Bytes of flash.
    flash: usize,
    /// A register that tells why the chip started, and its bit for the power.
    chip_reset: (usize, u32),
}

const MODEL: Model = if cfg!(feature = "pico2") {
    Model { name: "pico2", flash: 4 * 1024 * 1024, chip_reset: (0x4010_002c, 1 << 16) }
} else {
    Model { name: "pico", flash: 2 * 1024 * 1024, chip_reset: (0x4006_4008, 1 << 8) }
};

bind_interrupts!(struct Interrupts {
    I2C0_IRQ => i2c::InterruptHandler<I2C0>;
    USBCTRL_IRQ => usb::InterruptHandler<USB>;
});

const BOARD: Board = Board {
    name: MODEL.name,
    reboot: || cortex_m::peripheral::SCB::sys_reset(),
    bootsel: Some(|| embassy_rp::rom_data::reset_to_usb_boot(0, 0)),
};

/// Made when the board starts: the image would hold its first state, which is mostly zeros.
static DEVICE: StaticCell<Device> = StaticCell::new();
static BRAIN: StaticCell<Brain<Store<Region<Storage>>>> = StaticCell::new();
static FRAME: ConstStaticCell<Frame> = ConstStaticCell::new(Frame::DARK);
static MEMORY: ConstStaticCell<[u64; BOARD_SLOTS]> = ConstStaticCell::new([0; BOARD_SLOTS]);
static UI: InterruptExecutor = InterruptExecutor::new();

#[embassy_rp::interrupt]
fn SWI_IRQ_1() {
    // SAFETY: this is the interrupt that `UI` is started with, and nothing else calls it.
    unsafe { UI.on_interrupt() }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let p = embassy_rp::init(embassy_rp::config::Config::default());
    defmt::info!("Corvid on {=str}", MODEL.name);
    let mut watchdog = Watchdog::new(p.WATCHDOG);
    failure::tell(cause(&watchdog));
    watchdog.start(health::WATCHDOG);

    let device = &*DEVICE.init_with(Device::new);
    let button = |pin: Peri<'static, AnyPin>| Input::new(pin, Pull::Up);
    let buttons = Buttons {
        up: button(p.PIN_10.into()),
        down: button(p.PIN_11.into()),
        left: button(p.PIN_12.into()),
        right: button(p.PIN_13.into()),
        select: button(p.PIN_14.into()),
    };
    let display = Ssd1306::new(Bus::new(p.I2C0, p.PIN_5, p.PIN_4));

    // Below the drivers' interrupts, which wake its tasks, and above the brain.
    interrupt::SWI_IRQ_1.set_priority(Priority::P2);
    let ui = UI.start(interrupt::SWI_IRQ_1);
    ui.spawn(keys_task(device, buttons).expect("first spawn"));
    ui.spawn(ui_task(device, display).expect("first spawn"));
    ui.spawn(serial_task(device, p.USB).expect("first spawn"));
    ui.spawn(guard_task(watchdog).expect("first spawn"));

    let flash = saves::region(Storage::new_blocking(p.FLASH), flash::FLASH_BASE as u32);
    let mut store = Store::new(flash);
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
async fn ui_task(device: &'static Device, display: Ssd1306<Bus>) {
    ui::run(device, FRAME.take(), display).await;
}

/// The USB device with its one function, a serial port.
#[embassy_executor::task]
async fn serial_task(device: &'static Device, peripheral: Peri<'static, USB>) {
    // pid.codes' number for tests and private use: Corvid has none of its own.
    let mut config = Config::new(0x1209, 0x0001);
    config.manufacturer = Some("Corvid");
    config.product = Some("Corvid");
    let (mut configuration, mut bos, mut control) = ([0; 128], [0; 32], [0; PACKET]);
    let mut state = State::new();
    let driver = usb::Driver::new(peripheral, Interrupts);
    let mut builder =
        Builder::new(driver, config, &mut configuration, &mut bos, &mut [], &mut control);
    let port = CdcAcmClass::new(&mut builder, &mut state, PACKET as u16);
    let mut usb = builder.build();
    let (tx, rx) = port.split();
    let rx = UsbRx { port: rx, packet: [0; PACKET], rest: 0..0 };
    let tx = UsbTx { port: tx, listening: true };
    health::alive(Part::Serial, join(usb.run(), serial::run(device, rx, tx))).await;
}

#[embassy_executor::task]
async fn guard_task(watchdog: Watchdog) -> ! {
    health::guard(Dog(watchdog), failure::fail).await
}

struct Dog(Watchdog);

impl health::Watchdog for Dog {
    fn feed(&mut self) {
        self.0.feed(health::WATCHDOG);
    }
}

fn cause(watchdog: &Watchdog) -> Cause {
    let (register, had_power_on) = MODEL.chip_reset;
    // SAFETY: reading this register changes nothing.
    let chip = unsafe { (register as *const u32).read_volatile() };
    match watchdog.reset_reason() {
        Some(ResetReason::Forced) => Cause::Program,
        Some(ResetReason::TimedOut) => Cause::Watchdog,
        None if chip & had_power_on != 0 => Cause::Power,
        None => Cause::Button,
    }
}

/// Starts the whole chip again, not just the processor.
fn reset() -> ! {
    // SAFETY: nothing else runs any more.
    Watchdog::new(unsafe { WATCHDOG::steal() }).trigger_reset();
    loop {
        cortex_m::asm::nop();
    }
}

/// The display's bus.
///
/// A transfer that was given up because it did not end leaves the controller in the middle of it, and
/// its end would be taken for that of the next one: it is reset first.
struct Bus {
    controller: I2c<'static, I2C0, i2c::Async>,
    given_up: bool,
}

impl Bus {
    fn new(i2c: Peri<'static, I2C0>, scl: Peri<'static, PIN_5>, sda: Peri<'static, PIN_4>) -> Self {
        let mut config = i2c::Config::default();
        config.frequency = 400_000;
        let controller = I2c::new_async(i2c, scl, sda, Interrupts, config);
        Self { controller, given_up: false }
    }
}

impl embedded_hal::i2c::ErrorType for Bus {
    type Error = i2c::Error;
}

impl embedded_hal_async::i2c::I2c for Bus {
    async fn transaction(
        &mut self,
        address: u8,
        operations: &mut [Operation<'_>],
    ) -> Result<(), i2c::Error> {
        if self.given_up {
            // SAFETY: the controller that used them is replaced, and nothing is on its way in it.
            *self = unsafe { Self::new(I2C0::steal(), PIN_5::steal(), PIN_4::steal()) };
        }
        self.given_up = true;
        let done = self.controller.transaction(address, operations).await;
        self.given_up = false;
        done
    }
}

/// The largest packet of a full-speed bulk endpoint.
const PACKET: usize = 64;

/// How long the host may leave a packet lying before it counts as not listening.
const PATIENCE: Duration = Duration::from_secs(1);

type Usb<'d> = usb::Driver<'d, USB>;

/// The receiving half of the port, byte by byte.
struct UsbRx<'d> {
    port: Receiver<'d, Usb<'d>>,
    packet: [u8; PACKET],
    /// The part of `packet` that was not yet read.
    rest: core::ops::Range<usize>,
}

impl ErrorType for UsbRx<'_> {
    type Error = Infallible;
}

impl Read for UsbRx<'_> {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        // Empty packets are part of USB, not the end of the input.
        while self.rest.is_empty() {
            match self.port.read_packet(&mut self.packet).await {
                Ok(count) => self.rest = 0..count,
                Err(_) => self.port.wait_connection().await,
            }
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.packet[self.rest.start..][..count]);
        self.rest.start += count;
        Ok(count)
    }
}

/// The sending half. What nobody wants to read is dropped, so that answers to a terminal that was
/// closed never stop the brain.
struct UsbTx<'d> {
    port: Sender<'d, Usb<'d>>,
    /// Whether the last packet found a reader in time.
    listening: bool,
}

impl ErrorType for UsbTx<'_> {
    type Error = Infallible;
}

impl Write for UsbTx<'_> {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        // A full packet would have to be followed by an empty one where the answer ends; one that
        // is a byte short ends every transfer by itself.
        let bytes = &bytes[..bytes.len().min(PACKET - 1)];
        // Terminals raise DTR when they open the port and lower it when they close it.
        if self.port.dtr() || self.port.rts() {
            let patience = if self.listening { PATIENCE } else { Duration::MIN };
            let sent = with_timeout(patience, self.port.write_packet(bytes)).await;
            self.listening = matches!(sent, Ok(Ok(())));
        }
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
