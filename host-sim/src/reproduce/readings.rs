//! What the LeakyAI document may have meant: its printed algorithm with every choice that the text
//! leaves open as a parameter.
//!
//! [`Replay`] plays them and shares only the rules with the bots in core, so that `leaky:seed` and
//! `brute-force` are checked by a second program.

mod replay;
pub(super) mod search;

pub(super) use replay::{Replay, Seat};

/// Declares the open choices, each with the words that a report has for it.
macro_rules! choices {
    ($($(#[$doc:meta])* $field:ident $kind:ident { $($option:ident $text:literal),+ $(,)? })+) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub(super) enum $kind { $($option),+ }

            impl $kind {
                const ALL: &[Self] = &[$(Self::$option),+];
                const TEXTS: &[&str] = &[$($text),+];
            }
        )+

        /// One way to read the document.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) struct Reading { $(pub(super) $field: $kind),+ }

        impl Reading {
            /// What each choice is called in the code.
            pub(super) const NAMES: &[&str] = &[$(stringify!($field)),+];
            /// How many options each choice has.
            pub(super) const OPTIONS: &[usize] = &[$($kind::ALL.len()),+];

            /// The same reading with another option of one choice.
            pub(super) fn with(mut self, choice: usize, option: usize) -> Self {
                let mut index = 0;
                $(
                    if index == choice && let Some(chosen) = $kind::ALL.get(option) {
                        self.$field = *chosen;
                    }
                    index += 1;
                )+
                debug_assert!(choice < index);
                self
            }

            /// What is chosen, in words.
            pub(super) fn words(&self) -> Vec<&'static str> {
                vec![$($kind::TEXTS[self.$field as usize]),+]
            }
        }
    };
}

choices! {
    /// Where the four players begin, in the order of their turns: from the top left on, or anywhere.
    corners Corners {
        Clockwise "corners clockwise",
        Counterclockwise "corners counter-clockwise",
        Rows "corners row by row",
        Columns "corners column by column",
        Free "any free corner",
    }
    /// Which loop over the board is the outer one.
    major Major { Rows "rows outside", Columns "columns outside" }
    vertical Vertical { Down "top down", Up "bottom up" }
    horizontal Horizontal { Right "left to right", Left "right to left" }
    /// Which of equally good squares is taken.
    ties Ties { First "first of equals", Last "last of equals" }
    /// The order of the pieces of one size: the contest's letters, the letters that they resemble,
    /// Conway's letters, or some other order.
    listing Listing {
        Contest "pieces as in the contest",
        Alphabet "pieces by the alphabet",
        Conway "pieces by Conway's letters",
        Other1 "pieces in an arbitrary order (1)",
        Other2 "pieces in an arbitrary order (2)",
        Other3 "pieces in an arbitrary order (3)",
        Other4 "pieces in an arbitrary order (4)",
    }
    direction Direction { Forwards "from the first", Backwards "from the last" }
    /// Where the straight five stands among the fives.
    straight Straight { Listed "I5 as listed", First "I5 first", Last "I5 last" }
    /// Whether a piece is turned before it is tried for the first time.
    turning Turning {
        Before "turned, then tried",
        After "tried, then turned",
        Kept "turned, then tried, and left mirrored for the next square",
    }
    spin Spin { Clockwise "clockwise", Counterclockwise "counter-clockwise" }
    /// How the pieces lie in the list: quarter turns, then a mirror.
    lie Lie {
        R0 "as in the contest", R1 "turned by 90", R2 "turned by 180", R3 "turned by 270",
        M0 "mirrored", M1 "mirrored and turned by 90", M2 "mirrored and turned by 180",
        M3 "mirrored and turned by 270",
    }
    /// What 'at x, y' means.
    at At {
        Centre "a piece's centre is at the square",
        Any "any square of a piece is at the square",
        Corner "a piece's top left is at the square",
    }
    /// The heuristic board.
    board HeuristicBoard {
        Flat "no board",
        Away "board 1 at home, 10 at the others' corners",
        Steps "board 1 at home, 10 at the far corner",
        Centre "board 1 at the edge, 10 in the centre",
        Edge "board 10 at the edge, 1 in the centre",
        Others "board 10 at the others' corners, less around them",
        Quarters "board 10 in the others' quarters",
        Far "board 10 in the far quarter",
        Corners "board 10 at all corners, 1 in the centre",
        Band "board 10 halfway to the centre",
    }
    /// Whether the heuristic board's value is part of a square's value.
    adding Adding { Never "board not added", Always "board added", Ties "board for ties" }
    /// Which squares are considered.
    squares Squares { Leaky "leaky squares only", All "all squares" }
    unplayable Unplayable { Counted "unplayable leaks count", Skipped "unplayable leaks skipped" }
    current Current { Carried "heuristic carried on", Reset "heuristic reset" }
    amount Amount { Carried "flood carried on", Reset "flood reset" }
    clones Clones { Turn "one clone a turn", Square "one clone a square" }
    /// What the flooded squares must be more than.
    threshold Threshold { Piece "above the largest piece's size", Count "above the number of pieces left" }
    /// What the aggressive mode does.
    mode Mode {
        Off "no aggressive mode",
        Ignore "aggressive: board ignored",
        Double "aggressive: board doubled",
        Take "aggressive: tens first",
        Enemies "aggressive: beside enemies",
        Block "aggressive: block",
        Leaks "aggressive: leaks first",
        Away "aggressive: the further from home the better",
    }
    lasting Lasting { Game "mode lasts", Turn "mode for a turn" }
    /// What sets the mode off.
    trigger Trigger {
        Leaky "set off by a leaky ten", Playable "set off by a playable ten",
        Own "set off by an own ten",
    }
    /// What is played when no square has a value.
    fallback Fallback {
        Board "else the board's highest square",
        Largest "else the largest piece, as high as possible",
        Brute "else as Brute Force",
    }
    /// The loops of Brute Force, the outer ones first.
    nest Nest {
        PieceSquareTurn "Brute Force by piece, square, turn",
        PieceTurnSquare "Brute Force by piece, turn, square",
        SizeSquarePiece "Brute Force by size, square, piece",
    }
}

/// What `leaky:seed` and `brute-force` play.
pub(super) const LITERAL: Reading = Reading {
    corners: Corners::Clockwise,
    major: Major::Rows,
    vertical: Vertical::Down,
    horizontal: Horizontal::Right,
    ties: Ties::First,
    listing: Listing::Contest,
    direction: Direction::Forwards,
    straight: Straight::Listed,
    turning: Turning::Before,
    spin: Spin::Counterclockwise,
    lie: Lie::M0,
    at: At::Any,
    board: HeuristicBoard::Away,
    adding: Adding::Never,
    squares: Squares::Leaky,
    unplayable: Unplayable::Counted,
    current: Current::Carried,
    amount: Amount::Carried,
    clones: Clones::Turn,
    threshold: Threshold::Piece,
    mode: Mode::Off,
    lasting: Lasting::Turn,
    trigger: Trigger::Leaky,
    fallback: Fallback::Board,
    nest: Nest::PieceSquareTurn,
};

/// The same with sums that are 0 again at every square, the largest piece there as part of every
/// square's value, and Brute Force by the document's `largestMoveAt`.
const RESET: Reading = Reading {
    squares: Squares::All,
    current: Current::Reset,
    amount: Amount::Reset,
    nest: Nest::SizeSquarePiece,
    ..LITERAL
};

/// The nearest readings found so far: to Table 4, to Table 5, and to both.
pub(super) const NEAREST: [Reading; 3] = [
    Reading {
        corners: Corners::Free,
        turning: Turning::Kept,
        spin: Spin::Clockwise,
        lie: Lie::M1,
        board: HeuristicBoard::Centre,
        adding: Adding::Always,
        ..RESET
    },
    Reading {
        corners: Corners::Columns,
        vertical: Vertical::Up,
        horizontal: Horizontal::Left,
        direction: Direction::Backwards,
        straight: Straight::Last,
        turning: Turning::Kept,
        spin: Spin::Clockwise,
        at: At::Corner,
        board: HeuristicBoard::Steps,
        adding: Adding::Ties,
        current: Current::Reset,
        amount: Amount::Reset,
        clones: Clones::Square,
        threshold: Threshold::Count,
        mode: Mode::Leaks,
        trigger: Trigger::Playable,
        ..LITERAL
    },
    Reading {
        corners: Corners::Free,
        vertical: Vertical::Up,
        horizontal: Horizontal::Left,
        turning: Turning::After,
        lie: Lie::M1,
        board: HeuristicBoard::Centre,
        adding: Adding::Ties,
        squares: Squares::All,
        unplayable: Unplayable::Skipped,
        current: Current::Reset,
        amount: Amount::Reset,
        clones: Clones::Square,
        mode: Mode::Enemies,
        trigger: Trigger::Playable,
        fallback: Fallback::Brute,
        nest: Nest::SizeSquarePiece,
        ..LITERAL
    },
];
