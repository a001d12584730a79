//! What the command line shares with the tests and the benchmarks.

pub mod device_time;
pub mod scenario;
pub mod statistics;
