//! LeakyAI of Cai, Aldi and Renatan, three times: `leaky` here, the printed algorithm in [`seed`],
//! and the plan that its authors gave up in [`centre`].
//!
//! `leaky` plays in the manner that the document describes: it heads out of its corner and slips
//! through leaks between enemy pieces into open areas. How it gets there was designed here, because
//! the figures with the heuristic values and the paragraph on the aggressive mode are lost:
//! - The heuristic board is 1 at the player's start square and rises to 10 where the others begin: the
//!   document's second plan, to reach the other players' areas.
//! - A flood of four steps from the squares to play at, as far as a piece goes, tells how much room
//!   a player has. It makes its own large and the others' small. The document floods from leaky
//!   squares only.
//! - Once a piece of its own stands on a 10, the mode is on: the others' room and the squares at
//!   which they could play next count for more.
//!
//! The weights are fitted to beat three brute-force players, so its score is no evidence about the
//! authors' program.

pub(super) mod centre;
pub(super) mod seed;

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

#[inline(never)]
pub(super) fn choose(view: &View, moves: &dyn Moves, meter: &mut Meter<'_>) -> Option<Placement> {
    let own = view.turn;
    let leaks = leaks(view);
    let is_out = is_out(view);
    let mut targets = Set::EMPTY;
    view.opponents().for_each(|player| targets.add(&view.corners(player)));
    let [block, their_room] = [BLOCK, THEIR_ROOM].map(|values| values[usize::from(is_out)]);
    // No randomness: the first of equal moves.
    first(moves, meter, &mut |placement| {
        let mut place = 0;
        let mut blocked = 0;
        for (x, y) in placement.cells() {
            let mut worth = heuristic(view, x, y);
            if leaks.has(x, y) {
                worth += LEAK;
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
            + blocked * block
            - theirs * their_room
    })
}

/// The heuristic board: 1 at the start of the player to move, 10 as far away as another start.
fn heuristic(view: &View, x: u8, y: u8) -> i32 {
    let distance = view.start.0.abs_diff(x).max(view.start.1.abs_diff(y));
    // The others begin elsewhere: the distance is not 0.
    (1 + 9 * i32::from(distance) / i32::from(view.far.max(1))).min(10)
}

/// Whether a piece of the player to move stands where the heuristic board has a 10.
fn is_out(view: &View) -> bool {
    let own = view.squares(view.turn);
    cells(view.side).any(|(x, y)| own.has(x, y) && heuristic(view, x, y) == 10)
}

/// The leaky squares: enemies stand on two sides of them that meet at a corner.
fn leaky(view: &View) -> Set {
    let mut enemies = Set::EMPTY;
    view.opponents().for_each(|player| enemies.add(view.squares(player)));
    enemies.nooks()
}

/// The free leaky squares from which an open area can be flooded.
fn leaks(view: &View) -> Set {
    let leaky = leaky(view).cut(&view.free);
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

    /// A game of one such bot against three brute-force players, until `until` or the end.
    pub(super) fn game_of(seat: usize, bot: Bot, until: impl Fn(&Classic) -> bool) -> Classic {
        let mut game = Classic::new(StartRule::Own);
        while !game.is_over() && !until(&game) {
            let bot = if game.turn().index() == seat { bot } else { Bot::BruteForce };
            let rng = &mut Rng::new(1);
            let mv = play_bot(&game, bot, &mut Thinking::for_tests(rng)).unwrap();
            game.play(mv);
        }
        game
    }

    /// The document's Table 4: first, with all pieces placed, from the first seat; and first from
    /// the others too.
    #[test]
    fn it_wins_against_three_brute_force_players() {
        for seat in 0..4 {
            let game = game_of(seat, Bot::Leaky, |_| false);
            let score = |seat| game.score(Player::new(seat).unwrap());
            let others = (0..4).filter(|other| *other != seat).map(score).max();
            assert!(Some(score(seat)) > others, "seat {seat}");
            assert!(seat > 0 || score(seat) == 20);
        }
    }

    /// What a player covered in a game of `leaky` in this seat: its first pieces until one lies
    /// outside the quarter where it began, the squares outside, all squares, and leaky ones.
    fn style(seat: usize, player: Player) -> [usize; 4] {
        let game = core::cell::Cell::new((Classic::new(StartRule::Own), [0; 4]));
        let look = |now: &Classic| {
            let (before, [mut pieces, mut outside, mut all, mut gaps]) = game.get();
            let view = View::new(&before.with_turn(player));
            let home = |x: u8, y: u8| view.start.0.abs_diff(x).max(view.start.1.abs_diff(y)) < 10;
            let covered =
                |(x, y): &(u8, u8)| now.squares(player).has(*x, *y) && view.free.has(*x, *y);
            let new: std::vec::Vec<_> = cells(20).filter(covered).collect();
            pieces += usize::from(outside == 0 && !new.is_empty());
            outside += new.iter().filter(|(x, y)| !home(*x, *y)).count();
            all += new.len();
            gaps += new.iter().filter(|(x, y)| leaky(&view).has(*x, *y)).count();
            game.set((*now, [pieces, outside, all, gaps]));
            false
        };
        look(&game_of(seat, Bot::Leaky, look));
        game.get().1
    }

    /// What the document's authors saw in it: it leaves its corner early, and fills gaps among the
    /// others' pieces.
    #[test]
    fn it_leaves_its_corner_early_and_fills_the_gaps_of_others() {
        let (mut own_gaps, mut their_gaps) = (0, 0);
        for seat in 0..4 {
            let [pieces, outside, all, gaps] = style(seat, Player::new(seat).unwrap());
            assert!(pieces <= 4, "seat {seat} is out with piece {pieces}");
            assert!(2 * outside > all, "seat {seat}: {outside} of {all} squares are outside");
            own_gaps += gaps;
            for other in (0..4).filter(|other| *other != seat) {
                let [_, less, _, gaps] = style(seat, Player::new(other).unwrap());
                assert!(outside > less, "seat {seat} is further out than {other}");
                their_gaps += gaps;
            }
        }
        // Three opponents in each game.
        assert!(3 * own_gaps > 2 * their_gaps, "{own_gaps} leaky squares, theirs: {their_gaps}");
    }
}
