//! Principal-variation search: one alpha-beta for every game of two.

use heapless::Vec;

use super::budget::Meter;
use super::helper::helped_by_table;
use super::table::Table;
use super::{LINE, Report, Variety};

/// The deepest recursion, in plies. A ply takes half a kilobyte of stack on a Cortex-M, so that a
/// search there stays within 12 KB.
pub const MAX_PLY: usize = if cfg!(target_pointer_width = "64") { 64 } else { 24 };

/// The most moves of a position that are searched; the best-looking ones if there are more.
pub const MAX_WIDTH: usize = 64;

/// Scores are hundredths of a point; all are within this.
pub const INFINITE: i16 = 20_000;

/// A point in the search's unit.
pub const POINT: i16 = 100;

/// What a move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What the player wins at once, in the search's unit. The position after the move is worth
    /// what is still to be won from there.
    pub gain: i16,
    /// Whether the same player moves again.
    pub again: bool,
}

impl Step {
    /// The other player's turn, and nothing is settled yet.
    pub const TURN: Self = Self { gain: 0, again: false };
}

/// A shallower search whose score tells that of a deep one well enough, if it is further than the
/// margin beyond a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foretold {
    /// The shallower search's depth.
    pub depth: u8,
    /// How far the two may be apart.
    pub margin: i16,
}

/// A position as the search sees it: for the player to move.
pub trait Position: Clone + Sync {
    /// A move.
    type Move: Copy + PartialEq;
    /// Whether no position has more than [`MAX_WIDTH`] moves, so that a search can prove something.
    const ALL_MOVES: bool = true;
    /// Whether late moves of guessed positions are searched less deep first.
    const REDUCES_LATE_MOVES: bool = true;
    /// Whether the last ply is searched by [`last_ply`](Self::last_ply).
    const HAS_LAST_PLY: bool = false;

    /// Calls `visit` with every move and how good it looks; with none when the game is over. The
    /// deeper the search from here, the more a good order is worth.
    fn for_each_move(&self, depth: u8, visit: impl FnMut(Self::Move, i16));
    /// Makes a move.
    fn play(&mut self, mv: Self::Move) -> Step;
    /// No game from here has more plies (a forced pass is none). 0 when the game is over.
    fn plies_left(&self) -> u8;
    /// About how many positions a search to the end looks at.
    fn nodes_to_the_end(&self) -> u64 {
        // A middling branching factor of 4 after pruning.
        1u64.checked_shl(2 * u32::from(self.plies_left())).unwrap_or(u64::MAX)
    }
    /// What is left to win for the player to move, guessed.
    fn evaluate(&self) -> i16;
    /// The same as far as it lies between two bounds; beyond them, any guess there.
    fn evaluate_within(&self, _alpha: i16, _beta: i16) -> i16 {
        self.evaluate()
    }
    /// What foretells the score of a search so deep, if anything does.
    fn foretold(&self, _depth: u8) -> Option<Foretold> {
        None
    }
    /// The score of a search of one ply, as far as the window asks, and the index of its move, faster
    /// than with a node for each; every guess is counted as one. The move with the index `first` is
    /// worth trying first. `None` when the budget ends.
    fn last_ply(
        &self,
        _first: u8,
        _alpha: i16,
        _beta: i16,
        _meter: &mut Meter<'_>,
    ) -> Option<(i16, u8)> {
        None
    }
    /// Limits of what is left to win, as far as they are known without a search and may lie outside the
    /// window.
    fn bounds(&self, _alpha: i16, _beta: i16) -> (i16, i16) {
        (-INFINITE, INFINITE)
    }
    /// What is left to win when the game is over.
    fn final_value(&self) -> i16;
    /// A well mixed number of everything that [`evaluate`](Self::evaluate) and later moves depend
    /// on.
    fn hash(&self) -> u64;
    /// A small number of the move, the same in every position: 0 to 254.
    fn index(mv: Self::Move) -> u8;
    /// Whether the only move is to pass.
    fn is_pass(_mv: Self::Move) -> bool {
        false
    }
}

/// Parts of the search that can be left out: see `search/ablation.rs`.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Techniques {
    /// Moves that cut off in sister positions come early.
    pub killers: bool,
    /// Late moves of guessed positions are searched less deep first.
    pub reductions: bool,
    /// A shallow search far beyond the window saves the deep one (Multi-ProbCut).
    pub foretelling: bool,
    /// Iterations begin with a narrow window around the last score.
    pub aspiration: bool,
}

impl Techniques {
    /// Everything.
    pub const ALL: Self =
        Self { killers: true, reductions: true, foretelling: true, aspiration: true };
}

/// Where the true score lies, seen from a stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    AtMost = 1,
    AtLeast = 2,
    Exact = 3,
}

/// What the table remembers: score, bound, depth and best move in 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    score: i16,
    bound: Bound,
    depth: u8,
    /// [`Position::index`] of the best move, or [`Entry::NO_MOVE`].
    best: u8,
}

impl Entry {
    const NO_MOVE: u8 = 255;
    const MAX_DEPTH: u8 = 63;

    const fn pack(self) -> u32 {
        let depth = if self.depth < Self::MAX_DEPTH { self.depth } else { Self::MAX_DEPTH };
        (depth as u32) << 26
            | (self.bound as u32) << 24
            | (self.best as u32) << 16
            | self.score as u16 as u32
    }

    const fn unpack(data: u32) -> Self {
        let bound = match data >> 24 & 3 {
            1 => Bound::AtMost,
            2 => Bound::AtLeast,
            _ => Bound::Exact,
        };
        let (depth, best) = ((data >> 26) as u8, (data >> 16) as u8);
        Self { score: data as u16 as i16, bound, depth, best }
    }

    /// Deep entries are dear.
    const fn worth(data: u32) -> u32 {
        data >> 26
    }
}

/// The search was ended by its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stopped;

/// A move and how early it is tried.
type Ranked<M> = (M, i16);
type Moves<M> = Vec<Ranked<M>, MAX_WIDTH>;

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<M> {
    /// The best move.
    pub best: M,
    /// Its score in the search's unit.
    pub score: i16,
    /// The depth of the last iteration that was finished.
    pub depth: u8,
    /// Whether the score is proven.
    pub exact: bool,
}

/// A search with its memory. One search serves one kind of position.
#[derive(Debug)]
pub struct Search<'a, 'b> {
    table: Table<'a, 32>,
    meter: &'a mut Meter<'b>,
    techniques: Techniques,
    variety: Variety,
    killers: [[u8; 2]; MAX_PLY],
    /// Whether a line was cut off at [`MAX_PLY`], which forced passes can bring about.
    cut_short: bool,
}

impl<'a, 'b> Search<'a, 'b> {
    /// A search on this memory. What an earlier search of the same kind of position left there is
    /// of use.
    pub fn new(memory: &'a mut [u64], meter: &'a mut Meter<'b>) -> Self {
        Self::with_techniques(memory, meter, Techniques::ALL)
    }

    /// A search with some of its techniques.
    #[doc(hidden)]
    pub fn with_techniques(
        memory: &'a mut [u64],
        meter: &'a mut Meter<'b>,
        techniques: Techniques,
    ) -> Self {
        Self::on(Table::new(memory), meter, techniques)
    }

    const fn on(table: Table<'a, 32>, meter: &'a mut Meter<'b>, techniques: Techniques) -> Self {
        Self {
            table,
            meter,
            techniques,
            variety: Variety::NONE,
            killers: [[Entry::NO_MOVE; 2]; MAX_PLY],
            cut_short: false,
        }
    }

    /// The same search, by lot among moves of nearly equal value.
    #[must_use]
    pub fn varied(mut self, variety: Variety) -> Self {
        self.variety = variety;
        self
    }

    /// Looks deeper and deeper until the plan, the budget or the game ends. The plan is given the
    /// depth of the last iteration, 0 at first, and about how many positions the budget still
    /// allows; it names the next depth. `None` only when there is no move.
    ///
    /// A second processor does the same without a plan and begins one ply deeper, so that the table
    /// knows positions before this search comes to them.
    pub fn go<P: Position>(
        &mut self,
        root: &P,
        plan: &mut dyn FnMut(u8, u64) -> Option<u8>,
        report: &mut dyn FnMut(&Report<'_, P::Move>),
    ) -> Option<Found<P::Move>> {
        let Some(helper) = self.meter.helper() else { return self.deepen(root, plan, report) };
        let Self { table, techniques, .. } = *self;
        let ahead = |meter: &mut Meter<'_>| {
            let mut plan = |last: u8, _| Some(last + if last == 0 { 2 } else { 1 });
            Search::on(table, meter, techniques).deepen(root, &mut plan, &mut |_| {});
        };
        let (found, nodes) = helped_by_table(helper, ahead, || self.deepen(root, plan, report))?;
        self.meter.add(nodes);
        found
    }

    fn deepen<P: Position>(
        &mut self,
        root: &P,
        plan: &mut dyn FnMut(u8, u64) -> Option<u8>,
        report: &mut dyn FnMut(&Report<'_, P::Move>),
    ) -> Option<Found<P::Move>> {
        let known = self.table.get(root.hash()).map(Entry::unpack);
        let known = known.map_or(Entry::NO_MOVE, |entry| entry.best);
        self.cut_short = false;
        let mut moves = Moves::new();
        self.order_moves(root, u8::MAX, 0, known, &mut moves);
        let mut found = Found { best: moves.first()?.0, score: 0, depth: 0, exact: false };
        let left = root.plies_left().min(MAX_PLY as u8 - 1);
        while found.depth < left
            && let Some(depth) = plan(found.depth, self.meter.nodes_left())
        {
            let depth = depth.clamp(found.depth + 1, left);
            if depth == root.plies_left() {
                self.variety = Variety::NONE;
            }
            let Ok(score) = self.iteration(root, &mut moves, depth, &mut found) else { break };
            let score = score - self.variety.bonus(P::index(moves[0].0));
            let exact = P::ALL_MOVES && depth == root.plies_left() && !self.cut_short;
            found = Found { best: moves[0].0, score, depth, exact };
            let line = self.line(root, found.best);
            report(&Report {
                depth,
                score: if found.exact { score / POINT } else { score },
                exact: found.exact,
                nodes: self.meter.nodes(),
                percent: self.meter.percent(),
                line: &line,
            });
        }
        Some(found)
    }

    /// One depth at the root. The best move comes first in `moves` afterwards; if the budget ends
    /// the iteration early, `found.best` is the best so far.
    fn iteration<P: Position>(
        &mut self,
        root: &P,
        moves: &mut Moves<P::Move>,
        depth: u8,
        found: &mut Found<P::Move>,
    ) -> Result<i16, Stopped> {
        let narrow = self.techniques.aspiration && depth > 2;
        let mut margin = if narrow { POINT } else { INFINITE };
        let centre = found.score + self.variety.bonus(P::index(found.best));
        loop {
            let (alpha, beta) = match margin {
                INFINITE => (-INFINITE, INFINITE),
                _ => (centre.saturating_sub(margin), centre.saturating_add(margin)),
            };
            let score = self.root(root, moves, depth, alpha, beta, &mut found.best)?;
            if (score > alpha && score < beta) || margin == INFINITE {
                return Ok(score);
            }
            margin = if margin < 8 * POINT { margin * 3 } else { INFINITE };
        }
    }

    fn root<P: Position>(
        &mut self,
        root: &P,
        moves: &mut Moves<P::Move>,
        depth: u8,
        alpha: i16,
        beta: i16,
        best: &mut P::Move,
    ) -> Result<i16, Stopped> {
        let mut highest = -INFINITE;
        for place in 0..moves.len() {
            let (mv, _) = moves[place];
            let bonus = self.variety.bonus(P::index(mv));
            let (floor, ceiling) = (alpha.max(highest) - bonus, beta - bonus);
            let score = bonus + self.child(root, mv, depth, floor, ceiling, 0, place > 0, 0)?;
            if score > highest {
                highest = score;
                if score > alpha || place == 0 {
                    *best = mv;
                    if let Some(tried) = moves.get_mut(..=place) {
                        tried.rotate_right(1);
                    }
                }
            }
            if highest >= beta {
                break;
            }
        }
        let best = P::index(moves[0].0);
        // Without its bonus the chosen move may be a little worse than another.
        let varies = self.variety != Variety::NONE;
        let (score, bound) = match highest {
            _ if highest <= alpha => (highest, Bound::AtMost),
            _ if highest >= beta || varies => (highest - self.variety.bonus(best), Bound::AtLeast),
            _ => (highest, Bound::Exact),
        };
        let entry = Entry { score, bound, depth, best };
        self.table.put(root.hash(), entry.pack(), Entry::worth);
        Ok(highest)
    }

    /// The score of a move, as far as the window asks: first in a null window if `scout`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one search step")]
    fn child<P: Position>(
        &mut self,
        parent: &P,
        mv: P::Move,
        depth: u8,
        alpha: i16,
        beta: i16,
        ply: usize,
        scout: bool,
        reduction: u8,
    ) -> Result<i16, Stopped> {
        let mut child = parent.clone();
        let Step { gain, again } = child.play(mv);
        // A forced pass decides nothing, so it costs no depth.
        let depth = if P::is_pass(mv) { depth } else { depth - 1 };
        let mut search = |depth, alpha: i16, beta: i16| -> Result<i16, Stopped> {
            let (low, high) = (alpha - gain, beta - gain);
            Ok(gain
                + if again {
                    self.node(&child, depth, low, high, ply + 1)?
                } else {
                    -self.node(&child, depth, -high, -low, ply + 1)?
                })
        };
        if !scout {
            return search(depth, alpha, beta);
        }
        if reduction > 0 {
            let score = search(depth.saturating_sub(reduction), alpha, alpha + 1)?;
            if score <= alpha {
                return Ok(score);
            }
        }
        let score = search(depth, alpha, alpha + 1)?;
        if score > alpha && score < beta { search(depth, alpha, beta) } else { Ok(score) }
    }

    fn node<P: Position>(
        &mut self,
        position: &P,
        depth: u8,
        mut alpha: i16,
        mut beta: i16,
        ply: usize,
    ) -> Result<i16, Stopped> {
        if !self.meter.tick() {
            return Err(Stopped);
        }
        let left = position.plies_left();
        if left == 0 {
            return Ok(position.final_value());
        }
        let (lowest_possible, highest_possible) = position.bounds(alpha, beta);
        if lowest_possible >= beta || lowest_possible == highest_possible {
            return Ok(lowest_possible);
        }
        if highest_possible <= alpha {
            return Ok(highest_possible);
        }
        let depth = depth.min(left);
        if depth == 0 {
            return Ok(position.evaluate_within(alpha, beta));
        }
        if ply >= MAX_PLY - 1 {
            self.cut_short = true;
            return Ok(position.evaluate());
        }
        if P::HAS_LAST_PLY && depth == 1 && left > 1 {
            let first = self.killers[ply][0];
            let found = position.last_ply(first, alpha, beta, self.meter);
            let (score, best) = found.ok_or(Stopped)?;
            if score >= beta {
                self.remember_cutoff(best, ply);
            }
            return Ok(score);
        }
        let hash = position.hash();
        let mut best_index = Entry::NO_MOVE;
        if let Some(entry) = self.table.get(hash).map(Entry::unpack) {
            best_index = entry.best;
            if entry.depth >= depth {
                match entry.bound {
                    Bound::Exact => return Ok(entry.score),
                    Bound::AtLeast => alpha = alpha.max(entry.score),
                    Bound::AtMost => beta = beta.min(entry.score),
                }
                if alpha >= beta {
                    return Ok(entry.score);
                }
            }
        }
        if self.techniques.foretelling
            && beta == alpha + 1
            && depth < left
            && let Some(foretold) = position.foretold(depth)
            && let Some(score) = self.foretell(position, foretold, alpha, ply)?
        {
            let bound = if score > alpha { Bound::AtLeast } else { Bound::AtMost };
            let entry = Entry { score, bound, depth, best: best_index };
            self.table.put(hash, entry.pack(), Entry::worth);
            return Ok(score);
        }
        let mut moves = Moves::new();
        self.order_moves(position, depth, ply, best_index, &mut moves);
        if moves.is_empty() {
            return Ok(position.final_value());
        }
        let exact = depth == left;
        let reduces = P::REDUCES_LATE_MOVES && self.techniques.reductions;
        let floor = alpha;
        let mut highest = -INFINITE;
        let mut best = Entry::NO_MOVE;
        let mut place = 0;
        while let Some([first, later @ ..]) = moves.get_mut(place..) {
            pick(first, later);
            let mv = first.0;
            let reduction = u8::from(reduces && !exact && depth > 2 && place > 3);
            let score = self.child(position, mv, depth, alpha, beta, ply, place > 0, reduction)?;
            if score > highest {
                highest = score;
                best = P::index(mv);
                alpha = alpha.max(score);
            }
            if highest >= beta {
                self.remember_cutoff(best, ply);
                break;
            }
            place += 1;
        }
        let bound = match highest {
            _ if highest >= beta => Bound::AtLeast,
            _ if highest <= floor => Bound::AtMost,
            _ => Bound::Exact,
        };
        let entry = Entry { score: highest, bound, depth, best };
        self.table.put(hash, entry.pack(), Entry::worth);
        Ok(highest)
    }

    /// The bound of the window from `alpha` to `alpha + 1` that the score is beyond, if a shallow search
    /// says so. It is asked on the side where the guess is; without plies, the guess says it itself.
    fn foretell<P: Position>(
        &mut self,
        position: &P,
        Foretold { depth, margin }: Foretold,
        alpha: i16,
        ply: usize,
    ) -> Result<Option<i16>, Stopped> {
        let beta = alpha + 1;
        let (low, high) = (alpha.saturating_sub(margin), beta.saturating_add(margin));
        let guess = match depth {
            0 => position.evaluate_within(low, high),
            _ => position.evaluate_within(alpha, beta),
        };
        let above = guess >= beta;
        let score = match depth {
            0 => guess,
            _ if above => self.node(position, depth, high - 1, high, ply)?,
            _ => self.node(position, depth, low, low + 1, ply)?,
        };
        Ok(match above {
            true => (score >= high).then_some(beta),
            false => (score <= low).then_some(alpha),
        })
    }

    /// The moves with their ranks: the table's, then killers, then by how good they look.
    fn order_moves<P: Position>(
        &self,
        position: &P,
        depth: u8,
        ply: usize,
        first: u8,
        moves: &mut Moves<P::Move>,
    ) {
        const FIRST: i16 = i16::MAX;
        const KILLERS: [i16; 2] = [20_000, 19_999];
        let [killer, other_killer] = match self.techniques.killers {
            true => self.killers[ply.min(MAX_PLY - 1)],
            false => [Entry::NO_MOVE; 2],
        };
        position.for_each_move(depth, |mv, looks| {
            let index = P::index(mv);
            let rank = if index == first {
                FIRST
            } else if index == killer {
                KILLERS[0]
            } else if index == other_killer {
                KILLERS[1]
            } else {
                looks.clamp(-10_000, 10_000)
            };
            if moves.push((mv, rank)).is_err() {
                replace_worst(moves, (mv, rank));
            }
        });
        if ply == 0 {
            // At the root the order is kept between iterations.
            let mut left = &mut moves[..];
            while let [first, later @ ..] = left {
                pick(first, later);
                left = later;
            }
        }
    }

    fn remember_cutoff(&mut self, index: u8, ply: usize) {
        let killers = &mut self.killers[ply.min(MAX_PLY - 1)];
        if killers[0] != index {
            *killers = [index, killers[0]];
        }
    }

    /// The expected moves from the table, the best move first.
    fn line<P: Position>(&self, root: &P, best: P::Move) -> Vec<P::Move, LINE> {
        let mut line = Vec::new();
        let mut position = root.clone();
        let mut next = Some(best);
        while let Some(mv) = next
            && line.push(mv).is_ok()
        {
            position.play(mv);
            let known = self.table.get(position.hash()).map(Entry::unpack);
            next = None;
            if let Some(Entry { best, bound: Bound::Exact | Bound::AtLeast, .. }) = known {
                position.for_each_move(0, |mv, _| {
                    if P::index(mv) == best {
                        next = Some(mv);
                    }
                });
            }
        }
        line
    }
}

/// Puts a move into a full list instead of the worst-looking one.
#[cold]
fn replace_worst<M: Copy>(moves: &mut Moves<M>, ranked: Ranked<M>) {
    if let Some(worst) = moves.iter_mut().min_by_key(|other| other.1)
        && worst.1 < ranked.1
    {
        *worst = ranked;
    }
}

/// Makes the first of some moves the one of them that is ranked highest. Not inlined, so that it has
/// all registers for its loop.
#[inline(never)]
fn pick<M: Copy>(first: &mut Ranked<M>, later: &mut [Ranked<M>]) {
    let mut highest = first.1;
    let mut found = None;
    for ranked in later {
        if ranked.1 > highest {
            highest = ranked.1;
            found = Some(ranked);
        }
    }
    if let Some(found) = found {
        core::mem::swap(first, found);
    }
}
