//! How often Dots and Boxes gives something away, by the lines left, measured by its own solver.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use corvid::statistics::paired;
use corvid_benches::MEMORY;
use corvid_core::bots::random;
use corvid_core::engine::Engine;
use corvid_core::game::Game;
use corvid_core::games::dots::{Dots, Line, Size};
use corvid_core::mix::{Rng, mix_in};
use corvid_core::player::Player;
use corvid_core::search::budget::{Budget, Meter};
use corvid_core::search::{Solve, Think, Variety};
use corvid_tests::board::Board as _;
use corvid_tests::measure::cputime;
use corvid_tests::qemu::Lm3s6965evb;

/// Lines left in the positions.
const LEFT: std::ops::RangeInclusive<u32> = 33..=38;
/// Positions for each number of lines, and of them those for the emulated board.
const POSITIONS: usize = 100;
const BOARD_POSITIONS: usize = 20;
/// The solver's memory in 64-bit slots: 64 MB.
const SLOTS: usize = 1 << 23;
/// Sensible play begins with random lines, until so many are left.
const OPENING_LEFT: u32 = 52;
/// Nodes for a move of sensible play; one in `RANDOM` is random instead.
const NODES: u64 = 300;
const RANDOM: u32 = 10;
/// More of the board's time than an answer takes.
const PATIENCE: Duration = Duration::from_secs(30);
/// Pairs of games against the earlier build, which begin with so many random lines.
const PAIRS: u64 = 50;
const OPENING: u32 = 8;

/// Prints the section of docs/strength.md. With the path of an earlier build of `corvid`, it is
/// measured too, and played against.
pub(crate) fn section(earlier: Option<&str>) -> Result<()> {
    println!(
        "## Dots and Boxes

How often a move on 5x5 is not among the best, by the exact solver, and how often a won position is lost,
at {} nodes a move in {MEMORY} KB, a board second. No box can be taken in these positions. They are
reached by sensible play with one random line in ten, or by random lines that give no box away. Of each
kind there are {POSITIONS} for every number of lines. `-- dots [CORVID]` measures it alone, and an earlier
build of `corvid` beside it.

| positions | lines left | build | inexact moves | wins lost | nodes a move |
|---|---|---|---|---|---|",
        Dots::NODES_PER_BOARD_SECOND
    );
    let mut builds = vec![("this one", Build::Here)];
    if let Some(path) = earlier {
        builds.insert(0, ("earlier", Build::Other(Other::start(path)?)));
    }
    rows(&mut builds, POSITIONS)?;
    if let [(_, earlier), ..] = builds.as_mut_slice()
        && matches!(earlier, Build::Other(_))
    {
        let pairs: Result<Vec<f64>> = (0..PAIRS).map(|seed| play_pair(earlier, seed)).collect();
        let score = paired(&pairs?);
        println!(
            "\nAgainst the earlier build, at equal nodes, from {PAIRS} openings of {OPENING} random lines, each \
             played\nfrom both seats: {score} of {}, Elo {}.",
            2 * PAIRS,
            score.elo_text()
        );
    }
    println!();
    board()
}

/// Prints the part of the section that is measured on the LM3S6965.
pub(crate) fn board() -> Result<()> {
    println!(
        "The same on the LM3S6965 in QEMU, told over its serial port to take a second a move by its own clock: the
first {BOARD_POSITIONS} of the positions for every number of lines. `-- dots board` measures it alone.

| positions | lines left | player | inexact moves | wins lost | nodes a move |
|---|---|---|---|---|---|"
    );
    let board = OnBoard::start()?;
    let mut builds =
        [("LM3S6965", Build::Board(board)), ("PC, a board second's nodes", Build::Here)];
    rows(&mut builds, BOARD_POSITIONS)?;
    if let [(_, Build::Board(board)), _] = &builds {
        println!("\nThe slowest of its moves took {} ms.", board.slowest);
    }
    Ok(())
}

/// Prints how often some builds give something away, in so many positions for each number of lines.
fn rows(builds: &mut [(&str, Build)], count: usize) -> Result<()> {
    let mut solver = vec![0; SLOTS];
    for (kind, next) in
        [("sensible play", sensible as fn(&Dots, &mut Rng) -> _), ("random lines", safe)]
    {
        let mut sums = vec![Losses::default(); builds.len()];
        for left in LEFT {
            let mut losses = vec![Losses::default(); builds.len()];
            for lines in positions(left, count, next)? {
                let game = after(&lines);
                let value = value(&game, &mut solver)?;
                for ((_, build), losses) in builds.iter_mut().zip(&mut losses) {
                    let (line, nodes) = build.choose(&lines)?;
                    let mut then = game;
                    then.play(line);
                    // No box can be taken, so that the turn changes.
                    losses.add(lead(&game), value, -self::value(&then, &mut solver)?, nodes);
                }
            }
            for (((name, _), losses), sum) in builds.iter().zip(losses).zip(&mut sums) {
                println!("| {kind} | {left} | {name} | {losses} |");
                sum.join(losses);
            }
        }
        for ((name, _), sum) in builds.iter().zip(sums) {
            println!("| {kind} | all | {name} | {sum} |");
        }
    }
    Ok(())
}

/// Results for a number of lines.
#[derive(Clone, Copy, Default)]
struct Losses {
    moves: u32,
    inexact: u32,
    won: u32,
    lost: u32,
    /// Unknown of other builds.
    nodes: Option<u64>,
}

impl Losses {
    /// A move to a position of this value; the best would keep `value`.
    fn add(&mut self, lead: i16, value: i16, kept: i16, nodes: Option<u64>) {
        self.moves += 1;
        self.inexact += u32::from(kept < value);
        self.won += u32::from(lead + value > 0);
        self.lost += u32::from(lead + value > 0 && lead + kept <= 0);
        self.nodes = nodes.map(|nodes| nodes + self.nodes.unwrap_or(0));
    }

    fn join(&mut self, other: Self) {
        self.moves += other.moves;
        self.inexact += other.inexact;
        self.won += other.won;
        self.lost += other.lost;
        self.nodes = other.nodes.map(|nodes| nodes + self.nodes.unwrap_or(0));
    }
}

impl std::fmt::Display for Losses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |part: u32, of: u32| 100.0 * f64::from(part) / f64::from(of.max(1));
        let inexact = percent(self.inexact, self.moves);
        write!(f, "{inexact:.1} % of {} | ", self.moves)?;
        write!(f, "{:.1} % of {} | ", percent(self.lost, self.won), self.won)?;
        match self.nodes {
            Some(nodes) => write!(f, "{}", nodes / u64::from(self.moves.max(1))),
            None => write!(f, "-"),
        }
    }
}

fn new() -> Dots {
    Dots::new(Size::DEFAULT)
}

fn after(lines: &[Line]) -> Dots {
    lines.iter().fold(new(), |mut game, line| {
        game.play(*line);
        game
    })
}

fn lead(game: &Dots) -> i16 {
    game.score(game.turn()) - game.score(game.turn().other())
}

fn value(game: &Dots, memory: &mut [u64]) -> Result<i16> {
    let solution = game.solve(memory, &mut Meter::new(Budget::UNLIMITED));
    Ok(solution.context("not solved")?.score)
}

/// Whether no box can be taken.
fn is_quiet(game: &Dots) -> bool {
    let mut quiet = true;
    game.for_each_move(|line| {
        let mut then = *game;
        then.play(line);
        quiet &= then.turn() != game.turn();
    });
    quiet
}

/// The lines that lead to positions in which no box can be taken.
fn positions(
    left: u32,
    count: usize,
    next: fn(&Dots, &mut Rng) -> Option<Line>,
) -> Result<Vec<Vec<Line>>> {
    let mut found = Vec::new();
    for seed in 0.. {
        let mut rng = Rng::new(mix_in(seed, left.into()));
        let (mut game, mut lines) = (new(), Vec::new());
        while game.count_moves() > left {
            let line = next(&game, &mut rng).context("no line")?;
            game.play(line);
            lines.push(line);
        }
        if is_quiet(&game) {
            found.push(lines);
        }
        if found.len() == count {
            break;
        }
    }
    Ok(found)
}

fn sensible(game: &Dots, rng: &mut Rng) -> Option<Line> {
    if game.count_moves() > OPENING_LEFT || rng.below(RANDOM) == 0 {
        return random(game, rng);
    }
    let variety = Variety::draw(rng, 100);
    let mut meter = Meter::new(Budget::nodes(NODES));
    game.think_varied(&mut vec![0; MEMORY * 128], &mut meter, variety, &mut |_| {})
}

/// A random line that gives no box away, while there is one.
fn safe(game: &Dots, rng: &mut Rng) -> Option<Line> {
    let mut lines = Vec::new();
    game.for_each_move(|line| {
        let mut then = *game;
        then.play(line);
        if is_quiet(&then) {
            lines.push(line);
        }
    });
    if lines.is_empty() {
        random(game, rng)
    } else {
        Some(lines[rng.below(lines.len() as u32) as usize])
    }
}

/// Who chooses moves.
enum Build {
    Here,
    Other(Other),
    Board(OnBoard),
}

impl Build {
    /// A move after these lines, and the nodes if they are known.
    fn choose(&mut self, lines: &[Line]) -> Result<(Line, Option<u64>)> {
        match self {
            Self::Here => {
                let mut meter = Meter::new(Budget::nodes(Dots::NODES_PER_BOARD_SECOND));
                let line = after(lines).think(&mut vec![0; MEMORY * 128], &mut meter, &mut |_| {});
                Ok((line.context("no line")?, Some(meter.nodes())))
            }
            Self::Other(other) => Ok((choose(lines, |command| other.ask(command))?, None)),
            Self::Board(board) => Ok((board.choose(lines)?, None)),
        }
    }
}

/// Another build of `corvid`, which is told positions as games.
struct Other {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Other {
    fn start(path: &str) -> Result<Self> {
        let (nodes, memory) = (Dots::NODES_PER_BOARD_SECOND.to_string(), MEMORY.to_string());
        let mut process = Command::new(path)
            .args(["gtp", "dots", "--nodes", &nodes, "--memory", &memory, "--seed", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {path}"))?;
        let input = process.stdin.take().context("no input")?;
        let output = BufReader::new(process.stdout.take().context("no output")?);
        Ok(Self { process, input, output })
    }

    fn ask(&mut self, command: &str) -> Result<String> {
        writeln!(self.input, "{command}")?;
        self.input.flush()?;
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            ensure!(self.output.read_line(&mut line)? > 0, "no answer to {command}");
            match line.trim_end() {
                "" if !answer.is_empty() => break,
                text => answer.push_str(text),
            }
        }
        Ok(answer.strip_prefix('=').with_context(|| format!("{command}: {answer}"))?.trim().into())
    }
}

/// Tells someone a game, and asks for the next move.
fn choose(lines: &[Line], mut ask: impl FnMut(&str) -> Result<String>) -> Result<Line> {
    ask("new dots 5x5")?;
    let mut game = new();
    for line in lines {
        let (a, b) = game.size().dots(*line);
        let color = Dots::COLORS[game.turn().index()].name;
        ask(&format!("play {color} {},{}-{},{}", a.0, a.1, b.0, b.1))?;
        game.play(*line);
    }
    let color = Dots::COLORS[game.turn().index()].name;
    let answer = ask(&format!("reg_genmove {color}"))?;
    game.parse_move(&answer).ok().with_context(|| format!("no line: {answer}"))
}

/// The emulated LM3S6965, with a second of its own clock for a move.
struct OnBoard {
    board: Lm3s6965evb,
    /// The most board milliseconds that a move took.
    slowest: u64,
}

impl OnBoard {
    fn start() -> Result<Self> {
        let mut board = Self { board: Lm3s6965evb::start()?, slowest: 0 };
        for command in ["new dots 5x5", "level 9", "time_settings 0 1 1"] {
            board.ask(command)?;
        }
        Ok(board)
    }

    fn ask(&mut self, command: &str) -> Result<String> {
        let answer = self.board.ask(command, PATIENCE)?;
        Ok(answer.strip_prefix('=').with_context(|| format!("{command}: {answer}"))?.trim().into())
    }

    fn choose(&mut self, lines: &[Line]) -> Result<Line> {
        let mut begun = 0;
        let line = choose(lines, |command| {
            if command.starts_with("reg_genmove") {
                begun = cputime(&mut self.board)?;
            }
            self.ask(command)
        })?;
        self.slowest = self.slowest.max(cputime(&mut self.board)? - begun);
        Ok(line)
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// This build's score in an opening, played from both seats.
fn play_pair(earlier: &mut Build, seed: u64) -> Result<f64> {
    let mut score = 0.0;
    for seat in [Player::FIRST, Player::SECOND] {
        let mut rng = Rng::new(1000 + seed);
        let (mut game, mut lines) = (new(), Vec::new());
        while !game.is_over() {
            let line = if lines.len() < OPENING as usize {
                random(&game, &mut rng).context("no line")?
            } else if game.turn() == seat {
                Build::Here.choose(&lines)?.0
            } else {
                earlier.choose(&lines)?.0
            };
            game.play(line);
            lines.push(line);
        }
        let lead = game.score(seat) - game.score(seat.other());
        score += f64::from(lead.signum() + 1) / 4.0;
    }
    Ok(score)
}
