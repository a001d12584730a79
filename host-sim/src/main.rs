//! Corvid on a PC: the command line.

mod arena;
mod args;
mod bots;
mod connect;
mod failure;
mod files;
mod gtp;
mod host;
mod icfpt;
mod link;
mod othello;
mod output;
mod peer;
mod perft;
mod play;
mod reproduce;
mod sim;
mod solve;
mod time;
mod tune;
mod turn;

use std::process::ExitCode;

use args::Command;
use failure::Failure;

fn main() -> ExitCode {
    match args::parse().and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Sim(args) => sim::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Gtp(args) => gtp::run(&args),
        Command::Icfpt(args) => icfpt::run(&args),
        Command::Host(args) => host::run(&args),
        Command::Connect(args) => connect::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Arena(args) => arena::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Bots { game } => bots::run(game),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Replay(args) => othello::replay::run(&args),
        Command::Nboard(args) => othello::viewer::run(&args),
    }
}
