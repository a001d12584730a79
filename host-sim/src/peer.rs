//! A GTP engine at the other end of a connection: a board or a program.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

pub(crate) use corvid::arena::file::color_word;

use crate::failure::Failure;
use crate::heard::Lines;
use crate::link::Link;

/// The timeout of an answer that needs no search.
pub(crate) const SOON: Duration = Duration::from_secs(5);

/// The timeout of a command that a person has to allow with a key of the board within 10 s.
pub(crate) const ALLOWED: Duration = Duration::from_secs(15);

/// How long an engine may think about a move.
pub(crate) const LONG: Duration = Duration::from_secs(600);

/// How often a wait for a line looks whether the program is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Lines that wait to be read. A peer that says more has to wait itself.
const QUEUE: usize = 256;

/// The most lines of an answer.
const ANSWER: usize = 1024;

/// The most notices that are kept, the latest ones.
const NOTICES: usize = 64;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The engine refuses, for this reason.
    Refused(String),
    /// The connection is dead, or the engine silent.
    Lost(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        // An engine that exits is noticed at the next line to it or from it, whichever comes first.
        Self::Lost(match error.kind() {
            io::ErrorKind::BrokenPipe => "the line is dead".into(),
            _ => error.to_string(),
        })
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Self::Other(trouble.to_string())
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(why) => write!(f, "the engine refuses: {why}"),
            Self::Lost(why) => write!(f, "the engine is gone: {why}"),
        }
    }
}

/// An engine that answers GTP commands.
pub(crate) struct Peer {
    link: Link,
    /// Complete lines, or the end of the connection.
    lines: Receiver<Option<String>>,
    /// The ID of the last command, which tells late answers to others apart.
    id: u32,
    /// Unsolicited notices, without their `#`.
    notices: Vec<String>,
    /// Set when nobody wants an answer any more.
    stop: Option<&'static AtomicBool>,
}

impl Peer {
    /// Opens a line to an engine.
    pub(crate) fn connect(name: &str) -> Result<Self, Failure> {
        let (sender, lines) = sync_channel(QUEUE);
        let mut heard_lines = Lines::default();
        let link = Link::open(name, move |heard| {
            // When the receiver is gone, the link is about to close.
            match heard {
                None => drop(sender.send(None)),
                Some(bytes) => heard_lines.add(bytes, |line| drop(sender.send(Some(line)))),
            }
        })?;
        Ok(Self { link, lines, id: 0, notices: Vec::new(), stop: None })
    }

    /// The same; no answer is waited for once the flag is set.
    pub(crate) fn until(mut self, stop: &'static AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Opens a connection and makes sure that an engine answers on it.
    pub(crate) fn open(name: &str) -> Result<Self, Failure> {
        let mut peer = Self::connect(name)?;
        if name.starts_with("serial:") {
            // It may speak the contest's protocol, or be in the middle of a line.
            peer.link.send(b"\x03\x03\n")?;
            match peer.ask("echo off", SOON) {
                // A program at the end of a serial line need not know the command.
                Ok(_) | Err(Trouble::Refused(_)) => {}
                Err(lost) => return Err(lost.into()),
            }
        }
        peer.ask("name", SOON)?;
        Ok(peer)
    }

    /// Gives a command and waits for its answer, without the mark at its start.
    pub(crate) fn ask(&mut self, command: &str, patience: Duration) -> Result<String, Trouble> {
        self.ask_and_tell(command, patience, |_| {})
    }

    /// The same; notices that come before the answer are told at once.
    pub(crate) fn ask_and_tell(
        &mut self,
        command: &str,
        patience: Duration,
        mut tell: impl FnMut(&str),
    ) -> Result<String, Trouble> {
        self.id += 1;
        let (good, bad) = (format!("={}", self.id), format!("?{}", self.id));
        self.link.send(format!("{} {command}\n", self.id).as_bytes())?;
        let end = Instant::now() + patience;
        let mut answer: Option<(bool, Vec<String>)> = None;
        loop {
            let line = self.line(end, command)?;
            if let Some((success, lines)) = &mut answer {
                if !line.is_empty() {
                    if lines.len() == ANSWER {
                        return Err(Trouble::Lost(format!("its answer to '{command}' never ends")));
                    }
                    lines.push(line);
                    continue;
                }
                let text = lines.join("\n");
                return if *success { Ok(text) } else { Err(Trouble::Refused(text)) };
            }
            line.strip_prefix("# ").into_iter().for_each(&mut tell);
            self.note(&line);
            // An echo may precede the answer until it is switched off.
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            if word == good || word == bad {
                answer = Some((word == good, vec![rest.trim_end().into()]));
            }
        }
    }

    /// The next line, before the answer to a command is due.
    fn line(&mut self, due: Instant, command: &str) -> Result<String, Trouble> {
        loop {
            let left = due.saturating_duration_since(Instant::now());
            if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Trouble::Lost("stopped".into()));
            }
            // A peer that never falls silent is no better than one that does.
            if left.is_zero() {
                return Err(Trouble::Lost(format!("no answer to '{command}'")));
            }
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(Some(line)) => return Ok(line),
                Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Lost("the line is dead".into()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Keeps a line if it is a notice.
    fn note(&mut self, line: &str) {
        let Some(notice) = line.strip_prefix("# ") else { return };
        if self.notices.len() == NOTICES {
            self.notices.remove(0);
        }
        self.notices.push(notice.into());
    }

    /// The notices since the last call; an error when the connection is dead.
    pub(crate) fn notices(&mut self) -> Result<Vec<String>, Trouble> {
        while let Ok(line) = self.lines.try_recv() {
            let Some(line) = line else { return Err(Trouble::Lost("the line is dead".into())) };
            self.note(&line);
        }
        Ok(std::mem::take(&mut self.notices))
    }
}
