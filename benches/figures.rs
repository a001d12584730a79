//! `cargo xtask measure`: the figures that the search is held to, each beside its bar.
//!
//! Boards are measured in instructions of an emulated Cortex-M3, which repeat to the digit; times
//! on this machine are what they are. All of it takes most of an hour: `quick` plays fewer games with
//! less time, and `board` measures on the board alone.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use corvid_benches::INSTRUCTIONS_PER_MS;
use corvid_core::bots::random;
use corvid_core::game::Game;
use corvid_core::games::adjacency::Adjacency;
use corvid_core::games::dots::{Dots, Size};
use corvid_core::games::othello::Othello;
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::search::{Solve, Think};
use corvid_tests::board::Board;
use corvid_tests::opponents::adjacency::Minimax;
use corvid_tests::opponents::dots::Heuristic;
use corvid_tests::qemu::Lm3s6965evb;

/// More board time than anything here takes.
const PATIENCE: Duration = Duration::from_secs(120);

fn main() -> Result<()> {
    let asked_for = |what: &str| std::env::args().any(|word| word == what);
    let quick = asked_for("quick");
    println!("| what | measured | must | aim |");
    println!("|---|---|---|---|");
    if asked_for("board") {
        dots_on_the_board()?;
        return othello_on_the_board();
    }
    dots_solving(quick)?;
    dots_match(if quick { 20 } else { 200 })?;
    adjacency_solving();
    let (games, time) = if quick { (4, 200) } else { (20, 5000) };
    adjacency_match(games, Duration::from_millis(time));
    othello_on_the_board()?;
    othello_here()
}

fn row(what: &str, measured: &str, must: &str, aim: &str) {
    println!("| {what} | {measured} | {must} | {aim} |");
}

fn size(rows: u8, columns: u8) -> Result<Size> {
    Size::new(rows, columns).context("no such board")
}

/// Nodes and seconds to solve a position on this machine.
fn solve<G: Solve>(game: &G, slots: usize) -> Result<(i16, u64, f64)> {
    let mut memory = vec![0; slots];
    let mut meter = Meter::new(Budget::UNLIMITED);
    let begun = Instant::now();
    let solution = game.solve(&mut memory, &mut meter).context("not solved")?;
    Ok((solution.score, meter.nodes(), begun.elapsed().as_secs_f64()))
}

fn dots_solving(quick: bool) -> Result<()> {
    let (score, nodes, _) = solve(&Dots::new(size(3, 3)?), 4096)?;
    ensure!(score == -3, "3x3 is -3, not {score}");
    row("Dots 3x3 from empty, 32 KB", &format!("{nodes} nodes"), "104,000", "60,000");
    dots_on_the_board()?;
    let (score, nodes, seconds) = solve(&Dots::new(size(3, 4)?), 1 << 20)?;
    ensure!(score == 0, "3x4 is 0, not {score}");
    row("Dots 3x4, 8 MB", &format!("{seconds:.2} s, {nodes} nodes"), "1.3 s", "0.5 s");
    if !quick {
        let (score, nodes, seconds) = solve(&Dots::new(size(4, 4)?), 1 << 28)?;
        ensure!(score == 0, "4x4 is 0, not {score}");
        row("Dots 4x4, 2 GB", &format!("{seconds:.0} s, {nodes} nodes"), "250 s, 4 GB", "60 s");
    }
    Ok(())
}

fn dots_on_the_board() -> Result<()> {
    let mut board = OnBoard::start("dots")?;
    board.ask("boardsize 3")?;
    let millions = board.solve("0", 32, -3)?;
    row(
        "the same on a Cortex-M3",
        &format!("{millions:.0} million instructions"),
        "",
        "100 million",
    );
    Ok(())
}

fn dots_match(games: u32) -> Result<()> {
    let side = size(5, 5)?;
    let mut points = 0.0;
    for number in 0..games {
        let mut opponent = Heuristic::new(5, 5, u64::from(number / 2));
        let mut memory = vec![0; 4096];
        let mut game = Dots::new(side);
        let mut drawn = 0u64;
        let engine = (number % 2) as usize;
        while !game.is_over() {
            let line = if game.turn().index() == engine {
                let mut meter = Meter::new(Budget::nodes(100_000));
                game.think(&mut memory, &mut meter, &mut |_| {})
            } else {
                opponent.choose(drawn).and_then(|line| side.line(line as u8))
            };
            let line = line.context("no move")?;
            drawn |= 1 << line.index();
            game.play(line);
        }
        points += result(game.score(Player::FIRST) - game.score(Player::SECOND), engine);
    }
    let what =
        "Dots 5x5, 100,000 nodes a move, 32 KB, against safe moves and right play from 20 lines";
    row(what, &share(points, games), "80 %", "95 %");
    Ok(())
}

fn adjacency_solving() {
    let mut rng = Rng::new(4);
    let (games, mut total) = (200, 0);
    for _ in 0..games {
        let mut game = Adjacency::default();
        while game.plies_left() > 12 {
            if let Some(mv) = random(&game, &mut rng) {
                game.play(mv);
            }
        }
        let mut meter = Meter::new(Budget::UNLIMITED);
        game.solve(&mut vec![0; 2048], &mut meter);
        total += meter.nodes();
    }
    let what = "Adjacency, 12 empty squares exactly, 2,048 entries, mean of 200 random positions";
    row(what, &format!("{} nodes", total / games), "131,000", "60,000");
}

fn adjacency_match(games: u32, time: Duration) {
    let mut points = 0.0;
    for number in 0..games {
        let mut rng = Rng::new(u64::from(number / 2));
        let mut opponent = Minimax::default();
        let mut memory = vec![0; 4096];
        let mut game = Adjacency::default();
        let engine = (number % 2) as usize;
        let mut ply = 0;
        while !game.is_over() {
            let mv = if ply < 4 {
                random(&game, &mut rng)
            } else if game.turn().index() == engine {
                game.think(&mut memory, &mut Meter::new(Budget::nodes(20_000)), &mut |_| {})
            } else {
                opponent.choose(&game, time)
            };
            let Some(mv) = mv else { break };
            game.play(mv);
            ply += 1;
        }
        points += result(game.score(Player::FIRST) - game.score(Player::SECOND), engine);
    }
    let what =
        format!("Adjacency, 20,000 nodes a move, against minimax with a table and {time:?} a move");
    row(&what, &share(points, games), "95 %", "100 %");
}

/// 1 for a win of the player in this seat, half for a draw; `lead` is the first player's.
fn result(lead: i16, seat: usize) -> f64 {
    let lead = if seat == 0 { lead } else { -lead };
    f64::from(lead.signum() + 1) / 2.0
}

fn share(points: f64, games: u32) -> String {
    let share = points / f64::from(games);
    let margin = 1.96 * (share * (1.0 - share) / f64::from(games)).sqrt();
    let (percent, margin) = (share * 100.0, margin * 100.0);
    format!("{percent:.1} % ± {margin:.1} of {games} games")
}

/// A suite of positions with the best score of each, from a file of the reference data.
fn suite(text: &str) -> Vec<(String, i16)> {
    let position = |line: &str| {
        let mut fields = line.split(';').map(str::trim);
        let board = fields.next()?.to_owned();
        let scores = fields.filter_map(|field| field.split(':').nth(1)?.trim().parse().ok());
        Some((board, scores.max()?))
    };
    text.lines().filter_map(position).collect()
}

fn othello_on_the_board() -> Result<()> {
    let mut board = OnBoard::start("othello")?;
    for (empty, text, must, aim) in [
        (12, include_str!("../tests/data/othello-12-empty.obf"), "5.9 million", "3 million"),
        (14, include_str!("../tests/data/othello-14-empty.obf"), "33 million", "16 million"),
    ] {
        let positions = suite(text);
        let mut total = 0.0;
        for (position, score) in &positions {
            total += board.solve(position, 24, *score)?;
        }
        let what = format!(
            "Othello exactly on a Cortex-M3, 24 KB, {empty} empty squares, mean of {}",
            positions.len()
        );
        row(
            &what,
            &format!("{:.2} million instructions", total / positions.len() as f64),
            must,
            aim,
        );
    }
    let mut total = 0.0;
    for (position, score) in suite(include_str!("../tests/data/fforum-1-19.obf")) {
        total += board.solve(&position, 24, score)?;
    }
    let what = "fforum-1-19 on a Cortex-M3, 24 KB, all exact";
    row(what, &format!("{:.3} billion instructions", total / 1000.0), "0.8 billion", "0.4 billion");
    Ok(())
}

fn othello_here() -> Result<()> {
    let (mut seconds, mut nodes) = (0.0, 0);
    for (position, score) in suite(include_str!("../tests/data/fforum-20-39.obf")) {
        let game = Othello::START.parse_position(&position)?;
        let (found, looked, time) = solve(&game, 1 << 23)?;
        ensure!(found == score, "{position}: {found} instead of {score}");
        seconds += time;
        nodes += looked;
    }
    let measured = format!("{seconds:.1} s, {:.1} million nodes", nodes as f64 / 1e6);
    row("fforum-20-39 on this machine, 64 MB, all exact", &measured, "10 s", "2.5 s");
    Ok(())
}

/// The LM3S6965 with a game set.
struct OnBoard(Lm3s6965evb);

impl OnBoard {
    fn start(game: &str) -> Result<Self> {
        let mut board = Self(Lm3s6965evb::start()?);
        board.ask(&format!("set_game {game}"))?;
        Ok(board)
    }

    fn ask(&mut self, command: &str) -> Result<String> {
        let answer = self.0.ask(command, PATIENCE)?;
        ensure!(answer.starts_with('='), "{command}: {answer}");
        Ok(answer)
    }

    fn milliseconds(&mut self) -> Result<u64> {
        let answer = self.ask("cputime")?;
        corvid_benches::milliseconds(&answer).context(answer)
    }

    /// Solves a position and gives the millions of instructions that took.
    fn solve(&mut self, position: &str, kilobytes: u32, score: i16) -> Result<f64> {
        self.ask(&format!("position {position}"))?;
        let begun = self.milliseconds()?;
        let answer = self.ask(&format!("solve {kilobytes}"))?;
        let millions = ((self.milliseconds()? - begun) * INSTRUCTIONS_PER_MS) as f64 / 1e6;
        ensure!(answer.starts_with(&format!("= solve score {score} ")), "{position}: {answer}");
        Ok(millions)
    }
}
