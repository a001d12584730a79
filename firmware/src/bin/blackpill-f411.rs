//! The image for WeAct's Black Pill with an STM32F411CE (Cortex-M4F).
//!
//! | part                                             | signal | pin  | on the board   |
//! |--------------------------------------------------|--------|------|----------------|
//! | OLED module 128 x 64, I2C (address 0x3C or 0x3D) | SCL    | PB8  | B8             |
//! |                                                  | SDA    | PB9  | B9             |
//! |                                                  | GND    |      | G              |
//! |                                                  | VCC    |      | 3V3            |
//! | buttons, to ground                               | up     | PB12 | B12            |
//! |                                                  | down   | PB13 | B13            |
//! |                                                  | left   | PB14 | B14            |
//! |                                                  | right  | PB15 | B15            |
//! |                                                  | GND    |      | G              |
//! |                                                  | select | PA0  | the KEY button |
//! | serial port                                      | USB    |      | USB socket     |
#![no_std]
#![no_main]

#[path = "shared/mod.rs"]
mod shared;

use corvid_firmware::{
    health::Cause,
    keys::Buttons,
    profile::{BLACKPILL_F411, Profile},
    sound::NoBuzzer,
};
use embassy_stm32::{
    Peri, bind_interrupts,
    gpio::Input,
    peripherals::{PA11, PA12, USB_OTG_FS},
    rcc,
    time::Hertz,
    usb,
};
use shared::{
    Hardware, Parts, run_on, stm32f411,
    usb::{Usb, UsbPort},
};
use static_cell::ConstStaticCell;

bind_interrupts!(struct Interrupts {
    OTG_FS => usb::InterruptHandler<USB_OTG_FS>;
});

// The interrupts of peripherals that the board does not use.
run_on!(embassy_stm32, keys: SPI2 P5, rest: SPI3 P6);

/// The board's crystal.
const CRYSTAL: rcc::Hse = rcc::Hse { freq: Hertz::mhz(25), mode: rcc::HseMode::Oscillator };

struct ThisBoard;

impl Hardware for ThisBoard {
    const PROFILE: Profile = BLACKPILL_F411;

    type Pin = Input<'static>;
    type Display = stm32f411::Display;
    type Buzzer = NoBuzzer;
    type Port = UsbPort<Socket>;
    type Watchdog = stm32f411::Watchdog;
    type Keeper = stm32f411::Keeper;

    fn start() -> (Cause, Parts<impl FnOnce() -> Self::Keeper>) {
        // 96 MHz, the most that leaves USB its 48.
        let pll = rcc::Pll {
            prediv: rcc::PllPreDiv::DIV25,
            mul: rcc::PllMul::MUL192,
            divp: None,
            divq: Some(rcc::PllQDiv::DIV4),
            divr: None,
        };
        let mut config = stm32f411::clocks(rcc::PllSource::HSE, pll);
        config.rcc.hse = Some(CRYSTAL);
        let p = embassy_stm32::init(config);
        let cause = stm32f411::cause();
        let watchdog = stm32f411::watchdog(p.IWDG);
        let buttons = Buttons {
            up: stm32f411::button(p.PB12.into()),
            down: stm32f411::button(p.PB13.into()),
            left: stm32f411::button(p.PB14.into()),
            right: stm32f411::button(p.PB15.into()),
            select: stm32f411::button(p.PA0.into()),
        };
        let flash = p.FLASH;
        let parts = Parts {
            buttons,
            display: stm32f411::display(),
            buzzer: None,
            port: UsbPort(Socket { usb: p.USB_OTG_FS, plus: p.PA12, minus: p.PA11 }),
            watchdog: Some(watchdog),
            open_keeper: || stm32f411::open(flash),
        };
        (cause, parts)
    }

    fn feed(watchdog: &mut Self::Watchdog) {
        watchdog.pet();
    }
}

/// What is at the USB socket.
struct Socket {
    usb: Peri<'static, USB_OTG_FS>,
    plus: Peri<'static, PA12>,
    minus: Peri<'static, PA11>,
}

impl Usb for Socket {
    type Driver<'d> = usb::Driver<'d, USB_OTG_FS>;

    fn driver<'d>(self) -> Self::Driver<'d> {
        /// Packets that have arrived, at most 64 bytes of each endpoint that receives: requests, the port.
        static RECEIVED: ConstStaticCell<[u8; 128]> = ConstStaticCell::new([0; 128]);
        // The socket is the board's supply, so that there is nothing to watch on the pin for that.
        let config = usb::Config::default();
        let Self { usb, plus, minus } = self;
        usb::Driver::new_fs(usb, Interrupts, plus, minus, RECEIVED.take(), config)
    }
}
