//! Othello: solving suites of endgames, all of which must have the right score.

use anyhow::Result;
use corvid_core::game::Game;
use corvid_core::games::othello::Othello;

use super::Measured::{Instructions, Nodes, Seconds};
use super::{Bar, Figure, Measured, OnBoard, solve};

pub(super) const SOLVE_12_ON_BOARD: Figure = Figure {
    bars: &[Bar {
        what: "Othello on the LM3S6965, 12 empty squares exactly, 24 KB, mean of 40",
        must: Some(Instructions(5.9)),
        aim: Some(Instructions(3.0)),
    }],
    is_long: false,
    measure: || mean_on_board(include_str!("../../data/othello-12-empty.obf")),
};

pub(super) const SOLVE_14_ON_BOARD: Figure = Figure {
    bars: &[Bar {
        what: "Othello on the LM3S6965, 14 empty squares exactly, 24 KB, mean of 40",
        must: Some(Instructions(33.0)),
        aim: Some(Instructions(16.0)),
    }],
    is_long: false,
    measure: || mean_on_board(include_str!("../../data/othello-14-empty.obf")),
};

pub(super) const FFORUM_1_19_ON_BOARD: Figure = Figure {
    bars: &[Bar {
        what: "fforum-1-19 on the LM3S6965, 24 KB, all 19 exactly",
        must: Some(Instructions(500.0)),
        aim: Some(Instructions(400.0)),
    }],
    is_long: false,
    measure: || {
        let (sum, _) = sum_on_board(include_str!("../../data/fforum-1-19.obf"))?;
        Ok(vec![Instructions(sum)])
    },
};

pub(super) const FFORUM_20_39: Figure = Figure {
    bars: &[
        Bar { what: "fforum-20-39, 64 MB, all 20 exactly", must: None, aim: None },
        Bar {
            what: "fforum-20-39, 64 MB, all 20 exactly, processor time of a PC",
            must: Some(Seconds(5.0)),
            aim: Some(Seconds(2.5)),
        },
    ],
    is_long: false,
    measure: || solve_all(&suite(include_str!("../../data/fforum-20-39.obf"))),
};

pub(super) const FFO_40_44: Figure = Figure {
    bars: &[
        Bar { what: "FFO 40 to 44, 64 MB, all 5 exactly", must: None, aim: None },
        Bar {
            what: "FFO 40 to 44, 64 MB, all 5 exactly, processor time of a PC",
            must: Some(Seconds(6.0)),
            aim: Some(Seconds(4.0)),
        },
    ],
    is_long: true,
    measure: || solve_all(&suite(include_str!("../../data/fforum-40-44.obf"))),
};

/// The nodes and seconds that it takes to solve all positions on a PC.
fn solve_all(suite: &[(String, i16)]) -> Result<Vec<Measured>> {
    let (mut nodes, mut seconds) = (0, 0.0);
    for (position, score) in suite {
        let game = Othello::START.parse_position(position)?;
        let (searched, taken) = solve(&game, 1 << 23, *score)?;
        nodes += searched;
        seconds += taken;
    }
    Ok(vec![Nodes(nodes), Seconds(seconds)])
}

/// The positions of a suite with the best score of each.
fn suite(text: &str) -> Vec<(String, i16)> {
    let position = |line: &str| {
        let mut fields = line.split(';').map(str::trim);
        let board = fields.next()?.to_owned();
        let scores = fields.filter_map(|field| field.split(':').nth(1)?.trim().parse().ok());
        Some((board, scores.max()?))
    };
    text.lines().filter_map(position).collect()
}

/// Millions of instructions for all positions of a suite, and how many those are.
fn sum_on_board(text: &str) -> Result<(f64, usize)> {
    let mut board = OnBoard::start("othello")?;
    let positions = suite(text);
    let mut sum = 0;
    for (position, score) in &positions {
        sum += board.solve(position, 24, *score)?;
    }
    Ok((sum as f64 / 1e6, positions.len()))
}

fn mean_on_board(text: &str) -> Result<Vec<Measured>> {
    let (sum, count) = sum_on_board(text)?;
    Ok(vec![Instructions(sum / count as f64)])
}
