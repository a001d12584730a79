//! Blokus at a terminal.

use core::fmt::{self, Write};

use heapless::Vec;

use super::Blokus;
use crate::player::Player;
use crate::text::{PieceSquare, Places, TextBoard};

impl<const PLAYERS: usize, const WORDS: usize> TextBoard for Blokus<PLAYERS, WORDS> {
    fn notation(&self) -> &'static str {
        if PLAYERS == 2 {
            "Blokus Duo: place a piece so that it touches your own only at corners; name the \
             covered squares, e10,e11,f11. The first piece covers your start square (+)."
        } else {
            "Blokus: place a piece so that it touches your own only at corners; name the covered \
             squares, a20,a19,b19. The first piece covers your corner."
        }
    }

    fn places(&self) -> Places {
        let (columns, rows) = (Self::SIDE, Self::SIDE);
        Places { columns, rows, across: 2, down: 1, with_cursor: false }
    }

    fn write_pointed(&self, places: &[(u8, u8)], out: &mut dyn Write) -> fmt::Result {
        for (index, place) in places.iter().enumerate() {
            let separator = if index > 0 { "," } else { "" };
            write!(out, "{separator}{}", Self::cell(*place))?;
        }
        Ok(())
    }

    fn for_each_in_hand(&self, player: Player, visit: &mut dyn FnMut(&[PieceSquare])) {
        for piece in self.pieces_left(player).iter() {
            // Lying down: lines of text are wide and few.
            let flattest = piece.orientations().min_by_key(|turned| turned.height());
            let cells: Option<Vec<_, 5>> = flattest.map(|turned| turned.cells().collect());
            visit(&cells.unwrap_or_default());
        }
    }
}
