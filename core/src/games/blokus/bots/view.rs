//! A board of either size as the strategies look at it: sets of squares with a word for each row.
//!
//! The games themselves have a type for each size, and code for each. Strategies are long and look
//! at few positions: one form for both sizes keeps them small.

use crate::game::Game;
use crate::games::blokus::{Blokus, Placement};
use crate::player::{MAX_PLAYERS, Player};

/// The rows of the largest board.
const ROWS: usize = 20;

/// A set of squares: bit x of row y. Bits beyond the board may be set until the set is cut with the
/// free squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Set([u32; ROWS]);

impl Set {
    pub(super) const EMPTY: Self = Self([0; ROWS]);

    /// The squares of the rules' own sets, which have one row in a word, or two in the smaller game.
    #[inline(never)]
    fn of_words(words: &[u32]) -> Self {
        let per_word = if words.len() < ROWS { 2 } else { 1 };
        Self(core::array::from_fn(|y| {
            let word = words.get(y / per_word).copied().unwrap_or(0);
            if per_word == 1 { word } else { word >> (y % 2 * 16) & 0xffff }
        }))
    }

    pub(super) fn has(&self, x: u8, y: u8) -> bool {
        self.0.get(usize::from(y)).is_some_and(|row| row >> (x & 31) & 1 != 0)
    }

    pub(super) fn insert(&mut self, x: u8, y: u8) {
        if let Some(row) = self.0.get_mut(usize::from(y)) {
            *row |= 1 << (x & 31);
        }
    }

    /// The last square of the first row that has any.
    pub(super) fn top_right(&self) -> Option<(u8, u8)> {
        self.0.iter().zip(0..).find_map(|(row, y)| Some((row.checked_ilog2()? as u8, y)))
    }

    pub(super) fn count(&self) -> i16 {
        self.0.iter().map(|row| row.count_ones() as i16).sum()
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row |= other);
    }

    /// Keeps what is in both.
    pub(super) fn cut(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row &= other);
        self
    }

    /// The squares that lie in some way to the set: `lie` gets a row, the two next to it put
    /// together, and the two beyond those.
    #[inline(never)]
    fn neighbours(&self, lie: fn(u32, u32, u32) -> u32) -> Self {
        let row = |y: usize| self.0.get(y).copied().unwrap_or(0);
        let at = |y: usize, steps: usize| row(y.wrapping_sub(steps)) | row(y + steps);
        Self(core::array::from_fn(|y| lie(self.0[y], at(y, 1), at(y, 2))))
    }

    /// The squares that share an edge with the set.
    pub(super) fn beside(&self) -> Self {
        self.neighbours(|row, next, _| sideways(row) | next)
    }

    /// The squares that touch the set at a corner.
    fn diagonal(&self) -> Self {
        self.neighbours(|_, next, _| sideways(next))
    }

    /// The squares with the set on two sides that meet at a corner.
    pub(super) fn nooks(&self) -> Self {
        self.neighbours(|row, next, _| sideways(row) & next)
    }

    /// The squares around each of the set: 5x5 without its corners and its middle.
    fn around(&self) -> Self {
        self.neighbours(|row, next, far| {
            let wide = |row: u32| sideways(row) | row << 2 | row >> 2;
            wide(row) | next | wide(next) | far | sideways(far)
        })
    }

    /// The set with what is within so many steps of it along these squares.
    pub(super) fn flooded(mut self, along: &Self, steps: u32) -> Self {
        for _ in 0..steps {
            let before = self;
            self.add(&before.beside());
            self = self.cut(along);
            if self == before {
                break;
            }
        }
        self
    }

    /// Takes a square out with all that it is connected to in the set, and counts them.
    pub(super) fn drain(&mut self, x: u8, y: u8) -> i16 {
        let mut area = Self::EMPTY;
        area.insert(x, y);
        let area = area.cut(self).flooded(self, u32::MAX);
        self.0.iter_mut().zip(area.0).for_each(|(row, area)| *row &= !area);
        area.count()
    }
}

const fn sideways(row: u32) -> u32 {
    row << 1 | row >> 1
}

/// A position, seen by the player to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) side: u8,
    pub(super) players: usize,
    pub(super) turn: Player,
    /// The squares that each player has covered.
    squares: [Set; MAX_PLAYERS],
    /// Where a player who has covered none may begin.
    starts: [Set; MAX_PLAYERS],
    /// The start square of the player to move, and how far from it the next player's is, along the
    /// longer of both ways.
    pub(super) start: (u8, u8),
    pub(super) far: u8,
    /// The squares that nobody has covered.
    pub(super) free: Set,
}

impl View {
    pub(super) fn new<const PLAYERS: usize, const WORDS: usize>(
        game: &Blokus<PLAYERS, WORDS>,
    ) -> Self {
        let side = Blokus::<PLAYERS, WORDS>::SIDE;
        let starts = &Blokus::<PLAYERS, WORDS>::STARTS;
        let start = starts[game.turn().index() % PLAYERS];
        let next = starts[(game.turn().index() + 1) % PLAYERS];
        let mut view = Self {
            start,
            far: start.0.abs_diff(next.0).max(start.1.abs_diff(next.1)),
            side,
            players: PLAYERS,
            turn: game.turn(),
            squares: [Set::EMPTY; MAX_PLAYERS],
            starts: [Set::EMPTY; MAX_PLAYERS],
            free: Set::EMPTY,
        };
        for player in Player::all(PLAYERS) {
            view.squares[player.index()] = Set::of_words(game.squares(player).words());
            view.starts[player.index()] = Set::of_words(game.attach_points(player).words());
        }
        view.find_free();
        view
    }

    #[inline(never)]
    fn find_free(&mut self) {
        let mut covered = Set::EMPTY;
        self.squares.iter().for_each(|squares| covered.add(squares));
        for (free, covered) in self.free.0.iter_mut().zip(covered.0).take(self.side.into()) {
            *free = !covered & ((1 << self.side) - 1);
        }
    }

    /// The position after a placement of the player to move, still seen by that player.
    pub(super) fn after(&self, placement: Placement) -> Self {
        let mut view = *self;
        let own = &mut view.squares[self.turn.index()];
        for (x, y) in placement.cells() {
            own.insert(x, y);
            if let Some(row) = view.free.0.get_mut(usize::from(y)) {
                *row &= !(1 << (x & 31));
            }
        }
        view
    }

    /// Everybody but the player to move.
    pub(super) fn opponents(&self) -> impl Iterator<Item = Player> + use<> {
        let own = self.turn;
        Player::all(self.players).filter(move |player| *player != own)
    }

    pub(super) fn squares(&self, player: Player) -> &Set {
        &self.squares[player.index()]
    }

    /// The squares that a player may cover: free, and along no edge of their pieces.
    #[inline(never)]
    fn allowed(&self, player: Player) -> Set {
        let mut allowed = self.free;
        let beside = self.squares(player).beside();
        allowed.0.iter_mut().zip(beside.0).for_each(|(row, beside)| *row &= !beside);
        allowed
    }

    /// The squares at which a player's next piece must attach.
    #[inline(never)]
    pub(super) fn corners(&self, player: Player) -> Set {
        let own = self.squares(player);
        let begins = *own == Set::EMPTY;
        let touching = if begins { self.starts[player.index()] } else { own.diagonal() };
        touching.cut(&self.allowed(player))
    }

    /// The squares that a player's placements can cover: a piece of five squares ends four steps on
    /// from where it attaches.
    pub(super) fn reach(&self, player: Player) -> Set {
        self.corners(player).flooded(&self.allowed(player), 4)
    }

    /// The free squares around the corners that a player can play at.
    pub(super) fn influence(&self, player: Player) -> i16 {
        self.corners(player).around().cut(&self.free).count()
    }

    /// The free squares that touch diagonally between two covered ones: ways through.
    pub(super) fn corridors(&self) -> Set {
        let mut found = Set::EMPTY;
        let covered = |x, y| !self.free.has(x, y);
        for (x, y) in cells(self.side - 1) {
            let falling = [covered(x, y), covered(x + 1, y + 1)];
            let rising = [covered(x + 1, y), covered(x, y + 1)];
            if falling == [false; 2] && rising == [true; 2] {
                found.insert(x, y);
                found.insert(x + 1, y + 1);
            } else if falling == [true; 2] && rising == [false; 2] {
                found.insert(x + 1, y);
                found.insert(x, y + 1);
            }
        }
        found
    }
}

/// The squares of a board of this side in reading order.
pub(super) fn cells(side: u8) -> impl Iterator<Item = (u8, u8)> {
    (0..side).flat_map(move |y| (0..side).map(move |x| (x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::blokus::{Classic, Duo, Move, StartRule};

    /// The set as rows of characters, from its first row to its last.
    fn picture(
        set: Set,
        rows: core::ops::Range<u8>,
        columns: core::ops::Range<u8>,
    ) -> std::string::String {
        let mark = |x, y| if set.has(x, y) { 'o' } else { '.' };
        let row = |y| columns.clone().map(|x| mark(x, y)).collect::<std::string::String>();
        rows.map(row).collect::<std::vec::Vec<_>>().join("\n")
    }

    fn one(x: u8, y: u8) -> Set {
        let mut set = Set::EMPTY;
        set.insert(x, y);
        set
    }

    #[test]
    fn squares_around_one() {
        let around = picture(one(4, 4).around(), 1..8, 1..8);
        assert_eq!(around, ".......\n..ooo..\n.ooooo.\n.oo.oo.\n.ooooo.\n..ooo..\n.......");
        let beside = picture(one(4, 4).beside(), 3..6, 3..6);
        assert_eq!(beside, ".o.\no.o\n.o.");
        let diagonal = picture(one(4, 4).diagonal(), 3..6, 3..6);
        assert_eq!(diagonal, "o.o\n...\no.o");
        let mut two = one(3, 3);
        two.add(&one(5, 3));
        two.add(&one(4, 4));
        // o . o    The square between the upper two has the lower one below it;
        // . o .    those beside the lower one have one of the upper above.
        assert_eq!(picture(two.nooks(), 3..5, 3..6), ".o.\no.o");
    }

    #[test]
    fn an_area_is_drained_once() {
        // o o . o    An area of three squares, and two of one; the lower touches it at a corner.
        // o . . .
        // . o . .
        let mut set = one(0, 0);
        for (x, y) in [(1, 0), (0, 1), (3, 0), (1, 2)] {
            set.add(&one(x, y));
        }
        assert_eq!([(1, 0), (0, 0), (2, 2), (1, 2)].map(|(x, y)| set.drain(x, y)), [3, 0, 0, 1]);
        assert_eq!(set, one(3, 0));
    }

    #[test]
    fn nothing_wraps_around_the_edges() {
        let classic = Classic::new(StartRule::Own);
        let view = View::new(&classic);
        let corner = |x, y| one(x, y).around().cut(&view.free).count();
        assert_eq!([corner(0, 0), corner(19, 0), corner(19, 19), corner(0, 19)], [7; 4]);
        assert_eq!(view.influence(Player::FIRST), 7);
    }

    /// The strategies' own sets against those of the rules, over whole games.
    #[test]
    fn corners_are_where_the_rules_say() {
        for seed in 0..10 {
            let mut game = Duo::default();
            let mut rng = crate::mix::Rng::new(seed);
            while let Some(mv) = crate::bots::random(&game, &mut rng) {
                let view = View::new(&game);
                for player in Player::all(2) {
                    let corners = game.attach_points(player);
                    for (x, y) in cells(14) {
                        assert_eq!(view.corners(player).has(x, y), corners.has(x, y));
                    }
                }
                if let Move::Place(placement) = mv {
                    let own = game.turn();
                    let after = view.after(placement);
                    game.play(mv);
                    let count = game.attach_points(own).count();
                    assert_eq!(after.corners(own).count() as u32, count);
                    let reach = after.reach(own);
                    let mut covered = Set::EMPTY;
                    let game = game.with_turn(own);
                    game.for_each_placement(game.pieces_left(own), &mut |placement| {
                        placement.cells().for_each(|(x, y)| covered.insert(x, y));
                    });
                    assert_eq!(covered.cut(&reach), covered, "placements stay within reach");
                } else {
                    game.play(mv);
                }
            }
        }
    }

    /// ```text
    ///    f g
    ///  9 . #     Two covered squares that touch at a corner, and the two free ones beside both.
    ///  8 # .
    /// ```
    #[test]
    fn a_corridor_leads_between_two_pieces() {
        let mut view = View::new(&Duo::default());
        assert_eq!(view.corridors(), Set::EMPTY);
        view.free.0[5] &= !(1 << 6);
        view.free.0[6] &= !(1 << 5);
        let mut expected = one(5, 5);
        expected.add(&one(6, 6));
        assert_eq!(view.corridors(), expected);
    }
}
