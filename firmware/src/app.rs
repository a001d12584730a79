//! What the tasks of a device share, and its capacities.
use crate::keys::Key;
use embassy_sync::{
    blocking_mutex::raw::CriticalSectionRawMutex as Mutex, channel::Channel, pipe::Pipe,
};

/// Key presses that wait for the screen. More than a person can press while a frame is drawn.
pub const KEY_CAPACITY: usize = 8;

/// Bytes from the serial port that wait while the board thinks: lines sent ahead.
pub const INPUT_CAPACITY: usize = 1024;

/// Bytes of answers on their way to the serial port; the console waits when it is full.
pub const OUTPUT_CAPACITY: usize = 256;

/// The channels between the tasks of a device. A board keeps one in a static.
#[derive(Debug)]
pub struct Device {
    /// From [`keys`](crate::keys) to [`screen`](crate::screen).
    pub(crate) keys: Channel<Mutex, Key, KEY_CAPACITY>,
    /// From [`serial`](crate::serial) to [`console`](crate::console).
    pub(crate) input: Pipe<Mutex, INPUT_CAPACITY>,
    /// From [`console`](crate::console) to [`serial`](crate::serial).
    pub(crate) output: Pipe<Mutex, OUTPUT_CAPACITY>,
}

impl Device {
    /// Empty channels.
    pub const fn new() -> Self {
        Self { keys: Channel::new(), input: Pipe::new(), output: Pipe::new() }
    }
}

impl Default for Device {
    fn default() -> Self {
        Self::new()
    }
}
