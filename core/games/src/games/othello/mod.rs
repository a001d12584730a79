//! Othello on 8x8.

use core::fmt::{self, Display, Write};

use crate::bitboard::Bitboard;
use crate::diagram;
use crate::game::{Canvas, Game, MoveCode, ParseMoveError, PositionError, Reason};
use crate::mix::mix_in;
use crate::player::{Color, Player, mark};
use crate::square::Square;

mod endgame;
mod engine;
mod eval;
mod kernels;
mod memory;
mod patterns;
mod stable;

pub use kernels::{flips, moves};

/// What tuning and tests need of the evaluation. It changes without notice.
#[doc(hidden)]
pub mod tuning {
    pub use super::engine::AHEAD;
    pub use super::eval::{Evaluate, MOST_MOVES, OTHERS, PHASES, Weighted, Weights, blend_into};
    #[cfg(feature = "large")]
    pub use super::patterns::Large;
    pub use super::patterns::{Layout, Shape, Small, image, is_new};

    use super::Othello;
    use super::eval::Discs;
    use crate::search::budget::{Budget, Meter};
    use crate::search::pvs::{Search, Techniques};

    /// Tells the scores of searches to each depth up to the deepest, in hundredths of a disc. They
    /// leave nothing out, so that they can say how well one foretells another.
    pub fn scores<L: Weighted>(
        position: &Othello,
        weights: &[i8],
        memory: &mut [u64],
        deepest: u8,
        tell: &mut dyn FnMut(u8, i16),
    ) {
        let techniques = Techniques { foretelling: false, reductions: false, ..Techniques::ALL };
        let discs = Discs::<L>::new(position.own, position.opponent, weights);
        let mut meter = Meter::new(Budget::UNLIMITED);
        let mut plan = |last: u8, _: u64| (last < deepest).then_some(last + 1);
        Search::with_techniques(memory, &mut meter, techniques).go(
            &discs,
            &mut plan,
            &mut |report| tell(report.depth, report.score),
        );
    }
}

/// A position: the discs of the two players and who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Othello {
    own: Bitboard,
    opponent: Bitboard,
    turn: Player,
}

/// A disc on a square, or the pass of a player who has no such move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Only legal when nothing else is.
    Pass,
    /// A disc on this square.
    Disc(Square),
}

/// Why a move is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Illegal {
    /// Nobody can move any more.
    GameOver,
    /// The square has a disc.
    Occupied(Square),
    /// No disc would be turned over.
    FlipsNothing(Square),
    /// A pass although there is a move, such as this one.
    MustMove(Square),
}

impl Display for Illegal {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => f.write_str("the game is over"),
            Self::Occupied(square) => write!(f, "{square} is occupied"),
            Self::FlipsNothing(square) => write!(f, "a disc on {square} turns nothing over"),
            Self::MustMove(square) => write!(f, "you can move, for example {square}: no pass"),
        }
    }
}

impl Reason for Illegal {
    #[inline]
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        match self {
            Self::GameOver => out.write_str("game is over"),
            Self::Occupied(square) => write!(out, "{square} is occupied"),
            Self::FlipsNothing(square) => write!(out, "{square} turns nothing"),
            Self::MustMove(square) => write!(out, "no pass: {square} goes"),
        }
    }
}

impl core::error::Error for Illegal {}

impl Othello {
    /// The start: black d5 e4, white d4 e5, black to move.
    pub const START: Self = Self {
        own: Bitboard::from_bits(0x0000_0008_1000_0000),
        opponent: Bitboard::from_bits(0x0000_0010_0800_0000),
        turn: Player::FIRST,
    };

    /// The four squares that are never empty.
    const CENTRE: Bitboard = Bitboard::from_bits(0x0000_0018_1800_0000);

    /// The discs of a player.
    pub const fn discs(&self, player: Player) -> Bitboard {
        if player.index() == self.turn.index() { self.own } else { self.opponent }
    }

    /// The squares that the player to move may choose.
    pub const fn targets(&self) -> Bitboard {
        moves(self.own, self.opponent)
    }

    fn empty(&self) -> Bitboard {
        !(self.own | self.opponent)
    }
}

impl Default for Othello {
    fn default() -> Self {
        Self::START
    }
}

impl Game for Othello {
    type Move = Move;
    type Illegal = Illegal;

    /// The squares that are empty at the start. (The most seen in any position is far lower.)
    const MAX_MOVES: usize = 60;
    const COLORS: &'static [Color] = &[
        Color { name: "black", mark: 'X', aliases: &["b", "x", "1"] },
        Color { name: "white", mark: 'O', aliases: &["w", "o", "2"] },
    ];

    fn turn(&self) -> Player {
        self.turn
    }

    fn with_turn(&self, player: Player) -> Self {
        Self { own: self.discs(player), opponent: self.discs(player.other()), turn: player }
    }

    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        let targets = self.targets();
        if targets.is_empty() && !self.is_over() {
            visit(Move::Pass);
        }
        targets.iter().for_each(|square| visit(Move::Disc(square)));
    }

    fn count_moves(&self) -> u32 {
        match self.targets().len() {
            0 if !self.is_over() => 1,
            count => count,
        }
    }

    fn forced_pass(&self) -> Option<Move> {
        (self.targets().is_empty() && !self.is_over()).then_some(Move::Pass)
    }

    #[inline]
    fn check(&self, mv: Move) -> Result<(), Illegal> {
        if self.is_over() {
            return Err(Illegal::GameOver);
        }
        match mv {
            Move::Pass => {
                self.targets().first().map_or(Ok(()), |example| Err(Illegal::MustMove(example)))
            }
            Move::Disc(square) if !self.empty().contains(square) => Err(Illegal::Occupied(square)),
            Move::Disc(square) if !self.targets().contains(square) => {
                Err(Illegal::FlipsNothing(square))
            }
            Move::Disc(_) => Ok(()),
        }
    }

    fn play(&mut self, mv: Move) {
        if let Move::Disc(square) = mv {
            let flipped = flips(square, self.own, self.opponent);
            self.own |= flipped.with(square);
            self.opponent &= !flipped;
        }
        core::mem::swap(&mut self.own, &mut self.opponent);
        self.turn = self.turn.other();
    }

    fn is_over(&self) -> bool {
        self.targets().is_empty() && moves(self.opponent, self.own).is_empty()
    }

    /// Discs; at the end the empty squares count for the winner, as in tournaments.
    fn score(&self, player: Player) -> i16 {
        let own = self.discs(player).len();
        let opponent = self.discs(player.other()).len();
        let empty = if own > opponent && self.is_over() { self.empty().len() } else { 0 };
        (own + empty) as i16
    }

    fn hash(&self) -> u64 {
        mix_in(mix_in(self.turn.index() as u64, self.own.bits()), self.opponent.bits())
    }

    #[inline]
    fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        Square::parse(text).map(Move::Disc).ok_or(ParseMoveError {
            long: "a move is a square a1..h8, or pass",
            short: "squares are a1..h8",
        })
    }

    #[inline]
    fn write_move(&self, mv: Move, out: &mut dyn Write) -> fmt::Result {
        match mv {
            Move::Pass => out.write_str("pass"),
            Move::Disc(square) => write!(out, "{square}"),
        }
    }

    #[inline]
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        const FORM: PositionError =
            PositionError::Form("64 of X O -, row by row from a1, a space, and X or O to move");
        let (black, white, rest) = diagram::parse_sets(text.trim_ascii())
            .map_err(|at| at.map_or(FORM, PositionError::Character))?;
        let turn = match rest.trim_ascii_start() {
            "X" | "x" | "*" => Player::FIRST,
            "O" | "o" => Player::SECOND,
            _ => return Err(FORM),
        };
        if (black | white) & Self::CENTRE != Self::CENTRE {
            return Err(PositionError::Impossible("a centre square is empty"));
        }
        if !is_connected(black | white) {
            return Err(PositionError::Impossible("a disc stands apart from all others"));
        }
        let seen_by_black = Self { own: black, opponent: white, turn: Player::FIRST };
        Ok(seen_by_black.with_turn(turn))
    }

    #[inline]
    fn write_position(&self, out: &mut dyn Write) -> fmt::Result {
        diagram::write_sets(self.discs(Player::FIRST), self.discs(Player::SECOND), out)?;
        out.write_char(' ')?;
        out.write_char(mark(Self::COLORS, self.turn))
    }

    #[inline]
    fn draw(&self, last: Option<Move>, out: &mut dyn Canvas) -> fmt::Result {
        let last = match last {
            Some(Move::Disc(square)) => Some(square),
            _ => None,
        };
        diagram::draw(self.discs(Player::FIRST), self.discs(Player::SECOND), last, out)
    }

    fn encode(mv: Move) -> MoveCode {
        match mv {
            Move::Pass => MoveCode::PASS,
            Move::Disc(square) => MoveCode::new(square.index().into()),
        }
    }

    fn decode(&self, code: MoveCode) -> Option<Move> {
        match code {
            MoveCode::PASS => Some(Move::Pass),
            _ => Square::from_index(code.get()).map(Move::Disc),
        }
    }
}

/// Whether every disc can be reached from the centre by king's steps: a move is always beside a
/// disc.
fn is_connected(discs: Bitboard) -> bool {
    let mut reached = Othello::CENTRE;
    loop {
        let next = reached.and_around() & discs;
        if next == reached {
            return reached == discs;
        }
        reached = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::perft;
    use std::string::String;

    fn position(text: &str) -> Othello {
        Othello::START.parse_position(text).unwrap()
    }

    fn disc(text: &str) -> Move {
        Move::Disc(Square::parse(text).unwrap())
    }

    #[test]
    fn published_move_counts() {
        for (depth, leaves) in [4, 12, 56, 244, 1396, 8200, 55_092].into_iter().enumerate() {
            assert_eq!(perft(&Othello::START, depth as u32 + 1), leaves);
        }
    }

    #[test]
    fn a_move_turns_the_enclosed_discs_in_every_direction() {
        let rest = "-".repeat(24);
        let before = ["-OX-----", "OO------", "X-O-----", "---OX---", "---XX---", &rest, " X"];
        let after = ["XXX-----", "XX------", "X-X-----", "---XX---", "---XX---", &rest, " O"];
        let mut game = position(&before.concat());
        assert_eq!(game.check(disc("a1")), Ok(()));
        game.play(disc("a1"));
        assert_eq!(game, position(&after.concat()));
    }

    #[test]
    fn refusals_name_the_square() {
        let start = Othello::START;
        let refused = |mv| start.check(mv).unwrap_err();
        assert_eq!(refused(disc("d4")), Illegal::Occupied(Square::parse("d4").unwrap()));
        assert_eq!(refused(disc("a1")), Illegal::FlipsNothing(Square::parse("a1").unwrap()));
        assert_eq!(refused(Move::Pass), Illegal::MustMove(Square::parse("d3").unwrap()));
    }

    #[test]
    fn a_player_without_a_move_passes_and_one_without_discs_loses_all_squares() {
        let mut game = position(&["-OXXXXXX", &"X".repeat(55), "- O"].concat());
        assert_eq!(game.forced_pass(), Some(Move::Pass));
        game.play(Move::Pass);
        game.play(disc("a1"));
        assert!(game.is_over());
        assert_eq!((game.score(Player::FIRST), game.score(Player::SECOND)), (64, 0));
        assert_eq!(game.check(disc("h8")), Err(Illegal::GameOver));
    }

    #[test]
    fn in_a_draw_nobody_gets_the_empty_squares() {
        let rows = [
            "-XXXXXXX", "OXOOOXXX", "OOXXXXXX", "OOOXXXXX", "OOOOXXXX", "OOOOOXXX", "OOOOOOXX",
            "OOOOOOO-",
        ];
        let game = position(&(rows.concat() + " X"));
        assert!(game.is_over());
        assert_eq!((game.score(Player::FIRST), game.score(Player::SECOND)), (31, 31));
    }

    #[test]
    fn after_the_end_nobody_moves_or_passes() {
        let game = position(&("X".repeat(63) + "- X"));
        for game in [game, game.with_turn(Player::SECOND)] {
            assert!(game.is_over());
            assert_eq!((game.forced_pass(), game.count_moves()), (None, 0));
            game.for_each_move(|mv| panic!("{mv:?}"));
            assert_eq!(game.check(Move::Pass), Err(Illegal::GameOver));
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let refuse = |text: &str| Othello::START.parse_position(text).unwrap_err();
        assert!(matches!(refuse("XO"), PositionError::Form(_)));
        let empty = "-".repeat(64);
        assert!(matches!(refuse(&(empty.clone() + " X")), PositionError::Impossible(_)));
        assert_eq!(refuse(&(empty.replacen('-', "?", 1) + " X")), PositionError::Character(1));
        let mut start = String::new();
        Othello::START.write_position(&mut start).unwrap();
        assert_eq!(position(&start), Othello::START);
        let apart = start.replacen('-', "X", 1);
        assert!(matches!(refuse(&apart), PositionError::Impossible(_)));
    }
}
