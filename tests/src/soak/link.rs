//! The serial line to a board: commands with numbers, and their answers.
use super::{Soaked, Totals};
use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// How soon a command that needs no search must be answered.
pub(super) const SOON: Duration = Duration::from_secs(1);

/// How soon whatever runs must end after Ctrl-C or the select key.
pub(super) const STOPPED: Duration = Duration::from_millis(100);

/// Longer than it takes until somebody who pauses in a line is taken for a person.
const PAUSE: Duration = Duration::from_millis(80);

/// Ctrl-C.
pub(super) const INTERRUPT: &[u8] = b"\x03";

/// Inputs that are kept for the report of a violation.
const KEPT: usize = 40;

/// A board, and a line to it that is not echoed.
#[derive(Debug)]
pub(super) struct Link<'a, B> {
    /// The board.
    pub(super) board: &'a mut B,
    /// What was done.
    pub(super) totals: &'a mut Totals,
    number: u32,
    recent: VecDeque<String>,
}

impl<'a, B: Soaked> Link<'a, B> {
    pub(super) fn new(board: &'a mut B, totals: &'a mut Totals) -> Self {
        Self { board, totals, number: 0, recent: VecDeque::new() }
    }

    /// The last inputs, a line each.
    pub(super) fn recent(&self) -> String {
        self.recent.iter().map(|line| format!("  {line}\n")).collect()
    }

    /// Remembers an input.
    pub(super) fn note(&mut self, input: String) {
        if self.recent.len() == KEPT {
            self.recent.pop_front();
        }
        self.recent.push_back(input);
    }

    /// Sends a command without waiting for its answer.
    pub(super) fn begin(&mut self, command: &str) -> Result<()> {
        self.number += 1;
        self.totals.commands += 1;
        let line = format!("{} {command}\n", self.number);
        self.note(line.trim_end().to_owned());
        self.board.send_paced(line.as_bytes())
    }

    /// The answer to the last command without its number: `= ...` or `? ...`. `None` if there is none
    /// in this time.
    pub(super) fn answer(&mut self, within: Duration) -> Result<Option<String>> {
        // Nothing else is sent meanwhile, so it is the first text that ends like an answer.
        let Ok(text) = self.board.receive_until("\n\n", within) else { return Ok(None) };
        let number = self.number;
        let marks = [format!("={number}"), format!("?{number}")];
        let begins = |line: &str| {
            line.split(' ').next().is_some_and(|word| marks.iter().any(|mark| mark == word))
        };
        let lines: Vec<_> = text.lines().skip_while(|line| !begins(line)).collect();
        ensure!(!lines.is_empty(), "the answer to command {number} is {text:?}");
        let answer = lines.join("\n");
        let rest = answer.get(1..).and_then(|rest| rest.strip_prefix(&number.to_string()));
        let rest = rest.with_context(|| answer.clone())?.trim_end();
        Ok(Some(format!("{}{rest}", &answer[..1])))
    }

    /// The answer to a command that needs no search.
    pub(super) fn ask(&mut self, command: &str) -> Result<String> {
        let (begun, host) = (self.board.time()?, Instant::now());
        self.begin(command)?;
        if let Some(answer) = self.answer(3 * SOON)? {
            return Ok(answer);
        }
        let (time, host) = (self.board.time()?, host.elapsed());
        let places = self.board.whereabouts()?;
        let late = self.board.receive_until("\n\n", 20 * SOON);
        bail!(
            "{command}, sent at {begun:?}, is not answered at {time:?} ({host:?} of the host's time); \
             the program is at{places} and then it says {late:?}"
        )
    }

    /// The same for one that must be accepted.
    pub(super) fn order(&mut self, command: &str) -> Result<String> {
        let answer = self.ask(command)?;
        ensure!(answer.starts_with('='), "{command} is answered {answer}");
        Ok(answer.trim_start_matches('=').trim().to_owned())
    }

    /// Ends the running command.
    pub(super) fn interrupt(&mut self) -> Result<String> {
        self.note("Ctrl-C".into());
        self.totals.stopped += 1;
        self.board.send_now(INTERRUPT)?;
        self.answer(STOPPED)?.with_context(|| format!("not ended {STOPPED:?} after Ctrl-C"))
    }

    /// Begins afresh, whatever was sent before: the line must be answered.
    pub(super) fn resume(&mut self) -> Result<()> {
        self.board.send_now(b"\x03\x03\n")?;
        self.board.run_for(PAUSE)?;
        self.board.send(b"echo off\nprogress off\n")?;
        self.board.run_for(PAUSE)?;
        self.number += 1;
        self.totals.commands += 1;
        let number = self.number;
        self.board.send(format!("{number} name\n").as_bytes())?;
        let end = format!("={number} Corvid\n\n");
        self.board.receive_until(&end, SOON).context("the line is dead")?;
        Ok(())
    }

    /// The value of a line of `stats`.
    pub(super) fn stat(&mut self, name: &str) -> Result<String> {
        let stats = self.order("stats")?;
        let line = stats.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        Ok(line.with_context(|| format!("no {name} in {stats}"))?.to_owned())
    }
}
