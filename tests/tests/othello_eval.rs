//! The evaluation of Othello against simpler ones, by games.

use corvid_core::bitboard::Bitboard;
use corvid_core::game::Game;
use corvid_core::games::othello::tuning::{Evaluate, Large, Small, Weighted, Weights, blend_into};
use corvid_core::games::othello::{Move, Othello, flips, moves};
use corvid_core::mix::Rng;
use corvid_core::square::Square;

/// Who has more discs.
struct Discs;

impl Evaluate for Discs {
    fn evaluate(&self, own: Bitboard, opponent: Bitboard) -> i16 {
        100 * (own.len() as i16 - opponent.len() as i16)
    }
}

/// The table of square values that textbooks give, for a quarter of the board.
struct SquareValues;

impl Evaluate for SquareValues {
    fn evaluate(&self, own: Bitboard, opponent: Bitboard) -> i16 {
        const VALUES: [[i16; 4]; 4] =
            [[100, -20, 10, 5], [-20, -50, -2, -2], [10, -2, -1, -1], [5, -2, -1, -1]];
        let value = |square: Square| {
            let fold = |place: u8| usize::from(place.min(7 - place));
            VALUES[fold(square.index() / 8)][fold(square.index() % 8)]
        };
        own.iter().map(value).sum::<i16>() - opponent.iter().map(value).sum::<i16>()
    }
}

/// Learnt weights, blended for every number of empty squares.
struct Learnt(Vec<Vec<i8>>, fn(&[i8]) -> Weights<'_>);

impl Learnt {
    /// The small table, which the LM3S6965 has.
    fn small() -> Self {
        Self::blended::<Small>(|weights| Weights::Small(weights))
    }

    /// The large table.
    fn large() -> Self {
        Self::blended::<Large>(|weights| Weights::Large(weights))
    }

    fn blended<L: Weighted>(weights: fn(&[i8]) -> Weights<'_>) -> Self {
        let blended = |empty| {
            let mut memory = vec![0; L::BLENDED];
            blend_into::<L>(&mut memory, L::learnt(), empty);
            memory
        };
        Self((0..=60).map(blended).collect(), weights)
    }
}

impl Evaluate for Learnt {
    fn evaluate(&self, own: Bitboard, opponent: Bitboard) -> i16 {
        let empty = (!(own | opponent)).len() as usize;
        self.1(&self.0[empty]).evaluate(own, opponent)
    }
}

fn final_score(own: Bitboard, opponent: Bitboard) -> i32 {
    6400 * (own.len() as i32 - opponent.len() as i32).signum()
}

fn search(
    evaluation: &dyn Evaluate,
    own: Bitboard,
    opponent: Bitboard,
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    let targets = moves(own, opponent);
    if targets.is_empty() && moves(opponent, own).is_empty() {
        return final_score(own, opponent);
    }
    if depth == 0 {
        return evaluation.evaluate(own, opponent).into();
    }
    if targets.is_empty() {
        return -search(evaluation, opponent, own, depth - 1, -beta, -alpha);
    }
    for square in targets {
        let flipped = flips(square, own, opponent);
        let (next_own, next_opponent) = (opponent ^ flipped, own ^ flipped ^ square.bitboard());
        alpha = alpha.max(-search(evaluation, next_own, next_opponent, depth - 1, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// The first best move of a search four plies deep.
fn choose(evaluation: &dyn Evaluate, game: &Othello) -> Move {
    let (own, opponent) = (game.discs(game.turn()), game.discs(game.turn().other()));
    let mut best = (i32::MIN, Move::Pass);
    for square in game.targets() {
        let flipped = flips(square, own, opponent);
        let (next_own, next_opponent) = (opponent ^ flipped, own ^ flipped ^ square.bitboard());
        let score = -search(evaluation, next_own, next_opponent, 3, -10_000, 10_000);
        if score > best.0 {
            best = (score, Move::Disc(square));
        }
    }
    best.1
}

/// Ten random plies.
fn opening(rng: &mut Rng) -> Othello {
    let mut game = Othello::START;
    for _ in 0..10 {
        let mut legal = Vec::new();
        game.for_each_move(|mv| legal.push(mv));
        if let Some(mv) = legal.get(rng.below(legal.len() as u32) as usize) {
            game.play(*mv);
        }
    }
    game
}

/// The share of 100 games that the first wins, draws counting half, in hundredths. Every opening
/// is played with both colours.
fn match_of(first: &dyn Evaluate, second: &dyn Evaluate) -> i32 {
    let mut rng = Rng::new(1);
    let mut points = 0;
    for _ in 0..50 {
        let start = opening(&mut rng);
        for first_moves in [true, false] {
            let mut game = start;
            let first_player = if first_moves { game.turn() } else { game.turn().other() };
            while !game.is_over() {
                let player = if game.turn() == first_player { first } else { second };
                game.play(choose(player, &game));
            }
            let ahead = game.score(first_player) - game.score(first_player.other());
            points += 1 + i32::from(ahead.signum());
        }
    }
    points / 2
}

#[track_caller]
fn beats(first: &dyn Evaluate, second: &dyn Evaluate) {
    let percent = match_of(first, second);
    println!("{percent} %");
    assert!(percent >= 85, "{percent} %");
}

#[test]
fn both_tables_beat_counting_discs() {
    beats(&Learnt::small(), &Discs);
    beats(&Learnt::large(), &Discs);
}

#[test]
fn both_tables_beat_a_table_of_square_values() {
    beats(&Learnt::small(), &SquareValues);
    beats(&Learnt::large(), &SquareValues);
}
