//! Blokus: the strategies of a Liverpool dissertation (COMP390, 2022/23), and LeakyAI of Cai, Aldi
//! and Renatan with the brute force that it was measured against.

mod finish;
mod leaky;
mod rank;
mod view;

use core::ops::Range;

use crate::bots::{bots, greedy, meter, random};
use crate::choice::Best;
use crate::engine::Thinking;
use crate::game::Game;
use crate::games::blokus::{Blokus, Move, PIECES, Piece, Placement};
use crate::player::Player;
use crate::search::budget::Meter;
use view::View;

/// What the strategies need of a game, whatever the size of its board.
trait Moves {
    /// Visits the placements of the player to move.
    fn for_each(&self, visit: &mut dyn FnMut(Placement));
    /// How many placements a player has after one.
    fn count_after(&self, placement: Placement, player: Player) -> i16;
    /// How many a player has in these rows, and how many after one.
    fn count_in(&self, player: Player, rows: Range<u8>) -> i16;
    fn count_in_after(&self, placement: Placement, player: Player, rows: Range<u8>) -> i16;
    /// The most squares that the player to move could cover after a placement if nobody else moved.
    fn alone_after(&self, placement: Placement, meter: &mut Meter<'_>) -> i16;
}

impl<const PLAYERS: usize, const WORDS: usize> Moves for Blokus<PLAYERS, WORDS> {
    fn for_each(&self, visit: &mut dyn FnMut(Placement)) {
        self.for_each_placement(self.pieces_left(self.turn()), visit);
    }

    fn count_after(&self, placement: Placement, player: Player) -> i16 {
        let mut after = *self;
        after.play(Move::Place(placement));
        after.count_placements(player) as i16
    }

    fn count_in(&self, player: Player, rows: Range<u8>) -> i16 {
        self.count_placements_in(player, rows) as i16
    }

    fn count_in_after(&self, placement: Placement, player: Player, rows: Range<u8>) -> i16 {
        let mut after = *self;
        after.play(Move::Place(placement));
        after.count_placements_in(player, rows) as i16
    }

    fn alone_after(&self, placement: Placement, meter: &mut Meter<'_>) -> i16 {
        let mut after = *self;
        after.play(Move::Place(placement));
        finish::alone(&after.with_turn(self.turn()), meter)
    }
}

bots! {
    /// Who plays Blokus beside the search.
    Random "random" "plays any legal move, each as likely as the others"
    Largest "largest" "plays the largest piece that fits, at a random place"
    Corridors "corridors" "goes through gaps between pieces that touch at a corner, else as largest"
    Corners "corners" "keeps most corners to play at"
    MaxMoves "max-moves" "keeps most moves of its own"
    MinMoves "min-moves" "leaves the opponents fewest moves"
    MaxMin "max-min" "keeps own moves and takes the opponents', in balance"
    Influence "influence" "keeps free squares near its own corners and takes the opponents'"
    InfluencePlus "influence-plus" "keeps free squares near its own corners"
    Hybrid "hybrid" "ranks moves by all of these, weighted by the round; searches the finish"
    Phases "phases" "adds up blocking, own moves, size and influence, weighted by the phase"
    BruteForce "brute-force" "tries the largest pieces first and takes the first fit"
    Leaky "leaky" "heads for the others' corners and slips through leaks into open areas"
    CornersSeed "corners:seed" "corners that looks at twenty of many equal moves"
    MaxMovesSeed "max-moves:seed" "max-moves that looks at twenty of many equal moves"
    MinMovesSeed "min-moves:seed" "min-moves that looks at twenty of many equal moves"
    MaxMinSeed "max-min:seed" "max-min that looks at twenty of many equal moves"
    InfluenceSeed "influence:seed" "influence that also counts its own squares against itself"
    HybridSeed "hybrid:seed" "hybrid with influence:seed, lists cut at twenty, a short finish"
    LeakySeed "leaky:seed" "leaky that carries each leak's value on to all later squares"
}

/// The bot's move; `None` when the game is over. On its own, so that the search, which is called
/// beside it, does not have its stack too.
#[inline(never)]
pub(super) fn play<const PLAYERS: usize, const WORDS: usize>(
    game: &Blokus<PLAYERS, WORDS>,
    bot: Bot,
    thinking: &mut Thinking<'_>,
) -> Option<Move> {
    // Who has missed a turn never moves again, so the round is one more than the pieces placed.
    let left = game.pieces_left(game.turn()).bits().count_ones() as u8;
    let round = PIECES as u8 + 1 - left;
    if bot == Bot::Largest {
        return greedy(game, thinking.rng);
    }
    if PLAYERS == 2
        && round > rank::LAST_RANKED_ROUND
        && matches!(bot, Bot::Hybrid | Bot::HybridSeed)
    {
        let depth = if bot == Bot::Hybrid { u8::MAX } else { PIECES as u8 - round };
        let found = finish::optimal(game, depth, &mut meter(thinking, finish::NODES));
        if found.is_some() {
            return found;
        }
    }
    choose(bot, round, &View::new(game), game, thinking)
        .map(Move::Place)
        .or_else(|| random(game, thinking.rng))
}

/// The move of a bot that goes through all moves; `None` of any other.
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
            // The first place, row by row, of the largest pieces; among equally large ones of the
            // last in the list.
            let piece = placement.orientation.piece().index() as i32;
            let place = i32::from(placement.y) * 32 + i32::from(placement.x);
            (piece * 1024 - place) * 128 - placement.orientation.index() as i32
        }),
        Bot::Leaky | Bot::LeakySeed => leaky::choose(view, moves, bot == Bot::LeakySeed, meter),
        _ => rank::choose(bot, round, view, moves, thinking, meter),
    }
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

/// The squares of a placement's piece.
fn size(placement: Placement) -> i16 {
    let piece: Piece = placement.orientation.piece();
    piece.size().into()
}
