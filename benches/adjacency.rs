//! How strong the Adjacency Strategy Game is, by its number of rounds.

use anyhow::{Context, Result, ensure};
use corvid::statistics::paired;
use corvid_benches::{EQUAL_NODES, EQUAL_TIME, MEMORY, Required};
use corvid_core::bots::random;
use corvid_core::engine::Engine;
use corvid_core::game::Game;
use corvid_core::games::adjacency::{Adjacency, Rounds};
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::search::{Solve, Think};
use serde_json::Value;

use super::{arena, version};

/// Random plies at the beginning of each pair of games.
pub(crate) const OPENING: u32 = 4;

/// The last version that judged short games by marks alone.
const FROZEN: &str = "a7e148f";

/// Its nodes in a board second.
const FROZEN_RATE: u64 = 17_900;

/// Nodes a move: against itself, and against the frozen version.
const NODES: [u64; 2] = [2_000, 20_000];

/// Prints the section of docs/strength.md; `games` tells how many of a row's games are played, and
/// `versions` whether they are also played against the frozen version.
pub(crate) fn section(games: impl Fn(u32) -> u32, versions: bool) -> Result<()> {
    println!(
        "## Adjacency Strategy Game

Between good players, the one who moves second wins most games that fill the board, so percentages say
little: the lead is in marks, averaged over pairs of games, with its 95 % interval. All matches are played
with {MEMORY} KB for each player and begin with {OPENING} random plies; every opening is played once from
each seat. `-- adjacency` plays this section alone.

A search that takes every game for one of 28 rounds, against one that knows the real number, {} nodes a move:

| rounds | score of the first | lead in marks |
|---|---|---|",
        NODES[0]
    );
    for rounds in 8..28 {
        let leads = told_28(rounds, games(200) / 2)?;
        println!("| {rounds} | {} |", Leads(&leads));
    }
    if versions {
        against_frozen(&games)?;
    }
    println!(
        "\nSolving the end of games that fill the board, {MEMORY} KB, random positions:

| empty squares | nodes on average | most nodes | positions |
|---|---|---|---|"
    );
    for (squares, positions) in [(12, 100), (14, 100), (15, 100), (16, 100), (17, 50), (18, 20)] {
        let nodes = nodes_to_solve(squares, positions)?;
        let most = nodes.iter().max().context("no positions")?;
        println!(
            "| {squares} | {} | {most} | {positions} |",
            nodes.iter().sum::<u64>() / positions
        );
    }
    Ok(())
}

fn against_frozen(games: impl Fn(u32) -> u32) -> Result<()> {
    let frozen = version(FROZEN)?;
    let nodes = NODES[1];
    let table = |rows: &[Required], present: &str, earlier: &str| -> Result<()> {
        println!(
            "\n| rounds | score of the present version | lead in marks | must |\n|---|---|---|---|"
        );
        for &(rounds, must) in rows {
            let leads = against(&frozen, rounds, games(200), [present, earlier])?;
            let text = must.map_or_else(String::new, |must| format!("{must:+.1}"));
            println!("| {rounds} | {} | {text} |", Leads(&leads));
            let mean = Leads(&leads).mean();
            ensure!(must.is_none_or(|must| mean >= must), "a lead of {mean:+.2} is too small");
        }
        Ok(())
    };
    println!(
        "\nAgainst the version of {FROZEN}, which evaluated short games by marks alone, {nodes} nodes a move:"
    );
    table(&EQUAL_NODES, &format!("nodes:{nodes}"), &format!("--nodes {nodes}"))?;
    println!(
        "\nWith a board second of each for every move, {} nodes against {FROZEN_RATE}:",
        Adjacency::NODES_PER_BOARD_SECOND
    );
    table(&EQUAL_TIME, "board-seconds:1", "--board-seconds 1")
}

/// The leads of both games of each pair.
struct Leads<'a>(&'a [[i16; 2]]);

impl Leads<'_> {
    /// The mean of each pair.
    fn means(&self) -> Vec<f64> {
        self.0.iter().map(|pair| f64::from(pair[0] + pair[1]) / 2.0).collect()
    }

    fn mean(&self) -> f64 {
        self.means().iter().sum::<f64>() / self.0.len() as f64
    }
}

impl std::fmt::Display for Leads<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let points = |lead: i16| f64::from(lead.signum() + 1) / 4.0;
        let scores: Vec<f64> =
            self.0.iter().map(|pair| points(pair[0]) + points(pair[1])).collect();
        let (means, mean) = (self.means(), self.mean());
        let count = means.len() as f64;
        let squares: f64 = means.iter().map(|lead| (lead - mean).powi(2)).sum();
        let margin = 1.96 * (squares / (count - 1.0) / count).sqrt();
        let games = 2 * self.0.len();
        write!(
            f,
            "{} of {games} | {mean:+.2} ({:+.2}..{:+.2})",
            paired(&scores),
            mean - margin,
            mean + margin
        )
    }
}

/// A game after a random opening.
fn opened(rounds: u8, seed: u64) -> Result<Adjacency> {
    let mut game = Adjacency::new(Rounds::new(rounds).context("2 to 28 rounds")?, Player::FIRST);
    let mut rng = Rng::new(1000 + seed);
    for _ in 0..OPENING {
        game.play(random(&game, &mut rng).context("no move")?);
    }
    Ok(game)
}

/// The same position in a game that fills the board.
fn as_28_rounds(game: &Adjacency) -> Result<Adjacency> {
    let mut text = String::new();
    game.write_position(&mut text)?;
    let (position, _) = text.rsplit_once(' ').context("no plies")?;
    Ok(game.parse_position(&format!("{position} {}", game.empty().len()))?)
}

/// Plays pairs of games; the leads of the player who believes in 28 rounds.
fn told_28(rounds: u8, pairs: u32) -> Result<Vec<[i16; 2]>> {
    let game_from = |seed: u32, misled: Player| -> Result<i16> {
        let mut game = opened(rounds, seed.into())?;
        let mut memories = [(); 2].map(|()| vec![0; MEMORY * 128]);
        while !game.is_over() {
            let seen = if game.turn() == misled { as_28_rounds(&game)? } else { game };
            let memory = &mut memories[game.turn().index()];
            let mut meter = Meter::new(Budget::nodes(NODES[0]));
            game.play(seen.think(memory, &mut meter, &mut |_| {}).context("no move")?);
        }
        Ok(game.score(misled) - game.score(misled.other()))
    };
    (0..pairs)
        .map(|seed| Ok([game_from(seed, Player::FIRST)?, game_from(seed, Player::SECOND)?]))
        .collect()
}

/// Plays against a program; the leads of the present version. The budgets are an arena's player and
/// the program's options.
fn against(
    program: &std::path::Path,
    rounds: u8,
    games: u32,
    [present, earlier]: [&str; 2],
) -> Result<Vec<[i16; 2]>> {
    let game = format!("adjacency --rounds {rounds} --memory {MEMORY}");
    let players = format!("{present},gtp:{} gtp {game} {earlier} --seed 1", program.display());
    let record: Value = serde_json::from_slice(&arena(&game, OPENING, games, &players)?)?;
    let games = record["games"].as_array().context("no games")?;
    let pairs = games.chunks_exact(2).map(|pair| {
        let score =
            |game: usize, seat: usize| pair[game]["scores"][seat].as_i64().context("no score");
        let leads = [score(0, 0)? - score(0, 1)?, score(1, 1)? - score(1, 0)?];
        Ok([leads[0].try_into()?, leads[1].try_into()?])
    });
    pairs.collect()
}

/// The nodes that it takes to solve each of some random positions.
fn nodes_to_solve(squares: u32, positions: u64) -> Result<Vec<u64>> {
    let mut rng = Rng::new(4);
    let mut solved = Vec::new();
    for _ in 0..positions {
        let mut game = Adjacency::default();
        while game.empty().len() > squares {
            game.play(random(&game, &mut rng).context("no move")?);
        }
        let mut meter = Meter::new(Budget::UNLIMITED);
        game.solve(&mut vec![0; MEMORY * 128], &mut meter).context("not solved")?;
        solved.push(meter.nodes());
    }
    Ok(solved)
}
