//! `cargo bench -q -p corvid-benches --bench strength > docs/strength.md`: how strong Blokus is, and
//! what each part of its search is worth.
//!
//! With arguments it plays matches of Duo: `-- GAMES PLAYER PLAYER ...`, a player being `largest`,
//! `uct:N` or `N[,part=value...]`, N simulations with parts of the search changed:
//! `-- 200 300,endgame=0 300`. `-- quick` plays a quarter of the page's games and no earlier versions,
//! `-- variety [GAME]` plays the section on variety, `-- processors` that on two processors, `-- othello` and `-- adjacency` those on these games,
//! `-- dots [CORVID]` measures Dots and Boxes, and an earlier build of `corvid` beside it, `-- dots board`
//! Dots and Boxes on the LM3S6965, `-- board` measures the LM3S6965
//! alone, `-- versions` plays earlier versions, which it builds from their commits. `-- boards [GAMES]` plays
//! the section on boards, or only so many games a row.

mod adjacency;
mod boards;
mod dots;
mod othello;
mod processors;
mod variety;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};
use corvid::statistics::paired;
use corvid_benches::{MEMORY, OPENING, match_conditions, play_opening};
use corvid_core::bots::greedy;
use corvid_core::engine::Engine;
use corvid_core::game::Game;
use corvid_core::games::blokus::tuning::{FEATURES, Learnt, PHASES, Parameters, STAGES, WEIGHTS};
use corvid_core::games::blokus::{Blokus, Classic, Duo, Move};
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::search::budget::{Budget, Meter};
use corvid_tests::opponents::blokus::PlainUct;
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rates::Plies;
use serde_json::Value;

/// A match of a table: what it shows, the two players and the games.
type Row = (&'static str, &'static str, &'static str, u32);

const LADDER: [Row; 7] = [
    ("1,000 simulations against the largest piece first", "1000", "largest", 100),
    ("against plain UCT, as many simulations", "1000", "uct:1000", 100),
    ("against plain UCT, ten times as many", "1000", "uct:10000", 40),
    ("against a quarter of the simulations", "1000", "250", 400),
    ("4,000 against 1,000", "4000", "1000", 400),
    ("10,000 against 1,000", "10000", "1000", 200),
    (
        "100,000 in 64 MB (about a second of a PC) against 10,000",
        "100000,memory=65536",
        "10000",
        40,
    ),
];

const PARTS: [Row; 11] = [
    ("learnt priors, against priors by the size of the piece", "1000", "1000,prior=0", 200),
    ("learnt values, against values by points and near squares", "1000", "1000,value=0", 200),
    ("the weight of priors against results, against half of it", "1000", "1000,c=4", 400),
    ("the weight of priors against results, against twice as much", "1000", "1000,c=16", 400),
    ("forgetting in a full tree, 1,000 simulations", "1000", "1000,forget=0", 400),
    ("forgetting in a full tree, 4,000 simulations", "4000", "4000,forget=0", 200),
    (
        "expanding three children at a time in a full tree, 10,000 simulations",
        "10000",
        "10000,narrow=63",
        200,
    ),
    ("reusing the tree of the last move", "1000", "1000,reuse=0", 800),
    ("considering only the best 200 placements (for speed)", "1000", "1000,listed=9999", 400),
    ("exact endgames", "1000", "1000,endgame=0", 400),
    ("the board's memory instead of 8 KB", "1000", "1000,memory=8", 200),
];

const MORE_MEMORY: [Row; 2] = [
    ("1,000 simulations in 4 MB against the board's memory", "1000,memory=4096", "1000", 400),
    ("10,000 simulations in 4 MB against the board's memory", "10000,memory=4096", "10000", 200),
];

/// A game of Classic against three of the same kind.
const CLASSIC: [Row; 3] = [
    ("the largest piece first", "530", "largest", 40),
    ("a quarter of the simulations", "530", "130", 80),
    ("without learnt priors and values", "530", "530,prior=0,value=0", 80),
];

/// Earlier versions by their commits, and what they were.
const VERSIONS: [(&str, &str); 3] = [
    ("7a39929", "the first with learnt priors"),
    ("d3c9148", "the last with playouts and RAVE"),
    ("c49b568", "the last with nine features and a new tree for every move"),
];

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.as_slice() {
        [word] if word == "board" => on_the_board(),
        [word] if word == "othello" => othello::section(|games| games, true),
        [word, part] if word == "othello" && part == "game" => othello::through_a_game(),
        [word] if word == "boards" => boards::section(|games| games),
        [word, games] if word == "boards" => {
            let games = games.parse()?;
            boards::section(|_| games)
        }
        [word] if word == "processors" => processors::section(|games| games),
        [word] if word == "adjacency" => adjacency::section(|games| games, true),
        [word] if word == "variety" => variety::section(|games| games),
        [word, game] if word == "variety" => variety::rows(game, |games| games),
        [word] if word == "dots" => dots::section(None),
        [word, board] if word == "dots" && board == "board" => dots::board(),
        [word, earlier] if word == "dots" => dots::section(Some(earlier)),
        [word] if word == "versions" => versions(),
        [games, players @ ..] if !players.is_empty() => {
            for pair in players.chunks(2) {
                let [one, other] = pair else { bail!("players come in pairs") };
                println!("{one} - {other}: {}", Match::play(one, other, games.parse()?)?);
            }
            Ok(())
        }
        [word] if word == "quick" => document(Share::Quarter),
        _ => document(Share::All),
    }
}

/// How much of the page's games is played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    All,
    Quarter,
}

impl Share {
    /// That many games, in whole rounds of the seats.
    fn of(self, games: u32) -> u32 {
        match self {
            Self::All => games,
            Self::Quarter => (games / 16 * 4).max(20),
        }
    }

    /// How the page is printed.
    const fn command(self) -> &'static str {
        match self {
            Self::All => {
                "This page is printed by `cargo bench -q -p corvid-benches --bench strength` (more than half an\nhour on two idle cores)."
            }
            Self::Quarter => {
                "This page is printed by `cargo bench -q -p corvid-benches --bench strength -- quick`: a quarter of the\ngames that it plays without `quick`, and no earlier versions."
            }
        }
    }
}

/// Prints docs/strength.md.
fn document(share: Share) -> Result<()> {
    println!(
        "# How strong Corvid is

{}
The figures of the other games are in [search.md](search.md), those of the bots in [seeds.md](seeds.md), and
matches against other people's programs in [matches.md](matches.md).

## Blokus Duo

A board second is {} simulations.
{}
Scores are in per cent of the points, with 95 % confidence intervals from the variance between pairs
of games. `-- GAMES PLAYER PLAYER` plays any match again, with exactly the same games.

| match | score of the first | Elo | lead in squares |
|---|---|---|---|",
        share.command(),
        Duo::NODES_PER_BOARD_SECOND,
        match_conditions()
    );
    for (what, one, other, games) in LADDER {
        println!("| {what} | {} |", Match::play(one, other, share.of(games))?);
    }
    println!(
        "
The search against itself without one of its parts:

| part | score with it | Elo | lead in squares |
|---|---|---|---|"
    );
    for (what, one, other, games) in PARTS {
        println!("| {what} | {} |", Match::play(one, other, share.of(games))?);
    }
    println!(
        "\nMore memory:\n\n| match | score of the first | Elo | lead in squares |\n|---|---|---|---|"
    );
    for (what, one, other, games) in MORE_MEMORY {
        println!("| {what} | {} |", Match::play(one, other, share.of(games))?);
    }
    if share == Share::All {
        println!(
            "
Against earlier versions, built from their commits, each with the simulations of its own board second
(`-- versions`):
"
        );
        versions()?;
    }
    println!(
        "
## Blokus Classic

530 simulations, less than a board second, against three opponents of one kind. A player of their
strength would have a mean place of 2.5.

| against three of | mean place | games |
|---|---|---|"
    );
    for (what, one, other, games) in CLASSIC {
        let games = share.of(games);
        println!("| {what} | {:.2} | {games} |", mean_place(one, other, games)?);
    }
    println!();
    variety::section(|games| share.of(games))?;
    println!();
    dots::section(None)?;
    let mut one = Contender::parse("1000")?;
    (0..20).try_for_each(|seed| {
        play_duo([&mut one, &mut Contender::parse("1000")?], 0, seed).map(drop)
    })?;
    println!(
        "\n## Speed\n\nOne thread of this PC does {:.0} simulations a second, in 20 games of Duo at 1,000 a \
         move.\nThe LM3S6965, with its display and serial port at work:\n",
        one.simulations as f64 / one.seconds
    );
    on_the_board()?;
    println!();
    othello::section(|games| share.of(games), share == Share::All)?;
    println!();
    adjacency::section(|games| share.of(games), share == Share::All)?;
    println!();
    boards::section(|games| share.of(games))?;
    println!();
    processors::section(|games| share.of(games))
}

/// Plays against earlier versions, each with the simulations of its own board second per move.
fn versions() -> Result<()> {
    const GAMES: u32 = 200;
    println!("| version | score against it | Elo | lead in squares |\n|---|---|---|---|");
    for (commit, what) in VERSIONS {
        let player = format!("gtp blokus-duo --board-seconds 1 --memory {MEMORY} --seed 1");
        let players = format!("board-seconds:1,gtp:{} {player}", version(commit)?.display());
        let game = format!("blokus-duo --memory {MEMORY}");
        let record = arena(&game, OPENING, GAMES, &players)?;
        println!("| {commit}, {what} | {} |", Match::of_record(&record)?);
    }
    Ok(())
}

/// Builds the program of a folder.
fn build(folder: &Path) -> Result<PathBuf> {
    let target = folder.join("target");
    run(Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "-p", "corvid", "--target-dir"])
        .arg(&target)
        .current_dir(folder))?;
    Ok(target.join("release/corvid"))
}

/// Builds an earlier version from its commit.
fn version(commit: &str) -> Result<PathBuf> {
    let root = xtask::root();
    let folder = root.join("target/versions").join(commit);
    if !folder.exists() {
        let add = ["worktree", "add", "--detach"];
        run(Command::new("git").args(add).arg(&folder).arg(commit).current_dir(&root))?;
    }
    build(&folder)
}

/// Plays a match of the present version and returns its record. `game` is the game with its options.
fn arena(game: &str, opening: u32, games: u32, players: &str) -> Result<Vec<u8>> {
    let root = xtask::root();
    let record = root.join("target/versions/games.json");
    // An existing record would be resumed.
    if record.exists() {
        std::fs::remove_file(&record)?;
    }
    run(Command::new(build(&root)?)
        .arg("arena")
        .args(game.split(' '))
        .args(["--openings", &opening.to_string(), "--games", &games.to_string()])
        .arg("--json")
        .arg(&record)
        .args(["--players", players]))?;
    Ok(std::fs::read(record)?)
}

/// Runs a command to completion and returns what it printed.
fn run(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().context("cannot start")?;
    ensure!(output.status.success(), "{command:?}: {}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// How many simulations the LM3S6965 does in a board second, through a game against itself.
fn on_the_board() -> Result<()> {
    println!("| game | plies | simulations a board second |\n|---|---|---|");
    for (kind, nodes, players) in [
        (GameKind::BlokusDuo, Duo::NODES_PER_BOARD_SECOND, 2),
        (GameKind::BlokusClassic, Classic::NODES_PER_BOARD_SECOND, 4),
    ] {
        let Plies(plies) = Plies::measure(&mut Lm3s6965evb::start()?, kind, nodes, usize::MAX)?;
        let part = 2 * players;
        for (place, some) in plies.chunks(part).enumerate() {
            let first = place * part + 1;
            let last = first + some.len() - 1;
            println!("| {kind} | {first} to {last} | {} |", Plies::rate(some));
        }
        println!("| {kind} | all | {} |", Plies::rate(&plies));
    }
    Ok(())
}

/// A player with its own memory.
struct Contender {
    kind: Kind,
    memory: Vec<u64>,
    simulations: u64,
    seconds: f64,
}

enum Kind {
    Largest,
    Uct(u32),
    /// Simulations, and what is changed.
    Search(u64, Vec<(String, u32)>),
    /// The same with a table that `corvid tune` wrote.
    Table(u64, Box<Learnt>),
}

impl Contender {
    fn parse(text: &str) -> Result<Self> {
        let mut kilobytes = MEMORY;
        let kind = if text == "largest" {
            Kind::Largest
        } else if let Some(simulations) = text.strip_prefix("uct:") {
            Kind::Uct(simulations.parse()?)
        } else if let Some((simulations, path)) = text.split_once(",table=") {
            Kind::Table(simulations.parse()?, Box::new(read_table(path)?))
        } else {
            let mut words = text.split(',');
            let simulations = words.next().unwrap_or_default().parse()?;
            let mut parts = Vec::new();
            for word in words {
                let (part, value) = word.split_once('=').context("part=value")?;
                let value = value.parse()?;
                match part {
                    "memory" => kilobytes = value as usize,
                    _ => parts.push((part.to_owned(), value)),
                }
            }
            let mut learnt = Duo::PARAMETERS.learnt.clone();
            change(&mut Duo::PARAMETERS.clone(), &mut learnt, &parts)?;
            Kind::Search(simulations, parts)
        };
        Ok(Self { kind, memory: vec![0; kilobytes * 128], simulations: 0, seconds: 0.0 })
    }

    fn choose<const P: usize, const W: usize>(
        &mut self,
        game: &Blokus<P, W>,
        rng: &mut Rng,
    ) -> Result<Option<Move>> {
        let mut options = Blokus::<P, W>::PARAMETERS;
        let mut learnt = options.learnt.clone();
        let simulations = match &self.kind {
            Kind::Largest => return Ok(greedy(game, rng)),
            Kind::Uct(_) => bail!("plain UCT plays Duo alone"),
            Kind::Search(simulations, parts) => {
                change(&mut options, &mut learnt, parts)?;
                *simulations
            }
            Kind::Table(simulations, table) => {
                learnt = (**table).clone();
                *simulations
            }
        };
        let options = Parameters { learnt: &learnt, ..options };
        let begun = Instant::now();
        let mut meter = Meter::new(Budget::nodes(simulations));
        let mut exact = false;
        let mv = game.monte_carlo_with(&mut self.memory, &mut meter, rng, options, &mut |report| {
            exact |= report.exact;
        });
        // Solved endgames are not simulations.
        if !exact {
            self.simulations += meter.nodes();
            self.seconds += begun.elapsed().as_secs_f64();
        }
        Ok(mv)
    }
}

/// Changes parts of the search.
fn change(
    options: &mut Parameters<'_>,
    learnt: &mut Learnt,
    parts: &[(String, u32)],
) -> Result<()> {
    for (part, value) in parts {
        match part.as_str() {
            "c" => options.explore = *value,
            "root" => options.width[0] = *value as usize,
            "width" => options.width[1] = *value as usize,
            "narrow" => options.narrow = *value as usize,
            "listed" => options.listed = *value as usize,
            "forget" => options.techniques.forget = *value != 0,
            "reuse" => options.techniques.reuse = *value != 0,
            "endgame" => options.techniques.endgame = *value != 0,
            "prior" if *value == 0 => learnt.prior = Learnt::START.prior,
            "value" if *value == 0 => learnt.value = Learnt::START.value,
            _ => bail!("no part {part}={value}"),
        }
    }
    Ok(())
}

/// A table that `corvid tune` wrote.
fn read_table(path: &str) -> Result<Learnt> {
    let text = std::fs::read_to_string(path)?;
    let numbers = text.split("prior: [").nth(1).context("no table")?;
    let numbers: Vec<i16> = numbers
        .split(|c: char| !c.is_ascii_digit() && c != '-')
        .filter_map(|number| number.parse().ok())
        .collect();
    let mut learnt = Learnt::START;
    let (prior, value) = numbers.split_at_checked(FEATURES * PHASES).context("short table")?;
    ensure!(value.len() == STAGES * WEIGHTS, "not a table of this version");
    for (to, from) in learnt.prior.iter_mut().flatten().zip(prior) {
        *to = i8::try_from(*from)?;
    }
    for (to, from) in learnt.value.iter_mut().flatten().zip(value) {
        *to = *from;
    }
    Ok(learnt)
}

/// The result of a match for the first of the two.
#[derive(Default)]
struct Match {
    /// The score of each pair of games.
    pairs: Vec<f64>,
    /// Squares ahead, over all games.
    lead: f64,
}

impl Match {
    /// Plays on all cores; the result does not depend on how many there are.
    fn play(one: &str, other: &str, games: u32) -> Result<Self> {
        let threads = thread::available_parallelism()?.get();
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|first| {
                    scope.spawn(move || {
                        Self::play_pairs(one, other, (first as u32..games / 2).step_by(threads))
                    })
                })
                .collect();
            let mut result = Self::default();
            for worker in workers {
                let part = worker.join().map_err(|_| anyhow!("a game failed"))??;
                result.pairs.extend(part.pairs);
                result.lead += part.lead;
            }
            Ok(result)
        })
    }

    fn play_pairs(one: &str, other: &str, pairs: impl Iterator<Item = u32>) -> Result<Self> {
        let mut players = [Contender::parse(one)?, Contender::parse(other)?];
        let mut result = Self::default();
        for pair in pairs {
            let first = play_duo(players.each_mut(), 0, pair.into())?;
            let second = play_duo(players.each_mut(), 1, pair.into())?;
            result.add([first, second]);
        }
        Ok(result)
    }

    /// The games that `corvid arena` recorded, in which the players swap seats every game.
    fn of_record(json: &[u8]) -> Result<Self> {
        let record: Value = serde_json::from_slice(json)?;
        let games = record["games"].as_array().context("no games")?;
        let mut result = Self::default();
        for pair in games.chunks_exact(2) {
            let score =
                |game: usize, seat: usize| pair[game]["scores"][seat].as_i64().context("no score");
            let first = score(0, 0)? - score(0, 1)?;
            let second = score(1, 1)? - score(1, 0)?;
            result.add([first.try_into()?, second.try_into()?]);
        }
        Ok(result)
    }

    /// Adds the two games of an opening by the leads in them.
    fn add(&mut self, leads: [i16; 2]) {
        let points = leads.map(|lead| f64::from(lead.signum() + 1) / 2.0);
        self.pairs.push((points[0] + points[1]) / 2.0);
        self.lead += f64::from(leads[0] + leads[1]);
    }
}

/// A game; the lead of the first of the two, who has seat `first`.
fn play_duo(mut players: [&mut Contender; 2], first: usize, seed: u64) -> Result<i16> {
    let game = play(Duo::default(), seed, |game, rng| {
        let player = &mut players[game.turn().index() ^ first];
        match player.kind {
            Kind::Uct(simulations) => {
                Ok(PlainUct::new(simulations, rng.next_u32().into()).choose(game))
            }
            _ => player.choose(game, rng),
        }
    })?;
    let lead = game.score(Player::FIRST) - game.score(Player::SECOND);
    Ok(if first == 0 { lead } else { -lead })
}

/// The mean place of one player among three others in Classic; equal players share their places.
fn mean_place(one: &str, other: &str, games: u32) -> Result<f64> {
    let mut players = [Contender::parse(one)?, Contender::parse(other)?];
    let mut places = 0.0;
    for number in 0..games {
        let seat = number as usize % 4;
        let game = play(Classic::default(), (number / 4).into(), |game, rng| {
            players[usize::from(game.turn().index() != seat)].choose(game, rng)
        })?;
        let scores: Vec<i16> = Player::all(4).map(|player| game.score(player)).collect();
        let ahead = scores.iter().filter(|score| **score > scores[seat]).count();
        let equal = scores.iter().filter(|score| **score == scores[seat]).count() - 1;
        places += 1.0 + ahead as f64 + equal as f64 / 2.0;
    }
    Ok(places / f64::from(games))
}

/// A game; the opening depends on the seed alone.
fn play<const P: usize, const W: usize>(
    start: Blokus<P, W>,
    seed: u64,
    mut choose: impl FnMut(&Blokus<P, W>, &mut Rng) -> Result<Option<Move>>,
) -> Result<Blokus<P, W>> {
    let mut rng = Rng::new(1000 + seed);
    let mut game = start;
    play_opening(&mut game, &mut rng);
    while !game.is_over() {
        let mv = match game.forced_pass() {
            Some(pass) => Some(pass),
            None => choose(&game, &mut rng)?,
        };
        let mv = mv.context("no move")?;
        ensure!(game.check(mv).is_ok(), "an illegal move: {mv:?}");
        game.play(mv);
    }
    Ok(game)
}

impl std::fmt::Display for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let score = paired(&self.pairs);
        let games = 2 * self.pairs.len();
        let lead = self.lead / games as f64;
        write!(f, "{score} of {games} | {} | {lead:+.1}", score.elo_text())
    }
}
