//! The evaluation: each player's chance of winning a position.
//!
//! A player's measures are the points and pieces left, the pieces that no longer fit anywhere,
//! attach points, and squares where the player may still play: those within some steps of attach
//! points, those that no one else reaches as soon, those in the middle. Their weights are learnt,
//! in 1024ths of the log-odds, separately for each part of a game, and for the player to move and
//! the others.

use core::num::NonZeroU8;

use super::Blokus;
use super::pieces::PIECES;
use super::sets::{Board, Outlook, Set, Spare};
use super::shapes::{BASE, BRANCHING, STRIDE};
use super::state::{State, near};
use crate::player::MAX_PLAYERS;

/// What is measured for each player.
pub const MEASURES: usize = 12;

/// Weights in one part of a game: of the measures of the player to move, of those of the others, and
/// of the turn.
pub const WEIGHTS: usize = 2 * MEASURES + 1;

/// Parts of a game: the weights are given for so many numbers of placed pieces.
pub const STAGES: usize = 7;

/// The pieces that each player places from one part of a game to the next.
const STEP: u8 = 3;

/// What the measures are worth in each part of a game, and last what the turn is.
pub type Values = [[i16; WEIGHTS]; STAGES];

/// Hand-written values, where learning starts.
pub(super) const BY_POINTS: Values = {
    let mut values = [0; WEIGHTS];
    (values[POINTS], values[MEASURES + POINTS]) = (120, 120);
    (values[NEAR], values[MEASURES + NEAR]) = (50, 50);
    [values; STAGES]
};

/// Measures of all players.
pub type Measured = [[i16; MEASURES]; MAX_PLAYERS];

const POINTS: usize = 0;
const PIECES_LEFT: usize = 1;
/// Attach points, and those of them that have room for three squares.
const ATTACH: usize = 2;
const ROOMY: usize = 3;
/// Squares within two and within six steps of attach points.
const NEAR: usize = 4;
const REACH: usize = 5;
/// Squares that no one else reaches as soon.
const TERRITORY: usize = 6;
/// Squares within four steps of attach points, including diagonal ones.
const AROUND: usize = 7;
/// Squares that may be covered: in the middle of the board, those with room for three squares, and
/// those that are no one else's attach points nor beside one.
const MIDDLE: usize = 8;
const ROOM: usize = 9;
const QUIET: usize = 10;
/// Pieces left that fit nowhere, when few are left.
const STUCK: usize = 11;

/// Where a game is between its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// The part that was reached.
    pub part: usize,
    /// How far it is to the next, of `of` steps.
    pub past: u32,
    /// The steps from a part to the next.
    pub of: NonZeroU8,
}

impl Stage {
    /// From the number of pieces that all players have placed.
    fn new(state: &State) -> Self {
        let players = u32::from(state.players);
        let mut placed = players * PIECES as u32;
        for left in state.left.iter().take(usize::from(state.players)) {
            placed = placed.saturating_sub(left.count_ones());
        }
        let of = NonZeroU8::new(state.players * STEP).unwrap_or(NonZeroU8::MIN);
        let steps = u32::from(of.get());
        let last = STAGES as u32 - 2;
        let part = (placed / steps).min(last);
        Self { part: part as usize, past: (placed - part * steps).min(steps), of }
    }

    /// A weight between two parts of a game.
    #[inline]
    fn weigh(self, values: &Values, index: usize) -> i32 {
        self.weigh_steps(values, index) / i32::from(self.of.get())
    }

    /// The same times the steps from one part to the next.
    #[inline]
    const fn weigh_steps(self, values: &Values, index: usize) -> i32 {
        let (steps, past) = (self.of.get() as i32, self.past as i32);
        let part = self.part % (STAGES - 1);
        let (before, after) = (values[part][index] as i32, values[part + 1][index] as i32);
        before * (steps - past) + after * past
    }
}

#[inline(never)]
pub(super) fn measure(state: &State, spare: &mut Spare) -> Measured {
    /// Steps from attach points that are looked at, and where what they reach is measured.
    const STEPS: [Option<usize>; 7] =
        [Some(ATTACH), None, Some(NEAR), None, None, None, Some(REACH)];
    const DIAGONAL_STEPS: usize = 4;
    let players = usize::from(state.players).min(MAX_PLAYERS);
    let board = Board::new(state.players);
    let Spare { by_player: [reached, owned], others: [set, ..] } = spare;
    let (reached, owned) = (&mut reached[..players], &mut owned[..players]);
    let mut measured = [[0; MEASURES]; MAX_PLAYERS];
    for player in 0..players {
        let measured = &mut measured[player];
        measured[POINTS] = state.points[player].into();
        measured[PIECES_LEFT] = state.left[player].count_ones() as i16;
        let Outlook { allowed, attach } = &state.outlooks[player];
        let reached = &mut reached[player];
        for word in board.range() {
            reached[word] = attach[word] & allowed[word];
            owned[player][word] = 0;
        }
        if state.is_out(player) {
            *reached = Outlook::NONE.attach;
            continue;
        }
        measured[STUCK] = stuck(state, player, board, reached);
        board.roomy(allowed, set);
        measured[ROOM] = board.count(set);
        for word in board.range() {
            set[word] &= reached[word];
        }
        measured[ROOMY] = board.count(set);
        board.middle(allowed, set);
        measured[MIDDLE] = board.count(set);
        for word in board.range() {
            set[word] = reached[word];
        }
        for _ in 0..DIAGONAL_STEPS {
            board.spread_diagonally(set, allowed);
        }
        measured[AROUND] = board.count(set);
    }
    for (steps, measure) in STEPS.into_iter().enumerate() {
        for (reached, outlook) in reached.iter_mut().zip(&state.outlooks) {
            if steps > 0 {
                board.spread(reached, &outlook.allowed);
            }
        }
        if let Some(measure) = measure {
            for (measured, reached) in measured.iter_mut().zip(&*reached) {
                measured[measure % MEASURES] = board.count(reached);
            }
        }
        own(board, reached, owned);
        if steps == 1 {
            for (player, measured) in measured.iter_mut().enumerate().take(players) {
                // Nobody who is out has anything that is quiet.
                if state.is_out(player) {
                    continue;
                }
                for word in board.range() {
                    set[word] = state.outlooks[player].allowed[word];
                }
                for (_, other) in reached.iter().enumerate().filter(|(other, _)| *other != player) {
                    for word in board.range() {
                        set[word] &= !other[word];
                    }
                }
                measured[QUIET] = board.count(set);
            }
        }
    }
    for (measured, owned) in measured.iter_mut().zip(owned) {
        measured[TERRITORY] = board.count(owned);
    }
    measured
}

/// Adds to each player's squares those that only this player has reached.
fn own(board: Board, reached: &[Set], owned: &mut [Set]) {
    if let ([first, second], [of_first, of_second]) = (reached, &mut *owned) {
        for word in board.range() {
            let (one, other) = (first[word], second[word]);
            of_first[word] |= one & !other;
            of_second[word] |= other & !one;
        }
        return;
    }
    for word in board.range() {
        let (mut once, mut twice) = (0, 0);
        for reached in reached {
            twice |= once & reached[word];
            once |= reached[word];
        }
        for (owned, reached) in owned.iter_mut().zip(reached) {
            owned[word] |= reached[word] & !twice;
        }
    }
}

/// With more pieces left than this, it is not checked where they fit.
const FEW: u32 = 8;

/// How many of the pieces that a player has left fit nowhere; with many left, none is checked.
#[inline(never)]
fn stuck(state: &State, player: usize, board: Board, attach: &Set) -> i16 {
    let mut pieces = state.left[player % MAX_PLAYERS];
    if pieces.count_ones() > FEW {
        return 0;
    }
    let free = board.plan(&state.outlooks[player % MAX_PLAYERS].allowed, &Outlook::NONE.attach);
    for y in 0..board.side() {
        let mut points = board.row_of(attach, y) & ((1 << board.side()) - 1);
        while points != 0 {
            let square = BASE + y * STRIDE + points.trailing_zeros() as usize;
            points &= points - 1;
            let mut index = 0;
            while let Some(branch) = BRANCHING.get(index) {
                if branch.grows_to(pieces) && free.has(near(square, branch.square)) {
                    pieces &= !(1 << branch.piece);
                    index += 1;
                } else {
                    index += branch.skip();
                }
            }
        }
    }
    pieces.count_ones() as i16
}

/// Each player's chance of winning, or with more than two players of being ahead of another, 0 to
/// 65535.
pub(super) fn judge(state: &State, values: &Values, spare: &mut Spare) -> [u16; MAX_PLAYERS] {
    let mover = usize::from(state.turn) % MAX_PLAYERS;
    let stage = Stage::new(state);
    let mut weights = [0; WEIGHTS];
    for (index, weight) in weights.iter_mut().enumerate() {
        *weight = stage.weigh_steps(values, index);
    }
    let measured = measure(state, spare);
    let mut worth = [0; MAX_PLAYERS];
    for player in 0..usize::from(state.players).min(MAX_PLAYERS) {
        let first = if player == mover { 0 } else { MEASURES };
        let mut sum = if player == mover { weights[WEIGHTS - 1] } else { 0 };
        for measure in 0..MEASURES {
            sum += i32::from(measured[player][measure]) * weights[first + measure];
        }
        worth[player] = sum / i32::from(stage.of.get());
    }
    against_each(state, state.sides(worth), chance)
}

/// What a finished game is worth to each player: mostly the win, partly the lead.
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
        let all = worth.iter().take(players).enumerate();
        let others = all.filter(|(other, _)| !state.are_one(own, *other));
        let (sum, count) = others
            .fold((0, 0), |(sum, count), (_, other)| (sum + payoff(worth[own] - other), count + 1));
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

/// The chance for a lead in 1024ths of the log-odds.
fn chance(lead: i32) -> u32 {
    let size = lead.unsigned_abs().min(48 * 128 - 1);
    let at = size as usize / 128;
    let step = |at: usize| u32::from(LOGISTIC.get(at).copied().unwrap_or(65_372));
    let chance = step(at) + (step(at + 1) - step(at)) * (size % 128) / 128;
    if lead < 0 { 65_535 - chance } else { chance }
}

/// The lead in hundredths of a point that corresponds to this chance of the player to move.
pub(super) fn lead(chance: u32, state: &State, values: &Values) -> i16 {
    let point = Stage::new(state).weigh(values, POINTS).max(1);
    let size = chance.max(65_535 - chance.min(65_535));
    let eighths = LOGISTIC.iter().filter(|step| u32::from(**step) < size).count() as i32;
    let lead = eighths * 128 * 100 / point;
    (if chance < 32_768 { -lead } else { lead }) as i16
}

/// The same to the hundredth, for comparing moves: between two steps of the table in proportion.
pub(super) fn finer_lead(chance: u32, state: &State, values: &Values) -> i16 {
    let point = Stage::new(state).weigh(values, POINTS).max(1);
    let size = chance.max(65_535 - chance.min(65_535)).max(u32::from(LOGISTIC[0]));
    let at = LOGISTIC.partition_point(|step| u32::from(*step) <= size) - 1;
    let below = u32::from(LOGISTIC[at]);
    let past =
        LOGISTIC.get(at + 1).map_or(0, |above| (size - below) * 128 / (u32::from(*above) - below));
    let lead = (at as i32 * 128 + past as i32) * 100 / point;
    (if chance < 32_768 { -lead } else { lead }).clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16
}

/// What learning sees of a position: all measures, and the part of the game.
pub fn measures<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
) -> (Measured, Stage) {
    let state = State::new(game);
    (measure(&state, &mut Spare::new()), Stage::new(&state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::random;
    use crate::game::Game;
    use crate::games::blokus::{Classic, Duo, Rows};
    use crate::mix::Rng;
    use crate::player::Player;
    use std::vec::Vec;

    /// The number of steps to each square.
    type Steps = [[u32; 20]; 20];

    /// More steps than any path has.
    const NEVER: u32 = 400;

    /// Squares of a board.
    type Squares = Vec<(usize, usize)>;

    fn squares(side: usize, has: &dyn Fn(usize, usize) -> bool) -> Squares {
        let mut squares = Vec::new();
        for at in 0..side * side {
            if has(at % side, at / side) {
                squares.push((at % side, at / side));
            }
        }
        squares
    }

    /// Walks over open squares, one at a time, to neighbours whose columns and rows differ by so
    /// much in total.
    fn walk(open: &Squares, from: &Squares, far: usize) -> Steps {
        let mut steps = [[NEVER; 20]; 20];
        let mut reached = from.clone();
        from.iter().for_each(|&(x, y)| steps[y][x] = 0);
        let mut next = 0;
        while let Some(&(x, y)) = reached.get(next) {
            next += 1;
            for &(to_x, to_y) in open {
                let (columns, rows) = (x.abs_diff(to_x), y.abs_diff(to_y));
                let near = columns.max(rows) <= 1 && columns + rows <= far;
                if near && steps[to_y][to_x] == NEVER {
                    steps[to_y][to_x] = steps[y][x] + 1;
                    reached.push((to_x, to_y));
                }
            }
        }
        steps
    }

    fn slow_measure<const PLAYERS: usize, const WORDS: usize>(
        game: &Blokus<PLAYERS, WORDS>,
    ) -> Measured {
        let side = usize::from(Blokus::<PLAYERS, WORDS>::SIDE);
        let looks: Vec<_> = Player::all(PLAYERS)
            .map(|player| {
                let frontier = game.frontier(player);
                let all = |rows: &Rows<WORDS>| {
                    let out = game.passed >> player.index() & 1 != 0;
                    squares(side, &|x, y| !out && rows.has(x as u8, y as u8))
                };
                let (allowed, attach) = (all(&frontier.allowed), all(&frontier.attach));
                let steps = walk(&allowed, &attach, 1);
                (allowed, attach, steps)
            })
            .collect();
        let mut measured = [[0; MEASURES]; MAX_PLAYERS];
        for player in Player::all(PLAYERS) {
            let own = player.index();
            let (allowed, attach, steps) = &looks[own];
            let count = |of: &dyn Fn(usize, usize) -> bool| squares(side, of).len() as i16;
            let among = |squares: &Squares, of: &dyn Fn(usize, usize) -> bool| {
                squares.iter().filter(|&&(x, y)| of(x, y)).count() as i16
            };
            let room = |x: usize, y: usize| {
                let joined = walk(allowed, &Vec::from([(x, y)]), 1);
                count(&|x, y| joined[y][x] < NEVER) >= 3
            };
            let edge = if PLAYERS == 2 { 3 } else { 5 };
            let middle = |at: usize| (edge..side - edge).contains(&at);
            let others = |x: usize, y: usize| {
                let others = looks.iter().enumerate().filter(|(other, _)| *other != own);
                others.map(|(_, look)| look.2[y][x]).min().unwrap_or(NEVER)
            };
            let around = walk(allowed, attach, 2);
            let left = game.pieces_left(player);
            let mut stuck = left.bits();
            if game.passed >> own & 1 != 0 || stuck.count_ones() > FEW {
                stuck = 0;
            }
            game.frontier(player).for_each(left, &mut |orientation, _, _| {
                stuck &= !(1 << orientation.piece().index());
            });
            let measures = &mut measured[own];
            measures[POINTS] = game.score(player);
            measures[PIECES_LEFT] = left.bits().count_ones() as i16;
            measures[ATTACH] = attach.len() as i16;
            measures[ROOMY] = among(attach, &room);
            measures[NEAR] = count(&|x, y| steps[y][x] <= 2);
            measures[REACH] = count(&|x, y| steps[y][x] <= 6);
            measures[TERRITORY] = count(&|x, y| steps[y][x] <= 6 && steps[y][x] < others(x, y));
            measures[AROUND] = count(&|x, y| around[y][x] <= 4);
            measures[MIDDLE] = among(allowed, &|x, y| middle(x) && middle(y));
            measures[ROOM] = among(allowed, &room);
            measures[QUIET] = among(allowed, &|x, y| others(x, y) > 1);
            measures[STUCK] = stuck.count_ones() as i16;
        }
        measured
    }

    fn compare<const PLAYERS: usize, const WORDS: usize>(start: Blokus<PLAYERS, WORDS>, seed: u64) {
        let (mut game, mut rng) = (start, Rng::new(seed));
        while let Some(mv) = random(&game, &mut rng) {
            if rng.below(3) == 0 {
                let (measured, stage) = measures(&game);
                assert_eq!(measured, slow_measure(&game), "seed {seed}");
                assert!(stage.part + 1 < STAGES && stage.past <= stage.of.get().into());
            }
            game.play(mv);
        }
    }

    #[test]
    fn all_squares_at_once_are_measured_as_one_by_one() {
        for seed in 0..6 {
            compare(Duo::default(), seed);
        }
        for seed in 0..2 {
            compare(Classic::default(), seed);
        }
    }

    #[test]
    fn the_finer_lead_lies_between_the_steps_of_the_other_one() {
        let (state, values) = (State::new(&Duo::default()), &Duo::PARAMETERS.learnt.value);
        let mut before = i16::MIN;
        for chance in (0..=65_535).step_by(7) {
            let finer = finer_lead(chance, &state, values);
            assert!(finer >= before, "{chance}");
            before = finer;
            // The table has 48 steps; beyond them the coarse one goes on for one more.
            let coarse = lead(chance, &state, values);
            let step = lead(34_000, &state, values);
            assert!(
                coarse.abs_diff(finer) <= step.unsigned_abs() + 1,
                "{chance}: {coarse} {finer}"
            );
        }
        assert_eq!(finer_lead(32_767, &state, values), 0);
    }
}
