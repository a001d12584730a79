//! `corvid connect`: play against a board on a serial port.

mod plain;
mod ports;
mod referee;
mod table;
mod tui;

use std::io::{self, IsTerminal, Write};

use corvid_core::player::Player;
use corvid_core::session::Match;

use crate::args::{self, ConnectArgs};
use crate::failure::Failure;

/// Lists ports, plays a match, or plays a game with the person at the terminal.
pub(crate) fn run(args: &ConnectArgs) -> Result<(), Failure> {
    if args.list {
        let mut out = io::stdout();
        let ports = ports::all()?;
        if ports.is_empty() {
            writeln!(io::stderr(), "no serial port")?;
        }
        return Ok(ports.iter().try_for_each(|port| writeln!(out, "{}", ports::describe(port)))?);
    }
    let place = Place::new(args.port.as_deref());
    if args.referee {
        return referee::run(args, &place);
    }
    let options = table::Options {
        place,
        setup: args.game,
        color: args.color.clone(),
        level: args.level,
        engine: args.engine.clone(),
    };
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        tui::run(options)
    } else {
        plain::run(options)
    }
}

/// Where the board is.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// On the port of the one Corvid that is plugged in, wherever that is.
    Found,
    /// At this address, in the syntax of [`Link`](crate::link::Link).
    At(String),
}

impl Place {
    fn new(port: Option<&str>) -> Self {
        match port {
            None => Self::Found,
            Some(name) => Self::At(match name.strip_prefix("exec:") {
                Some(command) => command.into(),
                None if name.starts_with("tcp:") || name.starts_with("serial:") => name.into(),
                None => format!("serial:{name}"),
            }),
        }
    }

    /// The name to open, which may change when the cable is unplugged.
    fn find(&self) -> Result<String, Failure> {
        match self {
            Self::Found => ports::only_corvid(&ports::all()?).map(|port| format!("serial:{port}")),
            Self::At(name) => Ok(name.clone()),
        }
    }
}

/// The players that the owner of this colour moves for: with two people and four colours, both.
fn players_of(game: &Match, color: Option<&str>) -> Result<Vec<Player>, Failure> {
    let one = match color {
        None => game.turn(),
        Some(name) => args::color(game, name).map_err(Failure::Usage)?,
    };
    let seat = game.seat_of(one);
    let all = Player::all(game.colors().len());
    Ok(all.filter(|player| game.seat_of(*player) == seat).collect())
}
