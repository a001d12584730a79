//! Exact play near the end.
//!
//! Three searches stand on each other: `deep` remembers positions and orders moves by
//! the replies they leave; `shallow` orders by parity and place; and the last four empty
//! squares have code of their own. The windows of the root close in on a guess.

use core::marker::PhantomData;

use heapless::Vec;

use super::eval::{self, Discs, Evaluate, Weighted, Weights, final_score};
use super::kernels::{HALVES, changes, count, count_corners, count_last_flips, moves};
use super::memory::{Stage, divide};
#[cfg(feature = "large")]
use super::patterns::Large;
use super::patterns::Small;
use super::stable::stable;
use super::{Move, Othello};
use crate::bitboard::Bitboard;
use crate::game::Game;
use crate::search::ablation::{Everything, Uses};
use crate::search::budget::Meter;
use crate::search::helper::helped_by_table;
use crate::search::pvs::Position;
use crate::search::table::Table;
use crate::search::{Solution, Solve};
use crate::square::Square;

/// Bits of an entry of the table: see [`Entry`]. The other 40 tell positions apart.
const DATA_BITS: u32 = 24;

/// The memory of an endgame search. Nothing but endgame searches may have written to it.
pub(super) type EndgameTable<'a> = Table<'a, DATA_BITS>;

/// Positions with more empty squares are not solved: nothing gets to the end of that, and every
/// empty square takes some stack (about 300 bytes on a Cortex-M3).
pub(super) const MAX_EMPTY: u32 = if cfg!(target_pointer_width = "64") { 40 } else { 24 };

/// Up to this many empty squares positions are remembered in a part of the memory that stays in
/// the processor's cache: they come often and are soon found again or never. Machines without a
/// cache have no such part.
const NEAR: u32 = if HALVES { 0 } else { 9 };

/// The slots of that part: 256 KB.
const NEAR_SLOTS: usize = if HALVES { 0 } else { 1 << 15 };

/// The most that a player can be ahead by.
const MAX_SCORE: i32 = 64;

/// Less than any score: no move was found.
const NONE: i32 = -MAX_SCORE - 1;

/// Up to this many empty squares moves are ordered by parity and place and nothing is remembered. Putting
/// them in order costs more where words have half a board.
const SHALLOW: u32 = if HALVES { 7 } else { 6 };

/// From this many empty squares on the table is asked about all replies before one is searched.
const REPLIES_FROM: u32 = 11;

/// From this many empty squares on a small search with the evaluation helps to order moves.
const GUESS_FROM: u32 = 13;

/// How much worse than the best one a move is when it no longer matters by how much, in hundredths.
const GUESS_MARGIN: i32 = 800;

/// How far the guess for the root looks ahead.
const ROOT_GUESS_DEPTH: u32 = 2;

/// How far around the guess the score is looked for first.
const WINDOW: i32 = 4;

/// For lists that are not filled yet.
const A1: Square = Square::at(0, 0).expect("a square");

const CORNERS: Bitboard = Bitboard::CORNERS;

/// The squares diagonally beside the corners.
const X_SQUARES: Bitboard = Bitboard::from_bits(0x0042_0000_0000_4200);

/// Parts of the search that can be left out: see `search/ablation.rs`. All give
/// the same values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Techniques {
    /// Stable discs of the opponent bound the score.
    stability: bool,
    /// Squares in quadrants with an odd number of empty squares come first.
    parity: bool,
    /// Of these and of the others, corners come first and squares diagonally beside them last.
    corners: bool,
    /// Moves that leave few replies come first.
    fastest_first: bool,
    /// A child in the table that already cuts off saves the search.
    replies: bool,
    /// The evaluation guesses where the score lies, and which moves are good far from the end.
    guesses: bool,
    /// The last few squares have a search of their own, without a table.
    shallow: bool,
}

impl Techniques {
    const ALL: Self = Self {
        stability: true,
        parity: true,
        corners: true,
        fastest_first: true,
        replies: true,
        guesses: true,
        shallow: true,
    };

    /// Up to this many empty squares [`Search::shallow`] is asked.
    const fn shallow_up_to(self) -> u32 {
        if self.shallow { SHALLOW } else { 0 }
    }
}

impl Uses<Techniques> for Everything {
    const TECHNIQUES: Techniques = Techniques::ALL;
}

/// The best score for the player to move, as far as it lies between `alpha` and `beta`, and a move
/// that reaches it; `None` when the budget does not reach, or with more than [`MAX_EMPTY`] empty
/// squares.
///
/// The score is that of the end of the game, empty squares counted for the winner. One of `alpha`
/// or less is an upper bound (and the move a guess), one of `beta` or more a lower one. Who wins
/// is found out much faster, with the window -1, 1, than by how much, with -64, 64. There is no
/// move when the player must pass or the game is over.
pub(super) fn search(
    game: &Othello,
    alpha: i16,
    beta: i16,
    weights: Weights<'_>,
    table: EndgameTable<'_>,
    meter: &mut Meter<'_>,
) -> Option<(i16, Option<Square>)> {
    search_with::<Everything>(game, alpha, beta, weights, table, meter)
}

fn search_with<T: Uses<Techniques>>(
    game: &Othello,
    alpha: i16,
    beta: i16,
    weights: Weights<'_>,
    table: EndgameTable<'_>,
    meter: &mut Meter<'_>,
) -> Option<(i16, Option<Square>)> {
    let (own, opponent) = (game.own, game.opponent);
    if game.empty().len() > MAX_EMPTY {
        return None;
    }
    let (near, far) = table.split(NEAR_SLOTS);
    let mut search = Search::<T> {
        near,
        far,
        weights,
        meter,
        best: 0,
        holes: Holes::EMPTY,
        techniques: PhantomData,
    };
    let score = search.root(own, opponent, alpha.into(), beta.into());
    if search.meter.is_over() {
        return None;
    }
    let targets = moves(own, opponent);
    let best = legal(targets, search.best).or(targets.first());
    Some((score as i16, best))
}

/// The same with the help of the meter's second processor, if it has one.
pub(super) fn search_helped(
    game: &Othello,
    alpha: i16,
    beta: i16,
    weights: Weights<'_>,
    table: EndgameTable<'_>,
    meter: &mut Meter<'_>,
) -> Option<(i16, Option<Square>)> {
    let Some(helper) = meter.helper() else {
        return search(game, alpha, beta, weights, table, meter);
    };
    let replies = |meter: &mut Meter<'_>| {
        search_replies(game, alpha, beta, weights, table, meter);
    };
    let (found, nodes) =
        helped_by_table(helper, replies, || search(game, alpha, beta, weights, table, meter))?;
    meter.add(nodes);
    found
}

/// Searches the replies to each move, the worst-looking first, where the search of the move itself
/// begins with the best: it ends sooner when it finds the rest in the table.
fn search_replies(
    game: &Othello,
    alpha: i16,
    beta: i16,
    weights: Weights<'_>,
    table: EndgameTable<'_>,
    meter: &mut Meter<'_>,
) {
    for mv in best_first(game, weights) {
        let after = played(game, mv);
        for reply in best_first(&after, weights).into_iter().rev() {
            let bounds = |game: &Othello| {
                let known = table.get(eval::hash(game.own, game.opponent));
                known.map_or(Entry::UNKNOWN, Entry::unpack)
            };
            let known = bounds(&after);
            if known.low >= -i32::from(alpha) || known.high <= -i32::from(beta) {
                break;
            }
            if search(&played(&after, reply), alpha, beta, weights, table, meter).is_none() {
                return;
            }
        }
    }
}

/// The moves that place a disc, the best-looking first.
fn best_first(game: &Othello, weights: Weights<'_>) -> Vec<Square, 64> {
    let mut moves: Vec<(Square, i16), 64> = Vec::new();
    for square in game.targets() {
        let after = played(game, square);
        // There is room for every square.
        let _ = moves.push((square, weights.evaluate(after.own, after.opponent)));
    }
    moves.sort_unstable_by_key(|(_, value)| *value);
    moves.into_iter().map(|(square, _)| square).collect()
}

fn played(game: &Othello, square: Square) -> Othello {
    let mut after = *game;
    after.play(Move::Disc(square));
    after
}

impl Solve for Othello {
    fn solve(&self, memory: &mut [u64], meter: &mut Meter<'_>) -> Option<Solution<Move>> {
        let (weights, table) = divide(memory, Stage::End, self.empty().len());
        let (score, best) = search(self, -64, 64, weights, EndgameTable::new(table), meter)?;
        Some(Solution { score, best: best.map(Move::Disc).or(self.forced_pass()) })
    }
}

/// What the table remembers of a position: the bounds of its score and a move, if there is a lower
/// bound, that reaches it.
#[derive(Debug, Clone, Copy)]
struct Entry {
    low: i32,
    high: i32,
    best: u8,
    /// How many empty squares the position has, up to 15. 0 for an unknown one.
    empty: u32,
}

impl Entry {
    const UNKNOWN: Self = Self { low: -MAX_SCORE, high: MAX_SCORE, best: 0, empty: 0 };

    const fn unpack(data: u32) -> Self {
        Self {
            low: (data & 0x7f) as i32 * 2 - MAX_SCORE,
            high: (data >> 7 & 0x7f) as i32 * 2 - MAX_SCORE,
            best: (data >> 14 & 0x3f) as u8,
            empty: data >> 20,
        }
    }

    /// Scores are even, since the empty squares are the winner's.
    const fn pack(self) -> u32 {
        let (low, high) = ((self.low + MAX_SCORE) as u32 / 2, (self.high + MAX_SCORE) as u32 / 2);
        let empty = if self.empty > 15 { 15 } else { self.empty };
        low | high << 7 | (self.best as u32) << 14 | empty << 20
    }
}

/// A set of quadrants, one bit each: those with an odd number of empty squares. Who plays there
/// first can also play there last.
type Parity = u8;

/// The quadrant of each square.
static QUADRANT: [Parity; 64] = {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = 1 << (index / 32 * 2 + index % 8 / 4);
        index += 1;
    }
    table
};

/// The squares of each set of quadrants.
static QUADRANT_SQUARES: [u64; 16] = {
    let mut table = [0; 16];
    let mut parity = 0;
    while parity < 16 {
        let mut index = 0;
        while index < 64 {
            if QUADRANT[index] as usize & parity != 0 {
                table[parity] |= 1 << index;
            }
            index += 1;
        }
        parity += 1;
    }
    table
};

#[inline(always)]
fn quadrant(square: Square) -> Parity {
    QUADRANT[square.index() as usize % 64]
}

/// The squares of the quadrants in `parity`.
#[inline(always)]
fn odd_squares(parity: Parity) -> Bitboard {
    Bitboard::from_bits(QUADRANT_SQUARES[usize::from(parity % 16)])
}

fn parity(empty: Bitboard) -> Parity {
    // Folded until there is a nibble per quadrant; bit n of the number is the parity of nibble n.
    const NIBBLE_PARITIES: u32 = 0x6996;
    let empty = empty.bits();
    let rows = empty ^ empty >> 16;
    let rows = rows ^ rows >> 8;
    let nibbles = (rows & 0xff | rows >> 24 & 0xff00) as u32;
    let odd = |shift: u32| (NIBBLE_PARITIES >> (nibbles >> shift & 15) & 1) as u8;
    odd(0) | odd(4) << 1 | odd(8) << 2 | odd(12) << 3
}

/// A list of the empty squares, from which one is quickly taken out and put back where it was.
struct Holes {
    /// The square after each square, and at [`HEAD`](Self::HEAD) the first one. What is no square
    /// ends the list.
    next: [u8; 128],
}

impl Holes {
    const HEAD: u8 = 64;

    const EMPTY: Self = Self { next: [Self::HEAD; 128] };

    /// Lists the squares of some sets, one set after the other.
    fn fill<const SETS: usize>(&mut self, sets: [Bitboard; SETS]) {
        let mut last = Self::HEAD;
        for square in sets.into_iter().flatten() {
            self.link(last, square.index());
            last = square.index();
        }
        self.link(last, Self::HEAD);
    }

    /// The square after another or after [`HEAD`](Self::HEAD).
    #[inline(always)]
    fn after(&self, before: u8) -> Option<Square> {
        Square::from_index(self.next[usize::from(before % 128)].into())
    }

    #[inline(always)]
    fn link(&mut self, before: u8, next: u8) {
        self.next[usize::from(before % 128)] = next;
    }

    /// Takes a square out that comes after another.
    #[inline(always)]
    fn take_out(&mut self, before: u8, square: Square) {
        self.link(before, self.next[usize::from(square.index() % 128)]);
    }

    /// Puts the square back that was taken out last.
    #[inline(always)]
    fn put_back(&mut self, before: u8, square: Square) {
        self.link(before, square.index());
    }
}

/// The squares around each square.
static AROUND: [Bitboard; 64] = {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let square = Bitboard::from_bits(1 << index);
        table[index] = Bitboard::from_bits(square.and_around().bits() & !square.bits());
        index += 1;
    }
    table
};

/// The square with this number, if it is one of `targets`.
#[inline(always)]
const fn legal(targets: Bitboard, index: u8) -> Option<Square> {
    Bitboard::from_bits(targets.bits() & 1 << index).first()
}

/// What a disc on a square changes, which is nothing if it is no move.
#[inline(always)]
fn try_changes(square: Square, own: Bitboard, opponent: Bitboard) -> Bitboard {
    // Where the code of a square looks at ray after ray, it asks this itself.
    if !HALVES && (AROUND[square.index() as usize % 64] & opponent).is_empty() {
        return Bitboard::EMPTY;
    }
    changes(square, own, opponent)
}

/// The position after a move that changes these squares, for the player who is then to move.
#[inline(always)]
fn after(own: Bitboard, opponent: Bitboard, changed: Bitboard) -> (Bitboard, Bitboard) {
    (opponent & !changed, own | changed)
}

/// A guess at the score in hundredths by a plain search with the evaluation.
fn guess<L: Weighted>(discs: &Discs<'_, L>, mut alpha: i32, beta: i32, depth: u32) -> i32 {
    if depth == 0 {
        return discs.value().into();
    }
    if discs.targets.is_empty() {
        let mut next = discs.clone();
        next.pass();
        if next.targets.is_empty() {
            return 100 * final_score(discs.own, discs.opponent);
        }
        return -guess(&next, -beta, -alpha, depth - 1);
    }
    let mut best = 100 * NONE;
    for square in discs.targets {
        let mut next = discs.clone();
        next.play(Move::Disc(square));
        best = best.max(-guess(&next, -beta, -alpha, depth - 1));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The guess for a position by a search so deep.
fn guess_at<L: Weighted>(discs: &Discs<'_, L>, depth: u32) -> i32 {
    guess(discs, -100 * MAX_SCORE, 100 * MAX_SCORE, depth)
}

/// Calls `visit` with moves, the positions after them and the guesses for those. What is bad by
/// [`GUESS_MARGIN`] is guessed no better than that.
fn guesses<L: Weighted>(
    discs: &Discs<'_, L>,
    depth: u32,
    targets: Bitboard,
    mut visit: impl FnMut(Square, (Bitboard, Bitboard), i32),
) {
    let limit = 100 * MAX_SCORE;
    // The better a move, the less the opponent has after it.
    let mut least = limit;
    for square in targets {
        let mut next = discs.clone();
        next.play(Move::Disc(square));
        let guess = guess(&next, -limit, limit.min(least + GUESS_MARGIN), depth);
        least = least.min(guess);
        visit(square, (next.own, next.opponent), guess);
    }
}

/// An upper bound of the score by the opponent's stable discs, if it is `alpha` or less. Looked
/// for only where `alpha` is high enough for it to be likely.
#[inline(always)]
fn cut_by_stability(own: Bitboard, opponent: Bitboard, alpha: i32, empty: u32) -> Option<i32> {
    if alpha < 2 * empty as i32 + 10 {
        return None;
    }
    let most = MAX_SCORE - 2 * count(stable(opponent, own));
    (most <= alpha).then_some(most)
}

struct Search<'s, 't, 'm, T> {
    /// Remembers positions with up to [`NEAR`] empty squares.
    near: EndgameTable<'t>,
    /// Remembers all others.
    far: EndgameTable<'t>,
    weights: Weights<'t>,
    meter: &'s mut Meter<'m>,
    /// The best move of the position that [`deep`](Self::deep) has returned from last.
    best: u8,
    /// The empty squares, for [`shallow`](Self::shallow) and what it calls.
    holes: Holes,
    techniques: PhantomData<T>,
}

/// All scores are for the player to move. When the meter is over they mean nothing.
impl<'t, T: Uses<Techniques>> Search<'_, 't, '_, T> {
    /// Searches in small windows, first around a guess, then beyond the bound that was found.
    fn root(&mut self, own: Bitboard, opponent: Bitboard, alpha: i32, beta: i32) -> i32 {
        let empty = (!(own | opponent)).bits().count_ones();
        if !T::TECHNIQUES.guesses || beta - alpha <= 2 {
            return self.deep(own, opponent, alpha, beta, empty);
        }
        let guess = match self.weights {
            Weights::Small(weights) => {
                guess_at(&Discs::<Small>::new(own, opponent, weights), ROOT_GUESS_DEPTH)
            }
            #[cfg(feature = "large")]
            Weights::Large(weights) => {
                guess_at(&Discs::<Large>::new(own, opponent, weights), ROOT_GUESS_DEPTH)
            }
        };
        let guess = guess / 200 * 2;
        let guess = guess.clamp(alpha + 1, beta - 1);
        let (mut low, mut high) = (alpha.max(guess - WINDOW), beta.min(guess + WINDOW));
        let (mut least, mut most) = (-MAX_SCORE, MAX_SCORE);
        loop {
            let score = self.deep(own, opponent, low, high, empty);
            if score <= low && low > alpha {
                most = score;
                (low, high) = (alpha.max(score - WINDOW), score + 1);
            } else if score >= high && high < beta {
                least = score;
                (low, high) = (score - 1, beta.min(score + WINDOW));
            } else {
                return score;
            }
            if least > most || self.meter.is_over() {
                return score;
            }
        }
    }

    /// Where positions with so many empty squares are remembered.
    #[inline(always)]
    const fn table(&self, empty: u32) -> EndgameTable<'t> {
        if empty <= NEAR { self.near } else { self.far }
    }

    #[inline]
    fn score(
        &mut self,
        own: Bitboard,
        opponent: Bitboard,
        alpha: i32,
        beta: i32,
        empty: u32,
    ) -> i32 {
        if beta - alpha > 1 || empty > const { T::TECHNIQUES.shallow_up_to() } || empty < 4 {
            self.deep(own, opponent, alpha, beta, empty)
        } else {
            self.begin_shallow(own, opponent, alpha, empty)
        }
    }

    /// The score in the window from `alpha` to `alpha + 1`, with four empty squares or a few more. Not
    /// inlined: what it needs would be on the stack at every level above it.
    #[inline(never)]
    fn begin_shallow(&mut self, own: Bitboard, opponent: Bitboard, alpha: i32, empty: u32) -> i32 {
        let all = !(own | opponent);
        let parity = if T::TECHNIQUES.parity { parity(all) } else { 0 };
        if T::TECHNIQUES.corners {
            let others = all & !(CORNERS | X_SQUARES);
            self.holes.fill([all & CORNERS, others, all & X_SQUARES]);
        } else {
            self.holes.fill([all]);
        }
        if empty == 4 {
            self.last_four(own, opponent, alpha, parity)
        } else {
            self.shallow(own, opponent, alpha, parity, empty)
        }
    }

    /// The score in any window and with any number of empty squares.
    ///
    /// A pass is no level of the recursion of its own, so that there are at most [`MAX_EMPTY`] + 1.
    fn deep(
        &mut self,
        own: Bitboard,
        opponent: Bitboard,
        alpha: i32,
        beta: i32,
        empty: u32,
    ) -> i32 {
        if let Some(score) = self.deep_unless_pass(own, opponent, alpha, beta, empty) {
            return score;
        }
        if moves(opponent, own).is_empty() {
            return final_score(own, opponent);
        }
        self.deep_unless_pass(opponent, own, -beta, -alpha, empty).map_or(0, |score| -score)
    }

    /// The same; `None` if the player to move has no move.
    #[inline(never)]
    fn deep_unless_pass(
        &mut self,
        own: Bitboard,
        opponent: Bitboard,
        mut alpha: i32,
        beta: i32,
        empty: u32,
    ) -> Option<i32> {
        if !self.meter.tick() {
            return Some(0);
        }
        if T::TECHNIQUES.stability
            && let Some(most) = cut_by_stability(own, opponent, alpha, empty)
        {
            return Some(most);
        }
        let hash = eval::hash(own, opponent);
        let known = if empty > SHALLOW { self.table(empty).get(hash) } else { None };
        let known = known.map_or(Entry::UNKNOWN, Entry::unpack);
        if known.low >= beta || known.low >= known.high {
            self.best = known.best;
            return Some(known.low);
        }
        if known.high <= alpha {
            return Some(known.high);
        }
        let targets = moves(own, opponent);
        if targets.is_empty() {
            return None;
        }
        if T::TECHNIQUES.replies
            && empty >= REPLIES_FROM
            && let Some((square, least)) = self.known_cut(own, opponent, targets, beta, empty)
        {
            self.best = square.index();
            return Some(least);
        }
        let first_alpha = alpha;
        let mut best = NONE;
        let mut best_square = 0;
        // A move that was good before often ends it, so the others are put in order after it.
        let mut next = legal(targets, known.best).filter(|_| known.empty != 0);
        // Nor is there anything to put in order if there is but one.
        if targets.bits() & (targets.bits() - 1) == 0 {
            next = targets.first();
        }
        let mut order = Vec::new();
        if next.is_none() {
            self.order(own, opponent, targets, empty, &mut order);
        }
        let mut searched = 0;
        loop {
            if searched == 1
                && let Some(known) = next.take()
            {
                self.order(own, opponent, targets.without(known), empty, &mut order);
            }
            let Some(square) = next.or_else(|| take_least(&mut order)) else { break };
            let changed = changes(square, own, opponent);
            let (next_own, next_opponent) = after(own, opponent, changed);
            let mut score = alpha + 1;
            if searched > 0 && beta - alpha > 1 {
                score = -self.score(next_own, next_opponent, -alpha - 1, -alpha, empty - 1);
            }
            if searched == 0 || beta - alpha == 1 || score > alpha && score < beta {
                score = -self.score(next_own, next_opponent, -beta, -alpha, empty - 1);
            }
            searched += 1;
            if self.meter.is_over() {
                return Some(0);
            }
            if score > best {
                best = score;
                best_square = square.index();
                if score >= beta {
                    break;
                }
                alpha = alpha.max(score);
            }
        }
        self.best = best_square;
        if empty > SHALLOW {
            let mut entry = Entry { empty, ..known };
            if best < beta {
                entry.high = best.min(known.high);
            }
            if best > first_alpha {
                entry.low = best.max(known.low);
            }
            if best > first_alpha || known.empty == 0 {
                entry.best = best_square;
            }
            self.table(empty).put(hash, entry.pack(), |data| Entry::unpack(data).empty);
        }
        Some(best)
    }

    /// A move to a position that is known to be worth `beta` or more, and how much at least.
    #[inline(never)]
    fn known_cut(
        &mut self,
        own: Bitboard,
        opponent: Bitboard,
        targets: Bitboard,
        beta: i32,
        empty: u32,
    ) -> Option<(Square, i32)> {
        let hash = |square| {
            let (own, opponent) = after(own, opponent, changes(square, own, opponent));
            eval::hash(own, opponent)
        };
        let table = self.table(empty - 1);
        let cut = |(square, hash)| {
            let least = -Entry::unpack(table.get(hash)?).high;
            (least >= beta).then_some((square, least))
        };
        if HALVES {
            return targets.iter().map(|square| (square, hash(square))).find_map(cut);
        }
        // With all hashes at hand a processor with a cache waits for all entries at once.
        let hashes = targets.iter().map(hash).collect::<Vec<_, 64>>();
        targets.iter().zip(hashes.iter().copied()).find_map(cut)
    }

    /// The score in the window from `alpha` to `alpha + 1`, with five empty squares or a few more.
    fn shallow(
        &mut self,
        own: Bitboard,
        opponent: Bitboard,
        alpha: i32,
        parity: Parity,
        empty: u32,
    ) -> i32 {
        if !self.meter.tick() {
            return 0;
        }
        // In halves finding stable discs takes longer than what is left of the search.
        if !HALVES
            && T::TECHNIQUES.stability
            && let Some(most) = cut_by_stability(own, opponent, alpha, empty)
        {
            return most;
        }
        let mut best = NONE;
        for quadrants in [parity, !parity] {
            let mut before = Holes::HEAD;
            while let Some(square) = self.holes.after(before) {
                let here = quadrant(square);
                if here & quadrants != 0 {
                    let changed = try_changes(square, own, opponent);
                    if !changed.is_empty() {
                        let (next_own, next_opponent) = after(own, opponent, changed);
                        let parity = if T::TECHNIQUES.parity { parity ^ here } else { 0 };
                        self.holes.take_out(before, square);
                        let score = if empty == 5 {
                            -self.last_four(next_own, next_opponent, -alpha - 1, parity)
                        } else {
                            -self.shallow(next_own, next_opponent, -alpha - 1, parity, empty - 1)
                        };
                        self.holes.put_back(before, square);
                        if score > alpha {
                            return score;
                        }
                        best = best.max(score);
                    }
                }
                before = square.index();
            }
        }
        if best != NONE {
            best
        } else if moves(opponent, own).is_empty() {
            final_score(own, opponent)
        } else {
            -self.shallow(opponent, own, -alpha - 1, parity, empty)
        }
    }

    /// The score in the window from `alpha` to `alpha + 1` with four empty squares. All that
    /// follows counts as one position: it costs little more than an evaluation.
    fn last_four(&mut self, own: Bitboard, opponent: Bitboard, alpha: i32, parity: Parity) -> i32 {
        if !self.meter.tick() {
            return 0;
        }
        let mut list = [A1; 4];
        // Besides two odd quadrants with a square each there may be two more squares.
        let (mut odd, mut even) = (0, if parity == 0 { 0 } else { 2 });
        let mut before = Holes::HEAD;
        while let Some(square) = self.holes.after(before) {
            let place = if quadrant(square) & parity != 0 { &mut odd } else { &mut even };
            list[*place % 4] = square;
            *place += 1;
            before = square.index();
        }
        four(own, opponent, alpha, list, false)
    }

    /// Lists moves as square numbers with keys above them, whose least is to come first.
    fn order(
        &self,
        own: Bitboard,
        opponent: Bitboard,
        targets: Bitboard,
        empty: u32,
        order: &mut Vec<u16, 64>,
    ) {
        /// Added to keys so that they are positive.
        const MIDDLE: i32 = 512;
        let all = !(own | opponent);
        let odd = odd_squares(parity(all));
        let key = |square: Square, (next_own, next_opponent): (Bitboard, Bitboard)| {
            let mut key = MIDDLE;
            if T::TECHNIQUES.fastest_first {
                let replies = moves(next_own, next_opponent);
                let chances = next_opponent.and_around() & all.without(square);
                key += 12 * count(replies)
                    + 16 * count_corners(replies)
                    + if empty >= 10 { 2 * count(chances) } else { 0 };
                key += if X_SQUARES.contains(square) { 4 } else { 0 };
                key -= if CORNERS.contains(square) { 8 } else { 0 };
            }
            if T::TECHNIQUES.parity && odd.contains(square) {
                key -= 6;
            }
            key
        };
        let mut add = |square: Square, key: i32| {
            let key = key.clamp(0, 2 * MIDDLE - 1) as u16;
            // There is room for every square.
            let _ = order.push(key << 6 | u16::from(square.index()));
        };
        if !T::TECHNIQUES.guesses || empty < GUESS_FROM {
            for square in targets {
                let next = after(own, opponent, changes(square, own, opponent));
                add(square, key(square, next));
            }
            return;
        }
        let depth = ((empty - GUESS_FROM) / 2).min(3);
        let visit = |square, next, guess: i32| add(square, key(square, next) + guess / 16);
        match self.weights {
            Weights::Small(weights) => {
                guesses(&Discs::<Small>::new(own, opponent, weights), depth, targets, visit);
            }
            #[cfg(feature = "large")]
            Weights::Large(weights) => {
                guesses(&Discs::<Large>::new(own, opponent, weights), depth, targets, visit);
            }
        }
    }
}

/// Takes the square with the least key out of a list: mostly one of the first moves ends a search,
/// and sorting all of them would be in vain.
#[inline(always)]
fn take_least(order: &mut Vec<u16, 64>) -> Option<Square> {
    let last = *order.last()?;
    let least = core::mem::replace(order.iter_mut().min()?, last);
    order.pop();
    Square::from_index(least % 64)
}

/// Tries moves in the order given and returns the first score above `$alpha`, else the best. If
/// there is no move it passes, and if that was tried as well, [`NONE`] says so.
macro_rules! best_of {
    ($search:ident($own:ident, $opponent:ident, $alpha:ident, $list:expr, $passed:ident):
     $($square:ident then $next:expr;)*) => {{
        let mut best = NONE;
        $(
            let changed = try_changes($square, $own, $opponent);
            if !changed.is_empty() {
                let (own, opponent) = after($own, $opponent, changed);
                let score = -$next(own, opponent, -$alpha - 1);
                if score > $alpha {
                    return score;
                }
                best = best.max(score);
            }
        )*
        if best != NONE || $passed {
            return best;
        }
        match -$search($opponent, $own, -$alpha - 1, $list, true) {
            score if score == -NONE => final_score($own, $opponent),
            score => score,
        }
    }};
}

/// Four empty squares, those in odd quadrants first.
fn four(own: Bitboard, opponent: Bitboard, alpha: i32, list: [Square; 4], passed: bool) -> i32 {
    let [a, b, c, d] = list;
    best_of!(four(own, opponent, alpha, list, passed):
        a then |own, opponent, alpha| three(own, opponent, alpha, alone_first([b, c, d]), false);
        b then |own, opponent, alpha| three(own, opponent, alpha, alone_first([a, c, d]), false);
        c then |own, opponent, alpha| three(own, opponent, alpha, alone_first([a, b, d]), false);
        d then |own, opponent, alpha| three(own, opponent, alpha, alone_first([a, b, c]), false);
    )
}

/// Puts a square that is alone in its quadrant before two that are not.
#[inline(always)]
fn alone_first([a, b, c]: [Square; 3]) -> [Square; 3] {
    if quadrant(b) == quadrant(c) {
        [a, b, c]
    } else if quadrant(a) == quadrant(c) {
        [b, a, c]
    } else if quadrant(a) == quadrant(b) {
        [c, a, b]
    } else {
        [a, b, c]
    }
}

fn three(own: Bitboard, opponent: Bitboard, alpha: i32, list: [Square; 3], passed: bool) -> i32 {
    let [a, b, c] = list;
    best_of!(three(own, opponent, alpha, list, passed):
        a then |own, opponent, alpha| two(own, opponent, alpha, [b, c], false);
        b then |own, opponent, alpha| two(own, opponent, alpha, [a, c], false);
        c then |own, opponent, alpha| two(own, opponent, alpha, [a, b], false);
    )
}

fn two(own: Bitboard, opponent: Bitboard, alpha: i32, list: [Square; 2], passed: bool) -> i32 {
    let [a, b] = list;
    best_of!(two(own, opponent, alpha, list, passed):
        a then |own, _, alpha| one(own, b, alpha);
        b then |own, _, alpha| one(own, a, alpha);
    )
}

/// The score when all squares but one are filled, or an upper bound of it that is `alpha` or less.
#[inline(always)]
fn one(own: Bitboard, square: Square, alpha: i32) -> i32 {
    // As if the opponent had the last square.
    let ahead = 2 * count(own) - MAX_SCORE;
    let flipped = count_last_flips(square, own);
    if flipped != 0 {
        return ahead + 2 * flipped + 2;
    }
    // If nobody can take it, it is the winner's.
    let most = if ahead >= 0 { ahead + 2 } else { ahead };
    if most <= alpha {
        return most;
    }
    match count_last_flips_of_other(square, own) {
        0 => most,
        flipped => ahead - 2 * flipped,
    }
}

/// Not inlined, since it is seldom asked.
#[inline(never)]
fn count_last_flips_of_other(square: Square, own: Bitboard) -> i32 {
    count_last_flips(square, (!own).without(square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::Rng;
    use crate::search::ablation::without;
    use crate::search::budget::Budget;
    use std::vec;
    use std::vec::Vec;

    /// Positions of random games with this many empty squares.
    fn positions(empty: u32, how_many: usize, seed: u64) -> Vec<Othello> {
        let mut rng = Rng::new(seed);
        let mut found = vec![];
        while found.len() < how_many {
            let mut game = Othello::START;
            while game.empty().len() > empty && !game.is_over() {
                let mut chosen = None;
                let mut place = rng.below(game.count_moves());
                game.for_each_move(|mv| {
                    chosen = if place == 0 { Some(mv) } else { chosen };
                    place = place.wrapping_sub(1);
                });
                game.play(chosen.unwrap());
            }
            if game.empty().len() == empty {
                found.push(game);
            }
        }
        found
    }

    /// By the rules alone.
    fn minimax(game: &Othello) -> i16 {
        let mut best = i16::MIN;
        game.for_each_move(|mv| {
            let mut next = *game;
            next.play(mv);
            best = best.max(-minimax(&next));
        });
        let (own, other) = (game.score(game.turn()), game.score(game.turn().other()));
        if best == i16::MIN { own - other } else { best }
    }

    fn solve_with<T: Uses<Techniques>>(game: &Othello, slots: usize) -> i16 {
        let mut memory = vec![0; slots];
        let mut meter = Meter::new(Budget::UNLIMITED);
        let (weights, table) = divide(&mut memory, Stage::End, game.empty().len());
        let table = EndgameTable::new(table);
        search_with::<T>(game, -64, 64, weights, table, &mut meter).unwrap().0
    }

    #[test]
    fn scores_are_those_of_plain_minimax() {
        for empty in 0..=7 {
            let how_many = if empty < 6 { 1000 } else { 100 };
            for game in positions(empty, how_many, empty.into()) {
                assert_eq!(solve_with::<Everything>(&game, 64), minimax(&game), "{game:?}");
            }
        }
    }

    #[test]
    fn any_table_gives_the_same_scores() {
        for empty in [8, 10, 11] {
            for game in positions(empty, 20, 1) {
                let expected = solve_with::<Everything>(&game, 1000);
                for slots in [0, 1, 2, 3, 64] {
                    assert_eq!(
                        solve_with::<Everything>(&game, slots),
                        expected,
                        "{slots} {game:?}"
                    );
                }
            }
        }
    }

    without! {
        NoStability: stability;
        NoParity: parity;
        NoCorners: corners;
        NoFastestFirst: fastest_first;
        NoReplies: replies;
        NoGuesses: guesses;
        DeepOnly: shallow;
        Plain: stability parity corners fastest_first replies guesses shallow;
    }

    #[test]
    fn every_technique_leaves_the_scores_as_they_are() {
        let near = positions(10, 50, 2).into_iter();
        // With enough empty squares for the techniques that begin further from the end.
        let far = positions(GUESS_FROM + 1, 3, 3).into_iter();
        for game in near.chain(far) {
            let expected = solve_with::<Everything>(&game, 1000);
            assert_eq!(solve_with::<NoStability>(&game, 1000), expected, "{game:?}");
            assert_eq!(solve_with::<NoParity>(&game, 1000), expected, "{game:?}");
            assert_eq!(solve_with::<NoCorners>(&game, 1000), expected, "{game:?}");
            assert_eq!(solve_with::<NoFastestFirst>(&game, 1000), expected, "{game:?}");
            assert_eq!(solve_with::<NoReplies>(&game, 1000), expected, "{game:?}");
            assert_eq!(solve_with::<NoGuesses>(&game, 1000), expected, "{game:?}");
            assert_eq!(solve_with::<DeepOnly>(&game, 1000), expected, "{game:?}");
            assert_eq!(solve_with::<Plain>(&game, 1000), expected, "{game:?}");
        }
    }

    /// `cargo test -p corvid-games --lib saves -- --nocapture` prints what docs/search.md tells.
    #[test]
    fn what_each_technique_saves() {
        fn row<T: Uses<Techniques>>(name: &str) {
            let suite = include_str!("../../../../../tests/data/fforum-1-19.obf");
            let boards = suite.lines().filter_map(|line| line.split(';').next());
            let (mut count, mut nodes) = (0, 0);
            for game in boards.filter_map(|text| Othello::START.parse_position(text).ok()) {
                let mut memory = vec![0; 3072];
                let mut meter = Meter::new(Budget::UNLIMITED);
                let (weights, table) = divide(&mut memory, Stage::End, game.empty().len());
                let table = EndgameTable::new(table);
                search_with::<T>(&game, -64, 64, weights, table, &mut meter).unwrap();
                nodes += meter.nodes();
                count += 1;
            }
            assert_eq!(count, 19);
            std::println!("fforum-1-19, 24 KB, without {name}: {} nodes on average", nodes / count);
        }
        row::<Everything>("nothing");
        row::<NoFastestFirst>("replies-first order");
        row::<NoGuesses>("guesses");
        row::<NoParity>("parity");
        row::<NoCorners>("corners first");
        row::<NoReplies>("children in the table");
        row::<NoStability>("stability");
    }

    #[test]
    fn windows_give_bounds_and_moves_reach_the_score() {
        let mut memory = [0; 200];
        let table = EndgameTable::new(&mut memory);
        let mut meter = Meter::new(Budget::UNLIMITED);
        for game in positions(9, 100, 4) {
            let exact = solve_with::<Everything>(&game, 200);
            for (alpha, beta) in [(-64, 64), (-1, 1), (0, 1), (exact, exact + 1), (exact - 9, 64)] {
                table.clear();
                for _ in ["new", "known"] {
                    let (score, best) =
                        search(&game, alpha, beta, Weights::Small(&[]), table, &mut meter).unwrap();
                    if score <= alpha {
                        assert!(exact <= score);
                    } else if score >= beta {
                        assert!(exact >= score);
                    } else {
                        assert_eq!(score, exact);
                    }
                    assert_eq!(best.is_some(), !game.targets().is_empty());
                    if let Some(square) = best
                        && score > alpha
                    {
                        let mut next = game;
                        next.play(Move::Disc(square));
                        assert!(
                            -solve_with::<Everything>(&next, 200) >= score,
                            "{game:?} {square}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_budget_ends_it_at_once() {
        for game in positions(20, 5, 5) {
            for nodes in [0, 1, 100, 5000] {
                let mut meter = Meter::new(Budget::nodes(nodes));
                assert_eq!(game.solve(&mut [0; 100], &mut meter), None);
                assert_eq!(meter.nodes(), nodes);
            }
        }
        let mut meter = Meter::new(Budget::UNLIMITED);
        assert_eq!(Othello::START.solve(&mut [], &mut meter), None, "far too many empty squares");
    }

    #[test]
    fn parity_is_that_of_the_quadrants() {
        let mut rng = Rng::new(6);
        for _ in 0..1000 {
            let bits = u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32());
            let empty = Bitboard::from_bits(bits);
            let expected = empty.iter().fold(0, |parity, square| parity ^ quadrant(square));
            assert_eq!(parity(empty), expected, "{empty:#?}");
        }
    }
}
