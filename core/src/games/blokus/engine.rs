//! How Blokus Duo is searched: a narrow alpha-beta that goes to the end when few placements are
//! left.

use super::{Blokus, Duo, Move, PIECES, Rows};
use crate::game::Game;
use crate::player::Player;
use crate::search::budget::Meter;
use crate::search::pvs::{POINT, Position, Search, Step, Techniques};
use crate::search::{Report, Think};

/// A position of two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fight(Duo);

/// What a reachable square is worth, in hundredths of a point.
const REACH: i16 = 40;

/// What it is worth to cover a square where the other could have attached a piece.
const BLOCK: i16 = 60;

/// Steps from an attach point to a square that counts as reachable.
const STEPS: usize = 2;

impl<const PLAYERS: usize, const WORDS: usize> Blokus<PLAYERS, WORDS> {
    /// The squares that a player's next pieces may cover, near the attach points.
    fn reach(&self, player: Player) -> Rows<WORDS> {
        let frontier = self.frontier(player);
        (0..STEPS).fold(frontier.attach, |reach, _| (reach | reach.beside()) & frontier.allowed)
    }
}

impl Fight {
    fn lead(&self, worth: impl Fn(Player) -> i16) -> i16 {
        let own = self.0.turn();
        worth(own) - worth(own.other())
    }
}

impl Position for Fight {
    type Move = Move;

    const ALL_MOVES: bool = false;

    /// Large pieces first, those that block more before others, and in the opening those nearer to
    /// the middle.
    fn for_each_move(&self, _: u8, mut visit: impl FnMut(Move, i16)) {
        const MIDDLE: i16 = Duo::SIDE as i16 - 1;
        let targets = self.0.attach_points(self.0.turn().other());
        self.0.for_each_move(|mv| {
            let Move::Place(placement) = mv else { return visit(mv, 0) };
            let size = i16::from(placement.orientation.piece().size());
            let blocked = placement.cells().filter(|&(x, y)| targets.has(x, y)).count() as i16;
            // Twice the distance of the piece's nearest square from the middle.
            let off = |(x, y): (u8, u8)| {
                (2 * i16::from(x) - MIDDLE).abs() + (2 * i16::from(y) - MIDDLE).abs()
            };
            let nearest = placement.cells().map(off).min().unwrap_or(0);
            visit(mv, size * POINT + blocked * BLOCK - nearest * 4);
        });
    }

    fn play(&mut self, mv: Move) -> Step {
        self.0.play(mv);
        Step::TURN
    }

    fn plies_left(&self) -> u8 {
        let pieces = |player| self.0.pieces_left(player).bits().count_ones() as u8;
        let pieces = pieces(Player::FIRST) + pieces(Player::SECOND);
        debug_assert!(usize::from(pieces) <= 2 * PIECES);
        pieces
    }

    fn evaluate(&self) -> i16 {
        self.lead(|player| {
            self.0.score(player) * POINT + self.0.reach(player).count() as i16 * REACH
        })
    }

    fn final_value(&self) -> i16 {
        self.lead(|player| self.0.score(player) * POINT)
    }

    fn hash(&self) -> u64 {
        self.0.hash()
    }

    /// Not the move's own: the orientation tells enough to try the likely moves first.
    fn index(mv: Move) -> u8 {
        match mv {
            Move::Pass => 254,
            Move::Place(placement) => placement.orientation.index() as u8,
        }
    }

    fn is_pass(mv: Move) -> bool {
        mv == Move::Pass
    }
}

impl Think for Duo {
    fn think(
        &self,
        memory: &mut [u64],
        meter: &mut Meter<'_>,
        report: &mut dyn FnMut(&Report<'_, Move>),
    ) -> Option<Move> {
        let mut search = Search::new(memory, meter, Techniques::ALL);
        let found = search.go(&Fight(*self), &mut |last, _| Some(last + 1), report)?;
        Some(found.best)
    }
}
