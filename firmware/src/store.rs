//! What survives a power cut: settings, statistics and the game in progress.
//!
//! A board makes a [`Store`] over a [`Region`] of its flash, opens it, and gives it to the
//! [`Brain`](crate::brain::Brain) as its [`Keeper`]. It is given the game after every change and
//! appends the difference.
//! `docs/saved-games.md` describes the format, the guarantees after a power cut and their tests.
mod crc;
mod limit;
#[cfg(test)]
mod mock;
mod pages;
mod region;
mod saved;
#[cfg(test)]
mod tests;
mod values;

use crate::{
    brain::Keeper,
    log,
    settings::Settings,
    statistics::{RECORDS, Statistics},
    table::{Seat, Table},
};
use core::fmt;
use corvid_core::{game::Reason, player::MAX_PLAYERS, session::Match};
pub(crate) use crc::Crc;
use embassy_futures::block_on;
use embassy_time::Instant;
use embedded_storage_async::nor_flash::NorFlash;
use heapless::{Vec, VecView};
use limit::Limit;
use pages::{Found, Page, Pages, WriteFailed, head_of};
pub use region::{Failed, Region};
use saved::{Change, TITLE};
pub use saved::{Damaged, SavedGame};

/// The most bytes of a [`Value`] other than the statistics.
pub const VALUE: usize = 128;

/// The most bytes of the statistics: every record with the longest name.
pub const STATISTICS: usize = RECORDS * (18 + saved::NAME);

/// What is saved besides the game, as bytes. A reader must accept fewer bytes than it would write:
/// an older version may have written them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// The user's settings.
    Settings,
    /// Results of games as older versions have them.
    Tallies,
    /// The settings of comforts.
    Comforts,
    /// Results of games.
    Statistics,
}

impl Value {
    /// All of them; the statistics are written before what they replace is deleted.
    const ALL: [Self; 4] = [Self::Settings, Self::Comforts, Self::Statistics, Self::Tallies];
}

// The kinds of records. An unknown kind is skipped. A value: its number, its bytes.
const KIND_VALUE: u8 = 1;
/// A game: the length of its title, the title, its moves.
const KIND_GAME: u8 = 2;
/// The moves of the game from a number on: that number, the moves.
const KIND_MOVES: u8 = 3;
/// There is no game any more.
const KIND_NO_GAME: u8 = 4;
/// The players' clocks in the game before this record.
const KIND_CLOCK: u8 = 5;
/// Several records that are written together or not at all.
const KIND_TOGETHER: u8 = 6;

/// The most records that a page begins with: four values, the game, its clocks.
const BASE: usize = 6;

/// The most parts of a [`KIND_TOGETHER`]: head, number and bytes of four values; head, length of the
/// title, title and moves of a game.
const PARTS: usize = 4 * 3 + 4;

/// What is wrong with saving. The device keeps working.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The flash was written by this unknown version of the store. It is kept as it is until
    /// [`Keeper::discard`].
    Version(u8),
    /// No page of the flash can be written any more.
    Worn,
    /// The game does not fit.
    Game,
    /// There is no flash that can be written.
    Nowhere,
    /// Too many pages were erased lately. What is to be saved will be, a few minutes later.
    Late,
    /// A part of what was saved could not be read at the last start. Saving works.
    Damaged,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => {
                write!(f, "saved by another version ({version}): kept, and nothing is saved")
            }
            Self::Worn => f.write_str("the flash is worn out: nothing is saved"),
            Self::Game => f.write_str("this game can't be saved"),
            Self::Nowhere => f.write_str("this board can't save games"),
            Self::Late => f.write_str("later, to spare the flash"),
            Self::Damaged => {
                f.write_str("yes, but the last save was damaged and a part may be lost")
            }
        }
    }
}

impl Reason for Trouble {
    fn short(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        match self {
            Self::Version(version) => write!(out, "save has version {version}"),
            Self::Worn => out.write_str("flash is worn out"),
            Self::Game => out.write_str("game can't be saved"),
            Self::Nowhere => out.write_str("board can't save"),
            Self::Late => out.write_str("saving is delayed"),
            Self::Damaged => out.write_str("save partly damaged"),
        }
    }
}

/// A copy of the saved state in RAM, from which new pages are written.
#[derive(Debug)]
struct Image {
    /// All but the statistics, by their numbers.
    values: [Vec<u8, VALUE>; Value::Statistics as usize],
    statistics: Vec<u8, STATISTICS>,
    has_game: bool,
    game: SavedGame,
}

impl Image {
    const fn new() -> Self {
        Self {
            values: [const { Vec::new() }; Value::Statistics as usize],
            statistics: Vec::new(),
            has_game: false,
            game: SavedGame::new(),
        }
    }

    fn clear(&mut self) {
        self.values.iter_mut().for_each(Vec::clear);
        self.statistics.clear();
        self.has_game = false;
    }

    fn value(&self, value: Value) -> &[u8] {
        self.values.get(value as usize).map_or(&self.statistics, Vec::as_slice)
    }

    /// The value with a number.
    fn value_mut(&mut self, number: usize) -> Option<&mut VecView<u8>> {
        match self.values.get_mut(number) {
            Some(value) => Some(value),
            None => (number == Value::Statistics as usize).then_some(&mut self.statistics),
        }
    }
}

/// A store in a NOR flash of at least two pages; with three or more it also survives bits that were
/// being written at a power cut and read differently later.
///
/// Takes 2 KB of RAM, half of it for statistics.
#[derive(Debug)]
pub struct Store<F> {
    pages: Pages<F>,
    image: Image,
    /// What has changed in the game since it was written; the inner `None` if it can't be packed.
    noted: Option<Option<Change>>,
    /// The values that have changed since they were written: a bit for each.
    noted_values: u8,
    /// Whether the clocks have changed since they were written.
    clock_noted: bool,
    trouble: Option<Trouble>,
    /// Whether a part of what was saved could not be read.
    damaged: bool,
    limit: Limit,
}

impl<F: NorFlash> Store<F> {
    /// An empty store, to be [opened](Self::open).
    pub const fn new(flash: F) -> Self {
        Self {
            pages: Pages::new(flash),
            image: Image::new(),
            noted: None,
            noted_values: 0,
            clock_noted: false,
            trouble: None,
            damaged: false,
            limit: Limit::new(),
        }
    }

    /// Reads what was saved, and writes it to a fresh page before returning it: what was read
    /// once can then be read again.
    /// Foreign data is ignored, and overwritten when its space is needed.
    pub async fn open(&mut self) {
        self.image.clear();
        let newest = self.pages.newest(None).await;
        // New pages go behind it, also if it is not used: else it would come back after them.
        let headless = self.pages.headless(BASE).await;
        if let Some(page) = newest.filter(|page| page.version != pages::VERSION) {
            self.trouble = Some(Trouble::Version(page.version));
            return;
        }
        let Some(page) = headless.or(newest) else { return };
        self.damaged = !self.load(page).await;
        if self.damaged {
            // What is missing may be on the page before, if not as new.
            self.image.clear();
            if let Some(before) = self.pages.newest(Some(page.number())).await
                && before.version == pages::VERSION
            {
                self.load(before).await;
            }
            self.load(page).await;
        }
        self.pages.settle_on(page);
        // If it fails, the game has still been read.
        let _ = self.begin_page().await;
    }

    /// Reads the records of a page over what is there. False if something is missing or invalid.
    async fn load(&mut self, page: Page) -> bool {
        let (mut walk, mut whole, mut gap) = (page.walk(), true, false);
        while let Some(found) = self.pages.next(&mut walk).await {
            whole &= !walk.skipped;
            gap |= walk.skipped;
            if found.kind != KIND_TOGETHER {
                whole &= self.apply(found, &mut gap).await.is_some();
                continue;
            }
            let mut at = 0;
            while let Some((part, next)) = self.pages.part(found, at).await {
                whole &= self.apply(part, &mut gap).await.is_some();
                at = next;
            }
        }
        whole && walk.is_complete()
    }

    /// Applies a record; `None` if it is invalid. After a gap there may be moves missing, and the
    /// next ones would belong to another position: they are left out until a game begins.
    async fn apply(&mut self, found: Found, gap: &mut bool) -> Option<()> {
        match found.kind {
            KIND_GAME | KIND_NO_GAME => *gap = false,
            KIND_MOVES | KIND_CLOCK if *gap => return None,
            _ => {}
        }
        let mut first = [0];
        if matches!(found.kind, KIND_VALUE | KIND_GAME | KIND_MOVES)
            && !self.pages.read(found, 0, &mut first).await
        {
            return None;
        }
        let game = &mut self.image.game;
        let (at, bytes) = match found.kind {
            KIND_VALUE => {
                let Some(value) = self.image.value_mut(first[0].into()) else { return Some(()) };
                value.clear();
                value.resize(found.length - 1, 0).ok()?;
                (1, value.as_mut_slice())
            }
            KIND_GAME => {
                self.image.has_game = false;
                let mut title = Vec::<u8, TITLE>::new();
                title.resize(first[0].into(), 0).ok()?;
                self.pages.read(found, 1, &mut title).await.then_some(())?;
                game.set_title(&title)?;
                self.image.has_game = true;
                let at = 1 + title.len();
                (at, game.moves_mut(0, found.length - at)?)
            }
            KIND_MOVES if self.image.has_game => (1, game.moves_mut(first[0], found.length - 1)?),
            KIND_CLOCK if self.image.has_game => (0, game.clock_mut(found.length)?),
            KIND_NO_GAME => {
                self.image.has_game = false;
                return Some(());
            }
            _ => return Some(()),
        };
        self.pages.read(found, at, bytes).await.then_some(())
    }

    /// Writes everything to a fresh page; later, if too many were erased lately.
    async fn begin_page(&mut self) -> Result<(), Trouble> {
        // A fresh page has everything.
        (self.clock_noted, self.noted_values) = (false, 0);
        if !self.limit.allows(Instant::now()) {
            // Until then nothing must follow what is missing.
            self.pages.close();
            self.trouble = Some(Trouble::Late);
            return Err(Trouble::Late);
        }
        let image = &self.image;
        let title = image.game.title().ok_or(Trouble::Game)?;
        let (_, moves) = image.game.moves_from(0);
        let length = [title.len() as u8];
        let ([settings, tallies, comforts], statistics) = (&image.values, &image.statistics);
        let clock: &[u8] = if image.has_game { image.game.clock() } else { &[] };
        let records: [(u8, &[&[u8]]); BASE] = [
            (KIND_VALUE, &[&[0], settings]),
            (KIND_VALUE, &[&[1], tallies]),
            (KIND_VALUE, &[&[2], comforts]),
            (KIND_VALUE, &[&[3], statistics]),
            if image.has_game {
                (KIND_GAME, &[&length, &title, moves])
            } else {
                (KIND_NO_GAME, &[])
            },
            (KIND_CLOCK, &[clock]),
        ];
        let count = records.len() - usize::from(clock.is_empty());
        let begun = self.pages.begin(&records[..count]).await;
        self.settle(begun)
    }

    /// Notes whether something could be written.
    fn settle(&mut self, written: Result<(), WriteFailed>) -> Result<(), Trouble> {
        self.trouble = written.err().map(|WriteFailed| Trouble::Worn);
        self.trouble.map_or(Ok(()), Err)
    }

    /// An error while another version's save is to be kept. A worn flash is tried again after the
    /// next start, not at every move.
    fn writable(&self) -> Result<(), Trouble> {
        match self.trouble {
            Some(trouble @ (Trouble::Version(_) | Trouble::Worn)) => Err(trouble),
            _ => Ok(()),
        }
    }

    /// The game that was in progress, if there is one.
    pub fn game(&self) -> Option<&SavedGame> {
        self.image.has_game.then_some(&self.image.game)
    }

    /// A value as saved last; empty if it never was.
    pub fn value(&self, value: Value) -> &[u8] {
        self.image.value(value)
    }

    /// Saves the state of a game without clocks, and who plays it: to be called after every change, including the
    /// start of the game. Does nothing if it is unchanged.
    pub async fn keep_game(
        &mut self,
        game: &Match,
        seats: &[Seat; MAX_PLAYERS],
    ) -> Result<(), Trouble> {
        self.note(game, seats, false, &[]);
        self.write_game().await
    }

    /// Records the state of a game, without writing.
    fn note(&mut self, game: &Match, seats: &[Seat; MAX_PLAYERS], counted: bool, clock: &[u8]) {
        if self.writable().is_ok() {
            self.noted = Some(self.image.game.update(game, seats, counted));
            self.clock_noted |= self.image.game.update_clock(clock);
        }
    }

    /// Writes what was recorded.
    async fn write_game(&mut self) -> Result<(), Trouble> {
        self.writable()?;
        let Some(noted) = self.noted.take() else { return Ok(()) };
        let Some(change) = noted else {
            // What is left in RAM is not the game: better none than a wrong one.
            self.image.has_game = false;
            self.begin_page().await?;
            self.trouble = Some(Trouble::Game);
            return Err(Trouble::Game);
        };
        let results = self.noted_values >> Value::Statistics as u8 & 1 != 0;
        match change {
            // A game that is begun again has times of its own, and a result comes with the game after
            // it: both are written at once.
            Change::Moves(from)
                if self.image.has_game && !results && (from > 0 || !self.clock_noted) =>
            {
                let (ply, moves) = self.image.game.moves_from(from);
                let written = self.pages.append(KIND_MOVES, &[&[ply], moves]).await;
                if written.is_ok() && self.write_clock().await {
                    return self.settle(Ok(()));
                }
            }
            Change::None if self.image.has_game && !(results && self.clock_noted) => {
                if self.write_clock().await {
                    return Ok(());
                }
            }
            Change::Counted if self.image.has_game && results => {
                if self.write_together(KIND_GAME).await {
                    return self.settle(Ok(()));
                }
            }
            _ => {
                self.image.has_game = true;
                // Older versions skip records that are written together: this one is not to be.
                if !results && self.write_whole_game().await {
                    return self.settle(Ok(()));
                }
            }
        }
        self.begin_page().await
    }

    /// Writes the game and its clocks in one record. False if there is no room.
    async fn write_whole_game(&mut self) -> bool {
        let Some(title) = self.image.game.title_and_clock() else { return false };
        let (_, moves) = self.image.game.moves_from(0);
        let written = self.pages.append(KIND_GAME, &[&[title.len() as u8], &title, moves]).await;
        self.clock_noted &= written.is_err();
        written.is_ok()
    }

    /// Writes the end of the game and the values that have changed with it, its result among them, so
    /// that a power cut leaves both or neither. False if there is no room.
    async fn write_together(&mut self, end: u8) -> bool {
        let Some(title) = self.image.game.title_and_clock() else { return false };
        let title: &[u8] = &title;
        let (_, moves) = self.image.game.moves_from(0);
        let length = [title.len() as u8];
        let game: &[&[u8]] = if end == KIND_GAME { &[&length, title, moves] } else { &[] };
        let noted = |value: &Value| self.noted_values >> *value as u8 & 1 != 0;
        let values = Value::ALL.map(|value| [value as u8]);
        let heads = Value::ALL.map(|value| head_of(KIND_VALUE, 1 + self.image.value(value).len()));
        let head = head_of(end, game.iter().map(|part| part.len()).sum());
        let changed =
            Value::ALL.iter().zip(&heads).zip(&values).filter(|((value, _), _)| noted(value));
        let changed = changed
            .flat_map(|((value, head), number)| [&head[..], number, self.image.value(*value)]);
        let ending = core::iter::once(&head[..]).chain(game.iter().copied());
        let mut parts = Vec::<&[u8], PARTS>::new();
        let fits = changed.chain(ending).all(|part| parts.push(part).is_ok());
        let written = fits && self.pages.append(KIND_TOGETHER, &parts).await.is_ok();
        if written {
            (self.clock_noted, self.noted_values) = (false, 0);
        }
        written
    }

    /// Writes the clocks if they have changed, after the move that they belong to: a power cut in
    /// between gives the time for that move back. False if there is no room.
    async fn write_clock(&mut self) -> bool {
        let changed = core::mem::take(&mut self.clock_noted);
        !changed || self.pages.append(KIND_CLOCK, &[self.image.game.clock()]).await.is_ok()
    }

    /// Deletes the saved game.
    pub async fn forget_game(&mut self) -> Result<(), Trouble> {
        self.writable()?;
        if !core::mem::take(&mut self.image.has_game) {
            return Ok(());
        }
        // A result that has come of it is written at once with it.
        let written = if self.noted_values == 0 {
            self.pages.append(KIND_NO_GAME, &[]).await.is_ok()
        } else {
            self.write_together(KIND_NO_GAME).await
        };
        if written { self.settle(Ok(())) } else { self.begin_page().await }
    }

    /// Saves a value of at most [`VALUE`] or [`STATISTICS`] bytes. Does nothing if it is unchanged.
    pub async fn keep_value(&mut self, value: Value, bytes: &[u8]) -> Result<(), Trouble> {
        self.note_value(value, bytes);
        self.write_values().await
    }

    /// Records a value, without writing.
    fn note_value(&mut self, value: Value, bytes: &[u8]) {
        let writable = self.writable().is_ok();
        let Some(kept) = self.image.value_mut(value as usize) else { return };
        let bytes = &bytes[..bytes.len().min(kept.capacity())];
        if writable && kept.as_slice() != bytes {
            kept.clear();
            // It fits.
            let _ = kept.extend_from_slice(bytes);
            self.noted_values |= 1 << value as u8;
        }
    }

    /// Writes what was recorded.
    async fn write_values(&mut self) -> Result<(), Trouble> {
        self.writable()?;
        let noted = core::mem::take(&mut self.noted_values);
        for value in Value::ALL.into_iter().filter(|value| noted >> *value as u8 & 1 != 0) {
            let record: [&[u8]; 2] = [&[value as u8], self.image.value(value)];
            if self.pages.append(KIND_VALUE, &record).await.is_err() {
                // A fresh page has them all.
                return self.begin_page().await;
            }
            self.settle(Ok(()))?;
        }
        Ok(())
    }
}

/// Calls block until the flash is done: a record takes about a millisecond, and when the page is full
/// the time that the board needs to erase one.
impl<F: NorFlash> Keeper for Store<F> {
    fn restore(&mut self, table: &mut Table) {
        values::settings_from_bytes(self.value(Value::Settings), &mut table.settings);
        values::comforts_from_bytes(self.value(Value::Comforts), &mut table.settings);
        match self.value(Value::Statistics) {
            [] => values::tallies_from_bytes(self.value(Value::Tallies), &mut table.statistics),
            bytes => values::statistics_from_bytes(bytes, &mut table.statistics),
        }
        let Some(saved) = self.game() else { return };
        let mut invalid = false;
        table.restore(*saved.seats(), saved.is_counted(), |game| {
            invalid = saved.replay(game).is_err();
        });
        table.restore_clock(saved.clock());
        self.damaged |= invalid;
    }

    fn note_game(&mut self, table: &Table) {
        let people = table.game().setup().people();
        let clock = table.clock().to_bytes(people, Instant::now());
        self.note(table.game(), table.seats(), table.is_counted(), &clock);
    }

    fn save_game(&mut self) {
        report(block_on(self.write_game()));
    }

    fn drop_game(&mut self) {
        report(block_on(self.forget_game()));
    }

    fn note_settings(&mut self, settings: &Settings, statistics: &Statistics) {
        if let Some(bytes) = values::settings_to_bytes(settings) {
            self.note_value(Value::Settings, &bytes);
        }
        self.note_value(Value::Comforts, &values::comforts_to_bytes(settings));
        if let Some(bytes) = values::statistics_to_bytes(statistics) {
            self.note_value(Value::Statistics, &bytes);
            // They have become a part of the statistics, and are not to come back when these are
            // erased.
            self.note_value(Value::Tallies, &[]);
        }
    }

    fn save_settings(&mut self) {
        report(block_on(self.write_values()));
    }

    fn save_late(&mut self) -> bool {
        let due = self.trouble == Some(Trouble::Late) && self.limit.is_open(Instant::now());
        if due {
            report(block_on(self.begin_page()));
        }
        due
    }

    fn trouble(&self) -> Option<Trouble> {
        self.trouble.or(self.damaged.then_some(Trouble::Damaged))
    }

    fn discard(&mut self) {
        self.trouble = None;
        self.image.clear();
        self.pages.forget();
    }
}

fn report(kept: Result<(), Trouble>) {
    if kept.is_err() {
        log::warn!("not saved");
    }
}
