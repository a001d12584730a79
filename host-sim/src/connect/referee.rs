//! Matches between a board and any GTP engine: `new` or `set_game`, `clear_board genmove play
//! cputime quit`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};

use corvid_core::game::Notation;
use corvid_core::player::{Player, ranking};
use corvid_core::registry::GameKind;
use corvid_core::session::Match;
use corvid_core::setup::{GameInfo, Setup};

use super::Place;
use crate::args::ConnectArgs;
use crate::failure::Failure;
use crate::peer::{Peer, SOON, Trouble, color_word};

/// How a game of a match ended: the points by seat, and who aborted it and why.
struct Outcome {
    game: Match,
    offence: Option<(usize, String)>,
}

/// Plays the match.
pub(super) fn run(args: &ConnectArgs, place: &Place) -> Result<(), Failure> {
    let mut record = match &args.record {
        None => None,
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            Some(file.map_err(|error| {
                Failure::Other(format!("cannot write {}: {error}", path.display()))
            })?)
        }
    };
    let engine = args.engine.as_deref().unwrap_or("");
    let names = [place.find()?, engine.to_owned()];
    let mut peers = [Peer::open(&names[0])?, Peer::open(&names[1])?];
    if let Some(level) = args.level {
        peers[0].ask(&format!("level {}", level.get()), SOON)?;
    }
    let setup = args.game.unwrap_or(Setup::usual(GameKind::CONTEST));
    // Two engines share four colours.
    let setup = setup.with_people(2).unwrap_or(setup);
    let (mut wins, mut draws, mut errors) = ([0; 2], 0, 0);
    for number in 1..=args.games {
        let first = (number as usize + 1) % 2;
        let outcome = play(setup, first, &mut peers)?;
        let scores = outcome.game.seat_scores();
        let points = [scores[first], scores[1 - first]];
        let (winner, how) = match &outcome.offence {
            Some((loser, why)) => {
                errors += 1;
                (Some(1 - loser), format!("player {}: {why}", loser + 1))
            }
            None => {
                let table = ranking(&scores);
                let alone = table.iter().filter(|standing| standing.place == 1).count() == 1;
                let seat = table[0].player.index();
                let winner = if first == 0 { seat } else { 1 - seat };
                (alone.then_some(winner), "played to the end".into())
            }
        };
        match winner {
            Some(winner) => wins[winner] += 1,
            None => draws += 1,
        }
        let line = format!(
            "winner {} points {} {} moves {}: {how}",
            winner.map_or("none".into(), |winner: usize| (winner + 1).to_string()),
            points[0],
            points[1],
            outcome.game.plies(),
        );
        writeln!(io::stdout(), "game {number} {line}")?;
        if let Some(file) = &mut record {
            write_game(file, number, first, &names, &outcome.game, &line)?;
        }
    }
    let seconds: Vec<String> = peers
        .iter_mut()
        .map(|peer| peer.ask("cputime", SOON).unwrap_or_else(|_| "unknown".into()))
        .collect();
    writeln!(
        io::stdout(),
        "match {} to {}, {draws} drawn, {errors} broken off; cputime {}",
        wins[0],
        wins[1],
        seconds.join(" and ")
    )?;
    for peer in &mut peers {
        // It does not matter whether it answers or just exits.
        let _ = peer.ask("quit", SOON);
    }
    Ok(())
}

/// Starts a game on an engine, by standard commands if it does not know ours.
fn start(peer: &mut Peer, setup: Setup) -> Result<(), Trouble> {
    let usual = Setup::usual(setup.kind());
    let GameInfo { title, alias, options, .. } = setup.kind().info();
    // A Corvid keeps the options of a game that is set again.
    if !options.is_empty() {
        match peer.ask(&format!("new {setup}"), SOON) {
            Err(Trouble::Refused(_)) if setup == usual || usual.with_people(2) == Some(setup) => {}
            started => return started.map(drop),
        }
    }
    let name = if alias.is_empty() { title } else { alias };
    peer.ask(&format!("set_game {name}"), SOON)?;
    peer.ask("clear_board", SOON).map(drop)
}

/// Plays a game in which the engine `first` has the first seat. An error is a lost connection.
fn play(setup: Setup, first: usize, peers: &mut [Peer; 2]) -> Result<Outcome, Failure> {
    let mut game = Match::new(setup);
    for peer in peers.iter_mut() {
        start(peer, setup)?;
    }
    let mut offence = None;
    while !game.is_over() {
        let player = game.turn();
        let mover = (game.seat_of(player) + first) % 2;
        match turn(&mut game, player, mover, peers) {
            Ok(()) => {}
            Err((who, Trouble::Refused(why))) => {
                offence = Some((who, why));
                break;
            }
            Err((_, lost)) => return Err(lost.into()),
        }
    }
    Ok(Outcome { game, offence })
}

/// One move: found by an engine, checked here, and sent to the other. An error says whose it is.
fn turn(
    game: &mut Match,
    player: Player,
    mover: usize,
    peers: &mut [Peer; 2],
) -> Result<(), (usize, Trouble)> {
    let color = color_word(game.setup(), player);
    let text = peers[mover].genmove(color).map_err(|why| (mover, why))?;
    if text.eq_ignore_ascii_case("resign") {
        return Err((mover, Trouble::Refused("resigned".into())));
    }
    game.play(player, &text)
        .map_err(|refusal| (mover, Trouble::Refused(format!("{text}: {}", refusal.long()))))?;
    let other = 1 - mover;
    peers[other].ask(&format!("play {color} {text}"), SOON).map_err(|why| (other, why))?;
    Ok(())
}

/// Writes the game: a word and its values per line, and an empty line at the end.
fn write_game(
    file: &mut File,
    number: u32,
    first: usize,
    names: &[String; 2],
    game: &Match,
    result: &str,
) -> io::Result<()> {
    let mut moves = String::new();
    // Writing to a String never fails.
    let _ = game.write_moves(Notation::Plain, '\n', &mut moves);
    let mut text = format!("game {number}\nsetup {}\n", game.setup());
    for (index, name) in names.iter().enumerate() {
        text += &format!("player {} {name}\n", index + 1);
    }
    text += &format!("first {}\n", first + 1);
    moves.lines().for_each(|line| text += &format!("move {line}\n"));
    text += &format!("result {result}\n\n");
    file.write_all(text.as_bytes())
}
