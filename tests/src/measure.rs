//! Start-up time, latency, display traffic and stack of the emulated boards. The test `limits` holds
//! them to the bounds here, and `cargo xtask measure device` prints both.
use crate::{
    board::{Board, Key},
    qemu::Lm3s6965evb,
    rp2040::Pico,
    scenario::play_screens,
    screen::Screen,
    twin::Twin,
};
use anyhow::{Context, Result, ensure};
use corvid_core::registry::GameKind;
use corvid_firmware::keys::Press::{self, Down, Left, Menu, Right, Select, Up};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The most time from power-on to the menu.
pub const START: Duration = Duration::from_millis(100);

/// The same where QEMU's time goes on while its screen is read, with other tests beside it.
/// `cargo xtask measure device`, alone on the machine, holds that board to [`START`] too.
pub const START_BESIDE_OTHERS: Duration = Duration::from_secs(1);

/// The most time from a key press to its effect on the display while level 9 thinks.
pub const ANSWERED: Duration = Duration::from_millis(50);

/// The most time on the display's bus, at 400 kHz, for a key that moves something on a screen.
pub const MOVING: Duration = Duration::from_millis(20);

/// The same for a key that opens another screen: what a whole picture takes. Each of its eight pages
/// is 128 bytes and 7 to address them, of nine clocks each, in two transfers with a clock at either
/// end. An SH1106 can be addressed no other way.
pub const OPENING: Duration = Duration::from_micros(8 * (135 * 9 + 4) * 10 / 4);

/// The least stack that must stay free, in bytes.
pub const SPARE: u64 = 1024;

/// Longer than the answer to any command takes.
const ANSWER: Duration = Duration::from_secs(60);

/// Longer than anything else here takes.
const PATIENCE: Duration = Duration::from_secs(2);

const STEP: Duration = Duration::from_millis(1);

/// Long enough to draw any screen.
const DRAWN: Duration = Duration::from_millis(60);

/// A board second is 62.5 million instructions, so a millisecond of its clock is this many.
pub const INSTRUCTIONS_PER_MS: u64 = 62_500;

/// The board's clock in milliseconds, by the command `cputime`.
pub fn cputime(board: &mut impl Board) -> Result<u64> {
    let answer = board.ask("cputime", ANSWER)?;
    let seconds = answer.strip_prefix("= ").and_then(|seconds| seconds.trim().parse::<f64>().ok());
    Ok((seconds.context(answer)? * 1000.0).round() as u64)
}

/// The processor time of this thread so far. Unlike wall-clock time it hardly depends on the
/// machine's load.
pub fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// The board's time from power-on until the menu is displayed, with a key pressed as soon as the
/// start screen is there.
pub fn start_to_menu(board: &mut impl Board) -> Result<Duration> {
    let (start, menu) = (Screen::manual("start")?, Screen::manual("menu")?);
    until(board, |screen| *screen == start)?;
    board.press(Key::Up)?;
    until(board, |screen| *screen == menu)?;
    let time = board.time()?;
    board.release(Key::Up)?;
    Ok(time)
}

/// The same on new boards, the least of five: QEMU's time goes on while its screen is read, so a busy
/// machine adds to it and nothing takes away from it.
pub fn least_start_to_menu<B: Board>(start: fn() -> Result<B>) -> Result<Duration> {
    let times = (0..5).map(|_| start_to_menu(&mut start()?));
    times.collect::<Result<Vec<_>>>()?.into_iter().min().context("no start")
}

/// The time until the screen satisfies a condition.
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
    twin.press(&[Select, Down, Down, Select])?;
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

/// The longest time from a key press to its effect on the display while level 9 thinks. Exact on the
/// Pico, whose time stands still between two steps.
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

/// The most stack that a game of level 9 takes on the smallest board while menus are opened, and the
/// stack that there is, in bytes.
pub fn stack(kind: GameKind) -> Result<(u64, u64)> {
    let mut board = Lm3s6965evb::start()?;
    watch(&mut Twin::new(&mut board)?, kind)?;
    for _ in 0..2 {
        open_and_close_menu(&mut board)?;
        board.run_for(Duration::from_millis(500))?;
    }
    if kind == GameKind::Dots {
        // A larger board near its end, where the search goes deep.
        for command in ["new dots 6x6", "position d68e0bd34ac46ac77ea16", "level 9"] {
            board.ask(command, ANSWER)?;
        }
        board.send(b"reg_genmove b\n")?;
        open_and_close_menu(&mut board)?;
        board.receive_until("\n\n", ANSWER)?;
        deepest_dots(&mut board)?;
    }
    board.stack()
}

/// Twice what the search of the largest board needs to its maximum depth.
const LONG_ANSWER: Duration = Duration::from_secs(600);

/// Makes the search go to its maximum depth on a large board of Dots and Boxes.
fn deepest_dots(board: &mut Lm3s6965evb) -> Result<()> {
    let position = "position 7d5fff55eabd56aa901202404fa9e0fffff807ff805febf4fcffde0";
    let time = "time_settings 18000 0 0";
    for command in ["new dots 10x10", position, "level 9", time, "progress on"] {
        board.ask(command, ANSWER)?;
    }
    board.send(b"reg_genmove b\n")?;
    board.receive_until("# depth 20 ", LONG_ANSWER)?;
    open_and_close_menu(board)?;
    let rest = board.receive_until("\n\n", LONG_ANSWER)?;
    ensure!(rest.contains("# depth 24 ") && rest.contains("\n= "), "not deep enough: {rest}");
    Ok(())
}

/// Draws the screens that take the most stack during the search.
fn open_and_close_menu(board: &mut impl Board) -> Result<()> {
    board.hold_select()?;
    for key in [Key::Down, Key::Down, Key::Up] {
        board.tap(key)?;
    }
    board.run_for(Duration::from_millis(500))?;
    board.hold_select()
}

/// Time that keys take on the display's bus.
#[derive(Debug, Clone, Copy)]
pub struct Bus {
    /// Keys that changed the picture.
    pub keys: usize,
    /// The median.
    pub typical: Duration,
    /// The maximum.
    pub worst: Duration,
}

impl Bus {
    fn of(mut times: Vec<Duration>) -> Result<Self> {
        times.sort();
        let worst = *times.last().context("no key changed anything")?;
        Ok(Self { keys: times.len(), typical: times[times.len() / 2], worst })
    }
}

/// The bus time of every key on the way to all screens. Compares the screens too.
pub fn bus_of_all() -> Result<Bus> {
    let mut board = Pico::start()?;
    play_screens(&mut board)?;
    Bus::of(board.reactions()?)
}

/// Keys that lead from one screen to the next, and keys that move something there: a selection, a
/// value, a text by a line, a cursor, a piece.
const MOVES: [(&[Press], &[Press]); 9] = [
    // The menu, the rules, the settings, about this.
    (&[Up], &[Down, Down, Down, Down, Down, Down, Down]),
    (&[Down, Select], &[Down, Down, Down, Up]),
    (&[Menu, Down, Down, Down, Down, Select], &[Right, Down, Right, Down, Right, Left]),
    (&[Menu, Down, Select], &[Down, Down, Up]),
    // A new game; the menu of the game; the board.
    (
        &[Menu, Down, Select],
        &[Down, Right, Left, Down, Right, Down, Up, Up, Up, Right, Right, Left],
    ),
    (&[Left, Up, Select, Menu], &[Down, Right, Down, Down, Down, Down, Down, Down, Up]),
    (&[Menu], &[Left, Up, Up, Right, Down]),
    // Pieces to choose from; one at the cursor, moved and turned.
    (
        &[Menu, Up, Select, Up, Select, Right, Right, Right, Up, Select, Select],
        &[Right, Down, Left, Up],
    ),
    (&[Select], &[Down, Right, Left, Up, Select, Left, Left, Right, Left]),
];

/// The bus time of keys that move something on a screen.
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
