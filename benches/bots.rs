//! `cargo bench -p corvid-benches --bench bots`: how long the slowest bots take per move on the
//! LM3S6965, in board seconds.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use corvid_core::registry::GameKind;
use corvid_tests::board::Board;
use corvid_tests::measure::cputime;
use corvid_tests::qemu::Lm3s6965evb;

/// The bots of a game, who move in turn.
const GAMES: [(GameKind, &[&str]); 8] = [
    (GameKind::BlokusDuo, &["alpha-beta", "min-moves"]),
    (GameKind::BlokusDuo, &["hybrid", "influence"]),
    (GameKind::BlokusDuo, &["max-min", "phases"]),
    (GameKind::BlokusClassic, &["leaky", "brute-force", "leaky", "brute-force"]),
    (GameKind::BlokusClassic, &["hybrid", "phases", "hybrid", "max-min"]),
    (GameKind::Othello, &["positional", "positional:seed"]),
    (GameKind::Adjacency, &["minimax", "minimax:seed"]),
    (GameKind::Dots, &["chain-minimax", "chain-minimax:seed"]),
];

const COLORS: [&str; 4] = ["1", "2", "3", "4"];

/// Far more board time than a move takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> Result<()> {
    let mut board = Lm3s6965evb::start()?;
    println!("{:<16} {:<20} {:>6} {:>9} {:>9}", "game", "bot", "moves", "mean", "slowest");
    for (kind, bots) in GAMES {
        board.ask(&format!("set_game {kind}"), PATIENCE)?;
        let mut times = vec![Vec::new(); bots.len()];
        // Until nobody can move any more.
        let mut passes = 0;
        for ply in 0.. {
            let seat = ply % bots.len();
            board.ask(&format!("bot {}", bots[seat]), PATIENCE)?;
            let begun = cputime(&mut board)?;
            let color =
                if kind == GameKind::BlokusClassic { COLORS[seat] } else { ["b", "w"][seat] };
            let answer = board.ask(&format!("genmove {color}"), PATIENCE)?;
            if answer.starts_with('?') {
                // The same player moves again, or there was a pass.
                passes += 1;
            } else if answer.contains("pass") {
                passes += 1;
            } else {
                passes = 0;
                times[seat].push(cputime(&mut board)? - begun);
            }
            if passes > bots.len() {
                break;
            }
        }
        for (bot, times) in bots.iter().zip(&times) {
            ensure!(!times.is_empty(), "{bot} never moved");
            let seconds = |millis: u64| format!("{:.2} s", millis as f64 / 1000.0);
            let mean = times.iter().sum::<u64>() / times.len() as u64;
            let slowest = times.iter().copied().max().context("no moves")?;
            let moves = times.len();
            println!(
                "{kind:<16} {bot:<20} {moves:>6} {:>9} {:>9}",
                seconds(mean),
                seconds(slowest)
            );
        }
    }
    Ok(())
}
