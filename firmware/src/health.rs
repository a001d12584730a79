//! Whether the device is well: who is alive, why it started, and what went wrong before.
//!
//! Every part of the device says from time to time that it is alive. A [`guard`] feeds the board's
//! watchdog while they all do; a part that falls silent, a panic or a fault is written down where a
//! reset does not reach it, the board starts again, and [`last_failure`] tells what happened.
use crate::store::{Crc, Trouble};
use core::{
    cell::Cell,
    convert::Infallible,
    fmt::{self, Write as _},
    future::Future,
    panic::PanicInfo,
    sync::atomic::{AtomicU32, Ordering},
};
use corvid_core::game::{DISPLAY_COLUMNS, Reason};
use embassy_futures::select::{Select, select};
use embassy_sync::blocking_mutex::{Mutex, raw::CriticalSectionRawMutex};
use embassy_time::{Duration, Instant, Timer};
use heapless::String;

/// How long a part may be silent.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// How long the brain may be silent in a command that never looks at the clock: a long count.
pub const LONG: Duration = Duration::from_secs(600);

/// The time within which a board's watchdog wants to be fed. Erasing a page, which stops
/// everything, takes less than a third of it on any board.
pub const WATCHDOG: Duration = Duration::from_secs(3);

/// Between two looks at the parts.
const LOOK: Duration = Duration::from_millis(500);

/// A part of the device that has to be alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The keys.
    Keys,
    /// The screen.
    Screen,
    /// The serial port.
    Serial,
    /// Thread mode: thinking, commands, saving.
    Brain,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Keys, Self::Screen, Self::Serial, Self::Brain];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Screen => "screen",
            Self::Serial => "serial",
            Self::Brain => "brain",
        }
    }
}

/// Until when each part may be silent, in milliseconds since the start.
static DUE: [AtomicU32; Part::ALL.len()] = [const { AtomicU32::new(0) }; Part::ALL.len()];

/// Milliseconds since the start; they begin again after seven weeks.
fn millis() -> u32 {
    Instant::now().as_millis() as u32
}

/// Says that a part is alive.
pub fn beat(part: Part) {
    beat_for(part, PATIENCE);
}

/// Says that a part is alive, and may be silent for this long: at most three weeks.
pub fn beat_for(part: Part, silence: Duration) {
    let due = millis().wrapping_add(silence.as_millis() as u32);
    DUE[part as usize].store(due, Ordering::Relaxed);
}

/// A part that has been silent for too long.
pub fn late() -> Option<Part> {
    let now = millis();
    let is_late = |part: &Part| {
        let due = DUE[*part as usize].load(Ordering::Relaxed);
        (now.wrapping_sub(due) as i32) > 0
    };
    Part::ALL.into_iter().find(is_late)
}

/// The time in microseconds, for the brain: looking at the clock is its sign of life in a search.
pub fn clock() -> u64 {
    beat(Part::Brain);
    Instant::now().as_micros()
}

/// Runs a task of a part that has no signs of life of its own, because it may wait for ever for
/// somebody outside: it is alive as long as it is polled.
///
/// Not an `async fn`, which would keep a second place for the task.
pub fn alive<F: Future>(part: Part, task: F) -> Select<F, impl Future<Output = Infallible>> {
    select(task, async move {
        loop {
            beat(part);
            Timer::after(LOOK).await;
        }
    })
}

/// A board's watchdog, which resets the board unless it is fed every [`WATCHDOG`].
pub trait Watchdog {
    /// Feeds it.
    fn feed(&mut self);
}

/// Feeds the watchdog while every part is alive. `fail` writes a failure down and resets the board;
/// if not even this task runs any more, the watchdog does.
pub async fn guard<W: Watchdog>(mut watchdog: W, fail: fn(&Failure) -> !) -> ! {
    Part::ALL.into_iter().for_each(beat);
    loop {
        watchdog.feed();
        Timer::after(LOOK).await;
        if let Some(part) = late() {
            fail(&Failure::stalled(part));
        }
    }
}

/// Why the board started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// It got power.
    Power,
    /// Somebody pressed the reset button.
    Button,
    /// The watchdog was not fed.
    Watchdog,
    /// The program asked for it.
    Program,
    /// The board does not tell.
    Unknown,
}

impl Cause {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Power => "power on",
            Self::Button => "reset button",
            Self::Watchdog => "watchdog",
            Self::Program => "restart",
            Self::Unknown => "start",
        }
    }
}

/// Words of a failure's record.
pub const RECORD: usize = 12;

/// A record of a failure, to be kept where a reset does not reach it.
pub type Record = [u32; RECORD];

/// The end of a file's name that a record holds.
const FILE: usize = 4 * (RECORD - 3);

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    kind: Kind,
    /// The line of a panic, or the address of a fault.
    place: u32,
    /// The end of the name of the panic's file, behind zeros.
    file: [u8; FILE],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A panic at a place in the source.
    Panic,
    /// The processor could not go on.
    Fault,
    /// A part fell silent.
    Stalled(Part),
    /// The watchdog was not fed, and nobody knows why.
    Silence,
}

impl Failure {
    const fn new(kind: Kind, place: u32) -> Self {
        Self { kind, place, file: [0; FILE] }
    }

    /// A panic.
    pub fn panic(info: &PanicInfo<'_>) -> Self {
        match info.location() {
            Some(place) => Self::panic_at(place.file(), place.line()),
            None => Self::new(Kind::Panic, 0),
        }
    }

    fn panic_at(file: &str, line: u32) -> Self {
        let mut failure = Self::new(Kind::Panic, line);
        for (to, from) in failure.file.iter_mut().rev().zip(file.bytes().rev()) {
            *to = from;
        }
        failure
    }

    /// A fault of the processor at an address.
    pub const fn fault(address: u32) -> Self {
        Self::new(Kind::Fault, address)
    }

    /// A part that fell silent.
    pub const fn stalled(part: Part) -> Self {
        Self::new(Kind::Stalled(part), 0)
    }

    /// A number to tell failures apart by: a panic's depends on its place alone.
    pub fn code(&self) -> u16 {
        match self.kind {
            Kind::Panic => 0x1000 | Crc::of(self.bytes().as_flattened()) as u16 & 0xFFF,
            Kind::Fault => 2,
            Kind::Stalled(part) => 0x10 + part as u16,
            Kind::Silence => 1,
        }
    }

    fn file(&self) -> &str {
        let start = self.file.iter().position(|byte| *byte != 0).unwrap_or(FILE);
        // The start of a longer name may be cut in the middle of a letter.
        (start..FILE).find_map(|start| str::from_utf8(&self.file[start..]).ok()).unwrap_or("")
    }

    fn kind_number(&self) -> u32 {
        match self.kind {
            Kind::Panic => 0,
            Kind::Fault => 1,
            Kind::Silence => 2,
            Kind::Stalled(part) => 0x10 + part as u32,
        }
    }

    /// Everything but the check sum, in bytes.
    fn bytes(&self) -> [[u8; 4]; RECORD - 1] {
        let mut bytes = [[0; 4]; RECORD - 1];
        bytes[0] = self.kind_number().to_le_bytes();
        bytes[1] = self.place.to_le_bytes();
        for (word, part) in bytes[2..].iter_mut().zip(self.file.chunks_exact(4)) {
            word.copy_from_slice(part);
        }
        bytes
    }

    /// The record of the failure.
    pub fn record(&self) -> Record {
        let bytes = self.bytes();
        let mut record = [Crc::of(bytes.as_flattened()); RECORD];
        record.iter_mut().zip(bytes).for_each(|(word, bytes)| *word = u32::from_le_bytes(bytes));
        record
    }

    /// The failure of a record; `None` if it is none: memory holds anything when the power comes.
    pub fn from_record(record: &Record) -> Option<Self> {
        let part = |part: &Part| Kind::Stalled(*part);
        let kind = match record[0] {
            0 => Kind::Panic,
            1 => Kind::Fault,
            2 => Kind::Silence,
            number => Part::ALL.get(number.checked_sub(0x10)? as usize).map(part)?,
        };
        let mut failure = Self::new(kind, record[1]);
        for (part, word) in failure.file.chunks_exact_mut(4).zip(&record[2..]) {
            part.copy_from_slice(&word.to_le_bytes());
        }
        (failure.record() == *record).then_some(failure)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Panic => write!(f, "panic at {}:{}", self.file(), self.place)?,
            Kind::Fault => write!(f, "fault at address {:#x}", self.place)?,
            Kind::Stalled(part) => write!(f, "the {} stopped", part.name())?,
            Kind::Silence => f.write_str("everything stopped")?,
        }
        write!(f, " (E{:04x})", self.code())
    }
}

impl Reason for Failure {
    fn short(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "E{:04x} ", self.code())?;
        match self.kind {
            Kind::Panic => {
                let mut place = String::<{ FILE + 12 }>::new();
                let name = self.file().rsplit('/').next().unwrap_or("");
                write!(place, "{name}:{}", self.place)?;
                let start = place.len().saturating_sub(DISPLAY_COLUMNS - 6);
                out.write_str(place.get(start..).unwrap_or(""))
            }
            Kind::Fault => write!(out, "at {:x}", self.place),
            Kind::Stalled(part) => write!(out, "{} stopped", part.name()),
            Kind::Silence => out.write_str("all stopped"),
        }
    }
}

/// Why the board started, and the failure before.
static START: Mutex<CriticalSectionRawMutex, Cell<(Cause, Option<Failure>)>> =
    Mutex::new(Cell::new((Cause::Unknown, None)));

/// Tells why the board started, and the record that it found. Called by a board, once.
pub fn started(cause: Cause, record: &Record) {
    let recorded = Failure::from_record(record).filter(|_| cause != Cause::Power);
    let silence = || (cause == Cause::Watchdog).then_some(Failure::new(Kind::Silence, 0));
    START.lock(|start| start.set((cause, recorded.or_else(silence))));
}

/// Why the board started.
pub fn cause() -> Cause {
    START.lock(Cell::get).0
}

/// What went wrong before the last start, if something did. As a [`Reason`] it has a text for the
/// display and a sentence.
pub fn last_failure() -> Option<Failure> {
    START.lock(Cell::get).1
}

/// Why nothing is saved, and whether what another version saved is to be given up.
static SAVING: Mutex<CriticalSectionRawMutex, Cell<(Option<Trouble>, bool)>> =
    Mutex::new(Cell::new((None, false)));

/// Why nothing is saved, if so. As a [`Reason`] it has a text for the display and a sentence.
pub fn saving() -> Option<Trouble> {
    SAVING.lock(Cell::get).0
}

pub(crate) fn set_saving(trouble: Option<Trouble>) {
    SAVING.lock(|saving| saving.set((trouble, saving.get().1)));
}

/// Whether another version saved something, which is kept until [`discard`].
pub fn has_old_save() -> bool {
    matches!(saving(), Some(Trouble::Version(_)))
}

/// Asks the brain to give up what another version saved, at its next save. False if there is nothing
/// of the kind.
pub fn discard() -> bool {
    let old = has_old_save();
    SAVING.lock(|saving| saving.set((saving.get().0, old)));
    old
}

pub(crate) fn take_discard() -> bool {
    SAVING.lock(|saving| {
        let (trouble, discard) = saving.get();
        saving.set((trouble, false));
        discard
    })
}

/// Writes how the device is, a line each: why it started, what went wrong before, whether games are
/// saved.
pub fn write_stats(out: &mut dyn fmt::Write) -> fmt::Result {
    write!(out, "start {}\nfailure ", cause().name())?;
    match last_failure() {
        Some(failure) => write!(out, "{failure}")?,
        None => out.write_str("none")?,
    }
    out.write_str("\nsaving ")?;
    match saving() {
        Some(trouble) => write!(out, "{trouble}")?,
        None => out.write_str("yes")?,
    }
    out.write_char('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(failure: &Failure) -> std::string::String {
        let mut short = String::<DISPLAY_COLUMNS>::new();
        failure.short(&mut short).unwrap();
        short.as_str().into()
    }

    #[test]
    fn a_failure_comes_back_from_its_record() {
        let file = "a/path/that/is/too/long/for/the/record/firmware/src/store/pages.rs";
        let panic = Failure::panic_at(file, 120);
        assert_eq!(
            panic.to_string(),
            format!("panic at e/record/firmware/src/store/pages.rs:120 (E{:04x})", panic.code())
        );
        let rest = [Failure::fault(0x2000_1234), Failure::new(Kind::Silence, 0)];
        for failure in Part::ALL.map(Failure::stalled).into_iter().chain(rest).chain([panic]) {
            assert_eq!(Failure::from_record(&failure.record()), Some(failure));
            assert!(short(&failure).starts_with('E'));
        }
    }

    #[test]
    fn texts_fit_the_display() {
        assert_eq!(&short(&Failure::panic_at("src/store/pages.rs", 120))[5..], " pages.rs:120");
        assert_eq!(
            &short(&Failure::panic_at("src/very_long_file_name.rs", 1234))[5..],
            " le_name.rs:1234"
        );
        assert_eq!(short(&Failure::stalled(Part::Screen)), "E0011 screen stopped");
        assert_eq!(short(&Failure::fault(u32::MAX)), "E0002 at ffffffff");
    }

    #[test]
    fn panics_at_different_places_have_different_codes() {
        let codes = [("a.rs", 1), ("a.rs", 2), ("b.rs", 1)]
            .map(|(file, line)| Failure::panic_at(file, line).code());
        assert!(codes[0] != codes[1] && codes[0] != codes[2] && codes[1] != codes[2]);
    }

    #[test]
    fn what_memory_holds_at_first_is_no_failure() {
        assert_eq!(Failure::from_record(&[0; RECORD]), None);
        assert_eq!(Failure::from_record(&[u32::MAX; RECORD]), None);
        let mut record = Failure::stalled(Part::Keys).record();
        record[5] ^= 1;
        assert_eq!(Failure::from_record(&record), None);
    }

    #[test]
    fn the_start_tells_what_went_wrong() {
        let record = Failure::stalled(Part::Brain).record();
        started(Cause::Program, &record);
        assert_eq!(
            (cause(), last_failure()),
            (Cause::Program, Some(Failure::stalled(Part::Brain)))
        );
        started(Cause::Watchdog, &[0; RECORD]);
        assert_eq!(last_failure().unwrap().code(), 1);
        started(Cause::Power, &record);
        assert_eq!(last_failure(), None);
    }

    #[test]
    fn a_part_is_late_after_its_time() {
        Part::ALL.into_iter().for_each(|part| beat_for(part, Duration::from_secs(60)));
        assert_eq!(late(), None);
        beat_for(Part::Serial, Duration::from_millis(0));
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert_eq!(late(), Some(Part::Serial));
        embassy_futures::block_on(alive(Part::Serial, Timer::after_millis(5)));
        assert_eq!(late(), None);
        beat_for(Part::Brain, Duration::from_millis(0));
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert_eq!(late(), Some(Part::Brain));
        clock();
        assert_eq!(late(), None);
    }
}
