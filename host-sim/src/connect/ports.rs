//! Serial ports, and which of them is a Corvid.

use corvid::heard::harmless;
use serialport::{SerialPortInfo, SerialPortType};

use crate::failure::Failure;

/// The USB IDs of the Pico's image: pid.codes' test ID, with Corvid's name to tell it from
/// others that use it.
const USB_IDS: (u16, u16) = (0x1209, 0x0001);
const PRODUCT: &str = "Corvid";

/// All ports.
pub(super) fn all() -> Result<Vec<SerialPortInfo>, Failure> {
    serialport::available_ports()
        .map_err(|error| Failure::Other(format!("cannot list the serial ports: {error}")))
}

fn is_corvid(port: &SerialPortInfo) -> bool {
    match &port.port_type {
        SerialPortType::UsbPort(usb) => {
            let named = usb.product.as_deref().is_none_or(|name| name.contains(PRODUCT));
            (usb.vid, usb.pid) == USB_IDS && named
        }
        _ => false,
    }
}

/// A port in a line.
pub(super) fn describe(port: &SerialPortInfo) -> String {
    let what = match &port.port_type {
        SerialPortType::UsbPort(usb) => {
            let name = harmless(usb.product.as_deref().unwrap_or("USB"));
            format!("{name} ({:04x}:{:04x})", usb.vid, usb.pid)
        }
        SerialPortType::BluetoothPort => "Bluetooth".into(),
        SerialPortType::PciPort => "PCI".into(),
        SerialPortType::Unknown => "unknown".into(),
    };
    let mark = if is_corvid(port) { " <- Corvid" } else { "" };
    format!("{}  {what}{mark}", port.port_name)
}

/// The port of the only Corvid; an error that lists the candidates if there is none or more than
/// one.
pub(super) fn only_corvid(ports: &[SerialPortInfo]) -> Result<String, Failure> {
    let mut corvids = ports.iter().filter(|port| is_corvid(port));
    let usb = |port: &&SerialPortInfo| matches!(port.port_type, SerialPortType::UsbPort(_));
    let list = |ports: &mut dyn Iterator<Item = &SerialPortInfo>| {
        ports.map(describe).collect::<Vec<_>>().join(", ")
    };
    match (corvids.next(), corvids.next()) {
        (Some(port), None) => Ok(port.port_name.clone()),
        (None, _) => {
            let others = list(&mut ports.iter().filter(usb));
            Err(Failure::Other(if others.is_empty() {
                "no board is plugged in; name its port: corvid connect PORT".into()
            } else {
                format!("which of these is the board? {others}: corvid connect PORT")
            }))
        }
        _ => {
            let boards = list(&mut ports.iter().filter(|port| is_corvid(port)));
            Err(Failure::Other(format!("there are several boards, name one: {boards}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serialport::UsbPortInfo;

    fn usb(name: &str, pid: u16, product: Option<&str>) -> SerialPortInfo {
        let port_type = SerialPortType::UsbPort(UsbPortInfo {
            vid: 0x1209,
            pid,
            serial_number: None,
            manufacturer: None,
            product: product.map(Into::into),
        });
        SerialPortInfo { port_name: name.into(), port_type }
    }

    #[test]
    fn the_only_board_is_found_and_others_are_listed() {
        let unknown =
            SerialPortInfo { port_name: "/dev/ttyS0".into(), port_type: SerialPortType::Unknown };
        let corvid = usb("/dev/ttyACM0", 1, Some("Corvid"));
        let foreign = usb("/dev/ttyACM1", 1, Some("Lamp"));
        let found = |ports: &[&SerialPortInfo]| {
            let ports: Vec<_> = ports.iter().map(|port| (*port).clone()).collect();
            only_corvid(&ports).map_err(|failure| format!("{failure:?}"))
        };
        assert_eq!(found(&[&unknown, &foreign, &corvid]), Ok("/dev/ttyACM0".into()));
        assert!(found(&[&unknown]).unwrap_err().contains("no board is plugged in"));
        let text = found(&[&unknown, &foreign]).unwrap_err();
        assert!(text.contains("/dev/ttyACM1  Lamp (1209:0001): corvid"), "{text}");
        let second = usb("/dev/ttyACM2", 1, None);
        assert!(found(&[&corvid, &second]).unwrap_err().contains("several boards"));
    }
}
