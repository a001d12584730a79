//! How strong Othello is, what each part of its search is worth, and what it costs on a board.

use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use corvid_benches::MEMORY;
use corvid_core::bots::random;
use corvid_core::engine::Engine;
use corvid_core::game::{Game, MAX_PLIES};
use corvid_core::games::othello::Othello;
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::search::pvs::Techniques;
use corvid_core::search::{Think, Variety};
use corvid_tests::board::Board;
use corvid_tests::measure::{INSTRUCTIONS_PER_MS, cputime};
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rates::Plies;

use super::{Match, arena, version};

/// Random plies at the beginning of each pair of games.
pub(crate) const OPENING: u32 = 8;

/// A board second.
const SECOND: u64 = Othello::NODES_PER_BOARD_SECOND;

/// The memory of a Pico's search in KB: enough for the large weights.
const LARGE: usize = 192;

/// The last version that judged by twelve facts, without Multi-ProbCut.
const FROZEN: &str = "a7e148f";

/// More board time than a command here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A search and its memory in KB.
#[derive(Clone, Copy)]
struct Contender {
    nodes: u64,
    memory: usize,
    techniques: Techniques,
}

/// A board second on the LM3S6965.
const USUAL: Contender = Contender { nodes: SECOND, memory: MEMORY, techniques: Techniques::ALL };

/// Prints the section of docs/strength.md; `games` tells how many of a row's games are played, and
/// `versions` whether they are also played against the frozen version.
pub(crate) fn section(games: impl Fn(u32) -> u32, versions: bool) -> Result<()> {
    println!(
        "## Othello

A board second is {SECOND} nodes. All matches begin with {OPENING} random plies, and every opening is played
once with each colour; both have {MEMORY} KB unless the row says otherwise. `-- othello` plays this section
alone. The errors of the evaluation by phase are in [othello.md](othello.md#learning-the-weights).

| match | score of the first | Elo | lead in discs |
|---|---|---|---|"
    );
    let large = Contender { memory: LARGE, ..USUAL };
    for (what, one, other, count) in [
        ("a board second against a quarter of it", USUAL, with_nodes(USUAL, SECOND / 4), 200),
        ("four board seconds against one", with_nodes(USUAL, 4 * SECOND), USUAL, 100),
        ("the large weights in 192 KB against the small ones", large, USUAL, 400),
    ] {
        println!("| {what} | {} |", play(one, other, games(count))?);
    }
    println!(
        "\nThe search against itself without one of its parts, {} nodes a move:

| part | score with it | Elo | lead in discs |
|---|---|---|---|",
        SECOND / 4
    );
    let all = Techniques::ALL;
    for (what, techniques) in [
        ("Multi-ProbCut", Techniques { foretelling: false, ..all }),
        ("killer moves", Techniques { killers: false, ..all }),
        ("aspiration windows", Techniques { aspiration: false, ..all }),
    ] {
        let one = with_nodes(USUAL, SECOND / 4);
        println!("| {what} | {} |", play(one, Contender { techniques, ..one }, games(400))?);
    }
    if versions {
        against_frozen(&games)?;
    }
    through_a_game()
}

const fn with_nodes(contender: Contender, nodes: u64) -> Contender {
    Contender { nodes, ..contender }
}

/// Each version with the nodes of its own board second.
fn against_frozen(games: impl Fn(u32) -> u32) -> Result<()> {
    println!(
        "\nAgainst the version of {FROZEN}, which evaluated twelve features and had no Multi-ProbCut:

| match | score of the present version | Elo | lead in discs |
|---|---|---|---|"
    );
    let frozen = version(FROZEN)?;
    for (what, limit, memory) in [
        ("a board second of each", "board-seconds 1".to_owned(), MEMORY),
        ("10,000 nodes each", "nodes 10000".to_owned(), MEMORY),
        ("10,000 nodes each, the large weights", "nodes 10000".to_owned(), LARGE),
    ] {
        let game = format!("othello --memory {memory}");
        let (limit_word, count) = limit.split_once(' ').context("a limit")?;
        let players =
            format!("{limit_word}:{count},gtp:{} gtp {game} --{limit} --seed 1", frozen.display());
        println!(
            "| {what} | {} |",
            Match::of_record(&arena(&game, OPENING, games(200), &players)?)?
        );
    }
    Ok(())
}

/// What a node costs on the board, and how deep a board second looks.
pub(crate) fn through_a_game() -> Result<()> {
    println!(
        "\nThrough a game of the LM3S6965 against itself, a board second a move, up to the first exact score
(`-- othello game`):

| plies | instructions a node | nominal depth |
|---|---|---|"
    );
    let mut board = Lm3s6965evb::start()?;
    let Plies(plies) = Plies::measure(&mut board, GameKind::Othello, SECOND, MAX_PLIES)?;
    let depths = depths()?;
    const PART: usize = 8;
    let cost = |some: &[(u64, u64)]| INSTRUCTIONS_PER_MS * 1000 / Plies::rate(some).max(1);
    for (place, some) in plies.chunks(PART).enumerate() {
        let first = place * PART;
        let depths: Vec<f64> =
            depths.iter().skip(first).take(some.len()).flatten().copied().collect();
        let mean = depths.iter().sum::<f64>() / depths.len().max(1) as f64;
        println!("| {} to {} | {} | {mean:.1} |", first + 1, first + some.len(), cost(some));
    }
    println!("| all | {} | |", cost(&plies));
    println!(
        "\nA leaf costs at most {} instructions: a move is made, the numbers of its patterns are updated, and the
position is evaluated, counting both players' moves.",
        leaf(&mut board)?
    );
    Ok(())
}

/// The instructions that one more leaf costs the board: positions are searched with so few nodes that
/// the second iteration ends among the replies to its first move, and with some more.
fn leaf(board: &mut Lm3s6965evb) -> Result<u64> {
    const POSITIONS: u64 = 12;
    /// The board's clock counts milliseconds, which are many leaves.
    const TIMES: u64 = 200;
    const MORE: u64 = 8;
    ask(board, "clear_board")?;
    ask(board, "progress off")?;
    let (mut taken, mut rng) = ([0; 2], Rng::new(2));
    for _ in 0..POSITIONS {
        let (position, color, first) = loop {
            let mut game = Othello::START;
            for _ in 0..24 {
                game.play(random(&game, &mut rng).context("no move")?);
            }
            // The first iteration has a node for each move, the second one for the best of them.
            let first = u64::from(game.targets().len()) + 2;
            let mut meter = Meter::new(Budget::nodes(first - 2));
            let best = game.think(&mut vec![0; MEMORY * 128], &mut meter, &mut |_| {});
            let mut next = game;
            next.play(best.context("no move")?);
            if u64::from(next.targets().len()) > MORE {
                let mut text = String::new();
                game.write_position(&mut text)?;
                break (text, if game.turn() == Player::FIRST { "b" } else { "w" }, first);
            }
        };
        for (taken, nodes) in taken.iter_mut().zip([first, first + MORE]) {
            ask(board, &format!("position {position}"))?;
            ask(board, &format!("nodes {nodes}"))?;
            let begun = cputime(board)?;
            for _ in 0..TIMES {
                ask(board, &format!("reg_genmove {color}"))?;
            }
            *taken += cputime(board)? - begun;
        }
    }
    Ok((taken[1] - taken[0]) * INSTRUCTIONS_PER_MS / (POSITIONS * TIMES * MORE))
}

fn ask(board: &mut Lm3s6965evb, command: &str) -> Result<()> {
    let answer = board.ask(command, PATIENCE)?;
    ensure!(answer.starts_with('='), "{command}: {answer}");
    Ok(())
}

/// The depth that a board second reaches at each ply, on average over some games; none in the opening.
fn depths() -> Result<Vec<Option<f64>>> {
    const GAMES: u32 = 20;
    let mut sums: Vec<(f64, u32)> = Vec::new();
    for seed in 0..GAMES {
        let (mut game, mut rng) = (Othello::START, Rng::new(seed.into()));
        let mut memory = vec![0; MEMORY * 128];
        for ply in 0.. {
            if game.is_over() {
                break;
            }
            let mut last = None;
            let mv = match game.forced_pass() {
                Some(pass) => pass,
                // So that the games differ.
                None if ply < 4 => random(&game, &mut rng).context("no move")?,
                None => {
                    let mut meter = Meter::new(Budget::nodes(SECOND));
                    game.think_with(
                        &mut memory,
                        &mut meter,
                        (Techniques::ALL, Variety::NONE),
                        &mut |report| last = Some((report.depth, report.exact)),
                    )
                    .context("no move")?
                }
            };
            game.play(mv);
            if sums.len() <= ply {
                sums.push((0.0, 0));
            }
            if let Some((depth, false)) = last {
                sums[ply].0 += f64::from(depth);
                sums[ply].1 += 1;
            }
        }
    }
    let mean = |(sum, count): &(f64, u32)| (*count > 0).then(|| sum / f64::from(*count));
    Ok(sums.iter().map(mean).collect())
}

/// Plays pairs on all cores; the result does not depend on how many there are.
fn play(one: Contender, other: Contender, games: u32) -> Result<Match> {
    let threads = thread::available_parallelism()?.get();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn(move || {
                    let pairs = (first as u32..games / 2).step_by(threads);
                    pairs.map(|seed| pair(one, other, seed)).collect::<Result<Vec<_>>>()
                })
            })
            .collect();
        let mut result = Match::default();
        for worker in workers {
            for leads in worker.join().map_err(|_| anyhow!("a game failed"))?? {
                result.add(leads);
            }
        }
        Ok(result)
    })
}

/// The leads of `one` in both games of an opening.
fn pair(one: Contender, other: Contender, seed: u32) -> Result<[i16; 2]> {
    let lead = |color: Player| -> Result<i16> {
        let (mut game, mut rng) = (Othello::START, Rng::new(1000 + u64::from(seed)));
        for _ in 0..OPENING {
            game.play(random(&game, &mut rng).context("no move")?);
        }
        let mut memories = [one, other].map(|contender| vec![0; contender.memory * 128]);
        while !game.is_over() {
            let place = usize::from(game.turn() != color);
            let contender = [one, other][place];
            let mut meter = Meter::new(Budget::nodes(contender.nodes));
            let search = (contender.techniques, Variety::NONE);
            let mv = match game.forced_pass() {
                Some(pass) => Some(pass),
                None => game.think_with(&mut memories[place], &mut meter, search, &mut |_| {}),
            };
            game.play(mv.context("no move")?);
        }
        Ok(game.score(color) - game.score(color.other()))
    };
    Ok([lead(Player::FIRST)?, lead(Player::SECOND)?])
}
