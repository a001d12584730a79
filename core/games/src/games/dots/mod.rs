//! Dots and Boxes on any board from 1x1 to 10x10 boxes.

mod alone;
mod chains;
mod engine;
mod graph;
mod memory;
mod order;
mod shape;
mod solver;

use core::fmt::{self, Display, Write};
use core::num::NonZeroU8;

use crate::game::{Canvas, Game, MoveCode, ParseMoveError, PositionError, Reason, parse_number};
use crate::mix::mix_in;
use crate::player::{Color, Player};

/// The longest side of a board, in boxes.
pub const MAX_SIDE: u8 = 10;
/// The most lines: on a 10x10 board, 11 rows of 10 and 10 rows of 11.
pub const MAX_LINES: usize = 2 * MAX_SIDE as usize * (MAX_SIDE as usize + 1);
/// The most boxes.
pub const MAX_BOXES: usize = MAX_SIDE as usize * MAX_SIDE as usize;

/// A board size in boxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    rows: u8,
    columns: NonZeroU8,
}

impl Size {
    /// The size that is played when none is asked for.
    pub const DEFAULT: Self = Self { rows: 5, columns: NonZeroU8::new(5).unwrap() };

    /// That many rows and columns of boxes, if both are 1 to [`MAX_SIDE`].
    pub const fn new(rows: u8, columns: u8) -> Option<Self> {
        let fits = rows >= 1 && rows <= MAX_SIDE && columns <= MAX_SIDE;
        match NonZeroU8::new(columns) {
            Some(columns) if fits => Some(Self { rows, columns }),
            _ => None,
        }
    }

    /// Rows of boxes.
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Columns of boxes.
    pub const fn columns(self) -> u8 {
        self.columns.get()
    }

    /// How many boxes there are.
    pub const fn boxes(self) -> u8 {
        self.rows * self.columns()
    }

    /// How many lines can be drawn.
    pub const fn lines(self) -> u8 {
        self.horizontals() + self.rows * (self.columns() + 1)
    }

    const fn horizontals(self) -> u8 {
        (self.rows + 1) * self.columns()
    }

    /// The line with this number, if the board has it.
    pub const fn line(self, number: u8) -> Option<Line> {
        if number < self.lines() { Some(Line(number)) } else { None }
    }

    /// The line between two dots given as (row, column), if they are neighbours on the board.
    pub const fn line_between(self, a: (u8, u8), b: (u8, u8)) -> Option<Line> {
        let in_order = a.0 < b.0 || (a.0 == b.0 && a.1 < b.1);
        let (first, second) = if in_order { (a, b) } else { (b, a) };
        if second.0 > self.rows || second.1 > self.columns() {
            None
        } else if first.0 == second.0 && first.1 + 1 == second.1 {
            Some(Line(first.0 * self.columns() + first.1))
        } else if first.1 == second.1 && first.0 + 1 == second.0 {
            Some(Line(self.horizontals() + first.0 * (self.columns() + 1) + first.1))
        } else {
            None
        }
    }

    /// The two dots of a line as (row, column), upper or left one first.
    pub const fn dots(self, line: Line) -> ((u8, u8), (u8, u8)) {
        match line.0.checked_sub(self.horizontals()) {
            None => {
                let width = self.columns.get();
                let (row, column) = (line.0 / width, line.0 % width);
                ((row, column), (row, column + 1))
            }
            Some(vertical) => {
                let width = self.columns.saturating_add(1).get();
                let (row, column) = (vertical / width, vertical % width);
                ((row, column), (row + 1, column))
            }
        }
    }

    /// The four lines of a box: above, below, left, right.
    pub const fn sides(self, row: u8, column: u8) -> [Line; 4] {
        let above = row * self.columns() + column;
        let left = self.horizontals() + row * (self.columns() + 1) + column;
        [Line(above), Line(above + self.columns()), Line(left), Line(left + 1)]
    }

    /// The boxes on the two sides of a line as (row, column).
    pub fn boxes_beside(self, line: Line) -> impl Iterator<Item = (u8, u8)> {
        let ((row, column), second) = self.dots(line);
        let before = if second.0 == row {
            row.checked_sub(1).map(|above| (above, column))
        } else {
            column.checked_sub(1).map(|left| (row, left))
        };
        let after = (row < self.rows && column < self.columns()).then_some((row, column));
        before.into_iter().chain(after)
    }
}

/// A line of a board by its number: horizontals first, row by row, then verticals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line(u8);

impl Line {
    /// The number.
    pub const fn index(self) -> u8 {
        self.0
    }
}

/// A set of up to `32 * WORDS` small numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bits<const WORDS: usize>([u32; WORDS]);

impl<const WORDS: usize> Bits<WORDS> {
    const EMPTY: Self = Self([0; WORDS]);

    fn has(&self, index: u8) -> bool {
        self.0.get(usize::from(index / 32)).is_some_and(|word| word >> (index % 32) & 1 != 0)
    }

    fn insert(&mut self, index: u8) {
        if let Some(word) = self.0.get_mut(usize::from(index / 32)) {
            *word |= 1 << (index % 32);
        }
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Calls `visit` for the numbers below `end` that are not in the set.
    fn for_each_other(&self, end: u8, mut visit: impl FnMut(u8)) {
        for (first, word) in (0..end).step_by(32).zip(self.0) {
            let in_word = u32::MAX >> 32u8.saturating_sub(end - first);
            let mut others = !word & in_word;
            while others != 0 {
                visit(first + others.trailing_zeros() as u8);
                others &= others - 1;
            }
        }
    }
}

/// A position: the lines drawn, the boxes each player has taken, and who moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dots {
    size: Size,
    turn: Player,
    drawn: Bits<{ MAX_LINES.div_ceil(32) }>,
    /// How many lines are not drawn.
    left: u8,
    taken: [Bits<{ MAX_BOXES.div_ceil(32) }>; 2],
}

/// Why a move is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Illegal {
    /// All lines are drawn.
    GameOver,
    /// The line from the first to the second dot is there already.
    Drawn((u8, u8), (u8, u8)),
    /// The number of a line that this board does not have.
    OffBoard(u8),
}

impl Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameOver => f.write_str("the game is over"),
            Self::Drawn(a, b) => {
                write!(f, "the line {},{}-{},{} is drawn already", a.0, a.1, b.0, b.1)
            }
            Self::OffBoard(number) => write!(f, "this board has no line {number}"),
        }
    }
}

impl Reason for Illegal {
    fn short(&self, out: &mut dyn Write) -> fmt::Result {
        match self {
            Self::GameOver => out.write_str("game is over"),
            Self::Drawn(a, b) => write!(out, "{},{}-{},{} is drawn", a.0, a.1, b.0, b.1),
            Self::OffBoard(_) => out.write_str("no such line"),
        }
    }
}

impl core::error::Error for Illegal {}

impl Dots {
    /// An empty board.
    pub const fn new(size: Size) -> Self {
        let (turn, left) = (Player::FIRST, size.lines());
        Self { size, turn, drawn: Bits::EMPTY, left, taken: [Bits::EMPTY; 2] }
    }

    /// The size of the board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Whether a line is there.
    pub fn is_drawn(&self, line: Line) -> bool {
        self.drawn.has(line.0)
    }

    /// Who took the box in this row and column.
    pub fn owner(&self, row: u8, column: u8) -> Option<Player> {
        let index = row * self.size.columns() + column;
        let mut players = [Player::FIRST, Player::SECOND].into_iter().zip(&self.taken);
        players.find(|(_, taken)| taken.has(index)).map(|(player, _)| player)
    }

    fn is_complete(&self, row: u8, column: u8) -> bool {
        self.size.sides(row, column).iter().all(|side| self.is_drawn(*side))
    }

    fn draw_line(&mut self, line: Line) {
        self.left = self.left.saturating_sub(u8::from(!self.is_drawn(line)));
        self.drawn.insert(line.0);
    }
}

impl Default for Dots {
    fn default() -> Self {
        Self::new(Size::DEFAULT)
    }
}

impl Game for Dots {
    type Move = Line;
    type Illegal = Illegal;

    /// Every line, on the largest empty board.
    const MAX_MOVES: usize = MAX_LINES;
    const COLORS: &'static [Color] = &[
        Color { name: "black", mark: '1', aliases: &["b", "1"] },
        Color { name: "white", mark: '2', aliases: &["w", "2"] },
    ];

    fn turn(&self) -> Player {
        self.turn
    }

    fn with_turn(&self, player: Player) -> Self {
        Self { turn: player, ..*self }
    }

    fn for_each_move(&self, mut visit: impl FnMut(Line)) {
        self.drawn.for_each_other(self.size.lines(), |number| visit(Line(number)));
    }

    fn count_moves(&self) -> u32 {
        self.left.into()
    }

    /// Nobody passes: while the game goes on there is a line to draw.
    fn forced_pass(&self) -> Option<Line> {
        None
    }

    fn check(&self, line: Line) -> Result<(), Illegal> {
        if self.is_over() {
            Err(Illegal::GameOver)
        } else if line.0 >= self.size.lines() {
            Err(Illegal::OffBoard(line.0))
        } else if self.is_drawn(line) {
            let (a, b) = self.size.dots(line);
            Err(Illegal::Drawn(a, b))
        } else {
            Ok(())
        }
    }

    /// Who completes a box takes it and moves again.
    fn play(&mut self, line: Line) {
        self.draw_line(line);
        let mut again = false;
        for (row, column) in self.size.boxes_beside(line) {
            if self.is_complete(row, column) {
                self.taken[self.turn.index() & 1].insert(row * self.size.columns() + column);
                again = true;
            }
        }
        if !again {
            self.turn = self.turn.other();
        }
    }

    fn is_over(&self) -> bool {
        self.count_moves() == 0
    }

    fn score(&self, player: Player) -> i16 {
        self.taken[player.index() & 1].count() as i16
    }

    fn hash(&self) -> u64 {
        let size = u64::from(self.size.rows) << 8 | u64::from(self.size.columns());
        let words = self.drawn.0.iter().chain(self.taken.iter().flat_map(|taken| &taken.0));
        words.fold(mix_in(self.turn.index() as u64, size), |hash, &word| mix_in(hash, word.into()))
    }

    fn parse_move(&self, text: &str) -> Result<Line, ParseMoveError> {
        const FORM: ParseMoveError = ParseMoveError {
            long: "a move is two dots, row,column-row,column from 0,0 at the top left",
            short: "a move is 0,0-0,1",
        };
        let (a, b) = text.split_once(['-', ' ']).ok_or(FORM)?;
        let dot = |text: &str| -> Result<(u8, u8), ParseMoveError> {
            let (row, column) = text.trim_ascii().split_once(',').ok_or(FORM)?;
            let number = |text: &str| parse_number(text).ok_or(FORM);
            let (row, column) = (number(row)?, number(column)?);
            if row > self.size.rows || column > self.size.columns() {
                return Err(ParseMoveError {
                    long: "a dot of this move is not on the board",
                    short: "dot off the board",
                });
            }
            Ok((row, column))
        };
        self.size.line_between(dot(a)?, dot(b)?).ok_or(ParseMoveError {
            long: "a line joins two dots side by side or one above the other",
            short: "dots not neighbours",
        })
    }

    fn write_move(&self, line: Line, out: &mut dyn Write) -> fmt::Result {
        let (a, b) = self.size.dots(line);
        write!(out, "{},{}-{},{}", a.0, a.1, b.0, b.1)
    }

    /// The boxes that are complete in the text belong to nobody: only what follows is scored.
    fn parse_position(&self, text: &str) -> Result<Self, PositionError> {
        const FORM: PositionError =
            PositionError::Form("the drawn lines in hexadecimal, bit i for line i");
        let digits = text.trim_ascii();
        let digits = digits.strip_prefix("0x").unwrap_or(digits);
        if digits.is_empty() {
            return Err(FORM);
        }
        if let Some(place) = digits.bytes().position(|digit| !digit.is_ascii_hexdigit()) {
            return Err(PositionError::Character(place + 1));
        }
        let mut game = Self::new(self.size);
        for (place, digit) in digits.bytes().rev().enumerate() {
            let value = char::from(digit).to_digit(16).unwrap_or(0);
            for bit in (0..4).filter(|bit| value >> bit & 1 != 0) {
                match u8::try_from(place * 4 + bit).ok().and_then(|n| self.size.line(n)) {
                    Some(line) => game.draw_line(line),
                    None => return Err(PositionError::Impossible("a line is not on this board")),
                }
            }
        }
        Ok(game)
    }

    fn write_position(&self, out: &mut dyn Write) -> fmt::Result {
        let mut leading = true;
        for place in (0..self.size.lines().div_ceil(4)).rev() {
            let bit = |bit: u8| u32::from(self.drawn.has(place * 4 + bit)) << bit;
            let value = bit(0) | bit(1) | bit(2) | bit(3);
            leading &= value == 0 && place != 0;
            if !leading {
                write!(out, "{value:x}")?;
            }
        }
        Ok(())
    }

    fn draw(&self, last: Option<Line>, out: &mut dyn Canvas) -> fmt::Result {
        let (rows, columns) = (self.size.rows(), self.size.columns());
        out.write_str("  ")?;
        (0..=columns).try_for_each(|column| write!(out, "{column:^4}"))?;
        out.write_char('\n')?;
        // A line shows as drawn, as the last one drawn, or as a gap.
        let show = |a, b, drawn, newest| match self.size.line_between(a, b) {
            Some(line) if Some(line) == last => newest,
            Some(line) if self.is_drawn(line) => drawn,
            _ => "   ",
        };
        for row in 0..=rows {
            write!(out, "{row:>2} ")?;
            for column in 0..=columns {
                out.write_char('+')?;
                if column < columns {
                    out.write_str(show((row, column), (row, column + 1), "---", "==="))?;
                }
            }
            out.write_char('\n')?;
            if row == rows {
                break;
            }
            out.write_str("   ")?;
            for column in 0..=columns {
                let line = show((row, column), (row + 1, column), "|", "#");
                out.write_str(&line[..1])?;
                if column < columns {
                    out.write_char(' ')?;
                    match self.owner(row, column) {
                        Some(player) => out.mark(player, Self::COLORS[player.index()].mark)?,
                        None if self.is_complete(row, column) => out.write_char('*')?,
                        None => out.write_char(' ')?,
                    }
                    out.write_char(' ')?;
                }
            }
            out.write_char('\n')?;
        }
        Ok(())
    }

    fn encode(line: Line) -> MoveCode {
        MoveCode::new(line.0.into())
    }

    fn decode(&self, code: MoveCode) -> Option<Line> {
        self.size.line(code.get().try_into().ok()?)
    }

    /// Of the upper or left dot, 22 times the row plus 2 times the column, plus 1 for a line
    /// downwards: the same on boards of any size.
    fn pack(&self, line: Line) -> u64 {
        let ((row, column), second) = self.size.dots(line);
        u64::from(row) * 22 + u64::from(column) * 2 + u64::from(second.0 != row)
    }

    fn unpack(&self, packed: u64) -> Option<Line> {
        let packed = u8::try_from(packed).ok()?;
        let (row, column, down) = (packed / 22, packed % 22 / 2, packed % 2);
        self.size.line_between((row, column), (row + down, column + 1 - down))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::perft;
    use std::string::String;

    fn board(rows: u8, columns: u8) -> Dots {
        Dots::new(Size::new(rows, columns).unwrap())
    }

    fn play(game: &mut Dots, moves: &str) {
        for text in moves.split_whitespace() {
            let line = game.parse_move(text).unwrap();
            assert_eq!(game.check(line), Ok(()), "{text}");
            game.play(line);
        }
    }

    #[test]
    fn lines_are_numbered_horizontals_first() {
        let size = Size::new(2, 3).unwrap();
        assert_eq!(size.lines(), 17);
        assert_eq!(size.line_between((0, 0), (0, 1)), Some(Line(0)));
        assert_eq!(size.line_between((2, 3), (2, 2)), Some(Line(8)));
        assert_eq!(size.line_between((0, 0), (1, 0)), Some(Line(9)));
        assert_eq!(size.line_between((1, 3), (2, 3)), Some(Line(16)));
        assert_eq!(size.line_between((0, 3), (0, 4)), None);
        assert_eq!(size.line_between((0, 0), (1, 1)), None);
        for line in (0..17).map(Line) {
            let (a, b) = size.dots(line);
            assert_eq!(size.line_between(b, a), Some(line));
        }
    }

    #[test]
    fn who_completes_a_box_moves_again() {
        let mut game = board(1, 2);
        play(&mut game, "0,0-0,1 0,0-1,0 1,0-1,1 0,1-0,2 0,2-1,2 1,1-1,2");
        assert_eq!(game.turn(), Player::FIRST);
        play(&mut game, "1,1-0,1"); // the line between the boxes takes both
        assert!(game.is_over());
        assert_eq!((game.score(Player::FIRST), game.score(Player::SECOND)), (2, 0));
        assert_eq!(game.turn(), Player::FIRST);
    }

    #[test]
    fn every_order_of_the_lines_is_a_game() {
        assert_eq!(perft(&board(1, 1), 4), 24);
        assert_eq!(perft(&board(1, 1), 9), 24, "a finished game is one leaf");
        assert_eq!(perft(&board(3, 3), 3), 24 * 23 * 22);
    }

    #[test]
    fn refusals_say_what_is_wrong() {
        let mut game = board(2, 2);
        play(&mut game, "0,0-0,1");
        assert_eq!(game.check(Line(0)), Err(Illegal::Drawn((0, 0), (0, 1))));
        assert_eq!(game.check(Line(12)), Err(Illegal::OffBoard(12)));
        for (text, short) in [
            ("0,0-1,1", "dots not neighbours"),
            ("0,0-0,0", "dots not neighbours"),
            ("3,0-2,0", "dot off the board"),
            ("255,255-0,0", "dot off the board"),
            ("a1", "a move is 0,0-0,1"),
        ] {
            assert_eq!(game.parse_move(text).unwrap_err().short, short, "{text}");
        }
    }

    #[test]
    fn positions_read_back() {
        let mut game = board(9, 9);
        for number in [0, 5, 31, 32, 100, 179] {
            game.play(Line(number));
        }
        let mut text = String::new();
        game.write_position(&mut text).unwrap();
        assert_eq!(game.parse_position(&text).unwrap(), game.with_turn(Player::FIRST));
        let mut empty = String::new();
        board(1, 1).write_position(&mut empty).unwrap();
        assert_eq!(empty, "0");
        let refuse = |text: &str| board(1, 1).parse_position(text).unwrap_err();
        assert!(matches!(refuse("10"), PositionError::Impossible(_)));
        assert_eq!(refuse("fgg"), PositionError::Character(2));
        assert!(matches!(refuse(""), PositionError::Form(_)));
        assert!(board(1, 1).parse_position("0000000000000000000000000000000000000f").is_ok());
    }

    #[test]
    fn the_drawing_shows_lines_owners_and_the_last_move() {
        let mut game = board(1, 2);
        play(&mut game, "0,0-0,1 0,0-1,0 1,0-1,1 0,1-1,1");
        let last = game.parse_move("0,1-1,1").ok();
        let mut text = String::new();
        game.draw(last, &mut crate::game::Plain(&mut text)).unwrap();
        let picture = ["   0   1   2  ", " 0 +---+   +", "   | 2 #    ", " 1 +---+   +", ""];
        assert_eq!(text, picture.join("\n"));
    }

    #[test]
    fn the_largest_board_has_the_most_lines_and_boxes() {
        let size = Size::new(MAX_SIDE, MAX_SIDE).unwrap();
        assert_eq!((usize::from(size.lines()), usize::from(size.boxes())), (MAX_LINES, MAX_BOXES));
        let mut game = Dots::new(size);
        (0..size.lines()).for_each(|number| game.play(size.line(number).unwrap()));
        assert!(game.is_over());
        assert_eq!(game.score(Player::FIRST) + game.score(Player::SECOND), 100);
        for row in 0..MAX_SIDE {
            assert!((0..MAX_SIDE).all(|column| game.owner(row, column).is_some()), "{row}");
        }
    }

    #[test]
    fn sizes_are_1_to_10() {
        for (rows, columns) in [(1, 1), (1, 10), (10, 1), (10, 10), (2, 3)] {
            let size = Size::new(rows, columns).unwrap();
            assert_eq!(
                (size.rows(), size.columns(), size.boxes()),
                (rows, columns, rows * columns)
            );
        }
        for (rows, columns) in [(0, 5), (5, 0), (11, 5), (5, 11)] {
            assert_eq!(Size::new(rows, columns), None);
        }
    }

    #[test]
    fn a_box_and_the_lines_around_it_know_each_other() {
        for (rows, columns) in [(1, 1), (2, 3), (4, 2)] {
            let size = Size::new(rows, columns).unwrap();
            let boxes = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            for (row, column) in boxes() {
                let corner = |down, right| (row + down, column + right);
                let sides = [
                    size.line_between(corner(0, 0), corner(0, 1)),
                    size.line_between(corner(1, 0), corner(1, 1)),
                    size.line_between(corner(0, 0), corner(1, 0)),
                    size.line_between(corner(0, 1), corner(1, 1)),
                ];
                assert_eq!(size.sides(row, column).map(Some), sides);
            }
            for number in 0..size.lines() {
                let line = size.line(number).unwrap();
                assert_eq!(line.index(), number);
                let beside =
                    boxes().filter(|(row, column)| size.sides(*row, *column).contains(&line));
                assert!(size.boxes_beside(line).eq(beside), "{rows}x{columns} {number}");
            }
            assert_eq!(size.line(size.lines()), None);
        }
    }

    #[test]
    fn a_refusal_names_the_line_in_both_lengths() {
        let texts = |why: Illegal| {
            let mut short = String::new();
            why.short(&mut short).unwrap();
            (std::format!("{why}"), short)
        };
        let (long, short) = texts(Illegal::Drawn((3, 4), (3, 5)));
        assert!(long.contains("3,4-3,5") && short.contains("3,4-3,5"), "{long}, {short}");
        let (long, short) = texts(Illegal::OffBoard(60));
        assert!(long.contains("line 60") && short.contains("line"), "{long}, {short}");
        let mut game = board(1, 1);
        play(&mut game, "0,0-0,1 0,0-1,0 1,0-1,1 0,1-1,1");
        let (long, short) = texts(game.check(Line(0)).unwrap_err());
        assert!(long.contains("over") && short.contains("over"), "{long}, {short}");
    }

    #[test]
    fn a_save_has_a_line_by_its_first_dot() {
        for (rows, columns) in [(2, 3), (10, 10)] {
            let game = board(rows, columns);
            let pack = |text| game.pack(game.parse_move(text).unwrap());
            assert_eq!((pack("1,2-1,3"), pack("1,2-2,2")), (26, 27));
            assert_eq!(game.unpack(26), game.parse_move("1,2-1,3").ok());
            assert_eq!(game.unpack(27), game.parse_move("1,2-2,2").ok());
        }
        assert_eq!(board(1, 1).unpack(26), None);
        assert_eq!(board(1, 1).unpack(256), None);
    }

    #[test]
    fn a_box_of_a_given_position_is_drawn_as_nobodys() {
        let game = board(2, 1).parse_position("5b").unwrap();
        let mut text = String::new();
        game.draw(None, &mut crate::game::Plain(&mut text)).unwrap();
        let picture =
            ["   0   1  ", " 0 +---+", "   | * |", " 1 +---+", "       |", " 2 +   +", ""];
        assert_eq!(text, picture.join("\n"));
    }

    #[test]
    fn boards_of_other_sizes_have_other_hashes() {
        let mut hashes = std::collections::HashSet::new();
        for rows in 1..=MAX_SIDE {
            for columns in 1..=MAX_SIDE {
                assert!(hashes.insert(board(rows, columns).hash()), "{rows}x{columns}");
            }
        }
    }
}
