//! What the simulator shares with the tests that run the device's application elsewhere.

pub mod device_time;
pub mod scenario;
