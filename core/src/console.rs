//! The console of a device's serial port: lines of GTP, with an editor for people, and the
//! contest's protocol when asked for.

use core::fmt::{self, Write};

use crate::game::Notation;
use crate::gtp::{Clock, Flow, Gtp, Hardware};
use crate::icfpt::{self, Dialect};
use crate::lines::Overlong;
use crate::player::Player;
use crate::session::{AnyMatch, MoveText};
use crate::terminal::Terminal;

/// A sender that pauses for so many microseconds in the middle of a line is a person.
const PAUSE_MICROS: u64 = 50_000;

/// Ctrl-C: two in a row end the contest's protocol.
const INTERRUPT: u8 = 0x03;

/// A console, its game and the memory it thinks with.
///
/// Large: a board keeps it in a static.
#[derive(Debug)]
pub struct Console<'m> {
    gtp: Gtp<'m>,
    terminal: Terminal,
    contest: Option<icfpt::Player>,
    /// Ctrl-Cs in a row.
    interrupts: u8,
    /// When the last byte came.
    heard: u64,
    /// Somebody types here, so lines end with CR LF.
    person: bool,
    /// The banner was shown.
    greeted: bool,
    /// A line came.
    talked: bool,
}

/// What has changed in a game that went on elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// A player has made a move.
    Move(Player),
    /// Moves were taken back, or there is another game.
    Game,
}

impl<'m> Console<'m> {
    /// A console at the start of Othello. Its memory is all zeros at first.
    pub fn new(clock: Clock, memory: &'m mut [u64]) -> Self {
        Self {
            gtp: Gtp::new(clock, memory),
            terminal: Terminal::new(),
            contest: None,
            interrupts: 0,
            heard: 0,
            person: false,
            greeted: false,
            talked: false,
        }
    }

    /// Gives it other memory to think with, all zeros.
    pub fn lend(&mut self, memory: &'m mut [u64]) {
        self.gtp.lend(memory);
    }

    /// The engine behind the console.
    pub const fn gtp(&mut self) -> &mut Gtp<'m> {
        &mut self.gtp
    }

    /// The game as it stands.
    pub const fn game(&self) -> &AnyMatch {
        self.gtp.game()
    }

    /// Whether a contest's host is on the line.
    pub const fn is_in_contest(&self) -> bool {
        self.contest.is_some()
    }

    /// Greets a person, once, in a line that programs skip.
    fn greet(&mut self, device: &dyn Hardware, out: &mut dyn Write) -> fmt::Result {
        if core::mem::replace(&mut self.greeted, true) {
            return Ok(());
        }
        let (version, board) = (env!("CARGO_PKG_VERSION"), device.board().unwrap_or("no board"));
        self.notice(format_args!("Corvid {version} on {board}; help lists the commands"), out)
    }

    /// Takes a byte; answers the line or the contest's message that it completes. An error comes
    /// from `out` only.
    pub fn push(
        &mut self,
        byte: u8,
        device: &mut dyn Hardware,
        out: &mut dyn Write,
    ) -> Result<Flow, fmt::Error> {
        self.heard = self.gtp.now();
        if let Some(player) = &mut self.contest {
            self.interrupts = if byte == INTERRUPT { self.interrupts + 1 } else { 0 };
            if self.interrupts == 2 {
                self.contest = None;
                self.interrupts = 0;
                self.notice(format_args!("the contest is over"), out)?;
            } else {
                // The protocol has no way to tell why a message has no answer.
                self.gtp.contest(player, byte, out)?;
            }
            return Ok(Flow::Continue);
        }
        self.person |= self.terminal.is_live();
        let Some(line) = self.terminal.push(byte, out)? else { return Ok(Flow::Continue) };
        if line == Ok(&[]) && !self.talked {
            // Somebody pressed Enter to see who is there.
            self.greet(device, out)?;
            return Ok(Flow::Continue);
        }
        self.talked = true;
        let mut out = Ends { out, cr: self.person };
        let flow = match line {
            Ok(line) => self.gtp.line_on(device, line, &mut out)?,
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
            _ => {}
        }
        Ok(flow)
    }

    /// To be called when no byte waits: shows a person what was typed.
    pub fn idle(&mut self, device: &dyn Hardware, out: &mut dyn Write) -> fmt::Result {
        let waits = self.contest.is_none() && self.terminal.wants_to_settle();
        if !waits || self.gtp.now().saturating_sub(self.heard) < PAUSE_MICROS {
            return Ok(());
        }
        self.greet(device, out)?;
        self.terminal.settle(out)
    }

    /// Tells something that nobody asked for, in a line that begins with `# `. A contest's host
    /// hears nothing of it.
    pub fn notice(&mut self, text: fmt::Arguments<'_>, out: &mut dyn Write) -> fmt::Result {
        if self.contest.is_some() {
            return Ok(());
        }
        self.terminal.notice(text, out)
    }

    /// Takes over a game that went on elsewhere; [`tell`](Self::tell) says what has changed.
    pub fn follow(&mut self, game: &AnyMatch) -> Change {
        let (old, new) = (self.gtp.game(), game.session());
        let moved = old.setup() == game.setup() && old.session().plies() + 1 == new.plies();
        let change = if moved { Change::Move(old.session().turn()) } else { Change::Game };
        self.gtp.game_mut().copy_from(game);
        change
    }

    /// Tells of a change that somebody at the device has made, if there is anybody to tell.
    pub fn tell(&mut self, change: Change, out: &mut dyn Write) -> fmt::Result {
        if !self.greeted && !self.talked {
            return Ok(());
        }
        let game = self.gtp.game();
        let (setup, session) = (game.setup(), game.session());
        match change {
            Change::Move(player) => {
                let mut last = MoveText::new();
                session.write_last(Notation::Plain, &mut last)?;
                let mover = session.colors()[player.index()].name;
                self.notice(format_args!("play {mover} {last}"), out)
            }
            Change::Game => {
                let plies = session.plies();
                self.notice(format_args!("game {setup}, {plies} moves"), out)
            }
        }
    }

    fn begin_contest(&mut self, dialect: Dialect) {
        self.contest = Some(icfpt::Player::new(dialect));
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
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                self.out.write_str("\r\n")?;
            }
            self.out.write_str(part)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicU64, Ordering};
    use std::string::String;

    /// The clock of one test: every look takes a millisecond.
    fn clock() -> u64 {
        static NOW: AtomicU64 = AtomicU64::new(0);
        NOW.fetch_add(1_000, Ordering::Relaxed)
    }

    fn pause() {
        (0..500).for_each(|_| {
            clock();
        });
    }

    struct Board {
        pressed: std::vec::Vec<String>,
    }

    impl Hardware for Board {
        fn board(&self) -> Option<&'static str> {
            Some("test")
        }

        fn write_screen(&mut self, out: &mut dyn Write) -> fmt::Result {
            out.write_str("+--+\n|##|\n+--+\n")
        }

        fn press(&mut self, key: &str) -> bool {
            self.pressed.push(key.into());
            key == "up"
        }

        fn write_stats(&mut self, out: &mut dyn Write) -> fmt::Result {
            out.write_str("uptime 5 s\n")
        }

        fn has_bootsel(&self) -> bool {
            true
        }
    }

    struct Talk {
        console: Console<'static>,
        board: Board,
        flow: Flow,
    }

    impl Talk {
        fn new() -> Self {
            let console = Console::new(clock, std::vec![0; 64].leak());
            let board = Board { pressed: std::vec::Vec::new() };
            Self { console, board, flow: Flow::Continue }
        }

        /// Sends bytes at once and gives what comes back.
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
                for _ in 0..100 {
                    self.console.idle(&self.board, &mut out).unwrap();
                }
            }
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
    fn what_the_board_has() {
        let mut talk = Talk::new();
        assert_eq!(talk.send(b"screen\n"), "= \n+--+\n|##|\n+--+\n\n");
        assert_eq!(talk.send(b"key up\nkey fly\n").lines().count(), 4);
        assert_eq!(talk.board.pressed, ["up", "fly"]);
        assert!(talk.send(b"stats\n").ends_with("\nuptime 5 s\n\n"));
        let text = talk.send(b"capabilities\n");
        assert!(text.starts_with("= board test\n") && text.contains("\nscreen 128x64\n"), "{text}");
        assert!(talk.send(b"help\n").contains("\nreboot: "));
        assert_eq!(talk.send(b"known_command Echo\n"), "= true\n\n");
        assert_eq!((talk.send(b"reboot\n").as_str(), talk.flow), ("= \n\n", Flow::Reboot));
        assert!(talk.send(b"bootsel\n").starts_with("? this ends the game"));
        assert_eq!((talk.flow, talk.send(b"bootsel yes\n").as_str()), (Flow::Continue, "= \n\n"));
        assert_eq!(talk.flow, Flow::Bootsel);
        assert!(talk.send(b"echo\n").starts_with("? "));
    }

    #[test]
    fn the_contest_and_back() {
        let mut talk = Talk::new();
        talk.send(b"level 1\nplay b d3\n");
        assert!(talk.send(b"icfpt 2015\n").starts_with("? icfpt takes"));
        assert_eq!(talk.send(b"icfpt 2013\n"), "= \n\n");
        assert!(talk.console.is_in_contest());
        pause();
        assert_eq!(talk.send(b"0name\n\x03"), "1CV", "one Ctrl-C may be noise");
        pause();
        assert_eq!(talk.send(b"25").len(), 4);
        assert_eq!(talk.console.game().session().plies(), 1, "the game is on the table");
        let game = talk.console.game().clone();
        let mut silent = String::new();
        let change = talk.console.follow(&game);
        talk.console.tell(change, &mut silent).unwrap();
        assert_eq!(silent, "", "no notices to a host");
        assert_eq!(talk.send(b"\x03\x03"), "# the contest is over\r\n");
        assert_eq!(talk.send(b"name\n"), "= Corvid\n\n");
    }

    #[test]
    fn a_move_by_a_button_is_told() {
        let mut talk = Talk::new();
        let mut game = talk.console.game().clone();
        let follow = |talk: &mut Talk, game: &AnyMatch| {
            let mut out = String::new();
            let change = talk.console.follow(game);
            talk.console.tell(change, &mut out).unwrap();
            out
        };
        game.session_mut().play_next("d3").unwrap();
        assert_eq!(follow(&mut talk, &game), "", "nobody is there");
        talk.type_in("sta");
        game.session_mut().play_next("c3").unwrap();
        assert_eq!(follow(&mut talk, &game), "\r\x1b[K# play white c3\r\nsta");
        game.session_mut().undo();
        assert_eq!(follow(&mut talk, &game), "\r\x1b[K# game othello, 1 moves\r\nsta");
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
