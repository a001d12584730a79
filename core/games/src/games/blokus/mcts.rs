//! Monte Carlo tree search for both games of Blokus, in memory that the caller lends.
//!
//! A simulation walks down the tree, plays a few plies on, and judges the position there, always
//! with the same player to move. Children are chosen by what they led to, by what simulations led
//! to in which they were played later (RAVE), and by their prior. Each player goes for the own
//! payoff, so four players are no different from two.

use core::ops::Range;

use heapless::Vec;

use super::endgame;
use super::playout::{Code, Dice, Lists, Policy, State, placement};
use super::prior::{Appraisal, Learnt};
use super::tree::{Edge, Fields, MAX_CHILDREN, MAX_EDGES, power};
use super::value::{self, judge};
use super::{Blokus, Move, PIECES, Placement};
use crate::choice::greedy;
use crate::game::Game;
use crate::mix::Rng;
use crate::player::MAX_PLAYERS;
use crate::search::Report;
use crate::search::budget::Meter;

/// The most placements in a game.
const MAX_PLACEMENTS: usize = MAX_PLAYERS * PIECES;

/// The share of the memory that holds lists of placements; the tree has the rest.
const LISTS: usize = 5;

/// Simulations between two looks at whether the best move can still change.
const PATIENCE: u64 = 16;

/// A pool of fewer edges is small: its nodes have no more children than `NARROW`.
const SMALL: usize = 8192;
const NARROW: usize = 8;

/// How often the visits that a node needs to get children double until the pool is full.
const RESERVE: usize = 6;

/// Placements of a player that are enough for a playout.
const ENOUGH: usize = 40;

/// How the search works; parts can be left out to see what they are worth.
#[derive(Debug, Clone, Copy)]
pub struct Options<'w> {
    /// What placements and leads are worth.
    pub learnt: &'w Learnt,
    /// How much priors count against results, in sixteenths.
    pub explore: u32,
    /// Visits after which RAVE counts half; 0 leaves it out.
    pub rave: u32,
    /// How many simulations the judgement of a root's child counts for.
    pub judged: u32,
    /// Visits before a node gets children, while there is much room.
    pub expand: u32,
    /// Placements looked at for a ply of a playout.
    pub tries: u32,
    /// Plies of a playout before it is judged; many are the whole game.
    pub plies: u32,
    /// The most children of the root, and of other nodes.
    pub width: [usize; 2],
    /// Whether endgames are worked out.
    pub endgame: bool,
}

struct Search<'m> {
    options: Options<'m>,
    pool: &'m mut [Edge],
    used: usize,
    lists: Lists<'m>,
    root: State,
    policy: Policy,
    dice: Dice,
    /// The sum of what simulations led to, in points of lead.
    lead: i64,
}

/// The root's place in the pool.
const ROOT: usize = 0;

/// What was played in a simulation.
struct Record {
    played: Vec<(u8, Code), MAX_PLACEMENTS>,
    /// A bit for every placement, some share one.
    marks: [u32; 32],
}

impl Record {
    const fn mark(code: Code) -> (usize, u32) {
        let bit = (code ^ code >> 7) as usize % 1024;
        (bit / 32, 1 << (bit % 32))
    }

    fn push(&mut self, player: usize, code: Code) {
        let (word, bit) = Self::mark(code);
        self.marks[word] |= bit;
        // A player has no more placements than pieces.
        let _ = self.played.push((player as u8, code));
    }

    fn has(&self, player: u8, code: Code) -> bool {
        let (word, bit) = Self::mark(code);
        self.marks[word] & bit != 0 && self.played.contains(&(player, code))
    }
}

impl Search<'_> {
    /// Gives a node its children, the best looking placements of the player.
    fn expand(&mut self, node: usize, state: &State, player: usize) {
        let mut appraisal = Appraisal::new(state, player, &self.options.learnt.prior);
        self.lists.clean(state, player);
        let mut width = self.options.width[usize::from(node != ROOT)].min(MAX_CHILDREN);
        if node != ROOT && self.pool.len() < SMALL {
            width = width.min(NARROW);
        }
        let Some(block) = self.pool.get_mut(self.used..) else { return };
        let width = width.min(block.len());
        let mut count = 0;
        // Sorted by insertion, with the worth in the place of the visits meanwhile.
        for &code in self.lists.all(player) {
            const ZERO: i32 = 1 << 20;
            let full = count == width;
            let bound = match block.get(width.wrapping_sub(1)) {
                Some(last) if full => last[0] as i32 - ZERO,
                _ if full => return,
                _ => -ZERO,
            };
            let Some(worth) = appraisal.above(bound, code) else { continue };
            let key = (worth + ZERO) as u32;
            let mut at = if full { width - 1 } else { count };
            count += usize::from(!full);
            while at > 0 && block[at - 1][0] < key {
                block[at] = block[at - 1];
                at -= 1;
            }
            block[at] = Edge::new(code, 0);
            block[at][0] = key;
        }
        let block = &mut block[..count];
        let Some(best) = block.first().map(|edge| edge[0]) else { return };
        // From sixteenths of a doubling to eighths.
        let behind = |edge: &Edge| (best - edge[0]) / 2;
        let sum: u32 = block.iter().map(|edge| power(behind(edge)) >> 8).sum();
        // The logarithm of the sum in eighths, the fraction by a straight line.
        let whole = sum.max(256).ilog2();
        let log = (whole - 8) * 8 + (sum >> (whole - 3) & 7);
        for edge in block {
            *edge = Edge::new(edge.code(), (behind(edge) + log).min(255) as u8);
        }
        self.pool[node].adopt(self.used, count);
        self.used += count;
    }

    /// How many visits a node needs to get children: the more, the less of the pool is left, so
    /// that something is left for the moves that matter. A tree that can grow no more misjudges
    /// whatever has no replies in it.
    fn visits_to_expand(&self) -> u32 {
        self.options.expand << (RESERVE * self.used / self.pool.len().max(1))
    }

    /// Judges the root's children, as a first guess of what they lead to.
    fn judge_children(&mut self) {
        let player = usize::from(self.root.turn) % MAX_PLAYERS;
        let children = self.pool[ROOT].children();
        for edge in &mut self.pool[children] {
            let mut after = self.root;
            after.place(player, edge.code());
            let chances = judge(&after, &self.options.learnt.value);
            edge.guess(self.options.judged, chances[player]);
        }
    }

    /// The child to look at next.
    #[inline(never)]
    fn select(&self, node: usize) -> Option<usize> {
        let children = self.pool[node].children();
        let edges = &self.pool[children.clone()];
        let Options { explore, rave, .. } = self.options;
        let (visits, sum) = edges.iter().fold((1, 32_768), |(visits, sum), edge| {
            (visits + edge.visits(), sum + u64::from(edge.visits()) * u64::from(edge.mean()))
        });
        // What a child without visits is taken to lead to: the mean of the others.
        let unseen = (sum / u64::from(visits)) as u32;
        // The square root in 256ths.
        let root = (visits << 8).isqrt() << 4;
        let mut best = None;
        let mut highest = 0;
        for (index, edge) in children.zip(edges) {
            let visits = edge.visits();
            // So many visits drown everything else, and would not fit the sum.
            let value = if visits < 8192 {
                let (others, their_mean) = edge.rave();
                let others = if rave == 0 { 0 } else { others.min(32) * rave / (rave + visits) };
                (visits * edge.mean() + others * their_mean + unseen) / (visits + others + 1)
            } else {
                edge.mean()
            };
            let prior = u64::from(power(edge.prior()) * explore);
            let total = value + ((prior * u64::from(root)) >> 12) as u32 / (1 + visits);
            if best.is_none() || total > highest {
                (best, highest) = (Some(index), total);
            }
        }
        best
    }

    fn simulate(&mut self) {
        let mut state = self.root;
        self.lists.restore();
        let mut record = Record { played: Vec::new(), marks: [0; 32] };
        let mut path: Vec<u32, { MAX_PLACEMENTS + 1 }> = Vec::new();
        let _ = path.push(ROOT as u32);
        let mut node = Some(ROOT);
        let mut plies = self.options.plies;
        let mut over = true;
        while let Some(player) = state.mover(&mut self.lists) {
            if let Some(at) = node {
                let edge = &self.pool[at];
                if edge.children().is_empty() && edge.visits() >= self.visits_to_expand() {
                    self.expand(at, &state, player);
                }
                node = self.select(at);
            }
            let code = match node {
                Some(child) => {
                    let _ = path.push(child as u32);
                    self.pool[child].code()
                }
                None if plies == 0 && player == usize::from(self.root.turn) => {
                    over = false;
                    break;
                }
                None => {
                    plies = plies.saturating_sub(1);
                    let policy = &self.policy;
                    match policy.choose(&state, player, &mut self.lists, &mut self.dice) {
                        Some(code) => code,
                        None => break,
                    }
                }
            };
            record.push(player, code);
            // A playout is short: new placements are not missed if there are enough old ones.
            let enough = self.lists.all(player).len() > ENOUGH && !state.is_first(player);
            if node.is_none() && enough {
                state.place(player, code);
            } else {
                state.play(player, code, &mut self.lists);
            }
        }
        let payoffs =
            if over { value::payoffs(&state) } else { judge(&state, &self.options.learnt.value) };
        self.lead += i64::from(state.lead(self.root.turn.into()));
        self.learn(&path, &record, &payoffs);
    }

    /// Adds what a simulation led to.
    #[inline(never)]
    fn learn(&mut self, path: &[u32], record: &Record, payoffs: &[u16; MAX_PLAYERS]) {
        let payoff = |player: u8| payoffs[usize::from(player) % MAX_PLAYERS];
        for (depth, &node) in path.iter().enumerate() {
            let node = &mut self.pool[node as usize];
            // The player who moved there; nobody moved to the root.
            let mover = depth.checked_sub(1).and_then(|last| record.played.get(last));
            node.add(payoff(mover.map_or(self.root.turn, |(player, _)| *player)));
            let children = node.children();
            let Some(&(player, _)) = record.played.get(depth) else { continue };
            if self.options.rave > 0 {
                for child in &mut self.pool[children] {
                    if record.has(player, child.code()) {
                        child.add_rave(payoff(player));
                    }
                }
            }
        }
    }

    /// The child of a node that was visited most, and how many more visits than the next it has.
    fn favourite(&self, node: usize) -> Option<(usize, u32)> {
        let children: Range<usize> = self.pool[node].children();
        let rank = |edge: &Edge| (edge.visits(), edge.mean());
        let mut best: Option<(usize, (u32, u32))> = None;
        let mut second = 0;
        for index in children {
            let rank = rank(&self.pool[index]);
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

    /// The moves that are expected.
    fn line(&self) -> Vec<Move, 4> {
        let mut line = Vec::new();
        let mut node = ROOT;
        while let Some((next, _)) = self.favourite(node) {
            let Some(placement) = placement(self.pool[next].code()) else { break };
            if self.pool[next].visits() == 0 && !line.is_empty()
                || line.push(Move::Place(placement)).is_err()
            {
                break;
            }
            node = next;
        }
        line
    }

    fn tell(&self, meter: &Meter<'_>, report: &mut dyn FnMut(&Report<'_, Move>)) {
        let line = self.line();
        let score = self.lead * 100 / meter.nodes().max(1) as i64;
        report(&Report {
            depth: line.len() as u8,
            score: score.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
            exact: false,
            nodes: meter.nodes(),
            percent: meter.percent(),
            line: &line,
        });
    }

    fn run(
        &mut self,
        meter: &mut Meter<'_>,
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Placement> {
        let root = self.root;
        self.expand(ROOT, &root, usize::from(root.turn) % MAX_PLAYERS);
        if self.options.judged > 0 {
            self.judge_children();
        }
        let begun = meter.nodes();
        while meter.tick() {
            self.simulate();
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
        self.tell(meter, report);
        placement(self.pool[self.favourite(ROOT)?.0].code())
    }
}

/// The memory in two: for the lists of placements, and for the tree.
fn parts(memory: &mut [u64]) -> (&mut [Code], &mut [Edge]) {
    let (lists, pool) = memory.split_at_mut(memory.len() / LISTS);
    let edges = (pool.len() / 2).min(MAX_EDGES);
    (bytemuck::cast_slice_mut(lists), bytemuck::cast_slice_mut(&mut pool[..2 * edges]))
}

/// Tells how often the last search in this memory visited each placement of its position.
pub fn visits(memory: &mut [u64], tell: &mut dyn FnMut(Placement, u32)) {
    let (_, pool) = parts(memory);
    let children = pool.first().map_or(0..0, Fields::children);
    for edge in pool.get(children).unwrap_or(&[]) {
        if let Some(placement) = placement(edge.code()) {
            tell(placement, edge.visits());
        }
    }
}

impl<const PLAYERS: usize, const WORDS: usize> Blokus<PLAYERS, WORDS> {
    /// The options that play best.
    pub const OPTIONS: Options<'static> = Options {
        learnt: if PLAYERS == 2 { &super::duo::DUO } else { &super::classic::CLASSIC },
        explore: 8,
        rave: 16,
        judged: 8,
        expand: 2,
        tries: 6,
        plies: 4,
        width: [100, 16],
        endgame: true,
    };

    /// The best move within the budget, in which a simulation counts as a node; `None` only when
    /// the game is over. Any memory will do, also none; more makes it stronger.
    pub fn monte_carlo<'m>(
        &self,
        memory: &'m mut [u64],
        meter: &mut Meter<'_>,
        rng: &mut Rng,
        options: Options<'m>,
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Move> {
        if self.is_over() {
            return None;
        }
        if let Some(pass) = self.forced_pass() {
            return Some(pass);
        }
        if options.endgame
            && let Some((best, score)) = endgame::solve(self, meter)
        {
            let (nodes, percent) = (meter.nodes(), meter.percent());
            report(&Report { depth: 0, score, exact: true, nodes, percent, line: &[best] });
            return Some(best);
        }
        let (lists, pool) = parts(memory);
        let mut best = None;
        if let Some(root) = pool.get_mut(ROOT) {
            *root = Edge::new(0, 0);
            let mut search = Search {
                options,
                pool,
                used: ROOT + 1,
                lists: Lists::new(lists, self),
                root: State::new(self),
                policy: Policy::new(PLAYERS, options.tries),
                dice: Dice::new(rng.next_u32()),
                lead: 0,
            };
            best = search.run(meter, report).map(Move::Place);
        }
        // Without memory there is no tree.
        best.or_else(|| greedy(self, rng))
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
        let options = Blokus::<PLAYERS, WORDS>::OPTIONS;
        game.monte_carlo(memory, &mut Meter::new(budget), rng, options, &mut |_| {})
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
        for slots in [0, 1, 2, 5, 9, 12, 40, 4096] {
            for budget in [
                Budget::nodes(0),
                Budget::nodes(1),
                Budget::nodes(9),
                Budget { stop: Some(&stop), ..Budget::UNLIMITED },
            ] {
                play_with(Duo::default(), slots, budget);
                play_with(Classic::default(), slots, budget);
            }
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
