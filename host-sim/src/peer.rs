//! A GTP engine at the other end of a connection: a board or a program.

use std::fmt;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use corvid_core::player::Player;
use corvid_core::setup::Setup;

use crate::failure::Failure;
use crate::link::Link;

/// The timeout of an answer that needs no search.
pub(crate) const SOON: Duration = Duration::from_secs(5);

/// How long an engine may think about a move.
pub(crate) const LONG: Duration = Duration::from_secs(600);

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

/// The GTP colour of a player.
pub(crate) fn color_word(setup: Setup, player: Player) -> &'static str {
    match (setup.kind().info().colors.len(), player.index()) {
        (3.., index) => ["1", "2", "3", "4"][index % 4],
        (_, 0) => "b",
        _ => "w",
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
}

impl Peer {
    /// Opens a line to an engine.
    pub(crate) fn connect(name: &str) -> Result<Self, Failure> {
        let (sender, lines) = channel();
        let mut line = Vec::new();
        let link = Link::open(name, move |heard| {
            // When the receiver is gone, the link is about to close.
            let Some(bytes) = heard else {
                let _ = sender.send(None);
                return;
            };
            for &byte in bytes {
                match byte {
                    b'\n' => {
                        let text = String::from_utf8_lossy(&line).into_owned();
                        let _ = sender.send(Some(text));
                        line.clear();
                    }
                    b'\r' => {}
                    _ => line.push(byte),
                }
            }
        })?;
        Ok(Self { link, lines, id: 0, notices: Vec::new() })
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
        self.id += 1;
        let (good, bad) = (format!("={}", self.id), format!("?{}", self.id));
        self.link.send(format!("{} {command}\n", self.id).as_bytes())?;
        let end = Instant::now() + patience;
        let mut answer: Option<(bool, Vec<String>)> = None;
        loop {
            let line = self.line(end.saturating_duration_since(Instant::now()), command)?;
            if let Some((success, lines)) = &mut answer {
                if !line.is_empty() {
                    lines.push(line);
                    continue;
                }
                let text = lines.join("\n");
                return if *success { Ok(text) } else { Err(Trouble::Refused(text)) };
            }
            if let Some(notice) = line.strip_prefix("# ") {
                self.notices.push(notice.into());
            }
            // An echo may precede the answer until it is switched off.
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            if word == good || word == bad {
                answer = Some((word == good, vec![rest.trim_end().into()]));
            }
        }
    }

    fn line(&mut self, patience: Duration, command: &str) -> Result<String, Trouble> {
        match self.lines.recv_timeout(patience) {
            Ok(Some(line)) => Ok(line),
            Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                Err(Trouble::Lost("the line is dead".into()))
            }
            Err(RecvTimeoutError::Timeout) => {
                Err(Trouble::Lost(format!("no answer to '{command}'")))
            }
        }
    }

    /// The notices since the last call; an error when the connection is dead.
    pub(crate) fn notices(&mut self) -> Result<Vec<String>, Trouble> {
        while let Ok(line) = self.lines.try_recv() {
            let Some(line) = line else { return Err(Trouble::Lost("the line is dead".into())) };
            self.notices.extend(line.strip_prefix("# ").map(Into::into));
        }
        Ok(std::mem::take(&mut self.notices))
    }
}
