//! Who is likely to win a position that is not played to its end.
//!
//! A player's measures are the points and pieces left, the squares where the player may still play,
//! those of them that are in reach of attach points within some steps, and those that no one else
//! reaches as soon. What a lead in each of them is worth is learnt, in 1024ths of the logarithm of
//! the odds.

use super::Blokus;
use super::pieces::PIECES;
use super::sets::{Board, Outlook, Set};
use super::state::State;
use crate::player::MAX_PLAYERS;

/// What is measured for each player.
pub const MEASURES: usize = 9;

/// Parts of a game, by the pieces that the player to move has placed, three at a time.
pub const STAGES: usize = 7;

/// What a lead in each measure is worth in each part of a game, and last what the turn is.
pub type Values = [[i16; MEASURES + 1]; STAGES];

/// Values by hand: where learning starts.
pub(super) const BY_POINTS: Values = [[120, 0, 0, 50, 0, 0, 0, 0, 0, 0]; STAGES];

/// Measures of all players.
pub type Measured = [[i16; MEASURES]; MAX_PLAYERS];

/// The part of the game when the player to move has these pieces left.
fn stage(left: u32) -> usize {
    ((PIECES as u32 - left.count_ones()) / 3).min(STAGES as u32 - 1) as usize
}

#[inline(never)]
pub(super) fn measure(state: &State) -> Measured {
    /// Which number of steps is measured where.
    const STEPS: [Option<usize>; 7] = [Some(1), Some(2), Some(3), None, Some(4), None, Some(5)];
    const TERRITORY: usize = 6;
    const PIECES_LEFT: usize = 7;
    const ALLOWED: usize = 8;
    let players = usize::from(state.players).min(MAX_PLAYERS);
    let board = Board::new(state.players);
    let mut outlooks = [Outlook::NONE; MAX_PLAYERS];
    let mut measured = [[0; MEASURES]; MAX_PLAYERS];
    for player in (0..players).filter(|player| !state.is_out(*player)) {
        outlooks[player] = board.outlook(state, player);
        measured[player][ALLOWED] = board.count(&outlooks[player].allowed);
    }
    // What anybody reached some steps before, and what each was the only one to reach at first.
    let mut taken: Set = [0; 24];
    let mut owned: [Set; MAX_PLAYERS] = [[0; 24]; MAX_PLAYERS];
    for step in STEPS {
        if let Some(measure) = step {
            for player in 0..players {
                measured[player][measure] = board.count(&outlooks[player].attach);
            }
        }
        for word in board.range() {
            let (mut once, mut twice) = (0, 0);
            for outlook in &outlooks[..players] {
                twice |= once & outlook.attach[word];
                once |= outlook.attach[word];
            }
            let contested = taken[word] | twice;
            for (owned, outlook) in owned.iter_mut().zip(&outlooks[..players]) {
                owned[word] |= outlook.attach[word] & !contested;
            }
            taken[word] = once;
        }
        for outlook in &mut outlooks[..players] {
            board.spread(&mut outlook.attach, &outlook.allowed);
        }
    }
    for (player, measured) in measured[..players].iter_mut().enumerate() {
        measured[0] = state.points[player].into();
        measured[TERRITORY] = board.count(&owned[player]);
        measured[PIECES_LEFT] = state.left[player].count_ones() as i16;
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

/// The chance for a lead in 1024ths of the logarithm of the odds.
fn chance(lead: i32) -> u32 {
    let size = lead.unsigned_abs().min(48 * 128 - 1);
    let at = size as usize / 128;
    let step = |at: usize| u32::from(LOGISTIC.get(at).copied().unwrap_or(65_372));
    let chance = step(at) + (step(at + 1) - step(at)) * (size % 128) / 128;
    if lead < 0 { 65_535 - chance } else { chance }
}

/// The lead in hundredths of a point that makes up for such a chance of the player to move.
pub(super) fn lead(chance: u32, state: &State, values: &Values) -> i16 {
    let mover = usize::from(state.turn) % MAX_PLAYERS;
    let point = i32::from(values[stage(state.left[mover])][0]).max(1);
    let size = chance.max(65_535 - chance.min(65_535));
    let eighths = LOGISTIC.iter().filter(|step| u32::from(**step) < size).count() as i32;
    let lead = eighths * 128 * 100 / point;
    (if chance < 32_768 { -lead } else { lead }) as i16
}

/// What learning sees of a position: all measures, and the part of the game.
pub fn measures<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
) -> (Measured, usize) {
    let state = State::new(game);
    (measure(&state), stage(state.left[usize::from(state.turn) % MAX_PLAYERS]))
}
