//! LeakyAI: heads out of its corner, and slips through leaks between enemy pieces into open areas.
//!
//! The document describes flood fill, leaky squares, the largest piece at a square, a board of
//! heuristic values and an aggressive mode, but the figures with the values and the paragraph on
//! the mode are lost. They are designed here:
//! - The heuristic board is 1 at the own start square and rises to 10 where the others begin, which
//!   is the document's second plan, 'reach the other players' areas'.
//! - A flood of four steps from the squares to play at, as far as a piece goes, tells how much room
//!   a player has. It makes its own large and the others' small.
//! - Once a piece of its own stands on a 10, the mode is on: the others' room and the squares at
//!   which they could play next count for more.
//!
//! The weights were tuned against three brute-force players.

use super::view::{Set, View, cells};
use super::{Meter, Moves, Placement, first, size};
use crate::player::Player;

/// What is worth how much: a square of the piece, a corner to play at, a square of own room, a
/// square at which another could have played, and a square of the others' room; the last two also
/// in aggressive mode.
const SIZE: i32 = 37;
const CORNER: i32 = 5;
const ROOM: i32 = 4;
const BLOCK: [i32; 2] = [3, 5];
const THEIR_ROOM: [i32; 2] = [2, 5];

/// What a leak is worth.
const LEAK: i32 = 30;
/// The squares of an area that is worth going to: six large pieces. (The document takes any that is
/// larger than one.)
const OPEN_AREA: i16 = 30;

/// The move; published, what leaks are worth is never set back to 0 from square to square.
pub(super) fn choose(
    view: &View,
    moves: &dyn Moves,
    published: bool,
    meter: &mut Meter<'_>,
) -> Option<Placement> {
    let own = view.turn;
    let leaks = leaks(view);
    let mode = usize::from(is_out(view));
    let mut targets = Set::EMPTY;
    view.opponents().for_each(|player| targets.add(&view.corners(player)));
    // No randomness: the first of equal moves.
    first(moves, meter, &mut |placement| {
        let mut place = 0;
        let mut blocked = 0;
        for (x, y) in placement.cells() {
            let mut worth = heuristic(view, x, y);
            if leaks.has(x, y) {
                let carried = if published { leaks.count_before(x, y).into() } else { 0 };
                worth += LEAK * (1 + carried);
            }
            place = worth.max(place);
            blocked += i32::from(targets.has(x, y));
        }
        let after = view.after(placement);
        let corners = i32::from(after.corners(own).count());
        let room = |player: Player| i32::from(after.reach(player).count());
        let theirs: i32 = view.opponents().map(room).sum();
        i32::from(size(placement)) * SIZE
            + corners * CORNER
            + room(own) * ROOM
            + place
            + blocked * BLOCK[mode]
            - theirs * THEIR_ROOM[mode]
    })
}

/// The heuristic board: 1 at the start of the player to move, 10 as far away as another start.
fn heuristic(view: &View, x: u8, y: u8) -> i32 {
    let distance = view.start.0.abs_diff(x).max(view.start.1.abs_diff(y));
    (1 + 9 * i32::from(distance) / i32::from(view.far)).min(10)
}

/// Whether a piece of the player to move stands where the heuristic board has a 10.
fn is_out(view: &View) -> bool {
    let own = view.squares(view.turn);
    cells(view.side).any(|(x, y)| own.has(x, y) && heuristic(view, x, y) == 10)
}

/// The leaky squares from which an open area can be flooded. A square is leaky when it is free and
/// enemies stand on two sides of it that meet at a corner.
fn leaks(view: &View) -> Set {
    let mut enemies = Set::EMPTY;
    view.opponents().for_each(|player| enemies.add(view.squares(player)));
    let leaky = enemies.nooks().cut(&view.free);
    let mut leaks = Set::EMPTY;
    let mut seen = Set::EMPTY;
    for (x, y) in cells(view.side) {
        if leaky.has(x, y) && !seen.has(x, y) {
            let mut area = Set::EMPTY;
            area.insert(x, y);
            let area = area.flooded(&view.free, u32::MAX);
            seen.add(&area);
            if area.count() >= OPEN_AREA {
                leaks.add(&leaky.cut(&area));
            }
        }
    }
    leaks
}

#[cfg(test)]
mod tests {
    use super::super::{Bot, play as play_bot};
    use super::*;
    use crate::engine::Thinking;
    use crate::game::Game;
    use crate::games::blokus::{Classic, StartRule};
    use crate::mix::Rng;

    #[test]
    fn the_heuristic_board_rises_from_the_own_corner_to_the_others() {
        let view = View::new(&Classic::new(StartRule::Own));
        let values = [(0, 0), (3, 0), (10, 10), (19, 0), (0, 19), (19, 19)];
        assert_eq!(values.map(|(x, y)| heuristic(&view, x, y)), [1, 2, 5, 10, 10, 10]);
        assert!(!is_out(&view));
    }

    /// ```text
    ///     s t
    /// 20  . Y
    /// 19  Y Y
    /// ```
    #[test]
    fn a_leak_has_enemies_on_two_sides_that_meet() {
        let mut game = Classic::new(StartRule::Own);
        for text in ["a20", "t20,t19,s19", "t1", "a1"] {
            game.play(game.parse_move(text).unwrap());
        }
        let leaks = leaks(&View::new(&game));
        // s20 lies left of t20 and above s19.
        assert!(leaks.has(18, 0), "and the area around is open");
        assert_eq!(leaks.count(), 1);
    }

    fn play(leaky: usize) -> [i16; 4] {
        let mut game = Classic::new(StartRule::Own);
        while !game.is_over() {
            let bot = if game.turn().index() == leaky { Bot::Leaky } else { Bot::BruteForce };
            let rng = &mut Rng::new(1);
            let mv = play_bot(&game, bot, &mut Thinking::for_tests(rng)).unwrap();
            game.play(mv);
        }
        core::array::from_fn(|seat| game.score(Player::new(seat).unwrap()))
    }

    /// The document's Table 4: first, with all pieces placed, from the first seat; and first from
    /// the others too.
    #[test]
    fn it_wins_against_three_brute_force_players() {
        for seat in 0..4 {
            let scores = play(seat);
            let best_of_others =
                (0..4).filter(|other| *other != seat).map(|other| scores[other]).max();
            assert!(Some(scores[seat]) > best_of_others, "seat {seat}: {scores:?}");
        }
        assert_eq!(play(0)[0], 20);
    }
}
