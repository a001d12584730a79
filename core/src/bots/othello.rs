//! Othello: the game of Handayani, Arisandi and Sitompul (2012), which values squares by their
//! place and searches with negamax and alpha-beta to a fixed depth.

use super::{Bot, Bots, Meter, count, greedy, meter, random};
use crate::engine::Thinking;
use crate::game::Game;
use crate::games::othello::{Move, Othello, flips, moves};
use crate::square::{Square, Squares, squares};

/// Plies that `positional` looks ahead. The document names no depth.
const DEPTH: u8 = 4;

const CORNERS: Squares = 0x8100_0000_0000_0081;
/// The twelve squares beside corners, diagonally too.
const NEAR_CORNERS: Squares = 0x42c3_0000_0000_c342;

/// More than any value.
const INFINITE: i32 = 1_000_000;

impl Bots for Othello {
    fn bot_move(&self, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Move> {
        match bot {
            Bot::Greedy => greedy(self, thinking.rng),
            Bot::Positional => {
                let mut search = Search { meter: meter(thinking, u64::MAX), best: None };
                let own = self.discs(self.turn());
                let other = self.discs(self.turn().other());
                search.value(own, other, DEPTH, -INFINITE, INFINITE);
                search.best.map(Move::Disc)
            }
            // The opponent's smallest value; the first found wins ties.
            Bot::PositionalSeed => squares(self.targets())
                .min_by_key(|square| example_value(self, *square))
                .map(Move::Disc),
            _ => None,
        }
        .or_else(|| random(self, thinking.rng))
    }
}

/// The values of the squares of a set: a corner 2000, beside a corner -300, any other 10. The
/// document calls 300 a loss and prints it without a sign.
const fn places(set: Squares) -> i32 {
    let corners = count(set & CORNERS);
    let near = count(set & NEAR_CORNERS);
    let others = count(set) - corners - near;
    corners * 2000 - near * 300 + others * 10
}

/// The legal moves. Not inlined: on a board they take long code.
#[inline(never)]
const fn targets(own: Squares, other: Squares) -> Squares {
    moves(own, other)
}

/// The document's formula for the side to move: places, 100 for each move, 10 for each disc that
/// it is ahead.
const fn evaluate(own: Squares, other: Squares) -> i32 {
    let mobility = count(targets(own, other));
    let discs = count(own) - count(other);
    places(own) - places(other) + mobility * 100 + discs * 10
}

struct Search<'a> {
    meter: Meter<'a>,
    /// The best move so far at the root.
    best: Option<Square>,
}

impl Search<'_> {
    fn value(&mut self, own: Squares, other: Squares, depth: u8, mut alpha: i32, beta: i32) -> i32 {
        let legal = targets(own, other);
        if legal == 0 && targets(other, own) == 0 {
            // A won game is worth more than any place.
            let ahead = count(own) - count(other);
            return ahead * 10 + ahead.signum() * 100_000;
        }
        if depth == 0 || !self.meter.tick() {
            return evaluate(own, other);
        }
        if legal == 0 {
            return -self.value(other, own, depth - 1, -beta, -alpha);
        }
        for square in squares(legal) {
            let turned = flips(square, own, other);
            let next = own | turned | square.bit();
            let value = -self.value(other & !turned, next, depth - 1, -beta, -alpha);
            if value > alpha && !self.meter.is_over() {
                alpha = value;
                if depth == DEPTH {
                    self.best = Some(square);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
}

/// What the document's Table 1 says about a move: its formula for the side that moves next, on a
/// board with the new disc on it but nothing turned over yet, one legal move too many, and no
/// places.
pub fn example_value(game: &Othello, square: Square) -> i32 {
    let mover = game.discs(game.turn()) | square.bit();
    let next = game.discs(game.turn().other());
    let mobility = count(targets(next, mover)) + 1;
    let discs = count(next) - count(mover);
    mobility * 100 + discs * 10
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::Rng;
    use std::vec::Vec;

    fn disc(index: u8) -> Square {
        Square::first_of(1 << index).unwrap()
    }

    /// The document's start has the colours the other way round than ours, so its squares are
    /// mirrored: its black begins on 27 and 36.
    const fn mirrored(index: u8) -> u8 {
        index ^ 7
    }

    /// The document's Figure 3: black has played 20; white is to move.
    fn example() -> Othello {
        let mut game = Othello::START;
        game.play(Move::Disc(disc(mirrored(20))));
        let black = [20, 27, 28, 36].map(mirrored).iter().fold(0, |set, at| set | 1 << at);
        assert_eq!(game.discs(crate::player::Player::FIRST), black);
        game
    }

    fn replies(game: &Othello) -> Vec<u8> {
        let mut replies: Vec<u8> =
            squares(game.targets()).map(|square| mirrored(square.index())).collect();
        replies.sort_unstable();
        replies
    }

    /// Table 1 and Figure 4, all 17 moves.
    #[test]
    fn the_worked_example_comes_out() {
        let game = example();
        /// A move and its value.
        type Valued = (u8, i32);
        let table: [(Valued, &[Valued]); 3] = [
            ((19, 720), &[(10, 690), (18, 790), (26, 890), (34, 790), (42, 690)]),
            ((21, 620), &[(22, 690), (29, 690), (34, 690), (43, 690)]),
            ((37, 620), &[(42, 590), (43, 690), (44, 790), (45, 690), (46, 590)]),
        ];
        assert_eq!(replies(&game), table.map(|((white, _), _)| white));
        for ((white, value), blacks) in table {
            let white = disc(mirrored(white));
            assert_eq!(example_value(&game, white), value);
            let mut after = game;
            after.play(Move::Disc(white));
            assert_eq!(replies(&after), blacks.iter().map(|(black, _)| *black).collect::<Vec<_>>());
            for (black, value) in blacks {
                assert_eq!(example_value(&after, disc(mirrored(*black))), *value, "{black}");
            }
        }
    }

    fn ask(game: &Othello, bot: Bot) -> Option<Move> {
        let rng = &mut Rng::new(1);
        let mut thinking = Thinking { memory: &mut [], rng, clock: &|| 0, micros: 0, stop: None };
        game.bot_move(bot, &mut thinking)
    }

    /// Of -720, -620 and -620 the document takes the first of the best.
    #[test]
    fn the_first_of_equal_moves_is_played() {
        let game = example();
        assert_eq!(example_value(&game, disc(mirrored(37))), 620);
        assert_eq!(ask(&game, Bot::PositionalSeed), Some(Move::Disc(disc(mirrored(21)))));
    }

    #[test]
    fn places_are_worth_what_the_document_says() {
        assert_eq!(places(CORNERS), 8000);
        assert_eq!(places(NEAR_CORNERS), -3600);
        assert_eq!(places(1 << 27 | 1 << 28), 20);
        // The start for black: two discs each, four moves.
        let start = Othello::START;
        let own = start.discs(start.turn());
        assert_eq!(evaluate(own, start.discs(start.turn().other())), 400);
    }

    #[test]
    fn a_free_corner_is_taken() {
        // X can take a1, which turns b2.
        let board = ["--------", "-O------", "--X-----", "---OX---", "---XO---"].concat();
        let text = board + &"-".repeat(24) + " X";
        let game = Othello::START.parse_position(&text).unwrap();
        assert_eq!(ask(&game, Bot::Positional), Some(Move::Disc(disc(0))));
    }
}
