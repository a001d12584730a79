//! Who is likely to win a position that is not played to its end.
//!
//! A player's measures are the points, the squares that are in reach of attach points within some
//! steps over squares where the player may play, and those that no one else reaches as soon. What a
//! lead in each of them is worth is learnt, in hundredths of the logarithm of the odds.

use super::Blokus;
use super::pieces::PIECES;
use super::playout::State;
use super::prior::side;
use super::shapes::{BASE, STRIDE};
use crate::player::MAX_PLAYERS;

/// What is measured for each player.
pub const MEASURES: usize = 7;

/// Parts of a game, by the pieces that the player to move has placed, three at a time.
pub const STAGES: usize = 7;

/// What a lead in each measure is worth in each part of a game, and last what the turn is.
pub type Values = [[i16; MEASURES + 1]; STAGES];

/// Values by hand: where learning starts.
pub(super) const BY_POINTS: Values = [[12, 0, 0, 5, 0, 0, 0, 0]; STAGES];

/// Rows of the largest board, with an empty one above and below.
type Rows = [u32; 22];

/// Measures of all players.
pub type Measured = [[i16; MEASURES]; MAX_PLAYERS];

/// The part of the game when the player to move has these pieces left.
fn stage(left: u32) -> usize {
    ((PIECES as u32 - left.count_ones()) / 3).min(STAGES as u32 - 1) as usize
}

fn grown(reach: &Rows, allowed: &Rows) -> Rows {
    let mut grown = [0; 22];
    for y in 1..21 {
        let row = reach[y];
        grown[y] = (row | row << 1 | row >> 1 | reach[y - 1] | reach[y + 1]) & allowed[y];
    }
    grown
}

fn count(rows: &Rows) -> i16 {
    rows.iter().map(|row| row.count_ones() as i16).sum()
}

pub(super) fn measure(state: &State) -> Measured {
    /// Which number of steps is measured where.
    const STEPS: [Option<usize>; 5] = [Some(1), Some(2), Some(3), None, Some(4)];
    let players = usize::from(state.players);
    let side = side(state.players);
    let mut allowed = [[0; 22]; MAX_PLAYERS];
    let mut reach = [[0; 22]; MAX_PLAYERS];
    let mut measured = [[0; MEASURES]; MAX_PLAYERS];
    for player in 0..players {
        measured[player][0] = state.points[player].into();
        if state.is_out(player) {
            continue;
        }
        for y in 0..side {
            let begin = BASE + y * STRIDE;
            let row = state.board.get(begin..begin + side).unwrap_or(&[]);
            let (mut free, mut attach) = (0, 0);
            for (x, byte) in row.iter().enumerate() {
                free |= u32::from(!byte >> player & 1) << x;
                attach |= u32::from(byte >> (4 + player) & 1) << x;
            }
            (allowed[player][y + 1], reach[player][y + 1]) = (free, attach);
        }
    }
    let mut before = reach;
    for step in STEPS {
        for player in 0..players {
            if let Some(measure) = step {
                measured[player][measure] = count(&reach[player]);
            }
            for y in 1..=side {
                let others = (0..players).filter(|other| *other != player);
                let theirs = others.fold(0, |all, other| all | reach[other][y]);
                let new = reach[player][y] & !theirs;
                // First reached now, by nobody else until now.
                let new = if step == Some(1) { new } else { new & !before[player][y] };
                measured[player][5] += new.count_ones() as i16;
            }
        }
        before = reach;
        for player in 0..players {
            reach[player] = grown(&reach[player], &allowed[player]);
        }
    }
    for (measures, left) in measured.iter_mut().zip(&state.left) {
        measures[6] = left.count_ones() as i16;
    }
    measured
}

/// The chance of each player to win, or for more than two to be ahead of another, 0 to 65535.
pub(super) fn judge(state: &State, values: &Values) -> [u16; MAX_PLAYERS] {
    let players = usize::from(state.players);
    let mover = usize::from(state.turn) % MAX_PLAYERS;
    let values = &values[stage(state.left[mover])];
    let measured = measure(state);
    let mut worth = [0; MAX_PLAYERS];
    for (worth, measures) in worth.iter_mut().zip(&measured) {
        *worth = measures.iter().zip(values).map(|(&m, &v)| i32::from(m) * i32::from(v)).sum();
    }
    worth[mover] += i32::from(values[MEASURES]);
    let mut chances = [0; MAX_PLAYERS];
    for own in 0..players {
        let others = (0..players).filter(|other| *other != own);
        let sum: u32 = others.map(|other| chance(worth[own] - worth[other])).sum();
        chances[own] = (sum / (players as u32 - 1)) as u16;
    }
    chances
}

/// 65535 / (1 + e^-x) for x in eighths.
const LOGISTIC: [u16; 48] = [
    32767, 34812, 36842, 38840, 40792, 42686, 44509, 46253, 47909, 49473, 50940, 52309, 53579,
    54753, 55832, 56821, 57723, 58543, 59286, 59958, 60563, 61108, 61597, 62035, 62426, 62776,
    63088, 63366, 63614, 63833, 64029, 64202, 64356, 64492, 64613, 64720, 64814, 64898, 64972,
    65038, 65096, 65147, 65192, 65232, 65268, 65299, 65327, 65351,
];

/// The chance for a lead in hundredths of the logarithm of the odds.
fn chance(lead: i32) -> u32 {
    let eighths = lead.unsigned_abs() as usize * 2 / 25;
    let chance = u32::from(LOGISTIC.get(eighths).copied().unwrap_or(65_400));
    if lead < 0 { 65_535 - chance } else { chance }
}

/// What learning sees of a position: all measures, and the part of the game.
pub fn measures<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
) -> (Measured, usize) {
    let state = State::new(game);
    (measure(&state), stage(state.left[usize::from(state.turn) % MAX_PLAYERS]))
}
