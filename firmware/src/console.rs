//! The serial console: lines in, answers out, below everything else in thread mode.
use crate::app::Device;
use core::fmt;
use corvid_core::{
    gtp::{Clock, Flow, Gtp},
    lines::LineReader,
};

/// The game on the serial port and the line that is being received.
///
/// Large: a board keeps it in a static, where the size report shows it, not on the stack.
#[derive(Debug)]
pub struct Console {
    gtp: Gtp,
    lines: LineReader,
}

impl Console {
    /// A console at the start of a game.
    pub const fn new(clock: Clock) -> Self {
        Self { gtp: Gtp::new(clock), lines: LineReader::new() }
    }

    /// Answers lines for ever, in thread mode. `idle` waits for an interrupt (`wfe`); it may also
    /// return at once.
    ///
    /// `quit` is answered like any command and the game stays: a board has nowhere to quit to.
    pub fn run(&mut self, device: &Device, idle: fn()) -> ! {
        loop {
            self.step(device, idle);
        }
    }

    /// Takes the bytes that are there, or idles once when there are none, and answers each line
    /// they complete.
    pub fn step(&mut self, device: &Device, idle: fn()) -> Flow {
        let mut chunk = [0; 32];
        let Ok(count) = device.input.try_read(&mut chunk) else {
            idle();
            return Flow::Continue;
        };
        let mut flow = Flow::Continue;
        for &byte in &chunk[..count] {
            let Some(line) = self.lines.push(byte) else { continue };
            let out = &mut Output { device, idle };
            let answered = match line {
                Ok(line) => self.gtp.line(&line, out),
                Err(_) => self.gtp.overlong_line(out).map(|()| Flow::Continue),
            };
            // Output never fails, so an error could only come from the text's own formatting.
            if answered == Ok(Flow::Quit) {
                flow = Flow::Quit;
            }
        }
        flow
    }
}

/// Text to the serial port. Waits while the port is behind.
struct Output<'a> {
    device: &'a Device,
    idle: fn(),
}

impl fmt::Write for Output<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.device.output.try_write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(_) => (self.idle)(),
            }
        }
        Ok(())
    }
}
