//! Othello: the game of Handayani, Arisandi and Sitompul (2012), which values squares by their
//! place and searches with negamax and alpha-beta to a fixed depth.

use crate::bitboard::Bitboard;
use crate::bots::{bots, count, greedy, meter, random};
use crate::engine::Thinking;
use crate::game::Game;
use crate::games::othello::{Move, Othello, flips, moves};
use crate::search::budget::Meter;
use crate::square::Square;

/// Plies that `positional` looks ahead. The document names no depth.
const DEPTH: u8 = 4;

const CORNERS: Bitboard = Bitboard::CORNERS;
/// The twelve squares beside corners, diagonally too.
const NEAR_CORNERS: Bitboard = Bitboard::from_bits(0x42c3_0000_0000_c342);

/// More than any value.
const INFINITE: i32 = 1_000_000;

bots! {
    /// Who plays Othello beside the search.
    Random "random" "plays any legal move, all equally likely"
    Greedy "greedy" "plays a move that gains the most points at once, breaking ties at random"
    Positional "positional" "looks four plies ahead, with values for corners and their neighbours"
    PositionalAdaptive "positional-adaptive" "positional that likes squares beside its own corners"
    PositionalSeed "positional:seed" "looks one ply ahead, on a board where nothing has been turned over"
}

/// The bot's move; `None` when the game is over.
pub(super) fn choose(game: &Othello, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Move> {
    match bot {
        Bot::Random => None,
        Bot::Greedy => greedy(game, thinking.rng),
        Bot::Positional | Bot::PositionalAdaptive => {
            let adaptive = bot == Bot::PositionalAdaptive;
            let mut search = Search { meter: meter(thinking, u64::MAX), adaptive, best: None };
            let own = game.discs(game.turn());
            let other = game.discs(game.turn().other());
            search.value(own, other, DEPTH, -INFINITE, INFINITE);
            search.best.map(Move::Disc)
        }
        // The opponent's smallest value; the first found wins ties.
        Bot::PositionalSeed => {
            game.targets().iter().min_by_key(|square| example_value(game, *square)).map(Move::Disc)
        }
    }
    .or_else(|| random(game, thinking.rng))
}

/// The squares beside these corners, diagonally too.
fn beside(corners: Bitboard) -> Bitboard {
    let row = corners | corners.left() | corners.right();
    (row | row.up() | row.down()) & NEAR_CORNERS
}

/// The values of a side's squares: a corner 2000, beside a corner -300, any other 10. The document
/// calls 300 a loss and prints it without a sign.
///
/// It also asks for values that adapt, since the squares beside a corner are dangerous early and
/// can be good late, but has none. `adaptive` is our reading: such a square costs 300 only while
/// its corner is empty, is worth 300 when the corner is one's own, and 10 when it is the opponent's.
#[inline(never)]
fn places(own: Bitboard, other: Bitboard, adaptive: bool) -> i32 {
    let (good, bad) = if adaptive {
        (beside(own & CORNERS), beside(CORNERS & !(own | other)))
    } else {
        (Bitboard::EMPTY, NEAR_CORNERS)
    };
    let [corners, good, bad] = [CORNERS, good, bad].map(|set| count(own & set));
    let others = count(own) - corners - good - bad;
    corners * 2000 + (good - bad) * 300 + others * 10
}

/// The legal moves. Not inlined: on a board they take long code.
#[inline(never)]
const fn targets(own: Bitboard, other: Bitboard) -> Bitboard {
    moves(own, other)
}

/// The document's formula for the side to move: places, 100 for each move, 10 for each disc that
/// it is ahead.
fn evaluate(own: Bitboard, other: Bitboard, adaptive: bool) -> i32 {
    let mobility = count(targets(own, other));
    let discs = count(own) - count(other);
    let places = places(own, other, adaptive) - places(other, own, adaptive);
    places + mobility * 100 + discs * 10
}

struct Search<'a> {
    meter: Meter<'a>,
    /// Whether the values of squares adapt to the corners.
    adaptive: bool,
    /// The best move so far at the root.
    best: Option<Square>,
}

impl Search<'_> {
    fn value(
        &mut self,
        own: Bitboard,
        other: Bitboard,
        depth: u8,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let legal = targets(own, other);
        if legal.is_empty() && targets(other, own).is_empty() {
            // A won game is worth more than any place.
            let ahead = count(own) - count(other);
            return ahead * 10 + ahead.signum() * 100_000;
        }
        if depth == 0 || !self.meter.tick() {
            return evaluate(own, other, self.adaptive);
        }
        if legal.is_empty() {
            return -self.value(other, own, depth - 1, -beta, -alpha);
        }
        for square in legal {
            let turned = flips(square, own, other);
            let next = (own | turned).with(square);
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
    let mover = game.discs(game.turn()).with(square);
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
        Square::from_index(index.into()).unwrap()
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
        let black = [20, 27, 28, 36].map(|index| disc(mirrored(index))).into_iter().collect();
        assert_eq!(game.discs(crate::player::Player::FIRST), black);
        game
    }

    fn replies(game: &Othello) -> Vec<u8> {
        let mut replies: Vec<u8> =
            game.targets().iter().map(|square| mirrored(square.index())).collect();
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
        choose(game, bot, &mut Thinking::for_tests(rng))
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
        let places = |set| places(set, Bitboard::EMPTY, false);
        assert_eq!(places(CORNERS), 8000);
        assert_eq!(places(NEAR_CORNERS), -3600);
        assert_eq!(places(disc(27).bitboard().with(disc(28))), 20);
        // The start for black: two discs each, four moves.
        let start = Othello::START;
        let own = start.discs(start.turn());
        let other = start.discs(start.turn().other());
        assert_eq!(evaluate(own, other, false), 400);
        assert_eq!(evaluate(own, other, true), 400);
    }

    #[test]
    fn adaptive_places_depend_on_the_owner_of_the_corner() {
        let set = |squares: &str| -> Bitboard {
            squares.split_ascii_whitespace().filter_map(Square::parse).collect()
        };
        let places = |own, other| places(set(own), set(other), true);
        assert_eq!(places("b1 b2", ""), -600, "a1 is empty");
        assert_eq!(places("b1 b2", "a1"), 20, "a1 is lost already");
        assert_eq!(places("a1 b1 b2", ""), 2600);
        assert_eq!(places("a1 b2 g2", ""), 2000 + 300 - 300, "h1 is still empty");
        assert_eq!(places("a1 a2 c3", "h1 g1"), 2000 + 300 + 10);
        let near: Bitboard = NEAR_CORNERS;
        assert_eq!(beside(CORNERS), near);
        assert_eq!(beside(set("a8")), set("a7 b7 b8"));
    }

    /// O has the corner a8 and can play beside it or on f8.
    #[test]
    fn the_adaptive_bot_plays_beside_its_own_corner() {
        let rows = ["-OOOO-OO", "OOOOXOOO", "XOXXXOOO", "XXXOOOOO", "XXXXXOOO", "XXOXXOOO"];
        let text = rows.concat() + "-OXXOXO-OOOOO-XO O";
        let game = Othello::START.parse_position(&text).unwrap();
        let played = |bot| match ask(&game, bot) {
            Some(Move::Disc(square)) => std::format!("{square}"),
            other => panic!("{other:?}"),
        };
        assert_eq!(played(Bot::Positional), "f8");
        assert_eq!(played(Bot::PositionalAdaptive), "a7");
    }

    #[test]
    fn a_free_corner_is_taken() {
        // X can take a1, which turns b2.
        let board = ["--------", "-O------", "--X-----", "---OX---", "---XO---"].concat();
        let text = board + &"-".repeat(24) + " X";
        let game = Othello::START.parse_position(&text).unwrap();
        assert_eq!(ask(&game, Bot::Positional), Some(Move::Disc(disc(0))));
        assert_eq!(ask(&game, Bot::PositionalAdaptive), Some(Move::Disc(disc(0))));
    }
}
