//! The device's application on the host, one step at a time: what a person does with its keys, and
//! what the display then shows.
use crate::screen::Screen;
use anyhow::{Context, Result, ensure};
// It provides the application's clock.
use corvid as _;
use corvid_core::{
    game::Game,
    games::blokus::{Move, Orientation, Placement},
    registry::AnyPosition,
    square::Square,
};
use corvid_firmware::{
    app::Device,
    brain::Brain,
    console::Board,
    frame::Frame,
    keys::Press,
    processor::{Processor, Speed},
    profile::{LM3S6965EVB, PICO, PICO2, Profile},
    serial,
    table::Table,
    ui::{self, Hand, Ui},
};
use embassy_futures::block_on;
use embassy_futures::poll_once;
use std::{
    cell::{Cell, RefCell},
    convert::Infallible,
};

thread_local! {
    static MICROS: Cell<u64> = const { Cell::new(0) };
    static IDLE: Cell<bool> = const { Cell::new(false) };
    static DEVICE: Cell<Option<&'static Device>> = const { Cell::new(None) };
    static HEARD: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Takes what the device sends to its serial port.
fn drain(device: &Device) {
    // It sends everything available and then waits.
    let _ = poll_once(serial::send(device, &mut Ear));
}

/// The other end of the serial port.
struct Ear;

impl embedded_io_async::ErrorType for Ear {
    type Error = Infallible;
}

impl embedded_io_async::Write for Ear {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        HEARD.with(|heard| heard.borrow_mut().push_str(&String::from_utf8_lossy(bytes)));
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A private clock that advances a little with every poll, so that a run is deterministic.
fn micros() -> u64 {
    MICROS.with(|micros| {
        micros.set(micros.get() + 10_000);
        micros.get()
    })
}

/// The seed of the device's random choices.
pub const SEED: u64 = 1;

/// A device whose tasks run on demand. It plays as a board does, move for move.
#[derive(Debug)]
pub struct Desk {
    device: &'static Device,
    ui: Ui,
    frame: Frame,
    brain: Brain<()>,
}

impl Desk {
    /// The smallest board, just switched on, with [`SEED`].
    pub fn new() -> Self {
        Self::of(&LM3S6965EVB)
    }

    /// A board with this profile, just switched on, with [`SEED`].
    pub fn of(profile: &Profile) -> Self {
        let mut desk = Self::with(profile, 0);
        desk.brain.seed(SEED);
        desk
    }

    /// The smallest board without a seed, whose clock shows this time, in microseconds.
    pub fn unseeded(time: u64) -> Self {
        Self::with(&LM3S6965EVB, time)
    }

    fn with(profile: &Profile, time: u64) -> Self {
        MICROS.with(|micros| micros.set(time));
        let brain = Brain::new(Board::NONE, micros, vec![0; profile.slots()].leak(), ());
        let device: &'static Device = Box::leak(Box::new(Device::new(profile.comforts)));
        // The Picos have a piezo, which their sound task would tell the table.
        let mut table = block_on(device.table());
        table.has_buzzer = [PICO.name, PICO2.name].contains(&profile.name);
        table.processor = Processor::of(profile, Speed::Full);
        drop(table);
        DEVICE.with(|cell| cell.set(Some(device)));
        HEARD.with(|heard| heard.borrow_mut().clear());
        Self { device, ui: Ui::new(), frame: Frame::DARK, brain }
    }

    /// Handles key presses one after the other, without letting the device think.
    pub fn press(&mut self, presses: &[Press]) {
        for press in presses {
            let mut table = block_on(self.device.table());
            self.ui.press(*press, self.device, &mut table);
        }
    }

    /// Lets the device think until it waits for input. A computer's move is not held back.
    pub fn settle(&mut self) {
        loop {
            self.think();
            if !block_on(self.device.table()).play_ready(true) {
                return;
            }
            self.device.announce();
        }
    }

    /// The same, with a computer's move held back until it is time.
    pub fn think(&mut self) {
        let mut idle = 0;
        // It also idles when the serial port has to catch up, but not twice in a row.
        while idle < 2 {
            IDLE.with(|idle| idle.set(false));
            self.brain.step(self.device, || {
                IDLE.with(|idle| idle.set(true));
                DEVICE.with(Cell::get).into_iter().for_each(drain);
            });
            idle = if IDLE.with(Cell::get) { idle + 1 } else { 0 };
        }
    }

    /// What the display shows.
    pub fn screen(&mut self) -> Screen {
        let mut table = block_on(self.device.table());
        self.ui.draw(&mut self.frame, self.device.busy(), &mut table);
        Screen::from_fn(|x, y| self.frame.is_lit(x, y))
    }

    /// Which screen that is.
    pub fn place(&mut self) -> ui::Screen {
        self.screen();
        self.ui.screen()
    }

    /// Sends text to the serial port.
    pub fn send(&self, text: &str) {
        // It reads the bytes and then waits for more.
        let _ = poll_once(serial::receive(self.device, &mut text.as_bytes()));
    }

    /// What the serial port has sent since the last call.
    pub fn received(&self) -> String {
        drain(self.device);
        HEARD.with(|heard| std::mem::take(&mut *heard.borrow_mut()))
    }

    /// The cursor, and the piece in it.
    pub const fn hand(&self) -> Hand {
        self.ui.hand()
    }

    /// The selected row of a list.
    pub const fn chosen(&self) -> usize {
        self.ui.chosen()
    }

    /// Reads the table.
    pub fn look<R>(&self, look: impl FnOnce(&Table) -> R) -> R {
        look(&block_on(self.device.table()))
    }

    /// The moves of the game so far.
    pub fn moves(&self) -> String {
        self.look(|table| {
            let mut text = String::new();
            let written = table.game().write_moves(Default::default(), ' ', &mut text);
            written.expect("a string takes any text");
            text
        })
    }

    /// Presses the keys that play a move from the current cursor, and returns them.
    pub fn play(&mut self, text: &str) -> Result<Vec<Press>> {
        let mut keys = Vec::new();
        ensure!(self.place() == ui::Screen::Board, "not on the board but {:?}", self.ui.screen());
        let target = self.look(|table| -> Result<Target> {
            let game = table.game();
            let mv = game.now().parse_move(text).map_err(|why| anyhow::anyhow!("{why}"))?;
            Ok(match game.position() {
                AnyPosition::Dots(game) => {
                    let (a, b) = game.size().dots(game.decode(mv).context("no such line")?);
                    Target::Place((a.1 + b.1, a.0 + b.0))
                }
                AnyPosition::BlokusDuo(game) => placement(game.decode(mv))?,
                AnyPosition::BlokusClassic(game) => placement(game.decode(mv))?,
                _ => {
                    let square = Square::parse(text).context("not a square")?.index();
                    Target::Place((square % 8, square / 8))
                }
            })
        })?;
        match target {
            Target::Place(place) => self.go_to(place, &mut keys)?,
            Target::Piece(placement) => {
                let piece = placement.orientation.piece().index();
                self.key(Press::Select, &mut keys);
                while self.ui.chosen() != piece {
                    self.key(Press::Right, &mut keys);
                }
                self.key(Press::Select, &mut keys);
                self.key(Press::Select, &mut keys);
                for turn in 0.. {
                    let held =
                        self.ui.hand().piece.and_then(|piece| Orientation::new(piece.into()));
                    if held == Some(placement.orientation) {
                        break;
                    }
                    ensure!(turn < 9, "no way to turn the piece for {text}");
                    self.key(if turn == 4 { Press::Right } else { Press::Left }, &mut keys);
                }
                self.key(Press::Down, &mut keys);
                self.go_to((placement.x, placement.y), &mut keys)?;
                self.key(Press::Select, &mut keys);
            }
        }
        self.key(Press::Select, &mut keys);
        Ok(keys)
    }

    fn key(&mut self, press: Press, keys: &mut Vec<Press>) {
        self.press(&[press]);
        keys.push(press);
    }

    /// Moves the cursor: rows first, because in Dots and Boxes they change the column too.
    fn go_to(&mut self, (x, y): (u8, u8), keys: &mut Vec<Press>) -> Result<()> {
        for _ in 0..100 {
            let (column, row) = self.ui.hand().cursor;
            let press = match (row.cmp(&y), column.cmp(&x)) {
                (std::cmp::Ordering::Less, _) => Press::Down,
                (std::cmp::Ordering::Greater, _) => Press::Up,
                (_, std::cmp::Ordering::Less) => Press::Right,
                (_, std::cmp::Ordering::Greater) => Press::Left,
                _ => return Ok(()),
            };
            self.key(press, keys);
        }
        Err(anyhow::anyhow!("the cursor does not get to {x},{y}"))
    }
}

impl Default for Desk {
    fn default() -> Self {
        Self::new()
    }
}

/// What to point at.
enum Target {
    /// A position of the cursor.
    Place((u8, u8)),
    /// A piece there.
    Piece(Placement),
}

fn placement(mv: Option<Move>) -> Result<Target> {
    match mv {
        Some(Move::Place(placement)) => Ok(Target::Piece(placement)),
        _ => Err(anyhow::anyhow!("a pass needs no keys")),
    }
}
