//! How Adjacency is searched.
//!
//! In a game that fills the board, a square ends up with whoever makes the last move on it or
//! beside it. So while such a move is still to come, it does not matter whose mark is there now:
//! what is left to win depends on the *empty squares alone*. With n of them there are at most 2^n
//! positions, however they were reached, and near the end they are solved (`solver.rs`).
//!
//! In a game that ends before the board is full, a mark that nobody touches again keeps its
//! owner. A mark counts for as much as the squares beside it are likely to stay empty, so that the
//! evaluation of the one kind of game turns into that of the other.

use super::Adjacency;
use super::solver::Solver;
use crate::bitboard::Bitboard;
use crate::game::Game;
use crate::mix::mix;
use crate::search::budget::Meter;
use crate::search::pvs::{Found, INFINITE, POINT, Position, Search, Step, Techniques};
use crate::search::{Report, Solution, Solve, Think, Variety};
use crate::square::Square;

// A board has no room for these in every place that calls them.

/// The squares that have at least one, two and three squares of `set` on or beside them.
#[inline(never)]
pub(super) fn at_least(set: Bitboard) -> [Bitboard; 3] {
    let (mut one, mut two, mut three) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
    for near in [set, set.right(), set.left(), set.down(), set.up()] {
        three |= two & near;
        two |= one & near;
        one |= near;
    }
    [one, two, three]
}

/// How many squares of a set are on or beside a square. No two of those are 32 apart, so that both
/// halves of the board can be counted as one word.
#[inline(never)]
pub(super) fn count_around(set: Bitboard, square: Square) -> i16 {
    let bits = (square.bitboard().neighbours().with(square) & set).bits();
    (bits as u32 | (bits >> 32) as u32).count_ones() as i16
}

/// The most that can be at stake on and beside a square.
const MOST_AT_STAKE: i16 = 5 * POINT;

/// Stakes that differ by less count as equal.
const STAKE: i16 = POINT / 5;

/// How the empty squares lie around all squares of a board, and what that makes marks worth.
struct Outlook {
    /// Squares with one, two, and three or more empty squares on or beside them; of the empty ones
    /// only those that are alone.
    near: [Bitboard; 3],
    /// What a mark with so many empty squares beside it is worth: the more, the likelier it is that
    /// the squares stay empty. Whether it is one's own matters only then.
    worth: [i16; 4],
}

impl Outlook {
    #[inline(never)]
    fn new(game: &Adjacency) -> Self {
        let empty = game.empty();
        let [one, two, three] = at_least(empty);
        // The share of the empty squares that stay empty, in 256ths; squared, as those beside marks
        // are played on first.
        let squares = empty.len().max(1);
        let stay = (squares - u32::from(game.plies_left).min(squares)) * 256 / squares;
        let stay = (stay * stay / 256) as i32;
        let mut worth = [POINT; 4];
        for n in 1..worth.len() {
            worth[n] = (i32::from(worth[n - 1]) * stay / 256) as i16;
        }
        Self { near: [one & !two, two & !three & !empty, three & !empty], worth }
    }

    /// What is at stake on and beside an empty square: half the difference between a move of the one
    /// and a move of the other there.
    fn stake(&self, square: Square) -> i16 {
        let parts = self.near.iter().zip(self.worth);
        parts.map(|(set, worth)| count_around(*set, square) * worth).sum()
    }
}

/// A position as the search sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Marks(Adjacency);

impl Marks {
    #[inline(never)]
    fn lead(&self, among: Bitboard) -> i16 {
        (self.0.own & among).len() as i16 - (self.0.opponent & among).len() as i16
    }
}

impl Position for Marks {
    type Move = Square;

    fn for_each_move(&self, _: u8, mut visit: impl FnMut(Square, i16)) {
        if self.0.is_over() {
            return;
        }
        let [one, two, three] = at_least(self.0.empty());
        // A square with one empty square around is settled by a move there; with two, a move offers
        // it to the other player.
        let (ones, twos) = (one & !two, two & !three);
        for square in self.0.empty() {
            visit(square, count_around(ones, square) * 200 - count_around(twos, square) * 100);
        }
    }

    /// In a game that fills the board, what a move settles is won.
    fn play(&mut self, square: Square) -> Step {
        let mut gain = 0;
        if self.0.fills_the_board() {
            let [one, two, _] = at_least(self.0.empty());
            gain = count_around(one & !two, square) * POINT;
        }
        self.0.play(square);
        Step { gain, again: false }
    }

    fn plies_left(&self) -> u8 {
        self.0.plies_left
    }

    /// Marks by what they are worth. Then the players take, in turn, the squares where most is at
    /// stake; as such moves interfere, that counts half.
    fn evaluate(&self) -> i16 {
        let (game, outlook) = (&self.0, Outlook::new(&self.0));
        let mut value = 0;
        if !game.fills_the_board() {
            value = self.lead(!game.empty().neighbours()) * POINT;
            for (set, worth) in outlook.near.into_iter().zip(&outlook.worth[1..]) {
                value += self.lead(set) * worth;
            }
        }
        // How many squares there are by their stakes.
        let mut count = [0u8; (MOST_AT_STAKE / STAKE) as usize + 1];
        for square in game.empty() {
            if let Some(count) = count.get_mut((outlook.stake(square) / STAKE) as usize) {
                *count += 1;
            }
        }
        let mut plies = game.plies_left;
        let mut half = STAKE / 2;
        for (stake, count) in count.into_iter().enumerate().rev() {
            let count = count.min(plies);
            plies -= count;
            if count % 2 == 1 {
                value += stake as i16 * half;
                half = -half;
            }
        }
        value
    }

    /// Of the last move the best is known without a search.
    fn bounds(&self) -> (i16, i16) {
        if self.0.plies_left != 1 || self.0.fills_the_board() {
            return (-INFINITE, INFINITE);
        }
        let taken = |square: Square| count_around(self.0.opponent, square);
        let most = self.0.empty().iter().map(taken).max().unwrap_or(0);
        let value = (self.lead(Bitboard::ALL) + 2 * most + 1) * POINT;
        (value, value)
    }

    fn final_value(&self) -> i16 {
        if self.0.fills_the_board() { 0 } else { self.lead(Bitboard::ALL) * POINT }
    }

    fn hash(&self) -> u64 {
        if self.0.fills_the_board() { mix(self.0.empty().bits()) } else { self.0.hash() }
    }

    fn index(square: Square) -> u8 {
        square.index()
    }
}

impl Adjacency {
    /// Whether no square stays empty.
    #[inline(never)]
    fn fills_the_board(&self) -> bool {
        self.empty().len() == u32::from(self.plies_left)
    }

    /// What the player to move is ahead by before the search: in a game that fills the board, marks
    /// that nobody can take any more.
    fn settled_lead(&self) -> i16 {
        if self.fills_the_board() { Marks(*self).lead(!self.empty().neighbours()) } else { 0 }
    }

    /// Searches with all or some of the techniques, to the depths of the plan.
    #[inline(never)]
    fn search(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        techniques: Techniques,
        variety: Variety,
        plan: Plan,
        report: &mut dyn FnMut(&Report<'_, Square>),
    ) -> Option<Found<Square>> {
        let position = Marks(*self);
        let (left, fills, lead) = (self.plies_left, self.fills_the_board(), self.settled_lead());
        // Measured: a solver with 32 KB takes a sixth of 2^n nodes on average.
        let to_the_end = if fills { (1 << left.min(60)) / 4 } else { position.nodes_to_the_end() };
        let mut solve = fills && plan == Plan::Solve;
        let mut next = |last: u8, nodes_left| match plan {
            Plan::Think if last < FIRST_DEPTHS || to_the_end > nodes_left => Some(last + 1),
            _ if fills => {
                solve = true;
                None
            }
            _ => Some(left),
        };
        let mut told = |inner: &Report<'_, Square>| {
            let score = inner.score + if inner.exact { lead } else { lead * POINT };
            report(&Report { score, ..*inner });
        };
        let mut search = Search::with_techniques(memory, meter, techniques).varied(variety);
        let mut found = search.go(&position, &mut next, &mut told)?;
        if solve && let Some((value, best)) = Solver::new(memory, meter).solve(self.empty()) {
            found = Found { best, score: i16::from(value) * POINT, depth: left, exact: true };
            told(&Report {
                depth: left,
                score: value.into(),
                exact: true,
                nodes: meter.nodes(),
                percent: meter.percent(),
                line: &[best],
            });
        }
        Some(Found { score: found.score + lead * POINT, ..found })
    }
}

/// Which depths are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plan {
    /// Straight to the end.
    Solve,
    /// Deeper and deeper, and to the end as soon as the budget looks large enough for it.
    Think,
}

/// With more empty squares play varies.
const OPENING_SQUARES: u32 = 48;

/// Looked at before the rest of the budget is judged.
const FIRST_DEPTHS: u8 = 4;

impl Think for Adjacency {
    /// Less than a point, the evaluation's unit: among equals by lot. Only in the first eight plies;
    /// later the order in which squares are tried is a better guide.
    fn margin(&self) -> u16 {
        if self.empty().len() > OPENING_SQUARES { 99 } else { 0 }
    }

    fn think_varied(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        variety: Variety,
        report: &mut dyn FnMut(&Report<'_, Square>),
    ) -> Option<Square> {
        Some(self.search(memory, meter, Techniques::ALL, variety, Plan::Think, report)?.best)
    }
}

impl Solve for Adjacency {
    fn solve(&self, memory: &mut [u64], meter: &mut Meter<'_>) -> Option<Solution<Square>> {
        if self.is_over() {
            return Some(Solution { score: Marks(*self).lead(Bitboard::ALL), best: None });
        }
        let found =
            self.search(memory, meter, Techniques::ALL, Variety::NONE, Plan::Solve, &mut |_| {})?;
        let solution = Solution { score: found.score / POINT, best: Some(found.best) };
        found.exact.then_some(solution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::random;
    use crate::games::adjacency::Rounds;
    use crate::mix::Rng;
    use crate::player::Player;
    use crate::search::budget::Budget;
    use std::vec;

    /// Every line to the end, by the rules alone.
    fn minimax(game: &Adjacency) -> i16 {
        if game.is_over() {
            return game.score(game.turn()) - game.score(game.turn().other());
        }
        let mut best = i16::MIN;
        game.for_each_move(|mv| {
            let mut next = *game;
            next.play(mv);
            best = best.max(-minimax(&next));
        });
        best
    }

    /// A random game stopped with this many plies left.
    fn random_position(rounds: u8, plies_left: u8, rng: &mut Rng) -> Adjacency {
        let mut game = Adjacency::new(Rounds::new(rounds).unwrap(), Player::FIRST);
        while game.plies_left() > plies_left {
            let mv = random(&game, rng).unwrap();
            game.play(mv);
        }
        game
    }

    fn solve(game: &Adjacency, slots: usize, techniques: Techniques) -> i16 {
        let mut memory = vec![0; slots];
        let mut meter = Meter::new(Budget::UNLIMITED);
        let found = game
            .search(&mut memory, &mut meter, techniques, Variety::NONE, Plan::Solve, &mut |_| {})
            .unwrap();
        assert!(found.exact);
        found.score / POINT
    }

    #[test]
    fn small_positions_are_solved_as_minimax_does_with_any_table() {
        let mut rng = Rng::new(1);
        for round in 0..400u32 {
            let full = round % 2 == 0;
            let rounds = if full { 28 } else { 2 + rng.below(26) as u8 };
            let plies = if full { 1 + rng.below(6) } else { 1 + rng.below(2) } as u8;
            let game = random_position(rounds, plies, &mut rng);
            let value = minimax(&game);
            for slots in [0, 1, 2, 3, 100] {
                assert_eq!(solve(&game, slots, Techniques::ALL), value, "{game:?}");
            }
        }
    }

    #[test]
    fn no_technique_changes_an_exact_value() {
        let all = Techniques::ALL;
        let mut rng = Rng::new(2);
        for plies in [3, 4, 5] {
            for _ in 0..20 {
                let game = random_position(24, plies, &mut rng);
                let value = solve(&game, 2048, all);
                for techniques in [
                    Techniques { killers: false, ..all },
                    Techniques { history: false, ..all },
                    Techniques { enhanced_cutoff: false, ..all },
                    Techniques { reductions: false, ..all },
                    Techniques { aspiration: false, ..all },
                ] {
                    assert_eq!(solve(&game, 2048, techniques), value, "{techniques:?}");
                }
            }
        }
    }

    #[test]
    fn any_budget_gives_a_legal_move() {
        let mut rng = Rng::new(3);
        for nodes in [0, 1, 2, 10, 100] {
            for plies in [56, 20, 1] {
                let game = random_position(28, plies, &mut rng);
                let mut meter = Meter::new(Budget::nodes(nodes));
                let mv = game.think(&mut [0; 64], &mut meter, &mut |_| {}).unwrap();
                assert_eq!(game.check(mv), Ok(()));
                assert!(meter.nodes() <= nodes);
            }
        }
        let over = random_position(2, 0, &mut rng);
        assert_eq!(over.think(&mut [], &mut Meter::new(Budget::UNLIMITED), &mut |_| {}), None);
    }

    #[test]
    fn variety_never_trades_a_proven_point() {
        let mut rng = Rng::new(5);
        for _ in 0..50 {
            let game = random_position(28, 9, &mut rng);
            let (mut memory, mut meter) = (vec![0; 2048], Meter::new(Budget::UNLIMITED));
            let variety = Variety::draw(&mut rng, 3 * POINT as u16);
            let mv = game.think_varied(&mut memory, &mut meter, variety, &mut |_| {}).unwrap();
            let best = game.solve(&mut memory, &mut meter).unwrap().score;
            assert_eq!(game.solve_move(mv, &mut memory, &mut meter), Some(best));
        }
    }

    #[test]
    fn fourteen_empties_take_a_few_thousand_nodes() {
        let mut rng = Rng::new(4);
        let mut total = 0;
        for _ in 0..50 {
            let game = random_position(28, 14, &mut rng);
            let mut memory = vec![0; 4096];
            let mut meter = Meter::new(Budget::UNLIMITED);
            game.solve(&mut memory, &mut meter).unwrap();
            total += meter.nodes();
        }
        assert!(total / 50 < 4_000, "{} nodes on average", total / 50);
    }
}
