//! The page in a browser plays the same game as the host and an emulated board.
use anyhow::{Context, Result, ensure};
use corvid_core::session::Match;
use corvid_firmware::profile::LM3S6965EVB;
use corvid_tests::{board::Board, host::Host, qemu::Lm3s6965evb};
use std::{
    process::{Command, Stdio},
    time::Duration,
};

const SEED: u64 = 7;

/// Enough for a move of any of the budgets below on an emulated board.
const LONG: Duration = Duration::from_secs(60);

/// Games that the engine plays against itself, with the budget of a move in nodes.
const GAMES: [(&str, u64); 5] = [
    ("othello", 150),
    ("adjacency 8 x", 100),
    ("dots 4x4", 100),
    ("blokus-duo", 40),
    ("blokus-classic", 10),
];

#[test]
fn the_same_seed_and_nodes_give_the_same_game_on_page_host_and_board() -> Result<()> {
    let games = pages_games()?;
    ensure!(games.len() == GAMES.len(), "the page played {games:?}");
    for ((setup, nodes), page) in GAMES.iter().zip(games) {
        let lines =
            [format!("set_random_seed {SEED}"), format!("new {setup}"), format!("nodes {nodes}")];
        let (mut host, mut board) = (Host::like(&LM3S6965EVB), Lm3s6965evb::start()?);
        for line in &lines {
            ensure!(board.ask(line, LONG)? == host.ask(line), "{line}");
        }
        while !host.game().is_over() {
            let line = format!("genmove {}", mover(host.game()));
            let (theirs, ours) = (board.ask(&line, LONG)?, host.ask(&line));
            ensure!(theirs == ours, "{setup}: the board plays {theirs}, the host {ours}");
        }
        assert_eq!(format!("= {page}"), host.ask("moves"), "{setup} on the page and on the host");
    }
    Ok(())
}

/// Who moves next, as GTP names the colours of all games.
fn mover(game: &Match) -> &'static str {
    let names = if game.colors().len() == 2 { ["b", "w", "", ""] } else { ["1", "2", "3", "4"] };
    names[game.turn().index()]
}

/// The moves of the games as the page plays them.
fn pages_games() -> Result<Vec<String>> {
    let mut node = Command::new("node");
    node.arg("same.mjs").args([LM3S6965EVB.name, &SEED.to_string()]);
    for (setup, nodes) in GAMES {
        node.args([setup, &nodes.to_string()]);
    }
    let folder = xtask::root().join("tests/web");
    let output = node
        .current_dir(folder)
        .stderr(Stdio::inherit())
        .output()
        .context("node does not start: `cargo xtask setup` installs it")?;
    ensure!(
        output.status.success(),
        "the page was not played: `cargo xtask setup` installs a browser, `cargo xtask web` builds it"
    );
    Ok(String::from_utf8(output.stdout)?.lines().map(Into::into).collect())
}
