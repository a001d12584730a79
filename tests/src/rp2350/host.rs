//! A USB host with a driver for serial ports (CDC-ACM), at the other end of the cable.
use super::{CYCLES_PER_MICRO, NEVER, usb::Usb};
use std::collections::VecDeque;

/// The largest packet of a full-speed bulk endpoint.
const PACKET: usize = 64;

/// A packet of 64 bytes with its token and handshake, at 12 Mbit/s.
const TRANSACTION: u64 = 60 * CYCLES_PER_MICRO;

// Descriptors.
const DEVICE: u16 = 1;
const CONFIGURATION: u16 = 2;
const INTERFACE: u8 = 4;
const ENDPOINT: u8 = 5;
/// Bytes of the first descriptor, and of the head of the second.
const DEVICE_LENGTH: u16 = 18;
const HEAD: u16 = 9;
/// The class of an interface that carries a serial port's bytes.
const CDC_DATA: u8 = 10;

// Requests, and whom they concern.
const TO_HOST: u8 = 0x80;
const TO_DEVICE: u8 = 0;
const CLASS_INTERFACE: u8 = 0x21;
const SET_ADDRESS: u8 = 5;
const GET_DESCRIPTOR: u8 = 6;
const SET_CONFIGURATION: u8 = 9;
const SET_LINE_CODING: u8 = 0x20;
const SET_LINES: u8 = 0x22;

/// 115200 baud, 8 bits, no parity, one stop bit.
const LINE_CODING: [u8; 7] = [0x00, 0xc2, 0x01, 0x00, 0, 0, 8];

/// A program has opened the port: DTR and RTS.
const OPEN: u16 = 3;

/// A control request, and how far it has come.
struct Request {
    kind: u8,
    code: u8,
    value: u16,
    length: u16,
    /// What the host sends with it, as far as it has not.
    data: VecDeque<u8>,
    /// What the device has answered.
    answer: Vec<u8>,
    /// The answer is complete.
    answered: bool,
}

impl Request {
    fn new(kind: u8, code: u8, value: u16, data: &[u8]) -> Self {
        let data: VecDeque<u8> = data.iter().copied().collect();
        let length = data.len() as u16;
        Self { kind, code, value, length, data, answer: Vec::new(), answered: false }
    }

    fn descriptor(number: u16, length: u16) -> Self {
        Self { length, ..Self::new(TO_HOST, GET_DESCRIPTOR, number << 8, &[]) }
    }
}

/// How far the host is with the device.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It is not there.
    Absent,
    /// The bus is being reset.
    Reset,
    /// It is asked who it is, and then used.
    Known,
}

/// The host.
pub(crate) struct Host {
    stage: Stage,
    requests: VecDeque<Request>,
    current: Option<Request>,
    /// The endpoints of the serial port: to the host and from it.
    endpoints: Option<(usize, usize)>,
    /// Whether a program has opened the port.
    open: bool,
    /// Bytes for the board. They wait until the port is open.
    to_send: VecDeque<u8>,
    /// A transfer of the board's that is not complete.
    transfer: Vec<u8>,
    /// What the board has sent, whole transfers at a time.
    pub(crate) received: Vec<u8>,
    /// When the next turn on the bus is over.
    due: u64,
}

impl Host {
    /// A host whose cable has just been plugged in.
    pub(crate) const fn new() -> Self {
        Self {
            stage: Stage::Absent,
            requests: VecDeque::new(),
            current: None,
            endpoints: None,
            open: false,
            to_send: VecDeque::new(),
            transfer: Vec::new(),
            received: Vec::new(),
            due: NEVER,
        }
    }

    /// The device is gone: the chip was reset. What the board has sent and what is meant for it stay.
    pub(crate) fn lose(&mut self) {
        let (to_send, received) =
            (std::mem::take(&mut self.to_send), std::mem::take(&mut self.received));
        *self = Self { to_send, received, ..Self::new() };
    }

    /// Sends bytes to the board's serial port.
    pub(crate) fn send(&mut self, bytes: &[u8], now: u64) {
        self.to_send.extend(bytes);
        self.wake(now);
    }

    /// The device may have something for the host, or the host for it.
    pub(crate) const fn wake(&mut self, now: u64) {
        if self.due == NEVER {
            self.due = now + TRANSACTION;
        }
    }

    /// When the next turn on the bus is over.
    pub(crate) const fn due(&self) -> u64 {
        self.due
    }

    /// Takes a turn on the bus, if it is time: a step of a request, then the serial port's bytes.
    pub(crate) fn advance(&mut self, usb: &mut Usb, now: u64) {
        if now < self.due {
            return;
        }
        let at = std::mem::replace(&mut self.due, NEVER);
        let moved = match self.stage {
            Stage::Absent if usb.is_present() => {
                usb.reset_bus();
                self.stage = Stage::Reset;
                true
            }
            Stage::Reset if !usb.is_resetting() => {
                self.enumerate();
                self.stage = Stage::Known;
                true
            }
            // All three, so no short circuit.
            Stage::Known => self.control(usb) | self.read(usb) | self.write(usb),
            Stage::Absent | Stage::Reset => false,
        };
        if moved {
            self.wake(at);
        }
    }

    fn enumerate(&mut self) {
        self.requests.extend([
            Request::new(TO_DEVICE, SET_ADDRESS, 1, &[]),
            Request::descriptor(DEVICE, DEVICE_LENGTH),
            // Its head says how long it is: it is asked for again then.
            Request::descriptor(CONFIGURATION, HEAD),
            Request::new(TO_DEVICE, SET_CONFIGURATION, 1, &[]),
            Request::new(CLASS_INTERFACE, SET_LINE_CODING, 0, &LINE_CODING),
            Request::new(CLASS_INTERFACE, SET_LINES, OPEN, &[]),
        ]);
    }

    /// A step of a request: whether anything moved.
    fn control(&mut self, usb: &mut Usb) -> bool {
        let Some(now) = &mut self.current else {
            let Some(next) = self.requests.pop_front() else { return false };
            let ([value, value_high], [length, length_high]) =
                (next.value.to_le_bytes(), next.length.to_le_bytes());
            usb.set_up([next.kind, next.code, value, value_high, 0, 0, length, length_high]);
            self.current = Some(next);
            return true;
        };
        assert!(!usb.refuses(), "USB: the board refused request {:#04x}", now.code);
        let ended = if now.kind & TO_HOST != 0 && !now.answered {
            let Some(packet) = usb.take(0) else { return false };
            now.answer.extend(&packet);
            now.answered = packet.len() < PACKET || now.answer.len() >= usize::from(now.length);
            return true;
        } else if now.kind & TO_HOST != 0 {
            usb.give(0, &[])
        } else if !now.data.is_empty() {
            let chunk: Vec<u8> = now.data.iter().copied().take(PACKET).collect();
            let moved = usb.give(0, &chunk);
            now.data.drain(..if moved { chunk.len() } else { 0 });
            return moved;
        } else {
            usb.take(0).is_some()
        };
        if ended {
            self.finish();
        }
        ended
    }

    fn finish(&mut self) {
        let Some(done) = self.current.take() else { return };
        match (done.code, done.answer[..].first_chunk::<4>()) {
            (GET_DESCRIPTOR, Some(&[_, number, low, high]))
                if u16::from(number) == CONFIGURATION =>
            {
                let length = u16::from_le_bytes([low, high]);
                if done.length < length {
                    self.requests.push_front(Request::descriptor(CONFIGURATION, length));
                } else {
                    self.endpoints = serial_port(&done.answer);
                    assert!(self.endpoints.is_some(), "USB: no serial port: {:?}", done.answer);
                }
            }
            (SET_LINES, _) => self.open = done.value == OPEN,
            _ => {}
        }
    }

    fn read(&mut self, usb: &mut Usb) -> bool {
        let Some((to_host, _)) = self.endpoints.filter(|_| self.open) else { return false };
        let Some(packet) = usb.take(to_host) else { return false };
        self.transfer.extend(&packet);
        // A host's driver may wait for the short packet that ends a transfer: so does this one.
        if packet.len() < PACKET {
            self.received.append(&mut self.transfer);
        }
        true
    }

    fn write(&mut self, usb: &mut Usb) -> bool {
        let Some((_, from_host)) = self.endpoints.filter(|_| self.open) else { return false };
        let packet: Vec<u8> = self.to_send.iter().copied().take(PACKET).collect();
        if packet.is_empty() || !usb.give(from_host, &packet) {
            return false;
        }
        self.to_send.drain(..packet.len());
        true
    }
}

/// The endpoints that carry a serial port's bytes, to the host and from it, by the descriptors of a
/// configuration.
fn serial_port(mut descriptors: &[u8]) -> Option<(usize, usize)> {
    let (mut carries_data, mut to_host, mut from_host) = (false, None, None);
    while let Some((descriptor, rest)) =
        descriptors.first().and_then(|length| descriptors.split_at_checked((*length).into()))
    {
        match *descriptor {
            [_, INTERFACE, _, _, _, class, ..] => carries_data = class == CDC_DATA,
            [_, ENDPOINT, address, ..] if carries_data => {
                let side = if address & TO_HOST != 0 { &mut to_host } else { &mut from_host };
                *side = Some(usize::from(address & 0x0f));
            }
            [] => return None,
            _ => {}
        }
        descriptors = rest;
    }
    to_host.zip(from_host)
}
