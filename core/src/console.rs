//! The console of a serial line: GTP, with a line editor for people, and the contest's protocol on
//! request.

use core::fmt::{self, Write};

use crate::cut;
use crate::desk::Desk;
use crate::game::Notation;
use crate::gtp::{Flow, Gtp};
use crate::icfpt::{self, Dialect};
use crate::lines::Overlong;
use crate::player::Player;
use crate::session::{Match, MoveText};
use crate::terminal::Terminal;
use crate::version::VERSION;

/// A sender that pauses for so many microseconds in the middle of a line is a person.
const PAUSE_MICROS: u64 = 50_000;

/// Ctrl-C: two in a row end the contest's protocol.
pub const INTERRUPT: u8 = 0x03;

/// A console: what its peer has set and typed. It borrows the match.
///
/// Large: a board keeps it in a static.
#[derive(Debug)]
pub struct Console {
    gtp: Gtp,
    terminal: Terminal,
    contest: Option<icfpt::Player>,
    /// Ctrl-Cs in a row.
    interrupts: u8,
    /// When the last byte was received.
    heard: u64,
    /// A complete line is pending until the thinker is free or the desk has decided.
    waiting: bool,
    /// A person types here, so lines end with CR LF.
    person: bool,
    /// The banner was shown.
    greeted: bool,
    /// A line was received.
    talked: bool,
    seen: Seen,
}

/// The state of the match when the console last saw it.
#[derive(Debug, Clone, Copy)]
struct Seen {
    revision: u32,
    plies: usize,
    turn: Player,
}

impl Seen {
    fn of(game: &Match) -> Self {
        Self { revision: game.revision(), plies: game.plies(), turn: game.turn() }
    }
}

impl Console {
    /// A console before the first byte.
    pub const fn new() -> Self {
        Self {
            gtp: Gtp::new().on_console(),
            terminal: Terminal::new(),
            contest: None,
            interrupts: 0,
            heard: 0,
            waiting: false,
            person: false,
            greeted: false,
            talked: false,
            seen: Seen { revision: 0, plies: 0, turn: Player::FIRST },
        }
    }

    /// Whether a contest's host is on the line.
    pub const fn is_in_contest(&self) -> bool {
        self.contest.is_some()
    }

    /// Whether a line waits for the thinker or the desk: no bytes are accepted until
    /// [`resume`](Self::resume).
    pub const fn is_waiting(&self) -> bool {
        self.waiting
    }

    /// Prints the banner, once, in a line that programs skip.
    #[inline(never)]
    fn greet(&mut self, desk: &dyn Desk, out: &mut dyn Write) -> fmt::Result {
        if core::mem::replace(&mut self.greeted, true) {
            return Ok(());
        }
        let (version, board) = (VERSION, desk.name().unwrap_or("no board"));
        self.notice(format_args!("Corvid {version} on {board}; help lists the commands"), out)
    }

    /// Processes a byte; answers the line or the contest's message that it completes. A line that
    /// needs the thinker waits while a task is running. An error comes from `out` only.
    #[inline(never)]
    pub fn push(
        &mut self,
        byte: u8,
        desk: &mut dyn Desk,
        out: &mut dyn Write,
    ) -> Result<Flow, fmt::Error> {
        self.heard = desk.micros();
        if let Some(player) = &mut self.contest {
            self.interrupts = if byte == INTERRUPT { self.interrupts + 1 } else { 0 };
            if self.interrupts == 2 {
                self.leave_contest(out)?;
            } else {
                // The protocol has no way to say why a message gets no answer.
                player.push(byte, desk, self.gtp.opponent(), out)?;
                self.gtp.contest_micros = player.longest_micros();
                self.see(desk);
            }
            return Ok(Flow::Continue);
        }
        self.person |= self.terminal.is_live();
        match self.terminal.push(byte, out)? {
            None => return Ok(Flow::Continue),
            Some(Ok([])) if !self.talked => {
                // A person pressed Enter to see what is connected.
                self.greet(desk, out)?;
                return Ok(Flow::Continue);
            }
            Some(line) => {
                self.waiting = desk.is_thinking() && line.is_ok_and(Gtp::is_long);
            }
        }
        if self.waiting { Ok(Flow::Continue) } else { self.answer(desk, out) }
    }

    /// Answers the line that waited, if there is one.
    pub fn resume(&mut self, desk: &mut dyn Desk, out: &mut dyn Write) -> Result<Flow, fmt::Error> {
        if core::mem::take(&mut self.waiting) { self.answer(desk, out) } else { Ok(Flow::Continue) }
    }

    /// Answers the line that is complete.
    #[inline(never)]
    fn answer(&mut self, desk: &mut dyn Desk, out: &mut dyn Write) -> Result<Flow, fmt::Error> {
        // What somebody else has changed comes before the answer.
        self.tell(desk, out)?;
        self.talked = true;
        let mut out = Ends { out, cr: self.person };
        let flow = match self.terminal.line() {
            Ok(line) => self.gtp.line(desk, line, &mut out)?,
            Err(Overlong) => {
                self.gtp.overlong_line(&mut out)?;
                Flow::Continue
            }
        };
        match flow {
            Flow::Echo(echo) => {
                self.terminal.set_echo(echo);
                self.person = false;
            }
            Flow::Contest(dialect) => self.begin_contest(dialect),
            Flow::Wait => self.waiting = true,
            _ => {}
        }
        self.see(desk);
        Ok(flow)
    }

    /// To be called when no byte is pending: echoes what a person has typed.
    pub fn idle(&mut self, desk: &dyn Desk, out: &mut dyn Write) -> fmt::Result {
        let waits = self.contest.is_none() && !self.waiting && self.terminal.wants_to_settle();
        if !waits || desk.micros().saturating_sub(self.heard) < PAUSE_MICROS {
            return Ok(());
        }
        self.greet(desk, out)?;
        self.terminal.settle(out)
    }

    /// Sends an unsolicited notice, a line that begins with `# `. Not sent to a contest's host.
    pub fn notice(&mut self, text: fmt::Arguments<'_>, out: &mut dyn Write) -> fmt::Result {
        if self.contest.is_some() {
            return Ok(());
        }
        self.terminal.notice(text, out)
    }

    /// Ends the contest's protocol.
    pub fn leave_contest(&mut self, out: &mut dyn Write) -> fmt::Result {
        (self.contest, self.interrupts) = (None, 0);
        self.notice(format_args!("the contest is over"), out)
    }

    /// Takes the match as it is: whoever is on the line knows.
    fn see(&mut self, desk: &mut dyn Desk) {
        desk.look(&mut |game| self.seen = Seen::of(game));
    }

    /// Sends notices of what others have changed since the last time, if there is a peer.
    #[inline(never)]
    pub fn tell(&mut self, desk: &mut dyn Desk, out: &mut dyn Write) -> fmt::Result {
        let before = self.seen;
        let mut last = MoveText::new();
        let (mut setup, mut mover) = (None, "");
        desk.look(&mut |game| {
            self.seen = Seen::of(game);
            setup = Some(game.setup());
            mover = game.colors().get(before.turn.index()).map_or("", |color| color.name);
            let _ = game.write_last(Notation::Plain, &mut last);
        });
        let Seen { revision, plies, .. } = self.seen;
        let known = self.greeted || self.talked;
        let Some(setup) = setup.filter(|_| known && revision != before.revision) else {
            return Ok(());
        };
        if revision == before.revision.wrapping_add(1) && plies == before.plies + 1 {
            self.notice(format_args!("play {mover} {last}"), out)
        } else {
            self.notice(format_args!("game {setup}, {plies} moves"), out)
        }
    }

    fn begin_contest(&mut self, dialect: Dialect) {
        self.contest = Some(icfpt::Player::new(dialect));
    }
}

impl Default for Console {
    fn default() -> Self {
        Self::new()
    }
}

/// Puts a CR before every LF for a terminal.
struct Ends<'a> {
    out: &'a mut dyn Write,
    cr: bool,
}

impl Write for Ends<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if !self.cr {
            return self.out.write_str(text);
        }
        let mut rest = text;
        while let Some((line, after)) = cut::around_first(rest, b'\n') {
            self.out.write_str(line)?;
            self.out.write_str("\r\n")?;
            rest = after;
        }
        self.out.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::{ClockFn, OwnDesk};
    use crate::session::Progress;
    use crate::thinker::{Answer, NoAnswer, Task, Thinker};
    use std::cell::Cell;
    use std::string::String;

    /// What a poll of the clock takes.
    const POLL_MICROS: u64 = 1_000;

    /// The clock of one test, which has a thread to itself.
    fn clock() -> u64 {
        std::thread_local!(static NOW: Cell<u64> = const { Cell::new(0) });
        NOW.replace(NOW.get() + POLL_MICROS)
    }

    fn pause() {
        (0..500).for_each(|_| {
            clock();
        });
    }

    /// A desk on a board with one extra command.
    struct Board {
        own: OwnDesk<'static>,
        pressed: std::vec::Vec<String>,
        thinking: bool,
    }

    impl Desk for Board {
        fn look(&mut self, look: &mut dyn FnMut(&Match)) {
            self.own.look(look);
        }

        fn change(&mut self, change: &mut dyn FnMut(&mut Match)) {
            self.own.change(change);
        }

        fn think(
            &mut self,
            task: &Task,
            report: &mut dyn FnMut(&Progress),
        ) -> Result<Answer, NoAnswer> {
            assert!(!self.thinking, "one task at a time");
            self.own.think(task, report)
        }

        fn is_thinking(&self) -> bool {
            self.thinking
        }

        fn micros(&self) -> u64 {
            clock()
        }

        fn seed(&mut self, seed: u64) {
            self.own.seed(seed);
        }

        fn slots(&self) -> usize {
            self.own.slots()
        }

        fn extra_commands(&self) -> &'static str {
            "key NAME|presses a key\n"
        }

        fn extra_command(
            &mut self,
            name: &str,
            arguments: &str,
            _: &mut dyn Write,
        ) -> Result<fmt::Result, &'static str> {
            match name {
                "key" => self.pressed.push(arguments.into()),
                _ => return Err("unknown command"),
            }
            match arguments {
                // Decided at the second try.
                "down" if self.pressed.len() == 1 => Err(""),
                "up" | "down" => Ok(Ok(())),
                _ => Err("no such key"),
            }
        }

        fn name(&self) -> Option<&'static str> {
            Some("test")
        }

        fn write_capabilities(&mut self, out: &mut dyn Write) -> fmt::Result {
            out.write_str("screen 128x64\n")
        }

        fn write_stats(&mut self, out: &mut dyn Write) -> fmt::Result {
            out.write_str("uptime 5 s\n")
        }
    }

    struct Talk {
        console: Console,
        board: Board,
        flow: Flow,
    }

    impl Talk {
        fn new() -> Self {
            let thinker = Thinker::new(std::vec![0; 64].leak());
            let own = OwnDesk::new(Match::default(), thinker, clock as ClockFn);
            let board = Board { own, pressed: std::vec::Vec::new(), thinking: false };
            Self { console: Console::new(), board, flow: Flow::Continue }
        }

        /// Sends bytes at once and returns the output.
        fn send(&mut self, bytes: &[u8]) -> String {
            let mut out = String::new();
            for &byte in bytes {
                self.flow = self.console.push(byte, &mut self.board, &mut out).unwrap();
            }
            out
        }

        /// Types them one by one.
        fn type_in(&mut self, keys: &str) -> String {
            let mut out = String::new();
            for byte in keys.bytes() {
                out += &self.send(&[byte]);
                out += &self.idle_for(2 * PAUSE_MICROS);
            }
            out
        }

        /// Leaves the line alone and returns the output.
        fn idle_for(&mut self, micros: u64) -> String {
            let mut out = String::new();
            for _ in 0..micros / POLL_MICROS {
                self.console.idle(&self.board, &mut out).unwrap();
            }
            out
        }

        /// The notices after a change of the match by others.
        fn told(&mut self, change: impl FnOnce(&mut Match)) -> String {
            change(&mut self.board.own.game);
            let mut out = String::new();
            self.console.tell(&mut self.board, &mut out).unwrap();
            out
        }
    }

    #[test]
    fn a_program_and_a_person() {
        let mut talk = Talk::new();
        assert_eq!(talk.send(b"1 name\r\n2 name\n"), "=1 Corvid\n\n=2 Corvid\n\n");
        let typed = talk.type_in("namx\x7fe\r");
        let (banner, typed) = typed.split_once('\n').unwrap();
        assert!(
            banner.starts_with("# Corvid ")
                && banner.ends_with(" on test; help lists the commands\r")
        );
        assert_eq!(typed, "namx\x08\x1b[Ke\r\n= Corvid\r\n\r\n");
        assert_eq!(talk.type_in("x\x03\r"), "x\x1b[1D\x1b[K\x1b[K\r\n", "one banner is enough");
        assert_eq!(talk.send(b"echo off\n"), "= \r\n\r\n");
        assert_eq!(talk.type_in("name\n"), "= Corvid\n\n");
    }

    #[test]
    fn a_sender_who_pauses_in_a_line_is_a_person() {
        let mut talk = Talk::new();
        assert_eq!(talk.send(b"name\n"), "= Corvid\n\n");
        assert_eq!(talk.idle_for(2 * PAUSE_MICROS), "", "between lines anybody may pause");
        assert_eq!(talk.send(b"na"), "");
        assert_eq!(talk.idle_for(PAUSE_MICROS - POLL_MICROS), "", "a slow program");
        let echoed = talk.idle_for(POLL_MICROS);
        assert!(echoed.starts_with("# Corvid ") && echoed.ends_with("\r\nna"), "{echoed}");
    }

    #[test]
    fn what_is_typed_is_sent_back_as_asked() {
        use crate::terminal::Echo;
        let mut talk = Talk::new();
        for (line, echo) in
            [("echo on\n", Echo::On), ("echo OFF\n", Echo::Off), ("echo Typed\n", Echo::Typed)]
        {
            talk.send(line.as_bytes());
            assert_eq!(talk.flow, Flow::Echo(echo), "{line}");
        }
    }

    #[test]
    fn what_the_board_has() {
        let mut talk = Talk::new();
        assert_eq!(talk.send(b"key up\nkey fly\n"), "= \n\n? no such key\n\n");
        assert_eq!(talk.board.pressed, ["up", "fly"]);
        assert!(talk.send(b"stats\n").ends_with("\nuptime 5 s\n\n"));
        let text = talk.send(b"capabilities\n");
        assert!(text.starts_with("= board test\n") && text.contains("\nscreen 128x64\n"), "{text}");
        assert!(talk.send(b"help\n").contains("\nkey NAME: "));
        assert_eq!(talk.send(b"known_command Echo\n"), "= true\n\n");
        assert!(talk.send(b"echo\n").starts_with("? "));
    }

    #[test]
    fn a_line_that_needs_the_thinker_waits_for_its_turn() {
        let mut talk = Talk::new();
        talk.board.thinking = true;
        assert_eq!(talk.send(b"name\n"), "= Corvid\n\n");
        assert_eq!(talk.send(b"7 perft 3\n"), "");
        assert!(talk.console.is_waiting());
        talk.board.thinking = false;
        let mut out = String::new();
        talk.console.resume(&mut talk.board, &mut out).unwrap();
        assert_eq!(out, "=7 perft 3 56\n\n");
        talk.console.resume(&mut talk.board, &mut out).unwrap();
        assert_eq!(out, "=7 perft 3 56\n\n", "once");
    }

    #[test]
    fn a_line_that_the_desk_has_not_decided_waits() {
        let mut talk = Talk::new();
        assert_eq!(talk.send(b"7 key down\n"), "");
        assert!(talk.console.is_waiting());
        let mut out = String::new();
        talk.console.resume(&mut talk.board, &mut out).unwrap();
        assert_eq!(out, "=7 \n\n");
        assert!(!talk.console.is_waiting());
        assert_eq!(talk.send(b"name\n"), "= Corvid\n\n");
    }

    #[test]
    fn the_contest_and_back() {
        let mut talk = Talk::new();
        talk.send(b"level 1\nplay b d3\n");
        assert!(!talk.console.is_in_contest());
        assert!(talk.send(b"icfpt 2015\n").starts_with("? icfpt takes"));
        assert_eq!(talk.send(b"icfpt 2013\n"), "= \n\n");
        assert!(talk.console.is_in_contest());
        pause();
        assert_eq!(talk.send(b"0name\n\x03"), "1CV", "one Ctrl-C may be noise");
        pause();
        assert_eq!(talk.send(b"25").len(), 4);
        assert_eq!(talk.board.own.game.plies(), 1, "the game is on the table");
        let silent = talk.told(|game| assert!(game.undo()));
        assert_eq!(silent, "", "no notices to a host");
        assert_eq!(talk.send(b"\x03\x03"), "# the contest is over\r\n");
        assert!(!talk.console.is_in_contest());
        assert_eq!(talk.send(b"name\n"), "= Corvid\n\n");
    }

    #[test]
    fn a_move_by_a_button_is_told() {
        let mut talk = Talk::new();
        let silent = talk.told(|game| game.play_next("d3").unwrap());
        assert_eq!(silent, "", "nobody is there");
        talk.type_in("sta");
        let told = talk.told(|game| game.play_next("c3").unwrap());
        assert_eq!(told, "\r\x1b[K# play white c3\r\nsta");
        assert_eq!(talk.told(|_| {}), "", "nothing has changed");
        let told = talk.told(|game| assert!(game.undo()));
        assert_eq!(told, "\r\x1b[K# game othello, 1 moves\r\nsta");
        talk.send(b"\x03play white e3\n");
        assert_eq!(talk.told(|_| {}), "", "whoever is on the line did it");
    }

    #[test]
    fn enter_shows_who_is_there() {
        let mut talk = Talk::new();
        assert!(talk.send(b"\r").starts_with("# Corvid "));
        assert_eq!(talk.send(b"\r\n\n"), "");
        let mut talk = Talk::new();
        assert_eq!(talk.send(b"name\n\n\n"), "= Corvid\n\n", "a program is there");
    }
}
