//! Othello on a table of characters, walking each ray one step at a time.

use super::{Fault, Reference, Refused, read_square, write_square};

const EMPTY: char = '-';
const BLACK: char = 'X';
const WHITE: char = 'O';

/// The eight steps (down, right) that a ray can take.
const STEPS: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// A game of Othello.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Othello {
    board: [[char; 8]; 8],
    mover: char,
}

impl Othello {
    /// The position before the first move: `d5 e4` black, `d4 e5` white, black to move.
    pub fn start() -> Self {
        let mut board = [[EMPTY; 8]; 8];
        board[4][3] = BLACK;
        board[3][4] = BLACK;
        board[3][3] = WHITE;
        board[4][4] = WHITE;
        Othello { board, mover: BLACK }
    }

    /// Reads 64 characters row by row from a1, a space and the side to move.
    pub fn from_position(text: &str) -> Option<Self> {
        let (cells, mover) = text.split_once(' ')?;
        let cells: Vec<char> = cells.chars().collect();
        let mover = match mover {
            "X" => BLACK,
            "O" => WHITE,
            _ => return None,
        };
        if cells.len() != 64 || cells.iter().any(|c| ![EMPTY, BLACK, WHITE].contains(c)) {
            return None;
        }
        let mut board = [[EMPTY; 8]; 8];
        for (i, cell) in cells.into_iter().enumerate() {
            board[i / 8][i % 8] = cell;
        }
        Some(Othello { board, mover })
    }

    /// The position as text, the inverse of [`Othello::from_position`].
    pub fn position(&self) -> String {
        format!("{} {}", self.board.iter().flatten().collect::<String>(), self.mover)
    }

    /// How many discs black and white have.
    pub fn discs(&self) -> [i32; 2] {
        [BLACK, WHITE]
            .map(|side| self.board.iter().flatten().filter(|&&cell| cell == side).count() as i32)
    }

    /// Black's discs less white's; at the end the empty squares go to the winner.
    pub fn score(&self) -> i32 {
        let [black, white] = self.scores()[..] else { unreachable!("two players") };
        black - white
    }

    /// The discs that `side` would turn with a move to an empty square.
    fn turned(&self, side: char, row: usize, column: usize) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        for (down, right) in STEPS {
            let mut ray = Vec::new();
            let (mut r, mut c) = (row as isize + down, column as isize + right);
            while (0..8).contains(&r) && (0..8).contains(&c) {
                let cell = self.board[r as usize][c as usize];
                if cell == EMPTY {
                    break;
                }
                if cell == side {
                    all.append(&mut ray);
                    break;
                }
                ray.push((r as usize, c as usize));
                r += down;
                c += right;
            }
        }
        all
    }

    fn moves(&self, side: char) -> Vec<(usize, usize)> {
        let mut moves = Vec::new();
        for row in 0..8 {
            for column in 0..8 {
                if self.board[row][column] == EMPTY && !self.turned(side, row, column).is_empty() {
                    moves.push((row, column));
                }
            }
        }
        moves
    }
}

fn other(side: char) -> char {
    if side == BLACK { WHITE } else { BLACK }
}

impl Reference for Othello {
    fn to_move(&self) -> usize {
        usize::from(self.mover == WHITE)
    }

    fn legal(&self) -> Vec<String> {
        let mut texts: Vec<String> =
            self.moves(self.mover).into_iter().map(|(r, c)| write_square(r, c)).collect();
        texts.sort();
        if texts.is_empty() && !self.over() {
            texts.push("pass".into());
        }
        texts
    }

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        if text == "pass" {
            if self.over() {
                return Err(Refused::GameOver);
            }
            if !self.moves(self.mover).is_empty() {
                return Err(Refused::CanMove);
            }
            self.mover = other(self.mover);
            return Ok(());
        }
        let (row, column) = read_square(text)?;
        if self.board[row][column] != EMPTY {
            return Err(Fault::Occupied.into());
        }
        let turned = self.turned(self.mover, row, column);
        if turned.is_empty() {
            return Err(Fault::TurnsNothing.into());
        }
        self.board[row][column] = self.mover;
        for (r, c) in turned {
            self.board[r][c] = self.mover;
        }
        self.mover = other(self.mover);
        Ok(())
    }

    fn over(&self) -> bool {
        self.moves(BLACK).is_empty() && self.moves(WHITE).is_empty()
    }

    /// The discs of black and of white; at the end the empty squares go to whoever has more.
    fn scores(&self) -> Vec<i32> {
        let [mut black, mut white] = self.discs();
        let empty = if self.over() { 64 - black - white } else { 0 };
        if black > white {
            black += empty;
        } else if white > black {
            white += empty;
        }
        vec![black, white]
    }
}
