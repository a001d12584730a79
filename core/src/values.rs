//! What each move of a position is worth, for people who want to see more than the best one.

use heapless::Vec;

use crate::engine::{Engine, Thinking};
use crate::game::{MAX_PLIES, MoveCode};
use crate::search::Think;
use crate::search::budget::{Budget, Meter};

/// A point in hundredths.
pub(crate) const POINT: i16 = 100;

/// Moves that are looked at again with what the first look leaves of the budget.
const FINALISTS: usize = 8;

/// The part of the budget that the first look at all moves gets: one in so many.
const FIRST_LOOK: u64 = 3;

/// A move and what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveValue {
    /// The move.
    pub mv: MoveCode,
    /// What its player is expected to be ahead by at the end, in hundredths of a point; of four
    /// players, ahead of another.
    pub lead: i16,
    /// Whether that is proven.
    pub exact: bool,
}

/// A position whose moves can be compared.
pub trait MoveValues {
    /// Looks at so many positions, and tells the legal moves with their values, the best one first. A
    /// move that the budget did not reach is left out. The memory is cleared first, so that equal
    /// positions and budgets give equal values.
    fn move_values(&self, nodes: u64, thinking: &mut Thinking<'_>, tell: &mut dyn FnMut(MoveValue));
}

/// The final lead of the player to move in hundredths of a point, and whether it is proven.
pub(crate) type Lead = (i16, bool);

/// What a search makes of a position; `None` if the budget ended it before it said anything.
pub(crate) fn thought<G: Think>(
    game: &G,
    memory: &mut [u64],
    meter: &mut Meter<'_>,
) -> Option<Lead> {
    let mut last = None;
    game.think(memory, meter, &mut |report| {
        let unit = if report.exact { POINT } else { 1 };
        last = Some((report.score * unit, report.exact));
    });
    last
}

/// The values of the moves of a game of two, each found by looking at the position that it leads
/// to: first at all of them equally, then again at the best ones.
pub(crate) fn look_at_each<G: Engine>(
    game: &G,
    nodes: u64,
    thinking: &mut Thinking<'_>,
    look: impl Fn(&G, &mut [u64], &mut Meter<'_>) -> Option<Lead>,
    tell: &mut dyn FnMut(MoveValue),
) {
    let Thinking { clock, deadline, stop, .. } = *thinking;
    let memory = &mut *thinking.memory;
    memory.fill(0);
    let begun = clock.micros();
    let mut lead_after = |mv: G::Move, nodes: u64| {
        let mut child = game.clone();
        child.play(mv);
        let own = game.turn();
        if child.is_over() {
            let lead = child.score(own) - child.score(own.other());
            return Some((lead * POINT, true));
        }
        let elapsed = clock.micros().saturating_sub(begun);
        let time = Some((clock, deadline.saturating_sub(elapsed)));
        let mut meter = Meter::new(Budget { nodes, time, stop, helper: None });
        let (lead, exact) = look(&child, memory, &mut meter)?;
        Some((if child.turn() == own { lead } else { -lead }, exact))
    };
    let mut moves: Vec<(G::Move, Option<Lead>), MAX_PLIES> = Vec::new();
    game.for_each_move(|mv| {
        // No game of two that is looked at so has more moves than the longest has plies.
        let _ = moves.push((mv, None));
    });
    let share = nodes / FIRST_LOOK / moves.len().max(1) as u64;
    for (mv, lead) in &mut moves {
        *lead = lead_after(*mv, share);
    }
    rank(&mut moves);
    let finalists = moves.len().min(FINALISTS);
    let left = (nodes - nodes / FIRST_LOOK) / finalists.max(1) as u64;
    for (mv, lead) in &mut moves[..finalists] {
        if lead.is_some_and(|(_, exact)| !exact) {
            *lead = lead_after(*mv, left).or(*lead);
        }
    }
    rank(&mut moves[..finalists]);
    for (mv, lead) in moves {
        if let Some((lead, exact)) = lead {
            tell(MoveValue { mv: G::encode(mv), lead, exact });
        }
    }
}

/// Sorts moves by their leads, the highest first and those without one last; equal ones stay in
/// their order.
fn rank<M>(moves: &mut [(M, Option<Lead>)]) {
    for end in 1..moves.len() {
        let lead = |at: usize| moves[at].1.map(|(lead, _)| lead);
        let at = (0..end).find(|at| lead(*at) < lead(end)).unwrap_or(end);
        moves[at..=end].rotate_right(1);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::choice::random;
    use crate::mix::Rng;
    use crate::registry::{AnyPosition, GameKind};
    use crate::search::Solve;
    use crate::setup::Setup;
    use core::sync::atomic::AtomicBool;
    use std::vec;
    use std::vec::Vec;

    /// The values of a position's moves, with a memory that something else was in.
    pub(crate) fn values_of(
        position: &dyn MoveValues,
        nodes: u64,
        stop: Option<&AtomicBool>,
        garbage: u64,
    ) -> Vec<MoveValue> {
        let (mut memory, mut rng) = (vec![garbage; 1 << 14], Rng::new(1));
        let mut thinking = Thinking {
            memory: &mut memory,
            rng: &mut rng,
            clock: &|| 0,
            micros: 0,
            deadline: u64::MAX,
            stop,
            helper: None,
        };
        let mut values = Vec::new();
        position.move_values(nodes, &mut thinking, &mut |value| values.push(value));
        values
    }

    /// Plays at random until so many moves or fewer are left to choose from near the end, and
    /// compares all values with the solver's.
    pub(crate) fn agree_with_the_solver<G: Engine + Solve + MoveValues>(
        start: &G,
        plies: usize,
        seed: u64,
    ) {
        let (mut game, mut rng) = (start.clone(), Rng::new(seed));
        for _ in 0..plies {
            if let Some(mv) = random(&game, &mut rng) {
                game.play(mv);
            }
        }
        let values = values_of(&game, 4_000_000, None, 0);
        assert_eq!(values.len(), game.count_moves() as usize, "{game:?}");
        let own = game.turn();
        let made = if G::FROM_HERE_ON { game.score(own) - game.score(own.other()) } else { 0 };
        for MoveValue { mv, lead, exact } in values {
            let mut meter = Meter::new(Budget::UNLIMITED);
            let mv = game.decode(mv).unwrap();
            let solved = game.solve_move(mv, &mut vec![0; 4096], &mut meter).unwrap();
            assert_eq!((lead, exact), ((made + solved) * POINT, true), "{mv:?} of {game:?}");
        }
    }

    #[test]
    fn every_game_tells_legal_moves_in_order_and_the_same_ones_again() {
        for kind in GameKind::ALL {
            let mut position = AnyPosition::start(Setup::usual(kind));
            let nodes = if position.get().people() == 4 { 100 } else { 20_000 };
            for ply in 0..6 {
                let values = values_of(position.values(), nodes, None, 0);
                let game = position.get();
                assert!(!values.is_empty(), "{kind}");
                for (at, value) in values.iter().enumerate() {
                    assert!(game.check(value.mv).is_ok(), "{kind}: {value:?}");
                    assert!(values[..at].iter().all(|other| other.mv != value.mv), "{kind}");
                }
                let again = values_of(position.values(), nodes, None, u64::MAX / 3);
                assert_eq!(values, again, "{kind} at ply {ply}");
                position.get_mut().play(values[0].mv);
            }
        }
    }

    #[test]
    fn a_stop_ends_it_at_once() {
        let stop = AtomicBool::new(true);
        for kind in GameKind::ALL {
            let position = AnyPosition::start(Setup::usual(kind));
            values_of(position.values(), u64::MAX, Some(&stop), 0);
        }
    }

    #[test]
    fn moves_without_a_value_come_last() {
        let mut moves = [(0, None), (1, Some((5, false))), (2, Some((9, true))), (3, None)];
        rank(&mut moves);
        assert_eq!(moves.map(|(mv, _)| mv), [2, 1, 0, 3]);
    }
}
