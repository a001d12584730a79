//! The five games again, written to be obviously correct rather than fast.
//!
//! Nothing here uses `corvid-core`: the boards are plain tables or sets of cells, and each rule
//! is the sentence of the rule book turned into a loop. The tests compare the bitboards of the core
//! with these games; the games themselves are checked against published counts and recorded
//! games in `tests/tests/reference.rs`.

pub mod adjacency;
pub mod blokus;
pub mod data;
pub mod dots;
pub mod othello;

use std::fmt;

/// The interface of every reference game.
pub trait Reference: Clone {
    /// The player whose turn it is, counted from 0 in the order of play.
    fn to_move(&self) -> usize;

    /// Every legal move in its canonical text, sorted; `pass` alone when the player has to pass,
    /// nothing when the game is over.
    fn legal(&self) -> Vec<String>;

    /// Plays a move given as text. A refused move leaves the game as it was.
    fn play(&mut self, text: &str) -> Result<(), Refused>;

    /// Whether the game has ended.
    fn over(&self) -> bool;

    /// One score for each player, in the order of play.
    fn scores(&self) -> Vec<i32>;

    /// How many games of `depth` moves there are from here. A forced pass is a move; a game that
    /// ends earlier counts once.
    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.over() {
            return 1;
        }
        let legal = self.legal();
        if depth == 1 {
            return legal.len() as u64;
        }
        let mut count = 0;
        for text in legal {
            let mut next = self.clone();
            next.play(&text).expect("a legal move can be played");
            count += next.perft(depth - 1);
        }
        count
    }
}

/// Why a move was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The text is not a move of this game at all.
    Unreadable,
    /// The game has already ended.
    GameOver,
    /// A pass, although the player can move.
    CanMove,
    /// A placement that the rules forbid.
    Fault(Fault),
}

/// A rule that a placement breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Some part lies outside the board.
    OffBoard,
    /// Something is already there.
    Occupied,
    /// Othello: no disc would turn.
    TurnsNothing,
    /// Blokus: the cells do not form a piece.
    NotAPiece,
    /// Blokus: the player has placed this piece before.
    PieceUsed,
    /// Blokus: the first piece does not cover the start square.
    MissesStart,
    /// Blokus: shares an edge with a piece of the same colour.
    TouchesOwnSide,
    /// Blokus: shares no corner with a piece of the same colour.
    NoOwnCorner,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Refused {}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Refused::Fault(fault)
    }
}

/// Reads `a1`..`h8` as row and column of an 8x8 table, row 0 at the top.
fn read_square(text: &str) -> Result<(usize, usize), Refused> {
    let [column @ b'a'..=b'h', row @ b'1'..=b'8'] = *text.as_bytes() else {
        return Err(Refused::Unreadable);
    };
    Ok(((row - b'1') as usize, (column - b'a') as usize))
}

/// Writes row and column of an 8x8 table as `a1`..`h8`.
fn write_square(row: usize, column: usize) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

/// A small seeded generator, so that random games are the same in every run.
#[derive(Debug, Clone)]
pub struct Dice {
    state: u64,
    /// The next throws, the last one first.
    given: Vec<u8>,
}

impl Dice {
    /// Dice that give the same throws for the same seed.
    pub fn new(seed: u64) -> Self {
        Dice { state: seed, given: Vec::new() }
    }

    /// Dice whose first throws come from these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Dice { state: 0, given: bytes.iter().rev().copied().collect() }
    }

    /// A number in `0..sides`.
    pub fn throw(&mut self, sides: usize) -> usize {
        if let Some(byte) = self.given.pop() {
            let byte = usize::from(byte);
            return match self.given.pop() {
                Some(second) if sides > 256 => (byte << 8 | usize::from(second)) % sides,
                Some(second) => {
                    self.given.push(second);
                    byte % sides
                }
                None => byte % sides,
            };
        }
        // A Weyl sequence, mixed by two multiplications.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    /// One of `items`, which must not be empty.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.throw(items.len())]
    }
}
