//! A GTP engine at the other end of a connection: a board or a program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

pub(crate) use corvid::answers::Trouble;
use corvid::answers::{Answers, one_line};
pub(crate) use corvid::arena::file::color_word;
use corvid::heard::Lines;

use crate::failure::Failure;
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

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Self::Other(trouble.to_string())
    }
}

/// An engine that answers GTP commands.
pub(crate) struct Peer {
    link: Link,
    /// Complete lines, or the end of the connection.
    lines: Receiver<Option<String>>,
    answers: Answers,
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
        Ok(Self { link, lines, answers: Answers::default(), stop: None })
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

    /// Asks for a move of this colour, which the engine makes.
    pub(crate) fn genmove(&mut self, color: &str) -> Result<String, Trouble> {
        self.ask(&format!("genmove {color}"), LONG).and_then(one_line)
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
        let id = self.answers.expect();
        self.link.send(format!("{id} {command}\n").as_bytes())?;
        let end = Instant::now() + patience;
        loop {
            let line = self.line(end, command)?;
            if let Some(answer) = self.answers.line(line, &mut tell) {
                return answer;
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

    /// The notices since the last call; an error when the connection is dead.
    pub(crate) fn notices(&mut self) -> Result<Vec<String>, Trouble> {
        while let Ok(line) = self.lines.try_recv() {
            let Some(line) = line else { return Err(Trouble::Lost("the line is dead".into())) };
            self.answers.note(&line);
        }
        Ok(self.answers.take_notices())
    }
}
