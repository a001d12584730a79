//! UART0, a PL011, at 115200 8N1: its interrupt moves bytes between the chip's FIFOs and two ring
//! buffers in memory, so that none is lost whatever else runs.
use crate::{clock, gpio::Port, mmio::Register};
use core::{
    future::poll_fn,
    pin::pin,
    sync::atomic::{AtomicBool, Ordering},
    task::{Poll, ready},
};
use embassy_sync::{blocking_mutex::raw::CriticalSectionRawMutex, pipe::Pipe};
use embassy_time::Timer;
use embedded_io_async::{Error, ErrorKind, ErrorType, Read, Write};

const BAUD: u32 = 115_200;

/// 22 ms of bytes: far more than a task above thread mode ever takes.
const RX_RING: usize = 256;
const TX_RING: usize = 64;

const DATA: Register = Register::at(0x4000_C000);
const FLAGS: Register = Register::at(0x4000_C018);
const DIVISOR: Register = Register::at(0x4000_C024);
const DIVISOR_FRACTION: Register = Register::at(0x4000_C028);
const LINE: Register = Register::at(0x4000_C02C);
const CONTROL: Register = Register::at(0x4000_C030);
const INTERRUPT_LEVELS: Register = Register::at(0x4000_C034);
const INTERRUPT_MASK: Register = Register::at(0x4000_C038);
const INTERRUPT_CLEAR: Register = Register::at(0x4000_C044);

/// A framing, parity, break or overrun error came with the byte.
const DATA_ERRORS: u32 = 0b1111 << 8;
const DATA_OVERRUN: u32 = 1 << 11;
const FLAGS_BUSY: u32 = 1 << 3;
const FLAGS_RX_EMPTY: u32 = 1 << 4;
const FLAGS_TX_FULL: u32 = 1 << 5;
const LINE_8_BIT_FIFO: u32 = 0b11 << 5 | 1 << 4;
const CONTROL_ENABLE: u32 = 1 << 0 | 1 << 8 | 1 << 9;
/// Receive at half full, send at an eighth.
const LEVELS: u32 = 0b010 << 3;
const INTERRUPT_RX: u32 = 1 << 4;
const INTERRUPT_TX: u32 = 1 << 5;
/// Bytes have waited below the receive level for 32 bit times.
const INTERRUPT_RX_TIMEOUT: u32 = 1 << 6;

static RECEIVED: Pipe<CriticalSectionRawMutex, RX_RING> = Pipe::new();
static TO_SEND: Pipe<CriticalSectionRawMutex, TX_RING> = Pipe::new();
static LOST: AtomicBool = AtomicBool::new(false);

/// Starts the port on PA0 and PA1. The caller enables its interrupt.
pub(crate) fn start() -> (Rx, Tx) {
    Port::A.give_to_peripheral(1 << 0 | 1 << 1);
    CONTROL.write(0);
    // The divisor is clock / (16 * baud), in 64ths, rounded.
    const DIVISOR_64: u32 = (clock::HZ * 8 / BAUD).div_ceil(2);
    DIVISOR.write(DIVISOR_64 / 64);
    DIVISOR_FRACTION.write(DIVISOR_64 % 64);
    LINE.write(LINE_8_BIT_FIFO);
    INTERRUPT_LEVELS.write(LEVELS);
    INTERRUPT_MASK.write(INTERRUPT_RX | INTERRUPT_RX_TIMEOUT | INTERRUPT_TX);
    CONTROL.write(CONTROL_ENABLE);
    (Rx(()), Tx(()))
}

/// The handler of the port's interrupt.
pub(crate) extern "C" fn on_interrupt() {
    INTERRUPT_CLEAR.write(INTERRUPT_RX | INTERRUPT_RX_TIMEOUT | INTERRUPT_TX);
    while FLAGS.read() & FLAGS_RX_EMPTY == 0 {
        let data = DATA.read();
        if data & DATA_OVERRUN != 0 {
            LOST.store(true, Ordering::Relaxed);
        }
        // Noise; an overrun's own byte is good.
        if data & DATA_ERRORS & !DATA_OVERRUN != 0 {
            continue;
        }
        if RECEIVED.try_write(&[data as u8]).is_err() {
            LOST.store(true, Ordering::Relaxed);
        }
    }
    feed();
}

/// Moves bytes from the ring to the chip's FIFO. When that is full, the interrupt continues with
/// the rest.
fn feed() {
    let feed_one = || {
        let mut byte = [0];
        let fed = FLAGS.read() & FLAGS_TX_FULL == 0 && TO_SEND.try_read(&mut byte).is_ok();
        if fed {
            DATA.write(byte[0].into());
        }
        fed
    };
    // One critical section per byte, because both task and interrupt call this and bytes must stay
    // in order.
    while critical_section::with(|_| feed_one()) {}
}

/// Bytes arrived faster than they were read; some are missing.
#[derive(Debug)]
pub(crate) struct Overrun;

impl core::fmt::Display for Overrun {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("bytes were lost")
    }
}

impl core::error::Error for Overrun {}

impl Error for Overrun {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

/// The receiving half.
pub(crate) struct Rx(());

impl ErrorType for Rx {
    type Error = Overrun;
}

impl Read for Rx {
    fn read(&mut self, bytes: &mut [u8]) -> impl Future<Output = Result<usize, Overrun>> {
        let mut reading = RECEIVED.read(bytes);
        poll_fn(move |context| match LOST.swap(false, Ordering::Relaxed) {
            true => Poll::Ready(Err(Overrun)),
            false => pin!(&mut reading).poll(context).map(Ok),
        })
    }
}

/// The sending half.
pub(crate) struct Tx(());

impl ErrorType for Tx {
    type Error = core::convert::Infallible;
}

impl Write for Tx {
    fn write(&mut self, bytes: &[u8]) -> impl Future<Output = Result<usize, Self::Error>> {
        let mut writing = TO_SEND.write(bytes);
        poll_fn(move |context| {
            pin!(&mut writing).poll(context).map(|count| {
                feed();
                Ok(count)
            })
        })
    }

    fn flush(&mut self) -> impl Future<Output = Result<(), Self::Error>> {
        let mut pause = Timer::after_millis(1);
        poll_fn(move |context| {
            while !TO_SEND.is_empty() || FLAGS.read() & FLAGS_BUSY != 0 {
                ready!(pin!(&mut pause).poll(context));
                pause = Timer::after_millis(1);
            }
            Poll::Ready(Ok(()))
        })
    }
}
