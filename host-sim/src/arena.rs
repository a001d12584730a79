//! `corvid arena`: matches between players of any kind, with seats alternated fairly.

mod chart;
mod entrant;
mod plan;
mod record;
mod table;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(crate) use entrant::Entrant;
pub(crate) use plan::{Orders, Plan};
pub(crate) use record::{Played, Record};
pub(crate) use table::{Row, Table};

use crate::args::ArenaArgs;
use crate::failure::Failure;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// How often the record is saved while games are played.
const SAVE_INTERVAL: Duration = Duration::from_secs(5);

/// Plays the match and prints its table.
pub(crate) fn run(args: &ArenaArgs) -> Result<(), Failure> {
    let plan = plan(args)?;
    let mut record = match &args.json {
        Some(path) => Record::open(path, &plan)?,
        None => Record::new(),
    };
    if let Some(path) = &args.plot {
        chart::check(path)?;
    }
    if !plan.games.is_multiple_of(plan.orders().len() as u32) {
        let each = plan.orders().len();
        let _ = writeln!(io::stderr(), "the last opening is not played in all {each} seat orders");
    }
    // Without the handler Ctrl-C still ends the program, but without saving.
    let _ = ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed));
    let mut progress = Progress::new();
    let mut saved = Instant::now();
    plan.play(&mut record, args.threads(), &STOP, &mut |record| {
        progress.show(record.played(), plan.games as usize);
        if let Some(path) = args.json.as_deref().filter(|_| saved.elapsed() > SAVE_INTERVAL) {
            record.save(path, &plan)?;
            saved = Instant::now();
        }
        Ok(())
    })?;
    progress.end();
    if let Some(path) = &args.json {
        record.save(path, &plan)?;
    }
    let table = Table::new(&plan, record.games());
    if let Some(path) = &args.plot {
        write_file(path, &chart::draw(&plan, &table))?;
    }
    write!(io::stdout(), "{table}")?;
    let missing = plan.games as usize - record.played();
    if missing > 0 {
        let next = if args.json.is_some() { "; the same command goes on from here" } else { "" };
        return Err(Failure::Other(format!("stopped with {missing} games to play{next}")));
    }
    Ok(())
}

fn plan(args: &ArenaArgs) -> Result<Plan, Failure> {
    let setup = args.setup.setup();
    let kind = setup.kind();
    let players =
        args.players.split(',').map(|name| Entrant::named(kind, name.trim(), &args.board));
    let players: Vec<Entrant> = players.collect::<Result<_, _>>()?;
    let (seats, given) = (setup.people(), players.len());
    if given != seats {
        let more = setup.with_people(given).and_then(|other| {
            let mut options = kind.info().options.iter().zip(other.options()).zip(setup.options());
            let ((option, value), _) = options.find(|((_, new), old)| new != old)?;
            let mut text = String::new();
            // Text takes any text.
            let _ = option.values.write(value, &mut text);
            Some(format!(" (with --{} {text} it has as many)", option.flag))
        });
        let more = more.unwrap_or_default();
        return Err(Failure::Usage(format!(
            "--players: {kind} has {seats} seats, not {given}{more}"
        )));
    }
    Ok(Plan {
        setup,
        players,
        games: args.games,
        openings: args.openings,
        seed: args.seed,
        memory: args.memory.unwrap_or(args.board.memory_kb),
        micros: u64::from(args.time_ms) * 1000,
        order: args.orders,
    })
}

/// The path of a file with more at the end of its name.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(end);
    path.with_file_name(name)
}

/// Replaces a file atomically.
fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let part = beside(path, ".part");
    std::fs::write(&part, text)
        .and_then(|()| std::fs::rename(&part, path))
        .map_err(|error| Failure::Other(format!("cannot write {}: {error}", path.display())))
}

/// The progress of a match and the time remaining, on standard error.
#[derive(Debug)]
pub(crate) struct Progress {
    begun: Instant,
    shown: Option<Instant>,
    /// Games played by an earlier run.
    before: Option<usize>,
    on_screen: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let on_screen = io::stderr().is_terminal();
        Self { begun: Instant::now(), shown: None, before: None, on_screen }
    }

    /// Shows it, no more often than it can be read.
    pub(crate) fn show(&mut self, played: usize, games: usize) {
        let before = *self.before.get_or_insert(played.saturating_sub(1));
        let pause = if self.on_screen { 200 } else { 10_000 };
        let recently = |at: Instant| at.elapsed() < Duration::from_millis(pause);
        if played < games && self.shown.map_or(!self.on_screen, recently) {
            self.shown.get_or_insert(self.begun);
            return;
        }
        self.shown = Some(Instant::now());
        let each = self.begun.elapsed().as_secs_f64() / (played - before).max(1) as f64;
        let left = (each * (games - played) as f64).ceil() as u64;
        const WIDTH: usize = 30;
        let done = WIDTH * played / games.max(1);
        let bar = "#".repeat(done) + &".".repeat(WIDTH - done);
        let line = format!("[{bar}] {played}/{games} games, {}:{:02} left", left / 60, left % 60);
        let _ = if self.on_screen {
            write!(io::stderr(), "\r{line}   ")
        } else {
            writeln!(io::stderr(), "{line}")
        };
    }

    /// Ends the line.
    pub(crate) fn end(&self) {
        if self.on_screen && self.shown.is_some() {
            let _ = writeln!(io::stderr());
        }
    }
}
