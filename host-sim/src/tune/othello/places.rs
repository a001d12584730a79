//! Where the weights of a layout are, and which of them a position adds up.

use corvid_core::bitboard::Bitboard;
use corvid_core::games::othello::moves;
use corvid_core::games::othello::tuning::{Layout, MOST_MOVES, OTHERS, Shape, image, is_new};

/// The symmetries of the board.
const SYMMETRIES: u8 = 8;

/// A shape on some squares of the board.
#[derive(Debug)]
struct Pattern {
    /// The place of the weight of empty squares.
    centre: usize,
    /// The squares in the order of their digits, the lowest first.
    squares: Vec<u8>,
}

/// The places of a layout's weights, in the order of the file.
#[derive(Debug)]
pub(super) struct Places {
    patterns: Vec<Pattern>,
    /// For each place the lowest one that says the same: a pattern that a symmetry maps to itself
    /// has the same weight after it.
    same: Vec<u16>,
    /// Where the weights begin that every layout has.
    others: usize,
    /// For each square the patterns that it is in, and what its digit counts.
    parts: Vec<Vec<(usize, i16)>>,
}

impl Places {
    pub(super) fn of<L: Layout>() -> Self {
        Self::new(L::SHAPES)
    }

    fn new(shapes: &[Shape]) -> Self {
        let mut places =
            Self { patterns: vec![], same: vec![], others: 0, parts: vec![vec![]; 64] };
        shapes.iter().for_each(|shape| places.add(shape));
        places.others = places.same.len();
        places.same.extend((places.others..places.others + OTHERS).map(|place| place as u16));
        for (index, pattern) in places.patterns.iter().enumerate() {
            let mut counts = 1;
            for square in &pattern.squares {
                places.parts[usize::from(*square)].push((index, counts));
                counts *= 3;
            }
        }
        places
    }

    fn add(&mut self, shape: Shape) {
        let (begin, entries) = (self.same.len(), 3usize.pow(shape.len() as u32));
        let mut turned = Vec::new();
        for symmetry in 0..SYMMETRIES {
            let squares: Vec<u8> = shape.iter().map(|square| image(*square, symmetry)).collect();
            if is_new(shape, symmetry) {
                self.patterns.push(Pattern { centre: begin + entries / 2, squares });
            } else if let Some(order) = order_in(&squares, shape) {
                turned.push(order);
            }
        }
        let digit = |entry: usize, at: usize| entry / 3usize.pow(at as u32) % 3;
        for entry in 0..entries {
            let images = turned.iter().map(|order| {
                (0..shape.len()).map(|at| digit(entry, order[at]) * 3usize.pow(at as u32)).sum()
            });
            let lowest = images.fold(entry, usize::min);
            self.same.push((begin + lowest) as u16);
        }
    }

    /// The weights of a phase.
    pub(super) fn size(&self) -> usize {
        self.same.len()
    }

    /// The weights that a position adds up.
    pub(super) fn width(&self) -> usize {
        self.patterns.len() + 3
    }

    /// The place whose weight counts for this one.
    pub(super) fn same(&self, place: usize) -> usize {
        usize::from(self.same[place])
    }

    /// The places of a position's weights.
    pub(super) fn of_position(&self, own: Bitboard, opponent: Bitboard) -> Vec<usize> {
        let numbers = self.numbers(own, opponent);
        let patterns = (self.patterns.iter().zip(numbers))
            .map(|(pattern, number)| pattern.centre.wrapping_add_signed(number.into()));
        patterns.chain(self.others(own, opponent)).collect()
    }

    /// The numbers that the discs on each pattern make.
    pub(super) fn numbers(&self, own: Bitboard, opponent: Bitboard) -> Vec<i16> {
        let mut numbers = vec![0; self.patterns.len()];
        self.put(&mut numbers, own, 1);
        self.put(&mut numbers, opponent, -1);
        numbers
    }

    /// Changes the digits of these squares.
    pub(super) fn put(&self, numbers: &mut [i16], squares: Bitboard, by: i16) {
        for square in squares {
            for (pattern, counts) in &self.parts[usize::from(square.index())] {
                numbers[*pattern] += by * counts;
            }
        }
    }

    /// The sum of the patterns' weights, for the player whose discs have this sign.
    pub(super) fn sum(&self, numbers: &[i16], sign: i16, weights: &[f32]) -> f32 {
        let place = |(pattern, number): (&Pattern, &i16)| {
            weights[pattern.centre.wrapping_add_signed((sign * number).into())]
        };
        self.patterns.iter().zip(numbers).map(place).sum()
    }

    /// The places of the weights that every layout has: of both players' choice of moves, and of
    /// an even or odd number of empty squares.
    pub(super) fn others(&self, own: Bitboard, opponent: Bitboard) -> [usize; 3] {
        let choice = |of: Bitboard, against| (moves(of, against).len() as usize).min(MOST_MOVES);
        let odd = (own | opponent).len() as usize % 2;
        [
            self.others + choice(own, opponent),
            self.others + MOST_MOVES + 1 + choice(opponent, own),
            self.others + 2 * (MOST_MOVES + 1) + odd,
        ]
    }
}

/// Where each of the squares is in the shape; `None` if one of them isn't.
fn order_in(squares: &[u8], shape: Shape) -> Option<Vec<usize>> {
    squares.iter().map(|square| shape.iter().position(|other| other == square)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use corvid_core::choice::random;
    use corvid_core::game::Game;
    use corvid_core::games::othello::Othello;
    use corvid_core::games::othello::tuning::{
        Evaluate, Large, Small, Weighted, Weights, blend_into,
    };
    use corvid_core::mix::Rng;

    /// Calls `check` with positions of random games.
    fn with_positions(mut check: impl FnMut(Bitboard, Bitboard)) {
        for seed in 0..20 {
            let (mut game, mut rng) = (Othello::START, Rng::new(seed));
            while let Some(mv) = random(&game, &mut rng) {
                // Who must pass is not guessed.
                if !game.targets().is_empty() {
                    check(game.discs(game.turn()), game.discs(game.turn().other()));
                }
                game.play(mv);
            }
        }
    }

    #[test]
    fn guesses_are_those_of_the_engine() {
        let [small, large] = [Places::of::<Small>(), Places::of::<Large>()];
        assert_eq!((small.size(), large.size()), (Small::SIZE, Large::SIZE));
        with_positions(|own, opponent| {
            for near_or_far in 0..2 {
                let weights = [Small::learnt()[near_or_far], Large::learnt()[near_or_far]];
                let (mut small_blend, mut large_blend) = ([0; Small::BLENDED], [0; Large::BLENDED]);
                blend_into::<Small>(&mut small_blend, [weights[0]; 2], 30);
                blend_into::<Large>(&mut large_blend, [weights[1]; 2], 30);
                let engine = [Weights::Small(&small_blend), Weights::Large(&large_blend)];
                for ((places, weights), engine) in [&small, &large].iter().zip(weights).zip(engine)
                {
                    let places = places.of_position(own, opponent);
                    let sum: i32 = places.iter().map(|place| i32::from(weights[*place])).sum();
                    let guess = (sum * 25 / 2).clamp(-6399, 6399) as i16;
                    assert_eq!(guess, engine.evaluate(own, opponent));
                }
            }
        });
    }

    #[test]
    fn a_position_and_its_mirror_images_add_up_the_same() {
        let places = Places::of::<Large>();
        let sorted = |own, opponent| {
            let mut same: Vec<_> =
                places.of_position(own, opponent).into_iter().map(|at| places.same(at)).collect();
            same.sort_unstable();
            same
        };
        let turned = |set: Bitboard, symmetry| {
            let moved = set.iter().map(|square| 1 << image(square.index(), symmetry));
            Bitboard::from_bits(moved.sum())
        };
        with_positions(|own, opponent| {
            for symmetry in 1..SYMMETRIES {
                let image = (turned(own, symmetry), turned(opponent, symmetry));
                assert_eq!(sorted(own, opponent), sorted(image.0, image.1), "{own:?} {opponent:?}");
            }
        });
    }

    #[test]
    fn numbers_are_kept_up_and_change_their_sign_with_the_sides() {
        let places = Places::of::<Small>();
        let weights: Vec<f32> = (0..places.size()).map(|place| place as f32).collect();
        with_positions(|own, opponent| {
            let numbers = places.numbers(own, opponent);
            let other = places.numbers(opponent, own);
            assert_eq!(places.sum(&numbers, -1, &weights), places.sum(&other, 1, &weights));
            let mut kept = numbers.clone();
            places.put(&mut kept, own, -2);
            places.put(&mut kept, opponent, 2);
            assert_eq!(kept, other);
        });
    }
}
