//! The serial console: lines in, answers out, below everything else in thread mode.
use crate::{
    app::{Busy, Device},
    health::{self, Part},
    table::Table,
};
use core::{fmt, sync::atomic::AtomicBool};
use corvid_core::{
    engine::Opponent,
    gtp::{Clock, Flow, Gtp, Hardware},
    lines::LineReader,
    session::{AnyMatch, MoveText, Progress, Refusal},
};

/// The game on the serial port and the line that is being received.
///
/// Large: a board keeps it in a static, where the size report shows it, not on the stack.
#[derive(Debug)]
pub struct Console {
    gtp: Gtp<'static>,
    lines: LineReader,
    /// The table's generation when its game was last the same as here.
    seen: u32,
}

impl Console {
    /// A console at the start of a game, without memory to think with.
    pub const fn new(clock: Clock) -> Self {
        Self { gtp: Gtp::new(clock, &mut []), lines: LineReader::new(), seen: 0 }
    }

    /// Lends it memory to think with, all zeros.
    pub fn lend(&mut self, memory: &'static mut [u64]) {
        self.gtp.lend(memory);
    }

    /// The game as the serial port has it.
    pub const fn game(&self) -> &AnyMatch {
        self.gtp.game()
    }

    /// Takes the table's game over if it has changed.
    pub fn pull(&mut self, table: &Table) {
        if table.generation() != self.seen {
            self.gtp.game_mut().clone_from(table.game());
            self.seen = table.generation();
        }
    }

    /// Puts the game on the table if a line has changed it.
    fn push(&mut self, table: &mut Table) {
        if self.gtp.game() != table.game() {
            table.follow(self.gtp.game());
            self.seen = table.generation();
        }
    }

    /// The move that `opponent` would play now in this game.
    pub fn think(
        &mut self,
        opponent: Opponent,
        micros: u64,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<MoveText, Refusal> {
        self.gtp.think(opponent, micros, stop, report)
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
            // While a line is being answered nobody else changes the game.
            device.set_busy(Busy::Serial);
            let table = device.table_now(idle);
            if table.generation() != self.seen {
                self.gtp.game_mut().clone_from(table.game());
                self.seen = table.generation();
            }
            drop(table);
            let out = &mut Output { device, idle };
            health::beat_for(Part::Brain, health::LONG);
            let answered = match line {
                Ok(line) => self.gtp.line_on(&mut Board, line, out),
                Err(_) => self.gtp.overlong_line(out).map(|()| Flow::Continue),
            };
            self.push(&mut device.table_now(idle));
            device.set_busy(Busy::Idle);
            device.work.signal(());
            // Output never fails, so an error could only come from the text's own formatting.
            if answered == Ok(Flow::Quit) {
                flow = Flow::Quit;
            }
        }
        flow
    }
}

/// What the serial port can ask of the device beside the game.
struct Board;

impl Hardware for Board {
    fn board(&self) -> Option<&'static str> {
        None
    }

    fn write_screen(&mut self, _: &mut dyn fmt::Write) -> fmt::Result {
        Ok(())
    }

    fn press(&mut self, _: &str) -> bool {
        false
    }

    fn write_stats(&mut self, out: &mut dyn fmt::Write) -> fmt::Result {
        health::write_stats(out)
    }

    fn has_bootsel(&self) -> bool {
        false
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
