//! `cargo bench -p corvid-benches --bench strength`: how strong Blokus Duo is, and what each part
//! of its search is worth; prints the Blokus section of docs/strength.md.
//!
//! With arguments it plays one match: `-- GAMES PLAYER PLAYER`, a player being `largest`, `uct:N` or
//! `N[,part=value...]`, N simulations with parts of the search changed:
//! `-- 200 300,rave=0 300`.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use corvid_core::bots::greedy;
use corvid_core::game::Game;
use corvid_core::games::blokus::{Duo, FEATURES, Learnt, MEASURES, Move, Options, PHASES};
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::search::budget::{Budget, Meter};
use corvid_tests::board::Board;
use corvid_tests::opponents::blokus::PlainUct;
use corvid_tests::qemu::Lm3s6965evb;

/// Random plies before the players take over; every opening is played from both seats.
const OPENING: u32 = 2;

/// The memory of the LM3S6965 and what the matches are played with, in KB.
const MEMORY: usize = 40;

/// A match of the table: what it shows, the two players and the games.
const MATCHES: [(&str, &str, &str, u32); 14] = [
    ("the largest piece first", "300", "largest", 100),
    ("plain UCT, as many simulations", "300", "uct:300", 60),
    ("plain UCT, ten times as many", "300", "uct:3000", 20),
    ("a quarter of the simulations", "300", "75", 200),
    ("four times the simulations", "300", "1200", 200),
    ("without learnt priors and values", "300", "300,start=1", 200),
    ("without RAVE", "300", "300,rave=0,c=24", 200),
    ("without a judgement of the root's moves", "300", "300,judged=0", 200),
    ("with games played to the end, not judged", "300", "300,plies=100", 200),
    ("judged right below the tree", "300", "300,plies=0", 200),
    ("with random moves in playouts", "300", "300,tries=1", 200),
    ("without exact endgames", "300", "300,endgame=0", 200),
    ("in 8 KB", "300", "300,memory=8", 200),
    ("in 4 MB", "300", "300,memory=4096", 200),
];

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.as_slice() {
        [word] if word == "board" => on_the_board()?,
        [games, players @ ..] if !players.is_empty() => {
            for pair in players.chunks(2) {
                let [one, other] = pair else { bail!("players come in pairs") };
                println!("{one} - {other}: {:#}", Match::play(one, other, games.parse()?)?);
            }
        }
        _ => {
            println!("| 300 simulations a move, {MEMORY} KB, against | score | Elo | lead |");
            println!("|---|---|---|---|");
            for (what, one, other, games) in MATCHES {
                println!("| {what} | {} |", Match::play(one, other, games)?);
            }
            on_the_board()?;
        }
    }
    Ok(())
}

/// How many simulations the LM3S6965 does in a board second, through a game against itself. A search
/// may stop before its budget, so what counts is what it says it has done.
fn on_the_board() -> Result<()> {
    const PATIENCE: Duration = Duration::from_secs(600);
    println!("\n| game | plies | simulations a board second |\n|---|---|---|");
    for (kind, colors) in
        [("blokus-duo", &["b", "w"][..]), ("blokus-classic", &["1", "2", "3", "4"])]
    {
        let mut board = Lm3s6965evb::start()?;
        for command in [&format!("set_game {kind}"), "nodes 450", "progress on"] {
            let answer = board.ask(command, PATIENCE)?;
            ensure!(answer.starts_with('='), "{command}: {answer}");
        }
        let mut rates = Vec::new();
        for color in colors.iter().cycle() {
            let begun = milliseconds(&mut board)?;
            board.send(format!("genmove {color}\n").as_bytes())?;
            let answer = board.receive_until("\n\n", PATIENCE)?;
            let taken = milliseconds(&mut board)? - begun;
            // The last notice is that of the end; without one the move was forced. Endgames are
            // proven, not simulated.
            let notice = answer.lines().rfind(|line| line.starts_with("# depth "));
            let Some(notice) = notice.filter(|line| line.contains("hundredths")) else { break };
            let done = notice.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next());
            rates.push((done.context("no nodes")?.parse::<u64>()?, taken));
        }
        let print = |plies: &str, rates: &[(u64, u64)]| {
            let (done, taken) = rates.iter().fold((0, 0), |sum, x| (sum.0 + x.0, sum.1 + x.1));
            println!("| {kind} | {plies} | {} |", done * 1000 / taken.max(1));
        };
        let part = 2 * colors.len();
        for (place, rates) in rates.chunks(part).enumerate() {
            let first = place * part + 1;
            print(&format!("{first} to {}", first + rates.len() - 1), rates);
        }
        print("all", &rates);
    }
    Ok(())
}

/// The board's clock.
fn milliseconds(board: &mut Lm3s6965evb) -> Result<u64> {
    let answer = board.ask("cputime", Duration::from_secs(1))?;
    corvid_benches::milliseconds(&answer).context(answer)
}

/// A player with memory of its own.
struct Contender {
    kind: Kind,
    memory: Vec<u64>,
    simulations: u64,
    seconds: f64,
}

enum Kind {
    Largest,
    Uct(u32),
    Search(u64, Options<'static>),
}

impl Contender {
    fn parse(text: &str) -> Result<Self> {
        let mut kilobytes = MEMORY;
        let kind = if text == "largest" {
            Kind::Largest
        } else if let Some(simulations) = text.strip_prefix("uct:") {
            Kind::Uct(simulations.parse()?)
        } else {
            let mut words = text.split(',');
            let simulations = words.next().unwrap_or_default().parse()?;
            let mut options = Duo::OPTIONS;
            for word in words {
                let (part, value) = word.split_once('=').context("part=value")?;
                if part == "table" {
                    options.learnt = Box::leak(Box::new(read_table(value)?));
                    continue;
                }
                let value: u32 = value.parse()?;
                match part {
                    "c" => options.explore = value,
                    "root" => options.width[0] = value as usize,
                    "width" => options.width[1] = value as usize,
                    "listed" => options.listed = value as usize,
                    "faint" => options.faint = value,
                    "forget" => options.forget = value != 0,
                    "endgame" => options.endgame = value != 0,
                    "start" => options.learnt = &Learnt::START,
                    "memory" => kilobytes = value as usize,
                    _ => bail!("no part {part}"),
                }
            }
            Kind::Search(simulations, options)
        };
        Ok(Self { kind, memory: vec![0; kilobytes * 128], simulations: 0, seconds: 0.0 })
    }

    fn choose(&mut self, game: &Duo, rng: &mut Rng) -> Option<Move> {
        match self.kind {
            Kind::Largest => greedy(game, rng),
            Kind::Uct(simulations) => {
                PlainUct::new(simulations, rng.next_u32().into()).choose(game)
            }
            Kind::Search(simulations, options) => {
                let begun = Instant::now();
                let mut meter = Meter::new(Budget::nodes(simulations));
                let mv = game.monte_carlo(&mut self.memory, &mut meter, rng, options, &mut |_| {});
                self.simulations += meter.nodes();
                self.seconds += begun.elapsed().as_secs_f64();
                mv
            }
        }
    }
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
    ensure!(value.len() == learnt.value.len() * (MEASURES + 1), "not a table of this version");
    for (to, from) in learnt.prior.iter_mut().flatten().zip(prior) {
        *to = i8::try_from(*from)?;
    }
    for (to, from) in learnt.value.iter_mut().flatten().zip(value) {
        *to = *from;
    }
    Ok(learnt)
}

/// The result of a match for the first of the two.
struct Match {
    games: u32,
    points: f64,
    /// Sum of the squares of the points of each pair of games.
    squares: f64,
    lead: f64,
    rates: [f64; 2],
}

impl Match {
    fn play(one: &str, other: &str, games: u32) -> Result<Self> {
        let mut players = [Contender::parse(one)?, Contender::parse(other)?];
        let mut result = Self { games, points: 0.0, squares: 0.0, lead: 0.0, rates: [0.0; 2] };
        for pair in 0..games / 2 {
            let mut points = 0.0;
            for first in 0..2 {
                let lead = f64::from(play(&mut players, first, pair.into())?);
                points += if lead == 0.0 { 0.5 } else { f64::from(lead > 0.0) };
                result.lead += lead;
            }
            result.points += points;
            result.squares += points * points;
        }
        for (rate, player) in result.rates.iter_mut().zip(&players) {
            *rate = player.simulations as f64 / player.seconds.max(1e-9);
        }
        Ok(result)
    }
}

/// A game; the lead of the first of the two, who has seat `first`.
fn play(players: &mut [Contender; 2], first: usize, seed: u64) -> Result<i16> {
    let mut rng = Rng::new(1000 + seed);
    let mut game = Duo::default();
    let mut ply = 0;
    players.iter_mut().for_each(|player| player.memory.fill(0));
    while !game.is_over() {
        let mv = if let Some(pass) = game.forced_pass() {
            Some(pass)
        } else if ply < OPENING {
            greedy(&game, &mut rng)
        } else {
            players[game.turn().index() ^ first].choose(&game, &mut rng)
        };
        let mv = mv.context("no move")?;
        ensure!(game.check(mv).is_ok(), "an illegal move: {mv:?}");
        game.play(mv);
        ply += 1;
    }
    let lead = game.score(Player::FIRST) - game.score(Player::SECOND);
    Ok(if first == 0 { lead } else { -lead })
}

impl std::fmt::Display for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let games = f64::from(self.games);
        let pairs = games / 2.0;
        let share = self.points / games;
        // The two games of an opening are not independent, so pairs are what varies.
        let variance = (self.squares / pairs - (2.0 * share).powi(2)).max(0.0) / 4.0;
        let margin = 1.96 * (variance / pairs).sqrt();
        let elo = |share: f64| 400.0 * (1.0 / (1.0 / share.clamp(0.002, 0.998) - 1.0)).log10();
        write!(
            f,
            "{:.1} ± {:.1} % of {} | {:+.0} ({:+.0} to {:+.0}) | {:+.1}",
            share * 100.0,
            margin * 100.0,
            self.games,
            elo(share),
            elo(share - margin),
            elo(share + margin),
            self.lead / games
        )?;
        if f.alternate() {
            write!(f, " | {:.0} and {:.0} simulations/s", self.rates[0], self.rates[1])?;
        }
        Ok(())
    }
}
