//! The exact value of a position, by null-window searches that prove whether it reaches a bound.
//!
//! Only quiet positions are searched, in which no box can be taken: what can be taken is taken at
//! once, up to the choice of leaving the last boxes. The score so far is irrelevant; a value is
//! what the player to move will get from there on, minus what the opponent will. It is odd if the
//! number of boxes left is, so bounds are 2 apart.

use core::hint::black_box;
use core::marker::PhantomData;

use super::alone::{Alone, KINDS, Single};
use super::chains::{Chance, Strings, Taken};
use super::graph::{Degrees, Grid, Lines, Word};
use super::memory::{Bounds, Memory};
use super::order::Ordered;
use super::{Dots, Line, Size};
use crate::mix::mix;
use crate::search::ablation::{Everything, Uses};
use crate::search::budget::Meter;
use crate::search::{Solution, Solve};

/// The maximum recursion depth in quiet positions in play, on every machine: always enough on
/// boards of up to 31 lines, and on larger ones wherever the nodes of a board second reach the end.
pub(super) const fn play_plies<W>() -> u8 {
    if size_of::<W>() == 4 { 24 } else { 14 }
}

/// The same for solving, where a PC has more stack. Boards of up to 60 lines never need 48: their
/// 35 safe lines at most are followed by turns of two lines or more.
const fn solve_plies<W>() -> u8 {
    if cfg!(target_pointer_width = "64") { 48 } else { play_plies::<W>() }
}

/// Nodes between two checks of the used share of the budget.
const SHARE_INTERVAL: u64 = 256;

/// Parts of the search that can be left out: see `search/ablation.rs`. All give
/// the same values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Techniques {
    /// Mirror images have one entry in the memory.
    pub(super) images: bool,
    /// Of two lines that lead from a box out of the board, one is looked at.
    pub(super) twins: bool,
    /// Positions after the next line that are in the memory are looked at first.
    pub(super) lookahead: bool,
    /// Isomorphic positions have one entry in the memory, on boards of 33 to 64 lines on a PC.
    pub(super) shapes: bool,
    /// Lines near the centre come first.
    pub(super) rings: bool,
    /// A chain or loop is opened by one of its lines only.
    pub(super) strings: bool,
    /// Chains and loops alone are worth what the formula says.
    pub(super) formula: bool,
    /// Chains and loops that lead to no other box are known by their lengths, and of each kind only
    /// the shortest is opened, in play on boards of 33 to 64 lines.
    pub(super) alone: bool,
    /// Boxes are taken without looking at other lines.
    pub(super) taking: bool,
    /// Values that can't be, by their parity, are not asked for.
    pub(super) parity: bool,
}

impl Techniques {
    pub(super) const ALL: Self = Self {
        images: true,
        twins: true,
        lookahead: true,
        shapes: true,
        rings: true,
        strings: true,
        formula: true,
        alone: true,
        taking: true,
        parity: true,
    };
}

impl Uses<Techniques> for Everything {
    const TECHNIQUES: Techniques = Techniques::ALL;
}

/// The budget, or the share of it that may be used, is exhausted.
#[derive(Debug)]
pub(super) struct Stopped;

/// A position with its keys.
#[derive(Debug, Clone)]
pub(super) struct Position<W: Word> {
    open: Lines<W>,
    images: W::Images,
    /// Whose lines are not among the open ones.
    alone: W::Alone,
}

/// What is proven about a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proof<W> {
    pub(super) low: i16,
    pub(super) high: i16,
    /// A line that reaches `low`; none while nothing is proven.
    pub(super) line: Lines<W>,
}

impl<W: Word> Proof<W> {
    fn new(boxes: i16) -> Self {
        Self { low: -boxes, high: boxes, line: Lines::NONE }
    }

    pub(super) fn is_exact(&self) -> bool {
        self.low >= self.high
    }

    /// Whether the value is at least `bound`; `None` if that is not proven.
    pub(super) fn reaches(&self, bound: i16) -> Option<bool> {
        if self.low >= bound {
            Some(true)
        } else if self.high < bound {
            Some(false)
        } else {
            None
        }
    }

    /// The bound to test next, `bound` or near it.
    fn next_bound(&self, bound: i16) -> i16 {
        debug_assert!(self.low + 2 <= self.high, "there is nothing left to prove");
        (bound + (bound - self.low).rem_euclid(2)).max(self.low + 2).min(self.high)
    }

    /// Adds a result, with a line that leads to it, and returns the next bound to test.
    fn add(&mut self, bound: i16, value: i16, line: Lines<W>) -> i16 {
        if value >= bound {
            (self.low, self.line) = (value, line);
            value + 2
        } else {
            self.high = value;
            if self.is_exact() && self.line.is_empty() {
                // Every line loses everything.
                self.line = line;
            }
            value
        }
    }
}

/// A proof search, with all techniques or some.
#[derive(Debug)]
pub(super) struct Solver<'a, 'm, 'b, W: Word, T = Everything> {
    grid: &'a Grid<W>,
    memory: Memory<'m>,
    meter: &'a mut Meter<'b>,
    share: u8,
    max_plies: u8,
    plies: u8,
    techniques: PhantomData<T>,
}

impl<'a, 'm, 'b, W: Word, T: Uses<Techniques>> Solver<'a, 'm, 'b, W, T> {
    /// The distance of two bounds.
    const STEP: i16 = if T::TECHNIQUES.parity { 2 } else { 1 };

    /// A search that may use so many hundredths of the budget, and go so many plies deep.
    fn new(
        grid: &'a Grid<W>,
        memory: &'m mut [u64],
        meter: &'a mut Meter<'b>,
        share: u8,
        max_plies: u8,
    ) -> Self {
        let hashed = grid.has_hashes() || Self::has_shapes(grid);
        let key_bits = if hashed { u64::BITS } else { grid.size().lines().into() };
        let (memory, techniques) = (Memory::new(memory, key_bits), PhantomData);
        Self { grid, memory, meter, share, max_plies, plies: 0, techniques }
    }

    /// Bounds for the value of a position in which boxes can be taken. They are the same if the budget
    /// suffices.
    fn taking(&mut self, open: Lines<W>) -> Proof<W> {
        let at = self.position(open);
        let mut proof = Proof::new(self.boxes(open));
        let mut bound = 0;
        while !proof.is_exact() {
            bound = proof.next_bound(bound);
            let Ok(value) = self.after(&at, at.open, bound) else { break };
            bound = proof.add(bound, value, Lines::NONE);
        }
        proof
    }

    /// Bounds for the value of a position in which no box can be taken, and a line that reaches the
    /// lower one. The first question is whether the value is at least `bound`.
    fn prove(&mut self, open: Lines<W>, mut bound: i16) -> Proof<W> {
        let mut proof = Proof::new(self.boxes(open));
        while !proof.is_exact() {
            bound = proof.next_bound(bound);
            let Ok((line, value)) = self.best_line(open, bound) else { break };
            bound = proof.add(bound, value, line);
        }
        proof
    }

    /// Whether a position in which no box can be taken is worth so much.
    fn reaches(&mut self, open: Lines<W>, bound: i16) -> Proof<W> {
        let mut at = self.position(open);
        let mut proof = Proof::new(self.boxes(open));
        let bound = bound + (bound - proof.high).rem_euclid(2);
        if let Ok(value) = self.quiet(&mut at, W::EMPTY, bound) {
            proof.add(bound, value, Lines::NONE);
        }
        proof
    }

    /// A line that proves that a position in which no box can be taken is worth so much, with what
    /// it is worth at least. If there is none, any line, with what the position is worth at most.
    fn best_line(&mut self, open: Lines<W>, bound: i16) -> Result<(Lines<W>, i16), Stopped> {
        let mut best = (Lines::NONE, -self.boxes(open));
        let two = self.grid.degrees(open).two;
        let mut lines = Ordered::new(self.safe(open, two), two);
        while let Some(line) = lines.next::<T>(self.grid, &open) {
            let after = self.position(open.without(line));
            let value = -self.after(&after, after.open, Self::STEP - bound)?;
            if best.0.is_empty() || value > best.1 {
                best = (line, value);
            }
            if value >= bound {
                break;
            }
        }
        Ok(best)
    }

    fn position(&self, open: Lines<W>) -> Position<W> {
        let open = if T::TECHNIQUES.twins { self.grid.with_twins(open) } else { open };
        let mut at = Position { open, images: self.grid.images(open), alone: W::Alone::NONE };
        let degrees = self.grid.degrees(open);
        self.set_alone(&mut at, degrees, degrees.two);
        at
    }

    /// Whether positions don't keep chains and loops on the board that lead to no other box.
    fn sets_alone(&self) -> bool {
        let Techniques { alone, strings, formula, taking, .. } = T::TECHNIQUES;
        W::Alone::IS_USED && (alone && strings && formula && taking) && self.grid.has_hashes()
    }

    /// Takes the chains and loops with any of these boxes that lead to no other box off the board, and
    /// returns what is left there.
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    fn set_alone(&self, at: &mut Position<W>, mut degrees: Degrees<W>, boxes: W) -> Degrees<W> {
        if !self.sets_alone() {
            return degrees;
        }
        let grid = self.grid;
        let mut boxes = boxes & degrees.two;
        while !boxes.is_empty() {
            let first = boxes & !boxes.without_lowest();
            let string = grid.string_of(at.open, degrees.two, first);
            boxes = boxes & !string.boxes;
            if (grid.near(string.lines) & (degrees.one | degrees.more)).is_empty() {
                degrees.two = degrees.two & !string.boxes;
                at.open = at.open.without(string.lines);
                at.images = grid.toggled(&at.images, string.lines);
                at.alone.add(Single { length: string.length, is_loop: string.is_loop });
            }
        }
        degrees
    }

    /// The position after a safe line.
    #[inline]
    fn drawn(&self, at: &Position<W>, line: Lines<W>) -> Position<W> {
        let images = self.grid.toggled(&at.images, line);
        Position { open: at.open.without(line), images, alone: at.alone }
    }

    fn boxes(&self, open: Lines<W>) -> i16 {
        self.grid.boxes_left(&open)
    }

    fn boxes_of(&self, at: &Position<W>) -> i16 {
        self.boxes(at.open) + at.alone.boxes()
    }

    fn key(&self, at: &Position<W>) -> u64 {
        if self.grid.has_hashes() {
            at.open.hash().wrapping_add(at.alone.hash())
        } else if T::TECHNIQUES.images {
            Grid::<W>::key(&at.images)
        } else {
            Grid::<W>::own_key(&at.images)
        }
    }

    /// Whether isomorphic positions share a key.
    #[inline]
    fn has_shapes(grid: &Grid<W>) -> bool {
        W::SHAPES && T::TECHNIQUES.shapes && !grid.has_hashes()
    }

    /// The key that isomorphic positions share, or that mirror images do.
    #[inline]
    fn shape_key(&self, shape: Option<u64>, images: impl FnOnce() -> W::Images) -> u64 {
        mix(shape.unwrap_or_else(|| Grid::<W>::key(&images())))
    }

    /// The lines that give no box away. Of twins, only one.
    fn safe(&self, open: Lines<W>, two: W) -> Lines<W> {
        if T::TECHNIQUES.twins {
            self.grid.safe(&open, two)
        } else {
            open.without(self.grid.around(two))
        }
    }

    fn tick(&mut self) -> Result<(), Stopped> {
        let has_share = self.share >= 100
            || !self.meter.nodes().is_multiple_of(SHARE_INTERVAL)
            || self.meter.percent() < self.share;
        if has_share && self.meter.tick() { Ok(()) } else { Err(Stopped) }
    }

    /// The value of the position with these open lines, in which boxes may be there to take: if it
    /// is `bound` or more, something from `bound` up to it, else something from it to below
    /// `bound`. `from` is a position with the same lines open, or more.
    fn after(&mut self, from: &Position<W>, open: Lines<W>, bound: i16) -> Result<i16, Stopped> {
        let taken = self.grid.take(open);
        if !T::TECHNIQUES.taking && taken.boxes > 0 {
            return self.any(open, bound);
        }
        let left = self.boxes(taken.rest) + from.alone.boxes();
        self.settled(from, &taken, &from.alone, left, bound)
    }

    /// The same, given what can be taken, what then is alone of what was before, and how many boxes
    /// are left.
    #[inline(never)]
    fn settled(
        &mut self,
        from: &Position<W>,
        taken: &Taken<W>,
        alone: &W::Alone,
        left: i16,
        bound: i16,
    ) -> Result<i16, Stopped> {
        let drawn = from.open.without(taken.rest);
        let images = self.grid.toggled(&from.images, drawn);
        let mut rest = Position { open: taken.rest, images, alone: *alone };
        let near = self.near(drawn);
        let gift = taken.handout.boxes();
        if gift == 0 {
            return Ok(taken.boxes + self.quiet(&mut rest, near, bound - taken.boxes)?);
        }
        // Taking all is worth `boxes + rest`; leaving the gift, `boxes - 2 * gift - rest`. So the
        // value is `boxes - gift + |rest + gift|`.
        let base = taken.boxes - gift;
        let needed = bound - base;
        if needed <= left % 2 {
            return Ok(base + left % 2);
        }
        let (mut most, mut least) = (left, -left);
        let to_take = needed - gift;
        if to_take <= left {
            most = self.quiet(&mut rest, near, to_take)?;
            if most >= to_take {
                return Ok(base + most + gift);
            }
        }
        let to_leave = -needed - gift;
        if to_leave >= -left {
            least = self.quiet(&mut rest, near, to_leave + Self::STEP)?;
            if least <= to_leave {
                return Ok(base - least - gift);
            }
        }
        Ok(base + (most + gift).abs().max((least + gift).abs()))
    }

    /// The boxes that may have become part of a string that is alone, when these lines were drawn.
    fn near(&self, drawn: Lines<W>) -> W {
        if self.sets_alone() { self.grid.near(drawn) } else { W::EMPTY }
    }

    /// Like [`after`](Self::after), by trying all lines.
    fn any(&mut self, open: Lines<W>, bound: i16) -> Result<i16, Stopped> {
        self.tick()?;
        let boxes = self.boxes(open);
        let mut best = -boxes;
        let mut lines = open;
        while let Some(line) = lines.next() {
            let next = self.position(open.without(line));
            let taken = boxes - self.boxes_of(&next);
            best = best.max(if taken > 0 {
                taken + self.after(&next, next.open, bound - taken)?
            } else {
                -self.after(&next, next.open, Self::STEP - bound)?
            });
            if best >= bound {
                break;
            }
        }
        Ok(best)
    }

    /// Like [`after`](Self::after), of a position in which no box can be taken. Some of these boxes may
    /// be part of a string that is alone.
    fn quiet(&mut self, at: &mut Position<W>, near: W, bound: i16) -> Result<i16, Stopped> {
        self.quiet_with(at, near, None, bound)
    }

    /// The same of a position whose key may be known.
    #[inline]
    fn quiet_with(
        &mut self,
        at: &mut Position<W>,
        near: W,
        key: Option<u64>,
        bound: i16,
    ) -> Result<i16, Stopped> {
        let degrees = self.grid.degrees(at.open);
        let boxes = degrees.any().count() as i16 + at.alone.boxes();
        if boxes < bound {
            return Ok(boxes);
        }
        if -boxes >= bound {
            return Ok(-boxes);
        }
        let degrees = self.set_alone(at, degrees, near);
        if degrees.more.is_empty() && T::TECHNIQUES.formula {
            self.tick()?;
            return Ok(if self.sets_alone() {
                at.alone.value()
            } else {
                Strings::value_of(self.grid, at.open, degrees.two)
            });
        }
        let key = match key {
            Some(key) => key,
            None if Self::has_shapes(self.grid) => {
                self.shape_key(self.grid.shape(at.open, degrees.any()), || at.images)
            }
            None => self.key(at),
        };
        let mut known = self.memory.get(key, boxes).unwrap_or(Bounds { low: -boxes, high: boxes });
        if known.low >= bound {
            return Ok(known.low);
        }
        if known.high < bound {
            return Ok(known.high);
        }
        self.tick()?;
        if self.plies >= self.max_plies {
            return Err(Stopped);
        }
        let start = self.meter.nodes();
        self.plies += 1;
        let best = if Self::has_shapes(self.grid) {
            self.best_of_known(at, degrees.two, boxes, bound)
        } else {
            self.best(at, degrees.two, boxes, bound)
        };
        self.plies -= 1;
        let best = best?;
        if best >= bound {
            known.low = known.low.max(best);
        } else {
            known.high = known.high.min(best);
        }
        self.memory.put(key, boxes, known, self.meter.nodes() - start);
        Ok(best)
    }

    /// The best value of all lines, until one reaches the bound.
    fn best(&mut self, at: &Position<W>, two: W, boxes: i16, bound: i16) -> Result<i16, Stopped> {
        let grid = self.grid;
        let mut best = -boxes;
        let mut safe = self.safe(at.open, two);
        if T::TECHNIQUES.lookahead && !grid.has_hashes() {
            let mut lines = safe;
            while let Some(line) = lines.next() {
                let images = grid.toggled(&at.images, line);
                let open = at.open.without(line);
                let key = self.key(&Position { open, images, alone: at.alone });
                let Some(known) = self.memory.get(key, boxes) else { continue };
                if -known.high >= bound {
                    return Ok(-known.high);
                }
                if -known.low < bound {
                    best = best.max(-known.low);
                    safe = safe.without(line);
                }
            }
        }
        let mut lines = Ordered::new(safe, two);
        while let Some(line) = lines.next::<T>(grid, &at.open) {
            let open = at.open.without(line);
            let value = if lines.is_safe() {
                let mut after = self.drawn(at, line);
                -self.quiet(&mut after, self.near(line), Self::STEP - bound)?
            } else if T::TECHNIQUES.taking {
                let taken = lines.taken(grid, &at.open, line);
                let left = boxes - taken.boxes;
                -self.settled(at, &taken, &at.alone, left, Self::STEP - bound)?
            } else {
                -self.after(at, open, Self::STEP - bound)?
            };
            best = best.max(value);
            if best >= bound {
                return Ok(best);
            }
        }
        self.best_alone(at, best, boxes, bound)
    }

    /// The best value of opening a string that is alone, or `best`.
    #[inline]
    fn best_alone(
        &mut self,
        at: &Position<W>,
        mut best: i16,
        boxes: i16,
        bound: i16,
    ) -> Result<i16, Stopped> {
        for kind in 0..KINDS {
            let Some(string) = at.alone.shortest(kind) else { continue };
            let taken =
                Taken { boxes: string.length.into(), handout: string.handout(), rest: at.open };
            let alone = at.alone.without(string);
            let left = boxes - taken.boxes;
            best = best.max(-self.settled(at, &taken, &alone, left, Self::STEP - bound)?);
            if best >= bound {
                break;
            }
        }
        Ok(best)
    }
}

/// The most safe lines of a board whose positions have shapes.
const MAX_SAFE: usize = 64;

impl<W: Word, T: Uses<Techniques>> Solver<'_, '_, '_, W, T> {
    /// Like [`best`](Self::best), where a PC's memory is large and slow: all keys are made first,
    /// and what is known of them is fetched at once, so that the waiting times overlap.
    fn best_of_known(
        &mut self,
        at: &Position<W>,
        two: W,
        boxes: i16,
        bound: i16,
    ) -> Result<i16, Stopped> {
        let grid = self.grid;
        let mut lines = Ordered::new(self.safe(at.open, two), two);
        // What no safe line changes: chains and loops that lead to no box with more open sides.
        let degrees = grid.degrees(at.open);
        let changing = grid.spread(degrees.more, at.open.and(grid.between(degrees.any())));
        let still = at.open.and(grid.around(degrees.two & !changing));
        let still_shape = grid.shape(still, degrees.two & !changing).unwrap_or_default();
        let mut safe = [(Lines::NONE, None); MAX_SAFE];
        let mut count = 0;
        let mut opening = lines.next::<T>(grid, &at.open);
        while let Some(line) = opening.filter(|_| lines.is_safe()) {
            let open = at.open.without(line);
            let key = (!grid.degrees(open).more.is_empty() || !T::TECHNIQUES.formula).then(|| {
                let shape = grid.shape(open.without(still), changing);
                let shape = shape.map(|shape| shape.wrapping_add(still_shape));
                self.shape_key(shape, || grid.toggled(&at.images, line))
            });
            safe[count] = (line, key);
            count += 1;
            opening = lines.next::<T>(grid, &at.open);
        }
        let keys = safe[..count].iter().filter_map(|(_, key)| *key);
        black_box(keys.fold(0, |sum, key| sum ^ self.memory.fetch(key)));
        let mut best = -boxes;
        for (line, key) in &mut safe[..count] {
            let Some(known) = key.and_then(|key| self.memory.get(key, boxes)) else { continue };
            if -known.high >= bound {
                return Ok(-known.high);
            }
            if -known.low < bound {
                best = best.max(-known.low);
                *line = Lines::NONE;
            }
        }
        for &(line, key) in safe[..count].iter().filter(|(line, _)| !line.is_empty()) {
            let after = &mut self.drawn(at, line);
            best = best.max(-self.quiet_with(after, W::EMPTY, key, Self::STEP - bound)?);
            if best >= bound {
                return Ok(best);
            }
        }
        while let Some(line) = opening {
            let asked = Self::STEP - bound;
            let value = if T::TECHNIQUES.taking {
                let taken = lines.taken(grid, &at.open, line);
                self.settled(at, &taken, &at.alone, boxes - taken.boxes, asked)?
            } else {
                self.after(at, at.open.without(line), asked)?
            };
            best = best.max(-value);
            if best >= bound {
                break;
            }
            opening = lines.next::<T>(grid, &at.open);
        }
        Ok(best)
    }
}

/// What is asked about a position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Question {
    /// Whether it is worth so much. No box can be taken in it.
    Reaches(i16),
    /// What it is worth, and first whether that is so much. No box can be taken in it.
    Value(i16),
    /// What it is worth. Boxes can be taken in it.
    Taking,
}

/// The exact search of a board in the narrowest words that fit it.
#[derive(Debug)]
pub(super) struct Exact<'a, 'b> {
    pub(super) size: Size,
    pub(super) memory: &'a mut [u64],
    pub(super) meter: &'a mut Meter<'b>,
    /// The share of the budget that it may use, in hundredths, if it is for play.
    pub(super) share: Option<u8>,
}

impl Exact<'_, '_> {
    /// Asks about a position. `grid` is used if it is there and the board needs it.
    pub(super) fn ask(
        &mut self,
        grid: Option<&Grid<u128>>,
        open: &Lines<u128>,
        question: Question,
    ) -> Proof<u128> {
        if Grid::<u32>::fits(self.size) {
            self.ask_anew::<u32, Everything>(open, question)
        } else if Grid::<u64>::fits(self.size) {
            self.ask_anew::<u64, Everything>(open, question)
        } else if let Some(grid) = grid {
            self.ask_on::<u128, Everything>(grid, open, question)
        } else {
            self.ask_anew::<u128, Everything>(open, question)
        }
    }

    /// Not inlined, so that only the grid in use takes room on the stack.
    #[inline(never)]
    fn ask_anew<W: Word, T: Uses<Techniques>>(
        &mut self,
        open: &Lines<u128>,
        question: Question,
    ) -> Proof<u128> {
        let grid = Grid::<W>::with_keys(self.size, Grid::<W>::are_hashed(self.share.is_some()));
        self.ask_on::<W, T>(&grid, open, question)
    }

    #[inline(never)]
    fn ask_on<W: Word, T: Uses<Techniques>>(
        &mut self,
        grid: &Grid<W>,
        open: &Lines<u128>,
        question: Question,
    ) -> Proof<u128> {
        let (share, plies) = match self.share {
            Some(share) => (share, play_plies::<W>()),
            None => (100, solve_plies::<W>()),
        };
        let mut solver = Solver::<W, T>::new(grid, self.memory, self.meter, share, plies);
        let open = open.resized();
        let Proof { low, high, line } = match question {
            Question::Reaches(bound) => solver.reaches(open, bound),
            Question::Value(bound) => solver.prove(open, bound),
            Question::Taking => solver.taking(open),
        };
        Proof { low, high, line: line.resized() }
    }

    /// The value of a position, and a line that leads to it. `ask` asks about other positions of the
    /// board.
    fn solution(
        grid: &Grid<u128>,
        open: Lines<u128>,
        mut ask: impl FnMut(&Lines<u128>, Question) -> Proof<u128>,
    ) -> Option<(i16, Lines<u128>)> {
        let line = match grid.chance(open) {
            None => {
                let proof = ask(&open, Question::Value(0));
                return proof.is_exact().then_some((proof.low, proof.line));
            }
            Some(Chance::Free { line, .. }) => line,
            Some(Chance::Last { take, give, gift, rest }) => {
                if ask(&rest, Question::Reaches(-gift)).reaches(-gift)? { take } else { give }
            }
        };
        let proof = ask(&open, Question::Taking);
        proof.is_exact().then_some((proof.low, line))
    }
}

impl Dots {
    /// How many boxes more than the other the player to move will take from here on, and a line that
    /// leads there; `None` if the budget does not reach.
    pub(super) fn solution(&self, exact: &mut Exact<'_, '_>) -> Option<(i16, Option<Line>)> {
        let grid = &Grid::for_play(self.size());
        let ask = |open: &Lines<u128>, question| exact.ask(Some(grid), open, question);
        let (score, line) = Exact::solution(grid, grid.open(self), ask)?;
        Some((score, grid.number(line)))
    }
}

impl Solve for Dots {
    const FROM_HERE_ON: bool = true;

    fn solve(&self, memory: &mut [u64], meter: &mut Meter<'_>) -> Option<Solution<Line>> {
        let mut exact = Exact { size: self.size(), memory, meter, share: None };
        let (score, best) = self.solution(&mut exact)?;
        Some(Solution { score, best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::dots::Size;
    use crate::mix::Rng;
    use crate::search::ablation::without;
    use crate::search::budget::Budget;

    fn board(rows: u8, columns: u8) -> Dots {
        Dots::new(Size::new(rows, columns).unwrap())
    }

    fn random_position(rows: u8, columns: u8, lines: u8, rng: &mut Rng) -> Dots {
        let mut game = board(rows, columns);
        for _ in 0..lines {
            let mut skip = rng.below(game.count_moves());
            let mut chosen = None;
            game.for_each_move(|line| {
                if skip == 0 && chosen.is_none() {
                    chosen = Some(line);
                }
                skip = skip.saturating_sub(1);
            });
            if let Some(line) = chosen {
                game.play(line);
            }
        }
        game
    }

    /// The score and the positions looked at.
    fn work<T: Uses<Techniques>>(game: &Dots, slots: usize) -> (i16, u64) {
        work_in::<u32, T>(game, slots)
    }

    fn work_in<W: Word, T: Uses<Techniques>>(game: &Dots, slots: usize) -> (i16, u64) {
        work_as::<W, T>(game, slots, None)
    }

    /// The same in play, if there is a share of the budget for it.
    fn work_as<W: Word, T: Uses<Techniques>>(
        game: &Dots,
        slots: usize,
        share: Option<u8>,
    ) -> (i16, u64) {
        let mut meter = Meter::new(Budget::UNLIMITED);
        let (memory, meter) = (&mut std::vec![0; slots], &mut meter);
        let mut exact = Exact { size: game.size(), memory, meter, share };
        let grid = &Grid::for_play(game.size());
        let ask = |open: &Lines<u128>, question| exact.ask_anew::<W, T>(open, question);
        let (score, _) = Exact::solution(grid, grid.open(game), ask).unwrap();
        (score, exact.meter.nodes())
    }

    without! {
        NoImages: images;
        NoTwins: twins;
        NoLookahead: lookahead;
        NoShapes: shapes;
        NoRings: rings;
        NoStrings: strings;
        NoFormula: formula;
        NoAlone: alone;
        NoTaking: taking;
        NoParity: parity;
    }

    /// Leaves a technique out: no value changes, and there is no less to look at.
    fn check_without<T: Uses<Techniques>>(seed: u64) {
        let mut rng = Rng::new(seed);
        let mut nodes = (0, 0);
        for round in 0..300 {
            let (rows, columns, drawn) = [(2, 2, 1), (2, 3, 5), (3, 3, 13)][round % 3];
            let game = random_position(rows, columns, drawn, &mut rng);
            let (score, with) = work::<Everything>(&game, 256);
            let (same, without) = work::<T>(&game, 256);
            assert_eq!(score, same, "{game:?}");
            nodes = (nodes.0 + with, nodes.1 + without);
        }
        // Values of the wrong parity never come back, so not asking for them saves questions at
        // the start only.
        let is_less = if T::TECHNIQUES.parity { nodes.0 < nodes.1 } else { nodes.0 <= nodes.1 };
        assert!(is_less, "{} {}", nodes.0, nodes.1);
    }

    #[test]
    fn images_change_no_value() {
        check_without::<NoImages>(1);
    }

    #[test]
    fn twins_change_no_value() {
        check_without::<NoTwins>(2);
    }

    #[test]
    fn looking_ahead_in_the_memory_changes_no_value() {
        check_without::<NoLookahead>(4);
    }

    /// The same on boards of more than 32 lines, in solving or in play.
    fn check_large_without<T: Uses<Techniques>>(seed: u64, share: Option<u8>) {
        let mut rng = Rng::new(seed);
        let mut nodes = (0, 0);
        for round in 0..60 {
            let (rows, columns, drawn) = [(4, 4, 18), (3, 5, 16), (5, 5, 34)][round % 3];
            let game = random_position(rows, columns, drawn, &mut rng);
            let (score, with) = work_as::<u64, Everything>(&game, 1 << 12, share);
            let (same, without) = work_as::<u64, T>(&game, 1 << 12, share);
            assert_eq!(score, same, "{game:?}");
            nodes = (nodes.0 + with, nodes.1 + without);
        }
        assert!(nodes.0 < nodes.1, "{} {}", nodes.0, nodes.1);
    }

    #[test]
    fn shapes_change_no_value() {
        check_large_without::<NoShapes>(9, None);
    }

    #[test]
    fn strings_that_are_alone_change_no_value() {
        check_large_without::<NoAlone>(10, Some(100));
    }

    #[test]
    fn solving_and_play_find_the_same_values() {
        let mut rng = Rng::new(11);
        for round in 0..60 {
            let (rows, columns, drawn) = [(4, 4, 18), (3, 5, 16), (5, 5, 34)][round % 3];
            let game = random_position(rows, columns, drawn, &mut rng);
            let (score, _) = work_as::<u64, Everything>(&game, 1 << 12, Some(100));
            assert_eq!(score, work_in::<u64, Everything>(&game, 1 << 12).0, "{game:?}");
        }
    }

    #[test]
    fn rings_change_no_value() {
        check_without::<NoRings>(8);
    }

    #[test]
    fn one_line_for_a_string_changes_no_value() {
        check_without::<NoStrings>(16);
    }

    #[test]
    fn the_formula_changes_no_value() {
        check_without::<NoFormula>(32);
    }

    #[test]
    fn taking_at_once_changes_no_value() {
        check_without::<NoTaking>(64);
    }

    #[test]
    fn parity_changes_no_value() {
        check_without::<NoParity>(128);
    }

    #[test]
    fn the_width_of_the_words_changes_no_value() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let game = random_position(3, 4, 18, &mut rng);
            let (expected, _) = work_in::<u32, Everything>(&game, 512);
            assert_eq!(work_in::<u64, Everything>(&game, 512).0, expected);
            assert_eq!(work_in::<u128, Everything>(&game, 512).0, expected);
        }
    }

    /// `cargo test -p corvid-games --lib saves -- --nocapture` prints the figures in
    /// docs/search.md.
    #[test]
    fn what_each_technique_saves() {
        fn row<T: Uses<Techniques>>(name: &str) {
            let (score, nodes) = work::<T>(&board(3, 3), 4096);
            assert_eq!(score, -3, "{name}");
            std::println!("dots 3x3, 32 KB, without {name}: {nodes} nodes");
        }
        row::<Everything>("nothing");
        row::<NoImages>("mirror images");
        row::<NoTwins>("twin lines");
        row::<NoRings>("centre-out order");
        row::<NoLookahead>("children in the table");
        row::<NoStrings>("one line for a chain");
        row::<NoFormula>("the formula");
    }

    #[test]
    fn three_by_three_in_32_kilobytes() {
        let (score, nodes) = work::<Everything>(&board(3, 3), 4096);
        assert_eq!(score, -3);
        assert!(nodes <= 60_000, "{nodes}");
    }

    #[test]
    fn a_small_budget_gives_no_answer() {
        let mut meter = Meter::new(Budget::nodes(1000));
        assert_eq!(board(4, 4).solve(&mut [0; 64], &mut meter), None);
        assert_eq!(meter.nodes(), 1000);
        assert_eq!(board(10, 10).solve(&mut [], &mut Meter::new(Budget::nodes(1000))), None);
    }

    #[test]
    fn a_finished_game_is_worth_nothing_more() {
        let mut rng = Rng::new(0);
        let game = random_position(2, 2, 12, &mut rng);
        let solution = game.solve(&mut [], &mut Meter::new(Budget::nodes(0)));
        assert_eq!(solution, Some(Solution { score: 0, best: None }));
    }
}
