//! Corvid on a PC: the command line.

mod arena;
mod args;
mod bots;
mod failure;
mod gtp;
mod host;
mod icfpt;
mod link;
mod output;
mod perft;
mod play;
mod solve;
mod time;
mod tune;

use std::process::ExitCode;

use args::Command;
use failure::Failure;

fn main() -> ExitCode {
    match args::parse().and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Option<Command>) -> Result<(), Failure> {
    match command {
        None => play::choose_and_play(),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Gtp(args)) => gtp::run(&args),
        Some(Command::Icfpt(args)) => icfpt::run(&args),
        Some(Command::Host(args)) => host::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Arena(args)) => arena::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Bots { game }) => bots::run(game),
    }
}
