//! Playing on boards of any size: exact as soon as the budget allows, before that a shallow search
//! that estimates who will have to open the long chains.

use core::any::Any;
use core::ops::RangeInclusive;

use heapless::Vec;

use super::chains::{Chance, Strings, Taken};
use super::graph::{Grid, Lines, Word};
use super::order::Ordered;
use super::solver::{Exact, Proof, Question, Stopped};
use super::{Dots, Line, MAX_BOXES};
use crate::game::Game;
use crate::mix::Rng;
use crate::search::ablation::Everything;
use crate::search::budget::Meter;
use crate::search::helper::helped_by_table;
use crate::search::table::Table;
use crate::search::{Report, Think, Variety};

/// The maximum depth of the heuristic search in plies. A board's stack has room for so many calls
/// of [`Guesser::quiet`]; `cargo xtask memory` shows it.
const MAX_DEPTH: u8 = 24;
/// The depth of the heuristic search before an exact value is tried, and the share of the budget
/// that may be spent on it, in hundredths.
const FIRST_DEPTH: u8 = 2;
const FIRST_SHARE: u8 = 3;
/// The share of the budget after which no exact value is expected.
const EXACT_SHARE: u8 = 95;
/// Positions with more open lines are never solved exactly.
const MAX_EXACT_LINES: u32 = 64;
/// Positions with no more open lines are always tried.
const MIN_EXACT_LINES: u32 = 32;
/// The work roughly doubles with every safe line; so many do not count.
const FREE_SAFE_LINES: u32 = 3;
/// Random playouts per estimate.
const PLAYOUTS: u64 = 2;
/// The most playouts for an average.
const MOST_PLAYOUTS: i32 = 1024;
/// Whether the heuristic search of small boards has code of its own. On a microcontroller the exact
/// search alone is worth the flash: it does most of the work there, and looks at the same positions.
const NARROW_GUESSES: bool = cfg!(target_pointer_width = "64");
/// A box, in the scores of estimates.
const BOX: i16 = 100;
/// More than any score.
const INFINITE: i16 = BOX * (MAX_BOXES as i16 + 1);

impl Think for Dots {
    /// Several boxes, but only while seven lines of eight are open: two playouts tell as much as
    /// nothing there. Later the order of lines from the centre out is a better guide than the lot.
    fn margin(&self) -> u16 {
        if u32::from(self.left) * 8 > u32::from(self.size().lines()) * 7 {
            5 * BOX as u16
        } else {
            0
        }
    }

    fn think_varied(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        variety: Variety,
        report: &mut dyn FnMut(&Report<'_, Line>),
    ) -> Option<Line> {
        if NARROW_GUESSES && Grid::<u32>::fits(self.size()) {
            think::<u32>(self, memory, meter, variety, report)
        } else if NARROW_GUESSES && Grid::<u64>::fits(self.size()) {
            think::<u64>(self, memory, meter, variety, report)
        } else {
            think::<u128>(self, memory, meter, variety, report)
        }
    }
}

/// Not inlined, so that only the grid in use takes room on the stack.
#[inline(never)]
fn think<W: Word>(
    game: &Dots,
    memory: &mut [u64],
    meter: &mut Meter<'_>,
    variety: Variety,
    report: &mut dyn FnMut(&Report<'_, Line>),
) -> Option<Line> {
    let grid = Grid::<W>::for_play(game.size());
    Thinking { grid: &grid, game, memory, meter, variety, report }.choose()
}

impl Dots {
    /// How many boxes more than the other the player to move will take from here on, in hundredths,
    /// and whether that is proven; `None` if the budget does not reach for a guess.
    pub fn appraise(&self, memory: &mut [u64], meter: &mut Meter<'_>) -> Option<(i16, bool)> {
        if NARROW_GUESSES && Grid::<u32>::fits(self.size()) {
            appraise::<u32>(self, memory, meter)
        } else if NARROW_GUESSES && Grid::<u64>::fits(self.size()) {
            appraise::<u64>(self, memory, meter)
        } else {
            appraise::<u128>(self, memory, meter)
        }
    }
}

#[inline(never)]
fn appraise<W: Word>(
    game: &Dots,
    memory: &mut [u64],
    meter: &mut Meter<'_>,
) -> Option<(i16, bool)> {
    let grid = &Grid::<W>::for_play(game.size());
    let report = &mut |_: &Report<'_, Line>| {};
    let variety = Variety::NONE;
    let mut thinking = Thinking { grid, game, memory, meter, variety, report };
    let open = grid.open(game);
    if thinking.may_be_exact(open) {
        let (memory, meter) = (&mut *thinking.memory, &mut *thinking.meter);
        let mut exact = Exact { size: game.size(), memory, meter, share: Some(EXACT_SHARE) };
        if let Some((score, _)) = game.solution(&mut exact) {
            return Some((score * BOX, true));
        }
    }
    thinking.average(open).map(|score| (score, false))
}

/// The state of the choice of one move.
struct Thinking<'a, 'b, W: Word> {
    grid: &'a Grid<W>,
    game: &'a Dots,
    memory: &'a mut [u64],
    meter: &'a mut Meter<'b>,
    variety: Variety,
    report: &'a mut dyn FnMut(&Report<'_, Line>),
}

impl<'b, W: Word> Thinking<'_, 'b, W> {
    fn choose(mut self) -> Option<Line> {
        let open = self.grid.open(self.game);
        let line = match self.grid.chance(open) {
            None => self.draw(open),
            Some(Chance::Free { line, gain }) => {
                self.tell(1, gain * BOX, false, line);
                line
            }
            Some(Chance::Last { take, give, gift, rest }) => {
                let (line, gain) =
                    if self.takes_last(gift, rest) { (take, gift) } else { (give, -gift) };
                self.tell(1, gain * BOX, false, line);
                line
            }
        };
        self.grid.number(line)
    }

    /// Whether to take the last boxes, and have to move in the rest. Leaving them is as good if the
    /// rest is worth as much to the opponent as they are.
    fn takes_last(&mut self, gift: i16, rest: Lines<W>) -> bool {
        let proof = self.ask(rest, Question::Reaches(-gift));
        proof.reaches(-gift).unwrap_or_else(|| {
            self.variety = Variety::NONE;
            self.deepen(rest, 1, MAX_DEPTH, 100).1 >= -gift * BOX
        })
    }

    fn ask(&mut self, open: Lines<W>, question: Question) -> Proof<u128> {
        let (memory, meter) = (&mut *self.memory, &mut *self.meter);
        let mut exact = Exact { size: self.game.size(), memory, meter, share: Some(EXACT_SHARE) };
        exact.ask((self.grid as &dyn Any).downcast_ref(), &open.resized(), question)
    }

    #[inline(never)]
    fn tell(&mut self, depth: u8, score: i16, exact: bool, line: Lines<W>) {
        if let Some(line) = self.grid.number(line) {
            tell(self.meter, self.report, depth, score, exact, line);
        }
    }

    /// A line where no box can be taken.
    fn draw(&mut self, open: Lines<W>) -> Lines<W> {
        let (line, _, depth) = self.deepen(open, 1, FIRST_DEPTH, FIRST_SHARE);
        if self.may_be_exact(open) {
            // Winning comes first, the margin second.
            let own = self.game.turn();
            let to_win = self.game.score(own.other()) - self.game.score(own) + 1;
            let proof = self.ask(open, Question::Value(to_win));
            let line = proof.line.resized();
            if !line.is_empty() {
                let exact = proof.is_exact();
                // A bound is told as a guess, in hundredths.
                let score = if exact { proof.low } else { 100 * proof.low };
                self.tell(open.count() as u8, score, exact, line);
                return line;
            }
        }
        let (deeper, _, _) = self.deepen(open, depth + 1, MAX_DEPTH, 100);
        if deeper.is_empty() { line } else { deeper }
    }

    /// Whether the budget may suffice to the end of the game.
    #[inline(never)]
    fn may_be_exact(&self, open: Lines<W>) -> bool {
        let safe = open.without(self.grid.around(self.grid.degrees(open).two)).count();
        let work = 1 << safe.saturating_sub(FREE_SAFE_LINES).min(u64::BITS - 1);
        open.count() <= MIN_EXACT_LINES
            || open.count() <= MAX_EXACT_LINES && work <= self.meter.nodes_left()
    }

    /// Iterative deepening. Returns the best line, its score and the depth; no line if the share of
    /// the budget does not suffice for the first depth.
    fn deepen(&mut self, open: Lines<W>, first: u8, last: u8, share: u8) -> (Lines<W>, i16, u8) {
        self.memory.fill(0);
        let memory = core::mem::take(&mut self.memory);
        let last = last.min(open.count() as u8).max(first);
        let mut found = self.deepen_with(Table::new(memory), open, first..=last, share);
        self.memory = memory;
        if found.0.is_empty() && first == 1 {
            found.0 = self.plain(open);
        }
        found
    }

    /// A second processor begins a ply deeper, so that the table knows positions before this search
    /// comes to them.
    fn deepen_with(
        &mut self,
        table: Table<'_, 32>,
        open: Lines<W>,
        depths: RangeInclusive<u8>,
        share: u8,
    ) -> (Lines<W>, i16, u8) {
        let mut found = (Lines::NONE, 0, 0);
        let Some(helper) = self.meter.helper() else {
            self.look(table, open, depths, share, &mut found);
            return found;
        };
        let (grid, deeper) = (self.grid, depths.clone().skip(1));
        let ahead = |meter: &mut Meter<'_>| {
            let variety = Variety::NONE;
            let mut guesser = Guesser { grid, table, meter, variety, share: 100 };
            let mut hint = Lines::NONE;
            for depth in deeper.clone() {
                let Ok((line, _)) = guesser.best_line(open, depth, hint) else { break };
                hint = line;
            }
        };
        let own = || self.look(table, open, depths.clone(), share, &mut found);
        if let Some(((), nodes)) = helped_by_table(helper, ahead, own) {
            self.meter.add(nodes);
        }
        found
    }

    fn look(
        &mut self,
        table: Table<'_, 32>,
        open: Lines<W>,
        depths: RangeInclusive<u8>,
        share: u8,
        found: &mut (Lines<W>, i16, u8),
    ) {
        for depth in depths {
            let Self { grid, variety, .. } = *self;
            let mut guesser = Guesser { grid, table, meter: self.meter, variety, share };
            let Ok((line, score)) = guesser.best_line(open, depth, found.0) else { break };
            *found = (line, score, depth);
            self.tell(depth, score, false, line);
        }
    }

    /// The mean of as many playouts as the budget allows, of a position in which boxes may be there to
    /// take. (A search takes the best of many guesses, and that flatters whoever moves.)
    fn average(&mut self, open: Lines<W>) -> Option<i16> {
        let Self { grid, variety, .. } = *self;
        let Taken { boxes, handout, rest } = grid.take(open);
        let hash = rest.hash();
        let (table, meter) = (Table::new(&mut []), &mut *self.meter);
        let mut guesser = Guesser { grid, table, meter, variety, share: 100 };
        let (mut sum, mut count) = (0, 0);
        while count < MOST_PLAYOUTS
            && let Ok(value) = guesser.playout(rest, &mut Rng::new(hash ^ count as u64))
        {
            sum += i32::from(value);
            count += 1;
        }
        let mean = (sum * i32::from(BOX)).checked_div(count)? as i16;
        let gift = handout.boxes() * BOX;
        // Of a gift, the better of taking it and leaving it.
        Some(boxes * BOX - gift + if gift == 0 { mean } else { (mean + gift).abs() })
    }

    /// A line without any search: a safe one near the centre, or the shortest chain.
    fn plain(&self, open: Lines<W>) -> Lines<W> {
        let grid = self.grid;
        let degrees = grid.degrees(open);
        let safe = open.without(grid.around(degrees.two));
        let inner = grid.rings().iter().map(|ring| safe.and(*ring)).find(|ring| !ring.is_empty());
        match inner {
            Some(mut lines) => {
                for _ in 0..self.variety.below(lines.count()) {
                    lines.next();
                }
                lines.first()
            }
            None => grid.shortest(open, degrees.two),
        }
    }
}

#[inline(never)]
fn tell(
    meter: &Meter<'_>,
    report: &mut dyn FnMut(&Report<'_, Line>),
    depth: u8,
    score: i16,
    exact: bool,
    line: Line,
) {
    let (nodes, percent) = (meter.nodes(), meter.percent());
    report(&Report { depth, score, exact, nodes, percent, line: &[line] });
}

/// A transposition table entry, as bits.
#[derive(Debug, Clone, Copy)]
struct Known {
    score: i16,
    depth: u8,
    /// Whether the score is proven to be no lower, and no higher.
    at_least: bool,
    at_most: bool,
    /// The best line's index in the order of [`Lines`].
    place: u8,
}

impl Known {
    fn pack(self) -> u32 {
        (self.score + INFINITE) as u32 & 0x7fff
            | u32::from(self.depth) << 15
            | u32::from(self.at_least) << 20
            | u32::from(self.at_most) << 21
            | u32::from(self.place) << 22
    }

    fn unpack(data: u32) -> Self {
        Self {
            score: (data & 0x7fff) as i16 - INFINITE,
            depth: (data >> 15 & 31) as u8,
            at_least: data >> 20 & 1 != 0,
            at_most: data >> 21 & 1 != 0,
            place: (data >> 22) as u8,
        }
    }
}

/// The heuristic search: some plies, then an estimate.
struct Guesser<'a, 'b, W: Word> {
    grid: &'a Grid<W>,
    table: Table<'a, 32>,
    meter: &'a mut Meter<'b>,
    variety: Variety,
    share: u8,
}

impl<W: Word> Guesser<'_, '_, W> {
    fn tick(&mut self) -> Result<(), Stopped> {
        let may = self.share >= 100
            || !self.meter.nodes().is_multiple_of(64)
            || self.meter.percent() < self.share;
        if may && self.meter.tick() { Ok(()) } else { Err(Stopped) }
    }

    /// The best line of a position where no box can be taken, and its score. `hint` is tried first.
    fn best_line(
        &mut self,
        open: Lines<W>,
        depth: u8,
        hint: Lines<W>,
    ) -> Result<(Lines<W>, i16), Stopped> {
        let mut best = (Lines::NONE, -INFINITE);
        let mut chosen = 0;
        let mut moves = Moves::new(self.grid, &open, hint);
        while let Some(next) = moves.next(self.grid, &open) {
            let is_first = best.0.is_empty();
            let bonus = self.variety.bonus(next.place);
            let floor = best.1 - bonus;
            let mut low = if is_first { -INFINITE } else { -floor - 1 };
            let score = loop {
                let score = -self.reply(&next.taken, depth - 1, low, -floor)?;
                if low == -INFINITE || score <= floor {
                    break score + bonus;
                }
                low = -INFINITE;
            };
            if is_first || score > best.1 {
                best = (self.grid.at_place(next.place), score);
                chosen = bonus;
            }
        }
        Ok((best.0, best.1 - chosen))
    }

    /// The score of a position for the player to move, who takes what can be taken.
    #[inline]
    fn reply(&mut self, taken: &Taken<W>, depth: u8, low: i16, high: i16) -> Result<i16, Stopped> {
        let gift = taken.handout.boxes() * BOX;
        let base = taken.boxes * BOX - gift;
        if gift == 0 {
            return Ok(base + self.quiet(&taken.rest, depth, low - base, high - base)?);
        }
        if base >= high {
            return Ok(base);
        }
        let rest = self.quiet(&taken.rest, depth, base - high - gift, high - base - gift)?;
        Ok(base + (rest + gift).abs())
    }

    /// The score of a position where no box can be taken. What it calls is not inlined: a board's
    /// stack holds its frame once per ply.
    fn quiet(&mut self, open: &Lines<W>, depth: u8, low: i16, high: i16) -> Result<i16, Stopped> {
        debug_assert!(depth < MAX_DEPTH, "deeper than the stack of a board");
        let (hash, hint) = match self.look_up(open, depth, low, high)? {
            Looked::Score(score) => return Ok(score),
            Looked::Open { hash, hint } => (hash, hint),
        };
        let mut best = None;
        let mut moves = Moves::hinted(self.grid, open, hint);
        while let Some(next) = moves.next(self.grid, open) {
            let floor = best.map_or(low, |(_, score)| low.max(score));
            // The first line gets the full window; the others a null window, since most are no
            // better.
            let mut from = if best.is_none() { -high } else { -floor - 1 };
            let score = loop {
                let score = -self.reply(&next.taken, depth - 1, from, -floor)?;
                if from == -high || score <= floor || score >= high {
                    break score;
                }
                from = -high;
            };
            if best.is_none_or(|(_, highest)| score > highest) {
                best = Some((next.place, score));
            }
            if score >= high {
                break;
            }
        }
        let (place, score) = best.unwrap_or((0, -INFINITE));
        let known = Known { score, depth, at_least: score > low, at_most: score < high, place };
        self.remember(hash, known);
        Ok(score)
    }

    /// The score of a position if it is known or not to be searched further.
    #[inline(never)]
    fn look_up(
        &mut self,
        open: &Lines<W>,
        depth: u8,
        low: i16,
        high: i16,
    ) -> Result<Looked, Stopped> {
        self.tick()?;
        let grid = self.grid;
        let degrees = grid.degrees(*open);
        if degrees.more.is_empty() {
            return Ok(Looked::Score(Strings::value_of(grid, *open, degrees.two) * BOX));
        }
        let hash = open.hash();
        let known = self.table.get(hash).map(Known::unpack);
        if let Some(known) = known.filter(|known| known.depth >= depth)
            && (known.at_least && (known.score >= high || known.at_most)
                || known.at_most && known.score <= low)
        {
            return Ok(Looked::Score(known.score));
        }
        if depth == 0 {
            let score = self.guess(*open, hash)?;
            self.remember(hash, Known { score, depth, at_least: true, at_most: true, place: 0 });
            return Ok(Looked::Score(score));
        }
        Ok(Looked::Open { hash, hint: known.map(|known| known.place) })
    }

    #[inline(never)]
    fn remember(&mut self, hash: u64, known: Known) {
        self.table.put(hash, known.pack(), |data| Known::unpack(data).depth.into());
    }

    /// Some playouts, of random safe lines and then the shortest chains: on average they show who
    /// will have to open the long chains.
    fn guess(&mut self, open: Lines<W>, hash: u64) -> Result<i16, Stopped> {
        let mut sum = 0;
        for game in 0..PLAYOUTS {
            sum += self.playout(open, &mut Rng::new(hash ^ game))?;
        }
        Ok(sum * BOX / PLAYOUTS as i16)
    }

    fn playout(&mut self, mut open: Lines<W>, rng: &mut Rng) -> Result<i16, Stopped> {
        let grid = self.grid;
        let mut sign = 1;
        loop {
            let safe = open.without(grid.around(grid.degrees(open).two));
            if safe.is_empty() {
                return Ok(sign * self.open_shortest(open)?);
            }
            self.tick()?;
            open = open.without(grid.some_line(safe, rng));
            sign = -sign;
        }
    }

    /// The value of a position without safe lines, if the shortest chain or loop is always opened.
    /// Not inlined, so that the loop of a playout has the registers for itself.
    #[inline(never)]
    fn open_shortest(&mut self, mut open: Lines<W>) -> Result<i16, Stopped> {
        let grid = self.grid;
        let mut opened: Vec<(i8, i8), MAX_BOXES> = Vec::new();
        let mut value = loop {
            let degrees = grid.degrees(open);
            if degrees.more.is_empty() {
                break Strings::value_of(grid, open, degrees.two);
            }
            self.tick()?;
            let taken = grid.take(open.without(grid.shortest(open, degrees.two)));
            open = taken.rest;
            let pushed = opened.push((taken.boxes as i8, taken.handout.boxes() as i8));
            debug_assert!(pushed.is_ok(), "each time a box is taken");
        };
        for &(boxes, gift) in opened.iter().rev() {
            let (boxes, gift) = (i16::from(boxes), i16::from(gift));
            value = -if gift == 0 { boxes + value } else { boxes - gift + (value + gift).abs() };
        }
        Ok(value)
    }
}

/// What is found without trying a position's lines.
enum Looked {
    Score(i16),
    /// Nothing but the index of the line that was best before.
    Open {
        hash: u64,
        hint: Option<u8>,
    },
}

/// A line being tried, and the forced moves after it.
struct Next<W> {
    place: u8,
    taken: Taken<W>,
}

/// The lines worth trying: a hint first, then the safe lines and a line of each chain and loop;
/// where there are safe lines, only of those that give away one or two boxes.
struct Moves<W> {
    lines: Ordered<W>,
    /// The hint's index, and whether it is still to come.
    hint: Option<u8>,
    hint_comes: bool,
    has_safe: bool,
}

impl<W: Word> Moves<W> {
    fn new(grid: &Grid<W>, open: &Lines<W>, hint: Lines<W>) -> Self {
        let hint = if hint.is_empty() { None } else { Some(grid.place_of(hint)) };
        Self::hinted(grid, open, hint)
    }

    #[inline(never)]
    fn hinted(grid: &Grid<W>, open: &Lines<W>, hint: Option<u8>) -> Self {
        let two = grid.degrees(*open).two;
        let safe = grid.safe(open, two);
        let has_safe = !safe.is_empty();
        let line = hint.map_or(Lines::NONE, |place| grid.at_place(place).and(*open));
        let hint = hint.filter(|_| !line.is_empty());
        let lines = Ordered::new(safe.without(line), two);
        Self { lines, hint, hint_comes: hint.is_some(), has_safe }
    }

    #[inline(never)]
    fn next(&mut self, grid: &Grid<W>, open: &Lines<W>) -> Option<Next<W>> {
        let line = match self.hint.filter(|_| self.hint_comes) {
            Some(place) => {
                self.hint_comes = false;
                grid.at_place(place)
            }
            None => loop {
                let line = self.lines.next::<Everything>(grid, open)?;
                if self.has_safe && self.lines.length() > 2 {
                    return None;
                }
                // A safe hint is not among the lines.
                if self.lines.is_safe() || self.hint != Some(grid.place_of(line)) {
                    break line;
                }
            },
        };
        Some(Next { place: grid.place_of(line), taken: grid.take(open.without(line)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dots::Size;
    use crate::search::budget::Budget;
    use std::vec::Vec;

    /// A whole game of the engine against itself: its lines, and its last report in each.
    fn play(size: Size, slots: usize, nodes: u64) -> (Vec<Line>, Vec<Option<(u8, bool)>>) {
        let mut game = Dots::new(size);
        let mut memory = std::vec![0; slots];
        let (mut lines, mut reports) = (Vec::new(), Vec::new());
        loop {
            let mut last = None;
            let mut meter = Meter::new(Budget::nodes(nodes));
            let mut note = |report: &Report<'_, Line>| {
                assert!(report.nodes <= nodes && report.percent <= 100);
                assert_eq!(report.line.len(), 1);
                last = Some((report.depth, report.exact));
            };
            let Some(line) = game.think(&mut memory, &mut meter, &mut note) else { break };
            assert_eq!(game.check(line), Ok(()));
            assert!(meter.nodes() <= nodes);
            game.play(line);
            lines.push(line);
            reports.push(last);
        }
        assert!(game.is_over());
        (lines, reports)
    }

    #[test]
    fn it_answers_on_every_board_with_any_budget_and_memory() {
        for rows in 1..=10 {
            for columns in [1, 2, 5, 10] {
                let size = Size::new(rows, columns).unwrap();
                for (slots, nodes) in [(0, 0), (1, 1), (7, 60)] {
                    let (lines, _) = play(size, slots, nodes);
                    assert_eq!(lines.len(), usize::from(size.lines()));
                }
            }
        }
    }

    #[test]
    fn it_plays_the_same_again_and_sees_the_end() {
        let size = Size::new(4, 4).unwrap();
        let (lines, reports) = play(size, 512, 10_000);
        assert_eq!(play(size, 512, 10_000).0, lines);
        assert!(matches!(reports[0], Some((depth, false)) if depth >= 1), "{reports:?}");
        assert!(reports[20..].iter().flatten().any(|(_, exact)| *exact), "{reports:?}");
    }

    /// Only chains are left, so that the depth limit ends the search.
    #[test]
    fn it_never_looks_further_ahead_than_the_stack_of_a_board_has_room() {
        let position = "7d5fff55eabd56aa901202404fa9e0fffff807ff805febf4fcffde0";
        let game = Dots::new(Size::new(10, 10).unwrap()).parse_position(position).unwrap();
        let mut deepest = 0;
        let mut meter = Meter::new(Budget::nodes(20_000_000));
        game.think(&mut [0; 4096], &mut meter, &mut |report| {
            deepest = report.depth.max(deepest);
        });
        assert_eq!(deepest, MAX_DEPTH);
        assert!(meter.nodes() < 20_000_000, "the depth ends it, not the budget");
        // `quiet` asserts it for all positions.
        let open = Grid::<u128>::new(game.size()).open(&game);
        assert!(open.count() > u32::from(MAX_DEPTH), "more lines than plies");
    }

    /// The heuristic search of a board has the wide words only, that of a PC both.
    #[test]
    fn the_width_of_the_words_changes_no_move() {
        fn line<W: Word>(game: &Dots) -> Option<Line> {
            let mut meter = Meter::new(Budget::nodes(3000));
            think::<W>(game, &mut [0; 512], &mut meter, Variety::NONE, &mut |_| {})
        }
        for (rows, columns) in [(4, 4), (5, 5), (3, 8)] {
            let mut game = Dots::new(Size::new(rows, columns).unwrap());
            while let Some(next) = line::<u64>(&game) {
                assert_eq!(line::<u128>(&game), Some(next), "{game:?}");
                game.play(next);
            }
            assert!(game.is_over());
        }
    }

    #[test]
    fn known_scores_pack_into_their_bits() {
        for score in [-10_000, -1, 0, 7, 10_000] {
            for place in [0, 121, 128, 255] {
                let known = Known { score, depth: 24, at_least: true, at_most: false, place };
                let again = Known::unpack(known.pack());
                assert_eq!((again.score, again.depth, again.place), (score, 24, place));
                assert!(again.at_least && !again.at_most);
            }
        }
    }
}
