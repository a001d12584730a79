//! Blokus: the strategies of a Liverpool dissertation (COMP390, 2022/23), and LeakyAI of Cai, Aldi
//! and Renatan with the brute force that it was measured against.

mod finish;
mod leaky;
mod rank;
mod view;

use core::ops::Range;

use super::{Best, Bot, Bots, Meter, greedy, meter, random};
use crate::engine::Thinking;
use crate::game::Game;
use crate::games::blokus::{Blokus, Move, PIECES, Piece, Placement};
use crate::player::Player;
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

impl<const PLAYERS: usize, const WORDS: usize> Bots for Blokus<PLAYERS, WORDS> {
    /// On its own, so that the search, which is called beside it, does not have its stack too.
    #[inline(never)]
    fn bot_move(&self, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Move> {
        // Who has missed a turn never moves again, so the round is one more than the pieces placed.
        let left = self.pieces_left(self.turn()).bits().count_ones() as u8;
        let round = PIECES as u8 + 1 - left;
        if bot == Bot::Largest {
            return greedy(self, thinking.rng);
        }
        if PLAYERS == 2
            && round > rank::LAST_RANKED_ROUND
            && matches!(bot, Bot::Hybrid | Bot::HybridSeed)
        {
            let depth = if bot == Bot::Hybrid { u8::MAX } else { PIECES as u8 - round };
            let found = finish::optimal(self, depth, &mut meter(thinking, finish::NODES));
            if found.is_some() {
                return found;
            }
        }
        choose(bot, round, &View::new(self), self, thinking)
            .map(Move::Place)
            .or_else(|| random(self, thinking.rng))
    }
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
