//! What every game can do.

use core::fmt::{self, Debug, Display, Write};

use crate::player::{Color, Player};
use crate::square::Square;

/// The most characters of a message's short form.
pub const SHORT: usize = 21;

/// The most plies in any game, forced passes included: Dots and Boxes on 10x10 draws 220 lines.
/// (Othello has 60 moves and never two passes in a row, Blokus Classic 84 turns, since a player
/// who can't move never can again.)
pub const MAX_PLIES: usize = 220;

/// Why a move or a text is refused: [`Display`] is a sentence for people, the short form is for small
/// screens.
pub trait Reason: Display {
    /// Writes the form of at most [`SHORT`] characters.
    fn short(&self, out: &mut dyn Write) -> fmt::Result;
}

/// A position of a game: small, copied freely, the same on every machine.
///
/// A player who can't move while the game goes on has one legal move, the pass. Moves are listed
/// in an order that depends on the position alone, so that a seeded player is the same everywhere.
pub trait Game: Clone + PartialEq + Debug {
    /// A move, the forced pass included where the game has one.
    type Move: Copy + PartialEq + Debug;
    /// Why [`check`](Self::check) refuses a move.
    type Illegal: Reason + Debug;

    /// No position has more legal moves: a buffer of this many never overflows.
    const MAX_MOVES: usize;
    /// The players in turn order.
    const COLORS: &'static [Color];
    /// Whether a position is written as the moves that lead to it. Whoever keeps the game then
    /// reads and writes them, and the game has no position text of its own.
    const POSITION_IS_MOVES: bool = false;

    /// How many people sit at the board: one a colour, unless somebody holds several.
    fn people(&self) -> usize {
        Self::COLORS.len()
    }
    /// Whose turn it is.
    fn turn(&self) -> Player;
    /// The same position with another player to move.
    fn with_turn(&self, player: Player) -> Self;
    /// Calls `visit` for every legal move; for none when the game is over.
    fn for_each_move(&self, visit: impl FnMut(Self::Move));
    /// How many moves [`for_each_move`](Self::for_each_move) lists.
    fn count_moves(&self) -> u32 {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }
    /// The pass, when it is the only legal move.
    fn forced_pass(&self) -> Option<Self::Move>;
    /// Says why `mv` is not legal.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;
    /// Plays a legal move. An illegal one gives a position without meaning, but never a panic.
    fn play(&mut self, mv: Self::Move);
    /// Whether nobody can move any more.
    fn is_over(&self) -> bool;
    /// The player's points as they stand.
    fn score(&self, player: Player) -> i16;
    /// The points that a legal move brings its player at once, less what the others gain.
    fn gain(&self, mv: Self::Move) -> i16 {
        let mut after = self.clone();
        after.play(mv);
        let change = |player| after.score(player) - self.score(player);
        let own = self.turn();
        Player::all(Self::COLORS.len())
            .map(|player| if player == own { change(player) } else { -change(player) })
            .sum()
    }
    /// A well mixed number for tables; equal positions have equal ones.
    fn hash(&self) -> u64;

    /// Reads a move as people write it.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseMoveError>;
    /// Writes a move so that [`parse_move`](Self::parse_move) gives it back.
    fn write_move(&self, mv: Self::Move, out: &mut dyn Write) -> fmt::Result;
    /// Writes a move in a notation, where the game has it, else in its usual one.
    fn write_move_in(&self, mv: Self::Move, _: Notation, out: &mut dyn Write) -> fmt::Result {
        self.write_move(mv, out)
    }
    /// Reads a position of the same board size and options as `self`.
    fn parse_position(&self, _text: &str) -> Result<Self, PositionError> {
        Err(PositionError::Form("the moves that lead to it"))
    }
    /// Writes a position so that [`parse_position`](Self::parse_position) gives it back.
    fn write_position(&self, _out: &mut dyn Write) -> fmt::Result {
        Ok(())
    }
    /// Draws the board with its coordinates and the last move marked, a line of text per row.
    fn draw(&self, last: Option<Self::Move>, out: &mut dyn Canvas) -> fmt::Result;

    /// The number of a move. It is the same in every position of a match.
    fn encode(mv: Self::Move) -> MoveCode;
    /// The move with this number; `None` if the board has no such move. It may not be legal.
    fn decode(&self, code: MoveCode) -> Option<Self::Move>;
    /// Bytes of a move in a save.
    const PACKED: usize = 1;
    /// A move that is no pass as a save has it, in the lowest [`PACKED`](Self::PACKED) bytes. Saves
    /// outlive versions of the program: what this gives never changes.
    fn pack(&self, mv: Self::Move) -> u64 {
        Self::encode(mv).get().into()
    }
    /// The move that [`pack`](Self::pack) made this of; `None` if there is none.
    fn unpack(&self, packed: u64) -> Option<Self::Move> {
        self.decode(MoveCode::new(packed.try_into().ok()?))
    }
}

/// Where a board is drawn in text. It knows whose each mark is, so that it can be coloured.
pub trait Canvas: Write {
    /// Writes a player's mark.
    fn mark(&mut self, _: Player, mark: char) -> fmt::Result {
        self.write_char(mark)
    }
}

/// A canvas without colours.
#[expect(missing_debug_implementations, reason = "a writer need not be one")]
pub struct Plain<'a>(pub &'a mut dyn Write);

impl Write for Plain<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write_str(text)
    }
}

impl Canvas for Plain<'_> {}

/// A move of any game as a small number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveCode(u16);

impl MoveCode {
    /// The pass, in every game that has one.
    pub const PASS: Self = Self(u16::MAX);

    /// The move with this number.
    pub const fn new(number: u16) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u16 {
        self.0
    }
}

/// How moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Notation {
    /// As people write them.
    #[default]
    Plain,
    /// As the four characters of the contest, in Blokus Duo.
    Code,
}

/// Why a text is no move of the game at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseMoveError {
    /// The sentence.
    pub long: &'static str,
    /// The short form.
    pub short: &'static str,
}

impl Display for ParseMoveError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.long)
    }
}

impl core::error::Error for ParseMoveError {}

impl Reason for ParseMoveError {
    #[inline]
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str(self.short)
    }
}

/// Why a text is no position of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// It is not written in the game's form; this is the form.
    Form(&'static str),
    /// A character, counted from 1, that the form does not have there.
    Character(usize),
    /// It is well written, but no game leads there.
    Impossible(&'static str),
    /// A mark that no move can have put there.
    Unreachable(Square),
}

impl Display for PositionError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(form) => write!(f, "a position is {form}"),
            Self::Character(at) => write!(f, "unexpected character at {at}"),
            Self::Impossible(why) => write!(f, "impossible position: {why}"),
            Self::Unreachable(at) => write!(f, "impossible position: {at} can't have been taken"),
        }
    }
}

impl core::error::Error for PositionError {}

impl Reason for PositionError {
    #[inline]
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        match self {
            Self::Form(_) => out.write_str("not a position"),
            Self::Character(at) => write!(out, "bad character at {at}"),
            Self::Impossible(_) => out.write_str("impossible position"),
            Self::Unreachable(at) => write!(out, "{at} can't be taken"),
        }
    }
}

/// A small number in text, with spaces around it or none.
#[inline]
pub fn parse_number(text: &str) -> Option<u8> {
    parse_whole(text.trim_ascii())
}

/// A whole number in text, if its type can hold it. The library's function is long, so that all
/// types use the same one.
pub fn parse_whole<T: TryFrom<u64>>(text: &str) -> Option<T> {
    #[inline(never)]
    fn parse(text: &str) -> Option<u64> {
        text.parse().ok()
    }
    parse(text)?.try_into().ok()
}

/// Counts the move sequences of `depth` plies: a forced pass is a ply, a game that ends earlier is
/// one leaf.
pub fn perft<G: Game>(game: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(game.count_moves().max(1)),
        _ => {
            let mut leaves = 0;
            game.for_each_move(|mv| {
                let mut next = game.clone();
                next.play(mv);
                leaves += perft(&next, depth - 1);
            });
            leaves.max(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::random;
    use crate::games::adjacency::Adjacency;
    use crate::games::blokus::{Classic, Duo};
    use crate::games::dots::{Dots, Size};
    use crate::games::othello::Othello;
    use crate::mix::Rng;
    use std::string::String;
    use std::vec::Vec;

    fn drawing<G: Game>(game: &G, last: Option<G::Move>) -> String {
        let mut text = String::new();
        game.draw(last, &mut Plain(&mut text)).unwrap();
        text
    }

    /// Plays random games and checks in each position what the trait promises.
    fn keeps_its_promises<G: Game>(start: &G, games: u64) {
        for seed in 0..games {
            let (mut game, mut rng) = (start.clone(), Rng::new(seed));
            while let Some(mv) = random(&game, &mut rng) {
                moves_are_what_they_should_be(&game);
                let others = Player::all(G::COLORS.len()).filter(|player| *player != game.turn());
                for player in others {
                    let other = game.with_turn(player);
                    assert_eq!(other.turn(), player);
                    assert_ne!(other.hash(), game.hash(), "{game:?}");
                    assert_eq!(other.with_turn(game.turn()), game);
                }
                let before = game.clone();
                game.play(mv);
                assert_ne!(game.hash(), before.hash(), "{before:?} {mv:?}");
                if before.forced_pass().is_none() {
                    assert_ne!(drawing(&game, None), drawing(&before, None));
                    assert_ne!(drawing(&game, Some(mv)), drawing(&game, None));
                }
            }
            assert!(game.is_over());
            assert_eq!((game.count_moves(), game.forced_pass()), (0, None));
        }
    }

    fn moves_are_what_they_should_be<G: Game>(game: &G) {
        let mut moves = Vec::new();
        game.for_each_move(|mv| moves.push(mv));
        assert_eq!(game.count_moves() as usize, moves.len());
        assert!(!game.is_over() && moves.len() <= G::MAX_MOVES);
        let pass = game.forced_pass();
        assert!(pass.is_none_or(|pass| moves == [pass]), "{game:?}");
        for mv in moves {
            assert!(game.check(mv).is_ok(), "{game:?} {mv:?}");
            let mut text = String::new();
            game.write_move(mv, &mut text).unwrap();
            assert_eq!(game.parse_move(&text), Ok(mv), "{text}");
            assert_eq!(game.decode(G::encode(mv)), Some(mv), "{text}");
            assert_eq!(G::encode(mv) == MoveCode::PASS, pass == Some(mv), "{text}");
            if pass.is_none() {
                let packed = game.pack(mv);
                assert_eq!(game.unpack(packed), Some(mv), "{text}");
                assert!(packed < 1 << (8 * G::PACKED), "{text}");
            }
        }
    }

    #[test]
    fn othello_keeps_the_promises_of_a_game() {
        keeps_its_promises(&Othello::START, 20);
    }

    #[test]
    fn adjacency_keeps_the_promises_of_a_game() {
        keeps_its_promises(&Adjacency::default(), 10);
    }

    #[test]
    fn dots_keeps_the_promises_of_a_game() {
        keeps_its_promises(&Dots::new(Size::new(2, 3).unwrap()), 10);
        keeps_its_promises(&Dots::new(Size::new(10, 10).unwrap()), 1);
    }

    #[test]
    fn blokus_duo_keeps_the_promises_of_a_game() {
        keeps_its_promises(&Duo::default(), 1);
    }

    #[test]
    fn blokus_classic_keeps_the_promises_of_a_game() {
        keeps_its_promises(&Classic::default(), 1);
    }
}
