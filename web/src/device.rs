//! The simulated device in its worker, in real time.
//!
//! `start` builds it, the raw export `device_run` lets it run for a moment, and what happens on it
//! (its display, serial port, piezo and flash) goes to the listener that `start` was given. `device_run`
//! is a raw export because the worker suspends it in the middle of a search to hear of keys, serial
//! input and the switch: only functions that touch nothing but `Hands` may be called then.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use corvid::clock;
use corvid::flash::Flash;
use corvid::machine::{Board, Machine, Next, Plan, Running, World};
use corvid::parts::Parts;
use corvid::reading;
use corvid_core::registry::GameKind;
use corvid_firmware::frame::Frame;
use corvid_firmware::keys::Key;
use js_sys::{Float64Array, Function, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::pause;
use crate::strokes::Strokes;
use crate::time::micros;

/// The boards that can be simulated.
const BOARDS: [Board; 2] = [Board::Pico, Board::Lm3s6965evb];

/// How often the device is served, in microseconds of its time.
const SLICE_MICROS: u64 = 5_000;

/// How far the device may get ahead of real time before a search is suspended, in microseconds: more
/// than a step without a search takes.
const AHEAD_MICROS: i64 = 10_000;

/// How long a search runs between two pauses, in microseconds.
const YIELD_MICROS: u64 = 30_000;

/// A difference of the clocks that is neither caught up with nor waited for, in microseconds: the tab
/// was asleep, the computer is slower than the board, or a search could not be suspended.
const GAP_MICROS: i64 = 100_000;

thread_local! {
    static MACHINE: RefCell<Option<Running<Room>>> = const { RefCell::new(None) };
    static HANDS: RefCell<Option<Rc<Hands>>> = const { RefCell::new(None) };
}

/// What the page does to the device.
struct Hands {
    parts: Parts,
    strokes: RefCell<Strokes>,
    switch: Cell<Option<Switch>>,
    /// Real time when the device's clock was 0, or would have been.
    began: Cell<i64>,
    /// When the worker last heard its messages, in real time.
    yielded: Cell<u64>,
}

#[derive(Debug, Clone, Copy)]
enum Switch {
    Off,
    /// Off and on.
    Cut,
}

impl Hands {
    /// How far the device's clock is ahead of real time, in microseconds. A difference for which
    /// `forgets` is true is given up: the clocks are aligned again.
    fn ahead(&self, forgets: impl Fn(i64) -> bool) -> i64 {
        let real = micros() as i64;
        let ahead = self.began.get() + clock::micros() as i64 - real;
        if !forgets(ahead) {
            return ahead;
        }
        self.began.set(real - clock::micros() as i64);
        0
    }
}

fn hands<T>(act: impl FnOnce(&Hands) -> T) -> Option<T> {
    let hands = HANDS.with_borrow(Clone::clone)?;
    Some(act(&hands))
}

/// The world of the device: it passes on what the device does, and keeps it in step with real time.
struct Room {
    hands: Rc<Hands>,
    listener: Function,
    flash: Flash,
    /// What the listener knows.
    frame: Frame,
    brightness: u8,
    saved: u64,
}

impl Room {
    fn tell(&self, what: &str, value: &JsValue, more: &JsValue) {
        // A worker that fails to pass it on does not stop the device.
        let _ = self.listener.call3(&JsValue::NULL, &what.into(), value, more);
    }

    fn tell_all(&mut self, parts: &Parts) {
        let (frame, brightness) = (parts.glass.frame().clone(), parts.glass.brightness());
        if frame != self.frame || brightness != self.brightness {
            let pixels = Uint8Array::from(frame.pages().as_flattened());
            (self.frame, self.brightness) = (frame, brightness);
            self.tell("frame", &pixels, &brightness.into());
        }
        let received = parts.cable.receive();
        if !received.is_empty() {
            self.tell("serial", &Uint8Array::from(&*received), &JsValue::NULL);
        }
        let tones = parts.piezo.take();
        if !tones.is_empty() {
            let flat: Vec<f64> = tones
                .iter()
                .flat_map(|tone| [tone.at as f64 / 1e6, tone.hz.unwrap_or(0).into()])
                .collect();
            self.tell("tones", &Float64Array::from(&*flat), &JsValue::NULL);
        }
        let changes = self.flash.changes();
        if changes != self.saved {
            self.saved = changes;
            self.tell("flash", &Uint8Array::from(&*self.flash.bytes()), &JsValue::NULL);
        }
    }
}

impl World for Room {
    fn moment(&mut self, now: u64, parts: &Parts) -> Next {
        self.tell_all(parts);
        let Hands { switch, yielded, .. } = &*self.hands;
        let ahead = self.hands.ahead(|ahead| ahead < -GAP_MICROS);
        if ahead > AHEAD_MICROS || micros() > yielded.get() + YIELD_MICROS {
            pause::for_millis(ahead.max(0) as f64 / 1000.0);
            yielded.set(micros());
        }
        self.hands.strokes.borrow_mut().act(now, |key, down| parts.keys.set(key, down));
        match switch.take() {
            Some(Switch::Off) => Next::Off,
            Some(Switch::Cut) => Next::Restart,
            None => Next::At(now + SLICE_MICROS),
        }
    }
}

/// Builds a device in this worker in place of the last one: a board's name, the contents of its flash
/// unless it is new, and a seed for its random choices. `listener` is called with what happens:
/// `"frame"`, the pixels (eight rows per page, a byte for each column, its lowest bit on top) and the
/// brightness, 0 to 3; `"serial"` and bytes; `"tones"`, the time in seconds and the frequency of each
/// (0 for silence); `"flash"` and its contents.
#[wasm_bindgen(js_name = deviceStart)]
pub fn start(
    board: &str,
    flash: Option<Vec<u8>>,
    seed: f64,
    listener: Function,
) -> Result<(), JsError> {
    let board = find(board)?;
    let flash = match flash {
        Some(bytes) => Flash::from_bytes(bytes)
            .ok_or_else(|| JsError::new("the saved games have the wrong size"))?,
        None => Flash::new(),
    };
    // As long as it exists no other machine can.
    MACHINE.set(None);
    let plan = Plan { seed: Some(seed as u64), flash: flash.clone(), ..Plan::new(board) };
    let machine = Machine::new(plan);
    let now = micros();
    let hands = Rc::new(Hands {
        parts: machine.parts().clone(),
        strokes: RefCell::default(),
        switch: Cell::new(None),
        began: Cell::new(now as i64),
        yielded: Cell::new(now),
    });
    HANDS.set(Some(hands.clone()));
    let (frame, brightness, saved) = (Frame::DARK, u8::MAX, flash.changes());
    let room = Room { hands, listener, flash, frame, brightness, saved };
    MACHINE.set(Some(machine.start(room)));
    Ok(())
}

/// Lets the device run until it has caught up with real time, or for a moment. The worker may suspend
/// it. Returns how many milliseconds the device is ahead, or -1 when it is off.
#[unsafe(no_mangle)]
pub extern "C" fn device_run() -> f64 {
    let Some(mut machine) = MACHINE.take() else { return -1.0 };
    let begun = micros();
    hands(|hands| hands.yielded.set(begun));
    while machine.step() {
        let ahead = hands(|hands| hands.ahead(|ahead| ahead.abs() > GAP_MICROS)).unwrap_or(0);
        if ahead >= 0 || micros() > begun + YIELD_MICROS {
            MACHINE.set(Some(machine));
            return ahead.max(0) as f64 / 1000.0;
        }
    }
    let mut room = machine.into_world();
    hands(|hands| room.tell_all(&hands.parts));
    -1.0
}

/// Presses a key (up, down, left, right, select) or releases it.
#[wasm_bindgen(js_name = deviceKey)]
pub fn key(index: usize, down: bool) {
    if let Some(&key) = Key::ALL.get(index) {
        hands(|hands| hands.strokes.borrow_mut().push(key, down));
    }
}

/// Presses a key as long as it takes for its other meaning.
#[wasm_bindgen(js_name = deviceHold)]
pub fn hold(index: usize) {
    if let Some(&key) = Key::ALL.get(index) {
        hands(|hands| hands.strokes.borrow_mut().hold(key));
    }
}

/// Sends bytes to the serial port.
#[wasm_bindgen(js_name = deviceSend)]
pub fn send(bytes: &[u8]) {
    hands(|hands| hands.parts.cable.send(bytes));
}

/// Switches the device off.
#[wasm_bindgen(js_name = deviceOff)]
pub fn switch_off() {
    hands(|hands| hands.switch.set(Some(Switch::Off)));
}

/// Takes the power away at this instant, and gives it back.
#[wasm_bindgen(js_name = deviceCut)]
pub fn cut() {
    hands(|hands| hands.switch.set(Some(Switch::Cut)));
}

/// The text on the display, a line each; what is selected has a `>` before it.
#[wasm_bindgen(js_name = deviceText)]
pub fn text() -> String {
    let lines = hands(|hands| reading::lines(&hands.parts.glass.frame())).unwrap_or_default();
    let lines = lines.into_iter().map(|line| {
        let selected = line.inverted && line.y > TITLE_ROWS;
        if selected { format!("> {}", line.text) } else { line.text }
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// Titles are inverted too, and above this row.
const TITLE_ROWS: usize = 8;

/// What is told about a board that can be simulated.
#[wasm_bindgen]
#[derive(Debug)]
pub struct BoardFacts {
    board: Board,
}

fn find(name: &str) -> Result<Board, JsError> {
    let board = BOARDS.into_iter().find(|board| board.name() == name);
    board.ok_or_else(|| JsError::new(&format!("no board '{name}' can be simulated")))
}

#[wasm_bindgen]
impl BoardFacts {
    /// The names of the boards.
    pub fn names() -> Vec<String> {
        BOARDS.iter().map(|board| board.name().into()).collect()
    }

    /// The facts of the board of this name.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Self, JsError> {
        Ok(Self { board: find(name)? })
    }

    /// The full name.
    #[wasm_bindgen(getter)]
    pub fn title(&self) -> String {
        self.board.title().into()
    }

    /// The processor's clock in MHz.
    #[wasm_bindgen(getter, js_name = clockMhz)]
    pub fn clock_mhz(&self) -> u32 {
        self.board.profile().clock_mhz
    }

    /// The search memory in KB.
    #[wasm_bindgen(getter, js_name = memoryKb)]
    pub fn memory_kb(&self) -> usize {
        self.board.profile().memory_kb
    }

    /// Positions that its search looks at in a second, in a game.
    pub fn speed(&self, game: &str) -> Option<f64> {
        let percent = f64::from(self.board.profile().speed);
        let kind = GameKind::from_name(game)?;
        Some(kind.nodes_per_board_second() as f64 * percent / 100.0)
    }

    /// Whether it saves games.
    #[wasm_bindgen(getter)]
    pub fn saves(&self) -> bool {
        self.board.saves()
    }

    /// Whether it has a piezo.
    #[wasm_bindgen(getter)]
    pub fn sounds(&self) -> bool {
        self.board.sounds()
    }
}
