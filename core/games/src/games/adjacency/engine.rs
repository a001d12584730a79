//! How Adjacency is searched.
//!
//! In a game that fills the board, a square ends up with whoever makes the last move on it or
//! beside it. So while such a move is still to come, it does not matter whose mark is there now:
//! what is left to win depends on the *empty squares alone*, and the search works on those
//! ([`Filling`]). With n of them there are at most 2^n positions, however they were reached.
//!
//! In a game that ends before the board is full, a mark that nobody touches again keeps its
//! owner, and the search works on the whole position ([`Marks`]).

use super::Adjacency;
use crate::bitboard::Bitboard;
use crate::game::Game;
use crate::mix::mix;
use crate::search::budget::Meter;
use crate::search::pvs::{Found, POINT, Position, Search, Step, Techniques};
use crate::search::{Report, Solution, Solve, Think, Variety};
use crate::square::Square;

/// The squares that have at least one, two and three squares of `set` on or beside them.
fn at_least(set: Bitboard) -> [Bitboard; 3] {
    let (mut one, mut two, mut three) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
    for near in [set, set.right(), set.left(), set.down(), set.up()] {
        three |= two & near;
        two |= one & near;
        one |= near;
    }
    [one, two, three]
}

/// How many squares a set has whose squares are all on or beside one: no two of them are 32 apart,
/// so that both halves can be counted as one word.
const fn count_near(set: Bitboard) -> u32 {
    let bits = set.bits();
    (bits as u32 | (bits >> 32) as u32).count_ones()
}

/// The empty squares of a game that fills the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Filling {
    empty: Bitboard,
}

impl Filling {
    /// The squares with exactly one empty square on or beside them.
    fn ones(self) -> Bitboard {
        let [one, two, _] = at_least(self.empty);
        one & !two
    }

    /// How many squares a mark here settles for good: those with no other empty square on or
    /// beside them.
    fn settled_by(ones: Bitboard, square: Square) -> u32 {
        count_near(square.bitboard().neighbours().with(square) & ones)
    }
}

impl Position for Filling {
    type Move = Square;

    fn for_each_move(&self, _: u8, mut visit: impl FnMut(Square, i16)) {
        let [one, two, three] = at_least(self.empty);
        // A square with one empty square around is settled by a move there; with two, a move offers
        // it to the other player.
        let (ones, twos) = (one & !two, two & !three);
        for square in self.empty {
            let around = square.bitboard().neighbours().with(square);
            let settled = count_near(around & ones) as i16;
            let offered = count_near(around & twos) as i16;
            visit(square, settled * 200 - offered * 100);
        }
    }

    fn play(&mut self, square: Square) -> Step {
        let ones = self.ones();
        self.empty.remove(square);
        Step { gain: Self::settled_by(ones, square) as i16 * POINT, again: false }
    }

    fn plies_left(&self) -> u8 {
        self.empty.len() as u8
    }

    /// Measured: 4,500 for 12 empty squares, less than twice as many for each one more.
    fn nodes_to_the_end(&self) -> u64 {
        1 << self.plies_left().min(60)
    }

    fn evaluate(&self) -> i16 {
        evaluate_filling(self.empty)
    }

    /// All squares that are not settled yet, for one side or the other. The last mark takes them
    /// all, and of the last two the first takes what only it can settle.
    fn bounds(&self) -> (i16, i16) {
        let [one, two, _] = at_least(self.empty);
        let ones = one & !two;
        let open = one.len() as i16 * POINT;
        match self.empty.len() {
            0 | 1 => (open, open),
            2 => {
                let settles = |square| Self::settled_by(ones, square) as i16 * POINT;
                let most = self.empty.iter().map(settles).max().unwrap_or(0);
                (2 * most - open, 2 * most - open)
            }
            _ => (-open, open),
        }
    }

    fn final_value(&self) -> i16 {
        0
    }

    fn hash(&self) -> u64 {
        mix(self.empty.bits())
    }

    fn index(square: Square) -> u8 {
        square.index()
    }
}

/// What is left to win: the players take the squares that settle most in turn. (Counting also the
/// moves that offer the other nothing, as in Dots and Boxes, does not help: it was tried.)
fn evaluate_filling(empty: Bitboard) -> i16 {
    let ones = Filling { empty }.ones();
    // How many empty squares settle 1, 2, 3, 4 and 5 squares.
    let mut count = [0i16; 6];
    for square in empty & (ones | ones.neighbours()) {
        count[Filling::settled_by(ones, square) as usize % 6] += 1;
    }
    let mut sign = 1;
    let mut value = 0;
    for settles in (1..6).rev() {
        if count[settles] % 2 == 1 {
            value += sign * settles as i16;
            sign = -sign;
        }
    }
    value * POINT
}

/// The whole position of a game that ends before the board is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Marks(Adjacency);

impl Position for Marks {
    type Move = Square;

    fn for_each_move(&self, _: u8, mut visit: impl FnMut(Square, i16)) {
        if self.0.is_over() {
            return;
        }
        for square in self.0.empty() {
            let beside = square.bitboard().neighbours();
            let taken = count_near(beside & self.0.opponent) as i16;
            let open = count_near(beside & self.0.empty()) as i16;
            visit(square, taken * 200 - open * 100);
        }
    }

    fn play(&mut self, square: Square) -> Step {
        self.0.play(square);
        Step::TURN
    }

    fn plies_left(&self) -> u8 {
        self.0.plies_left
    }

    /// Marks, those that can't be taken any more counted twice.
    fn evaluate(&self) -> i16 {
        let exposed = self.0.empty().neighbours();
        let worth = |marks: Bitboard| (marks.len() + (marks & !exposed).len()) as i16;
        (worth(self.0.own) - worth(self.0.opponent)) * (POINT / 2)
    }

    fn final_value(&self) -> i16 {
        (self.0.own.len() as i16 - self.0.opponent.len() as i16) * POINT
    }

    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn index(square: Square) -> u8 {
        square.index()
    }
}

/// A position of either kind. The search is there once for both: a board has no room for two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Either {
    Filling(Filling),
    Marks(Marks),
}

/// Calls the same method of the position that there is.
macro_rules! either {
    ($either:expr, $position:ident => $call:expr) => {
        match $either {
            Either::Filling($position) => $call,
            Either::Marks($position) => $call,
        }
    };
}

impl Position for Either {
    type Move = Square;

    #[inline]
    fn for_each_move(&self, depth: u8, mut visit: impl FnMut(Square, i16)) {
        either!(self, position => position.for_each_move(depth, &mut visit));
    }

    #[inline]
    fn play(&mut self, square: Square) -> Step {
        either!(self, position => position.play(square))
    }

    #[inline]
    fn plies_left(&self) -> u8 {
        either!(self, position => position.plies_left())
    }

    fn nodes_to_the_end(&self) -> u64 {
        either!(self, position => position.nodes_to_the_end())
    }

    #[inline]
    fn evaluate(&self) -> i16 {
        either!(self, position => position.evaluate())
    }

    #[inline]
    fn bounds(&self) -> (i16, i16) {
        either!(self, position => position.bounds())
    }

    #[inline]
    fn final_value(&self) -> i16 {
        either!(self, position => position.final_value())
    }

    #[inline]
    fn hash(&self) -> u64 {
        either!(self, position => position.hash())
    }

    #[inline]
    fn index(square: Square) -> u8 {
        square.index()
    }
}

impl Adjacency {
    /// The empty squares, if the game fills the board.
    fn filling(&self) -> Option<Filling> {
        let empty = self.empty();
        if empty.len() == self.plies_left as u32 { Some(Filling { empty }) } else { None }
    }

    /// What the player to move is ahead by in marks that nobody can take any more.
    fn settled_lead(&self) -> i16 {
        let settled = !self.empty().neighbours();
        (self.own & settled).len() as i16 - (self.opponent & settled).len() as i16
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
        let (position, lead) = match self.filling() {
            Some(filling) => (Either::Filling(filling), self.settled_lead()),
            None => (Either::Marks(Marks(*self)), 0),
        };
        let (left, to_the_end) = (position.plies_left(), position.nodes_to_the_end());
        let mut next = |last: u8, nodes_left| match plan {
            Plan::Think if last < FIRST_DEPTHS => Some(last + 1),
            Plan::Think if to_the_end > nodes_left => Some(last + 1),
            _ => Some(left),
        };
        let mut told = |inner: &Report<'_, Square>| {
            let score = inner.score + if inner.exact { lead } else { lead * POINT };
            report(&Report { score, ..*inner });
        };
        let mut search = Search::with_techniques(memory, meter, techniques).varied(variety);
        let found = search.go(&position, &mut next, &mut told)?;
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
            return Some(Solution { score: Marks(*self).final_value() / POINT, best: None });
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
        for plies in [8, 9, 10] {
            for _ in 0..20 {
                let game = random_position(28, plies, &mut rng);
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

    /// `cargo test -p corvid-games --lib saves -- --nocapture` prints what docs/search.md tells.
    #[test]
    fn what_each_technique_saves() {
        let all = Techniques::ALL;
        for (name, techniques) in [
            ("nothing", all),
            ("killers", Techniques { killers: false, ..all }),
            ("history", Techniques { history: false, ..all }),
            ("children in the table", Techniques { enhanced_cutoff: false, ..all }),
        ] {
            let mut rng = Rng::new(4);
            let mut nodes = 0;
            for _ in 0..100 {
                let game = random_position(28, 14, &mut rng);
                let mut meter = Meter::new(Budget::UNLIMITED);
                let memory = &mut vec![0; 4096];
                let found = game.search(
                    memory,
                    &mut meter,
                    techniques,
                    Variety::NONE,
                    Plan::Solve,
                    &mut |_| {},
                );
                assert!(found.unwrap().exact);
                nodes += meter.nodes();
            }
            std::println!("adjacency, 14 empty, 32 KB, without {name}: {} nodes", nodes / 100);
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
    fn twelve_empties_take_a_few_thousand_nodes() {
        let mut rng = Rng::new(4);
        let mut total = 0;
        for _ in 0..50 {
            let game = random_position(28, 12, &mut rng);
            let mut memory = vec![0; 2048];
            let mut meter = Meter::new(Budget::UNLIMITED);
            game.solve(&mut memory, &mut meter).unwrap();
            total += meter.nodes();
        }
        assert!(total / 50 < 6_000, "{} nodes on average", total / 50);
    }
}
