//! A chip's USB device, whose only function is a serial port.
use super::Port;
use core::{convert::Infallible, future::Future, ops::Range};
use corvid_firmware::{app::Device, serial};
use embassy_futures::join::join;
use embassy_time::{Duration, with_timeout};
use embassy_usb::{
    Builder, Config,
    class::cdc_acm::{CdcAcmClass, Receiver, Sender, State},
    driver::Driver,
};
use embedded_io_async::{ErrorType, Read, Write};

/// The largest packet of a full-speed bulk endpoint.
const PACKET: usize = 64;

/// How long the host may leave a packet unread before it is considered not to be listening.
const PATIENCE: Duration = Duration::from_secs(1);

/// A chip's USB.
pub(crate) trait Usb {
    type Driver<'d>: Driver<'d>;

    fn driver<'d>(self) -> Self::Driver<'d>;
}

/// The serial port on it.
pub(crate) struct UsbPort<U>(pub(crate) U);

impl<U: Usb> Port for UsbPort<U> {
    fn serve(self, device: &'static Device) -> impl Future {
        serve(self.0, device)
    }
}

async fn serve(usb: impl Usb, device: &Device) {
    // pid.codes' ID for tests and private use: Corvid has none of its own.
    let mut config = Config::new(0x1209, 0x0001);
    config.manufacturer = Some("Corvid");
    config.product = Some("Corvid");
    let (mut configuration, mut bos, mut control) = ([0; 128], [0; 32], [0; PACKET]);
    let mut state = State::new();
    let mut builder =
        Builder::new(usb.driver(), config, &mut configuration, &mut bos, &mut [], &mut control);
    let port = CdcAcmClass::new(&mut builder, &mut state, PACKET as u16);
    let mut usb = builder.build();
    let (tx, rx) = port.split();
    let rx = Rx { port: rx, packet: [0; PACKET], rest: 0..0 };
    let tx = Tx { port: tx, listening: true };
    join(usb.run(), serial::run(device, rx, tx)).await;
}

/// The receiving half of the port, byte by byte.
struct Rx<'d, D: Driver<'d>> {
    port: Receiver<'d, D>,
    packet: [u8; PACKET],
    /// The part of `packet` not read yet.
    rest: Range<usize>,
}

impl<'d, D: Driver<'d>> ErrorType for Rx<'d, D> {
    type Error = Infallible;
}

impl<'d, D: Driver<'d>> Read for Rx<'d, D> {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        // Empty packets are part of USB, not the end of the input.
        while self.rest.is_empty() {
            match self.port.read_packet(&mut self.packet).await {
                Ok(count) => self.rest = 0..count,
                Err(_) => self.port.wait_connection().await,
            }
        }
        let rest = self.packet.get(self.rest.clone()).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
        self.rest.start += count;
        Ok(count)
    }
}

/// The sending half. Unread output is dropped, so that answers to a closed terminal never block the
/// brain.
struct Tx<'d, D: Driver<'d>> {
    port: Sender<'d, D>,
    /// Whether the last packet was read in time.
    listening: bool,
}

impl<'d, D: Driver<'d>> ErrorType for Tx<'d, D> {
    type Error = Infallible;
}

impl<'d, D: Driver<'d>> Write for Tx<'d, D> {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        // A full packet at the end of an answer would have to be followed by an empty one; a packet
        // that is a byte short ends the transfer by itself.
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
