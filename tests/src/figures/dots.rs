//! Dots and Boxes: solving empty boards, and a match.

use anyhow::{Context, Result};
use corvid::statistics::paired;
use corvid_core::game::Game;
use corvid_core::games::dots::{Dots, Size};
use corvid_core::player::Player;
use corvid_core::search::Think;
use corvid_core::search::budget::{Budget, Meter};
use corvid_firmware::profile::LM3S6965EVB;

use super::Measured::{Instructions, Nodes, Percent, Seconds};
use super::{Bar, Figure, Measured, OnBoard, play_pairs, solve};
use crate::opponents::dots::Heuristic;

pub(super) const SOLVE_3X3: Figure = Figure {
    bars: &[Bar {
        what: "Dots 3x3 from empty, 32 KB",
        must: Some(Nodes(104_000)),
        aim: Some(Nodes(60_000)),
    }],
    is_long: false,
    measure: || Ok(vec![Nodes(solve(&Dots::new(size(3, 3)?), LM3S6965EVB.slots(), -3)?.0)]),
};

pub(super) const SOLVE_3X3_ON_BOARD: Figure = Figure {
    bars: &[Bar {
        what: "Dots 3x3 from empty on the LM3S6965, 32 KB",
        must: None,
        aim: Some(Instructions(100.0)),
    }],
    is_long: false,
    measure: || {
        let mut board = OnBoard::start("dots")?;
        board.ask("boardsize 3")?;
        Ok(vec![Instructions(board.solve("0", 32, -3)? as f64 / 1e6)])
    },
};

pub(super) const SOLVE_3X4: Figure = Figure {
    bars: &[
        Bar { what: "Dots 3x4 from empty, 8 MB", must: None, aim: None },
        Bar {
            what: "Dots 3x4 from empty, 8 MB, processor time of a PC",
            must: Some(Seconds(1.3)),
            aim: Some(Seconds(0.5)),
        },
    ],
    is_long: false,
    measure: || solve_empty(size(3, 4)?, 1 << 20),
};

pub(super) const SOLVE_4X4: Figure = Figure {
    bars: &[
        Bar { what: "Dots 4x4 from empty, 1 GB", must: None, aim: None },
        Bar {
            what: "Dots 4x4 from empty, 1 GB, processor time of a PC",
            must: Some(Seconds(60.0)),
            aim: None,
        },
    ],
    is_long: true,
    measure: || solve_empty(size(4, 4)?, 1 << 27),
};

/// Nodes of the engine for a move of the match.
const MATCH_NODES: u64 = 100_000;
const MATCH_PAIRS: u32 = 100;

pub(super) const MATCH: Figure = Figure {
    bars: &[Bar {
        what: "Dots 5x5, 100,000 nodes a move, 32 KB, against safe moves and perfect play from 20 \
               lines on",
        must: Some(Percent(80.0)),
        aim: Some(Percent(95.0)),
    }],
    is_long: false,
    measure: || {
        let pairs = play_pairs(MATCH_PAIRS, play)?;
        Ok(vec![Measured::Score(paired(&pairs), 2 * MATCH_PAIRS)])
    },
};

fn size(rows: u8, columns: u8) -> Result<Size> {
    Size::new(rows, columns).context("no such board")
}

/// Boards whose value is 0.
fn solve_empty(size: Size, slots: usize) -> Result<Vec<Measured>> {
    let (nodes, seconds) = solve(&Dots::new(size), slots, 0)?;
    Ok(vec![Nodes(nodes), Seconds(seconds)])
}

/// A game against the heuristic player; the engine's lead at its end.
fn play(seed: u32, engine: usize) -> Result<i16> {
    let size = size(5, 5)?;
    let mut opponent = Heuristic::new(5, 5, seed.into());
    let mut memory = vec![0; LM3S6965EVB.slots()];
    let mut game = Dots::new(size);
    let mut drawn = 0u64;
    while !game.is_over() {
        let line = if game.turn().index() == engine {
            let mut meter = Meter::new(Budget::nodes(MATCH_NODES));
            game.think(&mut memory, &mut meter, &mut |_| {})
        } else {
            opponent.choose(drawn).and_then(|line| size.line(line as u8))
        };
        let line = line.context("no move")?;
        game.check(line).map_err(|_| anyhow::anyhow!("an illegal move"))?;
        drawn |= 1 << line.index();
        game.play(line);
    }
    let lead = game.score(Player::FIRST) - game.score(Player::SECOND);
    Ok(if engine == 0 { lead } else { -lead })
}
