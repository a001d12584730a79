//! `corvid solve`: exact values.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use corvid_core::engine::Unsolved;
use corvid_core::game::{MoveCode, Notation};
use corvid_core::registry::AnyPosition;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::setup::Solver;
use serde::Serialize;

use crate::args::{self, SolveArgs};
use crate::failure::Failure;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// What `--json` prints, its keys in this order.
#[derive(Serialize)]
struct Answer<'a> {
    score: i16,
    #[serde(rename = "move")]
    best: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
    nodes: u64,
}

/// Solves the position and prints its value.
pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let setup = args.setup.setup();
    let mut position = AnyPosition::start(setup);
    position
        .get_mut()
        .parse_position(&args.position)
        .map_err(|error| Failure::Usage(format!("--position: {error}")))?;
    if position.get().is_over() {
        return Err(Failure::Other("the position is finished: there is nothing to solve".into()));
    }
    let mut memory = args::memory(args.memory)?;
    // Without the handler Ctrl-C still ends the program, only less politely.
    let _ = ctrlc::set_handler(|| STOP.store(true, std::sync::atomic::Ordering::Relaxed));
    let mut meter = Meter::new(Budget { stop: Some(&STOP), ..Budget::UNLIMITED });
    let stopped = |meter: &Meter<'_>, known: &str| {
        Failure::Other(if meter.is_over() {
            format!("stopped after {} nodes; {known}", meter.nodes())
        } else {
            "the position is too far from its end to be solved".into()
        })
    };
    let solution = (position.get().solve(&mut memory, &mut meter))
        .map_err(|_| stopped(&meter, "the value is not known yet"))?;
    let score = solution.score;
    let best = solution.best.map_or_else(String::new, |mv| text_of(&position, mv));
    let mut optimal = Vec::new();
    if args.all {
        let mut moves = Vec::new();
        position.get().for_each_move(&mut |mv| moves.push(mv));
        for mv in moves {
            let value = value_of(&position, mv, &mut memory, &mut meter).map_err(|_| {
                stopped(&meter, &format!("the value is {score}, but not all moves are known"))
            })?;
            if value == score {
                optimal.push(text_of(&position, mv));
            }
        }
    }
    let nodes = meter.nodes();
    let mut out = io::stdout();
    if args.json {
        let moves = args.all.then_some(optimal);
        let answer = Answer { score, best: &best, moves, nodes };
        writeln!(out, "{}", serde_json::to_string(&answer).map_err(io::Error::from)?)?;
        return Ok(());
    }
    if args.all {
        writeln!(out, "moves {}", optimal.join(" "))?;
    }
    writeln!(out, "solve score {score} move {best} nodes {nodes}")?;
    Ok(())
}

fn text_of(position: &AnyPosition, mv: MoveCode) -> String {
    let mut text = String::new();
    // Writing to a String never fails.
    let _ = position.get().write_move(mv, Notation::Plain, &mut text);
    text
}

/// The value of a legal move for the player who makes it.
fn value_of(
    position: &AnyPosition,
    mv: MoveCode,
    memory: &mut [u64],
    meter: &mut Meter<'_>,
) -> Result<i16, Unsolved> {
    let mut child = position.clone();
    child.get_mut().play(mv);
    let rest = child.get().solve(memory, meter)?.score;
    let own = position.get().turn();
    let made = match position.kind().info().solver {
        Solver::FromHere => child.get().score(own) - position.get().score(own),
        Solver::Final | Solver::None => 0,
    };
    Ok(if child.get().turn() == own { made + rest } else { made - rest })
}
