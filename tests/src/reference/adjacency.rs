//! Adjacency on a table of characters, with a round counter.

use super::{Fault, Reference, Refused, read_square, write_square};

const EMPTY: char = '-';

/// A game of Adjacency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjacency {
    board: [[char; 8]; 8],
    /// The mark that began, and so the one that moves first in every round.
    first: char,
    mover: char,
    rounds_left: u32,
}

impl Adjacency {
    /// The position before the first move: X bottom left, O top right, `first` (`X` or `O`)
    /// moves first, and each side moves `rounds` times.
    pub fn start(rounds: u32, first: char) -> Self {
        assert!((2..=28).contains(&rounds), "a game has 2 to 28 rounds");
        assert!(first == 'X' || first == 'O', "the marks are X and O");
        let mut board = [[EMPTY; 8]; 8];
        for (row, column) in [(6, 0), (6, 1), (7, 0), (7, 1)] {
            board[row][column] = 'X';
        }
        for (row, column) in [(0, 6), (0, 7), (1, 6), (1, 7)] {
            board[row][column] = 'O';
        }
        Adjacency { board, first, mover: first, rounds_left: rounds }
    }

    /// A position in the middle of a game, from two masks (bit = 8 * row + column).
    pub fn from_masks(mover: u64, opponent: u64, plies_left: u32) -> Self {
        let mut board = [[EMPTY; 8]; 8];
        for cell in 0..64 {
            let bit = 1u64 << cell;
            if mover & bit != 0 {
                board[cell / 8][cell % 8] = 'X';
            } else if opponent & bit != 0 {
                board[cell / 8][cell % 8] = 'O';
            }
        }
        // With an odd number of plies left the other side has moved in this round.
        let first = if plies_left.is_multiple_of(2) { 'X' } else { 'O' };
        Adjacency { board, first, mover: 'X', rounds_left: plies_left.div_ceil(2) }
    }

    /// How many moves are still to be made.
    pub fn plies_left(&self) -> u32 {
        2 * self.rounds_left - u32::from(self.mover != self.first)
    }

    /// The position as text: 64 characters row by row from a1, the side to move, the plies left.
    pub fn position(&self) -> String {
        let cells: String = self.board.iter().flatten().collect();
        format!("{cells} {} {}", self.mover, self.plies_left())
    }

    fn count(&self, mark: char) -> i32 {
        self.board.iter().flatten().filter(|&&cell| cell == mark).count() as i32
    }
}

impl Reference for Adjacency {
    /// 0 for X, 1 for O, whoever began.
    fn to_move(&self) -> usize {
        usize::from(self.mover == 'O')
    }

    fn legal(&self) -> Vec<String> {
        let mut texts = Vec::new();
        if self.over() {
            return texts;
        }
        for row in 0..8 {
            for column in 0..8 {
                if self.board[row][column] == EMPTY {
                    texts.push(write_square(row, column));
                }
            }
        }
        texts.sort();
        texts
    }

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        let (row, column) = read_square(text)?;
        if self.over() {
            return Err(Refused::GameOver);
        }
        if self.board[row][column] != EMPTY {
            return Err(Fault::Occupied.into());
        }
        self.board[row][column] = self.mover;
        let enemy = if self.mover == 'X' { 'O' } else { 'X' };
        for r in 0..8usize {
            for c in 0..8usize {
                let beside = r.abs_diff(row) + c.abs_diff(column) == 1;
                if beside && self.board[r][c] == enemy {
                    self.board[r][c] = self.mover;
                }
            }
        }
        if self.mover != self.first {
            self.rounds_left -= 1;
        }
        self.mover = enemy;
        Ok(())
    }

    fn over(&self) -> bool {
        self.rounds_left == 0
    }

    /// The marks of X and of O.
    fn scores(&self) -> Vec<i32> {
        vec![self.count('X'), self.count('O')]
    }
}
