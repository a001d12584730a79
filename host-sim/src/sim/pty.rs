//! The device's serial port as a pseudo-terminal, for programs that expect a serial port.

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::thread;
use std::time::Duration;

use corvid::machine::Plan;
use corvid::parts::{Cable, Parts};
use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl, open};
use rustix::io::{Errno, read, write};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use super::live::{self, Finger, Visitor, catch_signals};
use crate::failure::Failure;

/// The polling interval of the port.
const PAUSE: Duration = Duration::from_millis(2);

/// A pseudo-terminal.
#[derive(Debug)]
pub(crate) struct Pty {
    device: OwnedFd,
    /// The other end, kept open so that programs can come and go.
    _program: OwnedFd,
    path: String,
}

impl Pty {
    /// Opens one in raw mode.
    pub(crate) fn open() -> Result<Self, Failure> {
        let failed = |error: Errno| Failure::Other(format!("no pseudo-terminal: {error}"));
        let device = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).map_err(failed)?;
        grantpt(&device).map_err(failed)?;
        unlockpt(&device).map_err(failed)?;
        let path = ptsname(&device, Vec::new()).map_err(failed)?;
        let path = path.to_string_lossy().into_owned();
        let program =
            open(path.as_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).map_err(failed)?;
        let mut raw = tcgetattr(&program).map_err(failed)?;
        raw.make_raw();
        tcsetattr(&program, OptionalActions::Now, &raw).map_err(failed)?;
        let flags = fcntl_getfl(&device).map_err(failed)?;
        fcntl_setfl(&device, flags | OFlags::NONBLOCK).map_err(failed)?;
        Ok(Self { device, _program: program, path })
    }

    /// Its path, for other programs.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Passes on what a program has sent.
    pub(crate) fn pass_in(&self, cable: &Cable) {
        let mut chunk = [0; 1024];
        while let Ok(count @ 1..) = read(&self.device, &mut chunk) {
            cable.send(&chunk[..count]);
        }
    }

    /// Passes on what the device has sent. Unread output is dropped, as on USB.
    pub(crate) fn pass_out(&self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match write(&self.device, bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(_) => return,
            }
        }
    }
}

/// Runs the device with its serial port as the only interface, until a signal ends it.
pub(crate) fn run(plan: Plan, speed: f64) -> Result<(), Failure> {
    catch_signals();
    let pty = Pty::open()?;
    writeln!(io::stdout(), "{}", pty.path())?;
    io::stdout().flush()?;
    live::run(plan, speed, pty)
}

impl Visitor for Pty {
    fn visit(&mut self, parts: &Parts, _: &mut Finger) -> Result<bool, Failure> {
        self.pass_out(&parts.cable.receive());
        thread::sleep(PAUSE);
        self.pass_in(&parts.cable);
        Ok(true)
    }
}
