//! Local search over the squares, and over lines of moves.

use super::beside;
use crate::bitboard::Bitboard;
use crate::bots::count;
use crate::game::Game;
use crate::games::adjacency::Adjacency;
use crate::mix::Rng;
use crate::player::Player;
use crate::search::budget::Meter;
use crate::square::Square;

/// Any square of a set.
#[inline(never)]
fn any(set: Bitboard, rng: &mut Rng) -> Option<Square> {
    set.iter().nth(rng.below(set.len()) as usize)
}

/// What a mark here takes from the opponent.
fn taken(game: &Adjacency, square: Square) -> i32 {
    beside(square, game.marks(game.turn().other()))
}

/// The square that takes most, the last of equal ones.
fn most(candidates: impl Iterator<Item = Square>, value: impl Fn(Square) -> i32) -> Option<Square> {
    candidates.max_by_key(|square| value(*square))
}

/// Steepest ascent: the first of the best squares.
pub(super) fn steepest(game: &Adjacency) -> Option<Square> {
    game.empty().iter().min_by_key(|square| core::cmp::Reverse(taken(game, *square)))
}

/// The move generator that the document describes as `addHeuristicMove`, with
/// `countAdjacentOpponentMarkers`: the square beside most enemies. Its code is not printed. That of
/// `addBestMove`, which took its place, begins with a random move and goes over the squares in
/// reading order; so the first of equal squares is played, and a random one (`None`) if no square
/// is beside an enemy.
pub(super) fn most_adjacent(game: &Adjacency) -> Option<Square> {
    steepest(game).filter(|square| taken(game, *square) > 0)
}

/// Bitboard that the stochastic search looks at. The document says that it has a limit, not which.
const TRIES: u32 = 10;

/// The best of a few squares picked at random.
pub(super) fn stochastic(game: &Adjacency, rng: &mut Rng) -> Option<Square> {
    let tries = (0..TRIES).filter_map(|_| any(game.empty(), rng));
    most(tries, |square| taken(game, square))
}

/// The published sideways search counts O less X whichever side it plays, and forgets the mark
/// itself: it plays beside the most X, and anywhere if there are none.
pub(super) fn sideways_as_published(game: &Adjacency, rng: &mut Rng) -> Option<Square> {
    let value = |square| beside(square, game.marks(Player::FIRST));
    let best = game.empty().iter().map(value).max()?;
    let ties = game.empty().iter().filter(|square| value(*square) == best);
    any(ties.collect(), rng)
}

/// Temperatures in 1/65536 marks: where annealing begins and ends.
const HOT: u32 = 100 << 16;
const COLD: u32 = 1 << 16;
/// The temperature falls by so many hundredths in a step. (Published was a fall *to* them, which
/// takes two steps in all.)
const COOLING: u32 = 3;

/// Whether a loss of so much is put up with: always if it is none, else with a chance of e to the
/// power of `-loss / temperature`.
fn accepts(loss: i32, temperature: u32, rng: &mut Rng) -> bool {
    /// 65536 / e^(k/4), for k up to 24: beyond, the chance is below 1 in 400.
    const POWERS: [u32; 25] = [
        65536, 51039, 39750, 30957, 24109, 18776, 14623, 11388, 8869, 6907, 5380, 4190, 3263, 2541,
        1979, 1541, 1200, 935, 728, 567, 442, 344, 268, 209, 162,
    ];
    let quarters = ((loss.max(0) as u32) << 18) / temperature.max(1);
    rng.next_u32() >> 16 < POWERS.get(quarters as usize).copied().unwrap_or(0)
}

/// Simulated annealing: wanders from square to square, to a worse one with a chance that falls with
/// the temperature.
pub(super) fn anneal(game: &Adjacency, rng: &mut Rng, meter: &mut Meter<'_>) -> Option<Square> {
    let mut current = any(game.empty(), rng)?;
    let mut temperature = HOT;
    while temperature > COLD && meter.tick() {
        let next = any(game.empty(), rng)?;
        // A mark taken counts for one side and against the other.
        let loss = 2 * (taken(game, current) - taken(game, next));
        if accepts(loss, temperature, rng) {
            current = next;
        }
        temperature -= temperature / 100 * COOLING;
    }
    Some(current)
}

/// Published: two steps, any square whether empty or not, O less X for either side without the
/// mark itself, and the worse of two preferred. `None` when it ends on a square that is taken.
pub(super) fn anneal_as_published(game: &Adjacency, rng: &mut Rng) -> Option<Square> {
    let value = |square| beside(square, game.marks(Player::FIRST));
    let mut current = any(Bitboard::ALL, rng)?;
    for temperature in [HOT, HOT / 100 * COOLING] {
        let next = any(Bitboard::ALL, rng)?;
        let gain = 2 * (value(next) - value(current));
        if accepts(gain, temperature, rng) {
            current = next;
        }
    }
    game.empty().contains(current).then_some(current)
}

/// Moves in a line, own and the opponent's in turn.
const LENGTH: usize = 5;
/// Lines to breed from.
const LINES: usize = 20;
/// Pairs that are bred; each has two children.
const PAIRS: u32 = 200;
/// With fewer empty squares the published program moves at random.
const FEW: i32 = 10;
/// Lines that the published program throws away in a row before it takes one that loses. There it
/// has no end: it hangs when O is behind.
const PATIENCE: u32 = 1000;

/// A line of different empty squares.
#[derive(Clone, Copy)]
struct Line {
    moves: [Square; LENGTH],
    length: usize,
}

impl Line {
    /// The line with any other square for those that occur twice.
    fn repaired(
        empty: Bitboard,
        mut moves: [Square; LENGTH],
        length: usize,
        rng: &mut Rng,
    ) -> Option<Self> {
        let mut free = empty;
        for square in moves.iter_mut().take(length) {
            if !free.contains(*square) {
                *square = any(free, rng)?;
            }
            free.remove(*square);
        }
        Some(Self { moves, length })
    }

    fn random(empty: Bitboard, length: usize, rng: &mut Rng) -> Option<Self> {
        // All but the first of five equal squares are replaced.
        Self::repaired(empty, [any(empty, rng)?; LENGTH], length, rng)
    }

    fn squares(&self) -> impl Iterator<Item = Square> {
        self.moves.into_iter().take(self.length)
    }

    /// One move becomes any square that is not in the line.
    fn mutate(&mut self, at: usize, empty: Bitboard, rng: &mut Rng) {
        let used: Bitboard = self.squares().collect();
        if let (Some(square), Some(mv)) = (any(empty & !used, rng), self.moves.get_mut(at)) {
            *mv = square;
        }
    }

    /// How far the player to move is ahead after the line.
    fn fitness(&self, game: &Adjacency) -> i32 {
        let mut after = *game;
        self.squares().for_each(|square| after.play(square));
        let own = game.turn();
        count(after.marks(own)) - count(after.marks(own.other()))
    }
}

/// Breeds lines of moves once: parents by roulette wheel, the first moves of one with the last of
/// the other, one move changed. Plays the first move of the fittest child.
pub(super) fn breed(game: &Adjacency, rng: &mut Rng, meter: &mut Meter<'_>) -> Option<Square> {
    let empty = game.empty();
    let length = LENGTH.min(usize::from(game.plies_left()));
    let mut pool = [Line::random(empty, length, rng)?; LINES];
    let mut fitness = [0; LINES];
    for (line, fitness) in pool.iter_mut().zip(&mut fitness) {
        *line = Line::random(empty, length, rng)?;
        *fitness = line.fitness(game);
    }
    // A wheel needs shares above 0.
    let lowest = fitness.iter().copied().min().unwrap_or(0);
    let shares = fitness.map(|fitness| (fitness - lowest + 1) as u32);
    let all = shares.iter().sum();
    let spin = |rng: &mut Rng| {
        let mut at = rng.below(all);
        let stop = shares.iter().position(|&share| match at.checked_sub(share) {
            Some(rest) => {
                at = rest;
                false
            }
            None => true,
        });
        stop.unwrap_or(0)
    };
    let mut best: Option<(i32, Square)> = None;
    for _ in 0..PAIRS {
        if !meter.tick() {
            break;
        }
        let parents = [pool[spin(rng)], pool[spin(rng)]];
        let cut = rng.below(length as u32) as usize;
        let changed = rng.below(length as u32) as usize;
        for [first, second] in [parents, [parents[1], parents[0]]] {
            let mut moves = second.moves;
            moves.iter_mut().zip(first.moves).take(cut).for_each(|(to, mv)| *to = mv);
            let mut child = Line::repaired(empty, moves, length, rng)?;
            child.mutate(changed, empty, rng);
            let fitness = child.fitness(game);
            if best.is_none_or(|(highest, _)| fitness > highest) {
                best = Some((fitness, child.moves[0]));
            }
        }
    }
    best.map(|(_, square)| square)
}

/// Published: whole-number division makes the wheel all zeros, so both parents are the first line;
/// the highest fitness is never kept, so the last child is played; O moves first in every line.
/// What is left is the first line that does not lose for O, with one move changed at random.
pub(super) fn breed_as_published(
    game: &Adjacency,
    rng: &mut Rng,
    meter: &mut Meter<'_>,
) -> Option<Square> {
    let empty = game.empty();
    if count(empty) < FEW {
        return any(empty, rng);
    }
    let for_o = game.with_turn(Player::SECOND);
    let mut line = Line::random(empty, LENGTH, rng)?;
    for _ in 0..PATIENCE {
        if line.fitness(&for_o) > 0 || !meter.tick() {
            break;
        }
        line = Line::random(empty, LENGTH, rng)?;
    }
    line.mutate(rng.below(LENGTH as u32) as usize, empty, rng);
    Some(line.moves[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::budget::Budget;

    fn at(text: &str) -> Square {
        Square::parse(text).unwrap()
    }

    #[test]
    fn steepest_takes_the_first_of_the_best_squares() {
        // X begins; O has the four squares at the top right: only f2 and g3, f1, h3 touch one.
        let game = Adjacency::default();
        assert_eq!(steepest(&game), Some(at("f1")));
        assert_eq!(taken(&game, at("f1")), 1);
        assert_eq!(taken(&game, at("a1")), 0);
    }

    #[test]
    fn most_adjacent_counts_enemies_and_has_no_choice_without_any() {
        // X to move: c1, c3 and f3 are beside three marks of O's each.
        let rows = ["-O-O--OO", "--O---OO", "-O-OO-O-", "---O-O--", "--------", "--------"];
        let text = rows.concat() + "XX------XX------ X 8";
        let game = Adjacency::default().parse_position(&text).unwrap();
        assert_eq!(["c1", "c3", "f3"].map(|square| taken(&game, at(square))), [3; 3]);
        assert_eq!(most_adjacent(&game), Some(at("c1")));
        // Every square beside O's marks is X's.
        let rows = ["-----XOO", "-----XOO", "------XX"];
        let text = rows.concat() + &"-".repeat(24) + "XX------XX------ X 8";
        let game = Adjacency::default().parse_position(&text).unwrap();
        assert_eq!(most_adjacent(&game), None);
        assert_eq!(steepest(&game), Some(at("a1")));
    }

    #[test]
    fn the_published_bot_plays_beside_x_with_either_side() {
        let game = Adjacency::default();
        for seed in 0..20 {
            let square = sideways_as_published(&game, &mut Rng::new(seed)).unwrap();
            assert!(beside(square, game.marks(Player::FIRST)) > 0, "{square} is its own side");
        }
    }

    #[test]
    fn a_smaller_loss_is_put_up_with_more_often() {
        let mut rng = Rng::new(1);
        let mut often = |loss, temperature| {
            (0..4000).filter(|_| accepts(loss, temperature, &mut rng)).count() as i32
        };
        assert_eq!(often(0, COLD), 4000);
        assert_eq!(often(-2, COLD), 4000);
        // e^-1 is 0.368, e^-2 is 0.135; four standard deviations are about 120.
        assert!((often(1, COLD) - 1472).abs() < 120);
        assert!((often(2, COLD) - 541).abs() < 90);
        assert!(often(8, HOT) > 3500, "e^-0.08, rounded to quarters");
    }

    #[test]
    fn lines_have_different_empty_squares() {
        let game = Adjacency::default();
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let mut line = Line::random(game.empty(), LENGTH, &mut rng).unwrap();
            line.mutate(2, game.empty(), &mut rng);
            let set: Bitboard = line.squares().collect();
            assert_eq!(set.len(), 5);
            assert!((set & !game.empty()).is_empty());
        }
    }

    #[test]
    fn fitness_is_the_lead_after_the_line() {
        let game = Adjacency::default();
        // X f1 takes g1, O e1 takes f1: X 5, O 5; then X a6, O a5 (takes a6), X a4 (takes a5, not
        // more): 7 to 6.
        let moves = ["f1", "e1", "a6", "a5", "a4"].map(at);
        let line = Line { moves, length: 5 };
        assert_eq!(line.fitness(&game), {
            let mut after = game;
            moves.iter().for_each(|square| after.play(*square));
            i32::from(after.score(Player::FIRST)) - i32::from(after.score(Player::SECOND))
        });
        assert_eq!(Line { moves, length: 1 }.fitness(&game), 3, "6 to 3");
    }

    #[test]
    fn breeding_beats_chance_and_the_published_kind_hardly_does() {
        type Breed = fn(&Adjacency, &mut Rng, &mut Meter<'_>) -> Option<Square>;
        let wins = |breed: Breed| {
            let mut meter = Meter::new(Budget::UNLIMITED);
            let mut rng = Rng::new(11);
            let mut wins = 0;
            for number in 0..200 {
                let bred = Player::new(number % 2).unwrap();
                let mut game = Adjacency::default();
                while !game.is_over() {
                    let mv = if game.turn() == bred {
                        breed(&game, &mut rng, &mut meter)
                    } else {
                        any(game.empty(), &mut rng)
                    };
                    game.play(mv.unwrap());
                }
                wins += u32::from(game.score(bred) > game.score(bred.other()));
            }
            wins
        };
        let (bred, published) = (wins(breed), wins(breed_as_published));
        assert!(bred >= 160, "{bred} of 200");
        assert!(published < 130, "{published} of 200");
    }
}
