//! `corvid solve`: exact values.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use corvid_core::game::Game;
use corvid_core::games::adjacency::Adjacency;
use corvid_core::games::dots::Dots;
use corvid_core::games::othello::Othello;
use corvid_core::search::Solve;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::setup::Setup;
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
    match args.setup.setup()? {
        Setup::Othello => solve(&Othello::START, args),
        Setup::Dots(size) => solve(&Dots::new(size), args),
        Setup::Adjacency { rounds, first } => solve(&Adjacency::new(rounds, first), args),
        setup => Err(Failure::Usage(format!("{} can't be solved", setup.kind()))),
    }
}

fn solve<G: Solve>(start: &G, args: &SolveArgs) -> Result<(), Failure> {
    let position = start
        .parse_position(&args.position)
        .map_err(|error| Failure::Usage(format!("--position: {error}")))?;
    if position.is_over() {
        return Err(Failure::Other("the position is finished: there is nothing to solve".into()));
    }
    let mut memory = args::memory(Some(args.memory))?;
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
    let solution = position
        .solve(&mut memory, &mut meter)
        .ok_or_else(|| stopped(&meter, "the value is not known yet"))?;
    let score = solution.score;
    let best = solution.best.map_or_else(String::new, |mv| text_of(&position, mv));
    let mut optimal = Vec::new();
    if args.all {
        let mut moves = Vec::new();
        position.for_each_move(|mv| moves.push(mv));
        for mv in moves {
            let value = position.solve_move(mv, &mut memory, &mut meter).ok_or_else(|| {
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

fn text_of<G: Game>(game: &G, mv: G::Move) -> String {
    let mut text = String::new();
    // A String takes everything.
    let _ = game.write_move(mv, &mut text);
    text
}
