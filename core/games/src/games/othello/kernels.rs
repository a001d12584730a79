//! Moves and flips for whole boards at once.
//!
//! Moves fill along a direction with doubling steps: after steps of 1, 2 and 2 squares a run of up
//! to six discs is covered, the most that two other discs can enclose on a line of eight. Flips
//! have code of their own for every square, made by the compiler from one generic function: half
//! of the rays of an edge square lead nowhere, most others lie in one half of the board, and
//! a 32-bit core gains from knowing that beforehand.

use crate::bitboard::Bitboard;
use crate::square::Square;

/// Whether the machine works on half a board at a time.
pub(super) const HALVES: bool = cfg!(not(target_pointer_width = "64"));

/// All but the outer columns: a run of enclosed discs never wraps around the edge.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The runs of `through` that begin beside `from`, towards higher bits.
#[inline(always)]
const fn run_up(from: u64, through: u64, step: u32) -> u64 {
    let mut run = through & (from << step);
    run |= through & (run << step);
    let pairs = through & (through << step);
    run |= pairs & (run << (2 * step));
    run | pairs & (run << (2 * step))
}

/// The runs of `through` that begin beside `from`, towards lower bits.
#[inline(always)]
const fn run_down(from: u64, through: u64, step: u32) -> u64 {
    let mut run = through & (from >> step);
    run |= through & (run >> step);
    let pairs = through & (through >> step);
    run |= pairs & (run >> (2 * step));
    run | pairs & (run >> (2 * step))
}

/// The empty squares where `own` encloses at least one disc of `opponent`.
pub const fn moves(own: Bitboard, opponent: Bitboard) -> Bitboard {
    let (own, opponent) = (own.bits(), opponent.bits());
    Bitboard::from_bits(if HALVES {
        moves_by_rows(own, opponent)
    } else {
        moves_at_once(own, opponent)
    })
}

/// For a machine with words of a whole board.
#[inline(always)]
const fn moves_at_once(own: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    // A carry runs through a row of ones to just beyond its end.
    let right = (inner & (own << 1)).wrapping_add(inner) & !inner;
    let ends = right
        | run_down(own, inner, 1) >> 1
        | line_ends(own, opponent, 8)
        | line_ends(own, inner, 7)
        | line_ends(own, inner, 9);
    ends & !(own | opponent)
}

/// The squares just beyond the runs of `through` on the lines with this bit distance.
#[inline(always)]
const fn line_ends(own: u64, through: u64, step: u32) -> u64 {
    run_up(own, through, step) << step | run_down(own, through, step) >> step
}

/// For a machine with words of half a board. With every other row in a word, a step to the next
/// row takes no bits from one word to the other.
#[inline(always)]
const fn moves_by_rows(own: u64, opponent: u64) -> u64 {
    let (own, opponent) = (Rows::of(own), Rows::of(opponent));
    let inner = opponent.and(Rows { even: INNER as u32, odd: INNER as u32 });
    let ends = Rows { even: row_ends(own.even, inner.even), odd: row_ends(own.odd, inner.odd) }
        .or(own.ends(opponent, 1, 0))
        .or(own.ends(opponent, -1, 0))
        .or(own.ends(inner, 1, 1))
        .or(own.ends(inner, -1, -1))
        .or(own.ends(inner, 1, -1))
        .or(own.ends(inner, -1, 1));
    let filled = own.or(opponent);
    Rows { even: ends.even & !filled.even, odd: ends.odd & !filled.odd }.set()
}

/// The squares just beyond the runs of `through` in the four rows of a word.
#[inline(always)]
const fn row_ends(own: u32, through: u32) -> u32 {
    // A carry runs through a row of ones to just beyond its end. For the other direction the
    // rows are turned round.
    let right = (through & (own << 1)).wrapping_add(through) & !through;
    let (own, through) = (own.reverse_bits(), through.reverse_bits());
    let left = (through & (own << 1)).wrapping_add(through) & !through;
    right | left.reverse_bits()
}

/// A set of squares in two words.
#[derive(Clone, Copy)]
struct Rows {
    /// The first row, the third and so on.
    even: u32,
    odd: u32,
}

impl Rows {
    #[inline(always)]
    const fn of(set: u64) -> Self {
        let (low, high) = halves(set);
        Self { even: every_other(low, high), odd: every_other(low >> 8, high >> 8) }
    }

    #[inline(always)]
    const fn set(self) -> u64 {
        whole(
            spread(self.even) | spread(self.odd) << 8,
            spread(self.even >> 16) | spread(self.odd >> 16) << 8,
        )
    }

    #[inline(always)]
    const fn and(self, other: Self) -> Self {
        Self { even: self.even & other.even, odd: self.odd & other.odd }
    }

    #[inline(always)]
    const fn or(self, other: Self) -> Self {
        Self { even: self.even | other.even, odd: self.odd | other.odd }
    }

    /// Every square's neighbour in the next row or, with -1, the one before, and so many columns
    /// to the right. What leaves a row comes up in another.
    #[inline(always)]
    const fn step(self, rows: i32, columns: i32) -> Self {
        if rows > 0 {
            Self { even: shifted(self.odd, 8 + columns), odd: shifted(self.even, columns) }
        } else {
            Self { even: shifted(self.odd, columns), odd: shifted(self.even, columns - 8) }
        }
    }

    /// Two such steps.
    #[inline(always)]
    const fn two_steps(self, rows: i32, columns: i32) -> Self {
        let by = 8 * rows + 2 * columns;
        Self { even: shifted(self.even, by), odd: shifted(self.odd, by) }
    }

    /// The squares just beyond the runs of `through` that begin a step from here.
    #[inline(always)]
    const fn ends(self, through: Self, rows: i32, columns: i32) -> Self {
        let run = through.and(self.step(rows, columns));
        let run = run.or(through.and(run.step(rows, columns)));
        let pairs = through.and(through.step(rows, columns));
        let run = run.or(pairs.and(run.two_steps(rows, columns)));
        let run = run.or(pairs.and(run.two_steps(rows, columns)));
        run.step(rows, columns)
    }
}

/// Bytes 0 and 2 of both words.
#[inline(always)]
const fn every_other(low: u32, high: u32) -> u32 {
    let (low, high) = (low & 0x00ff_00ff, high & 0x00ff_00ff);
    (low | low >> 8) & 0xffff | (high | high >> 8) << 16
}

/// Bytes 0 and 1 of a word as bytes 0 and 2.
#[inline(always)]
const fn spread(word: u32) -> u32 {
    (word & 0xff) | (word & 0xff00) << 8
}

/// Shifted to the left or, by less than 0, to the right.
#[inline(always)]
const fn shifted(word: u32, by: i32) -> u32 {
    if by >= 0 { word << by } else { word >> -by }
}

/// The discs of `opponent` that a disc of `own` on `square` turns over.
#[inline]
pub fn flips(square: Square, own: Bitboard, opponent: Bitboard) -> Bitboard {
    changes(square, own, opponent).without(square)
}

/// The squares that a disc of `own` on `square` changes: those of the discs that it turns over and
/// `square` itself, or none if it is no move.
#[inline]
pub(super) fn changes(square: Square, own: Bitboard, opponent: Bitboard) -> Bitboard {
    let (own, opponent) = (own.bits(), opponent.bits());
    let index = square.index() as usize % 64;
    let changed = match CHANGES.get(index) {
        Some(changes) => changes(own, opponent),
        // The board upside down.
        None => {
            let changes = CHANGES[(index ^ 56) % CHANGES.len()];
            changes(own.swap_bytes(), opponent.swap_bytes()).swap_bytes()
        }
    };
    Bitboard::from_bits(if HALVES || changed == 0 { changed } else { changed | 1 << index })
}

/// The code for each square; on a microcontroller for those of the upper half, since the code for
/// the others would take 9 KB.
static CHANGES: [fn(u64, u64) -> u64; if HALVES { 32 } else { 64 }] = {
    macro_rules! table {
        ($($row:literal)*) => {
            [$(changes_at::<{ $row }, 0>, changes_at::<{ $row }, 1>, changes_at::<{ $row }, 2>,
               changes_at::<{ $row }, 3>, changes_at::<{ $row }, 4>, changes_at::<{ $row }, 5>,
               changes_at::<{ $row }, 6>, changes_at::<{ $row }, 7>),*]
        };
    }
    #[cfg(target_pointer_width = "64")]
    let table = table!(0 1 2 3 4 5 6 7);
    #[cfg(not(target_pointer_width = "64"))]
    let table = table!(0 1 2 3);
    table
};

/// The squares from a square on in a direction, without the square itself.
const fn ray(row: i8, column: i8, down: i8, right: i8) -> u64 {
    let (mut row, mut column, mut set) = (row + down, column + right, 0);
    while row >= 0 && row < 8 && column >= 0 && column < 8 {
        set |= 1 << (8 * row + column);
        (row, column) = (row + down, column + right);
    }
    set
}

fn changes_at<const ROW: i8, const COLUMN: i8>(own: u64, opponent: u64) -> u64 {
    let from = const { 1 << (8 * ROW + COLUMN) };
    let mut changed = 0;
    macro_rules! rays {
        ($along:ident: $(($down:literal, $right:literal))*) => {
            $(
                let squares = const { ray(ROW, COLUMN, $down, $right) };
                changed |= $along::<HALVES>(from, squares, own, opponent);
            )*
        };
    }
    rays!(changed_up: (0, 1) (1, -1) (1, 0) (1, 1));
    rays!(changed_down: (0, -1) (-1, 1) (-1, 0) (-1, -1));
    changed
}

#[inline(always)]
const fn halves(set: u64) -> (u32, u32) {
    (set as u32, (set >> 32) as u32)
}

#[inline(always)]
const fn whole(low: u32, high: u32) -> u64 {
    low as u64 | (high as u64) << 32
}

/// The opponent's discs on the ray from a square towards higher bits up to the first own one, if
/// nothing else is between. In halves the square `from` comes with them, which costs nothing there.
#[inline(always)]
const fn changed_up<const HALVES: bool>(from: u64, ray: u64, own: u64, opponent: u64) -> u64 {
    if ray.count_ones() < 2 {
        return 0;
    }
    if HALVES {
        let (own, opponent, line, ray) =
            (halves(own), halves(opponent), halves(from | ray), halves(ray));
        if ray.0 != 0 {
            if opponent.0 & ray.0 & ray.0.wrapping_neg() == 0 {
                return 0;
            }
            let others = ray.0 & !opponent.0;
            if others != 0 {
                let end = others & others.wrapping_neg();
                return if own.0 & end != 0 { whole(line.0 & (end - 1), 0) } else { 0 };
            }
        } else if opponent.1 & ray.1 & ray.1.wrapping_neg() == 0 {
            return 0;
        }
        let others = ray.1 & !opponent.1;
        let end = others & others.wrapping_neg();
        if own.1 & end != 0 { whole(line.0, line.1 & (end - 1)) } else { 0 }
    } else {
        // The squares off the ray are filled, so that the carry runs on to its first other disc.
        let end = (opponent | !ray).wrapping_add(1) & own & ray;
        end.wrapping_sub((end != 0) as u64) & ray
    }
}

/// The same towards lower bits.
#[inline(always)]
const fn changed_down<const HALVES: bool>(from: u64, ray: u64, own: u64, opponent: u64) -> u64 {
    if ray.count_ones() < 2 {
        return 0;
    }
    // The ray's last square is taken for another disc, which does no harm and spares the question
    // whether there is one.
    let last = ray & ray.wrapping_neg();
    if HALVES {
        let (own, opponent, last) = (halves(own), halves(opponent), halves(last));
        let (line, ray) = (halves(from | ray), halves(ray));
        if ray.1 != 0 {
            if opponent.1 & (1 << (31 - ray.1.leading_zeros())) == 0 {
                return 0;
            }
            let others = ray.1 & !opponent.1 | last.1;
            if others != 0 {
                let beyond = others.leading_zeros();
                let is_own = ((own.1 << beyond) as i32) < 0;
                return if is_own { whole(0, line.1 & !(u32::MAX >> beyond)) } else { 0 };
            }
        } else if opponent.0 & (1 << (31 - ray.0.leading_zeros())) == 0 {
            return 0;
        }
        let beyond = (ray.0 & !opponent.0 | last.0).leading_zeros();
        let is_own = ((own.0 << (beyond % 32)) as i32) < 0;
        if is_own { whole(line.0 & !(u32::MAX >> (beyond % 32)), line.1) } else { 0 }
    } else {
        let end = (1 << 63) >> (ray & !opponent | last).leading_zeros();
        let end = end & own;
        ray & (end << 1).wrapping_neg()
    }
}

/// How many squares a set has.
#[inline]
pub(super) const fn count(set: Bitboard) -> i32 {
    count_in::<HALVES>(set.bits())
}

#[inline(always)]
const fn count_in<const HALVES: bool>(set: u64) -> i32 {
    if !HALVES {
        return set.count_ones() as i32;
    }
    // Both halves are added up together as soon as their partial sums fit.
    let (low, high) = halves(set);
    let low = low - ((low >> 1) & 0x5555_5555);
    let high = high - ((high >> 1) & 0x5555_5555);
    let fours = (low & 0x3333_3333)
        + ((low >> 2) & 0x3333_3333)
        + (high & 0x3333_3333)
        + ((high >> 2) & 0x3333_3333);
    let bytes = (fours & 0x0f0f_0f0f) + ((fours >> 4) & 0x0f0f_0f0f);
    (bytes.wrapping_mul(0x0101_0101) >> 24) as i32
}

/// How many corners a set has.
#[inline(always)]
pub(super) const fn count_corners(set: Bitboard) -> i32 {
    let (low, high) = halves(set.bits());
    let (upper, lower) = (low & 0x81, high >> 24 & 0x81);
    // The left corners add up in the lowest bits, the right ones from bit 7 on.
    let both = upper + lower;
    ((both & 0x7f) + (both >> 7)) as i32
}

/// For a place on a line of eight and the own discs there: how many others it encloses if there
/// is no empty square but this place.
static LAST_FLIPS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let (above, below) = (own >> (place + 1), own & ((1 << place) - 1));
            let mut flips = 0;
            if above != 0 {
                flips += (above as u32).trailing_zeros();
            }
            if below != 0 {
                flips += place as u32 - 1 - (below as u32).ilog2();
            }
            table[place][own] = flips as u8;
            own += 1;
        }
        place += 1;
    }
    table
};

/// The two diagonals through each square, with it.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut index = 0;
    while index < 64 {
        let (row, column) = (index as i8 / 8, index as i8 % 8);
        table[index] = [
            ray(row, column, 1, 1) | ray(row, column, -1, -1),
            ray(row, column, 1, -1) | ray(row, column, -1, 1),
        ];
        index += 1;
    }
    table
};

/// How many discs a disc of `own` on `square` turns over when that is the only empty square.
#[inline]
pub(super) fn count_last_flips(square: Square, own: Bitboard) -> i32 {
    count_last_flips_in::<HALVES>(square, own.bits())
}

#[inline(always)]
fn count_last_flips_in<const HALVES: bool>(square: Square, own: u64) -> i32 {
    let index = square.index() as usize % 64;
    let (row, column) = (index / 8, index % 8);
    let across = &LAST_FLIPS[column];
    let down = &LAST_FLIPS[row];
    let [falling, rising] = DIAGONALS[index];
    // A diagonal has a square per column at most: multiplying adds its rows up into the last.
    if HALVES {
        let (low, high) = halves(own);
        let diagonal = |mask: u64| {
            let (low_mask, high_mask) = halves(mask);
            (low & low_mask | high & high_mask).wrapping_mul(0x0101_0101) >> 24
        };
        let half = if index < 32 { low } else { high };
        let row_discs = (half >> (8 * (row % 4))) & 0xff;
        let column_discs = ((low >> column) & 0x0101_0101) | ((high >> column) & 0x0101_0101) << 4;
        let column_discs = column_discs.wrapping_mul(0x0102_0408) >> 24;
        i32::from(across[row_discs as usize])
            + i32::from(down[column_discs as usize])
            + i32::from(across[diagonal(falling) as usize])
            + i32::from(across[diagonal(rising) as usize])
    } else {
        let diagonal =
            |mask: u64| ((own & mask).wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize;
        let row_discs = (own >> (8 * row)) as u8;
        let column_discs = (own >> column) & 0x0101_0101_0101_0101;
        let column_discs = column_discs.wrapping_mul(0x0102_0408_1020_4080) >> 56;
        i32::from(across[usize::from(row_discs)])
            + i32::from(down[column_discs as usize])
            + i32::from(across[diagonal(falling)])
            + i32::from(across[diagonal(rising)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::Rng;

    /// Walks the eight directions square by square.
    fn plain_flips(square: Square, own: Bitboard, opponent: Bitboard) -> Bitboard {
        let (row, column) = (square.index() as i8 / 8, square.index() as i8 % 8);
        let mut flipped = Bitboard::EMPTY;
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]
        {
            let (mut r, mut c, mut run) = (row + down, column + right, Bitboard::EMPTY);
            while let Some(next) = Square::at(c as u8, r as u8) {
                if !opponent.contains(next) {
                    flipped |= if own.contains(next) { run } else { Bitboard::EMPTY };
                    break;
                }
                run.insert(next);
                (r, c) = (r + down, c + right);
            }
        }
        flipped
    }

    /// Boards of every density.
    fn boards() -> impl Iterator<Item = (Bitboard, Bitboard)> {
        let mut rng = Rng::new(5);
        let mut word = move || u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32());
        let mut set = move || Bitboard::from_bits(word());
        (0..20_000).map(move |n| {
            let (a, b, c) = (set(), set(), set());
            match n % 4 {
                0 => (a, !a),
                1 => (a & !(b & c), !a & !(b & c)),
                2 => (a & b, !a & b),
                _ => (a & b & c, !(a & b) & c),
            }
        })
    }

    /// As for a machine with words of half a board, or of a whole one.
    fn flips_in<const HALVES: bool>(square: Square, own: Bitboard, opponent: Bitboard) -> Bitboard {
        let (row, column) = (square.index() as i8 / 8, square.index() as i8 % 8);
        let ray = |down, right| ray(row, column, down, right);
        let from = square.bitboard().bits();
        let (own, opponent) = (own.bits(), opponent.bits());
        let directions = [(0, 1), (1, -1), (1, 0), (1, 1)];
        let changed = directions.into_iter().fold(0, |changed, (down, right)| {
            changed
                | changed_up::<HALVES>(from, ray(down, right), own, opponent)
                | changed_down::<HALVES>(from, ray(-down, -right), own, opponent)
        });
        if HALVES {
            assert_eq!(changed & from != 0, changed != 0, "the square comes with the others");
            assert_ne!(changed, from, "a move turns something over");
        }
        Bitboard::from_bits(changed & !from)
    }

    #[test]
    fn moves_and_flips_are_those_of_a_plain_walk() {
        for (own, opponent) in boards() {
            let mut targets = Bitboard::EMPTY;
            for square in !(own | opponent) {
                let expected = plain_flips(square, own, opponent);
                assert_eq!(
                    flips(square, own, opponent),
                    expected,
                    "{own:#?} {opponent:#?} {square}"
                );
                let changed = changes(square, own, opponent);
                assert_eq!(changed.contains(square), !expected.is_empty());
                assert_eq!(changed.without(square), expected);
                assert_eq!(flips_in::<true>(square, own, opponent), expected);
                assert_eq!(flips_in::<false>(square, own, opponent), expected);
                if !expected.is_empty() {
                    targets.insert(square);
                }
            }
            assert_eq!(moves(own, opponent), targets, "{own:#?} {opponent:#?}");
            assert_eq!(moves_by_rows(own.bits(), opponent.bits()), targets.bits());
            assert_eq!(moves_at_once(own.bits(), opponent.bits()), targets.bits());
        }
    }

    #[test]
    fn last_flips_are_counted() {
        for (own, _) in boards() {
            for square in Bitboard::ALL {
                let own = own.without(square);
                let expected = flips(square, own, (!own).without(square)).len() as i32;
                let own = own.bits();
                assert_eq!(count_last_flips_in::<true>(square, own), expected, "{own:x} {square}");
                assert_eq!(count_last_flips_in::<false>(square, own), expected, "{own:x} {square}");
            }
            assert_eq!(count_in::<true>(own.bits()), count_in::<false>(own.bits()));
            assert_eq!(count_corners(own), count(own & Bitboard::CORNERS));
        }
    }
}
