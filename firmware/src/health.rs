//! The health of the device: which tasks are alive, why it started, and what went wrong before.
//! Every part of the device regularly reports that it is alive. A [`guard`] feeds the board's
//! watchdog while they all do; a part that falls silent, a panic or a fault is recorded in memory
//! that survives a reset, the board restarts, and [`last_failure`] says what happened.
use crate::store::{Crc, Trouble};
use core::{
    cell::Cell,
    convert::Infallible,
    fmt::{self, Write as _},
    future::Future,
    panic::PanicInfo,
    sync::atomic::{AtomicU32, Ordering},
};
use corvid_core::{
    cut,
    game::{Reason, SHORT},
};
use embassy_futures::select::{Select, select};
use embassy_sync::blocking_mutex::{Mutex, raw::CriticalSectionRawMutex};
use embassy_time::{Duration, Instant, Timer};
use heapless::String;

/// How long a part may be silent.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// The timeout of a board's watchdog. Erasing a page, which stalls everything, takes less than a
/// third of it on any board.
pub const WATCHDOG: Duration = Duration::from_secs(3);

/// How often the parts are checked.
const LOOK: Duration = Duration::from_millis(500);

/// A part of the device that is monitored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The keys.
    Keys,
    /// The screen.
    Screen,
    /// The serial port.
    Serial,
    /// Thread mode: search, commands, saving.
    Brain,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Keys, Self::Screen, Self::Serial, Self::Brain];

    /// Its name.
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
#[derive(Debug)]
struct Deadlines([AtomicU32; Part::ALL.len()]);

static DEADLINES: Deadlines = Deadlines::new();

impl Deadlines {
    const fn new() -> Self {
        Self([const { AtomicU32::new(0) }; Part::ALL.len()])
    }

    /// Allows a part to be silent for so many milliseconds from now, at most three weeks, and never for
    /// less than it was allowed before.
    fn allow(&self, part: Part, now: u32, silence: u32) {
        let due = now.wrapping_add(silence);
        let place = &self.0[part as usize];
        if (due.wrapping_sub(place.load(Ordering::Relaxed)) as i32) > 0 {
            place.store(due, Ordering::Relaxed);
        }
    }

    /// A part that is past its deadline, if any.
    fn late(&self, now: u32) -> Option<Part> {
        let is_late = |part: &Part| {
            let due = self.0[*part as usize].load(Ordering::Relaxed);
            (now.wrapping_sub(due) as i32) > 0
        };
        Part::ALL.into_iter().find(is_late)
    }
}

/// Milliseconds since the start; they wrap around after seven weeks.
fn millis() -> u32 {
    Instant::now().as_millis() as u32
}

/// Reports that a part is alive.
pub fn beat(part: Part) {
    DEADLINES.allow(part, millis(), PATIENCE.as_millis() as u32);
}

/// A part that is past its deadline, if any.
pub fn late() -> Option<Part> {
    DEADLINES.late(millis())
}

/// The time in microseconds, for the brain: polling the clock is its sign of life in a search.
pub fn clock() -> u64 {
    beat(Part::Brain);
    Instant::now().as_micros()
}

/// Runs a task of a part that doesn't report by itself, because it may wait forever for outside
/// input: it is alive as long as it is polled.
/// Not an `async fn`, which would reserve space for the task twice.
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

/// Feeds the watchdog while every part is alive. `fail` records a failure and resets the board;
/// if not even this task runs any more, the watchdog resets it.
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
    /// Power-on.
    Power,
    /// The reset button.
    Button,
    /// The watchdog was not fed.
    Watchdog,
    /// The program asked for it.
    Program,
    /// The board can't say.
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

/// The length of a failure record in words.
pub const RECORD: usize = 12;

/// A record of a failure, for memory that survives a reset.
pub type Record = [u32; RECORD];

/// How many bytes of the end of a file name a record holds.
const FILE: usize = 4 * (RECORD - 3);

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    kind: Kind,
    /// The line of a panic, or the address of a fault.
    place: u32,
    /// The end of the panic's file name, padded with zeros in front.
    file: [u8; FILE],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A panic at a place in the source.
    Panic,
    /// A processor fault.
    Fault,
    /// The stack has left its place.
    Overflow,
    /// A part fell silent.
    Stalled(Part),
    /// The watchdog was not fed, for an unknown reason.
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

    /// A processor fault at an address.
    pub const fn fault(address: u32) -> Self {
        Self::new(Kind::Fault, address)
    }

    /// A stack that has left its place.
    pub const fn overflow() -> Self {
        Self::new(Kind::Overflow, 0)
    }

    /// A part that fell silent.
    pub const fn stalled(part: Part) -> Self {
        Self::new(Kind::Stalled(part), 0)
    }

    /// A number that identifies the failure: a panic's depends on its location alone.
    pub fn code(&self) -> u16 {
        match self.kind {
            Kind::Panic => 0x1000 | Crc::of(self.bytes().as_flattened()) as u16 & 0xFFF,
            Kind::Fault => 2,
            Kind::Overflow => 3,
            Kind::Stalled(part) => 0x10 + part as u16,
            Kind::Silence => 1,
        }
    }

    fn file(&self) -> &str {
        let start = self.file.iter().position(|byte| *byte != 0).unwrap_or(FILE);
        // A longer name may be cut in the middle of a character.
        (start..FILE).find_map(|start| str::from_utf8(self.file.get(start..)?).ok()).unwrap_or("")
    }

    fn kind_number(&self) -> u32 {
        match self.kind {
            Kind::Panic => 0,
            Kind::Fault => 1,
            Kind::Silence => 2,
            Kind::Overflow => 3,
            Kind::Stalled(part) => 0x10 + part as u32,
        }
    }

    /// Everything but the checksum, in bytes.
    fn bytes(&self) -> [[u8; 4]; RECORD - 1] {
        let mut bytes = [[0; 4]; RECORD - 1];
        bytes[0] = self.kind_number().to_le_bytes();
        bytes[1] = self.place.to_le_bytes();
        bytes[2..].iter_mut().zip(self.file.as_chunks().0).for_each(|(word, part)| *word = *part);
        bytes
    }

    /// The record of the failure.
    pub fn record(&self) -> Record {
        let bytes = self.bytes();
        let mut record = [Crc::of(bytes.as_flattened()); RECORD];
        record.iter_mut().zip(bytes).for_each(|(word, bytes)| *word = u32::from_le_bytes(bytes));
        record
    }

    /// The failure in a record; `None` if it is invalid: after power-on, memory holds anything.
    pub fn from_record(record: &Record) -> Option<Self> {
        let part = |part: &Part| Kind::Stalled(*part);
        let kind = match record[0] {
            0 => Kind::Panic,
            1 => Kind::Fault,
            2 => Kind::Silence,
            3 => Kind::Overflow,
            number => Part::ALL.get(number.checked_sub(0x10)? as usize).map(part)?,
        };
        let mut failure = Self::new(kind, record[1]);
        for (part, word) in failure.file.as_chunks_mut().0.iter_mut().zip(&record[2..]) {
            *part = word.to_le_bytes();
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
            Kind::Overflow => f.write_str("stack overflow")?,
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
                let file = self.file();
                let name = cut::at_last(file, b'/').map_or(file, |(_, name)| name);
                write!(place.as_mut_view(), "{name}:{}", self.place)?;
                let start = place.len().saturating_sub(SHORT - 6);
                out.write_str(place.get(start..).unwrap_or(""))
            }
            Kind::Fault => write!(out, "at {:x}", self.place),
            Kind::Stalled(part) => write!(out, "{} stopped", part.name()),
            Kind::Silence => out.write_str("all stopped"),
            Kind::Overflow => out.write_str("stack overflow"),
        }
    }
}

/// Why the board started, and the failure before that.
static START: Mutex<CriticalSectionRawMutex, Cell<(Cause, Option<Failure>)>> =
    Mutex::new(Cell::new((Cause::Unknown, None)));

/// Sets why the board started, and the record that it found. Called once, by the board.
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

/// Writes the state of the device, one item per line: why it started, what went wrong before,
/// whether games are saved.
pub fn write_stats(saving: Option<Trouble>, out: &mut dyn fmt::Write) -> fmt::Result {
    write!(out, "start {}\nfailure ", cause().name())?;
    match last_failure() {
        Some(failure) => write!(out, "{failure}")?,
        None => out.write_str("none")?,
    }
    out.write_str("\nsaving ")?;
    match saving {
        Some(trouble) => write!(out, "{trouble}")?,
        None => out.write_str("yes")?,
    }
    out.write_char('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(failure: &Failure) -> std::string::String {
        let mut short = String::<SHORT>::new();
        failure.short(&mut short).unwrap();
        short.as_str().into()
    }

    fn stats() -> std::string::String {
        let mut stats = std::string::String::new();
        write_stats(None, &mut stats).unwrap();
        stats
    }

    #[test]
    fn a_failure_comes_back_from_its_record() {
        let file = "a/path/that/is/too/long/for/the/record/firmware/src/store/pages.rs";
        let panic = Failure::panic_at(file, 120);
        assert_eq!(
            panic.to_string(),
            format!("panic at e/record/firmware/src/store/pages.rs:120 (E{:04x})", panic.code())
        );
        let rest =
            [Failure::fault(0x2000_1234), Failure::overflow(), Failure::new(Kind::Silence, 0)];
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
        assert_eq!(short(&Failure::overflow()), "E0003 stack overflow");
    }

    #[test]
    fn panics_at_different_places_have_different_codes() {
        let codes = [("a.rs", 1), ("a.rs", 2), ("b.rs", 1)]
            .map(|(file, line)| Failure::panic_at(file, line).code());
        assert!(codes[0] != codes[1] && codes[0] != codes[2] && codes[1] != codes[2]);
    }

    #[test]
    fn codes_of_panics_are_apart_from_the_others() {
        for line in 1..100 {
            let code = Failure::panic_at("a.rs", line).code();
            assert_eq!(code >> 12, 1, "line {line}: {code:#x}");
        }
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
        assert_eq!(stats(), "start watchdog\nfailure everything stopped (E0001)\nsaving yes\n");
        started(Cause::Power, &record);
        assert_eq!(last_failure(), None);
        for (cause, name) in [
            (Cause::Power, "power on"),
            (Cause::Button, "reset button"),
            (Cause::Program, "restart"),
            (Cause::Unknown, "start"),
        ] {
            started(cause, &[0; RECORD]);
            assert_eq!(stats(), format!("start {name}\nfailure none\nsaving yes\n"));
        }
    }

    #[test]
    fn a_part_is_late_after_its_time() {
        // Milliseconds wrap around in the middle of it.
        let deadlines = Deadlines::new();
        let start = u32::MAX - 20;
        let at = |after: u32| start.wrapping_add(after);
        Part::ALL.into_iter().for_each(|part| deadlines.allow(part, at(0), 60_000));
        assert_eq!(deadlines.late(at(60_000)), None);
        assert_eq!(deadlines.late(at(60_001)), Some(Part::Keys));
        [Part::Keys, Part::Screen]
            .into_iter()
            .for_each(|part| deadlines.allow(part, at(50), 90_000));
        assert_eq!(deadlines.late(at(60_001)), Some(Part::Serial));
        deadlines.allow(Part::Serial, at(60_001), 5_000);
        assert_eq!(deadlines.late(at(60_001)), Some(Part::Brain));
        deadlines.allow(Part::Brain, at(60_001), 600_000);
        assert_eq!(deadlines.late(at(65_001)), None);
        assert_eq!(deadlines.late(at(65_002)), Some(Part::Serial));
        deadlines.allow(Part::Serial, at(65_002), 600_000);
        deadlines.allow(Part::Brain, at(65_002), 5_000);
        assert_eq!(deadlines.late(at(90_050)), None, "a look at the clock takes nothing back");
        assert_eq!(deadlines.late(at(90_051)), Some(Part::Keys));
    }

    #[test]
    fn a_task_is_alive_as_long_as_it_is_polled() {
        let due = |part: Part| DEADLINES.0[part as usize].load(Ordering::Relaxed);
        // Some time after the start of the clock.
        embassy_futures::block_on(Timer::after_millis(5));
        let begun = Instant::now();
        let patient = (begun + PATIENCE).as_millis() as u32;
        embassy_futures::block_on(alive(Part::Serial, Timer::after_millis(5)));
        assert!(due(Part::Serial) >= patient);
        let polled = clock();
        assert!((begun.as_micros()..=Instant::now().as_micros()).contains(&polled));
        assert!(due(Part::Brain) >= patient, "polling the clock is a sign of life");
    }

    #[test]
    fn a_part_that_is_silent_too_long_is_named() {
        // No other test has keys.
        DEADLINES.0[Part::Keys as usize].store(0, Ordering::Relaxed);
        embassy_futures::block_on(Timer::after_millis(5));
        assert_eq!(late(), Some(Part::Keys));
        beat(Part::Keys);
        assert_ne!(late(), Some(Part::Keys));
    }
}
