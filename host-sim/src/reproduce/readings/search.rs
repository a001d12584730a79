//! Looks for the readings whose games end nearest to the published scores.
//!
//! One other choice usually makes another game, so the search is wide first and local only then.
//! Generations of samples shift towards the options of the nearest ones (the cross-entropy method);
//! then the nearest of all are mutated for as long as that helps.

use std::io::{self, Write};

use corvid_core::mix::Rng;

use super::{Corners, Direction, LITERAL, NEAREST, RESET, Reading, Replay, Seat, Straight};

/// Tables 4 and 5 of the document: LeakyAI and three Brute Force players, and four LeakyAIs.
pub(in super::super) const PUBLISHED: [[i16; 4]; 2] = [[20, -58, -13, -10], [-17, -22, -17, -20]];

/// How many generations of how many samples there are for a goal, and how many of each shape the
/// next.
const GENERATIONS: usize = 6;
const SAMPLES: usize = 1500;
const ELITE: usize = 30;
/// From how many of all samples the search goes on, and after how many mutations in vain it stops.
const STARTS: usize = 20;
const PATIENCE: u32 = 300;

/// The choices that the printed algorithm leaves open and core can make. Where the players begin
/// and how pieces are listed are open too, but are as they are in core.
const OPEN: [&str; 11] = [
    "ties",
    "direction",
    "straight",
    "turning",
    "spin",
    "lie",
    "at",
    "board",
    "mode",
    "fallback",
    "nest",
];

/// The choices that matter besides once every square has a value of its own.
const MORE_OPEN: [&str; 6] = ["corners", "adding", "unplayable", "clones", "lasting", "trigger"];

/// What is to be near: a table of the document, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Goal {
    BruteForce,
    Itself,
    Both,
}

impl Goal {
    const ALL: [Self; 3] = [Self::BruteForce, Self::Itself, Self::Both];

    const fn text(self) -> &'static str {
        match self {
            Self::BruteForce => "S0-19",
            Self::Itself => "S0-20",
            Self::Both => "both",
        }
    }
}

/// The sum of the absolute differences.
pub(in super::super) fn apart(scores: &[i16], published: &[i16]) -> u16 {
    scores.iter().zip(published).map(|(score, published)| score.abs_diff(*published)).sum()
}

/// A reading with the final scores of its two games.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Tried {
    reading: Reading,
    pub(in super::super) scores: [[i16; 4]; 2],
    /// How many of the first player's moves against Brute Force were made because no square had a
    /// value, and how many it made.
    fallbacks: [u32; 2],
}

impl Tried {
    pub(in super::super) fn new(reading: Reading) -> Self {
        let mut replay = Replay::new(reading);
        let brute = replay.play(Seat::AGAINST_BRUTE_FORCE);
        let [all, fallbacks] = replay.moves();
        let scores = [brute, replay.play(Seat::ALL_LEAKY)];
        Self { reading, scores, fallbacks: [fallbacks, all] }
    }

    /// How far the scores are from the published ones.
    pub(in super::super) fn distance(&self, goal: Goal) -> u16 {
        let [brute, itself] = [0, 1].map(|table| apart(&self.scores[table], &PUBLISHED[table]));
        match goal {
            Goal::BruteForce => brute,
            Goal::Itself => itself,
            Goal::Both => brute + itself,
        }
    }

    fn row(&self, out: &mut dyn Write, name: &str, goal: Goal) -> io::Result<()> {
        let text = |scores: [i16; 4]| scores.map(|score| score.to_string()).join(", ");
        let [brute, itself] = self.scores.map(text);
        let [fallbacks, all] = self.fallbacks;
        let words = self.reading.words().join("; ");
        let distance = self.distance(goal);
        writeln!(
            out,
            "| {name} | {distance} | {brute} | {itself} | {fallbacks} of {all} | {words} |"
        )
    }
}

/// A reading's distance, if it is at most `bound`. Plays only the games that are needed to know.
fn distance_within(reading: Reading, goal: Goal, bound: u16) -> Option<u16> {
    let mut replay = Replay::new(reading);
    let mut distance = 0;
    if goal != Goal::Itself {
        distance += apart(&replay.play(Seat::AGAINST_BRUTE_FORCE), &PUBLISHED[0]);
    }
    if goal != Goal::BruteForce && distance <= bound {
        distance += apart(&replay.play(Seat::ALL_LEAKY), &PUBLISHED[1]);
    }
    (distance <= bound).then_some(distance)
}

/// How likely each option of some choices is; all others are as in another reading.
struct Odds {
    base: Reading,
    weights: Vec<(usize, Vec<u32>)>,
}

impl Odds {
    /// The weights of a choice's options together, nearly.
    const SUM: u32 = 10_000;

    fn even(base: Reading, choices: &[usize]) -> Self {
        let weights = |choice: usize| {
            let options = Reading::OPTIONS[choice];
            vec![Self::SUM / options as u32; options]
        };
        let weights = choices.iter().map(|choice| (*choice, weights(*choice))).collect();
        Self { base, weights }
    }

    fn sample(&self, rng: &mut Rng) -> Reading {
        self.weights.iter().fold(self.base, |reading, (choice, weights)| {
            let mut rest = rng.below(weights.iter().sum());
            let mut option = 0;
            while option + 1 < weights.len() && rest >= weights[option] {
                rest -= weights[option];
                option += 1;
            }
            reading.with(*choice, option)
        })
    }

    /// Moves by a third to the options of these readings; none becomes impossible.
    fn shift(&mut self, elite: &[(u16, Reading)]) {
        for (choice, weights) in &mut self.weights {
            for (option, weight) in weights.iter_mut().enumerate() {
                let has =
                    |(_, reading): &&(u16, Reading)| reading.with(*choice, option) == *reading;
                let share =
                    elite.iter().filter(has).count() as u32 * Self::SUM / elite.len() as u32;
                *weight = (2 * *weight + share) / 3 + Self::SUM / 100;
            }
        }
    }
}

/// Mutates one to three choices at a time, and keeps what is no worse.
fn improve(start: (u16, Reading), goal: Goal, choices: &[usize], rng: &mut Rng) -> (u16, Reading) {
    let (mut distance, mut best) = start;
    let mut vain = 0;
    while vain < PATIENCE {
        vain += 1;
        let mut reading = best;
        for _ in 0..=rng.below(3) {
            let choice = choices[rng.below(choices.len() as u32) as usize];
            let option = rng.below(Reading::OPTIONS[choice] as u32);
            reading = reading.with(choice, option as usize);
        }
        if reading == best {
            continue;
        }
        if let Some(now) = distance_within(reading, goal, distance) {
            if now < distance {
                vain = 0;
            }
            (distance, best) = (now, reading);
        }
    }
    (distance, best)
}

/// The nearest reading that the search finds by these choices, with the median distance of the
/// first generation.
fn nearest(goal: Goal, base: Reading, choices: &[usize], rng: &mut Rng) -> (u16, Option<Reading>) {
    let mut odds = Odds::even(base, choices);
    let mut all: Vec<(u16, Reading)> = Vec::new();
    let mut median = 0;
    for generation in 0..GENERATIONS {
        let sample = |_| {
            let reading = odds.sample(rng);
            Some((distance_within(reading, goal, u16::MAX)?, reading))
        };
        let mut samples: Vec<_> = (0..SAMPLES).filter_map(sample).collect();
        samples.sort_by_key(|(distance, _)| *distance);
        if generation == 0 {
            median = samples[SAMPLES / 2].0;
        }
        samples.truncate(ELITE);
        odds.shift(&samples);
        all.extend(samples);
    }
    all.sort_by_key(|(distance, _)| *distance);
    all.dedup();
    all.truncate(STARTS);
    let found = all.into_iter().map(|start| improve(start, goal, choices, rng));
    (median, found.min_by_key(|(distance, _)| *distance).map(|(_, reading)| reading))
}

/// A reading in which every choice is random.
#[cfg(test)]
pub(in super::super) fn any(rng: &mut Rng) -> Reading {
    Odds::even(LITERAL, &(0..Reading::OPTIONS.len()).collect::<Vec<_>>()).sample(rng)
}

/// How the games against Brute Force end for some readings, each with all ties, turns, heuristic
/// boards and fallbacks.
fn compare(out: &mut dyn Write, what: &str, readings: &[(&str, Reading)]) -> io::Result<()> {
    writeln!(
        out,
        "\n| {what} | an opponent at -50 or less | the second | the first at 20 | mean distance |\n\
         |---|---|---|---|---|"
    )?;
    let open = ["ties", "turning", "spin", "lie", "board", "fallback"].map(index);
    let combinations: usize = open.iter().map(|choice| Reading::OPTIONS[*choice]).product();
    for (text, base) in readings {
        let (mut low, mut second, mut all, mut distance) = (0, 0, 0, 0);
        for mut number in 0..combinations {
            let mut reading = *base;
            for choice in open {
                reading = reading.with(choice, number % Reading::OPTIONS[choice]);
                number /= Reading::OPTIONS[choice];
            }
            let scores = Replay::new(reading).play(Seat::AGAINST_BRUTE_FORCE);
            low += u32::from(scores[1..].iter().any(|score| *score <= -50));
            second += u32::from(scores[1] <= -50);
            all += u32::from(scores[0] == 20);
            distance += u32::from(apart(&scores, &PUBLISHED[0]));
        }
        let share = |count: u32| 100.0 * f64::from(count) / combinations as f64;
        let mean = f64::from(distance) / combinations as f64;
        writeln!(
            out,
            "| {text} | {:.0} % | {:.0} % | {:.1} % | {mean:.0} |",
            share(low),
            share(second),
            share(all)
        )?;
    }
    Ok(())
}

/// The number of a choice.
fn index(name: &str) -> usize {
    Reading::NAMES.iter().position(|known| *known == name).unwrap_or(0)
}

/// Prints what was found before, what a search with this seed finds, and how the order of pieces
/// matters.
pub(in super::super) fn print(out: &mut dyn Write, seed: u64) -> io::Result<()> {
    writeln!(
        out,
        "## S0-19-readings: readings of the printed LeakyAI\n\n\
         Each reading plays two games, LeakyAI against three Brute Force players and four LeakyAIs; \
         published are {} and {}. The distance is the sum of the absolute differences. Fallbacks \
         are moves of the first player in S0-19 that the algorithm has no value for.\n\n\
         | | distance | S0-19 | S0-20 | fallbacks | reading |\n|---|---|---|---|---|---|",
        PUBLISHED[0].map(|score| score.to_string()).join(", "),
        PUBLISHED[1].map(|score| score.to_string()).join(", "),
    )?;
    Tried::new(LITERAL).row(out, "`leaky:seed`, both", Goal::Both)?;
    for (reading, goal) in NEAREST.into_iter().zip(Goal::ALL) {
        Tried::new(reading).row(out, &format!("nearest known, {}", goal.text()), goal)?;
    }
    let rng = &mut Rng::new(seed);
    let all: Vec<usize> = (0..Reading::OPTIONS.len()).collect();
    let open = OPEN.map(index);
    let reset = [&open[..], &MORE_OPEN.map(index)].concat();
    let searches =
        [("any", LITERAL, &all[..]), ("as printed", LITERAL, &open), ("sums reset", RESET, &reset)];
    for (name, base, choices) in searches {
        for goal in Goal::ALL {
            let (median, found) = nearest(goal, base, choices, rng);
            let name = format!("{name}, {} (half within {median})", goal.text());
            found.map_or(Ok(()), |reading| Tried::new(reading).row(out, &name, goal))?;
        }
    }
    let order = |direction, straight| Reading { direction, straight, ..LITERAL };
    compare(
        out,
        "as printed, by the order of the large pieces",
        &[
            (
                "I5, L5, N, P, U, Y, T5, V5, W, Z5, F, X",
                order(Direction::Forwards, Straight::Listed),
            ),
            ("L5 to X, then I5", order(Direction::Forwards, Straight::Last)),
            ("I5, then X to L5", order(Direction::Backwards, Straight::First)),
            ("X to L5, then I5", order(Direction::Backwards, Straight::Listed)),
        ],
    )?;
    let by_corners: Vec<_> = (Corners::ALL.iter().zip(Corners::TEXTS))
        .map(|(corners, text)| (*text, Reading { corners: *corners, ..RESET }))
        .collect();
    compare(out, "sums reset, by where the players begin", &by_corners)
}
