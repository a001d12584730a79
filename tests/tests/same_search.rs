//! The boards' search against the host's: the same position, seed and number of nodes give the same
//! move on the emulated LM3S6965 and Pico 2 and on the PC. `POSITIONS` tries more than the usual number.

use std::time::Duration;
use std::{env, fmt::Write};

use anyhow::{Context, Result, ensure};
use corvid_core::any::random_code;
use corvid_core::mix::Rng;
use corvid_core::registry::GameKind;
use corvid_core::session::Match;
use corvid_core::setup::Setup;
use corvid_tests::{board::Board, host::Host, qemu::Lm3s6965evb, rp2350::Pico2};

/// The positions that are searched, over all games.
const POSITIONS: u32 = 40;

/// More than any search below takes on the board.
const LONG: Duration = Duration::from_secs(60);

/// A position that random moves lead to, in which somebody is to move: of a random board where a game
/// has several.
fn reachable(kind: GameKind, rng: &mut Rng) -> Result<Match> {
    let mut setup = Setup::usual(kind);
    for (index, option) in kind.info().options.iter().enumerate() {
        let (first, last) = option.values.range();
        let value = first + rng.below(u32::from(last - first) + 1) as u8;
        setup = setup.with(index, value).context("an option in its range")?;
    }
    let mut game = Match::new(setup);
    // Rarely longer than a game, so that the ends are among them.
    for _ in 0..rng.below(64) {
        let Some(mv) = random_code(game.now(), rng) else { break };
        game.play_move(None, mv).map_err(|why| anyhow::anyhow!("{}", why.long()))?;
    }
    while game.is_over() || game.must_pass() {
        ensure!(game.undo(), "a game begins with a move");
    }
    Ok(game)
}

/// Enough nodes for a search of some depth, few enough for the board: the least and the span.
const fn nodes(kind: GameKind) -> (u32, u32) {
    match kind {
        GameKind::BlokusDuo => (5, 30),
        GameKind::BlokusClassic => (5, 15),
        _ => (50, 1000),
    }
}

#[test]
fn the_board_chooses_the_hosts_moves() -> Result<()> {
    chooses_the_hosts_moves(&mut Lm3s6965evb::start()?)
}

#[test]
fn the_pico2_chooses_the_hosts_moves() -> Result<()> {
    chooses_the_hosts_moves(&mut Pico2::start()?)
}

fn chooses_the_hosts_moves(board: &mut impl Board) -> Result<()> {
    let count = match env::var("POSITIONS") {
        Ok(text) => text.parse().context("POSITIONS is a number")?,
        Err(_) => POSITIONS,
    };
    let mut host = Host::like(&board.profile()?);
    let mut rng = Rng::new(18);
    let mut plies = 0;
    for index in 0..count {
        let kind = GameKind::ALL[index as usize % GameKind::ALL.len()];
        let game = reachable(kind, &mut rng)?;
        plies += game.plies();
        let mut position = String::new();
        game.write_position(&mut position)?;
        let (least, span) = nodes(kind);
        let mut lines = vec![format!("new {}", game.setup())];
        // The start of a game without a text for positions is no move at all.
        if !position.is_empty() {
            lines.push(format!("position {position}"));
        }
        lines.push(format!("set_random_seed {index}"));
        lines.push(format!("nodes {}", least + rng.below(span)));
        // Empty: whose turn it is then. A text need not tell who moved last.
        lines.push(String::new());
        let mut said = String::new();
        for mut line in lines {
            if line.is_empty() {
                let game = host.game();
                line = format!("reg_genmove {}", game.colors()[game.turn().index()].name);
            }
            writeln!(said, "{line}")?;
            let expected = host.ask(&line);
            ensure!(expected.starts_with('='), "{said}{expected}");
            let answer = board.ask(&line, LONG).with_context(|| said.clone())?;
            ensure!(answer == expected, "the board: {answer}\nthe host: {expected}\nafter\n{said}");
        }
    }
    println!("{count} positions, {} plies deep on average: the same moves", plies / count as usize);
    Ok(())
}
