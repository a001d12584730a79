//! Monte Carlo tree search for both games of Blokus, in memory that the caller provides.
//!
//! A simulation walks down the tree to a placement that was not looked at before, and judges the
//! position there. Children are chosen by what they led to and by their prior. Each player
//! maximises its own payoff, so four players are no different from two.

use core::ops::Range;

use heapless::Vec;
use zerocopy::{FromBytes, IntoBytes};

use super::endgame;
use super::prior::{Appraisal, Learnt, ranked_worth};
use super::resume;
use super::sets::Spare;
use super::state::{Code, Lists, State, placement};
use super::tree::{Edge, MAX_CHILDREN, MORE, ROOT, Tree, power};
use super::value::{self, judge};
use super::{Blokus, Move, PIECES, Placement};
use crate::choice::{Best, greedy};
use crate::game::Game;
use crate::mix::Rng;
use crate::player::MAX_PLAYERS;
use crate::search::Report;
use crate::search::budget::Meter;
use crate::search::helper::helped;

/// The most placements in a game.
const MAX_PLACEMENTS: usize = MAX_PLAYERS * PIECES;

/// The share of the memory that holds lists of placements; the tree has the rest.
const LISTS: usize = 5;

/// Simulations between two checks whether the best move can still change.
const PATIENCE: u64 = 16;

/// The opening: so many pieces of each player.
const OPENING_PIECES: usize = 4;

/// A pool of fewer edges is small.
const SMALL: usize = 16_384;

/// Parts of the search that can be left out: see `search/ablation.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Techniques {
    /// A full tree makes room by forgetting what was visited least.
    pub forget: bool,
    /// A search goes on with what an earlier one left in the memory.
    pub reuse: bool,
    /// Endgames are worked out.
    pub endgame: bool,
}

impl Techniques {
    /// Everything.
    pub const ALL: Self = Self { forget: true, reuse: true, endgame: true };
}

/// How the search works.
#[derive(Debug, Clone, Copy)]
pub struct Parameters<'w> {
    /// What placements and leads are worth.
    pub learnt: &'w Learnt,
    /// The weight of priors against results, in sixteenths.
    pub explore: u32,
    /// The most children of the root, and of other nodes.
    pub width: [usize; 2],
    /// Once a small pool has been full, nodes get so many children at first, and the rest when
    /// these have all been visited.
    pub narrow: usize,
    /// Placements of each player considered below the root.
    pub listed: usize,
    /// How many quarters of a doubling the root's priors vary by, at random: of first pieces, and of
    /// others.
    pub variety: [u32; 2],
    /// In the opening, moves with a chance of winning that is lower by so many 65536ths are as good
    /// as the best one, and the lot decides; without it if 0.
    pub close: u32,
    /// What the search does at all.
    pub techniques: Techniques,
}

struct Search<'m> {
    parameters: Parameters<'m>,
    tree: Tree<'m>,
    lists: Lists<'m>,
    root: State,
    appraisal: Appraisal,
    spare: Spare,
    /// Whether the pool has been full, and is small.
    was_full: bool,
    rng: &'m mut Rng,
}

/// A placement on the path down, and who made it.
type Step = (u32, u8);

impl Search<'_> {
    /// Gives a node its children, the player's placements with the best priors; a placeholder edge
    /// gets those that are not among its siblings.
    fn expand(&mut self, node: usize, siblings: Range<usize>, state: &mut State, player: usize) {
        let Parameters { learnt, width, narrow, variety, .. } = self.parameters;
        let sparing = self.was_full && node != ROOT && siblings.is_empty();
        let at_once = if sparing { narrow } else { MAX_CHILDREN };
        let width = width[usize::from(node != ROOT)].min(MAX_CHILDREN);
        let (used, room) = self.tree.used_and_room();
        let siblings = used.get(siblings).unwrap_or_default();
        let width = width.min(room.len());
        if width == 0 {
            return;
        }
        self.appraisal.take(state, player, &learnt.prior, &mut self.spare);
        self.lists.catch_up(state, player);
        let mut best = [0; MAX_CHILDREN];
        let best = best.get_mut(..width).unwrap_or_default();
        let found = self.appraisal.rank(self.lists.all(player), best);
        let best = best.get(..found).unwrap_or_default();
        let Some(&first) = best.first() else { return };
        // From sixteenths of a doubling to quarters.
        let behind = |ranked: u32| (ranked_worth(first) - ranked_worth(ranked)) as u32 / 4;
        let sum: u32 = best.iter().map(|ranked| power(behind(*ranked)) >> 8).sum();
        // The logarithm of the sum in quarters, the fraction by linear interpolation.
        let whole = sum.max(256).ilog2();
        let log = (whole - 8) * 4 + (sum >> (whole - 2) & 3);
        let mut count = 0;
        for &ranked in best {
            let code = ranked as Code;
            let is_new = siblings.iter().all(|sibling| sibling.code() != code);
            let Some(edge) = room.get_mut(count).filter(|_| is_new) else { continue };
            let mut prior = behind(ranked) + log;
            if node == ROOT {
                // For variety between games.
                prior += self.rng.below(variety[usize::from(!state.is_first(player))]);
            }
            *edge = Edge::new(if count == at_once { MORE } else { code }, prior);
            count += 1;
            if count > at_once {
                break;
            }
        }
        self.tree.adopt(node, count);
    }

    /// The child to visit next, and the node that has it: this one, or a placeholder for more.
    ///
    /// Visited children come first, then the others by their priors: only the first of those can be
    /// next.
    #[inline(never)]
    fn select(&self, node: usize) -> Option<(usize, usize)> {
        let explore = self.parameters.explore;
        let (mut visits, mut sum) = (0, 0_u32);
        let mut block = Some(node);
        while let Some(parent) = block {
            let (edges, more) = self.tree.block(parent);
            for edge in edges {
                if edge.visits() == 0 {
                    break;
                }
                visits += edge.visits();
                sum = sum.wrapping_add(edge.visits().wrapping_mul(edge.mean()));
            }
            block = more;
        }
        // The assumed value of an unvisited child: the mean of the others and of an even one. With more
        // visits the sum may have overflowed.
        let unseen =
            if visits < 1 << 16 { (sum + 32_768) / (visits + 1) } else { self.mean_of_many(node) };
        // The square root in sixteenths.
        let root = ((visits + 1) << 8).isqrt();
        let mut best = None;
        let mut highest = 0;
        let mut block = Some(node);
        while let Some(parent) = block {
            let (edges, more) = self.tree.block(parent);
            for (index, edge) in self.tree.edge(parent).children().zip(edges) {
                let visits = edge.visits();
                let prior = (power(edge.prior()) >> 6) * explore;
                let bonus = (prior * root) >> 2;
                let total = if visits == 0 {
                    unseen + bonus
                } else if visits < 8192 {
                    let value = visits * edge.mean() + unseen;
                    // The sum of two quotients is never more than that of their sum.
                    if best.is_some() && (value + bonus) / (visits + 1) <= highest {
                        continue;
                    }
                    value / (visits + 1) + bonus / (visits + 1)
                } else {
                    // So many visits outweigh everything else, and would overflow the product.
                    edge.mean() + bonus / (visits + 1)
                };
                if best.is_none() || total > highest {
                    (best, highest) = (Some((index, parent)), total);
                }
                if visits == 0 {
                    break;
                }
            }
            block = more;
        }
        best
    }

    /// The mean of the children that were visited and of an even one.
    #[cold]
    #[inline(never)]
    fn mean_of_many(&self, node: usize) -> u32 {
        let (mut visits, mut sum) = (0, 32_768);
        let mut block = Some(node);
        while let Some(parent) = block {
            let (edges, more) = self.tree.block(parent);
            for edge in edges {
                visits += edge.visits();
                sum += u64::from(edge.visits()) * u64::from(edge.mean());
            }
            block = more;
        }
        (sum / (u64::from(visits) + 1)) as u32
    }

    /// Gives the root its children, and keeps only the placements with the best priors for nodes
    /// below.
    #[inline(never)]
    fn begin(&mut self) {
        let mut root = self.root;
        let before = self.tree.edge(ROOT);
        self.expand(ROOT, 0..0, &mut root, usize::from(self.root.turn) % MAX_PLAYERS);
        self.tree.renew(before);
        for player in 0..usize::from(root.players) {
            let prior = &self.parameters.learnt.prior;
            self.appraisal.take(&root, player, prior, &mut self.spare);
            self.lists.thin(player, self.parameters.listed, &mut self.appraisal);
        }
    }

    #[inline(never)]
    fn simulate(&mut self, state: &mut State) {
        state.restore(&self.root);
        self.lists.restore();
        let mut path: Vec<Step, { 2 * MAX_PLACEMENTS + 1 }> = Vec::new();
        let _ = path.push((ROOT as u32, state.turn));
        let mut node = ROOT;
        let payoffs = loop {
            let Some(player) = state.mover(&mut self.lists) else { break value::payoffs(state) };
            let edge = self.tree.edge(node);
            if edge.children().is_empty() && edge.visits() > 0 {
                self.expand(node, 0..0, state, player);
            }
            let Some((mut child, parent)) = self.select(node) else {
                break judge(state, &self.parameters.learnt.value, &mut self.spare);
            };
            if parent != node {
                let _ = path.push((parent as u32, player as u8));
            }
            if self.tree.edge(child).code() == MORE {
                let _ = path.push((child as u32, player as u8));
                let siblings = self.tree.edge(node).children();
                self.expand(child, siblings, state, player);
                let Some(first) = self.tree.edge(child).children().next() else {
                    break judge(state, &self.parameters.learnt.value, &mut self.spare);
                };
                child = first;
            }
            state.place(player, self.tree.edge(child).code(), &mut self.lists);
            // There are no more than two steps for a piece.
            let _ = path.push((child as u32, player as u8));
            node = child;
        };
        for &(node, player) in &path {
            self.tree.edge_mut(node as usize).add(payoffs[usize::from(player) % MAX_PLAYERS]);
        }
    }

    /// Makes room in a full tree.
    fn make_room(&mut self) {
        if self.parameters.techniques.forget && self.tree.used_and_room().1.len() < MAX_CHILDREN {
            self.tree.forget();
            self.was_full = self.tree.is_smaller_than(SMALL);
        }
    }

    /// The child of a node that was visited most, and how many more visits than the next it has.
    fn favourite(&self, node: usize) -> Option<(usize, u32)> {
        let mut best: Option<(usize, (u32, u32))> = None;
        let mut second = 0;
        for (index, edge) in self.tree.edge(node).children().zip(self.tree.children(node)) {
            if edge.code() == MORE {
                break;
            }
            let rank = (edge.visits(), edge.mean());
            match best {
                Some((_, highest)) if rank <= highest => second = second.max(rank.0),
                _ => {
                    second = best.map_or(0, |(_, (visits, _))| visits);
                    best = Some((index, rank));
                }
            }
        }
        best.map(|(index, (visits, _))| (index, visits - second))
    }

    /// A move of the opening: by lot the favourite or one that is nearly as good, with at least a
    /// quarter of its visits.
    fn draw(&mut self, favourite: usize) -> usize {
        let left = self.root.left[usize::from(self.root.turn) % MAX_PLAYERS].count_ones();
        let mut drawn = favourite;
        if self.parameters.close > 0 && left as usize + OPENING_PIECES > PIECES {
            let edge = self.tree.edge(favourite);
            let (visits, mean) = (edge.visits().div_ceil(4).max(1), edge.mean());
            let mut best = Best::new();
            for (index, edge) in self.tree.edge(ROOT).children().zip(self.tree.children(ROOT)) {
                let is_close =
                    edge.visits() >= visits && edge.mean() + self.parameters.close >= mean;
                if is_close && best.takes(0, self.rng) {
                    drawn = index;
                }
            }
        }
        drawn
    }

    /// The principal variation.
    fn line(&self) -> Vec<Move, 4> {
        let mut line = Vec::new();
        let mut node = ROOT;
        while let Some((next, _)) = self.favourite(node) {
            let edge = self.tree.edge(next);
            let Some(placement) = placement(edge.code()) else { break };
            if edge.visits() == 0 && !line.is_empty() || line.push(Move::Place(placement)).is_err()
            {
                break;
            }
            node = next;
        }
        line
    }

    fn tell(&self, meter: &Meter<'_>, report: &mut dyn FnMut(&Report<'_, Move>)) {
        let line = self.line();
        report(&Report {
            depth: line.len() as u8,
            score: value::lead(
                self.tree.edge(ROOT).mean(),
                &self.root,
                &self.parameters.learnt.value,
            ),
            exact: false,
            nodes: meter.nodes(),
            percent: meter.percent(),
            line: &line,
        });
    }

    /// Grows the tree until the budget ends, or the best move can't change any more.
    fn grow(&mut self, meter: &mut Meter<'_>, report: &mut dyn FnMut(&Report<'_, Move>)) {
        self.make_room();
        self.begin();
        let mut state = self.root;
        let begun = meter.nodes();
        while meter.tick() {
            self.make_room();
            self.simulate(&mut state);
            let done = meter.nodes() - begun;
            if done.is_multiple_of(PATIENCE) {
                let ahead = self.favourite(ROOT).map_or(0, |(_, ahead)| ahead);
                if u64::from(ahead) > meter.nodes_left() {
                    break;
                }
            }
            if done >= PATIENCE && done.is_power_of_two() {
                self.tell(meter, report);
            }
        }
    }

    /// Grows the tree until somebody ends it.
    fn grow_aside(&mut self, meter: &mut Meter<'_>) {
        self.make_room();
        self.begin();
        let mut state = self.root;
        while meter.tick_long() {
            self.make_room();
            self.simulate(&mut state);
        }
    }

    /// Adds what another tree of the same position knows about the moves.
    fn absorb(&mut self, other: &Tree<'_>) {
        self.tree.edge_mut(ROOT).absorb(other.edge(ROOT));
        for index in self.tree.edge(ROOT).children() {
            let code = self.tree.edge(index).code();
            let same = |edge: &&Edge| edge.code() == code && code != MORE;
            if let Some(edge) = other.children(ROOT).iter().find(same) {
                self.tree.edge_mut(index).absorb(*edge);
            }
        }
    }

    fn choose(
        &mut self,
        meter: &Meter<'_>,
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Placement> {
        self.tell(meter, report);
        let (favourite, _) = self.favourite(ROOT)?;
        let drawn = self.draw(favourite);
        placement(self.tree.edge(drawn).code())
    }
}

/// Splits the memory in two: for the lists of placements, and for the tree.
fn parts(memory: &mut [u64]) -> (&mut [Code], &mut [u64]) {
    let (lists, pool) = memory.split_at_mut(memory.len() / LISTS);
    (<[Code]>::mut_from_bytes(lists.as_mut_bytes()).unwrap_or_default(), pool)
}

/// Reports how often the last search in this memory visited each placement of its position.
pub fn visits(memory: &mut [u64], tell: &mut dyn FnMut(Placement, u32)) {
    let Some((tree, Some(position))) = Tree::open(parts(memory).1) else { return };
    for edge in tree.children(ROOT) {
        if let Some(placement) = placement(edge.code()) {
            tell(placement, edge.visits());
        }
    }
    tree.seal(position);
}

/// A move, its player's final lead in hundredths of a point, and whether that is proven.
type TellValue<'a> = dyn FnMut(Move, i16, bool) + 'a;

/// The order of the root's children, for [`Blokus::move_values`]: the most visited first, of equal ones
/// the one with the higher mean.
fn ranked(tree: &Tree<'_>) -> Vec<Edge, MAX_CHILDREN> {
    let rank = |edge: &Edge| (edge.visits(), edge.mean());
    let mut edges: Vec<Edge, MAX_CHILDREN> = Vec::new();
    for edge in tree.children(ROOT).iter().filter(|edge| edge.visits() > 0) {
        let at = edges.iter().position(|other| rank(other) < rank(edge));
        // A node has no more children than fit.
        let _ = edges.insert(at.unwrap_or(edges.len()), *edge);
    }
    edges
}

impl<const PLAYERS: usize, const WORDS: usize> Blokus<PLAYERS, WORDS> {
    /// Tells what the moves are worth that a search within the budget looks at: those of the tree,
    /// the most visited first, or in an endgame all, the best one first. The memory is cleared first.
    /// Of four players, a lead is that over another. Nothing is told of a forced pass.
    pub fn move_values(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        rng: &mut Rng,
        tell: &mut TellValue<'_>,
    ) {
        memory.fill(0);
        let mut solved = None;
        let best = self.monte_carlo(memory, meter, rng, &mut |report| {
            solved = report.exact.then_some(report.score);
        });
        let Some(best) = best.filter(|best| *best != Move::Pass) else { return };
        if let Some(lead) = solved {
            tell(best, lead * 100, true);
            return self.rest_of_endgame(best, meter, tell);
        }
        let Some((tree, Some(position))) = Tree::open(parts(memory).1) else { return };
        let state = State::new(self);
        for edge in ranked(&tree) {
            if let Some(placement) = placement(edge.code()) {
                let lead = value::finer_lead(edge.mean(), &state, &Self::PARAMETERS.learnt.value);
                tell(Move::Place(placement), lead, false);
            }
        }
        tree.seal(position);
    }

    /// Tells the exact values of all moves but the best, as far as the budget reaches.
    fn rest_of_endgame(&self, best: Move, meter: &mut Meter<'_>, tell: &mut TellValue<'_>) {
        let mut others: Vec<(Move, i16), { endgame::MOST as usize }> = Vec::new();
        self.for_each_move(|mv| {
            if mv != best
                && let Some(lead) = endgame::lead_after(self, mv, meter)
            {
                let at = others.iter().position(|(_, other)| *other < lead);
                // An endgame has no more moves than fit.
                let _ = others.insert(at.unwrap_or(others.len()), (mv, lead));
            }
        });
        for (mv, lead) in others {
            tell(mv, lead * 100, true);
        }
    }

    /// What plays best.
    #[doc(hidden)]
    pub const PARAMETERS: Parameters<'static> = Parameters {
        learnt: if PLAYERS == 2 { &super::duo::DUO } else { &super::classic::CLASSIC },
        explore: 8,
        width: [60, 16],
        narrow: 3,
        listed: 200,
        variety: [16, 4],
        close: 0,
        techniques: Techniques::ALL,
    };

    /// What varies from seed to seed at little cost. In Duo the random priors of later pieces cost more
    /// than the lot in the opening, and bring less; in Classic the four first pieces vary enough.
    #[doc(hidden)]
    pub const VARIED: Parameters<'static> = Parameters {
        variety: if PLAYERS == 2 { [16, 0] } else { [6, 0] },
        close: if PLAYERS == 2 { 300 } else { 0 },
        ..Self::PARAMETERS
    };

    /// The best move within the budget, in which a simulation counts as a node; `None` only when
    /// the game is over. Any memory will do, also none; more makes it stronger.
    pub fn monte_carlo(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        rng: &mut Rng,
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Move> {
        self.monte_carlo_with(memory, meter, rng, Self::PARAMETERS, report)
    }

    /// The same with other parameters.
    #[doc(hidden)]
    pub fn monte_carlo_with<'m>(
        &self,
        memory: &'m mut [u64],
        meter: &mut Meter<'_>,
        rng: &'m mut Rng,
        parameters: Parameters<'m>,
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Move> {
        // A second processor has a tree of its own.
        let shares = if meter.helper().is_some() { 2 } else { 1 };
        let (memory, aside) =
            memory.split_at_mut_checked(memory.len() / shares).unwrap_or_default();
        let (lists, pool) = parts(memory);
        // Even an answer without a search leaves nothing of the last tree.
        let tree = Tree::open(pool);
        if self.is_over() {
            return None;
        }
        if let Some(pass) = self.forced_pass() {
            return Some(pass);
        }
        if parameters.techniques.endgame
            && let Some((best, score)) = endgame::solve(self, meter)
        {
            let (nodes, percent) = (meter.nodes(), meter.percent());
            report(&Report { depth: 0, score, exact: true, nodes, percent, line: &[best] });
            return Some(best);
        }
        let best = tree.and_then(|tree| {
            self.simulate_from(tree, lists, aside, meter, rng, parameters, report)
        });
        // Without memory there is no tree.
        best.or_else(|| greedy(self, rng))
    }

    /// The search itself. Not inlined, so that its frame is not on the stack while an endgame is
    /// solved.
    #[inline(never)]
    #[allow(clippy::too_many_arguments)]
    fn simulate_from<'m>(
        &self,
        tree: (Tree<'m>, Option<u32>),
        lists: &'m mut [Code],
        aside: &'m mut [u64],
        meter: &mut Meter<'_>,
        rng: &mut Rng,
        parameters: Parameters<'m>,
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Move> {
        let seed = meter.helper().map(|_| rng.next_u32());
        let mut search = self.search_from(tree, lists, rng, parameters);
        match meter.helper().zip(seed) {
            None => search.grow(meter, report),
            Some((helper, seed)) => {
                let own = || search.grow(meter, report);
                let grow_aside = |meter: &mut Meter<'_>| {
                    let (lists, pool) = parts(aside);
                    let Some(tree) = Tree::open(pool) else { return };
                    let mut rng = Rng::new(seed.into());
                    let mut search = self.search_from(tree, lists, &mut rng, parameters);
                    search.grow_aside(meter);
                    search.tree.seal(resume::number(&self.squares));
                };
                let (_, nodes) = helped(helper, grow_aside, own)?;
                meter.add(nodes);
                if let Some((tree, Some(position))) = Tree::open(parts(aside).1) {
                    search.absorb(&tree);
                    tree.seal(position);
                }
            }
        }
        let best = search.choose(meter, report).map(Move::Place);
        search.tree.seal(resume::number(&self.squares));
        best
    }

    /// A search of this position that goes on with a tree, if it has the position.
    fn search_from<'m>(
        &self,
        (mut tree, position): (Tree<'m>, Option<u32>),
        lists: &'m mut [Code],
        rng: &'m mut Rng,
        parameters: Parameters<'m>,
    ) -> Search<'m> {
        let known = position.filter(|_| parameters.techniques.reuse);
        match known.and_then(|position| resume::find(self, &tree, position)) {
            Some(node) => tree.start_from(node),
            None => tree.clear(),
        }
        let (lists, root) = (Lists::new(lists, self), State::new(self));
        let appraisal = Appraisal::NONE;
        let (spare, was_full) = (Spare::new(), false);
        Search { parameters, tree, lists, root, appraisal, spare, was_full, rng }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::blokus::{Classic, Duo};
    use crate::search::budget::Budget;
    use core::sync::atomic::AtomicBool;

    fn choose<const PLAYERS: usize, const WORDS: usize>(
        game: &Blokus<PLAYERS, WORDS>,
        memory: &mut [u64],
        budget: Budget<'_>,
        rng: &mut Rng,
    ) -> Option<Move> {
        game.monte_carlo(memory, &mut Meter::new(budget), rng, &mut |_| {})
    }

    /// Plays a game with little of everything; every move must be legal.
    fn play_with<const PLAYERS: usize, const WORDS: usize>(
        start: Blokus<PLAYERS, WORDS>,
        slots: usize,
        budget: Budget<'_>,
    ) {
        let mut memory = std::vec![u64::MAX; slots];
        let mut rng = Rng::new(slots as u64);
        let mut game = start;
        while !game.is_over() {
            let mv = choose(&game, &mut memory, budget, &mut rng).unwrap();
            assert_eq!(game.check(mv), Ok(()), "{slots} slots");
            game.play(mv);
        }
        assert_eq!(choose(&game, &mut memory, budget, &mut rng), None);
    }

    #[test]
    fn any_memory_and_any_budget_give_a_legal_move() {
        let stop = AtomicBool::new(true);
        for slots in [0, 1, 2, 5, 9, 12, 40, 150, 4096] {
            for budget in [
                Budget::nodes(0),
                Budget::nodes(1),
                Budget::nodes(9),
                Budget { stop: Some(&stop), ..Budget::UNLIMITED },
            ] {
                play_with(Duo::default(), slots, budget);
                play_with(Classic::default(), slots, budget);
            }
            // Enough to fill a small tree many times over.
            play_with(Duo::default(), slots, Budget::nodes(150));
        }
    }

    #[test]
    fn the_same_seed_plays_the_same_and_others_do_not() {
        let play = |seed| {
            let (mut game, mut rng) = (Duo::default(), Rng::new(seed));
            let mut moves = std::vec::Vec::new();
            for _ in 0..6 {
                let mv = choose(&game, &mut [0; 4096], Budget::nodes(50), &mut rng).unwrap();
                game.play(mv);
                moves.push(mv);
            }
            moves
        };
        assert_eq!(play(3), play(3));
        assert_ne!(play(3), play(4));
    }

    #[test]
    fn a_limit_by_simulations_is_the_same_however_fast_the_clock_is() {
        let play = |tick: u64| {
            let now = core::cell::Cell::new(0);
            let clock = || now.replace(now.get() + tick);
            let (mut game, mut rng) = (Duo::default(), Rng::new(7));
            while !game.is_over() {
                let time: Option<(&dyn crate::search::budget::Clock, u64)> =
                    Some((&clock, 1 << 40));
                let budget = Budget { time, ..Budget::nodes(60) };
                game.play(choose(&game, &mut [0; 2048], budget, &mut rng).unwrap());
            }
            game
        };
        assert_eq!(play(0), play(1));
        assert_eq!(play(0), play(1000));
    }

    /// Searches, and tells how many visits of the root's children were known before.
    fn visited(game: &Duo, memory: &mut [u64], parameters: Parameters<'_>, nodes: u64) -> u32 {
        let (meter, mut rng) = (&mut Meter::new(Budget::nodes(nodes)), Rng::new(1));
        game.monte_carlo_with(memory, meter, &mut rng, parameters, &mut |_| {});
        let mut sum = 0;
        visits(memory, &mut |_, visits| sum += visits);
        sum - meter.nodes() as u32
    }

    #[test]
    fn a_search_goes_on_with_the_tree_of_the_last_one() {
        for slots in [5120, 1 << 20] {
            let mut game = Duo::default();
            let mut memory = std::vec![0; slots];
            for seed in 0..4 {
                game.play(
                    choose(&game, &mut memory, Budget::nodes(1), &mut Rng::new(seed)).unwrap(),
                );
            }
            assert_eq!(visited(&game, &mut memory, Duo::PARAMETERS, 900), 0, "another position");
            let mut replies = std::vec::Vec::new();
            visits(&mut memory, &mut |placement, visits| replies.push((visits, placement)));
            let (own, reply) = replies.iter().max().copied().unwrap();
            game.play(Move::Place(reply));
            let mut later = memory.clone();
            let known = visited(&game, &mut memory, Duo::PARAMETERS, 400);
            assert!(known > 0 && known < own, "{known} of {own}");
            // Also after any reply to that.
            let mut replies = std::vec::Vec::new();
            visits(&mut memory, &mut |placement, visits| replies.push((visits, placement)));
            game.play(Move::Place(replies.iter().max().unwrap().1));
            let known_later = visited(&game, &mut later.clone(), Duo::PARAMETERS, 200);
            assert!(known_later > 0 && known_later < known, "{known_later} of {known}");
            let fresh = Parameters {
                techniques: Techniques { reuse: false, ..Techniques::ALL },
                ..Duo::PARAMETERS
            };
            assert_eq!(visited(&game, &mut later, fresh, 200), 0);
        }
    }

    /// Plays on, repeats, undoes and restarts, as people do.
    fn wander<const PLAYERS: usize, const WORDS: usize>(
        start: Blokus<PLAYERS, WORDS>,
        slots: usize,
        searches: u32,
    ) {
        let mut memory = std::vec![0; slots];
        let mut rng = Rng::new(slots as u64);
        let mut games = std::vec![start];
        for _ in 0..searches {
            let mut game = *games.last().unwrap();
            let nodes = rng.below(200).into();
            let Some(mv) = choose(&game, &mut memory, Budget::nodes(nodes), &mut rng) else {
                games.truncate(1);
                continue;
            };
            assert_eq!(game.check(mv), Ok(()), "{slots} slots");
            match rng.below(8) {
                0 => continue,
                1 => games.truncate(games.len().div_ceil(2)),
                2 => game.play(crate::choice::random(&game, &mut rng).unwrap()),
                _ => game.play(mv),
            }
            games.push(game);
        }
    }

    #[test]
    fn a_tree_of_any_other_position_does_no_harm() {
        for slots in [10, 40, 150, 400, 1000, 4096] {
            wander(Duo::default(), slots, 300);
            wander(Classic::default(), slots, 60);
        }
    }

    #[test]
    fn the_root_has_its_children_however_full_the_tree_is() {
        let (game, mut memory) = (Duo::default(), std::vec![0; 5120]);
        for nodes in 1..60 {
            visited(&game, &mut memory, Duo::PARAMETERS, 20 + nodes);
            let mut count = 0;
            visits(&mut memory, &mut |_, _| count += 1);
            assert_eq!(count, 60, "search {nodes}");
        }
    }

    #[cfg(feature = "helper")]
    #[test]
    fn a_second_processor_adds_what_it_knows() {
        let game = Duo::default();
        let mut memory = std::vec![0; 10_240];
        let now = core::cell::Cell::new(0);
        let clock = || now.replace(now.get() + 1);
        let budget = Budget {
            time: Some((&clock, 600)),
            helper: Some(&crate::search::helper::tests::Thread),
            ..Budget::UNLIMITED
        };
        let meter = &mut Meter::new(budget);
        let mv = game.monte_carlo(&mut memory, meter, &mut Rng::new(3), &mut |_| {}).unwrap();
        assert_eq!(game.check(mv), Ok(()));
        let (mut of_both, mut aside) = (0, 0);
        visits(&mut memory[..5_120], &mut |_, visits| of_both += u64::from(visits));
        visits(&mut memory[5_120..], &mut |_, visits| aside += u64::from(visits));
        // Not every move that one has looked at is among those of the other.
        let own = meter.nodes() - aside;
        assert!(aside > 0 && of_both > own && of_both <= own + aside, "{of_both}: {own}, {aside}");
    }

    type Told = std::vec::Vec<(Move, i16, bool)>;

    fn told<const PLAYERS: usize, const WORDS: usize>(
        game: &Blokus<PLAYERS, WORDS>,
        nodes: u64,
        seed: u64,
    ) -> Told {
        let (mut told, mut memory) = (Told::new(), std::vec![seed; 1 << 15]);
        let meter = &mut Meter::new(Budget::nodes(nodes));
        game.move_values(&mut memory, meter, &mut Rng::new(seed), &mut |mv, lead, exact| {
            told.push((mv, lead, exact));
        });
        told
    }

    /// Plays a game, and compares the first of the values at each turn with what is played.
    fn compare<const PLAYERS: usize, const WORDS: usize>(
        start: Blokus<PLAYERS, WORDS>,
        nodes: u64,
        seed: u64,
    ) {
        let mut game = start;
        while !game.is_over() {
            let mut memory = std::vec![0; 1 << 15];
            let budget = Budget::nodes(nodes);
            let best = choose(&game, &mut memory, budget, &mut Rng::new(seed)).unwrap();
            let told = told(&game, nodes, seed);
            if best != Move::Pass {
                assert_eq!(told.first().map(|told| told.0), Some(best), "{game:?}");
            }
            game.play(best);
        }
    }

    #[test]
    fn the_first_of_the_values_is_that_of_the_move_that_is_played() {
        compare(Duo::default(), 200, 3);
        compare(Classic::default(), 40, 4);
    }

    #[test]
    fn the_least_visited_move_is_worth_less_than_the_most_visited() {
        let game = Duo::default();
        let values = told(&game, 3000, 5);
        let (first, last) = (values[0], values.last().unwrap());
        assert!(!first.2 && first.1 > last.1, "{first:?} {last:?}");
    }

    #[test]
    fn endgames_have_exact_values_of_all_moves() {
        fn plain(game: &Duo) -> i16 {
            if game.is_over() {
                return game.score(game.turn()) - game.score(game.turn().other());
            }
            let mut best = i16::MIN;
            game.for_each_move(|mv| {
                let mut after = *game;
                after.play(mv);
                best = best.max(-plain(&after));
            });
            best
        }
        let mut compared = 0;
        for seed in 0..20 {
            let (mut game, mut rng) = (Duo::default(), Rng::new(seed));
            let moves = |game: &Duo, player| game.with_turn(player).count_moves();
            let all = |game: &Duo| {
                crate::player::Player::all(2).map(|player| moves(game, player)).sum::<u32>()
            };
            while !game.is_over() && (all(&game) > 12 || game.forced_pass().is_some()) {
                game.play(greedy(&game, &mut rng).unwrap());
            }
            if game.is_over() {
                continue;
            }
            let values = told(&game, 1_000_000, seed);
            assert_eq!(values.len(), game.count_moves() as usize);
            assert!(values.is_sorted_by(|one, other| one.1 >= other.1));
            for (mv, lead, exact) in values {
                let mut after = game;
                after.play(mv);
                assert_eq!((lead, exact), (-plain(&after) * 100, true));
                compared += 1;
            }
        }
        assert!(compared > 20, "{compared}");
    }

    #[test]
    fn it_beats_the_largest_piece_first() {
        let mut wins = 0;
        for seed in 0..10 {
            let (mut game, mut rng) = (Duo::default(), Rng::new(seed));
            let mut memory = std::vec![0; 4096];
            while !game.is_over() {
                let mv = if game.turn().index() == seed as usize % 2 {
                    choose(&game, &mut memory, Budget::nodes(30), &mut rng)
                } else {
                    greedy(&game, &mut rng)
                };
                game.play(mv.unwrap());
            }
            let own = crate::player::Player::new(seed as usize % 2).unwrap();
            wins += u32::from(game.score(own) > game.score(own.other()));
        }
        assert!(wins >= 9, "{wins} of 10");
    }
}
