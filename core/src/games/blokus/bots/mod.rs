//! Blokus: the strategies of a Liverpool dissertation (COMP390, 2022/23), and LeakyAI of Cai, Aldi
//! and Renatan with the brute force that it was measured against. `alpha-beta` is our own.

mod alpha_beta;
mod finish;
mod leaky;
mod rank;
mod view;

use core::any::Any;
use core::ops::Range;

use crate::bots::{bots, meter, random};
use crate::choice::Best;
use crate::engine::Thinking;
use crate::game::Game;
use crate::games::blokus::{Blokus, Move, Orientation, PIECES, Piece, PieceSet, Placement};
use crate::mix::Rng;
use crate::player::Player;
use crate::search::budget::Meter;
use view::View;

/// What the strategies need of a game, whatever the size of its board.
trait Moves {
    /// The pieces that the player to move has left.
    fn pieces(&self) -> PieceSet;
    /// Visits the placements of the player to move.
    fn for_each(&self, visit: &mut dyn FnMut(Placement));
    /// How many placements a player has after one.
    fn count_after(&self, placement: Placement, player: Player) -> i16;
    /// How many of those that the player to move has after one cover a square.
    fn count_over_after(&self, placement: Placement, square: (u8, u8)) -> i16;
    /// How many a player has in these rows, and how many after one.
    fn count_in(&self, player: Player, rows: Range<u8>) -> i16;
    fn count_in_after(&self, placement: Placement, player: Player, rows: Range<u8>) -> i16;
    /// The most squares that the player to move could cover after a placement if nobody else moved.
    fn alone_after(&self, placement: Placement, meter: &mut Meter<'_>) -> i16;
}

impl<const PLAYERS: usize, const WORDS: usize> Moves for Blokus<PLAYERS, WORDS> {
    fn pieces(&self) -> PieceSet {
        self.pieces_left(self.turn())
    }

    fn for_each(&self, visit: &mut dyn FnMut(Placement)) {
        self.for_each_placement(self.pieces_left(self.turn()), visit);
    }

    fn count_after(&self, placement: Placement, player: Player) -> i16 {
        after(self, placement).count_placements(player) as i16
    }

    fn count_over_after(&self, placement: Placement, square: (u8, u8)) -> i16 {
        let mut count = 0;
        Moves::for_each(&after(self, placement).with_turn(self.turn()), &mut |placement| {
            count += i16::from(placement.cells().any(|cell| cell == square));
        });
        count
    }

    fn count_in(&self, player: Player, rows: Range<u8>) -> i16 {
        self.count_placements_in(player, rows) as i16
    }

    fn count_in_after(&self, placement: Placement, player: Player, rows: Range<u8>) -> i16 {
        after(self, placement).count_placements_in(player, rows) as i16
    }

    fn alone_after(&self, placement: Placement, meter: &mut Meter<'_>) -> i16 {
        finish::alone(&after(self, placement).with_turn(self.turn()), meter)
    }
}

/// The position after a placement.
#[inline(never)]
fn after<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    placement: Placement,
) -> Blokus<PLAYERS, WORDS> {
    let mut after = *game;
    after.play(Move::Place(placement));
    after
}

bots! {
    /// Who plays Blokus beside the search.
    Random "random" "picks a piece that fits at random, then any place for it"
    Largest "largest" "picks one of the largest pieces that fit at random, then any place for it"
    Corridors "corridors" "goes through gaps between pieces that touch at a corner, else plays as largest"
    Corners "corners" "keeps the most corners to play at"
    MaxMoves "max-moves" "keeps the most moves for itself"
    MinMoves "min-moves" "leaves the opponents the fewest moves"
    MaxMin "max-min" "keeps its own moves and takes the opponents', in balance"
    Influence "influence" "keeps free squares near its own corners and takes the opponents'"
    InfluencePlus "influence-plus" "keeps free squares near its own corners"
    Hybrid "hybrid" "ranks moves by five aims and size, weighted by the round; searches the finish"
    HybridAggressive "hybrid-aggressive" "hybrid that at first blocks twice as much and ignores its own moves"
    Mix "mix" "ranks moves by influence, corridors and size"
    Phases "phases" "adds up blocking, its own moves, size and influence, weighted by the phase"
    BruteForce "brute-force" "tries the largest pieces first and takes the first fit"
    LeakyCentre "leaky-centre" "heads for the centre, then for the quarter where it has the least"
    Leaky "leaky" "heads for the others' corners and for open areas behind leaks; our design"
    CornersSeed "corners:seed" "corners that looks at twenty of many equal moves"
    MaxMovesSeed "max-moves:seed" "max-moves that counts moves over one corner in its first round"
    MinMovesSeed "min-moves:seed" "min-moves that looks at twenty of many equal moves"
    MaxMinSeed "max-min:seed" "max-min that counts its own moves over one corner in its first round"
    InfluenceSeed "influence:seed" "influence that also counts its own squares against itself"
    HybridSeed "hybrid:seed" "hybrid of influence:seed and max-moves:seed, with a short finish"
    LeakySeed "leaky:seed" "LeakyAI as printed: plays at the last leaky square, else far from home"
    // From here on, bots of Blokus Duo alone.
    AlphaBeta "alpha-beta" "searches 2 pieces ahead at first, up to 6 late, for points and squares in reach"
}

/// The bot's move; `None` when the game is over. On its own, so that the search, which is called
/// beside it, does not have its frame on the stack.
#[inline(never)]
pub(super) fn play<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    bot: Bot,
    thinking: &mut Thinking<'_>,
) -> Option<Move> {
    // Who has missed a turn never moves again, so the round is one more than the pieces placed.
    let left = game.pieces_left(game.turn()).bits().count_ones() as u8;
    let round = PIECES as u8 + 1 - left;
    if PLAYERS == 2 && round > rank::LAST_RANKED_ROUND && rank::is_hybrid(bot) {
        let depth = if bot == Bot::HybridSeed { PIECES as u8 - round } else { u8::MAX };
        let found = finish::optimal(game, depth, &mut meter(thinking, finish::NODES));
        if found.is_some() {
            return found;
        }
    }
    // None in Blokus Classic, whose list doesn't have this bot.
    if let (Bot::AlphaBeta, Some(game)) = (bot, (game as &dyn Any).downcast_ref()) {
        let meter = &mut meter(thinking, alpha_beta::NODES);
        let found = alpha_beta::choose(game, meter, thinking.rng);
        return found.map(Move::Place).or_else(|| random(game, thinking.rng));
    }
    choose_in_view(game, bot, round, thinking)
        .map(Move::Place)
        .or_else(|| random(game, thinking.rng))
}

/// As [`choose`]. On its own, so that the searches above don't have the view on the stack.
#[inline(never)]
fn choose_in_view<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    bot: Bot,
    round: u8,
    thinking: &mut Thinking<'_>,
) -> Option<Placement> {
    choose(bot, round, &View::new(game), game, thinking)
}

/// The bot's move; `None` if none fits. One that finds nothing to its liking, or is stopped, plays as
/// `largest`.
#[inline(never)]
fn choose(
    bot: Bot,
    round: u8,
    view: &View,
    moves: &dyn Moves,
    thinking: &mut Thinking<'_>,
) -> Option<Placement> {
    let meter = &mut meter(thinking, u64::MAX);
    match bot {
        Bot::BruteForce => first(moves, meter, &mut |placement| {
            let (x, y) = placement.cells().next().unwrap_or_default();
            trial(placement, i32::from(y) * 32 + i32::from(x))
        }),
        Bot::Random => None,
        Bot::Leaky => leaky::choose(view, moves, meter),
        Bot::LeakyCentre => leaky::centre::choose(view, moves, meter),
        Bot::LeakySeed => leaky::seed::choose(view, moves, meter),
        _ => rank::choose(bot, round, view, moves, thinking, meter),
    }
    .or_else(|| piece_first(moves, bot != Bot::Random, thinking.rng))
}

/// A piece that fits, each as likely as the others or only the largest, and any placement of it.
fn piece_first(moves: &dyn Moves, largest: bool, rng: &mut Rng) -> Option<Placement> {
    let mut fitting = PieceSet::EMPTY;
    moves.for_each(&mut |placement| fitting = fitting.with(placement.orientation.piece()));
    let mut best = Best::new();
    let mut chosen = None;
    for piece in fitting.iter() {
        if best.takes(if largest { piece.size().into() } else { 0 }, rng) {
            chosen = Some(piece);
        }
    }
    let mut best = Best::new();
    let mut placed = None;
    moves.for_each(&mut |placement| {
        if Some(placement.orientation.piece()) == chosen && best.takes(0, rng) {
            placed = Some(placement);
        }
    });
    placed
}

/// The first of the moves with the highest value, of those that were looked at before a stop.
fn first(
    moves: &dyn Moves,
    meter: &mut Meter<'_>,
    value: &mut dyn FnMut(Placement) -> i32,
) -> Option<Placement> {
    let mut best: Option<(i32, Placement)> = None;
    moves.for_each(&mut |placement| {
        if !meter.tick() {
            return;
        }
        let value = value(placement);
        if best.is_none_or(|(highest, _)| value > highest) {
            best = Some((value, placement));
        }
    });
    best.map(|(_, placement)| placement)
}

/// The contest's rotations in the order in which a piece is tried: turned four times, mirrored, and
/// turned four times. The document turns before it tries, and its `[x][y]` matrices turn
/// counter-clockwise; how they lie at first is open, and here it is mirrored.
const TURNS: [u8; 8] = [3, 5, 7, 1, 6, 4, 2, 0];

/// The higher, the earlier the document's programs try a placement: the largest pieces first, those
/// of one size from the straight one on, as the contest lists them; then by `place`, below 1024;
/// then by [`TURNS`].
///
/// The document doesn't say which of twelve large pieces comes first. In this order a Brute Force
/// player ends with -50 or less, as in the document's Table 4, in 15 % of the games that
/// `corvid reproduce S0-19-readings` compares; in the reversed one, in none.
fn trial(placement: Placement, place: i32) -> i32 {
    let piece = placement.orientation.piece();
    let lies = |turn: &u8| {
        Orientation::from_code(piece, *turn).is_some_and(|(lie, _)| lie == placement.orientation)
    };
    let turn = TURNS.iter().position(lies).unwrap_or(0) as i32;
    ((i32::from(piece.size()) * 32 - piece.index() as i32) * 1024 - place) * 8 - turn
}

/// The squares of a placement's piece.
fn size(placement: Placement) -> i16 {
    let piece: Piece = placement.orientation.piece();
    piece.size().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::blokus::Duo;

    fn place(game: &Duo, bot: Bot, seed: u64) -> Placement {
        let rng = &mut Rng::new(seed);
        match play(game, bot, &mut Thinking::for_tests(rng)) {
            Some(Move::Place(placement)) => placement,
            other => panic!("{other:?}"),
        }
    }

    fn opening(bot: Bot, seed: u64) -> Piece {
        place(&Duo::default(), bot, seed).orientation.piece()
    }

    /// 413 first placements, one of them the single square: drawn by piece it opens one game in 21,
    /// drawn by placement it would one in 413.
    #[test]
    fn random_and_largest_draw_the_piece_before_its_place() {
        let counts = |bot| {
            let mut counts = [0; PIECES];
            (0..4200).for_each(|seed| counts[opening(bot, seed).index()] += 1);
            counts
        };
        // 200 each; five standard deviations are 69.
        let random = counts(Bot::Random);
        assert!(random.iter().all(|count| (131..269).contains(count)), "{random:?}");
        // 350 each of the twelve pieces of five squares; five standard deviations are 90.
        let largest = counts(Bot::Largest);
        for piece in PieceSet::ALL.iter() {
            let expected = if piece.size() == 5 { 260..440 } else { 0..1 };
            assert!(expected.contains(&largest[piece.index()]), "{largest:?}");
        }
    }

    /// The one behaviour that the dissertation reports of it, and which its formula doesn't have:
    /// counted truly, the X leaves the most moves.
    #[test]
    fn published_max_moves_opens_with_the_single_square() {
        for seed in 0..10 {
            assert_eq!(opening(Bot::MaxMovesSeed, seed).size(), 1);
            assert_eq!(opening(Bot::MaxMoves, seed).size(), 5);
            let mut game = Duo::default();
            game.play(Move::Place(place(&game, Bot::Largest, seed)));
            let second = place(&game, Bot::MaxMovesSeed, seed);
            assert_eq!(second.orientation.piece().size(), 1, "as second player too");
        }
        let start = Duo::default();
        let mut most = [0; 2];
        Moves::for_each(&start, &mut |placement| {
            let piece = placement.orientation.piece();
            let corner = View::new(&start).after(placement).corners(start.turn()).top_right();
            let over = start.count_over_after(placement, corner.unwrap());
            let single = usize::from(piece.size() == 1);
            most[single] = over.max(most[single]);
            if single == 1 {
                assert_eq!(start.count_after(placement, start.turn()), 496);
            }
        });
        assert_eq!(most[1], 125, "over one corner of the single square");
        assert!(most[0] <= 124, "over one of any other: {most:?}");
    }
}
