//! The match on the page: what it shows, and the changes that it asks for.

use std::fmt;

use corvid_core::any::AnyGame;
use corvid_core::game::{Canvas, MoveCode, Notation};
use corvid_core::player::{Player, ranking};
use corvid_core::refusal::Refusal;
use corvid_core::session::Match;
use wasm_bindgen::prelude::*;

use crate::catalog::parse_setup;

/// A place that is nobody's.
const NOBODY: u8 = u8::MAX;

/// A match in progress, with the moves that were taken back.
#[wasm_bindgen]
#[derive(Debug)]
pub struct PageMatch {
    game: Match,
}

/// The moves of a match, `pass` among them.
pub(crate) fn moves_of(game: &Match) -> Vec<String> {
    let write = |ply| {
        let mut text = String::new();
        // Writing to a String never fails.
        let _ = game.write_ply(ply, Notation::Plain, &mut text);
        text
    };
    (0..game.plies()).map(write).collect()
}

fn refused(refusal: Refusal) -> JsError {
    JsError::new(refusal.long())
}

#[wasm_bindgen]
impl PageMatch {
    /// A match at its start: `dots 5x5`.
    #[wasm_bindgen(constructor)]
    pub fn new(setup: &str) -> Result<Self, JsError> {
        Ok(Self { game: Match::new(parse_setup(setup).map_err(|why| JsError::new(&why))?) })
    }

    /// The game's name.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.game.kind().name().into()
    }

    /// The game with its options, as the constructor takes it.
    #[wasm_bindgen(getter)]
    pub fn setup(&self) -> String {
        self.game.setup().to_string()
    }

    /// How many people sit at the board.
    #[wasm_bindgen(getter)]
    pub fn people(&self) -> usize {
        self.game.setup().people()
    }

    /// The player to move, from 0.
    #[wasm_bindgen(getter)]
    pub fn turn(&self) -> usize {
        self.game.turn().index()
    }

    /// Whether the game has ended.
    #[wasm_bindgen(getter)]
    pub fn over(&self) -> bool {
        self.game.is_over()
    }

    /// Whether the player to move can only pass.
    #[wasm_bindgen(getter, js_name = mustPass)]
    pub fn must_pass(&self) -> bool {
        self.game.must_pass()
    }

    /// Which person moves for a colour.
    #[wasm_bindgen(js_name = seatOf)]
    pub fn seat_of(&self, player: usize) -> usize {
        player % self.people().max(1)
    }

    /// The points of each colour.
    #[wasm_bindgen(getter)]
    pub fn scores(&self) -> Vec<i16> {
        self.players().map(|player| self.game.score(player)).collect()
    }

    /// The points of each person at the board.
    #[wasm_bindgen(getter, js_name = seatScores)]
    pub fn seat_scores(&self) -> Vec<i16> {
        self.game.seat_scores().to_vec()
    }

    /// The place of each person at the end, 1 for the winner; equal points share one.
    #[wasm_bindgen(getter, js_name = seatPlaces)]
    pub fn seat_places(&self) -> Vec<u8> {
        let mut places = vec![0; self.people()];
        for standing in ranking(&self.game.seat_scores()) {
            places[standing.player.index()] = standing.place;
        }
        places
    }

    /// How many moves were made, passes included.
    #[wasm_bindgen(getter)]
    pub fn plies(&self) -> usize {
        self.game.plies()
    }

    /// The moves so far, `pass` among them.
    #[wasm_bindgen(getter)]
    pub fn moves(&self) -> Vec<String> {
        moves_of(&self.game)
    }

    /// Who made each of the moves.
    #[wasm_bindgen(getter)]
    pub fn movers(&self) -> Vec<u8> {
        let mut movers = Vec::new();
        self.for_each_position(|game| movers.push(game.turn().index() as u8));
        movers.truncate(self.game.plies());
        movers
    }

    /// The points of each colour at the start and after each of the moves, in a row.
    #[wasm_bindgen(getter)]
    pub fn points(&self) -> Vec<i16> {
        let mut points = Vec::new();
        self.for_each_position(|game| {
            points.extend(self.players().map(|player| game.score(player)));
        });
        points
    }

    /// Columns and rows of the places that [`owners`](Self::owners) lists.
    #[wasm_bindgen(getter)]
    pub fn places(&self) -> Vec<u8> {
        let places = self.game.position().text().places();
        vec![places.columns, places.rows]
    }

    /// The board as text, a line a row, without the last move's mark.
    pub fn drawing(&self) -> String {
        let sketch = self.sketch();
        let lines = sketch.lines.iter().map(|line| line.iter().map(|(letter, _)| letter).collect());
        lines.collect::<Vec<String>>().join("\n")
    }

    /// Who owns each place, row by row from the top; 255 if nobody does.
    pub fn owners(&self) -> Vec<u8> {
        let (sketch, places) = (self.sketch(), self.game.position().text().places());
        let all = (0..places.rows).flat_map(|y| (0..places.columns).map(move |x| (x, y)));
        all.map(|place| sketch.owner(places.at(place))).collect()
    }

    /// Who owns a character of [`drawing`](Self::drawing); 255 if nobody does.
    #[wasm_bindgen(js_name = ownerAt)]
    pub fn owner_at(&self, column: usize, line: usize) -> u8 {
        self.sketch().owner((column, line))
    }

    /// The pieces that a player has yet to place, in a game that has pieces: squares as `x,y` from
    /// the piece's upper left, separated by blanks.
    pub fn hand(&self, player: usize) -> Vec<String> {
        let mut pieces = Vec::new();
        if let Some(player) = self.players().nth(player) {
            self.game.position().text().for_each_in_hand(player, &mut |squares| {
                let squares: Vec<_> = squares.iter().map(|(x, y)| format!("{x},{y}")).collect();
                pieces.push(squares.join(" "));
            });
        }
        pieces
    }

    /// The legal moves; `pass` alone where there is no other.
    pub fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        let game = self.game.now();
        game.for_each_move(&mut |mv| {
            let mut text = String::new();
            if game.write_move(mv, Notation::Plain, &mut text).is_ok() {
                moves.push(text);
            }
        });
        moves
    }

    /// Why a move can't be made now; nothing if it can.
    pub fn refusal(&self, text: &str) -> Option<String> {
        let mut trial = self.game.clone();
        trial.play(trial.turn(), text).err().map(|refusal| refusal.long().into())
    }

    /// Makes a move for the player to move. What was taken back is forgotten.
    pub fn play(&mut self, text: &str) -> Result<(), JsError> {
        self.game.play(self.game.turn(), text).map_err(refused)
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        self.game.undo()
    }

    /// Plays the move again that was taken back last; false if there is none.
    pub fn redo(&mut self) -> bool {
        self.game.redo()
    }

    /// Whether a move was taken back.
    #[wasm_bindgen(getter, js_name = canRedo)]
    pub fn can_redo(&self) -> bool {
        self.game.clone().redo()
    }

    /// The match with all moves made again that were taken back; changes to it don't change this one.
    pub fn whole(&self) -> Self {
        let mut game = self.game.clone();
        while game.redo() {}
        Self { game }
    }

    /// The match as it was after so many of its moves; changes to it don't change this one.
    pub fn at(&self, plies: usize) -> Self {
        let mut game = self.game.clone();
        while game.plies() > plies && game.undo() {}
        Self { game }
    }
}

impl PageMatch {
    fn players(&self) -> impl Iterator<Item = Player> {
        Player::all(self.game.colors().len())
    }

    /// Visits the start and the position after each of the moves.
    fn for_each_position(&self, mut visit: impl FnMut(&dyn AnyGame)) {
        let mut position = self.game.start().clone();
        let game = position.get_mut();
        for ply in 0..self.game.plies() {
            visit(game);
            let mover = game.turn();
            match self.game.ply(ply) {
                Some(MoveCode::PASS) if !game.must_pass() => {
                    game.set_turn(mover.next(game.colors().len()));
                }
                Some(mv) => game.play(mv),
                None => {}
            }
        }
        visit(game);
    }

    fn sketch(&self) -> Sketch {
        let mut sketch = Sketch { lines: vec![Vec::new()] };
        // Writing to it never fails.
        let _ = self.game.now().draw(None, &mut sketch);
        sketch
    }
}

/// Characters in lines, with the player whose mark each is.
struct Sketch {
    lines: Vec<Vec<(char, u8)>>,
}

impl Sketch {
    fn push(&mut self, letter: char, owner: u8) {
        match self.lines.last_mut() {
            Some(line) if letter != '\n' => line.push((letter, owner)),
            _ => self.lines.push(Vec::new()),
        }
    }

    fn owner(&self, (column, line): (usize, usize)) -> u8 {
        self.lines.get(line).and_then(|line| line.get(column)).map_or(NOBODY, |(_, owner)| *owner)
    }
}

impl fmt::Write for Sketch {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().for_each(|letter| self.push(letter, NOBODY));
        Ok(())
    }
}

impl Canvas for Sketch {
    fn mark(&mut self, player: Player, mark: char) -> fmt::Result {
        self.push(mark, player.index() as u8);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_shows_its_board_and_its_moves() {
        let mut game = PageMatch { game: Match::default() };
        assert_eq!(game.places(), [8, 8]);
        assert_eq!(game.owners()[27..29], [1, 0]);
        game.game.play_next("d3").unwrap();
        assert_eq!((game.moves(), game.movers()), (vec!["d3".to_owned()], vec![0]));
        assert_eq!(game.owners()[19], 0);
        assert_eq!(game.refusal("a1").as_deref(), Some("a disc on a1 turns nothing over"));
        assert_eq!(game.legal().len(), 3);
        assert!(game.undo() && game.can_redo());
        assert_eq!((game.plies(), game.at(0).plies()), (0, 0));
        let whole = game.whole();
        assert_eq!((game.plies(), whole.moves(), whole.movers()), (0, vec!["d3".into()], vec![0]));
        assert_eq!(whole.points(), [2, 2, 4, 1]);
    }

    #[test]
    fn a_hand_has_the_pieces_that_are_left() {
        let mut game = PageMatch { game: Match::new(parse_setup("blokus-duo").unwrap()) };
        assert_eq!(game.hand(0).len(), 21);
        game.game.play_next("e10,e11").unwrap();
        assert_eq!((game.hand(0).len(), game.hand(1).len(), game.hand(2).len()), (20, 21, 0));
    }
}
