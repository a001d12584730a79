//! What the device remembers over a power cut: settings, statistics and the game in progress.
//!
//! A board makes a [`Store`] over a [`Region`] of its flash, opens it, and gives it to the
//! [`Brain`](crate::brain::Brain) as its [`Keeper`]. It is handed the game after every change, finds
//! out what is new and appends that.
//!
//! `docs/saved-games.md` tells the form, what holds after a power cut and how that is tested.
mod crc;
#[cfg(test)]
mod mock;
mod packed;
mod pages;
mod region;
mod saved;
#[cfg(test)]
mod tests;
mod values;

use crate::{
    brain::Keeper,
    log,
    settings::{Settings, Statistics},
    table::{Seat, Table},
};
use core::fmt;
use corvid_core::{game::Reason, player::MAX_PLAYERS, session::AnyMatch};
pub(crate) use crc::Crc;
use embassy_futures::block_on;
use embedded_storage_async::nor_flash::NorFlash;
use heapless::Vec;
use pages::{Found, Page, Pages, WriteFailed};
pub use region::{Failed, Region};
use saved::{Change, TITLE};
pub use saved::{Damaged, SavedGame};

/// The most bytes of a [`Value`].
pub const VALUE: usize = 128;

/// What is kept beside the game, as bytes. Whoever reads them must get along with fewer than it would
/// write today: an older version wrote them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// How the device is set.
    Settings,
    /// Results of games.
    Statistics,
}

impl Value {
    const ALL: [Self; 2] = [Self::Settings, Self::Statistics];
}

// The kinds of records. A kind that is not known is passed over.
/// A value: its number, its bytes.
const KIND_VALUE: u8 = 1;
/// A game: the length of its title, the title, its moves.
const KIND_GAME: u8 = 2;
/// The moves of the game from a number on: that number, the moves.
const KIND_MOVES: u8 = 3;
/// There is no game any more.
const KIND_NO_GAME: u8 = 4;

/// Why the store does not keep what it is given. The device plays on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The flash was written by this version of the store, which is not known. It is kept as it is
    /// until [`Keeper::discard`].
    Version(u8),
    /// No page of the flash takes anything any more.
    Worn,
    /// The game does not fit.
    Game,
    /// There is no flash that can be written.
    Nowhere,
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
        }
    }
}

/// What the flash holds, in RAM: pages are begun from it.
#[derive(Debug)]
struct Image {
    values: [Vec<u8, VALUE>; Value::ALL.len()],
    has_game: bool,
    game: SavedGame,
}

impl Image {
    const fn new() -> Self {
        Self { values: [Vec::new(), Vec::new()], has_game: false, game: SavedGame::new() }
    }

    fn clear(&mut self) {
        self.values.iter_mut().for_each(Vec::clear);
        self.has_game = false;
    }
}

/// Remembers in a NOR flash of at least two pages; with three or more, also when bits that were
/// being written at a power cut change their mind later.
///
/// Takes under 1 KB of RAM.
#[derive(Debug)]
pub struct Store<F> {
    pages: Pages<F>,
    image: Image,
    trouble: Option<Trouble>,
}

impl<F: NorFlash> Store<F> {
    /// A store that knows nothing yet: [`open`](Self::open) it.
    pub const fn new(flash: F) -> Self {
        Self { pages: Pages::new(flash), image: Image::new(), trouble: None }
    }

    /// Reads what is there, and writes it to a fresh page before anybody sees it: what was read
    /// once can be read again.
    ///
    /// Whatever is not a store's is ignored, and written over when its place is needed.
    pub async fn open(&mut self) {
        let mut bound = u32::MAX;
        while let Some(page) = self.pages.newest(bound).await {
            if page.version != pages::VERSION {
                self.image.clear();
                self.trouble = Some(Trouble::Version(page.version));
                return;
            }
            if self.load(page).await {
                self.pages.settle_on(page);
                // If it fails, the game is there all the same.
                let _ = self.begin_page().await;
                return;
            }
            bound = page.number();
        }
        self.image.clear();
    }

    /// Reads the records of a page. False if one is missing that the page is complete with.
    async fn load(&mut self, page: Page) -> bool {
        self.image.clear();
        let mut walk = page.walk();
        while let Some(found) = self.pages.next(&mut walk).await {
            // A record whose check sum is right and whose contents make no sense is passed over:
            // the rules decide what a game without it is worth.
            let _ = self.apply(found).await;
        }
        walk.is_complete()
    }

    /// Does what a record says; `None` if that makes no sense.
    async fn apply(&mut self, found: Found) -> Option<()> {
        let mut first = [0];
        if matches!(found.kind, KIND_VALUE | KIND_GAME | KIND_MOVES)
            && !self.pages.read(found, 0, &mut first).await
        {
            return None;
        }
        let game = &mut self.image.game;
        let (at, bytes) = match found.kind {
            KIND_VALUE => {
                let value = self.image.values.get_mut(usize::from(first[0]))?;
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
            KIND_NO_GAME => {
                self.image.has_game = false;
                return Some(());
            }
            _ => return Some(()),
        };
        self.pages.read(found, at, bytes).await.then_some(())
    }

    /// Writes everything to a fresh page.
    async fn begin_page(&mut self) -> Result<(), Trouble> {
        let image = &self.image;
        let title = image.game.title().ok_or(Trouble::Game)?;
        let (_, moves) = image.game.moves_from(0);
        let length = [title.len() as u8];
        let [settings, statistics] = &image.values;
        let records: [(u8, &[&[u8]]); 3] = [
            (KIND_VALUE, &[&[0], settings]),
            (KIND_VALUE, &[&[1], statistics]),
            if image.has_game {
                (KIND_GAME, &[&length, &title, moves])
            } else {
                (KIND_NO_GAME, &[])
            },
        ];
        let begun = self.pages.begin(&records).await;
        self.settle(begun)
    }

    /// Notes whether something could be written.
    fn settle(&mut self, written: Result<(), WriteFailed>) -> Result<(), Trouble> {
        self.trouble = written.err().map(|WriteFailed| Trouble::Worn);
        self.trouble.map_or(Ok(()), Err)
    }

    /// An error while another version's save is to be kept. A worn flash has had its chance: it is
    /// tried again after the next start, not at every move.
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

    /// A value as it was kept last; nothing if it never was.
    pub fn value(&self, value: Value) -> &[u8] {
        &self.image.values[value as usize]
    }

    /// Keeps how a game stands, and who plays it: to be called after every change, the start of the
    /// game included. Does nothing if it stands as before.
    pub async fn keep_game(
        &mut self,
        game: &AnyMatch,
        seats: &[Seat; MAX_PLAYERS],
    ) -> Result<(), Trouble> {
        self.writable()?;
        let Some(change) = self.image.game.update(game, seats) else {
            // What is left of it in RAM is not the game: better none than a wrong one.
            self.image.has_game = false;
            let _ = self.begin_page().await;
            return Err(Trouble::Game);
        };
        match change {
            Change::Moves(from) if self.image.has_game => {
                let (ply, moves) = self.image.game.moves_from(from);
                if self.pages.append(KIND_MOVES, &[&[ply], moves]).await.is_ok() {
                    return self.settle(Ok(()));
                }
            }
            Change::None if self.image.has_game => return Ok(()),
            _ => self.image.has_game = true,
        }
        self.begin_page().await
    }

    /// Forgets the game.
    pub async fn forget_game(&mut self) -> Result<(), Trouble> {
        self.writable()?;
        if !core::mem::take(&mut self.image.has_game) {
            return Ok(());
        }
        match self.pages.append(KIND_NO_GAME, &[]).await {
            Ok(()) => self.settle(Ok(())),
            Err(WriteFailed) => self.begin_page().await,
        }
    }

    /// Keeps a value of at most [`VALUE`] bytes. Does nothing if it is as before.
    pub async fn keep_value(&mut self, value: Value, bytes: &[u8]) -> Result<(), Trouble> {
        self.writable()?;
        let kept = &mut self.image.values[value as usize];
        let bytes = &bytes[..bytes.len().min(VALUE)];
        if kept.as_slice() == bytes {
            return Ok(());
        }
        kept.clear();
        // It is no longer than the place.
        let _ = kept.extend_from_slice(bytes);
        match self.pages.append(KIND_VALUE, &[&[value as u8], bytes]).await {
            Ok(()) => self.settle(Ok(())),
            Err(WriteFailed) => self.begin_page().await,
        }
    }
}

/// Calls wait until the flash is done: a move takes about a millisecond, a new game the time that the
/// board needs to erase a page.
impl<F: NorFlash> Keeper for Store<F> {
    fn restore(&mut self, table: &mut Table) {
        values::settings_from_bytes(self.value(Value::Settings), &mut table.settings);
        values::statistics_from_bytes(self.value(Value::Statistics), &mut table.statistics);
        let Some(saved) = self.game() else { return };
        let mut game = AnyMatch::default();
        if saved.replay(&mut game).is_err() {
            log::warn!("the saved game stops making sense");
        }
        table.restore(game, *saved.seats());
    }

    fn save_game(&mut self, game: &AnyMatch, seats: &[Seat; MAX_PLAYERS]) {
        report(block_on(self.keep_game(game, seats)));
    }

    fn drop_game(&mut self) {
        report(block_on(self.forget_game()));
    }

    fn save_settings(&mut self, settings: &Settings, statistics: &Statistics) {
        if let Some(bytes) = values::settings_to_bytes(settings) {
            report(block_on(self.keep_value(Value::Settings, &bytes)));
        }
        if let Some(bytes) = values::statistics_to_bytes(statistics) {
            report(block_on(self.keep_value(Value::Statistics, &bytes)));
        }
    }

    fn trouble(&self) -> Option<Trouble> {
        self.trouble
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
