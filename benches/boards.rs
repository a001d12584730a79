//! What a board is worth: its memory and its speed, each by matches against the LM3S6965.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use corvid_benches::{BOARDS, OPENING, SEARCHES, nodes_a_second, rates_row};
use corvid_core::bots::random;
use corvid_core::game::MAX_PLIES;
use corvid_core::games::adjacency::Adjacency;
use corvid_core::games::dots::{Dots, Size};
use corvid_core::games::othello::Othello;
use corvid_core::mix::Rng;
use corvid_core::player::Player;
use corvid_core::registry::GameKind;
use corvid_core::search::Think;
use corvid_core::search::budget::{Budget, Meter};
use corvid_firmware::profile::{LM3S6965EVB, PICO, PICO2, Profile};
use corvid_tests::board::Board;
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rates::Plies;
use corvid_tests::rp2040::Pico;
use corvid_tests::rp2350::Pico2;

use super::{Match, adjacency, othello};

/// Games of a match.
const GAMES: u32 = 400;

/// Random lines before a match of Dots and Boxes.
const DOTS_OPENING: u32 = 8;

/// The Elo that a second of a board should be worth in a game.
const AIMS: [(Profile, GameKind, u32); 2] =
    [(PICO2, GameKind::Othello, 150), (PICO2, GameKind::BlokusDuo, 120)];

/// Search memory in KB with which a board plays at its usual rate; what it really has comes last.
const SWEEPS: [(Profile, &[usize]); 2] =
    [(PICO, &[32, 64, 128, PICO.memory_kb]), (PICO2, &[64, 128, 256, PICO2.memory_kb])];

/// The games of these, in which memory is worth most.
const SWEPT: [GameKind; 2] = [GameKind::Othello, GameKind::BlokusDuo];

/// What somebody searches with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Means {
    /// Nodes or simulations a move.
    nodes: u64,
    /// Memory in KB.
    memory: usize,
}

impl Means {
    /// A second of a board for every move.
    fn of(profile: &Profile, kind: GameKind) -> Self {
        Self { nodes: nodes_a_second(profile, kind), memory: profile.memory_kb }
    }
}

/// Prints the section of docs/strength.md; `games` tells how many of a row's games are played.
pub(crate) fn section(games: impl Fn(u32) -> u32) -> Result<()> {
    println!(
        "## Boards

What a board's memory and speed are worth. Nodes a second (in Blokus simulations) are those of
`--board NAME --board-seconds 1`: a board second of the LM3S6965, times the `speed` of the board's profile,
which is a mean of these games (`firmware/src/profile.rs`). Where a board has an emulator, a second row has what
its image searches in whole games there, without waiting for the flash. `-- boards` prints this section alone.

| board | search memory | {} | rates |
|---|---|{}---|",
        SEARCHES.map(|(kind, _)| kind.title()).join(" | "),
        "---|".repeat(SEARCHES.len())
    );
    for profile in BOARDS {
        let nodes = SEARCHES.map(|(kind, _)| nodes_a_second(&profile, kind));
        println!("{}", rates_row(&profile, nodes, "profile"));
        if let Some(nodes) = measured(&profile)? {
            println!("{}", rates_row(&profile, nodes, "measured"));
        }
    }
    println!(
        "
A second a move of each board against a second of the LM3S6965, played on the host with the nodes of the
profile and the board's memory. Matches begin with random plies ({} in Othello, {} in Adjacency,
{DOTS_OPENING} in Dots and Boxes on 5x5, {OPENING} in Duo), and every opening is played once from each seat.
In Adjacency whoever moves second wins most games between good players, so the same advantage is worth less
there.

| board | game | nodes a move | score | Elo | lead in points | aim |
|---|---|---|---|---|---|---|",
        othello::OPENING,
        adjacency::OPENING
    );
    let mut results = Results::default();
    for profile in &BOARDS[1..] {
        for (kind, _) in SEARCHES {
            let means = Means::of(profile, kind);
            let result = results.against_reference(kind, means, games(GAMES))?;
            let aim = AIMS.iter().find(|(of, at, _)| of == profile && *at == kind);
            let aim = aim.map_or_else(String::new, |(.., elo)| format!("+{elo}"));
            println!(
                "| {} | {} | {} | {result} | {aim} |",
                profile.title,
                kind.title(),
                means.nodes
            );
        }
    }
    println!(
        "
The same with less memory than the board has, at the same nodes:

| board | game | memory | score | Elo | lead in points |
|---|---|---|---|---|---|"
    );
    for (profile, sweep) in SWEEPS {
        for kind in SWEPT {
            for memory in sweep {
                let means = Means { memory: *memory, ..Means::of(&profile, kind) };
                let result = results.against_reference(kind, means, games(GAMES))?;
                println!("| {} | {} | {memory} KB | {result} |", profile.title, kind.title());
            }
        }
    }
    Ok(())
}

/// What a board searches in a second in its emulator, if it has one.
fn measured(profile: &Profile) -> Result<Option<[u64; SEARCHES.len()]>> {
    fn all(board: &mut impl Board) -> Result<Option<[u64; SEARCHES.len()]>> {
        let mut nodes = [0; SEARCHES.len()];
        for ((kind, budget), rate) in SEARCHES.into_iter().zip(&mut nodes) {
            *rate = Plies::rate(&Plies::measure(board, kind, budget, MAX_PLIES)?.0);
        }
        Ok(Some(nodes))
    }
    match *profile {
        LM3S6965EVB => all(&mut Lm3s6965evb::start()?),
        PICO => all(&mut Pico::start()?),
        PICO2 => all(&mut Pico2::start()?),
        _ => Ok(None),
    }
}

/// Matches that were played already: some are in two tables.
#[derive(Default)]
struct Results(Vec<(GameKind, Means, String)>);

impl Results {
    /// The result against a second of the LM3S6965.
    fn against_reference(&mut self, kind: GameKind, means: Means, games: u32) -> Result<String> {
        let known = self.0.iter().find(|(game, with, _)| *game == kind && *with == means);
        if let Some((.., result)) = known {
            return Ok(result.clone());
        }
        let result = play(kind, means, Means::of(&LM3S6965EVB, kind), games)?.to_string();
        self.0.push((kind, means, result.clone()));
        Ok(result)
    }
}

/// Plays a match.
fn play(kind: GameKind, one: Means, other: Means, games: u32) -> Result<Match> {
    match kind {
        GameKind::Othello => pairs(&Othello::START, othello::OPENING, [one, other], games),
        GameKind::Adjacency => {
            pairs(&Adjacency::default(), adjacency::OPENING, [one, other], games)
        }
        GameKind::Dots => pairs(&Dots::new(Size::DEFAULT), DOTS_OPENING, [one, other], games),
        GameKind::BlokusDuo => {
            let player = |means: Means| format!("{},memory={}", means.nodes, means.memory);
            Match::play(&player(one), &player(other), games)
        }
        _ => bail!("{kind} is not for two"),
    }
}

/// Plays pairs of games on all cores; the result does not depend on how many there are.
fn pairs<G: Think + Sync>(
    start: &G,
    opening: u32,
    players: [Means; 2],
    games: u32,
) -> Result<Match> {
    let next = AtomicU32::new(0);
    let threads = thread::available_parallelism()?.get();
    thread::scope(|scope| {
        let worker = || {
            let mut leads = Vec::new();
            loop {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if pair >= games / 2 {
                    return Ok(leads);
                }
                let lead = |first| game(start, opening, players, first, pair.into());
                leads.push([lead(Player::FIRST)?, lead(Player::SECOND)?]);
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let mut result = Match::default();
        for worker in workers {
            let leads: Result<Vec<[i16; 2]>> =
                worker.join().map_err(|_| anyhow!("a game failed"))?;
            leads?.into_iter().for_each(|leads| result.add(leads));
        }
        Ok(result)
    })
}

/// The lead of the first of two players, who has this seat, at the end of a game.
fn game<G: Think>(
    start: &G,
    opening: u32,
    players: [Means; 2],
    seat: Player,
    seed: u64,
) -> Result<i16> {
    let (mut game, mut rng) = (start.clone(), Rng::new(1000 + seed));
    for _ in 0..opening {
        game.play(random(&game, &mut rng).context("no move")?);
    }
    let mut memories = players.map(|player| vec![0; player.memory * 128]);
    while !game.is_over() {
        let place = usize::from(game.turn() != seat);
        let mv = match game.forced_pass() {
            Some(pass) => Some(pass),
            None => {
                let mut meter = Meter::new(Budget::nodes(players[place].nodes));
                game.think(&mut memories[place], &mut meter, &mut |_| {})
            }
        };
        game.play(mv.context("no move")?);
    }
    Ok(game.score(seat) - game.score(seat.other()))
}
