//! The engine in its worker: one thinker, one task at a time.
//!
//! `ask` or `ask_values` takes a question, the raw export `think` answers it, and `answer` or `values`
//! tells what was found. `think` is apart because the worker suspends it to hear `stop` (see
//! `pause.js`).

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};

use corvid::machine::{BOT_MICROS, look_micros};
use corvid_core::engine::{Level, Limit, Opponent, Thinking};
use corvid_core::game::Notation;
use corvid_core::mix::Rng;
use corvid_core::registry::{AnyOpponent, AnyPosition, Bot, GameKind};
use corvid_core::search::budget::Clock;
use corvid_core::session::{Match, Progress};
use corvid_core::thinker::{Answer, Question, Task, Thinker, Watch};
use corvid_core::values::MoveValue;
use corvid_firmware::profile::Profile;
use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;

use crate::catalog::parse_setup;
use crate::pause;
use crate::time::micros;

/// How long a search runs between two pauses, in microseconds: `stop` has to work in a tenth of a
/// second.
const YIELD_MICROS: u64 = 15_000;

/// An opponent may poll the clock all the time: one in so many polls reads it.
const LOOKS_PER_READING: u64 = 16;

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

/// Ends the task that is being thought about.
static STOP: AtomicBool = AtomicBool::new(false);

struct Engine {
    thinker: Thinker<'static>,
    /// The board whose time counts; without one it is this computer's.
    board: Option<Profile>,
    job: Option<Job>,
    answer: Option<String>,
    values: Array,
}

/// What the engine is asked to do.
enum Job {
    /// Find a move, and report on the way.
    Move(Task, Function),
    /// Compare the moves of a position by looking at so many positions.
    Values(AnyPosition, u64),
}

/// Makes a new engine in this worker: what the last one had in memory is gone. With a board's name it
/// has that board's memory and its time passes as on the board, so that it plays the same moves;
/// else it has this computer's time and `memory_kb`.
#[wasm_bindgen(js_name = engineStart)]
pub fn start(board: Option<String>, memory_kb: usize, seed: Option<f64>) -> Result<(), JsError> {
    let unknown = |name: &str| JsError::new(&format!("no board '{name}'"));
    let board =
        board.map(|name| Profile::named(&name).ok_or_else(|| unknown(&name))).transpose()?;
    let slots = board.map_or(memory_kb * 1024 / size_of::<u64>(), |board| board.slots());
    // The last engine's memory was lent for ever and can't be freed; the page starts a new worker for
    // a match with another memory.
    let mut thinker = Thinker::new(vec![0; slots].leak());
    match seed {
        Some(seed) => thinker.seed(seed as u64),
        None => thinker.stir(micros()),
    }
    ENGINE.set(Some(Engine { thinker, board, job: None, answer: None, values: Array::new() }));
    Ok(())
}

/// Prepares a question: which move would `who` play after these moves? `who` is `level 5`, `bot NAME`,
/// `nodes N`, `ms N` or `board-ms N`. A level may take `millis`. `report` is called with depth, score,
/// exact, nodes, percent, and the line as text.
#[wasm_bindgen(js_name = engineAsk)]
pub fn ask(
    setup: &str,
    moves: &str,
    who: &str,
    millis: f64,
    report: Function,
) -> Result<(), JsError> {
    let game = replay(setup, moves).map_err(|why| JsError::new(&why))?;
    let opponent = opponent(game.kind(), who).map_err(|why| JsError::new(&why))?;
    let micros = (millis * 1000.0) as u64;
    let question = Question::Move { opponent, micros, deadline: u64::MAX };
    let task = Task { position: game.position().clone(), question, notation: Notation::Plain };
    set_job(Job::Move(task, report))
}

/// Prepares a question: what is each move worth after these moves, by looking at so many positions?
/// The random numbers for moves are not used.
#[wasm_bindgen(js_name = engineAskValues)]
pub fn ask_values(setup: &str, moves: &str, nodes: f64) -> Result<(), JsError> {
    let game = replay(setup, moves).map_err(|why| JsError::new(&why))?;
    set_job(Job::Values(game.position().clone(), nodes as u64))
}

fn set_job(job: Job) -> Result<(), JsError> {
    ENGINE.with_borrow_mut(|engine| {
        let engine = engine.as_mut().ok_or_else(|| JsError::new("no engine was started"))?;
        (engine.job, engine.answer, engine.values) = (Some(job), None, Array::new());
        STOP.store(false, Ordering::Relaxed);
        Ok(())
    })
}

/// Ends the thinking soon; the best move so far is the answer.
#[wasm_bindgen(js_name = engineStop)]
pub fn stop() {
    STOP.store(true, Ordering::Relaxed);
}

/// The move that was found; nothing if there is none.
#[wasm_bindgen(js_name = engineAnswer)]
pub fn answer() -> Option<String> {
    ENGINE.with_borrow_mut(|engine| engine.as_mut()?.answer.take())
}

/// The values that were found, the best move first: a row `[move, lead, exact]` each, with the lead of
/// the player to move at the end in hundredths of a point.
#[wasm_bindgen(js_name = engineValues)]
pub fn values() -> Array {
    ENGINE
        .with_borrow(|engine| engine.as_ref().map(|engine| engine.values.clone()))
        .unwrap_or_default()
}

/// Thinks about the question that was asked. The worker may suspend it.
#[unsafe(no_mangle)]
pub extern "C" fn engine_think() {
    let Some(mut engine) = ENGINE.take() else { return };
    match engine.job.take() {
        Some(Job::Move(task, report)) => {
            let clock = YieldingClock::new(engine.board.map(|board| step(board, &task)));
            let watch = Watch { clock: &clock, stop: &STOP };
            let answer =
                engine.thinker.think(&task, watch, &mut |progress| tell(&report, progress));
            if let Ok(Answer::Move(mv)) = answer {
                engine.answer = Some(task.write_move(mv, "pass").as_str().into());
            }
        }
        Some(Job::Values(position, nodes)) => {
            engine.values = compare(&position, nodes, &mut engine.thinker);
        }
        None => {}
    }
    ENGINE.set(Some(engine));
}

fn compare(position: &AnyPosition, nodes: u64, thinker: &mut Thinker<'_>) -> Array {
    let rows = Array::new();
    let mut rng = Rng::new(0);
    let mut thinking = Thinking {
        memory: thinker.memory(),
        rng: &mut rng,
        clock: &YieldingClock::new(None),
        micros: u64::MAX,
        deadline: u64::MAX,
        stop: Some(&STOP),
        helper: None,
    };
    position.values().move_values(nodes, &mut thinking, &mut |MoveValue { mv, lead, exact }| {
        let mut text = String::new();
        // Writing to a String never fails.
        let _ = position.get().write_move(mv, Notation::Plain, &mut text);
        let row: [JsValue; 3] = [text.into(), lead.into(), exact.into()];
        rows.push(&row.iter().collect::<Array>());
    });
    rows
}

fn tell(report: &Function, progress: &Progress) {
    let Progress { depth, score, exact, nodes, percent, ref line, .. } = *progress;
    let values: Array = [
        JsValue::from(depth),
        JsValue::from(score),
        JsValue::from(exact),
        JsValue::from(nodes as f64),
        JsValue::from(percent),
        JsValue::from(line.as_str()),
    ]
    .iter()
    .collect();
    // A page that fails to show a report does not stop the search.
    let _ = report.call1(&JsValue::NULL, &values);
}

/// The match after these moves.
fn replay(setup: &str, moves: &str) -> Result<Match, String> {
    let mut game = Match::new(parse_setup(setup)?);
    for (index, text) in moves.split_ascii_whitespace().enumerate() {
        game.play_next(text).map_err(|mut why| {
            why.tell_move(index + 1);
            why.long().to_owned()
        })?;
    }
    Ok(game)
}

fn opponent(kind: GameKind, who: &str) -> Result<AnyOpponent, String> {
    let unknown = || format!("no player '{who}'");
    let (word, value) = who.split_once(' ').ok_or_else(unknown)?;
    let number = || value.parse::<u32>().map_err(|_| unknown());
    Ok(match word {
        "level" => Opponent::Level(
            value
                .parse()
                .ok()
                .and_then(Level::new)
                .ok_or_else(|| "a level is 1 to 9".to_owned())?,
        ),
        "bot" => Opponent::Bot(
            Bot::from_name(kind, value).ok_or_else(|| format!("{kind} has no bot '{value}'"))?,
        ),
        "nodes" => Opponent::Limit(Limit::Nodes(number()?.into())),
        "ms" => Opponent::Limit(Limit::Millis(number()?)),
        "board-ms" => Opponent::Limit(Limit::BoardMillis(number()?)),
        _ => return Err(unknown()),
    })
}

/// The time of a search: this computer's, or what a board would need for what was looked at. It lets
/// the worker hear its messages now and then.
struct YieldingClock {
    /// Microseconds of a board that a look takes.
    step: Option<u64>,
    looks: Cell<u64>,
    now: Cell<u64>,
    yielded: Cell<u64>,
}

/// Microseconds of a board that a look takes.
fn step(board: Profile, task: &Task) -> u64 {
    match task.question {
        Question::Move { opponent: Opponent::Bot(_), .. } => BOT_MICROS,
        _ => look_micros(task.position.kind(), board.speed.into()),
    }
}

impl YieldingClock {
    fn new(step: Option<u64>) -> Self {
        let now = micros();
        Self { step, looks: Cell::new(0), now: Cell::new(now), yielded: Cell::new(now) }
    }
}

impl Clock for YieldingClock {
    fn micros(&self) -> u64 {
        self.looks.set(self.looks.get() + 1);
        if self.looks.get().is_multiple_of(LOOKS_PER_READING) {
            self.now.set(micros());
            if self.now.get() > self.yielded.get() + YIELD_MICROS {
                pause::for_millis(0.0);
                self.yielded.set(micros());
            }
        }
        self.step.map_or(self.now.get(), |step| step * self.looks.get())
    }
}
