//! Learns what placements of Blokus are worth.
//! The search plays against itself; its visit counts say how good each placement turned out to be.
//! Weights are fitted so that the softmax over the placements approximates the visits, and the
//! next generation of games is played with them.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use corvid::tune::blokus::lines::{Turn, parse_line, write_line};
use corvid_core::bots::greedy;
use corvid_core::game::Game;
use corvid_core::games::blokus::tuning::{
    self, FEATURES, LARGEST, Learnt, MEASURES, PHASES, Parameters, STAGES, Sight, Stage,
    Techniques, Values, WEIGHTS, Weights,
};
use corvid_core::games::blokus::{Blokus, Classic, Duo, Move, StartRule};
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::search::budget::{Budget, Meter};

use super::progress;
use crate::args::TuneArgs;
use crate::failure::Failure;

/// Memory for the search, in slots: enough for every placement of the root.
const SLOTS: usize = 1 << 16;
/// Plies in which placements are chosen in proportion to their visits, for variety.
const VARIED: usize = 10;
/// Passes of the fit over all positions.
const EPOCHS: u32 = 12;
/// A doubling has 16 units.
const UNIT: f64 = std::f64::consts::LN_2 / 16.0;

/// How much is played.
struct Run {
    generations: u32,
    games: u32,
    sims: u64,
}

impl Run {
    fn new(args: &TuneArgs) -> Self {
        Self {
            generations: args.generations.unwrap_or(4),
            games: args.games.unwrap_or(400),
            sims: args.sims.unwrap_or(400),
        }
    }
}

/// Plays, fits and writes the table.
pub(super) fn run(args: &TuneArgs) -> Result<(), Failure> {
    let (name, learnt) = match args.game {
        GameKind::BlokusDuo => ("DUO", learn(args, Duo::new(StartRule::Own), Duo::PARAMETERS)?),
        GameKind::BlokusClassic => {
            ("CLASSIC", learn(args, Classic::default(), Classic::PARAMETERS)?)
        }
        other => return Err(Failure::Usage(format!("{other} has nothing to tune"))),
    };
    let table = table(args, name, &learnt);
    match &args.out {
        Some(path) => fs::write(path, table)?,
        None => io::stdout().write_all(table.as_bytes())?,
    }
    Ok(())
}

fn learn<const P: usize, const W: usize>(
    args: &TuneArgs,
    start: Blokus<P, W>,
    parameters: Parameters<'_>,
) -> Result<Learnt, Failure> {
    let mut log = Log::open(args.log.as_deref())?;
    let mut learnt = Learnt::START;
    let mut fitted = initial(&learnt.prior);
    let Run { generations, games, sims } = Run::new(args);
    for generation in 0..generations {
        let mut data = Data::default();
        for game in 0..games {
            let turns = match log.next(generation, game, start)? {
                Some(turns) => turns,
                None => {
                    let seed = args.seed ^ u64::from(generation) << 40 ^ u64::from(game) << 8;
                    let parameters = Parameters { learnt: &learnt, ..parameters };
                    let turns = play(start, parameters, sims, &mut Rng::new(seed));
                    log.add(generation, game, &turns)?;
                    turns
                }
            };
            data.add(start, &turns);
            let part = format!("generation {}/{generations}", generation + 1);
            progress(&part, game as usize + 1, games as usize, "games");
        }
        let loss = fit(&mut fitted, &data, &mut Rng::new(args.seed));
        let (value, surprise) = fit_values(&data);
        learnt = Learnt { prior: rounded(&fitted), value };
        eprintln!(
            "\rgeneration {}: {} positions, {loss:.3} nats from the visits, results {surprise:.4}",
            generation + 1,
            data.positions.len()
        );
    }
    Ok(learnt)
}

/// A game of the search against itself.
fn play<const P: usize, const W: usize>(
    start: Blokus<P, W>,
    parameters: Parameters<'_>,
    sims: u64,
    rng: &mut Rng,
) -> Vec<Turn> {
    let mut memory = vec![0; SLOTS];
    let mut game = start;
    let mut turns = Vec::new();
    let parameters = Parameters {
        width: [63, parameters.width[1]],
        variety: [4, 4],
        close: 0,
        techniques: Techniques { reuse: false, ..Techniques::ALL },
        ..parameters
    };
    while !game.is_over() {
        if let Some(pass) = game.forced_pass() {
            game.play(pass);
            continue;
        }
        let mut visits = Vec::new();
        let chosen = if turns.len() < P && rng.below(2) == 0 {
            greedy(&game, rng)
        } else {
            let mut meter = Meter::new(Budget::nodes(sims));
            let best = game.monte_carlo_with(&mut memory, &mut meter, rng, parameters, &mut |_| {});
            tuning::visits(&mut memory, &mut |placement, count| visits.push((placement, count)));
            best
        };
        let Some(Move::Place(mut played)) = chosen else { break };
        if turns.len() < VARIED * P / 2 && !visits.is_empty() {
            let total: u32 = visits.iter().map(|(_, count)| count).sum();
            let mut at = rng.below(total);
            for &(placement, count) in &visits {
                if at < count {
                    played = placement;
                    break;
                }
                at -= count;
            }
        }
        visits.retain(|(_, count)| *count > 0);
        turns.push(Turn { played, visits });
        game.play(Move::Place(played));
    }
    turns
}

/// The games played so far, one per line, so that an interrupted run can be resumed.
struct Log {
    file: Option<File>,
    lines: std::vec::IntoIter<String>,
}

impl Log {
    fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self { file: None, lines: Vec::new().into_iter() });
        };
        let text = if path.exists() { fs::read_to_string(path)? } else { String::new() };
        // The game of a truncated line is played again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let lines: Vec<String> = text[..whole].lines().map(str::to_owned).collect();
        if whole < text.len() {
            fs::write(path, &text[..whole])?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file: Some(file), lines: lines.into_iter() })
    }

    fn next<const P: usize, const W: usize>(
        &mut self,
        generation: u32,
        game: u32,
        start: Blokus<P, W>,
    ) -> Result<Option<Vec<Turn>>, Failure> {
        let Some(line) = self.lines.next() else { return Ok(None) };
        parse_line(&line, generation, game, start).map(Some).ok_or_else(|| {
            Failure::Other(format!(
                "the log's game {game} of generation {generation} is damaged or of another run; \
                 take another file"
            ))
        })
    }

    fn add(&mut self, generation: u32, game: u32, turns: &[Turn]) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            file.write_all(write_line(generation, game, turns).as_bytes())?;
        }
        Ok(())
    }
}

/// Positions to learn from, all in a few vectors.
#[derive(Debug, Default)]
struct Data {
    positions: Vec<Position>,
    /// The share of visits of each placement, and where its features end.
    placements: Vec<(f32, usize)>,
    features: Vec<u8>,
    leads: Vec<Lead>,
}

/// The lead of one player over another in a position, and the result of the game.
#[derive(Debug)]
struct Lead {
    stage: Stage,
    /// The features of the player to move, the negated ones of the other, and the turn.
    of: [f64; WEIGHTS],
    /// 1 for a win, 0 for a loss.
    result: f64,
}

#[derive(Debug)]
struct Position {
    phase: usize,
    first: usize,
    end: usize,
}

impl Data {
    fn add<const P: usize, const W: usize>(&mut self, start: Blokus<P, W>, turns: &[Turn]) {
        let mut game = start;
        let first_lead = self.leads.len();
        let mut sides = Vec::new();
        for turn in turns {
            while let Some(pass) = game.forced_pass() {
                game.play(pass);
            }
            let (measured, stage) = tuning::measures(&game);
            let own = game.turn().index();
            for other in (0..P).filter(|other| *other != own) {
                let mut of = [1.0; WEIGHTS];
                for measure in 0..MEASURES {
                    of[measure] = f64::from(measured[own][measure]);
                    of[MEASURES + measure] = -f64::from(measured[other][measure]);
                }
                self.leads.push(Lead { stage, of, result: 0.0 });
                sides.push((own, other));
            }
            let total: u32 = turn.visits.iter().map(|(_, count)| count).sum();
            if total > 0 {
                let sight = Sight::new(&game);
                let first = self.placements.len();
                game.for_each_move(|mv| {
                    let Move::Place(placement) = mv else { return };
                    let visits = turn.visits.iter().find(|(other, _)| *other == placement);
                    let share = visits.map_or(0.0, |(_, count)| *count as f32 / total as f32);
                    sight.features(placement, &mut |feature| self.features.push(feature as u8));
                    self.placements.push((share, self.features.len()));
                });
                let end = self.placements.len();
                self.positions.push(Position { phase: sight.phase, first, end });
            }
            game.play(Move::Place(turn.played));
        }
        let score = |seat: usize| Player::new(seat).map_or(0, |player| game.score(player));
        for (lead, (own, other)) in self.leads[first_lead..].iter_mut().zip(sides) {
            lead.result = f64::from((score(own) - score(other)).signum() + 1) / 2.0;
        }
    }

    /// A placement's share of visits and its features.
    fn placement(&self, index: usize) -> (f64, &[u8]) {
        let (share, end) = self.placements[index];
        let begin = if index == 0 { 0 } else { self.placements[index - 1].1 };
        (share.into(), &self.features[begin..end])
    }
}

type Fitted = [[f64; FEATURES]; PHASES];

fn initial(weights: &Weights) -> Fitted {
    weights.map(|phase| phase.map(|weight| f64::from(weight) * UNIT))
}

fn rounded(fitted: &Fitted) -> Weights {
    let largest = f64::from(LARGEST);
    fitted.map(|phase| phase.map(|weight| (weight / UNIT).round().clamp(-largest, largest) as i8))
}

/// Softmax regression by stochastic gradients with a step for each weight (AdaGrad). Returns the
/// final mean distance of the softmax from the visits.
fn fit(fitted: &mut Fitted, data: &Data, rng: &mut Rng) -> f64 {
    const STEP: f64 = 0.1;
    const DECAY: f64 = 1e-3;
    let mut squares = [[1e-2; FEATURES]; PHASES];
    let mut order: Vec<usize> = (0..data.positions.len()).collect();
    let mut loss = 0.0;
    for epoch in 0..EPOCHS {
        let step = STEP * (1.0 - f64::from(epoch) / f64::from(EPOCHS));
        loss = 0.0;
        rng.shuffle(&mut order);
        for &at in &order {
            let Position { phase, first, end } = data.positions[at];
            let weights = &mut fitted[phase];
            let scores: Vec<f64> = (first..end)
                .map(|index| {
                    data.placement(index)
                        .1
                        .iter()
                        .map(|&feature| weights[usize::from(feature)])
                        .sum()
                })
                .collect();
            let highest = scores.iter().copied().fold(f64::MIN, f64::max);
            let sum: f64 = scores.iter().map(|score| (score - highest).exp()).sum();
            let mut gradient = [0.0; FEATURES];
            for (index, score) in (first..end).zip(&scores) {
                let (share, features) = data.placement(index);
                let guess = (score - highest).exp() / sum;
                if share > 0.0 {
                    loss += share * (share / guess.max(1e-12)).ln();
                }
                for &feature in features {
                    gradient[usize::from(feature)] += guess - share;
                }
            }
            for (feature, gradient) in gradient.iter().enumerate() {
                let gradient = gradient + DECAY * weights[feature];
                squares[phase][feature] += gradient * gradient;
                weights[feature] -= step * gradient / squares[phase][feature].sqrt();
            }
        }
    }
    loss / data.positions.len().max(1) as f64
}

/// Logistic regression of results on leads by Newton's method, in 1024ths. Also returns how
/// surprising the results are.
fn fit_values(data: &Data) -> (Values, f64) {
    const ROUNDS: u32 = 8;
    /// The penalty for weights that differ between adjacent parts of the game: there are few
    /// positions of the first and the last one.
    const SMOOTH: f64 = 10.0;
    const N: usize = STAGES * WEIGHTS;
    let mut surprise = 0.0;
    let mut weights = vec![0.0; N];
    for _ in 0..ROUNDS {
        // The last column is the gradient; the term added to the diagonal keeps weights small.
        let mut system = vec![vec![0.0; N + 1]; N];
        for (row, line) in system.iter_mut().enumerate() {
            line[row] = 1.0;
            line[N] = weights[row];
            let before = row.checked_sub(WEIGHTS);
            let after = Some(row + WEIGHTS).filter(|other| *other < N);
            for other in [before, after].into_iter().flatten() {
                line[row] += SMOOTH;
                line[other] -= SMOOTH;
                line[N] += SMOOTH * (weights[row] - weights[other]);
            }
        }
        surprise = 0.0;
        for lead in &data.leads {
            // A lead counts for the parts of the game before it and after it.
            let Stage { part, past, of } = lead.stage;
            let after = f64::from(past) / f64::from(of.get());
            let first = part * WEIGHTS;
            let leads: [f64; 2 * WEIGHTS] = std::array::from_fn(|at| {
                if at < WEIGHTS {
                    lead.of[at] * (1.0 - after)
                } else {
                    lead.of[at - WEIGHTS] * after
                }
            });
            let sum: f64 = leads.iter().zip(&weights[first..]).map(|(x, w)| x * w).sum();
            let chance = 1.0 / (1.0 + (-sum).exp());
            surprise += sum.exp().ln_1p() - lead.result * sum;
            for (line, slope) in system[first..].iter_mut().zip(&leads) {
                let curve = slope * chance * (1.0 - chance);
                for (entry, x) in line[first..].iter_mut().zip(&leads) {
                    *entry += curve * x;
                }
                line[N] += slope * (chance - lead.result);
            }
        }
        for (weight, step) in weights.iter_mut().zip(solve(system)) {
            *weight -= step;
        }
    }
    let value = |at: usize| (weights[at] * 1024.0).round() as i16;
    let values =
        std::array::from_fn(|stage| std::array::from_fn(|index| value(stage * WEIGHTS + index)));
    (values, surprise / data.leads.len().max(1) as f64)
}

/// Solves linear equations whose right sides are the last column; the matrix is symmetric and
/// positive definite.
fn solve(mut system: Vec<Vec<f64>>) -> Vec<f64> {
    for pivot in 0..system.len() {
        let by = system[pivot][pivot];
        system[pivot].iter_mut().for_each(|entry| *entry /= by);
        let line = system[pivot].clone();
        for (_, other) in system.iter_mut().enumerate().filter(|(row, _)| *row != pivot) {
            let factor = other[pivot];
            if factor != 0.0 {
                other.iter_mut().zip(&line).for_each(|(entry, own)| *entry -= factor * own);
            }
        }
    }
    system.into_iter().filter_map(|line| line.last().copied()).collect()
}

/// The Rust source of the table.
fn table(args: &TuneArgs, name: &str, learnt: &Learnt) -> String {
    let TuneArgs { game, seed, .. } = args;
    let Run { generations, games, sims } = Run::new(args);
    let mut text = format!(
        "//! What placements are worth in {}. Made by `corvid tune {game} --generations \
         {generations} --games {games} --sims {sims} --seed {seed}`.\n\n\
         use super::prior::Learnt;\n\n\
         #[rustfmt::skip]\n\
         pub(super) static {name}: Learnt = Learnt {{\n",
        game.title()
    );
    rows(&mut text, "prior", &learnt.prior);
    rows(&mut text, "value", &learnt.value);
    text.push_str("};\n");
    text
}

fn rows<T: std::fmt::Display, const N: usize, const ROWS: usize>(
    text: &mut String,
    name: &str,
    rows: &[[T; N]; ROWS],
) {
    let _ = writeln!(text, "    {name}: [");
    for row in rows {
        text.push_str("        [");
        for (index, number) in row.iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if index % 20 == 0 => ",\n         ",
                _ => ", ",
            };
            let _ = write!(text, "{separator}{number}");
        }
        text.push_str("],\n");
    }
    text.push_str("    ],\n");
}
