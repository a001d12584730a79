//! The serial port: passes its bytes to the console and the console's answers back.
use crate::{app::Device, log};
use core::convert::Infallible;
use embassy_futures::join::join;
use embassy_time::{Duration, Timer};
use embedded_io_async::{Read, Write};

/// Bytes transferred at once: a full-speed USB packet.
const CHUNK: usize = 64;

/// The delay after a port error before the next try, so that a broken port leaves time for the
/// keys.
const PAUSE: Duration = Duration::from_millis(1);

/// Serves a port: [`receive`] and [`send`] at once.
pub async fn run<R: Read, W: Write>(device: &Device, mut rx: R, mut tx: W) -> ! {
    let (never, _) = join(receive(device, &mut rx), send(device, &mut tx)).await;
    match never {}
}

/// Passes bytes from the port to the console. Errors (noise on the line, an overrun) cost the bytes
/// they hit and nothing more.
/// Reads no more while [`INPUT_CAPACITY`](crate::app::INPUT_CAPACITY) bytes are buffered.
pub async fn receive<R: Read>(device: &Device, rx: &mut R) -> Infallible {
    let mut chunk = [0; CHUNK];
    loop {
        match rx.read(&mut chunk).await {
            // The end of the input, which may continue later.
            Ok(0) => Timer::after(PAUSE).await,
            Ok(count) => {
                let mut rest = chunk.get(..count).unwrap_or(&chunk);
                device.hear(rest);
                while !rest.is_empty() {
                    let count = device.input.write(rest).await;
                    rest = rest.get(count..).unwrap_or_default();
                }
            }
            Err(_) => {
                log::warn!("serial input: bytes lost");
                Timer::after(PAUSE).await;
            }
        }
    }
}

/// Passes the console's answers to the port. Flushes when there is nothing more to send. An error
/// costs what was read from the console last.
pub async fn send<W: Write>(device: &Device, tx: &mut W) -> Infallible {
    let mut chunk = [0; CHUNK];
    loop {
        let count = device.output.read(&mut chunk).await;
        let mut rest = chunk.get(..count).unwrap_or(&chunk);
        let mut sent = true;
        while sent && !rest.is_empty() {
            let count = tx.write(rest).await.unwrap_or(0);
            rest = rest.get(count..).unwrap_or_default();
            sent = count > 0;
        }
        if sent && device.output.is_empty() {
            sent = tx.flush().await.is_ok();
        }
        if !sent {
            log::warn!("serial output: bytes lost");
            Timer::after(PAUSE).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use embassy_futures::{
        block_on,
        select::{Either, select},
    };

    /// A port that fails once, then gives its bytes.
    struct Flaky {
        failed: bool,
        rest: &'static [u8],
    }

    impl embedded_io_async::ErrorType for Flaky {
        type Error = embedded_io_async::ErrorKind;
    }

    impl Read for Flaky {
        async fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Self::Error> {
            if !core::mem::replace(&mut self.failed, true) {
                return Err(embedded_io_async::ErrorKind::Other);
            }
            Ok(self.rest.read(bytes).await.unwrap_or(0))
        }
    }

    #[test]
    fn an_error_of_the_port_does_not_stop_it() {
        let device = Device::default();
        let mut sent = [0; 16];
        let rx = Flaky { failed: false, rest: b"name\n" };
        device.output.try_write(b"= yes").unwrap();
        let mut received = [0; 16];
        let read = device.input.read(&mut received);
        let ended = block_on(select(run(&device, rx, &mut sent[..]), read));
        assert!(matches!(ended, Either::Second(5)));
        assert_eq!(received[..5], *b"name\n");
        assert_eq!(sent[..5], *b"= yes");
    }
}
