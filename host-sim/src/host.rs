//! `corvid host`: the contest's host for two players on any connection.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use corvid_core::icfpt::{Action, Dialect, Referee, Seat};

use crate::args::HostArgs;
use crate::failure::Failure;
use crate::link::Link;
use crate::time::microseconds;

/// What was received from a player and when.
struct Heard {
    seat: Seat,
    bytes: Option<Vec<u8>>,
    at: u64,
}

/// How long to wait after switching a Corvid board's console to the contest protocol.
const SWITCH: Duration = Duration::from_millis(500);

/// Plays the games and prints a line for each.
pub(crate) fn run(args: &HostArgs) -> Result<(), Failure> {
    let mut record = match &args.record {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            Some(file.map_err(|error| {
                Failure::Other(format!("cannot write {}: {error}", path.display()))
            })?)
        }
        None => None,
    };
    let (sender, heard) = channel();
    let players = [&args.player1, &args.player2];
    let mut links = [
        open(players[0], Seat::One, args.dialect, &sender)?,
        open(players[1], Seat::Two, args.dialect, &sender)?,
    ];
    drop(sender);
    for number in 1..=args.games {
        let first = match args.first.as_str() {
            "2" => Seat::Two,
            "both" if number % 2 == 0 => Seat::Two,
            _ => Seat::One,
        };
        // Anything a player sent after the end of the last game is dropped.
        let dead: Vec<Seat> = heard
            .try_iter()
            .filter(|heard| heard.bytes.is_none())
            .map(|heard| heard.seat)
            .collect();
        let mut referee = Referee::new(args.dialect, first);
        dead.into_iter().for_each(|seat| referee.gone(seat));
        play(&mut referee, &mut links, &heard);
        writeln!(io::stdout(), "game {number} {}", result(&referee))?;
        if let Some(file) = &mut record {
            write_game(file, number, args, first, &referee)?;
        }
    }
    Ok(())
}

fn open(name: &str, seat: Seat, dialect: Dialect, sender: &Sender<Heard>) -> Result<Link, Failure> {
    let sender = sender.clone();
    let board = name.strip_prefix("corvid:").map(|port| format!("serial:{port}"));
    let hear = move |bytes: Option<&[u8]>| {
        let heard = Heard { seat, bytes: bytes.map(<[u8]>::to_vec), at: microseconds() };
        // The receiver is gone when the games are over.
        let _ = sender.send(heard);
    };
    let mut link = Link::open(board.as_deref().unwrap_or(name), hear)?;
    if board.is_some() {
        // It may be in another game, or in the middle of a line.
        link.send(format!("\x03\x03\necho off\nicfpt {}\n", dialect.name()).as_bytes())?;
        thread::sleep(SWITCH);
    }
    Ok(link)
}

/// Passes bytes between the referee and the players until the game is over.
fn play(referee: &mut Referee, links: &mut [Link; 2], heard: &Receiver<Heard>) {
    loop {
        match referee.poll(microseconds()) {
            Action::Send(seat, text) => {
                if links[seat as usize].send(text.as_bytes()).is_err() {
                    referee.gone(seat);
                }
            }
            Action::Wait(until) => {
                let left = Duration::from_micros(until.saturating_sub(microseconds()) + 1);
                match heard.recv_timeout(left) {
                    Ok(Heard { seat, bytes: Some(bytes), at }) => {
                        bytes.into_iter().for_each(|byte| referee.receive(seat, byte, at));
                    }
                    Ok(Heard { seat, bytes: None, .. }) => referee.gone(seat),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        Seat::BOTH.into_iter().for_each(|seat| referee.gone(seat));
                    }
                }
            }
            Action::Over => return,
        }
    }
}

/// `winner 1 points -12 -25: played to the end`, with the player who ended it early, if any.
fn result(referee: &Referee) -> String {
    let Some(verdict) = referee.verdict() else { return "not finished".into() };
    let winner = verdict.winner.map_or("none".into(), |seat| seat.number().to_string());
    let [one, two] = verdict.points;
    let loser = match (&verdict.ending, verdict.winner) {
        (corvid_core::icfpt::Ending::Played, _) | (_, None) => String::new(),
        (_, Some(seat)) => format!("player {}: ", seat.other().number()),
    };
    let longest = referee.answers().iter().map(|answer| answer.micros).max().unwrap_or(0) / 1000;
    let moves = referee.answers().len();
    let unasked: u32 = Seat::BOTH.into_iter().map(|seat| referee.unasked(seat)).sum();
    let noise = if unasked > 0 { format!(", {unasked} bytes unasked for") } else { String::new() };
    format!(
        "winner {winner} points {one} {two} moves {moves} longest {longest} ms: {loser}{}{noise}",
        verdict.ending
    )
}

/// Writes the game so that a person can replay it and a program can read it: a word and its values
/// per line, and an empty line at the end.
fn write_game(
    file: &mut File,
    number: u32,
    args: &HostArgs,
    first: Seat,
    referee: &Referee,
) -> io::Result<()> {
    let mut text = format!("game {number}\ndialect {}\n", args.dialect.name());
    for (seat, name) in Seat::BOTH.into_iter().zip([&args.player1, &args.player2]) {
        text += &format!("player {} {} {name}\n", seat.number(), referee.team(seat));
    }
    text += &format!("first {}\n", first.number());
    for answer in referee.answers() {
        let (seat, micros) = (answer.seat.number(), answer.micros);
        text += &format!("move {seat} {} {}.{:03} ms\n", answer.code, micros / 1000, micros % 1000);
    }
    text += &format!("result {}\n\n", result(referee));
    file.write_all(text.as_bytes())
}
