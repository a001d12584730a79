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
    gtp: Gtp<'static>,
    lines: LineReader,
}

impl Console {
    /// A console at the start of a game, without memory to think with.
    pub const fn new(clock: Clock) -> Self {
        Self { gtp: Gtp::new(clock, &mut []), lines: LineReader::new() }
    }

    /// Lends it memory to think with, all zeros.
    pub fn lend(&mut self, memory: &'static mut [u64]) {
        self.gtp.lend(memory);
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
            // The Enter key of a terminal sends a CR alone. After CR LF there is an empty line more,
            // and those have no answer.
            let byte = if byte == b'\r' { b'\n' } else { byte };
            let Some(line) = self.lines.push(byte) else { continue };
            let out = &mut Output { device, idle };
            let answered = match line {
                Ok(line) => self.gtp.line(line, out),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What the console answers when it gets all of these bytes.
    fn answers(input: &[u8]) -> String {
        let device = Device::new();
        let mut console = Console::new(|| 0);
        let mut text = Vec::new();
        for piece in input.chunks(100) {
            device.input.try_write(piece).unwrap();
            while !device.input.is_empty() {
                console.step(&device, || panic!("there is input and room for output"));
            }
            let mut chunk = [0; 256];
            while let Ok(count) = device.output.try_read(&mut chunk) {
                text.extend_from_slice(&chunk[..count]);
            }
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn lines_are_answered_in_order() {
        assert_eq!(answers(b"1 name\r\n2 perft 3\n"), "=1 Corvid\n\n=2 perft 3 56\n\n");
    }

    #[test]
    fn any_line_end_will_do() {
        let corvid = "= Corvid\n\n";
        assert_eq!(answers(b"name\nname\r\nname\r"), [corvid; 3].concat());
    }

    #[test]
    fn a_line_without_its_end_is_not_answered() {
        assert_eq!(answers(b"name\nname"), "= Corvid\n\n");
    }

    #[test]
    fn after_quit_and_an_overlong_line_the_game_goes_on() {
        let overlong = "x".repeat(5000);
        let lines = format!("play b d3\nquit\n{overlong}\nmoves\n");
        let answers = answers(lines.as_bytes());
        assert!(answers.starts_with("= \n\n= \n\n? line longer than "), "{answers}");
        assert!(answers.ends_with("\n\n= d3\n\n"), "{answers}");
    }

    #[test]
    fn without_input_it_idles() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static IDLED: AtomicUsize = AtomicUsize::new(0);
        fn idle() {
            IDLED.fetch_add(1, Ordering::Relaxed);
        }
        Console::new(|| 0).step(&Device::new(), idle);
        assert_eq!(IDLED.load(Ordering::Relaxed), 1);
    }
}
