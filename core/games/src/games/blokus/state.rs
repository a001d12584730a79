//! The position of a simulation: sets of squares, and incrementally updated lists of placements.
//!
//! A player's list holds every legal placement, and some that no longer are: those are dropped when
//! they are found. Nothing is ever listed twice, because a placement becomes possible only through
//! a new attach point and is listed with the first of its attach points. A search may thin out the
//! lists of its root position; hundreds are left, so that no player seems to be out of placements.

use core::cell::Cell;

use heapless::Vec;

use super::pieces::{BOX, PieceSet};
use super::prior::{Appraisal, ILLEGAL};
use super::sets::{Board, Outlook, Plan};
use super::shapes::{BASE, BRANCHING, SHAPES, SQUARE_BITS, STRIDE, Shape};
use super::{Blokus, Orientation, Placement};
use crate::game::Game;
use crate::player::{MAX_PLAYERS, Player};

/// A row of a shape.
const ROW: u32 = (1 << BOX) - 1;

/// A placement as a number: the orientation, and the place of its box's top left.
pub(super) type Code = u16;

pub(super) const fn code(orientation: Orientation, x: u8, y: u8) -> Code {
    (orientation.index() as Code) << SQUARE_BITS | (y as Code * STRIDE as Code + x as Code)
}

/// The placement with this number, if there is one.
pub(super) const fn placement(code: Code) -> Option<Placement> {
    let square = code & ((1 << SQUARE_BITS) - 1);
    match Orientation::new((code >> SQUARE_BITS) as usize) {
        Some(orientation) => Some(Placement {
            orientation,
            x: (square % STRIDE as Code) as u8,
            y: (square / STRIDE as Code) as u8,
        }),
        None => None,
    }
}

/// The shape that a placement has and the number of its box's top left.
pub(super) fn shape(code: Code) -> Option<(&'static Shape, usize)> {
    let square = usize::from(code) & ((1 << SQUARE_BITS) - 1);
    Some((SHAPES.get(usize::from(code >> SQUARE_BITS))?, square))
}

/// The place in a [`Plan`] of a square that is so far from another.
pub(super) const fn near(square: usize, distance: i8) -> usize {
    square.wrapping_add_signed(distance as isize)
}

/// A position: what the squares are to each player, and what players have left.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// What each player may cover, and the attach points.
    pub(super) outlooks: [Outlook; MAX_PLAYERS],
    /// The pieces not placed, as bits.
    pub(super) left: [u32; MAX_PLAYERS],
    /// The current points.
    pub(super) points: [i8; MAX_PLAYERS],
    pub(super) turn: u8,
    pub(super) players: u8,
    /// Whether players who sit opposite each other win together.
    pub(super) pairs: bool,
    /// Bit p: player p can't move any more.
    out: u8,
}

/// The lists of legal placements of all players in one buffer.
///
/// Each begins with the placements of the root position, which stay there in some order, the
/// dropped ones first; then come those that were added. So restoring the root position only changes
/// lengths.
#[derive(Debug)]
pub(super) struct Lists<'m> {
    moves: &'m mut [Code],
    capacity: usize,
    ends: [Ends; MAX_PLAYERS],
    /// Attach points whose placements are not listed yet: often they are never needed.
    waiting: [Vec<Code, 32>; MAX_PLAYERS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    /// Where the list lies in the buffer, and where its first placements end.
    first: usize,
    added: usize,
    /// The placements now: `from..to`.
    from: usize,
    to: usize,
}

impl State {
    /// A position of either game.
    #[inline(never)]
    pub(super) fn new<const PLAYERS: usize, const WORDS: usize>(
        game: &Blokus<PLAYERS, WORDS>,
    ) -> Self {
        let mut state = Self {
            outlooks: [Outlook::NONE; MAX_PLAYERS],
            left: [0; MAX_PLAYERS],
            points: [0; MAX_PLAYERS],
            turn: game.turn.index() as u8,
            players: PLAYERS as u8,
            pairs: game.pairs,
            out: game.passed,
        };
        let board = Board::new(PLAYERS as u8);
        for player in Player::all(PLAYERS) {
            let frontier = game.frontier(player);
            let own = player.index();
            state.left[own % MAX_PLAYERS] = game.pieces_left(player).bits();
            state.points[own % MAX_PLAYERS] = game.score(player) as i8;
            let outlook = &mut state.outlooks[own % MAX_PLAYERS];
            for y in 0..board.side() {
                let (word, shift) = board.row(y);
                outlook.allowed[word] |= frontier.allowed.row(y) << shift;
                outlook.attach[word] |= frontier.attach.row(y) << shift;
            }
            board.wrap(&mut outlook.allowed);
        }
        state
    }

    /// Makes it another position of the same game again. That is quicker than a copy.
    pub(super) fn restore(&mut self, other: &Self) {
        let board = Board::new(self.players);
        let players = usize::from(self.players);
        for (outlook, other) in self.outlooks.iter_mut().zip(&other.outlooks).take(players) {
            for word in board.range() {
                outlook.allowed[word] = other.allowed[word];
                outlook.attach[word] = other.attach[word];
            }
            board.wrap(&mut outlook.allowed);
        }
        self.left = other.left;
        self.points = other.points;
        self.turn = other.turn;
        self.out = other.out;
    }

    /// Whether a placement in a player's list is still legal.
    #[inline]
    pub(super) fn is_legal(&self, player: usize, code: Code) -> bool {
        let Some((shape, square)) = shape(code) else { return false };
        let player = player % MAX_PLAYERS;
        if self.left[player] >> shape.piece & 1 == 0 {
            return false;
        }
        let board = Board::new(self.players);
        let (mut y, x) = (square / STRIDE, square % STRIDE);
        let mut rows = shape.rows();
        let allowed = &self.outlooks[player].allowed;
        while rows != 0 {
            let free = board.row_of(allowed, y) >> x;
            if rows & !free & ROW != 0 {
                return false;
            }
            rows >>= BOX;
            y += 1;
        }
        true
    }

    /// Whether a player has placed nothing yet.
    pub(super) const fn is_first(&self, player: usize) -> bool {
        self.left[player % MAX_PLAYERS] == PieceSet::ALL.bits()
    }

    /// Places a piece of the player, who is next to move, and passes the turn on. Placements at new
    /// attach points are listed lazily.
    #[inline(never)]
    pub(super) fn place(&mut self, player: usize, code: Code, lists: &mut Lists<'_>) {
        let first = self.is_first(player);
        let Some((shape, square)) = shape(code) else { return };
        let player = player % MAX_PLAYERS;
        self.left[player] &= !(1 << shape.piece);
        self.points[player] += shape.size() as i8;
        if self.left[player] == 0 {
            self.points[player] = if shape.piece == 0 { 20 } else { 15 };
        }
        self.turn = if player + 1 < usize::from(self.players) { player as u8 + 1 } else { 0 };
        if first {
            // Start squares are attach points only before the first piece.
            self.outlooks[player].attach = Outlook::NONE.attach;
            lists.drop_all(player);
        }
        let corners = self.cover(player, shape, square);
        let board = Board::new(self.players);
        // The row above the piece comes first.
        let mut y = (square / STRIDE).wrapping_sub(1);
        for mut corners in corners {
            while corners != 0 {
                let x = corners.trailing_zeros();
                corners &= corners - 1;
                lists.wait(self, player, (y * STRIDE + x as usize) as Code);
                let (word, shift) = board.row(y);
                if let Some(attach) = self.outlooks[player].attach.get_mut(word) {
                    *attach |= 1 << (shift + x);
                }
            }
            y = y.wrapping_add(1);
        }
    }

    /// Takes the squares of a piece from all players and those beside it from its own. Returns the new
    /// attach points by rows, from that above the piece on.
    #[inline(never)]
    fn cover(&mut self, player: usize, shape: &Shape, square: usize) -> [u32; BOX + 2] {
        let board = Board::new(self.players);
        let (top, x) = (square / STRIDE, square % STRIDE);
        for (other, outlook) in self.outlooks.iter_mut().take(self.players.into()).enumerate() {
            let (mut y, mut rows) = (top, shape.rows());
            while rows != 0 && other != player {
                let (word, shift) = board.row(y);
                if let Some(allowed) = outlook.allowed.get_mut(word) {
                    *allowed &= !((rows & ROW) << x << shift);
                }
                rows >>= BOX;
                y += 1;
            }
            board.wrap(&mut outlook.allowed);
        }
        let Outlook { allowed, attach } = &mut self.outlooks[player % MAX_PLAYERS];
        // Rows of the piece, from the column before it on: above, here, and those from below on.
        let (mut above, mut here, mut rest) = (0, 0, shape.rows());
        let mut y = top.wrapping_sub(1);
        let mut new = [0; BOX + 2];
        for new in &mut new {
            let below = rest & ROW;
            let sideways = above | below;
            if sideways | here == 0 {
                break;
            }
            if y < board.side() {
                let (word, shift) = board.row(y);
                let moved = |row: u32| (row << x) >> 1;
                if let (Some(allowed), Some(attach)) = (allowed.get_mut(word), attach.get(word)) {
                    *allowed &= !(moved((here | sideways) << 1 | here << 2 | here) << shift);
                    *new = moved(sideways << 2 | sideways) & (*allowed & !*attach) >> shift;
                }
            }
            (above, here) = (here, below);
            rest >>= BOX;
            y = y.wrapping_add(1);
        }
        board.wrap(allowed);
        new
    }

    /// Whether two players win together.
    pub(super) const fn are_one(&self, one: usize, other: usize) -> bool {
        one == other || self.pairs && one % 2 == other % 2
    }

    /// The value of each player, or of the player's pair.
    pub(super) fn sides<T: Copy + core::ops::Add<Output = T>>(
        &self,
        worth: [T; MAX_PLAYERS],
    ) -> [T; MAX_PLAYERS] {
        let [first, second, third, fourth] = worth;
        if !self.pairs {
            return worth;
        }
        [first + third, second + fourth, first + third, second + fourth]
    }

    /// Whether a player is known to have no placement.
    pub(super) const fn is_out(&self, player: usize) -> bool {
        self.out >> player & 1 != 0
    }

    /// Who moves next, if anybody can: from the player whose turn it is on, the first who has a
    /// placement.
    pub(super) fn mover(&mut self, lists: &mut Lists<'_>) -> Option<usize> {
        for _ in 0..self.players {
            let player = usize::from(self.turn);
            if self.out >> player & 1 == 0 {
                if lists.has_legal(self, player) {
                    return Some(player);
                }
                self.out |= 1 << player;
            }
            self.turn = if player + 1 < usize::from(self.players) { player as u8 + 1 } else { 0 };
        }
        None
    }
}

impl<'m> Lists<'m> {
    /// The legal placements of all players in this position. What does not fit is left out.
    #[inline(never)]
    pub(super) fn new<const PLAYERS: usize, const WORDS: usize>(
        moves: &'m mut [Code],
        game: &Blokus<PLAYERS, WORDS>,
    ) -> Self {
        let capacity = moves.len() / PLAYERS;
        let mut lists = Self {
            moves,
            capacity,
            ends: [Ends::default(); MAX_PLAYERS],
            waiting: Default::default(),
        };
        for player in Player::all(PLAYERS) {
            let own = player.index();
            let first = own * capacity;
            lists.ends[own % MAX_PLAYERS] = Ends { first, added: first, from: first, to: first };
            if game.passed >> own & 1 == 0 {
                let frontier = game.frontier(player);
                frontier.for_each(game.pieces_left(player), &mut |orientation, x, y| {
                    lists.push(own, code(orientation, x, y));
                });
            }
            lists.ends[own % MAX_PLAYERS].added = lists.ends[own % MAX_PLAYERS].to;
        }
        lists
    }

    /// Permanently drops placements of the root position that are far from the best ones, if there
    /// are many.
    #[inline(never)]
    pub(super) fn thin(&mut self, player: usize, most: usize, appraisal: &mut Appraisal) {
        const STEP: i16 = 32;
        const LOWEST: i16 = -2048;
        let Ends { first, added, .. } = self.ends[player % MAX_PLAYERS];
        let Some(root) = self.moves.get_mut(first..added).filter(|root| root.len() > most) else {
            return;
        };
        let mut counts = [0_u16; 128];
        for code in &*root {
            let worth = appraisal.above(ILLEGAL / 2, *code).unwrap_or(LOWEST);
            counts[usize::from(((worth - LOWEST).max(0) / STEP) as u16).min(127)] += 1;
        }
        let mut least = 128;
        let mut kept = 0;
        while least > 0 && kept < most {
            least -= 1;
            kept += usize::from(counts[least]);
        }
        if least == 0 {
            return;
        }
        // None is worth more around it than what was seen.
        let bound = LOWEST + least as i16 * STEP - 1;
        let end = first + keep(root, |code| appraisal.above(bound, code).is_some());
        self.ends[player % MAX_PLAYERS] = Ends { first, added: end, from: first, to: end };
    }

    /// Restores the root position.
    pub(super) fn restore(&mut self) {
        for ends in &mut self.ends {
            (ends.from, ends.to) = (ends.first, ends.added);
        }
        self.waiting.iter_mut().for_each(Vec::clear);
    }

    /// Defers the listing of an attach point.
    fn wait(&mut self, state: &State, player: usize, square: Code) {
        if self.waiting[player % MAX_PLAYERS].is_full() {
            self.catch_up(state, player);
        }
        let _ = self.waiting[player % MAX_PLAYERS].push(square);
    }

    /// Lists the placements at deferred attach points.
    #[inline(never)]
    pub(super) fn catch_up(&mut self, state: &State, player: usize) {
        let player = player % MAX_PLAYERS;
        if self.waiting[player].is_empty() {
            return;
        }
        let board = Board::new(state.players);
        let Outlook { allowed, attach } = &state.outlooks[player];
        let mut free = board.plan(allowed, attach);
        // Each is listed as if those after it did not exist yet. Some are gone by now.
        self.waiting[player].retain(|&square| board.has(allowed, square.into()));
        for &square in &self.waiting[player] {
            free.insert(BASE + usize::from(square));
        }
        let mut next = 0;
        while let Some(&square) = self.waiting[player].get(next) {
            next += 1;
            if self.room(player) < BRANCHING.len() {
                self.clean(state, player);
            }
            let Ends { first, to, .. } = &mut self.ends[player];
            let room = self.moves.get_mut(*to..*first + self.capacity).unwrap_or_default();
            *to += list_placements(state.left[player], square, &free, room);
            free.remove(BASE + usize::from(square));
        }
        self.waiting[player].clear();
    }

    fn room(&self, player: usize) -> usize {
        let ends = self.ends[player % MAX_PLAYERS];
        ends.first + self.capacity - ends.to
    }

    fn drop_all(&mut self, player: usize) {
        let ends = &mut self.ends[player % MAX_PLAYERS];
        (ends.from, ends.to) = (ends.added, ends.added);
    }

    #[inline]
    fn push(&mut self, player: usize, code: Code) {
        let ends = &mut self.ends[player % MAX_PLAYERS];
        if ends.to < ends.first + self.capacity
            && let Some(slot) = self.moves.get_mut(ends.to)
        {
            *slot = code;
            ends.to += 1;
        }
    }

    /// The placements of a player, legal or not.
    pub(super) fn all(&self, player: usize) -> &[Code] {
        let ends = self.ends[player % MAX_PLAYERS];
        self.moves.get(ends.from..ends.to).unwrap_or(&[])
    }

    /// Whether a player has a legal placement; drops illegal ones on the way.
    fn has_legal(&mut self, state: &State, player: usize) -> bool {
        let player = player % MAX_PLAYERS;
        loop {
            let Ends { added, from, to, .. } = &mut self.ends[player];
            while from < to {
                let last = *to - 1;
                let Some(&code) = self.moves.get(last) else { break };
                if state.is_legal(player, code) {
                    return true;
                }
                if to > added {
                    *to = last;
                } else {
                    // One of the root's: they stay there.
                    if let Some([first, .., last]) = self.moves.get_mut(*from..*to) {
                        core::mem::swap(first, last);
                    }
                    *from += 1;
                }
            }
            if self.waiting[player].is_empty() {
                return false;
            }
            self.catch_up(state, player);
        }
    }

    /// Drops all placements that are not legal.
    #[inline(never)]
    fn clean(&mut self, state: &State, player: usize) {
        let Ends { added, from, to, .. } = self.ends[player % MAX_PLAYERS];
        let added = added.max(from);
        let listed = self.moves.get_mut(from..to).unwrap_or_default();
        let Some((root, new)) = listed.split_at_mut_checked(added - from) else {
            debug_assert!(false, "the placements of the root are listed before others");
            return;
        };
        let ends = &mut self.ends[player % MAX_PLAYERS];
        ends.from = from + bring_forward(root, |code| !state.is_legal(player, code));
        ends.to = added + keep(new, |code| state.is_legal(player, code));
    }
}

/// Lists the placements of some pieces that cover a square and otherwise free ones, as far as there is
/// room. Returns how many there are.
#[inline(never)]
fn list_placements(pieces: u32, square: Code, free: &Plan, room: &mut [Code]) -> usize {
    let size = room.len();
    let mut room = room.iter_mut();
    let mut index = 0;
    while let Some(branch) = BRANCHING.get(index) {
        let is_free = free.has(near(BASE + usize::from(square), branch.square));
        if !is_free || !branch.grows_to(pieces) {
            index += branch.skip();
            continue;
        }
        if pieces >> branch.piece & 1 != 0
            && let Some(place) = room.next()
        {
            *place = branch.move_offset.wrapping_add(square);
        }
        index += 1;
    }
    size - room.len()
}

/// Copies what passes to the front of a list, in its order, and returns how many that are.
fn keep(list: &mut [Code], mut passes: impl FnMut(Code) -> bool) -> usize {
    let list = Cell::from_mut(list).as_slice_of_cells();
    let mut places = list.iter();
    for code in list {
        if passes(code.get())
            && let Some(place) = places.next()
        {
            place.set(code.get());
        }
    }
    list.len() - places.len()
}

/// Swaps what passes to the front of a list, and returns how many that are.
fn bring_forward(list: &mut [Code], passes: impl Fn(Code) -> bool) -> usize {
    let list = Cell::from_mut(list).as_slice_of_cells();
    let mut places = list.iter();
    for code in list {
        if passes(code.get())
            && let Some(place) = places.next()
        {
            place.set(code.replace(place.get()));
        }
    }
    list.len() - places.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::blokus::{Classic, Duo, Move, StartRule};
    use crate::mix::Rng;
    type Vec<T> = std::vec::Vec<T>;

    /// The placements of a player by the plain generator, sorted.
    fn legal<const PLAYERS: usize, const WORDS: usize>(
        game: &Blokus<PLAYERS, WORDS>,
        player: Player,
    ) -> Vec<Code> {
        let mut legal = Vec::new();
        if game.passed >> player.index() & 1 == 0 {
            let frontier = game.frontier(player);
            frontier.for_each(game.pieces_left(player), &mut |orientation, x, y| {
                legal.push(code(orientation, x, y));
            });
        }
        legal.sort_unstable();
        legal
    }

    /// Plays random games, and compares the lists with the plain generator after every ply.
    fn compare<const PLAYERS: usize, const WORDS: usize>(
        start: Blokus<PLAYERS, WORDS>,
        seed: u64,
        capacity: usize,
    ) {
        let mut rng = Rng::new(seed);
        let mut memory = std::vec![0; capacity * PLAYERS];
        let mut first = start;
        // From a position in the game, too, not only from the start.
        for _ in 0..seed % 30 {
            if let Some(mv) = crate::choice::random(&first, &mut rng) {
                first.play(mv);
            }
        }
        let mut lists = Lists::new(&mut memory, &first);
        let root = State::new(&first);
        for _ in 0..2 {
            lists.restore();
            let (mut game, mut state) = (first, root);
            while !game.is_over() {
                for player in Player::all(PLAYERS) {
                    let own = player.index();
                    assert_eq!(i16::from(state.points[own]), game.score(player));
                    // Only occasionally, so that attach points are deferred.
                    if rng.below(4) == 0 {
                        lists.catch_up(&state, own);
                        lists.clean(&state, own);
                        let mut listed = lists.all(own).to_vec();
                        listed.sort_unstable();
                        assert_eq!(listed, legal(&game, player));
                    }
                }
                let mover = state.mover(&mut lists).unwrap();
                while game.turn().index() != mover {
                    assert_eq!(game.forced_pass(), Some(Move::Pass));
                    game.play(Move::Pass);
                }
                let all = legal(&game, game.turn());
                let code = all[rng.below(all.len() as u32) as usize];
                state.place(mover, code, &mut lists);
                game.play(Move::Place(placement(code).unwrap()));
            }
            assert_eq!(state.mover(&mut lists), None);
        }
    }

    #[test]
    fn the_lists_hold_what_the_generator_finds() {
        for seed in 0..60 {
            compare(Duo::new(StartRule::Own), seed, 4096);
            compare(Duo::new(StartRule::Any), seed, 4096);
        }
        for seed in 0..20 {
            compare(Classic::default(), seed, 4096);
        }
    }
}
