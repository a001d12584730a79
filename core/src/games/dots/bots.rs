//! Dots and Boxes: the player of Nareswari (2024), minimax that tries moves in the order of the
//! chains they touch.

use crate::bots::{bots, deepen, greedy, meter, random};
use crate::engine::Thinking;
use crate::game::Game;
use crate::games::dots::{Dots, Line, MAX_BOXES, MAX_LINES, MAX_SIDE};
use crate::player::Player;
use crate::search::budget::Meter;
use heapless::Vec;

/// Plies that are looked ahead. The document names no depth.
const DEPTH: u8 = 3;

/// The most lines that are valued for a move, with the boxes of their chains; when they run out the
/// last iteration is left out. The document names no limit: this one is ours. It keeps a move below
/// two board seconds, and does not matter on boards of up to 5x5 boxes.
const VALUED: u32 = 75_000;

/// More than any number of boxes.
const INFINITE: i16 = 1000;

bots! {
    /// Who plays Dots and Boxes beside the search.
    Random "random" "plays any legal move, all equally likely"
    Greedy "greedy" "plays a move that gains the most points at once, breaking ties at random"
    ChainMinimax "chain-minimax" "looks three plies ahead, trying moves by the chains they touch"
    ChainMinimaxSeed "chain-minimax:seed" "chain-minimax that forgets that whoever closes a box moves again"
}

/// The bot's move; `None` when the game is over.
pub(super) fn choose(game: &Dots, bot: Bot, thinking: &mut Thinking<'_>) -> Option<Line> {
    match bot {
        Bot::Random => None,
        Bot::Greedy => greedy(game, thinking.rng),
        Bot::ChainMinimax => minimax(game, thinking, false),
        Bot::ChainMinimaxSeed => minimax(game, thinking, true),
    }
    .or_else(|| random(game, thinking.rng))
}

fn minimax(game: &Dots, thinking: &Thinking<'_>, published: bool) -> Option<Line> {
    let meter = meter(thinking, u64::MAX);
    let own = game.turn();
    let mut search = Search { meter, left: VALUED, own, published, depth: 0, best: None };
    deepen(DEPTH, |depth| {
        search.depth = depth;
        search.value(game, depth, true, -INFINITE, INFINITE);
        (search.best, !search.is_over())
    })
}

struct Search<'a> {
    meter: Meter<'a>,
    /// Of [`VALUED`].
    left: u32,
    /// Who the move is for.
    own: Player,
    published: bool,
    /// Of the iteration.
    depth: u8,
    best: Option<Line>,
}

impl Search<'_> {
    /// Counts a line. Not a position: on a large board those take too long between two looks at the
    /// clock.
    fn tick(&mut self) -> bool {
        if self.left == 0 || !self.meter.tick() {
            self.left = 0;
        } else {
            self.left -= 1;
        }
        !self.is_over()
    }

    fn is_over(&self) -> bool {
        self.left == 0
    }

    /// How many boxes the player is ahead.
    fn value(
        &mut self,
        game: &Dots,
        depth: u8,
        maximizing: bool,
        mut alpha: i16,
        mut beta: i16,
    ) -> i16 {
        if depth == 0 || game.is_over() || self.is_over() {
            return game.score(self.own) - game.score(self.own.other());
        }
        let mut values = [i8::MIN; MAX_LINES];
        let (mut low, mut high) = (i8::MAX, i8::MIN);
        game.for_each_move(|line| {
            if !self.tick() {
                return;
            }
            let value = if self.published { self.parity(game, line) } else { prospect(game, line) };
            self.left = self.left.saturating_sub(value.unsigned_abs().into());
            // What is worst for one is best for the other.
            let value = if maximizing || !self.published { value } else { -value };
            if let Some(noted) = values.get_mut(usize::from(line.index())) {
                *noted = value;
            }
            (low, high) = (low.min(value), high.max(value));
        });
        if self.is_over() {
            return 0;
        }
        for level in (low..=high).rev() {
            for (number, _) in values.iter().enumerate().filter(|(_, value)| **value == level) {
                let Some(line) = game.size().line(number as u8) else { break };
                let mut next = *game;
                next.play(line);
                // Published, the sides change with every line; by the rules who closes a box
                // moves again.
                let same = !self.published && next.turn() == game.turn();
                let value = self.value(&next, depth - 1, maximizing == same, alpha, beta);
                if self.is_over() {
                    return value;
                }
                if maximizing && value > alpha {
                    alpha = value;
                    if depth == self.depth {
                        self.best = Some(line);
                    }
                } else if !maximizing && value < beta {
                    beta = value;
                }
                if beta <= alpha {
                    return value;
                }
            }
        }
        if maximizing { alpha } else { beta }
    }

    /// The published value of a move: the boxes with three sides that hang together with those
    /// beside the line are good if their number is odd for the first player, even for the second.
    fn parity(&self, game: &Dots, line: Line) -> i8 {
        let length = chain(game, line, 3);
        let odd = length % 2 != 0;
        if odd == (self.own == Player::FIRST) { length } else { -length }
    }
}

/// What a line leads to: boxes it takes, with the chain behind them, or the chain it opens.
fn prospect(game: &Dots, line: Line) -> i8 {
    let mut boxes = game.size().boxes_beside(line);
    let takes = boxes.any(|(row, column)| sides(game, row, column) == 3);
    let length = chain(game, line, 2);
    if takes { 1 + length } else { -length }
}

fn sides(game: &Dots, row: u8, column: u8) -> usize {
    game.size().sides(row, column).iter().filter(|side| game.is_drawn(**side)).count()
}

/// How many boxes with exactly so many drawn sides hang together with those beside a line: those
/// with two through open lines, as chains do; those with three side by side.
#[inline(never)]
fn chain(game: &Dots, line: Line, wanted: usize) -> i8 {
    let size = game.size();
    let mut found: Vec<(u8, u8), MAX_BOXES> = Vec::new();
    let mut seen = [0u16; MAX_SIDE as usize];
    let mut next = 0;
    let mut from = Some(line);
    while let Some(through) = from {
        for (row, column) in size.boxes_beside(through) {
            let Some(seen) = seen.get_mut(usize::from(row)) else { continue };
            if *seen >> column & 1 == 0 && sides(game, row, column) == wanted {
                *seen |= 1 << column;
                // Each box is found once, so it has room.
                let _ = found.push((row, column));
            }
        }
        // Four sides of each box that was found, one after the other.
        from = None;
        while let (None, Some(&(row, column))) = (from, found.get(next / 4)) {
            let side = size.sides(row, column)[next % 4];
            from = (wanted == 3 || !game.is_drawn(side)).then_some(side);
            next += 1;
        }
    }
    found.len() as i8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dots::Size;
    use crate::mix::Rng;

    fn after(rows: u8, columns: u8, moves: &str) -> Dots {
        let mut game = Dots::new(Size::new(rows, columns).unwrap());
        moves.split(' ').for_each(|text| game.play(game.parse_move(text).unwrap()));
        game
    }

    fn line(game: &Dots, text: &str) -> Line {
        game.parse_move(text).unwrap()
    }

    /// ```text
    /// +---+---+---+
    ///             |
    /// +---+---+---+
    /// ```
    #[test]
    fn a_chain_is_counted_along_its_open_lines() {
        let game = after(1, 3, "0,0-0,1 0,1-0,2 0,2-0,3 1,0-1,1 1,1-1,2 1,2-1,3 0,3-1,3");
        let prospect = |text| prospect(&game, line(&game, text));
        assert_eq!(prospect("0,2-1,2"), 3, "takes the right box, with two more behind it");
        assert_eq!(prospect("0,0-1,0"), -2, "opens the two at the left");
    }

    #[test]
    fn the_published_value_looks_for_three_sides_and_their_number() {
        let game = after(1, 3, "0,0-0,1 0,1-0,2 0,2-0,3 1,0-1,1 1,1-1,2 1,2-1,3 0,3-1,3");
        let meter = Meter::new(crate::search::budget::Budget::UNLIMITED);
        let mut search = Search {
            meter,
            left: VALUED,
            own: Player::FIRST,
            published: true,
            depth: 1,
            best: None,
        };
        assert_eq!(search.parity(&game, line(&game, "0,2-1,2")), 1, "one box: odd, good");
        assert_eq!(search.parity(&game, line(&game, "0,0-1,0")), 0);
        search.own = Player::SECOND;
        assert_eq!(search.parity(&game, line(&game, "0,2-1,2")), -1);
    }

    #[test]
    fn who_closes_a_box_is_known_to_move_again() {
        // Two boxes can be taken in a row; the published search gives the second away in thought.
        let game = after(1, 3, "0,0-0,1 0,1-0,2 0,2-0,3 1,0-1,1 1,1-1,2 1,2-1,3 0,3-1,3");
        let rng = &mut Rng::new(1);
        let thinking = Thinking::for_tests(rng);
        assert_eq!(minimax(&game, &thinking, false), Some(line(&game, "0,2-1,2")));
    }
}
