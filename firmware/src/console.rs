//! The serial line: bytes in, answers out, for the match on the table.
use crate::{
    app::{Device, Permit},
    frame::{HEIGHT, PAGE_ROWS},
    health::{self, Part},
    keys::{self, Press},
    log,
    processor::{Processor, Second, Speed},
    profile::Profile,
    statistics::Record,
    store::Trouble,
    task::{self, Watched},
};
use core::fmt;
use corvid_core::{
    console::{Console, INTERRUPT},
    desk::{ClockFn, Desk},
    registry::GameKind,
    session::{Match, Progress},
    thinker::{Answer, NoAnswer, Task, Thinker},
};

/// What a board's own file provides.
#[derive(Debug, Clone, Copy)]
pub struct Board {
    /// Its name, as `cargo xtask image` accepts it.
    pub name: &'static str,
    /// Restarts it as after power-on.
    pub reboot: fn(),
    /// Restarts it as a drive that accepts a new image, if it has that mode.
    pub bootsel: Option<fn()>,
    /// How fast its processor runs, if that can be chosen.
    pub processor: Option<Processor>,
    /// Restarts it with its processor at another speed, if there are two.
    pub restart_at: Option<fn(Speed)>,
    /// Its second processor.
    pub second: Second,
}

impl Board {
    /// No board at all, for tests.
    pub const NONE: Self = Self {
        name: "none",
        reboot: || (),
        bootsel: None,
        processor: None,
        restart_at: None,
        second: Second::None,
    };

    /// A simulated one of this profile. It always runs at full speed.
    pub fn simulated(profile: &Profile, reboot: fn()) -> Self {
        let processor = Processor::of(profile, Speed::Full);
        Self { name: profile.name, reboot, processor, ..Self::NONE }
    }
}

/// How long to wait for the last answer to be sent before a restart.
const FAREWELL_MICROS: u64 = 300_000;

/// After a question that nobody answered, nobody is asked for so long: the person at the keys needs the
/// line that questions take on the display.
const PAUSE_MICROS: u64 = 20_000_000;

/// Bytes taken in a turn.
const AT_ONCE: usize = 64;

/// The longest wait for the screen's task, which draws a frame in much less.
const SCREEN_MICROS: u64 = 500_000;

/// Commands that only a device has: see [`Desk::extra_commands`].
pub const DEVICE_COMMANDS: &str = "\
screen|the display as text
key NAME|presses up, down, left, right, select or menu
statistics|results as CSV; statistics erase yes deletes them
discard yes|deletes another version's save
reboot|restarts the board
bootsel yes|waits for a new image on USB
";

/// The console of the serial port, and what it needs from the board.
///
/// Large: a board keeps it in a static, where the size report shows it, not on the stack.
#[derive(Debug)]
pub struct Line {
    console: Console,
    board: Board,
    clock: ClockFn,
    slots: usize,
    /// What a line asked for, to be done when its answer is sent and the game saved.
    restart: Option<fn()>,
    /// When the person at the keys may be asked again.
    next_question: u64,
}

impl Line {
    pub(crate) const fn new(board: Board, clock: ClockFn, slots: usize) -> Self {
        Self { console: Console::new(), board, clock, slots, restart: None, next_question: 0 }
    }

    pub(crate) const fn wants_restart(&self) -> bool {
        self.restart.is_some()
    }

    pub(crate) const fn board(&self) -> Board {
        self.board
    }

    pub(crate) const fn clock(&self) -> ClockFn {
        self.clock
    }

    pub(crate) fn micros(&self) -> u64 {
        (self.clock)()
    }

    fn desk<'a>(
        &self,
        device: &'a Device,
        idle: fn(),
        thinker: Option<&'a mut Thinker<'static>>,
    ) -> TableDesk<'a> {
        let Self { board, clock, slots, next_question, .. } = *self;
        let contest = self.console.is_in_contest();
        let generation = device.table_now(idle).generation();
        let (changed, restart, question) = (false, None, "");
        TableDesk {
            device,
            idle,
            board,
            clock,
            slots,
            contest,
            thinker,
            generation,
            changed,
            restart,
            question,
            next_question,
        }
    }

    /// Processes received bytes and answers complete lines, up to one that changes the game, which
    /// is then saved. Without the thinker, lines that need it wait, and one line is enough at a time.
    /// False if there was nothing to do.
    pub(crate) fn serve(
        &mut self,
        device: &Device,
        idle: fn(),
        mut thinker: Option<&mut Thinker<'static>>,
    ) -> bool {
        let out = &mut Output { device, idle };
        let mut served = false;
        let mut done = self.restart.is_some();
        let permit = device.permit();
        let decided = match permit {
            Permit::UNASKED => thinker.is_some(),
            _ => !permit.is_asked() || device.is_interrupted(),
        };
        if self.console.is_waiting() && decided {
            served = true;
            done |= self.feed(None, device, idle, thinker.as_deref_mut());
        }
        // Somebody at the keys has begun another game.
        if self.console.is_in_contest() && !device.table_now(idle).is_contest() {
            served = true;
            let _ = self.console.leave_contest(out);
        }
        let mut byte = [0];
        // Not all at once: whoever sends without end must not keep others from their turn.
        for _ in 0..AT_ONCE {
            if done || self.console.is_waiting() || device.input.try_read(&mut byte).is_err() {
                break;
            }
            served = true;
            let ends = matches!(byte[0], b'\r' | b'\n');
            match &mut thinker {
                // Nobody ends a line twice at the same time.
                Some(thinker) if ends => thinker.stir(self.micros()),
                // Whoever is on the line wants the search to end that is going on.
                None if byte[0] == INTERRUPT => device.table_now(idle).hurry(),
                _ => {}
            }
            if byte[0] == INTERRUPT {
                device.heed();
            }
            done = self.feed(Some(byte[0]), device, idle, thinker.as_deref_mut())
                || ends && thinker.is_none();
        }
        served
    }

    /// Gives the console a byte, or its turn to answer the line that waited. True if no other line is
    /// to be answered before the game is saved.
    #[inline(never)]
    fn feed(
        &mut self,
        byte: Option<u8>,
        device: &Device,
        idle: fn(),
        thinker: Option<&mut Thinker<'static>>,
    ) -> bool {
        let out = &mut Output { device, idle };
        let contest = self.console.is_in_contest();
        let mut desk = self.desk(device, idle, thinker);
        // Writing to `Output` never fails.
        let _ = match byte {
            Some(byte) => self.console.push(byte, &mut desk, out),
            None => self.console.resume(&mut desk, out),
        };
        let TableDesk { mut changed, restart, question, next_question, .. } = desk;
        self.next_question = next_question;
        if !question.is_empty() {
            let _ = self.console.notice(format_args!("{question} on the device within 10 s"), out);
        }
        self.restart = self.restart.or(restart);
        if self.console.is_in_contest() != contest {
            device.table_now(idle).set_contest(!contest);
            changed = true;
        }
        if changed {
            device.announce();
        }
        changed || restart.is_some()
    }

    /// To be called when idle: echoes what a person has typed.
    pub(crate) fn idle(&mut self, device: &Device, idle: fn()) {
        let desk = self.desk(device, idle, None);
        let _ = self.console.idle(&desk, &mut Output { device, idle });
    }

    /// Sends notices of what has changed at the table.
    pub(crate) fn tell(&mut self, device: &Device, idle: fn()) {
        let mut desk = self.desk(device, idle, None);
        let _ = self.console.tell(&mut desk, &mut Output { device, idle });
    }

    /// Restarts the board if a line asked for it.
    pub(crate) fn restart(&mut self, device: &Device, idle: fn()) {
        let Some(restart) = self.restart.take() else { return };
        let begun = self.micros();
        // The last bytes take some milliseconds more to be sent after they leave the pipe.
        while self.micros().saturating_sub(begun) < FAREWELL_MICROS {
            idle();
        }
        if !device.output.is_empty() {
            log::warn!("answers lost");
        }
        restart();
    }
}

/// The table as a desk: it lends its match, and the thinker if that is free.
struct TableDesk<'a> {
    device: &'a Device,
    idle: fn(),
    board: Board,
    clock: ClockFn,
    slots: usize,
    /// A contest's answers have a deadline, and can't be aborted.
    contest: bool,
    thinker: Option<&'a mut Thinker<'static>>,
    /// The table's when the match was lent last: what is thought about belongs to it.
    generation: u32,
    /// Whether the game was changed. The screen is told after the answer, which it would delay.
    changed: bool,
    /// What to do once the answer is sent.
    restart: Option<fn()>,
    /// What the person at the keys is to be asked first.
    question: &'static str,
    /// The line's.
    next_question: u64,
}

impl Desk for TableDesk<'_> {
    fn look(&mut self, look: &mut dyn FnMut(&Match)) {
        let table = self.device.table_now(self.idle);
        self.generation = table.generation();
        look(table.game());
    }

    fn change(&mut self, change: &mut dyn FnMut(&mut Match)) {
        let mut table = self.device.table_now(self.idle);
        // A contest that somebody at the keys has ended changes nothing any more.
        if self.contest && !table.is_contest() {
            return;
        }
        table.change(change);
        self.generation = table.generation();
        self.changed = true;
    }

    fn think(
        &mut self,
        task: &Task,
        report: &mut dyn FnMut(&Progress),
    ) -> Result<Answer, NoAnswer> {
        let (device, idle, contest) = (self.device, self.idle, self.contest);
        let Some(thinker) = &mut self.thinker else { return Err(NoAnswer::Stopped) };
        let ticket = device.table_now(idle).begin_task(self.generation);
        let watched = Watched { device, idle, clock: self.clock, ticket, line: None, contest };
        let answer = watched.think(thinker, task, report);
        if contest { answer } else { task::unless_stopped(device, idle, ticket, answer) }
    }

    fn is_thinking(&self) -> bool {
        self.thinker.is_none()
    }

    fn micros(&self) -> u64 {
        (self.clock)()
    }

    fn seed(&mut self, seed: u64) {
        if let Some(thinker) = &mut self.thinker {
            thinker.seed(seed);
        }
    }

    fn slots(&self) -> usize {
        self.slots
    }

    fn extra_commands(&self) -> &'static str {
        DEVICE_COMMANDS
    }

    fn extra_command(
        &mut self,
        name: &str,
        arguments: &str,
        out: &mut dyn fmt::Write,
    ) -> Result<fmt::Result, &'static str> {
        match name {
            "screen" => return Ok(self.write_screen(out)),
            "key" => {
                let press = Press::from_name(arguments)
                    .ok_or("the keys are up, down, left, right, select and menu")?;
                self.device.keys.try_send(press).map_err(|_| "keys wait")?;
            }
            "statistics" if !self.device.table_now(self.idle).has_comforts() => {
                return Err("not on this board");
            }
            "statistics" => match arguments {
                "" => {
                    let statistics = self.device.table_now(self.idle).statistics.clone();
                    let written = out.write_char('\n').and_then(|()| statistics.write_csv(out));
                    return Ok(written);
                }
                "erase yes" => {
                    self.ask_person("erase? press a key")?;
                    self.device.table_now(self.idle).statistics.erase();
                    self.device.work.signal(());
                }
                "erase" => return Err("it deletes all results: statistics erase yes"),
                _ => return Err("statistics, or statistics erase yes"),
            },
            "reboot" if !arguments.is_empty() => return Err("reboot takes no words"),
            "reboot" => {
                self.ask_person("reboot? press a key")?;
                self.restart = Some(self.board.reboot);
            }
            "discard" if arguments != "yes" => {
                return Err("it deletes that save: discard yes");
            }
            "discard" => {
                let saving = self.device.table_now(self.idle).saving;
                if !matches!(saving, Some(Trouble::Version(_))) {
                    return Err("there is no such save");
                }
                self.ask_person("discard? press a key")?;
                self.device.table_now(self.idle).discards = true;
                self.device.work.signal(());
            }
            "bootsel" => {
                let bootsel = self.board.bootsel.ok_or("not on this board")?;
                if arguments != "yes" {
                    return Err("it ends the game: bootsel yes");
                }
                self.ask_person("bootsel? press a key")?;
                self.restart = Some(bootsel);
            }
            _ => return Err("unknown command"),
        }
        Ok(Ok(()))
    }

    fn name(&self) -> Option<&'static str> {
        Some(self.board.name)
    }

    fn write_capabilities(&mut self, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str("screen 128x64\nkeys up down left right select\n")
    }

    fn write_stats(&mut self, out: &mut dyn fmt::Write) -> fmt::Result {
        let table = self.device.table_now(self.idle);
        let totals = GameKind::ALL.map(|kind| table.statistics.total(kind));
        let saving = table.saving;
        drop(table);
        for Record { kind, won, drawn, lost, .. } in totals {
            let [won, drawn, lost] = [won, drawn, lost].map(u32::from);
            writeln!(out, "{kind} {won} won {drawn} drawn {lost} lost")?;
        }
        writeln!(out, "uptime {} s", (self.micros() / 1_000_000) as u32)?;
        if let Some(processor) = self.board.processor {
            writeln!(out, "processor {processor}")?;
        }
        writeln!(out, "processors {}", self.board.second)?;
        health::write_stats(saving, out)
    }
}

impl TableDesk<'_> {
    /// Goes on if a person at the device has allowed this command with a key; keys that come over the
    /// serial port don't count. At first it puts the question on the screen, and the line comes again
    /// when that is answered.
    #[inline(never)]
    fn ask_person(&mut self, question: &'static str) -> Result<(), &'static str> {
        let (permit, now) = (self.device.permit(), self.micros());
        let mut next = Permit::UNASKED;
        if permit == Permit::UNASKED {
            if now < self.next_question {
                return Err("not allowed: the last question was not answered, try later");
            }
            (self.question, next) = (question, Permit(keys::QUESTION));
        }
        self.device.set_permit(next);
        self.device.table_now(self.idle).question = self.question;
        self.device.news.signal(());
        match permit {
            Permit::GIVEN => Ok(()),
            Permit::UNASKED => Err(""),
            // The time is over, or Ctrl-C came first.
            _ => {
                self.next_question = now.saturating_add(PAUSE_MICROS);
                Err("not allowed: no key was pressed on the device")
            }
        }
    }

    /// Two rows of pixels per line: `'` is lit above, `.` below, `:` both.
    fn write_screen(&mut self, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_char('\n')?;
        for page in 0..HEIGHT / PAGE_ROWS {
            let begun = self.micros();
            let mut columns = self.device.peek(page);
            while columns.is_none() && self.micros().saturating_sub(begun) < SCREEN_MICROS {
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
}

/// Text to the serial port. Waits while the port's buffer is full.
struct Output<'a> {
    device: &'a Device,
    idle: fn(),
}

impl fmt::Write for Output<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.device.output.try_write(rest) {
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(_) => {
                    health::beat(Part::Brain);
                    (self.idle)();
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{statistics::Outcome, table::Table};
    use core::sync::atomic::{AtomicU64, Ordering};

    /// What the line answers to these bytes.
    fn answers(input: &[u8]) -> String {
        let device = Device::default();
        let mut line = Line::new(Board::NONE, || 0, 0);
        let mut thinker = Thinker::new(&mut []);
        let mut text = Vec::new();
        for piece in input.chunks(100) {
            device.input.try_write(piece).unwrap();
            let idle = || panic!("there is input and room for output");
            while !device.input.is_empty() {
                line.serve(&device, idle, Some(&mut thinker));
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

    /// A line on which `reboot` was sent, and then something else; what it says when that is decided.
    fn asked(then: &[u8], decide: impl FnOnce(&Device)) -> (Line, String) {
        let device = Device::default();
        let mut line = Line::new(Board::NONE, || 0, 0);
        let mut thinker = Thinker::new(&mut []);
        let mut chunk = [0; 256];
        device.input.try_write(b"7 reboot\r\n").unwrap();
        assert!(line.serve(&device, || {}, Some(&mut thinker)));
        let count = device.output.try_read(&mut chunk).unwrap();
        assert_eq!(chunk[..count], *b"# reboot? press a key on the device within 10 s\r\n");
        assert_eq!(device.table_now(|| {}).question, "reboot? press a key");
        device.input.try_write(then).unwrap();
        assert!(!line.serve(&device, || {}, Some(&mut thinker)), "it waits");
        decide(&device);
        // A search for the game at the keys goes on meanwhile.
        while line.serve(&device, || {}, None) {}
        assert_eq!(device.table_now(|| {}).question, "");
        assert_eq!(device.permit(), Permit::UNASKED);
        let count = device.output.try_read(&mut chunk).unwrap();
        (line, String::from_utf8_lossy(&chunk[..count]).into())
    }

    #[test]
    fn a_restart_needs_a_real_key() {
        let (line, answers) = asked(b"key select\n", |device| device.set_permit(Permit::GIVEN));
        assert_eq!(answers, "=7 \n\n", "no line is answered any more");
        assert!(line.wants_restart());
        let refused = "?7 not allowed: no key was pressed on the device\n\n";
        let (line, answers) = asked(b"name\n", |device| device.set_permit(Permit::REFUSED));
        assert_eq!(answers, refused.to_owned() + "= Corvid\n\n");
        assert!(!line.wants_restart());
        let (line, answers) = asked(&[INTERRUPT], |device| device.hear(&[INTERRUPT]));
        assert_eq!(answers, refused);
        assert!(!line.wants_restart());
    }

    #[test]
    fn after_a_question_in_vain_nobody_is_asked_for_a_while() {
        static NOW: AtomicU64 = AtomicU64::new(5);
        let device = Device::default();
        let mut line = Line::new(Board::NONE, || NOW.load(Ordering::Relaxed), 0);
        let mut ask = |command: &str, permit: Permit| {
            device.input.try_write(command.as_bytes()).unwrap();
            line.serve(&device, || {}, None);
            if device.permit().is_asked() {
                device.set_permit(permit);
            }
            while line.serve(&device, || {}, None) {}
            let (mut text, mut byte) = (String::new(), [0]);
            while device.output.try_read(&mut byte).is_ok() {
                text.push(byte[0].into());
            }
            (text, line.wants_restart())
        };
        let asked = "# reboot? press a key on the device within 10 s\r\n";
        let (refused, early) = (
            "? not allowed: no key was pressed on the device\n\n",
            "? not allowed: the last question was not answered, try later\n\n",
        );
        assert_eq!(ask("reboot\n", Permit::REFUSED), (format!("{asked}{refused}"), false));
        NOW.store(5 + PAUSE_MICROS - 1, Ordering::Relaxed);
        for command in ["reboot\n", "statistics erase yes\n"] {
            assert_eq!(ask(command, Permit::GIVEN), (early.into(), false));
        }
        assert_eq!(ask("name\n", Permit::GIVEN).0, "= Corvid\n\n");
        NOW.store(5 + PAUSE_MICROS, Ordering::Relaxed);
        assert_eq!(ask("reboot\n", Permit::GIVEN), (format!("{asked}= \n\n"), true));
    }

    #[test]
    fn results_are_erased_and_saves_discarded_with_a_real_key_only() {
        let other_version = Some(Trouble::Version(9));
        for (permit, erased) in [(Permit::REFUSED, false), (Permit::GIVEN, true)] {
            for command in ["statistics erase yes", "discard yes"] {
                let device = Device::default();
                let mut line = Line::new(Board::NONE, || 0, 0);
                device.table_now(|| {}).saving = other_version;
                let kind = GameKind::ALL[0];
                device.table_now(|| {}).statistics.add(kind, None, Outcome::Won, None);
                device.input.try_write(format!("{command}\n").as_bytes()).unwrap();
                line.serve(&device, || {}, None);
                let unchanged =
                    |table: &Table| !table.discards && table.statistics.total(kind).won == 1;
                assert!(unchanged(&device.table_now(|| {})), "{command}");
                device.set_permit(permit);
                line.serve(&device, || {}, None);
                assert_eq!(unchanged(&device.table_now(|| {})), !erased, "{command}");
            }
        }
    }

    #[test]
    fn without_the_thinker_a_long_line_waits() {
        let device = Device::default();
        let mut line = Line::new(Board::NONE, || 0, 0);
        device.input.try_write(b"name\nperft 2\nname\n").unwrap();
        assert!(line.serve(&device, || {}, None));
        let mut chunk = [0; 256];
        let count = device.output.try_read(&mut chunk).unwrap();
        assert_eq!(chunk[..count], *b"= Corvid\n\n");
        assert!(line.serve(&device, || {}, None), "one line at a time");
        assert!(!line.serve(&device, || {}, None), "it waits");
        assert!(line.serve(&device, || {}, Some(&mut Thinker::new(&mut []))));
        let count = device.output.try_read(&mut chunk).unwrap();
        assert_eq!(chunk[..count], *b"= perft 2 12\n\n= Corvid\n\n");
    }
}
