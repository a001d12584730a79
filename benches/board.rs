//! `cargo bench -p corvid-benches --bench board`: what move sequences and searches cost on the
//! LM3S6965, in instructions of its emulated Cortex-M3.
//! With `-- speed`: the nodes per second of all emulated boards, and the relative speed of the Pico and the
//! Pico 2, which must match their profiles. With the name of one of these besides, of that one alone.
//! With `-- flash`: what the Pico loses by waiting for its flash, the table of docs/device.md.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use corvid_benches::{CASES, SEARCHES};
use corvid_core::game::MAX_PLIES;
use corvid_core::registry::GameKind;
use corvid_firmware::profile::{PICO, PICO2, Profile};
use corvid_tests::board::Board;
use corvid_tests::measure::{INSTRUCTIONS_PER_MS, cputime};
use corvid_tests::qemu::Lm3s6965evb;
use corvid_tests::rates::Plies;
use corvid_tests::rp2040::Pico;
use corvid_tests::rp2350::Pico2;

/// Far more board time than any case takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// How far a measured speed may be from the profile's, in percent of it.
const SLACK: f64 = 5.0;

fn main() -> Result<()> {
    if std::env::args().any(|word| word == "speed") {
        return speed();
    }
    if std::env::args().any(|word| word == "flash") {
        return flash();
    }
    let mut board = Lm3s6965evb::start()?;
    println!(
        "{:<16} {:>5} {:>12} {:>14} {:>10}",
        "game", "plies", "leaves", "instructions", "per leaf"
    );
    for case in CASES {
        board.ask(&format!("set_game {}", case.kind), PATIENCE)?;
        let begun = cputime(&mut board)?;
        let answer = board.ask(&format!("perft {}", case.board_depth), PATIENCE)?;
        let instructions = (cputime(&mut board)? - begun) * INSTRUCTIONS_PER_MS;
        let leaves: u64 =
            answer.split(' ').next_back().and_then(|n| n.parse().ok()).context(answer)?;
        println!(
            "{:<16} {:>5} {leaves:>12} {instructions:>14} {:>10}",
            case.kind,
            case.board_depth,
            instructions / leaves
        );
    }
    println!("\n{:<16} {:>12} {:>22}", "game", "nodes a move", "nodes a board second");
    for (kind, _) in SEARCHES {
        let nodes = kind.nodes_per_board_second();
        let rate = nodes_a_second(&mut board, kind, nodes)?;
        println!("{kind:<16} {nodes:>12} {rate:>22}");
    }
    Ok(())
}

/// Compares the boards.
fn speed() -> Result<()> {
    let names: Vec<_> = std::env::args().collect();
    let is_wanted = |profile: Profile| {
        let named = |profile: &Profile| names.iter().any(|name| name == profile.name);
        named(&profile) || ![PICO, PICO2].iter().any(named)
    };
    // Not kept: its emulator would take a processor while the others are measured.
    let reference = rates(&mut Lm3s6965evb::start()?)?;
    if is_wanted(PICO) {
        compare(&reference, &mut Pico::start()?)?;
    }
    if is_wanted(PICO2) {
        compare(&reference, &mut Pico2::start()?)?;
    }
    Ok(())
}

/// How many plies of each game are searched for the flash, and with which budgets: the cache is emulated
/// slowly, and soon full.
const FLASH_PLIES: usize = 8;
const FLASH_SEARCHES: [(GameKind, u64); 4] = [
    (GameKind::Othello, 10_000),
    (GameKind::Adjacency, 10_000),
    (GameKind::Dots, 4_000),
    (GameKind::BlokusDuo, 250),
];

/// Compares a Pico whose flash answers at once with one whose flash is behind its cache: with what searches
/// spend their time in in the flash, and in RAM as in the image.
fn flash() -> Result<()> {
    let board = xtask::board::Board::named(PICO.name)?;
    let images = [("flash", board.build_all_in_flash()?), ("RAM", board.build()?)];
    println!(
        "| game | searches are in | nodes a second without waiting | with the cache | lost | reads of \
         the flash per node | hits |\n|---|---|---:|---:|---:|---:|---:|"
    );
    for (kind, nodes) in FLASH_SEARCHES {
        let ideal = Plies::rate(&Plies::measure(&mut Pico::start()?, kind, nodes, FLASH_PLIES)?.0);
        for (place, image) in &images {
            let mut board = Pico::start_cached(image)?;
            // The start of the device is not the search's.
            board.ask("version", PATIENCE)?;
            let before = board.cache()?;
            let plies = Plies::measure(&mut board, kind, nodes, FLASH_PLIES)?;
            let after = board.cache()?;
            let reads = [after.0 - before.0, after.1 - before.1];
            let [hits, misses] = reads.map(|reads| reads as f64);
            let searched: u64 = plies.0.iter().map(|(nodes, _)| nodes).sum();
            let real = Plies::rate(&plies.0);
            println!(
                "| {} | {place} | {ideal} | {real} | {:.1} % | {:.0} | {:.2} % |",
                kind.title(),
                100.0 - 100.0 * real as f64 / ideal as f64,
                (hits + misses) / searched as f64,
                100.0 * hits / (hits + misses),
            );
        }
    }
    Ok(())
}

/// The nodes a second of each search.
fn rates(board: &mut impl Board) -> Result<Vec<u64>> {
    SEARCHES.into_iter().map(|(kind, nodes)| nodes_a_second(board, kind, nodes)).collect()
}

/// Prints a board's rates beside those of the LM3S6965, and holds the mean to the board's profile.
fn compare(references: &[u64], board: &mut impl Board) -> Result<()> {
    let profile = board.profile()?;
    println!("\n{:<16} {:>12} {:>12} {:>8}", "nodes a second", "LM3S6965", profile.name, "percent");
    let mut product = 1.0;
    for (((kind, _), reference), rate) in SEARCHES.iter().zip(references).zip(rates(board)?) {
        let percent = 100.0 * rate as f64 / *reference as f64;
        println!("{kind:<16} {reference:>12} {rate:>12} {percent:>8.0}");
        product *= percent;
    }
    let mean = product.powf(1.0 / SEARCHES.len() as f64);
    println!("{:<42} {mean:>8.0}", "geometric mean");
    let off = (mean / f64::from(profile.speed) - 1.0) * 100.0;
    ensure!(
        off.abs() <= SLACK,
        "firmware/src/profile.rs has {} for the {}",
        profile.speed,
        profile.title
    );
    Ok(())
}

/// The nodes that a board searches in a second of its time, over a whole game: a position late in it
/// costs more or less than the first ones. Moves that are worked out before the budget ends don't count.
fn nodes_a_second(board: &mut impl Board, kind: GameKind, nodes: u64) -> Result<u64> {
    let plies = Plies::measure(board, kind, nodes, MAX_PLIES)?;
    ensure!(!plies.0.is_empty(), "{kind}: nothing was searched");
    Ok(Plies::rate(&plies.0))
}
