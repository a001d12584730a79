//! Monte Carlo tree search for both games of Blokus.

use heapless::Vec;

use super::playout::{Code, Dice, Lists, Policy, State, placement};
use super::prior::{Appraisal, Learnt};
use super::tree::{Edge, Fields, MAX_CHILDREN, MAX_EDGES, power};
use super::value::judge;
use super::{Blokus, Move, PIECES, Placement};
use crate::choice::greedy;
use crate::game::Game;
use crate::mix::Rng;
use crate::player::MAX_PLAYERS;
use crate::search::Report;
use crate::search::budget::Meter;

/// The most placements in a game.
const MAX_PLACEMENTS: usize = MAX_PLAYERS * PIECES;

/// How the search works; parts can be left out to see what they are worth.
#[derive(Debug, Clone, Copy)]
pub struct Options<'w> {
    /// What placements and leads are worth.
    pub learnt: &'w Learnt,
    /// Exploration, in sixteenths.
    pub explore: u32,
    /// How many simulations the ones of siblings count for.
    pub rave: u32,
    /// How much worse than its parent a placement is taken to be before its first visit.
    pub reduction: u32,
    /// Visits before a node gets children.
    pub expand: u32,
    /// Placements looked at in a playout.
    pub tries: u32,
    /// How many simulations the judgement of a placement counts for, at the root and elsewhere.
    pub judged: [u32; 2],
    /// Plies of a playout before it is judged.
    pub plies: u32,
    /// The most children of the root, and of other nodes.
    pub width: [usize; 2],
}

struct Search<'m> {
    options: Options<'m>,
    pool: &'m mut [Edge],
    used: usize,
    lists: Lists<'m>,
    root: State,
    policy: Policy,
    dice: Dice,
    /// Sum of the lead of the player to move.
    lead: i64,
}

/// What was played in a simulation.
struct Record {
    played: Vec<(u8, Code), MAX_PLACEMENTS>,
    /// A bit for every placement, some share one.
    marks: [u32; 32],
}

impl Record {
    fn mark(code: Code) -> (usize, u32) {
        let bit = usize::from(code ^ code >> 7) % 1024;
        (bit / 32, 1 << (bit % 32))
    }

    fn push(&mut self, player: usize, code: Code) {
        let (word, bit) = Self::mark(code);
        self.marks[word] |= bit;
        let _ = self.played.push((player as u8, code));
    }

    fn has(&self, player: usize, code: Code) -> bool {
        let (word, bit) = Self::mark(code);
        self.marks[word] & bit != 0 && self.played.contains(&(player as u8, code))
    }
}

impl Search<'_> {
    /// Gives a node its children, the best looking placements of the player.
    fn expand(&mut self, node: usize, state: &State, player: usize, width: usize) {
        let worth = Appraisal::new(state, player, &self.options.learnt.prior);
        self.lists.clean(state, player);
        let limit = width.min(MAX_CHILDREN);
        let Some(block) = self.pool.get_mut(self.used..) else { return };
        let limit = limit.min(block.len());
        let mut count = 0;
        // Sorted by insertion; the worth is in the place of the visits meanwhile.
        for &code in self.lists.all(player) {
            let key = (worth.of(code) + (1 << 20)) as u32;
            let mut at = count;
            if count < limit {
                count += 1;
            } else if limit == 0 || block[limit - 1][0] >= key {
                continue;
            } else {
                at = limit - 1;
            }
            while at > 0 && block[at - 1][0] < key {
                block[at] = block[at - 1];
                at -= 1;
            }
            block[at] = Edge::new(code, 0);
            block[at][0] = key;
        }
        let Some(best) = block.first().map(|edge| edge[0]) else { return };
        // From sixteenths of a doubling to eighths.
        let behind = |edge: &Edge| (best - edge[0]) / 2;
        let sum: u32 = block[..count].iter().map(|edge| power(behind(edge)) >> 8).sum();
        // The logarithm of the sum in eighths, the fraction by a straight line.
        let whole = sum.max(256).ilog2();
        let log = (whole - 8) * 8 + (sum >> (whole - 3) & 7);
        for edge in &mut block[..count] {
            let prior = (behind(edge) + log).min(255);
            *edge = Edge::new(edge.code(), prior as u8);
        }
        let judged = self.options.judged[usize::from(node != 0)];
        if judged > 0 {
            for edge in &mut block[..count] {
                let mut after = *state;
                after.place(player, edge.code());
                let chance = judge(&after, &self.options.learnt.value)[player];
                edge.seed(judged, chance);
            }
        }
        if let Some(edge) = self.pool.get_mut(node) {
            edge.adopt(self.used, count);
            self.used += count;
        }
    }

    /// The child to look at next.
    fn select(&self, node: usize) -> Option<usize> {
        let parent = self.pool.get(node)?;
        let children = parent.children();
        let Options { explore, rave, reduction, .. } = self.options;
        // In 256ths.
        let root = (parent.visits().max(1) << 8).isqrt() << 4;
        let seen = self.pool.get(children.clone())?;
        let (visits, sum) = seen.iter().fold((1, 32_768), |(visits, sum), edge| {
            (visits + edge.visits(), sum + u64::from(edge.visits()) * u64::from(edge.mean()))
        });
        let unseen = ((sum / u64::from(visits)) as u32).saturating_sub(reduction);
        let mut best = None;
        let mut highest = 0;
        for (index, edge) in children.zip(seen) {
            let visits = edge.visits();
            let (others, their_mean) = edge.rave();
            let value = if visits < 8192 {
                let others = if rave == 0 { 0 } else { others.min(32) * rave / (rave + visits) };
                (visits * edge.mean() + others * their_mean + unseen) / (visits + others + 1)
            } else {
                edge.mean()
            };
            let prior = power(edge.prior());
            let bonus =
                ((u64::from(prior * explore) * u64::from(root)) >> 12) as u32 / (1 + visits);
            let total = value + bonus;
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
        let _ = path.push(0);
        let mut node = 0;
        let mut in_tree = true;
        let mut plies = self.options.plies;
        let mut over = true;
        while let Some(player) = state.mover(&mut self.lists) {
            let mut next = None;
            if in_tree {
                let edge = self.pool[node];
                if edge.children().is_empty() && edge.visits() >= self.options.expand {
                    self.expand(node, &state, player, self.options.width[1]);
                }
                next = self.select(node);
            }
            let code = match next {
                Some(child) => {
                    node = child;
                    let _ = path.push(child as u32);
                    self.pool[child].code()
                }
                None => {
                    in_tree = false;
                    if plies == 0 && player == usize::from(self.root.turn) {
                        over = false;
                        break;
                    }
                    plies = plies.saturating_sub(1);
                    let chosen =
                        self.policy.choose(&state, player, &mut self.lists, &mut self.dice);
                    let Some(code) = chosen else { break };
                    code
                }
            };
            record.push(player, code);
            state.play(player, code, &mut self.lists);
        }
        let payoffs =
            if over { payoffs(&state) } else { judge(&state, &self.options.learnt.value) };
        let own = usize::from(self.root.turn);
        self.lead += i64::from(state.points[own])
            - i64::from(
                *state.points[..usize::from(state.players)]
                    .iter()
                    .enumerate()
                    .filter(|(player, _)| *player != own)
                    .map(|(_, points)| points)
                    .max()
                    .unwrap_or(&0),
            );
        self.learn(&path, &record, &payoffs);
    }

    fn learn(&mut self, path: &[u32], record: &Record, payoffs: &[u16; MAX_PLAYERS]) {
        for (depth, &node) in path.iter().enumerate() {
            let node = node as usize;
            // Who moved to the node, and who moves there.
            let before = match depth.checked_sub(1) {
                Some(last) => usize::from(record.played[last].0),
                None => usize::from(self.root.turn),
            };
            self.pool[node].add(payoffs[before % MAX_PLAYERS]);
            let children = self.pool[node].children();
            if self.options.rave == 0 || children.is_empty() {
                continue;
            }
            let Some(&(player, _)) = record.played.get(depth) else { continue };
            for child in &mut self.pool[children] {
                if record.has(player.into(), child.code()) {
                    child.add_rave(payoffs[usize::from(player) % MAX_PLAYERS]);
                }
            }
        }
    }

    fn most_visited(&self, node: usize) -> Option<usize> {
        let children = self.pool.get(node)?.children();
        let mut best: Option<usize> = None;
        for index in children {
            let better = |other: usize| {
                let (edge, other) = (self.pool[index], self.pool[other]);
                (edge.visits(), edge.mean()) > (other.visits(), other.mean())
            };
            if best.is_none_or(better) {
                best = Some(index);
            }
        }
        best
    }
}

/// What a finished game is worth to each player, 0 to 65535.
fn payoffs(state: &State) -> [u16; MAX_PLAYERS] {
    const SCORE: i32 = 64;
    let players = usize::from(state.players);
    let mut payoffs = [0; MAX_PLAYERS];
    for (own, payoff) in payoffs.iter_mut().enumerate().take(players) {
        let mut total = 0;
        for other in (0..players).filter(|other| *other != own) {
            let lead = i32::from(state.points[own]) - i32::from(state.points[other]);
            total +=
                (lead.signum() + 1) * (32_767 - 32 * SCORE) + (lead.clamp(-32, 32) + 32) * SCORE;
        }
        *payoff = (total / (players as i32 - 1)).clamp(0, 65_535) as u16;
    }
    payoffs
}

/// The memory in two: for the lists of placements, and for the tree.
fn parts(memory: &mut [u64]) -> (&mut [Code], &mut [Edge]) {
    let (lists, pool) = memory.split_at_mut(memory.len() / 5);
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
        reduction: 0,
        expand: 1,
        tries: 6,
        judged: [8, 0],
        plies: 4,
        width: [100, 16],
    };

    /// The best move within the budget; `None` only when the game is over.
    pub fn monte_carlo<'m>(
        &self,
        memory: &'m mut [u64],
        meter: &mut Meter<'_>,
        rng: &mut Rng,
        options: Options<'m>,
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Move> {
        if let Some(pass) = self.forced_pass() {
            return Some(pass);
        }
        let (lists, pool) = parts(memory);
        if pool.is_empty() {
            return greedy(self, rng);
        }
        let lists = Lists::new(lists, self);
        let mut policy = Policy::new(PLAYERS);
        policy.tries = options.tries;
        let mut search = Search {
            options,
            pool,
            used: 1,
            lists,
            root: State::new(self),
            policy,
            dice: Dice::new(rng.next_u32()),
            lead: 0,
        };
        search.pool[0] = Edge::new(0, 0);
        let root = search.root;
        let player = usize::from(root.turn);
        search.expand(0, &root, player, options.width[0]);
        while meter.tick() {
            search.simulate();
        }
        let best = search.most_visited(0).and_then(|best| placement(search.pool[best].code()));
        let Some(best) = best.map(Move::Place).filter(|best| self.check(*best).is_ok()) else {
            return greedy(self, rng);
        };
        let sims = meter.nodes().max(1) as i64;
        report(&Report {
            depth: 1,
            score: (search.lead * 100 / sims) as i16,
            exact: false,
            nodes: meter.nodes(),
            percent: meter.percent(),
            line: &[best],
        });
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::blokus::{Classic, Duo};
    use crate::search::budget::Budget;
    use core::sync::atomic::AtomicBool;

    /// Plays a game with little of everything; every move must be legal.
    fn play_with<const PLAYERS: usize, const WORDS: usize>(
        start: Blokus<PLAYERS, WORDS>,
        slots: usize,
        budget: Budget<'_>,
    ) {
        let mut memory = std::vec![0; slots];
        let mut rng = Rng::new(slots as u64);
        let mut game = start;
        while !game.is_over() {
            let mut meter = Meter::new(budget);
            let options = Blokus::<PLAYERS, WORDS>::OPTIONS;
            let mv = game.monte_carlo(&mut memory, &mut meter, &mut rng, options, &mut |_| {});
            let mv = mv.unwrap();
            assert_eq!(game.check(mv), Ok(()), "{slots} slots");
            game.play(mv);
        }
        let mut meter = Meter::new(budget);
        let options = Blokus::<PLAYERS, WORDS>::OPTIONS;
        let mv = game.monte_carlo(&mut memory, &mut meter, &mut rng, options, &mut |_| {});
        assert_eq!(mv, None);
    }

    #[test]
    fn any_memory_and_any_budget_give_a_legal_move() {
        let stop = AtomicBool::new(true);
        for slots in [0, 1, 2, 3, 5, 9, 10, 12, 40, 300, 4096] {
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
    fn the_same_seed_plays_the_same() {
        let play = |seed| {
            let mut meter = Meter::new(Budget::nodes(50));
            let (mut memory, mut rng) = ([0; 4096], Rng::new(seed));
            Duo::default().monte_carlo(&mut memory, &mut meter, &mut rng, Duo::OPTIONS, &mut |_| {})
        };
        assert_eq!(play(3), play(3));
    }
}
