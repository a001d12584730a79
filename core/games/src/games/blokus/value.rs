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

/// How many squares are set; two rows of a narrow board are counted at once.
fn count(rows: &Rows, side: usize) -> i16 {
    let rows = &rows[1..=20];
    let sum: u32 = if side <= 16 {
        rows.chunks_exact(2).map(|pair| (pair[0] | pair[1] << 16).count_ones()).sum()
    } else {
        rows.iter().map(|row| row.count_ones()).sum()
    };
    sum as i16
}

/// One bit of each of the bytes of a row, from four of them at a time.
fn bits(row: &[u8], bit: usize) -> u32 {
    let mut bits = 0;
    for (at, bytes) in row.chunks_exact(4).enumerate() {
        let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        // Moves the lowest bits of the four bytes beside each other at the top.
        bits |= ((word >> bit & 0x0101_0101).wrapping_mul(0x1020_4080) >> 28) << (4 * at);
    }
    bits
}

#[inline(never)]
pub(super) fn measure(state: &State) -> Measured {
    /// Which number of steps is measured where.
    const STEPS: [Option<usize>; 5] = [Some(1), Some(2), Some(3), None, Some(4)];
    const TERRITORY: usize = 5;
    const PIECES_LEFT: usize = 6;
    let players = usize::from(state.players).min(MAX_PLAYERS);
    let side = side(state.players);
    let mut allowed = [[0; 22]; MAX_PLAYERS];
    let mut reach = [[0; 22]; MAX_PLAYERS];
    let mut owned = [[0; 22]; MAX_PLAYERS];
    let mut seen = [[0; 22]; MAX_PLAYERS];
    let mut measured = [[0; MEASURES]; MAX_PLAYERS];
    for player in (0..players).filter(|player| !state.is_out(*player)) {
        for y in 0..side {
            let begin = BASE + y * STRIDE;
            // Squares beyond the side are neither allowed nor attach points.
            let row = state.board.get(begin..begin + STRIDE).unwrap_or(&[]);
            allowed[player][y + 1] = !bits(row, player) & ((1 << side) - 1);
            reach[player][y + 1] = bits(row, player + 4);
        }
    }
    for step in STEPS {
        for player in 0..players {
            if let Some(measure) = step {
                measured[player][measure] = count(&reach[player], side);
            }
            for y in 1..=side {
                let others = (0..players).filter(|other| *other != player);
                let theirs = others.fold(seen[player][y], |all, other| all | reach[other][y]);
                owned[player][y] |= reach[player][y] & !theirs;
            }
        }
        for player in 0..players {
            let (reach, allowed) = (&mut reach[player], &allowed[player]);
            seen[player] = *reach;
            let mut above = 0;
            for y in 1..=side {
                let row = reach[y];
                reach[y] = (row | row << 1 | row >> 1 | above | reach[y + 1]) & allowed[y];
                above = row;
            }
        }
    }
    for player in 0..players {
        measured[player][0] = state.points[player].into();
        measured[player][TERRITORY] = count(&owned[player], side);
        measured[player][PIECES_LEFT] = state.left[player].count_ones() as i16;
    }
    measured
}

/// The chance of each player to win, or for more than two to be ahead of another, 0 to 65535.
pub(super) fn judge(state: &State, values: &Values) -> [u16; MAX_PLAYERS] {
    let mover = usize::from(state.turn) % MAX_PLAYERS;
    let values = &values[stage(state.left[mover])];
    let measured = measure(state);
    let mut worth = [0; MAX_PLAYERS];
    for (worth, measures) in worth.iter_mut().zip(&measured) {
        *worth = measures.iter().zip(values).map(|(&m, &v)| i32::from(m) * i32::from(v)).sum();
    }
    worth[mover] += i32::from(values[MEASURES]);
    against_each(state, state.sides(worth), chance)
}

/// What a finished game is worth to each player: mostly a win, a little the lead.
pub(super) fn payoffs(state: &State) -> [u16; MAX_PLAYERS] {
    const POINT: i32 = 64;
    const MOST: i32 = 32;
    let payoff = |lead: i32| {
        let win = (lead.signum() + 1) * (32_767 - MOST * POINT);
        (win + (lead.clamp(-MOST, MOST) + MOST) * POINT) as u32
    };
    against_each(state, state.sides(state.points.map(i32::from)), payoff)
}

/// The mean payoff of each player's leads over the others.
fn against_each(
    state: &State,
    worth: [i32; MAX_PLAYERS],
    payoff: impl Fn(i32) -> u32,
) -> [u16; MAX_PLAYERS] {
    let players = usize::from(state.players);
    core::array::from_fn(|own| {
        let others = (0..players).filter(|&other| !state.are_one(own, other));
        let (sum, count) = others.fold((0, 0), |(sum, count), other| {
            (sum + payoff(worth[own] - worth[other]), count + 1)
        });
        (sum / count.max(1)).min(65_535) as u16
    })
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
