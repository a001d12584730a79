//! `corvid tune`: learns the tables that the searches of Blokus and Othello guess with.

mod blokus;
mod othello;

use std::io::{self, IsTerminal};

use corvid_core::registry::GameKind;

use crate::args::TuneArgs;
use crate::failure::Failure;

/// Learns the tables of a game.
pub(crate) fn run(args: &TuneArgs) -> Result<(), Failure> {
    let is_blokus = matches!(args.game, GameKind::BlokusDuo | GameKind::BlokusClassic);
    let misplaced = if is_blokus {
        [("wthor", !args.wthor.is_empty()), ("quick", args.quick)]
    } else {
        [("generations", args.generations.is_some()), ("sims", args.sims.is_some())]
    };
    match args.game {
        GameKind::BlokusDuo | GameKind::BlokusClassic | GameKind::Othello => {}
        other => return Err(Failure::Usage(format!("{other} has nothing to tune"))),
    }
    if let Some((name, _)) = misplaced.iter().find(|(_, given)| *given) {
        return Err(Failure::Usage(format!("--{name} is not for {}", args.game)));
    }
    if is_blokus { blokus::run(args) } else { othello::run(args) }
}

/// Draws how far a part of the work is; without a terminal only when it is done.
fn progress(part: &str, done: usize, of: usize, what: &str) {
    const WIDTH: usize = 30;
    if io::stderr().is_terminal() || done == of {
        let full = done * WIDTH / of.max(1);
        let bar: String = (0..WIDTH).map(|at| if at < full { '#' } else { '.' }).collect();
        eprint!("\r{part} [{bar}] {done}/{of} {what}");
    }
}
