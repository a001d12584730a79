//! Memory for the HALs' UART drivers.
use static_cell::ConstStaticCell;

/// Buffers bytes between the UART's interrupt and the serial task: at 115200 baud, 256 of them
/// are 22 ms.
type Buffer = [u8; 256];

pub(crate) static UART_RX: ConstStaticCell<Buffer> = ConstStaticCell::new([0; 256]);
pub(crate) static UART_TX: ConstStaticCell<Buffer> = ConstStaticCell::new([0; 256]);
