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

/// How many squares of `set` are on or beside each square: the digits of a binary number, the lowest
/// first.
#[inline(never)]
fn counts(set: Bitboard) -> [Bitboard; 3] {
    let (across, sides) = (set ^ set.right(), set.left());
    let carry = set & set.right() | across & sides;
    let (row, column) = (across ^ sides, set.down() ^ set.up());
    let other = set.down() & set.up() | row & column;
    [row ^ column, carry ^ other, carry & other]
}

/// The squares that have at least one, two and three squares of `set` on or beside them.
#[inline(never)]
pub(super) fn at_least(set: Bitboard) -> [Bitboard; 3] {
    let [ones, twos, fours] = counts(set);
    let two = twos | fours;
    [ones | two, two, twos & ones | fours]
}

/// How many squares of a set are on or beside a square. No two of those are 32 apart, so that both
/// halves of the board can be counted as one word.
#[inline(never)]
pub(super) fn count_around(set: Bitboard, square: Square) -> i16 {
    let bits = (square.bitboard().neighbours().with(square) & set).bits();
    (bits as u32 | (bits >> 32) as u32).count_ones() as i16
}

/// A number for each square of a board, in binary digits, the lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers([Bitboard; 6]);

impl Numbers {
    /// What the squares on and beside each square are worth together. `worth` is a number of up to
    /// three binary digits for each square, the highest first.
    #[inline(never)]
    fn around(worth: &[Bitboard]) -> Self {
        let mut sum = [Bitboard::EMPTY; 6];
        for digit in worth {
            let [low, middle, high] = counts(*digit);
            let [a, b, c, d, _, _] = sum;
            // Twice the sum so far, and the counts of this digit.
            let (two, four) = (a & middle, b ^ high);
            let eight = b & high | four & two;
            let sixteen = c & eight;
            sum = [low, a ^ middle, four ^ two, c ^ eight, d ^ sixteen, d & sixteen];
        }
        Self(sum)
    }

    /// The squares of a set that have the highest number, and the number.
    #[inline(never)]
    fn highest(&self, mut among: Bitboard) -> (Bitboard, i16) {
        let mut number = 0;
        for digit in self.0.iter().rev() {
            let higher = among & *digit;
            number *= 2;
            if !higher.is_empty() {
                among = higher;
                number += 1;
            }
        }
        (among, number)
    }
}

/// Of a point, the unit in which stakes are added: three binary digits hold one.
const UNIT: i16 = POINT / 4;

/// A position as the search sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Marks {
    game: Adjacency,
    /// Whether no square stays empty.
    fills: bool,
}

impl Marks {
    fn new(game: &Adjacency) -> Self {
        Self { game: *game, fills: game.fills_the_board() }
    }
}

impl Position for Marks {
    type Move = Square;

    fn for_each_move(&self, _: u8, mut visit: impl FnMut(Square, i16)) {
        let mut left = self.game.empty();
        let [one, two, three] = at_least(left);
        // A square with one empty square around is settled by a move there; with two, a move offers
        // it to the other player, and so it counts less than any other. Marks that are taken stay
        // one's own only in a short game.
        let worth = [one & !two, !two | three, self.game.opponent];
        let looks = Numbers::around(&worth[..2 + usize::from(!self.fills)]);
        while !left.is_empty() && !self.game.is_over() {
            let (squares, look) = looks.highest(left);
            left &= !squares;
            for square in squares {
                visit(square, look * POINT / 2);
            }
        }
    }

    /// In a game that fills the board, what a move settles is won.
    fn play(&mut self, square: Square) -> Step {
        let mut gain = 0;
        if self.fills {
            let [one, two, _] = at_least(self.game.empty());
            gain = count_around(one & !two, square) * POINT;
        }
        self.game.play(square);
        Step { gain, again: false }
    }

    fn plies_left(&self) -> u8 {
        self.game.plies_left
    }

    fn evaluate(&self) -> i16 {
        self.evaluate_within(-INFINITE, INFINITE)
    }

    /// Marks by what they are worth. Then the players take, in turn, the squares where most is at
    /// stake; as such moves interfere, that counts half.
    fn evaluate_within(&self, alpha: i16, beta: i16) -> i16 {
        let game = &self.game;
        let empty = game.empty();
        let [one, two, three] = at_least(empty);
        // The share of the empty squares that stay empty, in 256ths; squared, as those beside marks
        // are played on first.
        let squares = empty.len().max(1);
        let stay = squares.saturating_sub(game.plies_left.into()) * 256 / squares;
        let stay = (stay * stay / 256) as i32;
        let mut value = if self.fills { 0 } else { game.lead(!one) * POINT };
        let mut worth = POINT;
        let mut stakes = [Bitboard::EMPTY; 3];
        // Squares with one, two, and three or more empty squares on or beside them; of the empty ones
        // only those that are alone. At stake is what a mark there is worth with one fewer beside it:
        // half the difference between a move of the one and a move of the other.
        for set in [one & !two, two & !three & !empty, three & !empty] {
            for (place, digit) in stakes.iter_mut().rev().enumerate() {
                if (worth / UNIT) >> place & 1 == 1 {
                    *digit |= set;
                }
            }
            worth = (i32::from(worth) * stay / 256) as i16;
            if worth == 0 {
                break;
            }
            value += game.lead(set) * worth;
        }
        let (digits, mut half) = if self.fills { (1, POINT / 2) } else { (3, UNIT / 2) };
        let stakes = Numbers::around(&stakes[..digits]);
        let mut left = empty;
        let mut plies = u32::from(game.plies_left);
        while plies > 0 {
            let (squares, stake) = stakes.highest(left);
            // All that follows is worth no more than this.
            let with = value + stake * half;
            if stake == 0 || value.min(with) >= beta || value.max(with) <= alpha {
                return if value >= beta { value.min(with) } else { value.max(with) };
            }
            left &= !squares;
            let count = squares.len().min(plies);
            plies -= count;
            if count % 2 == 1 {
                value = with;
                half = -half;
            }
        }
        value
    }

    /// Of the last move the best is known without a search.
    fn bounds(&self, _: i16, _: i16) -> (i16, i16) {
        if self.game.plies_left != 1 || self.fills {
            return (-INFINITE, INFINITE);
        }
        let taken = Numbers::around(&[self.game.opponent]);
        let (_, most) = taken.highest(self.game.empty());
        let value = (self.game.lead(Bitboard::ALL) + 2 * most + 1) * POINT;
        (value, value)
    }

    fn final_value(&self) -> i16 {
        if self.fills { 0 } else { self.game.lead(Bitboard::ALL) * POINT }
    }

    fn hash(&self) -> u64 {
        if self.fills { mix(self.game.empty().bits()) } else { self.game.hash() }
    }

    fn index(square: Square) -> u8 {
        square.index()
    }
}

/// What the player to move is guessed to be ahead by from here on, in hundredths of a mark.
pub fn evaluate(game: &Adjacency) -> i16 {
    Marks::new(game).evaluate()
}

impl Adjacency {
    /// How many marks more the player to move has among these squares.
    #[inline(never)]
    fn lead(&self, among: Bitboard) -> i16 {
        (self.own & among).len() as i16 - (self.opponent & among).len() as i16
    }

    /// Whether no square stays empty.
    #[inline(never)]
    fn fills_the_board(&self) -> bool {
        self.empty().len() == u32::from(self.plies_left)
    }

    /// What the player to move is ahead by before the search: in a game that fills the board, marks
    /// that nobody can take any more.
    fn settled_lead(&self) -> i16 {
        if self.fills_the_board() { self.lead(!self.empty().neighbours()) } else { 0 }
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
        let position = Marks::new(self);
        let (left, fills, lead) = (self.plies_left, position.fills, self.settled_lead());
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
    /// Less than a point: among nearly equal moves by lot. Only in the first eight plies;
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
            return Some(Solution { score: self.lead(Bitboard::ALL), best: None });
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
    fn sums_around_squares_are_those_of_each_square() {
        let mut rng = Rng::new(6);
        let mut word = || u64::from(rng.next_u32());
        for _ in 0..300 {
            let worth = [(); 3].map(|()| Bitboard::from_bits(word() << 32 | word()));
            for digits in 0..=3 {
                let worth = &worth[..digits];
                let sums = Numbers::around(worth);
                for square in Bitboard::ALL {
                    let sum = worth.iter().fold(0, |sum, set| 2 * sum + count_around(*set, square));
                    assert_eq!(sums.highest(square.bitboard()), (square.bitboard(), sum));
                }
            }
        }
    }

    #[test]
    fn the_highest_of_a_set_come_together() {
        let sums = Numbers::around(&[!Bitboard::EMPTY]);
        let (inner, number) = sums.highest(Bitboard::ALL);
        assert_eq!((inner.len(), number), (36, 5));
        let (edge, number) = sums.highest(!inner);
        assert_eq!((edge.len(), number), (24, 4));
        assert_eq!(sums.highest(!inner & !edge), (Bitboard::CORNERS, 3));
    }

    /// The evaluation square by square.
    fn slow_value(game: &Adjacency) -> i16 {
        let (empty, plies) = (game.empty(), i32::from(game.plies_left()));
        let squares = empty.len() as i32;
        let stay = (squares - plies) * 256 / squares;
        let worth = |beside: i16| {
            (0..beside.min(3)).fold(i32::from(POINT), |worth, _| worth * (stay * stay / 256) / 256)
        };
        let near = |square| count_around(empty, square);
        let is_alone = |square| near(square) == 1;
        let mut value = 0;
        if squares > plies {
            for square in !empty {
                let sign = if game.own.contains(square) { 1 } else { -1 };
                value += sign * worth(near(square));
            }
        }
        let stake = |square: Square| -> i32 {
            let around = square.bitboard().neighbours().with(square);
            let counts = around.iter().filter(|near| !empty.contains(*near) || is_alone(*near));
            counts.map(|square| worth(near(square).min(3) - 1) / i32::from(UNIT)).sum()
        };
        let mut stakes: vec::Vec<i32> = empty.iter().map(stake).collect();
        stakes.sort_unstable_by_key(|stake| -stake);
        for pair in stakes[..plies as usize].chunks(2) {
            let ahead = pair[0] - pair.get(1).unwrap_or(&0);
            let (unit, units) = if squares == plies { (POINT / 2, 4) } else { (UNIT / 2, 1) };
            value += ahead / units * i32::from(unit);
        }
        value as i16
    }

    #[test]
    fn positions_are_worth_what_their_squares_are() {
        let mut rng = Rng::new(7);
        for _ in 0..2000 {
            let rounds = 2 + rng.below(27) as u8;
            let plies = 1 + rng.below(u32::from(rounds) * 2) as u8;
            let game = random_position(rounds, plies, &mut rng);
            assert_eq!(Marks::new(&game).evaluate(), slow_value(&game), "{game:?}");
        }
    }

    #[test]
    fn a_value_beyond_a_window_is_a_limit_of_the_true_one() {
        let mut rng = Rng::new(8);
        for _ in 0..2000 {
            let rounds = 2 + rng.below(27) as u8;
            let game = random_position(rounds, 1 + rng.below(8).min(3) as u8, &mut rng);
            let marks = Marks::new(&game);
            let value = marks.evaluate();
            for beta in value - 300..value + 300 {
                let limit = marks.evaluate_within(beta - 1, beta);
                let (low, high) = if value >= beta { (beta, value) } else { (value, beta - 1) };
                assert!((low..=high).contains(&limit), "{limit} for {value}, {beta}, {game:?}");
            }
        }
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
