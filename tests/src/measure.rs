//! What the device is measured by: the tests hold these figures to their bounds, and
//! `cargo xtask measure device` prints them.
use crate::{
    board::{Board, Key},
    qemu::Lm3s6965evb,
    rp2040::Pico,
    scenario::play_screens,
    screen::Screen,
    twin::Twin,
};
use anyhow::{Context, Result, ensure};
use corvid_core::setup::GameKind;
use corvid_firmware::keys::Press::{self, Down, Left, Menu, Right, Select, Up};
use std::time::Duration;

/// From the start to the menu.
pub const START: Duration = Duration::from_secs(1);

/// How soon a key must be answered on the display while level 9 thinks.
pub const ANSWERED: Duration = Duration::from_millis(50);

/// What a key may cost on the display's bus at 400 kHz that moves something on a screen.
pub const MOVING: Duration = Duration::from_millis(20);

/// What a key may cost there that opens another screen. The 1,024 bytes of a whole picture alone
/// take 23.04 ms.
pub const OPENING: Duration = Duration::from_millis(24);

/// Bytes of stack that must stay free.
pub const SPARE: u64 = 1024;

/// More than any answer to a command takes.
const ANSWER: Duration = Duration::from_secs(60);

/// Longer than anything else here takes.
const PATIENCE: Duration = Duration::from_secs(2);

const STEP: Duration = Duration::from_millis(1);

/// Long enough to draw any screen.
const DRAWN: Duration = Duration::from_millis(60);

/// The board's time from its start until a person who presses a key at once sees the menu.
pub fn start_to_menu(board: &mut impl Board) -> Result<Duration> {
    let (start, menu) = (Screen::manual("start")?, Screen::manual("menu")?);
    until(board, |screen| *screen == start)?;
    board.press(Key::Up)?;
    until(board, |screen| *screen == menu)?;
    let time = board.time()?;
    board.release(Key::Up)?;
    Ok(time)
}

/// How long it takes until the screen is as it should be.
fn until<B: Board>(board: &mut B, is_so: impl Fn(&Screen) -> bool) -> Result<Duration> {
    let begun = board.time()?;
    while !is_so(&board.screen()?) {
        ensure!(board.time()? < begun + PATIENCE, "the screen does not come");
        board.run_for(STEP)?;
    }
    Ok(board.time()? - begun)
}

/// Starts to watch a game of level 9 against itself.
fn watch(twin: &mut Twin<'_, impl Board>, kind: GameKind) -> Result<()> {
    twin.check()?;
    twin.press(&[Select, Down, Down, Down, Select])?;
    twin.press(&vec![Right; kind as usize])?;
    for seat in 0..if kind == GameKind::BlokusClassic { 4 } else { 2 } {
        // The first seat has level 1 there, the others level 3.
        twin.press(&[Down])?;
        twin.press(&vec![Right; if seat == 0 { 8 } else { 6 }])?;
    }
    let rows = twin.desk.chosen();
    twin.press(&vec![Up; rows + 1])?;
    twin.board.tap(Key::Select)
}

/// The longest from a key's going down to its effect on the display, while level 9 thinks. Exact on
/// the Pico, whose time stands still between two steps.
pub fn latency(board: &mut impl Board) -> Result<Duration> {
    watch(&mut Twin::new(board)?, GameKind::Othello)?;
    board.hold_select()?;
    let mut worst = Duration::ZERO;
    for key in [Key::Down, Key::Down, Key::Up, Key::Down, Key::Up, Key::Up] {
        let before = board.screen()?;
        board.press(key)?;
        worst = worst.max(until(board, |screen| *screen != before)?);
        board.release(key)?;
        board.run_for(ANSWERED)?;
    }
    Ok(worst)
}

/// The bytes of stack that a game of level 9 takes on the smallest board with the menus used, and
/// those that there are.
pub fn stack(kind: GameKind) -> Result<(u64, u64)> {
    let mut board = Lm3s6965evb::start()?;
    watch(&mut Twin::new(&mut board)?, kind)?;
    for _ in 0..2 {
        open_and_close_menu(&mut board)?;
        board.run_for(Duration::from_millis(500))?;
    }
    if kind == GameKind::Dots {
        // A larger board near its end: guesses look far ahead there.
        for command in ["new dots 6x6", "position d68e0bd34ac46ac77ea16", "level 9"] {
            board.ask(command, ANSWER)?;
        }
        board.send(b"reg_genmove b\n")?;
        open_and_close_menu(&mut board)?;
        board.receive_until("\n\n", ANSWER)?;
    }
    board.stack()
}

/// Draws what takes the most while the search goes on.
fn open_and_close_menu(board: &mut impl Board) -> Result<()> {
    board.hold_select()?;
    for key in [Key::Down, Key::Down, Key::Up] {
        board.tap(key)?;
    }
    board.run_for(Duration::from_millis(500))?;
    board.hold_select()
}

/// What keys cost on the display's bus.
#[derive(Debug, Clone, Copy)]
pub struct Bus {
    /// Keys that changed the picture.
    pub keys: usize,
    /// Half of them cost less.
    pub typical: Duration,
    /// The most.
    pub worst: Duration,
}

impl Bus {
    fn of(mut times: Vec<Duration>) -> Result<Self> {
        times.sort();
        let worst = *times.last().context("no key changed anything")?;
        Ok(Self { keys: times.len(), typical: times[times.len() / 2], worst })
    }
}

/// What every key on the way to all screens costs. Compares the screens too.
pub fn bus_of_all() -> Result<Bus> {
    let mut board = Pico::start()?;
    play_screens(&mut board)?;
    Bus::of(board.reactions()?)
}

/// Ways to screens, one after the other, and keys that move something there: a choice, a value, a
/// text by a line, a cursor, a piece.
const MOVES: [(&[Press], &[Press]); 9] = [
    // The menu, the rules, the settings, about this.
    (&[Up], &[Down, Down, Down, Down, Down, Down, Down]),
    (&[Down, Down, Select], &[Down, Down, Down, Up]),
    (&[Menu, Up, Up, Select], &[Right, Down, Right, Down, Right, Left]),
    (&[Menu, Up, Select], &[Down, Down, Up]),
    // A new game; the menu of the game; the board.
    (&[Menu, Select], &[Down, Right, Left, Down, Right, Down, Up, Up, Up, Right, Right, Left]),
    (&[Left, Up, Select, Menu], &[Down, Right, Down, Down, Down, Down, Down, Down, Up]),
    (&[Menu], &[Left, Up, Up, Right, Down]),
    // Pieces to choose from; one at the cursor, moved and turned.
    (
        &[Menu, Up, Select, Select, Right, Right, Right, Up, Select, Select],
        &[Right, Down, Left, Up],
    ),
    (&[Select], &[Down, Right, Left, Up, Select, Left, Left, Right, Left]),
];

/// What keys cost that move something on a screen.
pub fn bus_of_moving() -> Result<Bus> {
    let mut board = Pico::start()?;
    board.run_for(PATIENCE)?;
    let mut times = Vec::new();
    for (way, moves) in MOVES {
        way.iter().try_for_each(|press| board.enter(*press))?;
        let before = board.reactions()?.len();
        for press in moves {
            board.run_for(DRAWN)?;
            board.enter(*press)?;
        }
        board.run_for(DRAWN)?;
        times.extend_from_slice(&board.reactions()?[before..]);
    }
    Bus::of(times)
}
