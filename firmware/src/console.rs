//! The serial console: lines in, answers out, below everything else in thread mode.
use crate::{
    app::{Busy, Device},
    frame::{HEIGHT, PAGE_ROWS},
    health::{self, Part},
    keys::Press,
    log,
    table::Table,
};
use core::fmt;
use corvid_core::{
    console,
    gtp::{Clock, Flow, Gtp, Hardware},
    session::AnyMatch,
    setup::GameKind,
};

/// What a board's own file knows of it.
#[derive(Debug, Clone, Copy)]
pub struct Board {
    /// Its name, as `cargo xtask image` takes it.
    pub name: &'static str,
    /// Starts it again as after power-on.
    pub reboot: fn(),
    /// Starts it as a drive that takes a new image, where it can.
    pub bootsel: Option<fn()>,
}

impl Board {
    /// No board at all, for tests.
    pub const NONE: Self = Self { name: "none", reboot: || (), bootsel: None };
}

/// How long a last answer may take to get out before a restart.
const FAREWELL_MICROS: u64 = 300_000;

/// The longest wait for the screen's task, which draws a frame in much less.
const SCREEN_MICROS: u64 = 500_000;

/// The game on the serial port and the line that is being received.
///
/// Large: a board keeps it in a static, where the size report shows it, not on the stack.
#[derive(Debug)]
pub struct Console {
    console: console::Console<'static>,
    board: Board,
    clock: Clock,
    /// The table's generation when its game was last the same as here.
    seen: u32,
}

impl Console {
    /// A console at the start of a game, without memory to think with.
    pub fn new(clock: Clock) -> Self {
        let console = console::Console::new(clock, &mut []);
        Self { console, board: Board::NONE, clock, seen: 0 }
    }

    /// Lends it memory to think with, all zeros.
    pub fn lend(&mut self, memory: &'static mut [u64]) {
        self.console.lend(memory);
    }

    /// Tells it which board it is on.
    pub const fn set_board(&mut self, board: Board) {
        self.board = board;
    }

    /// The engine, which also thinks for the table.
    pub const fn gtp(&mut self) -> &mut Gtp<'static> {
        self.console.gtp()
    }

    /// Takes the time for a random number: somebody has just done something.
    pub fn stir(&mut self) {
        let now = (self.clock)();
        self.gtp().stir(now);
    }

    /// The game as the serial port has it.
    pub const fn game(&self) -> &AnyMatch {
        self.console.game()
    }

    /// Whether a contest's host is on the line, who does not wait for anything else.
    pub const fn is_in_contest(&self) -> bool {
        self.console.is_in_contest()
    }

    /// Takes the table's game over if it has changed.
    pub fn pull(&mut self, table: &Table) {
        if table.generation() != self.seen {
            self.console.gtp().game_mut().copy_from(table.game());
            self.seen = table.generation();
        }
    }

    /// Puts the game on the table if a line has changed it.
    fn push(&mut self, table: &mut Table) {
        if self.console.game() != table.game() {
            table.follow(self.console.game());
            self.seen = table.generation();
        }
    }

    /// Takes the bytes that are there, or idles once when there are none, and answers each line
    /// they complete.
    pub fn step(&mut self, device: &Device, idle: fn()) -> Flow {
        let mut chunk = [0; 32];
        // Output never fails: what is written to it is always taken.
        let out = &mut Output { device, idle };
        let Ok(count) = device.input.try_read(&mut chunk) else {
            let hardware = &Parts { device, idle, board: self.board, clock: self.clock };
            let _ = self.console.idle(hardware, out);
            idle();
            return Flow::Continue;
        };
        let mut flow = Flow::Continue;
        for &byte in &chunk[..count] {
            let parts = &mut Parts { device, idle, board: self.board, clock: self.clock };
            if !matches!(byte, b'\r' | b'\n') && !self.console.is_in_contest() {
                // In the middle of a line: nothing happens to the game.
                let _ = self.console.push(byte, parts, out);
                continue;
            }
            // While a line is being answered nobody else changes the game.
            device.set_busy(Busy::Serial);
            self.pull(&device.table_now(idle));
            self.stir();
            health::beat_for(Part::Brain, health::LONG);
            let answered = self.console.push(byte, parts, out);
            self.push(&mut device.table_now(idle));
            device.set_busy(Busy::Idle);
            device.work.signal(());
            match answered {
                Ok(Flow::Reboot) => self.restart(device, idle, self.board.reboot),
                Ok(Flow::Bootsel) => {
                    self.restart(device, idle, self.board.bootsel.unwrap_or(self.board.reboot));
                }
                Ok(Flow::Quit) => flow = Flow::Quit,
                _ => {}
            }
        }
        flow
    }

    /// Tells whoever is on the line what has changed at the table; to be called when something has.
    pub fn tell(&mut self, device: &Device, idle: fn()) {
        let table = device.table_now(idle);
        if table.generation() == self.seen {
            return;
        }
        self.seen = table.generation();
        let change = self.console.follow(table.game());
        drop(table);
        let _ = self.console.tell(change, &mut Output { device, idle });
    }

    fn restart(&self, device: &Device, idle: fn(), restart: fn()) {
        let begun = (self.clock)();
        // The last bytes are on their way for some milliseconds more than the pipe holds them.
        while (self.clock)().saturating_sub(begun) < FAREWELL_MICROS {
            idle();
        }
        if !device.output.is_empty() {
            log::warn!("answers lost");
        }
        restart();
    }
}

/// What the serial port can ask of the device beside the game.
struct Parts<'a> {
    device: &'a Device,
    idle: fn(),
    board: Board,
    clock: Clock,
}

impl Hardware for Parts<'_> {
    fn board(&self) -> Option<&'static str> {
        Some(self.board.name)
    }

    /// Two rows of the display in a line: `'` is lit above, `.` below, `:` both.
    fn write_screen(&mut self, out: &mut dyn fmt::Write) -> fmt::Result {
        for page in 0..HEIGHT / PAGE_ROWS {
            let begun = (self.clock)();
            let mut columns = self.device.peek(page);
            while columns.is_none() && (self.clock)().saturating_sub(begun) < SCREEN_MICROS {
                (self.idle)();
                columns = self.device.peek(page);
            }
            let Some(columns) = columns else { return out.write_str("no screen\n") };
            for row in (0..PAGE_ROWS).step_by(2) {
                for column in columns {
                    out.write_char([' ', '\'', '.', ':'][usize::from(column >> row & 3)])?;
                }
                out.write_char('\n')?;
            }
        }
        Ok(())
    }

    fn press(&mut self, key: &str) -> bool {
        let press = Press::from_name(key);
        press.is_some_and(|press| self.device.keys.try_send(press).is_ok())
    }

    fn write_stats(&mut self, out: &mut dyn fmt::Write) -> fmt::Result {
        let statistics = self.device.table_now(self.idle).statistics;
        for (kind, tally) in GameKind::ALL.iter().zip(statistics.tallies) {
            writeln!(out, "{kind} {} won {} drawn {} lost", tally.won, tally.drawn, tally.lost)?;
        }
        writeln!(out, "uptime {} s", ((self.clock)() / 1_000_000) as u32)?;
        health::write_stats(out)
    }

    fn has_bootsel(&self) -> bool {
        self.board.bootsel.is_some()
    }

    fn discard(&mut self) -> bool {
        // The brain is told after every line.
        health::discard()
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
