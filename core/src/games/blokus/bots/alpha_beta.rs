//! A depth-limited alpha-beta search of Blokus Duo, as several entries of the FPT design contests
//! were. It is designed here, after what is public of one of them, the University of Zaragoza's
//! (`docs/fpga.md`): iterative deepening over sorted root moves, a refutation kept for each of them,
//! filters by the size of pieces, and twice the lead plus the difference of accessible squares as the
//! value of a position.

use heapless::Vec;

use super::{Meter, Placement};
use crate::game::Game;
use crate::games::blokus::{Duo, Move};
use crate::list::last_to_front;
use crate::mix::Rng;

/// The most placements ahead; passes don't count. The budget allows two and a part of the third in
/// opening and middle game, four to six late.
const DEPTH: usize = 6;

/// Positions for a move: at most about 1.5 board seconds.
pub(super) const NODES: u64 = 16_000;

/// Root moves that are looked at deeper: those with the highest values.
const ROOTS: usize = 128;

/// Below the root, smaller pieces are only tried while there were fewer placements than this.
const ENOUGH: u16 = 24;

/// What generating the placements of one size takes, in values of positions.
const GENERATION: u8 = 4;

/// More than any value.
const INFINITE: i16 = 10_000;

/// A move of the position that is searched.
#[derive(Debug, Clone, Copy)]
struct Root {
    placement: Placement,
    value: i16,
    /// The reply that was best against it.
    refutation: Option<Placement>,
}

/// The move; `None` when there is no placement, or no time to look at one.
#[inline(never)]
pub(super) fn choose(game: &Duo, meter: &mut Meter<'_>, rng: &mut Rng) -> Option<Placement> {
    let mut roots = Vec::new();
    game.for_each_placement(game.pieces_left(game.turn()), &mut |placement| {
        if meter.tick() {
            // Only the order counts: equal moves are drawn by lot.
            let value = -evaluate(&after(game, placement)) * 8 + rng.below(8) as i16;
            insert(&mut roots, Root { placement, value, refutation: None });
        }
    });
    let mut search =
        Search { meter, limit: 1, is_complete: false, refutations: [[None; 2]; DEPTH] };
    while usize::from(search.limit) < DEPTH && !search.is_complete && !search.meter.is_over() {
        search.limit += 1;
        search.deepen(game, &mut roots);
    }
    roots.first().map(|root| root.placement)
}

/// Adds a root move to a sorted list, the highest values first. A full list drops its last.
#[inline(never)]
fn insert(roots: &mut Vec<Root, ROOTS>, root: Root) {
    let at = roots.iter().position(|other| other.value < root.value);
    if roots.is_full() && at.is_some() {
        roots.pop();
    }
    // A full list, and lower than all: dropped.
    let _ = roots.push(root);
    if let Some(lower) = at.and_then(|at| roots.get_mut(at..)) {
        last_to_front(lower);
    }
}

fn after(game: &Duo, placement: Placement) -> Duo {
    let mut after = *game;
    after.play(Move::Place(placement));
    after
}

/// How far the player to move is ahead, doubled.
fn lead(game: &Duo) -> i16 {
    let own = game.turn();
    2 * (game.score(own) - game.score(own.other()))
}

/// What a position seems to be worth to the player to move.
fn evaluate(game: &Duo) -> i16 {
    lead(game) + game.reach_lead(game.turn())
}

struct Search<'a, 'b> {
    meter: &'a mut Meter<'b>,
    /// The placements ahead of this iteration.
    limit: u8,
    /// Whether no line was cut off by the limit.
    is_complete: bool,
    /// By ply, the placements that refuted a move last and before.
    refutations: [[Option<Placement>; 2]; DEPTH],
}

impl Search<'_, '_> {
    /// Looks at the root moves down to the limit, and sorts them. If the budget ends first, the
    /// best one so far becomes the first.
    fn deepen(&mut self, game: &Duo, roots: &mut Vec<Root, ROOTS>) {
        self.is_complete = true;
        let (mut highest, mut best) = (-INFINITE, 0);
        for (index, root) in roots.iter_mut().enumerate() {
            if let Some(refutation) = root.refutation {
                self.note(1, refutation);
            }
            let value = -self.value(&after(game, root.placement), 1, -INFINITE, -highest);
            if self.meter.is_over() {
                break;
            }
            root.value = value;
            if value > highest {
                (highest, best) = (value, index);
            } else {
                [root.refutation, _] = self.refutations[1];
            }
        }
        if let Some(ahead) = roots.get_mut(..=best) {
            last_to_front(ahead);
        }
        if !self.meter.is_over() {
            // Values at or below the best one are upper bounds, which is good enough for an order.
            for end in 2..roots.len() {
                let Some([sorted @ .., last]) = roots.get_mut(1..=end) else { break };
                let at = sorted.iter().position(|root| root.value < last.value);
                if let Some(lower) = at.and_then(|at| roots.get_mut(1 + at..=end)) {
                    last_to_front(lower);
                }
            }
        }
    }

    /// The value to the player to move, exact between the bounds.
    fn value(&mut self, game: &Duo, ply: u8, alpha: i16, beta: i16) -> i16 {
        if let Some(value) = self.value_of_placements(game, ply, alpha, beta) {
            return value;
        }
        let Some(pass) = game.forced_pass() else { return lead(game) };
        let mut next = *game;
        next.play(pass);
        // The other can place something: else the game would be over.
        -self.value_of_placements(&next, ply, -beta, -alpha).unwrap_or_else(|| lead(&next))
    }

    /// The same; `None` if nothing can be placed.
    #[inline(never)]
    fn value_of_placements(&mut self, game: &Duo, ply: u8, alpha: i16, beta: i16) -> Option<i16> {
        if !self.meter.tick() {
            return Some(0);
        }
        if ply >= self.limit {
            self.is_complete = false;
            return Some(evaluate(game));
        }
        let mut highest = -INFINITE;
        let mut tried = 0;
        let known = self.refutations.get(usize::from(ply)).copied().unwrap_or_default();
        for placement in known.into_iter().flatten() {
            if highest < beta && game.allows(placement) {
                highest = highest.max(self.reply(game, placement, ply, alpha.max(highest), beta));
                tried += 1;
            }
        }
        let is_out = tried == 0 && game.reach(game.turn()).is_empty();
        for size in (1..=5).rev() {
            let pieces = game.pieces_left(game.turn()).of_size(size);
            if highest >= beta || tried >= ENOUGH || is_out {
                break;
            }
            if !pieces.is_empty() {
                (1..GENERATION).for_each(|_| _ = self.meter.tick());
                game.for_each_placement(pieces, &mut |placement| {
                    tried += 1;
                    if highest < beta && !self.meter.is_over() && !known.contains(&Some(placement))
                    {
                        let alpha = alpha.max(highest);
                        highest = highest.max(self.reply(game, placement, ply, alpha, beta));
                    }
                });
            }
        }
        (tried > 0).then_some(highest)
    }

    /// The value of a placement to the player who makes it.
    fn reply(&mut self, game: &Duo, placement: Placement, ply: u8, alpha: i16, beta: i16) -> i16 {
        let value = -self.value(&after(game, placement), ply + 1, -beta, -alpha);
        if value >= beta && !self.meter.is_over() {
            self.note(ply, placement);
        }
        value
    }

    /// Notes what refuted a move, to try it first against the next one.
    fn note(&mut self, ply: u8, placement: Placement) {
        if let Some([last, before]) = self.refutations.get_mut(usize::from(ply))
            && *last != Some(placement)
        {
            (*before, *last) = (*last, Some(placement));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::random;
    use crate::search::budget::Budget;
    use core::sync::atomic::AtomicBool;

    fn chosen(game: &Duo, nodes: u64) -> Option<Placement> {
        choose(game, &mut Meter::new(Budget::nodes(nodes)), &mut Rng::new(0))
    }

    /// The final lead of the player to move and the most placements to come, by trying everything.
    fn minimax(game: &Duo) -> (i16, usize) {
        let mut found: Option<(i16, usize)> = None;
        game.for_each_move(|mv| {
            let mut next = *game;
            next.play(mv);
            let (lead, placements) = minimax(&next);
            let placements = placements + usize::from(mv != Move::Pass);
            let (highest, most) = found.unwrap_or((-INFINITE, 0));
            found = Some((highest.max(-lead), most.max(placements)));
        });
        found.unwrap_or_else(|| (game.score(game.turn()) - game.score(game.turn().other()), 0))
    }

    /// A game of random moves down to few placements of both players together, more than one of them
    /// of the player to move.
    fn late(seed: u64) -> Option<Duo> {
        let mut rng = Rng::new(seed);
        let mut game = Duo::default();
        while let Some(mv) = random(&game, &mut rng) {
            let left = |player| game.count_placements(player);
            if left(game.turn()) + left(game.turn().other()) < 11 {
                return (left(game.turn()) > 1).then_some(game);
            }
            game.play(mv);
        }
        None
    }

    #[test]
    fn late_positions_are_played_to_the_best_end() {
        let (mut positions, mut misjudged) = (0, 0);
        for game in (0..80).filter_map(late) {
            let (expected, placements) = minimax(&game);
            // It takes another ply to see that nobody can move.
            if placements >= DEPTH {
                continue;
            }
            let lead = |placement| -minimax(&after(&game, placement)).0;
            assert_eq!(chosen(&game, 1_000_000).map(lead), Some(expected), "{game:?}");
            // No more than a look at each placement.
            let first = chosen(&game, game.count_placements(game.turn()).into()).map(lead);
            misjudged += u32::from(first != Some(expected));
            positions += 1;
        }
        assert!(positions > 20, "{positions}");
        assert!(misjudged > 0, "looking ahead makes no difference");
    }

    #[test]
    fn it_keeps_to_its_budget_and_stops_when_told() {
        let mut game = Duo::default();
        let mut rng = Rng::new(3);
        for _ in 0..8 {
            game.play(random(&game, &mut rng).unwrap());
        }
        for nodes in [1, 100, 3000] {
            let mut meter = Meter::new(Budget::nodes(nodes));
            let placement = choose(&game, &mut meter, &mut rng).unwrap();
            assert_eq!(game.check(Move::Place(placement)), Ok(()));
            assert_eq!(meter.nodes(), nodes, "there is more to look at");
        }
        let stop = AtomicBool::new(true);
        let mut meter = Meter::new(Budget { stop: Some(&stop), ..Budget::UNLIMITED });
        assert_eq!(choose(&game, &mut meter, &mut rng), None);
    }

    #[test]
    fn the_highest_values_are_kept_in_order() {
        let placement = chosen(&Duo::default(), 1).unwrap();
        let mut roots = Vec::new();
        for value in 0..ROOTS as i16 + 40 {
            insert(&mut roots, Root { placement, value: value * 7 % 101, refutation: None });
        }
        let values: std::vec::Vec<i16> = roots.iter().map(|root| root.value).collect();
        assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
        assert_eq!((values.len(), values[0]), (ROOTS, 100));
    }
}
