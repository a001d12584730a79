//! The Adjacency Strategy Game: place a mark on any empty square of 8x8; the opponent's marks
//! beside it, along rows and columns, become yours.

use core::fmt::{self, Display, Write};

use crate::bitboard::Bitboard;
use crate::diagram;
use crate::game::{Canvas, Game, MoveCode, ParseMoveError, PositionError, Reason, parse_number};
use crate::mix::mix_in;
use crate::player::{Color, Player, mark};
use crate::square::Square;

mod engine;
mod solver;

/// What measuring needs of the evaluation. It changes without notice.
#[doc(hidden)]
pub mod tuning {
    pub use super::engine::evaluate;
}

/// How many rounds are played; in a round each player moves once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounds(u8);

impl Rounds {
    /// The shortest game.
    pub const MIN: Self = Self(2);
    /// The longest game, which fills the board.
    pub const MAX: Self = Self(28);

    /// That many rounds, if a game can have them.
    pub const fn new(rounds: u8) -> Option<Self> {
        if rounds >= Self::MIN.0 && rounds <= Self::MAX.0 { Some(Self(rounds)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// A position: the marks, who moves, and the plies left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adjacency {
    own: Bitboard,
    opponent: Bitboard,
    plies_left: u8,
    turn: Player,
}

/// Why a move is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Illegal {
    /// The last round is over.
    GameOver,
    /// The square has a mark.
    Occupied(Square),
}

impl Display for Illegal {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => f.write_str("the game is over"),
            Self::Occupied(square) => write!(f, "{square} is occupied"),
        }
    }
}

impl Reason for Illegal {
    #[inline]
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        match self {
            Self::GameOver => out.write_str("game is over"),
            Self::Occupied(square) => write!(out, "{square} is occupied"),
        }
    }
}

impl core::error::Error for Illegal {}

impl Adjacency {
    /// X's 2x2 block at the bottom left.
    const START_X: Bitboard = Bitboard::from_bits(0x0303_0000_0000_0000);
    /// O's 2x2 block at the top right.
    const START_O: Bitboard = Bitboard::from_bits(0x0000_0000_0000_c0c0);

    /// The start of a game in which `first` moves first.
    pub const fn new(rounds: Rounds, first: Player) -> Self {
        let first = if first.index() == 0 { Player::FIRST } else { Player::SECOND };
        let (own, opponent) = match first.index() {
            0 => (Self::START_X, Self::START_O),
            _ => (Self::START_O, Self::START_X),
        };
        Self { own, opponent, plies_left: rounds.0 * 2, turn: first }
    }

    /// The marks of a player.
    pub const fn marks(&self, player: Player) -> Bitboard {
        if player.index() == self.turn.index() { self.own } else { self.opponent }
    }

    /// The squares without a mark.
    pub fn empty(&self) -> Bitboard {
        !(self.own | self.opponent)
    }

    /// How many moves the two players will still make.
    pub const fn plies_left(&self) -> u8 {
        self.plies_left
    }

    /// Rounds that are not complete yet.
    pub const fn rounds_left(&self) -> u8 {
        self.plies_left.div_ceil(2)
    }
}

impl Default for Adjacency {
    fn default() -> Self {
        Self::new(Rounds::MAX, Player::FIRST)
    }
}

impl Game for Adjacency {
    type Move = Square;
    type Illegal = Illegal;

    /// The squares that are empty at the start.
    const MAX_MOVES: usize = 56;
    const COLORS: &'static [Color] = &[
        Color { name: "X", mark: 'X', aliases: &["b", "black", "1"] },
        Color { name: "O", mark: 'O', aliases: &["w", "white", "2"] },
    ];

    fn turn(&self) -> Player {
        self.turn
    }

    fn with_turn(&self, player: Player) -> Self {
        let (own, opponent) = (self.marks(player), self.marks(player.other()));
        Self { own, opponent, turn: player, ..*self }
    }

    fn for_each_move(&self, visit: impl FnMut(Square)) {
        if !self.is_over() {
            self.empty().iter().for_each(visit);
        }
    }

    fn count_moves(&self) -> u32 {
        if self.is_over() { 0 } else { self.empty().len() }
    }

    /// Nobody passes: while plies are left there is an empty square.
    fn forced_pass(&self) -> Option<Square> {
        None
    }

    #[inline]
    fn check(&self, square: Square) -> Result<(), Illegal> {
        if self.is_over() {
            Err(Illegal::GameOver)
        } else if !self.empty().contains(square) {
            Err(Illegal::Occupied(square))
        } else {
            Ok(())
        }
    }

    fn play(&mut self, square: Square) {
        let taken = square.bitboard().neighbours() & self.opponent;
        let moved = (self.own | taken).with(square);
        self.own = self.opponent & !taken;
        self.opponent = moved;
        self.plies_left = self.plies_left.saturating_sub(1);
        self.turn = self.turn.other();
    }

    fn is_over(&self) -> bool {
        self.plies_left == 0
    }

    fn score(&self, player: Player) -> i16 {
        self.marks(player).len() as i16
    }

    fn hash(&self) -> u64 {
        let rest = u64::from(self.plies_left) << 1 | self.turn.index() as u64;
        mix_in(mix_in(rest, self.own.bits()), self.opponent.bits())
    }

    #[inline]
    fn parse_move(&self, text: &str) -> Result<Square, ParseMoveError> {
        Square::parse(text).ok_or(ParseMoveError {
            long: "a move is a square a1..h8",
            short: "squares are a1..h8",
        })
    }

    #[inline]
    fn write_move(&self, square: Square, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{square}")
    }

    #[inline]
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        const FORM: PositionError = PositionError::Form(
            "64 of X O -, row by row from a1, a space, X or O to move, a space, the plies left",
        );
        let (x, o, rest) = diagram::parse_sets(text.trim_ascii())
            .map_err(|at| at.map_or(FORM, PositionError::Character))?;
        let (turn, plies) = rest.trim_ascii_start().split_at_checked(1).ok_or(FORM)?;
        let turn = match turn {
            "X" | "x" => Player::FIRST,
            "O" | "o" => Player::SECOND,
            _ => return Err(FORM),
        };
        let plies_left = plies.strip_prefix(' ').and_then(parse_number).ok_or(FORM)?;
        let start = Self::START_X | Self::START_O;
        if (x | o) & start != start {
            return Err(PositionError::Impossible("a square of the starting blocks is empty"));
        }
        // Only a new mark beside it takes a mark. With both corners in the other player's hands it is
        // the players whose names are swapped: a text may well call the one to move X.
        let mut changed = (x & Self::START_O) | (o & Self::START_X);
        if (changed & Bitboard::CORNERS).len() == 2 {
            changed = start & !changed;
        }
        let beside_new = ((x | o) & !start).neighbours();
        if let Some(square) = (changed & !beside_new).iter().next() {
            return Err(PositionError::Unreachable(square));
        }
        if u32::from(plies_left) > (!(x | o)).len() {
            return Err(PositionError::Impossible("more plies left than empty squares"));
        }
        Ok(Self { own: x, opponent: o, plies_left, turn: Player::FIRST }.with_turn(turn))
    }

    #[inline]
    fn write_position(&self, out: &mut dyn Write) -> fmt::Result {
        diagram::write_sets(self.marks(Player::FIRST), self.marks(Player::SECOND), out)?;
        out.write_char(' ')?;
        out.write_char(mark(Self::COLORS, self.turn))?;
        write!(out, " {}", self.plies_left)
    }

    #[inline]
    fn draw(&self, last: Option<Square>, out: &mut dyn Canvas) -> fmt::Result {
        diagram::draw(self.marks(Player::FIRST), self.marks(Player::SECOND), last, out)?;
        writeln!(out, "rounds left: {}", self.rounds_left())
    }

    fn encode(square: Square) -> MoveCode {
        MoveCode::new(square.index().into())
    }

    fn decode(&self, code: MoveCode) -> Option<Square> {
        Square::from_index(code.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::random;
    use crate::mix::Rng;
    use std::string::String;

    fn at(text: &str) -> Square {
        Square::parse(text).unwrap()
    }

    #[test]
    fn neighbours_along_rows_and_columns_change_hands_but_not_diagonal_ones() {
        let mut game = Adjacency::default();
        game.play(at("f1")); // X beside O's g1: takes it
        assert_eq!((game.score(Player::FIRST), game.score(Player::SECOND)), (6, 3));
        assert_eq!(game.turn(), Player::SECOND);
        game.play(at("e2")); // O diagonal to X's f1: takes nothing
        assert_eq!((game.score(Player::FIRST), game.score(Player::SECOND)), (6, 4));
    }

    #[test]
    fn flips_do_not_wrap_around_the_edge() {
        let mut game = Adjacency::default().with_turn(Player::SECOND);
        game.play(at("h6")); // one bit before a7, which is X's
        assert_eq!(game.score(Player::FIRST), 4);
    }

    #[test]
    fn the_game_ends_after_the_last_round() {
        let mut game = Adjacency::new(Rounds::MIN, Player::SECOND);
        for (left, square) in [(2, "a1"), (2, "b1"), (1, "c1"), (1, "d1")] {
            assert_eq!(game.rounds_left(), left);
            assert_eq!(game.check(at(square)), Ok(()));
            game.play(at(square));
        }
        assert!(game.is_over());
        assert_eq!(game.check(at("e1")), Err(Illegal::GameOver));
        assert_eq!(game.count_moves(), 0);
    }

    #[test]
    fn positions_read_back_and_impossible_ones_are_refused() {
        let mut game = Adjacency::new(Rounds::new(12).unwrap(), Player::SECOND);
        game.play(at("e4"));
        let mut text = String::new();
        game.write_position(&mut text).unwrap();
        assert!(text.ends_with(" X 23"), "{text}");
        assert_eq!(Adjacency::default().parse_position(&text), Ok(game));
        let refuse = |text: &str| Adjacency::default().parse_position(text).unwrap_err();
        assert!(matches!(refuse(&text.replace(" 23", "")), PositionError::Form(_)));
        assert!(matches!(refuse(&text.replace(" 23", " 60")), PositionError::Impossible(_)));
        assert!(matches!(refuse(&text.replace('X', "-")), PositionError::Form(_)));
    }

    /// The start with these squares in other hands.
    fn start_with(changes: &[(&str, &str)]) -> Result<Adjacency, PositionError> {
        let mut text =
            String::from("------OO------OO--------------------------------XX------XX------");
        for (square, mark) in changes {
            let at = usize::from(at(square).index());
            text.replace_range(at..=at, mark);
        }
        Adjacency::default().parse_position(&(text + " X 9"))
    }

    #[test]
    fn a_mark_of_the_start_changes_hands_only_beside_a_new_mark() {
        for (changes, square) in [
            (&[("h1", "X")][..], "h1"),
            (&[("a8", "O")], "a8"),
            (&[("h1", "X"), ("g1", "X"), ("f1", "X")], "h1"),
            (&[("g1", "X")], "g1"),
            (&[("a7", "O")], "a7"),
            (&[("b7", "O"), ("a6", "O")], "b7"),
        ] {
            assert_eq!(start_with(changes), Err(PositionError::Unreachable(at(square))));
        }
        let why = start_with(&[("h1", "X")]).unwrap_err();
        assert_eq!(std::format!("{why}"), "impossible position: h1 can't have been taken");
        assert!(start_with(&[("g1", "X"), ("f1", "X")]).is_ok());
        assert!(start_with(&[("b7", "O"), ("c7", "O")]).is_ok());
        assert!(start_with(&[("a7", "O"), ("a6", "X")]).is_ok(), "a6 may have been retaken");
    }

    #[test]
    fn no_position_of_a_game_is_refused_under_either_name_of_the_players() {
        let mut rng = Rng::new(9);
        for number in 0..400 {
            let rounds = Rounds::new(2 + rng.below(27) as u8).unwrap();
            let mut game = Adjacency::new(rounds, Player::new(number % 2).unwrap());
            loop {
                let mut text = String::new();
                game.write_position(&mut text).unwrap();
                assert_eq!(Adjacency::default().parse_position(&text), Ok(game));
                let swap = |mark| match mark {
                    'X' => 'O',
                    'O' => 'X',
                    other => other,
                };
                let swapped: String = text.chars().map(swap).collect();
                assert!(Adjacency::default().parse_position(&swapped).is_ok(), "{swapped}");
                let Some(mv) = random(&game, &mut rng) else { break };
                game.play(mv);
            }
        }
    }

    #[test]
    fn rounds_are_2_to_28() {
        assert_eq!(Rounds::new(1), None);
        assert_eq!(Rounds::new(29), None);
        assert_eq!(Rounds::new(28), Some(Rounds::MAX));
    }

    #[test]
    fn rounds_tell_their_number() {
        assert_eq!((Rounds::MIN.get(), Rounds::MAX.get()), (2, 28));
    }

    #[test]
    fn a_refusal_names_the_square_in_both_lengths() {
        let refuse = |game: Adjacency, square| {
            let (why, mut short) = (game.check(at(square)).unwrap_err(), String::new());
            why.short(&mut short).unwrap();
            (std::format!("{why}"), short)
        };
        let (long, short) = refuse(Adjacency::default(), "h1");
        assert!(long.contains("h1") && short.contains("h1"), "{long}, {short}");
        let (long, short) = refuse(Adjacency { plies_left: 0, ..Adjacency::default() }, "d4");
        assert!(long.contains("over") && short.contains("over"), "{long}, {short}");
    }

    #[test]
    fn the_drawing_shows_marks_the_last_move_and_the_rounds_left() {
        let mut game = Adjacency::default();
        let squares = game.count_moves();
        game.play(at("f1"));
        assert_eq!(game.count_moves(), squares - 1);
        let mut text = String::new();
        game.draw(Some(at("f1")), &mut crate::game::Plain(&mut text)).unwrap();
        assert!(text.contains("\n1  . . . . .[X]X O 1\n"), "{text}");
        assert!(text.ends_with("\nrounds left: 28\n"), "{text}");
    }

    #[test]
    fn moves_are_numbered_by_their_squares_and_written_as_them() {
        let game = Adjacency::default();
        for square in Bitboard::ALL {
            let code = Adjacency::encode(square);
            assert_eq!(code.get(), square.index().into());
            assert_eq!(game.decode(code), Some(square));
            let mut text = String::new();
            game.write_move(square, &mut text).unwrap();
            assert_eq!(game.parse_move(&text), Ok(square));
        }
        assert_eq!(game.decode(MoveCode::new(64)), None);
        assert_eq!(game.decode(MoveCode::PASS), None);
    }

    #[test]
    fn positions_that_differ_in_the_turn_or_the_plies_left_have_other_hashes() {
        let mut hashes = std::collections::HashSet::new();
        for plies_left in 0..=56 {
            let game = Adjacency { plies_left, ..Adjacency::default() };
            assert!(hashes.insert(game.hash()), "{plies_left}");
            // The same marks in the same order, so that only the name of the turn differs.
            assert!(hashes.insert(Adjacency { turn: Player::SECOND, ..game }.hash()));
        }
    }
}
